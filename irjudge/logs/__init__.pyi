from .coec import (
    COEC_COLUMNS as COEC_COLUMNS,
    DEFAULT_CUTS as DEFAULT_CUTS,
    MIN_IMPRESSIONS as MIN_IMPRESSIONS,
    clicks_over_expected as clicks_over_expected,
    graded as graded,
    parse_cuts as parse_cuts,
)
from .interleaving import (
    INTERLEAVING_COLUMNS as INTERLEAVING_COLUMNS,
    interleaving_cells as interleaving_cells,
    team_draft as team_draft,
)
from .measures import (
    MEASURES as MEASURES,
    METHODS as METHODS,
)
from .table import (
    DEFAULT_LOG_SAMPLES as DEFAULT_LOG_SAMPLES,
    ENDS as ENDS,
    LogOptions as LogOptions,
    MEASURE_COLUMNS as MEASURE_COLUMNS,
    OnlineTable as OnlineTable,
    measure_log as measure_log,
    measured as measured,
)
