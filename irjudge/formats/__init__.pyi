from .exercises import (
    Exercise as Exercise,
    ExerciseAnswer as ExerciseAnswer,
    KeptAnswer as KeptAnswer,
    SLACK as SLACK,
    Target as Target,
    append_answer as append_answer,
    class_sheet as class_sheet,
    read_answers as read_answers,
    read_exercises as read_exercises,
)
from .file_preview import (
    ALIASES as ALIASES,
    Decisions as Decisions,
    FileKind as FileKind,
    FilePreview as FilePreview,
    PARTS as PARTS,
    Shown as Shown,
    SortedFiles as SortedFiles,
    UNDECIDED as UNDECIDED,
    columns_of as columns_of,
    kinds_of as kinds_of,
    preview as preview,
    told_apart as told_apart,
)
from .notebooks import (
    read_qrels as read_qrels,
    read_run as read_run,
    run_table as run_table,
    write_qrels as write_qrels,
)
from .reader_warnings import (
    HALF_CHARACTER as HALF_CHARACTER,
    Oddity as Oddity,
    Remarks as Remarks,
)
from .search_logs import (
    InterleavedResult as InterleavedResult,
    read_interleaved as read_interleaved,
    read_log as read_log,
    read_shown as read_shown,
)
