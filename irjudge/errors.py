"""Errors that irjudge raises; their messages are for users."""

from collections.abc import Mapping
from pathlib import Path

from irjudge.message import Message


class IrjudgeError(Exception):
    """Error in the input or the environment, with a message for users; base class of all errors.

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
        """Text of the error as a `Message`, which contains template, key and values."""
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


def convert_os_error(error: OSError) -> IrjudgeError:
    """Return an error of the operating system, such as a missing permission, as an IrjudgeError.

    >>> str(convert_os_error(PermissionError(13, "Permission denied", "a.run")))
    'a.run cannot be used: Permission denied.'
    """
    subject = (
        Message("{file} cannot be used", file=error.filename)
        if error.filename
        else Message("The input could not be read")
    )
    return IrjudgeError("{subject}: {reason}.", subject=subject, reason=error.strerror or error)


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
        # a path is stored unchanged, since it may be an `Address`
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

    The options are names of reading options, such as `columns`, `grades` or `topic_ids`.
    """

    def __init__(
        self, path: Path | str, problem: str, options: tuple[str, ...], line: int | None = None
    ) -> None:
        super().__init__(path, problem, line)
        self.options = options


class GateFailed(IrjudgeError):
    """Failed check that the user requested; the input is valid. The exit code is 3, not 2.

    For example, a value is below a minimum or worse than before, a measure violates a law, or
    evaluations have different topics.
    """


class MeasureError(IrjudgeError):
    """Unknown measure or parameter, or value out of range."""


class ProjectError(IrjudgeError):
    """A project cannot be opened, read or written, fails verification, or lacks required data."""


class ProjectBusy(ProjectError):
    """The project cannot be opened for writing: another process has opened it for judging."""


class ProjectReadOnly(ProjectError):
    """The project cannot be opened for writing: its file or folder is not writable."""


class ProjectDamaged(ProjectError):
    """Part of a project file is unreadable.

    The file can be opened read-only, and its readable content can be saved as a new project.
    """


class CommitFailed(ProjectError):
    """A change to a project was not saved, or (`CommitUnknown`) may not have been saved."""


class CommitUnknown(CommitFailed):
    """A commit failed, and it is unknown whether it saved the change."""


class Cancelled(IrjudgeError):
    """The user cancelled a computation; raised when the computation reports its `Progress`."""

    def __init__(self) -> None:
        super().__init__(Message("Cancelled; nothing was changed."))
