"""Tests of comparison designs: balanced sides, and files that do not reveal the runs."""

import json
from collections import Counter, defaultdict
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.exchange import (
    AssignmentReport,
    ComparisonOptions,
    ComparisonQuestion,
    ComparisonRandomizer,
    assign_comparison,
    assign_comparison_to_owner,
    list_assignment_files,
    merge_files,
    pair_runs,
    parse_candidates,
    withdraw_round,
)
from irjudge.exchange.assignment_plan import PlanAssessor
from irjudge.exchange.comparison_design import Choice, ComparisonShare, design_comparison
from irjudge.judging import (
    ComparisonSession,
    list_counted_assessors,
    map_sides_to_runs,
    read_project_preferences,
)
from irjudge.message import Message
from irjudge.model import AssignedItem, ComparisonRules, Event, Item, preference_payload
from irjudge.store import CALIBRATION, COMPARISON_RULES, SIDE_KEY, open_project

RUNS = ("zebrarank", "okapifuse", "quaggablend")
SECRET = bytes(range(32))
DAY = date(2026, 1, 1)


def make_questions(topics: int, runs: tuple[str, ...] = RUNS) -> list[ComparisonQuestion]:
    return [
        ComparisonQuestion(
            f"t{topic}", ((f"{first}{topic}", "x"), ("x", f"{second}{topic}")), (first, second)
        )
        for topic in range(topics)
        for first, second in pair_runs(runs)
    ]


def make_design(
    seed: int, *, topics: int = 7, names: str = "ann bob cleo", number: int = 1, **options: int
) -> dict[str, ComparisonShare]:
    judges = [PlanAssessor(name) for name in names.split()]
    return design_comparison(
        make_questions(topics),
        judges,
        ComparisonOptions(pair_runs(RUNS), seed=seed, **options),
        ComparisonRandomizer(SECRET, seed, number),
    )


@pytest.mark.parametrize("seed", range(60))
def test_for_every_assessor_and_pair_sides_are_balanced_to_within_one(seed: int) -> None:
    shares = make_design(seed, topics=3 + seed % 8, overlap=1 + seed % 3, repeats=seed % 5)
    for share in shares.values():
        counts = count_left(share)
        assert all(
            abs(counts[first, second] - counts[second, first]) <= 1
            for first, second in pair_runs(RUNS)
        )
        fresh = count_left([each for each in share if each[1].role != "repeat"])
        assert all(
            abs(fresh[first, second] - fresh[second, first]) <= 1
            for first, second in pair_runs(RUNS)
        )


def count_left(share: ComparisonShare) -> Counter[tuple[str, str]]:
    """Return how often each run is at the left of another one: (left, right) -> number."""
    return Counter(
        (secret.left_run, secret.right_run)
        for item, secret in share
        if item.lists[0] != item.lists[1]
    )


@pytest.mark.parametrize("seed", range(20))
def test_every_question_is_asked_as_often_as_requested_and_repeats_swap_the_sides(
    seed: int,
) -> None:
    shares = make_design(seed, overlap=2, repeats=2)
    asked: Counter[tuple[str, frozenset[str]]] = Counter()
    for share in shares.values():
        first: dict[tuple[str, frozenset[str]], AssignedItem] = {}
        for item, secret in share:
            key = (item.topic, frozenset((secret.left_run, secret.right_run)))
            if secret.role == "repeat":
                assert item.lists == first[key].lists[::-1] and item.sides != first[key].sides[::-1]
            else:
                first[key] = item
                asked[key] += 1
        assert sum(secret.role == "repeat" for _, secret in share) == 2
    assert set(asked.values()) == {2} and len(asked) == 7 * 3


@pytest.mark.parametrize("repeats", [1, 3, 5, 6, 10, 13])
def test_pairs_of_documents_have_as_many_repeats_as_requested(repeats: int) -> None:
    questions = [
        ComparisonQuestion(f"t{topic}", ((f"d{number}",), (f"e{number}",)), ("", ""))
        for topic in range(10)
        for number in range(5)
    ]
    options = ComparisonOptions((), repeats=repeats, choice="random", budget=5)
    shares = design_comparison(
        questions, [PlanAssessor("ann")], options, ComparisonRandomizer(SECRET, 1, 1)
    )
    assert sum(note.role == "repeat" for _, note in shares["ann"]) == repeats


@pytest.mark.parametrize(
    ("choice", "repeats", "keys"),
    [("all", 2, []), ("all", 1000, ["too-few-repeats"] * 2), ("top", 2, ["no-repeats"])],
)
def test_fewer_repeats_than_requested_are_reported(
    three_runs_project: Path, tmp_path: Path, choice: Choice, repeats: int, keys: list[str]
) -> None:
    options = ComparisonOptions(
        pair_runs(RUNS), depth=3, repeats=repeats, choice=choice, rules=ComparisonRules(top=2)
    )
    with open_project(three_runs_project) as project:
        made = assign_comparison(project, parse_candidates("ann,bob"), options, tmp_path / "out")
    assert [warning.key for warning in made.warnings if isinstance(warning, Message)] == keys


def test_the_same_seed_gives_the_same_design_and_another_secret_another() -> None:
    assert make_design(3) == make_design(3) != make_design(4)
    judges, options = [PlanAssessor("ann")], ComparisonOptions(pair_runs(RUNS), seed=3)
    one, other = (
        design_comparison(make_questions(20), judges, options, ComparisonRandomizer(secret, 3, 1))
        for secret in (SECRET, bytes(32))
    )
    assert [item.lists for item, _ in one["ann"]] != [item.lists for item, _ in other["ann"]]


def test_opaque_ids_are_unique_and_do_not_depend_on_runs_or_documents() -> None:
    """Ids depend on the secret only: other runs in another order have the same ids."""
    judges, options = [PlanAssessor("ann")], ComparisonOptions(pair_runs(RUNS), seed=3)
    share = design_comparison(
        make_questions(9), judges, options, ComparisonRandomizer(SECRET, 3, 1)
    )["ann"]
    ids = [side for item, _ in share for side in item.sides]
    assert len(set(ids)) == len(ids)
    renamed = design_comparison(
        make_questions(9, RUNS[::-1]), judges, options, ComparisonRandomizer(SECRET, 3, 1)
    )["ann"]
    assert [side for item, _ in renamed for side in item.sides] == ids
    assert set(ids).isdisjoint(
        side
        for item, _ in design_comparison(
            make_questions(9), judges, options, ComparisonRandomizer(bytes(32), 3, 1)
        )["ann"]
        for side in item.sides
    )


def test_neither_position_nor_id_reveals_the_sides() -> None:
    """Over many seeds, each run is at the left equally often at each position and for each id."""
    side_counts, smaller = defaultdict(int), 0
    for seed in range(400):
        share = make_design(seed, topics=4, names="ann")["ann"]
        for at, (item, secret) in enumerate(share):
            first = secret.left_run < secret.right_run
            side_counts[at] += first
            smaller += first == (item.sides[0] < item.sides[1])
    assert all(140 < count < 260 for count in side_counts.values()), (
        side_counts
    )  # 200 ± 6 standard deviations
    assert 2400 - 6 * 35 < smaller < 2400 + 6 * 35


def assign_comparison_files(
    path: Path, folder: Path, names: str = "ann,bob", **options: object
) -> AssignmentReport:
    pairs = pair_runs(("zebrarank", "quaggablend"))
    with open_project(path) as opened:
        return assign_comparison(
            opened,
            parse_candidates(names),
            ComparisonOptions(pairs, **{"seed": 5, **options}),
            folder,
        )


def answer_all(path: Path, winner: str = "left") -> int:
    with open_project(path) as task:
        session, answers = ComparisonSession(task), 0
        current = session.current()
        while current is not None:
            session.prefer(current, winner)
            answers, current = answers + 1, session.advance()
        return answers


def test_unanswered_questions_of_a_withdrawn_file_can_be_assigned_again(
    three_runs_project: Path, tmp_path: Path
) -> None:
    (first,) = assign_comparison_files(three_runs_project, tmp_path / "out", "ann").files
    with open_project(three_runs_project) as project:
        withdraw_round(project, 1)
    (again,) = assign_comparison_files(three_runs_project, tmp_path / "out", "ann").files
    assert again.items == first.items > 1
    # the file of the second round returns with one answer, after the round was withdrawn
    with open_project(again.path) as task:
        session = ComparisonSession(task)
        session.prefer(session.current(), "left")
    with open_project(three_runs_project) as project:
        withdraw_round(project, 2)
        merge_files(project, [again.path])
    (rest,) = assign_comparison_files(three_runs_project, tmp_path / "out", "ann").files
    assert rest.items == first.items - 1


def test_no_file_holds_a_run_a_seed_or_a_secret(three_runs_project: Path, tmp_path: Path) -> None:
    made = assign_comparison_files(
        three_runs_project,
        tmp_path / "out",
        overlap=2,
        repeats=1,
        rules=ComparisonRules(reasons=("clearer",)),
    )
    with open_project(three_runs_project) as opened:
        secret = opened.get_setting(SIDE_KEY)
        assert secret is not None and len(secret) == 64
        rounds = [(each.seed, each.options["runs"]) for each in opened.assignments.rounds()]
    assert rounds == [(5, [["zebrarank", "quaggablend"]])]
    for file in made.files:
        raw = file.path.read_bytes()
        assert not [
            name
            for name in ("zebrarank", "okapifuse", "quaggablend", "repeat", secret)
            if name.encode() in raw
        ]
        with open_project(file.path) as task:
            assert (
                task.assignments.rounds() == ()
                and task.rankings.runs() == ()
                and task.get_setting(SIDE_KEY) is None
            )
            assert (
                json.loads(task.get_setting(COMPARISON_RULES) or "")["reasons"] == ["clearer"]
                and map_sides_to_runs(task) == {}
            )


def test_gold_grades_of_calibration_are_not_in_a_comparison_file(
    three_runs_project: Path, tmp_path: Path
) -> None:
    with open_project(three_runs_project) as opened:
        opened.set_setting(CALIBRATION, json.dumps({"051": {"t051n0": 3}}))
    (file,) = assign_comparison_files(three_runs_project, tmp_path / "out", "ann").files
    with open_project(file.path) as task:
        assert task.calibration == {}


def test_returned_answers_are_joined_by_their_secrets(
    three_runs_project: Path, tmp_path: Path
) -> None:
    made = assign_comparison_files(three_runs_project, tmp_path / "out", overlap=2, repeats=1)
    assert [answer_all(file.path) for file in made.files] == [4, 4]
    with open_project(three_runs_project) as opened:
        merged = merge_files(opened, [file.path for file in made.files])
        assert [(balance.new, balance.rejected) for balance in merged.reports] == [
            (4, 0),
            (4, 0),
        ]
        assert [each.key for each in merged.reports[0].warnings] == ["not-handed-in"]
        preferences = read_project_preferences(opened, map_sides_to_runs(opened))
        assert (
            preferences.items == ("quaggablend", "zebrarank")
            and preferences.assessors == ("ann", "bob")
            and len(preferences) == 8
        )
        assert [
            (row.judged, row.assigned, row.state) for row in list_assignment_files(opened, DAY)
        ] == [
            (4, 4, "returned"),
            (4, 4, "returned"),
        ]
        assert merge_files(opened, [made.files[0].path]).reports[0].identical == 4


def test_answered_questions_are_not_asked_again_and_new_topics_are(
    three_runs_project: Path, tmp_path: Path
) -> None:
    first = assign_comparison_files(three_runs_project, tmp_path / "one", "ann", topics=("051",))
    more = assign_comparison_files(three_runs_project, tmp_path / "two", "ann")
    assert ([file.items for file in first.files], [file.items for file in more.files]) == ([1], [2])
    with pytest.raises(IrjudgeError) as error:
        assign_comparison_files(three_runs_project, tmp_path / "three", "ann")
    assert error.value.key == "all-compared"


def test_the_owners_comparison_makes_no_file_and_keeps_the_owners_grades(
    three_runs_project: Path,
) -> None:
    with open_project(three_runs_project) as opened:
        before = list_counted_assessors(opened)
        made = assign_comparison_to_owner(
            opened, ComparisonOptions(pair_runs(("zebrarank", "quaggablend")))
        )
        assert [(each.assessor, each.path, each.items) for each in made.files] == [
            ("teacher", three_runs_project, 3)
        ]
        assert list_counted_assessors(opened) == before and list_assignment_files(opened, DAY) == []


# Returned files that cannot be trusted


def tamper(path: Path, **changes: object) -> None:
    """Replace a preference's payload, with matching hashes."""
    with open_project(path) as task:
        session = ComparisonSession(task)
        desk = session.current()
        assert desk is not None
        payload = {**preference_payload("left", sides=list(desk.item.sides)), **changes}
        item = Item(
            desk.topic.id,
            desk.item.documents,
            tuple(each.digest for each in desk.results),
            "panel",
        )
        task.events.append(Event("ann", "preference", item, "2026-03-01T09:00:00.000Z", payload))


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"sides": ["00", "11"]}, "other-sides"),
        ({"winner": "both"}, "no-winner"),
        ({"winner": ["left"]}, "no-winner"),
        ({"strength": 9}, "no-strength"),
        ({"opens": [1, -1]}, "no-views"),
        ({"reasons": "all"}, "unreadable-reasons"),
        ({"note": 5}, "unreadable-reasons"),
    ],
)
def test_an_implausible_preference_is_rejected_with_a_reason(
    three_runs_project: Path, tmp_path: Path, changes: dict[str, object], key: str
) -> None:
    made = assign_comparison_files(three_runs_project, tmp_path / "out", "ann")
    tamper(made.files[0].path, **changes)
    with open_project(three_runs_project) as opened:
        (balance,) = merge_files(opened, [made.files[0].path]).reports
        assert balance.new == 0 and key in [reason.key for reason in balance.reasons]


@pytest.mark.parametrize("grading", [True, False])
def test_grades_of_a_comparison_are_accepted_only_if_it_asked_for_them(
    three_runs_project: Path, tmp_path: Path, grading: bool
) -> None:
    made = assign_comparison_files(
        three_runs_project, tmp_path / "out", "ann", rules=ComparisonRules(grading=grading)
    )
    path = made.files[0].path
    with open_project(path) as task:
        session = ComparisonSession(task)
        desk = session.current()
        assert desk is not None
        item = replace(desk.item, rules=ComparisonRules(grading=True))
        session.grade(replace(desk, item=item), desk.left[0], 2)
    with open_project(three_runs_project) as opened:
        (balance,) = merge_files(opened, [path]).reports
        assert (balance.new, balance.rejected) == ((1, 0) if grading else (0, 1))
