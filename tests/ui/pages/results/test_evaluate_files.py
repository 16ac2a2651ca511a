"""Tests of the page that evaluates qrels and run files without a project."""

from collections.abc import Callable
from pathlib import Path

import pytest

from irjudge.evaluation import Policy, evaluate_files, parse_measures
from irjudge.formats import ClassifiedFiles, ReadingOptions
from irjudge.formats.rankings import GradeRules, read_qrels
from irjudge.report import reproduce_study
from irjudge_ui.pages.results.evaluate_files import FilesView
from irjudge_ui.window import Window

ONE_WINDOW = True


def test_qrels_with_the_same_name_are_distinguished(
    window: Window, wait_until_idle: Callable[[], None], tmp_path: Path
) -> None:
    """The document is relevant in the first qrels, and not relevant in the second."""
    paths = [tmp_path / name for name in ("2019/q.txt", "2020/q.txt", "r.run")]
    for path, text in zip(paths, ("1 0 d 1\n", "1 0 d 0\n", "1 Q0 d 1 1 r\n"), strict=True):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    window.show_page("files")
    page = window.pages.view("files")
    assert isinstance(page, FilesView)
    page.add_files(paths)
    wait_until_idle()
    choices = page.policy.qrels
    assert choices.itemText(0) != choices.itemText(1)
    values = []
    for index in range(2):
        choices.setCurrentIndex(index)
        choices.activated.emit(index)
        wait_until_idle()
        assert page.table is not None
        values.append(page.table.runs[0].values[0].tolist())
    assert values == [[1.0], [0.0]]


def test_files_dropped_while_others_are_classified_are_added_to_them(
    window: Window, wait_until_idle: Callable[[], None], tmp_path: Path
) -> None:
    paths = [tmp_path / name for name in ("q.txt", "a.run", "b.run")]
    for path, text in zip(paths, ("1 0 d 1\n", "1 Q0 d 1 1 a\n", "1 Q0 e 1 1 b\n"), strict=True):
        path.write_text(text)
    window.show_page("files")
    page = window.pages.view("files")
    assert isinstance(page, FilesView)
    for path in paths:
        page.add_files([path])
    wait_until_idle()
    assert (page.files.qrels, page.files.runs) == ((paths[0],), tuple(paths[1:]))


def test_a_problem_is_shown_until_it_is_corrected(
    window: Window, wait_until_idle: Callable[[], None], tmp_path: Path
) -> None:
    paths = [tmp_path / name for name in ("q.txt", "r.run", "odd.txt")]
    for path, text in zip(paths, ("1 0 d 1\n", "1 Q0 d 1 1 r\n", "what is this\n"), strict=True):
        path.write_text(text)
    window.show_page("files")
    page = window.pages.view("files")
    assert isinstance(page, FilesView)
    page.add_files(paths)
    wait_until_idle()
    assert "odd.txt" in page.problem.text()
    for measures, problem in (("AP FOOBAR", "FOOBAR"), ("AP", "odd.txt")):
        page.measures.setText(measures)
        page.measures.editingFinished.emit()
        wait_until_idle()
        assert problem in page.problem.text() and page.problem.isVisible()
        assert (page.table is None) == (measures == "AP FOOBAR")
    page.add_files([tmp_path / "r.run"])
    wait_until_idle()
    assert not page.problem.isVisible()


@pytest.mark.slow
def test_a_study_stores_how_the_qrels_were_read(
    window: Window, wait_until_idle: Callable[[], None], tmp_path: Path
) -> None:
    """The ratings 1 to 5 are grades 0, 1 and 2; with other grades, nDCG would differ."""
    qrels, run, study = (tmp_path / name for name in ("q.txt", "r.run", "s.zip"))
    qrels.write_text("1 0 a 5\n1 0 b 3\n1 0 c 1\n")
    run.write_text("1 Q0 c 1 3 r\n1 Q0 b 2 2 r\n1 Q0 a 3 1 r\n")
    reading = ReadingOptions(grades=GradeRules(cuts=(3, 5)), negative="unjudged")
    judged = read_qrels(qrels, reading.negative, grades=reading.grades)
    (evaluation,) = evaluate_files(judged, [run], parse_measures(["nDCG"]), Policy())
    files = ClassifiedFiles((qrels,), (run,), qrels_reading=reading)
    window.exports.write_files_report(evaluation, study, files)
    wait_until_idle()
    reproduction = reproduce_study(study, [run])
    assert reproduction.values == 2 and not reproduction.problems
