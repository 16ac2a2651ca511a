from .coec import (
    COEC_COLUMNS as COEC_COLUMNS,
    DEFAULT_CUTS as DEFAULT_CUTS,
    MIN_IMPRESSIONS as MIN_IMPRESSIONS,
    clicks_over_expected as clicks_over_expected,
    grade_by_coec as grade_by_coec,
    parse_cut_points as parse_cut_points,
)
from .interleaving import (
    INTERLEAVING_COLUMNS as INTERLEAVING_COLUMNS,
    format_team_pairs as format_team_pairs,
    compare_team_draft as compare_team_draft,
)
from .measures import (
    MEASURES as MEASURES,
    METHODS as METHODS,
)
from .table import (
    DEFAULT_LOG_SAMPLES as DEFAULT_LOG_SAMPLES,
    LOW_HIGH_COLUMNS as LOW_HIGH_COLUMNS,
    LogOptions as LogOptions,
    MEASURE_COLUMNS as MEASURE_COLUMNS,
    OnlineTable as OnlineTable,
    measure_log as measure_log,
    compute_online_measures as compute_online_measures,
)
