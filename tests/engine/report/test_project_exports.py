"""Tests of exported parts of a project: each is read back equal, or the file is not written."""

import csv
import io
import tempfile
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.formats import ReaderWarnings, ReadingOptions
from irjudge.formats.collections import read_documents, read_topics, write_documents, write_topics
from irjudge.formats.judgments import (
    make_item_id,
    read_judgments,
    read_tasks,
    write_judgments,
    write_tasks,
)
from irjudge.formats.rankings import (
    iter_pool_rows,
    read_pool,
    read_qrels,
    read_run,
    write_qrels,
    write_run,
)
from irjudge.judging import AdjudicationRecorder, import_judgments
from irjudge.model import Document, DocumentKind, Scale, Topic, make_run
from irjudge.report import EXPORTS, ExportOptions, export_project, project_exports
from irjudge.report.project_exports import ReadBackError, compare_rows, note_formulas, write_checked
from irjudge.store import Project, Sources, create_project, import_sources, open_project
from tests.pools import depth_pool


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def test_a_file_that_is_read_back_equal_gets_its_final_name(tmp_path):
    path, seen = tmp_path / "a.txt", []

    def back(draft: Path) -> int:
        seen.append((draft.name, path.exists()))
        return compare_rows(draft, "lines", ["x", "y"], lines(draft))

    assert write_checked(path, lambda draft: draft.write_text("x\ny\n"), back) == 2
    assert (
        lines(path) == ["x", "y"]
        and seen == [("a.txt", False)]
        and list(tmp_path.iterdir()) == [path]
    )


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        ("x\n", "2 lines .* 1 .* 2"),
        ("x\ny\nz", "2 lines .* 3 .* 3"),
        ("x\nz", "2 lines .* 2 .* 2"),
    ],
)
def test_a_file_that_differs_leaves_the_earlier_one_unchanged(tmp_path, written, numbers):
    path = tmp_path / "a.txt"
    path.write_text("before")
    with pytest.raises(
        ReadBackError,
        match=rf"a\.txt .* {numbers}",
    ):
        write_checked(
            path,
            lambda draft: draft.write_text(written),
            lambda draft: compare_rows(draft, "lines", ["x", "y"], lines(draft)),
        )
    assert path.read_text() == "before" and list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_reported_before_the_work(tmp_path):
    with pytest.raises(IrjudgeError, match="does not exist"):
        write_checked(
            tmp_path / "no" / "a.txt", lambda draft: pytest.fail("written"), lambda draft: 0
        )


def test_differences_are_counted_and_the_first_is_named():
    warnings = ReaderWarnings()
    note_formulas(("id", "text"), [("a", "b"), ("=a", 5), ("c", "@d")], warnings)
    assert [(each.key, each.values) for each in warnings.sentences()] == [
        ("formula-cell", {"count": "2", "first": "id in row 3"})
    ]


PAIRS = [("051", "=1+1"), ("051", "שלום"), ("007", "d2"), ("007", "🌍"), ("007", "https://x.org/a")]
PICTURE = Document("picture", b"\x89PNG", "", "image")
TITLE = "a page, “quoted”"


@pytest.fixture
def project(tmp_path: Path):
    path = tmp_path / "p.irjudge"
    with create_project(path, scale=Scale.parse("0-3"), title="P") as made:
        made.collection.add_topics(
            [Topic("051", "=cmd", 'about "one"', "only"), Topic("007", "seven")]
        )
        made.collection.add_documents(
            [Document(name, f"text of\r\n{name}".encode(), name) for _, name in PAIRS[:-1]]
        )
        made.collection.add_documents(
            [
                Document("https://x.org/a", b"<h1>Head</h1><p>one <b>word</b>", TITLE, "html"),
                PICTURE,
            ]
        )
        run = make_run(
            "bm25",
            [
                (topic, name, 9.0 - index / 3)
                for index, (topic, name) in enumerate([*PAIRS, ("007", "picture")])
            ],
        )
        made.rankings.add_run(replace(run, metadata="tag: bm25\nactor:\n  team: שלום"))
        made.rankings.add_pool(depth_pool([run], 10))
    with open_project(path) as opened:
        yield opened


@pytest.fixture
def judged_project(project: Project, tmp_path: Path) -> Project:
    path = tmp_path / "j.csv"
    rows = [
        "051,=1+1,ann,2,=good,yes,1.5,",
        "051,שלום,ann,unjudgeable,,,,spam",
        "051,=1+1,bob,0,,,,",
        "007,d2,-bob,3,,,,",
    ]
    path.write_text(
        "topic,document,assessor,grade,note,unsure,seconds,unjudgeable_because\n"
        + "\n".join(rows)
        + "\n"
    )
    import_judgments(project, path)
    decided = project.collection.document("=1+1")
    assert decided is not None
    AdjudicationRecorder(project).decide("051", decided, 2, reason="@both")
    return project


REQUESTS = [
    (ExportOptions("judgments"), "j.csv", 4),
    (ExportOptions("judgments"), "j.xlsx", 4),
    (ExportOptions("adjudications"), "a.csv", 1),
    (ExportOptions("adjudications"), "a.xlsx", 1),
    (ExportOptions("documents"), "d.jsonl", 6),
    (ExportOptions("topics"), "t.jsonl", 2),
    (ExportOptions("run", "bm25"), "r.run", 6),
    (ExportOptions("pool"), "p.csv", 6),
    (ExportOptions("tasks"), "tasks.csv", 5),
    (ExportOptions("qrels"), "q.qrels", 3),
]


@pytest.mark.parametrize(
    ("options", "name", "rows"),
    REQUESTS,
    ids=lambda value: value.what if isinstance(value, ExportOptions) else str(value),
)
def test_each_kind_is_written_checked_and_counted(
    judged_project: Project, tmp_path: Path, options: ExportOptions, name: str, rows: int
) -> None:
    done = export_project(judged_project, options, tmp_path / name)
    assert (done.written_count, done.read_count) == (rows, rows)
    assert f" {rows} {EXPORTS[options.what].rows}; " in done.sentence
    assert done.sentence.endswith(f": {rows}.")


def test_every_kind_of_export_is_tried() -> None:
    assert {options.what for options, _, _ in REQUESTS} == set(EXPORTS)


def test_exported_files_are_read_back_equal_to_the_project(
    judged_project: Project, tmp_path: Path
) -> None:
    for options, name, _ in REQUESTS:
        export_project(judged_project, options, tmp_path / name)
    assert tuple(read_documents([tmp_path / "d.jsonl"], warnings=[])) == tuple(
        judged_project.collection.documents()
    )
    assert read_topics(tmp_path / "t.jsonl").topics == judged_project.collection.topics()
    pool = judged_project.rankings.pool()
    assert pool is not None and [
        row[:5] for row in iter_pool_rows(read_pool(tmp_path / "p.csv"))
    ] == [row[:5] for row in iter_pool_rows(pool)]
    back, run = read_run(tmp_path / "r.run"), judged_project.rankings.run("bm25")
    assert (back.document, back.metadata) == (
        run.document,
        run.metadata,
    ) and "team" in back.metadata
    first, second, third, fourth = (
        replace(row, line=0) for row in read_judgments(tmp_path / "j.xlsx").rows
    )
    assert (first.assessor, first.grade) == ("-bob", 3)
    assert (second.note, second.unsure, second.seconds, second.time != "") == (
        "=good",
        True,
        1.5,
        True,
    )
    assert (third.grade, third.because, fourth.assessor) == (-2, "spam", "bob")
    assert list(read_qrels(tmp_path / "q.qrels").rows()) == [
        ("051", "=1+1", 2),
        ("051", "שלום", -2),
        ("007", "d2", 3),
    ]


def test_a_task_has_plain_text_and_an_item(judged_project: Project, tmp_path: Path) -> None:
    done = export_project(judged_project, ExportOptions("tasks"), tmp_path / "t.csv")
    *_, page = read_tasks(tmp_path / "t.csv")
    assert (page.item, page.document_title, page.text, page.url) == (
        make_item_id("007", page.document),
        TITLE,
        "Head\none word",
        "https://x.org/a",
    )
    assert [(each.key, each.values["first"]) for each in done.warnings] == [
        ("no-words", "picture"),
        ("formula-cell", "title in row 2"),
    ]
    assert done.warnings[1].values["count"] == "4"
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file))[1][4] == "'=1+1", "no spreadsheet calculates with it"


@pytest.mark.parametrize("kind", ["text", "markdown", "html"])
def test_a_long_document_is_a_task_with_its_whole_text(
    project: Project, tmp_path: Path, kind: DocumentKind
) -> None:
    project.collection.add_documents([Document("long", b"word " * 100_000 + b"end", "Long", kind)])
    project.rankings.add_pool(depth_pool([make_run("r", [("007", "long", 1.0)])], 1))
    export_project(project, ExportOptions("tasks"), tmp_path / "t.csv")
    (task,) = read_tasks(tmp_path / "t.csv")
    assert task.text.split() == ["word"] * 100_000 + ["end"]


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_exported_judgments_are_imported_unchanged_into_another_project(
    judged_project: Project, tmp_path: Path, ending: str
) -> None:
    export_project(judged_project, ExportOptions("judgments"), tmp_path / f"j{ending}")
    with create_project(tmp_path / "other.irjudge", scale=judged_project.scale) as other:
        pass
    with open_project(tmp_path / "other.irjudge") as other:
        import_judgments(other, tmp_path / f"j{ending}")
        export_project(other, ExportOptions("judgments"), tmp_path / "again.csv")
    export_project(judged_project, ExportOptions("judgments"), tmp_path / "first.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "first.csv").read_bytes()


WRITERS = {
    "judgments": (write_judgments, "write_judgments"),
    "documents": (write_documents, "write_documents"),
    "topics": (write_topics, "write_topics"),
    "tasks": (write_tasks, "write_tasks"),
    "qrels": (write_qrels, "write_qrels"),
}


@pytest.mark.parametrize(
    ("options", "name", "rows"),
    [each for each in REQUESTS if each[0].what in WRITERS and not each[1].endswith("xlsx")],
)
def test_a_dropped_row_is_detected_and_the_earlier_file_stays(
    judged_project: Project,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: ExportOptions,
    name: str,
    rows: int,
) -> None:
    writer, called = WRITERS[options.what]
    monkeypatch.setattr(
        project_exports, called, lambda path, rows, *more: writer(path, list(rows)[:-1], *more)
    )
    (tmp_path / name).write_text("before")
    with pytest.raises(ReadBackError, match=rf"{name} .* {rows} \w+ .* {rows - 1} "):
        export_project(judged_project, options, tmp_path / name)
    assert (tmp_path / name).read_text() == "before"


def test_a_lost_line_of_a_run_or_pool_is_detected(
    judged_project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def shorter(path: Path) -> None:
        path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")

    monkeypatch.setattr(
        project_exports, "write_run", lambda path, run: (write_run(path, run), shorter(path))
    )
    whole = project_exports.write_pool
    monkeypatch.setattr(
        project_exports, "write_pool", lambda path, pool: (whole(path, pool), shorter(path))
    )
    for options, name in (
        (ExportOptions("run", "bm25"), "r.run"),
        (ExportOptions("pool"), "p.csv"),
    ):
        with pytest.raises(ReadBackError, match="was not saved"):
            export_project(judged_project, options, tmp_path / name)
        assert not (tmp_path / name).exists()


def test_qrels_are_of_the_named_source_with_waiting_pairs_unjudged(
    judged_project: Project, tmp_path: Path
) -> None:
    done = export_project(
        judged_project, ExportOptions("qrels", "assessor ann", unjudged=True), tmp_path / "q.qrels"
    )
    assert (done.written_count, done.warnings) == (6, ("Qrels: assessor ann.",))
    assert [grade for _, _, grade in read_qrels(tmp_path / "q.qrels").rows()] == [
        2,
        -2,
        -1,
        -1,
        -1,
        -1,
    ]


def test_subtopics_of_imported_qrels_stay(project: Project, tmp_path: Path) -> None:
    (tmp_path / "div.qrels").write_text("1 1 a 1\n1 2 a 0\n2 1 b 1\n")
    import_sources(project, Sources(qrels=(tmp_path / "div.qrels",)))
    export_project(project, ExportOptions("qrels", "div.qrels"), tmp_path / "out.qrels")
    assert (tmp_path / "out.qrels").read_text() == "1 1 a 1\n1 2 a 0\n2 1 b 1\n"


@pytest.mark.parametrize(
    ("options", "name", "sentence"),
    [
        (ExportOptions("judgments"), "j.csv", "p.irjudge .*judgments"),
        (
            ExportOptions("judgments"),
            "j.txt",
            "got j.txt",
        ),
        (ExportOptions("run"), "r", "bm25"),
        (ExportOptions("run", "x"), "r", "no run x"),
        (ExportOptions("qrels"), "q", "There are no qrels"),
    ],
)
def test_unwritable_data_is_reported_and_no_file_is_created(
    project: Project, tmp_path: Path, options: ExportOptions, name: str, sentence: str
) -> None:
    before = set(tmp_path.iterdir())
    with pytest.raises(IrjudgeError, match=sentence):
        export_project(project, options, tmp_path / name)
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("what", ["pool", "tasks"])
def test_a_project_without_a_pool_gives_an_error(tmp_path: Path, what: str) -> None:
    with (
        create_project(tmp_path / "bare.irjudge", scale=Scale.parse("0-3")) as project,
        pytest.raises(ProjectError, match="has no pool"),
    ):
        export_project(project, ExportOptions(what), tmp_path / "out.csv")


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
IDS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8
).filter(lambda name: name == name.strip())


@pytest.mark.slow
@settings(max_examples=25)
@given(
    st.lists(st.tuples(IDS, IDS, IDS, TEXT), min_size=1, max_size=4, unique_by=lambda row: row[:2])
)
def test_unusual_ids_and_texts_survive_as_tasks_and_judgments(
    rows: list[tuple[str, str, str, str]],
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with create_project(folder / "p.irjudge", scale=Scale.parse("0-3")) as made:
            made.collection.add_documents(
                Document(document, f"of {note}".encode()) for _, document, _, note in rows
            )
            made.rankings.add_pool(
                depth_pool(
                    [make_run("r", [(topic, document, 1.0) for topic, document, _, _ in rows])], 9
                )
            )
        with open_project(folder / "p.irjudge") as project:
            assert export_project(
                project, ExportOptions("tasks"), folder / "t.csv"
            ).read_count == len(rows)
            with (folder / "labels.csv").open("w", encoding="utf-8", newline="") as file:
                table = csv.writer(file)
                table.writerow(("item", "worker", "label", "note"))
                table.writerows(
                    (make_item_id(topic, document), who, 1, note)
                    for topic, document, who, note in rows
                )
            import_judgments(project, folder / "labels.csv", ReadingOptions(person="all"))
            done = export_project(project, ExportOptions("judgments"), folder / "j.csv")
            assert done.read_count == len(rows)
            back = {
                (row.topic, row.document, row.assessor, row.note)
                for row in read_judgments(folder / "j.csv").rows
            }
            assert back == set(rows)


def test_topic_ids_with_blanks_are_renamed_in_trec_format(project: Project, tmp_path: Path) -> None:
    (tmp_path / "case.json").write_text('{"jazz bass": {"d1": 2}, "q1": {"d2": 0}}')
    project.rankings.add_run(make_run("r", [("jazz bass", "d1", 2.0), ("q1", "d2", 1.0)]), "r.json")
    import_sources(project, Sources(qrels=(tmp_path / "case.json",)))
    done = export_project(project, ExportOptions("qrels", "case"), tmp_path / "a.qrels")
    assert lines(tmp_path / "a.qrels") == ["q2 0 d1 2", "q1 0 d2 0"]
    assert any(
        (each.values["count"], each.values["name"], each.values["topic"])
        == ("1", "q2", "jazz bass")
        for each in done.warnings
        if "topic" in each.values
    )
    export_project(project, ExportOptions("run", "r"), tmp_path / "a.run")
    assert read_run(tmp_path / "a.run").topics == ("q2", "q1")


@pytest.mark.parametrize(
    ("what", "given"),
    [
        ("pool", {"unjudged": True}),
        ("judgments", {"name": "truth"}),
        ("tasks", {"form": "rank_eval"}),
        ("qrels", {"form": "potato"}),
    ],
)
def test_options_of_another_kind_are_refused(what: str, given: dict[str, object]) -> None:
    with pytest.raises(IrjudgeError, match=f"--{what}"):
        ExportOptions(what, **given)  # type: ignore[arg-type]


def test_a_stream_is_only_opened_for_verified_text(judged_project: Project, tmp_path: Path) -> None:
    text = io.StringIO()
    done = project_exports.export_to_stream(
        judged_project, ExportOptions("pool"), lambda: nullcontext(text)
    )
    export_project(judged_project, ExportOptions("pool"), tmp_path / "pool.csv")
    assert text.getvalue() == (tmp_path / "pool.csv").read_text(encoding="utf-8")
    assert done.written_count == done.read_count == len(text.getvalue().splitlines()) - 1
    with pytest.raises(IrjudgeError) as error:
        project_exports.export_to_stream(
            judged_project, ExportOptions("qrels", form="parquet"), lambda: nullcontext(text)
        )
    assert error.value.key == "not-text"
