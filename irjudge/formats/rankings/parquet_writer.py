"""Writes runs as Parquet that is read quickly: documents as whole numbers, rows by topic."""

import json
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes.atomic_write import reason, replacing
from irjudge.formats.rankings.column_runs import CODED, DOCUMENTS, EMPTY, ORDERED
from irjudge.formats.rankings.hashed_ids import NO_NUMBER, Numbers
from irjudge.formats.rankings.ordered_runs import NAME as ORDER
from irjudge.formats.rankings.ordered_runs import order_in, write_order
from irjudge.formats.rankings.runs import read_run
from irjudge.formats.rows.checksums import PART, Checksums
from irjudge.formats.rows.column_groups import RUN_FOLDER, column_files
from irjudge.message import Message
from irjudge.model.ranking import Ids, Run, column_of, places_in, rows_to_topics, strings_of
from irjudge.progress import SILENT, Progress

NAMES = "_documents"  # in each run's folder; with this underscore no reader of Parquet takes it for rows
GROUP = 1 << 19  # rows
_SMALL = 2**31


def convert(
    runs: Iterable[Run], folder: Path, *, total: int | None = None, progress: Progress = SILENT
) -> list[Path]:
    """Write each run into a folder `run=NAME` of a folder, and return these folders.

    Rows stand by topic, and within a topic as in the run; where each ranks is said beside, so that who reads orders nothing
    again. Ids that are whole numbers are written as such; all others as codes, whose texts stand beside. What was written is read back
    before it takes the place of anything.

    Raises
    ------
    IrjudgeError
        When a run's name cannot be a folder's, a folder is there that does not hold a run, or the disk does not give back what was written.
    """
    written = []
    for done, run in enumerate(runs, 1):
        written.append(_converted(run, folder))
        progress.step(done, total, Message("Converted {run}", run=run.name))
    return written


def _converted(run: Run, folder: Path) -> Path:
    if not run.name or run.name != Path(run.name).name:
        raise IrjudgeError("The run {run} cannot name a folder; a name has no slash.", run=run.name)
    target = folder / f"{RUN_FOLDER}{run.name}"
    if any(each.path.name != PART for each in column_files(target)):
        raise IrjudgeError(
            "{target} is there and holds no run that was converted; choose another folder.",
            key="other-folder",
            target=target.name,
        )
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise IrjudgeError(
            "{folder} could not be written: {reason}.", folder=target.name, reason=reason(fault)
        ) from fault
    _write(target, _by_topic(run))
    return target


def _by_topic(run: Run) -> Run:
    """Return a run in the order of its topics, those for which nothing was retrieved last."""
    empty = sorted(run.empty_topics)
    run = run.without_empty_topics()
    order = sorted(range(len(run.topics)), key=run.topics.__getitem__)
    sizes = np.diff(run.starts)[order]
    starts = np.concatenate(([0], np.cumsum(sizes)))
    rows = np.arange(len(run)) + np.repeat(run.starts[:-1][order] - starts[:-1], sizes)
    topics = tuple(run.topics[place] for place in order)
    return Run(
        run.name,
        topics,
        starts,
        run.document.take(column_of(rows)),
        run.score[rows],
        run.rank[rows],
        run.line[rows],
    ).with_topics(empty)


def _write(folder: Path, run: Run) -> None:
    """Write a run, whole or not at all: the texts of codes bear a name that no other texts have, and the rows name them."""
    from pyarrow.parquet import write_table  # noqa: PLC0415 -- few commands write it

    table, names = _columns(run)
    order = order_in(run.without_empty_topics())
    kept, about = "", {ORDERED: ORDER.encode()} if order else {}
    checksums = Checksums.in_folder(folder)
    if run.empty_topics:
        about[EMPTY] = json.dumps(run.empty_topics).encode()
    if names is not None:
        kept = f"{NAMES}-{blake2b(names.buffers()[2] or b'', digest_size=8).hexdigest()}.parquet"
        about[CODED] = kept.encode()
        with replacing(folder / kept) as part:
            with part.open("wb") as file:  # pyarrow opens no name that is not UTF-8
                write_table(pa.table({DOCUMENTS: names}), file, compression="zstd")
            checksums.add(folder, kept, part)
    coding = {"topic": "zstd", DOCUMENTS: "none", "score": "none", "rank": "zstd"}
    with replacing(folder / PART) as part:
        with part.open("wb") as file:
            write_table(
                table.replace_schema_metadata(about),
                file,
                row_group_size=GROUP,
                use_dictionary=["topic"],
                compression=coding,
            )
        _check(part, run)
        checksums.add(folder, PART, part)
    if order:
        write_order(folder / PART, order, checksums)
    else:
        (folder / ORDER).unlink(missing_ok=True)
    checksums.keep_only(folder, {name for name in (PART, kept, ORDER if order else "") if name})
    for old in folder.glob(f"{NAMES}-*.parquet"):
        if old.name != kept:
            old.unlink()


def _columns(run: Run) -> tuple[Any, Ids | None]:
    """Return the columns of a run as a table, and the texts of its documents where they are codes."""
    numbers, names = _numbers(run.document)
    topic = pa.DictionaryArray.from_arrays(
        column_of(rows_to_topics(run.starts)), strings_of(run.topics)
    )
    columns = {"topic": topic, DOCUMENTS: numbers, "score": column_of(run.score)}
    if len(run) and run.rank.min() >= 0:
        columns["rank"] = column_of(run.rank)
    return pa.table(columns), names


def _numbers(documents: Ids) -> tuple[Any, Ids | None]:
    """Return documents as whole numbers, and their texts where the numbers are codes."""
    values = Numbers.of_texts(documents, None).values
    names = None
    if len(values) and values.min() == NO_NUMBER:
        names = pa.compute.unique(documents)
        names = names.take(pa.compute.sort_indices(names))
        values = places_in(documents, names).astype(np.int64)
    small = not len(values) or (values.min() >= -_SMALL and values.max() < _SMALL)
    return column_of(values.astype(np.int32) if small else values), names


def _check(file: Path, run: Run) -> None:
    """Read back what was written."""
    found = read_run(file, run.name)
    same = (
        found.topics == run.topics
        and np.array_equal(found.starts, run.starts)
        and np.array_equal(found.score.view(np.int64), run.score.view(np.int64))
        and (np.array_equal(found.rank, run.rank) or run.rank.min(initial=0) < 0)
        and found.document.equals(run.document)
    )
    if not same:
        raise IrjudgeError(
            "What was written of {run} came back otherwise; nothing was replaced. Is the disk sound?",
            key="not-as-written",
            run=run.name,
        )
