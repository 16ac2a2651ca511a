"""The balance sheet of a returned file: every event that was read is accounted for."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from irjudge.message import Message, counted

PARTS = ("new", "identical", "superseded", "waiting", "rejected")


@dataclass(slots=True)
class Balance:
    """What became of the events of one returned file."""

    # the file's name, whose it is, the id of its assignment, its SHA-256 in hex; empty where they cannot be known
    file: str
    assessor: str = ""
    assignment: str = ""
    digest: str = ""
    read: int = 0  # events the file says it holds
    new: int = 0  # taken, and in force (or no judgment at all: notes, undone steps)
    identical: int = 0  # in the project already
    superseded: int = 0  # taken, and a later judgment of the same assessor stands in their place
    waiting: int = 0  # kept apart until the event before them comes
    reasons: Counter[str] = field(default_factory=Counter)  # why events were rejected, and how many
    remarks: list[str] = field(default_factory=list)  # what is remarkable about the file, a sentence each
    refused: str | None = None  # why nothing of the file was taken; None where something could be
    handed_in: str = ""  # when the assessor handed it in (UTC); empty where they did not

    @property
    def rejected(self) -> int:
        """How many events were not taken."""
        return self.reasons.total()

    @property
    def brought(self) -> bool:
        """Whether anything in the file was new to the project."""
        return bool(self.new or self.superseded or self.waiting)

    @property
    def adds_up(self) -> bool:
        """Whether every event that was read is accounted for."""
        return self.read == self.new + self.identical + self.superseded + self.waiting + self.rejected

    @property
    def sentences(self) -> list[str]:
        """What is to be said about the file, each with its name."""
        said = [self.refused] if self.refused else []
        if not self.refused:
            said += [
                Message("{number} not taken: {reason}.", number=counted(number, "event"), reason=reason)
                for reason, number in self.reasons.most_common()
            ]
        if self.waiting:
            said.append(Message("{waiting} kept until the event before comes.", waiting=counted(self.waiting, "event")))
        return [
            sentence if sentence.startswith(self.file) else Message("{file}: {sentence}", file=self.file, sentence=sentence)
            for sentence in [*said, *self.remarks]
        ]

    def as_json(self) -> dict[str, Any]:
        """Return the sheet as the project keeps it."""
        numbers = {part: getattr(self, part) for part in ("read", *PARTS)}
        return {**numbers, "reasons": dict(self.reasons), "remarks": self.remarks, "refused": self.refused, "handed_in": self.handed_in}
