"""Tests of the models page: the engine's verdict and numbers, conflicts, importing model labels."""

import shutil
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from PySide6.QtWidgets import QFileDialog

from irjudge.audit import audit_judge, read_audit_material
from irjudge.cli.main import main
from irjudge.evaluation import parse_measures
from irjudge.formats import ReadingOptions
from irjudge.judging import (
    QueueItem,
    Session,
    find_influenced_pairs,
    import_judgments,
    read_model_judgments,
    read_project_qrels,
)
from irjudge.model import ModelJudge
from irjudge.pooling import JudgePlanOptions, plan_pool
from irjudge.shipped import sample_folders
from irjudge.store import open_project
from irjudge_ui.pages.models import ModelsView
from irjudge_ui.widgets import Dialog
from irjudge_ui.window import Window

LABELS = sample_folders()["harbour"] / "model_labels.txt"

ONE_WINDOW = True


@pytest.fixture
def first_page() -> str:
    return "models"


@pytest.fixture(scope="module")
def labelled_sample(harbour: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample with the labels of a model; tests use copies."""
    path = Path(shutil.copy(harbour, tmp_path_factory.mktemp("labelled") / "labelled.irjudge"))
    with open_project(path) as project:
        import_judgments(project, LABELS, ReadingOptions(judge=ModelJudge("invented")))
    return path


@pytest.fixture
def with_model_labels(labelled_sample: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(labelled_sample, tmp_path / "harbour.irjudge"))


def open_models_page(window: Window, wait_until_idle: Callable[[], None]) -> ModelsView:
    window.show_page("models")
    wait_until_idle()
    view = window.pages.view("models")
    assert isinstance(view, ModelsView)
    return view


@pytest.mark.slow
def test_the_verdict_and_the_numbers_equal_those_of_the_engine(
    open_path: Callable[[Path], Window],
    with_model_labels: Path,
    wait_until_idle: Callable[[], None],
) -> None:
    page = open_models_page(open_path(with_model_labels), wait_until_idle)
    assert page.project is not None
    audit = audit_judge(
        read_audit_material(page.project, parse_measures(["nDCG@10"])[0]),
        read_model_judgments(page.project, "invented"),
    )
    assert page.verdict.text() == audit.verdict.text
    assert page.evidence.text().splitlines() == list(audit.verdict.evidence)
    assert page.confusion.matrix.values.tolist() == audit.confusion.total.tolist()
    assert [row.run for row in page.systems.rows] == [each.run for each in audit.orderings.systems]  # type: ignore[union-attr]
    assert page.leniency.rows == list(audit.leniency) and page.conflicts.rows == list(
        audit.conflicts
    )
    assert "⚠ " in page.warnings.text() and page.warnings.isVisible()


def test_a_cancelled_comparison_is_computed_at_the_next_visit(
    open_path: Callable[[Path], Window],
    with_model_labels: Path,
    wait_until_idle: Callable[[], None],
) -> None:
    page = open_models_page(open_path(with_model_labels), wait_until_idle)
    page.measure.setCurrentIndex(1 - page.measure.currentIndex())
    page.measure.activated.emit(page.measure.currentIndex())
    page.cancel_jobs()
    assert page.result is None
    page.refresh()
    wait_until_idle()
    assert page.result is not None


@pytest.mark.slow
def test_a_judgment_records_whether_the_models_grade_was_shown_before(
    open_path: Callable[[Path], Window],
    with_model_labels: Path,
    wait_until_idle: Callable[[], None],
) -> None:
    with open_project(with_model_labels) as project:
        session = Session(project)
        items = [
            QueueItem(topic, document)
            for topic in session.queue.topics
            for document in session.queue.documents(topic)
        ]
        assert "saw_models" not in session.grade(session.open_item(items[0]), 1).payload
    window = open_path(with_model_labels)
    page = open_models_page(window, wait_until_idle)
    assert window.project is not None
    on_page = {(each.topic, each.document) for each in page.conflicts.rows}
    session = Session(window.project)
    seen = next(item for item in items if (item.topic, item.document) in on_page)
    other = next(item for item in items if (item.topic, item.document) not in on_page)
    assert session.grade(session.open_item(seen), 2).payload["saw_models"] == ["invented"]
    assert "saw_models" not in session.grade(session.open_item(other), 2).payload
    # assessors who judge in another program were not shown it
    for session in (Session(window.project, "zoe"),):
        assert "saw_models" not in session.grade(session.open_item(seen), 2).payload
    assert find_influenced_pairs(window.project, "invented") == {(seen.topic, seen.document)}


@pytest.mark.usefixtures("own_window")
@pytest.mark.slow
def test_another_measure_reorders_the_systems(
    open_path: Callable[[Path], Window],
    with_model_labels: Path,
    wait_until_idle: Callable[[], None],
) -> None:
    page = open_models_page(open_path(with_model_labels), wait_until_idle)
    before = page.evidence.text()
    page.measure.setCurrentIndex(page.measure.findData("P@10"))
    page.measure.activated.emit(page.measure.currentIndex())
    wait_until_idle()
    assert page.evidence.text() != before and "by P@10" in page.evidence.text()


def test_a_conflict_opens_its_document(
    open_path: Callable[[Path], Window],
    with_model_labels: Path,
    wait_until_idle: Callable[[], None],
) -> None:
    page = open_models_page(open_path(with_model_labels), wait_until_idle)
    page.conflict_table.opened.emit(0)
    wait_until_idle()
    (dialog,) = (each for each in page.findChildren(Dialog) if each.isVisible())
    assert page.conflict_table.model().index(0, 1).data() in dialog.windowTitle() + str(
        [label.text() for label in dialog.findChildren(type(page.verdict))]
    )
    dialog.close()


def test_without_a_model_the_page_says_what_to_do_and_requires_a_name(
    open_path: Callable[[Path], Window], harbour_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    page = open_models_page(open_path(harbour_path), wait_until_idle)
    assert page.advice.isVisible() and not page.problem.isVisible() and not page.verdict.isVisible()
    page.add_labels()
    assert page.problem.text().startswith("Enter the name")


@pytest.mark.slow
def test_labels_are_imported_under_the_models_name_and_count_for_no_assessor(
    open_path: Callable[[Path], Window],
    harbour_path: Path,
    wait_until_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = open_path(harbour_path)
    page = open_models_page(window, wait_until_idle)
    assert page.project is not None
    people = page.project.events.assessors()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args, **_more: (str(LABELS), ""))
    page.name.setText("gpt-x")
    page.actions_by_id["add-labels"].trigger()
    wait_until_idle()
    assert (page.project.events.models(), page.project.events.assessors()) == (("gpt-x",), people)
    assert page.model.currentData() == "gpt-x" and page.verdict.isVisible()
    page.import_file(LABELS, "a-1")
    wait_until_idle()
    page.set_request("a-1")  # as if the model had been asked on its page
    page.refresh()
    wait_until_idle()
    assert (
        page.model.currentData() == "a-1"
        and page.result is not None
        and page.result.judge_audit.judge.name == "a-1"
    )


@pytest.mark.slow
def test_the_audit_is_saved_as_a_workbook(
    open_path: Callable[[Path], Window],
    with_model_labels: Path,
    wait_until_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    page = open_models_page(open_path(with_model_labels), wait_until_idle)
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_args, **_more: (str(tmp_path / "audit"), "")
    )
    page.actions_by_id["save-audit"].trigger()
    wait_until_idle()
    assert "Conflicts" in openpyxl.load_workbook(tmp_path / "audit.xlsx", read_only=True).sheetnames


@pytest.mark.slow
def test_a_judge_plan_shows_estimates_and_their_gain_from_more_judgments(
    open_path: Callable[[Path], Window],
    with_model_labels: Path,
    wait_until_idle: Callable[[], None],
) -> None:
    with open_project(with_model_labels) as project:
        runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
        project.rankings.add_pool(
            plan_pool(
                runs,
                JudgePlanOptions("invented", 110),
                read_model_judgments(project, "invented").grades,
                3,
            )
        )
    page = open_models_page(open_path(with_model_labels), wait_until_idle)
    assert len(page.estimates.rows) == 2 * len(runs) and all(
        each.low < each.value < each.high for each in page.estimates.rows
    )
    assert "P@10" in page.plan.text() and ": 50: ±" in page.plan.text()


@pytest.mark.slow
def test_the_saved_audit_has_the_estimates_and_their_kind(
    open_path: Callable[[Path], Window],
    with_model_labels: Path,
    wait_until_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    with open_project(with_model_labels) as project:
        runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
        grades = read_model_judgments(project, "invented").grades
        project.rankings.add_pool(plan_pool(runs, JudgePlanOptions("invented", 110), grades, 3))
    page = open_models_page(open_path(with_model_labels), wait_until_idle)
    target = tmp_path / "audit.xlsx"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_more: (str(target), ""))
    page.actions_by_id["save-audit"].trigger()
    wait_until_idle()
    sheet = openpyxl.load_workbook(target, read_only=True)["Estimates"]
    head, *rows = sheet.iter_rows(values_only=True)
    assert head == ("run", "measure", "value", "low", "high", "kind")
    assert [(row[0], row[1], row[5]) for row in rows] == [
        (each.run, each.measure, each.kind) for each in page.estimates.rows
    ]
    assert {row[5] for row in rows} <= {"estimate", "too few labels"} and rows


@pytest.mark.slow
def test_without_a_plan_the_page_samples_one(
    open_path: Callable[[Path], Window],
    with_model_labels: Path,
    wait_until_idle: Callable[[], None],
) -> None:
    page = open_models_page(open_path(with_model_labels), wait_until_idle)
    assert page.estimates.rows == [] and page.plan.isHidden()
    page.plan_size.set_value(110)
    page.draw_plan()
    wait_until_idle()
    pool = page.project.rankings.pool()
    assert pool.is_sample and 90 < len(pool) < 130 and pool.strategy == "plan"
    assert (
        len(page.estimates.rows) == 2 * len(page.project.rankings.runs()) and page.plan.isVisible()
    )


@pytest.mark.slow
def test_files_for_assessors_never_contain_a_models_labels(
    with_model_labels: Path, tmp_path: Path
) -> None:
    """Files and browser pages contain neither the model's name nor its labels."""
    copies = {
        "html": with_model_labels,
        "irtask": Path(shutil.copy(with_model_labels, tmp_path / "other.irjudge")),
    }
    for form, path in copies.items():
        arguments = [
            "assign",
            str(path),
            "--assessors",
            "zoe",
            "--overlap",
            "1",
            "--as",
            form,
            "-o",
            str(tmp_path / form),
        ]
        assert main(arguments) == 0
        for file in (each for each in (tmp_path / form).rglob("*") if each.is_file()):
            content = file.read_bytes()
            assert (
                b"invented" not in content
                and b'"actor":"model"' not in content
                and b"model_labels" not in content
            ), file.name


@pytest.fixture
def with_two_models(with_model_labels: Path, tmp_path: Path) -> Path:
    """Add a model, first in the list, that labelled only a document without a human grade."""
    path = tmp_path / "aaa.txt"
    with open_project(with_model_labels) as project:
        judged = {(topic, id) for topic, id, _ in read_project_qrels(project).rows()}
        ids = [document.id for document in project.collection.documents()]
        unjudged = next(id for id in ids if ("1", id) not in judged)
        path.write_text(f"1 0 {unjudged} 1\n", encoding="utf-8")
        import_judgments(project, path, ReadingOptions(judge=ModelJudge("aaa")))
    return with_model_labels


def choose_model(page: ModelsView, name: str) -> None:
    page.model.setCurrentIndex(page.model.findData(name))
    page.model.activated.emit(page.model.currentIndex())


@pytest.mark.usefixtures("own_window")
@pytest.mark.slow
def test_another_model_can_be_chosen_if_the_first_cannot_be_audited(
    open_path: Callable[[Path], Window], with_two_models: Path, wait_until_idle: Callable[[], None]
) -> None:
    page = open_models_page(open_path(with_two_models), wait_until_idle)
    assert page.model.currentData() == "aaa"
    assert page.problem.isVisible() and page.model.isVisible()
    assert not page.leniency.rows or not page._leniency_table.isVisible()
    choose_model(page, "invented")
    wait_until_idle()
    assert page.verdict.text() and page.confusion.isVisible() and not page.problem.isVisible()


@pytest.mark.usefixtures("own_window")
@pytest.mark.slow
def test_the_verdict_on_another_model_is_not_shown_after_a_cancelled_computation(
    open_path: Callable[[Path], Window], with_two_models: Path, wait_until_idle: Callable[[], None]
) -> None:
    page = open_models_page(open_path(with_two_models), wait_until_idle)
    choose_model(page, "invented")
    wait_until_idle()
    verdict = page.verdict.text()
    page.measure.setCurrentIndex(page.measure.findData("P@10"))
    page.measure.activated.emit(page.measure.currentIndex())
    page.cancel_jobs()
    assert not page.verdict.text() and not page.confusion.isVisible()
    choose_model(page, "invented")
    wait_until_idle()
    assert page.verdict.text() == verdict and page.confusion.isVisible()
