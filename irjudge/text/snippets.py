"""Snippets of search results: title and most relevant passage of a document."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape

from irjudge.model import Document, DocumentKind
from irjudge.text.highlight import Term, TermHit, find_terms
from irjudge.text.render import title_and_body
from irjudge.text.sanitize import BLOCK_TAGS, extract_title

MAX_PREVIEW_LENGTH = 80  # maximum number of characters
# maximum number of characters of a line that are inspected, including spaces
MAX_PREVIEW_LOOKAHEAD = 400
# number of bytes at the beginning of a body that are enough for a preview; an HTML page needs more,
# since its text follows the head
TEXT_HEAD_BYTES = 400
PAGE_HEAD_BYTES = 2000

HIDDEN_ELEMENT = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|head|template|svg)\b.*?(?:</\1\s*>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
INLINE_TAG = re.compile(
    r"</?(?:a|abbr|b|big|cite|code|em|font|i|kbd|mark|q|s|small|span|strong|sub|sup|tt|u|var)\b[^<>]*(?:>|\Z)",
    re.IGNORECASE,
)
TAG = re.compile(r"<[/!?A-Za-z][^<>]*(?:>|\Z)")
# marks at the beginning of a Markdown line: heading, quotation, list or rule
MARKDOWN_PREFIX = re.compile(r"\s*(?:#{1,6}\s+|>\s?|[-*+]\s+|[-=_*~`]{3,}\s*\Z)+")
MARKDOWN_INLINE = re.compile(r"!?\[([^\[\]]*+)\]\([^)]{0,1000}+\)|[*`]")


def extract_preview_line(head: bytes, kind: DocumentKind) -> str:
    """Return the first line that contains text, at most 80 characters.

    For an HTML page with a title, this is the title. For an image, the result is empty.

    `head` is the beginning of a body, `TEXT_HEAD_BYTES` or `PAGE_HEAD_BYTES` long. Its last
    character may be incomplete.

    >>> extract_preview_line(b"\\n  Tides   of\\tthe sea\\nrise twice", "text"), extract_preview_line(b"<p class=x>The <b>moon</b><p>and", "html")
    ('Tides of the sea', 'The moon')
    """
    if kind == "image":
        return ""
    text = head.decode("utf-8", "ignore")
    if kind == "html":
        title, text = extract_title(text), _strip_html(text)
        text = f"{title}\n{text}"
    for line in text.splitlines():
        preview = " ".join(
            _strip_markdown(line)
            if kind == "markdown"
            else line.lstrip()[:MAX_PREVIEW_LOOKAHEAD].split()
        )
        if any(map(str.isalnum, preview)):
            return (
                preview
                if len(preview) <= MAX_PREVIEW_LENGTH
                else preview[: MAX_PREVIEW_LENGTH - 1].rstrip() + "…"
            )
    return ""


def _strip_markdown(line: str) -> list[str]:
    prefix = MARKDOWN_PREFIX.match(line)
    return MARKDOWN_INLINE.sub(
        r"\1", line[prefix.end() if prefix else 0 :][:MAX_PREVIEW_LOOKAHEAD]
    ).split()


def _strip_html(html: str) -> str:
    """Return the text at the beginning of an HTML page, with a line for each block."""
    # a line end in the source is displayed as a space
    lines = html.replace("\n", " ").replace("\r", " ")
    return unescape(TAG.sub("\n", INLINE_TAG.sub("", HIDDEN_ELEMENT.sub("\n", lines))))


DEFAULT_LENGTH = 150  # number of characters; about two lines of a panel
MAX_SEARCHED = 60_000  # maximum number of characters of a body in which terms are searched for
MAX_TITLE_LENGTH = 120
ELLIPSIS = "…"
_PIECE = re.compile(r"<(/?)([A-Za-z0-9]++)[^<>]*+>|[^<]++|<")
_SENTENCE = re.compile(r"[.!?。！？]")


@dataclass(frozen=True, slots=True)
class Snippet:
    """Title and excerpt of a document in a result list, with the spans of query terms.

    Title and excerpt are plain text on one line.
    """

    title: str  # title or, without a title, the first words of the text; shortened if long
    # excerpt, with `…` at an end where text was omitted; empty for an image or an empty body
    text: str
    # (begin, end) of each query term in the title, in characters, ascending
    title_marks: tuple[tuple[int, int], ...] = ()
    # (begin, end) of each query term in the excerpt, ascending
    marks: tuple[tuple[int, int], ...] = ()


def make_snippet(
    document: Document, terms: Sequence[Term], length: int = DEFAULT_LENGTH
) -> Snippet:
    """Return the snippet of a document, with an excerpt of about `length` characters.

    The excerpt is the passage with the most distinct terms in the first 60,000 characters of the
    text. If these contain no term, the excerpt is the beginning of the text. A first line that
    repeats the title is omitted. If the document has no title, its first words are the title.

    >>> from irjudge.text import query_terms
    >>> text = b"Bread needs time. Tides follow the moon. The sea is cold."
    >>> snippet = make_snippet(Document("d1", text, "Of the sea"), query_terms("moon tides"), 30)
    >>> snippet.text, [snippet.text[begin:end] for begin, end in snippet.marks]
    ('… Tides follow the moon. …', ['Tides', 'moon'])
    """
    title, body = _split_title_and_text(document)
    begin, end = find_best_passage(body, find_terms(body, terms), length)
    if end <= begin:
        begin, end = 0, _find_truncation_offset(body, length)
    prefix = f"{ELLIPSIS} " if begin else ""
    suffix = f" {ELLIPSIS}" if end < len(body) else ""
    text = prefix + " ".join(body[begin:end].split()) + suffix
    title = " ".join(title.split())
    title = (
        title
        if len(title) <= MAX_TITLE_LENGTH
        else title[: MAX_TITLE_LENGTH - 1].rstrip() + ELLIPSIS
    )
    return Snippet(
        title,
        text,
        _list_hit_spans(find_terms(title, terms)),
        _list_hit_spans(find_terms(text, terms)),
    )


def extract_plain_text(document: Document, *, max_characters: int | None = MAX_SEARCHED) -> str:
    """Return the text of a body, with a line for each block; empty for an image.

    >>> extract_plain_text(Document("d1", b"<p>one <b>word</b></p><p>&amp; two", "", "html"))
    'one word\\n& two'
    """
    if document.kind == "image":
        return ""
    if document.kind == "text":
        return document.text[:max_characters].strip()
    return _extract_words(
        title_and_body(document if max_characters is None else _truncate_document(document))[1],
        max_characters,
    )


def _split_title_and_text(document: Document) -> tuple[str, str]:
    if document.kind in ("text", "image"):
        title, text = document.title, extract_plain_text(document)
    else:
        title, body = title_and_body(_truncate_document(document))
        text = _extract_words(body)
    first_line, _, other_lines = text.partition("\n")
    if not title:
        return _find_first_sentence(first_line), text
    return (
        title,
        other_lines.strip()
        if first_line.split() == title.split() and other_lines.strip()
        else text,
    )


def _truncate_document(document: Document) -> Document:
    """Return a copy of a document with only the searched part of its body."""
    return Document(document.id, document.body[: 4 * MAX_SEARCHED], document.title, document.kind)


def _find_first_sentence(line: str) -> str:
    end = _SENTENCE.search(line)
    return line[: end.end()] if end and end.end() <= MAX_TITLE_LENGTH else line


def _extract_words(html: str, max_characters: int | None = MAX_SEARCHED) -> str:
    """Return the text of sanitized HTML, with a line for each block."""
    lines = (
        " ".join(line.split())
        for line in unescape("".join(_iter_pieces(html)))[:max_characters].splitlines()
    )
    return "\n".join(line for line in lines if line)


def _iter_pieces(html: str) -> Iterator[str]:
    for match in _PIECE.finditer(html):
        name = match[2]
        if name is None:
            yield match[0]
        elif name in BLOCK_TAGS or name == "br":
            yield "\n"


def _find_truncation_offset(text: str, length: int) -> int:
    """Return the offset at which to truncate a text: at most `length`, at a space if possible."""
    if len(text) <= length:
        return len(text)
    last_space = max(
        text.rfind(white_space, length // 2, length + 1) for white_space in (" ", "\n")
    )
    return last_space if last_space > 0 else length


def _list_hit_spans(hits: Sequence[TermHit]) -> tuple[tuple[int, int], ...]:
    return tuple((hit.begin, hit.end) for hit in hits)


CLOSING_MARKS = "[\"'”’»)\\]]*"
SENTENCE_END = re.compile(rf"[.!?…]{CLOSING_MARKS}(?=\s)|[。！？｡।؟۔][」』）”]*")
# A line end after the end of a sentence ends a paragraph; other line ends may be due to wrapping.
PARAGRAPH_END = re.compile(
    r"\u2029|(?<=[.!?…:。！？।؟۔\"'”’»)\]])[ \t]*\r?\n|\n[ \t]*\r?\n|\n(?=\f)"
)
LINE_END = re.compile(r"[\n\u2028]")
SPACE = re.compile(r"\s")
BOUNDARY_PATTERNS = (PARAGRAPH_END, SENTENCE_END, LINE_END, SPACE)


def find_best_passage(text: str, hits: Sequence[TermHit], length: int = 600) -> tuple[int, int]:
    """Return the span of the passage with the most distinct terms.

    If several passages have the same number of distinct terms, the one with the most hits is
    returned. The passage has at most `length` characters (at least 1), unless one hit is longer. It
    begins and ends at paragraph boundaries if possible, otherwise at boundaries of sentences, lines
    or words. Hits must be in ascending order; if there are none, the result is (0, 0).

    >>> text = "Bread needs time. Tides follow the moon. The sea is cold."
    >>> begin, end = find_best_passage(text, [TermHit(18, 23, 0), TermHit(35, 39, 1)], 30)
    >>> text[begin:end]
    'Tides follow the moon.'
    """
    if length < 1:
        raise ValueError(f"length must be 1 or more, got {length}")
    if not hits:
        return 0, 0
    first_hit, last_hit_end = _find_densest_window(hits, length)
    begin = _find_passage_begin(text, first_hit, max(0, min(first_hit, last_hit_end - length)))
    end = _find_passage_end(text, last_hit_end, min(len(text), max(last_hit_end, begin + length)))
    while begin < first_hit and text[begin].isspace():
        begin += 1
    while end > last_hit_end and text[end - 1].isspace():
        end -= 1
    return begin, end


def _find_densest_window(hits: Sequence[TermHit], length: int) -> tuple[int, int]:
    """Return the span of consecutive hits with the most distinct terms.

    If several spans have the same number of distinct terms, the one with the most hits is returned.
    The span has at most `length` characters, unless one hit is longer.
    """
    term_counts: Counter[int] = Counter()
    best_score, span, next_hit = (0, 0), (hits[0].begin, hits[0].end), 0
    for index, hit in enumerate(hits):
        while next_hit < len(hits) and (
            next_hit == index or hits[next_hit].end - hit.begin <= length
        ):
            term_counts[hits[next_hit].term] += 1
            next_hit += 1
        if (len(term_counts), next_hit - index) > best_score:
            best_score = (len(term_counts), next_hit - index)
            span = (hit.begin, hits[next_hit - 1].end)
        term_counts[hit.term] -= 1
        if not term_counts[hit.term]:
            del term_counts[hit.term]
    return span


def _find_passage_begin(text: str, first_hit: int, earliest: int) -> int:
    """Return the best boundary between `earliest` and the first hit.

    Among boundaries of the same kind, it is the nearest to the hit.
    """
    for pattern in BOUNDARY_PATTERNS:
        boundaries = [
            match.end()
            for match in pattern.finditer(text, max(0, earliest - 1), first_hit)
            if match.end() >= earliest
        ]
        if boundaries:
            return boundaries[-1]
        if earliest == 0:
            return 0
    return first_hit


def _find_passage_end(text: str, last_hit_end: int, latest: int) -> int:
    """Return the best boundary between the last hit and `latest`.

    Among boundaries of the same kind, it is the farthest from the hit.
    """
    if latest == len(text):
        return latest
    for pattern in BOUNDARY_PATTERNS:
        boundaries = [match.end() for match in pattern.finditer(text, last_hit_end, latest)]
        if boundaries:
            return boundaries[-1]
    return last_hit_end
