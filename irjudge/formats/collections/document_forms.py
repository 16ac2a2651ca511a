"""The forms documents come in, and how each is known: by the ending inside a folder or archive, by the content where a file is alone."""

import re
from functools import partial

from irjudge.formats.collections.answers import answer_documents, is_answers
from irjudge.formats.collections.candidates import candidate_documents, is_candidates
from irjudge.formats.collections.document_records import (
    IDS,
    KNOWN,
    SEPARATORS,
    bulk_documents,
    comma_documents,
    is_bulk,
    is_news,
    json_line_documents,
    json_list_documents,
    json_object_documents,
    news_documents,
    smart_documents,
    tab_documents,
)
from irjudge.formats.collections.office import READ, office_form
from irjudge.formats.collections.plain_collections import lisa_documents, npl_documents, time_documents
from irjudge.formats.collections.plain_records import is_lisa, is_npl, is_time
from irjudge.formats.collections.smart import is_smart
from irjudge.formats.collections.top_passages import is_quoted_passages, is_top_passages, quoted_passages, top_passages_documents
from irjudge.formats.collections.trec_documents import WEB_TAG, trec_documents
from irjudge.formats.collections.warc import is_warc, warc_documents
from irjudge.formats.collections.whole_files import html_file, image_file, is_image, markdown_file, office_file, text_file
from irjudge.formats.forms import FirstLook, FormOfFiles, refusing
from irjudge.formats.rows.records import fewest_columns, header_columns
from irjudge.message import Message
from irjudge.model.document import Document

EXPECTED = Message(
    "expected TREC (<DOC>), SMART (.I 1), JSON objects with an id and text, lines with an id, a tab and the text, "
    "CSV with a header, or a folder or archive of .txt, .md, .html, .pdf, .docx, .odt or image files"
)

JSON_ENDINGS = (".jsonl", ".ndjson", ".json")
TSV_ENDINGS = (".tsv", ".tab")
HTML_ENDINGS = (".html", ".htm", ".xhtml")
MARKDOWN_ENDINGS = (".md", ".markdown")
TEXT_ENDINGS = (".txt", ".text")
IMAGE_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")

_DOC = re.compile(rb"<doc[\s>]")
_LIST = re.compile(rb"\[\s*+(?:[{\]]|$)")


def _is_image(look: FirstLook) -> bool:
    return is_image(look.head) and (look.alone or look.ending in IMAGE_ENDINGS)


def _is_office(form: str, look: FirstLook) -> bool:
    return office_form(look.head, f"a{look.ending}") == form


def _is_html(look: FirstLook) -> bool:
    return look.ending in HTML_ENDINGS or (look.alone and look.start.startswith((b"<!doctype html", b"<html")))


def _is_trec(look: FirstLook) -> bool:
    return bool(_DOC.match(look.start)) or (look.start.startswith(b"<") and b"<docno" in look.start)


def _is_web(look: FirstLook) -> bool:
    return _is_trec(look) and f"<{WEB_TAG}>".encode() in look.start


def _is_json_list(look: FirstLook) -> bool:
    return bool(_LIST.match(look.start)) and (look.alone or look.ending in JSON_ENDINGS)


def _is_json_object(look: FirstLook) -> bool:
    """Tell whether the first line is not a whole object yet: then an object goes on over several lines."""
    first_line, line_end, _ = look.start.partition(b"\n")
    several = bool(line_end) and not first_line.rstrip().endswith(b"}")
    return look.start.startswith(b"{") and several and (look.ending == ".json" or (look.alone and look.ending not in JSON_ENDINGS))


def _is_json_lines(look: FirstLook) -> bool:
    return look.start.startswith(b"{") and (look.alone or look.ending in JSON_ENDINGS)


def _is_csv(look: FirstLook) -> bool:
    if look.ending == ".csv":
        return bool(look.start)
    return look.alone and any(header_columns(look.head, KNOWN, IDS, separator) for separator in SEPARATORS if separator != "\t")


def _is_tsv(look: FirstLook) -> bool:
    return bool(look.start) and (look.ending in TSV_ENDINGS or (look.alone and fewest_columns(look.head) > 1))


# The first form that fits is taken. A new form is one more line here.
WHOLE_FILES: tuple[FormOfFiles[Document], ...] = (
    *(FormOfFiles(name, partial(_is_office, name), office_file) for name in READ),
    FormOfFiles("image", _is_image, image_file),
    FormOfFiles("HTML", _is_html, html_file),
    FormOfFiles("Markdown", lambda look: look.ending in MARKDOWN_ENDINGS, markdown_file),
)
PLAIN_TEXT = FormOfFiles(Message("plain text"), lambda look: look.ending in TEXT_ENDINGS, text_file)
FORMS: tuple[FormOfFiles[Document], ...] = (
    *WHOLE_FILES,
    FormOfFiles("WARC", lambda look: is_warc(look.head), warc_documents),
    FormOfFiles("TRECWEB", _is_web, trec_documents),
    FormOfFiles("TREC", _is_trec, trec_documents),
    FormOfFiles("SMART", lambda look: is_smart(look.start), smart_documents),
    FormOfFiles("NPL", is_npl, npl_documents),
    FormOfFiles("LISA", is_lisa, lisa_documents),
    FormOfFiles("TIME", is_time, time_documents),
    FormOfFiles("TREC News", is_news, news_documents),
    FormOfFiles(Message("JSON of queries and their candidates"), is_candidates, candidate_documents),
    FormOfFiles(Message("answers with citations"), is_answers, answer_documents),
    FormOfFiles(Message("lines of _bulk"), is_bulk, bulk_documents),
    FormOfFiles(Message("JSON list"), _is_json_list, json_list_documents),
    FormOfFiles(Message("JSON object"), _is_json_object, json_object_documents),
    FormOfFiles(Message("JSON lines"), _is_json_lines, json_line_documents),
    FormOfFiles("XML", lambda look: look.alone and look.start.startswith(b"<?xml"), refusing(Message("an XML file"), EXPECTED)),
    FormOfFiles("CSV", _is_csv, comma_documents),
    FormOfFiles(Message("DPR passages"), is_quoted_passages, quoted_passages),
    FormOfFiles(Message("MS MARCO's top 1000"), is_top_passages, top_passages_documents),
    FormOfFiles("TSV", _is_tsv, tab_documents),
    PLAIN_TEXT,
)
ONE_EACH = (*WHOLE_FILES, PLAIN_TEXT)
"""Forms of files that are one document each, whose id is the file's name."""
