"""How commands read a project: whatever of it cannot be read or does not count is said first."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from irjudge.cli.shared.output import say
from irjudge.judging.votes import uncounted
from irjudge.store.project import Project, open_project


@contextmanager
def reading(path: Path) -> Iterator[Project]:
    """Open a project for reading, and say on stderr what of it is damaged and whose judgments do not count."""
    with open_project(path, writing=False) as project:
        if project.damage:
            say(f"{project.path.name} is damaged; what can be read of it is used.", *project.damage.sentences)
        say(*uncounted(project))
        yield project
