"""Writes runs as Parquet that is read quickly: documents as whole numbers, rows by topic."""

import os
import secrets
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes.replacing import reason, sync_folder
from irjudge.formats.rankings.column_runs import CODED, DOCUMENTS
from irjudge.formats.rankings.hashed_ids import NO_NUMBER, Numbers
from irjudge.formats.rankings.runs import read_run
from irjudge.formats.rows.column_groups import RUN_FOLDER
from irjudge.message import Message
from irjudge.model.arrow import places_in, places_of, strings_of
from irjudge.model.ranking import Ids, Run, rows_to_topics
from irjudge.progress import SILENT, Progress

NAMES = "_documents.parquet"  # in each run's folder; with this underscore no reader of Parquet takes it for rows
PART = "part-0.parquet"
GROUP = 1 << 19  # rows
_SMALL = 2**31


def convert(runs: Iterable[Run], folder: Path, *, total: int | None = None, progress: Progress = SILENT) -> list[Path]:
    """Write each run into a folder `run=NAME` of a folder, and return these folders.

    Rows stand by topic, and within a topic as in the run. Ids that are whole numbers are written as such; all others as codes, whose texts
    stand beside. What was written is read back before it takes the place of anything.

    Raises
    ------
    IrjudgeError
        When a run's name cannot be a folder's, a folder is there that does not hold a run, or the disk does not give back what was written.
    """
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for done, run in enumerate(runs, 1):
            written.append(_converted(run, folder))
            progress.step(done, total, Message("Converted {run}", run=run.name))
    except OSError as fault:
        raise IrjudgeError("{folder} could not be written: {reason}.", folder=folder.name, reason=reason(fault)) from fault
    return written


def _converted(run: Run, folder: Path) -> Path:
    if not run.name or run.name != Path(run.name).name:
        raise IrjudgeError("The run {run} cannot name a folder; a name has no slash.", run=run.name)
    target = folder / f"{RUN_FOLDER}{run.name}"
    if target.exists() and not (target / PART).is_file():
        raise IrjudgeError("{target} is there and holds no run that was converted; choose another folder.", target=target.name)
    part = folder / f".irjudge-{secrets.token_hex(6)}.part"
    old = part.with_suffix(".old")
    try:
        part.mkdir()
        sorted_run = _by_topic(run)
        _write(part, sorted_run)
        _check(part, sorted_run)
        _keep(part)
        if target.exists():
            target.rename(old)
        try:
            part.rename(target)
        except OSError:
            if old.exists():
                old.rename(target)
            raise
        sync_folder(folder)
    finally:
        for left in (part, old):
            with suppress(OSError):
                shutil.rmtree(left)
    return target


def _keep(folder: Path) -> None:
    """Bring the files of a folder to the disk."""
    for file in folder.iterdir():
        with file.open("rb+") as written:
            os.fsync(written.fileno())
    sync_folder(folder)


def _by_topic(run: Run) -> Run:
    order = sorted(range(len(run.topics)), key=run.topics.__getitem__)
    sizes = np.diff(run.starts)[order]
    starts = np.concatenate(([0], np.cumsum(sizes)))
    rows = np.arange(len(run)) + np.repeat(run.starts[:-1][order] - starts[:-1], sizes)
    topics = tuple(run.topics[place] for place in order)
    return Run(run.name, topics, starts, run.document.take(places_of(rows)), run.score[rows], run.rank[rows], run.line[rows])


def _write(folder: Path, run: Run) -> None:
    from pyarrow.parquet import write_table  # noqa: PLC0415 -- few commands write it

    numbers, names = _numbers(run.document)
    topic = pa.DictionaryArray.from_arrays(places_of(rows_to_topics(run.starts)), strings_of(run.topics))
    columns = {"topic": topic, DOCUMENTS: numbers, "score": pa.array(run.score)}
    if len(run) and run.rank.min() >= 0:
        columns["rank"] = pa.array(run.rank)
    table = pa.table(columns)
    if names is not None:
        table = table.replace_schema_metadata({CODED: NAMES.encode()})
        write_table(pa.table({DOCUMENTS: names}), folder / NAMES, compression="zstd")
    with (folder / PART).open("wb") as file:
        write_table(
            table,
            file,
            row_group_size=GROUP,
            use_dictionary=["topic"],
            compression={"topic": "zstd", DOCUMENTS: "none", "score": "none", "rank": "zstd"},
        )


def _numbers(documents: Ids) -> tuple[Any, Ids | None]:
    """Return documents as whole numbers, and their texts where the numbers are codes."""
    values = Numbers.of_texts(documents, None).values
    names = None
    if len(values) and values.min() == NO_NUMBER:
        names = pa.compute.unique(documents)
        names = names.take(pa.compute.sort_indices(names))
        values = places_in(documents, names).astype(np.int64)
    small = not len(values) or (values.min() >= -_SMALL and values.max() < _SMALL)
    return pa.array(values, pa.int32() if small else pa.int64()), names


def _check(folder: Path, run: Run) -> None:
    """Read back what was written."""
    found = read_run(folder, run.name)
    same = (
        found.topics == run.topics
        and np.array_equal(found.starts, run.starts)
        and np.array_equal(found.score.view(np.int64), run.score.view(np.int64))
        and (np.array_equal(found.rank, run.rank) or run.rank.min(initial=0) < 0)
        and found.document.equals(run.document)
    )
    if not same:
        raise IrjudgeError("What was written of {run} came back otherwise; nothing was replaced. Is the disk sound?", run=run.name)
