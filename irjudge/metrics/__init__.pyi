from .average_precision import (
    AVERAGE_PRECISION_SHEET as AVERAGE_PRECISION_SHEET,
)
from .cumulative_gain import (
    CUMULATIVE_GAIN_SHEET as CUMULATIVE_GAIN_SHEET,
)
from .curves import (
    gain_curves as gain_curves,
    precision_recall_levels as precision_recall_levels,
    precision_recall_steps as precision_recall_steps,
    topic_gain_curves as topic_gain_curves,
)
from .gain_and_discount import (
    Discount as Discount,
    Mean as Mean,
    discounts as discounts,
    gains as gains,
)
from .judged import (
    highest_gain as highest_gain,
    Floats as Floats,
    Hits as Hits,
    Ints as Ints,
    JudgedRun as JudgedRun,
    Longs as Longs,
    Scores as Scores,
    AuxiliaryRows as AuxiliaryRows,
    Subtopics as Subtopics,
    NOT_IN_QRELS as NOT_IN_QRELS,
    divide as divide,
    rank_in_topic as rank_in_topic,
)
from .measure_bounds import (
    OpenRun as OpenRun,
    OpenRunPair as OpenRunPair,
    WORLDS as WORLDS,
    World as World,
    bounds as bounds,
    difference_bounds as difference_bounds,
    open_run as open_run,
    no_bounds_reason as no_bounds_reason,
)
from .names import (
    TEXT_DESCRIPTIONS as TEXT_DESCRIPTIONS,
    GROUPS as GROUPS,
    Measure as Measure,
    PROFILES as PROFILES,
    Profile as Profile,
    PROFILE_RULES as PROFILE_RULES,
    SUMMARY_KEYWORDS as SUMMARY_KEYWORDS,
    PARAMETER_SYMBOLS as PARAMETER_SYMBOLS,
    TREC_KEYWORDS as TREC_KEYWORDS,
    TextItem as TextItem,
    best_first as best_first,
    count_outcomes as count_outcomes,
    is_lower_better as is_lower_better,
    default_measure_name as default_measure_name,
    make_measure as make_measure,
    merge_texts as merge_texts,
    parse_measure_name as parse_measure_name,
    parse_texts as parse_texts,
    relevance_strings as relevance_strings,
    to_goodness as to_goodness,
)
from .precision import (
    PRECISION_SHEET as PRECISION_SHEET,
)
from .registry import (
    Alias as Alias,
    Exemption as Exemption,
    Law as Law,
    MeasureDeclaration as MeasureDeclaration,
    MicroAverage as MicroAverage,
    MEASURE_REGISTRY as MEASURE_REGISTRY,
    list_measures as list_measures,
    find_measure as find_measure,
    measure as measure,
    GainMap as GainMap,
    MaybeCutoff as MaybeCutoff,
    Parameter as Parameter,
    Range as Range,
    Value as Value,
    find_parameter as find_parameter,
    list_parameters as list_parameters,
    read_values as read_values,
    format_value as format_value,
    format_name as format_name,
    split_name as split_name,
)
from .user_oriented import (
    coverage as coverage,
    novelty as novelty,
    recall_effort as recall_effort,
    relative_recall as relative_recall,
)
from .worked_example import (
    ExampleGains as ExampleGains,
    ExampleTopic as ExampleTopic,
    Cell as Cell,
    SheetColumn as SheetColumn,
    SheetGain as SheetGain,
    MIN_DECIMAL_VALUE as MIN_DECIMAL_VALUE,
    WORKED_EXAMPLES as WORKED_EXAMPLES,
    WorksheetData as WorksheetData,
    WorkedExample as WorkedExample,
    is_relevant as is_relevant,
    describe_cutoff as describe_cutoff,
    format_number as format_number,
    describe_relevance as describe_relevance,
    describe_relevant as describe_relevant,
)
