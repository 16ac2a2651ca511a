"""Tests of marks with a judgment: unsure flags, notes, drafts, rationales."""

from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.judging import Marks, Session
from irjudge.model import Rationale
from irjudge.store import create_project_from_files, open_project, sample_sources
from tests.pools import depth_pool


@pytest.fixture
def path(tmp_path: Path) -> Path:
    sources, scale = sample_sources("everyday")
    create_project_from_files(tmp_path / "p.irjudge", sources, scale=scale)
    with open_project(tmp_path / "p.irjudge") as project:
        project.rankings.add_pool(depth_pool([project.rankings.run("bm25")], 3))
    return tmp_path / "p.irjudge"


def test_marks_survive_a_restart(path: Path) -> None:
    with open_project(path) as project:
        session = Session(project)
        work = session.current()
        session.set_unsure(work, True)
        session.note(work, "first")
        session.note(work, "zweite Notiz — 第二")
        session.rationale(work, "two tides", 4, 13)
        session.grade(work, 2)
    with open_project(path) as project:
        session = Session(project)
        assert session.marks(work.queue_item) == Marks(
            True, "zweite Notiz — 第二", None, (Rationale("two tides", 4, 13),)
        )
        assert session.judgment(work.queue_item).payload["value"] == 2


def test_each_mark_can_be_undone_and_redone(path: Path) -> None:
    with open_project(path) as project:
        session = Session(project)
        work = session.current()
        session.set_unsure(work, True)
        session.note(work, "a")
        session.note(work, "b")
        session.undo()
        assert session.marks(work.queue_item) == Marks(True, "a")
        session.undo()
        session.undo()
        assert session.marks(work.queue_item) == Marks()
        session.redo()
        session.redo()
        assert session.marks(work.queue_item) == Marks(True, "a")


def test_a_draft_is_stored_until_its_note_and_cannot_be_undone(path: Path) -> None:
    with open_project(path) as project:
        session = Session(project)
        work = session.current()
        session.draft(work, "half a th")
    with open_project(path) as project:
        session = Session(project)
        assert session.marks(work.queue_item) == Marks(draft="half a th") and not session.can_undo
        session.note(work, "half a thought")
        assert session.marks(work.queue_item) == Marks(note="half a thought")


def test_marks_are_not_judgments(path: Path) -> None:
    with open_project(path) as project:
        session = Session(project)
        work = session.current()
        session.set_unsure(work, True)
        session.note(work, "x")
        assert session.judgment(work.queue_item) is None and session.count().judged == 0
        assert session.current().queue_item == work.queue_item


def test_a_rationale_needs_a_text(path: Path) -> None:
    with open_project(path) as project:
        session = Session(project)
        for text, begin, end in (("", 0, 1), ("  ", 0, 2), ("word", 4, 4), ("word", -1, 3)):
            with pytest.raises(IrjudgeError, match="Select the text"):
                session.rationale(session.current(), text, begin, end)
        assert project.events.count() == 0


def test_topics_open_at_the_first_unjudged_document_and_read_ahead(
    path: Path,
) -> None:
    with open_project(path) as project:
        session = Session(project)
        topic = session.queue.topics[1]
        first, second, *_ = session.queue.documents(topic)
        assert session.open_topic(topic).document.id == first
        session.fetch_ahead()
        assert [item.document for item in session.list_upcoming()] == [
            item.document for item in session._fetched_documents
        ]
        session.grade(session.current(), 1)
        assert session.advance().document == project.collection.document(second)
        assert session.open_topic(topic).document.id == second
        with pytest.raises(IrjudgeError, match="no documents to judge"):
            session.open_topic("nobody's")
