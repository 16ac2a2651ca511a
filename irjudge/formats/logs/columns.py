"""From the rows of a search log to its columns; what is odd is counted, and said in one sentence each."""

import numpy as np

from irjudge.formats.logs.rows import LogRows
from irjudge.formats.remarks import Oddity, Remarks
from irjudge.model.ranking import Floats, Ints
from irjudge.model.search_log import NOT_LOGGED, NOT_SHOWN, SearchLog

NOT_SHOWN_CLICKS = Oddity(
    "1 click names a result that was not shown for its query: it counts as a click and has no rank.",
    "{count} clicks name a result that was not shown for their query: they count as clicks and have no rank.",
)
NO_RANK = Oddity(
    "1 click names a document where only a count of results is logged: it counts as a click and has no rank.",
    "{count} clicks name a document where only a count of results is logged: they count as clicks and have no rank.",
)
NO_RESULTS_FIELD = Oddity(
    "1 query does not say how many results were shown: it is not in CTR and ZeroResults.",
    "{count} queries do not say how many results were shown: they are not in CTR and ZeroResults.",
)
NO_TIME = Oddity("1 query has no time; the order of the file decides.", "{count} queries have no time; the order of the file decides.")
BACKWARDS = Oddity(
    "In 1 session time runs backwards; the order of the file decides.",
    "In {count} sessions time runs backwards; the order of the file decides.",
)
NO_VARIANT = Oddity(
    "1 query has no variant: it counts in the whole, and in no variant.",
    "{count} queries have no variant: they count in the whole, and in no variant.",
)
NEGATIVE_DWELL = Oddity("1 negative dwell is taken as not logged.", "{count} negative dwells are taken as not logged.")
NEGATIVE_LATENCY = Oddity("1 negative latency is taken as not logged.", "{count} negative latencies are taken as not logged.")


def log_of(rows: LogRows, remarks: Remarks | None = None) -> SearchLog:
    """Return a log of the rows that were added, with what is odd in them counted.

    Examples
    --------
    >>> rows = LogRows()
    >>> rows.add({"session": "a", "results": ["d1", "d2"], "clicks": [{"document": "d2", "dwell": -1}]})
    >>> log = log_of(rows)
    >>> log.shown, log.rank, log.remarks[1]
    (array([2], dtype=int32), array([2], dtype=int32), '1 negative dwell is taken as not logged.')
    """
    remarks = remarks or Remarks()
    session, time = np.array(rows.session, dtype=np.int32), np.array(rows.time)
    shown, rank = np.array(rows.shown, dtype=np.int32), np.array(rows.rank, dtype=np.int32)
    dwell, latency = np.array(rows.dwell), np.array(rows.latency)
    names = sorted(rows.variants)
    code = np.array([names.index(name) for name in rows.variants] + [NOT_LOGGED], dtype=np.int32)
    variant = code[np.array(rows.variant, dtype=np.int32)]  # -1 takes the last
    back = np.concatenate((session[np.frombuffer(rows.backwards, dtype=bool)], _sessions_backwards(session, time)))
    remarks.unread(rows.unread)
    counted = (
        (NOT_SHOWN_CLICKS, int((rank == NOT_SHOWN).sum())),
        (NO_RANK, int((rank == NOT_LOGGED).sum())),
        (NO_RESULTS_FIELD, int((shown == NOT_LOGGED).sum())),
        (NO_TIME, int(np.isnan(time).sum())),
        (BACKWARDS, len(np.unique(back))),
        (NO_VARIANT, int((variant == NOT_LOGGED).sum()) if names else 0),
        (NEGATIVE_DWELL, int((dwell < 0).sum())),
        (NEGATIVE_LATENCY, int((latency < 0).sum())),
    )
    dwell[dwell < 0], latency[latency < 0] = np.nan, np.nan
    return SearchLog(
        sessions=len(rows.sessions),
        session=session,
        time=time,
        shown=shown,
        acted=np.array(np.frombuffer(rows.acted, dtype=bool)),
        latency=latency,
        variants=tuple(names),
        variant=variant,
        click=np.array(rows.click_row, dtype=np.int32),
        rank=rank,
        dwell=dwell,
        acts_logged=rows.acts_logged,
        remarks=tuple((odd.one if count == 1 else odd.many).format(count=f"{count:,}") for odd, count in counted if count)
        + remarks.sentences(),
    )


def _sessions_backwards(session: Ints, time: Floats) -> Ints:
    """Return the sessions in which a query has an earlier time than the one before it that has a time."""
    timed = np.flatnonzero(~np.isnan(time))
    order = timed[np.argsort(session[timed], kind="stable")]
    same = session[order][1:] == session[order][:-1]
    found: Ints = session[order][1:][same & (np.diff(time[order]) < 0)]
    return found
