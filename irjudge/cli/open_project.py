"""Functions with which commands open projects, and print warnings about projects."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from irjudge.cli.streams import say
from irjudge.errors import IrjudgeError
from irjudge.judging import QrelsChoice, describe_source, select_qrels
from irjudge.message import Message
from irjudge.store import PROJECT_SUFFIX, Project, is_project, open_project


def choose_qrels(project: Project, name: str | None) -> QrelsChoice:
    """Return the qrels called `name` or, if None, the default qrels; print notes to stderr."""
    choice = select_qrels(project, name)
    say(*choice.sentences)
    return choice


MAX_PRINTED_PROBLEMS = 3  # maximum number of problems printed after a verification
# maximum size of a file that is verified before writing; verification of this size takes 0.25 s
MAX_VERIFIED_BYTES = 16_000_000


def open_verified(path: Path, *, writing: bool = True) -> Project:
    """Open a project for writing; if its file is small, verify the file and print problems.

    If `writing` is False, open the project for reading, without verification.
    """
    project = open_project(path, writing=writing)
    if (
        writing
        and path.stat().st_size <= MAX_VERIFIED_BYTES
        and (problems := project.verify().problems)
    ):
        say(
            Message(
                "{file} was changed by another program or damaged; the command continues.",
                file=path.name,
            ),
            *problems[:MAX_PRINTED_PROBLEMS],
        )
        say(
            Message(
                "`irjudge rescue` creates a valid project from the readable parts. A backup "
                "may contain more data."
            )
        )
    return project


@contextmanager
def open_for_reading(path: Path) -> Iterator[Project]:
    """Open a project for reading; print warnings to stderr, for example about damage."""
    with open_project(path, writing=False) as project:
        say(*describe_source(project))
        yield project


@contextmanager
def open_single_project(
    sources: Sequence[Path],
    open_function: Callable[[Path], AbstractContextManager[Project]],
    message: str = "{name} is a project; give it without other files.",
) -> Iterator[Project | Sequence[Path]]:
    """Yield the opened project if the only source is a project; otherwise, yield the sources.

    Raise IrjudgeError, with the template `message`, if a project is one of several sources, or if
    a source is named like a project and does not exist.
    """
    project = next(filter(is_project, sources), None)
    if project is None:
        for path in sources:
            if path.suffix == PROJECT_SUFFIX and not path.exists():
                raise IrjudgeError("{path} does not exist.", key="no-file", path=path)
        yield sources
        return
    if len(sources) > 1:
        raise IrjudgeError(message, key="project-alone", name=project.name)
    with open_function(project) as opened_project:
        yield opened_project


@contextmanager
def open_labels(path: Path) -> Iterator[Project | Path]:
    """If the path is a project, yield the project, open for reading; otherwise yield the path."""
    if not is_project(path):
        yield path
        return
    with open_for_reading(path) as project:
        yield project
