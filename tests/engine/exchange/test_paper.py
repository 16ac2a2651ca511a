"""Tests of paper booklets: codes detect errors, and entered marks equal judgments in the window."""

from collections.abc import Iterator
from dataclasses import astuple
from itertools import pairwise
from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.exchange import (
    AssignmentOptions,
    BookletPage,
    assign_pool,
    enter_booklets,
    make_booklet,
    paper,
    parse_candidates,
    read_entries,
    read_entry,
    read_pages,
    record_entry,
)
from irjudge.exchange.paper import make_page_code
from irjudge.judging import Session, get_ledger, list_grades_in_force
from irjudge.model import Document, Event, Scale, make_run
from irjudge.store import Project, create_project, open_project
from tests.pools import depth_pool


@pytest.fixture
def project(project_file: Path) -> Iterator[Project]:
    with open_project(project_file) as opened:
        yield opened


def written_at(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "entries.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_wrong_digit_and_two_transposed_digits_are_detected_in_every_code() -> None:
    codes = {make_page_code(number) for number in range(1, 1200)}
    for code in list(codes)[:300]:
        for at, digit in enumerate(code):
            assert (
                not {code[:at] + other + code[at + 1 :] for other in "0123456789" if other != digit}
                & codes
            )
        swapped = {
            code[:at] + b + a + code[at + 2 :] for at, (a, b) in enumerate(pairwise(code)) if a != b
        }
        assert not swapped & codes


def test_each_document_is_on_one_page_of_its_topic(project: Project) -> None:
    booklet = make_booklet(project, "ann")
    session = Session(project, "ann")
    printed = [
        (page.topic, document) for page in booklet.pages.values() for document in page.documents
    ]
    assert printed == [
        (topic, item.document)
        for topic in session.topics
        for item in session.queue.topic_items(topic)
    ]
    assert len(booklet) == 12 and read_pages(project) == booklet.pages


def test_a_booklet_made_again_has_the_same_codes_and_other_booklets_different_ones(
    project: Project,
) -> None:
    ann, bob = make_booklet(project, "ann"), make_booklet(project, "bob")
    assert make_booklet(project, "ann") == ann
    assert not set(ann.pages) & set(bob.pages)


def test_an_assessor_with_an_assignment_gets_its_documents(
    project: Project, tmp_path: Path
) -> None:
    assign_pool(
        project, parse_candidates("dora,emil"), AssignmentOptions(overlap=1), tmp_path / "out"
    )
    ann, bob = (make_booklet(project, name) for name in ("dora", "emil"))
    both = [
        (page.topic, each)
        for booklet in (ann, bob)
        for page in booklet.pages.values()
        for each in page.documents
    ]
    assert len(both) == len(set(both)) == 12 and len(ann) == len(bob)


def test_entered_marks_equal_the_same_judgments_in_the_window(
    project: Project, project_file: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.irjudge"
    project.copy_to(other)
    booklet = make_booklet(project, "ann")
    given = {
        item.key: (number * 7) % 4
        for number, item in enumerate(
            each for page in booklet.pages.values() for each in page.items()
        )
    }
    lines = [
        f"{code} {''.join(str(given[item.key]) for item in page.items())}"
        for code, page in booklet.pages.items()
    ]
    for entry in read_entries(project, written_at(tmp_path, *lines)):
        record_entry(project, entry)
    with open_project(other) as judged:
        session = Session(judged, "ann")
        while work := session.current():
            if session.judgment(work.queue_item) is not None:
                break
            session.grade(work, given[work.queue_item.key])
            session.advance()
        window = {
            event.item: comparable_fields(event) for event in list_grades_in_force(judged, "ann")
        }
    papers = list_grades_in_force(project, "ann")
    assert {event.item: comparable_fields(event) for event in papers} == window and len(
        window
    ) == 12
    assert {event.payload["paper"] for event in papers} == set(booklet.pages)
    assert project.verify().problems == ()


def comparable_fields(event: Event) -> tuple[str, str, dict[str, object]]:
    """Return the fields of an event, without time, predecessor and source."""
    return (
        event.assessor,
        event.kind,
        {
            name: value
            for name, value in event.payload.items()
            if name not in ("paper", "active_ms")
        },
    )


def first_page(project: Project) -> tuple[str, BookletPage]:
    return next(iter(make_booklet(project, "ann").pages.items()))


def test_empty_boxes_stay_unjudged_and_unjudgeable_documents_are_marked(
    project: Project, tmp_path: Path
) -> None:
    code, page = first_page(project)
    [entry] = read_entries(
        project,
        written_at(
            tmp_path,
            "# first pile",
            f"{int(code)} 3x" + "-" * (len(page.documents) - 2) + "  # blue ink",
        ),
    )
    done = record_entry(project, entry)
    assert (done.new_count, done.known_count, done.empty_count) == (2, 0, len(page.documents) - 2)
    assert [event.kind for event in list_grades_in_force(project, "ann")] == [
        "grade",
        "unjudgeable",
    ]


def test_the_counts_of_an_assessor_cover_all_pages(project: Project, tmp_path: Path) -> None:
    pages = make_booklet(project, "ann").pages
    sizes = [len(page.documents) for page in pages.values()]
    lines = [f"{code} {'1' * (size - 1)}-" for code, size in zip(pages, sizes, strict=True)]
    with pytest.raises(IrjudgeError):
        enter_booklets(project, written_at(tmp_path, *lines, "no code"))
    (made,) = enter_booklets(project, written_at(tmp_path, *lines)).values()
    assert astuple(made) == (sum(sizes) - len(pages), 0, len(pages))
    made = enter_booklets(project, written_at(tmp_path, *lines))["ann"]
    assert astuple(made) == (0, sum(sizes) - len(pages), len(pages))


def test_a_page_entered_twice_changes_nothing_and_a_correction_replaces_the_first(
    project: Project,
) -> None:
    code, page = first_page(project)
    scale, rest = project.scale, ["0"] * (len(page.documents) - 1)
    for tick, new in (("2", len(page.documents)), ("2", 0), ("1", 1)):
        assert (
            record_entry(project, read_entry({code: page}, scale, code, [tick, *rest])).new_count
            == new
        )
    first = next(page.items())
    assert get_ledger(project, "ann").judgment(first.key).payload["value"] == 1
    assert len(get_ledger(project, "ann").history(first.key)) == 2


def test_a_page_entered_again_keeps_a_correction_in_the_window(project: Project) -> None:
    """Ann ticked 2 and corrected it to 3 on the screen; the same file is entered again."""
    code, page = first_page(project)
    ticks = ["2"] * len(page.documents)
    entry = read_entry({code: page}, project.scale, code, ticks)
    record_entry(project, entry)
    session = Session(project, "ann")
    work = session.open_item(session.queue.topic_items(page.topic)[0])
    session.grade(work, 3)
    report = record_entry(project, entry)
    assert (report.new_count, report.known_count) == (0, len(page.documents))
    assert get_ledger(project, "ann").judgment(work.queue_item.key).payload["value"] == 3


@pytest.mark.parametrize(
    ("invalid", "key", "values"),
    [
        ("0031 0", "wrong-digit", {"code": "0031"}),
        (f"{make_page_code(999)} 0", "unknown-page", {"code": make_page_code(999)}),
        ("page 0", "not-a-code", {"code": "'page'"}),
        ("{code} 0", "wrong-number-of-ticks", {"documents": "6", "ticks": "1"}),
        ("{code} 0 0 0 0 0 9", "not-a-grade", {"tick": "'9'", "values": "0, 1, 2, 3"}),
        ("{code} 00000q", "not-a-grade", {"tick": "'q'"}),
        ("{code} 000000", "repeated-page", {"earlier_line": "1"}),
    ],
)
def test_an_invalid_line_is_reported_and_nothing_is_entered(
    project: Project, tmp_path: Path, invalid: str, key: str, values: dict[str, str]
) -> None:
    code, page = first_page(project)
    assert len(page.documents) == 6
    with pytest.raises(IrjudgeError) as error:
        read_entries(project, written_at(tmp_path, f"{code} 000000", invalid.format(code=code)))
    assert error.value.key == key and error.value.values["line"] == "2"
    assert error.value.values.items() >= values.items()
    assert not list_grades_in_force(project, "ann")


def test_a_page_of_another_scale_is_refused(project: Project) -> None:
    code, page = first_page(project)
    with pytest.raises(IrjudgeError, match="different scale"):
        read_entry({code: page}, Scale.parse("binary"), code, ["1"] * 6)


def test_grades_of_one_or_two_digits_typed_as_one_word_are_not_guessed() -> None:
    scale = Scale.parse("0-20")
    code = make_page_code(7)

    def read(ticks: str) -> tuple[int | str, ...]:
        count = len(expected[ticks])
        documents = tuple(f"d{number}" for number in range(count))
        page = BookletPage("ann", "1", documents, ("",) * count, tuple([1] * count), scale.version)
        return read_entry({code: page}, scale, code, ticks.split()).ticks

    expected: dict[str, tuple[int | str, ...]] = {
        "0110": (1, 10),
        "1 10": (1, 10),
        "1x10-": (1, "x", 10, "-"),
        "7": (7,),
        "110": (1, 10),
        "x121": ("x", 12, 1),
    }
    for ticks in ("0110", "1 10", "1x10-", "7"):
        assert read(ticks) == expected[ticks]
    for ticks in ("110", "x121"):  # 1 10 or 11 0; 12 1 or 1 21
        with pytest.raises(IrjudgeError) as error:
            read(ticks)
        assert error.value.key == "ambiguous-ticks" and error.value.values["word"] == ticks


def test_a_printed_booklet_can_be_entered_after_the_pool_has_grown(project: Project) -> None:
    code, page = first_page(project)
    project.collection.add_documents([Document("d99", b"new")])
    project.rankings.add_pool(depth_pool([make_run("new", [("051", "d99", 2.0)])], 10))
    assert code not in make_booklet(project, "ann").pages
    record_entry(project, read_entry(read_pages(project), project.scale, code, ["1"] * 6))
    assert {event.item.documents for event in list_grades_in_force(project, "ann")} == {
        (each,) for each in page.documents
    }


def test_long_texts_have_their_own_pages_and_the_longest_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "long.irjudge"
    texts = {
        "short": "tide " * 20,
        "long": "tide " * 1700,
        "book": "tide " * 5000,
        "汉字": "潮汐" * 600,
    }
    run = make_run("bm25", [("1", name, 9.0 - at) for at, name in enumerate(texts)])
    with create_project(path, scale=Scale.parse("0-11"), owner="ann") as made:
        made.collection.add_documents(Document(name, text.encode()) for name, text in texts.items())
        made.rankings.add_pool(depth_pool([run], 10))
        booklet = make_booklet(made)
        assert booklet.too_long == ("book",) and len(booklet) == 3
        assert all(
            len(page.documents) == 1 or "long" not in page.documents
            for page in booklet.pages.values()
        )
        code, page = next(
            (code, page) for code, page in booklet.pages.items() if "short" in page.documents
        )
        assert (
            read_entry(booklet.pages, made.scale, code, ["1102"[: 2 * len(page.documents)]]).ticks[
                0
            ]
            == 11
        )


def test_without_anything_to_judge_no_booklet_is_created(tmp_path: Path) -> None:
    with create_project(tmp_path / "empty.irjudge", scale=Scale.parse("0-3")) as made:
        with pytest.raises(ProjectError, match="nothing to print"):
            make_booklet(made, "ann")
        assert made.get_setting(paper.BOOKLETS_KEY) is None
