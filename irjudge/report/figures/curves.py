"""Figures of curves, and the judged rankings from which they are computed."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    Evaluation,
    Policy,
    find_highest_grade,
    find_judged_ranks,
    join,
    warn_of_topics,
)
from irjudge.judging import QrelsChoice, read_project_qrels, select_qrels
from irjudge.message import JOINED_TEMPLATE, Message, format_count, join_messages
from irjudge.metrics import (
    PROFILE_RULES,
    Discount,
    Floats,
    JudgedRun,
    divide,
    gain_curves,
    precision_recall_levels,
    precision_recall_steps,
    topic_gain_curves,
)
from irjudge.model import JudgedRanking, Qrels, Run
from irjudge.progress import SILENT, Progress
from irjudge.report.figures.chart import (
    MAX_CHOSEN,
    Axis,
    Chart,
    Curve,
    FigureOptions,
    Line,
    LineSeries,
    figure,
)
from irjudge.stats import BINORMAL_PARAMETERS, BINORMAL_STEPS, fit_binormal
from irjudge.store import Project

# Input of curves: the grades of each run's judged documents, by rank


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRankings:
    """Rankings of several runs, matched with the same qrels under the same policy.

    They are the input of figures with curves, such as precision over recall.
    """

    runs: tuple[str, ...]  # names of the runs
    judged: tuple[JudgedRun, ...]  # judged documents of each run
    policy: Policy  # policy with which topics and documents were selected
    source: str = ""  # text that describes the qrels
    topics_chosen: bool = False  # whether the user selected the topics to evaluate

    @property
    def topics_warning(self) -> str:
        """Warning that averages are over different topics; empty if averages are comparable."""
        topics_by_run = {
            run: judged_run.topics for run, judged_run in zip(self.runs, self.judged, strict=True)
        }
        is_comparable = self.topics_chosen or len({*topics_by_run.values()}) < 2
        return "" if is_comparable else warn_of_topics(topics_by_run)

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics of at least one run, without duplicates."""
        return tuple(
            dict.fromkeys(topic for judged_run in self.judged for topic in judged_run.topics)
        )


def judge_rankings(
    qrels: Qrels,
    runs: Iterable[Run | JudgedRanking],
    policy: Policy | None = None,
    *,
    highest: int | None = None,
    source: str = "",
    total: int | None = None,
    progress: Progress = SILENT,
) -> JudgedRankings:
    """Find the judged documents of each run; for the parameters see `evaluate_runs`.

    Runs are read one at a time. Raises IrjudgeError if two runs have the same name.
    """
    policy = policy or Policy()
    scale = find_highest_grade(qrels, policy, highest).grade
    judged_runs: dict[str, JudgedRun] = {}
    for run in runs:
        if run.name in judged_runs:
            raise IrjudgeError(
                "Two runs are named {run}, so their curves could not be distinguished.",
                run=run.name,
            )
        hits = (
            run
            if isinstance(run, JudgedRanking)
            else find_judged_ranks(
                policy.prepare(run), qrels, policy.ties, single_precision=policy.single_precision
            )
        )
        judged_runs[run.name] = join(
            hits,
            qrels,
            topics=policy.topics,
            rel=policy.rel,
            highest=scale,
            depth=policy.depth,
            only=policy.only,
        )
        progress.step(
            len(judged_runs), total, Message("Matched {run} with the qrels", run=run.name)
        )
    return JudgedRankings(tuple(judged_runs), tuple(judged_runs.values()), policy, source)


def judge_project_rankings(
    project: Project,
    policy: Policy | None = None,
    choice: QrelsChoice | None = None,
    progress: Progress = SILENT,
) -> JudgedRankings:
    """Find the judged documents of each run of a project.

    For the parameters see `evaluate_project`.
    """
    qrels_choice = choice or select_qrels(project)
    names = [run.name for run in project.rankings.runs()]
    return judge_rankings(
        read_project_qrels(project, qrels_choice),
        (project.rankings.run(name) for name in names),
        policy,
        highest=project.scale.highest,
        source=qrels_choice.description,
        total=len(names),
        progress=progress,
    )


def highlighted_runs(
    runs: Sequence[str], values: Sequence[float], requested_runs: Sequence[str]
) -> list[str]:
    """Return the names of the runs to highlight.

    They are the requested runs. If no runs are requested, they are all runs or, if there are many
    runs, only the run with the highest of `values`. Raises IrjudgeError if a requested run does not
    exist.
    """
    unknown_names = [name for name in requested_runs if name not in runs]
    if unknown_names:
        first_names = ", ".join(runs[:MAX_CHOSEN]) + (
            Message(" and {count} more", count=len(runs) - MAX_CHOSEN)
            if len(runs) > MAX_CHOSEN
            else ""
        )
        raise IrjudgeError(
            "There is no run {run!r} to show; expected one of {names}.",
            run=unknown_names[0],
            names=first_names or Message("none"),
        )
    if requested_runs or len(runs) <= MAX_CHOSEN:
        return list(requested_runs or runs)
    return [max(zip(runs, values, strict=True), key=lambda run_and_value: run_and_value[1])[0]]


def describe_policy(
    judged_rankings: JudgedRankings | Evaluation, *, is_average: bool = True
) -> str:
    """Return a caption text about the policy and the qrels of rankings or an evaluation.

    If `is_average` is True, the text warns if averages of runs are over different topics.
    """
    message = Message(
        "Evaluation settings: {policy}.{qrels}",
        policy=str(judged_rankings.policy),
        qrels=Message(" Qrels: {source}.", source=judged_rankings.source)
        if judged_rankings.source
        else "",
    )
    warning = judged_rankings.topics_warning if is_average else ""
    return (
        Message("{settings} {warning}", settings=message, warning=warning) if warning else message
    )


def require_runs(runs: Sequence[object], min_runs: int = 1) -> None:
    """Raise IrjudgeError if there are fewer than `min_runs` runs."""
    if len(runs) < min_runs:
        raise IrjudgeError(
            "This figure needs {minimum} or more, got {runs}.",
            minimum=format_count(min_runs, "run"),
            runs=len(runs),
        )


# Figures of curves: precision over recall, interpolated and raw, and gain by rank

Points = tuple[Floats, Floats]
COLUMNS = ("run", "recall", "precision")
# title of each curve, whether its gains are discounted, and whether they are divided by the gains
# of the ideal ranking
GAIN_CURVES: dict[Curve, tuple[str, bool, bool]] = {
    "cg": (Message("Cumulative gain"), False, False),
    "dcg": (Message("Discounted cumulative gain"), True, False),
    "ncg": (Message("Normalised cumulative gain"), False, True),
    "ndcg": (Message("Normalised discounted cumulative gain"), True, True),
}
DISCOUNT_DESCRIPTIONS = {
    None: Message("no discount"),
    "log2p1": Message("each gain divided by log2(rank + 1)"),
    "jk": Message("each gain from rank 2 on divided by log2(rank)"),
}
AVERAGING_DESCRIPTIONS = {
    "topics": Message("Mean of the topics' ratios"),
    "ratio": Message("Average gain divided by average ideal gain"),
}


@figure(
    "precision-recall",
    title="Precision–recall curve",
    input_kind="rankings",
    options=("runs", "topic", "levels", "fit"),
)
def precision_recall(judged_rankings: JudgedRankings, options: FigureOptions) -> Chart:
    """Return a chart of interpolated precision at 11 or 101 recall levels, for one topic or
    averaged over all topics.
    """
    policy = judged_rankings.policy
    rule = PROFILE_RULES[policy.profile].rule or "max"

    def curve(judged_run: JudgedRun) -> Points:
        levels = precision_recall_levels(
            judged_run, levels=options.levels, rel=policy.rel, rule=rule
        )
        return levels.recall, levels.mean if options.topic is None else levels.precision[
            topic_index(judged_run, options.topic)
        ]

    lines, fit_text = _add_fitted_curves(_make_run_lines(judged_rankings, options, curve), options)
    caption = Message(
        "Interpolated at {levels} recall levels: for each level, the highest precision at that "
        "recall or above.",
        levels=options.levels,
    )
    return Chart(
        Message(
            "Precision–recall curve, {topics}", topics=_describe_topics(judged_rankings, options)
        ),
        Message(
            "{caption}{fitted} {basis}",
            caption=caption,
            fitted=fit_text,
            basis=_describe_runs_and_policy(judged_rankings, options),
        ),
        Axis(Message("Recall"), 0, 1),
        Axis(Message("Interpolated precision"), 0, 1),
        LineSeries(lines),
        COLUMNS,
    )


@figure(
    "precision-recall-raw",
    title="Precision–recall curve, not interpolated",
    input_kind="rankings",
    options=("runs", "topic", "ranks", "fit"),
)
def precision_recall_raw(judged_rankings: JudgedRankings, options: FigureOptions) -> Chart:
    """Return a chart of precision and recall along the ranking: at each relevant document of a
    topic, or averaged at each rank.

    For one topic, the interpolated curve of each highlighted run is drawn as a guide.
    """
    rel, topic = judged_rankings.policy.rel, options.topic
    if topic is None:
        depth = _find_last_rank(judged_rankings, options)
        lines = _make_run_lines(
            judged_rankings,
            options,
            lambda judged_run: _make_curve_at_ranks(judged_run, rel, depth),
        )
        caption = Message(
            "One point for each rank from 1 to {depth}: average recall and precision at that rank.",
            depth=depth,
        )
    else:
        lines = _make_run_lines(
            judged_rankings, options, lambda judged_run: _make_curve_at_hits(judged_run, topic, rel)
        )
        judged_by_run = dict(zip(judged_rankings.runs, judged_rankings.judged, strict=True))
        lines += tuple(
            _make_interpolated_guide(line, judged_by_run[line.name], topic, rel)
            for line in lines
            if line.role == "chosen"
        )
        caption = Message(
            "One point for each relevant document retrieved; the stepped line is the "
            "interpolated curve."
        )
    lines, fit_text = _add_fitted_curves(lines, options)
    return Chart(
        Message(
            "Precision–recall curve, not interpolated, {topics}",
            topics=_describe_topics(judged_rankings, options),
        ),
        Message(
            "{caption}{fitted} {basis}",
            caption=caption,
            fitted=fit_text,
            basis=_describe_runs_and_policy(judged_rankings, options),
        ),
        Axis(Message("Recall"), 0, 1),
        Axis(Message("Precision"), 0, 1),
        LineSeries(lines),
        COLUMNS,
    )


@figure(
    "gain",
    title="Gain by rank",
    input_kind="rankings",
    options=("runs", "topic", "curve", "discount", "averaging", "ranks"),
)
def gain_curves_chart(judged_rankings: JudgedRankings, options: FigureOptions) -> Chart:
    """Return a chart of CG, DCG, NCG or nDCG by rank, with the ideal values, for one topic or
    averaged over all topics.
    """
    title, discounted, normalised = GAIN_CURVES[options.curve]
    discount = options.discount if discounted else None
    depth = _find_last_rank(judged_rankings, options)

    def compute_values(judged_run: JudgedRun) -> tuple[Floats, Floats]:
        return _compute_gain_curve(judged_run, options, discount, normalised, depth)[:2]

    lines = _make_run_lines(judged_rankings, options, compute_values)
    judged_by_run = dict(zip(judged_rankings.runs, judged_rankings.judged, strict=True))
    highlighted = [line for line in lines if line.role == "chosen"]
    ideals = [
        _compute_gain_curve(judged_by_run[line.name], options, discount, normalised, depth)
        for line in highlighted
    ]
    lines += _make_ideal_lines(highlighted, [(x, ideal) for x, _, ideal in ideals])
    averaging_text = (
        Message(" {averaging}.", averaging=AVERAGING_DESCRIPTIONS[options.averaging])
        if normalised and options.topic is None
        else ""
    )
    short_name = options.curve.upper().replace("NDCG", "nDCG")
    return Chart(
        Message(
            "{title}, {topics}", title=title, topics=_describe_topics(judged_rankings, options)
        ),
        Message(
            (
                "Ratings are used as gains; {discount}.{averaging} {basis}"
                if any(judged_run.hit_gain is not None for judged_run in judged_rankings.judged)
                else "Grades are used as gains; {discount}.{averaging} {basis}"
            ),
            discount=DISCOUNT_DESCRIPTIONS[discount],
            averaging=averaging_text,
            basis=_describe_runs_and_policy(judged_rankings, options),
        ),
        Axis(Message("Rank"), 1 if depth > 1 else 0, max(depth, 2), is_integer=True),
        Axis(short_name, 0, 1.02 if normalised else None),
        LineSeries(lines),
        ("run", "rank", short_name),
    )


def _make_ideal_lines(
    highlighted: Sequence[Line], ideals: Sequence[tuple[Floats, Floats]]
) -> tuple[Line, ...]:
    """Return a line of the ideal values of each highlighted run, or one line if all are equal."""
    has_one_ideal = all(np.allclose(ideal, ideals[0][1]) for _, ideal in ideals)
    return tuple(
        Line(
            "ideal" if has_one_ideal else Message("ideal for {line}", line=line.name),
            x,
            ideal,
            "guide",
            line.hue,
        )
        for line, (x, ideal) in list(zip(highlighted, ideals, strict=True))[
            : 1 if has_one_ideal else None
        ]
    )


def topic_index(judged_run: JudgedRun, topic: str) -> int:
    """Return the index of a topic in a judged run; raise IrjudgeError if the run lacks it."""
    if topic not in judged_run.topics:
        raise IrjudgeError("Topic {topic!r} was not evaluated.", topic=topic)
    return judged_run.topics.index(topic)


def _make_run_lines(
    judged_rankings: JudgedRankings, options: FigureOptions, curve: Callable[[JudgedRun], Points]
) -> tuple[Line, ...]:
    """Return a line for each run; if `options.topic` is given, only for runs with this topic.

    Lines of highlighted runs are last, in the order of `options`. Raises IrjudgeError if there
    are no runs, or if no run has the topic.
    """
    require_runs(judged_rankings.runs)
    if options.topic is not None and options.topic not in judged_rankings.topics:
        raise IrjudgeError(
            "Topic {topic!r} was not evaluated; expected one of {topics}.",
            topic=options.topic,
            topics=_format_name_list(judged_rankings.topics),
        )
    has_topic = [
        options.topic is None or options.topic in judged_run.topics
        for judged_run in judged_rankings.judged
    ]
    points_by_run = {
        run: curve(judged_run)
        for run, judged_run, is_present in zip(
            judged_rankings.runs, judged_rankings.judged, has_topic, strict=True
        )
        if is_present
    }
    heights = [
        float(np.mean(points_by_run[run][1]))
        if run in points_by_run and len(points_by_run[run][1])
        else -1.0
        for run in judged_rankings.runs
    ]
    highlighted = highlighted_runs(judged_rankings.runs, heights, options.runs)
    background_lines = [
        Line(run, *points, "quiet")
        for run, points in points_by_run.items()
        if run not in highlighted
    ]
    return (
        *background_lines,
        *(
            Line(run, *points_by_run[run], "chosen", hue)
            for hue, run in enumerate(highlighted)
            if run in points_by_run
        ),
    )


def _add_fitted_curves(
    lines: tuple[Line, ...], options: FigureOptions
) -> tuple[tuple[Line, ...], str]:
    """Return the lines and the curves fitted to them, and a caption text about the fits.

    Curves are fitted only if the options request fits, and only to highlighted lines.
    """
    if options.fit == "none":
        return lines, ""
    recall = (np.arange(BINORMAL_STEPS) + 0.5) / BINORMAL_STEPS
    highlighted_lines = [line for line in lines if line.role == "chosen"]
    fitted = [
        (line, fit_binormal(line.x, line.y))
        for line in highlighted_lines
        if len(np.unique(line.x[line.x > 0])) >= BINORMAL_PARAMETERS
    ]
    curves = (
        Line(
            Message("{line}, binormal", line=line.name),
            recall,
            fit.precision(recall),
            "guide",
            line.hue,
        )
        for line, fit in fitted
    )
    areas = join_messages(
        Message("{run} {area:.4f} ({error:.4f})", run=line.name, area=fit.area, error=fit.error)
        for line, fit in fitted
    )
    unfitted_names = join_messages(
        line.name for line in highlighted_lines if line not in [name for name, _ in fitted]
    )
    is_extrapolated = any(line.x.max() < 1 for line, _ in fitted)
    notes = _list_fit_notes(areas, unfitted_names, is_extrapolated=is_extrapolated)
    return (*lines, *curves), join_messages(notes, JOINED_TEMPLATE)


def _list_fit_notes(areas: str, unfitted_names: str, *, is_extrapolated: bool) -> Iterator[str]:
    """Yield caption texts about fitted curves: areas, extrapolation, and runs without a fit."""
    if areas:
        yield Message(
            " Area under the binormal curve (in parentheses: root-mean-square distance from the "
            "points): {areas}.",
            areas=areas,
        )
    if is_extrapolated:
        yield Message(
            " Beyond the last point of a run, the curve and the area under it are extrapolated "
            "by the binormal model.",
            key="extrapolated",
        )
    if unfitted_names:
        yield Message(
            " Too few points for a binormal curve: {runs}.",
            key="too-few-points",
            runs=unfitted_names,
        )


def _find_last_rank(judged_rankings: JudgedRankings, options: FigureOptions) -> int:
    """Return the last rank to show: `options.ranks`, or the longest ranking's length if lower.

    Raises IrjudgeError if `options.ranks` is below 1.
    """
    if options.ranks < 1:
        raise IrjudgeError(
            "The number of ranks must be at least 1, got {ranks}.", ranks=options.ranks
        )
    return min(
        options.ranks,
        max(
            (int(judged_run.n_retrieved.max(initial=1)) for judged_run in judged_rankings.judged),
            default=1,
        ),
    )


def _make_curve_at_ranks(judged_run: JudgedRun, rel: int, ranks: int) -> Points:
    """Return a run's recall and precision at ranks 1 to `ranks`, averaged over topics."""
    hits = judged_run.relevant_hits(rel, ranks)
    counts = np.zeros((len(judged_run), ranks))
    counts[hits.topic, hits.rank - 1] = 1
    hit_counts = np.cumsum(counts, axis=1)
    topics = max(1, len(judged_run))
    recall = divide(hit_counts, judged_run.n_relevant(rel)[:, None]).sum(axis=0) / topics
    return recall, hit_counts.sum(axis=0) / np.arange(1, ranks + 1) / topics


def _make_curve_at_hits(judged_run: JudgedRun, topic: str, rel: int) -> Points:
    steps = precision_recall_steps(judged_run, rel=rel)
    is_in_topic = steps.topic == topic_index(judged_run, topic)
    return steps.recall[is_in_topic], steps.precision[is_in_topic]


def _make_interpolated_guide(line: Line, judged_run: JudgedRun, topic: str, rel: int) -> Line:
    recall, height = precision_recall_steps(judged_run, rel=rel).curve_of_topic(
        topic_index(judged_run, topic)
    )
    return Line(Message("{line}, interpolated", line=line.name), recall, height, "guide", line.hue)


def _compute_gain_curve(
    judged_run: JudgedRun,
    options: FigureOptions,
    discount: Discount | None,
    normalised: bool,
    depth: int,
) -> tuple[Floats, Floats, Floats]:
    """Return ranks 1 to `depth`, and the values of a run and of the ideal ranking at each rank."""
    if options.topic is not None:
        topic_row = topic_index(judged_run, options.topic)
        gain, ideal = (
            curve[topic_row]
            for curve in topic_gain_curves(judged_run, depth=depth, discount=discount)
        )
        ratio = divide(gain, ideal)
    else:
        curves = gain_curves(judged_run, depth=depth, discount=discount, mean=options.averaging)
        gain, ideal, ratio = curves.gain, curves.ideal, curves.normalised
    ranks = np.arange(1.0, depth + 1)
    return (ranks, ratio, np.ones(depth)) if normalised else (ranks, gain, ideal)


def _describe_topics(judged_rankings: JudgedRankings, options: FigureOptions) -> str:
    if options.topic is not None:
        return Message("topic {topic}", topic=options.topic)
    return Message(
        "average over {topics}",
        topics=format_topic_counts([len(judged) for judged in judged_rankings.judged]),
    )


def format_topic_counts(counts: Sequence[int]) -> str:
    """Return a text with the number of topics of the runs, or the range if the numbers differ.

    >>> format_topic_counts([50, 50]), format_topic_counts([49, 50]), format_topic_counts([1])
    ('50 topics', '49 to 50 topics', '1 topic')
    """
    low, high = min(counts, default=0), max(counts, default=0)
    if low == high:
        return Message("1 topic") if low == 1 else Message("{count:,} topics", count=low)
    return Message("{low:,} to {high:,} topics", low=low, high=high)


def _describe_runs_and_policy(judged_rankings: JudgedRankings, options: FigureOptions) -> str:
    count = len(judged_rankings.runs)
    values = {
        "topics": _describe_topics(judged_rankings, options),
        "policy": describe_policy(judged_rankings, is_average=options.topic is None),
    }
    if count == 1:
        return Message("1 run, {topics}. {policy}", **values)
    return Message("{runs:,} runs, {topics}. {policy}", runs=count, **values)


def _format_name_list(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (
        Message(" and {count:,} more", count=len(names) - 5) if len(names) > 5 else ""
    ) or Message("none")
