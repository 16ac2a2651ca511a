"""Warnings of a reader, counted and summarised per kind."""

from collections.abc import Iterable
from dataclasses import dataclass

from irjudge.formats.bytes import replace_surrogates
from irjudge.message import Message

MAX_LISTED_NAMES = 20
MAX_NAME_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class WarningKind:
    """Kind of warning: its text for one case, and for several.

    Placeholders are `{first}`, the first example, and `{unread}`, the unread fields; `many`
    also has `{count}`.
    """

    one: str
    many: str
    values: tuple[tuple[str, str], ...] = ()  # further placeholders and their values
    key: str = ""  # identifier for programs and tests, independent of the wording


SAME_DOCUMENT = WarningKind(
    "1 document has an id that was there before; the first one is kept and this one left out: {first}.",
    "{count} documents have an id that was there before; the first ones are kept and these left out, beginning with {first}.",
    key="same-document",
)
SAME_TOPIC = WarningKind(
    "1 topic has an id that was there before; the first one is kept and this one left out: {first}.",
    "{count} topics have an id that was there before; the first ones are kept and these left out, beginning with {first}.",
    key="same-topic",
)
EMPTY_DOCUMENT = WarningKind(
    "1 document has no text and is kept: {first}.",
    "{count} documents have no text and are kept, beginning with {first}.",
    key="empty-document",
)
TITLE_ONLY = WarningKind(
    "1 document has a title and no text, and is kept: {first}.",
    "{count} documents have a title and no text, and are kept, beginning with {first}.",
    key="title-only",
)
FIELDS_LEFT_OUT = WarningKind(
    "1 field is too long, or the document has too many, and was left out: {first}.",
    "{count} fields are too long, or their documents have too many, and were left out, beginning with {first}.",
    key="fields-left-out",
)
PICTURE_MISSING = WarningKind(
    "1 picture does not lie beside the file that names it, so its name is shown: {first}.",
    "{count} pictures do not lie beside the file that names them, so their names are shown, beginning with {first}.",
    key="picture-missing",
)
PICTURE_LEFT_OUT = WarningKind(
    "1 picture has more than 1 MB or is none, and was left out: {first}.",
    "{count} pictures have more than 1 MB or are none, and were left out, beginning with {first}.",
    key="picture-left-out",
)
NAMED_BY_PATH = WarningKind(
    "1 file has the name of another before it; its path is its id: {first}.",
    "{count} files have the name of another before them; their paths are their ids, beginning with {first}.",
    key="named-by-path",
)
NO_ID = WarningKind(
    "1 document has no id and was left out: {first}.",
    "{count} documents have no id and were left out, beginning with {first}.",
    key="no-id",
)
NOT_FOUND = WarningKind(
    "1 document that was asked for is not there: {first}.",
    "{count} documents that were asked for are not there, for example {first}.",
    key="not-found",
)
NO_DOCUMENTS = WarningKind(
    "1 file of a BEIR collection holds topics or qrels, not documents, and was left out: {first}.",
    "{count} files of a BEIR collection hold topics or qrels, not documents, and were left out, beginning with {first}.",
    key="not-documents",
)
SMART_MARKS = WarningKind(
    "1 document has SMART's marks (.A, .B, .W) in its text, left there by a conversion and shown as they stand: {first}.",
    "{count} documents have SMART's marks (.A, .B, .W) in their text, left there by a conversion and shown as they stand, "
    "beginning with {first}.",
    key="smart-marks",
)
NO_TEXT = WarningKind(
    '{first} has no text; what is not read: {unread}; say which holds the title with --columns "title=NAME".',
    "{count} topics have no text, beginning with {first}; what is not read: {unread}; "
    'say which holds the title with --columns "title=NAME".',
    key="no-text",
)
NO_TITLE = WarningKind(
    "1 topic has no title: {first}.",
    "{count} topics have no title, beginning with {first}.",
    key="no-title",
)
IGNORED_ID = WarningKind(
    "1 column looks like an id and is not read: {first}. Choose it with --columns if it is the id.",
    "{count} columns look like ids and are not read, for example {first}. "
    "Choose one with --columns if it is the id.",
    key="ignored-id",
)
QUERY_FOR_ID = WarningKind(
    "1 id has a blank and is read as the text of the query: {first}.",
    "{count} ids have a blank and are read as the texts of queries, for example {first}.",
    key="query-for-id",
)
BLANK_IN_ID = WarningKind(
    "1 id has a blank inside, which TREC files cannot hold: {first}.",
    "{count} ids have a blank inside, which TREC files cannot hold, beginning with {first}.",
    key="blank-in-id",
)
BROKEN_UTF8 = WarningKind(
    "1 file has bytes that are not UTF-8, shown as \ufffd; name its encoding with --encoding: {first}.",
    "{count} files have bytes that are not UTF-8, shown as \ufffd; name their encoding with --encoding, beginning with {first}.",
    key="broken-utf8",
)
LONE_SURROGATE = WarningKind(
    "1 record has half a character (a lone surrogate), shown as \ufffd: {first}.",
    "{count} records have half a character (a lone surrogate), shown as \ufffd, beginning with {first}.",
    key="half-character",
)
FILE_LEFT_OUT = WarningKind(
    "1 file is of no form that can be read and was left out: {first}.",
    "{count} files are of no form that can be read and were left out, beginning with {first}.",
    key="file-left-out",
)
ARCHIVE_LEFT_OUT = WarningKind(
    "1 archive inside was not opened; unpack it and read the files: {first}.",
    "{count} archives inside were not opened; unpack them and read the files, beginning with {first}.",
    key="archive-left-out",
)
OFFICE_LEFT_OUT = WarningKind(
    "1 file is of an office program or an e-book, which is not read yet; save it as text or HTML and read that: {first}.",
    "{count} files are of an office program or e-books, which are not read yet; save them as text or HTML and read those, "
    "beginning with {first}.",
    key="office-left-out",
)
OFFICE_UNREADABLE = WarningKind(
    "1 PDF, DOCX or ODT file was left out, of which no text can be read; save it anew, or as text: {first}.",
    "{count} PDF, DOCX or ODT files were left out, of which no text can be read; save them anew, or as text, beginning with {first}.",
    key="office-unreadable",
)
SHEETS_LEFT_OUT = WarningKind(
    "1 spreadsheet was left out: {first}; save its sheet as a CSV file and read that by itself.",
    "{count} spreadsheets were left out, beginning with {first}; save their sheets as CSV files and read those by themselves.",
    key="sheets-left-out",
)
LINK_LEFT_OUT = WarningKind(
    "1 link or special file was not followed: {first}.",
    "{count} links or special files were not followed, beginning with {first}.",
    key="link-left-out",
)
BETWEEN_RECORDS = WarningKind(
    "Text outside of the records was left out in 1 place: {first}.",
    "Text outside of the records was left out in {count} places, beginning with {first}.",
    key="between-records",
)
NO_END_MARK = WarningKind(
    "1 archive has no end mark and may have been cut off: {first}.",
    "{count} archives have no end mark and may have been cut off, beginning with {first}.",
    key="no-end-mark",
)


class ReaderWarnings:
    """Counted warnings with the first example of each, and the names of unread fields."""

    def __init__(self) -> None:
        self._count: dict[WarningKind, int] = {}
        self._first: dict[WarningKind, str] = {}
        self._unread: dict[str, None] = {}

    def add(self, oddity: WarningKind, example: str, times: int = 1) -> None:
        """Count one or more cases."""
        self._count[oddity] = self._count.get(oddity, 0) + times
        self._first.setdefault(oddity, example)

    def merge(self, other: "ReaderWarnings") -> None:
        """Add the warnings of another reader."""
        for oddity, count in other._count.items():
            self.add(oddity, other._first[oddity], count)
        self.unread(other._unread)

    def unread(self, names: Iterable[str]) -> None:
        """Store names of fields that are not read, as many as a message lists."""
        for name in names:
            if len(self._unread) <= MAX_LISTED_NAMES:
                self._unread[name] = None

    def sentences(self) -> tuple[Message, ...]:
        """Return a message for each kind of warning."""
        said = [self._sentence(oddity, count) for oddity, count in self._count.items()]
        if self._unread:
            named, more = self._list_names()
            said.append(
                Message(
                    "Fields that are not read: {named}{more}.",
                    key="unread-fields",
                    named=named,
                    more=more,
                )
            )
        return tuple(said)

    def sentence(self, oddity: WarningKind) -> str:
        """Return the message for one kind of warning; empty if it did not occur."""
        return self._sentence(oddity, self._count[oddity]) if oddity in self._count else ""

    def _list_names(self) -> tuple[str, str]:
        named = ", ".join(
            [replace_surrogates(name)[:MAX_NAME_CHARACTERS] for name in self._unread][
                :MAX_LISTED_NAMES
            ]
        )
        return named, Message(" and more") if len(self._unread) > MAX_LISTED_NAMES else ""

    def about(self, file: str) -> tuple[str, ...]:
        """Return the messages, each prefixed with the name of its file."""
        return prefix_file_name(file, self.sentences())

    def _sentence(self, oddity: WarningKind, count: int) -> Message:
        words = oddity.one if count == 1 else oddity.many
        return Message(
            words,
            key=oddity.key,
            count=f"{count:,}",
            first=self._first[oddity],
            unread="".join(self._list_names()),
            **dict(oddity.values),
        )


def prefix_file_name(file: str, texts: Iterable[str]) -> tuple[str, ...]:
    """Return messages prefixed with the name of their file, unless they are already."""
    front = f"{file}: "
    return tuple(
        each
        if each.startswith(front)
        else Message(
            "{file}: {said}",
            key=each.key if isinstance(each, Message) else "",
            file=file,
            said=each,
        )
        for each in texts
    )
