"""The copies that merging makes of a project before it writes: they lie beside it, and the last few stay."""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.progress import SILENT, Progress
from irjudge.store.project import Project, open_project

KEPT = 3
NAMED = re.compile(r"\.before-merge-(?P<stamp>[0-9]{12})(?:-(?P<number>[0-9]+))?")


@contextmanager
def backed_up(project: Project, time: str, progress: Progress = SILENT) -> Iterator[Path]:
    """Copy a project as it is before a merge, beside it, and yield where; when the block fails, the copy is gone.

    When it ends well, of such copies the last `KEPT` stay. An older one is removed only if the project has every event that is in it.
    """
    stamp = "".join(letter for letter in time[:16] if letter.isdigit())
    made = _free(project.path, f".before-merge-{stamp}")
    project.copy_to(made, progress)
    try:
        yield made
    except BaseException:
        made.unlink(missing_ok=True)
        raise
    with suppress(OSError):  # the merge is done
        for older in [path for path in backups(project.path) if path != made][KEPT - 1 :]:
            if _is_contained(older, project):
                older.unlink()


def backups(project: Path) -> list[Path]:
    """Return the copies that merging left beside a project, the newest first."""
    found = dict[Path, tuple[str, int]]()
    for path in project.parent.iterdir():
        named = NAMED.fullmatch(path.name.removeprefix(project.stem).removesuffix(project.suffix))
        if named and path.name == f"{project.stem}{named[0]}{project.suffix}":
            found[path] = named["stamp"], int(named["number"] or 1)
    return sorted(found, key=lambda path: found[path], reverse=True)


def backup_sentence(backup: Path) -> str:
    """Say where the copy is, and which of them stay."""
    return Message(
        "Copy of the project as it was before: {file}, beside the project. The last {kept} of such copies stay; older ones are removed.",
        file=backup.name,
        kept=KEPT,
    )


def _free(project: Path, end: str) -> Path:
    paths = (project.with_name(f"{project.stem}{end}{'' if number == 1 else f'-{number}'}{project.suffix}") for number in count(1))
    return next(path for path in paths if not path.exists())


def _is_contained(older: Path, project: Project) -> bool:
    """Tell whether a project has all that an older copy of it says that somebody did; of a copy that cannot be read nobody knows."""
    try:
        with open_project(older, writing=False) as copy:
            return not copy.damage and copy.seed == project.seed and _events(copy) <= _events(project)
    except (IrjudgeError, OSError):
        return False


def _events(project: Project) -> set[str]:
    return project.events.digests() | {event.digest for event in project.events.each_waiting()}
