"""Printable HTML pages: booklets for judging on paper, and cards with participants' links."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from itertools import groupby
from pathlib import Path

import segno

from irjudge.errors import IrjudgeError
from irjudge.exchange import Booklet, BookletPage, make_booklet
from irjudge.formats.bytes import write_text_atomically
from irjudge.message import Message
from irjudge.model import Scale, Topic
from irjudge.store import Project, limit_to_shown_fields
from irjudge.text import detect_text_direction
from irjudge.web import REPORT_POLICY, image_data_url, page_translations, to_browser_document

Translate = Callable[[str], str]
BOOKLET_TITLE = Message("Judgments of {assessor}", assessor="")
PART_LABEL = Message("Part {number} of {count}", number="", count="")
TICK_INSTRUCTION = Message(
    "Tick one box for each document. Documents without a tick stay unjudged."
)
UNJUDGEABLE_LABEL = Message("unjudgeable")
# Boxes and codes are black on white, which any printer can print. CSS grid is not used, since the
# window prints booklets with QTextDocument, which does not support it.
STYLE = """\
@page { margin: 16mm 15mm; }
body { margin: 0; color: #000; background: #fff; font: 10.5pt/1.4 "Noto Sans", "Noto Sans CJK SC", "Noto Naskh Arabic", sans-serif; }
.person { page-break-before: always; }
.part { margin-top: 20pt; }
.head { width: 100%; border-collapse: collapse; border-bottom: 1.5pt solid #000; break-inside: avoid; break-after: avoid; }
.head td { padding: 0 0 4pt; vertical-align: bottom; }
.code { text-align: right; font-size: 20pt; font-weight: 700; letter-spacing: 2pt; white-space: nowrap; }
.small { font-size: 8.5pt; color: #333; }
.topic { margin: 8pt 0 2pt; font-size: 13pt; font-weight: 700; break-after: avoid; }
.topic-words { margin: 2pt 0; font-size: 9.5pt; break-after: avoid; }
.document { margin-top: 10pt; padding-top: 2pt; }
.document h1, .document h2, .document h3 { margin: 2pt 0; font-size: medium; }
.document p, .document pre, .document ul, .document ol, .document table { margin: 3pt 0; }
.document pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 9pt; }
.document img { max-width: 100%; max-height: 180mm; }
.document .text { overflow-wrap: anywhere; }
.document .text td, .document .text th { padding: 1pt 8pt; vertical-align: top; }
.document .text p, .document .text li, .document .text td, .document .text th { unicode-bidi: plaintext; }
.ticks { margin: 5pt 0 0; border-collapse: separate; border-spacing: 4pt 0; break-inside: avoid; break-before: avoid; }
.ticks td { padding: 2pt 5pt; border: 1pt solid #000; font-size: 9pt; }
.ticks td.number { border: 0; padding-left: 0; font-size: 12pt; font-weight: 700; }
.ticks td.of { border: 0; color: #333; }
"""


ENGLISH = "en"


def write_booklet(
    project: Project, path: Path, names: Sequence[str] = (), *, language: str = ENGLISH
) -> Booklet:
    """Write a booklet for judging on paper as HTML, and store its page codes in the project.

    Parameters
    ----------
    project
        Project, open for writing. It does not change if the booklet cannot be written.
    names
        Assessors of the booklet; by default the owner.
    language
        Language of the fixed texts, such as `zh_CN`.

    Raises
    ------
    IrjudgeError
        If the language is unknown, if there is nothing to print, or if the file cannot be written.
    """
    translations = page_translations(
        [
            message.template
            for message in (BOOKLET_TITLE, TICK_INSTRUCTION, UNJUDGEABLE_LABEL, PART_LABEL)
        ]
        + [grade.label for grade in project.scale.grades]
    ) | {ENGLISH: {}}
    if language not in translations:
        raise IrjudgeError(
            "The booklet is not available in {language!r}; expected one of {languages}.",
            language=language,
            languages=", ".join(sorted(translations)),
        )
    texts = translations[language]
    with project.transaction():
        booklet = make_booklet(project, *names)
        lines = booklet_lines(project, booklet.pages, lambda text: texts.get(text, text))
        write_text_atomically(path, "\n".join(lines))
    return booklet


def booklet_lines(
    project: Project, pages: Mapping[str, BookletPage], translate: Translate = str
) -> Iterator[str]:
    """Yield the lines of a booklet in HTML, with fixed texts translated by `translate`.

    `pages` contains the parts of the booklet, with their codes as keys. The parts of an assessor
    follow one another. The first part of each assessor except the first begins on a new sheet.
    """
    scale, topics = project.scale, {topic.id: topic for topic in project.collection.topics()}
    title = escape(project.title)
    yield '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{REPORT_POLICY}">\n<title>{title}</title>'
    yield f"<style>\n{STYLE}</style>\n</head>\n<body>"
    previous_assessor = None
    for assessor, assessor_pages in groupby(pages.items(), key=lambda page: page[1].assessor):
        page_list = list(assessor_pages)
        for number, (code, page) in enumerate(page_list, 1):
            starts_new_sheet = previous_assessor is not None and number == 1
            yield (
                '<div class="person" style="page-break-before: always">'
                if starts_new_sheet
                else '<div class="part">'
            )
            part_text = Message(
                PART_LABEL.template, number=number, count=len(page_list)
            ).translate_with(translate)
            recipient = (
                f"{title} · {_translate_escaped(BOOKLET_TITLE, translate, assessor=assessor)}"
            )
            yield f'<table class="head" width="100%"><tr><td class="small">{recipient}<br>{escape(part_text)}</td>'
            yield f'<td class="code" align="right"><b>{code}</b></td></tr></table>'
            is_new_section = previous_assessor is None or (
                previous_assessor.assessor,
                previous_assessor.topic,
            ) != (assessor, page.topic)
            yield from _iter_topic_lines(
                topics.get(page.topic) or Topic(page.topic, page.topic),
                with_description=is_new_section,
            )
            if number == 1:
                yield f'<p class="small">{_translate_escaped(TICK_INSTRUCTION, translate)}</p>'
            yield from _iter_document_lines(
                project, code, page, partial(_format_grade_boxes, scale, code, translate)
            )
            yield "</div>"
            previous_assessor = page
    yield "</body>\n</html>"


def _iter_document_lines(
    project: Project, code: str, page: BookletPage, format_boxes: Callable[[int], str]
) -> Iterator[str]:
    texts = project.collection.documents_by_id(list(dict.fromkeys(page.documents)))
    for index, document in enumerate(page.documents, 1):
        shown_document = limit_to_shown_fields(project, texts[document])
        browser_document = to_browser_document(shown_document, f"{code}-{index}-")
        yield f'<div class="document"><hr><div class="text" dir="{detect_text_direction(texts[document].title + browser_document.text)}">'
        yield from browser_document.parts
        yield "</div>"
        if image_url := image_data_url(shown_document.picture):
            yield f'<img src="{image_url}" alt="" height="90">'
        if shown_document.fields:
            rows = (
                f'<tr><td class="small">{escape(name)}</td><td dir="auto">{escape(text)}</td></tr>'
                for name, text in shown_document.fields
            )
            yield f'<table class="fields">{"".join(rows)}</table>'
        yield f"</div>\n{format_boxes(index)}"


def _translate_escaped(message: Message, translate: Translate, **values: object) -> str:
    return escape(Message(message.template, **values).translate_with(translate))


def _iter_topic_lines(topic: Topic, *, with_description: bool) -> Iterator[str]:
    yield f'<p class="topic" dir="{detect_text_direction(topic.title)}"><b>{escape(topic.title)}</b></p>'
    for text in dict.fromkeys((topic.description, topic.narrative) if with_description else ()):
        if text and text != topic.title:
            yield f'<p class="topic-words" dir="{detect_text_direction(text)}">{escape(text)}</p>'


def _format_grade_boxes(scale: Scale, code: str, translate: Translate, number: int) -> str:
    """Return a line of boxes for the grade of a document, in HTML.

    It contains the document's number in the part, a box for each grade, and a box for unjudgeable.
    The code of the part is repeated in each line, since a part may continue on the next sheet.
    """
    grades = [(str(grade.value), translate(grade.label)) for grade in scale.grades] + [
        ("x", UNJUDGEABLE_LABEL.translate_with(translate))
    ]
    box_cells = "".join(f"<td>☐ <b>{value}</b> {escape(label)}</td>" for value, label in grades)
    number_cell = f'<td class="number"><b>{number}</b></td>'
    code_cell = f'<td class="of small">{code}</td>'
    return f'<table class="ticks" border="1" cellspacing="0" cellpadding="5"><tr>{number_cell}{box_cells}{code_cell}</tr></table>'


# Cards with participants' links, to distribute in a class

CARD_STYLE = """\
@page { margin: 12mm; }
body { margin: 0; color: #000; background: #fff; font: 10pt/1.35 "Noto Sans", "Noto Sans CJK SC", "Noto Naskh Arabic", sans-serif; }
.cards { display: grid; grid-template-columns: 1fr 1fr; gap: 0; }
.card { display: flex; gap: 8pt; align-items: center; padding: 8pt; border: 0.5pt dashed #666; break-inside: avoid; }
.card svg { flex: none; width: 34mm; height: 34mm; }
.name { font-size: 14pt; font-weight: 700; overflow-wrap: anywhere; }
.link { font-size: 8pt; overflow-wrap: anywhere; }
"""
CARD_TEXT = Message(
    "Scan the QR code, or type the address. This link is personal: do not share it."
)


def card_lines(
    title: str, cards: Iterable[tuple[str, str]], translate: Translate = str
) -> Iterator[str]:
    """Yield the lines of an HTML page of cards to cut out.

    `cards` are names and links of participants. Each card has a name, a link and its QR code.
    """
    yield '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{REPORT_POLICY}">\n<title>{escape(title)}</title>'
    yield f'<style>\n{CARD_STYLE}</style>\n</head>\n<body>\n<div class="cards">'
    for name, link in cards:
        qr_code = segno.make(link, micro=False).svg_inline(border=2)
        markup = f'<div class="name" dir="auto">{escape(name)}</div><div>{escape(title)}</div><div class="link">{escape(link)}</div>'
        yield f'<div class="card">{qr_code}<div>{markup}<div class="link">{_translate_escaped(CARD_TEXT, translate)}</div></div></div>'
    yield "</div>\n</body>\n</html>"
