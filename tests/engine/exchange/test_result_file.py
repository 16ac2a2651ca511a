"""Tests of merging browser results like assessors' files, whatever happened to them on the way."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from irjudge.errors import ProjectError
from irjudge.exchange import (
    IRTASK_FORMAT,
    AssignmentOptions,
    FileMergeReport,
    MergeReport,
    assign_pool,
    merge_files,
    parse_candidates,
    result_file,
)
from irjudge.judging import Session, get_ledger
from irjudge.model import Event
from irjudge.store import open_project
from tests.engine.exchange.browser_results import FIRST, SECOND, THIRD, Browser, open_page
from tests.engine.exchange.classroom import assign_class, build_class, judge_file, read_votes
from tests.pools import depth_pool


def merge_into(project: Path, *files: Path, accept_gap: bool = False) -> MergeReport:
    with open_project(project) as opened:
        merged = merge_files(opened, files, accept_gap=accept_gap)
        assert opened.verify().problems == ()
    assert all(report.is_balanced for report in merged.reports)
    return merged


def accounting_of(merged: MergeReport) -> list[tuple[int, ...]]:
    return [
        (each.read, each.new, each.identical, each.superseded, each.waiting, each.rejected)
        for each in merged.reports
    ]


def read_log(project: Path) -> list[Event]:
    with open_project(project, writing=False) as opened:
        return list(opened.events.read())


def read_grades(project: Path) -> dict[tuple[str, str], int]:
    with open_project(project, writing=False) as opened:
        return {(vote.topic, vote.document): vote.grade for vote in read_votes(opened)}


def values_of(merged: MergeReport) -> str:
    return " ".join(sentence for report in merged.reports for sentence in report.sentences)


def warnings_of(report: FileMergeReport) -> dict[str, dict[str, str]]:
    """Return the values of each warning of a report by its key."""
    return {each.key: each.all_values for each in report.warnings}


@pytest.fixture
def browser(files: list[Path]) -> Browser:
    """A page in which six documents were graded."""
    made = open_page(files[0])
    for index in range(6):
        made.grade(index, index % 4)
    return made


# Copies of a result


def test_browser_judgments_equal_those_of_the_window(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    made = open_page(files[0])
    first = made.grade(0, 2)
    made.act("unsure", 0, {"value": True})
    made.act("note", 0, {"text": "a \U0001f319 note"})
    made.act("rationale", 0, {"text": "words 1", "position": [8, 15]})
    made.act("skip", 1, {"active_ms": 5})
    made.act("unjudgeable", 2, {"reason": "spam", "active_ms": 7})
    made.act("draft", 3, {"text": "typ"})
    second = made.grade(0, 3)
    made.undo(0, second)
    made.undo(0, second, "redo")
    made.undo(0, second)
    merged = merge_into(project, made.save(tmp_path / "ann.result.json"))
    assert accounting_of(merged) == [(11, 10, 0, 1, 0, 0)]
    events = read_log(project)
    assert [
        (event.version, event.client, event.number, event.actor, event.assessor) for event in events
    ] == [(2, FIRST, number, "person", "ann") for number in range(1, 12)]
    assert [event.parent for event in events] == [None, *(event.digest for event in events[:-1])]
    assert events[8].target == events[7].digest and first == (FIRST, 1)
    with open_project(project, writing=False) as done:
        ledger = get_ledger(done, "ann")
        key = events[0].item.key
        judgment, marks = ledger.judgment(key), ledger.marks(key)
        assert (
            judgment == events[0]
            and marks.unsure
            and marks.note == "a \U0001f319 note"
            and marks.rationales[0].begin == 8
        )
        assert ledger.is_skipped(events[4].item.key)


def test_the_same_result_renamed_doubled_or_longer_gives_the_same_events(
    project: Path, browser: Browser, tmp_path: Path
) -> None:
    first = browser.save(tmp_path / "ann.result.json")
    copy = Path(shutil.copy(first, tmp_path / "ann.result (1).txt"))
    assert accounting_of(merge_into(project, first, copy)) == [
        (6, 6, 0, 0, 0, 0),
        (6, 0, 6, 0, 0, 0),
    ]
    before = [event.digest for event in read_log(project)]
    browser.grade(6, 1)
    longer = browser.save(tmp_path / "again.json")
    assert accounting_of(merge_into(project, longer)) == [(7, 1, 6, 0, 0, 0)]
    assert [event.digest for event in read_log(project)][:6] == before
    assert accounting_of(merge_into(project, copy)) == [(6, 0, 6, 0, 0, 0)]


def test_merging_the_longer_result_first_or_both_at_once_gives_the_same_log(
    files: list[Path], project: Path, browser: Browser, tmp_path: Path
) -> None:
    short = browser.save(tmp_path / "short.json")
    browser.grade(6, 1)
    long = browser.save(tmp_path / "long.json")
    other = Path(shutil.copy(project, tmp_path / "other.irjudge"))
    assert accounting_of(merge_into(project, long, short)) == [
        (7, 7, 0, 0, 0, 0),
        (6, 0, 6, 0, 0, 0),
    ]
    merge_into(other, short, long)
    assert [event.digest for event in read_log(project)] == [
        event.digest for event in read_log(other)
    ]


def test_work_continued_elsewhere_is_one_log(
    project: Path, files: list[Path], browser: Browser, tmp_path: Path
) -> None:
    elsewhere = open_page(files[0], SECOND, browser, minute=9)
    elsewhere.grade(6, 1)
    elsewhere.undo(5, (FIRST, 6))
    merged = merge_into(
        project, elsewhere.save(tmp_path / "two.json"), browser.save(tmp_path / "one.json")
    )
    assert accounting_of(merged) == [(8, 7, 0, 1, 0, 0), (6, 0, 6, 0, 0, 0)] and not merged.warnings
    assert len(read_grades(project)) == 6


def test_a_result_continued_on_two_computers_is_a_fork_with_listed_differences(
    project: Path, files: list[Path], browser: Browser, tmp_path: Path
) -> None:
    left = open_page(files[0], SECOND, browser, minute=5)
    right = open_page(files[0], THIRD, browser, minute=6)
    left.grade(6, 0)
    left.grade(7, 1)
    right.grade(6, 3)
    right.grade(7, 1)
    right.grade(0, 3)  # the left one did not change it: no disagreement
    merged = merge_into(
        project, left.save(tmp_path / "left.json"), right.save(tmp_path / "right.json")
    )
    about = browser.items[6]["about"]
    separately, differently = merged.warnings
    assert separately.key == "separate-copies"
    assert separately.values == {"assessor": "ann", "branches": "2"}
    assert differently.key == "different-judgments"
    assert differently.values == {
        "assessor": "ann",
        "items": "1 item",
        "examples": f"{about['topic']} {about['documents'][0]}: 0 and 3",
        "remaining": "",
    }
    assert read_grades(project)[about["topic"], about["documents"][0]] == 3


def test_work_in_window_and_browser_is_kept_and_differences_are_listed(
    project: Path, files: list[Path], browser: Browser, tmp_path: Path
) -> None:
    judge_file(files[0], lambda topic, document: 1, limit=6)
    merged = merge_into(project, files[0], browser.save(tmp_path / "ann.result.json"))
    assert accounting_of(merged)[0] == (6, 6, 0, 0, 0, 0)
    separately, differently = merged.warnings
    assert separately.key == "separate-copies"
    assert separately.values == {"assessor": "ann", "branches": "2"}
    assert differently.key == "different-judgments" and differently.values["assessor"] == "ann"
    assert differently.values["items"] == "4 items" and "1 and 0" in differently.values["examples"]


def test_results_of_two_files_of_one_assessor_are_not_copies(project: Path, tmp_path: Path) -> None:
    with open_project(project) as class_project:
        made = assign_pool(
            class_project,
            parse_candidates("ann"),
            AssignmentOptions(seed=1),
            tmp_path / "split",
            file_format=replace(IRTASK_FORMAT, max_topics=2),
        ).files
    assert [each.topics for each in made] == [2, 1] and len({each.path for each in made}) == 2
    results = []
    for number, each in enumerate(made):
        browser = open_page(each.path, (FIRST, SECOND)[number])
        browser.grade(0, 1)
        results.append(browser.save(tmp_path / f"{number}.json"))
    assert merge_into(project, *results).warnings == () and len(read_grades(project)) == 2


# Damage on the way


def lines_of(browser: Browser) -> list[str]:
    return browser.result().split("\n")


def test_an_edited_action_is_named_and_those_before_it_are_imported(
    project: Path, browser: Browser, tmp_path: Path
) -> None:
    lines = lines_of(browser)
    lines[3] = lines[3].replace('\\"value\\":2', '\\"value\\":3')
    path = tmp_path / "edited.json"
    path.write_text("\n".join(lines))
    merged = merge_into(project, path)
    assert accounting_of(merged) == [(6, 2, 0, 0, 0, 4)]
    (report,) = merged.reports
    reasons = {reason.key: number for reason, number in report.reasons.items()}
    assert reasons == {"wrong-checksum": 1, "follows-unusable": 3}
    assert warnings_of(report)["first-misfit"]["event"].startswith("event 3")
    assert accounting_of(merge_into(project, browser.save(tmp_path / "whole.json"))) == [
        (6, 4, 2, 0, 0, 0)
    ]


def test_after_an_accepted_gap_the_rest_is_imported_and_an_intact_copy_still_fits(
    project: Path, browser: Browser, tmp_path: Path
) -> None:
    lines = lines_of(browser)
    lines[3] = lines[3].replace('\\"value\\":2', '\\"value\\":3')
    path = tmp_path / "edited.json"
    path.write_text("\n".join(lines))
    assert accounting_of(merge_into(project, path, accept_gap=True)) == [(6, 5, 0, 0, 0, 1)]
    browser.grade(6, 1)
    merged = merge_into(project, browser.save(tmp_path / "whole.json"))
    assert accounting_of(merged) == [(7, 2, 5, 0, 0, 0)]
    assert "separate-copies" not in {warning.key for warning in merged.warnings}
    assert accounting_of(merge_into(project, path)) == [(6, 0, 5, 0, 0, 1)]
    assert len(read_grades(project)) == 7


@pytest.mark.parametrize("line", [1, 3, 6])
def test_a_removed_action_is_detected(
    project: Path, browser: Browser, tmp_path: Path, line: int
) -> None:
    lines = lines_of(browser)
    del lines[line]
    if line == 6:
        lines[5] = lines[5].removesuffix(",")
    path = tmp_path / "less.json"
    path.write_text("\n".join(lines))
    merged = merge_into(project, path)
    assert accounting_of(merged)[0][:2] == (5, line - 1)
    receipt = warnings_of(merged.reports[0])["changed-receipt"]
    counts = [receipt[name].values["count"] for name in ("expected", "actions")]
    assert counts == ["6", "5"]


def test_a_result_truncated_anywhere_gives_its_readable_part_or_a_message(
    project: Path, browser: Browser, tmp_path: Path
) -> None:
    whole = browser.result().encode()
    sound = [
        row.digest
        for row in result_file.make_log(
            result_file.read_result(browser.save(tmp_path / "whole.json")), "ann", {}
        )
    ]
    path = tmp_path / "cut.json"
    taken = set()
    for size in range(0, len(whole) - 2, 11):
        path.write_bytes(whole[:size])
        try:
            result = result_file.read_result(path)
        except ProjectError as error:
            assert str(error).startswith("cut.json")
            continue
        digests = [row.digest for row in result_file.make_log(result, "ann", {}) if row.digest]
        assert digests == sound[: len(digests)] and "is truncated" in result.returned.damage[0]
        taken.add(len(digests))
    assert taken == set(range(7))
    path.write_bytes(whole[: len(whole) * 2 // 3])
    merged = merge_into(project, path)
    assert merged.reports[0].new >= 2 and "cut.json is truncated" in values_of(merged)


@pytest.mark.parametrize(
    "how", ["reformatted", "utf-16", "utf-8 with a mark", "other line ends", "no last line end"]
)
def test_reformatting_by_other_programs_does_no_harm(
    project: Path, browser: Browser, tmp_path: Path, how: str
) -> None:
    text = browser.result()
    data = {
        "reformatted": json.dumps(json.loads(text), indent=4).encode(),
        "utf-16": text.encode("utf-16"),
        "utf-8 with a mark": text.encode("utf-8-sig"),
        "other line ends": text.replace("\n", "\r\n").encode(),
        "no last line end": text.strip().encode(),
    }[how]
    path = tmp_path / "ann.result.json"
    path.write_bytes(data)
    merged = merge_into(project, path)
    assert (
        accounting_of(merged) == [(6, 6, 0, 0, 0, 0)]
        and "cut off" not in values_of(merged)
        and "changed" not in values_of(merged)
    )


@pytest.mark.slow
def test_a_result_of_another_project_assignment_or_assessor_is_refused(
    project: Path, browser: Browser, files: list[Path], tmp_path: Path
) -> None:
    (tmp_path / "b").mkdir()
    build_class(tmp_path / "b" / "other.irjudge", topics=("1", "2"))
    other = open_page(
        assign_class(tmp_path / "b" / "other.irjudge", tmp_path / "b" / "out").files[0].path
    )
    other.grade(0, 1)
    unknown, person = open_page(files[1]), open_page(files[1])
    unknown.task["assignment"] = "0" * 32
    person.task["assessor"] = "ann"
    unknown.grade(0, 1)
    person.grade(0, 1)
    paths = [
        made.save(tmp_path / f"{number}.json")
        for number, made in enumerate((other, unknown, person, browser))
    ]
    merged = merge_into(project, *paths)
    assert [bool(report.refused) for report in merged.reports] == [
        True,
        True,
        True,
        False,
    ] and accounting_of(merged)[3][1] == 6
    assert [report.refused.key for report in merged.reports[:3]] == [
        "another-project",
        "unknown-assignment",
        "another-assessor",
    ]
    person_refused = merged.reports[2].refused.values
    assert (person_refused["assessor"], person_refused["owner"]) == ("bob", "ann")


def test_a_result_moved_to_another_assignment_does_not_match(
    project: Path, browser: Browser, files: list[Path], tmp_path: Path
) -> None:
    text = (
        browser.result()
        .replace(browser.task["assignment"], open_page(files[1]).task["assignment"])
        .replace('"assessor":"ann"', '"assessor":"bob"')
    )
    path = tmp_path / "moved.json"
    path.write_text(text)
    merged = merge_into(project, path)
    assert accounting_of(merged) == [(6, 0, 0, 0, 0, 6)]


def test_a_different_action_with_a_known_number_is_refused(
    project: Path, browser: Browser, files: list[Path], tmp_path: Path
) -> None:
    merge_into(project, browser.save(tmp_path / "ann.json"))
    forged = open_page(files[0])
    for index in range(6):
        forged.grade(index, 3 if index == 2 else index % 4)
    merged = merge_into(project, forged.save(tmp_path / "forged.json"))
    assert accounting_of(merged) == [(6, 0, 5, 0, 0, 1)]
    assert [reason.key for reason in merged.reports[0].reasons] == ["number-taken"]


def test_a_submission_and_its_receipt_are_recorded(
    project: Path, browser: Browser, tmp_path: Path
) -> None:
    browser.handed_in = "2026-03-02T11:00:00.000Z"
    merged = merge_into(project, browser.save(tmp_path / "ann.json"))
    assert merged.reports[0].handed_in == "2026-03-02 11:00 UTC" and "handed in" not in values_of(
        merged
    )
    head = browser.checksums()[-1]
    assert f"Receipt {head[:4]} {head[4:8]} {head[8:12]}: 6 actions." in values_of(merged)


def test_a_result_of_an_older_round_is_merged_and_reported(
    project: Path, browser: Browser, tmp_path: Path
) -> None:
    with open_project(project) as opened_project:
        runs = [opened_project.rankings.run(run.name) for run in opened_project.rankings.runs()]
        opened_project.rankings.add_pool(depth_pool(runs, 5))
    merged = merge_into(project, browser.save(tmp_path / "ann.json"))
    assert accounting_of(merged)[0][1] == 6
    older = warnings_of(merged.reports[0])["older-pool"]
    assert (older["pool"], older["version"]) == ("1", "2")


# Untrusted JSON


def merge_rejected(project: Path, browser: Browser, tmp_path: Path) -> str:
    merged = merge_into(project, browser.save(tmp_path / "x.json"))
    (report,) = merged.reports
    assert report.rejected == 1 and report.new == report.read - 1, report
    return values_of(merged)


ITEM = {"type": "document", "topic": "1", "documents": ["d"], "contents": ["x"], "occurrence": 1}
BAD: list[tuple[str, dict[str, Any], str]] = [
    ("another kind", {"kind": "adjudicate"}, "only the organiser can adjudicate"),
    ("no kind", {"kind": "judge"}, "not a valid action"),
    ("a number twice", {"number": 1}, "sequence number"),
    ("a number left out", {"number": 99}, "sequence number"),
    ("a number that is too large", {"number": 2**53}, "not a valid action"),
    ("a number that is none", {"number": 2.0}, "not a valid action"),
    ("a client that is none", {"client": "ANN"}, "not a valid action"),
    ("a time that is none", {"time": "yesterday"}, "the time is invalid"),
    ("a payload that is none", {"payload": []}, "not a valid action"),
    (
        "a grade that is none",
        {"kind": "grade", "payload": {"value": 9, "scale": "?", "active_ms": 1}},
        "the document was graded on another scale",
    ),
    (
        "half a letter",
        {"kind": "note", "payload": {"text": "\ud800"}},
        "not a valid action",
    ),
    (
        "a target that is not there",
        {"kind": "undo", "payload": {}, "target": {"client": THIRD, "number": 1}},
        "to be undone or restored is missing",
    ),
    (
        "a target that is too large",
        {"kind": "undo", "payload": {}, "target": {"client": THIRD, "number": 2**53}},
        "not a valid action",
    ),
    ("a field more", {"more": 1}, "not a valid action"),
    ("an item that is none", {"item": {"type": "document"}}, "not a valid action"),
    ("numbers as documents", {"item": ITEM | {"documents": [1]}}, "not a valid action"),
    (
        "an occurrence that is true",
        {"item": ITEM | {"occurrence": True}},
        "not a valid action",
    ),
    ("an occurrence of none", {"item": ITEM | {"occurrence": 0}}, "invalid contents"),
    ("an item of nobody", {"item": ITEM}, "the item was not assigned"),
]


@pytest.mark.parametrize(
    ("fields", "says"), [each[1:] for each in BAD], ids=[each[0] for each in BAD]
)
def test_an_impossible_action_is_named_and_the_rest_imported(
    project: Path, files: list[Path], tmp_path: Path, fields: dict[str, Any], says: str
) -> None:
    made = open_page(files[0])
    made.grade(0, 1)
    made.act("skip", 1, {"active_ms": 1}, **fields)
    made.texts[-1] = made.texts[-1].replace("\ud800", "\\ud800")
    assert says in merge_rejected(project, made, tmp_path)


def test_large_numbers_are_not_valid_even_after_a_gap(browser: Browser, tmp_path: Path) -> None:
    """Multiples of 2**61 - 1 have the same hash value."""
    result = result_file.read_result(browser.save(tmp_path / "result.json"))
    text = result.actions[0].text or ""
    result.actions = [
        replace(result.actions[0], text=text.replace('"number":1,', f'"number":{number * factor},'))
        for factor in (2**53 - 3, 2**61 - 1)
        for number in (1, 2)
    ]
    rows = result_file.make_log(result, "ann", {}, accept_gap=True)
    assert [row.problem for row in rows] == [None, *["not a valid action"] * 3]


HOSTILE = {
    "empty": "",
    "a brace": "{",
    "no result": '{"a": 1}',
    "a list": "[1]",
    "deep": '{"a":' + "[" * 200_000,
    "deep header": '{"irjudge":"result","version":1,"assignment":'
    + "[" * 100_000
    + ',"actions":[\n]}',
    "a huge number": '{"irjudge":"result","version":'
    + "9" * 10_000
    + ',"assignment":"a","actions":[\n],"receipt":{}}',
    "not a number": '{"irjudge":"result","version":NaN,"assignment":"a","actions":[\n],"receipt":{}}',
    "true as a version": '{"irjudge":"result","version":true,"assignment":"a","actions":[\n],"receipt":{}}',
    "a newer form": '{"irjudge":"result","version":3,"assignment":"a","actions":[\n],"receipt":{}}',
    "no assignment": '{"irjudge":"result","version":1,"assignment":[],"actions":[\n],"receipt":{}}',
    "actions that are none": '{"irjudge":"result","version":1,"assignment":"a","actions":7}',
    "many brackets": '{"irjudge":"result","version":1,"assignment":"a","x":['
    + "[]," * 300_000
    + '0],"actions":[]}',
    "a page": '<!doctype html><html><script id="task">{}</script>',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_malformed_json_is_reported_and_the_others_are_merged(
    project: Path, browser: Browser, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "strange.json"
    path.write_text(HOSTILE[name])
    merged = merge_into(project, path, browser.save(tmp_path / "ann.json"))
    invalid, sound = merged.reports
    assert invalid.refused and invalid.refused.startswith("strange.json") and sound.new == 6
    assert name != "a newer form" or "format 3" in invalid.refused
    assert name != "a page" or "press Save result" in invalid.refused


def test_rows_of_other_types_are_rejected_one_by_one(
    project: Path, browser: Browser, tmp_path: Path
) -> None:
    lines = lines_of(browser)
    for index, strange in enumerate(
        ("7,", '["x"],', "[1,2],", "[" * 50_000, '["' + "0" * 64 + '",null],', '"\ud83d"')
    ):
        lines.insert(7 + index, strange.encode("utf-8", "replace").decode())
    lines[6] += ","
    path = tmp_path / "rows.json"
    path.write_text("\n".join(lines))
    merged = merge_into(project, path)
    assert accounting_of(merged) == [(12, 6, 0, 0, 0, 6)]


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("", "", False),
        ('"assessor":"ann"', '"assessor":"bob"', True),
        ('"handed_in":""', '"handed_in":"2026-03-02T10:00:00.000Z"', True),
        ('"version":2', '"version":1', True),
        (',"head":"', ',"other":"', True),
    ],
)
def test_the_header_of_a_result_is_protected_by_a_checksum(
    browser: Browser, tmp_path: Path, old: str, new: str, changed: bool
) -> None:
    path = tmp_path / "ann.result.json"
    text = browser.result().replace(old, new, 1)
    path.write_text(text)
    for laid_out in (
        text,
        json.dumps(json.loads(text), ensure_ascii=False, indent=1),
    ):  # another program may reformat it
        path.write_text(laid_out)
        damage = result_file.read_result(path).returned.damage
        assert ("changed-header" in [each.key for each in damage]) == changed


def test_a_result_in_the_first_format_has_no_header_checksum(
    browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "ann.result.json"
    path.write_text(
        browser.result()
        .replace('"version":2', '"version":1')
        .replace(',"head":"', ',"#')
        .split(',"#')[0]
        + "}}\n"
    )
    assert result_file.read_result(path).returned.damage == []


def test_a_file_far_too_large_is_not_read(
    project: Path, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(result_file, "MAX_RESULT_BYTES", 1000)
    merged = merge_into(project, browser.save(tmp_path / "ann.json"))
    refused = merged.reports[0].refused
    assert (refused.key, refused.values["limit"]) == ("result-too-large", "1,000")
    monkeypatch.setattr(result_file, "MAX_RESULT_BYTES", (tmp_path / "ann.json").stat().st_size)
    assert not merge_into(project, tmp_path / "ann.json").reports[0].refused


def test_changed_bytes_anywhere_do_no_harm(browser: Browser, tmp_path: Path, full: bool) -> None:
    whole = browser.result().encode()
    path, header = tmp_path / "ann.result.json", whole.index(b"\n")
    sound = {
        row.digest
        for row in result_file.make_log(result_file.read_result(browser.save(path)), "ann", {})
    }
    for at in range(0, len(whole), 3 if full else 97):
        for patch in (b"\0", b'"', b"}", b"9"):
            path.write_bytes(whole[:at] + patch + whole[at + 1 :])
            try:
                result = result_file.read_result(path)
            except ProjectError as error:
                assert str(error).startswith("ann.result.json")
                continue
            rows = result_file.make_log(result, "ann", {})
            assert at >= header or whole[at : at + 1] == patch or result.returned.damage, (
                at,
                patch,
            )
            assert len(rows) <= 8 and {row.digest for row in rows if row.digest} <= sound


def test_judging_continues_in_a_project_with_events_of_both_kinds(
    project: Path, files: list[Path], browser: Browser, tmp_path: Path
) -> None:
    merge_into(project, browser.save(tmp_path / "ann.json"))
    with open_project(project) as opened_project:
        session = Session(opened_project, "ann")
        work = session.current()
        assert work
        event = session.grade(work, 1)
        assert event.version == 1 and event.parent == read_log(project)[5].digest
