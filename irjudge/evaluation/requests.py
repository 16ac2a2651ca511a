"""Requests for evaluations: the options that `evaluate`, `compare`, `report` and others share."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

from irjudge.evaluation.judged_runs import (
    TOPIC_POLICIES,
    TOPIC_POLICY_DESCRIPTIONS,
    TopicPolicy,
)
from irjudge.evaluation.table import AVERAGE_DESCRIPTIONS, AVERAGES, Average, Policy
from irjudge.formats.rankings import ReadingRequest
from irjudge.metrics import PROFILES, RULES, Profile
from irjudge.model import TIES, TIES_MEANING, Ties
from irjudge.options import (
    ClusterOption,
    OnlyOption,
    Option,
    SourceOption,
    describe_choices,
)

DEFAULT_MEASURES = ("AP", "P@10", "nDCG@10", "RR")

RelOption = Annotated[int, Option("Minimum grade counted as relevant.", minimum=1)]
PerTopicOption = Annotated[
    bool,
    Option("Print a row for each topic, not only their mean.", flags=("-q", "--per-topic")),
]
TopicsOption = Annotated[TopicPolicy, Option("Topics to average over.", choices=TOPIC_POLICIES)]
TiesOption = Annotated[Ties, Option("Order of documents with equal scores.", choices=TIES)]


@dataclass(frozen=True, slots=True, kw_only=True)
class QrelsRequest:
    """Options for reading qrels and selecting topics."""

    only: OnlyOption = ""
    reading: ReadingRequest = field(default_factory=ReadingRequest)
    which: SourceOption = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkersRequest:
    """Option that selects where work is run."""

    cluster: ClusterOption = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSettings:
    """Options for measures and policy."""

    measures: Annotated[
        tuple[str, ...],
        Option(
            f"Measure or group; may be repeated. [default: {' '.join(DEFAULT_MEASURES)}]",
            flags=("-m", "--measure"),
        ),
    ] = ()
    topics: Annotated[
        TopicPolicy,
        Option(describe_choices(TOPIC_POLICY_DESCRIPTIONS), choices=TOPIC_POLICIES),
    ] = "both"
    ties: Annotated[Ties, Option(describe_choices(TIES_MEANING), choices=TIES)] = "trec"
    reading: ReadingRequest = field(default_factory=ReadingRequest)
    which: SourceOption = None
    rel: RelOption = 1
    highest: Annotated[
        int | None,
        Option(
            "Highest grade of the scale, for ERR, INST and others that divide by it. Default: "
            "that of the project's scale; for files, the highest in the qrels.",
            minimum=1,
        ),
    ] = None
    depth: Annotated[
        int | None, Option("Compare only the top DEPTH documents of each ranking.", minimum=1)
    ] = None
    exclude_query_id: Annotated[
        bool,
        Option(
            "Leave out a retrieved document that has the same id as its topic, as BEIR does "
            "where queries are also documents."
        ),
    ] = False
    profile: Annotated[
        Profile,
        Option(
            describe_choices({name: rules.meaning for name, rules in RULES.items()}),
            choices=PROFILES,
        ),
    ] = "irjudge"

    def measure_names(self) -> list[str]:
        """Return the names of the measures, splitting strings that contain several names."""
        return [name for each in self.measures for name in each.split()]

    def policy(self, only: str = "", *, average: Average = "macro") -> Policy:
        """Return the policy, restricted to the named topics if there are any."""
        return Policy(
            ties=self.ties,
            topics=self.topics,
            rel=self.rel,
            profile=self.profile,
            depth=self.depth,
            average=average,
            highest=self.highest,
            only=only,
            exclude_query_id=self.exclude_query_id,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationRequest:
    """Options of an evaluation: topics, measures and rules, and where it is run."""

    only: OnlyOption = ""
    settings: EvaluationSettings = field(default_factory=EvaluationSettings)
    cluster: ClusterOption = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalRequest:
    """Options for the intervals of means."""

    interval: Annotated[
        bool,
        Option("Add a 95 % interval of the mean, from 10,000 resamples of the topics."),
    ] = False
    seed: Annotated[
        int,
        Option(
            "Random seed, for reproducible results of --interval and --model.",
            minimum=0,
            show_default=True,
        ),
    ] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueChecks:
    """Options for storing values, and for failing if one is too low."""

    keep: Annotated[
        str | None,
        Option(
            "Save the values of all topics under a name, with the hash of every input: in "
            "the project, or next to QRELS in NAME.evaluations.jsonl. Nothing is saved if a "
            "value fails. A name can be reused; it then refers to the latest evaluation.",
            metavar="NAME",
        ),
    ] = None
    fail_below: Annotated[
        tuple[str, ...],
        Option(
            "Exit with code 3 if the value of a run is worse than this, for example "
            "nDCG@10=0.45: below it, or above it for measures where lower is better; may be "
            "repeated.",
            metavar="MEASURE=VALUE",
        ),
    ] = ()
    fail_if_worse: Annotated[
        str | None,
        Option(
            "Exit with code 3 if a run is worse than in a saved evaluation, by any of the "
            "measures; or worse than another run.",
            metavar="NAME|RUN",
        ),
    ] = None
    by: Annotated[
        float,
        Option("With --fail-if-worse: fail only if the run is worse by more than this.", minimum=0),
    ] = 0.0
    significant: Annotated[
        bool,
        Option(
            "With --fail-if-worse: fail only if the two are significantly different (paired "
            "t-test at 0.05, Holm corrected).",
        ),
    ] = False

    def with_measures(self, named: Sequence[str]) -> tuple[str, ...]:
        """Return the given measures plus those that have a minimum value."""
        return (*named, *(each.rpartition("=")[0] for each in self.fail_below))


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueTableOptions:
    """Options for the table of `irjudge evaluate`, and for storing and checking values."""

    average: Annotated[
        Average, Option(describe_choices(AVERAGE_DESCRIPTIONS), choices=AVERAGES)
    ] = "macro"
    per_topic: PerTopicOption = False
    deviation: Annotated[bool, Option("Add the standard deviation over the topics.")] = False
    spread: IntervalRequest = field(default_factory=IntervalRequest)
    places: Annotated[
        bool,
        Option(
            "Sort by the first measure; show the range of ranks that the topics cannot "
            "separate, and the ranks still possible.",
        ),
    ] = False
    checks: ValueChecks = field(default_factory=ValueChecks)

    @property
    def spread_columns(self) -> list[str]:
        """Columns for the variation between topics."""
        deviation = ["deviation"] if self.deviation else []
        return [*deviation, *(["low", "high"] if self.spread.interval else [])]
