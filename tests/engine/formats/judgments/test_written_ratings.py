"""Tests of writing ratings in the formats of search teams: equal when read back, same values."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.errors import IrjudgeError
from irjudge.evaluation import Policy, evaluate_runs
from irjudge.formats.judgments import WRITERS, RatingsFile, read_ratings, write_ratings
from irjudge.formats.judgments.ratings import Rating
from irjudge.formats.rankings import read_qrels, write_qrels
from irjudge.metrics import Measure, Scores
from irjudge.model import make_qrels, make_run
from tests.conformance.test_run_formats import every_measure
from tests.lengths import short_or_long

# formats that can identify queries by text
TEXT_FORMS = sorted(WRITERS.keys() - {"csv", "parquet"})
WORDS = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=8).filter(
    lambda word: not word.startswith("#")
)
QUERIES = st.lists(
    st.lists(WORDS, min_size=1, max_size=3).map(" ".join),
    min_size=1,
    max_size=4,
    unique_by=lambda text: text.casefold(),
)
RATED = st.dictionaries(
    st.from_regex(r"[A-Za-z0-9_]{1,6}", fullmatch=True), st.integers(0, 100), min_size=1, max_size=5
)


@st.composite
def files(draw: st.DrawFn) -> RatingsFile:
    file = RatingsFile()
    for text in draw(QUERIES):
        topic = file.add_query(text)
        file.ratings += [
            Rating(topic, document, float(value)) for document, value in draw(RATED).items()
        ]
    return file


def list_ratings(file: RatingsFile) -> set[tuple[str, str, float | None]]:
    return {(file.queries[each.topic].text, each.document, each.value) for each in file.ratings}


@pytest.mark.parametrize("form", TEXT_FORMS)
@given(file=files())
def test_written_ratings_are_read_back_equal(
    form: str, file: RatingsFile, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / f"{form}{WRITERS[form].suffix}"
    assert write_ratings(path, file, form) == len(file.ratings)
    ratings = read_ratings(path)
    assert ratings is not None and list_ratings(ratings) == list_ratings(file)


@pytest.fixture(scope="module")
def all_measures() -> tuple[Measure, ...]:
    """Return every measure of the catalogue that needs only qrels and a run."""
    qrels = make_qrels([("1", "a", 1), ("1", "b", 0), ("2", "a", 2)])
    run = make_run("r", [("1", "b", 2.0), ("1", "a", 1.0), ("2", "a", 1.0)])
    result = every_measure(qrels, run)
    assert len(result) > 70
    return result


@pytest.mark.slow
@settings(max_examples=short_or_long(5, 40), deadline=None)
@given(file=files())
def test_every_format_gives_the_same_values_of_every_measure(
    all_measures: tuple[Measure, ...], file: RatingsFile, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    run = {file.queries[each.topic].text: dict[str, float]() for each in file.ratings}
    for index, each in enumerate(file.ratings):
        run[file.queries[each.topic].text][each.document] = float(index % 3)
    by_id = {topic: run[query.text] for topic, query in file.queries.items()}
    write_qrels(
        folder / "trec",
        ((each.topic, each.document, int(each.value or 0)) for each in file.ratings),
    )
    expected = values(folder / "trec", by_id, all_measures)
    for form, writer in WRITERS.items():
        write_ratings(folder / f"form{writer.suffix}", file, form)
        result = values(
            folder / f"form{writer.suffix}", run if form in TEXT_FORMS else by_id, all_measures
        )
        np.testing.assert_array_equal(result, expected, err_msg=form)


def values(qrels: Path, run: dict[str, dict[str, float]], every: tuple[Measure, ...]) -> Scores:
    """Return the value of each measure, with topics in the order of their first judgments."""
    read = read_qrels(qrels)
    titles = dict(zip(read.titles or read.topics, read.topics, strict=True))
    ranked = make_run(
        "r",
        [
            (titles.get(topic, topic), document, score)
            for topic, scores in run.items()
            for document, score in scores.items()
        ],
    )
    return evaluate_runs(read, [ranked], every, Policy(highest=100)).runs[0].values


def test_several_ratings_of_a_pair_are_not_written_as_one(tmp_path: Path) -> None:
    file = RatingsFile()
    topic = file.add_query("jazz")
    file.ratings += [Rating(topic, "d1", 3.0, "Ann"), Rating(topic, "d1", 1.0, "Bob")]
    with pytest.raises(IrjudgeError, match="has several ratings"):
        write_ratings(tmp_path / "out.json", file, "opensearch")
    assert [*tmp_path.iterdir()] == []


def test_decimals_are_written_unchanged(tmp_path: Path) -> None:
    file = RatingsFile()
    topic = file.add_query("jazz")
    for document, value in (("d1", 0.12345), ("d2", 0.5), ("d3", 2.0)):
        file.ratings.append(Rating(topic, document, value))
    write_ratings(tmp_path / "out.json", file, "opensearch")
    (query,) = json.loads((tmp_path / "out.json").read_text())["judgmentRatings"]
    assert [each["rating"] for each in query["ratings"]] == ["0.12345", "0.500", "2.000"]
