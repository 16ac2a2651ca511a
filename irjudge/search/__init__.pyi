from .collection_search import (
    DEFAULT_DEPTH as DEFAULT_DEPTH,
    ExplainedScore as ExplainedScore,
    FEEDBACK as FEEDBACK,
    FIELDS as FIELDS,
    SearchPlan as SearchPlan,
    explain_query as explain_query,
    explain_score as explain_score,
    query_of as query_of,
    rank as rank,
    search as search,
    varied as varied,
)
from .duplicates import (
    AlikeGroups as AlikeGroups,
    DEFAULT_OVERLAP as DEFAULT_OVERLAP,
    MIN_OVERLAP as MIN_OVERLAP,
    alike_documents as alike_documents,
    keep_groups as keep_groups,
    kept_groups as kept_groups,
)
from .learning import (
    DOCUMENT_WEIGHTING as DOCUMENT_WEIGHTING,
    Learner as Learner,
    TermReason as TermReason,
)
from .postings import (
    Postings as Postings,
    body_words as body_words,
    fingerprint as fingerprint,
    keep as keep,
    kept as kept,
    make_postings as make_postings,
)
from .rankers import (
    RANKER_REGISTRY as RANKER_REGISTRY,
    Ranker as Ranker,
    vectors as vectors,
)
