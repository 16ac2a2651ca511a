"""What a person said about the columns of a table, kept in the project for the next table with the same header."""

import json
from collections.abc import Sequence
from typing import Any

from irjudge.errors import ProjectError
from irjudge.formats.decisions import FileKind
from irjudge.formats.rows.mapping import AS_RECOGNISED, ColumnMapping
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
    try:
        for each in _kept(project):
            if (each["kind"], each["header"]) == (kind, list(header)):
                return ColumnMapping(tuple((str(part), str(column)) for part, column in each["columns"]))
    except (KeyError, TypeError, ValueError) as fault:
        raise _unreadable(project) from fault
    return AS_RECOGNISED


def _kept(project: Project) -> list[dict[str, Any]]:
    try:
        kept = json.loads(project.fact(FACT) or "[]")
    except (ValueError, RecursionError) as fault:
        raise _unreadable(project) from fault
    if not isinstance(kept, list) or not all(isinstance(each, dict) for each in kept):
        raise _unreadable(project)
    return kept


def _unreadable(project: Project) -> ProjectError:
    return ProjectError("{file} does not say in a readable way which columns were named before.", file=project.path.name)
