"""Reading of runs and their metadata in TREC format; writing of runs as text and Parquet."""

import csv
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Generic, TypeVar, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.bytes import (
    Address,
    FileSource,
    InputFile,
    is_pipe,
    iter_nonblank_lines,
    open_decompressed,
    open_input,
    parse_encoding_option,
    read_run_metadata,
    replace_file,
    replace_surrogates,
    select_data_files,
)
from irjudge.formats.rankings.judged_rows import RUN_TAB_LAYOUTS, find_tab_columns
from irjudge.formats.rankings.qrels import check_ids, warn_of_duplicates
from irjudge.formats.rankings.rank_checks import (
    find_contradictions,
    looks_like_ranks,
    warn_of_ranks,
)
from irjudge.formats.rows import (
    AS_RECOGNISED,
    CODED_TYPE,
    COLUMNAR_SUFFIXES,
    NUMBER_PATTERN,
    PADDING_BYTES,
    RUN_FOLDER,
    UTF8_BOM,
    WHOLE_NUMBER,
    WORD_BYTES,
    ColumnMapping,
    FileLines,
    IrregularFile,
    Layout,
    PackedTexts,
    TypedColumn,
    add_padding,
    group_by_topic,
    make_column_count_message,
    map_in_parallel,
    mix_topics_into_hashes,
    read_columns,
    to_fixed_width,
    to_left_aligned_words,
    to_zero_padded_words,
)
from irjudge.message import Message
from irjudge.model import (
    Floats,
    Ints,
    Longs,
    Run,
    to_numpy,
    topic_of_each_row,
)

# Comments at the beginning of a run; they may contain metadata in YAML (ir_metadata)

METADATA_START, METADATA_END = "ir_metadata.start", "ir_metadata.end"
COMMENTS = re.compile(rb"(?:[ \t]*+(?:#[^\n]*+)?\n)++")  # comment lines and blank lines
MAX_COMMENT_BYTES = 1 << 20  # maximum bytes of comments at the beginning of a file
PIECE_BYTES = 1 << 16


def split_leading_comments(file: BinaryIO) -> tuple[bytes, bytes]:
    """Return the comments at the beginning of an open file, and the other bytes read so far.

    If the comments are too long, none are returned.
    """
    text = file.read(PIECE_BYTES).removeprefix(UTF8_BOM)
    while (
        (comment_end := _find_end_of_comments(text)) is None
        and len(text) <= MAX_COMMENT_BYTES
        and (chunk := file.read(PIECE_BYTES))
    ):
        text += chunk
    return (
        (text[:comment_end], text[comment_end:])
        if comment_end and comment_end <= MAX_COMMENT_BYTES
        else (b"", text)
    )


def _find_end_of_comments(text: bytes) -> int | None:
    """Return the offset of the first line that is not a comment; None if `text` ends before it."""
    match = COMMENTS.match(text)
    end = match.end() if match else 0
    remainder = text[end:].lstrip(b" \t")
    return end if remainder and not remainder.startswith(b"#") else None


def extract_leading_metadata(path: Path, head: bytes) -> tuple[str, tuple[str, ...]]:
    """Return the content of the ir_metadata block in comments, and a warning if it is ignored."""
    lines = [
        line.lstrip(b" \t").removeprefix(b"#").removeprefix(b" ")
        for line in head.replace(b"\r\n", b"\n").split(b"\n")
    ]
    markers = [line.strip() for line in lines]
    if METADATA_START.encode() not in markers:
        return "", ()
    begin = markers.index(METADATA_START.encode())
    if METADATA_END.encode() not in markers[begin:]:
        return "", (
            Message(
                "{file}: its ir_metadata block has no end marker before the ranking; the block "
                "is ignored.",
                key="metadata-without-end",
                file=path.name,
            ),
        )
    try:
        return b"\n".join(
            lines[begin + 1 : markers.index(METADATA_END.encode(), begin)]
        ).decode(), ()
    except UnicodeDecodeError:
        return "", (
            Message(
                "{file}: its ir_metadata block is not UTF-8; the block is ignored.",
                key="metadata-not-utf8",
                file=path.name,
            ),
        )


def iter_metadata_lines(metadata: str) -> Iterator[str]:
    """Yield run metadata as comment lines; nothing if there is no metadata."""
    if metadata:
        for line in (METADATA_START, *metadata.split("\n"), METADATA_END):
            yield f"# {line}".rstrip(" ") + "\n"


# Runs in TREC format (topic, Q0, document, rank, score, tag), and detection of other formats

TOPIC, DOCUMENT = TypedColumn("topic", CODED_TYPE), TypedColumn("document", pa.string())
RANK = TypedColumn("rank", pa.int32(), lenient=True)
SCORE = TypedColumn("score", pa.float64())
TAG = TypedColumn("tag", CODED_TYPE)
EXPECTED = Message("6 (topic, Q0, document, rank, score, tag)")
FULL_LAYOUT = Layout((TOPIC, None, DOCUMENT, RANK, SCORE, TAG), 9, EXPECTED)
UNREAD_RANK_LAYOUT = Layout((TOPIC, None, DOCUMENT, None, SCORE, TAG), 9, EXPECTED)
NO_TAG_LAYOUT = Layout(
    (TOPIC, None, DOCUMENT, RANK, SCORE),
    5,
    Message("5, as in the first line (topic, Q0, document, rank, score)"),
)
NO_RANK_LAYOUT = Layout(
    (TOPIC, None, DOCUMENT, SCORE, TAG),
    5,
    Message("5, as in the first line (topic, Q0, document, score, tag)"),
)
NO_Q0_LAYOUT = Layout(
    (TOPIC, DOCUMENT, RANK, SCORE, TAG),
    5,
    Message("5, as in the first line (topic, document, rank, score, tag)"),
)
SCORE_FIRST_LAYOUT = Layout(
    (TOPIC, DOCUMENT, SCORE, RANK, TAG),
    5,
    Message("5, as in the first line (topic, document, score, rank, tag)"),
)
NO_Q0_NO_TAG_LAYOUT = Layout(
    (TOPIC, DOCUMENT, RANK, SCORE),
    4,
    Message("4, as in the first line (topic, document, rank, score)"),
)
TAG_COLUMN = 5  # index of the tag's column, from 0
# Codes in column 2 of CLEF TAR runs: feedback requested, no feedback, and not shown to the user.
INTERACTION_CODES, NOT_SHOWN_CODE = frozenset({"AF", "NF", "NS"}), "NS"
MAX_LISTED_TOPICS = 5  # maximum number of topics listed in a message


def read_run(
    path: FileSource,
    name: str | None = None,
    *,
    columns: ColumnMapping = AS_RECOGNISED,
    encoding: str | None = None,
) -> Run:
    """Read a run: TREC lines, MS MARCO lines of 2 or 3 columns, a table with a header, or JSON.

    TREC lines have 6 to 9 columns, or 5 if the rank or the tag is missing. Within each topic, lines
    stay in file order; measures rank documents by score. Missing scores are derived from ranks, so
    that the first rank has the highest score. If several lines have the same topic and document,
    the first is used. `warnings` of the result lists deviations from the six TREC columns, such as
    missing ranks.

    The run is called `name`. If this is None, it has the name of the file without `.run`, `.txt` or
    `.gz`; a run from a pipe is named after its tag. A folder or zip archive contains one run; if it
    has an `ir-metadata.yml` with a tag, the run is named after that tag. `columns` maps topic,
    document, rank and score to columns, by name or number, if they are not recognised; `encoding`
    is the encoding of the text, by default UTF-8, or UTF-16 if it is marked or detected. Raises
    FormatError with the first invalid line, or if the rank or score column is ambiguous.
    """
    with open_input(path) as file:
        file.encoding = parse_encoding_option(encoding)
        if (column_run := _read_columnar_run(file, name, columns)) is not None:
            return column_run
        if file.path.is_dir():
            return _read_run_in_folder(
                file.path, name or find_run_name(file.path), columns=columns, encoding=encoding
            )
        if not file.path.is_file() or not file.is_zip() or file.has_several_files():
            return _read_text_run(
                file, name, name or run_name(file.path), columns=columns, encoding=encoding
            )
        chosen_name = name or find_run_name(file.path)
        return _add_metadata_file(
            _read_text_run(file, chosen_name, chosen_name, columns=columns, encoding=encoding),
            file.path,
        )


def _read_text_run(
    file: InputFile,
    name: str | None,
    table_name: str,
    *,
    columns: ColumnMapping,
    encoding: str | None,
) -> Run:
    """Read a run in text; `table_name` is its name if the file is a table, which has no tag."""
    from irjudge.formats.rankings.short_runs import read_table_run  # noqa: PLC0415 -- rarely needed

    if run := read_table_run(file, table_name, columns, encoding):
        return run
    if not columns and (tab_columns := find_tab_columns(file, RUN_TAB_LAYOUTS)):
        run = read_table_run(file, table_name, tab_columns, encoding)
    return run or _read_run_lines(file, name, columns)


def _read_run_in_folder(
    folder: Path, name: str, *, columns: ColumnMapping, encoding: str | None
) -> Run:
    """Read the run in a folder: a file, possibly with metadata, or search engine responses."""
    files = {path.name: path for path in folder.iterdir() if path.is_file()}
    if main_run := _find_main_run(sorted(select_data_files([*files])), len(files)):
        return _add_metadata_file(
            read_run(files[main_run], name, columns=columns, encoding=encoding), folder
        )
    from irjudge.formats.rankings.engine_responses import read_engine_responses  # noqa: PLC0415
    from irjudge.formats.rankings.short_runs import run_from_responses  # noqa: PLC0415

    if answers := read_engine_responses(folder):
        return run_from_responses(folder, name, answers)
    raise FormatError(
        folder,
        Message(
            "it is a folder without search engine responses; expected a run file",
            key="folder-without-run",
        ),
    )


def _find_main_run(data: Sequence[str], count: int) -> str | None:
    """Return the file of the run in a folder; None if the folder may contain several runs.

    `data` lists the data files among the `count` files of the folder. The run is the only data file
    or, if the folder also contains other files, the only data file called `run.…`.
    """
    if len(data) == 1:
        return data[0]
    runs = [name for name in data if name.split(".")[0] == "run"]
    return runs[0] if len(runs) == 1 and len(data) < count else None


def _add_metadata_file(run: Run, path: Path) -> Run:
    """Add the metadata in a run's folder or archive to the run, unless it has metadata."""
    content = read_run_metadata(path)
    if not content or run.metadata:
        return run
    text = content.removeprefix(UTF8_BOM).decode("utf-8", "replace").replace("\r\n", "\n")
    return replace(run, metadata=text.replace("\0", "").strip("\n"))


METADATA_TAG = re.compile(rb"""^tag[ \t]*+:[ \t]*+["']?([^\s"'#][^\r\n"'#]*+)""", re.MULTILINE)


def find_run_name(path: Path) -> str:
    """Return the name of a run: the tag in its metadata file, or a name derived from its path.

    The metadata file is in the folder or zip archive of the run.
    """
    if isinstance(path, Address) or not (path.is_dir() or path.suffix.lower() == ".zip"):
        return run_name(path)
    try:
        match = METADATA_TAG.search(read_run_metadata(path))
    except (FormatError, OSError):
        match = None  # the reader of the run reports the error
    tag = replace_surrogates(match[1].decode("utf-8", "replace")).strip() if match else ""
    return tag or run_name(path)


def _read_columnar_run(file: InputFile, name: str | None, columns: ColumnMapping) -> Run | None:
    """Read a columnar run; None for other files, and for files that must be read as text."""
    from irjudge.formats.rankings.column_runs import open_columnar_run, read_whole_columnar_run  # noqa: PLC0415 -- few runs are columnar

    path = file.path
    try:
        column_run = open_columnar_run(file, columns)
        return read_whole_columnar_run(column_run, name or run_name(path)) if column_run else None
    except IrregularFile:
        if path.is_file():
            return None
        raise FormatError(
            path,
            Message(
                "a column contains unreadable values; expected ids as text or whole "
                "numbers, and ranks and scores as numbers"
            ),
        ) from None


def _read_run_lines(file: InputFile, name: str | None, columns: ColumnMapping) -> Run:
    from irjudge.formats.rankings.short_runs import choose_short_layout, make_short_run  # noqa: PLC0415

    path, (metadata, skipped_lines) = (
        file.path,
        extract_leading_metadata(file.path, split_leading_comments(file.plain(last=False))[0]),
    )
    layouts = list[Layout]()

    def choose_layout(first_row: list[str]) -> Layout:
        layouts.append(choose_short_layout(first_row, columns) or _detect_layout(first_row))
        return layouts[-1]

    lines = read_columns(file, choose_layout)
    if columns or lines.table.num_columns < 4:
        run = make_short_run(path, name or run_name(path), lines, columns)
        warnings = (*run.warnings, *file.warnings.format_for(path.name), *skipped_lines)
        return replace(run, metadata=metadata, warnings=warnings)
    hidden_warning = _drop_hidden_documents(path, lines)
    names = lines.table.column_names
    has_ranks, tags = "rank" in names, lines.take_distinct_texts("tag") if "tag" in names else []
    topic_column = lines.take("topic")
    topics, topic = topic_column.dictionary, to_numpy(topic_column.indices)
    document = lines.take("document")
    groups = group_by_topic(topic, len(topics), document)
    score = groups.take(to_numpy(lines.take("score")))
    rank_column = (
        to_numpy(lines.take("rank")) if has_ranks else np.full(len(topic), -1, dtype=np.int32)
    )
    rank = groups.take(rank_column)
    # repeated documents may have ranks of their own, or those of their first line
    if layouts == [NO_Q0_NO_TAG_LAYOUT] and not _are_counting_ranks(rank_column, topic):
        _check_rank_numbers(path, rank, topic_of_each_row(groups.starts))
    return Run(
        name=name or ((tags or ["run"])[0] if is_pipe(path) else run_name(path)),
        topics=tuple(topics.to_pylist()),
        starts=groups.starts,
        document=groups.take(document),
        score=score,
        rank=rank,
        line=groups.take(lines.line_numbers),
        warnings=_describe_warnings(path, lines.long_line_count, tags, has_ranks=has_ranks)
        + hidden_warning
        + warn_of_ranks(path, topics, groups.starts, rank, score)
        + warn_of_duplicates(path, groups.duplicate_count, groups.first_duplicate, topics)
        + file.warnings.format_for(path.name)
        + skipped_lines,
        metadata=metadata,
        tag=tags[0] if len(tags) == 1 else "",
    )


def run_name(path: Path) -> str:
    """Derive the name of a run from its file name.

    >>> run_name(Path("runs/bm25.run.gz")), run_name(Path("sab20.1.meta.docs")), run_name(Path("runs/run=dense"))
    ('bm25', 'sab20.1.meta.docs', 'dense')
    """
    name = replace_surrogates(path.name).removeprefix(RUN_FOLDER)
    for suffix in (
        ".zip",
        ".gz",
        ".bz2",
        ".xz",
        ".lz4",
        ".zst",
        ".run",
        ".txt",
        ".res",
        ".jsonl",
        ".ndjson",
        ".json",
        ".har",
        ".tsv",
        ".csv",
        ".xlsx",
        *COLUMNAR_SUFFIXES,
    ):
        name = name.removesuffix(suffix) or name
    return name


def write_run(path: Path, run: Run) -> int:
    """Write a run as TREC lines atomically; return the number of lines.

    Metadata are written as comments. Missing ranks are derived from scores; ties are in the order
    of the run. A run that `read_run` read from TREC lines is written unchanged, except for ids with
    spaces. Raises IrjudgeError if an id, the name or the file cannot be written.
    """
    with replace_file(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(iter_run_lines(path, run))
    return len(run)


def iter_run_lines(path: Path, run: Run) -> Iterator[str]:
    """Yield a run as TREC lines."""
    tag = "_".join(run.name.split()) or "run"
    topics = [run.topics[code] for code in run.topic.tolist()]
    documents = run.document.to_pylist()
    check_ids(path, run.topics, documents, "runs")
    position = np.empty(len(run), dtype=np.int64)
    position[np.lexsort((-run.score, run.topic))] = np.arange(1, len(run) + 1) - np.repeat(
        run.starts[:-1], np.diff(run.starts)
    )
    ranks = np.where(run.rank < 0, position, run.rank).tolist()
    yield from iter_metadata_lines(run.metadata)
    for topic, document, rank, score in zip(
        topics, documents, ranks, run.score.tolist(), strict=True
    ):
        yield f"{topic} Q0 {document} {rank} {score!r} {tag}\n"


def warn_of_omitted_topics(run: Run) -> tuple[str, ...]:
    """Return a warning about topics without documents, which TREC lines cannot represent."""
    empty_topics = run.empty_topics
    if not empty_topics:
        return ()
    return (
        Message(
            "{run}: topics without retrieved documents, which the TREC format cannot "
            "represent: {count:,} ({topics}). Evaluate with --topics qrels, which counts these "
            "topics as 0, or store the run as Parquet (irjudge convert).",
            run=run.name,
            count=len(empty_topics),
            topics=", ".join(empty_topics[:MAX_LISTED_TOPICS])
            + (" …" if len(empty_topics) > MAX_LISTED_TOPICS else ""),
        ),
    )


JSON_OBJECT = re.compile(rb"(?:\xef\xbb\xbf)?\s*[{\[]")
MAX_HEAD_BYTES = 512
MAX_RUN_FILES = 1000


def expand_run_folders(paths: Sequence[Path]) -> list[Path]:
    """Return the paths, with each folder of several runs replaced by the paths of its runs.

    The runs in a folder are its run folders (`run=bm25/`, or folders with `ir-metadata.yml`). If a
    folder has no run folders and each of its files is a run, the runs are its files.
    """
    return [run_file for path in paths for run_file in _list_runs(path)]


def _list_runs(path: Path) -> list[Path]:
    if isinstance(path, Address):
        from irjudge.formats.rows import find_run_folders  # noqa: PLC0415 -- few runs are in a store

        return find_run_folders(path)
    if not path.is_dir():
        return [path]
    run_folders = (
        folder for folder in path.iterdir() if folder.is_dir() and read_run_metadata(folder)
    )
    return (
        sorted(path.glob(f"{RUN_FOLDER}*"))
        or sorted(run_folders)
        or _list_run_files(path)
        or [path]
    )


def _list_run_files(folder: Path) -> list[Path]:
    """Return the data files of a folder if they may be runs as text; otherwise an empty list.

    A folder with other files may be a single run: parts of a columnar file, engine responses, or a
    run file with metadata.
    """
    from irjudge.formats.rows import detect_columnar_format  # noqa: PLC0415

    files = [path for path in folder.iterdir() if path.is_file()]
    data = select_data_files(sorted(file.name for file in files))
    if _find_main_run(data, len(files)) or not 2 <= len(data) <= MAX_RUN_FILES:
        return []
    for name in data:
        if detect_columnar_format(folder / name):
            return []
        with open_decompressed(folder / name) as file:
            if JSON_OBJECT.match(file.read(MAX_HEAD_BYTES)):
                return []
    return [folder / name for name in data]


def choose_distinct_run_names(paths: Sequence[Path]) -> list[str | None]:
    """Return a distinct name for each run; None for a pipe, whose run is named after its tag.

    The name is the one that `find_run_name` returns. If several runs have this name, it follows the
    names of as many folders as are needed; for files of one folder, it is the name of the file.

    >>> choose_distinct_run_names([Path("x/r.run"), Path("y/r.run"), Path("bm25.run")])
    ['x/r', 'y/r', 'bm25']
    >>> choose_distinct_run_names([Path("a/x/r.run"), Path("b/x/r.run")])
    ['a/x/r', 'b/x/r']
    >>> choose_distinct_run_names([Path("x/r.run"), Path("x/r.txt")])
    ['r.run', 'r.txt']
    """
    names = [find_run_name(path) for path in paths]
    files = [path.resolve() for path in paths if path.is_file() or isinstance(path, Address)]
    counts = Counter(files)
    if repeated_path := next((path for path in paths if counts[path.resolve()] > 1), None):
        raise IrjudgeError(
            "The file {file} is given twice; give each run once.", file=repeated_path
        )
    paths_by_name: dict[str, list[Path]] = {}
    for path, name in zip(paths, names, strict=True):
        paths_by_name.setdefault(name, []).append(path)
    distinct_names = {
        path: distinct_name
        for name, same_paths in paths_by_name.items()
        for path, distinct_name in zip(
            same_paths, _distinguish_by_folder(name, same_paths), strict=True
        )
    }
    return [None if is_pipe(path) else distinct_names[path] for path in paths]


def _distinguish_by_folder(name: str, paths: Sequence[Path]) -> list[str]:
    """Return a distinct name for each path whose run is called `name`."""
    if len(paths) == 1:
        return [name]
    has_shared_folder = len({path.parent for path in paths}) < len(paths)
    last_names = [path.name if has_shared_folder else name for path in paths]
    names = last_names
    depths = range(max(len(path.parent.parts) for path in paths) + 1)
    for depth in depths[1:] if last_names[0] == name else depths:
        names = [
            "/".join((*path.parent.parts[max(0, len(path.parent.parts) - depth) :], last_name))
            for path, last_name in zip(paths, last_names, strict=True)
        ]
        if len({*names}) == len(names):
            break
    return names


def _detect_layout(first_row: list[str]) -> Layout:
    if len(first_row) == 5:
        if first_row[0] == "Q0":
            raise ValueError(
                Message(
                    "5 columns, the first being Q0 instead of the topic; expected {expected}",
                    key="column-count",
                    expected=EXPECTED,
                )
            )
        if WHOLE_NUMBER.fullmatch(first_row[3]) and NUMBER_PATTERN.fullmatch(first_row[4]):
            return NO_TAG_LAYOUT
        if (
            first_row[1].upper() not in ("Q0", "0")
            and WHOLE_NUMBER.fullmatch(first_row[2])
            and NUMBER_PATTERN.fullmatch(first_row[3])
        ):
            return NO_Q0_LAYOUT
        if (
            first_row[1].upper() not in ("Q0", "0")
            and NUMBER_PATTERN.fullmatch(first_row[2])
            and not WHOLE_NUMBER.fullmatch(first_row[2])
            and WHOLE_NUMBER.fullmatch(first_row[3])
        ):
            return SCORE_FIRST_LAYOUT
        if NUMBER_PATTERN.fullmatch(first_row[3]):
            return NO_RANK_LAYOUT
    if (
        len(first_row) == 4
        and first_row[1].upper() not in ("Q0", "0")
        and WHOLE_NUMBER.fullmatch(first_row[2])
        and NUMBER_PATTERN.fullmatch(first_row[3])
    ):
        return NO_Q0_NO_TAG_LAYOUT
    if not 6 <= len(first_row) <= 9:
        raise ValueError(make_column_count_message(len(first_row), EXPECTED))
    layout = FULL_LAYOUT if WHOLE_NUMBER.fullmatch(first_row[3]) else UNREAD_RANK_LAYOUT
    if first_row[1].upper() in INTERACTION_CODES:
        shown_column = TypedColumn("shown", CODED_TYPE)
        return replace(layout, columns=(layout.columns[0], shown_column, *layout.columns[2:]))
    return layout


def _drop_hidden_documents(path: Path, lines: FileLines) -> tuple[str, ...]:
    """Remove documents that were not shown to the user (in CLEF TAR runs), and return a warning."""
    if "shown" not in lines.table.column_names:
        return ()
    is_shown = pa.compute.not_equal(lines.take("shown").cast(pa.string()), NOT_SHOWN_CODE)
    count = len(lines.line_numbers) - pa.compute.sum(is_shown).as_py()
    if not count:
        return ()
    lines.table = lines.table.filter(is_shown)
    lines.line_numbers = lines.line_numbers[np.asarray(is_shown)]
    return (
        Message(
            "{file}: skipped documents marked NS, which were not shown to the user: {count:,}.",
            file=path.name,
            count=count,
        ),
    )


def _check_rank_numbers(path: Path, rank: Ints, topic: Ints) -> None:
    """Raise FormatError if the ranks in the third of four columns do not count from 1 or 0."""
    if not _are_counting_ranks(rank, topic):
        raise FormatError(path, make_column_count_message(4, EXPECTED), 1)


def _are_counting_ranks(rank: Ints, topic: Ints) -> bool:
    """Return whether the ranks of each topic count from 1 or 0; `topic` has the code of each row."""
    sorted_ranks = rank[np.lexsort((rank, topic))]
    counts = np.bincount(topic)
    position = np.arange(len(rank)) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.array_equal(sorted_ranks, position) or np.array_equal(sorted_ranks, position + 1)


def _describe_warnings(
    path: Path, long_line_count: int, tags: list[str], *, has_ranks: bool
) -> tuple[str, ...]:
    warnings = []
    if long_line_count:
        warnings.append(
            Message(
                "{file}: lines with more than 6 columns (only the first 6 are read): {longer:,}.",
                key="long-lines",
                file=path.name,
                longer=long_line_count,
            )
        )
    if not has_ranks:
        warnings.append(
            Message(
                "{file}: the lines have no rank; the ranking is ordered by score.",
                key="no-rank",
                file=path.name,
            )
        )
    if len(tags) > 1:
        warnings.append(
            Message(
                "{file}: {count:,} different tags ({first}, {second} …); the file was read as "
                "one run.",
                key="several-tags",
                file=path.name,
                count=len(tags),
                first=tags[0],
                second=tags[1],
            )
        )
    return tuple(warnings)


def read_tag(path: Path) -> str | None:
    """Return the tag in the first line of a run, which trec_eval prints as the name of the run.

    The result is None if the line has no sixth column, for a columnar file, and for a pipe, which
    can be read only once.
    """
    from irjudge.formats.rows import detect_columnar_format  # noqa: PLC0415

    if not path.is_file() or detect_columnar_format(path):
        return None
    with open_decompressed(path) as file:
        for _, line in iter_nonblank_lines(file, path):
            fields = line.split()
            if fields and not fields[0].startswith("#"):
                return fields[TAG_COLUMN] if len(fields) > TAG_COLUMN else None
    return None


# Fast reader of regular runs, which processes parts in several threads. It is several times as fast
# as reading the file in one piece.

Result = TypeVar("Result")

COLUMN_COUNT = 6
# bytes of a part; intermediate results of this size fit in the cache of a core
PART_BYTES = 512 << 10
MAX_TOPIC_BYTES = 32 << 20  # maximum bytes of the lines of one topic
# maximum bytes of each column: topic, Q0, document, rank (which must fit in an integer), score, tag
MAX_COLUMN_BYTES = (PADDING_BYTES, MAX_TOPIC_BYTES, PADDING_BYTES, 9, 32, PADDING_BYTES)


def read_parts(source: FileSource, process: Callable[[Run], Result]) -> list[Result]:
    """Apply `process` to parts of a regular run; return the results in file order.

    Each part consists of whole topics. A regular run is ASCII, with six columns separated by one
    space or tab, comments only at the beginning, consecutive lines for each topic, no repeated
    document in a topic, decimal scores that do not contradict the ranks, one tag, no id of more
    than 64 bytes and no document marked NS. Raises IrregularFile for other runs.
    """
    try:
        with open_input(source) as file:
            if not file.path.is_file():
                # a pipe can be read only once, and the slow reader must read it
                raise IrregularFile
            plain_file = file.plain(last=False)
            return join_spans(
                [_read_parts(split_leading_comments(plain_file)[1], plain_file, process)]
            )
    except (OSError, FormatError):
        raise IrregularFile from None


@dataclass(frozen=True, slots=True, eq=False)
class TextPart(Generic[Result]):
    """Result of a function for one part of a run, with the part's topics and tag.

    A part consists of consecutive lines of a run file. `join_spans` checks that no topic is in two
    parts and that all parts have the same tag.
    """

    topics: tuple[str, ...]
    tag: bytes  # tag of all lines of the part
    result: Result


def read_span(
    path: Path, begin: int, end: int, process: Callable[[Run], Result]
) -> list[TextPart[Result]]:
    """Apply `process` to parts of an uncompressed run between two topic borders.

    `begin` and `end` are offsets that `find_topic_borders` returned. Raises IrregularFile if the
    run is not regular (see `read_parts`).
    """
    try:
        with path.open("rb") as file:
            file.seek(begin)
            span = cast(BinaryIO, _LimitedStream(file, end - begin))
            return _read_parts(b"" if begin else split_leading_comments(span)[1], span, process)
    except OSError:
        raise IrregularFile from None


class _LimitedStream:
    """Stream of the next `byte_count` bytes of a file."""

    def __init__(self, file: BinaryIO, byte_count: int) -> None:
        self._file, self._remaining_bytes = file, byte_count

    def read(self, count: int) -> bytes:
        data = self._file.read(min(count, self._remaining_bytes))
        self._remaining_bytes -= len(data)
        return data


def find_topic_borders(path: Path, size: int) -> list[int]:
    """Return offsets at which topics begin, about `size` bytes apart, and the end of the file."""
    end = path.stat().st_size
    borders = [0]
    with path.open("rb") as file:
        while borders[-1] + size < end:
            file.seek(borders[-1] + size)
            file.readline()
            borders.append(_find_next_topic(file, file.readline().split(None, 1)[:1], end))
    return borders if borders[-1] == end else [*borders, end]


def _find_next_topic(file: BinaryIO, topic: list[bytes], end: int) -> int:
    while line := file.readline():
        if line.split(None, 1)[:1] != topic:
            return file.tell() - len(line)
    return end


def _read_parts(
    buffered_bytes: bytes, file: BinaryIO, process: Callable[[Run], Result]
) -> list[TextPart[Result]]:
    def read(text: bytes) -> TextPart[Result]:
        run, tag = _parse_part(text)
        return TextPart(run.topics, tag, process(run))

    return list(map_in_parallel(read, _iter_whole_topics(buffered_bytes, file)))


def join_spans(spans: Iterable[Sequence[TextPart[Result]]]) -> list[Result]:
    """Return the results for all parts of a run, after checking that no topic is in two parts.

    Raises IrregularFile if a topic is in two parts, or there are two tags.
    """
    parts = [part for span in spans for part in span]
    topics = [topic for part in parts for topic in part.topics]
    if not parts or len(set(topics)) < len(topics) or len({part.tag for part in parts}) > 1:
        raise IrregularFile
    return [part.result for part in parts]


def _iter_whole_topics(buffered_bytes: bytes, file: BinaryIO) -> Iterator[bytes]:
    """Yield the content of a file in parts of whole topics, with padding (`add_padding`)."""
    while chunk := file.read(PART_BYTES):
        text = buffered_bytes + chunk
        topic_begin = _find_last_topic(text)
        if topic_begin:
            yield add_padding(memoryview(text)[:topic_begin])
        elif len(text) > MAX_TOPIC_BYTES:
            raise IrregularFile
        buffered_bytes = text[topic_begin:]
    if buffered_bytes:
        yield add_padding(buffered_bytes, b"" if buffered_bytes.endswith(b"\n") else b"\n")


def _find_last_topic(text: bytes) -> int:
    """Return the offset of the first line of the last topic; 0 if there is only one topic."""
    end = text.rfind(b"\n")
    begin = text.rfind(b"\n", 0, max(0, end)) + 1
    fields = text[begin:end].split(None, 1)
    if not fields:
        return 0
    topic = text[begin : begin + len(fields[0]) + 1]

    def is_last(position: int) -> bool:
        return text.startswith(topic, text.rfind(b"\n", 0, position) + 1)

    return bisect_left(range(begin), True, key=is_last)


def _parse_part(text: bytes) -> tuple[Run, bytes]:
    """Parse a part of a file, which consists of whole topics; return a run and the tag."""
    separator = "\t" if b"\t" in text else " "
    has_other_separator = b"\r" in text or b"\0" in text or (separator == "\t" and b" " in text)
    if not text.isascii() or has_other_separator:
        raise IrregularFile
    topic, interaction, document, rank, score, tag = _split_columns(text, separator)
    first_code = _read_field(text, *(values[0] for values in interaction))
    if first_code.decode().upper() in INTERACTION_CODES:
        raise IrregularFile
    topics, starts = _parse_topics(text, *topic)
    values = _parse_scores(text, *score)
    is_rising = values[1:] > values[:-1]
    is_rising[starts[1:-1] - 1] = False
    # Ranks are read only if a score increases, since ranks nearly always are the line numbers in
    # the topic if scores are in order.
    if is_rising.any():
        ranks = _parse_scores(text, *rank)
        if (
            (ranks != np.floor(ranks)).any()
            or looks_like_ranks(values, starts)
            or len(find_contradictions(starts, ranks.astype(np.int32), values)[0])
        ):
            raise IrregularFile  # the slow reader reports the irregularity
    documents = PackedTexts.from_substrings(text, *document)
    key = np.sort(mix_topics_into_hashes(documents.hashes, starts))
    # a repeated document or, very rarely, two documents with the same hash
    if (key[1:] == key[:-1]).any():
        raise IrregularFile
    unknown_ranks = np.broadcast_to(np.int32(-1), len(values))
    return Run(
        "", tuple(topics), starts, documents, values, unknown_ranks, unknown_ranks
    ), _read_constant_column(text, *tag)


def _split_columns(text: bytes, separator: str) -> list[tuple[Longs, Longs]]:
    """Return two arrays for each column, shape (N,): the starts and the lengths of its fields."""
    characters = np.frombuffer(text, dtype=np.uint8)[PADDING_BYTES:-PADDING_BYTES]
    line_end = characters == ord("\n")
    lines = int(np.count_nonzero(line_end))
    field_ends = np.flatnonzero(line_end | (characters == ord(separator)))
    if (
        len(field_ends) != COLUMN_COUNT * lines
        or not line_end[field_ends[COLUMN_COUNT - 1 :: COLUMN_COUNT]].all()
    ):
        raise IrregularFile
    previous_ends = np.concatenate(([-1], field_ends[:-1]))
    columns = []
    for index, max_bytes in enumerate(MAX_COLUMN_BYTES):
        starts = previous_ends[index::COLUMN_COUNT] + 1
        lengths = field_ends[index::COLUMN_COUNT] - starts
        if lengths.min() < 1 or lengths.max() > max_bytes:
            raise IrregularFile
        columns.append((starts, lengths))
    return columns


def _parse_topics(text: bytes, starts: Longs, lengths: Longs) -> tuple[list[str], Longs]:
    """Return the topics, and an array of the first row of each topic, followed by the row count."""
    changes = np.zeros(len(starts), dtype=bool)
    changes[0] = True
    for word in to_left_aligned_words(text, starts, lengths):
        changes[1:] |= word[1:] != word[:-1]
    first_rows = np.flatnonzero(changes)
    spans = zip(
        (starts[first_rows] + PADDING_BYTES).tolist(), lengths[first_rows].tolist(), strict=True
    )
    topics = [text[begin : begin + length].decode() for begin, length in spans]
    if any(topic.startswith("#") for topic in topics):
        raise IrregularFile
    return topics, np.append(first_rows, len(starts))


def _read_constant_column(text: bytes, starts: Longs, lengths: Longs) -> bytes:
    """Return the value of a column that is the same in all lines; otherwise raise IrregularFile."""
    if any((word != word[0]).any() for word in to_left_aligned_words(text, starts, lengths)):
        raise IrregularFile
    return _read_field(text, starts[0], lengths[0])


def _read_field(text: bytes, start: np.int64, length: np.int64) -> bytes:
    return text[start + PADDING_BYTES : start + length + PADDING_BYTES]


def _parse_scores(text: bytes, starts: Longs, lengths: Longs) -> Floats:
    """Return the numbers in a column, shape (N,); raise IrregularFile for other texts."""
    padded_words = to_zero_padded_words(text, starts + lengths, lengths)
    characters = np.frombuffer(text, dtype=np.uint8)[PADDING_BYTES:]
    first_characters = characters[starts]
    minus_indices = np.flatnonzero(first_characters == ord("-"))
    if len(minus_indices):
        first_characters[minus_indices] = characters[starts[minus_indices] + 1]
        padded_words.view(np.uint8)[
            minus_indices, WORD_BYTES * padded_words.shape[1] - lengths[minus_indices]
        ] = ord("0")
    if first_characters.min() < ord("0") or first_characters.max() > ord("9"):
        raise IrregularFile
    try:
        score: Floats = to_numpy(to_fixed_width(padded_words).cast(pa.float64()))
    except pa.ArrowInvalid:
        raise IrregularFile from None
    if len(minus_indices):
        score = score.copy()
        score[minus_indices] *= -1
    return score


# Groups of runs


def read_run_groups(path: Path) -> dict[str, str]:
    """Read a table with the columns run and group; return the group of each run."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return dict(_group_rows(csv.DictReader(file, strict=True), path))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FormatError(
            path,
            Message("cannot be read ({reason})", reason=getattr(error, "strerror", None) or error),
        ) from error


def _group_rows(table: "csv.DictReader[str]", path: Path) -> Iterator[tuple[str, str]]:
    if not {"run", "group"} <= set(table.fieldnames or ()):
        raise FormatError(
            path, "a column is missing from the header; expected the columns run and group", 1
        )
    seen_runs: set[str] = set()
    for row in table:
        if not row["run"] or not row["group"]:
            raise FormatError(path, "the run or the group of a row is empty", table.line_num)
        if row["run"] in seen_runs:
            raise FormatError(
                path, Message("run {run} occurs twice", run=row["run"]), table.line_num
            )
        seen_runs.add(row["run"])
        yield row["run"], row["group"]
