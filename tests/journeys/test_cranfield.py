"""Cranfield as distributed, by command and in the window; ambiguities are asked about first."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from irjudge.cli.main import main
from irjudge.formats import FileKind
from irjudge.store import Project, open_project, read_import_reports
from irjudge_ui import jobs
from irjudge_ui.pages.project.new_project import FileRow, NewProjectView
from irjudge_ui.window import Window
from tests.numbers_in_text import find_numbers
from tests.ui.window_content import visible_text

FILES: dict[FileKind, str] = {
    "documents": "cran.all.1400",
    "topics": "cran.qry",
    "qrels": "cran.qrels",
}
GRADE_MAPPING = "1:4,2:3,3:2,4:1,-1:0"
# Topics by their order: the id in the file, the query, and the beginning of a judged document.
QUERIES = {
    "2": (
        "002",
        "what are the structural and aeroelastic problems associated with flight of high speed aircraft .",
        "12",
        "some structural",
    ),
    "3": (
        "004",
        "what problems of heat conduction in composite slabs have been solved so far .",
        "6",
        "one-dimensional transient heat flow",
    ),
    "225": (
        "365",
        "what design factors can be used to control lift-drag ratios at mach numbers above 5 .",
        "1188",
        "factors affecting lift",
    ),
}
# original grade, new grade, number of judgments
MAPPED = "1 0 225 1 4 128 2 3 387 3 2 734 4 1 363".split()
REPORTED = (  # the numbers of records read, and of each warning
    ["1400", "1,400"],
    ["225"],
    ["1,837", "225"],
    ["2", "471"],
    ["1", "225", "001", "002", "004", "365"],
    MAPPED,
)


@pytest.fixture
def folder(data: Path) -> Path:
    return data / "classic" / "cran"


def check_project(project: Project, folder: Path) -> None:
    """Check that documents, queries and grades belong together as in the original collection."""
    assert project.collection.document_count() == 1400
    topics = {topic.id: topic.title for topic in project.collection.topics()}
    assert list(topics) == [str(number) for number in range(1, 226)]
    grades = {
        (topic, document): grade
        for topic, document, grade in project.rankings.qrels("cran.qrels").rows()
    }
    assert Counter(grades.values()) == {0: 225, 1: 363, 2: 734, 3: 387, 4: 128}
    lines = {
        tuple(line.split()[:2]): line.split()[2]
        for line in (folder / "cran.qrels").read_text().splitlines()
    }
    for topic, (_, text, judged, title) in QUERIES.items():
        document = project.collection.document(judged)
        assert topics[topic] == text and document is not None and document.title.startswith(title)
        assert grades[topic, judged] == {"-1": 0, "1": 4, "3": 2}[lines[topic, judged]]
    assert [id for id in ("471", "995", "996") if not project.collection.document(id).body] == [
        "471",
        "995",
    ]
    (report,) = read_import_reports(project)
    reported = [find_numbers(each) for each in (*report.sentences, *report.warnings)]
    assert [each for each in REPORTED if each not in reported] == []
    assert project.verify().problems == ()


def test_cranfield_is_imported_by_the_command_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cran.irjudge"
    arguments = ["new", str(path), "--scale", "0-4"]
    for kind, name in FILES.items():
        arguments += [f"--{kind}", str(folder / name)]
    for option, answer in (("--topic-ids", "order"), ("--grades", GRADE_MAPPING)):
        assert main(arguments) == 2
        asked = capsys.readouterr().err
        assert asked.count("\n") == 1 and option in asked and not path.exists()
        arguments += [option, answer]
    assert main(arguments) == 0
    reported = [find_numbers(line) for line in capsys.readouterr().err.splitlines()]
    assert [each for each in REPORTED if each not in reported] == []
    with open_project(path, writing=False) as project:
        check_project(project, folder)
    assert main(["qrels", str(path)]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 1837 and {"2 0 12 4", "3 0 6 2", "225 0 1188 0"} <= set(printed)


@pytest.mark.parametrize(("negative", "grade"), [("unjudged", -1), ("unjudgeable", -2), ("0", 0)])
def test_the_meaning_of_minus_1_is_given_by_the_user(
    folder: Path, tmp_path: Path, negative: str, grade: int
) -> None:
    path = tmp_path / "cran.irjudge"
    files = [word for kind, name in FILES.items() for word in (f"--{kind}", str(folder / name))]
    assert (
        main(
            [
                "new",
                str(path),
                "--scale",
                "0-4",
                *files,
                "--topic-ids",
                "order",
                "--negative",
                negative,
            ]
        )
        == 0
    )
    with open_project(path, writing=False) as project:
        assert ("225", "1188", grade) in list(project.rankings.qrels("cran.qrels").rows())
        (report,) = read_import_reports(project)
    meaning = "0" if negative == "0" else negative
    assert f"cran.qrels: judgments with grade -1 (treated as {meaning}): 225." in report.warnings


def row_text(row: FileRow) -> str:
    return "\n".join(label.text() for label in row.findChildren(QLabel) if label.isVisible())


def wait_until_idle(qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not jobs.is_busy(), timeout=20_000)


def choose_files(qtbot: QtBot, view: NewProjectView, folder: Path) -> None:
    for kind, name in FILES.items():
        view.rows[kind].choose([folder / name])
    wait_until_idle(qtbot)


def answer_questions(qtbot: QtBot, view: NewProjectView) -> None:
    """Answer the questions of the page: from a list, and by typing."""
    topics, qrels = view.rows["topics"], view.rows["qrels"]
    box = topics.deciding.choices["topic_ids"]
    box.setFocus()
    while box.currentData() != "order":
        qtbot.keyClick(box, Qt.Key.Key_Down)
    wait_until_idle(qtbot)
    field = qrels.deciding.fields["grades"]
    field.setFocus()
    qtbot.keyClicks(field, GRADE_MAPPING + "\r")
    wait_until_idle(qtbot)


def test_cranfield_is_imported_in_the_window(
    qtbot: QtBot,
    open_window: Callable[[], Window],
    snap: Callable[..., None],
    folder: Path,
    tmp_path: Path,
) -> None:
    window = open_window()
    window.do("new")
    view = window.pages.view("new")
    assert isinstance(view, NewProjectView)
    choose_files(qtbot, view, folder)
    assert "SMART" in row_text(view.rows["documents"]) and "experimental investigation" in row_text(
        view.rows["documents"]
    )
    for kind, asked in (
        ("topics", "001, 002, 004"),
        ("qrels", "-1, 1, 2, 3, 4"),
    ):
        row = view.rows[kind]
        assert (
            not row.is_ready
            and row.deciding.isVisible()
            and asked in row_text(row)
            and "--" not in row_text(row)
        )
    view.file.setText(str(tmp_path / "cran"))
    view.scale.box.setCurrentText("0-4")
    assert not view.create_button.isEnabled()
    snap(window, "cranfield-asked")
    answer_questions(qtbot, view)
    assert "225" in row_text(view.rows["topics"]) and "grade 4: 128" in row_text(view.rows["qrels"])
    snap(window, "cranfield-decided")
    qtbot.mouseClick(view.create_button, Qt.MouseButton.LeftButton)
    wait_until_idle(qtbot)
    assert window.project is not None
    check_project(window.project, folder)
    shown = visible_text(window.collection)
    assert [line for line in shown.splitlines() if find_numbers(line) == ["2", "471"]]
    snap(window, "cranfield-made")
