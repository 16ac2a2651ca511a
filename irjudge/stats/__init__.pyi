from .assessor_quality import (
    AssessorVerdict as AssessorVerdict,
    ENOUGH_GOLD as ENOUGH_GOLD,
    Quality as Quality,
    VerdictState as VerdictState,
    agreement_with_others as agreement_with_others,
    met_gold as met_gold,
    quality as quality,
    verdicts as verdicts,
)
from .binormal import (
    BINORMAL_PARAMETERS as BINORMAL_PARAMETERS,
    BINORMAL_STEPS as BINORMAL_STEPS,
    fit_binormal as fit_binormal,
)
from .cluster import (
    cluster_warning as cluster_warning,
    workers_at as workers_at,
)
from .correlation import (
    Statistic as Statistic,
    agreements as agreements,
    list_correlations as list_correlations,
    parse_statistics as parse_statistics,
    rank_biased_overlap as rank_biased_overlap,
    tau_b as tau_b,
)
from .judges import (
    Alternative as Alternative,
    EPSILON as EPSILON,
    GradeConfusion as GradeConfusion,
    JudgeStatistic as JudgeStatistic,
    Leniency as Leniency,
    alternative_test as alternative_test,
    error_correlation as error_correlation,
    judge_statistics as judge_statistics,
    leniency as leniency,
)
from .prediction_powered import (
    GUESSES as GUESSES,
    GUESSES_MEAN as GUESSES_MEAN,
    Guess as Guess,
    MIN_LABELS as MIN_LABELS,
    SampledLabels as SampledLabels,
    TOPICS_ARE as TOPICS_ARE,
    TOPICS_ARE_MEAN as TOPICS_ARE_MEAN,
    TopicsAre as TopicsAre,
    expected_reach as expected_reach,
    lacks_sample as lacks_sample,
    linear_estimates as linear_estimates,
    spread_by_grade as spread_by_grade,
)
from .preference_design import (
    TopSearch as TopSearch,
    balanced_sides as balanced_sides,
    left_choices as left_choices,
    random_pairs as random_pairs,
    self_agreement as self_agreement,
    shuffled_pairs as shuffled_pairs,
    stood_left as stood_left,
)
from .preferences import (
    DEFAULT_PREFERENCE_SAMPLES as DEFAULT_PREFERENCE_SAMPLES,
    PairCounts as PairCounts,
    Strengths as Strengths,
    bradley_terry as bradley_terry,
    circular_triads as circular_triads,
    clustered as clustered,
    components as components,
    condorcet_winner as condorcet_winner,
    copeland as copeland,
    count_pairs as count_pairs,
    cycles as cycles,
    davidson as davidson,
    in_one_order as in_one_order,
    net_preference as net_preference,
    oriented as oriented,
)
from .proportions import (
    DEFAULT_LEVEL as DEFAULT_LEVEL,
    DEFAULT_QUANTILE as DEFAULT_QUANTILE,
    binomial_p as binomial_p,
    half_p as half_p,
    trials_needed as trials_needed,
    trinomial_p as trinomial_p,
    wilson as wilson,
)
from .rankings import (
    ITEMS as ITEMS,
    ITEMS_MEAN as ITEMS_MEAN,
    Items as Items,
    RankPair as RankPair,
    SAME as SAME,
    TopicPair as TopicPair,
    places as places,
    run_pairs as run_pairs,
    spans as spans,
)
from .recall_certificate import (
    RECALL_LEVEL as RECALL_LEVEL,
    RecallCertificate as RecallCertificate,
    SamplePromise as SamplePromise,
    TARGET_RECALL as TARGET_RECALL,
    TARGET_SAMPLE_SIZE as TARGET_SAMPLE_SIZE,
    target_cost as target_cost,
    what_samples_buy as what_samples_buy,
)
from .sampling import (
    Chance as Chance,
    DEFAULT_SAMPLING_SEED as DEFAULT_SAMPLING_SEED,
    DEFAULT_SEED as DEFAULT_SEED,
    HIGHEST_SEED as HIGHEST_SEED,
    Sampling as Sampling,
    SeededDraw as SeededDraw,
    Stream as Stream,
)
from .workers import (
    HERE as HERE,
    Workers as Workers,
)
