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
    Floats as Floats,
    Hits as Hits,
    Ints as Ints,
    JudgedRun as JudgedRun,
    Longs as Longs,
    Scores as Scores,
    SideRows as SideRows,
    Subtopics as Subtopics,
    UNNAMED as UNNAMED,
    divide as divide,
    place_in_topic as place_in_topic,
)
from .measure_bounds import (
    Unsettled as Unsettled,
    UnsettledPair as UnsettledPair,
    WORLDS as WORLDS,
    World as World,
    bounds as bounds,
    difference_bounds as difference_bounds,
    unsettled as unsettled,
    why_unbounded as why_unbounded,
)
from .names import (
    ABOUT as ABOUT,
    GROUPS as GROUPS,
    Measure as Measure,
    PROFILES as PROFILES,
    Profile as Profile,
    RULES as RULES,
    SUMMARIES as SUMMARIES,
    SYMBOLS as SYMBOLS,
    TREC_WORDS as TREC_WORDS,
    Text as Text,
    best_first as best_first,
    count_outcomes as count_outcomes,
    is_lower_better as is_lower_better,
    make as make,
    merged as merged,
    parse as parse,
    parse_texts as parse_texts,
    relevance_strings as relevance_strings,
    to_goodness as to_goodness,
)
from .parameters import (
    GainMap as GainMap,
    MaybeCutoff as MaybeCutoff,
    Parameter as Parameter,
    Range as Range,
    Value as Value,
    named_parameter as named_parameter,
    parameters_of as parameters_of,
    read_values as read_values,
    show as show,
    spelled as spelled,
    split_name as split_name,
)
from .precision import (
    PRECISION_SHEET as PRECISION_SHEET,
)
from .registry import (
    Alias as Alias,
    Exemption as Exemption,
    Law as Law,
    MeasureDeclaration as MeasureDeclaration,
    Pooled as Pooled,
    SHIPPED as SHIPPED,
    catalogue as catalogue,
    find as find,
    measure as measure,
)
from .user_oriented import (
    coverage as coverage,
    novelty as novelty,
    recall_effort as recall_effort,
    relative_recall as relative_recall,
)
from .worked_example import (
    Board as Board,
    Cell as Cell,
    SheetColumn as SheetColumn,
    SheetGain as SheetGain,
    TINY as TINY,
    WORKINGS as WORKINGS,
    WorkedGrid as WorkedGrid,
    Working as Working,
    is_relevant as is_relevant,
    looked_at as looked_at,
    number as number,
    relevance as relevance,
    relevant_step as relevant_step,
)
