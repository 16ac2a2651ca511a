"""Qrels and runs in notebooks: files, dicts and tables, and writers of qrels in all formats."""

import warnings
from collections.abc import Mapping, Sequence
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
    ColumnarRun,
    GradeRules,
    Negative,
    fold_word,
    format_rating,
    qrels_from_table,
    resolve_grades,
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
    is_mapping,
    qrels_from_data,
    read_table_columns,
    rename_topics_with_blanks,
    run_from_data,
    table_from_data,
    warn_of_renamed_topics,
)
from irjudge.options import check_choice, check_whole

TREC_FORMAT = "trec"
QRELS_SUBJECT = "The qrels"  # subject of error messages about qrels in a dict or table
DataSource: TypeAlias = Any  # a path, a dict, or a table of pandas, polars or Arrow


def read_qrels(
    data: DataSource,
    *,
    negative: Negative | None = None,
    grades: dict[float | str, int] | None = None,
    gains: bool = False,
    cuts: Sequence[float] = (),
) -> Qrels:
    """Read judgments in any supported format.

    Parameters
    ----------
    data
        The path of a file (TREC qrels, a table, Parquet, Quepid, OpenSearch, rank_eval, RRE,
        learning to rank …), `Qrels`, a dict `{topic: {document: grade}}`, or a table of pandas,
        polars or Arrow with the columns query_id, doc_id and relevance.
    negative
        Meaning of negative grades: `unjudged`, `unjudgeable` or `0`. If None, -1 means unjudged and
        -2 unjudgeable.
    grades
        Mapping of grades or words, such as `{0.5: 1, 1.0: 2}` or `{"Exact": 3}`, which must
        cover every grade and word that occurs. If None, numeric grades are used unchanged.
    gains
        Whether ratings are gains, such as 0.412, which CG, DCG, nDCG, ERR and RBP(gain=graded) use
        unchanged. Other measures use the grades of `cuts`, or grade 1 for each rating above 0.
    cuts
        Lowest ratings of grades 1, 2, 3 …, ascending.

    Returns
    -------
    Qrels
        N judgments; `to_arrow()` and `to_pandas()` convert them to a table, and polars accepts
        them directly.

    Raises
    ------
    IrjudgeError
        If a file or table is invalid or ambiguous, or an option is invalid or given with
        `Qrels`, whose grades are final.

    Examples
    --------
    >>> read_qrels({"1": {"d1": 2, "d2": 0}}).to_pandas().relevance.tolist()
    [2, 0]
    >>> read_qrels({"1": {"d1": 0.4, "d2": 1.5}}, cuts=[0.2, 1]).grade.tolist()
    [1, 2]
    """
    rules = None
    if grades is not None or gains or cuts:
        grade_map = {
            fold_word(old) if isinstance(old, str) else old: new
            for old, new in (grades or {}).items()
        }
        rules = GradeRules(
            grade_map if grades is not None else None, tuple(map(float, cuts)), gains
        )
    _check_options(data, negative, rules)
    if isinstance(data, Qrels):
        return data
    if not is_mapping(data):
        return read_qrels_file(to_location(cast(Path, data)), negative, grades=rules)
    if rules is not None and rules.is_numeric and isinstance(data, Mapping):
        data = table_from_data(data, QRELS_SUBJECT)
    if (table := _to_column_table(data, GRADE_NAMES, QRELS_SUBJECT, QRELS_PARTS)) and (
        result := qrels_from_table(table, negative, rules)
    ):
        return replace(result, warnings=())
    if negative is None and rules is None:
        return qrels_from_data(data)
    return qrels_from_data(
        data,
        to_grades=lambda values: _to_grades_of_words(values, negative, rules),
        allows_words=rules is not None and bool(rules.words),
    )


def _to_grades_of_words(
    values: Sequence[float | str], negative: Negative | None, rules: GradeRules | None
) -> Sequence[int]:
    """Convert numbers or, if some values are words, words and numbers to grades."""
    path = Path(QRELS_SUBJECT)
    numbers = [value for value in values if not isinstance(value, str)]
    if len(numbers) == len(values) or rules is None:
        return to_grades(path, numbers, negative, rules)
    texts = [value if isinstance(value, str) else format_rating(value) for value in values]
    return [*resolve_grades(path, texts, rules).tolist()]


def _check_options(data: DataSource, negative: Negative | None, rules: GradeRules | None) -> None:
    if isinstance(data, Qrels) and not (negative is None and rules is None):
        raise IrjudgeError(
            "the parameters negative, grades, gains and cuts apply to files, dicts and tables; "
            "the grades of a Qrels object are already final",
            key="settled-grades",
        )
    if negative is not None:
        check_choice("negative", negative, NEGATIVES)
    for old, new in ((rules.mapping if rules else None) or {}).items():
        check_whole(f"grades[{old!r}]", new, minimum=UNJUDGEABLE)


def _to_column_table(
    data: DataSource, values: tuple[str, ...], subject: str, kinds: Sequence[ColumnKind]
) -> ColumnTable | None:
    """Return the columns of a table in memory; None for data that are not a table."""
    result = read_table_columns(data, values, subject) if is_mapping(data) else None
    if result is None:
        return None
    table, columns = result
    parts = zip(
        ("topic", "document", kinds[-1].name if values == SCORE_NAMES else "grade"),
        columns,
        strict=True,
    )
    return ColumnTable.in_memory(
        subject, table.select(list(columns)), ColumnMapping(tuple(parts)), kinds
    )


def columnar_run_from_table(data: DataSource, name: str) -> ColumnarRun | None:
    """Return the run in a table of pandas, polars or Arrow; None for data that are not a table."""
    table = _to_column_table(data, SCORE_NAMES, f"The run {name}", RUN_PARTS)
    return ColumnarRun(table, None) if table else None


def read_run(data: DataSource, name: str | None = None) -> Run:
    """Read a run in any supported format.

    Parameters
    ----------
    data
        The path of a file, a `Run`, a dict `{topic: {document: score}}`, or a table of pandas,
        polars or Arrow with the columns query_id, doc_id and score.
    name
        Name of the run. If None, it is the file name, or `run` for a dict or table.

    Returns
    -------
    Run
        N documents; `to_arrow()` and `to_pandas()` convert them to a table, and polars accepts
        them directly.

    Raises
    ------
    IrjudgeError
        If a file or table is invalid.

    Examples
    --------
    >>> read_run({"1": {"d1": 0.5}}, "mine").to_pandas().score.tolist()
    [0.5]
    """
    if isinstance(data, Run):
        return data
    if (table := columnar_run_from_table(data, name or "run")) and (
        result := run_from_table(table, name or "run")
    ):
        return result
    return (
        run_from_data(data, name or "run")
        if is_mapping(data)
        else read_run_file(to_location(cast(Path, data)), name)
    )


def write_qrels(path: Path | str, qrels: DataSource, *, form: str = TREC_FORMAT) -> int:
    """Write judgments to a file atomically.

    Parameters
    ----------
    path
        The file.
    qrels
        Anything that `read_qrels` accepts.
    form
        `trec`, or one of `quepid`, `opensearch`, `rre`, `rank_eval`, `ltr`, `csv`, `jsonl`,
        `parquet`, which omit unjudged documents.

    Returns
    -------
    int
        Number of judgments written.

    Raises
    ------
    IrjudgeError
        If the format is unknown or cannot represent the judgments, or the file cannot be
        written.

    Warns
    -----
    UserWarning
        If a topic id has a blank, which TREC qrels cannot represent: q1, q2 … are written
        instead.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = write_qrels(f"{folder}/judgments.json", {"jazz bass": {"d1": 2}}, form="opensearch")
    ...     back = read_qrels(f"{folder}/judgments.json")
    >>> written, back.titles, back.grade.tolist()
    (1, ('jazz bass',), [2])
    """
    path, judgments = Path(path), read_qrels(qrels)
    if form != TREC_FORMAT:
        titles = dict(zip(judgments.topics, judgments.titles, strict=False))
        title = WRITERS[form].title if form in WRITERS else form
        return write_ratings(
            path, ratings_from_grades(judgments.rated_rows(), titles, path.stem, title), form
        )
    names = rename_topics_with_blanks(judgments.topics)
    for sentence in warn_of_renamed_topics(names):
        warnings.warn(sentence, stacklevel=2)
    rows = ((names[topic], document, grade) for topic, document, grade in judgments.rated_rows())
    return write_qrels_file(
        path, rows, [judgments.groups[code] for code in judgments.group.tolist()]
    )
