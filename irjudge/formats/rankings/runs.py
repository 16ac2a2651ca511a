"""Runs: TREC's topic, Q0, document, rank, score and tag, and the other forms that rankings are kept in."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.bytes.addresses import Address
from irjudge.formats.bytes.atomic_write import replacing
from irjudge.formats.bytes.one_file import Given, OneFile, one_file, open_plain
from irjudge.formats.bytes.utf8 import numbered_lines, without_half_characters
from irjudge.formats.rankings.column_runs import column_run, whole_column_run
from irjudge.formats.rankings.qrels import check_ids, duplicate_remarks
from irjudge.formats.rankings.run_metadata import head_and_rest, metadata_lines, metadata_of
from irjudge.formats.rankings.short_runs import answered_run, other_run, short_layout, short_run
from irjudge.formats.ratings.engine_answers import read_engine_answers
from irjudge.formats.rows.column_groups import ENDINGS, RUN_FOLDER
from irjudge.formats.rows.columns import (
    CODED,
    NUMBER,
    WHOLE,
    FileLines,
    Layout,
    TypedColumn,
    misfit,
    read_columns,
)
from irjudge.formats.rows.group_by_topic import group_by_topic
from irjudge.formats.rows.mapping import ColumnMapping
from irjudge.formats.rows.read_in_threads import Irregular
from irjudge.formats.rows.tables import AS_SAID, column_form
from irjudge.message import Message
from irjudge.model.ranking import Floats, Ints, Longs, Run, rows_to_topics, topics_at, values_of

TOPIC, DOCUMENT = TypedColumn("topic", CODED), TypedColumn("document", pa.string())
RANK, SCORE, TAG = (
    TypedColumn("rank", pa.int32(), lenient=True),
    TypedColumn("score", pa.float64()),
    TypedColumn("tag", CODED),
)
EXPECTED = Message("6 (topic, Q0, document, rank, score, tag)")
FULL = Layout((TOPIC, None, DOCUMENT, RANK, SCORE, TAG), 9, EXPECTED)
ODD_RANK = Layout((TOPIC, None, DOCUMENT, None, SCORE, TAG), 9, EXPECTED)
NO_TAG = Layout(
    (TOPIC, None, DOCUMENT, RANK, SCORE),
    5,
    Message("5 as in the first line (topic, Q0, document, rank, score)"),
)
NO_RANK = Layout(
    (TOPIC, None, DOCUMENT, SCORE, TAG),
    5,
    Message("5 as in the first line (topic, Q0, document, score, tag)"),
)
NO_Q0 = Layout(
    (TOPIC, DOCUMENT, RANK, SCORE, TAG),
    5,
    Message("5 as in the first line (topic, document, rank, score, tag)"),
)
TAG_PLACE = 5  # from 0
# Of CLEF TAR: asked for feedback, no feedback, not shown to the user
SHOWN, NOT_SHOWN = frozenset({"AF", "NF", "NS"}), "NS"
MOST_OMITTED = 5  # topics in a message


def read_run(
    path: Given,
    name: str | None = None,
    *,
    columns: ColumnMapping = AS_SAID,
    encoding: str | None = None,
) -> Run:
    """Read a run, plain or packed: lines of the TREC form, of two or three columns as MS MARCO has them, a table with a header, or JSON.

    Lines of the TREC form have 6 to 9 columns, or 5 where the rank or the tag is missing. The order of lines is kept within each topic;
    measures order by score, and a rank without a score is turned round into one. The first of two lines for the same topic and document is
    kept. What is strange, and what is not of the TREC form, is said in `remarks`.

    The run is called by `name`, by default its file name without `.run`, `.txt` or `.gz`, or the tag where it comes from a pipe. `columns`
    says which column holds the topic, document, rank and score, by name or number, where it cannot be told; the encoding is that of a table
    of text, lines are UTF-8. FormatError with the first line that does not fit, or where a column may be the rank or the score; nothing is
    returned then.
    """
    with one_file(path) as file:
        if (by_columns := _by_columns(file, name, columns)) is not None:
            return by_columns
        if file.path.is_dir():
            if answers := read_engine_answers(file.path):
                return answered_run(file.path, name or run_name(file.path), answers)
            raise FormatError(
                file.path, "it is a folder without answers of an engine; expected one file of a run"
            )
        return other_run(file, name or run_name(file.path), columns, encoding) or _run_of_lines(
            file, name, columns
        )


def _by_columns(file: OneFile, name: str | None, columns: ColumnMapping) -> Run | None:
    """Read a run that is kept by columns; None for any other, and for a single file whose columns must be read as text."""
    path = file.path
    try:
        found = column_run(file, columns)
        return whole_column_run(found, name or run_name(path)) if found else None
    except Irregular:
        if path.is_file():
            return None
        raise FormatError(
            path,
            Message(
                "a column holds what cannot be read, expected ids as text or whole numbers, and numbers"
            ),
        ) from None


def _run_of_lines(file: OneFile, name: str | None, columns: ColumnMapping) -> Run:
    path, (metadata, lost) = (
        file.path,
        metadata_of(file.path, head_and_rest(file.plain(last=False))[0]),
    )
    lines = read_columns(file, lambda first: short_layout(first, columns) or _layout(first))
    if columns or lines.table.num_columns < 4:
        short = short_run(path, name or run_name(path), lines, columns)
        return replace(short, metadata=metadata, remarks=(*short.remarks, *lost))
    hidden = _leave_out_hidden(path, lines)
    ranked, tags = "rank" in lines.table.column_names, _tags(lines)
    coded = lines.take("topic")
    topics, topic = coded.dictionary, values_of(coded.indices)
    document = lines.take("document")
    grouped = group_by_topic(topic, len(topics), document)
    score = grouped.take(values_of(lines.take("score")))
    rank = grouped.take(
        values_of(lines.take("rank")) if ranked else np.full(len(topic), -1, dtype=np.int32)
    )
    return Run(
        name=name
        or ((tags or ["run"])[0] if path.exists() and not path.is_file() else run_name(path)),
        topics=tuple(topics.to_pylist()),
        starts=grouped.starts,
        document=grouped.take(document),
        score=score,
        rank=rank,
        line=grouped.take(lines.line),
        remarks=_remarks(path, lines.longer, tags, ranked=ranked)
        + hidden
        + (
            _swapped(path, rank, score, grouped.starts)
            or _contradicted(path, topics, grouped.starts, rank, score)
        )
        + duplicate_remarks(path, grouped.duplicates, grouped.example, topics)
        + lost,
        metadata=metadata,
        tag=tags[0] if len(tags) == 1 else "",
    )


def run_name(path: Path) -> str:
    """Return what to call the run in a file.

    >>> run_name(Path("runs/bm25.run.gz")), run_name(Path("sab20.1.meta.docs")), run_name(Path("runs/run=dense"))
    ('bm25', 'sab20.1.meta.docs', 'dense')
    """
    name = without_half_characters(path.name).removeprefix(RUN_FOLDER)
    for ending in (
        ".gz",
        ".run",
        ".txt",
        ".res",
        ".jsonl",
        ".ndjson",
        ".json",
        ".tsv",
        ".csv",
        ".xlsx",
        *ENDINGS,
    ):
        name = name.removesuffix(ending) or name
    return name


def write_run(path: Path, run: Run) -> int:
    """Write a run in the TREC form, whole or not at all, and return how many lines; what it says of itself stands before them.

    A rank that is missing is written as the place by score, ties in the order of the run. What `read_run` has read in the TREC form comes
    back equal, ids with blanks inside excepted. IrjudgeError when an id or the name cannot be written in the form, or the file cannot be
    written.
    """
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(run_lines(path, run))
    return len(run)


def run_lines(path: Path, run: Run) -> Iterator[str]:
    """Yield the lines of the TREC form that `write_run` writes to a file."""
    tag = "_".join(run.name.split()) or "run"
    topics = [run.topics[code] for code in run.topic.tolist()]
    documents = run.document.to_pylist()
    check_ids(path, run.topics, documents, "runs")
    place = np.empty(len(run), dtype=np.int64)
    place[np.lexsort((-run.score, run.topic))] = np.arange(1, len(run) + 1) - np.repeat(
        run.starts[:-1], np.diff(run.starts)
    )
    ranks = np.where(run.rank < 0, place, run.rank).tolist()
    yield from metadata_lines(run.metadata)
    for topic, document, rank, score in zip(
        topics, documents, ranks, run.score.tolist(), strict=True
    ):
        yield f"{topic} Q0 {document} {rank} {score!r} {tag}\n"


def omitted_topics(run: Run) -> tuple[str, ...]:
    """Return a warning about the topics that lines of the TREC form cannot hold: those for which nothing was retrieved."""
    empty = run.empty_topics
    if not empty:
        return ()
    return (
        Message(
            "{run}: nothing was retrieved for {count:,} topics ({topics}); the TREC format has no line for them. Evaluate with --topics"
            " qrels, which counts them as 0, or keep the run as Parquet (irjudge convert).",
            run=run.name,
            count=len(empty),
            topics=", ".join(empty[:MOST_OMITTED]) + (" …" if len(empty) > MOST_OMITTED else ""),
        ),
    )


def names_apart(paths: Sequence[Path]) -> list[str | None]:
    """Return a name for each run: the file's, with its folder where two are alike; None where the run's tag must do.

    >>> names_apart([Path("x/r.run"), Path("y/r.run"), Path("bm25.run")])
    ['x/r', 'y/r', 'bm25']
    """
    names, files = (
        [run_name(path) for path in paths],
        [path.resolve() for path in paths if path.is_file() or isinstance(path, Address)],
    )
    twice = next((path for path in paths if files.count(path.resolve()) > 1), None)
    if twice is not None:
        raise IrjudgeError("The file {twice} is given twice; give each run once.", twice=twice)
    return [
        None if _is_pipe(path) else name if names.count(name) == 1 else f"{path.parent.name}/{name}"
        for path, name in zip(paths, names, strict=True)
    ]


def _is_pipe(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


def _layout(first: list[str]) -> Layout:
    if len(first) == 5:
        if first[0] == "Q0":
            raise ValueError(
                Message(
                    "5 columns, and the first is Q0 where the topic should be; expected {expected}",
                    key="column-count",
                    expected=EXPECTED,
                )
            )
        if WHOLE.fullmatch(first[3]) and NUMBER.fullmatch(first[4]):
            return NO_TAG
        is_q0 = first[1].upper() in ("Q0", "0")
        if not is_q0 and WHOLE.fullmatch(first[2]) and NUMBER.fullmatch(first[3]):
            return NO_Q0
        if NUMBER.fullmatch(first[3]):
            return NO_RANK
    if not 6 <= len(first) <= 9:
        raise ValueError(misfit(len(first), EXPECTED))
    layout = FULL if WHOLE.fullmatch(first[3]) else ODD_RANK
    if first[1].upper() in SHOWN:
        shown = TypedColumn("shown", CODED)
        return replace(layout, columns=(layout.columns[0], shown, *layout.columns[2:]))
    return layout


def _tags(lines: FileLines) -> list[str]:
    """Return the different tags, the first line's first; none where the lines have none."""
    return lines.different("tag") if "tag" in lines.table.column_names else []


def _leave_out_hidden(path: Path, lines: FileLines) -> tuple[str, ...]:
    """Leave out the documents of CLEF TAR that were not shown to the user, and say so."""
    if "shown" not in lines.table.column_names:
        return ()
    is_shown = pa.compute.not_equal(lines.take("shown").cast(pa.string()), NOT_SHOWN)
    count = len(lines.line) - pa.compute.sum(is_shown).as_py()
    if not count:
        return ()
    lines.table = lines.table.filter(is_shown)
    lines.line = lines.line[np.asarray(is_shown)]
    return (
        Message(
            "{file}: {count:,} documents marked NS, which were not shown to the user, are left out.",
            file=path.name,
            count=count,
        ),
    )


def is_counting(score: Floats, starts: Longs) -> bool:
    """Return whether scores count from 1 or 0 in each topic, as ranks do."""
    place = np.arange(1, len(score) + 1) - np.repeat(starts[:-1], np.diff(starts))
    return len(score) > len(starts) - 1 and (
        np.array_equal(score, place) or np.array_equal(score, place - 1)
    )


def _swapped(path: Path, rank: Ints, score: Floats, starts: Longs) -> tuple[str, ...]:
    """Return a warning where the scores count as ranks do, and the ranks, if there are any, fall."""
    falls = len(rank) > 1 and bool((rank >= 0).all() and rank[0] > rank[1])
    if not is_counting(score, starts) or not (falls or (rank < 0).all()):
        return ()
    return (
        Message(
            "{file}: the scores count 1, 2, 3 … as ranks do, so the ranking is read upside down. Are rank and score swapped?",
            key="scores-as-ranks",
            file=path.name,
        ),
    )


def contradicting(starts: Longs, rank: Ints, score: Floats) -> tuple[Longs, Longs]:
    """Return rows that stand next to each other by rank within a topic, where the later has the higher score; shape (N,) both.

    Rows of the same rank, and of a rank below 0, which is missing, contradict nothing.
    """
    order = np.arange(len(rank))
    topic = rows_to_topics(starts)
    if (((rank[1:] <= rank[:-1]) | (score[1:] > score[:-1])) & (topic[1:] == topic[:-1])).any():
        order = np.lexsort((-score, rank, topic))
    before, after = order[:-1], order[1:]
    wrong = (
        (topic[before] == topic[after])
        & (rank[before] >= 0)
        & (rank[before] < rank[after])
        & (score[before] < score[after])
    )
    return before[wrong], after[wrong]


def _contradicted(
    path: Path, topics: pa.Array, starts: Longs, rank: Ints, score: Floats
) -> tuple[str, ...]:
    """Return the sentence about ranks that say another order than the scores, or nothing."""
    before, after = contradicting(starts, rank, score)
    if not len(before):
        return ()
    places = topics_at(starts, before)
    count, first, second = len(np.unique(places)), before[0], after[0]
    example = Message(
        "topic {topic}: {score:g} at rank {rank}, {next_score:g} at rank {next_rank}",
        topic=topics[int(places[0])].as_py(),
        score=score[first],
        rank=rank[first],
        next_score=score[second],
        next_rank=rank[second],
    )
    which = Message("1 topic") if count == 1 else Message("{count:,} topics", count=count)
    return (
        Message(
            "{file}: the ranks contradict the scores in {which} (for example {example}); the scores order the ranking.",
            key="contradicting-ranks",
            file=path.name,
            which=which,
            example=example,
        ),
    )


def _remarks(path: Path, longer: int, tags: list[str], *, ranked: bool) -> tuple[str, ...]:
    remarks = []
    if longer:
        remarks.append(
            Message(
                "{file}: lines with more than 6 columns, of which the first 6 were read: {longer:,}.",
                key="long-lines",
                file=path.name,
                longer=longer,
            )
        )
    if not ranked:
        remarks.append(
            Message(
                "{file}: the lines have no rank; it is not needed, since the score orders a ranking.",
                key="no-rank",
                file=path.name,
            )
        )
    if len(tags) > 1:
        remarks.append(
            Message(
                "{file}: {count:,} different tags ({first}, {second} …); it was read as one run.",
                key="several-tags",
                file=path.name,
                count=len(tags),
                first=tags[0],
                second=tags[1],
            )
        )
    return tuple(remarks)


def read_tag(path: Path) -> str | None:
    """Return the tag in a run's first line, which trec_eval prints as its name.

    It is None where the line has no sixth column, for a file kept by columns, and for a pipe, which is read only once.
    """
    if not path.is_file() or column_form(path):
        return None
    with open_plain(path) as file:
        for _, line in numbered_lines(file, path):
            fields = line.split()
            if fields and not fields[0].startswith("#"):
                return fields[TAG_PLACE] if len(fields) > TAG_PLACE else None
    return None
