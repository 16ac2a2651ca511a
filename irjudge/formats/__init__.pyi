from .exercises import (
    Exercise as Exercise,
    ExerciseAnswer as ExerciseAnswer,
    StoredAnswer as StoredAnswer,
    TOLERANCE as TOLERANCE,
    Target as Target,
    append_answer as append_answer,
    summarise_class as summarise_class,
    read_answers as read_answers,
    read_exercises as read_exercises,
)
from .file_preview import (
    PART_ALIASES as PART_ALIASES,
    ReadingOptions as ReadingOptions,
    FileKind as FileKind,
    FilePreview as FilePreview,
    COLUMN_PARTS as COLUMN_PARTS,
    PreviewKind as PreviewKind,
    ClassifiedFiles as ClassifiedFiles,
    DEFAULT_READING as DEFAULT_READING,
    parse_file_columns as parse_file_columns,
    classify_files as classify_files,
    find_missing_documents as find_missing_documents,
    preview_files as preview_files,
    classify_rankings as classify_rankings,
)
from .notebooks import (
    read_qrels as read_qrels,
    read_run as read_run,
    columnar_run_from_table as columnar_run_from_table,
    write_qrels as write_qrels,
)
from .reader_warnings import (
    LONE_SURROGATE as LONE_SURROGATE,
    WarningKind as WarningKind,
    ReaderWarnings as ReaderWarnings,
)
from .search_logs import (
    InterleavedResult as InterleavedResult,
    read_interleaved as read_interleaved,
    read_log as read_log,
    read_shown_results as read_shown_results,
)
