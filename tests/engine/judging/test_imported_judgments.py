"""Tests of imported tables of judgments by several assessors: all events or none."""

import json
import time
from pathlib import Path

import openpyxl
import pytest

from irjudge.errors import FormatError
from irjudge.formats import ReadingOptions, parse_file_columns
from irjudge.formats.judgments import make_item_id
from irjudge.judging import Marks, get_ledger, import_judgments, list_grades_in_force
from irjudge.model import Document, Rationale, Scale, Topic, make_run
from irjudge.store import ImportReport, Project, create_project, open_project
from tests.pools import depth_pool


@pytest.fixture
def project(tmp_path: Path):
    path = tmp_path / "p.irjudge"
    with create_project(path, scale=Scale.parse("0-3")) as made:
        made.collection.add_documents([Document("d1", b"one"), Document("d2", b"two")])
    with open_project(path) as opened:
        yield opened


def import_table(project: Project, path: Path) -> ImportReport:
    return import_judgments(project, path)


def current_grades(project: Project, assessor: str) -> dict[tuple[str, str], int]:
    return {
        (event.item.topic, event.item.documents[0]): event.payload["value"]
        for event in list_grades_in_force(project, assessor)
    }


@pytest.mark.parametrize(
    "text",
    [
        "topic,document,assessor,grade\n1,d1,a,2\n1,d2,b,0\n",
        "grade;worker;docno;qid;note\r\n2;a;d1;1;x\r\n\r\n0;b;d2;1;\r\n",
        "\ufeffLabel\tJudge\tDoc\tQuery\n2\ta\td1\t1\n0\tb\td2\t1",
    ],
    ids=["commas", "semicolons and other names", "tabs and a byte order mark"],
)
def test_columns_may_be_in_any_order_with_common_names(
    project: Project, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "j.csv"
    path.write_bytes(text.encode())
    import_table(project, path)
    assert (current_grades(project, "a"), current_grades(project, "b")) == (
        {("1", "d1"): 2},
        {("1", "d2"): 0},
    )
    assert project.verify().problems == ()


def test_an_event_names_the_judged_content(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "j.csv"
    path.write_text("topic,document,assessor,grade\n1,d1,a,2\n1,nosuch,a,1\n")
    import_table(project, path)
    contents = [event.item.contents for event in project.events.read("a")]
    assert contents == [(Document("d1", b"one").digest.hex(),), ("",)]


def test_importing_twice_changes_nothing_and_is_reported(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "j.csv"
    path.write_text("topic,document,assessor,grade\n1,d1,a,2\n1,d2,a,0\n")
    import_table(project, path)
    report = import_table(project, path)
    assert project.events.count() == 2
    (warning,) = report.warnings
    assert (warning.key, warning.values) == ("known-judgments", {"file": "j.csv", "count": "2"})


def test_a_grade_that_a_later_row_changes_is_imported_once(
    project: Project, tmp_path: Path
) -> None:
    path = tmp_path / "j.csv"
    path.write_text(
        "topic,document,assessor,grade,note\n"
        "1,d1,a,0,first\n1,d1,a,2,second\n1,d2,a,1,\n1,d2,a,1,\n"
    )
    for _ in range(3):
        report = import_table(project, path)
        assert current_grades(project, "a") == {("1", "d1"): 2, ("1", "d2"): 1}
        assert project.events.count() == 5  # three grades and two notes
        assert [
            warning.values for warning in report.warnings if warning.key == "repeated-items"
        ] == [{"file": "j.csv", "count": "2"}]
    assert all(not event.problem for event in project.events.read("a"))


def test_new_annotations_of_known_judgments_are_added(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "j.csv"
    header = "topic,document,assessor,grade,unsure,note,rationales\n"
    passage = '"[{""text"": ""one"", ""begin"": 0, ""end"": 3}]"'
    path.write_text(f"{header}1,d1,a,2,,first,{passage}\n1,d2,a,0,,,\n")
    import_table(project, path)
    path.write_text(f"{header}1,d1,a,2,yes,second,{passage}\n1,d2,a,0,,,\n")
    report = import_table(project, path)
    ledger = get_ledger(project, "a")
    assert [event.kind for event in project.events.read("a")] == [
        *("grade", "note", "rationale", "grade"),
        *("unsure", "note"),
    ]
    assert ledger.marks(("1", ("d1",), 1)) == Marks(
        unsure=True, note="second", rationales=(Rationale("one", 0, 3),)
    )
    assert [(each.key, each.values["count"]) for each in report.warnings if each.key] == [
        ("known-judgments", "1")
    ]
    path.write_text(f"{header}1,d1,a,3,yes,second,{passage}\n1,d2,a,0,,,\n")
    import_table(project, path)  # another grade with the same annotations
    assert [*project.events.read("a")][-1].kind == "grade"
    assert len(get_ledger(project, "a").marks(("1", ("d1",), 1)).rationales) == 1
    assert project.verify().problems == ()


def test_a_later_line_supersedes_an_earlier_one_and_both_stay_in_the_log(
    project: Project, tmp_path: Path
) -> None:
    path = tmp_path / "j.csv"
    path.write_text("topic,document,assessor,grade\n1,d1,a,2\n1,d1,a,3\n")
    import_table(project, path)
    assert current_grades(project, "a") == {("1", "d1"): 3} and project.events.count() == 2


@pytest.mark.parametrize(
    ("text", "key", "line", "values"),
    [
        ("", "empty-file", 1, {"first": "topic"}),
        ("topic,document,grade\n1,d1,2\n", "no-column", 1, {"part": "assessor"}),
        (
            "topic,document,assessor,grade\n1,d1,a,2\n1,d2,a\n",
            "column-count",
            3,
            {"count": "3", "expected": "4"},
        ),
        (
            "topic,document,assessor,grade\n1,d1,a,2\n1,,a,1\n",
            "empty-cell",
            3,
            {"part": "document"},
        ),
        (
            "topic,document,assessor,grade\n1,d1,a,2\n1,d2,a,1.5\n",
            "fractions",
            None,
            {"example": "1.5"},
        ),
        (
            "topic,document,assessor,grade\n1,d1,a,2\n1,d2,a,4\n",
            "unknown-grade",
            3,
            {"found": "4", "values": "0, 1, 2, 3"},
        ),
        (
            "topic,document,assessor,grade\n1,d1,a,2\n1,d2,a,-3\n",
            "unknown-grade",
            3,
            {"found": "-3"},
        ),
    ],
)
def test_an_invalid_line_is_named_and_nothing_is_stored(
    project: Project,
    tmp_path: Path,
    text: str,
    key: str,
    line: int | None,
    values: dict[str, str],
) -> None:
    path = tmp_path / "j.csv"
    path.write_text(text)
    with pytest.raises(FormatError) as error:
        import_table(project, path)
    assert (error.value.key, error.value.line) == (key, line)
    assert error.value.values.items() >= values.items()
    assert project.events.count() == 0


def test_a_table_that_is_not_utf8_is_read_with_a_warning(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "j.csv"
    path.write_bytes("topic,document,assessor,grade\n1,d1,Zoë,2\n".encode("cp1252"))
    report = import_table(project, path)
    assert current_grades(project, "Zoë") == {("1", "d1"): 2}
    assert any("cp1252" in warning for warning in report.warnings)


def test_notes_and_times_of_the_table_are_stored(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "j.csv"
    path.write_text(
        "topic,document,assessor,grade,time,note\n1,d1,a,2,2024-05-01T10:00:00Z,=too short\n1,d2,a,1,,\n"
    )
    import_table(project, path)
    grade, note, other = project.events.read("a")
    assert (grade.payload["judged"], note.kind, note.payload["text"]) == (
        "2024-05-01T10:00:00Z",
        "note",
        "=too short",
    )
    assert note.item == grade.item
    assert other.kind == "grade" and "judged" not in other.payload
    assert project.verify().problems == () and current_grades(project, "a") == {
        ("1", "d1"): 2,
        ("1", "d2"): 1,
    }


# Labels of crowd platforms


@pytest.fixture
def pooled_project(project: Project) -> Project:
    run = make_run("r", [("007", "d1", 2.0), ("007", "d2", 1.0)])
    project.rankings.add_pool(depth_pool([run], 10))
    return project


D1, D2 = make_item_id("007", "d1"), make_item_id("007", "d2")


def test_labels_are_matched_by_the_item_of_a_task_file(
    pooled_project: Project, tmp_path: Path
) -> None:
    path = tmp_path / "batch.csv"
    path.write_text(
        f"HITId,Input.item,WorkerId,Answer.label,WorkTimeInSeconds\nh1,{D1},w1,Highly relevant,12.5\nh2,{D2},w1,0,3\n"
    )
    report = import_table(pooled_project, path)
    assert current_grades(pooled_project, "w1") == {("007", "d1"): 3, ("007", "d2"): 0}
    assert [event.payload["active_ms"] for event in pooled_project.events.read("w1")] == [
        12500,
        3000,
    ]
    (warning,) = report.warnings
    assert (warning.key, warning.all_values["named"]) == ("unread-fields", "HITId")


def test_items_of_an_earlier_pool_are_recognised(pooled_project: Project, tmp_path: Path) -> None:
    pooled_project.rankings.add_pool(depth_pool([make_run("s", [("008", "d9", 1.0)])], 10))
    path = tmp_path / "late.csv"
    path.write_text(f"item,worker,label\n{D1},w1,1\n")
    import_table(pooled_project, path)
    assert current_grades(pooled_project, "w1") == {("007", "d1"): 1}


def test_the_item_counts_if_a_spreadsheet_changed_the_topic(
    pooled_project: Project, tmp_path: Path
) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(
        f"item,topic,document,worker,label\n{D1},7,d1,w1,1\n{D2},007,d2,w1,0\nrow 3,007,d3,w1,2\n"
    )
    report = import_table(pooled_project, path)
    assert current_grades(pooled_project, "w1") == {
        ("007", "d1"): 1,
        ("007", "d2"): 0,
        ("007", "d3"): 2,
    }
    message = "1 row names a different topic or document than its item; the topic and document of the item are used: line 2."
    assert f"labels.csv: {message}" in report.warnings


@pytest.mark.slow
def test_a_long_item_is_split_in_linear_time_and_shortened_in_the_message(
    pooled_project: Project, tmp_path: Path
) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(f"item,worker,label\n{'_' * 100_000},w1,1\n")
    began = time.process_time()
    with pytest.raises(FormatError) as error:
        import_table(pooled_project, path)
    assert time.process_time() - began < 0.8
    assert error.value.values["item"] == repr("_" * 60)


@pytest.mark.parametrize(
    ("text", "key", "line", "values"),
    [
        ("item,worker,label\nnosuch,w1,1\n", "unknown-item", 2, {"item": "'nosuch'"}),
        ("item,worker,label\nx,w1,splendid\n", "not-whole", 2, {"grades": "'splendid'"}),
        ("worker,label\nw1,1\n", "no-column", 1, {"part": "topic"}),
        (f"item,worker,label,unsure\n{D1},w1,1,perhaps\n", "not-yes", 2, {"text": "'perhaps'"}),
        (f"item,worker,label,showing\n{D1},w1,1,0\n", "invalid-showing", 2, {"value": "0"}),
        (f"item,worker,label,seconds\n{D1},w1,1,-2\n", "not-a-time", 2, {"cell": "'-2'"}),
    ],
)
def test_an_invalid_label_is_named_and_nothing_is_stored(
    pooled_project: Project, tmp_path: Path, text: str, key: str, line: int, values: dict[str, str]
) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(text)
    with pytest.raises(FormatError) as error:
        import_table(pooled_project, path)
    assert (error.value.key, error.value.line) == (key, line)
    assert error.value.values.items() >= values.items()
    assert pooled_project.events.count() == 0 and pooled_project.get_setting("columns") is None


def test_rows_without_a_label_are_left_out_and_counted(
    pooled_project: Project, tmp_path: Path
) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(f"item,worker,label,seconds\n{D1},w1,,\n{D2},w1,1,nan\n")
    report = import_table(pooled_project, path)
    assert current_grades(pooled_project, "w1") == {("007", "d2"): 1}
    (warning,) = report.warnings
    assert (warning.key, warning.values["file"]) == ("no-label", "labels.csv")
    assert warning.all_values["first"] == "line 2"


def test_mapped_columns_are_remembered_for_files_with_the_same_header(
    pooled_project: Project, tmp_path: Path
) -> None:
    for name, item in (("one.csv", D1), ("two.csv", D2)):
        (tmp_path / name).write_text(f"Task ID,Who,Verdict\n{item},w1,Relevant\n")
    options = ReadingOptions(
        columns=parse_file_columns("judgments", "item=Task ID,worker=Who,label=Verdict")
    )
    assert import_judgments(pooled_project, tmp_path / "one.csv", options).warnings == []
    report = import_judgments(pooled_project, tmp_path / "two.csv")
    assert current_grades(pooled_project, "w1") == {("007", "d1"): 2, ("007", "d2"): 2}
    (warning,) = report.warnings
    assert (warning.key, warning.values["file"]) == ("read-as-before", "two.csv")
    assert all(each in warning.values["reading"] for each in ("Task ID", "Who", "Verdict"))
    (tmp_path / "other.csv").write_text(f"Task ID,Who,Verdict,More\n{D1},w2,Relevant,x\n")
    with pytest.raises(FormatError) as error:
        import_judgments(pooled_project, tmp_path / "other.csv")
    assert error.value.key == "no-column"
    assert error.value.values["part"] == "assessor"


def test_mappings_of_spreadsheets_are_remembered_too(
    pooled_project: Project, tmp_path: Path
) -> None:
    for name, item in (("one.xlsx", D1), ("two.xlsx", D2)):
        book = openpyxl.Workbook()
        for row in (["Task ID", "Who", "Verdict"], [item, "w1", 3]):
            book.active.append(row)
        book.save(tmp_path / name)
    import_judgments(
        pooled_project,
        tmp_path / "one.xlsx",
        ReadingOptions(
            columns=parse_file_columns("judgments", "item=Task ID,worker=Who,label=Verdict")
        ),
    )
    import_judgments(pooled_project, tmp_path / "two.xlsx")
    assert current_grades(pooled_project, "w1") == {("007", "d1"): 3, ("007", "d2"): 3}


def test_flags_repeats_and_unjudgeable_marks_are_stored(
    pooled_project: Project, tmp_path: Path
) -> None:
    path = tmp_path / "j.csv"
    rows = "007,d1,w1,2,yes,hm,1,\n007,d1,w1,1,,,2,\n007,d2,w1,Unjudgeable,,,,spam\n007,d9,w1,-2,,,,whatever\n"
    path.write_text(
        "topic,document,assessor,grade,unsure,note,showing,unjudgeable_because\n" + rows
    )
    import_table(pooled_project, path)
    ledger = get_ledger(pooled_project, "w1")
    assert ledger.marks(("007", ("d1",), 1)) == Marks(unsure=True, note="hm")
    assert [event.payload.get("value") for event in ledger.judgments()] == [2, 1, None, None]
    assert [event.payload.get("reason") for event in ledger.judgments()] == [
        None,
        None,
        "spam",
        "other",
    ]
    log = list(pooled_project.events.read("w1"))
    assert [event.parent for event in log] == [None, *(event.digest for event in log[:-1])], (
        "one chain, no fork"
    )
    before = pooled_project.events.count()
    import_table(pooled_project, path)
    assert pooled_project.events.count() == before, "all of it stood already"
    assert pooled_project.verify().problems == ()


BOOK = {  # after Quepid's serializer of books, app/views/api/v1/export/books (o19s/quepid)
    "name": "Jazz",
    "query_doc_pairs": [
        {
            "query_text": "jazz  bass",
            "doc_id": "d1",
            "document_fields": {"title": "Blue"},
            "information_need": "a bass to play jazz on",
            "judgements": [
                {
                    "rating": 3.0,
                    "judge_later": True,
                    "user_email": "ann@example.org",
                    "explanation": "fits",
                },
                {
                    "rating": None,
                    "unrateable": True,
                    "user_email": "bob@example.org",
                    "explanation": "no picture",
                },
            ],
        },
        {
            "query_text": "jazz bass",
            "doc_id": "d9",
            "judgements": [{"rating": 1.0}, {"judge_later": True, "user_email": "x"}],
        },
    ],
}


def test_a_quepid_book_keeps_assessors_grades_and_reasons(project: Project, tmp_path: Path) -> None:
    (tmp_path / "book.json").write_text(json.dumps(BOOK))
    report = import_table(project, tmp_path / "book.json")
    assert project.collection.topics() == (Topic("q1", "jazz bass", "a bass to play jazz on"),)
    assert current_grades(project, "ann@example.org") == {("q1", "d1"): 3} and current_grades(
        project, "Unknown"
    ) == {("q1", "d9"): 1}
    ann, bob = (get_ledger(project, name) for name in ("ann@example.org", "bob@example.org"))
    [mine], [other] = ([*each.judgments()] for each in (ann, bob))
    assert ann.marks(mine.item.key) == Marks(unsure=True, note="fits")
    assert (other.kind, bob.marks(other.item.key).note) == ("unjudgeable", "no picture")
    assert any("1 row without a label" in warning for warning in report.warnings)
    assert project.verify().problems == ()


def test_a_quepid_book_matches_queries_and_imports_only_once(
    project: Project, tmp_path: Path
) -> None:
    project.collection.add_topics([Topic("051", "jazz bass")])
    path = tmp_path / "book.csv"
    path.write_text("query,docid,Ann,\njazz bass,d1,3,2\nrock,d1,,0\n")
    import_table(project, path)
    assert current_grades(project, "Ann") == {("051", "d1"): 3} and current_grades(
        project, "Unknown"
    ) == {
        ("051", "d1"): 2,
        ("q2", "d1"): 0,
    }
    before = project.events.count()
    import_table(project, path)
    assert project.events.count() == before
