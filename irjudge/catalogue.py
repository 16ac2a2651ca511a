"""Registry of measures, statistics, tests, consensus rules, pooling strategies and figures.

Extensions are installed packages that add measures, readers and writers through entry points. Data
files cannot add declarations, since only code of installed packages is loaded.
"""

import inspect
import os
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

from irjudge.errors import IrjudgeError
from irjudge.message import Message


class Declared(Protocol):
    """Protocol of a declaration in a catalogue, such as a measure: an object with a name."""

    @property
    def name(self) -> str:
        """Name by which the declaration is looked up."""


Declaration = TypeVar("Declaration", bound=Declared)


def normalise_name(name: str) -> str:
    """Normalise a name: ignore case, and treat `_`, `-` and spaces as equal.

    >>> normalise_name(" Dawid_Skene "), normalise_name("lower median")
    ('dawid-skene', 'lower-median')
    """
    return re.sub(r"[_\s]", "-", name.strip().lower())


class Catalogue(Mapping[str, Declaration]):
    """Registry of declarations, which are looked up by name or alias.

    The program has one catalogue for each kind of declaration; tests create catalogues of their own.

    >>> from irjudge.stats.significance import CORRECTIONS
    >>> list(CORRECTIONS), CORRECTIONS.find("FDR").name
    (['holm', 'bonferroni', 'bh', 'none'], 'bh')
    """

    def __init__(
        self,
        kind: str,  # capitalised noun for messages, such as `Test`
        *,
        # sort key of the list; declarations with equal keys are in the order of declaration
        sort_key: Callable[[Declaration], Any] | None = None,
        normalise: Callable[[str], str] = normalise_name,  # function applied to names before lookup
        error_class: type[IrjudgeError] = IrjudgeError,  # error class for an unknown name
        # last sentence of the error for an unknown name; if empty, the error lists all names
        listing: str = "",
        # modules with the program's declarations, imported in this order until a name is declared
        modules: Iterable[str] = (),
        # function that loads the extensions; called once, for listing all names or an unknown name
        load_extensions: Callable[[], object] | None = None,
    ) -> None:
        self._kind = kind
        self._sort_key = sort_key
        self._normalise = normalise
        self._error_class = error_class
        self._listing = listing
        self._modules, self._load_extensions = deque(modules), load_extensions
        self._declarations: dict[str, Declaration] = {}
        self._names: dict[str, tuple[str, Declaration]] = {}

    def add(self, declaration: Declaration, aliases: Iterable[str] = ()) -> None:
        """Register a declaration by name and aliases; raise ValueError if a name is in use."""
        for name in dict.fromkeys([declaration.name, *aliases], None):
            if (key := self._normalise(name)) in self._names and self._names[key][
                1
            ] is not declaration:
                raise ValueError(f"{name} already names {self._names[key][1].name}")
            self._names.setdefault(key, (name, declaration))
        self._declarations[declaration.name] = declaration

    def _load_until(self, is_declared: Callable[[], bool]) -> None:
        """Import the modules, then the extensions, until `is_declared` returns True."""
        while not is_declared():
            if self._modules:
                module = self._modules[0]
                import_module(module)  # blocks while another thread is importing it
                if self._modules and self._modules[0] is module:
                    self._modules.popleft()
            elif self._load_extensions is not None:
                load_extensions, self._load_extensions = self._load_extensions, None
                load_extensions()
            else:
                return

    def complete(self) -> None:
        """Load all declarations of the program and of installed extensions."""
        self._load_until(lambda: False)

    def catalogue(self) -> tuple[Declaration, ...]:
        """Return all declarations in the order in which they are listed."""
        self.complete()
        declarations = self._declarations.values()
        return tuple(sorted(declarations, key=self._sort_key) if self._sort_key else declarations)

    def lookup(self, name: str) -> Declaration | None:
        """Return the declaration with a name or alias; None if there is none."""
        key = self._normalise(name)
        self._load_until(lambda: key in self._names)
        return self._names.get(key, ("", None))[1]

    def find(self, name: str) -> Declaration:
        """Return the declaration with a name or alias, or raise the catalogue's error."""
        declaration = self.lookup(name)
        if declaration is None:
            raise self.unknown_name_error(name, self.nearest(name))
        return declaration

    def nearest(self, name: str, other_names: Iterable[str] = ()) -> str:
        """Return the declared or other name most similar to `name`; empty if none is similar."""
        self.complete()
        names = {key: name for key, (name, _) in self._names.items()} | {
            self._normalise(other_name): other_name for other_name in other_names
        }
        return names.get(nearest(self._normalise(name), names), "")

    def unknown_name_error(
        self, name: str, nearest_name: str, other_names: Sequence[str] = ()
    ) -> IrjudgeError:
        """Return the error for an unknown name; it suggests `nearest_name` unless this is empty."""
        names = ", ".join([*other_names, *self])
        listing = self._listing or Message("Available: {names}.", names=names)
        return self._error_class(
            Message(
                "{kind} {name!r} is not known. Did you mean {suggestion}? {listing}"
                if nearest_name
                else "{kind} {name!r} is not known. {listing}",
                key="unknown-name",
                kind=self._kind,
                name=name,
                suggestion=nearest_name,
                listing=listing,
            )
        )

    def __getitem__(self, name: str) -> Declaration:
        self._load_until(lambda: name in self._declarations)
        return self._declarations[name]

    def __iter__(self) -> Iterator[str]:
        return iter(declaration.name for declaration in self.catalogue())

    def __len__(self) -> int:
        self.complete()
        return len(self._declarations)


def nearest(name: str, names: Iterable[str]) -> str:
    """Return the name in `names` that is most similar to `name`; empty if none is similar.

    >>> nearest("wilcoxen", ["t", "wilcoxon"]), nearest("zzz", ["t"])
    ('wilcoxon', '')
    """
    import difflib  # noqa: PLC0415 -- only for names that are not known

    return next(iter(difflib.get_close_matches(name, list(names), n=1, cutoff=MIN_SIMILARITY)), "")


MIN_SIMILARITY = 0.6  # minimum similarity of a suggested name, from 0 to 1


def summarise(function: Callable[..., Any] | None) -> str:
    """Return the first paragraph of a docstring, to be shown to users.

    A verb at the beginning (`Return`, `Return a chart of` or `Show`) is removed.

    >>> def precision():
    ...     \"\"\"Return the share of retrieved documents that are relevant.\"\"\"
    >>> summarise(precision)
    'The share of retrieved documents that are relevant.'
    """
    text = " ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split())
    summary = text.removeprefix("Return ").removeprefix("a chart of ").removeprefix("Show ")
    return summary[:1].upper() + summary[1:]


def docstring_section(function: Callable[..., Any], title: str) -> str:
    """Return a section of a docstring, such as References, in one line; empty if missing."""
    return " ".join(line.strip() for line in _format_section(function, title))


def _format_section(function: Callable[..., Any], title: str) -> list[str]:
    match = re.search(
        rf"^{title}\n-+\n(.*?)(?=^\S[^\n]*\n-{{3,}}$|\Z)",
        inspect.getdoc(function) or "",
        re.MULTILINE | re.DOTALL,
    )
    lines = match[1].splitlines() if match else []
    return [line for line in lines if line.strip()]


def parameter_descriptions(function: Callable[..., Any]) -> dict[str, str]:
    """Return the description of each parameter in a docstring, each in one line."""
    lines_by_name: dict[str, list[str]] = {}
    names: list[str] = []
    for line in _format_section(function, "Parameters"):
        if line[:1].strip():
            names = [name.strip() for name in line.partition(":")[0].split(",")]
        for name in names if line[:1].isspace() else ():
            lines_by_name.setdefault(name, []).append(line.strip())
    return {name: " ".join(description_lines) for name, description_lines in lines_by_name.items()}


# Extensions in other packages

# Groups of entry points. `irjudge.measures`: modules that declare measures in the same way as
# irjudge.metrics. `irjudge.readers`: file formats; the name of an entry point begins with the kind
# of file, such as `documents.pipes`. `irjudge.writers`: formats for writing ratings.
Group: TypeAlias = Literal["irjudge.measures", "irjudge.readers", "irjudge.writers"]


@dataclass(frozen=True, slots=True)
class Extension:
    """Object by which an installed package extends the program: measures, a reader, a writer.

    `load_extensions` loads the objects from entry points of the packages.
    """

    name: str  # name of the entry point
    package: str  # name and version of the package, such as `tides 1.2`
    loaded_object: Any  # object of the entry point: a module, a file format, a writer


_problems: list[Message] = []
_packages: dict[str, str] = {}  # name and version of a package, by name of its module


@cache
def load_extensions(group: Group) -> tuple[Extension, ...]:
    """Load the extensions of a group, and return them sorted by name; the result is cached.

    Extensions that cannot be loaded are omitted and reported by `extension_problems`.
    """
    if not _has_entry_points(sys.path):
        return ()
    from importlib.metadata import entry_points  # noqa: PLC0415 -- 30 ms, and most machines have none

    extensions = []
    for entry_point in sorted(entry_points(group=group), key=lambda entry_point: entry_point.name):
        package = (
            f"{entry_point.dist.name} {entry_point.dist.version}"
            if entry_point.dist
            else entry_point.module
        )
        _packages[entry_point.module.partition(".")[0]] = package
        try:
            extensions.append(Extension(entry_point.name, package, entry_point.load()))
        except Exception as error:  # noqa: BLE001 -- the code of an extension may raise anything
            report_problem(package, entry_point.name, error)
    return tuple(extensions)


def report_problem(package: str, name: str, error: object) -> None:
    """Record a problem of an extension, unless it is already recorded."""
    reason = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
    problem = Message(
        "Cannot use {name} from the package {package}: {reason}.",
        name=name,
        package=package,
        reason=reason,
    )
    if problem not in _problems:
        _problems.append(problem)


def extension_problems() -> tuple[Message, ...]:
    """Return a sentence about each recorded problem of an extension."""
    return tuple(_problems)


def providing_package(module: str) -> str:
    """Return name and version of the extension package that contains a module; empty if none."""
    return _packages.get(module.partition(".")[0], "")


def _has_entry_points(folders: Iterable[str]) -> bool:
    """Return whether any installed package has entry points for irjudge.

    The files that declare entry points are searched for the name irjudge, which is thirty times
    faster than loading all entry points.
    """
    return any(
        b"[irjudge." in point.read_bytes()
        for folder in folders
        for point in _list_entry_points(folder or os.curdir)
    )


def _list_entry_points(folder: str) -> Iterable[Path]:
    try:
        return [
            path
            for entry in os.scandir(folder)
            if entry.name.endswith(".dist-info")
            and (path := Path(entry, "entry_points.txt")).is_file()
        ]
    except OSError:  # the folder is missing or is an archive
        return ()
