"""Passages of DPR: columns between tabs below the header `id text title`, in which texts stand in quotes and quotes are doubled."""

import re
from collections.abc import Iterator
from dataclasses import replace

from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.collections.document_records import document_of
from irjudge.formats.forms import FirstLook
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.records import tab_separated
from irjudge.model.document import Document

COLUMNS = ("id", "text", "title")
_QUOTED = re.compile(r'"((?:[^"]|"")*+)"')


def is_quoted_passages(look: FirstLook) -> bool:
    """Tell whether the header is DPR's, and of the texts below it each is quoted or has no quote at all."""
    header, *rows = [tuple(line.split("\t")) for line in look.lines] or [()]
    cells = [row[1] for row in rows if len(row) == len(COLUMNS)]
    return header == COLUMNS and any(map(_QUOTED.fullmatch, cells)) and all(_QUOTED.fullmatch(cell) or '"' not in cell for cell in cells)


def quoted_passages(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield the passages without the quotes around their texts and titles."""
    for record in tab_separated(entry, COLUMNS, header=True):
        fields = {name: _unquoted(str(text)) for name, text in record.fields.items()}
        yield document_of(replace(record, fields=fields), entry.columns, remarks)


def _unquoted(cell: str) -> str:
    quoted = _QUOTED.fullmatch(cell)
    return quoted[1].replace('""', '"') if quoted else cell
