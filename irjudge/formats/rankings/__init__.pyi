from .auxiliary_files import (
    read_auxiliary_table as read_auxiliary_table,
    detect_auxiliary_table as detect_auxiliary_table,
)
from .column_runs import (
    ColumnarRun as ColumnarRun,
    UnreadRanks as UnreadRanks,
    BatchResult as BatchResult,
    RunOrder as RunOrder,
    open_columnar_run as open_columnar_run,
    convert_runs as convert_runs,
    process_whole_topics as process_whole_topics,
    iter_document_readers as iter_document_readers,
    read_order as read_order,
    join_batch_results as join_batch_results,
    read_column_parts as read_column_parts,
    run_from_table as run_from_table,
)
from .engine_responses import (
    ResponsePaths as ResponsePaths,
    parse_response_paths as parse_response_paths,
    read_engine_responses as read_engine_responses,
)
from .grade_rules import (
    DECIMAL as DECIMAL,
    find_off_scale as find_off_scale,
    GradeMap as GradeMap,
    GradeRules as GradeRules,
    NO_RULES as NO_RULES,
    convert_label as convert_label,
    fold_word as fold_word,
    is_rating as is_rating,
    format_rating as format_rating,
    is_word as is_word,
    parse_grade_rules as parse_grade_rules,
    parse_grades as parse_grades,
    resolve_grades as resolve_grades,
    suggest_words as suggest_words,
    to_grade_column as to_grade_column,
    make_unknown_words_error as make_unknown_words_error,
    make_unmapped_rating_error as make_unmapped_rating_error,
)
from .leaderboards import (
    SystemScores as SystemScores,
    is_leaderboard as is_leaderboard,
    read_leaderboard as read_leaderboard,
)
from .other_qrels import (
    QRELS_PARTS as QRELS_PARTS,
)
from .pools import (
    COLUMNS as COLUMNS,
    REQUIRED_COLUMNS as REQUIRED_COLUMNS,
    iter_pool_rows as iter_pool_rows,
    make_listed_pool as make_listed_pool,
    read_pool as read_pool,
    write_pool as write_pool,
    read_prels as read_prels,
)
from .qrels import (
    CutsOption as CutsOption,
    GainsOption as GainsOption,
    GradesRequest as GradesRequest,
    NegativeOption as NegativeOption,
    NEGATIVES as NEGATIVES,
    Negative as Negative,
    iter_qrels_lines as iter_qrels_lines,
    read_qrels as read_qrels,
    qrels_from_table as qrels_from_table,
    to_grades as to_grades,
    write_qrels as write_qrels,
)
from .reading import (
    RANKING_KINDS as RANKING_KINDS,
    ColumnsOption as ColumnsOption,
    RankingReader as RankingReader,
    ReadingRequest as ReadingRequest,
    SheetOption as SheetOption,
    map_columns_by_kind as map_columns_by_kind,
    no_shared_topic_warning as no_shared_topic_warning,
)
from .runs import (
    TextPart as TextPart,
    expand_run_folders as expand_run_folders,
    find_run_name as find_run_name,
    choose_distinct_run_names as choose_distinct_run_names,
    warn_of_omitted_topics as warn_of_omitted_topics,
    join_spans as join_spans,
    read_parts as read_parts,
    read_run as read_run,
    read_run_groups as read_run_groups,
    read_span as read_span,
    read_tag as read_tag,
    iter_run_lines as iter_run_lines,
    run_name as run_name,
    find_topic_borders as find_topic_borders,
    write_run as write_run,
)
from .short_runs import (
    RUN_PARTS as RUN_PARTS,
    run_from_responses as run_from_responses,
)
