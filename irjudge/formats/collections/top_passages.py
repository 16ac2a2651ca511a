"""MS MARCO's top 1000: query id, passage id, query and passage on each line, which are documents, topics and a ranking at once."""

import re
from collections.abc import Iterator
from dataclasses import replace

from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.bytes.utf8 import folded
from irjudge.formats.collections.document_records import document_of
from irjudge.formats.forms import FirstLook
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.records import Record, checked_id, tab_separated
from irjudge.model.document import Document
from irjudge.model.retrieved import RetrievedDocument
from irjudge.model.topic import Topic

QUOTED_COLUMNS = ("id", "text", "title")
_QUOTED = re.compile(r'"((?:[^"]|"")*+)"')


def is_quoted_passages(look: FirstLook) -> bool:
    """Tell whether the header is DPR's, and of the texts below it each is quoted or has no quote at all."""
    header, *rows = [tuple(line.split("\t")) for line in look.lines] or [()]
    cells = [row[1] for row in rows if len(row) == len(QUOTED_COLUMNS)]
    return (
        header == QUOTED_COLUMNS
        and any(map(_QUOTED.fullmatch, cells))
        and all(_QUOTED.fullmatch(cell) or '"' not in cell for cell in cells)
    )


def quoted_passages(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield the passages without the quotes around their texts and titles."""
    for record in tab_separated(entry, QUOTED_COLUMNS, header=True):
        fields = {name: _unquoted(str(text)) for name, text in record.fields.items()}
        yield document_of(replace(record, fields=fields), entry.columns, remarks)


def _unquoted(cell: str) -> str:
    quoted = _QUOTED.fullmatch(cell)
    return quoted[1].replace('""', '"') if quoted else cell


COLUMNS = ("qid", "pid", "query", "passage")


def is_top_passages(look: FirstLook) -> bool:
    """Tell whether each of the first lines has four columns between tabs, of which the first two are numbers and no URL follows."""
    rows = [line.split("\t") for line in look.lines]
    return bool(rows) and all(
        len(row) == len(COLUMNS) and row[0].isdecimal() and row[1].isdecimal() and " " in row[3].strip() for row in rows
    )


def top_passages_documents(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield each passage once, where it first stands."""
    seen: set[str] = set()
    for record, _, pid in _rows(entry, remarks):
        if pid not in seen:
            seen.add(pid)
            yield Document(pid, str(record.fields["passage"]).encode())


def top_passages_topics(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Topic]:
    """Yield each query once."""
    seen: set[str] = set()
    for record, qid, _ in _rows(entry, remarks):
        if qid not in seen:
            seen.add(qid)
            yield Topic(qid, folded(str(record.fields["query"])))


def top_passages_ranking(entry: ArchiveEntry, remarks: Remarks) -> Iterator[RetrievedDocument]:
    """Yield each pair; the order of the file is the ranking."""
    for _, qid, pid in _rows(entry, remarks):
        yield RetrievedDocument(qid, pid)


def _rows(entry: ArchiveEntry, remarks: Remarks) -> Iterator[tuple[Record, str, str]]:
    for record in tab_separated(entry, COLUMNS, header=False):
        qid, pid = (checked_id(str(record.fields[name]), entry.where, record.line, remarks) for name in COLUMNS[:2])
        yield record, qid, pid
