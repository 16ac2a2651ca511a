"""Tables of several assessors' judgments become events, all of them or none."""

from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.judging.importing import import_judgments
from irjudge.judging.judged_qrels import grades_in_force
from irjudge.model.document import Document
from irjudge.model.scale import Scale
from irjudge.store.import_report import ImportReport
from irjudge.store.project import Project, create, open_project


@pytest.fixture
def project(tmp_path: Path):
    path = tmp_path / "p.irjudge"
    with create(path, scale=Scale.parse("0-3")) as made:
        made.collection.add_documents([Document("d1", b"one"), Document("d2", b"two")])
    with open_project(path) as opened:
        yield opened


def bring(project: Project, path: Path) -> ImportReport:
    return import_judgments(project, path)


def standing(project: Project, assessor: str) -> dict[tuple[str, str], int]:
    return {(event.item.topic, event.item.documents[0]): event.payload["value"] for event in grades_in_force(project, assessor)}


@pytest.mark.parametrize(
    "text",
    [
        "topic,document,assessor,grade\n1,d1,a,2\n1,d2,b,0\n",
        "grade;worker;docno;qid;note\r\n2;a;d1;1;x\r\n\r\n0;b;d2;1;\r\n",
        "\ufeffLabel\tJudge\tDoc\tQuery\n2\ta\td1\t1\n0\tb\td2\t1",
    ],
    ids=["commas", "semicolons and other names", "tabs and a byte order mark"],
)
def test_columns_come_in_any_order_under_the_names_people_use(project: Project, tmp_path: Path, text: str) -> None:
    path = tmp_path / "j.csv"
    path.write_bytes(text.encode())
    bring(project, path)
    assert (standing(project, "a"), standing(project, "b")) == ({("1", "d1"): 2}, {("1", "d2"): 0})
    assert project.verify().faults == ()


def test_an_event_names_the_content_that_was_judged(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "j.csv"
    path.write_text("topic,document,assessor,grade\n1,d1,a,2\n1,nosuch,a,1\n")
    bring(project, path)
    contents = [event.item.contents for event in project.events.read("a")]
    assert contents == [(Document("d1", b"one").digest.hex(),), ("",)]


def test_importing_twice_changes_nothing_and_says_so(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "j.csv"
    path.write_text("topic,document,assessor,grade\n1,d1,a,2\n1,d2,a,0\n")
    bring(project, path)
    report = bring(project, path)
    assert project.events.count() == 2
    assert report.remarks == ["j.csv: 2 judgments stood in the project already."]


def test_a_later_line_supersedes_an_earlier_one_and_both_stay_in_the_log(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "j.csv"
    path.write_text("topic,document,assessor,grade\n1,d1,a,2\n1,d1,a,3\n")
    bring(project, path)
    assert standing(project, "a") == {("1", "d1"): 3} and project.events.count() == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "line 1: the header has no topic"),
        ("topic,document,grade\n1,d1,2\n", "line 1: the header has no assessor"),
        ("topic,document,assessor,grade\n1,d1,a,2\n1,d2,a\n", "line 3: 3 columns, expected 4"),
        ("topic,document,assessor,grade\n1,d1,a,2\n1,,a,1\n", "line 3: the document is empty"),
        ("topic,document,assessor,grade\n1,d1,a,2\n1,d2,a,1.5\n", "line 3: grade '1.5' is not a whole number"),
        ("topic,document,assessor,grade\n1,d1,a,2\n1,d2,a,4\n", "line 3: the scale has no grade 4; it has 0, 1, 2, 3"),
        ("topic,document,assessor,grade\n1,d1,a,2\n1,d2,a,-1\n", "line 3: the scale has no grade -1"),
    ],
)
def test_a_wrong_line_is_named_and_nothing_is_kept(project: Project, tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "j.csv"
    path.write_text(text)
    with pytest.raises(FormatError, match=sentence):
        bring(project, path)
    assert project.events.count() == 0


def test_a_table_that_is_not_utf8_is_read_and_that_is_said(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "j.csv"
    path.write_bytes("topic,document,assessor,grade\n1,d1,Zoë,2\n".encode("cp1252"))
    report = bring(project, path)
    assert standing(project, "Zoë") == {("1", "d1"): 2}
    assert any("cp1252" in remark for remark in report.remarks)


def test_a_note_and_a_time_of_the_table_are_kept(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "j.csv"
    path.write_text("topic,document,assessor,grade,time,note\n1,d1,a,2,2024-05-01T10:00:00Z,=too short\n1,d2,a,1,,\n")
    bring(project, path)
    grade, note, other = project.events.read("a")
    assert (grade.payload["judged"], note.kind, note.payload["text"]) == ("2024-05-01T10:00:00Z", "note", "=too short")
    assert note.item == grade.item
    assert other.kind == "grade" and "judged" not in other.payload
    assert project.verify().faults == () and standing(project, "a") == {("1", "d1"): 2, ("1", "d2"): 1}
