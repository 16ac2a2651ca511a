from .collection_search import (
    DEFAULT_DEPTH as DEFAULT_DEPTH,
    ExplainedScore as ExplainedScore,
    FEEDBACK_PARAMETERS as FEEDBACK_PARAMETERS,
    TOPIC_FIELDS as TOPIC_FIELDS,
    SearchOptions as SearchOptions,
    explain_query as explain_query,
    explain_score as explain_score,
    make_topic_query as make_topic_query,
    rank_documents as rank_documents,
    search_collection as search_collection,
    vary_parameters as vary_parameters,
)
from .duplicates import (
    NearDuplicateGroups as NearDuplicateGroups,
    DEFAULT_OVERLAP as DEFAULT_OVERLAP,
    MIN_OVERLAP as MIN_OVERLAP,
    OverlapMeter as OverlapMeter,
    find_near_duplicates as find_near_duplicates,
    cache_groups as cache_groups,
    load_cached_groups as load_cached_groups,
)
from .learning import (
    DOCUMENT_WEIGHTING as DOCUMENT_WEIGHTING,
    Learner as Learner,
    TermReason as TermReason,
)
from .postings import (
    Postings as Postings,
    extract_body_text as extract_body_text,
    extract_indexed_text as extract_indexed_text,
    compute_collection_fingerprint as compute_collection_fingerprint,
    cache_postings as cache_postings,
    load_cached_postings as load_cached_postings,
    make_postings as make_postings,
)
from .rankers import (
    RANKER_REGISTRY as RANKER_REGISTRY,
    Ranker as Ranker,
    make_document_vectors as make_document_vectors,
)
from .requests import (
    NewRunRequest as NewRunRequest,
    SearchRequest as SearchRequest,
)
