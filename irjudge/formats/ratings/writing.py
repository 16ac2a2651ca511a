"""Ratings written in the forms of search teams' tools; what each writes is read again to the same ratings.

A writer is one line of `WRITERS`.
"""

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

import pyarrow as pa

from irjudge.catalogue import Catalogue, extensions, origin, report
from irjudge.errors import IrjudgeError
from irjudge.formats.bytes.atomic_write import replacing
from irjudge.formats.ratings.rows import Query, Rating, RatingsFile
from irjudge.message import Message

RUNS_AS_FORMULA = (
    "-",
    "=",
    "+",
    "@",
)  # Quepid puts a blank before such a cell, and its reader takes it away again


def _number(value: float) -> int | float:
    return int(value) if value.is_integer() else value


def _by_query(file: RatingsFile) -> Iterator[tuple[Query, list[Rating]]]:
    """Yield each query with what was rated of it, in the file's order."""
    below: dict[str, list[Rating]] = {id: [] for id in file.queries}
    for rating in file.ratings:
        below[rating.topic].append(rating)
    yield from ((file.queries[id], ratings) for id, ratings in below.items())


def _rated(ratings: Sequence[Rating]) -> Iterator[tuple[str, float]]:
    yield from ((each.document, each.value) for each in ratings if each.value is not None)


def _write_json(data: Any, out: TextIO) -> None:
    json.dump(data, out, ensure_ascii=False, indent=1)
    out.write("\n")


def _quepid(file: RatingsFile, out: TextIO) -> None:
    table = csv.writer(out)
    table.writerow(("query", "docid", "rating"))
    for query, ratings in _by_query(file):
        rows = [
            (each.document, "" if each.value is None else _number(each.value)) for each in ratings
        ] or [("", "")]
        table.writerows(
            (_harmless(query.text), _harmless(document), rating) for document, rating in rows
        )


def _harmless(cell: str) -> str:
    return f" {cell}" if cell.startswith(RUNS_AS_FORMULA) else cell


def _opensearch(file: RatingsFile, out: TextIO) -> None:
    ratings = [
        {
            "query": query.text,
            "ratings": [
                {"docId": document, "rating": f"{value:.3f}"} for document, value in _rated(ratings)
            ],
        }
        for query, ratings in _by_query(file)
    ]
    _write_json(
        {
            "name": file.name or "irjudge",
            "description": "",
            "type": "IMPORT_JUDGMENT",
            "judgmentRatings": ratings,
        },
        out,
    )


def _rre(file: RatingsFile, out: TextIO) -> None:
    queries = [
        {
            "placeholders": {"$query": query.text},
            "relevant_documents": {
                document: {"gain": _number(value)} for document, value in _rated(ratings)
            },
        }
        for query, ratings in _by_query(file)
    ]
    _write_json(
        {
            "id_field": "id",
            "index": file.name or "irjudge",
            "template": "template.json",
            "queries": queries,
        },
        out,
    )


def _rank_eval(file: RatingsFile, out: TextIO) -> None:
    index = file.name or "irjudge"
    requests = [
        {
            "id": query.text,
            "request": {"query": {"match": {"_all": query.text}}},
            "ratings": [
                {"_index": index, "_id": document, "rating": _number(value)}
                for document, value in _rated(ratings)
            ],
        }
        for query, ratings in _by_query(file)
    ]
    _write_json({"requests": requests, "metric": {"dcg": {"k": 10, "normalize": True}}}, out)


def _learning(file: RatingsFile, out: TextIO) -> None:
    for number, query in enumerate(file.queries.values(), 1):
        out.write(f"# qid:{number}: {query.text}\n")
    for number, (query, ratings) in enumerate(_by_query(file), 1):
        for document, value in _rated(ratings):
            if document.split() != [document]:
                raise IrjudgeError(
                    "The document {document!r} holds a blank; learning to rank's form cannot say it.",
                    document=document,
                )
            out.write(f"{_number(value)}\tqid:{number}\t# {document}\t{query.text}\n")


def _csv(file: RatingsFile, out: TextIO) -> None:
    table = csv.writer(out)
    table.writerow(("topic", "document", "grade"))
    for query, ratings in _by_query(file):
        table.writerows((query.id, document, _number(value)) for document, value in _rated(ratings))


def _jsonl(file: RatingsFile, out: TextIO) -> None:
    for query, ratings in _by_query(file):
        for document, value in _rated(ratings):
            row = {
                "query_id": query.id,
                "query": query.text,
                "doc_id": document,
                "relevance": _number(value),
            }
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


def _as_text(write: Callable[[RatingsFile, TextIO], None]) -> Callable[[RatingsFile, Path], None]:
    """Return what writes a file of text."""

    def to_file(file: RatingsFile, part: Path) -> None:
        with part.open("w", encoding="utf-8", newline="") as out:
            write(file, out)

    return to_file


def _parquet(file: RatingsFile, path: Path) -> None:
    import pyarrow.parquet  # noqa: PLC0415 -- few files are Parquet

    rows = [(query, *rated) for query, ratings in _by_query(file) for rated in _rated(ratings)]
    columns = {
        "query_id": pa.array([query.id for query, _, _ in rows], pa.string()),
        "query_text": pa.array([query.text for query, _, _ in rows], pa.string()),
        "doc_id": pa.array([document for _, document, _ in rows], pa.string()),
        "relevance": pa.array([value for _, _, value in rows], pa.float64()),
    }
    pyarrow.parquet.write_table(pa.table(columns), path)


@dataclass(frozen=True, slots=True)
class RatingsWriter:
    """A form that ratings are written in."""

    name: str  # as it is typed
    title: str  # in words
    ending: str  # of a file's name
    write: Callable[[RatingsFile, Path], None]
    decimals: int | None = None  # how many of a rating it keeps; None for all


def _added() -> None:
    """Declare the writers of other packages."""
    for each in extensions("irjudge.writers"):
        if not isinstance(each.thing, RatingsWriter):
            report(
                each.package,
                each.name,
                Message(
                    "a writer is a RatingsWriter, found {found}", found=type(each.thing).__name__
                ),
            )
            continue
        title = Message("{form} (by {package})", form=each.thing.title, package=each.package)
        try:
            WRITERS.add(replace(each.thing, title=title))
        except ValueError as fault:  # its name is taken
            report(each.package, each.name, fault)


# A new form is one more line here.
WRITERS: Catalogue[RatingsWriter] = Catalogue(Message("Form of ratings"), more=_added)
for _writer in (
    RatingsWriter("quepid", Message("Quepid ratings (CSV)"), ".csv", _as_text(_quepid)),
    RatingsWriter(
        "opensearch", Message("OpenSearch judgments (JSON)"), ".json", _as_text(_opensearch), 3
    ),
    RatingsWriter("rre", Message("RRE ratings (JSON)"), ".json", _as_text(_rre)),
    RatingsWriter(
        "rank_eval",
        Message("rank_eval request of Elasticsearch and OpenSearch (JSON)"),
        ".json",
        _as_text(_rank_eval),
    ),
    RatingsWriter("ltr", Message("learning to rank (text)"), ".txt", _as_text(_learning)),
    RatingsWriter("csv", Message("a table (CSV)"), ".csv", _as_text(_csv)),
    RatingsWriter("jsonl", Message("JSON, a pair on each line"), ".jsonl", _as_text(_jsonl)),
    RatingsWriter("parquet", "Parquet", ".parquet", _parquet),
):
    WRITERS.add(_writer)


def write_ratings(path: Path, file: RatingsFile, form: str) -> int:
    """Write ratings in a form, whole or not at all, and return how many of them have a value."""
    writer = WRITERS.find(form)
    said: dict[tuple[str, str], float] = {}
    for each in file.ratings:
        if each.value is None:
            continue
        if said.setdefault((each.topic, each.document), each.value) != each.value:
            raise IrjudgeError(
                "Document {document} of “{query}” has several ratings, and {form} holds one. Settle on qrels first.",
                document=each.document,
                query=file.queries[each.topic].text,
                form=writer.title,
            )
        if writer.decimals is not None and round(each.value, writer.decimals) != each.value:
            raise IrjudgeError(
                "{value} has more decimals than {form} keeps.", value=each.value, form=writer.title
            )
    with replacing(path) as part:
        _written(writer, file, part)
    return len(said)


def _written(writer: RatingsWriter, file: RatingsFile, part: Path) -> None:
    try:
        writer.write(file, part)
    except (IrjudgeError, OSError):
        raise
    except Exception as fault:
        if not origin(writer.write.__module__):
            raise
        said = f"{type(fault).__name__}: {fault}"
        raise IrjudgeError(
            "The writer of {form} failed: {said}.", form=writer.title, said=said
        ) from fault
