from .annotator_models import (
    FitOptions as FitOptions,
    dawid_skene as dawid_skene,
)
from .rules import (
    CONSENSUS_COLUMNS as CONSENSUS_COLUMNS,
    Consensus as Consensus,
    DisagreedDocument as DisagreedDocument,
    DisputedItem as DisputedItem,
    CONSENSUS_RULES as CONSENSUS_RULES,
    Rule as Rule,
    RuleSettings as RuleSettings,
    TIES as TIES,
    TIES_MEAN as TIES_MEAN,
    Ties as Ties,
    UNJUDGEABLE_WORD as UNJUDGEABLE_WORD,
    UNJUDGEABLE_SIGN as UNJUDGEABLE_SIGN,
    adjudication_queue as adjudication_queue,
    consensus as consensus,
    find_disagreements as find_disagreements,
    find_rule as find_rule,
    consensus_by_methods as consensus_by_methods,
)
