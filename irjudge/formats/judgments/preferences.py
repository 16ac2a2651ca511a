"""Tables of preferences, with the columns left, right, winner and optional ones in any order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.judgments.crowd_platforms import read_crowd_table
from irjudge.formats.reader_warnings import ReaderWarnings
from irjudge.formats.rows import (
    ASSESSOR,
    MAX_LISTED,
    NAMED_MAPPING,
    NUMBER_PATTERN,
    TOPIC,
    ColumnKind,
    ColumnMapping,
    ReadTable,
)
from irjudge.message import Message, join_choices
from irjudge.model import OUTCOMES, Preferences, make_preferences

WINNER = ColumnKind(
    "winner", tuple("winner preference preferred choice answer vote judgment radio".split())
)
PREFERENCE_PARTS = (
    ColumnKind(
        "left",
        tuple(
            "left left_system left_run left_document first a system_a model_a run_a document_a doc_a doca".split()
        ),
    ),
    ColumnKind(
        "right",
        tuple(
            "right right_system right_run right_document second b system_b model_b run_b document_b doc_b docb".split()
        ),
    ),
    WINNER,
    ColumnKind("topic", TOPIC.column_names, needed=False),
    ColumnKind("assessor", ASSESSOR.column_names, needed=False),
    ColumnKind("strength", ("strength", "degree"), needed=False),
    ColumnKind("seconds", ("seconds", "secs", "duration", "time_spent"), needed=False),
)
SIDES = ("left", "right")
# Outcomes of the answers a, b and s, used if the names of the left and right columns end in a and
# b. In templates of Mechanical Turk, s means same.
LETTER_OUTCOMES = {"a": 1, "b": -1, "s": 0}
WORD_OUTCOMES = {"left": 1, "right": -1, "tie": 0, "same": 0, "equal": 0, "draw": 0, "=": 0}
# pairs of answers, left side first, whose sides are suggested if both occur; 0 and 1 are no pair,
# since 0 may also mean a tie
ANSWER_PAIRS = (("1", "2"), ("first", "second"), ("a", "b"), ("l", "r"))
STRENGTHS = {"0": 0, "1": 1, "2": 2}


def parse_winners(text: str) -> dict[str, int]:
    """Return the outcome that each answer means, from a text such as `A:left,B:right,same:tie`.

    Answers may contain colons, and their case is ignored.

    >>> parse_winners("A:left, B:right, both bad:tie")
    {'a': 1, 'b': -1, 'both bad': 0}
    """
    winners: dict[str, int] = {}
    for pair in filter(None, (pair.strip() for pair in text.split(","))):
        answer, _, meaning = (piece.strip().lower() for piece in pair.rpartition(":"))
        if not answer or meaning not in OUTCOMES:
            raise IrjudgeError(
                '"{pair}" is not a valid answer mapping; expected pairs such as '
                "A:left,B:right,same:tie.",
                pair=pair,
            )
        if answer in winners:
            raise IrjudgeError(
                'The answer "{answer}" is mapped twice; expected once.', answer=answer
            )
        winners[answer] = OUTCOMES[meaning]
    return winners


@dataclass(slots=True)
class _PreferenceRows:
    """Accumulator that stores the rows of a table of preferences as columns."""

    left: list[str] = field(default_factory=list)
    right: list[str] = field(default_factory=list)
    winner: list[int] = field(default_factory=list)
    topic: list[str] = field(default_factory=list)
    assessor: list[str] = field(default_factory=list)
    strength: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


@dataclass(slots=True)
class _AnswerConverter:
    """Converter of answers to outcomes; it collects unknown answers, each with its first line."""

    # outcome of each answer, as specified by the user; None if the user specified no outcomes
    user_outcomes: Mapping[str, int] | None
    # outcomes of the names of the left and right columns; also of the answers a, b and s if these
    # names end in a and b
    column_outcomes: Mapping[str, int]
    unknown: dict[str, int] = field(default_factory=dict)

    def convert(self, line: int, winner: str, names: tuple[str, str]) -> int:
        """Return 1 if left won, -1 if right won, and 0 for a tie or an unknown answer.

        An answer that is unknown or has several meanings is stored in `unknown`.
        """
        folded_winner = winner.lower()
        if self.user_outcomes is None:
            tables = (WORD_OUTCOMES, self.column_outcomes)
            meanings = {table[folded_winner] for table in tables if folded_winner in table}
            if winner in names:  # the answer is an item, which may be called `left` or `a`
                meanings.add(1 if winner == names[0] else -1)
        else:
            is_known = folded_winner in self.user_outcomes
            meanings = {self.user_outcomes[folded_winner]} if is_known else set()
        if len(meanings) != 1:
            self.unknown.setdefault(winner, line)
        return meanings.pop() if len(meanings) == 1 else 0

    def check(self, path: Path) -> None:
        """Raise FormatError with the line of the first unknown answer, if there are any."""
        if not self.unknown:
            return
        names = [*self.unknown][:MAX_LISTED]
        expected = (
            join_choices([", ".join(WORD_OUTCOMES), Message("the name of one side")])
            if self.user_outcomes is None
            else ", ".join(self.user_outcomes)
        )
        raise FormatError(
            path,
            Message(
                "unknown winner {names}; expected {expected}. Set the meaning of answers with "
                '--winners, for example "{example}"'
                if len(names) == 1
                else "unknown winners {names}; expected {expected}. Set the meaning of answers "
                'with --winners, for example "{example}"',
                key="unknown-winner",
                names=", ".join(map(repr, names)),
                expected=expected,
                example=_suggest_outcomes(names),
            ),
            next(iter(self.unknown.values())),
        )


def read_preferences(
    path: Path,
    *,
    columns: ColumnMapping = NAMED_MAPPING,
    winners: Mapping[str, int] | None = None,
    documents: bool = False,
    encoding: str | None = None,
) -> Preferences:
    """Read a table of preferences: delimited text in any encoding, or a spreadsheet."""
    warnings = ReaderWarnings()
    table = read_crowd_table(path, PREFERENCE_PARTS, warnings, columns=columns, encoding=encoding)
    table.report_other_columns(WINNER, warnings)
    if documents and "topic" not in table.index_of_part:
        raise FormatError(
            path,
            Message(
                "documents are compared within a topic, so a topic column is required",
                key="no-topic",
            ),
            1,
        )
    rows, blank_rows = _PreferenceRows(), 0
    answers = _AnswerConverter(winners, _find_column_outcomes(table) if winners is None else {})
    for line, record in table.records():
        if record["winner"]:
            _add_row(path, line, record, rows, answers)
        else:
            blank_rows += 1
    answers.check(path)
    if not rows.winner:
        raise FormatError(
            path, Message("no row has an answer; expected preferences", key="no-answer")
        )
    messages = (
        []
        if not blank_rows
        else [
            "Skipped 1 row without an answer."
            if blank_rows == 1
            else f"{blank_rows:,} rows without an answer were skipped."
        ]
    )
    return make_preferences(
        rows.left,
        rows.right,
        rows.winner,
        strength=rows.strength,
        topic=rows.topic,
        assessor=rows.assessor,
        seconds=rows.seconds,
        documents=documents,
        blank=blank_rows,
        warnings=(*warnings.sentences(), *messages),
    )


def _suggest_outcomes(answers: Sequence[str]) -> str:
    """Return a mapping for `--winners`, with an ellipsis for each answer whose side is unclear.

    >>> _suggest_outcomes(["B", "A"]), _suggest_outcomes(["1", "0"])
    ('B:right,A:left', '1:…,0:…')
    """
    folded_answers = {answer.lower() for answer in answers}
    side_of_answer = {
        answer: side
        for pair in ANSWER_PAIRS
        if folded_answers.issuperset(pair) and "0" not in folded_answers
        for answer, side in zip(pair, SIDES, strict=True)
    }
    return ",".join(f"{answer}:{side_of_answer.get(answer.lower(), '…')}" for answer in answers)


def _find_column_outcomes(table: ReadTable) -> dict[str, int]:
    outcomes = dict(LETTER_OUTCOMES) if _has_a_b_columns(table) else {}
    for side, column in table.columns().items():
        if side in SIDES and not column.isdecimal():  # a number is not the name of a column
            outcomes[column.lower()] = WORD_OUTCOMES[side]
    return outcomes


def _has_a_b_columns(table: ReadTable) -> bool:
    """Return whether the left and right columns have the same name except for a final a and b.

    An example is docA and docB.
    """
    left_column, right_column = (table.columns()[side].lower() for side in SIDES)
    return left_column[:-1] == right_column[:-1] and (left_column[-1:], right_column[-1:]) == (
        "a",
        "b",
    )


def _add_row(
    path: Path,
    line: int,
    record: Mapping[str, str],
    rows: _PreferenceRows,
    answers: _AnswerConverter,
) -> None:
    left, right = record["left"], record["right"]
    _check_items(path, line, left, right)
    outcome = answers.convert(line, record["winner"], (left, right))
    strength = record.get("strength", "")
    is_known = record["winner"] not in answers.unknown
    _check_strength(path, line, strength, record["winner"], outcome if is_known else None)
    rows.left.append(left)
    rows.right.append(right)
    rows.winner.append(outcome)
    rows.topic.append(record.get("topic", ""))
    rows.assessor.append(record.get("assessor", ""))
    rows.strength.append(0 if outcome == 0 else max(1, STRENGTHS.get(strength, 1)))
    rows.seconds.append(_parse_seconds(path, line, record.get("seconds", "")))


def _check_items(path: Path, line: int, left: str, right: str) -> None:
    """Raise FormatError unless there are two different items."""
    if not left or not right:
        raise FormatError(
            path,
            Message(
                "the right side is empty" if left else "the left side is empty", key="empty-cell"
            ),
            line,
        )
    if left == right:
        raise FormatError(
            path,
            Message(
                "{left!r} is on both sides; expected two different items",
                key="same-item",
                left=left,
            ),
            line,
        )


def _check_strength(path: Path, line: int, strength: str, winner: str, outcome: int | None) -> None:
    """Raise FormatError if a strength is unknown or contradicts the outcome.

    `outcome` is None if the winner is unknown.
    """
    if strength and strength not in STRENGTHS:
        raise FormatError(
            path,
            Message(
                "unknown strength {text!r}; expected 0 (tie), 1 (better) or 2 (much better)",
                key="unknown-strength",
                text=strength,
            ),
            line,
        )
    if outcome is not None and strength == ("2" if outcome == 0 else "0"):
        raise FormatError(
            path,
            Message(
                "the strength is {strength}, but the winner is {winner!r}; expected 0 (tie) or 1 "
                "for a tie, and 1 (better) or 2 (much better) for a winner",
                key="contradicting-strength",
                strength=strength,
                winner=winner,
            ),
            line,
        )


def _parse_seconds(path: Path, line: int, text: str) -> float:
    if not text:
        return float("nan")
    if not NUMBER_PATTERN.fullmatch(text) or not 0 <= float(text) < float("inf"):
        raise FormatError(
            path,
            Message(
                "seconds is {text!r}; expected a number of 0 or more", key="not-a-time", text=text
            ),
            line,
        )
    return float(text)
