"""Judging on paper: printed booklets, codes of their pages, and entry of the marks."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from irjudge.errors import FormatError, IrjudgeError, ProjectDamaged, ProjectError
from irjudge.exchange.work_status import list_assigned_items
from irjudge.judging import QueueItem, get_chain, make_queue
from irjudge.message import Message
from irjudge.model import Document, Event, Item, Scale, utc_now
from irjudge.store import BOOKLETS_KEY, Project

UNREADABLE_PAGES = "Cannot read the paper pages of {file} ({error})."
PAGE_CAPACITY = 8_000  # maximum number of characters of a page with several documents
# pattern of characters that are twice as wide as Latin letters
WIDE_CHARACTER = re.compile("[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
# estimated space of a metadata field, in characters, and of a picture, in lines of that length
LINE_CAPACITY, PICTURE_LINES = 60, 5
HEADING_SIZE = 300  # space that a document's heading and boxes occupy, in characters
MAX_DOCUMENTS_ON_PAGE = 8
# maximum number of characters of a printed document; a longer one would need over eight sheets
MAX_DOCUMENT_CHARACTERS = 20_000
MIN_PAGE_DIGITS = 3  # minimum number of digits of a page code before the check digit
# marks that are typed: for a document without a mark on the page, and for an unjudgeable document
EMPTY_MARK, UNJUDGEABLE_MARK = "-", "x"
# characters that can be typed instead of `-` and `x`; the number pad has `.` and `*`
TICK_ALIASES = {".": EMPTY_MARK, "*": UNJUDGEABLE_MARK, "X": UNJUDGEABLE_MARK}
OTHER_REASON = "other"  # member of UNJUDGEABLE_REASONS that is recorded for UNJUDGEABLE_MARK
# Table of Damm (2004). The check digit detects every single wrong digit and every transposition of
# adjacent digits.
DAMM_TABLE = (
    (0, 3, 1, 7, 5, 9, 8, 6, 4, 2),
    (7, 0, 9, 2, 1, 5, 4, 8, 6, 3),
    (4, 2, 0, 6, 8, 7, 1, 3, 5, 9),
    (1, 7, 5, 0, 9, 8, 3, 4, 2, 6),
    (6, 1, 2, 3, 0, 4, 5, 9, 7, 8),
    (3, 6, 7, 4, 2, 0, 9, 5, 8, 1),
    (5, 8, 6, 9, 7, 2, 0, 1, 3, 4),
    (8, 9, 4, 5, 3, 6, 2, 0, 1, 7),
    (9, 4, 3, 8, 6, 1, 7, 2, 0, 5),
    (2, 5, 8, 1, 4, 3, 6, 7, 9, 0),
)


@dataclass(frozen=True, slots=True)
class BookletPage:
    """Part of a printed booklet: documents of one topic for one assessor, under one printed code.

    A part need not be one sheet: a sheet may contain several parts, and a long part continues on
    the next sheets. The project stores the parts; the code is not included, but is the key of the
    part in `Booklet.pages`. A part contains hashes of the printed texts, for the judgments that are
    entered later.
    """

    assessor: str
    topic: str
    documents: tuple[str, ...]  # ids of the documents, from top to bottom
    contents: tuple[str, ...]  # SHA-256 (hex) of each printed document
    occurrences: tuple[int, ...]  # presentation number of each document
    scale: str  # version of the scale when the page was printed

    def items(self) -> Iterator[Item]:
        """Yield the items of the page, from top to bottom."""
        for document, content, occurrence in zip(
            self.documents, self.contents, self.occurrences, strict=True
        ):
            yield Item(self.topic, (document,), (content,), occurrence=occurrence)


@dataclass(frozen=True, slots=True)
class Booklet:
    """Content of booklets to print: parts (`pages`) by code, and documents too long to print.

    The parts can be for several assessors. `len` is the number of documents in all parts.
    """

    pages: dict[str, BookletPage]  # parts by code
    too_long: tuple[str, ...]  # documents omitted because they are too long to print

    def __len__(self) -> int:
        return sum(len(page.documents) for page in self.pages.values())


@dataclass(frozen=True, slots=True)
class PaperEntry:
    """Marks typed from one page: for each document, a grade, `EMPTY_MARK` or `UNJUDGEABLE_MARK`."""

    code: str
    page: BookletPage
    ticks: tuple[int | str, ...]  # in the order of the page's documents


@dataclass(frozen=True, slots=True)
class EntryReport:
    """Report on the marks typed from a page: numbers of documents by outcome."""

    new_count: int  # number of judgments that were recorded, including changed ones
    known_count: int  # number of judgments that the project already contained
    empty_count: int  # number of documents without a mark


def compute_check_digit(digits: str) -> int:
    """Return the check digit of a string of digits.

    >>> compute_check_digit("572"), compute_check_digit("5724")
    (4, 0)
    """
    check_digit = 0
    for digit in digits:
        check_digit = DAMM_TABLE[check_digit][int(digit)]
    return check_digit


def make_page_code(page_number: int) -> str:
    """Return the code of a page number, with its check digit at the end.

    >>> make_page_code(7), make_page_code(1572)
    ('0076', '15720')
    """
    digits = f"{page_number:0{MIN_PAGE_DIGITS}d}"
    return f"{digits}{compute_check_digit(digits)}"


def read_pages(project: Project) -> dict[str, BookletPage]:
    """Return the booklet pages of a project by code, in the order of printing."""

    def parse_pages(pages: Iterable[Mapping[str, Any]]) -> dict[str, BookletPage]:
        return {
            make_page_code(page_number): _parse_page(page)
            for page_number, page in enumerate(pages, 1)
        }

    return project.read_json_setting(BOOKLETS_KEY, {}, UNREADABLE_PAGES, parse_pages)


def _parse_page(stored_page: Mapping[str, Any]) -> BookletPage:
    lists = (
        tuple(map(str, stored_page["documents"])),
        tuple(map(str, stored_page["contents"])),
        tuple(map(int, stored_page["occurrences"])),
    )
    if len(set(map(len, lists))) != 1:
        raise ValueError(Message("the lists of a booklet part have different lengths"))
    return BookletPage(
        str(stored_page["assessor"]), str(stored_page["topic"]), *lists, str(stored_page["scale"])
    )


def make_booklet(project: Project, *assessors: str) -> Booklet:
    """Return the booklet of one or several assessors (by default the owner).

    A booklet contains the assigned documents. Without an assignment, it contains the pooled
    documents in the assessor's order. The project stores the pages, so that marks can be entered
    even if the pool changes; earlier pages keep their codes. Raises ProjectError if an assessor has
    nothing to judge.
    """
    pages, too_long = dict[str, BookletPage](), dict[str, None]()
    with project.transaction():
        codes = {page: code for code, page in read_pages(project).items()}
        for assessor in assessors or (project.owner,):
            page_contents = list(_iter_pages(project, assessor, too_long))
            if not page_contents:
                raise ProjectError(
                    "There is nothing to print for {assessor}: nothing is assigned, and no "
                    "pooled document has a text.",
                    assessor=assessor,
                )
            pages |= {
                codes.setdefault(page, make_page_code(len(codes) + 1)): page
                for page in page_contents
            }
        project.set_setting(
            BOOKLETS_KEY, json.dumps([asdict(page) for page in codes], ensure_ascii=False)
        )
    return Booklet(pages, tuple(too_long))


def _iter_pages(
    project: Project, assessor: str, too_long: dict[str, None]
) -> Iterator[BookletPage]:
    version = project.scale.version
    for topic, items in groupby(
        _list_printable_items(project, assessor), key=lambda item: item.topic
    ):
        for page in _fill_pages(project, items, too_long):
            documents = tuple(item.document for item, _ in page)
            contents = tuple(text.digest.hex() for _, text in page)
            yield BookletPage(
                assessor,
                topic,
                documents,
                contents,
                tuple(item.occurrence for item, _ in page),
                version,
            )


def _list_printable_items(project: Project, assessor: str) -> list[QueueItem]:
    """Return the items of an assessor whose documents have a text, so that they can be printed.

    The items are the assigned items or, if nothing is assigned, the items of the pool.
    """
    assignments = [
        assignment
        for assignment in project.assignments.all()
        if assignment.assessor == assessor
        and assignment.mode == "grade"
        and not assignment.withdrawn
    ]
    if assignments:
        items = [
            item for assignment in assignments for item in list_assigned_items(project, assignment)
        ]
        documents_without_text = set(
            project.collection.without_text(list({item.document for item in items}))
        )
        return [item for item in items if item.document not in documents_without_text]
    pool = project.rankings.pool()
    queue = make_queue(project, pool, assessor) if pool else None
    return [item for topic in queue.topics for item in queue.topic_items(topic)] if queue else []


def _fill_pages(
    project: Project, items: Iterable[QueueItem], too_long: dict[str, None]
) -> Iterator[list[tuple[QueueItem, Document]]]:
    """Yield the list of documents of each page; a page has at least one document.

    Documents that are too long to print are added to `too_long`.
    """
    page: list[tuple[QueueItem, Document]] = []
    used_space = 0
    for item in items:
        document = project.collection.document(item.document)
        if document is None:
            continue
        if len(document.text) > MAX_DOCUMENT_CHARACTERS:
            too_long[document.id] = None
            continue
        document_space = PAGE_CAPACITY if document.kind == "image" else _estimate_space(document)
        if page and (
            used_space + document_space > PAGE_CAPACITY or len(page) == MAX_DOCUMENTS_ON_PAGE
        ):
            yield page
            page, used_space = [], 0
        page.append((item, document))
        used_space += document_space
    if page:
        yield page


def _estimate_space(document: Document) -> int:
    visible_text = document.text[:PAGE_CAPACITY]
    fields = LINE_CAPACITY * (len(document.fields) + (PICTURE_LINES if document.pictured else 0))
    return HEADING_SIZE + len(visible_text) + len(WIDE_CHARACTER.findall(visible_text)) + fields


# Entry of marks


def read_entries(project: Project, path: Path) -> list[PaperEntry]:
    """Read a file of typed marks.

    A line has the code of a page and its marks: `0076 2 0 x -` or `0076 20x-`; # begins a comment.

    Raises IrjudgeError at the first line with an invalid page code or a wrong number of marks.
    """
    pages = read_pages(project)
    scale = project.scale
    entry_by_code = dict[str, tuple[int, PaperEntry]]()
    for line, text in enumerate(_read_lines(path), 1):
        parts = text.partition("#")[0].split()
        if not parts:
            continue
        try:
            entry = read_entry(pages, scale, parts[0], parts[1:])
        except IrjudgeError as error:
            raise IrjudgeError(
                "{file}, line {line}: {error} Nothing was entered.",
                key=error.key,
                file=path.name,
                line=line,
                error=error,
            ) from error
        if entry.code in entry_by_code:
            problem = Message(
                "part {code} already occurs in line {earlier_line}; nothing was entered",
                key="repeated-page",
                code=entry.code,
                earlier_line=entry_by_code[entry.code][0],
            )
            raise FormatError(path, problem, line)
        entry_by_code[entry.code] = line, entry
    return [entry for _, entry in entry_by_code.values()]


def _read_lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(
            path,
            Message("cannot be read ({reason})", reason=getattr(error, "strerror", None) or error),
        ) from error


def read_entry(
    pages: Mapping[str, BookletPage], scale: Scale, code: str, ticks: Sequence[str]
) -> PaperEntry:
    """Return the entry for the typed marks of one page.

    Raises IrjudgeError if the code is wrong or unknown, if the page was printed with another scale,
    or if a mark or the number of marks is invalid.
    """
    code, page = find_page(pages, code)
    if page.scale != scale.version:
        raise IrjudgeError("Part {code} was printed with a different scale.", code=code)
    marks = tuple(_parse_tick(tick, scale) for tick in _split_ticks(ticks, scale))
    if len(marks) != len(page.documents):
        raise IrjudgeError(
            "The number of characters entered ({ticks}) differs from the number of documents "
            "in part {code} ({documents}); expected one character for each document.",
            key="wrong-number-of-ticks",
            code=code,
            documents=len(page.documents),
            ticks=len(marks),
        )
    return PaperEntry(code, page, marks)


def find_page(pages: Mapping[str, BookletPage], code: str) -> tuple[str, BookletPage]:
    """Return the code of a page as it is printed, and the page.

    `code` may lack leading zeros. Raises IrjudgeError if it has a wrong digit or is unknown.
    """
    if not (code.isascii() and code.isdigit()):
        raise IrjudgeError(
            "{code!r} is not the code of a booklet part; expected digits such as {example}.",
            key="not-a-code",
            code=code,
            example=make_page_code(1),
        )
    full_code = code.zfill(MIN_PAGE_DIGITS + 1)
    if compute_check_digit(full_code):
        raise IrjudgeError(
            "There is no part {code}: a digit is wrong, or two digits are swapped. Check the "
            "code on the printed page.",
            key="wrong-digit",
            code=code,
        )
    if full_code not in pages:
        raise IrjudgeError(
            "Part {code} is not in any booklet of this project; the booklets have {count} parts.",
            key="unknown-page",
            code=code,
            count=len(pages),
        )
    return full_code, pages[full_code]


def count_tick_digits(scale: Scale) -> int:
    """Return the maximum number of digits of a grade: 2 if the scale has grades above 9, else 1."""
    return 1 if scale.highest <= 9 else 2


def _split_ticks(ticks: Sequence[str], scale: Scale) -> list[str]:
    """Return the typed marks of a page; if they were typed as one word, split it.

    Raises IrjudgeError if the word could be split in several ways, such as 110 into 11 0 or 1 10.
    """
    if len(ticks) != 1 or scale.values[0] < 0:
        return list(ticks)
    word, digits = ticks[0], count_tick_digits(scale)
    if digits > 1 and any(len(run) > 1 and len(run) % digits for run in re.findall("[0-9]+", word)):
        raise IrjudgeError(
            "{word} can be split into grades in several ways; separate the grades by spaces, or "
            "enter two digits for each grade, such as 01.",
            key="ambiguous-ticks",
            word=word,
        )
    return re.findall(rf"[^0-9]|[0-9]{{1,{digits}}}", word)


def _parse_tick(text: str, scale: Scale) -> int | str:
    tick = TICK_ALIASES.get(text, text)
    if tick in (EMPTY_MARK, UNJUDGEABLE_MARK):
        return tick
    if not re.fullmatch("-?[0-9]{1,10}", tick) or int(tick) not in scale.values:
        raise IrjudgeError(
            "{tick!r} is not a grade; expected {values}, {broken} (unjudgeable) or {empty} "
            "(empty).",
            key="not-a-grade",
            tick=text,
            values=", ".join(map(str, scale.values)),
            broken=UNJUDGEABLE_MARK,
            empty=EMPTY_MARK,
        )
    return int(tick)


def record_entry(project: Project, entry: PaperEntry) -> EntryReport:
    """Record the marks of a page as events of its assessor, except those already recorded."""
    chain = get_chain(project, entry.page.assessor)
    if chain.waiting:
        raise ProjectDamaged(
            "{file} is damaged: an event of {assessor} is missing, so later events cannot be used.",
            file=project.path.name,
            assessor=entry.page.assessor,
        )
    new_judgments: list[Event] = []
    known_count = 0
    for item, tick in zip(entry.page.items(), entry.ticks, strict=True):
        if tick == EMPTY_MARK:
            continue
        # a page that is entered again does not replace later corrections in the window
        entered_judgments = (
            event
            for event in chain.ledger.actions.iter_in_force(item.key)
            if event.payload.get("paper") == entry.code
        )
        if any(
            judgment is not None
            and judgment.item == item
            and judgment.payload.get("value", UNJUDGEABLE_MARK) == tick
            for judgment in (chain.ledger.judgment(item.key), next(entered_judgments, None))
        ):
            known_count += 1
            continue
        new_judgments.append(
            _make_event(
                entry, item, tick, new_judgments[-1].digest if new_judgments else chain.ledger.head
            )
        )
    if new_judgments:
        chain.append_all(new_judgments)
    return EntryReport(len(new_judgments), known_count, entry.ticks.count(EMPTY_MARK))


def enter_booklets(project: Project, path: Path) -> dict[str, EntryReport]:
    """Record a file of marks typed from booklets, and return a report for each assessor.

    If a line of the file is wrong, raise IrjudgeError and record nothing; see `read_entries`.
    """
    counts_by_assessor: dict[str, tuple[int, ...]] = {}
    for entry in read_entries(project, path):
        assessor, report_counts = entry.page.assessor, astuple(record_entry(project, entry))
        counts_by_assessor[assessor] = tuple(
            map(sum, zip(counts_by_assessor.get(assessor, (0, 0, 0)), report_counts, strict=True))
        )
    return {
        assessor: EntryReport(*assessor_counts)
        for assessor, assessor_counts in counts_by_assessor.items()
    }


def _make_event(entry: PaperEntry, item: Item, tick: int | str, parent: str | None) -> Event:
    payload = {"active_ms": 0, "paper": entry.code}  # the time of judging on paper is unknown
    if tick == UNJUDGEABLE_MARK:
        return Event(
            entry.page.assessor,
            "unjudgeable",
            item,
            utc_now(),
            {"reason": OTHER_REASON, **payload},
            None,
            parent,
        )
    return Event(
        entry.page.assessor,
        "grade",
        item,
        utc_now(),
        {"value": tick, "scale": entry.page.scale, **payload},
        None,
        parent,
    )
