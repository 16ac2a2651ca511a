"""Tests of auxiliary files that describe only a part of the runs, or nothing of them."""

from pathlib import Path
from typing import Any

import pytest

from irjudge.cli.main import main
from irjudge.errors import IrjudgeError
from irjudge.evaluation import Evaluation, evaluate_runs, parse_measures
from irjudge.formats.rankings import read_auxiliary_table, read_run
from irjudge.model import make_qrels

QRELS = make_qrels([("1", "d1", 1), ("2", "d2", 1)])
NUGGETS = "run,topic,nugget,importance,support"
CITED = "run,topic,sentence,document,support"


def run(folder: Path, name: str = "mine.run", tag: str = "bm25", topics: str = "12") -> Any:
    path = folder / name
    path.write_text("".join(f"{each} Q0 d{each} 1 1 {tag}\n" for each in topics))
    return read_run(path)


def table(folder: Path, side: str, header: str, *rows: str) -> Any:
    path = folder / f"{side}.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    return read_auxiliary_table(path, side)


def evaluate(measure: str, runs: list[Any], side: Any) -> Evaluation:
    return evaluate_runs(QRELS, runs, parse_measures([measure]), tables=[side])


def keys(evaluation: Evaluation) -> list[str]:
    return [each.key for each in evaluation.notes if getattr(each, "key", "").startswith("side-")]


@pytest.mark.parametrize("name", ["mine", "mine.run", "bm25", ""])
def test_a_run_is_matched_by_its_name_its_file_and_its_tag(tmp_path, name):
    side = table(
        tmp_path, "nuggets", NUGGETS, f"{name},1,a,vital,support", f"{name},2,a,vital,support"
    )
    evaluation = evaluate("NuggetRecall", [run(tmp_path)], side)
    assert evaluation.runs[0].values.tolist() == [[1.0, 1.0]]
    assert keys(evaluation) == []


def test_a_tag_is_not_used_where_the_file_has_the_name(tmp_path):
    side = table(
        tmp_path,
        "nuggets",
        NUGGETS,
        "mine,1,a,vital,support",
        "bm25,2,a,vital,support",
    )
    evaluation = evaluate("NuggetRecall", [run(tmp_path)], side)
    assert evaluation.runs[0].values.tolist() == [[1.0, 0.0]]
    assert keys(evaluation) == ["side-lacks-topics"]


# Sessions and lengths must be complete: their measures and reader refuse a missing topic or
# document.
FILES = [
    ("nuggets", "NuggetRecall", NUGGETS, "{run},{topic},a,vital,support"),
    ("citations", "CitationRecall", CITED, "{run},{topic},s1,{document},full"),
    ("groups", "AWRF", "document,group", "{document},g"),
]


def rows(row: str, *topics_and_documents: str, run: str = "mine") -> list[str]:
    return [row.format(run=run, topic=each, document=f"d{each}") for each in topics_and_documents]


@pytest.mark.parametrize(("side", "measure", "header", "row"), FILES)
def test_a_file_that_describes_nothing_is_refused(tmp_path, side, measure, header, row):
    other_rows = [rows(row, "8", "9")]
    if "{run}" in row:
        other_rows.append(rows(row, "1", "2", run="other"))
    for each in other_rows:
        with pytest.raises(IrjudgeError) as error:
            evaluate(measure, [run(tmp_path)], table(tmp_path, side, header, *each))
        assert error.value.key == "side-matches-nothing"
        assert error.value.values["file"] == f"{side}.csv"
        assert "mine" in error.value.values["runs"]


@pytest.mark.parametrize(("side", "measure", "header", "row"), FILES)
def test_a_file_that_describes_a_part_gives_a_warning(tmp_path, side, measure, header, row):
    whole = table(tmp_path, side, header, *rows(row, "1", "2"))
    assert keys(evaluate(measure, [run(tmp_path)], whole)) == []
    part = table(tmp_path, side, header, *rows(row, "1", "9"))
    assert len(keys(evaluate(measure, [run(tmp_path)], part))) == 1


@pytest.mark.parametrize(("side", "measure", "header", "row"), FILES[:2])
def test_a_run_missing_from_a_file_is_named(tmp_path, side, measure, header, row):
    runs = [run(tmp_path), run(tmp_path, "other.run", "lm")]
    evaluation = evaluate(measure, runs, table(tmp_path, side, header, *rows(row, "1", "2")))
    (warning,) = (each for each in evaluation.notes if getattr(each, "key", "") == "side-lacks-run")
    assert warning.values["run"] == "other"


def test_a_topic_without_nuggets_can_be_explained(tmp_path):
    (tmp_path / "q").write_text("1 0 d1 1\n2 0 d2 1\n")
    run(tmp_path)
    (tmp_path / "n.csv").write_text(f"{NUGGETS}\nmine,1,a,vital,support\n")
    arguments = ["explain", str(tmp_path / "q"), str(tmp_path / "mine.run")]
    arguments += ["--topic", "2", "-m", "NuggetRecall", "--nuggets", str(tmp_path / "n.csv")]
    assert main(arguments) == 0
