"""Task of a browser page: an assignment and its items as JSON.

A task is JSON of version `FORMAT_VERSION`. A page reads only its own version, since page and task
are in one file.

=============  ====================================================================================
irjudge        `"task"`
version        1
assignment     the assignment's id, 32 hex digits; `code` is the beginning of the id in groups of
               digits, for people to compare
assessor       the assessor's name; with `title` of the project, `deadline` and the `file`'s name
origin         returned unchanged in the result, for `merge`: the project's identity, the scale,
               hashes of topics
mode           `grade`, `panels` or `pairs`
language       language of the page; empty for the language of the browser
scale          its `version` and `grades` (value, label, help)
rules          rules of a comparison (`model.comparison`)
unjudgeable    reasons for which a document cannot be judged
settings       the delay before keys are accepted, the idle threshold, length limits; documents of
               a topic per page (0: one at a time), and their number if an assessor switches from
               one to several documents per page
instructions   sanitized HTML; empty if there are none
search         in a session, present if participants may search the collection
topics         id, title, description, narrative, direction, and the highlighted `terms`
contents       each distinct text: `digest` (hex), kind, direction, `language` (BCP 47) if
               detected, and `html` in pieces; `unsaid` if the text repeats the title: position and
               length of the title in the text
documents      id, title, and index of `content`; displayed `fields` (name and text each), `facts`
               (the first fields on one line) and `picture`; `pages`, the index in `sheets` of the
               document's PDF file, if its pages can be shown
sheets         for each PDF file, its `pages` and their `pictures`; absent if there are none
items          in the assessor's order: `about` (the item as recorded in events), topic and
               documents by index; for two sides `sizes`, `sides`, and whether they are
               `identical`; for a calibration document the `agreed` grade
views          by "topic/content" (indices): `hits` (begin, end, term, begin …) and the best
               `passage` in the text, and the `snippet` for a list of documents; positions are in
               UTF-16 units, as in JavaScript
=============  ====================================================================================
"""

import json
from base64 import b64encode
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from itertools import accumulate, takewhile
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any, TypeAlias

from irjudge.errors import FormatError, IrjudgeError, ProjectError
from irjudge.exchange import AssignmentPlan, PdfAttachmentSummary
from irjudge.formats.bytes import write_text_atomically
from irjudge.formats.collections import render_page_pictures
from irjudge.judging import DEFAULT_GUARD_MS, DEFAULT_IDLE_MS, read_comparison_rules
from irjudge.message import Message, join_messages
from irjudge.model import UNJUDGEABLE_REASONS, AssignedItem, Assignment, Document, Topic
from irjudge.progress import SILENT, Progress
from irjudge.store import (
    DEFAULT_DOCUMENTS_PER_PAGE,
    PROJECT_KEY,
    Calibration,
    Project,
    SearchHit,
    limit_to_shown_fields,
    make_hits,
    read_documents_per_page,
    summarise_fields,
)
from irjudge.text import (
    MAX_TERM_LENGTH,
    Term,
    detect_language,
    detect_text_direction,
    find_best_passage,
    find_hidden_title,
    find_terms,
    make_snippet,
    query_terms,
    search_slices,
    to_utf16_positions,
)
from irjudge.web.safe_html import BrowserDocument, image_data_url, to_browser_document

# Page images of PDF files, rendered once for all task files

# maximum size of the encoded images in a file, in bytes; browsers take seconds to open larger files
MAX_IMAGE_BYTES = 100_000_000
MAX_PAGES = 20  # maximum number of page images per document
SAMPLE_SIZE = 6  # number of documents sampled to estimate the total size
MAX_NAMED_DOCUMENTS, MAX_CACHED_SIZES = 5, 10_000
# size of the page images of each PDF file, by hash of the file; the sizes are cached, since a form
# needs them after every keystroke
_image_sizes: dict[bytes, int] = {}


class PageImages:
    """Images of the PDF pages of documents for task files, stored in a temporary folder.

    A task file is an HTML file for judging in a browser. The pages of a document are rendered once,
    and then added to each task that contains the document. For documents whose pages cannot be
    rendered, the task contains only the text, and `warnings` names these documents.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file_names: dict[str, str] = {}
        self._failed_documents: list[str] = []

    @property
    def warnings(self) -> list[str]:
        """Warning about documents whose pages could not be rendered; empty if there are none."""
        if not self._failed_documents:
            return []
        return [
            Message(
                "Documents whose pages could not be rendered: {failed:,} ({names}). The files "
                "contain only the text of these documents.",
                failed=len(self._failed_documents),
                names=join_messages(self._failed_documents[:MAX_NAMED_DOCUMENTS])
                + (" …" if len(self._failed_documents) > MAX_NAMED_DOCUMENTS else ""),
            )
        ]

    def draw(self, project: Project, documents: Iterable[str], progress: Progress) -> None:
        """Render the pages of documents that have a PDF file in the project."""
        sizes = project.collection.pdf_sizes(list(dict.fromkeys(documents)))
        for name, (digest, _size) in progress.track(
            sizes.items(), Message("Rendering pages"), total=len(sizes)
        ):
            path = self._folder / digest.hex()
            try:
                if not path.exists():
                    write_text_atomically(path, _render_document(project, name, digest))
                self._file_names[name] = path.name
            except FormatError:
                self._failed_documents.append(name)

    def add_to(self, task: Mapping[str, Any]) -> dict[str, Any]:
        """Return a copy of a task with page images, to which its documents refer by index."""
        positions: dict[str, int] = {}
        documents = [
            {**document, "pages": positions.setdefault(name, len(positions))}
            if (name := self._file_names.get(document["id"]))
            else document
            for document in task["documents"]
        ]
        sheets = [
            json.loads((self._folder / name).read_text(encoding="ascii")) for name in positions
        ]
        return {**task, "documents": documents, **({"sheets": sheets} if sheets else {})}

    def check(self, documents: Iterable[str], assessor: str) -> None:
        """Raise `ProjectError` if the images of `documents` are too large for one file."""
        names = {name for document in documents if (name := self._file_names.get(document))}
        total_bytes = sum((self._folder / name).stat().st_size for name in names)
        if total_bytes > MAX_IMAGE_BYTES:
            raise ProjectError(
                "The page images of {assessor}'s documents take {size:,.1f} MB; a file may "
                "contain at most {limit:,.1f} MB. Assign fewer topics at a time (--split 10 "
                "makes smaller files), or assign the text only.",
                key="page-images-size",
                assessor=assessor,
                size=total_bytes / 1e6,
                limit=MAX_IMAGE_BYTES / 1e6,
            )


@contextmanager
def draw_page_images(
    project: Project, documents: Iterable[str], progress: Progress = SILENT
) -> Iterator[PageImages]:
    """Render and yield the page images of documents; delete them after the block."""
    with TemporaryDirectory(prefix="irjudge-pages-") as folder:
        sheets = PageImages(Path(folder))
        sheets.draw(project, documents, progress)
        yield sheets


def estimate_image_bytes(project: Project, plan: AssignmentPlan) -> PdfAttachmentSummary:
    """Estimate the maximum size of the page images of one assessor, from a sample of documents."""
    files: dict[bytes, tuple[int, str]] = {}
    documents_with_pdf: set[str] = set()
    max_file_count = 0
    for items in plan.items.values():
        sizes = project.collection.pdf_sizes(list({item.document for item in items}))
        documents_with_pdf |= sizes.keys()
        files.update((digest, (size, name)) for name, (digest, size) in sizes.items())
        max_file_count = max(max_file_count, len({digest for digest, _ in sizes.values()}))
    sampled_sizes = [
        _measure_image_bytes(project, name, digest) for digest, name in _sample_evenly(files)
    ]
    return PdfAttachmentSummary(
        len(documents_with_pdf),
        round(max_file_count * sum(sampled_sizes) / max(1, len(sampled_sizes))),
        MAX_IMAGE_BYTES,
        pictures=True,
    )


def _sample_evenly(files: dict[bytes, tuple[int, str]]) -> Sequence[tuple[bytes, str]]:
    """Return hash and document name of a few files that are evenly spaced in the order of size."""
    files_by_size = sorted((size, digest, name) for digest, (size, name) in files.items())
    count = min(SAMPLE_SIZE, len(files_by_size))
    return [
        files_by_size[(2 * index + 1) * len(files_by_size) // (2 * count)][1:]
        for index in range(count)
    ]


def _measure_image_bytes(project: Project, document: str, digest: bytes) -> int:
    if digest not in _image_sizes:
        try:
            _render_document(project, document, digest)
        except FormatError:
            return 0
    return _image_sizes[digest]


def _render_document(project: Project, document: str, digest: bytes) -> str:
    """Return the page images of a document as JSON, and cache the size of the JSON."""
    pictures, pages = render_page_pictures(
        project.collection.pdf(document) or b"", MAX_PAGES, Path(document)
    )
    text = json.dumps(
        {"pages": pages, "pictures": [b64encode(picture).decode() for picture in pictures]},
        separators=(",", ":"),
    )
    if len(_image_sizes) >= MAX_CACHED_SIZES:
        _image_sizes.clear()
    _image_sizes[digest] = len(text)
    return text


# Contents of a task, which reveal nothing about runs, ranks, scores, gold answers or other
# assessors

Json: TypeAlias = dict[str, Any]

FORMAT_VERSION = 1
MAX_NOTE_LENGTH = 10_000  # maximum number of characters of a note
CODE_GROUPS, CODE_GROUP_LENGTH = 3, 4
# factor by which Markdown is slower to render than HTML: 100 KB of "![" take 3 s; 100 KB of the
# slowest HTML take 0.7 s
MARKDOWN_WEIGHT = 5
# additional cost of each vertical bar in Markdown, which may separate two cells of a table: 20 KB of
# tables take 0.6 s
CELL_WEIGHT = 20
SLICE_LENGTH = 64_000  # number of characters that are searched for terms in one step
HIT_BYTES = 100  # approximate memory, in bytes, of one occurrence of a term
MAX_CACHED_ITEMS = 1000  # maximum number of cached items of a session
MAX_CACHED_BYTES = 100_000_000  # maximum bytes of cached items


def own_assignment(project: Project) -> Assignment:
    """Return the assignment in an assessor's file."""
    assignment = project.assignments.assessor_assignment()
    if assignment is None:
        raise IrjudgeError(
            "{file} is a project; expected an assessor's file (.irtask).",
            key="not-assigned",
            file=project.path.name,
        )
    return assignment


def make_task(
    project: Project,
    assignment: Assignment,
    items: Sequence[AssignedItem],
    *,
    file: str = "",
    sheets: PageImages | None = None,
    progress: Progress = SILENT,
) -> Json:
    """Return the task of an assignment.

    The result is the same for the organiser's project and for the assessor's file.
    """
    rules = (
        read_comparison_rules(project, assignment) if assignment.mode == "side-by-side" else None
    )
    if rules is not None and rules.top:
        raise IrjudgeError(
            "In comparisons to find the top documents, each question depends on earlier "
            "answers, which a browser file does not support. Assign .irtask files instead."
        )
    builder = _TaskBuilder(project, items, progress)
    task_head = make_task_head(
        project,
        assignment,
        mode=_find_task_mode(assignment, items),
        rules=rules.as_json() if rules is not None else {},
        file=file,
        documents_per_page=read_documents_per_page(project, assignment),
    )
    task = {**task_head, "origin": builder.origin(), **builder.parts()}
    _check_image_bytes(task["documents"], assignment.assessor)
    return sheets.add_to(task) if sheets else task


def _check_image_bytes(documents: Iterable[Json], assessor: str) -> None:
    image_bytes = sum(len(document.get("picture", "")) for document in documents)
    if image_bytes > MAX_IMAGE_BYTES:
        raise ProjectError(
            "The pictures of {assessor}'s documents take {size:,.1f} MB; a file may contain at "
            "most {limit:,.1f} MB. Assign fewer topics at a time (--split 10 makes smaller "
            "files), or hide the field with the pictures.",
            key="pictures-too-large",
            assessor=assessor,
            size=image_bytes / 1e6,
            limit=MAX_IMAGE_BYTES / 1e6,
        )


def make_task_head(
    project: Project,
    assignment: Assignment,
    *,
    mode: str = "grade",
    rules: Json | None = None,
    file: str = "",
    documents_per_page: int = 0,
) -> Json:
    """Return a task without its items."""
    return {
        "irjudge": "task",
        "version": FORMAT_VERSION,
        "assignment": assignment.id,
        "code": format_fingerprint(assignment.id),
        "assessor": assignment.assessor,
        "title": project.title,
        "deadline": assignment.deadline,
        "file": file,
        "origin": {},
        "mode": mode,
        "language": "",
        "scale": {
            "version": project.scale.version,
            "grades": [asdict(grade) for grade in project.scale.grades],
        },
        **({"question": str(project.scale.question)} if project.scale.question else {}),
        "rules": rules or {},
        "unjudgeable": list(UNJUDGEABLE_REASONS),
        "settings": {
            "guard_ms": DEFAULT_GUARD_MS,
            "idle_ms": DEFAULT_IDLE_MS,
            "best_passage": False,
            "several": documents_per_page,
            "usual_several": DEFAULT_DOCUMENTS_PER_PAGE,
            "longest_note": MAX_NOTE_LENGTH,
            "longest_term": MAX_TERM_LENGTH,
        },
        "instructions": render_markdown(project.instructions),
    }


class RenderedItemCache:
    """Cache of rendered items, shared by the threads of a session."""

    def __init__(self) -> None:
        self._rendered_parts: OrderedDict[AssignedItem, tuple[Json, int]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._rendered_parts)

    def get(self, item: AssignedItem) -> Json | None:
        """Return the rendered parts of an item; None if they are not cached."""
        rendered_parts = self._rendered_parts.get(item)
        return rendered_parts and rendered_parts[0]

    def put(self, item: AssignedItem, parts: Json, size: int) -> None:
        """Cache the rendered parts of an item, which have about `size` bytes.

        If there are too many items or bytes, the oldest items are removed.
        """
        with self._lock:
            if item in self._rendered_parts:
                return
            self._rendered_parts[item], self._bytes = (parts, size), self._bytes + size
            while self._rendered_parts and (
                len(self) > MAX_CACHED_ITEMS or self._bytes > MAX_CACHED_BYTES
            ):
                self._bytes -= self._rendered_parts.popitem(last=False)[1][1]


class ItemRenderer:
    """Renderer of a session's items for pages: topics, documents as safe HTML, and items.

    The result is JSON. Rendered items are cached. Each `RenderingThread` has a renderer.
    """

    def __init__(
        self,
        project: Project,
        *,
        cache: RenderedItemCache | None = None,
        max_bytes: float = inf,
        progress: Progress = SILENT,
    ) -> None:
        """Create a renderer for items of `project`.

        Each call of `render` renders at most `max_bytes` bytes of documents. A byte of Markdown
        counts several times, because Markdown is slow to render.
        """
        self._project, self._max_bytes, self._progress = project, max_bytes, progress
        self._topics = {topic.id: topic for topic in project.collection.topics()}
        self._known_topics: dict[str, _TaskTopic] = {}
        self._calibration = project.calibration
        self._cache = RenderedItemCache() if cache is None else cache

    def render(self, presentations: Sequence[tuple[AssignedItem, int]]) -> list[Json]:
        """Return topics, contents, documents, items and views of each presentation.

        The list ends before the first item with which more than `max_bytes` bytes would be
        rendered. All documents are read with one query, since each query waits for pending writes.
        """
        parts_by_item = {item: self._cache.get(item) for item, _ in presentations}
        uncached_items = [item for item, parts in parts_by_item.items() if parts is None]
        documents, cost = self._read_documents(uncached_items), 0
        for item in uncached_items:
            cost += _estimate_item_cost(item, documents)
            if cost > self._max_bytes:
                break
            parts_by_item[item] = self._render(item, documents)
        return [
            _make_presentation_parts(parts_by_item[item] or {}, occurrence)
            for item, occurrence in takewhile(
                lambda presentation: parts_by_item[presentation[0]] is not None, presentations
            )
        ]

    def render_one(self, item: AssignedItem, occurrence: int) -> Json:
        """Render one presentation, even if its item exceeds `max_bytes`."""
        return _make_presentation_parts(
            self._cache.get(item) or self._render(item, self._read_documents([item])), occurrence
        )

    def exceed_cost(self, names: Sequence[str], limit: int) -> bool:
        """Return whether the total cost of rendering the named documents exceeds `limit`.

        Documents are read one at a time, until the limit is exceeded.
        """
        costs = accumulate(
            _estimate_document_cost(document)
            for document in map(self._project.collection.document, names)
            if document is not None
        )
        return any(cost > limit for cost in costs)

    def render_hits(self, names: Sequence[str], query: str) -> Sequence[SearchHit]:
        """Return documents as search results, with snippets that match the query."""
        return make_hits(self._project, names, query)

    def _read_documents(self, items: Sequence[AssignedItem]) -> Mapping[str, Document]:
        names = list(dict.fromkeys(name for item in items for name in item.documents))
        return self._project.collection.documents_by_id(names) if names else {}

    def _render(self, item: AssignedItem, documents: Mapping[str, Document]) -> Json:
        if item.topic not in self._known_topics:
            self._known_topics[item.topic] = _TaskTopic(
                0, self._topics.get(item.topic, Topic(item.topic, item.topic))
            )
        item_data = _ItemData(self._known_topics[item.topic], self._calibration, documents)
        parts = _TaskBuilder(self._project, [item], self._progress, item_data).parts()
        size = (
            sum(len(html) for content in parts["contents"] for html in content["html"])
            + sum(len(part["title"]) + len(part.get("picture", "")) for part in parts["documents"])
            + sum(len(view["hits"]) // 3 * HIT_BYTES for view in parts["views"].values())
        )
        self._cache.put(item, parts, size)
        return parts


def _estimate_item_cost(item: AssignedItem, documents: Mapping[str, Document]) -> int:
    return sum(
        _estimate_document_cost(documents[name]) for name in item.documents if name in documents
    )


def _estimate_document_cost(document: Document) -> int:
    """Return the cost of rendering a document, which is proportional to the rendering time.

    The cost is the number of bytes. A byte of Markdown costs more, because it is slower to render,
    particularly in tables.
    """
    body = document.body
    if document.kind == "markdown":
        return len(document.title) + len(body) * MARKDOWN_WEIGHT + body.count(b"|") * CELL_WEIGHT
    return len(document.title) + len(body)


def _make_presentation_parts(parts: Json, occurrence: int) -> Json:
    (item,) = parts["items"]
    return {**parts, "items": [{**item, "about": {**item["about"], "occurrence": occurrence}}]}


def format_fingerprint(digest: str) -> str:
    """Return the first digits of a hash in groups, so that people can compare hashes.

    >>> format_fingerprint("4f2a91c077de0012")
    '4f2a 91c0 77de'
    """
    return " ".join(
        digest[start : start + CODE_GROUP_LENGTH]
        for start in range(0, CODE_GROUPS * CODE_GROUP_LENGTH, CODE_GROUP_LENGTH)
    )


def _find_task_mode(assignment: Assignment, items: Iterable[AssignedItem]) -> str:
    if assignment.mode == "grade":
        return "grade"
    return "panels" if any(item.type == "panel" for item in items) else "pairs"


@lru_cache(maxsize=16)  # each page needs the same instructions and consent text
def render_markdown(markdown: str) -> str:
    """Convert Markdown to safe HTML."""
    if not markdown.strip():
        return ""
    return "".join(
        to_browser_document(Document("", markdown.encode(), kind="markdown"), "i-").parts
    )


class _TaskBuilder:
    """Builder of the parts of a task: topics, texts, documents and views of its items.

    Items refer to topics and documents by index.
    """

    def __init__(
        self,
        project: Project,
        items: Sequence[AssignedItem],
        progress: Progress,
        item_data: "_ItemData | None" = None,
    ) -> None:
        self._project, self._items, self._item_data = project, items, item_data
        self._progress = progress
        if item_data is not None:
            self._topics = {item.topic: item_data.topic for item in items}
        else:
            topics_by_id = {topic.id: topic for topic in project.collection.topics()}
            names = dict.fromkeys(item.topic for item in items)
            self._topics = {
                name: _TaskTopic(index, topics_by_id.get(name, Topic(name, name)))
                for index, name in enumerate(names)
            }
            self._digests = {
                name: topics_by_id[name].digest.hex() for name in names if name in topics_by_id
            }
        self._calibration = item_data.calibration if item_data else project.calibration
        self._contents: dict[str, _TaskText] = {}
        self._documents: dict[str, _TaskDocument] = {}
        self._views: dict[str, Json] = {}

    def origin(self) -> Json:
        """Return the hashes that merging compares: project, scale and texts."""
        return {
            "project": self._project.get_setting(PROJECT_KEY) or "",
            "scale": self._project.scale.to_json(),
            "topics": self._digests,
        }

    def parts(self) -> Json:
        """Return topics, contents, documents, items and views."""
        occurrences: Counter[tuple[str, str, tuple[str, ...]]] = Counter()
        items = []
        for item in self._progress.track(
            self._items, Message("Reading documents"), total=len(self._items)
        ):
            key = (item.type, item.topic, item.documents)
            occurrences[key] += 1
            items.append(self._build_item(item, occurrences[key]))
        return {
            "topics": [topic.as_json() for topic in self._topics.values()],
            "contents": [content.as_json() for content in self._contents.values()],
            "documents": [document.as_json(name) for name, document in self._documents.items()],
            "items": items,
            "views": self._views,
        }

    def _build_item(self, item: AssignedItem, occurrence: int) -> Json:
        documents = [self._get_document(name) for name in item.documents]
        topic, is_two_sided = self._topics[item.topic], item.type != "document"
        for document in documents:
            self._add_view(topic, document, is_listed=is_two_sided)
        item_json: Json = {
            "about": {
                "type": item.type,
                "topic": item.topic,
                "documents": list(item.documents),
                "contents": [document.content.digest for document in documents],
                "occurrence": occurrence,
            },
            "topic": topic.index,
            "documents": [document.index for document in documents],
        }
        if is_two_sided:
            item_json |= {
                "sizes": [len(documents) for documents in item.lists],
                "identical": item.identical,
            }
        if item.type == "panel":
            item_json["sides"] = list(item.sides)
        calibration_grade = (
            None if is_two_sided else self._calibration.get(item.topic, {}).get(item.documents[0])
        )
        return (
            item_json if calibration_grade is None else {**item_json, "agreed": calibration_grade}
        )

    def _get_document(self, name: str) -> "_TaskDocument":
        """Return the task's entry of a document; read the document on first use."""
        if name not in self._documents:
            document = (
                self._item_data.documents.get(name)
                if self._item_data
                else self._project.collection.document(name)
            )
            if document is None:
                raise ProjectError(
                    "Document {name} has no text in {file} and cannot be assigned.",
                    key="document-without-text",
                    name=name,
                    file=self._project.path.name,
                )
            document = limit_to_shown_fields(self._project, document)
            digest = document.digest.hex()
            if digest not in self._contents:
                index = len(self._contents)
                paper = to_browser_document(
                    document, self._make_id_prefix(index, digest), self._progress.cancellation_check
                )
                self._contents[digest] = _TaskText(index, digest, document, paper)
            metadata = {
                "fields": document.fields,
                "facts": summarise_fields(document.fields),
                "picture": image_data_url(document.picture),
            }
            self._documents[name] = _TaskDocument(
                len(self._documents), document.title, self._contents[digest], metadata
            )
        return self._documents[name]

    def _make_id_prefix(self, index: int, digest: str) -> str:
        """Return a prefix that makes the HTML ids of a text unique on the page."""
        return (
            f"c{digest[:CODE_GROUP_LENGTH]}{digest[-CODE_GROUP_LENGTH:]}-"
            if self._item_data
            else f"c{index}-"
        )

    def _add_view(self, topic: "_TaskTopic", document: "_TaskDocument", *, is_listed: bool) -> None:
        """Add a document's view for a topic: positions of terms, and a snippet if `is_listed`."""
        key = f"{topic.index}/{document.content.index}"
        if key not in self._views:
            self._views[key] = _make_topic_view(
                document.content.browser_document.text, topic.terms
            ) | (
                {"snippet": _make_snippet(document.content.document, topic.terms)}
                if is_listed
                else {}
            )


@dataclass(frozen=True, slots=True)
class _ItemData:
    """Data for rendering a single item: its topic, calibration grades and documents."""

    topic: "_TaskTopic"
    calibration: Calibration
    documents: Mapping[str, Document]


class _TaskTopic:
    """Topic of a task, with its index in the list of topics and the terms to highlight."""

    def __init__(self, index: int, topic: Topic) -> None:
        self.index, self._topic = index, topic
        self.terms = query_terms(topic.title, context=f"{topic.description} {topic.narrative}")

    def as_json(self) -> Json:
        """Return the entry of the topic in `topics` of the task."""
        return {
            "id": self._topic.id,
            "title": self._topic.title,
            "description": self._topic.description,
            "narrative": self._topic.narrative,
            "direction": detect_text_direction(f"{self._topic.title} {self._topic.description}"),
            "terms": [term.text for term in self.terms],
        }


@dataclass(frozen=True, slots=True)
class _TaskText:
    """Text of a task, with its index in `contents`; documents with equal texts share it."""

    index: int
    digest: str
    document: Document
    browser_document: BrowserDocument

    def as_json(self) -> Json:
        """Return the entry of the text in `contents` of the task."""
        content: Json = {
            "digest": self.digest,
            "kind": self.document.kind,
            "direction": detect_text_direction(self.browser_document.text),
            "html": list(self.browser_document.parts),
        }
        if language := detect_language(self.browser_document.text):
            content["language"] = language
        hidden_title = find_hidden_title(self.document)
        return {**content, "unsaid": list(hidden_title)} if hidden_title.length else content


@dataclass(frozen=True, slots=True)
class _TaskDocument:
    """Document of a task, with its index in `documents` and its text."""

    index: int
    title: str
    content: _TaskText
    metadata: Json  # displayed fields, their summary, and the picture

    def as_json(self, name: str) -> Json:
        """Return the entry of the document in `documents` of the task."""
        return {
            "id": name,
            "title": self.title,
            "content": self.content.index,
            **{key: value for key, value in self.metadata.items() if value},
        }


def _make_topic_view(text: str, terms: Sequence[Term]) -> Json:
    """Return the positions of a topic's terms in a text, and the best passage.

    The number of positions is limited.
    """
    matches = search_slices(text, partial(find_terms, terms=terms), size=SLICE_LENGTH)
    if not matches.hits:
        return {"hits": []}
    positions = [
        value
        for hit, (start, end) in zip(matches.hits, matches.positions, strict=True)
        for value in (start, end, hit.term)
    ]
    return {
        "hits": positions,
        "passage": to_utf16_positions(text, find_best_passage(text, matches.hits)),
    }


def _make_snippet(document: Document, terms: Sequence[Term]) -> Json:
    snippet = make_snippet(document, terms)
    return {
        "title": snippet.title,
        "text": snippet.text,
        "title_marks": _flatten_spans(snippet.title, snippet.title_marks),
        "marks": _flatten_spans(snippet.text, snippet.marks),
    }


def _flatten_spans(text: str, spans: Sequence[tuple[int, int]]) -> list[list[int]]:
    positions = (
        to_utf16_positions(text, [offset for span in spans for offset in span]) if spans else []
    )
    return [[start, end] for start, end in zip(positions[::2], positions[1::2], strict=True)]
