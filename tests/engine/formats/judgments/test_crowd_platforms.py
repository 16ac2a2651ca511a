"""Tests of files of crowd platforms: recognised by header, with ambiguous columns refused."""

import csv
import json
import time
from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats import parse_file_columns
from irjudge.formats.judgments import (
    JudgingTask,
    parse_winners,
    read_judgments,
    read_labels,
    read_preferences,
    read_tasks,
    write_tasks,
)
from irjudge.judging import import_judgments
from irjudge.model import Labels, Scale
from irjudge.report.workbook.sheets import JudgmentRow
from irjudge.store import create_project
from tests.lengths import takes_less_than
from tests.messages import keys_and_values

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
    result = zip(labels.item.tolist(), labels.worker.tolist(), labels.label.tolist(), strict=True)
    return [
        (labels.items[item], labels.workers[worker], labels.scale[label])
        for item, worker, label in result
    ]


def read(tmp_path: Path, name: str, text: str) -> Labels:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_labels(path)


def test_rejected_rows_of_turk_archives_are_left_out_with_a_warning(tmp_path: Path) -> None:
    labels = read(tmp_path, "batch.csv", TURK)
    assert rows(labels) == [("051 d1", "W1", "2"), ("051 d2", "W1", "1")]
    assert (
        labels.pairs == (("051", "d1"), ("051", "d2"))
        and labels.seconds is not None
        and labels.seconds.tolist() == [12, 20]
    )
    assert ("rejected", "3") in keys_and_values(labels.warnings, "line")


def test_toloka_columns_of_answer_input_and_gold_are_recognised(tmp_path: Path) -> None:
    labels = read(tmp_path, "assignments.tsv", TOLOKA)
    assert rows(labels) == [("i1", "w1", "cat"), ("i2", "w1", "dog")]
    assert (
        labels.gold is not None
        and labels.scale[labels.gold.tolist()[labels.items.index("i2")]] == "dog"
    )


def test_appen_labels_are_in_the_field_with_a_gold_column(tmp_path: Path) -> None:
    labels = read(tmp_path, "full.csv", APPEN)
    assert rows(labels) == [("11", "w1", "yes"), ("12", "w1", "no")]
    assert any("rejected" in warning for warning in labels.warnings)


@pytest.mark.slow
def test_a_wide_table_of_appen_is_recognised_in_linear_time(tmp_path: Path) -> None:
    names = [f"c{number}" for number in range(19_000)]
    header, first_row, *_ = APPEN.splitlines()
    table = f"{header},{','.join(names)}\n{first_row},{',' * (len(names) - 1)}\n"
    began = time.process_time()
    labels = read(tmp_path, "full.csv", table)
    assert time.process_time() - began < 1
    assert rows(labels) == [("11", "w1", "yes")]


def make_record(*annotations: dict[str, object], **data: object) -> dict[str, object]:
    return {"id": 7, "data": data, "annotations": list(annotations)}


def make_annotation(who: object, choice: str, **more: object) -> dict[str, object]:
    result = [
        {
            "from_name": "relevance",
            "to_name": "text",
            "type": "choices",
            "value": {"choices": [choice]},
        }
    ]
    return {
        "id": 1,
        "completed_by": who,
        "result": result,
        "lead_time": 4.5,
        "was_cancelled": False,
        **more,
    }


def test_label_studio_has_a_row_for_each_annotation(tmp_path: Path) -> None:
    tasks = [
        make_record(
            make_annotation(1, "2"),
            make_annotation({"id": 2, "email": "b@example.org"}, "1"),
            topic="051",
            docno="d1",
            text="long",
        ),
        make_record(
            make_annotation(1, "0", was_cancelled=True),
            make_annotation(3, "2", ground_truth=True),
            make_annotation(1, "2"),
            topic="051",
            docno="d2",
        ),
    ]
    labels = read(tmp_path, "export.json", json.dumps(tasks))
    assert rows(labels) == [
        ("051 d1", "1", "2"),
        ("051 d1", "b@example.org", "1"),
        ("051 d2", "1", "2"),
    ]
    assert labels.gold is not None
    assert keys_and_values(labels.warnings, "file", "line") == [("skipped", "export.json", "2")]


def test_several_results_of_an_annotation_are_one_label(tmp_path: Path) -> None:
    twice = [result for choice in "12" for result in make_annotation(1, choice)["result"]]
    task = make_record(make_annotation(1, "1", result=twice), topic="051", docno="d1")
    assert rows(read(tmp_path, "export.json", json.dumps([task]))) == [("051 d1", "1", "1, 2")]


def test_different_ground_truths_of_a_task_are_refused(tmp_path: Path) -> None:
    truths = [make_annotation(3, choice, ground_truth=True) for choice in "12"]
    task = make_record(make_annotation(1, "2"), *truths, topic="051", docno="d1")
    with pytest.raises(FormatError) as refused:
        read(tmp_path, "export.json", json.dumps([task]))
    assert (refused.value.key, refused.value.line) == ("two-known-answers", 1)


def test_a_repeated_name_in_a_label_studio_export_is_refused(tmp_path: Path) -> None:
    text = json.dumps([make_record(make_annotation(1, "2"), topic="051", docno="d1")])
    repeated = text.replace('"choices": ["2"]', '"choices": ["2"], "choices": ["1"]')
    with pytest.raises(FormatError) as refused:
        read(tmp_path, "export.json", repeated)
    assert (refused.value.key, refused.value.values["name"]) == ("repeated-name", "choices")


def test_compact_json_of_label_studio_is_imported(tmp_path: Path) -> None:
    tasks = [
        make_record(
            make_annotation(1, "2", created_at="2026-02-03T04:05:06Z"),
            topic="051",
            docno="d1",
            text="a, b",
        )
    ]
    (tmp_path / "export.json").write_text(
        json.dumps(tasks, separators=(",", ":")), encoding="utf-8"
    )
    with create_project(tmp_path / "p.irjudge", scale=Scale.parse("0-3")) as project:
        import_judgments(project, tmp_path / "export.json")
        (event,) = project.events.read("1")
    assert (event.payload["value"], event.judged_at) == (2, "2026-02-03T04:05:06Z")


@pytest.mark.parametrize("result", [5, True, "x", {"a": 1}])
def test_an_annotation_whose_result_is_not_a_list_has_no_answer(
    tmp_path: Path, result: object
) -> None:
    tasks = [
        make_record(
            make_annotation(1, "2"), make_annotation(2, "1", result=result), topic="051", docno="d1"
        )
    ]
    assert rows(read(tmp_path, "export.json", json.dumps(tasks))) == [("051 d1", "1", "2")]


def test_lone_surrogates_in_a_label_studio_export_are_replaced(tmp_path: Path) -> None:
    tasks = [
        make_record(
            make_annotation({"id": 2, "email": "b\ud800"}, "2", created_at="\ud800"),
            topic="05\ud800",
            docno="d\ud800",
        )
    ]
    labels = read(tmp_path, "export.json", json.dumps(tasks))
    assert rows(labels) == [("05\ufffd d\ufffd", "b\ufffd", "2")]
    assert keys_and_values(labels.warnings, "first") == [("half-character", "export.json, line 1")]


def test_lone_surrogates_in_lists_of_workers_are_replaced(tmp_path: Path) -> None:
    record = {"item": "i\ud800", "worker": ["w\ud800", "w2"], "label": ["yes", "no"]}
    labels = read(tmp_path, "lists.jsonl", json.dumps(record) + "\n")
    assert sorted(rows(labels)) == [("i\ufffd", "w2", "no"), ("i\ufffd", "w\ufffd", "yes")]


# As label-studio-converter (label_studio_converter/converter.py, convert_to_json_min and
# convert_to_csv, commit 0018e68) writes them.
MIN = {
    "topic": "051",
    "docno": "d1",
    "id": 7,
    "annotator": 4,
    "annotation_id": 9,
    "created_at": "2026-02-03T04:05:06Z",
    "lead_time": 4.5,
}


@pytest.mark.parametrize("answer", ["2", [{"rating": 2}], [{"number": 2}], {"choices": ["2"]}])
@pytest.mark.parametrize("separators", [None, (",", ":")])
def test_json_min_of_label_studio_is_read(
    tmp_path: Path, answer: object, separators: tuple[str, str] | None
) -> None:
    (tmp_path / "min.json").write_text(
        json.dumps([MIN | {"relevance": answer}], separators=separators), encoding="utf-8"
    )
    (row,) = read_judgments(tmp_path / "min.json").rows
    assert (row.topic, row.document, row.assessor, row.grade, row.seconds) == (
        "051",
        "d1",
        "4",
        2,
        4.5,
    )
    assert row.time == "2026-02-03T04:05:06Z"


def test_csv_of_label_studio_is_read(tmp_path: Path) -> None:
    with (tmp_path / "a.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [[*MIN, "relevance"], [*MIN.values(), '[{"rating": 2}]'], [*MIN.values(), "1"]]
        )
    assert [row.grade for row in read_judgments(tmp_path / "a.csv").rows] == [2, 1]


def test_lone_surrogates_in_json_cells_are_replaced(tmp_path: Path) -> None:
    with (tmp_path / "a.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [[*MIN, "relevance"], [*MIN.values(), '[{"choices": ["1\\ud800"]}]']]
        )
    (label,) = read_labels(tmp_path / "a.csv").scale
    assert label == "1\ufffd"


def test_ticked_boxes_are_one_answer(tmp_path: Path) -> None:
    boxes = "HITId,WorkerId,Input.topic,Input.doc,Answer.grade.0,Answer.grade.1,Answer.grade.3,Answer.note\n"
    rows = (
        "H1,W1,051,d1,false,false,true,hm\nH2,W1,051,d2,true,,,\nH3,W1,051,d3,false,false,false,\n"
    )
    (tmp_path / "batch.csv").write_text(boxes + rows, encoding="utf-8")
    judgments = read_judgments(tmp_path / "batch.csv")
    assert [(row.document, row.grade) for row in judgments.rows] == [("d1", 3), ("d2", 0)]
    assert ("no-label", "batch.csv", "4") in keys_and_values(judgments.warnings, "file", "line")
    (tmp_path / "batch.csv").write_text(
        boxes + rows.replace("true,,,", "true,,true,"), encoding="utf-8"
    )
    with pytest.raises(FormatError) as refused:
        read_judgments(tmp_path / "batch.csv")
    assert (refused.value.key, refused.value.values["grades"]) == ("not-whole", "'0, 3'")


@pytest.mark.parametrize(
    ("name", "text", "time"),
    [
        (
            "t.csv",
            TURK.replace("WorkTimeInSeconds", "SubmitTime").replace(
                ",12,", ",Wed Apr 14 18:29:32 PDT 2010,"
            ),
            "2010-04-15T01:29:32Z",
        ),
        (
            "t.csv",
            TURK.replace("WorkTimeInSeconds", "SubmitTime").replace(",12,", ",14.4.2010,"),
            "14.4.2010",
        ),
        (
            "t.tsv",
            "INPUT:topic\tINPUT:doc\tOUTPUT:grade\tASSIGNMENT:assignment_id\tASSIGNMENT:worker_id\tASSIGNMENT:started\n"
            "051\td1\t2\ta1\tw1\t2026-02-03T04:05:06.789\n",
            "2026-02-03T04:05:06.789",
        ),
    ],
)
def test_times_of_a_platform_are_those_of_the_judgments(
    tmp_path: Path, name: str, text: str, time: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with create_project(tmp_path / "p.irjudge", scale=Scale.parse("0-3")) as project:
        import_judgments(project, tmp_path / name)
        event = next(event for assessor in ("W1", "w1") for event in project.events.read(assessor))
    assert event.judged_at == time
    assert JudgmentRow.from_event(event).time == time


def test_expired_or_skipped_rows_are_not_counted_as_rejected(tmp_path: Path) -> None:
    labels = read(tmp_path, "a.tsv", TOLOKA.replace("REJECTED", "EXPIRED"))
    assert keys_and_values(labels.warnings, "file", "line") == [("skipped", "a.tsv", "4")]


def test_all_answers_that_are_not_grades_are_listed_together(tmp_path: Path) -> None:
    rows = "".join(
        f"t,d{index},w,{answer}\n"
        for index, answer in enumerate(["1", "yes", "Highly", "no", "yes", "unjudgeable"])
    )
    (tmp_path / "a.csv").write_text("topic,document,worker,answer\n" + rows, encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read_judgments(
            tmp_path / "a.csv",
            words={"highly": 2},
            columns=parse_file_columns("judgments", "grade=answer"),
        )
    assert (caught.value.key, caught.value.line) == ("not-whole", 3)
    assert caught.value.values["grades"] == "'yes', 'no'"
    assert caught.value.values["words"] == "highly"
    (tmp_path / "b.csv").write_text(
        "topic,document,worker,grade\nt,d,w,7\nt,e,w,1\nt,f,w,5\n", encoding="utf-8"
    )
    with (
        create_project(tmp_path / "p.irjudge", scale=Scale.parse("0-3")) as project,
        pytest.raises(FormatError) as caught,
    ):
        import_judgments(project, tmp_path / "b.csv")
    assert (caught.value.key, caught.value.line) == ("unknown-grade", 2)
    assert caught.value.values["found"] == "5, 7"
    assert caught.value.values["values"] == "0, 1, 2, 3"


def test_ambiguous_columns_are_refused(tmp_path: Path) -> None:
    two = (
        TURK.replace("Answer.relevance", "Answer.first")
        .replace("\n", ",x\n")
        .replace("Answer.first,x", "Answer.first,Answer.second")
    )
    with pytest.raises(FormatError, match="label"):
        read(tmp_path, "two.csv", two)
    with pytest.raises(FormatError, match="item"):
        read(
            tmp_path,
            "inputs.csv",
            TURK.replace("Input.topic", "Input.a").replace("Input.doc", "Input.b"),
        )


def test_a_list_of_submissions_is_not_a_list_of_answers(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="--panel") as refused:
        read(
            tmp_path,
            "prolific.csv",
            "Submission id,Participant id,Status,Time taken\ns1,p1,APPROVED,60\n",
        )
    assert refused.value.key == "submissions"


@pytest.mark.parametrize("text", ["[", "[1]", '[{"annotations": 3}]', "[" * 100_000])
def test_json_that_is_not_an_export_gives_an_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(FormatError):
        read(tmp_path, "x.json", text)


def test_judgments_of_an_archive_go_into_a_project(tmp_path: Path) -> None:
    path = tmp_path / "batch.csv"
    path.write_text(TURK)
    judgments = read_judgments(path)
    assert [(row.topic, row.document, row.assessor, row.grade) for row in judgments.rows] == [
        ("051", "d1", "W1", 2),
        ("051", "d2", "W1", 1),
    ]
    assert any("rejected" in warning for warning in judgments.warnings)


def test_music_files_are_recognised_by_their_header(data: Path) -> None:
    path = data / "pairwise_music/data/judgments.csv"
    preferences = read_preferences(path, documents=True)
    assert [int((preferences.winner == winner).sum()) for winner in (1, -1, 0)] == [
        577,
        823,
        1405,
    ] and preferences.blank == 5
    mapped = read_preferences(path, winners=parse_winners("a:left,b:right,s:tie"), documents=True)
    assert preferences.winner.tolist() == mapped.winner.tolist()


@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("t.tsv", "INPUT:item\tINPUT:topic\t"),
        ("t.json", '[\n{"data": {"item": '),
        ("t.csv", "item,topic,"),
    ],
)
def test_tasks_are_written_in_the_platform_format_and_read_back_equal(
    tmp_path: Path, name: str, begin: str
) -> None:
    tasks = [
        JudgingTask("p1", "051", "tides", "", "d1", "A title", 'two\nlines\tand "quotes"', ""),
        JudgingTask("p2", "051", "tides", "", "d2", "", "é", ""),
    ]
    path = tmp_path / name
    assert write_tasks(path, tasks) == 2 and list(read_tasks(path)) == tasks
    assert path.read_text(encoding="utf-8").startswith(begin)
    assert write_tasks(path, []) == 0 and list(read_tasks(path)) == []


def test_a_judgment_marked_as_ground_truth_is_a_judgment(tmp_path: Path) -> None:
    tasks = [
        make_record(make_annotation(1, "2", ground_truth=True), topic="051", docno="d1"),
        make_record(make_annotation(1, "0"), topic="051", docno="d2"),
    ]
    (tmp_path / "e.json").write_text(json.dumps(tasks))
    file = read_judgments(tmp_path / "e.json")
    assert [(row.document, row.grade) for row in file.rows] == [("d1", 2), ("d2", 0)]


@pytest.mark.parametrize(
    ("annotations", "key"),
    [([], "no-annotation"), ([make_annotation(1, "2", ground_truth=True)], "only-ground-truth")],
)
def test_tasks_without_labels_are_not_called_an_empty_file(
    tmp_path: Path, annotations: list[dict[str, object]], key: str
) -> None:
    tasks = [make_record(*annotations, topic="051", docno="d1")]
    with pytest.raises(FormatError) as refused:
        read(tmp_path, "e.json", json.dumps(tasks))
    assert refused.value.key == key


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("HITId,WorkerId,Input.id" + "".join(f",Answer.g{n}.0" for n in range(2000)), "h,w,i"),
        ("user,instance_id" + "".join(f",g{n}:::0" for n in range(2000)), "u,i"),
    ],
)
def test_short_rows_below_many_merged_columns_are_refused(
    tmp_path: Path, header: str, row: str
) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(header + "\n" + (row + "\n") * 2000)
    with pytest.raises(FormatError) as error:
        read_labels(path)
    columns = f"{header.count(',') + 1:,}"
    assert (error.value.key, error.value.values["count"]) == ("too-many-fields", columns)


def test_many_groups_of_checkboxes_are_merged_in_linear_time(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    boxes = "".join(f",Answer.g{number}.yes" for number in range(16_000))
    path.write_text(f"HITId,WorkerId,Input.id,Answer.label{boxes}\nh,w,i,2{',true' * 16_000}\n")
    assert takes_less_than(3, lambda: read_labels(path))
    assert read_labels(path).scale == ("2",)


@pytest.mark.parametrize(("characters", "labels"), [(10_000, 1001), (10_001, 1000)])
@pytest.mark.parametrize("kind", ["studio", "lists", "doccano"])
def test_a_long_text_is_not_repeated_in_more_than_a_thousand_labels(
    tmp_path: Path, kind: str, characters: int, labels: int
) -> None:
    path = tmp_path / "labels.json"

    def write(characters: int, labels: int) -> None:
        names, text = [f"w{number}" for number in range(labels)], "x" * characters
        answer = [{"from_name": "g", "value": {"choices": ["2"]}}]
        record: object = {"item": text, "worker": names, "label": ["2"] * labels}
        if kind == "studio":
            annotations = [{"completed_by": name, "result": answer} for name in names]
            record = [{"data": {"item": text}, "annotations": annotations}]
        elif kind == "doccano":
            notes = [{"user": name, "label": 2} for name in names]
            record = [{"id": "", "text": "", "comments": text[1:], "annotations": notes}]
            record[0]["item"] = "i"
        path.write_text(json.dumps(record) + "\n")

    write(characters, labels)
    assert len(read_labels(path)) == labels
    write(10_001, 1001)
    with pytest.raises(FormatError) as error:
        read_labels(path)
    assert error.value.key == "repeated-texts"
    assert (error.value.values["characters"], error.value.values["rows"]) == ("10,001", "1,001")
