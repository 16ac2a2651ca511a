"""What a command does with values beyond printing them, as options: it keeps them, and fails where they are not as was asked."""

import functools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import click

from irjudge.errors import IrjudgeError
from irjudge.evaluation.table import Evaluation
from irjudge.model.side import SideTable
from irjudge.store.schema import is_project

OPTIONS = (
    click.option(
        "--keep",
        metavar="NAME",
        help="Keep the values of all topics under a name, with the hash of every input: in the project, or beside QRELS in"
        " NAME.evaluations.jsonl. Not where a value fails. A name may come again, and then means the newest.",
    ),
    click.option(
        "--fail-below",
        multiple=True,
        metavar="MEASURE=VALUE",
        help="Exit with 3 where the value of a run is below this, as nDCG@10=0.45; may be repeated.",
    ),
    click.option(
        "--fail-if-worse",
        metavar="NAME|RUN",
        help="Exit with 3 where a run is worse than it was in a kept evaluation, by any of the measures; or worse than another run.",
    ),
    click.option("--by", type=click.FloatRange(0), default=0.0, help="With --fail-if-worse: only where it is worse by more than this."),
    click.option(
        "--significant",
        is_flag=True,
        help="With --fail-if-worse: only where the topics tell the two apart (paired t-test at 0.05, corrected by Holm).",
    ),
)


@dataclass(frozen=True, slots=True)
class KeepingWish:
    """What was asked to be done with values."""

    keep: str | None
    fail_below: tuple[str, ...]
    fail_if_worse: str | None
    by: float
    significant: bool

    def measures(self, named: Sequence[str]) -> tuple[str, ...]:
        """Return the measures to compute: those named, and those a floor speaks of."""
        return (*named, *(each.rpartition("=")[0] for each in self.fail_below))

    @contextmanager
    def open(self, qrels: Path) -> Iterator[Any]:
        """Open the project in which values are to be kept, before they are computed; nothing for files, and where nothing is kept."""
        if self.fail_if_worse is None and (self.by or self.significant):
            raise IrjudgeError("--by and --significant say when something is worse; they go with --fail-if-worse.")
        if self == NOTHING:
            yield None
            return
        from irjudge.cli.shared import kept  # noqa: PLC0415 -- what projects and tests need takes as long as numpy

        kept.check_wish(self.keep, self.fail_below)
        if self.keep is None or not is_project(qrels):
            yield None
            return
        with kept.to_write(qrels) as project:
            yield project

    def settle(self, table: Evaluation, qrels: Path, runs: Sequence[Path], project: Any, sides: Sequence[SideTable]) -> None:
        """Fail where a value is not as was asked; keep them where it is. `project` is what `open` gave."""
        if self == NOTHING:
            return
        from irjudge.cli.shared import kept  # noqa: PLC0415

        kept.check_values(table, qrels, self.fail_below, self.fail_if_worse, by=self.by, significant=self.significant)
        if self.keep is not None:
            kept.keep_values(table, self.keep, qrels, runs, project, sides)


NOTHING = KeepingWish(None, (), None, 0.0, False)


def keeping_options(command: Any) -> Any:
    """Give a command the options that keep values and fail; the command takes them as `asked`."""

    @functools.wraps(command)
    def told(**given: Any) -> Any:
        return command(asked=KeepingWish(*(given.pop(each.name) for each in fields(KeepingWish))), **given)

    options: Any = told
    for option in reversed(OPTIONS):
        options = option(options)
    return options
