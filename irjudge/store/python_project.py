"""Projects created in Python from iterables, tables, and ir_datasets or PyTerrier datasets."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from irjudge.errors import IrjudgeError
from irjudge.formats import read_qrels, read_run
from irjudge.formats.bytes import collapse_whitespace
from irjudge.formats.collections import (
    document_from_fields,
    read_documents,
    read_topics,
    split_paragraphs,
)
from irjudge.formats.rankings import find_off_scale
from irjudge.message import Message
from irjudge.model import (
    DOCUMENT_NAMES,
    MIN_ROUNDED_NUMBER,
    TOPIC_NAMES,
    Document,
    Qrels,
    Run,
    Scale,
    Topic,
)
from irjudge.store.project import OWNER_KEY, Project, create_project

# fields with the id of a document, with the id of a topic in a list of topics, and with the id of a
# topic in a record of qrels or runs, in which `id` can be the id of the record
DOCUMENT_IDS = (*DOCUMENT_NAMES, "_id", "id")
TOPIC_IDS = tuple(name for name in (*TOPIC_NAMES, "_id", "id") if name not in ("topic", "query"))
RECORD_TOPIC_IDS = (*TOPIC_NAMES, "_id", "id")
TEXTS = ("title", "query", "text", "topic", "question")
DESCRIPTIONS, NARRATIVES = ("description", "desc"), ("narrative", "narr")
RATINGS, SCORES = ("relevance", "label", "grade", "rel"), ("score",)
# names of methods by which datasets are recognised: a method of ir_datasets, then of PyTerrier
DOCUMENT_SOURCES = ("docs_iter", "get_corpus_iter")
TOPIC_SOURCES = ("queries_iter", "get_topics")
QRELS_SOURCES = ("qrels_iter", "get_qrels")
RUN_SOURCES = ("scoreddocs_iter", "get_results")
Record = Mapping[str, Any]


def new_project(
    path: Path | str,
    *,
    documents: Any = None,
    topics: Any = None,
    qrels: Any = None,
    runs: Any = None,
    scale: Scale | str = "0-3",
    title: str = "",
    owner: str = OWNER_KEY,
) -> Path:
    """Create a project file from documents, topics, qrels and runs, all of which are optional.

    Each is an iterable of records, a table of pandas, polars or Arrow, a path, or a dataset of
    ir_datasets or PyTerrier. Records are dicts, named tuples, dataclasses or plain tuples.
    An iterable is read once, one record at a time.

    Parameters
    ----------
    path
        The file to create; it must not exist.
    documents
        Records with an id (`doc_id`, `docno`, `id` …) and texts, tuples (id, text), or
        `{id: text}`. Further fields are kept and shown under the title. Of several documents with
        the same id, the first is used.
    topics
        Records with an id (`query_id`, `qid`, `id` …), a title (`title`, `query` or `text`) and
        optionally a description and a narrative; or tuples (id, title), or `{id: title}`.
    qrels
        What `irjudge.read_qrels` accepts, or records with topic, document and relevance.
    runs
        Runs by name, or a list of `Run`; each is what `irjudge.read_run` accepts, or records with
        topic, document and score. A single run is named "run".
    scale
        `binary`, `0-1` to `0-99`, the path of a JSON file, or a `Scale`.
    title
        Title of the project; the name of the file if empty.
    owner
        Assessor whose judgments are made in the file.

    Returns
    -------
    Path
        The file, as `irjudge` commands and the window open it.

    Raises
    ------
    IrjudgeError
        If a record has no id or text, ids are repeated in a run, a grade is not on the scale, or
        the file exists. No file is left then.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = new_project(
    ...         f"{folder}/p.irjudge",
    ...         documents={"d1": "the sea", "d2": "the moon"},
    ...         topics=[("1", "tides")],
    ...         qrels={"1": {"d1": 2}},
    ...         runs={"bm25": {"1": {"d1": 2.5, "d2": 1.0}}},
    ...     )
    ...     made.name
    'p.irjudge'
    """
    target = Path(path)
    project_scale = scale if isinstance(scale, Scale) else Scale.parse(scale)
    with create_project(target, scale=project_scale, title=title, owner=owner) as project:
        if topics is not None:
            project.collection.add_topics(_iter_topics(topics))
        for run in _iter_runs(runs):
            project.rankings.add_run(run, run.name)
        if qrels is not None:
            _add_qrels(project, _to_qrels(qrels))
        if documents is not None:
            project.collection.add_documents(_iter_documents(documents))
    return target


def _add_qrels(project: Project, qrels: Qrels) -> None:
    off_scale_grades = find_off_scale({*qrels.grade.tolist()}, project.scale.values)
    if off_scale_grades:
        raise IrjudgeError(
            "The qrels have grades that are not on the scale ({values}): {grades}; give "
            "another scale, such as {wider}, or map the grades with the parameter grades= when "
            "reading the qrels.",
            key="off-scale",
            values=", ".join(map(str, off_scale_grades.values)),
            grades=", ".join(map(str, off_scale_grades.grades)),
            wider=off_scale_grades.wider_scale or "0-99",
        )
    project.rankings.add_qrels("qrels", qrels, "qrels")


# Conversion of records


def _iter_documents(source: Any) -> Iterator[Document]:
    if isinstance(source, str | Path):
        yield from read_documents([Path(source)], warnings=[])
        return
    for index, item in enumerate(_iter_items(source, DOCUMENT_SOURCES, "documents")):
        if isinstance(item, Document):
            yield item
            continue
        record = _to_record(item, ("doc_id", "text", "title"), f"documents[{index}]")
        id = _find_id(record, DOCUMENT_IDS, f"documents[{index}]")
        texts = {
            name: text
            for name, value in record.items()
            if name not in DOCUMENT_IDS and (text := _to_text(value))
        }
        document = document_from_fields(id, texts)
        if not document.text and callable(getattr(item, "default_text", None)):
            document = document_from_fields(id, {**texts, "text": _to_text(item.default_text())})
        if not document.text and not document.title and not document.fields:
            raise IrjudgeError(
                "documents[{number}] ({id}) has no text; it has the fields {names}.",
                key="no-text",
                number=index,
                id=id,
                names=", ".join(record) or Message("none"),
            )
        yield document


def _iter_topics(source: Any) -> Iterator[Topic]:
    if isinstance(source, str | Path):
        yield from read_topics(Path(source)).topics
        return
    for index, item in enumerate(_iter_items(source, TOPIC_SOURCES, "topics")):
        if isinstance(item, Topic):
            yield item
            continue
        location = f"topics[{index}]"
        record = _to_record(item, ("query_id", "title", "description", "narrative"), location)
        id = _find_id(record, TOPIC_IDS, location)
        title = collapse_whitespace(_find_first_text(record, TEXTS))
        description, narrative = (
            split_paragraphs(_find_first_text(record, names))
            for names in (DESCRIPTIONS, NARRATIVES)
        )
        if not (title or description or narrative):
            raise IrjudgeError(
                "topics[{number}] ({id}) has no title; it has the fields {names}.",
                key="no-text",
                number=index,
                id=id,
                names=", ".join(record) or Message("none"),
            )
        yield Topic(id, title, description, narrative)


def _to_qrels(source: Any) -> Qrels:
    if isinstance(source, Qrels | str | Path | Mapping) or _is_table(source):
        return read_qrels(source)
    names = ("query_id", "doc_id", "relevance")
    items = _iter_items(source, QRELS_SOURCES, "qrels")
    return read_qrels(_to_table(items, names, RATINGS, "qrels"))


def _iter_runs(source: Any) -> Iterator[Run]:
    if source is None:
        return
    if isinstance(source, Mapping):
        is_single_run = all(
            isinstance(run_source, Mapping)
            and not any(isinstance(nested_value, Mapping) for nested_value in run_source.values())
            for run_source in source.values()
        ) and any(source.values())
        runs_by_name = {"run": source} if is_single_run else source
    elif isinstance(source, list | tuple) and all(isinstance(run, Run) for run in source):
        runs_by_name = {run.name: run for run in source}
        if len(runs_by_name) < len(source):
            raise IrjudgeError(
                "Two runs have the same name; give a dict that maps distinct names to the runs.",
                key="same-name",
            )
    else:
        runs_by_name = {source.name: source} if isinstance(source, Run) else {"run": source}
    for name, run_source in runs_by_name.items():
        yield _to_run(run_source, str(name))


def _to_run(source: Any, name: str) -> Run:
    if isinstance(source, Run):
        return dataclasses.replace(source, name=name)
    if isinstance(source, str | Path | Mapping) or _is_table(source):
        return read_run(source, name)
    items = _iter_items(source, RUN_SOURCES, f"run {name}")
    return read_run(_to_table(items, ("query_id", "doc_id", "score"), SCORES, f"run {name}"), name)


def _is_table(source: object) -> bool:
    return hasattr(source, "__arrow_c_stream__") or hasattr(type(source), "columns")


def _to_table(
    items: Iterable[Any], column_names: tuple[str, ...], number_names: tuple[str, ...], subject: str
) -> pa.Table:
    """Convert records with topic, document and number to an Arrow table."""
    topics, documents, numbers = list[str](), list[str](), list[float]()
    for index, item in enumerate(items):
        location = f"{subject}[{index}]"
        record = _to_record(item, column_names, location)
        topics.append(_find_id(record, RECORD_TOPIC_IDS, location))
        documents.append(_find_id(record, DOCUMENT_IDS, location))
        value = next((record[name] for name in number_names if name in record), None)
        if value is None or isinstance(value, bool) or not hasattr(value, "__float__"):
            raise IrjudgeError(
                "{location} has no numeric {name}; it has the fields {names}.",
                key="no-number",
                location=location,
                name=number_names[0],
                names=", ".join(record) or Message("none"),
            )
        numbers.append(float(value))
    columns = (
        pa.array(topics, pa.string()),
        pa.array(documents, pa.string()),
        pa.array(numbers, pa.float64()),
    )
    return pa.table(dict(zip(("query_id", "doc_id", number_names[0]), columns, strict=True)))


def _iter_items(source: Any, method_names: tuple[str, ...], subject: str) -> Iterator[Any]:
    """Yield the records of a dataset, a table, a dict or an iterable."""
    method = next(
        (getattr(source, name) for name in method_names if callable(getattr(source, name, None))),
        None,
    )
    content = method() if method else source
    if isinstance(content, Mapping):
        yield from content.items()
    elif _is_table(content):
        yield from (
            content.to_dict("records")
            if hasattr(content, "iloc")
            else pa.table(content).to_pylist()
        )
    elif isinstance(content, Iterable) and not isinstance(content, str | bytes):
        yield from content
    else:
        raise IrjudgeError(
            "{subject}: expected an iterable of records, a table, a path or a dataset, got {type}.",
            key="not-iterable",
            subject=subject,
            type=type(content).__name__,
        )


def _to_record(item: Any, column_names: tuple[str, ...], location: str) -> Record:
    """Convert a dict, named tuple, dataclass or plain tuple to a dict."""
    if isinstance(item, Mapping):
        return {str(name): value for name, value in item.items()}
    if hasattr(item, "_asdict"):
        return dict(item._asdict())
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        return {field.name: getattr(item, field.name) for field in dataclasses.fields(item)}
    if isinstance(item, tuple | list) and 2 <= len(item) <= len(column_names):
        if len(item) == 2 and isinstance(item[1], Mapping):
            return {
                column_names[0]: item[0],
                **{str(name): value for name, value in item[1].items()},
            }
        return dict(zip(column_names, item, strict=False))
    raise IrjudgeError(
        "{location}: expected a dict, named tuple or tuple ({fields}), got {value}.",
        key="not-a-record",
        location=location,
        fields=", ".join(column_names),
        value=repr(item)[:80],
    )


def _find_id(record: Record, names: tuple[str, ...], location: str) -> str:
    id = _find_first_text({name: _to_whole_number(record.get(name)) for name in names}, names)
    if not id:
        raise IrjudgeError(
            "{location} has no id ({known}); it has the fields {names}.",
            key="no-id",
            location=location,
            known=", ".join(names),
            names=", ".join(record) or Message("none"),
        )
    return id


def _to_whole_number(value: Any) -> Any:
    """Return the integer equal to a float, since pandas converts a column with gaps to floats."""
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < MIN_ROUNDED_NUMBER
    return int(value) if is_whole else value


def _find_first_text(record: Record, names: Iterable[str]) -> str:
    return next((text for name in names if (text := _to_text(record.get(name)))), "")


def _to_text(value: object) -> str:
    """Return a string, bytes or a number as text, and a list as text with a line per element.

    The text is empty for other values.
    """
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").strip()
    if isinstance(value, list | tuple):
        return "\n".join(filter(None, map(_to_text, value)))
    is_number = isinstance(value, int | float | np.integer | np.floating) and value == value
    return str(value).strip() if isinstance(value, str) or is_number else ""
