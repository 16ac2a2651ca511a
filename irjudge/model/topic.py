"""A topic: what a person wants to know."""

import hashlib
import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """One information need.

    Parameters
    ----------
    id
        Text as it stands in the file: `051` stays `051`.
    title, description, narrative
        The query, the need in a sentence, and what counts as relevant. The last two may be empty.
    """

    id: str
    title: str
    description: str = ""
    narrative: str = ""

    @property
    def digest(self) -> bytes:
        """SHA-256 of everything an assessor reads, to notice when a text was edited."""
        return hashlib.sha256(json.dumps([self.id, self.title, self.description, self.narrative]).encode()).digest()
