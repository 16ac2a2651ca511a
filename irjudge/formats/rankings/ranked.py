"""One line of a ranking that is kept in another form than lines of columns."""

from typing import NamedTuple


class RetrievedDocument(NamedTuple):
    """A document that was retrieved for a topic, and its score; None where the order is all that is known."""

    topic: str
    document: str
    score: float | None = None
