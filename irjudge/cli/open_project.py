"""Opening of projects by commands, with their warnings."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from irjudge.cli.streams import say
from irjudge.errors import IrjudgeError
from irjudge.judging import QrelsChoice, describe_source, select_qrels
from irjudge.message import Message
from irjudge.store import Project, is_project, open_project


def choose_qrels(project: Project, name: str | None) -> QrelsChoice:
    """Return the requested qrels, by default the first, and print their name to stderr."""
    choice = select_qrels(project, name)
    say(*choice.sentences)
    return choice


MAX_PRINTED_PROBLEMS = 3  # maximum number of printed problems found by a verification
MAX_VERIFIED_BYTES = (
    16_000_000  # maximum bytes of a file that is verified before writing, which takes 0.25 s
)


def to_write(path: Path, *, writing: bool = True) -> Project:
    """Open a project for a command that writes; verify it unless it is large, and print problems.

    With `writing=False`, open it for reading without verification.
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
def reading(path: Path) -> Iterator[Project]:
    """Open a project for reading; print on stderr if it is damaged or judgments do not count."""
    with open_project(path, writing=False) as project:
        say(*describe_source(project))
        yield project


@contextmanager
def open_alone(
    sources: Sequence[Path],
    open_function: Callable[[Path], AbstractContextManager[Project]],
    message: str = "{name} is a project; give it without other files.",
) -> Iterator[Project | Sequence[Path]]:
    """Yield the opened project if the only source is one, otherwise the files.

    Raises IrjudgeError, with the template `message`, for a project among several sources.
    """
    project = next(filter(is_project, sources), None)
    if project is None:
        yield sources
        return
    if len(sources) > 1:
        raise IrjudgeError(message, key="project-alone", name=project.name)
    with open_function(project) as opened_project:
        yield opened_project


@contextmanager
def open_labels(path: Path) -> Iterator[Project | Path]:
    """Yield a project open for reading, or the path of a table of labels."""
    if not is_project(path):
        yield path
        return
    with reading(path) as project:
        yield project
