"""What side files say of a judged run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.errors import MeasureError
from irjudge.model.side import SIDES

Ints: TypeAlias = npt.NDArray[np.int32]
Floats: TypeAlias = npt.NDArray[np.float64]
UNNAMED = -3  # the grade of a document that the qrels do not name


@dataclass(frozen=True, slots=True, eq=False)
class SideRows:
    """The rows of a side file that concern a judged run; each array has shape (S,)."""

    topic: Ints  # place of the topic in `JudgedRun.topics`, ascending
    # of a file about documents the 1-based rank of the document, ascending within a topic but for 0, judged and not retrieved; else 0
    rank: Ints
    grade: Ints  # of a file about documents its grade, -3 where the qrels do not name it; else -3
    columns: Mapping[str, Floats]  # the other columns by name: numbers, what choices stand for, or codes of texts
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # the texts by the name of the column, by code

    def where(self, kept: npt.NDArray[np.bool_], rank: Ints | None = None) -> "SideRows":
        """Return the rows for which `kept` is true, at other ranks where these are given."""
        columns = {name: column[kept] for name, column in self.columns.items()}
        return SideRows(self.topic[kept], (self.rank if rank is None else rank)[kept], self.grade[kept], columns, self.names)


def missing(name: str) -> MeasureError:
    """Return the error that says which side file is needed."""
    side = SIDES.known(name)
    return MeasureError(
        "A measure needs the side file {name} ({title}), which was not given: {form}.",
        title=side.title if side else name,
        name=name,
        form=side.form if side else "",
    )
