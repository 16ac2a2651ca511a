"""The registry of what is declared: measures, statistics, tests, rules of consensus, pooling strategies, figures."""

import difflib
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from irjudge.errors import IrjudgeError
from irjudge.message import Message


class Declared(Protocol):
    """What has a name of its own."""

    @property
    def name(self) -> str:
        """The name under which it is declared."""


Declaration = TypeVar("Declaration", bound=Declared)


def plain(name: str) -> str:
    """Return a name as it is looked up: case, `_` and `-` are the same, and so are blanks.

    Examples
    --------
    >>> plain(" Dawid_Skene "), plain("lower median")
    ('dawid-skene', 'lower-median')
    """
    return re.sub(r"[_\s]", "-", name.strip().lower())


class Catalogue(Mapping[str, Declaration]):
    """Declarations by name, each known by other names too.

    The program has one for each family; tests make their own.

    Parameters
    ----------
    kind
        What one of them is called at the beginning of a sentence: `Test`.
    place
        Where one stands in the list; those of the same place stand as they were declared.
    fold
        Makes a name that is typed the key it is found by.
    fault
        The error for a name that is not known.
    listing
        Where all are listed, as a sentence; by default the error lists them itself.

    Examples
    --------
    >>> from irjudge.stats.significance.corrections import CORRECTIONS
    >>> list(CORRECTIONS), CORRECTIONS.find("FDR").name
    (['holm', 'bonferroni', 'bh', 'none'], 'bh')
    """

    def __init__(
        self,
        kind: str,
        *,
        place: Callable[[Declaration], Any] | None = None,
        fold: Callable[[str], str] = plain,
        fault: type[IrjudgeError] = IrjudgeError,
        listing: str = "",
    ) -> None:
        self._kind, self._place, self._fold, self._fault, self._listing = kind, place, fold, fault, listing
        self._declared: dict[str, Declaration] = {}
        self._spelt: dict[str, tuple[str, Declaration]] = {}

    def add(self, declaration: Declaration, aliases: Iterable[str] = ()) -> None:
        """Declare something under its name and others; ValueError where one of them is taken."""
        for name in dict.fromkeys([declaration.name, *aliases], None):
            if (key := self._fold(name)) in self._spelt and self._spelt[key][1] is not declaration:
                raise ValueError(f"{name} already names {self._spelt[key][1].name}")
            self._spelt.setdefault(key, (name, declaration))
        self._declared[declaration.name] = declaration

    def catalogue(self) -> tuple[Declaration, ...]:
        """Return all that is declared, in the order of the list."""
        every = self._declared.values()
        return tuple(sorted(every, key=self._place) if self._place else every)

    def known(self, name: str) -> Declaration | None:
        """Return what a name or alias means; None where it means nothing."""
        return self._spelt.get(self._fold(name), ("", None))[1]

    def find(self, name: str) -> Declaration:
        """Return what a name or alias means; the error of the catalogue, with the nearest name, where it means nothing."""
        found = self.known(name)
        if found is None:
            raise self.unknown(name, self.nearest(name))
        return found

    def nearest(self, name: str, also: Iterable[str] = ()) -> str:
        """Return the name that is most like one that is not known, of those declared and others; empty where none is."""
        spelt = {key: name for key, (name, _) in self._spelt.items()} | {self._fold(each): each for each in also}
        return spelt.get(nearest(self._fold(name), spelt), "")

    def unknown(self, given: str, near: str, also: Sequence[str] = ()) -> IrjudgeError:
        """Return the error that says that what was given is not known, and what there is instead."""
        names = ", ".join([*also, *self])
        rest = self._listing or (Message("There are {names}.", names=names) if near else Message("there are {names}.", names=names))
        hint = Message("did you mean {near}? {rest}", near=near, rest=rest) if near else rest
        return self._fault("{kind} {given!r} is not known; {hint}", kind=self._kind, given=given, hint=hint)

    def __getitem__(self, name: str) -> Declaration:
        return self._declared[name]

    def __iter__(self) -> Iterator[str]:
        return iter(each.name for each in self.catalogue())

    def __len__(self) -> int:
        return len(self._declared)


def nearest(given: str, names: Iterable[str]) -> str:
    """Return the name that is most like what was given; empty where none is like it.

    Examples
    --------
    >>> nearest("wilcoxen", ["t", "wilcoxon"]), nearest("zzz", ["t"])
    ('wilcoxon', '')
    """
    return next(iter(difflib.get_close_matches(given, list(names), n=1, cutoff=LIKE)), "")


LIKE = 0.6  # of 1, how alike two names are that may be meant for each other


def about(function: Callable[..., Any] | None) -> str:
    """Return what something says of itself: the first paragraph of its docstring."""
    return " ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split())


def section(function: Callable[..., Any], title: str) -> str:
    """Return a section of a docstring, such as References; empty without one."""
    found = re.search(rf"^{title}\n-+\n(.*?)(?=^\S[^\n]*\n-{{3,}}$|\Z)", inspect.getdoc(function) or "", re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else ""


def described(function: Callable[..., Any]) -> dict[str, str]:
    """Return what a docstring says of each parameter: name -> its text, on one line."""
    found: dict[str, list[str]] = {}
    names: list[str] = []
    for line in section(function, "Parameters").splitlines():
        if line[:1].strip():
            names = [name.strip() for name in line.partition(":")[0].split(",")]
        for name in names if line[:1].isspace() else ():
            found.setdefault(name, []).append(line.strip())
    return {name: " ".join(lines) for name, lines in found.items()}
