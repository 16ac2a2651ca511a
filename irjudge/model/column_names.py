"""Names that files and tables give the columns of topics and documents, ids before texts.

Shared by tables in files and tables in memory, so that both prefer the same column.
"""

import re

# `topic` and `document` can hold ids or texts, so a column named for its id comes first.
# `did` and `pid` come last: in tables of a study they can be an id of a participant.
TOPIC_NAMES = ("query_id", "qid", "topic_id", "query-id", "queryid", "q_id", "topic", "query")
DOCUMENT_NAMES = tuple(
    "docno doc_id docid document_id doc-id corpus-id corpus_id document doc did pid".split()
)

_SUFFIX = r"[ _.-]?(?:id|no|num|number|key|uuid|uid|code)"
_ID_LIKE = {
    "topic": re.compile(
        rf"(?:topic|query|question|request|search|need|narrative|q){_SUFFIX}", re.IGNORECASE
    ),
    "document": re.compile(
        rf"(?:(?:doc|document|corpus|passage|product|article|paper|page|record|d|p){_SUFFIX})"
        "|sku|asin",
        re.IGNORECASE,
    ),
}


def is_id_like(part: str, column: str) -> bool:
    """Return whether a column is named as an id of a topic or document.

    >>> is_id_like("topic", "Query ID"), is_id_like("document", "product_id")
    (True, True)
    >>> is_id_like("topic", "query"), is_id_like("document", "session_id")
    (False, False)
    """
    return part in _ID_LIKE and _ID_LIKE[part].fullmatch(column.strip()) is not None
