"""Arguments of the Python API: qrels and runs as dicts and tables."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import isfinite, isnan
from typing import Any

import pyarrow as pa

from irjudge.errors import IrjudgeError
from irjudge.message import Message, join_choices
from irjudge.model.documents import DOCUMENT_NAMES, MIN_ROUNDED_NUMBER, TOPIC_NAMES
from irjudge.model.ranking import UNJUDGEABLE, Qrels, Run, make_qrels, make_run

# Qrels and runs as dicts (as in pytrec_eval) or tables (as in ir_measures)

GRADE_NAMES = ("relevance", "label", "grade", "rel")
SCORE_NAMES = ("score",)
GRADE_LIMIT = 2**31  # grades must be below this limit, since they are stored in 32 bits


def is_mapping(data: object) -> bool:
    """Return whether an object is a dict or a table, from which qrels or a run can be read."""
    return (
        isinstance(data, Mapping)
        or hasattr(data, "__arrow_c_stream__")
        or hasattr(type(data), "columns")
    )


def qrels_from_data(
    data: Any,
    *,
    to_grades: Callable[[Sequence[Any]], Sequence[int]] | None = None,
    allows_words: bool = False,
) -> Qrels:
    """Return qrels from a dict or a table in memory.

    A dict is `{topic: {document: grade}}`; a table has the columns query_id, doc_id and relevance.
    `to_grades` converts numbers and, if `allows_words`, words to grades. If it is None, numbers
    must be integers of -2 or more.
    Raises IrjudgeError for a missing column, for a document with two grades for the same topic, or
    for an invalid grade.

    >>> qrels_from_data({"1": {"d1": 2, "d2": 0}}).grade.tolist()
    [2, 0]
    """
    pairs: list[tuple[str, str]] = []
    values: list[float | str] = []
    for topic, document, value in _iter_rows(
        data, GRADE_NAMES, "The qrels", allows_words=allows_words
    ):
        if isinstance(value, str):
            pairs.append((topic, document))
            values.append(value)
            continue
        if (
            isinstance(value, bool)
            or abs(value) >= GRADE_LIMIT  # checked first, since `isfinite` rejects large integers
            or not isfinite(value)
            or (to_grades is None and (value != int(value) or value < UNJUDGEABLE))
        ):
            raise IrjudgeError(
                "Topic {topic}, document {document}: the grade must be a whole number of at "
                "least {minimum}, got {value}",
                key="invalid-grade",
                topic=topic,
                document=document,
                minimum=UNJUDGEABLE,
                value=value,
            )
        pairs.append((topic, document))
        values.append(float(value))
    grades: dict[tuple[str, str], int] = {}
    parsed_grades = map(int, values) if to_grades is None else to_grades(values)
    for pair, grade in zip(pairs, parsed_grades, strict=True):
        if grades.setdefault(pair, grade) != grade:
            raise IrjudgeError(
                "Topic {topic}, document {document} has two grades, {first} and {second}",
                key="two-grades",
                topic=pair[0],
                document=pair[1],
                first=grades[pair],
                second=grade,
            )
    return make_qrels([(*pair, grade) for pair, grade in grades.items()])


def table_from_data(data: Any, subject: str) -> pa.Table:
    """Return judgments from a dict or table as an Arrow table: query_id, doc_id and relevance."""
    rows = list(_iter_rows(data, GRADE_NAMES, subject))
    topics, documents, values = zip(*rows, strict=True) if rows else ((), (), ())
    return pa.table(
        {
            "query_id": pa.array(topics, pa.string()),
            "doc_id": pa.array(documents, pa.string()),
            "relevance": pa.array([float(value) for value in values], pa.float64()),
        }
    )


def run_from_data(data: Any, name: str) -> Run:
    """Return a run from a dict or a table in memory.

    A dict is `{topic: {document: score}}`; a table has the columns query_id, doc_id and score. A
    topic with an empty dict has an empty ranking.
    Raises IrjudgeError for a missing column, a duplicate document in a topic, or an invalid score.

    >>> run_from_data({"1": {"d1": 0.5}}, "mine").score.tolist()
    [0.5]
    """
    scores: dict[tuple[str, str], float] = {}
    for topic, document, value in _iter_rows(data, SCORE_NAMES, f"The run {name}"):
        if isinstance(value, bool) or (
            abs(value) > sys.float_info.max if isinstance(value, int) else isnan(value)
        ):
            raise IrjudgeError(
                "Run {name}, topic {topic}, document {document}: the score must be a number, "
                "got {value}.",
                key="invalid-score",
                name=name,
                topic=topic,
                document=document,
                value=value,
            )
        if (topic, document) in scores:
            raise IrjudgeError(
                "Run {name} has document {document} twice in topic {topic}.",
                key="repeated-document",
                name=name,
                document=document,
                topic=topic,
            )
        scores[topic, document] = float(value)
    run = make_run(name, [(*pair, score) for pair, score in scores.items()])
    return run.with_topics(map(str, data)) if isinstance(data, Mapping) else run


def _iter_rows(
    data: Any, number_names: tuple[str, ...], subject: str, *, allows_words: bool = False
) -> Iterator[tuple[str, str, Any]]:
    """Yield topic, document and number (or word) for each entry of a dict or row of a table."""
    rows: Iterable[tuple[Any, Any, Any]]
    if not isinstance(data, Mapping):
        rows = zip(
            *_read_columns(data, (TOPIC_NAMES, DOCUMENT_NAMES, number_names), subject), strict=True
        )
    else:
        for topic, documents in data.items():
            if not isinstance(documents, Mapping):
                raise IrjudgeError(
                    "{subject}: a dict must be {{topic: {{document: number}}}}; topic {topic} has "
                    "{documents!r}.",
                    key="not-nested",
                    subject=subject,
                    topic=topic,
                    documents=documents,
                )
        rows = (
            (topic, document, value)
            for topic, documents in data.items()
            for document, value in documents.items()
        )
    for topic, document, value in rows:
        if not hasattr(value, "__float__") and not (allows_words and isinstance(value, str)):
            raise IrjudgeError(
                "{subject}: topic {topic}, document {document} has {value!r}, which is not a number.",
                key="not-a-number",
                subject=subject,
                topic=topic,
                document=document,
                value=value,
            )
        yield (
            _format_id(topic, "topic", subject),
            _format_id(document, "document", subject),
            value,
        )


def _format_id(value: Any, column: str, subject: str) -> str:
    """Return an id as text; raise IrjudgeError if it is missing or may be a rounded number."""
    if value is None or value != value:
        raise IrjudgeError(
            "{subject}: a row has no {column}; each row needs a topic id and a document id.",
            key="no-id",
            subject=subject,
            column=column,
        )
    if isinstance(value, float) and abs(value) >= MIN_ROUNDED_NUMBER:
        raise IrjudgeError(
            "{subject}: the {column} {value} is a floating-point number, which may be a rounded "
            "id; use ids that are texts or integers.",
            key="changed-id",
            subject=subject,
            column=column,
            value=value,
        )
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def read_table_columns(
    data: Any, number_names: tuple[str, ...], subject: str
) -> tuple[Any, tuple[str, str, str]] | None:
    """Return an Arrow table, and the names of its topic, document and number columns.

    The result is None if `data` is a dict, if Arrow cannot convert it, or if column names are
    repeated.
    """
    if isinstance(data, Mapping):
        return None
    try:
        table = data if isinstance(data, pa.Table) else pa.table(data)
    except (pa.ArrowException, TypeError, ValueError):
        return None
    names = table.column_names
    if len({*names}) < len(names):
        return None
    topic, document, value = (
        _find_column(names, column_names, subject)
        for column_names in (TOPIC_NAMES, DOCUMENT_NAMES, number_names)
    )
    return table, (topic, document, value)


def _read_columns(
    table: Any, candidate_names: Sequence[tuple[str, ...]], subject: str
) -> list[list[Any]]:
    """Return columns of a pandas table, or of a table with the Arrow interface, as lists.

    Missing values are None.
    """
    if not hasattr(table, "iloc"):
        table = _to_arrow(table, subject)
        return [
            table.column(_find_column(table.column_names, names, subject)).to_pylist()
            for names in candidate_names
        ]
    columns = [table[_find_column(table.columns, names, subject)] for names in candidate_names]
    return [column.astype(object).where(column.notna(), None).tolist() for column in columns]


def _to_arrow(table: Any, subject: str) -> pa.Table:
    """Convert a table to Arrow; a lazy table, such as one of polars, is evaluated first."""
    if not hasattr(table, "__arrow_c_stream__") and hasattr(table, "collect"):
        table = table.collect()
    try:
        return pa.table(table)
    except (TypeError, ValueError) as error:  # pyarrow's ArrowInvalid is a ValueError
        expected_types = "a dict, or a table of pandas, polars or Arrow"
        raise IrjudgeError(
            "{subject}: expected {expected}, got {table}.",
            key="not-a-table",
            subject=subject,
            expected=expected_types,
            table=type(table).__name__,
        ) from error


def _find_column(columns: Iterable[Any], names: tuple[str, ...], subject: str) -> str:
    """Return the first of several names that is a column; raise IrjudgeError if none is."""
    columns = list(columns)
    column = next((name for name in names if name in columns), None)
    if column is None:
        column_list = ", ".join(map(str, columns)) or Message("none")
        raise IrjudgeError(
            "{subject}: the table has no column {names}; its columns are {columns}.",
            key="no-column",
            subject=subject,
            names=join_choices(names),
            columns=column_list,
        )
    return column
