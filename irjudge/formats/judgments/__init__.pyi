from .crowd_platforms import (
    TASK_COLUMNS as TASK_COLUMNS,
    JudgingTask as JudgingTask,
    LINES_SUFFIX as LINES_SUFFIX,
    STUDIO_SUFFIX as STUDIO_SUFFIX,
    TASK_FORMATS as TASK_FORMATS,
    is_qrels_file as is_qrels_file,
    read_crowd_header as read_crowd_header,
    make_item_id as make_item_id,
    read_nuggets as read_nuggets,
    read_tasks as read_tasks,
    write_tasks as write_tasks,
)
from .judgments import (
    JUDGMENT_ALIASES as JUDGMENT_ALIASES,
    JUDGMENT_PARTS as JUDGMENT_PARTS,
    JudgmentFile as JudgmentFile,
    JudgmentFileRow as JudgmentFileRow,
    UNJUDGEABLE_LABEL as UNJUDGEABLE_LABEL,
    ASSESSOR_COLUMN as ASSESSOR_COLUMN,
    to_cells as to_cells,
    list_used_columns as list_used_columns,
    read_judgments as read_judgments,
    write_judgments as write_judgments,
    to_utc as to_utc,
)
from .label_tools import (
    LABEL_TOOLS as LABEL_TOOLS,
    is_label_tool_export as is_label_tool_export,
)
from .labels import (
    MODEL_NAME as MODEL_NAME,
    ModelLabel as ModelLabel,
    is_model_label_file as is_model_label_file,
    parse_label_columns as parse_label_columns,
    looks_like_model as looks_like_model,
    read_gold_labels as read_gold_labels,
    read_labels as read_labels,
    read_llm_judgments as read_llm_judgments,
    read_model_labels as read_model_labels,
)
from .preferences import (
    PREFERENCE_PARTS as PREFERENCE_PARTS,
    parse_winners as parse_winners,
    read_preferences as read_preferences,
)
from .ratings import (
    JsonNode as JsonNode,
    Query as Query,
    RatingsFile as RatingsFile,
    WRITERS as WRITERS,
    parse_json as parse_json,
    ratings_from_grades as ratings_from_grades,
    make_rank_scores as make_rank_scores,
    read_rated_response as read_rated_response,
    read_rating_book as read_rating_book,
    read_ratings as read_ratings,
    read_text_fields as read_text_fields,
    write_ratings as write_ratings,
)
