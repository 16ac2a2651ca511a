from .coefficients import (
    AGREEMENT as AGREEMENT,
    LabelView as LabelView,
    PairTables as PairTables,
    DEFAULT_AGREEMENT_SAMPLES as DEFAULT_AGREEMENT_SAMPLES,
    Scaling as Scaling,
    SampleTotals as SampleTotals,
    alpha as alpha,
    kappa as kappa,
    count_item_kinds as count_item_kinds,
)
from .estimates import (
    AGREEMENT_COLUMNS as AGREEMENT_COLUMNS,
    AgreementEstimate as AgreementEstimate,
    DEFAULT_PAIR_STATISTICS as DEFAULT_PAIR_STATISTICS,
    PairAgreement as PairAgreement,
    agreement as agreement,
    agreement_by_grade as agreement_by_grade,
    agreement_by_topic as agreement_by_topic,
    agreement_of_pairs as agreement_of_pairs,
)
