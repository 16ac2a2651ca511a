"""Tests that files, a project and a notebook give the same value of every measure."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

import irjudge
from irjudge.errors import MeasureError
from irjudge.evaluation import Policy, evaluate_project, parse_measures
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.metrics import Measure, list_measures, make_measure
from irjudge.model import AUXILIARY_KINDS, Scale
from irjudge.report.workbook.book import write_workbook
from irjudge.store import create_project

# These tests do not need judgments of the retrieved documents.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

LETTERS = "abcdefghij"
Grades = dict[str, dict[str, int]]
DEFAULTS = {"cutoff": 5, "recall": 0.3, "multiple": 0.7, "k": 5, "universe": 50}
VARIANTS = parse_measures(
    [
        "RBP(p=0.5,gain=graded)",
        "RBP(gain=topic)",
        "nDCG(gain=exp2)@5",
        "Q(norm=cutoff)@3",
        "ERR@3",
        "AP(norm=cutoff)@3",
    ]
)


def with_default_parameters() -> list[Measure]:
    measures = []
    for each in list_measures():
        if AUXILIARY_KINDS.keys() & set(each.needs):
            continue
        required = {parameter.name for parameter in each.parameters if parameter.required}
        try:
            measures.append(
                make_measure(
                    each, **{name: value for name, value in DEFAULTS.items() if name in required}
                )
            )
        except MeasureError as error:
            raise AssertionError(f"{each.name}: say in USUAL what it needs") from error
    return [*measures, *VARIANTS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("same")


topics = st.sampled_from(["1", "2"])
graded = st.dictionaries(
    topics, st.dictionaries(st.sampled_from(LETTERS), st.integers(0, 2), min_size=1), min_size=1
)
scored = st.dictionaries(
    topics, st.dictionaries(st.sampled_from(LETTERS), st.integers(-3, 9), min_size=1), min_size=1
)


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(grades=graded, scores=scored)
def test_files_project_and_notebook_give_the_same_value(
    folder: Path, grades: Grades, scores: Grades
) -> None:
    qrels, run = folder / "q.qrels", folder / "run.run"
    qrels.write_text(
        "".join(
            f"{topic} 0 {name} {grade}\n"
            for topic, each in grades.items()
            for name, grade in each.items()
        )
    )
    lines = (
        f"{topic} Q0 {name} 1 {score} t\n"
        for topic, each in scores.items()
        for name, score in each.items()
    )
    run.write_text("".join(lines))
    # Measures of subtopics need qrels that have subtopics, and refuse these everywhere.
    measures = [each for each in with_default_parameters() if not each.by_subtopics]
    names = [each.name for each in measures]
    path = folder / "p.irjudge"
    path.unlink(missing_ok=True)
    with create_project(path, scale=Scale.parse("0-3")) as project:
        project.rankings.add_qrels("known", read_qrels(qrels))
        project.rankings.add_run(read_run(run))
        stored = evaluate_project(project, measures, Policy(topics="qrels"))
        chosen = evaluate_project(project, measures, Policy(topics="qrels", highest=4))
    assert str(stored.highest) == "3, from the project's scale"
    for table, highest in ((stored, 3), (chosen, 4)):
        wanted = np.array([value for *_, value in table.rows(per_topic=True)])
        for given_qrels, given_run in ((qrels, run), (grades, scores)):
            frame = irjudge.evaluate(
                given_qrels, given_run, names, topics="qrels", per_topic=True, highest=highest
            )
            assert frame.value.to_numpy() == pytest.approx(wanted, abs=1e-12)


subtopics = st.dictionaries(
    topics,
    st.dictionaries(
        st.sampled_from(LETTERS), st.lists(st.integers(0, 2), min_size=2, max_size=2), min_size=1
    ),
    min_size=1,
)


@pytest.mark.slow
@settings(max_examples=4, deadline=None)
@given(grades=subtopics, scores=scored)
def test_all_measures_with_subtopics_are_the_same_from_all_sources(
    folder: Path, grades: dict[str, dict[str, list[int]]], scores: Grades
) -> None:
    qrels = folder / "s.qrels"
    run = folder / "run.run"
    path = folder / "s.irjudge"
    book = folder / "s.xlsx"
    judged = (
        (topic, number, name, grade)
        for topic, each in grades.items()
        for name, two in each.items()
        for number, grade in enumerate(two)
    )
    qrels.write_text(
        "".join(f"{topic} {number} {name} {grade}\n" for topic, number, name, grade in judged)
    )
    run.write_text(
        "".join(
            f"{topic} Q0 {name} 1 {score} t\n"
            for topic, each in scores.items()
            for name, score in each.items()
        )
    )
    measures = with_default_parameters()
    path.unlink(missing_ok=True)
    with create_project(path, scale=Scale.parse("0-3")) as project:
        project.rankings.add_qrels("known", read_qrels(qrels))
        project.rankings.add_run(read_run(run))
        stored = evaluate_project(project, measures, Policy(topics="qrels"))
    means = {name: value for _, name, topic, value in stored.rows() if topic == "all"}
    frame = irjudge.evaluate(
        qrels, run, [each.name for each in measures], topics="qrels", highest=3
    )
    assert dict(zip(frame.measure, frame.value, strict=True)) == pytest.approx(means, abs=1e-12)
    write_workbook(book, stored)
    heads, values = load_workbook(book, data_only=True)["Summary"].iter_rows(
        max_row=2, values_only=True
    )
    written = dict(zip(heads, values, strict=True))
    assert {name: written[name] for name in means} == pytest.approx(means, abs=1e-12)
