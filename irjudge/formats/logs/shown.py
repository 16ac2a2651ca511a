"""What was shown for queries and what of it was clicked: one row for each result of each query."""

from array import array
from dataclasses import dataclass, field

import numpy as np

from irjudge.model.ranking import Ints
from irjudge.model.search_log import Flags
from irjudge.model.topic import same_text


@dataclass(slots=True)
class ShownResults:
    """N results that were shown, in the order of the log."""

    queries: dict[str, int] = field(default_factory=dict)  # texts, and their codes
    documents: dict[str, int] = field(default_factory=dict)  # ids, and their codes
    _query: "array[int]" = field(default_factory=lambda: array("i"))
    _document: "array[int]" = field(default_factory=lambda: array("i"))
    _rank: "array[int]" = field(default_factory=lambda: array("i"))
    _clicked: bytearray = field(default_factory=bytearray)

    def __len__(self) -> int:
        return len(self._query)

    def add(self, query: str, document: str, rank: int, *, clicked: bool) -> None:
        """Take one result: at which rank, from 1, it was shown, and whether it was clicked."""
        self._query.append(self.queries.setdefault(same_text(query), len(self.queries)))
        self._document.append(self.documents.setdefault(document, len(self.documents)))
        self._rank.append(rank)
        self._clicked.append(clicked)

    @property
    def query(self) -> Ints:
        """The code of the query of each: shape (N,)."""
        return np.array(self._query, dtype=np.int32)

    @property
    def document(self) -> Ints:
        """The code of the document of each: shape (N,)."""
        return np.array(self._document, dtype=np.int32)

    @property
    def rank(self) -> Ints:
        """The rank of each, from 1: shape (N,)."""
        return np.array(self._rank, dtype=np.int32)

    @property
    def clicked(self) -> Flags:
        """Whether each was clicked: shape (N,)."""
        return np.frombuffer(bytes(self._clicked), dtype=bool)
