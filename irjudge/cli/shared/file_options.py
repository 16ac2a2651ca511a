"""The options that say what files mean which may mean two things."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

import click

from irjudge.cli.shared.output import negative_option
from irjudge.errors import IrjudgeError
from irjudge.formats.collections.topics.ids import TOPIC_IDS
from irjudge.formats.decisions import PARTS, Decisions, FileKind, columns_of
from irjudge.formats.rankings.grades import parse_grades
from irjudge.formats.rows.mapping import AS_RECOGNISED, Columns

Command = TypeVar("Command", bound=Callable[..., Any])

GRADED: tuple[FileKind, ...] = ("qrels", "calibration")

COLUMNS_HELP = (
    'Which columns hold what, by name or number: "id=docno,text=abstract". With several kinds of files: "topics:id=qid". '
    + "; ".join(f"{kind}: {', '.join(parts)}" for kind, parts in PARTS.items())
    + "."
)


def decision_options(command: Command) -> Command:
    """Give a command the options that decide; `decisions` takes what was said."""
    for option in (
        negative_option(),
        click.option("--grades", help='What the grades in qrels become, such as "1:4,2:3,3:2,4:1,-1:0".'),
        click.option("--topic-ids", type=click.Choice(TOPIC_IDS), help="Call topics by their order, 1, 2, 3 …, or as given in the file."),
        click.option("--encoding", help="The encoding of all files, such as GB18030. By default UTF-8, or detected and said."),
        click.option(
            "--columns",
            multiple=True,
            metavar="[KIND:]PART=COLUMN,...",
            help=COLUMNS_HELP,
        ),
    ):
        command = option(command)
    return command


def decisions(
    kinds: Collection[FileKind],
    *,
    columns: Sequence[str] = (),
    encoding: str | None = None,
    topic_ids: Any = None,
    grades: str | None = None,
    negative: Any = None,
) -> dict[FileKind, Decisions]:
    """Return what was decided about each of the kinds of files that were given.

    Raises
    ------
    IrjudgeError
        When columns are named of no kind, of one that is not there, or twice.
    """
    named = _columns(kinds, columns)
    turned = parse_grades(grades) if grades is not None else None
    return {
        kind: Decisions(
            encoding,
            named.get(kind, AS_RECOGNISED),
            topic_ids if kind == "topics" else None,
            negative if kind in GRADED else None,
            turned if kind in GRADED else None,
        )
        for kind in kinds
    }


def _columns(kinds: Collection[FileKind], said: Sequence[str]) -> dict[FileKind, Columns]:
    named: dict[FileKind, Columns] = {}
    for words in said:
        front, sign, pairs = words.partition(":")
        if not sign or front.strip() not in PARTS:  # a column's name may hold a colon
            front, pairs = next(iter(kinds)) if len(kinds) == 1 else "", words
        kind = next((kind for kind in kinds if kind == front.strip()), None)
        if kind is None:
            choices = " or ".join(f"{each}:" for each in kinds)
            raise IrjudgeError(f'--columns "{words}" does not say of which files; expected {choices or "files to read"} in front.')
        if kind in named:
            raise IrjudgeError(f"--columns names the columns of {kind} twice; expected all pairs in one, with commas between.")
        named[kind] = columns_of(kind, pairs)
    return named
