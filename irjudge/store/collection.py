"""Topics and documents of a project."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np
import pyarrow as pa

from irjudge.errors import ProjectDamaged, ProjectError
from irjudge.model import (
    Document,
    Fields,
    Ids,
    Ints,
    Longs,
    Topic,
    content_digest,
    to_arrow_strings,
    to_numpy,
)
from irjudge.store.connection import Connection
from irjudge.store.soundness import RESCUE_ADVICE
from irjudge.text import PAGE_HEAD_BYTES, TEXT_HEAD_BYTES, extract_preview_line

# value of the column `kind` for a PDF. The hash of a document's PDF is stored in a setting, whose
# key is the prefix followed by the document id.
PDF = "pdf"
PDF_PREFIX = "pdf:"
PICTURE = "picture"  # value of the column `kind` for a picture in a field
ATTACHMENT_KINDS = (PDF, PICTURE)  # values of `kind` for contents that are not document bodies
# key of a setting: JSON list of the names of all fields in order of first appearance
FIELD_NAMES = "fields"
FIELDS_SINCE = 6  # first schema version with document fields
INSERT_CONTENT = (
    "INSERT INTO content (digest, kind, title, body) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
)
BATCH_SIZE = 2000
BODY_BATCH_SIZE = 100  # number of document bodies that are read at a time
MAX_CHARACTER = "\U0010ffff"  # highest code point, which is last in sort order


@dataclass(frozen=True, slots=True)
class AddedCount:
    """Result of adding topics or documents: numbers of new items and of existing items.

    Existing items are not changed.
    """

    new_count: int
    known_count: int


class Collection:
    """Access to the topics and documents of one project."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection
        self._checked_codes: Ints = np.empty(0, dtype=np.int32)  # codes whose ids are undamaged
        fields = "LEFT JOIN document_fields ON document = code"
        self._has_fields = connection.schema_version >= FIELDS_SINCE
        self._document_columns = (
            "body, title, kind, fields, pictured"
            if self._has_fields
            else "body, title, kind, NULL, ''"
        )
        self._from_clause = (
            f"document JOIN content USING (digest) {fields if self._has_fields else ''}"
        )

    def topics(self) -> tuple[Topic, ...]:
        """Return all topics in the order of their import."""
        return tuple(
            Topic(*row)
            for row in self._db.fetch_all(
                "SELECT id, title, description, narrative FROM topic ORDER BY code"
            )
        )

    def topic_titles(self) -> dict[str, str]:
        """Return the title of each topic by id, in the order of import."""
        return {topic.id: topic.title for topic in self.topics()}

    def add_topics(self, topics: Iterable[Topic]) -> AddedCount:
        """Add topics whose ids do not exist yet; existing topics are not changed."""
        new_count = known_count = 0
        with self._db.transaction():
            for topic in topics:
                row = (topic.id, topic.title, topic.description, topic.narrative)
                count = self._db.execute(
                    "INSERT INTO topic (id, title, description, narrative) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
                    row,
                ).rowcount
                new_count, known_count = new_count + count, known_count + 1 - count
        return AddedCount(new_count, known_count)

    def add_documents(self, documents: Iterable[Document]) -> AddedCount:
        """Add the texts of documents that have no text yet; equal contents are stored once."""
        new_count = known_count = 0
        names: dict[str, None] = {}
        with self._db.transaction():
            for document in documents:
                digest = document.digest
                count = self._db.execute(
                    "INSERT INTO document (id, digest) VALUES (?, ?) "
                    "ON CONFLICT (id) DO UPDATE SET digest = excluded.digest WHERE document.digest IS NULL",
                    (document.id, digest),
                ).rowcount
                if count:
                    row = (digest, document.kind, document.title, document.body)
                    self._db.execute(INSERT_CONTENT, row)
                    if document.pdf:
                        self._store_pdf(document.id, document.pdf)
                if document.fields and (count or self.digest(document.id) == digest):
                    self._store_fields(document)
                    names.update(dict.fromkeys(name for name, _ in document.fields))
                new_count, known_count = new_count + count, known_count + 1 - count
            self._add_field_names(names)
        return AddedCount(new_count, known_count)

    def _store_fields(self, document: Document) -> None:
        """Store the fields of a document unless it already has fields.

        Existing fields are not replaced, because assessors may have seen them.
        """
        picture = content_digest(PICTURE, "", document.picture) if document.picture else None
        if picture:
            self._db.execute(INSERT_CONTENT, (picture, PICTURE, "", document.picture))
        row = (
            json.dumps(document.fields, ensure_ascii=False),
            document.pictured,
            picture,
            document.id,
        )
        self._db.execute(
            "INSERT INTO document_fields SELECT code, ?, ?, ? FROM document WHERE id = ? ON CONFLICT (document) DO NOTHING",
            row,
        )

    def _add_field_names(self, names: Iterable[str]) -> None:
        known_names = self.field_names()
        if new_names := [name for name in names if name not in known_names]:
            self._db.execute(
                "INSERT OR REPLACE INTO fact VALUES (?, ?)",
                (FIELD_NAMES, json.dumps([*known_names, *new_names], ensure_ascii=False)),
            )

    def field_names(self) -> tuple[str, ...]:
        """Return the names of all document fields in order of first appearance."""
        return _parse_names(self._db.get_setting(FIELD_NAMES, "[]"))

    def fields_of(self, documents: Sequence[str]) -> dict[str, Fields]:
        """Return the fields of the given documents by id; omit documents without fields."""
        if not self._has_fields:
            return {}
        query = "SELECT id, fields FROM document_fields JOIN document ON code = document WHERE id"
        return {id: _parse_fields(fields) for id, fields in self._iter_rows_in(query, documents)}

    def example(self) -> Document | None:
        """Return a document with fields, preferably with a picture; None if there is none."""
        if not self._has_fields:
            return None
        first_rows_query = (
            f"SELECT document, picture FROM document_fields ORDER BY document LIMIT {BATCH_SIZE}"
        )
        row = self._db.fetch_one(
            f"SELECT id FROM ({first_rows_query}) JOIN document ON code = document ORDER BY picture IS NULL, code LIMIT 1"
        )
        return self.document(row[0]) if row else None

    def picture(self, document: str) -> bytes | None:
        """Return the picture of a document; None if it has none."""
        if not self._has_fields:
            return None
        query = (
            "SELECT body FROM document_fields JOIN content ON content.digest = picture "
            "WHERE kind = ? AND document = (SELECT code FROM document WHERE id = ?)"
        )
        row = self._db.fetch_one(query, (PICTURE, document))
        return row[0] if row else None

    def _store_pdf(self, document: str, pdf: bytes) -> None:
        """Store the PDF of a document in the table `content`, and the hash of the PDF in a setting.

        The hash is not stored with the text, since documents with equal texts can have different
        PDFs.
        """
        digest = content_digest(PDF, "", pdf)
        self._db.execute(INSERT_CONTENT, (digest, PDF, "", pdf))
        self._db.execute(
            "INSERT OR REPLACE INTO fact VALUES (?, ?)", (PDF_PREFIX + document, digest.hex())
        )

    def has_pages(self, document: str) -> bool:
        """Return whether the project has the PDF of a document, so that its pages can be shown."""
        return self._read_pdf_digest(document) is not None

    def pdf(self, document: str) -> bytes | None:
        """Return the PDF from which a document's text was extracted; None if there is none."""
        digest = self._read_pdf_digest(document)
        row = (
            self._db.fetch_one(
                "SELECT body FROM content WHERE digest = ? AND kind = ?",
                (bytes.fromhex(digest), PDF),
            )
            if digest
            else None
        )
        return row[0] if row else None

    def _read_pdf_digest(self, document: str) -> str | None:
        digest: str | None = self._db.get_setting(PDF_PREFIX + document)
        return digest

    def pdf_sizes(self, documents: Sequence[str]) -> dict[str, tuple[bytes, int]]:
        """Return (hash, size in bytes) of the PDF of each given document, by document id.

        Documents without a PDF are omitted. The PDFs are not read.
        """
        setting_names = [PDF_PREFIX + document for document in documents]
        rows = self._iter_rows_in("SELECT name, value FROM fact WHERE name", setting_names)
        digests = {name.removeprefix(PDF_PREFIX): bytes.fromhex(value) for name, value in rows}
        query = f"SELECT digest, length(body) FROM content WHERE kind = '{PDF}' AND digest"
        sizes = dict(self._iter_rows_in(query, [*digests.values()]))
        return {id: (digest, sizes[digest]) for id, digest in digests.items() if digest in sizes}

    def document(self, document: str) -> Document | None:
        """Return a document; None if the project has no text for the id."""
        row = self._db.fetch_one(
            f"SELECT {self._document_columns} FROM {self._from_clause} WHERE id = ?", (document,)
        )
        return _make_document(document, *row) if row else None

    def documents_by_id(self, documents: Sequence[str]) -> dict[str, Document]:
        """Return the given documents by id; omit documents without a text.

        All returned documents are in memory at the same time.
        """
        query = f"SELECT id, {self._document_columns} FROM {self._from_clause} WHERE id"
        return {row[0]: _make_document(*row) for row in self._iter_rows_in(query, documents)}

    def documents(self) -> Iterator[Document]:
        """Yield every document that has a text, in import order; read one body at a time."""
        ids = [
            row[0]
            for row in self._db.fetch_all(
                "SELECT id FROM document WHERE digest IS NOT NULL ORDER BY code"
            )
        ]
        yield from (document for id in ids if (document := self.document(id)) is not None)

    def iter_coded_documents(self) -> Iterator[tuple[int, Document]]:
        """Yield the code and document of each document that has a text, in order of code.

        Rows are read in batches.
        """
        last_code = 0
        columns = f"code, id, {self._document_columns} FROM {self._from_clause}"
        while rows := self._db.fetch_all(
            f"SELECT {columns} WHERE code > ? ORDER BY code LIMIT ?", (last_code, BODY_BATCH_SIZE)
        ):
            yield from ((code, _make_document(*document)) for code, *document in rows)
            last_code = rows[-1][0]

    def ids_of(self, codes: Sequence[int]) -> dict[int, str]:
        """Return the document id for each given code, by code; omit unknown codes."""
        return dict(self._iter_rows_in("SELECT code, id FROM document WHERE code", codes))

    def list_ids(self, substring: str = "", limit: int = 100) -> list[str]:
        """Return ids that contain `substring`, at most `limit`, in import order.

        Documents without a text are omitted.
        """
        like_pattern = substring.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        query = "SELECT id FROM document WHERE digest IS NOT NULL AND id LIKE ? ESCAPE '\\' ORDER BY code LIMIT ?"
        return [row[0] for row in self._db.fetch_all(query, (f"%{like_pattern}%", limit))]

    def ids_with_prefix(self, prefix: str, limit: int = 100) -> list[str]:
        """Return the first `limit` ids that begin with `prefix`, sorted.

        Documents without a text are omitted.
        """
        query = "SELECT id FROM document WHERE id >= ? AND id < ? AND digest IS NOT NULL ORDER BY id LIMIT ?"
        return [
            row[0] for row in self._db.fetch_all(query, (prefix, prefix + MAX_CHARACTER, limit))
        ]

    def with_readable_text(self, documents: Sequence[str]) -> set[str]:
        """Return the given ids whose documents are neither images nor empty.

        A document is empty if it has neither fields nor a text of at least one character.
        """
        has_text_condition = f"kind != 'image' AND (length(body) > 0{' OR fields IS NOT NULL' if self._has_fields else ''})"
        query = f"SELECT id FROM {self._from_clause} WHERE {has_text_condition} AND id"
        return {id for (id,) in self._iter_rows_in(query, documents)}

    def titles(self, documents: Sequence[str]) -> dict[str, str]:
        """Return a label of each given document that has a text, by id.

        The label is the title or, without a title, the first words of the text; it is empty for an
        image without a title. Only the beginning of a body is read.
        """
        head_bytes = f"CASE kind WHEN 'html' THEN {PAGE_HEAD_BYTES} ELSE {TEXT_HEAD_BYTES} END"
        query = (
            f"SELECT id, title, kind, CASE WHEN title = '' THEN substr(body, 1, {head_bytes}) END "
            "FROM document JOIN content USING (digest) WHERE id"
        )
        return {
            # SQLite returns NULL for substr of an empty blob
            id: title or extract_preview_line(head or b"", kind)
            for id, title, kind, head in self._iter_rows_in(query, documents)
        }

    def digest(self, document: str) -> bytes | None:
        """Return the hash of a document's content; None if it has no text."""
        row = self._db.fetch_one("SELECT digest FROM document WHERE id = ?", (document,))
        return row[0] if row else None

    def digests(self, documents: Sequence[str]) -> dict[str, str]:
        """Return the content hash (hex) of each document that has a text, by id."""
        query = "SELECT id, digest FROM document WHERE digest IS NOT NULL AND id"
        return {id: digest.hex() for id, digest in self._iter_rows_in(query, documents)}

    def lengths(self, documents: Sequence[str]) -> dict[str, int]:
        """Return the body size in bytes of each document that has a text, by id."""
        query = "SELECT id, length(body) FROM document JOIN content USING (digest) WHERE id"
        return dict(self._iter_rows_in(query, documents))

    def content(self) -> Iterator[tuple[str, str]]:
        """Yield (id, state) of every document that has a text, in import order.

        The state is a string that changes if the document is changed: its hash (hex) and fields.
        """
        fields = "LEFT JOIN document_fields ON document = code" if self._has_fields else ""
        column = "fields" if self._has_fields else "NULL"
        rows = self._db.fetch_all(
            f"SELECT id, digest, {column} FROM document {fields} WHERE digest IS NOT NULL ORDER BY code"
        )
        yield from ((id, digest.hex() + (fields or "")) for id, digest, fields in rows)

    def document_count(self) -> int:
        """Return the number of documents that have a text."""
        return int(self._db.fetch_one("SELECT count(*) FROM document WHERE digest IS NOT NULL")[0])

    def without_text(self, documents: Sequence[str]) -> list[str]:
        """Return the given ids whose document has no text, in the given order."""
        query = "SELECT id FROM document WHERE digest IS NOT NULL AND id"
        ids_with_text = {id for (id,) in self._iter_rows_in(query, documents)}
        return [document for document in documents if document not in ids_with_text]

    def known_ids(self, documents: Sequence[str]) -> set[str]:
        """Return the given ids that occur in documents, runs or qrels of the project."""
        return {id for (id,) in self._iter_rows_in("SELECT id FROM document WHERE id", documents)}

    def codes_without_text(self, codes: Ints) -> Ints:
        """Return the given codes whose document has no text, ascending and without duplicates."""
        query = "SELECT code FROM document WHERE digest IS NULL AND code"
        rows = self._iter_rows_in(query, np.unique(codes).tolist())
        return np.array(sorted(code for (code,) in rows), dtype=np.int32)

    def codes(self, documents: Ids) -> Ints:
        """Return the code of each id, shape (N,); new ids get new codes."""
        if not len(documents):
            return np.empty(0, dtype=np.int32)
        encoded = documents.dictionary_encode()
        unique_ids = encoded.dictionary.to_pylist()
        with self._db.transaction():
            self._db.insert(
                "INSERT INTO document (id) VALUES (?) ON CONFLICT DO NOTHING",
                [(name,) for name in unique_ids],
            )
        codes_by_id = dict(self._iter_rows_in("SELECT id, code FROM document WHERE id", unique_ids))
        unique_codes = np.array([codes_by_id[name] for name in unique_ids], dtype=np.int32)
        result: Ints = unique_codes[to_numpy(encoded.indices)]
        return result

    def ids(self, codes: Ints) -> Ids:
        """Return the id of each code, as N Arrow strings."""
        unique_codes, indices = np.unique(codes, return_inverse=True)
        query = "SELECT id FROM document WHERE code"
        rows = self._iter_rows_in(query, unique_codes.tolist(), "ORDER BY code")
        unique_ids = [id for (id,) in rows]
        if len(unique_ids) != len(unique_codes):
            raise ProjectError(
                "{file} is damaged: it refers to documents that it does not contain.",
                key="unknown-documents",
                file=self._db.path.name,
            )
        self._check_ids(unique_ids, unique_codes)
        return to_arrow_strings(unique_ids).take(_to_int64_array(indices))

    def _check_ids(self, ids: Sequence[Any], codes: Ints) -> None:
        """Compare ids from the table of documents with those in its index, each only once.

        Damage changes only one of them, and is found without reading other documents. The codes
        are ascending and unique.
        """
        is_unchecked = ~np.isin(codes, self._checked_codes, assume_unique=True)
        unchecked_codes = codes[is_unchecked]
        unchecked_ids = [*compress(ids, is_unchecked.tolist())]
        is_text = all(isinstance(id, str) for id in unchecked_ids)
        # the index is read in its order, which is faster
        rows = self._iter_rows_in(
            "SELECT code FROM document WHERE id", sorted(unchecked_ids) if is_text else ()
        )
        if sorted(code for (code,) in rows) != unchecked_codes.tolist():
            raise ProjectDamaged(
                "{file} is damaged: a document id was changed. {advice}",
                key="changed-id",
                file=self._db.path.name,
                advice=RESCUE_ADVICE,
            )
        self._checked_codes = np.concatenate((self._checked_codes, unchecked_codes))

    def _iter_rows_in(self, query: str, values: Sequence[Any], ending: str = "") -> Iterator[Any]:
        """Yield the rows in which the column at the end of `query` has one of the values.

        The values are passed in batches, with a placeholder for each value. They cannot be passed
        as one JSON list, since SQLite's JSON functions truncate strings at a null character.
        """
        for start in range(0, len(values), BATCH_SIZE):
            batch = values[start : start + BATCH_SIZE]
            yield from self._db.fetch_all(
                f"{query} IN ({','.join('?' * len(batch))}) {ending}", batch
            )


def _make_document(
    id: str, body: bytes, title: str, kind: Any, fields: str | None, picture_field: str
) -> Document:
    return Document(
        id, body, title, kind, fields=_parse_fields(fields), pictured=picture_field or ""
    )


def _parse_fields(stored_fields: str | None) -> Fields:
    """Return stored document fields; empty if they are invalid.

    `verify` reports invalid fields.
    """
    try:
        pairs = json.loads(stored_fields or "[]")
        return tuple((str(name), str(text)) for name, text in pairs)
    except (ValueError, TypeError, RecursionError):
        return ()


def _parse_names(text: str) -> tuple[str, ...]:
    try:
        return tuple(str(name) for name in json.loads(text))
    except (ValueError, TypeError, RecursionError):
        return ()


def _to_int64_array(values: Longs) -> Any:
    return pa.Array.from_buffers(
        pa.int64(), len(values), [None, pa.py_buffer(values.astype(np.int64))]
    )
