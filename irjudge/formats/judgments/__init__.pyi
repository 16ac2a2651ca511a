from .crowd_platforms import (
    COLUMNS as COLUMNS,
    JudgingTask as JudgingTask,
    STUDIO_ENDING as STUDIO_ENDING,
    crowd_header as crowd_header,
    item_of as item_of,
    read_nuggets as read_nuggets,
    read_tasks as read_tasks,
    write_tasks as write_tasks,
)
from .judgments import (
    JUDGMENT_ALIASES as JUDGMENT_ALIASES,
    JUDGMENT_PARTS as JUDGMENT_PARTS,
    JudgmentFile as JudgmentFile,
    LabelRow as LabelRow,
    UNUSABLE as UNUSABLE,
    WHO as WHO,
    cells_of as cells_of,
    columns_of_rows as columns_of_rows,
    read_judgments as read_judgments,
    write_judgments as write_judgments,
)
from .labels import (
    LIKE_A_MODEL as LIKE_A_MODEL,
    ModelLabel as ModelLabel,
    is_of_model_form as is_of_model_form,
    label_columns as label_columns,
    looks_like_model as looks_like_model,
    read_known as read_known,
    read_labels as read_labels,
    read_model_labels as read_model_labels,
)
from .preferences import (
    PREFERENCE_PARTS as PREFERENCE_PARTS,
    parse_winners as parse_winners,
    read_preferences as read_preferences,
)
from .ratings import (
    Place as Place,
    RatingsFile as RatingsFile,
    WRITERS as WRITERS,
    parsed as parsed,
    rated_file as rated_file,
    read_answer as read_answer,
    read_book as read_book,
    read_ratings as read_ratings,
    strings_below as strings_below,
    write_ratings as write_ratings,
)
