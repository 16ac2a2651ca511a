from .combined_files import (
    iter_answer_references as iter_answer_references,
    iter_candidate_ranking as iter_candidate_ranking,
    is_answers as is_answers,
    is_candidates as is_candidates,
    is_top_passages as is_top_passages,
    is_turn_responses as is_turn_responses,
    read_answers as read_answers,
    iter_top_passages_ranking as iter_top_passages_ranking,
    iter_turn_ranking as iter_turn_ranking,
)
from .document_records import (
    DOCUMENT_PARTS as DOCUMENT_PARTS,
    document_from_fields as document_from_fields,
)
from .documents import (
    PLAIN_TEXT_FORMAT as PLAIN_TEXT_FORMAT,
    find_corpus_file as find_corpus_file,
    preview_documents as preview_documents,
    read_documents as read_documents,
    recognise_document_format as recognise_document_format,
    write_documents as write_documents,
)
from .plain_text_records import (
    NPL_MARKS as NPL_MARKS,
    is_npl as is_npl,
    iter_plain_records as iter_plain_records,
)
from .sgml import (
    remove_comments as remove_comments,
)
from .topic_records import (
    split_paragraphs as split_paragraphs,
)
from .topics import (
    NUMBERED_LINES_FORMAT_NAME as NUMBERED_LINES_FORMAT_NAME,
    TOPIC_IDS as TOPIC_IDS,
    TOPIC_PARTS as TOPIC_PARTS,
    TopicIds as TopicIds,
    read_topics as read_topics,
    write_topics as write_topics,
)
from .whole_files import (
    flatten_fields as flatten_fields,
    is_image as is_image,
    read_instructions as read_instructions,
    load_picture as load_picture,
    PagePicture as PagePicture,
    render_page_picture as render_page_picture,
    render_page_pictures as render_page_pictures,
)
