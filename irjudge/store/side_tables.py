"""The side files of a project: lengths, sessions and what else measures need, as they were read, one of each kind."""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from irjudge.message import Message
from irjudge.model.side import SIDES, SideTable
from irjudge.store.project import SIDE_FILES, Project

T = TypeVar("T")


def keep_side(project: Project, table: SideTable) -> bool:
    """Keep a side file; say whether it takes the place of another of its kind."""
    kept: dict[str, Any] = _kept(project, {})
    entry = {
        "source": table.source,
        "columns": {name: list(column) for name, column in table.columns.items()},
    }
    project.set_fact(SIDE_FILES, json.dumps({**kept, table.side: entry}, ensure_ascii=False))
    return table.side in kept


def sides_of(project: Project, names: frozenset[str] | None = None) -> tuple[SideTable, ...]:
    """Return the side files of a project, or those of some kinds."""

    def read(kept: Mapping[str, Mapping[str, Any]]) -> tuple[SideTable, ...]:
        return tuple(
            SideTable(
                name,
                {column: tuple(values) for column, values in entry["columns"].items()},
                str(entry["source"]),
            )
            for name, entry in kept.items()
            if SIDES.known(name) and (names is None or name in names)
        )

    return _kept(project, (), read)


def sides_in_words(project: Project) -> str:
    """Say which side files a project has; empty where it has none."""
    return ", ".join(
        Message(
            "{title} ({file}, rows: {rows:,})",
            title=SIDES.find(each.side).title,
            file=each.source,
            rows=len(each),
        )
        for each in sides_of(project)
    )


def _kept(project: Project, default: T, read: Callable[[Any], T] | None = None) -> T:
    return project.kept_fact(
        SIDE_FILES, default, "{file} does not say in a readable way what its side files hold.", read
    )
