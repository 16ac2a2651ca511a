"""Passages of a document that assessors saved as reasons of their judgments."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from irjudge.model.event_form import FURTHEST


@dataclass(frozen=True, slots=True)
class Rationale:
    """A passage of a document saved as the reason of a judgment.

    `begin` and `end` are offsets into the text that was shown, in characters (code points).
    """

    text: str
    begin: int
    end: int


def to_cell(rationales: Sequence[Rationale]) -> str:
    """Return passages as the cell of a table: a JSON list of objects, empty without passages.

    >>> to_cell([Rationale("wing section", 12, 24)])
    '[{"text": "wing section", "begin": 12, "end": 24}]'
    """
    return (
        json.dumps([asdict(each) for each in rationales], ensure_ascii=False) if rationales else ""
    )


def parse_cell(cell: str) -> tuple[Rationale, ...]:
    """Return the passages of a cell that `to_cell` made; ValueError where it holds something else."""
    if not cell:
        return ()
    try:
        listed = json.loads(cell)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(listed, list):
        raise ValueError("not a list")  # noqa: TRY004 -- callers handle one error
    return tuple(map(_parse, listed))


def _parse(entry: object) -> Rationale:
    if not isinstance(entry, dict) or entry.keys() != {"text", "begin", "end"}:
        raise ValueError("not an object of text, begin and end")
    text, begin, end = entry["text"], entry["begin"], entry["end"]
    if not isinstance(text, str) or not text.strip():
        raise ValueError("text is empty or no string")
    if type(begin) is not int or type(end) is not int or not 0 <= begin < end <= FURTHEST:
        raise ValueError("offsets are no range")
    return Rationale(text, begin, end)
