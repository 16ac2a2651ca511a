from .direction import (
    RIGHT_TO_LEFT as RIGHT_TO_LEFT,
    direction_of as direction_of,
    has_direction as has_direction,
    turn_tables as turn_tables,
)
from .folding import (
    fold_plainly as fold_plainly,
)
from .highlight import (
    MAX_TERM_LENGTH as MAX_TERM_LENGTH,
    Term as Term,
    TermHit as TermHit,
    TextMatches as TextMatches,
    counts as counts,
    find as find,
    find_typed as find_typed,
    look_through as look_through,
    query_terms as query_terms,
    utf16_length as utf16_length,
    utf16_positions as utf16_positions,
)
from .printable_text import (
    MAX_NAME_LENGTH as MAX_NAME_LENGTH,
    name_key as name_key,
    visible as visible,
    visible_name as visible_name,
)
from .render import (
    Reason as Reason,
    column_of as column_of,
    reason_of as reason_of,
    title_and_body as title_and_body,
    to_html as to_html,
    to_slices as to_slices,
    unsaid as unsaid,
    within_word as within_word,
)
from .sanitize import (
    BLOCKS as BLOCKS,
    BREAK as BREAK,
)
from .snippets import (
    OF_A_PAGE as OF_A_PAGE,
    OF_A_TEXT as OF_A_TEXT,
    Snippet as Snippet,
    best_passage as best_passage,
    first_words as first_words,
    plain_text as plain_text,
    snippet as snippet,
)
from .stems import (
    ASCII_WORD as ASCII_WORD,
    HANGUL as HANGUL,
    SPACELESS as SPACELESS,
    WORD as WORD,
    guess_languages as guess_languages,
    known_stop_words as known_stop_words,
    language_of as language_of,
    script_of as script_of,
    stem as stem,
    trim as trim,
)
