"""Tests of several documents per page: option, files, judgments, merging, and workbook."""

from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.exchange import AssignmentOptions, assign_pool, merge_files, parse_candidates, reassign
from irjudge.judging import Session
from irjudge.model import PageSeen, action_problem
from irjudge.model.events import payload_problem
from irjudge.report.workbook.sheets import JudgmentRow
from irjudge.store import open_project, read_documents_per_page, select_page
from irjudge.web import HTML, SchedulingOptions, SessionOptions, begin_session
from tests.engine.exchange.browser_results import open_page
from tests.engine.web.page_parser import read_task
from tests.engine.web.session_client import Person, run_server

INVALID_PAGES = ("00021", "many", "1", "13", "-6", "٦", "9" * 30)


def test_files_have_the_page_size_of_their_round_after_reassignment_too(
    project: Path,
) -> None:
    people, folder = parse_candidates("ann,bob"), project.parent
    with open_project(project) as lead:
        (asked, _) = assign_pool(
            lead, people, AssignmentOptions(topics=("051",), several=4), folder / "a"
        ).files
        (alone, _) = assign_pool(
            lead, people, AssignmentOptions(topics=("007",)), folder / "b"
        ).files
        (page, _) = assign_pool(
            lead,
            people,
            AssignmentOptions(topics=("9",), several=5),
            folder / "c",
            file_format=HTML,
        ).files
        (again,) = reassign(lead, "ann", folder / "d", assessors=parse_candidates("cleo")).files
    assert (
        read_task(page.path)["settings"]["several"] == 5
        and read_task(page.path)["settings"]["usual_several"] == 6
    )
    for made, count in ((asked, 4), (alone, 0), (again, 5)):
        with open_project(made.path) as file:
            assert (
                read_documents_per_page(file, file.assignments.assessor_assignment())
                == count
                == open_page(made.path).task["settings"]["several"]
            )
            for invalid_page in INVALID_PAGES:
                file.set_setting("several", invalid_page)
                assert read_documents_per_page(file, file.assignments.assessor_assignment()) == 0, (
                    invalid_page
                )


@pytest.mark.parametrize("count", [1, 13, -1])
def test_a_page_size_out_of_range_is_refused(project: Path, count: int) -> None:
    with (
        open_project(project) as lead,
        pytest.raises(IrjudgeError, match=f"2 to 12.*{count}"),
    ):
        assign_pool(
            lead, parse_candidates("ann"), AssignmentOptions(several=count), project.parent / "out"
        )


def test_a_judgment_keeps_its_page_through_file_result_merge_and_workbook(project: Path) -> None:
    with open_project(project) as lead:
        options = AssignmentOptions(topics=("051",), several=4)
        ann, bob = (
            made.path
            for made in assign_pool(
                lead, parse_candidates("ann,bob"), options, project.parent / "out"
            ).files
        )
    with open_project(ann) as file:
        session = Session(file)
        work = session.current()
        assert work is not None
        ids = [item.document for item in session.page(work.queue_item, 4)]
        seen = PageSeen(tuple(ids), tuple(ids[:3]))
        session.grade(work, 2, active_ms=900, page=seen)
        session.skip(session.advance() or work, page=seen)
        session.mark_unjudgeable(session.advance() or work, "spam", page=seen)
        assert session.page(work.queue_item, 4) == session.page(
            session.queue.topic_items("051")[3], 4
        ), "the documents of a page are cut once"
    browser = open_page(bob)
    shown = {"order": ["b", "a"], "visible": ["a"]}
    scale = browser.task["scale"]["version"]
    browser.act("grade", 0, {"value": 1, "scale": scale, "active_ms": 10, "page": shown})
    browser.act(
        "grade",
        1,
        {"value": 1, "scale": scale, "active_ms": 10, "page": {"order": ["a"], "visible": ["b"]}},
    )
    result = browser.save(project.parent / "bob.result.json")
    with open_project(project) as lead:
        merged = {each.assessor: each for each in merge_files(lead, [ann, result]).reports}
        events_by_assessor = {
            each.assessor: each for each in lead.events.read() if each.kind == "grade"
        }
    assert merged["ann"].new == 3 and (merged["bob"].new, merged["bob"].rejected) == (1, 1)
    assert PageSeen.from_payload(
        events_by_assessor["ann"].payload
    ) == seen and PageSeen.from_payload(events_by_assessor["bob"].payload) == PageSeen(
        ("b", "a"), ("a",)
    )
    row = JudgmentRow.from_event(events_by_assessor["ann"])
    assert (row.page, row.seen) == (" ".join(ids), " ".join(ids[:3])) and row.active_ms == 900


def test_a_session_gives_all_documents_of_a_page_together(project: Path) -> None:
    options = SessionOptions(SchedulingOptions(overlap=2), ("051",), several=8)
    assert (
        SessionOptions.from_json(options.as_json()) == options
        and SessionOptions.from_json({**SessionOptions().as_json(), "several": 0}).several == 0
    )
    with run_server(project, options) as server:
        ann = Person(server, "Ann")
        assert ann.call("/welcome", {})["task"]["settings"]["several"] == 8
        assert len(ann.sync(want=9)["items"]) == 8
        item = ann.items[ann.open_items()[0]]
        page = {
            "order": [each["documents"][0] for each in ann.items.values()],
            "visible": item["documents"],
        }
        ann.act("skip", item, {"active_ms": 1, "page": page})
        assert ann.sync(want=0)["refused"] is None
    with open_project(project) as lead:
        assert [PageSeen.from_payload(event.payload) for event in lead.events.read()] == [
            PageSeen(tuple(page["order"]), tuple(item["documents"]))
        ]
        with pytest.raises(IrjudgeError) as error:
            begin_session(lead, SessionOptions(SchedulingOptions(order="learning"), several=4))
        assert error.value.key == "several-for-grading"


@pytest.mark.parametrize(
    "page",
    [
        [],
        {"order": ["a"]},
        {"order": [], "visible": []},
        {"order": ["a", "b"], "visible": ["b", "a"]},
        {"order": [1], "visible": []},
        {"order": ["a"], "visible": [], "grade": 2},
        {"order": [str(number) for number in range(101)], "visible": []},
    ],
)
def test_an_invalid_page_is_rejected(page: object) -> None:
    for kind, payload in (
        ("grade", {"value": 1}),
        ("unjudgeable", {"reason": "spam"}),
        ("skip", {}),
    ):
        assert payload_problem(kind, payload) is None and action_problem(kind, payload) is None
        assert payload_problem(kind, {**payload, "page": page}) is not None
    assert (
        action_problem("note", {"text": "", "page": {"order": ["a"], "visible": ["a"]}}) is not None
    )


def test_pages_are_split_once_and_lose_nothing() -> None:
    for size in range(2, 13):
        documents = range(29)
        pages = [select_page(documents, at, size) for at in documents]
        assert all(
            at in page and len(page) <= size for at, page in zip(documents, pages, strict=True)
        )
        assert [each for page in dict.fromkeys(pages) for each in page] == list(documents)
