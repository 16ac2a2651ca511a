"""Tests of the log: every event once, in the order written."""

import pytest

from irjudge.errors import CommitFailed, ProjectError
from irjudge.model import Event, Item
from irjudge.store import open_project
from irjudge.store.events import ERASED_EVENTS, LOST_EVENTS, read_lost_events

ITEM = Item("051", ("d1",), ("00" * 32,))


def event(assessor: str = "ann", value: int = 1, parent: str | None = None) -> Event:
    return Event(
        assessor, "grade", ITEM, "2026-01-01T00:00:00.000Z", {"value": value}, None, parent
    )


def test_events_are_read_in_the_order_written(project_file):
    first = event()
    events = [first, event("bob ä", 2), event(value=3, parent=first.digest)]
    with open_project(project_file) as project:
        for each in events:
            project.events.append(each)
    with open_project(project_file, writing=False) as project:
        assert list(project.events.read()) == events
        assert list(project.events.read("ann")) == [events[0], events[2]]
        assert list(project.events.read("nobody")) == []
        assert project.events.count() == 3
        assert (project.events.head("ann"), project.events.head("nobody")) == (
            events[2].digest,
            None,
        )


def test_the_same_event_is_stored_once(project_file):
    with open_project(project_file) as project:
        project.events.append(event())
        project.events.append(event())
        assert project.events.count() == 1


def test_a_changed_event_is_not_read(project_file):
    with open_project(project_file) as project:
        project._db.execute(
            "INSERT INTO event (digest, assessor, body) VALUES (x'00', 'ann', x'7b7d')"
        )
        with pytest.raises(ProjectError) as error:
            list(project.events.read())
        assert error.value.key == "changed-event"
        assert error.value.values["digest"] == "00"


def test_an_event_is_unsaved_if_the_log_ends_with_another(project_file):
    first, other = event(), event("bob")
    with open_project(project_file) as project:
        project.events.append(first)
        values = f"x'{other.digest}', 'bob', CAST('{other.canonical_bytes.decode()}' AS BLOB)"
        project._db.execute(
            f"CREATE TEMP TRIGGER behind AFTER INSERT ON event BEGIN INSERT INTO event (digest, assessor, body) VALUES ({values}); END"
        )
        with pytest.raises(CommitFailed) as error:
            project.events.append(event(value=2, parent=first.digest))
        assert error.value.key == "log-not-taken"
        project._db.execute("DROP TRIGGER temp.behind")
        assert list(project.events.read()) == [first]


@pytest.mark.parametrize("text", ["[" * 100_000, "{}", "5", "x"])
def test_unreadable_lists_of_lost_and_erased_events_are_reported(project_file, text):
    with open_project(project_file) as project:
        for name in (LOST_EVENTS, ERASED_EVENTS):
            project.set_setting(name, text)
        for read in (lambda: read_lost_events(project._db), project.events.erased_digests):
            with pytest.raises(ProjectError) as error:
                read()
            assert error.value.values["file"] == project_file.name
