from .annotator_models import (
    Fitting as Fitting,
    dawid_skene as dawid_skene,
)
from .rules import (
    CONSENSUS_COLUMNS as CONSENSUS_COLUMNS,
    Consensus as Consensus,
    Disagreed as Disagreed,
    DisputedItem as DisputedItem,
    RULES as RULES,
    Rule as Rule,
    RuleSettings as RuleSettings,
    TIES as TIES,
    TIES_MEAN as TIES_MEAN,
    Ties as Ties,
    UNJUDGEABLE_WORD as UNJUDGEABLE_WORD,
    UNUSABLE as UNUSABLE,
    adjudication_queue as adjudication_queue,
    consensus as consensus,
    disagreed as disagreed,
    find_rule as find_rule,
    several as several,
)
