from .corrections import (
    CORRECTIONS as CORRECTIONS,
    holm as holm,
)
from .power import (
    ALPHA as ALPHA,
    OneWayDesign as OneWayDesign,
    POWER as POWER,
    PairedDesign as PairedDesign,
    TopicDesign as TopicDesign,
    difference_seen as difference_seen,
    topics_for as topics_for,
)
from .tests import (
    Differences as Differences,
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
