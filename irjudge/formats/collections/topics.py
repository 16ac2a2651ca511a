"""Readers and writers of topics."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Literal, get_args

from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes import (
    ArchiveEntry,
    collapse_whitespace,
    open_single_text,
    parse_encoding_option,
    replace_file,
)
from irjudge.formats.collections.combined_files import (
    is_answers,
    is_candidates,
    is_top_passages,
    iter_answer_topics,
    iter_candidate_topics,
    iter_top_passages_topics,
)
from irjudge.formats.collections.plain_text_records import (
    ID_MARK,
    LISA_QUERY_MARKS,
    NPL_MARKS,
    TEXT_MARK,
    TIME_QUERY_MARKS,
    TIME_QUERY_START,
    TITLE_MARK,
    is_lisa_queries,
    is_npl,
    is_smart,
    iter_plain_topics,
    iter_smart_records,
)
from irjudge.formats.collections.topic_records import (
    DESCRIPTION_FIELDS,
    ID_FIELDS,
    KNOWN_FIELDS,
    NARRATIVE_FIELDS,
    TITLE_FIELDS,
    is_conversations,
    is_ntcir_topics,
    is_numbered_lines,
    is_numbered_queries,
    is_object_of_queries,
    is_outline,
    is_query_lines,
    is_rubrics,
    iter_conversation_topics,
    iter_document_topics,
    iter_ntcir_topics,
    iter_numbered_lines,
    iter_numbered_queries,
    iter_object_queries,
    iter_outline_topics,
    iter_query_lines,
    iter_rubric_topics,
    iter_sgml_topics,
    iter_xml_topics,
    make_topics,
    split_paragraphs,
)
from irjudge.formats.file_formats import (
    FileFormat,
    FileHead,
    add_extension_formats,
    detect_format,
    read_file_head,
)
from irjudge.formats.judgments import read_ratings
from irjudge.formats.reader_warnings import (
    EMPTY_TOPIC,
    NO_TEXT,
    NO_TITLE,
    SAME_TOPIC,
    ReaderWarnings,
)
from irjudge.formats.rows import (
    NAMED_MAPPING,
    ColumnKind,
    ColumnMapping,
    ReadTable,
    Record,
    detect_header_separator,
    find_min_column_count,
    is_workbook,
    iter_json_lines,
    iter_json_list,
    iter_tsv_rows,
    parse_id,
    read_first_cell,
    read_header_columns,
    read_table,
    read_text_table,
)
from irjudge.message import Message
from irjudge.model import Topic

TopicIds = Literal["order", "given"]
TOPIC_IDS: tuple[TopicIds, ...] = get_args(TopicIds)
MAX_SHOWN_IDS = 3


def choose_topic_ids(
    topics: Sequence[Topic], path: Path, topic_ids: TopicIds | None, *, is_numbered: bool
) -> tuple[tuple[Topic, ...], tuple[str, ...]]:
    """Return the topics with the chosen ids, and a message about the choice.

    The ids are those in the file, or the positions from 1. If `topic_ids` is None, the positions
    are used for formats with numbered topics (`is_numbered`), and the ids in the file for other
    formats. In the first case, Undecided is raised if the ids in the file, without leading zeros,
    are not the positions. There is no message if the ids in the file are the positions, or if they
    are used by default.
    """
    ids = [topic.id for topic in topics]
    positions = [str(number) for number in range(1, len(ids) + 1)]
    if ids == positions:
        return tuple(topics), ()
    if topic_ids is None and is_numbered and [name.lstrip("0") for name in ids] != positions:
        raise Undecided(
            path,
            Message(
                "the query ids are not the numbers 1 to {count:,}; use --topic-ids to choose "
                "the ids: {choice}",
                key="ids-not-counted",
                count=len(ids),
                choice=Message(
                    "{default} (1 to {count:,}, as in SMART relevance files) or {alternative} ({ids})",
                    default=TOPIC_IDS[0],
                    count=len(ids),
                    alternative=TOPIC_IDS[1],
                    ids=_list_ids(ids),
                ),
            ),
            ("topic_ids",),
        )
    if topic_ids == "order" or (topic_ids is None and is_numbered):
        message = (
            Message(
                "Topic ids are 1 to {count:,}, in file order; the ids in the file are {ids}.",
                key="ids-by-order",
                count=len(ids),
                ids=_list_ids(ids),
            )
            if any(ids)
            else Message(
                "Topic ids are 1 to {count:,}, in file order; the file has no ids.",
                key="ids-by-order",
                count=len(ids),
            )
        )
        return tuple(
            replace(topic, id=name) for topic, name in zip(topics, positions, strict=True)
        ), (message,)
    if topic_ids == "given":
        return tuple(topics), (
            Message(
                "Topic ids are those of the file ({ids}); they are not numbered 1 to {count:,}.",
                key="ids-as-given",
                ids=_list_ids(ids),
                count=len(ids),
            ),
        )
    return tuple(topics), ()


def _list_ids(ids: Sequence[str]) -> str:
    """Return the first ids and the last id, for a message."""
    if len(ids) <= MAX_SHOWN_IDS + 1:
        return ", ".join(ids)
    return f"{', '.join(ids[:MAX_SHOWN_IDS])} … {ids[-1]}"


def iter_smart_topics(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Topic]:
    """Yield a topic for each SMART query; `.W` is the title or, with a `.T`, the description."""
    for record in iter_smart_records(entry.stream, entry.where, warnings):
        fields = {mark: str(text) for mark, text in record.fields.items()}
        warnings.add_unread(
            f".{name}" for name in fields if name not in (ID_MARK, TITLE_MARK, TEXT_MARK)
        )
        title, text = fields.get(TITLE_MARK, ""), fields.get(TEXT_MARK, "")
        name = parse_id(fields[ID_MARK], entry.where, record.line, warnings)
        yield Topic(
            name, collapse_whitespace(title or text), split_paragraphs(text) if title else ""
        )


EXPECTED = Message(
    "expected TREC topics (<top>), XML, SMART queries (.I), JSON objects with an id and a "
    "title or text, lines with an id, a tab and the query, or one query per line"
)
MAX_TOPICS = 1_000_000
# maximum characters of a title in a warning; some queries have hundreds of words
MAX_QUOTED_CHARACTERS = 80
QUERY_FILES = ("queries.jsonl", "queries.jsonl.gz")  # names of the query file of a BEIR folder
SMART_FORMAT_NAME = Message("SMART queries")
NUMBERED_LINES_FORMAT_NAME = Message("one query per line, numbered in order")
MARKUP_STARTS = (b"<", b"{", b"[")  # first bytes of files whose topics have named fields
TOPIC_PARTS = (
    ColumnKind("id", ID_FIELDS),
    ColumnKind("title", TITLE_FIELDS),
    ColumnKind("description", DESCRIPTION_FIELDS, needed=False),
    ColumnKind("narrative", NARRATIVE_FIELDS, needed=False),
)
PART_NAMES = tuple(part.name for part in TOPIC_PARTS)

_QUOTED_CELL = re.compile(r'"(?:[^"]|"")*"')
_TOP_TAG = re.compile(rb"<top[\s>]")
_TOP_TAG_LINE = re.compile(rb"^[ \t]*+<top[\s>]", re.MULTILINE)
_DOC_TAG = re.compile(rb"<doc[\s>]")


@dataclass(frozen=True, slots=True)
class TopicFile:
    """Topics read from one file, in file order."""

    # topics with unique ids; if several topics have the same id, the first is used
    topics: tuple[Topic, ...]
    format_name: str  # displayed name of the format: "TREC SGML", "TSV", "JSON lines"
    warnings: tuple[str, ...]


def read_topics(
    path: Path,
    *,
    topic_ids: TopicIds | None = None,
    columns: ColumnMapping = NAMED_MAPPING,
    encoding: str | None = None,
) -> TopicFile:
    """Read topics from a plain, gzip-compressed or spreadsheet file, or from a BEIR folder."""
    path = _find_query_file(path)
    warnings = ReaderWarnings()
    if is_workbook(path):
        table = read_table(path, TOPIC_PARTS, warnings, columns=columns, encoding=encoding)
        return _finish_topics(
            path, table.format_name, _iter_table_topics(table, warnings), topic_ids, warnings
        )
    if not columns and (ratings := read_ratings(path)):
        topics = (
            Topic(query.id, query.text, split_paragraphs(query.need))
            for query in ratings.queries.values()
        )
        return _finish_topics(path, ratings.format_name, topics, topic_ids, warnings)
    for entry in open_single_text(
        path, warnings, encoding=parse_encoding_option(encoding), columns=columns
    ):
        if columns and not read_file_head(entry).start.startswith(MARKUP_STARTS):
            table = read_text_table(entry, TOPIC_PARTS)
            return _finish_topics(
                path, table.format_name, _iter_table_topics(table, warnings), topic_ids, warnings
            )
        entry = replace(entry, by_order=topic_ids == "order")
        if file_format := detect_format(
            entry, add_extension_formats("topics", FORMATS, Topic), EXPECTED
        ):
            return _finish_topics(
                path, file_format.name, file_format.read(entry, warnings), topic_ids, warnings
            )
    raise FormatError(
        path, Message("no topic found; {expected}", key="no-topic", expected=EXPECTED)
    )


def _find_query_file(path: Path) -> Path:
    """Return the file of queries in a BEIR folder; a path of a file is returned unchanged.

    Raises FormatError for a folder without a file of queries.
    """
    if not path.is_dir():
        return path
    for name in QUERY_FILES:
        if (path / name).is_file():
            return path / name
    raise FormatError(
        path,
        Message(
            "it is a folder without {file}; expected a file, or a folder in BEIR format",
            key="folder-without-queries",
            file=QUERY_FILES[0],
        ),
    )


def _finish_topics(
    path: Path,
    format_name: str,
    topic_iterator: Iterator[Topic],
    topic_ids: TopicIds | None,
    warnings: ReaderWarnings,
) -> TopicFile:
    first_topics = tuple(islice(topic_iterator, MAX_TOPICS + 1))
    if len(first_topics) > MAX_TOPICS:
        raise FormatError(
            path,
            Message(
                "more than {limit:,} topics; expected at most {limit:,}",
                key="too-many-topics",
                limit=MAX_TOPICS,
            ),
        )
    topics, id_messages = choose_topic_ids(
        first_topics, path, topic_ids, is_numbered=format_name == SMART_FORMAT_NAME
    )
    first_by_id: dict[str, Topic] = {}
    for topic in topics:
        if topic.id in first_by_id:
            warnings.add(SAME_TOPIC, topic.id)
            continue
        first_by_id[topic.id] = topic
        if not topic.title:
            no_text = NO_TEXT if warnings.has_unread else EMPTY_TOPIC
            warnings.add(NO_TITLE if topic.description or topic.narrative else no_text, topic.id)
    unique_topics = tuple(first_by_id.values())
    if not unique_topics:
        raise FormatError(
            path, Message("no topic found; {expected}", key="no-topic", expected=EXPECTED)
        )
    return TopicFile(
        unique_topics,
        format_name,
        id_messages + _warn_of_equal_titles(unique_topics) + warnings.sentences(),
    )


def _warn_of_equal_titles(topics: tuple[Topic, ...]) -> tuple[str, ...]:
    titles = {topic.title for topic in topics}
    title = topics[0].title
    example = (
        title
        if len(title) <= MAX_QUOTED_CHARACTERS
        else f"{title[:MAX_QUOTED_CHARACTERS].rstrip()} …"
    )
    return (
        (Message("All topics have the title “{title}”.", key="one-title", title=example),)
        if len(topics) > 1 and len(titles) == 1 and titles != {""}
        else ()
    )


def _iter_json_topics(
    iter_records: Callable[[ArchiveEntry], Iterator[Record]],
    entry: ArchiveEntry,
    warnings: ReaderWarnings,
) -> Iterator[Topic]:
    return make_topics(iter_records(entry), warnings, entry.columns, by_order=entry.by_order)


def _iter_tsv_topics(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Topic]:
    header = read_header_columns(entry.head, KNOWN_FIELDS, ID_FIELDS)
    columns = find_min_column_count(entry.head)
    if not header and columns == 2 and read_first_cell(entry.head).lower() in ID_FIELDS:
        header = ("id", "text")  # the other column is the query, whatever its name is
    if not header and columns != 2:
        raise FormatError(
            entry.where,
            Message(
                "number of columns separated by tabs: {columns}; expected two (id and query) or a "
                "header line",
                key="column-count",
                columns=columns,
            ),
            1,
        )
    records = iter_tsv_rows(entry, header or ("id", "text"), header=bool(header))
    return make_topics(map(_unquote_record, records), warnings)


def _unquote_record(record: Record) -> Record:
    """Remove the quotation marks around the cells of a record if its id has quotation marks."""
    cells = {name: str(value).strip() for name, value in record.fields.items()}
    if not _QUOTED_CELL.fullmatch(next(iter(cells.values()), "")):
        return record
    return replace(
        record,
        fields={
            name: cell[1:-1].replace('""', '"') if _QUOTED_CELL.fullmatch(cell) else cell
            for name, cell in cells.items()
        },
    )


def _iter_csv_topics(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Topic]:
    return _iter_table_topics(read_text_table(entry, TOPIC_PARTS), warnings)


def _iter_table_topics(table: ReadTable, warnings: ReaderWarnings) -> Iterator[Topic]:
    table.report_unread(warnings)
    return make_topics(
        (Record(table.path, line, fields) for line, fields in table.records()), warnings
    )


def _is_sgml(file_head: FileHead) -> bool:
    return bool(
        _TOP_TAG.search(file_head.start)
        if file_head.start.startswith(b"<")
        else _TOP_TAG_LINE.search(file_head.start)
    )


def _is_tsv(file_head: FileHead) -> bool:
    return (
        find_min_column_count(file_head.head) > 1
        or read_header_columns(file_head.head, KNOWN_FIELDS, ID_FIELDS) is not None
    )


# Formats in the order in which they are tried. A new format is added to this list.
FORMATS: tuple[FileFormat[Topic], ...] = (
    FileFormat("TREC SGML", _is_sgml, iter_sgml_topics),
    FileFormat(
        Message("TREC documents as topics"),
        lambda file_head: bool(_DOC_TAG.match(file_head.start)),
        iter_document_topics,
    ),
    FileFormat(Message("NTCIR topics"), is_ntcir_topics, iter_ntcir_topics),
    FileFormat("XML", lambda file_head: file_head.start.startswith(b"<"), iter_xml_topics),
    FileFormat(
        Message("JSON of queries and their candidates"), is_candidates, iter_candidate_topics
    ),
    FileFormat(Message("answers with citations"), is_answers, iter_answer_topics),
    FileFormat(Message("conversation turns"), is_conversations, iter_conversation_topics),
    FileFormat(Message("rubrics"), is_rubrics, iter_rubric_topics),
    FileFormat(Message("JSON of ids and queries"), is_object_of_queries, iter_object_queries),
    FileFormat(
        Message("JSON list"),
        lambda file_head: file_head.start.startswith(b"["),
        partial(_iter_json_topics, iter_json_list),
    ),
    FileFormat(
        Message("JSON lines"),
        lambda file_head: file_head.start.startswith(b"{"),
        partial(_iter_json_topics, iter_json_lines),
    ),
    FileFormat(SMART_FORMAT_NAME, lambda file_head: is_smart(file_head.start), iter_smart_topics),
    FileFormat(Message("NPL queries"), is_npl, partial(iter_plain_topics, NPL_MARKS)),
    FileFormat(
        Message("LISA queries"), is_lisa_queries, partial(iter_plain_topics, LISA_QUERY_MARKS)
    ),
    FileFormat(
        Message("TIME queries"),
        lambda file_head: bool(TIME_QUERY_START.match(file_head.start)),
        partial(iter_plain_topics, TIME_QUERY_MARKS),
    ),
    FileFormat(Message("numbered queries"), is_numbered_queries, iter_numbered_queries),
    FileFormat(Message("outline headings"), is_outline, iter_outline_topics),
    FileFormat(
        "CSV",
        lambda file_head: detect_header_separator(file_head.head, TOPIC_PARTS) in (",", ";"),
        _iter_csv_topics,
    ),
    FileFormat(Message("MS MARCO top 1000"), is_top_passages, iter_top_passages_topics),
    FileFormat("TSV", _is_tsv, _iter_tsv_topics),
    FileFormat(Message("numbered lines"), is_numbered_lines, iter_numbered_lines),
    FileFormat(NUMBERED_LINES_FORMAT_NAME, is_query_lines, iter_query_lines),
)


def write_topics(path: Path, topics: Iterable[Topic]) -> int:
    """Write topics as JSON lines atomically, and return their number.

    Each line has an id, title, description and narrative. `read_topics` reads the same topics from
    the file.
    """
    count = 0
    with replace_file(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        for count, topic in enumerate(topics, 1):  # noqa: B007 -- the last number is the result
            fields = {
                "id": topic.id,
                "title": topic.title,
                "description": topic.description,
                "narrative": topic.narrative,
            }
            file.write(json.dumps(fields, ensure_ascii=False) + "\n")
    return count
