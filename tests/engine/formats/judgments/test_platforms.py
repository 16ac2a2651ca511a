"""Files of crowd platforms are known by their headers: what is plain is read, what was rejected is counted, what is not plain is asked."""

import json
from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats.judgments.judgments import read_judgments
from irjudge.formats.judgments.labels import read_labels
from irjudge.formats.judgments.preferences import parse_winners, read_preferences
from irjudge.formats.judgments.tasks import Task, read_tasks, write_tasks
from irjudge.model.labels import Labels

TURK = """HITId,WorkerId,AssignmentStatus,WorkTimeInSeconds,Input.topic,Input.doc,Answer.relevance
H1,W1,Approved,12,051,d1,2
H1,W2,Rejected,3,051,d1,0
H2,W1,Submitted,20,051,d2,1
"""
TOLOKA = """INPUT:image\tOUTPUT:result\tGOLDEN:result\tASSIGNMENT:link\tASSIGNMENT:assignment_id\tASSIGNMENT:worker_id\tASSIGNMENT:status
i1\tcat\t\thttp://x\ta1\tw1\tAPPROVED
i2\tdog\tdog\thttp://x\ta1\tw1\tAPPROVED
i1\tdog\t\thttp://x\ta2\tw2\tREJECTED
"""
APPEN = """_unit_id,_created_at,_golden,_id,_tainted,_trust,_worker_id,relevance,relevance_gold,query_text
11,1/2/2020,false,1,false,0.9,w1,yes,,tides
12,1/2/2020,true,2,false,0.9,w1,no,no,moon
11,1/2/2020,false,3,true,0.4,w2,no,,tides
"""


def rows(labels: Labels) -> list[tuple[str, str, str]]:
    found = zip(labels.item.tolist(), labels.worker.tolist(), labels.label.tolist(), strict=True)
    return [(labels.items[item], labels.workers[worker], labels.scale[label]) for item, worker, label in found]


def read(tmp_path: Path, name: str, text: str) -> Labels:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_labels(path)


def test_turk_archives_leave_rejected_rows_out_and_say_so(tmp_path: Path) -> None:
    labels = read(tmp_path, "batch.csv", TURK)
    assert rows(labels) == [("051 d1", "W1", "2"), ("051 d2", "W1", "1")]
    assert labels.pairs == (("051", "d1"), ("051", "d2")) and labels.seconds is not None and labels.seconds.tolist() == [12, 20]
    assert any("1 row was rejected on the platform and was left out: line 3." in said for said in labels.remarks)


def test_toloka_knows_the_only_answer_the_only_input_and_the_golden_one(tmp_path: Path) -> None:
    labels = read(tmp_path, "assignments.tsv", TOLOKA)
    assert rows(labels) == [("i1", "w1", "cat"), ("i2", "w1", "dog")]
    assert labels.gold is not None and labels.scale[labels.gold.tolist()[labels.items.index("i2")]] == "dog"


def test_appen_reads_the_field_that_has_a_gold_one(tmp_path: Path) -> None:
    labels = read(tmp_path, "full.csv", APPEN)
    assert rows(labels) == [("11", "w1", "yes"), ("12", "w1", "no")]
    assert any("rejected" in said for said in labels.remarks)


def studio(*annotations: dict[str, object], **data: object) -> dict[str, object]:
    return {"id": 7, "data": data, "annotations": list(annotations)}


def annotated(who: object, choice: str, **more: object) -> dict[str, object]:
    result = [{"from_name": "relevance", "to_name": "text", "type": "choices", "value": {"choices": [choice]}}]
    return {"id": 1, "completed_by": who, "result": result, "lead_time": 4.5, "was_cancelled": False, **more}


def test_label_studio_has_a_row_for_each_annotation(tmp_path: Path) -> None:
    tasks = [
        studio(annotated(1, "2"), annotated({"id": 2, "email": "b@example.org"}, "1"), topic="051", docno="d1", text="long"),
        studio(annotated(1, "0", was_cancelled=True), annotated(3, "2", ground_truth=True), annotated(1, "2"), topic="051", docno="d2"),
    ]
    labels = read(tmp_path, "export.json", json.dumps(tasks))
    assert rows(labels) == [("051 d1", "1", "2"), ("051 d1", "b@example.org", "1"), ("051 d2", "1", "2")]
    assert labels.gold is not None and any("rejected" in said for said in labels.remarks)


def test_what_is_not_plain_is_asked(tmp_path: Path) -> None:
    two = TURK.replace("Answer.relevance", "Answer.first").replace("\n", ",x\n").replace("Answer.first,x", "Answer.first,Answer.second")
    with pytest.raises(FormatError, match="label"):
        read(tmp_path, "two.csv", two)
    with pytest.raises(FormatError, match="item"):
        read(tmp_path, "inputs.csv", TURK.replace("Input.topic", "Input.a").replace("Input.doc", "Input.b"))


def test_a_list_of_submissions_is_no_list_of_answers(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="a list of submissions and no answers"):
        read(tmp_path, "prolific.csv", "Submission id,Participant id,Status,Time taken\ns1,p1,APPROVED,60\n")


@pytest.mark.parametrize("text", ["[", "[1]", '[{"annotations": 3}]', "[" * 100_000])
def test_json_that_is_no_export_gets_a_sentence(tmp_path: Path, text: str) -> None:
    with pytest.raises(FormatError):
        read(tmp_path, "x.json", text)


def test_judgments_of_an_archive_go_into_a_project(tmp_path: Path) -> None:
    path = tmp_path / "batch.csv"
    path.write_text(TURK)
    found = read_judgments(path)
    assert [(row.topic, row.document, row.assessor, row.grade) for row in found.rows] == [("051", "d1", "W1", 2), ("051", "d2", "W1", 1)]
    assert any("rejected" in said for said in found.remarks)


def test_music_is_read_by_its_header(data: Path) -> None:
    found = read_preferences(data / "pairwise_music/data/judgments.csv", winners=parse_winners("a:left,b:right,s:tie"), documents=True)
    assert len(found) == 2805 and any("5 rows have no answer" in said for said in found.remarks)


@pytest.mark.parametrize(
    ("name", "begin"), [("t.tsv", "INPUT:item\tINPUT:topic\t"), ("t.json", '[\n{"data": {"item": '), ("t.csv", "item,topic,")]
)
def test_tasks_are_written_in_the_form_of_the_platform_and_read_back_equal(tmp_path: Path, name: str, begin: str) -> None:
    tasks = [
        Task("p1", "051", "tides", "", "d1", "A title", 'two\nlines\tand "quotes"', ""),
        Task("p2", "051", "tides", "", "d2", "", "é", ""),
    ]
    path = tmp_path / name
    assert write_tasks(path, tasks) == 2 and list(read_tasks(path)) == tasks
    assert path.read_text(encoding="utf-8").startswith(begin)
    assert write_tasks(path, []) == 0 and list(read_tasks(path)) == []
