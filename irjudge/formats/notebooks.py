"""Qrels and runs for notebooks: files, dicts and tables of pandas, polars or Arrow in, and files of every form out."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias, cast

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes import to_location
from irjudge.formats.judgments import WRITERS, ratings_from_grades, write_ratings
from irjudge.formats.rankings import (
    NEGATIVES,
    QRELS_PARTS,
    RUN_PARTS,
    ColumnRun,
    Negative,
    qrels_from_table,
    run_from_table,
    to_grades,
)
from irjudge.formats.rankings import read_qrels as read_qrels_file
from irjudge.formats.rankings import read_run as read_run_file
from irjudge.formats.rankings import write_qrels as write_qrels_file
from irjudge.formats.rows import ColumnKind, ColumnMapping, ColumnTable
from irjudge.model import (
    GRADE_NAMES,
    SCORE_NAMES,
    UNJUDGEABLE,
    Qrels,
    Run,
    check_choice,
    check_whole,
    is_mapping,
    qrels_from_data,
    read_table_columns,
    rename_topics_with_blanks,
    renamed_topics_warning,
    run_from_data,
)

TREC = "trec"
QRELS = "The qrels"  # what errors call a dict or table
DataSource: TypeAlias = Any  # a path, a dict, or a table that pandas, polars or Arrow has


def read_qrels(
    given: DataSource,
    *,
    negative: Negative | None = None,
    grades: dict[float, int] | None = None,
) -> Qrels:
    """Read judgments of any form that irjudge knows.

    Parameters
    ----------
    given
        The path of a file (TREC qrels, a table, Parquet, Quepid, OpenSearch, rank_eval, RRE, learning to rank …), `Qrels`, a dict
        `{topic: {document: grade}}`, or a table of pandas, polars or Arrow with the columns query_id, doc_id and relevance.
    negative
        What negative grades mean: `unjudged`, `unjudgeable` or `0`. None takes -1 and -2 as irjudge writes them.
    grades
        Which grade becomes which, such as `{0.5: 1, 1.0: 2}`; each must be there. None keeps them.

    Returns
    -------
    Qrels
        N judgments; `to_arrow()` and `to_pandas()` give them as a table, and polars takes them as they are.

    Raises
    ------
    IrjudgeError
        When a file or table is wrong, or may mean two things and nobody said which; when an option is wrong, or is given with `Qrels`,
        whose grades are settled.

    Examples
    --------
    >>> read_qrels({"1": {"d1": 2, "d2": 0}}).to_pandas().relevance.tolist()
    [2, 0]
    """
    _check_options(given, negative, grades)
    if isinstance(given, Qrels):
        return given
    if not is_mapping(given):
        return read_qrels_file(to_location(cast(Path, given)), negative, grades=grades)
    if (table := _table(given, GRADE_NAMES, QRELS, QRELS_PARTS)) and (
        found := qrels_from_table(table, negative, grades)
    ):
        return replace(found, remarks=())
    if negative is None and grades is None:
        return qrels_from_data(given)
    return qrels_from_data(
        given,
        to_grades=lambda values: to_grades(Path(QRELS), values, negative, grades),
    )


def _check_options(
    given: DataSource, negative: Negative | None, grades: dict[float, int] | None
) -> None:
    if isinstance(given, Qrels) and not (negative is None and grades is None):
        raise IrjudgeError(
            "negative and grades apply to files, dicts and tables; the grades of Qrels are settled",
            key="settled-grades",
        )
    if negative is not None:
        check_choice("negative", negative, NEGATIVES)
    for old, new in (grades or {}).items():
        check_whole(f"grades[{old!r}]", new, minimum=UNJUDGEABLE)


def _table(
    given: DataSource, values: tuple[str, ...], what: str, kinds: Sequence[ColumnKind]
) -> ColumnTable | None:
    """Return a table in memory; None for anything else."""
    found = read_table_columns(given, values, what) if is_mapping(given) else None
    if found is None:
        return None
    table, columns = found
    parts = zip(
        ("topic", "document", kinds[-1].name if values == SCORE_NAMES else "grade"),
        columns,
        strict=True,
    )
    return ColumnTable.in_memory(
        what, table.select(list(columns)), ColumnMapping(tuple(parts)), kinds
    )


def column_run_from_table(given: DataSource, name: str) -> ColumnRun | None:
    """Return the run in a table of pandas, polars, Arrow or whatever gives itself as Arrow does; None for anything else."""
    table = _table(given, SCORE_NAMES, f"The run {name}", RUN_PARTS)
    return ColumnRun(table, None) if table else None


def read_run(given: DataSource, name: str | None = None) -> Run:
    """Read a run of any form that irjudge knows.

    Parameters
    ----------
    given
        The path of a file, a `Run`, a dict `{topic: {document: score}}`, or a table of pandas, polars or Arrow with the columns query_id,
        doc_id and score.
    name
        What to call it. None takes the file's name, and `run` for a dict or table.

    Returns
    -------
    Run
        N documents; `to_arrow()` and `to_pandas()` give them as a table, and polars takes them as they are.

    Raises
    ------
    IrjudgeError
        When a file or table is wrong.

    Examples
    --------
    >>> read_run({"1": {"d1": 0.5}}, "mine").to_pandas().score.tolist()
    [0.5]
    """
    if isinstance(given, Run):
        return given
    if (table := column_run_from_table(given, name or "run")) and (
        found := run_from_table(table, name or "run")
    ):
        return found
    return (
        run_from_data(given, name or "run")
        if is_mapping(given)
        else read_run_file(to_location(cast(Path, given)), name)
    )


def write_qrels(path: Path | str, qrels: DataSource, *, form: str = TREC) -> int:
    """Write judgments to a file, whole or not at all.

    Parameters
    ----------
    path
        The file.
    qrels
        What `read_qrels` takes.
    form
        `trec`, or one of `quepid`, `opensearch`, `rre`, `rank_eval`, `ltr`, `csv`, `jsonl`, `parquet`, which leave out what has no grade.

    Returns
    -------
    int
        How many judgments were written.

    Raises
    ------
    IrjudgeError
        When the form is not known or cannot say what is to be written, or the file cannot be written.

    Warns
    -----
    UserWarning
        Where a topic's id holds a blank, which the TREC form cannot say: q1, q2 … stand in its place.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = write_qrels(f"{folder}/judgments.json", {"jazz bass": {"d1": 2}}, form="opensearch")
    ...     back = read_qrels(f"{folder}/judgments.json")
    >>> written, back.titles, back.grade.tolist()
    (1, ('jazz bass',), [2])
    """
    path, judged = Path(path), read_qrels(qrels)
    if form != TREC:
        titles = dict(zip(judged.topics, judged.titles, strict=False))
        title = WRITERS[form].title if form in WRITERS else form
        return write_ratings(
            path, ratings_from_grades(judged.rows(), titles, path.stem, title), form
        )
    names = rename_topics_with_blanks(judged.topics)
    for sentence in renamed_topics_warning(names):
        warnings.warn(sentence, stacklevel=2)
    rows = ((names[topic], document, grade) for topic, document, grade in judged.rows())
    return write_qrels_file(path, rows, [judged.groups[code] for code in judged.group.tolist()])
