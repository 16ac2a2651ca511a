"""What a person said about the columns of a table, kept in the project for the next table with the same header."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from irjudge.formats.decisions import FileKind
from irjudge.formats.rows.mapping import AS_RECOGNISED, ColumnMapping
from irjudge.message import Message
from irjudge.store.project import Project

FACT = "columns"
MOST = 100  # headers; the one that was said longest ago goes


def remember_columns(project: Project, kind: FileKind, header: Sequence[str], columns: ColumnMapping) -> None:
    """Keep what was said about a header; what was said of the same header before goes."""
    entry = {"kind": kind, "header": list(header), "columns": [list(pair) for pair in columns.named]}
    others = [each for each in _kept(project) if (each.get("kind"), each.get("header")) != (kind, entry["header"])]
    project.set_fact(FACT, json.dumps([*others, entry][-MOST:], ensure_ascii=False))


def remembered_columns(project: Project, kind: FileKind, header: Sequence[str]) -> ColumnMapping:
    """Return what was said about the same header before; nothing where nothing was said."""

    def read(kept: list[dict[str, Any]]) -> list[ColumnMapping]:
        found = [each["columns"] for each in kept if (each["kind"], each["header"]) == (kind, list(header))]
        return [ColumnMapping(tuple((str(part), str(column)) for part, column in columns)) for columns in found]

    return next(iter(_kept(project, read)), AS_RECOGNISED)


def _kept(project: Project, read: Callable[[Any], list[Any]] | None = None) -> list[Any]:
    return project.kept_fact(FACT, [], "{file} does not say in a readable way which columns were named before.", read or _entries)


def _entries(kept: Any) -> list[dict[str, Any]]:
    if not all(isinstance(each, dict) for each in kept):
        raise TypeError(Message("expected objects"))
    return list(kept)
