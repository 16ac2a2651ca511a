"""References from literature databases and reference managers (RIS, PubMed, Web of Science)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes import (
    ArchiveEntry,
    check_record_size,
    collapse_whitespace,
    iter_lines,
)
from irjudge.formats.collections.plain_text_records import warn_of_stray_lines
from irjudge.formats.file_formats import FileHead
from irjudge.formats.reader_warnings import ReaderWarnings
from irjudge.formats.rows import parse_id
from irjudge.message import Message, join_choices
from irjudge.model import Document

Tags = Mapping[str, list[str]]
"""Values of the record of a reference, by tag."""


@dataclass(frozen=True, slots=True)
class ReferenceFormat:
    """Format of bibliographic references: tags, and how records begin and end.

    Several tags may be listed for a part of a document, such as the title; the first tag that a
    record contains is used.
    """

    name: str  # displayed name
    start: re.Pattern[bytes]  # matches the beginning of a file
    tag_pattern: re.Pattern[str]  # matches the first line of a value; groups: tag, text
    ids: tuple[str, ...]  # tags of the id, in order of preference
    titles: tuple[str, ...]  # tags of the title, in order of preference
    texts: tuple[str, ...]  # tags of the text, such as the abstract
    fields: Mapping[str, tuple[str, ...]]  # tags of each further field, by name of the field
    begin_tag: str = ""  # tag that begins a record; empty if no tag marks the beginning
    end_tag: str = ""  # tag that ends a record; empty if a blank line ends a record
    # tags that describe the file and are not part of a record
    file_tags: frozenset[str] = frozenset()
    # tags with one value per line, such as one author per line
    list_tags: frozenset[str] = frozenset()
    is_id_unique: bool = True  # whether a record must not have several ids

    def fits(self, file_head: FileHead) -> bool:
        """Return whether the beginning of a file has this format."""
        return bool(self.start.match(file_head.head))

    def documents(self, entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
        """Yield the references of a file as documents; the abstract is the text.

        Raises
        ------
        FormatError
            If a reference has no id or several ids, or its record is too long.
        """
        for line, tags in self._iter_records(entry, warnings):
            yield self._make_document(entry, line, tags, warnings)

    def table_documents(self, entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
        """Yield the references of a tab-separated file whose header consists of tags."""
        header: list[str] = []
        for line, text in iter_lines(entry.stream, entry.where):
            cells = [cell.strip() for cell in text.split("\t")]
            if not any(cells):
                continue
            if not header:
                header = [*cells]
                continue
            if any(cells[len(header) :]):
                raise FormatError(
                    entry.where,
                    Message(
                        "found {cells} columns; expected {count}, as in the header",
                        key="column-count",
                        cells=len(cells),
                        count=len(header),
                    ),
                    line,
                )
            tags = {tag: [cell] for tag, cell in zip(header, cells, strict=False) if tag and cell}
            yield self._make_document(entry, line, tags, warnings)

    def _make_document(
        self, entry: ArchiveEntry, line: int, tags: Tags, warnings: ReaderWarnings
    ) -> Document:
        ids, texts, titles = (
            entry.columns.names(part, tags)
            for part, tags in (("id", self.ids), ("text", self.texts), ("title", self.titles))
        )
        id_tag = _find_first_tag(tags, ids)
        if not id_tag:
            choices = tags.keys() - {*texts, *titles, self.begin_tag}
            problem = Message(
                "the reference has no {tags} to use as its id; choose another tag with "
                '--columns, for example "id={example}"',
                key="no-id",
                tags=join_choices(ids),
                example=next(
                    (tag for tag in (*self.fields["doi"], *sorted(tags)) if tag in choices),
                    self.fields["doi"][0],
                ),
            )
            raise Undecided(entry.where, problem, ("columns",), line)
        if self.is_id_unique and len(values := [*dict.fromkeys(_list_values(tags, id_tag))]) > 1:
            raise FormatError(
                entry.where,
                Message(
                    "the reference has {count} ids (the first two are {first} and {second}); "
                    "perhaps the end of a reference is missing before the second id",
                    key="several-ids",
                    count=len(values),
                    first=collapse_whitespace(values[0])[:80],
                    second=collapse_whitespace(values[1])[:80],
                ),
                line,
            )
        text_tag, title_tag = _find_first_tag(tags, texts), _find_first_tag(tags, titles)
        used_tags = {id_tag, text_tag, title_tag}
        fields = []
        for name, tag_names in self.fields.items():
            if (tag := _find_first_tag(tags, tag_names)) and tag not in used_tags:
                fields.append((name, collapse_whitespace("; ".join(_list_values(tags, tag)))))
            used_tags |= {*tag_names}
        warnings.add_unread(sorted(tags.keys() - used_tags - {self.begin_tag, self.end_tag}))
        return Document(
            parse_id(_list_values(tags, id_tag)[0], entry.where, line, warnings),
            "\n\n".join(_list_values(tags, text_tag)).encode(),
            collapse_whitespace(" ".join(_list_values(tags, title_tag)[:1])),
            fields=tuple(fields),
        )

    def _iter_records(
        self, entry: ArchiveEntry, warnings: ReaderWarnings
    ) -> Iterator[tuple[int, dict[str, list[str]]]]:
        """Yield the line number of each record, and its values by tag."""
        tags: dict[str, list[list[str]]] = {}  # lines of each value
        first_line, size, tag = 0, 0, ""
        for number, line in iter_lines(entry.stream, entry.where):
            text, tag_match = line.strip(), self.tag_pattern.match(line)
            name = tag_match[1].strip() if tag_match else ""
            is_end = name == self.end_tag if self.end_tag else not text
            if (is_end or name in {self.begin_tag, *self.file_tags} - {""}) and tags:
                yield first_line, _join_lines(tags)
                tags, tag = {}, ""
            if is_end or name in self.file_tags:
                tag = ""
                continue
            if tag_match:
                first_line, size = (first_line, size) if tags else (number, 0)
                tag = name
                tags.setdefault(tag, []).append([(tag_match[2] or "").strip()])
            elif tag and text:
                values = tags[tag]
                if tag in self.list_tags:
                    values.append([text])
                else:
                    values[-1].append(text)
            else:
                warn_of_stray_lines([line], number, entry.where, warnings)
            size += len(line)
            check_record_size(size, entry.where, first_line)
        if tags:
            yield first_line, _join_lines(tags)


def _join_lines(tags: Mapping[str, Iterable[Sequence[str]]]) -> dict[str, list[str]]:
    return {
        tag: ["\n".join(lines).strip() for lines in values_with_lines]
        for tag, values_with_lines in tags.items()
    }


def _list_values(tags: Tags, tag: str) -> list[str]:
    return [value for value in tags.get(tag, ()) if value]


def _find_first_tag(tags: Tags, names: tuple[str, ...]) -> str:
    """Return the first tag in `names` for which a record has a value; empty if there is none."""
    return next((name for name in names if _list_values(tags, name)), "")


RIS = ReferenceFormat(
    name="RIS",
    start=re.compile(
        rb"(?:\xef\xbb\xbf)?\s*+(?:(?:Provider|Database|Content):[^\n]*+\n\s*+)*+TY {2}- ?[A-Z]++\s"
    ),
    tag_pattern=re.compile(r"([A-Z][A-Z0-9])  -(?: ?(.*))?$"),
    # in order of preference: id in the reference manager, id in the database, DOI
    ids=("ID", "AN", "DO"),
    titles=("TI", "T1", "CT"),
    texts=("AB", "N2"),
    fields={
        "authors": ("AU", "A1"),
        "year": ("PY", "Y1"),
        "journal": ("JO", "JF", "T2"),
        "keywords": ("KW",),
        "doi": ("DO",),
    },
    begin_tag="TY",
    end_tag="ER",
    is_id_unique=False,
)
PUBMED = ReferenceFormat(
    name="PubMed",
    start=re.compile(rb"(?:\xef\xbb\xbf)?\s*+PMID- ?[0-9]"),
    tag_pattern=re.compile(r"([A-Z][A-Z0-9 ]{3})-(?: (.*))?$"),
    ids=("PMID",),
    titles=("TI", "BTI", "TT"),
    texts=("AB", "OAB"),
    fields={
        "authors": ("FAU", "AU"),
        "year": ("DP",),
        "journal": ("JT", "TA"),
        "keywords": ("OT",),
        "MeSH": ("MH",),
        "doi": ("LID", "AID"),
    },
    begin_tag="PMID",
)
WEB_OF_SCIENCE = ReferenceFormat(
    name="Web of Science",
    start=re.compile(rb"(?:\xef\xbb\xbf)?\s*+FN [^\r\n]*+\r?\nVR [0-9]"),
    tag_pattern=re.compile(r"([A-Z][A-Z0-9])(?: (.*)|\s*)$"),
    ids=("UT",),
    titles=("TI",),
    texts=("AB",),
    fields={
        "authors": ("AF", "AU"),
        "year": ("PY",),
        "journal": ("SO",),
        "keywords": ("DE",),
        "keywords plus": ("ID",),
        "doi": ("DI",),
    },
    begin_tag="PT",
    end_tag="ER",
    file_tags=frozenset({"FN", "VR", "EF"}),
    list_tags=frozenset({"AU", "AF", "BA", "BF", "BE", "GP", "C1", "RI", "OI", "CR", "EM"}),
)
WEB_OF_SCIENCE_TABLE = re.compile(rb"(?:\xef\xbb\xbf)?PT\tAU\t(?:[A-Z0-9]{2}\t)*+UT(?:\t|\r?\n)")
