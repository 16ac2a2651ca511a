"""Tests of projects: everything is stored, and failed creation leaves no files."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.model import Document, Pool, Qrels, Run, Scale, Topic, make_run
from irjudge.store import Project, create_project, open_project
from irjudge.store.collection import AddedCount
from tests.pools import depth_pool

SCALE = Scale.parse("0-3")
ODD = [
    "051",
    "007",
    "NA",
    '"a',
    "a#b",
    "null",
    "'",
    "%",
    "_",
    "\\",
    "ä",
    "文書",
    "😀",
    "\U0010ffff",
    "\ufeffx",
    "a\0b",
    "a\0c",
    "x" * 5000,
    "0x1f",
    "1e5",
]


def same_run(one: Run, other: Run) -> bool:
    arrays = all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("starts", "score", "rank", "line")
    )
    return (
        (one.name, one.topics) == (other.name, other.topics)
        and one.document.equals(other.document)
        and arrays
    )


def qrels_rows(qrels: Qrels) -> list[tuple]:
    names = qrels.documents.take(pa.array(qrels.document)).to_pylist()
    return [
        (qrels.topics[t], qrels.groups[g], d, int(v))
        for t, g, d, v in zip(qrels.topic, qrels.group, names, qrels.grade, strict=True)
    ]


def same_pool(one: Pool, other: Pool) -> bool:
    names = ("starts", "contribution_starts", "contribution_run", "contribution_rank")
    is_reported = all(
        getattr(one, name) == getattr(other, name)
        for name in ("topics", "strategy", "parameters", "runs")
    )
    return (
        is_reported
        and one.document.equals(other.document)
        and all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)
    )


def test_a_reopened_project_is_unchanged(tmp_path: Path) -> None:
    topics = [Topic(name, f"title {name}", "d", "") for name in ODD]
    documents = [
        Document(name, f"body of {name}".encode(), name, kind)
        for name, kind in zip(ODD, ["text", "markdown", "html"] * 7, strict=False)
    ]
    run = make_run(
        "run ä",
        [
            (topic, document, index / 7)
            for topic in ODD[:7]
            for index, document in enumerate([*ODD, "unknown"])
        ],
    )
    other = make_run("other", [("new", "a\0b", float("-inf")), ("051", "a\0c", -0.0)])
    (tmp_path / "q").write_text(
        "051 sub1 007 2\n051 sub2 007 -2\nNA sub1 only-in-qrels -1\n051 sub1 😀 0\n",
        encoding="utf-8",
    )
    qrels, pool = read_qrels(tmp_path / "q"), depth_pool([run, other], 3)
    with create_project(tmp_path / "p.irjudge", scale=SCALE, title="T", owner="ann ä") as project:
        assert project.collection.add_topics(topics) == AddedCount(len(ODD), 0)
        assert project.collection.add_documents(documents) == AddedCount(len(ODD), 0)
        project.rankings.add_run(run, "run.txt")
        project.rankings.add_run(other)
        project.rankings.add_qrels("q", qrels, "q.txt")
        assert project.rankings.add_pool(depth_pool([run], 1)) == 1
        assert project.rankings.add_pool(pool) == 2
        seed = project.seed
    with open_project(tmp_path / "p.irjudge") as project:
        assert (project.title, project.owner, project.scale, project.seed) == (
            "T",
            "ann ä",
            SCALE,
            seed,
        )
        assert project.collection.topics() == tuple(topics)
        assert [project.collection.document(name) for name in ODD] == documents
        assert project.collection.document("unknown") is None
        assert project.collection.without_text(["unknown", *ODD, "never heard of"]) == [
            "unknown",
            "never heard of",
        ]
        assert [
            (stored.name, stored.source, stored.rows) for stored in project.rankings.runs()
        ] == [
            ("run ä", "run.txt", 147),
            ("other", "", 2),
        ]
        assert same_run(project.rankings.run("run ä"), run)
        assert same_run(project.rankings.run("other"), other)
        assert qrels_rows(project.rankings.qrels("q")) == qrels_rows(qrels)
        assert same_pool(project.rankings.pool(), pool)
        assert len(project.rankings.pool(1)) == 7
        assert project.rankings.pool(3) is None
        assert project.verify().problems == ()


def test_a_run_from_a_file_keeps_ranks_and_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("# head\n2 Q0 b 7 1.5 t\n1 Q0 a 0 -1e3 t\n2 Q0 a 3 2.5 t\n")
    run = read_run(path)
    with create_project(tmp_path / "p.irjudge", scale=SCALE) as project:
        project.rankings.add_run(run)
        assert same_run(project.rankings.run("a"), run)


def test_a_run_without_rows_is_stored(tmp_path: Path) -> None:
    with create_project(tmp_path / "p.irjudge", scale=SCALE) as project:
        project.rankings.add_run(make_run("empty", []))
        project.rankings.add_pool(depth_pool([make_run("empty", [])], 3))
        assert len(project.rankings.run("empty")) == 0
        assert len(project.rankings.pool()) == 0


def test_a_removed_run_can_be_put_back(project_file: Path) -> None:
    with open_project(project_file) as project:
        run = project.rankings.run("bm25")
        removed = project.rankings.remove_run("bm25")
        assert project.rankings.runs() == ()
        with pytest.raises(ProjectError, match="no run bm25"):
            project.rankings.run("bm25")
        project.rankings.restore_run(removed)
        assert same_run(project.rankings.run("bm25"), run)


def test_a_removed_run_does_not_come_back_over_another_of_its_name(project_file: Path) -> None:
    with open_project(project_file) as project:
        run = project.rankings.run("bm25")
        removed = project.rankings.remove_run("bm25")
        project.rankings.add_run(run)
        with pytest.raises(ProjectError, match="already has a run bm25"):
            project.rankings.restore_run(removed)
        assert [each.name for each in project.rankings.runs()] == ["bm25"]


def test_names_are_unique_and_listed(project_file: Path) -> None:
    with open_project(project_file) as project:
        with pytest.raises(ProjectError, match="already has a run bm25"):
            project.rankings.add_run(make_run("bm25", []))
        with pytest.raises(ProjectError, match="no run lucene"):
            project.rankings.run("lucene")
        with pytest.raises(ProjectError, match="no qrels mine"):
            project.rankings.qrels("mine")


def test_equal_texts_are_stored_once_and_a_known_id_keeps_its_text(project_file: Path) -> None:
    with open_project(project_file) as project:
        assert project.collection.add_documents(
            [Document("d0", b"other"), Document("new", b"same"), Document("newer", b"same")]
        ) == AddedCount(2, 1)
        assert project.collection.document("d0").body == b"text 0"
        assert project.collection.document_count() == 14
        assert project.verify().documents == 13
        assert project.collection.add_topics(
            [Topic("051", "edited"), Topic("9", "nine")]
        ) == AddedCount(1, 1)
        assert [topic.title for topic in project.collection.topics()] == ["one", "seven", "nine"]


def test_a_document_that_a_run_named_first_gets_its_text_later(tmp_path: Path) -> None:
    with create_project(tmp_path / "p.irjudge", scale=SCALE) as project:
        project.rankings.add_run(make_run("a", [("1", "d", 1.0)]))
        assert project.collection.without_text(["d"]) == ["d"]
        assert project.collection.add_documents([Document("d", b"text")]) == AddedCount(1, 0)
        assert project.collection.document("d").text == "text"
        assert project.rankings.run("a").document.to_pylist() == ["d"]


def test_similar_titles_and_bodies_are_different_texts(tmp_path: Path) -> None:
    documents = [
        Document("a", b"b\0c", "a"),
        Document("b", b"c", "a\0b"),
        Document("c", b"b\0c", "a", "html"),
    ]
    with create_project(tmp_path / "p.irjudge", scale=SCALE) as project:
        project.collection.add_documents(documents)
        assert [project.collection.document(document.id) for document in documents] == documents


def test_a_failed_change_is_rolled_back(project_file: Path) -> None:
    with open_project(project_file) as project:
        with pytest.raises(ZeroDivisionError), project.transaction():
            project.collection.add_documents([Document("new", b"x")])
            project.rankings.add_run(make_run("other", [("1", "newer", 1.0)]))
            raise ZeroDivisionError
        assert project.collection.document("new") is None
        assert [stored.name for stored in project.rankings.runs()] == ["bm25"]
        with pytest.raises(ZeroDivisionError):
            project.collection.add_documents(
                Document(f"new{number}", b"x" if 1 / (2 - number) else b"") for number in range(4)
            )
        assert project.collection.document("new0") is None


# Creating a project


@pytest.mark.parametrize(
    "error", [IrjudgeError("wrong file"), KeyboardInterrupt(), ZeroDivisionError()]
)
def test_a_failed_creation_leaves_no_file(tmp_path: Path, error: BaseException) -> None:
    with pytest.raises(type(error)), create_project(tmp_path / "p.irjudge", scale=SCALE) as project:
        project.collection.add_documents([Document("a", b"x" * 1_000_000)])
        raise error
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_replaces_one_being_created_is_not_deleted(tmp_path: Path) -> None:
    path = tmp_path / "p.irjudge"
    with (
        pytest.raises(IrjudgeError, match=r"p\.irjudge already exists"),
        create_project(path, scale=SCALE),
    ):
        (tmp_path / "other").write_text("somebody's work")
        (tmp_path / "other").rename(path)
    assert path.read_text() == "somebody's work"


def test_an_existing_file_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "p.irjudge"
    path.write_text("mine")
    with (
        pytest.raises(ProjectError, match=r"p\.irjudge already exists"),
        create_project(path, scale=SCALE),
    ):
        pass
    assert path.read_text() == "mine"


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with (
        pytest.raises(ProjectError, match=r"folder .* does not exist"),
        create_project(tmp_path / "no" / "p.irjudge", scale=SCALE),
    ):
        pass


def test_a_relative_path_refers_to_the_current_folder_at_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ZeroDivisionError), create_project(Path("p.irjudge"), scale=SCALE):
        monkeypatch.chdir(tmp_path / "elsewhere")
        raise ZeroDivisionError
    assert [path.name for path in tmp_path.rglob("*")] == ["elsewhere"]


def test_two_projects_have_different_random_orders(tmp_path: Path) -> None:
    seeds = set()
    for name in "abc":
        with create_project(tmp_path / name, scale=SCALE) as project:
            seeds.add(project.seed)
    assert len(seeds) == 3


def test_a_project_has_its_file_s_name_and_an_owner_by_default(tmp_path: Path) -> None:
    with create_project(tmp_path / "web.irjudge", scale=SCALE) as project:
        assert (project.title, project.owner, project.writing) == ("web", "owner", True)


# Second connection


def test_a_job_reads_what_was_committed_and_writes_under_the_same_lock(project_file: Path) -> None:
    with open_project(project_file) as project, project.second_connection() as second:
        project.set_setting("note", "first")
        assert second.get_setting("note") == "first"
        second.set_setting("note", "second")
        assert project.get_setting("note") == "second"


def test_two_projects_with_unusual_names_can_share_a_folder(tmp_path: Path) -> None:
    for name in ("a b?c=1.irjudge", "#%20.irjudge", "ä 文.irjudge"):
        with create_project(tmp_path / name, scale=SCALE) as project:
            project.set_setting("name", name)
        with open_project(tmp_path / name, writing=False) as project:
            assert project.get_setting("name") == name
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["a b?c=1.irjudge", "#%20.irjudge", "ä 文.irjudge"]
    )


def test_a_folder_is_not_a_project(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="is a folder"):
        open_project(tmp_path)


def test_a_damaged_column_is_explained(project_file: Path) -> None:
    def damage(project: Project, statement: str) -> None:
        with project.transaction():
            project._db.execute(statement)

    with open_project(project_file) as project:
        damage(project, "UPDATE run_topic SET document = x'01'")
        with pytest.raises(ProjectError, match="damaged"):
            project.rankings.run("bm25")
        damage(project, "UPDATE run_topic SET document = zeroblob(24)")
        with pytest.raises(ProjectError) as error:
            project.rankings.run("bm25")
        assert error.value.key == "unknown-documents"


def test_pooled_documents_without_a_text_are_named_once_until_they_get_one(tmp_path: Path) -> None:
    with create_project(tmp_path / "p.irjudge", scale=SCALE) as project:
        assert project.rankings.pooled_without_text() == []
        project.collection.add_documents([Document("a", b"x")])
        rows = [("1", "a", 3.0), ("1", ODD[-1], 2.0), ("1", "文書", 1.0), ("2", "文書", 1.0)]
        project.rankings.add_pool(depth_pool([make_run("r", rows)], 10))
        assert sorted(project.rankings.pooled_without_text()) == sorted([ODD[-1], "文書"])
        project.collection.add_documents([Document("文書", b"y")])
        assert project.rankings.pooled_without_text() == [ODD[-1]]


def test_a_project_is_not_encrypted(project_file: Path) -> None:
    """As documented: anyone with the file can read it."""
    raw = project_file.read_bytes()
    assert b"about one" in raw and b"text 3" in raw


def read_number_settings(project: Project) -> tuple[str | None, list[None]]:
    return project.get_setting("a"), [None]


def test_cached_values_are_recomputed_after_a_change(tmp_path: Path) -> None:
    with create_project(tmp_path / "p.irjudge", scale=SCALE):
        pass
    with open_project(tmp_path / "p.irjudge") as project:
        first = project.compute_cached(read_number_settings)
        assert project.compute_cached(read_number_settings) is first
        project.set_setting("a", "1")
        assert project.compute_cached(read_number_settings)[0] == "1"
        with project.second_connection() as other:
            other.set_setting("a", "2")
        assert project.compute_cached(read_number_settings)[0] == "2", "by whomever it was written"
        with pytest.raises(ZeroDivisionError), project.transaction():
            project.set_setting("a", "3")
            assert project.compute_cached(read_number_settings)[0] == "3"
            raise ZeroDivisionError
        assert project.compute_cached(read_number_settings)[0] == "2", "undone events do not count"


@pytest.mark.parametrize("stored", ["{", "[1]", '"x"', "[" * 100_000])
def test_stored_settings_are_read_or_refused(stored: str, project_file: Path) -> None:
    template = "{file} has no readable sailors."
    with open_project(project_file) as project:
        assert project.read_json_setting("sailors", {"ann": 1}, template) == {"ann": 1}
        project.set_setting("sailors", '{"bob": 2}')
        assert project.read_json_setting("sailors", {}, template) == {"bob": 2}
        assert project.read_json_setting("sailors", 0, template, parse=len) == 1
        project.set_setting("sailors", stored)
        assert project.read_json_setting("sailors", {"ann": 1}) == {"ann": 1}
        with pytest.raises(ProjectError) as error:
            project.read_json_setting("sailors", {}, template)
        assert error.value.message.template == template
