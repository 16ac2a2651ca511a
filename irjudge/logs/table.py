"""Table of the measures of a search log, with intervals and differences of variants."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pandas as pd

from irjudge.errors import MeasureError
from irjudge.formats import read_log
from irjudge.logs.measures import (
    MEASURES,
    NEEDS,
    LogView,
    Need,
    OnlineMeasure,
    SessionCounts,
    make_log_view,
)
from irjudge.model import Floats, Ints, Longs, SearchLog
from irjudge.stats import DEFAULT_LEVEL, DEFAULT_QUANTILE, wilson_interval

# 95 % confidence intervals. Sessions are assumed to be independent; queries in a session are not.

Interval: TypeAlias = tuple[float, float]

DEFAULT_LOG_SAMPLES = 2000
MAX_VALUES_PER_BLOCK = 1 << 20  # maximum number of resampled values in memory
# Minimum number of sessions per distinct pair of count and total for which sessions with the same
# pair are resampled together. Resampling a pair takes as long as resampling 8 sessions.
MIN_REPEATS_PER_PAIR = 8


def share_interval(count: float, total: float) -> Interval | None:
    """Return Wilson's score interval for a share of independent trials; None without trials.

    >>> [round(end, 4) for end in share_interval(61, 100)]
    [0.512, 0.6998]
    """
    low, high = wilson_interval(count, total)
    return (float(low), float(high)) if total else None


def count_distinct_pairs(count: Floats, total: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the distinct pairs of count and total, sorted, and how often each occurs.

    `count` and `total` have one element per session. Results computed from the pairs are identical,
    bit for bit, for any order of the sessions.

    >>> count_distinct_pairs(np.array([1.0, 0.0, 1.0]), np.array([2.0, 1.0, 2.0]))
    (array([0., 1.]), array([1., 2.]), array([1., 2.]))
    """
    pairs, times = np.unique(count + 1j * total, return_counts=True)
    return pairs.real, pairs.imag, times.astype(np.float64)


def session_bootstrap_interval(
    count: Floats, total: Floats, *, seed: int, samples: int = DEFAULT_LOG_SAMPLES
) -> Interval | None:
    """Return the percentile bootstrap interval of sum(count) / sum(total) over sessions.

    Both arrays have one element per session, shape (S,). Complete sessions are resampled: queries
    and results in a session depend on the same user and information need, so that an interval for
    independent queries would be too narrow. Sessions with the same count and total are resampled
    together, which is fast for a million sessions. Resamples with a total of 0 are omitted. With
    the same seed, the interval is the same for every order of the sessions. If necessary, it is
    widened to include the value. The result is None if fewer than two sessions have a total above
    0.

    >>> low, high = session_bootstrap_interval(np.array([1.0, 0.0, 2.0, 1.0]), np.array([2.0, 1.0, 2.0, 4.0]), seed=1)
    >>> low <= 4 / 9 <= high
    True
    """
    if np.count_nonzero(total) < 2:
        return None
    counts, totals, times = count_distinct_pairs(count, total)
    count_sums, total_sums = _resample_sums(
        counts, totals, times.astype(np.int64), np.random.default_rng(seed), samples
    )
    is_defined = total_sums > 0
    low, high = np.quantile(
        count_sums[is_defined] / total_sums[is_defined],
        [(1 - DEFAULT_LEVEL) / 2, (1 + DEFAULT_LEVEL) / 2],
    ).tolist()
    value = float(times @ counts) / float(times @ totals)
    return min(low, value), max(high, value)


def _resample_sums(
    counts: Floats, totals: Floats, times: Longs, random: np.random.Generator, samples: int
) -> tuple[Floats, Floats]:
    """Return the sum of counts and the sum of totals of each resample, shape (samples,) each.

    `times` is the number of sessions with each distinct pair of count and total.
    """
    sessions, distinct_pairs = int(times.sum()), len(times)
    resamples_sessions = sessions < MIN_REPEATS_PER_PAIR * distinct_pairs
    unit_counts, unit_totals = (
        (np.repeat(counts, times), np.repeat(totals, times))
        if resamples_sessions
        else (counts, totals)
    )
    count_sums, total_sums = np.empty(samples), np.empty(samples)
    block_size = max(1, MAX_VALUES_PER_BLOCK // len(unit_counts))
    for begin in range(0, samples, block_size):
        block = slice(begin, min(begin + block_size, samples))
        size = block.stop - begin
        if resamples_sessions:
            indices = random.integers(0, sessions, (size, sessions), dtype=np.int32)
            count_sums[block], total_sums[block] = (
                unit_counts[indices].sum(axis=1),
                unit_totals[indices].sum(axis=1),
            )
        else:
            resample_counts = random.multinomial(sessions, times / sessions, size=size)
            count_sums[block], total_sums[block] = (
                resample_counts @ unit_counts,
                resample_counts @ unit_totals,
            )
    return count_sums, total_sums


def percentile_interval(session: Ints, values: Floats, share: float) -> Interval | None:
    """Return Woodruff's interval for a percentile of values that are clustered in sessions.

    The method computes an interval for the share of values at or below the percentile, which varies
    between sessions, and converts the ends of this interval to values.

    Parameters
    ----------
    session
        Shape (N,): the session of each value.
    values
        Shape (N,).
    share
        Percentile as a fraction, such as 0.95 for the 95th.

    Returns
    -------
    Interval or None
        Interval of the percentile; None if there are fewer than two sessions.

    References
    ----------
    Woodruff (1952), Confidence intervals for medians and other position measures, JASA 47.

    Examples
    --------
    >>> [round(end, 4) for end in percentile_interval(np.arange(4), np.array([1.0, 2.0, 3.0, 4.0]), 0.5)]
    [1.0, 4.0]
    """
    _, session_index = np.unique(session, return_inverse=True)
    sessions = int(session_index.max(initial=-1)) + 1
    if sessions < 2:
        return None
    deviation = (values <= np.quantile(values, share)) - share
    # sorted, so that the sum is the same for every order of the sessions
    session_sums = np.sort(np.bincount(session_index, weights=deviation))
    standard_error = math.sqrt(sessions / (sessions - 1) * float((session_sums**2).sum())) / len(
        values
    )
    ends = np.quantile(
        values,
        [
            max(0.0, share - DEFAULT_QUANTILE * standard_error),
            min(1.0, share + DEFAULT_QUANTILE * standard_error),
        ],
    )
    return float(ends[0]), float(ends[1])


def arrival_rate_interval(count: Floats, hours: float) -> Interval | None:
    """Return the 95 % confidence interval of queries per hour, for independent sessions.

    The interval is (sum(count) ± 1.96 sqrt(sum(count²))) / hours, at least 0, where `count` is the
    number of queries of each session, shape (S,). The result is None if `hours` is 0.

    >>> [round(end, 4) for end in arrival_rate_interval(np.array([3.0, 4.0]), 2.0)]
    [0.0, 8.3999]
    """
    if not hours:
        return None
    half_width = DEFAULT_QUANTILE * math.sqrt(float(np.sort(count**2).sum()))
    total = float(count.sum())
    return max(0.0, total - half_width) / hours, (total + half_width) / hours


def difference_interval(
    value: float, interval: Interval | None, other_value: float, other_interval: Interval | None
) -> Interval | None:
    """Return the interval of value − other_value, given intervals of two independent values.

    For two proportions with Wilson's intervals, this is Newcombe's method 10.

    References
    ----------
    Zou and Donner (2008), Construction of confidence limits about effect measures, Statistics in
    Medicine 27. Newcombe (1998), Interval estimation for the difference between independent
    proportions, ibid. 17.

    Examples
    --------
    >>> [round(end, 4) for end in difference_interval(56 / 70, share_interval(56, 70), 48 / 80, share_interval(48, 80))]
    [0.0524, 0.3339]
    """
    if interval is None or other_interval is None:
        return None
    low = math.hypot(value - interval[0], other_interval[1] - other_value)
    high = math.hypot(interval[1] - value, other_value - other_interval[0])
    return value - other_value - low, value - other_value + high


# Table of the measures of a log, with intervals and comparisons of variants

Parameter: TypeAlias = int | float | None
Numbers: TypeAlias = tuple[int | float, int | float | None, int | float | None, Interval | None]

MEASURE_COLUMNS = ("measure", "value", "count", "total")
LOW_HIGH_COLUMNS = ("low", "high")
PERCENTILES = (50, 90, 95, 99)


@dataclass(frozen=True, slots=True)
class LogOptions:
    """Options for computing the measures of a search log."""

    # minimum dwell time, in seconds, of a click that makes a session a success; at least 0
    dwell: float = 30.0
    rank: int = 10  # CTR@1 to CTR@rank are computed; 0 for no CTR@k
    seed: int = 1  # random seed of the bootstrap, at least 0

    def __post_init__(self) -> None:
        if not 0 <= self.dwell < np.inf:
            raise MeasureError(
                "The dwell time must be 0 or more seconds, got {dwell}.", dwell=self.dwell
            )
        if not 0 <= self.rank <= 1000:
            raise MeasureError("rank must be 0 to 1000, got {rank}.", rank=self.rank)
        if self.seed < 0:
            raise MeasureError("seed must be 0 or more, got {seed}.", seed=self.seed)


@dataclass(frozen=True, slots=True)
class OnlineRow:
    """Row of the table of measures, for a log, a variant, or the difference of two variants."""

    measure: str  # name of the measure with its parameters
    # count / total, or 0 if total is 0; milliseconds for a latency; for a difference, the value of
    # one variant minus the value of the other
    value: int | float
    # sum of the counts; for a latency, number of queries that do not exceed it; None for a
    # difference
    count: int | float | None
    # sum of the totals, or number of hours, days or queries; None for a difference, and for a
    # measure that is only a count
    total: int | float | None
    # 95 % interval; None for a measure that is only a count, and if there are too few sessions
    interval: Interval | None
    declaration: OnlineMeasure  # registered measure
    parameter: Parameter  # value of the measure's parameter

    def cells(self) -> tuple[str | int | float | None, ...]:
        """Return the values of the columns `MEASURE_COLUMNS` and `LOW_HIGH_COLUMNS`."""
        low, high = self.interval or (None, None)
        return self.measure, self.value, self.count, self.total, low, high


@dataclass(frozen=True, slots=True)
class OnlineTable:
    """Result of computing the measures of a search log: rows of a table, and warnings.

    There are rows for the whole log and, if it has variants of the search engine, for each variant
    and for the difference of each variant from the first variant by name. Measures for which the
    log lacks data are omitted.
    """

    rows: tuple[OnlineRow, ...]
    warnings: tuple[str, ...]


def compute_online_measures(log: SearchLog, options: LogOptions | None = None) -> OnlineTable:
    """Compute all measures for which the log has data.

    The measures are computed for all queries and, if the log has variants, for each variant and for
    its difference from the variant whose name sorts first. Values are never NaN, and do not depend
    on the order of the sessions.

    >>> from irjudge.formats.search_log_events import LogRows
    >>> from irjudge.formats.search_logs import make_search_log
    >>> rows = LogRows()
    >>> for row in ({"session": "a", "results": 10, "clicks": [{"rank": 2}]}, {"session": "b", "results": 0}):
    ...     rows.add(row)
    >>> [(row.measure, row.value) for row in compute_online_measures(make_search_log(rows)).rows if row.measure in ("SessionAbandonment", "CTR")]
    [('SessionAbandonment', 0.5), ('CTR', 0.1)]
    """
    options = options or LogOptions()
    known_times = log.time[~np.isnan(log.time)]
    hours = float(known_times.max() - known_times.min()) / 3600 if len(known_times) else 0.0
    missing_needs = _find_missing_data(log)
    measures = [measure for measure in MEASURES if measure.need not in missing_needs]
    rows = list(_iter_rows(make_log_view(log, options.dwell, hours), measures, options, ""))
    variants = [
        list(
            _iter_rows(
                make_log_view(log.of_variant(code), options.dwell, hours), measures, options, name
            )
        )
        for code, name in enumerate(log.variants)
    ]
    rows += [row for variant_rows in variants for row in variant_rows]
    for name, other_rows in zip(log.variants[1:], variants[1:], strict=True):
        rows += _iter_differences(variants[0], other_rows, name, log.variants[0])
    return OnlineTable(
        tuple(rows),
        (
            *log.warnings,
            *(
                f"Skipped: {', '.join(measure.name for measure in MEASURES if measure.need == need)}, "
                f"because {NEEDS[need]}."
                for need in missing_needs
            ),
            *_iter_mixed_session_warnings(log),
        ),
    )


def _find_missing_data(log: SearchLog) -> list[Need]:
    """Return the kinds of data that measures need and that are missing in a log.

    Dwell times do not count as missing if the log has no clicks or has explicit actions.
    """
    is_missing: dict[Need, bool] = {
        "results": bool((log.shown < 0).all()),
        "dwell": (
            len(log.click) > 0 and not log.has_explicit_actions and bool(np.isnan(log.dwell).all())
        ),
        "time": bool(np.isnan(log.time).all()),
        "latency": bool(np.isnan(log.latency).all()),
    }
    return [need for need, missing in is_missing.items() if missing]


def _iter_mixed_session_warnings(log: SearchLog) -> Iterator[str]:
    has_variant = log.variant >= 0
    pairs = np.unique(log.session[has_variant].astype(np.int64) << 32 | log.variant[has_variant])
    mixed_sessions = int((np.unique(pairs >> 32, return_counts=True)[1] > 1).sum())
    if mixed_sessions:
        subject = "1 session has" if mixed_sessions == 1 else f"{mixed_sessions:,} sessions have"
        yield f"{subject} queries of several variants; intervals of differences assume independent variants."


def format_measure_name(measure: OnlineMeasure, parameter: Parameter, **suffix: str) -> str:
    """Return the name of a measure with its parameter, as shown in tables.

    >>> by_name = {each.name: each for each in MEASURES}
    >>> format_measure_name(by_name["SessionSuccess"], 30.0), format_measure_name(by_name["CTR@k"], 3, variant="B")
    ('SessionSuccess(dwell=30)', 'CTR(variant=B)@3')
    """
    name, rank_suffix, _ = measure.name.partition("@")
    parameters = [f"{key}={value}" for key, value in suffix.items() if value]
    if parameter is not None and not rank_suffix:
        parameters.insert(0, f"{measure.parameter}={parameter:g}")
    return (
        name
        + (f"({','.join(parameters)})" if parameters else "")
        + (f"@{parameter}" if rank_suffix else "")
    )


def _iter_rows(
    view: LogView, measures: list[OnlineMeasure], options: LogOptions, variant: str
) -> Iterator[OnlineRow]:
    parameters: dict[str | None, Sequence[Parameter]] = {
        None: [None],
        "dwell": [options.dwell],
        "rank": range(1, options.rank + 1),
        "p": PERCENTILES,
    }
    for measure in measures:
        for parameter in parameters[measure.parameter]:
            session_counts = measure.function(view, parameter)
            value, count, total, interval = (
                _compute_percentile(session_counts, float(parameter or 0) / 100)
                if measure.method == "percentile"
                else _compute_ratio(measure, session_counts, view, options.seed)
            )
            yield OnlineRow(
                format_measure_name(measure, parameter, variant=variant),
                value,
                count,
                total,
                interval,
                measure,
                parameter,
            )


def _compute_ratio(
    measure: OnlineMeasure, session_counts: SessionCounts, view: LogView, seed: int
) -> Numbers:
    sessions = view.log.sessions
    count = _sum_by_session(session_counts.session, session_counts.count, sessions)
    total = _sum_by_session(session_counts.session, session_counts.total, sessions)
    counts, totals, times = count_distinct_pairs(count, total)
    count_sum, total_sum = float(times @ counts), float(times @ totals)
    interval: Interval | None
    if measure.method == "none":
        return _to_whole(count_sum), _to_whole(count_sum), None, None
    if measure.method == "arrivals":
        total_sum = view.hours if measure.denominator == "hours" else view.hours / 24
        interval = arrival_rate_interval(count, total_sum)
    elif measure.method == "wilson":
        interval = share_interval(count_sum, total_sum)
    else:
        interval = _compute_session_interval(measure, count, total, seed)
    return (
        count_sum / total_sum if total_sum else 0.0,
        _to_whole(count_sum),
        _to_whole(total_sum),
        interval,
    )


def _sum_by_session(session: Ints, values: Floats, sessions: int) -> Floats:
    return np.bincount(session, weights=values, minlength=sessions).astype(np.float64, copy=False)


def _compute_session_interval(
    measure: OnlineMeasure, count: Floats, total: Floats, seed: int
) -> Interval | None:
    """Return the interval of a measure, computed by resampling sessions.

    If a proportion is 0 in all sessions, or 1 in all, resamples do not vary. In this case the
    result is Wilson's interval, with sessions as trials.
    """
    sessions_with_total = int(np.count_nonzero(total))
    if (
        sessions_with_total > 1
        and measure.proportion
        and (not count.any() or np.array_equal(count, total))
    ):
        return share_interval(sessions_with_total if count.any() else 0, sessions_with_total)
    return session_bootstrap_interval(count, total, seed=seed)


def _compute_percentile(session_counts: SessionCounts, share: float) -> Numbers:
    values = session_counts.count
    if not len(values):
        return 0.0, 0, 0, None
    value = float(np.quantile(values, share))
    return (
        value,
        int((values <= value).sum()),
        len(values),
        percentile_interval(session_counts.session, values, share),
    )


def _to_whole(value: float) -> int | float:
    return int(value) if value == int(value) else value


def _iter_differences(
    baseline: list[OnlineRow], compared: list[OnlineRow], name: str, baseline_name: str
) -> Iterator[OnlineRow]:
    """Yield the difference of `compared` and `baseline` for each measure.

    Measures whose total is 0 or None in either variant are omitted.
    """
    for baseline_row, compared_row in zip(baseline, compared, strict=True):
        if baseline_row.total and compared_row.total:
            interval = difference_interval(
                compared_row.value, compared_row.interval, baseline_row.value, baseline_row.interval
            )
            measure = format_measure_name(
                baseline_row.declaration, baseline_row.parameter, variant=name, minus=baseline_name
            )
            yield OnlineRow(
                measure,
                compared_row.value - baseline_row.value,
                None,
                None,
                interval,
                baseline_row.declaration,
                baseline_row.parameter,
            )


def measure_log(
    path: Path | str | Sequence[Path | str], *, dwell: float = 30.0, rank: int = 10, seed: int = 1
) -> pd.DataFrame:
    """Compute session and click measures from a search log.

    Parameters
    ----------
    path
        A log in JSON lines or CSV, several files of one log, or a folder of such files.
    dwell, rank, seed
        See `LogOptions`.

    Returns
    -------
    pandas.DataFrame
        The columns are measure, value, count, total, low, high and definition. There is a row for
        each measure that `irjudge online` prints; low and high are the ends of its 95 % interval.
        Warnings are in `attrs["remarks"]`.

    Raises
    ------
    IrjudgeError
        If a file or a parameter is invalid.

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
    result = compute_online_measures(
        read_log([Path(path) for path in paths]), LogOptions(dwell, rank, seed)
    )
    rows = [(*row.cells(), row.declaration.definition) for row in result.rows]
    table = pd.DataFrame(rows, columns=[*MEASURE_COLUMNS, *LOW_HIGH_COLUMNS, "definition"])
    table.attrs["remarks"] = result.warnings
    return table
