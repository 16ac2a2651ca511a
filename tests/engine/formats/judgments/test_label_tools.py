"""Tests of exports of doccano, Prodigy, Argilla, Potato and INCEpTION, and of tasks for them.

The formats follow the tools' documentation, with invented content.
"""

import gzip
import io
import json
import random
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import FormatError, IrjudgeError, Undecided
from irjudge.formats import ReaderWarnings, ReadingOptions
from irjudge.formats.judgments import (
    JudgingTask,
    label_tools,
    read_judgments,
    read_labels,
    read_tasks,
    write_tasks,
)
from irjudge.formats.judgments.label_tools import read_label_tool
from irjudge.formats.rankings import GradeRules, read_qrels
from irjudge.formats.rows import records as record_module
from irjudge.judging import import_judgments
from irjudge.model import Document, Scale, Topic, make_run
from irjudge.pooling import PoolOptions, build_pool
from irjudge.store import Project, create_project, open_project
from tests.lengths import short_or_long

DOCCANO = [
    {"id": 1, "text": "one", "topic": "401", "docid": "d1", "label": ["relevant"], "Comments": []},
    {"id": 2, "data": "two", "topic": "401", "docid": "d2", "label": ["no"], "Comments": ["hm"]},
    {"id": 3, "text": "three", "topic": "401", "docid": "d3", "label": [], "Comments": []},
]
PRODIGY = [
    {
        "text": "one",
        "meta": {"qid": "401", "docid": "d1"},
        "_input_hash": 11,
        "_task_hash": 12,
        "_session_id": f"rel-{name}",
        "_view_id": "choice",
        "options": [{"id": "0", "text": "no"}, {"id": "1", "text": "yes"}],
        "accept": accept,
        "answer": answer,
    }
    for name, accept, answer in (
        ("anna", ["1"], "accept"),
        ("bob", ["0"], "accept"),
        ("cy", [], "ignore"),
    )
]
BINARY = [
    {
        "text": "one",
        "meta": {"qid": "401", "docid": "d1"},
        "_input_hash": 1,
        "_annotator_id": who,
        "label": "RELEVANT",
        "answer": answer,
    }
    for who, answer in (("r-anna", "accept"), ("r-bob", "reject"))
]
ARGILLA = [
    {
        "id": "r1",
        "fields": {"query": "q a", "document": "a text"},
        "metadata": {"docid": "d1", "qid": "401"},
        "responses": {
            "relevance": [
                {"value": 2, "user_id": "u1", "status": "submitted"},
                {"value": 1, "user_id": "u2"},
                {"value": 0, "user_id": "u3", "status": "discarded"},
            ]
        },
    }
]
ARGILLA_1 = [
    {
        "fields": {"text": "a text"},
        "metadata": {"docid": "d1", "qid": "401"},
        "responses": [
            {"user_id": "u1", "status": "submitted", "values": {"relevance": {"value": 2}}},
            {"user_id": "u2", "status": "submitted", "values": {"relevance": {"value": 1}}},
        ],
    }
]
ARGILLA_FLAT = [
    {
        "id": "r1",
        "qid": "401",
        "docid": "d1",
        "relevance.responses": [2, 1],
        "relevance.responses.users": ["u1", "u2"],
        "relevance.responses.status": ["submitted", "submitted"],
    }
]
POTATO = "user\tinstance_id\tdisplayed_text\trelevance:::0\trelevance:::1\trelevance:::2\nanna\t401_d1\tx\t\t\ttrue\nbob\t401_d1\tx\t\ttrue\t\n"
POTATO_JSON = {
    "id": "401_d1",
    "displayed_text": "x",
    "label_annotations": {"relevance": {"scale_2": "2"}},
    "span_annotations": {},
}
INCEPTION = {
    "%TYPES": {},
    "%FEATURE_STRUCTURES": [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaNum": 1, "sofaString": "one"},
        {
            "%ID": 2,
            "%TYPE": "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData",
            "@sofa": 1,
            "begin": 0,
            "end": 3,
            "documentId": "401_d1.txt",
        },
        {
            "%ID": 3,
            "%TYPE": "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token",
            "@sofa": 1,
            "begin": 0,
            "end": 3,
        },
        {"%ID": 4, "%TYPE": "webanno.custom.Relevance", "grade": "2"},
    ],
    "%VIEWS": {},
}


def lines(records) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def labels_of(path: Path, **options) -> dict[tuple[str, str], str]:
    labels = read_labels(path, **options)
    return {
        (labels.items[item], labels.workers[worker]): labels.scale[label]
        for item, worker, label in zip(
            labels.item.tolist(), labels.worker.tolist(), labels.label.tolist(), strict=True
        )
    }


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "ann.jsonl",
            lines(DOCCANO),
            {("401 d1", "ann"): "relevant", ("401 d2", "ann"): "no"},
        ),
        ("ann.json", json.dumps(DOCCANO), {("401 d1", "ann"): "relevant", ("401 d2", "ann"): "no"}),
        ("p.jsonl", lines(PRODIGY), {("401 d1", "anna"): "1", ("401 d1", "bob"): "0"}),
        ("p.jsonl", lines(BINARY), {("401 d1", "anna"): "accept", ("401 d1", "bob"): "reject"}),
        ("a.json", json.dumps(ARGILLA), {("401 d1", "u1"): "2", ("401 d1", "u2"): "1"}),
        ("a.json", json.dumps(ARGILLA, indent=2), {("401 d1", "u1"): "2", ("401 d1", "u2"): "1"}),
        ("a.jsonl", lines(ARGILLA_1), {("401 d1", "u1"): "2", ("401 d1", "u2"): "1"}),
        ("a.jsonl", lines(ARGILLA_FLAT), {("401 d1", "u1"): "2", ("401 d1", "u2"): "1"}),
        ("p.tsv", POTATO, {("401_d1", "anna"): "2", ("401_d1", "bob"): "1"}),
        ("p.csv", POTATO.replace("\t", ","), {("401_d1", "anna"): "2", ("401_d1", "bob"): "1"}),
        ("ann.jsonl", lines([POTATO_JSON]), {("401_d1", "ann"): "2"}),
        ("ann.json", json.dumps(INCEPTION, indent=1), {("401_d1", "ann"): "2"}),
    ],
)
def test_each_export_gives_its_labels(tmp_path: Path, name: str, text: str, expected) -> None:
    assert labels_of(write(tmp_path, name, text)) == expected


@pytest.mark.parametrize("kind", ["nested", "listed", "flat"])
def test_two_responses_of_one_user_are_two_labels(tmp_path: Path, kind: str) -> None:
    pairs = [(2, "u1"), (1, "u1"), (1, "u2")]
    record = {
        "nested": {
            "id": "r1",
            "fields": {},
            "responses": {
                "relevance": [{"value": value, "user_id": user} for value, user in pairs]
            },
        },
        "listed": {
            "id": "r1",
            "responses": [
                {"user_id": user, "values": {"relevance": {"value": value}}}
                for value, user in pairs
            ],
        },
        "flat": {
            "id": "r1",
            "relevance.responses": [value for value, _ in pairs],
            "relevance.responses.users": [user for _, user in pairs],
        },
    }[kind]
    labels = read_labels(write(tmp_path, "a.jsonl", lines([record])))
    assert [labels.scale[label] for label in labels.label.tolist()] == ["2", "1", "1"]
    assert [labels.workers[worker] for worker in labels.worker.tolist()] == ["u1", "u1", "u2"]


def test_two_document_labels_of_inception_are_one_answer(tmp_path: Path) -> None:
    structures = [
        *INCEPTION["%FEATURE_STRUCTURES"],
        {"%ID": 5, "%TYPE": "webanno.custom.Relevance", "grade": "1"},
    ]
    path = write(
        tmp_path, "ann.json", json.dumps({**INCEPTION, "%FEATURE_STRUCTURES": structures}, indent=1)
    )
    assert labels_of(path) == {("401_d1", "ann"): "2, 1"}


@pytest.mark.parametrize("indent", [None, 1])
def test_a_repeated_name_in_an_object_is_refused(tmp_path: Path, indent: int | None) -> None:
    text = json.dumps(ARGILLA[0], indent=indent)
    path = write(tmp_path, "a.json", text.replace('"value": 2,', '"value": 2, "value": 1,'))
    with pytest.raises(FormatError) as refused:
        read_labels(path)
    assert (refused.value.key, refused.value.values["name"]) == ("repeated-name", "value")


def test_only_line_feeds_separate_the_records_of_json_lines(tmp_path: Path) -> None:
    """Python also splits texts at U+2028, U+0085 and form feeds, which JSON strings may contain."""
    records = [{**record, "text": "one\u2028two\u0085three"} for record in DOCCANO]
    text = "\r\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    assert labels_of(write(tmp_path, "ann.jsonl", text)) == {
        ("401 d1", "ann"): "relevant",
        ("401 d2", "ann"): "no",
    }


def test_a_carriage_return_alone_separates_records(tmp_path: Path) -> None:
    text = "\r".join(json.dumps(record) for record in DOCCANO)
    assert len(labels_of(write(tmp_path, "ann.jsonl", text))) == 2


def make_record(layout: str, fields: dict[str, object]) -> dict[str, object]:
    if layout == "doccano":
        return {"id": 1, "text": "t", "label": ["1"]} | fields
    if layout == "list":
        return {"topic": "1", "document": "d", "grade": 1, "assessor": "a"} | fields
    choice = {"from_name": "grade", "type": "choices", "value": {"choices": ["1"]}}
    return {"data": fields, "annotations": [{"completed_by": 1, "result": [choice]}]}


@pytest.mark.parametrize("layout", ["doccano", "studio", "list"])
def test_records_with_fields_of_their_own_are_refused(
    tmp_path: Path, layout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table of 6,000 records of one doccano file had 36 million cells and needed 750 MB."""
    monkeypatch.setattr(record_module, "MIN_CHECKED_CELLS", 10_000)
    read = read_qrels if layout == "list" else read_labels
    numbers = range(200)
    same = [make_record(layout, {"topic": number, "document": "d"}) for number in numbers]
    read(write(tmp_path, "a.json", json.dumps(same)))
    different = [make_record(layout, {f"k{number}": "x"}) for number in numbers]
    with pytest.raises(FormatError) as refused:
        read(write(tmp_path, "a.json", json.dumps(different)))
    assert refused.value.key == "too-many-fields"


def test_skipped_records_are_reported_and_left_out(tmp_path: Path) -> None:
    for name, records in (("p.jsonl", PRODIGY), ("a.jsonl", ARGILLA)):
        warnings = read_labels(write(tmp_path, name, lines(records))).warnings
        assert "skipped" in [getattr(each, "key", "") for each in warnings]


def test_an_archive_has_a_file_for_each_assessor(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("anna.jsonl", lines(DOCCANO))
        archive.writestr("bob.jsonl", lines(DOCCANO[:1]))
        archive.writestr("__MACOSX/._bob.jsonl", "x")
    assert {worker for _, worker in labels_of(path)} == {"anna", "bob"}


def test_compressed_exports_are_read(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl.gz"
    path.write_bytes(gzip.compress(lines(PRODIGY).encode()))
    assert labels_of(path) == {("401 d1", "anna"): "1", ("401 d1", "bob"): "0"}
    choice = {"from_name": "relevance", "value": {"choices": ["2"]}}
    task = {
        "id": 7,
        "data": {"topic": "401", "docno": "d1"},
        "annotations": [{"id": 1, "completed_by": 5, "result": [choice]}],
    }
    path = tmp_path / "studio.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("export.json", json.dumps([task]))
    assert labels_of(path) == {("401 d1", "5"): "2"}


def test_an_archive_may_contain_a_single_archive(tmp_path: Path) -> None:
    path = tmp_path / "project.zip"
    inner = make_zip({"401_d1.json": json.dumps(INCEPTION).encode()})
    path.write_bytes(make_zip({"annotation/401_d1.txt/anna.zip": inner}))
    assert labels_of(path) == {("401_d1", "anna"): "2"}
    (row,) = read_judgments(path).rows
    assert (row.item, row.assessor, row.grade) == ("401_d1", "anna", 2)


def test_an_archive_with_one_file_names_its_assessor(tmp_path: Path) -> None:
    path = tmp_path / "admin_export.zip"
    for member, assessor in (("anna", "anna"), ("all", "admin_export")):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(f"{member}.jsonl", lines(DOCCANO[:1]))
        assert {worker for _, worker in labels_of(path)} == {assessor}


@pytest.mark.parametrize(
    ("sessions", "names"),
    [
        (["rel-anna", "rel-bob", None], {"anna", "bob", "p"}),
        (["rel-anna-maria", "rel-anna-berta"], {"anna-maria", "anna-berta"}),
        (["rel-anna"], {"anna"}),
    ],
)
def test_names_of_assessors_do_not_depend_on_other_sessions(
    tmp_path: Path, sessions: list[str | None], names: set[str]
) -> None:
    records = [
        {**PRODIGY[0], "_session_id": session, "_annotator_id": session} for session in sessions
    ]
    path = write(tmp_path, "p.jsonl", lines(records))
    assert {worker for _, worker in labels_of(path)} == names


def test_an_item_code_as_record_id_identifies_the_item(tmp_path: Path) -> None:
    record = {
        "id": "p870111c76e18b61d",
        "fields": {"query": "tea", "document": "a"},
        "responses": {"relevance": [{"value": "2", "user_id": "u1", "status": "submitted"}]},
    }
    rows = read_judgments(write(tmp_path, "a.jsonl", lines([record]))).rows
    assert [row.item for row in rows] == ["p870111c76e18b61d"]


def test_inception_projects_name_document_and_assessor_in_paths(tmp_path: Path) -> None:
    path = tmp_path / "project.zip"
    inner = tmp_path / "bob.zip"
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("401_d1.json", json.dumps(INCEPTION))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("annotation/401_d1.txt/anna.json", json.dumps(INCEPTION))
        archive.writestr("annotation/401_d1.txt/INITIAL_CAS.json", json.dumps(INCEPTION))
        archive.write(inner, "annotation/401_d1.txt/bob.zip")
        archive.writestr("curation/401_d1.txt/CURATION_USER.json", json.dumps(INCEPTION))
        archive.writestr("exportedproject.json", "{}")
    assert labels_of(path) == {("401_d1", "anna"): "2", ("401_d1", "bob"): "2"}


def test_several_questions_need_a_choice_unless_one_is_named_label(tmp_path: Path) -> None:
    two = json.loads(json.dumps(ARGILLA))
    two[0]["responses"]["clarity"] = [{"value": 5, "user_id": "u1"}]
    assert labels_of(write(tmp_path, "a.jsonl", lines(two)))[("401 d1", "u1")] == "2"
    two[0]["responses"]["quality"] = two[0]["responses"].pop("relevance")
    path = write(tmp_path, "b.jsonl", lines(two))
    with pytest.raises(IrjudgeError, match="--columns"):
        read_labels(path)


@pytest.mark.parametrize(
    ("records", "key"),
    [
        ([{"id": 1, "text": "x", "label": [[0, 1, "PER"]]}], "span-label"),
        ([DOCCANO[0], ARGILLA[0]], "other-record"),
        ([{"x": 1}], "unknown-json"),
        ([DOCCANO[0], 7], "not-a-record"),
        ([BINARY[0], {**BINARY[1], "label": "CLEAR"}], "several-labels"),
    ],
)
def test_other_json_is_refused(tmp_path: Path, records, key: str) -> None:
    for name, text in (("x.jsonl", lines(records)), ("x.json", json.dumps(records))):
        with pytest.raises(FormatError) as refused:
            read_labels(write(tmp_path, name, text))
        assert refused.value.key == key
        assert "\n" not in str(refused.value)


@contextmanager
def make_project(path: Path) -> Iterator[Project]:
    with create_project(path, scale=Scale.parse("0-2"), title="t") as project:
        fill_project(project)
        yield project


def fill_project(project: Project) -> None:
    project.collection.add_topics([Topic("401", "q a", "the need")])
    project.collection.add_documents(
        [Document(id, b"words of " + id.encode(), f"title {id}") for id in ("d1", "d2", "d3")]
    )


def list_judgments(project) -> dict[tuple[str, str], object]:
    return {
        (event.item.documents[0], event.assessor): event.payload.get("value", event.kind)
        for name in project.events.assessors()
        for event in project.events.read(name)
        if event.kind in ("grade", "unjudgeable")
    }


def test_exports_are_imported_as_judgments(tmp_path: Path) -> None:
    with make_project(tmp_path / "p.irjudge") as project:
        options = ReadingOptions(grades=GradeRules({"relevant": 2, "no": 0}), person="zoe")
        import_judgments(project, write(tmp_path, "x.jsonl", lines(DOCCANO)), options)
        import_judgments(project, write(tmp_path, "a.json", json.dumps(ARGILLA)))
        import_judgments(project, write(tmp_path, "p.tsv", POTATO))
        assert list_judgments(project) == {
            ("d1", "zoe"): 2,
            ("d2", "zoe"): 0,
            ("d1", "u1"): 2,
            ("d1", "u2"): 1,
            ("d1", "anna"): 2,
            ("d1", "bob"): 1,
        }


def test_queries_are_matched_by_text_and_words_by_the_scale(tmp_path: Path) -> None:
    record = {**DOCCANO[0], "query": " Q  a".lower(), "label": ["Partly  relevant"]}
    del record["topic"]
    with make_project(tmp_path / "p.irjudge") as project:
        import_judgments(project, write(tmp_path, "ann.jsonl", lines([record])))
        assert list_judgments(project) == {("d1", "ann"): 1}
        (event,) = project.events.read("ann")
        assert event.item.topic == "401"


def test_unknown_words_are_refused(tmp_path: Path) -> None:
    with make_project(tmp_path / "p.irjudge") as project:
        with pytest.raises(Undecided) as asked:
            import_judgments(project, write(tmp_path, "ann.jsonl", lines(DOCCANO)))
        assert asked.value.options == ("grades",)
        assert list_judgments(project) == {}


def test_qrels_are_the_judgments_of_one_assessor(tmp_path: Path) -> None:
    path = write(tmp_path, "x.qrels", "401 0 d1 2\n401 0 d2 -2\n401 0 d3 -1\n")
    with make_project(tmp_path / "p.irjudge") as project:
        with pytest.raises(Undecided) as asked:
            import_judgments(project, path)
        assert asked.value.key == "whose-qrels"
        import_judgments(project, path, ReadingOptions(person="ann"))
        assert list_judgments(project) == {("d1", "ann"): 2, ("d2", "ann"): "unjudgeable"}


def test_tables_without_an_assessor_are_of_the_person_named(tmp_path: Path) -> None:
    path = write(tmp_path, "x.csv", "topic,document,grade\n401,d1,1\n")
    assert read_judgments(path, assessor="ann").rows[0].assessor == "ann"
    with pytest.raises(FormatError):
        read_judgments(path)


@pytest.mark.parametrize("name", ["user_id", "username", "annotator_id", "worker_id", "user"])
def test_common_columns_are_recognised(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, "x.csv", f"query_id,product_id,{name},label\n1,p1,ann,Exact\n")
    (row,) = read_judgments(path, grades=GradeRules({"exact": 3})).rows
    assert (row.topic, row.document, row.assessor, row.grade) == ("1", "p1", "ann", 3)


TASKS = [
    JudgingTask("p1", "401", "q a", "the need", "d1", "title", "first\n\nsecond"),
    JudgingTask("p2", "401", "", "", "d2", "", "=1+1", "https://example.com"),
    JudgingTask("p3", "402", "q", "", "d3", "", ""),
]


@pytest.mark.parametrize("form", ["doccano", "potato"])
def test_tasks_for_a_tool_are_read_back_equal(tmp_path: Path, form) -> None:
    path = tmp_path / "t.jsonl"
    assert write_tasks(path, TASKS, form) == 3
    assert list(read_tasks(path)) == TASKS
    first = json.loads(path.read_text().splitlines()[0])
    assert first["text"].startswith("q a\n\nthe need")
    assert (first.get("id") == "p1") == (form == "potato")


def test_results_of_doccano_and_potato_are_imported(tmp_path: Path, capsys) -> None:
    with make_project(tmp_path / "p.irjudge") as project:
        project.rankings.add_pool(
            build_pool(
                [make_run("r", [("401", "d1", 2.0), ("401", "d2", 1.0)])], PoolOptions(depth=2)
            )
        )
    for form in ("doccano", "potato"):
        out = tmp_path / f"{form}.jsonl"
        assert (
            main(["export", str(tmp_path / "p.irjudge"), "--tasks", "--form", form, "-o", str(out)])
            == 0
        )
    tasks = [json.loads(line) for line in (tmp_path / "doccano.jsonl").read_text().splitlines()]
    back = [{**task, "id": at, "label": ["2"], "Comments": []} for at, task in enumerate(tasks)]
    doccano = write(tmp_path, "anna.jsonl", lines(back))
    units = [
        json.loads(line)["id"] for line in (tmp_path / "potato.jsonl").read_text().splitlines()
    ]
    rows = "".join(f"bob\t{unit}\tx\ttrue\n" for unit in units)
    potato = write(tmp_path, "p.tsv", "user\tinstance_id\tdisplayed_text\trelevance:::1\n" + rows)
    for path in (doccano, potato):
        assert main(["import", str(tmp_path / "p.irjudge"), "--judgments", str(path)]) == 0
    capsys.readouterr()
    with open_project(tmp_path / "p.irjudge", writing=False) as opened:
        assert list_judgments(opened) == {
            ("d1", "anna"): 2,
            ("d2", "anna"): 2,
            ("d1", "bob"): 1,
            ("d2", "bob"): 1,
        }


def test_task_formats_need_json_lines(tmp_path: Path, capsys) -> None:
    with make_project(tmp_path / "p.irjudge"):
        pass
    for options in (["--tasks", "-o", "t.csv"], ["--qrels", "-o", "t.jsonl"]):
        options[-1] = str(tmp_path / options[-1])
        assert main(["export", str(tmp_path / "p.irjudge"), "--form", "doccano", *options]) != 0
    assert "Traceback" not in capsys.readouterr().err


# Tampered exports

VALID = [
    lines(DOCCANO),
    lines(PRODIGY),
    lines(BINARY),
    json.dumps(ARGILLA),
    lines(ARGILLA_1),
    lines(ARGILLA_FLAT),
    POTATO,
    lines([POTATO_JSON]),
    json.dumps(INCEPTION, indent=1),
]
PIECES = [
    '"',
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "1e999",
    "\\ud800",
    "\0",
    "\n",
    "[[[[",
    "-2",
    "true",
    '{"a":{}}',
]


def tamper(source: random.Random, text: str) -> str:
    for _ in range(source.randint(1, 4)):
        at, size = source.randrange(len(text) + 1), source.randint(0, 12)
        piece = source.choice([*PIECES, text[at : at + 20]])
        text = text[:at] + piece + text[at + source.choice([0, size]) :]
    return text


def swap_values(source: random.Random, text: str) -> str:
    """Return JSON lines with a value replaced by one of another type."""
    try:
        records = [json.loads(line) for line in text.splitlines()]
    except ValueError:
        return tamper(source, text)
    record = source.choice(records)
    while isinstance(record, list):
        record = source.choice(record)
    name = source.choice(sorted(record))
    record[name] = source.choice(
        [None, 5, -1.5, True, "x" * 3000, [], {}, [[]], [{}], {"a": [1]}, "\ud800"]
    )
    return lines(records)


def check_tampered(folder: Path, count: int) -> None:
    source = random.Random(54)
    for number in range(count):
        valid = source.choice(VALID)
        text = source.choice([tamper, swap_values])(source, valid)
        path = folder / f"x{number % 7}{source.choice(['.jsonl', '.json', '.tsv'])}"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        for read in (read_labels, read_judgments):
            try:
                read(path)
            except FormatError as error:
                assert "\n" not in str(error) and str(error).endswith("."), text


def test_tampered_exports_are_read_or_refused(tmp_path: Path) -> None:
    check_tampered(tmp_path, 100)


@pytest.mark.slow
def test_many_tampered_exports_are_read_or_give_one_error(tmp_path: Path) -> None:
    check_tampered(tmp_path, short_or_long(400, 8000))


def make_zip(members: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return made.getvalue()


def test_archives_inside_an_archive_share_one_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """15 MB of zip archives of 400 MB each filled the memory."""
    monkeypatch.setattr(label_tools, "MAX_LIST_BYTES", 1_000_000)
    inner = make_zip({"a.json": b"[" + b" " * 300_000 + b"]"})
    path = tmp_path / "a.zip"
    path.write_bytes(make_zip({f"annotation/d{number}/x.zip": inner for number in range(4)}))
    with pytest.raises(FormatError) as raised:
        read_label_tool(path, ReaderWarnings())
    assert raised.value.key == "too-large"


def test_an_archive_that_expands_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(make_zip({"a.json": b"[" + b" " * 20_000_000 + b"]"}))
    with pytest.raises(FormatError) as raised:
        read_label_tool(path, ReaderWarnings())
    assert raised.value.key == "bomb"


@pytest.mark.parametrize("packed", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_archive_is_one_error(tmp_path: Path, packed: int) -> None:
    made, path = io.BytesIO(), tmp_path / "a.zip"
    with zipfile.ZipFile(made, "w", packed) as archive:
        archive.writestr(
            "a.json", json.dumps([{"text": "a", "label": [str(n)]} for n in range(99)])
        )
    whole = made.getvalue()
    for at in range(36, len(whole), 7):
        damaged = bytearray(whole)
        damaged[at] ^= 0xFF
        path.write_bytes(damaged)
        with suppress(IrjudgeError):
            read_label_tool(path, ReaderWarnings())


def test_a_name_in_an_archive_that_is_not_utf8_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(
        make_zip({"annotation/éé.json": b"[]"}).replace("éé".encode(), b"\xff\xfe\xff\xfe")
    )
    with pytest.raises(FormatError) as raised:
        read_label_tool(path, ReaderWarnings())
    assert raised.value.key == "bad-archive"


def test_fields_of_a_record_are_not_repeated_in_thousands_of_labels(tmp_path: Path) -> None:
    """A file of 48 kB would become a table of a million cells."""
    fields = {f"m{number}": "v" for number in range(1001)}
    responses = [{"value": "1", "user_id": f"u{number}"} for number in range(1000)]
    record = {"id": "1", "fields": {"text": "t"}, "metadata": fields, "responses": {"q": responses}}
    (tmp_path / "a.json").write_text(json.dumps([record]))
    with pytest.raises(FormatError) as error:
        read_label_tool(tmp_path / "a.json", ReaderWarnings())
    assert (error.value.key, error.value.values["rows"]) == ("too-many-fields", "1,000")
    annotations = [{"completed_by": number, "result": []} for number in range(1000)]
    (tmp_path / "b.json").write_text(
        json.dumps([{"id": 1, "data": fields, "annotations": annotations}])
    )
    with pytest.raises(FormatError) as error:
        read_labels(tmp_path / "b.json")
    assert error.value.key == "too-many-fields"
