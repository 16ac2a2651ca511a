"""Accumulator of the warnings of a reader, which counts and summarises them by kind."""

from collections.abc import Iterable
from dataclasses import dataclass

from irjudge.formats.bytes import replace_surrogates
from irjudge.message import Message

MAX_LISTED_NAMES = 20
MAX_NAME_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class WarningKind:
    """Kind of warning: the text of the message for one case, and the text for several cases.

    Placeholders are `{first}`, the first example, `{unread}`, the unread fields, `{count}`, the
    number of cases, and the names in `values`.
    """

    one: str
    many: str
    values: tuple[tuple[str, str], ...] = ()  # pairs of name and value of other placeholders
    key: str = ""  # identifier for programs and tests; does not depend on the wording


SAME_DOCUMENT = WarningKind(
    "Skipped 1 document with a repeated id; the first document with the id is used: {first}.",
    "Skipped {count} documents with repeated ids; the first document with each id is used. "
    "First skipped: {first}.",
    key="same-document",
)
SAME_TOPIC = WarningKind(
    "Skipped 1 topic with a repeated id; the first topic with the id is used: {first}.",
    "Skipped {count} topics with repeated ids; the first topic with each id is used. First "
    "skipped: {first}.",
    key="same-topic",
)
EMPTY_DOCUMENT = WarningKind(
    "1 document has no text; it was read anyway: {first}.",
    "{count} documents have no text; they were read anyway. First: {first}.",
    key="empty-document",
)
TITLE_ONLY = WarningKind(
    "1 document has a title but no text; it was read anyway: {first}.",
    "{count} documents have a title but no text; they were read anyway. First: {first}.",
    key="title-only",
)
FIELDS_LEFT_OUT = WarningKind(
    "Skipped 1 field that is too long or exceeds the maximum number of fields per document: "
    "{first}.",
    "Skipped {count} fields that are too long or exceed the maximum number of fields per "
    "document. First: {first}.",
    key="fields-left-out",
)
PICTURE_MISSING = WarningKind(
    "1 picture was not found next to the file that refers to it; the name of the picture is "
    "shown instead: {first}.",
    "{count} pictures were not found next to the files that refer to them; the names of the "
    "pictures are shown instead. First: {first}.",
    key="picture-missing",
)
PICTURE_LEFT_OUT = WarningKind(
    "Skipped 1 picture file that is larger than 1 MB or cannot be read as an image: {first}.",
    "Skipped {count} picture files that are larger than 1 MB or cannot be read as images. "
    "First: {first}.",
    key="picture-left-out",
)
EMPTY_IMAGE = WarningKind(
    "1 image file is incomplete or has a width or height of 0, and cannot be shown: {first}.",
    "{count} image files are incomplete or have a width or height of 0, and cannot be shown. "
    "First: {first}.",
    key="empty-image",
)
NAMED_BY_PATH = WarningKind(
    "1 file has the same name as an earlier file; its path is used as its id: {first}.",
    "{count} files have the same name as an earlier file; their paths are used as ids. First: "
    "{first}.",
    key="named-by-path",
)
NO_ID = WarningKind(
    "Skipped 1 document without an id: {first}.",
    "Skipped {count} documents without an id. First: {first}.",
    key="no-id",
)
NOT_FOUND = WarningKind(
    "1 requested document was not found: {first}.",
    "{count} requested documents were not found, for example {first}.",
    key="not-found",
)
NOT_DOCUMENTS = WarningKind(
    "Skipped 1 file of a BEIR collection because it contains topics or qrels, not "
    "documents: {first}.",
    "Skipped {count} files of a BEIR collection because they contain topics or qrels, not "
    "documents. First: {first}.",
    key="not-documents",
)
SMART_MARKS = WarningKind(
    "1 document contains SMART markers (.A, .B, .W), which were left by a conversion and are "
    "shown unchanged: {first}.",
    "{count} documents contain SMART markers (.A, .B, .W), which were left by a conversion and "
    "are shown unchanged. First: {first}.",
    key="smart-marks",
)
NO_TEXT = WarningKind(
    "1 topic has no text: {first}. Ignored fields: {unread}. Specify the title field with "
    '--columns "title=NAME".',
    "{count} topics have no text. First: {first}. Ignored fields: {unread}. Specify the title "
    'field with --columns "title=NAME".',
    key="no-text",
)
EMPTY_TOPIC = WarningKind(
    "1 topic has no text: {first}.",
    "{count} topics have no text. First: {first}.",
    key="empty-topic",
)
NO_TITLE = WarningKind(
    "1 topic has no title: {first}.",
    "{count} topics have no title. First: {first}.",
    key="no-title",
)
IGNORED_ID = WarningKind(
    "1 column looks like an id and was ignored: {first}. Select it with --columns if it is the id.",
    "{count} columns look like ids and were ignored, for example {first}. Select the id column "
    "with --columns.",
    key="ignored-id",
)
IGNORED_COLUMN = WarningKind(
    "1 column was ignored, since another column is used: {first}. Select the right column with "
    "--columns.",
    "{count} columns were ignored, since another column is used, for example {first}. Select the "
    "right column with --columns.",
    key="ignored-column",
)
QUERY_FOR_ID = WarningKind(
    "1 id contains a space and is read as a query text: {first}.",
    "{count} ids contain spaces and are read as query texts, for example {first}.",
    key="query-for-id",
)
BLANK_IN_ID = WarningKind(
    "1 id contains a space, which TREC files cannot represent: {first}.",
    "{count} ids contain spaces, which TREC files cannot represent. First: {first}.",
    key="blank-in-id",
)
BROKEN_UTF8 = WarningKind(
    "1 file has bytes that are not UTF-8, shown as �: {first}. Set its encoding with --encoding.",
    "{count} files have bytes that are not UTF-8, shown as �; set their encoding with "
    "--encoding. First: {first}.",
    key="broken-utf8",
)
LONE_SURROGATE = WarningKind(
    "1 record contains a lone surrogate (half a character), which is shown as �: {first}.",
    "{count} records contain a lone surrogate (half a character), which is shown as �. First: "
    "{first}.",
    key="half-character",
)
FILE_LEFT_OUT = WarningKind(
    "Skipped 1 file of an unsupported format: {first}.",
    "Skipped {count} files of unsupported formats. First: {first}.",
    key="file-left-out",
)
ARCHIVE_LEFT_OUT = WarningKind(
    "1 nested archive was not opened: {first}. Unpack it and read the files.",
    "{count} nested archives were not opened; unpack them and read the files. First: {first}.",
    key="archive-left-out",
)
OFFICE_LEFT_OUT = WarningKind(
    "1 office file or e-book is not supported: {first}. Save it as text or HTML first.",
    "{count} office files or e-books have unsupported formats; save them as text or HTML. "
    "First: {first}.",
    key="office-left-out",
)
OFFICE_UNREADABLE = WarningKind(
    "Skipped 1 PDF, DOCX or ODT file whose text could not be extracted: {first}. Re-save the "
    "file or convert it to plain text.",
    "Skipped {count} PDF, DOCX or ODT files whose text could not be extracted; re-save the "
    "files or convert them to plain text. First: {first}.",
    key="office-unreadable",
)
SHEETS_LEFT_OUT = WarningKind(
    "Skipped 1 spreadsheet: {first}; save its sheet as a CSV file and read the CSV file.",
    "Skipped {count} spreadsheets; save their sheets as CSV files and read the CSV files. "
    "First: {first}.",
    key="sheets-left-out",
)
LINK_LEFT_OUT = WarningKind(
    "1 link or special file was ignored: {first}.",
    "{count} links or special files were ignored. First: {first}.",
    key="link-left-out",
)
BETWEEN_RECORDS = WarningKind(
    "Skipped text outside the records in 1 place: {first}.",
    "Skipped text outside the records in {count} places. First: {first}.",
    key="between-records",
)
NO_END_MARK = WarningKind(
    "1 archive has no end marker and may be truncated: {first}.",
    "{count} archives have no end marker and may be truncated. First: {first}.",
    key="no-end-mark",
)


class ReaderWarnings:
    """Accumulator of a reader's warnings: counts and first examples by kind, and unread fields.

    Cases of the same kind become one message (`sentences`).
    """

    def __init__(self) -> None:
        self._counts: dict[WarningKind, int] = {}
        self._first_examples: dict[WarningKind, str] = {}
        self._unread: dict[str, None] = {}

    def add(self, kind: WarningKind, example: str, count: int = 1) -> None:
        """Count one or more cases of a kind of warning."""
        self._counts[kind] = self._counts.get(kind, 0) + count
        self._first_examples.setdefault(kind, example)

    def merge(self, other: "ReaderWarnings") -> None:
        """Add all warnings of another accumulator."""
        for kind, count in other._counts.items():
            self.add(kind, other._first_examples[kind], count)
        self.add_unread(other._unread)

    def add_unread(self, names: Iterable[str]) -> None:
        """Add names of fields that are not used, up to the number that a message can list."""
        for name in names:
            if len(self._unread) <= MAX_LISTED_NAMES:
                self._unread[name] = None

    @property
    def has_unread(self) -> bool:
        """Whether there are names of fields that are not used."""
        return bool(self._unread)

    def sentences(self) -> tuple[Message, ...]:
        """Return a message for each kind of warning that occurred, and one about unused fields."""
        sentences = [self._format_sentence(kind, count) for kind, count in self._counts.items()]
        if self._unread:
            name_list, remaining = self._list_names()
            sentences.append(
                Message(
                    "Ignored fields: {named}{more}.",
                    key="unread-fields",
                    named=name_list,
                    more=remaining,
                )
            )
        return tuple(sentences)

    def sentence(self, kind: WarningKind) -> str:
        """Return the message for one kind of warning; empty if the kind did not occur."""
        return self._format_sentence(kind, self._counts[kind]) if kind in self._counts else ""

    def _list_names(self) -> tuple[str, str]:
        name_list = ", ".join(
            [replace_surrogates(name)[:MAX_NAME_CHARACTERS] for name in self._unread][
                :MAX_LISTED_NAMES
            ]
        )
        return name_list, Message(" and more") if len(self._unread) > MAX_LISTED_NAMES else ""

    def format_for(self, file: str) -> tuple[str, ...]:
        """Return the messages, each with the file name as prefix."""
        return prefix_file_name(file, self.sentences())

    def _format_sentence(self, kind: WarningKind, count: int) -> Message:
        return Message(
            kind.one if count == 1 else kind.many,
            key=kind.key,
            count=f"{count:,}",
            first=self._first_examples[kind],
            unread="".join(self._list_names()),
            **dict(kind.values),
        )


def prefix_file_name(file: str, texts: Iterable[str]) -> tuple[str, ...]:
    """Return messages with the name of a file as prefix; prefixed messages are unchanged."""
    prefix = f"{file}: "
    return tuple(
        text
        if text.startswith(prefix)
        else Message(
            "{file}: {message}",
            key=text.key if isinstance(text, Message) else "",
            file=file,
            message=text,
        )
        for text in texts
    )
