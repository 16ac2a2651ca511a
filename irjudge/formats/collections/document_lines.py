"""Writes documents as JSON lines that read back equal."""

import base64
import json
from collections.abc import Iterable
from pathlib import Path

from irjudge.formats.bytes.replacing import replacing
from irjudge.formats.collections.document_records import BASE64, KIND
from irjudge.model.document import Document
from irjudge.progress import SILENT, Progress


def write_documents(path: Path, documents: Iterable[Document], progress: Progress = SILENT) -> int:
    """Write documents as JSON lines, whole or not at all, and return how many there were.

    Parameters
    ----------
    path
        A file there is replaced when all is written.
    documents
        Each becomes one line with `id`, `title` where it has one, `kind` where it is no plain text, and `text`. An
        image, and text that is not UTF-8, has its bytes in `base64` instead.

    Raises
    ------
    IrjudgeError
        When the file cannot be written, or the work is cancelled; the file that was there is unchanged.
    """
    count = 0
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n") as out:
        for document in progress.through(documents, "documents"):
            out.write(json.dumps(_fields(document), ensure_ascii=False) + "\n")
            count += 1
    return count


def _fields(document: Document) -> dict[str, str]:
    fields = {"id": document.id}
    if document.title:
        fields["title"] = document.title
    if document.kind != "text":
        fields[KIND] = document.kind
    try:
        return fields | {"text": document.body.decode()} if document.kind != "image" else fields | {BASE64: _packed(document)}
    except UnicodeDecodeError:
        return fields | {BASE64: _packed(document)}


def _packed(document: Document) -> str:
    return base64.b64encode(document.body).decode("ascii")
