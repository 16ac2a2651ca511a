"""What people did with the results of their queries, as columns: no Python object a query."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.model.ranking import Floats, Ints

Flags: TypeAlias = npt.NDArray[np.bool_]

CLICKS = "clicks (COEC)"  # how the names of qrels in a project begin that are made of clicks, and not of judgments of people
NOT_LOGGED = -1
NOT_SHOWN = 0


@dataclass(frozen=True, slots=True, eq=False)
class SearchLog:
    """Q queries of S sessions, and the C clicks on their results, both in the order of the file."""

    sessions: int  # how many sessions: S
    session: Ints  # shape (Q,): code of the session, below S
    time: Floats  # shape (Q,): seconds since 1970 in UTC; NaN where not logged
    shown: Ints  # shape (Q,): how many results were shown; `NOT_LOGGED` (-1) where the log does not say
    acted: Flags  # shape (Q,): whether the user did something explicit with a result: saved, bought, marked
    latency: Floats  # shape (Q,): milliseconds until the results were there; NaN where not logged
    variants: tuple[
        str, ...
    ]  # names of the variants of an A/B test, V of them, sorted; none where the log has none
    variant: Ints  # shape (Q,): code in `variants`; `NOT_LOGGED` (-1) where not logged
    click: Ints  # shape (C,): the query of each click, ascending
    # shape (C,): 1-based rank of the clicked result; `NOT_SHOWN` (0) for a result that was not shown for this query, `NOT_LOGGED` (-1)
    # where the rank cannot be known
    rank: Ints
    dwell: Floats  # shape (C,): seconds spent with the result; NaN where not logged
    acts_logged: bool = False  # whether the log speaks of explicit acts at all
    remarks: tuple[str, ...] = ()  # what was strange in the files, a sentence each

    def __len__(self) -> int:
        return len(self.session)

    def of_variant(self, code: int) -> "SearchLog":
        """Return the queries of one variant, with the sessions that have any."""
        chosen = self.variant == code
        held, session = np.unique(self.session[chosen], return_inverse=True)
        place = np.cumsum(chosen, dtype=np.int32) - np.int32(1)
        clicks = chosen[self.click]

        return SearchLog(
            sessions=len(held),
            session=session.astype(np.int32),
            time=self.time[chosen],
            shown=self.shown[chosen],
            acted=self.acted[chosen],
            latency=self.latency[chosen],
            variants=self.variants,
            variant=self.variant[chosen],
            click=place[self.click[clicks]],
            rank=self.rank[clicks],
            dwell=self.dwell[clicks],
            acts_logged=self.acts_logged,
        )
