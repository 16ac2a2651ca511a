"""How far the work was when somebody went back: the way forward again."""

from collections.abc import Callable
from typing import Generic, TypeVar

P = TypeVar("P")


class Front(Generic[P]):
    """What was on the desk, not judged yet, before something earlier came onto it; `judged` tells whether something is judged."""

    def __init__(self, judged: Callable[[P], bool]) -> None:
        self._judged = judged
        self._place: P | None = None

    def leave(self, at: P | None, to: P) -> None:
        """Remember what is on the desk when somebody goes back from there; who goes back further still comes from the same."""
        if self._place is None and at is not None and at != to and not self._judged(at):
            self._place = at

    def forget(self) -> None:
        """Be where the desk is: the work goes on from there."""
        self._place = None

    def behind(self, at: P | None) -> bool:
        """Tell whether the desk is behind the front: what is on it is judged, or was reached by going back."""
        return at is not None and (self._judged(at) or self._place not in (None, at))

    def take(self) -> P | None:
        """Return where the work was, once; None where it is done by now, or nobody went back."""
        place, self._place = self._place, None
        return None if place is None or self._judged(place) else place
