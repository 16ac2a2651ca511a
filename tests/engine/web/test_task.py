"""Tests of tasks for a browser: items in order, highlighted terms, and no secrets."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.exchange import (
    AssignmentOptions,
    assign_comparison,
    assign_pool,
    pair_runs,
    parse_candidates,
)
from irjudge.exchange import ComparisonOptions as Comparison
from irjudge.judging import ComparisonSession, Session
from irjudge.model import AssignedItem, ComparisonRules, Document, Topic, make_qrels, make_run
from irjudge.store import CALIBRATION, INSTRUCTIONS, open_project, shown_field_names
from irjudge.web.page import render_page
from irjudge.web.task import ItemRenderer, make_task
from tests.engine.exchange.classroom import build_class
from tests.engine.web.page_parser import PageParser, make_task_of, pieces_at
from tests.outside_edits import edit
from tests.pools import depth_pool

PAGE = Path(__file__).parent / "small_page"


def read_task(path: Path) -> dict[str, Any]:
    with open_project(path, writing=False) as opened:
        return make_task_of(opened)


def text_of(task: dict[str, Any], content: int) -> str:
    return "".join(PageParser(piece).text for piece in task["contents"][content]["html"])


def assign_comparison_files(project: Path, folder: Path, **options: Any) -> Path:
    with open_project(project) as opened:
        asked = Comparison(
            pair_runs(("zebrarank", "okapifuse", "quaggablend")), depth=5, seed=4, **options
        )
        return assign_comparison(opened, parse_candidates("ann"), asked, folder).files[0].path


# Items


@pytest.mark.slow
def test_items_are_in_the_assessors_order_with_the_fields_of_events(
    files: list[Path],
) -> None:
    task = read_task(files[0])
    with open_project(files[0]) as opened:
        session = Session(opened)
        queue_items = [
            items for topic in session.topics for items in session.queue.topic_items(topic)
        ]
        events = [session.skip(session.open_item(items)) for items in queue_items]
    assert [item["about"] for item in task["items"]] == [
        json.loads(event.canonical_bytes)["item"] | {"occurrence": event.item.occurrence}
        for event in events
    ]
    assert max(item["about"]["occurrence"] for item in task["items"]) == 2  # the planted repeat
    named = [
        (
            task["topics"][item["topic"]]["id"],
            [task["documents"][items]["id"] for items in item["documents"]],
        )
        for item in task["items"]
    ]
    assert named == [(item["about"]["topic"], item["about"]["documents"]) for item in task["items"]]


def test_sides_are_as_in_the_window_and_identical_lists_are_marked(
    three_runs_project: Path, tmp_path: Path
) -> None:
    path = assign_comparison_files(
        three_runs_project,
        tmp_path / "out",
        rules=ComparisonRules(reasons=("clearer",), grading=True),
    )
    task = read_task(path)
    with open_project(path) as opened:
        current = ComparisonSession(opened).current()
        assert current
    item = next(item for item in task["items"] if not item["identical"])
    shown = [task["documents"][position]["id"] for position in item["documents"]]
    assert (
        shown == list(current.item.documents)
        and item["sizes"] == [5, 5]
        and item["sides"] == list(current.item.sides)
    )
    views = [
        task["views"][f"{item['topic']}/{task['documents'][position]['content']}"]
        for position in item["documents"]
    ]
    assert [view["snippet"]["text"] for view in views] == [
        result.snippet.text for result in current.results
    ]
    assert (
        task["mode"] == "panels"
        and task["rules"]["reasons"] == ["clearer"]
        and task["rules"]["grading"]
    )
    assert any(item["identical"] for item in task["items"])  # two of the runs are the same


def test_a_comparison_that_depends_on_answers_is_possible_only_in_the_window(
    three_runs_project: Path, tmp_path: Path
) -> None:
    path = assign_comparison_files(
        three_runs_project, tmp_path / "out", choice="top", rules=ComparisonRules(top=2)
    )
    with pytest.raises(IrjudgeError, match="browser file does not"):
        read_task(path)


def test_an_organisers_project_is_not_a_task(project: Path) -> None:
    with pytest.raises(IrjudgeError) as error:
        read_task(project)
    assert error.value.key == "not-assigned" and error.value.values["file"] == project.name


def test_the_file_and_the_organisers_project_give_the_same_task(
    project: Path, files: list[Path], three_runs_project: Path, tmp_path: Path
) -> None:
    panels = assign_comparison_files(three_runs_project, tmp_path / "panels")
    with open_project(project, writing=False) as opened:
        for assignment in opened.assignments.all():
            path = next(each for each in [*files, panels] if each.name == assignment.file)
            assert make_task(
                opened, assignment, opened.assignments.items(assignment.code)
            ) == read_task(path)


# Texts and terms


def test_topic_terms_are_located_and_counted_in_the_text_shown_by_the_browser(
    project: Path, tmp_path: Path
) -> None:
    with open_project(project) as opened:
        opened.collection.add_topics([Topic("moon", "tides of the moon")])
        opened.collection.add_documents(
            [
                Document(
                    "moon1",
                    "\U0001f319 The tidal moon.\n\nTides & moons \U0001f319 again".encode(),
                    "Moon \U0001f319",
                )
            ]
        )
        opened.set_setting(CALIBRATION, json.dumps({"moon": {"moon1": 2}}))
        pool = opened.rankings.pool()
        assert pool
        rows = [("051", "t051n1", 1.0), ("moon", "moon1", 1.0)]
        opened.rankings.add_run(make_run("other", rows))
        opened.rankings.add_pool(depth_pool([opened.rankings.run("other")], 5))
        path = (
            assign_pool(
                opened, parse_candidates("ann"), AssignmentOptions(seed=1), tmp_path / "out"
            )
            .files[0]
            .path
        )
    task = read_task(path)
    topic = next(index for index, each in enumerate(task["topics"]) if each["id"] == "moon")
    item = next(item for item in task["items"] if item["topic"] == topic)
    content = task["documents"][item["documents"][0]]["content"]
    hits = task["views"][f"{topic}/{content}"]["hits"]
    flat = [index for number, index in enumerate(hits) if number % 3 != 2]
    result = pieces_at(text_of(task, content), flat)
    assert result == ["Moon", "moon", "Tides", "moons"] and [
        task["topics"][topic]["terms"][term] for term in hits[2::3]
    ] == [
        "moon",
        "moon",
        "tides",
        "moon",
    ]
    assert pieces_at(text_of(task, content), task["views"][f"{topic}/{content}"]["passage"])[
        0
    ].startswith("Moon")
    assert item["agreed"] == 2 and all(
        "agreed" not in other for other in task["items"] if other is not item
    )


def test_a_text_with_several_ids_is_included_once(project: Path, tmp_path: Path) -> None:
    with open_project(project) as opened:
        document = opened.collection.document("t051n1")
        assert document
        opened.collection.add_documents([Document("copy", document.body, document.title)])
        path = (
            assign_pool(
                opened, parse_candidates("ann"), AssignmentOptions(seed=1), tmp_path / "out"
            )
            .files[0]
            .path
        )
    digests = [content["digest"] for content in read_task(path)["contents"]]
    assert len(digests) == len(set(digests))


def test_instructions_are_harmless_html(project: Path, tmp_path: Path) -> None:
    with open_project(project) as opened:
        opened.set_setting(
            INSTRUCTIONS, "# Do this\n\n<script>x()</script>\n\n[see](https://x.org)"
        )
        path = (
            assign_pool(
                opened, parse_candidates("ann"), AssignmentOptions(seed=1), tmp_path / "out"
            )
            .files[0]
            .path
        )
    text = read_task(path)["instructions"]
    assert "Do this" in text and "script" not in text and 'data-link="https://x.org"' in text


# Secrets


def read_page(path: Path) -> bytes:
    with open_project(path, writing=False) as opened:
        return render_page(make_task_of(opened), PAGE).encode()


@pytest.mark.slow
def test_no_byte_of_a_page_depends_on_gold_run_names_ranks_or_scores(
    project: Path, three_runs_project: Path, tmp_path: Path
) -> None:
    assign_comparison_files(three_runs_project, tmp_path / "panels")
    with open_project(project) as opened:
        assign_pool(
            opened,
            parse_candidates("ann,bob"),
            AssignmentOptions(overlap=2, gold=2, repeats=1, qualification=1, seed=5),
            tmp_path / "out",
        )
    other = Path(shutil.copy(project, tmp_path / "other.irjudge"))
    edit(
        other,
        "UPDATE run SET name = 'x' || (code * 7 % 5)",
        "UPDATE run_topic SET score = randomblob(length(score)), rank = zeroblob(length(rank))",
        "UPDATE qrels_topic SET grade = zeroblob(length(grade))",
        "UPDATE assignment_secret SET role = 'document' WHERE role = 'gold'",
        "UPDATE assignment_secret SET left_run = right_run, right_run = left_run",
        "UPDATE pool_topic SET contribution_rank = zeroblob(length(contribution_rank))",
        "UPDATE pool_topic SET contribution_run = zeroblob(length(contribution_run))",
        "UPDATE assignment_round SET seed = 77",
    )
    assert read_pages(other) == read_pages(project) != {}


def read_pages(project: Path) -> dict[str, bytes]:
    with open_project(project, writing=False) as opened:
        result = [
            (each.id, make_task(opened, each, opened.assignments.items(each.code), file=each.file))
            for each in opened.assignments.all()
        ]
    return {id: render_page(task, PAGE).encode() for id, task in result}


@pytest.mark.slow
def test_a_plan_that_uses_all_gold_does_not_reveal_its_grades(tmp_path: Path) -> None:
    """From files to pages: with reversed gold grades, every page is the same."""
    pages = []
    for turn in (0, 3):
        path = tmp_path / str(turn) / "class.irjudge"
        path.parent.mkdir()
        build_class(path)
        edit(path, "DELETE FROM qrels_topic", "DELETE FROM qrels")
        with open_project(path) as opened:
            answers = [
                (topic, f"t{topic}n{number}", abs(turn - number % 4))
                for topic in ("051", "007", "9")
                for number in range(12, 16)
            ]
            opened.rankings.add_qrels("truth", make_qrels(answers))
            made = assign_pool(
                opened,
                parse_candidates("ann,bob"),
                AssignmentOptions(overlap=2, gold=12, seed=5),
                tmp_path / str(turn) / "out",
            )
        pages.append([read_page(each.path) for each in made.files])
    assert pages[0] == pages[1]


def test_no_run_score_seed_gold_mark_or_other_assessor_is_in_a_page(files: list[Path]) -> None:
    # every page has a text about gold items
    page = read_page(files[0]).replace(b"all gold items shown", b"")
    for word in (
        b"zebrarank",
        b"okapifuse",
        b"truth",
        b"bob",
        b"cleo",
        b"teacher",
        b"gold",
        b"repeat",
        b"qualification",
        b"agreed",
    ):
        assert word not in page
    assert b"ann" in page and b"title of 051" in page


# Single items


def test_single_items_are_read_by_one_statement_and_once(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_project(project, writing=False) as opened:
        texts = {document.id: document for document in opened.collection.documents()}
        items = [AssignedItem("0", ((name,),)) for name in list(texts)[:4]]
        fragments, asked, real = ItemRenderer(opened), [], opened.collection.documents_by_id
        shown_field_names(opened)  # cached until something is written
        monkeypatch.setattr(
            opened.collection,
            "documents_by_id",
            lambda names: asked.append(list(names)) or real(names),
        )
        for name in ("document", "topics"):
            monkeypatch.setattr(opened.collection, name, None)
        monkeypatch.setattr(type(opened), "get_setting", None)
        first = fragments.render([(item, 1) for item in items[:3]])
        again = fragments.render([(items[0], 2), (items[3], 1)])
    assert asked == [
        list(dict.fromkeys(name for item in some for name in item.documents))
        for some in (items[:3], items[3:])
    ]
    for made, item in zip(first, items, strict=False):
        (shown,) = made["items"]
        assert (
            shown["about"]["contents"] == [texts[name].digest.hex() for name in item.documents]
            and shown["about"]["occurrence"] == 1
        )
        assert [topic["id"] for topic in made["topics"]] == [item.topic]
    assert again[0]["items"][0]["about"] == {**first[0]["items"][0]["about"], "occurrence": 2}


def test_an_item_without_a_text_is_reported(project: Path) -> None:
    with (
        open_project(project, writing=False) as opened,
        pytest.raises(ProjectError) as error,
    ):
        ItemRenderer(opened).render([(AssignedItem("0", (("gone",),)), 1)])
    assert error.value.key == "document-without-text" and error.value.values["name"] == "gone"
