from .assessor_quality import (
    AssessorResult as AssessorResult,
    AssessorVerdict as AssessorVerdict,
    MIN_GOLD as MIN_GOLD,
    AssessorQuality as AssessorQuality,
    VerdictState as VerdictState,
    agreement_with_others as agreement_with_others,
    count_gold_right as count_gold_right,
    measure_quality as measure_quality,
    assess_assessors as assess_assessors,
    judge_assessors as judge_assessors,
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
    RankAgreement as RankAgreement,
    Statistic as Statistic,
    rank_agreement as rank_agreement,
    list_correlations as list_correlations,
    parse_statistics as parse_statistics,
    rank_biased_overlap as rank_biased_overlap,
    tau_b as tau_b,
    ITEMS as ITEMS,
    ITEMS_MEAN as ITEMS_MEAN,
    Items as Items,
    RankPair as RankPair,
    TIE_TOLERANCE as TIE_TOLERANCE,
    TopicPair as TopicPair,
    rank_scores as rank_scores,
    run_pairs as run_pairs,
    rank_spans as rank_spans,
)
from .judges import (
    AlternativeTestResult as AlternativeTestResult,
    DEFAULT_EPSILON as DEFAULT_EPSILON,
    GradeConfusion as GradeConfusion,
    JudgeStatistic as JudgeStatistic,
    Leniency as Leniency,
    alternative_test as alternative_test,
    error_correlation as error_correlation,
    judge_statistics as judge_statistics,
    leniency_by_grade as leniency_by_grade,
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
    expected_margin as expected_margin,
    lacks_sample as lacks_sample,
    linear_estimates as linear_estimates,
    spread_by_grade as spread_by_grade,
)
from .preference_design import (
    TopSearch as TopSearch,
    balance_sides as balance_sides,
    random_pairs as random_pairs,
    shuffled_pairs as shuffled_pairs,
)
from .preferences import (
    DEFAULT_PREFERENCE_SAMPLES as DEFAULT_PREFERENCE_SAMPLES,
    PairCounts as PairCounts,
    Strengths as Strengths,
    bradley_terry as bradley_terry,
    count_circular_triads as count_circular_triads,
    cluster_covariance as cluster_covariance,
    connected_components as connected_components,
    condorcet_winner as condorcet_winner,
    copeland as copeland,
    count_pairs as count_pairs,
    shortest_cycles as shortest_cycles,
    davidson as davidson,
    sort_canonically as sort_canonically,
    net_preference as net_preference,
    orient_pairs as orient_pairs,
    count_left_choices as count_left_choices,
    drop_repeats as drop_repeats,
    self_agreement as self_agreement,
    count_shown_left as count_shown_left,
)
from .recall_certificate import (
    RECALL_LEVEL as RECALL_LEVEL,
    RecallCertificate as RecallCertificate,
    SampleForecast as SampleForecast,
    TARGET_RECALL as TARGET_RECALL,
    TARGET_SAMPLE_SIZE as TARGET_SAMPLE_SIZE,
    expected_target_cost as expected_target_cost,
    forecast_samples as forecast_samples,
)
from .sampling import (
    TopicRandom as TopicRandom,
    DEFAULT_SAMPLING_SEED as DEFAULT_SAMPLING_SEED,
    DEFAULT_SEED as DEFAULT_SEED,
    MAX_SEED as MAX_SEED,
    SeedOption as SeedOption,
    Sampling as Sampling,
    HashOrder as HashOrder,
    RandomStream as RandomStream,
)
from .significance.tests import (
    DEFAULT_LEVEL as DEFAULT_LEVEL,
    DEFAULT_QUANTILE as DEFAULT_QUANTILE,
    binomial_p as binomial_p,
    half_tie_p as half_tie_p,
    trials_needed as trials_needed,
    trinomial_p as trinomial_p,
    wilson_interval as wilson_interval,
)
from .workers import (
    SERIAL as SERIAL,
    Workers as Workers,
)
