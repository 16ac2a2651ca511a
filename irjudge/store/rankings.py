"""Runs, qrels and pools of a project, stored as columns by topic."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irjudge.errors import ProjectError
from irjudge.model import Floats, Pool, Qrels, Run, UnsampledDocuments
from irjudge.store.collection import Collection
from irjudge.store.connection import Connection, parse_json_or_none
from irjudge.store.schema import TABLES_BY_NAME, UNSAMPLED_PROBABILITY_SINCE
from irjudge.store.soundness import check_topic_rows

METADATA_SINCE = 5  # first schema version with metadata of runs
REMOVED_POOL = "removed_pool"  # key of a setting: the highest version of a removed pool
GAINS = "gains"  # key of a setting: JSON object that maps names of qrels to lists of gains
FLOAT, INT, LONG = np.dtype("<f8"), np.dtype("<i4"), np.dtype("<i8")


@dataclass(frozen=True, slots=True)
class StoredRanking:
    """Description of imported qrels or of a run of a project: name, source, number of rows.

    The rows themselves are not part of the object.
    """

    name: str
    # name of the imported file or, for a run created in the project, its origin, such as `search`;
    # may be empty
    source: str
    rows: int  # number of rows
    metadata: str = ""  # metadata of a run (ir_metadata); empty for qrels or if there are none


class Rankings:
    """Access to the runs, qrels and pools of one project."""

    def __init__(self, connection: Connection, collection: Collection) -> None:
        self._db, self._collection = connection, collection
        self._newest_pool: tuple[int, Pool] | None = None  # cached newest pool; pools are immutable

    # Runs

    def runs(self) -> tuple[StoredRanking, ...]:
        """Return descriptions of the runs, in the order they were added."""
        columns = (
            "coalesce(text, '') FROM run LEFT JOIN run_metadata ON run = code"
            if self._has_metadata
            else "'' FROM run"
        )
        return tuple(
            StoredRanking(*row)
            for row in self._db.fetch_all(
                f"SELECT name, source, rows, {columns} WHERE NOT removed ORDER BY code"
            )
        )

    @property
    def _has_metadata(self) -> bool:
        return self._db.schema_version >= METADATA_SINCE

    def add_run(self, run: Run, source: str = "") -> None:
        """Store a run; raise ProjectError if the project already has a run with this name."""
        self._check_run_name(run.name)
        with self._db.transaction():
            codes = self._collection.codes(run.document)
            code = self._db.execute(
                "INSERT INTO run (name, source, rows) VALUES (?, ?, ?)",
                (run.name, source, len(run)),
            ).lastrowid
            columns = (
                codes.astype(INT),
                run.score.astype(FLOAT),
                run.rank.astype(INT),
                run.line.astype(LONG),
            )
            if run.metadata:
                self._db.insert("INSERT INTO run_metadata VALUES (?, ?)", [(code, run.metadata)])
            rows = _split_by_topic(code, run.topics, run.starts, columns)
            self._db.insert("INSERT INTO run_topic VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def run(self, name: str) -> Run:
        """Return a stored run; raise ProjectError if there is no run with this name."""
        code = self._find_run_code(name)
        check_topic_rows(self._db, TABLES_BY_NAME["run_topic"], code)
        rows = self._db.fetch_all(
            "SELECT topic, document, score, rank, line FROM run_topic WHERE run = ? ORDER BY place",
            (code,),
        )
        topics, starts, (document, score, rank, line) = _join_columns(rows, (INT, FLOAT, INT, LONG))
        metadata_row = (
            self._db.fetch_one("SELECT text FROM run_metadata WHERE run = ?", (code,))
            if self._has_metadata
            else None
        )
        return Run(
            name,
            topics,
            starts,
            self._collection.ids(document),
            score,
            rank,
            line,
            metadata=metadata_row[0] if metadata_row else "",
        )

    def remove_run(self, name: str) -> int:
        """Mark a run as removed and return its code for `restore_run`."""
        code = self._find_run_code(name)
        with self._db.transaction():
            self._db.execute("UPDATE run SET removed = 1 WHERE code = ?", (code,))
        return code

    def restore_run(self, code: int) -> None:
        """Restore a removed run at its earlier position."""
        (name,) = self._db.fetch_one("SELECT name FROM run WHERE code = ?", (code,))
        self._check_run_name(name)
        with self._db.transaction():
            self._db.execute("UPDATE run SET removed = 0 WHERE code = ?", (code,))

    def _check_run_name(self, name: str) -> None:
        if self._db.fetch_one("SELECT 1 FROM run WHERE name = ? AND NOT removed", (name,)):
            raise ProjectError(
                "The project already has a run {name}. Rename the file, or remove the old run "
                "first (`irjudge remove-run`).",
                name=name,
            )

    def _find_run_code(self, name: str) -> int:
        row = self._db.fetch_one("SELECT code FROM run WHERE name = ? AND NOT removed", (name,))
        if not row:
            raise ProjectError("The project has no run {name}.", name=name)
        return int(row[0])

    # Qrels

    def qrels_names(self) -> tuple[StoredRanking, ...]:
        """Return descriptions of the imported qrels, in the order they were added."""
        return tuple(
            StoredRanking(*row)
            for row in self._db.fetch_all("SELECT name, source, rows FROM qrels ORDER BY code")
        )

    def add_qrels(self, name: str, qrels: Qrels, source: str = "") -> None:
        """Store qrels under a name; raise ProjectError if the name is already used."""
        if self._db.fetch_one("SELECT 1 FROM qrels WHERE name = ?", (name,)):
            raise ProjectError("The project already has qrels {name}.", name=name)
        with self._db.transaction():
            if qrels.gain is not None:
                stored_gains = parse_json_or_none(self._db.get_setting(GAINS, "{}"))
                gains = stored_gains if isinstance(stored_gains, dict) else {}
                gains[name] = qrels.gain.tolist()
                self._db.set_setting(GAINS, json.dumps(gains, ensure_ascii=False))
            codes = self._collection.codes(qrels.documents)
            row = (name, source, json.dumps(qrels.groups, ensure_ascii=False), len(qrels))
            code = self._db.execute(
                "INSERT INTO qrels (name, source, groups, rows) VALUES (?, ?, ?, ?)", row
            ).lastrowid
            columns = (
                codes[qrels.document].astype(INT),
                qrels.grade.astype(INT),
                qrels.group.astype(INT),
            )
            rows = _split_by_topic(code, qrels.topics, qrels.starts, columns)
            self._db.insert("INSERT INTO qrels_topic VALUES (?, ?, ?, ?, ?, ?)", rows)

    def qrels(self, name: str) -> Qrels:
        """Return the imported qrels with a name."""
        row = self._db.fetch_one("SELECT code, groups FROM qrels WHERE name = ?", (name,))
        if not row:
            raise ProjectError("The project has no qrels {name}.", name=name)
        code = int(row[0])
        check_topic_rows(self._db, TABLES_BY_NAME["qrels_topic"], code)
        rows = self._db.fetch_all(
            "SELECT topic, document, grade, grp FROM qrels_topic WHERE qrels = ? ORDER BY place",
            (code,),
        )
        topics, starts, (document, grade, group) = _join_columns(rows, (INT, INT, INT))
        unique_codes, indices = np.unique(document, return_inverse=True)
        groups = _parse_names(row[1])
        if groups is None or (len(group) and not 0 <= group.min() <= group.max() < len(groups)):
            raise ProjectError(
                "The project is damaged: cannot read the groups of the qrels {name}.",
                key="damaged-qrels",
                name=name,
            )
        ids = self._collection.ids(unique_codes.astype(np.int32))
        return Qrels(
            topics,
            starts,
            ids,
            indices.astype(np.int32),
            grade,
            group,
            groups,
            gain=self._read_gains(name, len(grade)),
        )

    def _read_gains(self, name: str, rows: int) -> Floats | None:
        """Return the gains of qrels, one for each row; None if the grades serve as gains."""
        gains = parse_json_or_none(self._db.get_setting(GAINS, "{}"))
        if isinstance(gains, dict) and name not in gains:
            return None
        values = gains.get(name) if isinstance(gains, dict) else None
        try:
            gain = np.array(values, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            gain = np.zeros(())
        if gain.shape != (rows,) or not np.isfinite(gain).all() or (gain < 0).any():
            raise ProjectError(
                "The project is damaged: cannot read the gains of the qrels {name}.",
                key="damaged-qrels",
                name=name,
            )
        return gain

    # Pools

    def pool_version(self) -> int:
        """Return the version of the newest pool; 0 if there is none."""
        return int(self._db.fetch_one("SELECT coalesce(max(version), 0) FROM pool")[0])

    def _removed_pool_version(self) -> int:
        """Return the highest version of a removed pool; 0 if there is none."""
        text = self._db.get_setting(REMOVED_POOL, "0")
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0

    def add_pool(self, pool: Pool) -> int:
        """Store a pool as the newest version and return the version; older versions are kept."""
        self._newest_pool = None
        with self._db.transaction():
            codes = self._collection.codes(pool.document)
            # the number of a removed pool is not reused, since another process may know its pool
            version = max(self.pool_version(), self._removed_pool_version()) + 1
            row = (
                version,
                pool.strategy,
                json.dumps(pool.parameters),
                json.dumps(pool.runs, ensure_ascii=False),
                len(pool),
            )
            self._db.execute(
                "INSERT INTO pool (version, strategy, parameters, runs, rows) "
                "VALUES (?, ?, ?, ?, ?)",
                row,
            )
            unsampled_codes = self._collection.codes(pool.unsampled.document)
            self._db.insert(
                f"INSERT INTO pool_topic VALUES ({', '.join('?' * 12)})",
                _make_pool_rows(version, pool, codes, unsampled_codes),
            )
        return version

    def pool(self, version: int | None = None) -> Pool | None:
        """Return a pool, by default the newest; None if there is none."""
        version = self.pool_version() if version is None else version
        if self._newest_pool is None or self._newest_pool[0] != version:
            pool = self._read_pool(version)
            self._newest_pool = (version, pool) if pool is not None else None
        return self._newest_pool[1] if self._newest_pool else None

    def _read_pool(self, version: int) -> Pool | None:
        pool_row = self._db.fetch_one(
            "SELECT strategy, parameters, runs FROM pool WHERE version = ?", (version,)
        )
        if not pool_row:
            return None
        check_topic_rows(self._db, TABLES_BY_NAME["pool_topic"], version)
        topics, starts, (document, counts, stratum, probability) = self._read_pool_columns(
            version, ("document", "contributions", "stratum", "probability"), (INT, INT, INT, FLOAT)
        )
        _, _, (run, rank) = self._read_pool_columns(
            version, ("contribution_run", "contribution_rank"), (INT, INT)
        )
        unsampled_starts, unsampled_codes, unsampled_strata, unsampled_probabilities = (
            self._read_unsampled_columns(version)
        )
        parameters, runs = _parse_object(pool_row[1]), _parse_names(pool_row[2])
        has_contributions = counts.min(initial=0) >= 0 and counts.sum() == len(run)
        if (
            parameters is None
            or runs is None
            or not has_contributions
            or (len(run) and not 0 <= run.min() <= run.max() < len(runs))
        ):
            raise ProjectError(
                "The project is damaged: cannot read how pool {version} was built.",
                key="damaged-pool",
                version=version,
            )
        return Pool(
            topics=topics,
            starts=starts,
            document=self._collection.ids(document),
            strategy=pool_row[0],
            parameters=parameters,
            runs=runs,
            contribution_starts=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
            contribution_run=run,
            contribution_rank=rank,
            stratum=stratum,
            probability=probability,
            unsampled=UnsampledDocuments(
                unsampled_starts,
                self._collection.ids(unsampled_codes),
                unsampled_strata,
                unsampled_probabilities,
            ),
        )

    def _read_unsampled_columns(self, version: int) -> tuple[Any, Any, Any, Any]:
        """Return four columns about the unsampled documents of a pool.

        The first column contains the offset of each topic in the other columns. The other columns
        contain the code, the stratum and the inclusion probability of each document.
        """
        names, types = ["undrawn", "undrawn_stratum", "undrawn_probability"], [INT, INT, FLOAT]
        if self._db.schema_version >= UNSAMPLED_PROBABILITY_SINCE:
            _, starts, columns = self._read_pool_columns(version, names, types)
            return starts, *columns
        _, starts, columns = self._read_pool_columns(version, names[:2], types[:2])
        return starts, *columns, np.full(len(columns[0]), np.nan)

    def _read_pool_columns(
        self, version: int, names: Sequence[str], types: Sequence[Any]
    ) -> tuple[tuple[str, ...], Any, list[Any]]:
        return _join_columns(
            self._db.fetch_all(
                f"SELECT topic, {', '.join(names)} FROM pool_topic WHERE pool = ? ORDER BY place",
                (version,),
            ),
            types,
        )

    def pooled_without_text(self) -> list[str]:
        """Return the documents of the newest pool that have no text, without duplicates."""
        return self._list_documents_without_text(
            self._db.fetch_all(
                "SELECT topic, document FROM pool_topic WHERE pool = ?", (self.pool_version(),)
            )
        )

    def retrieved_without_text(self) -> list[str]:
        """Return the documents of the runs that have no text, without duplicates."""
        codes = [self._find_run_code(run.name) for run in self.runs()]
        return self._list_documents_without_text(
            [
                row
                for code in codes
                for row in self._db.fetch_all(
                    "SELECT topic, document FROM run_topic WHERE run = ?", (code,)
                )
            ]
        )

    def _list_documents_without_text(self, rows: list[Any]) -> list[str]:
        _, _, (codes,) = _join_columns(rows, (INT,))
        documents_without_text: list[str] = self._collection.ids(
            self._collection.codes_without_text(codes)
        ).to_pylist()
        return documents_without_text

    def remove_pool(self, version: int) -> None:
        """Delete a pool; judgments of its documents are kept in the log.

        Raise ProjectError if documents of the pool were assigned.
        """
        if self._db.fetch_one(
            "SELECT 1 FROM assignment WHERE mode = 'grade' AND pool = ?", (version,)
        ):
            raise ProjectError(
                "Pool {version} cannot be removed, because documents were assigned from it.",
                key="assigned-pool",
                version=version,
            )
        self._newest_pool = None
        with self._db.transaction():
            newest_version = max(self.pool_version(), self._removed_pool_version())
            self._db.set_setting(REMOVED_POOL, str(newest_version))
            self._db.execute("DELETE FROM pool WHERE version = ?", (version,))


def _make_pool_rows(
    version: int, pool: Pool, codes: Any, unsampled_codes: Any
) -> Iterable[Sequence[Any]]:
    counts = np.diff(pool.contribution_starts).astype(INT)
    for index, topic in enumerate(pool.topics):
        rows = slice(pool.starts[index], pool.starts[index + 1])
        contribution_rows = slice(
            pool.contribution_starts[pool.starts[index]],
            pool.contribution_starts[pool.starts[index + 1]],
        )
        unsampled_rows = slice(pool.unsampled.starts[index], pool.unsampled.starts[index + 1])
        columns = (
            codes[rows],
            counts[rows],
            pool.contribution_run[contribution_rows],
            pool.contribution_rank[contribution_rows],
            pool.stratum[rows],
        )
        blobs = (column.astype(INT).tobytes() for column in columns)
        contribution_blobs = (
            column.astype(INT).tobytes()
            for column in (unsampled_codes[unsampled_rows], pool.unsampled.stratum[unsampled_rows])
        )
        yield (
            version,
            index,
            topic,
            *blobs,
            pool.probability[rows].astype(FLOAT).tobytes(),
            *contribution_blobs,
            pool.unsampled.probability[unsampled_rows].astype(FLOAT).tobytes(),
        )


def _split_by_topic(
    code: int | None, topics: Sequence[str], starts: Any, columns: Sequence[Any]
) -> Iterable[Sequence[Any]]:
    for index, topic in enumerate(topics):
        rows = slice(starts[index], starts[index + 1])
        yield code, index, topic, *(column[rows].tobytes() for column in columns)


def _parse_names(text: str) -> tuple[str, ...] | None:
    names = parse_json_or_none(text)
    return (
        tuple(names)
        if isinstance(names, list) and all(isinstance(name, str) for name in names)
        else None
    )


def _parse_object(text: str) -> dict[str, int | float | str] | None:
    content = parse_json_or_none(text)
    return (
        content
        if isinstance(content, dict)
        and all(isinstance(value, int | float | str) for value in content.values())
        else None
    )


def _join_columns(
    rows: Sequence[Sequence[Any]], types: Sequence[Any]
) -> tuple[tuple[str, ...], Any, list[Any]]:
    """Concatenate the columns of all topics; return topics, offsets of topics, and columns.

    Each row contains a topic and the bytes of the topic's columns.
    """
    topics = tuple(row[0] for row in rows)
    uneven_topics = (
        row[0]
        for row in rows
        if len({len(blob) / kind.itemsize for blob, kind in zip(row[1:], types, strict=True)}) > 1
    )
    if (topic := next(uneven_topics, None)) is not None:
        raise ProjectError(
            "The project is damaged: the columns of topic {topic} differ in length.",
            key="damaged-topic",
            topic=topic,
        )
    try:
        columns = [
            np.frombuffer(b"".join(row[index] for row in rows), dtype=kind)
            for index, kind in enumerate(types, 1)
        ]
    except ValueError as error:
        raise ProjectError(
            "The project is damaged: a column ends in the middle of a number."
        ) from error
    lengths = [len(row[1]) // types[0].itemsize for row in rows]
    return topics, np.concatenate(([0], np.cumsum(lengths))).astype(np.int64), columns
