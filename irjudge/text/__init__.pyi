from .direction import (
    RIGHT_TO_LEFT as RIGHT_TO_LEFT,
    detect_text_direction as detect_text_direction,
    has_direction as has_direction,
    mirror_tables as mirror_tables,
)
from .folding import (
    casefold_text as casefold_text,
)
from .highlight import (
    MAX_TERM_LENGTH as MAX_TERM_LENGTH,
    Term as Term,
    TermHit as TermHit,
    TextMatches as TextMatches,
    count_hits as count_hits,
    find_terms as find_terms,
    find_typed as find_typed,
    search_slices as search_slices,
    query_terms as query_terms,
    utf16_length as utf16_length,
    to_utf16_positions as to_utf16_positions,
)
from .display_names import (
    MAX_NAME_LENGTH as MAX_NAME_LENGTH,
    make_name_key as make_name_key,
    normalise_display_name as normalise_display_name,
)
from .render import (
    Passage as Passage,
    locate_passages as locate_passages,
    find_selected_passage as find_selected_passage,
    title_and_body as title_and_body,
    to_html as to_html,
    to_slices as to_slices,
    find_hidden_title as find_hidden_title,
    is_within_word as is_within_word,
)
from .sanitize import (
    BLOCK_TAGS as BLOCK_TAGS,
    BREAK_OPPORTUNITY as BREAK_OPPORTUNITY,
)
from .snippets import (
    PAGE_HEAD_BYTES as PAGE_HEAD_BYTES,
    TEXT_HEAD_BYTES as TEXT_HEAD_BYTES,
    Snippet as Snippet,
    find_best_passage as find_best_passage,
    extract_preview_line as extract_preview_line,
    extract_plain_text as extract_plain_text,
    make_snippet as make_snippet,
)
from .stems import (
    ASCII_WORD as ASCII_WORD,
    HANGUL as HANGUL,
    SPACELESS_TEXT as SPACELESS_TEXT,
    WORD as WORD,
    guess_languages as guess_languages,
    load_stop_words as load_stop_words,
    detect_language as detect_language,
    get_letter_script as get_letter_script,
    stem as stem,
    find_word_bounds as find_word_bounds,
)
