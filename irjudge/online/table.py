"""From a log to the table of its measures, with intervals, and variant against variant."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pandas as pd

from irjudge.errors import MeasureError
from irjudge.formats.logs.logs import read_log
from irjudge.model.ranking import Floats, Ints
from irjudge.model.search_log import SearchLog
from irjudge.online.intervals import (
    Interval,
    by_sessions,
    distinct,
    of_arrivals,
    of_difference,
    of_percentile,
    of_share,
)
from irjudge.online.measures import (
    MEASURES,
    NEEDS,
    Facts,
    Need,
    OnlineMeasure,
    SessionCounts,
    facts,
)

Parameter: TypeAlias = int | float | None
Numbers: TypeAlias = tuple[int | float, int | float | None, int | float | None, Interval | None]

COLUMNS = ("measure", "value", "count", "total")
ENDS = ("low", "high")
PERCENTILES = (50, 90, 95, 99)


@dataclass(frozen=True, slots=True)
class LogWish:
    """What is asked of a log."""

    dwell: float = 30.0  # seconds, 0 or more, from which on a click makes a session a success
    rank: int = 10  # CTR@1 to CTR@rank are computed; 0 for none
    seed: int = 1  # of the bootstrap, 0 or more

    def __post_init__(self) -> None:
        if not 0 <= self.dwell < np.inf:
            raise MeasureError("dwell must be 0 or more seconds, got {dwell}.", dwell=self.dwell)
        if not 0 <= self.rank <= 1000:
            raise MeasureError("rank must be 0 to 1000, got {rank}.", rank=self.rank)
        if self.seed < 0:
            raise MeasureError("seed must be 0 or more, got {seed}.", seed=self.seed)


@dataclass(frozen=True, slots=True)
class OnlineRow:
    """One number of a log."""

    measure: str  # with its parameters
    value: (
        int | float
    )  # count / total, and 0 where total is 0; for a percentile the latency; for a difference the difference
    # None where there is nothing to say: a count has no total, a difference neither
    count: int | float | None
    total: int | float | None
    interval: Interval | None  # 95 %; None for counts and where there are too few sessions
    # what the measure is, and the value of its parameter
    declaration: OnlineMeasure
    parameter: Parameter

    def cells(self) -> tuple[str | int | float | None, ...]:
        """Return the row under `COLUMNS` and `ENDS`."""
        low, high = self.interval or (None, None)
        return self.measure, self.value, self.count, self.total, low, high


@dataclass(frozen=True, slots=True)
class OnlineTable:
    """All measures of a log, and what was strange or left out, a sentence each."""

    rows: tuple[OnlineRow, ...]
    remarks: tuple[str, ...]


def measured(log: SearchLog, wish: LogWish | None = None) -> OnlineTable:
    """Compute all measures that a log of at least one query has the facts for.

    First of all queries; where the log has variants then of each, and of the difference of each to the first by name. Never NaN. The order
    of the sessions does not matter.

    >>> from irjudge.formats.logs.rows import LogRows
    >>> from irjudge.formats.logs.logs import log_of
    >>> rows = LogRows()
    >>> for row in ({"session": "a", "results": 10, "clicks": [{"rank": 2}]}, {"session": "b", "results": 0}):
    ...     rows.add(row)
    >>> [(row.measure, row.value) for row in measured(log_of(rows)).rows if row.measure in ("SessionAbandonment", "CTR")]
    [('SessionAbandonment', 0.5), ('CTR', 0.1)]
    """
    wish = wish or LogWish()
    hours = _hours(log.time)
    lacking = _lacking(log)
    measures = [each for each in MEASURES if each.need not in lacking]
    rows = list(_rows(facts(log, wish.dwell, hours), measures, wish, ""))
    variants = [
        list(_rows(facts(log.of_variant(code), wish.dwell, hours), measures, wish, name))
        for code, name in enumerate(log.variants)
    ]
    rows += [row for each in variants for row in each]
    for name, other in zip(log.variants[1:], variants[1:], strict=True):
        rows += _differences(variants[0], other, name, log.variants[0])
    return OnlineTable(tuple(rows), (*log.remarks, *_left_out(lacking), *_mixed(log)))


def _hours(time: Floats) -> float:
    known = time[~np.isnan(time)]
    return float(known.max() - known.min()) / 3600 if len(known) else 0.0


def _lacking(log: SearchLog) -> list[Need]:
    """Return what the log says nothing about. Where nothing was clicked, nobody stayed: that is known."""
    no_dwell = len(log.click) > 0 and not log.acts_logged and bool(np.isnan(log.dwell).all())
    found: dict[Need, bool] = {
        "results": bool((log.shown < 0).all()),
        "dwell": no_dwell,
        "time": bool(np.isnan(log.time).all()),
        "latency": bool(np.isnan(log.latency).all()),
    }
    return [need for need, lacks in found.items() if lacks]


def _left_out(lacking: list[Need]) -> Iterator[str]:
    for need in lacking:
        names = ", ".join(each.name for each in MEASURES if each.need == need)
        yield f"Left out: {names}, since {NEEDS[need]}."


def _mixed(log: SearchLog) -> Iterator[str]:
    """Say how many sessions hold several variants."""
    known = log.variant >= 0
    pairs = np.unique(log.session[known].astype(np.int64) << 32 | log.variant[known])
    mixed = int((np.unique(pairs >> 32, return_counts=True)[1] > 1).sum())
    if mixed:
        held = "1 session has" if mixed == 1 else f"{mixed:,} sessions have"
        yield f"{held} queries of several variants; intervals of differences take the variants as independent."


def _parameters(measure: OnlineMeasure, wish: LogWish) -> list[Parameter]:
    values: dict[str | None, list[Parameter]] = {
        None: [None],
        "dwell": [wish.dwell],
        "rank": list(range(1, wish.rank + 1)),
        "p": list(PERCENTILES),
    }
    return values[measure.parameter]


def named(measure: OnlineMeasure, parameter: Parameter, **more: str) -> str:
    """Return the name that is printed.

    >>> by_name = {each.name: each for each in MEASURES}
    >>> named(by_name["SessionSuccess"], 30.0), named(by_name["CTR@k"], 3, variant="B")
    ('SessionSuccess(dwell=30)', 'CTR(variant=B)@3')
    """
    name, at, _ = measure.name.partition("@")
    inside = [f"{key}={value}" for key, value in more.items() if value]
    if parameter is not None and not at:
        inside.insert(0, f"{measure.parameter}={parameter:g}")
    return name + (f"({','.join(inside)})" if inside else "") + (f"@{parameter}" if at else "")


def _rows(
    known: Facts, measures: list[OnlineMeasure], wish: LogWish, variant: str
) -> Iterator[OnlineRow]:
    for measure in measures:
        for parameter in _parameters(measure, wish):
            counted = measure.function(known, parameter)
            value, count, total, interval = (
                _percentile(counted, float(parameter or 0) / 100)
                if measure.method == "percentile"
                else _ratio(measure, counted, known, wish.seed)
            )
            yield OnlineRow(
                named(measure, parameter, variant=variant),
                value,
                count,
                total,
                interval,
                measure,
                parameter,
            )


def _ratio(measure: OnlineMeasure, counted: SessionCounts, known: Facts, seed: int) -> Numbers:
    sessions = known.log.sessions
    count = _by_session(counted.session, counted.count, sessions)
    total = _by_session(counted.session, counted.total, sessions)
    counts, totals, times = distinct(count, total)
    above, below = float(times @ counts), float(times @ totals)
    interval: Interval | None
    if measure.method == "none":
        return _whole(above), _whole(above), None, None
    if measure.method == "arrivals":
        below = known.hours if measure.of == "hours" else known.hours / 24
        interval = of_arrivals(count, below)
    elif measure.method == "wilson":
        interval = of_share(above, below)
    else:
        interval = _over_sessions(measure, count, total, seed)
    return above / below if below else 0.0, _whole(above), _whole(below), interval


def _by_session(session: Ints, values: Floats, sessions: int) -> Floats:
    sums: Floats = np.bincount(session, weights=values, minlength=sessions).astype(
        np.float64, copy=False
    )
    return sums


def _over_sessions(
    measure: OnlineMeasure, count: Floats, total: Floats, seed: int
) -> Interval | None:
    """Return the bootstrap's interval. Where all sessions say 0, or all 1, it sees no difference: Wilson with sessions as trials does."""
    telling = int(np.count_nonzero(total))
    if telling > 1 and measure.proportion and (not count.any() or np.array_equal(count, total)):
        return of_share(telling if count.any() else 0, telling)
    return by_sessions(count, total, seed=seed)


def _percentile(counted: SessionCounts, share: float) -> Numbers:
    values = counted.count
    if not len(values):
        return 0.0, 0, 0, None
    value = float(np.quantile(values, share))
    return (
        value,
        int((values <= value).sum()),
        len(values),
        of_percentile(counted.session, values, share),
    )


def _whole(number: float) -> int | float:
    return int(number) if number == int(number) else number


def _differences(
    first: list[OnlineRow], other: list[OnlineRow], name: str, minus: str
) -> Iterator[OnlineRow]:
    """Yield other − first, where both have anything to divide by."""
    for one, two in zip(first, other, strict=True):
        if one.total and two.total:
            interval = of_difference(two.value, two.interval, one.value, one.interval)
            measure = named(one.declaration, one.parameter, variant=name, minus=minus)
            yield OnlineRow(
                measure, two.value - one.value, None, None, interval, one.declaration, one.parameter
            )


def measure_log(
    path: Path | str | Sequence[Path | str], *, dwell: float = 30.0, rank: int = 10, seed: int = 1
) -> pd.DataFrame:
    """Compute session and click measures from a search log.

    Parameters
    ----------
    path
        A log in JSON lines or CSV, several of them that are one log, or a folder of them.
    dwell, rank, seed
        See `LogWish`.

    Returns
    -------
    pandas.DataFrame
        Columns measure, value, count, total, low, high, definition, a row for each number that `irjudge online` prints;
        low and high are the 95 % interval. What was strange in the log is in `attrs["remarks"]`.

    Raises
    ------
    IrjudgeError
        When a file or a parameter is wrong.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = Path(folder) / "log.csv"
    ...     _ = log.write_text("session,results,clicks\\na,10,2:40\\nb,10,\\n")
    ...     table = measure_log(log).set_index("measure")
    >>> table.value["SessionAbandonment"], table.value["SessionSuccess(dwell=30)"], table.value["CTR"]
    (np.float64(0.5), np.float64(0.5), np.float64(0.05))
    """
    paths = [path] if isinstance(path, Path | str) else path
    found = measured(read_log([Path(each) for each in paths]), LogWish(dwell, rank, seed))
    rows = [(*row.cells(), row.declaration.definition) for row in found.rows]
    table = pd.DataFrame(rows, columns=[*COLUMNS, *ENDS, "definition"])
    table.attrs["remarks"] = found.remarks
    return table
