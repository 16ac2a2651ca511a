from .power import (
    ALPHA as ALPHA,
    OneWayDesign as OneWayDesign,
    POWER as POWER,
    PairedDesign as PairedDesign,
    ComparisonDesign as ComparisonDesign,
    detectable_difference as detectable_difference,
    required_topics as required_topics,
)
from .tests import (
    CORRECTIONS as CORRECTIONS,
    holm as holm,
    PairedDifferences as PairedDifferences,
    SignificanceTest as SignificanceTest,
    TESTS as TESTS,
    all_pairs as all_pairs,
    bootstrap_intervals as bootstrap_intervals,
    find_correction as find_correction,
    find_test as find_test,
    mean as mean,
    run_test as run_test,
    t_interval as t_interval,
)
