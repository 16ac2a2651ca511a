"""Judging on paper: the pages of a booklet, their codes, and what was ticked on them as events of whoever ticked it."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from irjudge.errors import FormatError, IrjudgeError, ProjectDamaged, ProjectError
from irjudge.exchange.work_status import list_assigned_items
from irjudge.judging import QueueItem, get_chain, make_queue
from irjudge.message import Message
from irjudge.model import Document, Event, Item, Scale, utc_now
from irjudge.store import Project

BOOKLETS = "booklets"  # the fact that keeps which page stands for what: it is on paper, and must be known for as long as that
UNREADABLE_PAGES = "The pages on paper of {file} cannot be read ({fault})."
PAGE_CAPACITY = 2_600  # letters on a page; a document that is longer has a page, or several sheets of paper, of its own
WIDE_CHARACTER = re.compile(
    "[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]"
)  # a letter that needs the room of two
LINE, PICTURE_LINES = 60, 5  # letters whose room a field takes, and lines that a picture does
HEADING_SIZE = 300  # letters whose room the heading and the boxes of a document take
MAX_DOCUMENTS_ON_PAGE = 8
MAX_DOCUMENT_CHARACTERS = 20_000  # letters of a document; what is longer takes more than eight sheets, and is judged on a screen
MIN_PAGE_DIGITS = 3  # of a page's number at least; the check digit follows
EMPTY, BROKEN = (
    "-",
    "x",
)  # what is typed for a document without a tick, and for one that cannot be judged
TICK_ALIASES = {".": EMPTY, "*": BROKEN, "X": BROKEN}  # the same on the number pad
OTHER_REASON = "other"  # of the reasons why something cannot be judged
# Damm (2004): a check digit that differs for every single wrong digit and every exchange of two neighbours.
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
    """A page of a booklet: documents of one topic, which one person judges."""

    assessor: str
    topic: str
    documents: tuple[str, ...]  # ids, from top to bottom
    contents: tuple[str, ...]  # SHA-256 (hex) of what was printed for each
    occurrences: tuple[int, ...]  # which showing of the document it is
    scale: str  # its version when the page was printed

    def items(self) -> Iterator[Item]:
        """Yield what is judged on the page, from top to bottom."""
        for document, content, occurrence in zip(
            self.documents, self.contents, self.occurrences, strict=True
        ):
            yield Item(self.topic, (document,), (content,), occurrence=occurrence)


@dataclass(frozen=True, slots=True)
class Booklet:
    """What one person judges on paper."""

    pages: dict[str, BookletPage]  # by their codes
    too_long: tuple[str, ...]  # documents that are left out, since nobody prints them

    def __len__(self) -> int:
        return sum(len(page.documents) for page in self.pages.values())


@dataclass(frozen=True, slots=True)
class PaperEntry:
    """What was ticked on a page, as it was typed: for each document a grade, `EMPTY` or `BROKEN`."""

    code: str
    page: BookletPage
    ticks: tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class EntryReport:
    """What came of a page: judgments that are new, that stood already, and documents that were left empty."""

    new: int
    known: int
    empty: int


def compute_check_digit(digits: str) -> int:
    """Return the digit that stands behind others to check them.

    >>> compute_check_digit("572"), compute_check_digit("5724")
    (4, 0)
    """
    state = 0
    for digit in digits:
        state = DAMM_TABLE[state][int(digit)]
    return state


def make_page_code(number: int) -> str:
    """Return the code of the page of a number, its check digit last.

    >>> make_page_code(7), make_page_code(1572)
    ('0076', '15720')
    """
    digits = f"{number:0{MIN_PAGE_DIGITS}d}"
    return f"{digits}{compute_check_digit(digits)}"


def read_pages(project: Project) -> dict[str, BookletPage]:
    """Return the pages of a project's booklets by their codes, in the order in which they were made."""

    def read(pages: Iterable[Mapping[str, Any]]) -> dict[str, BookletPage]:
        return {make_page_code(number): _parse_page(page) for number, page in enumerate(pages, 1)}

    return project.kept_fact(BOOKLETS, {}, UNREADABLE_PAGES, read)


def _parse_page(kept: Mapping[str, Any]) -> BookletPage:
    lists = (
        tuple(map(str, kept["documents"])),
        tuple(map(str, kept["contents"])),
        tuple(map(int, kept["occurrences"])),
    )
    if len(set(map(len, lists))) != 1:
        raise ValueError(Message("a page does not say what stands on it"))
    return BookletPage(str(kept["assessor"]), str(kept["topic"]), *lists, str(kept["scale"]))


def make_booklet(project: Project, *assessors: str) -> Booklet:
    """Return the booklet of one or several people, one behind the other, the owner's where nobody is named.

    Who was assigned something gets that, others the pool in an order of their own. The project keeps the pages, so that what is ticked on
    them can be entered whatever is pooled later; one that was made before keeps its code. ProjectError when there
    is nothing to judge for one of them.
    """
    made, too_long = dict[str, BookletPage](), dict[str, None]()
    with project.transaction():
        codes = {page: code for code, page in read_pages(project).items()}
        for assessor in assessors or (project.owner,):
            wanted = list(_iter_pages(project, assessor, too_long))
            if not wanted:
                raise ProjectError(
                    "There is nothing to print for {assessor}: nothing is assigned and no pool has texts.",
                    assessor=assessor,
                )
            made |= {
                codes.setdefault(page, make_page_code(len(codes) + 1)): page for page in wanted
            }
        project.set_fact(BOOKLETS, json.dumps([asdict(page) for page in codes], ensure_ascii=False))
    return Booklet(made, tuple(too_long))


def _iter_pages(
    project: Project, assessor: str, too_long: dict[str, None]
) -> Iterator[BookletPage]:
    version = project.scale.version
    for topic, places in groupby(
        _list_printable_items(project, assessor), key=lambda place: place.topic
    ):
        for page in _fill_pages(project, places, too_long):
            documents, contents = (
                tuple(place.document for place, _ in page),
                tuple(text.digest.hex() for _, text in page),
            )
            yield BookletPage(
                assessor,
                topic,
                documents,
                contents,
                tuple(place.occurrence for place, _ in page),
                version,
            )


def _list_printable_items(project: Project, assessor: str) -> list[QueueItem]:
    """Return what somebody has to judge and has a text: what was assigned to them, else the newest pool."""
    mine = [
        each
        for each in project.assignments.all()
        if each.assessor == assessor and each.mode == "grade" and not each.withdrawn
    ]
    if mine:
        places = [place for each in mine for place in list_assigned_items(project, each)]
        textless = set(project.collection.without_text(list({place.document for place in places})))
        return [place for place in places if place.document not in textless]
    pool = project.rankings.pool()
    queue = make_queue(project, pool, assessor) if pool else None
    return [place for topic in queue.topics for place in queue.places(topic)] if queue else []


def _fill_pages(
    project: Project, places: Iterable[QueueItem], too_long: dict[str, None]
) -> Iterator[list[tuple[QueueItem, Document]]]:
    """Yield documents page by page, as many as have room on a sheet and at least one; add those that no paper takes to `too_long`."""
    page: list[tuple[QueueItem, Document]] = []
    taken = 0
    for place in places:
        document = project.collection.document(place.document)
        if document is None:
            continue
        if len(document.text) > MAX_DOCUMENT_CHARACTERS:
            too_long[document.id] = None
            continue
        room = PAGE_CAPACITY if document.kind == "image" else _estimate_room(document)
        if page and (taken + room > PAGE_CAPACITY or len(page) == MAX_DOCUMENTS_ON_PAGE):
            yield page
            page, taken = [], 0
        page.append((place, document))
        taken += room
    if page:
        yield page


def _estimate_room(document: Document) -> int:
    shown = document.text[:PAGE_CAPACITY]
    fields = LINE * (len(document.fields) + (PICTURE_LINES if document.pictured else 0))
    return HEADING_SIZE + len(shown) + len(WIDE_CHARACTER.findall(shown)) + fields


# What was ticked


def read_entries(project: Project, path: Path) -> list[PaperEntry]:
    """Read what was typed from a booklet: a page a line, `0076 2 0 x -` or `0076 20x-`; what stands behind # is passed over.

    IrjudgeError at the first line that is no code of this project, or has another number of ticks than the page has documents.
    """
    pages, scale, found = read_pages(project), project.scale, dict[str, tuple[int, PaperEntry]]()
    for line, text in enumerate(_read_lines(path), 1):
        words = text.partition("#")[0].split()
        if not words:
            continue
        try:
            entry = read_entry(pages, scale, words[0], words[1:])
        except IrjudgeError as fault:
            raise IrjudgeError(
                "{file}, line {line}: {fault} Nothing was entered.",
                key=fault.key,
                file=path.name,
                line=line,
                fault=fault,
            ) from fault
        if entry.code in found:
            problem = Message(
                "page {code} stands in line {first} already; nothing was entered",
                key="repeated-page",
                code=entry.code,
                first=found[entry.code][0],
            )
            raise FormatError(path, problem, line)
        found[entry.code] = line, entry
    return [entry for _, entry in found.values()]


def _read_lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        raise FormatError(
            path,
            Message("cannot be read ({reason})", reason=getattr(fault, "strerror", None) or fault),
        ) from fault


def read_entry(
    pages: Mapping[str, BookletPage], scale: Scale, code: str, ticks: Sequence[str]
) -> PaperEntry:
    """Return what was ticked on a page.

    IrjudgeError when the code is wrong or unknown, a tick is no grade, or there are too many or too few.
    """
    code, page = find_page(pages, code)
    if page.scale != scale.version:
        raise IrjudgeError(
            "Page {code} was printed with another scale than the project has now.", code=code
        )
    typed = tuple(_parse_tick(each, scale) for each in _split_ticks(ticks, scale))
    if len(typed) != len(page.documents):
        raise IrjudgeError(
            "Page {code} has {documents} documents, got {ticks} ticks.",
            key="wrong-number-of-ticks",
            code=code,
            documents=len(page.documents),
            ticks=len(typed),
        )
    return PaperEntry(code, page, typed)


def find_page(pages: Mapping[str, BookletPage], code: str) -> tuple[str, BookletPage]:
    """Return the page of a code, and the code as it is printed; zeros in front may be left out.

    IrjudgeError when a digit of it is wrong, or no page has it.
    """
    if not (code.isascii() and code.isdigit()):
        raise IrjudgeError(
            "{code!r} is no code of a page, expected digits such as {example}.",
            key="not-a-code",
            code=code,
            example=make_page_code(1),
        )
    whole = code.zfill(MIN_PAGE_DIGITS + 1)
    if compute_check_digit(whole):
        raise IrjudgeError(
            "Page {code} does not exist: a digit is wrong or two changed places. Look at the page again.",
            key="wrong-digit",
            code=code,
        )
    if whole not in pages:
        raise IrjudgeError(
            "Page {code} is of no booklet of this project, which has {count} pages.",
            key="unknown-page",
            code=code,
            count=len(pages),
        )
    return whole, pages[whole]


def count_tick_digits(scale: Scale) -> int:
    """Return how many digits are typed for a grade: two where the scale goes above 9."""
    return 1 if scale.highest <= 9 else 2


def _split_ticks(ticks: Sequence[str], scale: Scale) -> list[str]:
    """Return ticks one by one that were typed as one word."""
    if len(ticks) != 1 or scale.values[0] < 0:
        return list(ticks)
    return re.findall(rf"[^0-9]|[0-9]{{1,{count_tick_digits(scale)}}}", ticks[0])


def _parse_tick(text: str, scale: Scale) -> int | str:
    tick = TICK_ALIASES.get(text, text)
    if tick in (EMPTY, BROKEN):
        return tick
    if not re.fullmatch("-?[0-9]{1,10}", tick) or int(tick) not in scale.values:
        raise IrjudgeError(
            "{tick!r} is no grade, expected {values}, {broken} (cannot be judged) or {empty} (left empty).",
            key="not-a-grade",
            tick=text,
            values=", ".join(map(str, scale.values)),
            broken=BROKEN,
            empty=EMPTY,
        )
    return int(tick)


def record_entry(project: Project, entry: PaperEntry) -> EntryReport:
    """Make what was ticked on a page events of whoever ticked it, all or none; what stands already is not written twice."""
    chain = get_chain(project, entry.page.assessor)
    if chain.waiting:
        raise ProjectDamaged(
            "{file} is damaged: an event of {assessor} is missing, and what follows it waits.",
            file=project.path.name,
            assessor=entry.page.assessor,
        )
    made: list[Event] = []
    known = 0
    for item, tick in zip(entry.page.items(), entry.ticks, strict=True):
        if tick == EMPTY:
            continue
        standing = chain.ledger.judgment(item.key)
        if (
            standing is not None
            and standing.item == item
            and standing.payload.get("value", BROKEN) == tick
        ):
            known += 1
            continue
        made.append(_make_event(entry, item, tick, made[-1].digest if made else chain.ledger.head))
    if made:
        chain.append_all(made)
    return EntryReport(len(made), known, entry.ticks.count(EMPTY))


def _make_event(entry: PaperEntry, item: Item, tick: int | str, parent: str | None) -> Event:
    how = {"active_ms": 0, "paper": entry.code}  # nobody measured how long it took
    if tick == BROKEN:
        return Event(
            entry.page.assessor,
            "unjudgeable",
            item,
            utc_now(),
            {"reason": OTHER_REASON, **how},
            None,
            parent,
        )
    return Event(
        entry.page.assessor,
        "grade",
        item,
        utc_now(),
        {"value": tick, "scale": entry.page.scale, **how},
        None,
        parent,
    )
