"""Registered file formats of topics, documents, qrels and runs: name, detector and reader."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar

from irjudge.catalogue import Extension, load_extensions, report_problem
from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.bytes import ArchiveEntry, InputFile, quote_beginning
from irjudge.formats.collections import remove_comments
from irjudge.formats.reader_warnings import ReaderWarnings
from irjudge.formats.rows import list_head_lines
from irjudge.message import Message

T = TypeVar("T")
Read: TypeAlias = Literal["documents", "topics", "qrels", "runs"]
DETECTION_BYTES = 8192  # number of bytes at the beginning of a file that are split into lines


@dataclass(frozen=True, slots=True)
class FileHead:
    """Beginning of a file, used to detect the file's format."""

    suffix: str  # lower-case file name extension, with the dot
    # whether the user named the file; otherwise it is in a folder or archive
    is_named_by_user: bool
    head: bytes  # first bytes of the file
    # first bytes in lower case, without byte order mark, comments and leading white space
    start: bytes

    @property
    def lines(self) -> list[str]:
        """The first non-blank lines of `start`, enough to detect the format."""
        return list_head_lines(self.start[:DETECTION_BYTES])


@dataclass(frozen=True, slots=True)
class FileFormat(Generic[T]):
    """File format of documents, topics, qrels or runs: its name, detector and reader.

    Extension packages can register formats; these are tried before the formats of this program.
    """

    name: str  # displayed name
    fits: Callable[[FileHead], bool]  # returns whether the beginning of a file has this format
    # yields the records of a file, or raises an error if the format is recognised but not supported
    read: Callable[[ArchiveEntry, ReaderWarnings], Iterator[T]]


def add_extension_formats(
    read_entry: Read, formats: Sequence[FileFormat[T]], kind: type[T]
) -> Sequence[FileFormat[T]]:
    """Return the formats of extension packages for a kind of file, followed by `formats`."""
    extension_formats = (
        extension
        for extension in load_extensions("irjudge.readers")
        if extension.name.partition(".")[0] == read_entry
    )
    return [
        *(
            _wrap_extension(extension_format, kind)
            for extension_format in extension_formats
            if _is_file_format(extension_format)
        ),
        *formats,
    ]


def _is_file_format(extension: Extension) -> bool:
    if isinstance(extension.loaded_object, FileFormat):
        return True
    report_problem(
        extension.package,
        extension.name,
        Message(
            "a reader must be a FileFormat, got {type}",
            type=type(extension.loaded_object).__name__,
        ),
    )
    return False


def _wrap_extension(extension: Extension, kind: type[T]) -> FileFormat[T]:
    """Return the format of an extension; its name and errors contain the name of the package."""
    file_format = extension.loaded_object
    name = Message("{form} (by {package})", form=file_format.name, package=extension.package)

    def fits(file_head: FileHead) -> bool:
        try:
            return bool(file_format.fits(file_head))
        except Exception as error:  # noqa: BLE001 -- the code of an extension may raise anything
            report_problem(extension.package, extension.name, error)
            return False

    def read(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[T]:
        try:
            for record in file_format.read(entry, warnings):
                if not isinstance(record, kind):
                    raise TypeError(f"a {kind.__name__} was expected, got {type(record).__name__}")  # noqa: TRY301
                yield record
        except IrjudgeError:
            raise
        except Exception as error:
            raise FormatError(
                entry.where,
                Message(
                    "reading {form} failed: {reason}",
                    form=name,
                    reason=f"{type(error).__name__}: {error}",
                ),
            ) from error

    return FileFormat(name, fits, read)


def detect_format(
    entry: ArchiveEntry, formats: Sequence[FileFormat[T]], expected: str
) -> FileFormat[T] | None:
    """Return the first format that matches a file.

    If no format matches, raise FormatError for a file named by the user, and return None for a file
    in a folder or archive.
    """
    file_head = read_file_head(entry)
    for file_format in formats:
        if file_format.fits(file_head):
            return file_format
    if not file_head.is_named_by_user:
        return None
    if not _split_words(file_head.head).strip():
        raise FormatError(
            entry.where,
            Message("the file is empty; {expected}", key="empty-file", expected=expected),
        )
    raise FormatError(
        entry.where,
        Message(
            "found “{beginning}”; {expected}",
            key="unknown-format",
            beginning=quote_beginning(file_head.head),
            expected=expected,
        ),
        1,
    )


def read_in_format(
    file: InputFile, read_entry: Read, formats: Sequence[FileFormat[T]], kind: type[T]
) -> tuple[str, list[T], ReaderWarnings] | None:
    """Return the format, the content and the warnings of a file; None if no format matches it.

    The formats of extension packages are tried first, then `formats`.
    """
    if not file.path.is_file():
        return None
    warnings = ReaderWarnings()
    entry = file.text(warnings)
    file_head = read_file_head(entry)
    for file_format in add_extension_formats(read_entry, formats, kind):
        if file_format.fits(file_head):
            return file_format.name, list(file_format.read(entry, warnings)), warnings
    return None


def read_file_head(entry: ArchiveEntry) -> FileHead:
    """Return the beginning of a file, prepared for the detection of its format."""
    head = entry.head
    return FileHead(
        entry.suffix,
        not entry.container,
        head,
        remove_comments(_split_words(head)).lstrip().encode("latin-1").lower(),
    )


def _split_words(head: bytes) -> str:
    return head.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
