"""Errors that irjudge raises; each has a message that helps the user to act."""

from collections.abc import Mapping
from pathlib import Path

from irjudge.message import Message


class IrjudgeError(Exception):
    """Error in the input or the environment; base class of the program's errors.

    Parameters
    ----------
    sentence
        The text or, with values, a template with `{name}` for each value.
    key
        Identifies the problem for programs and tests, independent of the wording.
    **values
        The values in the template, by name.

    Examples
    --------
    >>> error = IrjudgeError("cutoff must be at least 1, got {cutoff}", cutoff=0)
    >>> str(error), error.values["cutoff"]
    ('cutoff must be at least 1, got 0', '0')
    """

    def __init__(self, sentence: str, /, *, key: object = "", **values: object) -> None:
        super().__init__(Message(sentence, key=key, **values) if values or key else sentence)

    @property
    def message(self) -> Message:
        """The text, with its template, key and values."""
        text = str(self.args[0])
        if isinstance(text, Message):
            return text
        return Message(text.replace("{", "{{").replace("}", "}}"))

    @property
    def key(self) -> str:
        """Identifier of the problem, independent of the wording."""
        return self.message.key

    @property
    def values(self) -> Mapping[str, str]:
        """Values in the text, including those of nested messages."""
        return self.message.all_values


class FormatError(IrjudgeError):
    """Malformed input file.

    Parameters
    ----------
    path
        The file that was read.
    problem
        The invalid content and what was expected, without a full stop.
    line
        1-based line number of the first error; None if unknown.
    """

    def __init__(self, path: Path | str, problem: str, line: int | None = None) -> None:
        # an `Address` is stored unchanged
        self.path = path if isinstance(path, Path) else Path(path)
        self.problem, self.line = problem, line
        name = self.path.name or str(self.path)
        location = (
            Message("{name}, line {line}", name=name, line=line) if line is not None else name
        )
        key = problem.key if isinstance(problem, Message) else ""
        super().__init__(Message("{where}: {problem}.", key=key, where=location, problem=problem))


class Undecided(FormatError):
    """Ambiguous file: the user must specify, by one of `options`, how to read it.

    Options are `topic_ids`, `negative`, `grades` and `columns`.
    """

    def __init__(
        self, path: Path | str, problem: str, options: tuple[str, ...], line: int | None = None
    ) -> None:
        super().__init__(path, problem, line)
        self.options = options


class GateFailed(IrjudgeError):
    """A requested check failed, although the input is valid.

    A value is below its minimum or worse than before, a measure violates a law, or evaluations
    have different topics.
    """


class MeasureError(IrjudgeError):
    """Unknown measure or parameter, or value out of range."""


class ProjectError(IrjudgeError):
    """A project file cannot be opened, written or trusted."""


class ProjectBusy(ProjectError):
    """Another process has opened this project for judging."""


class ProjectReadOnly(ProjectError):
    """The project can be read, but its file or folder is not writable."""


class ProjectDamaged(ProjectError):
    """Part of the file is unreadable; it can be opened read-only, and the readable part can be
    saved as a new project.
    """


class CommitFailed(ProjectError):
    """A judgment could not be saved; no part of it was written."""


class CommitUnknown(CommitFailed):
    """Whether a judgment was saved is unknown: the commit failed and the file cannot be read."""


class Cancelled(IrjudgeError):
    """The user cancelled the computation; nothing was stored."""

    def __init__(self) -> None:
        super().__init__(Message("Cancelled; nothing was changed."))
