"""Tests of participants' names in outputs: ids if a name is ambiguous."""

import json
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.judging import (
    QueueItem,
    Session,
    build_vote_labels,
    compute_consensus_grades,
    count_outstanding,
    exclude_assessor,
    find_changeable_pairs,
    group_assessors,
    list_counted_assessors,
    list_excluded_assessors,
    list_qrels_choices,
    make_display_names,
    project_labels,
    rename_workers,
    set_counted_group,
)
from irjudge.store import open_project
from irjudge.web import SchedulingOptions, SessionOptions
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, run_server


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with a session of three participants, two of whom are now called Bob."""
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=6)
    with open_project(path) as opened:
        scale = opened.scale.version
    with run_server(path, SessionOptions(SchedulingOptions(overlap=3))) as server:
        for number, name in enumerate(("Ann", "Bob", "Rob")):
            person = Person(server, name)
            while person.sync()["items"] or person.open_items():
                for index in person.open_items():
                    person.grade(index, (index + number) % 4, scale)
    assert main(["participant", str(path), "Rob", "--rename", "bob"]) == 0
    return path


@pytest.mark.slow
def test_names_replace_ids_and_are_unique(project: Path) -> None:
    with open_project(project, writing=False) as opened:
        ids = [each.id for each in opened.sessions.participants()]
        assert make_display_names(opened) == {
            ids[0]: "Ann",
            ids[1]: f"Bob ({ids[1]})",
            ids[2]: f"bob ({ids[2]})",
        }
        assert set(
            rename_workers(project_labels(opened), make_display_names(opened)).workers
        ) == set(make_display_names(opened).values())


@pytest.mark.slow
def test_forgotten_participants_are_shown_as_ids(project: Path) -> None:
    assert main(["participant", str(project), "Ann", "--forget"]) == 0
    with open_project(project, writing=False) as opened:
        assert opened.sessions.participants()[0].id not in make_display_names(opened)


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [["agreement", "--show", "pairs"], ["agreement", "--show", "assessors"], ["status"]],
    ids=" ".join,
)
def test_commands_show_names(
    project: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    capsys.readouterr()
    assert main([arguments[0], str(project), *arguments[1:], "--format", "json"]) == 0
    out = capsys.readouterr().out
    assert (
        "Ann" in out
        and "p-" not in out.replace("Bob (p-", "").replace("bob (p-", "")
        and json.loads(out)["values"]
    )


@pytest.mark.slow
def test_session_participants_are_not_listed_among_files(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["status", str(project), "--show", "files", "--format", "json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["values"] == [] and "`irjudge assign`" in captured.err


@pytest.mark.slow
def test_a_name_can_be_left_out(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "agreement",
                str(project),
                "--show",
                "assessors",
                "--leave-out",
                "Ann",
                "--format",
                "json",
            ]
        )
        == 0
    )
    assert "Ann" not in capsys.readouterr().out


def test_a_participant_is_excluded_by_the_name_that_commands_show(project: Path) -> None:
    assert main(["exclude", str(project), "Ann"]) == 0
    with open_project(project) as opened:
        names = make_display_names(opened)
        assert [names[each.name] for each in list_excluded_assessors(opened)] == ["Ann"]
    assert main(["exclude", str(project), "Ann", "--undo"]) == 0
    with open_project(project, writing=False) as opened:
        assert not list_excluded_assessors(opened)


# The groups whose votes count


@pytest.fixture
def mixed_project(project: Path) -> Path:
    """Return the same project, in which two assessors outside the session gave grade 3 to all."""
    with open_project(project) as opened:
        pool = opened.rankings.pool()
        assert pool is not None
        for name in ("dora", "emil"):
            session = Session(opened, name)
            for document in pool.document.to_pylist()[:3]:
                session.grade(session.open_item(QueueItem("051", document)), 3)
    return project


def voting(path: Path) -> set[str]:
    with open_project(path, writing=False) as opened:
        return set(build_vote_labels(opened).workers)


@pytest.mark.slow
def test_one_group_can_be_selected_without_loss(
    mixed_project: Path,
) -> None:
    with open_project(mixed_project) as opened:
        events, everybody = opened.events.count(), set(list_counted_assessors(opened))
        before = compute_consensus_grades(opened)
        set_counted_group(opened, "sessions")
        here = set(group_assessors(opened)["sessions"])
        there = set(group_assessors(opened)["others"])
        assert there == {"dora", "emil"} and here and here | there == everybody
        assert (
            set(list_counted_assessors(opened))
            == set(list_counted_assessors(opened, include_excluded=True))
            == here
            == voting(mixed_project)
        )
        alone = compute_consensus_grades(opened)
        assert not any(choice.origin in there for choice in list_qrels_choices(opened))
        set_counted_group(opened, "others")
        assert (
            set(compute_consensus_grades(opened).values()) == {3} and voting(mixed_project) == there
        )
        assert {
            choice.origin for choice in list_qrels_choices(opened) if choice.source == "assessor"
        } == there
        set_counted_group(opened, "everybody")
        assert (
            compute_consensus_grades(opened) == before != alone and opened.events.count() == events
        )


@pytest.mark.slow
def test_an_excluded_assessor_stays_excluded_for_any_group(mixed_project: Path) -> None:
    with open_project(mixed_project) as opened:
        exclude_assessor(opened, "dora")
        set_counted_group(opened, "others")
        assert list_counted_assessors(opened) == ("emil",) and list_counted_assessors(
            opened, include_excluded=True
        ) == ("dora", "emil")


@pytest.mark.slow
def test_session_votes_are_expected_if_its_group_counts(mixed_project: Path) -> None:
    with open_project(mixed_project) as opened:
        # other participants are expected to judge instead
        exclude_assessor(opened, group_assessors(opened)["sessions"][0])
        assert count_outstanding(opened) and find_changeable_pairs(opened)
        set_counted_group(opened, "others")
        assert not count_outstanding(opened) and not find_changeable_pairs(opened)


def test_a_command_selects_a_group_and_all_readers_report_it(
    mixed_project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["exclude", str(mixed_project), "--all-but", "others"])
    assert "dora, emil" in capsys.readouterr().out
    main(["agreement", str(mixed_project), "-s", "raw-agreement"])
    captured = capsys.readouterr()
    assert (
        "session participants" in captured.err
        and ": 3." in captured.err
        and "1.000" in captured.out
    )
    main(["exclude", str(mixed_project), "--all-but", "sessions"])
    main(["qrels", str(mixed_project)])
    assert ": 2." in capsys.readouterr().err
    main(["exclude", str(mixed_project), "--all-but", "everybody"])
    main(["qrels", str(mixed_project)])
    assert "selected" not in capsys.readouterr().err
    assert (
        main(["exclude", str(mixed_project), "dora", "--all-but", "others"])
        == main(["exclude", str(mixed_project)])
        == 2
    )
