from .auxiliary_files import (
    read_side as read_side,
    recognised_side as recognised_side,
)
from .column_runs import (
    ColumnRun as ColumnRun,
    CutRows as CutRows,
    RunOrder as RunOrder,
    column_run as column_run,
    convert as convert,
    cut_rows as cut_rows,
    documents_of as documents_of,
    order_of as order_of,
    put_together as put_together,
    read_column_parts as read_column_parts,
    table_run as table_run,
)
from .engine_responses import (
    AnswerPaths as AnswerPaths,
    parse_paths as parse_paths,
    read_engine_answers as read_engine_answers,
)
from .judged_rows import (
    DECIMAL as DECIMAL,
    find_off_scale as find_off_scale,
    parse_grades as parse_grades,
    whole_grades as whole_grades,
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
    NEEDED as NEEDED,
    pool_rows as pool_rows,
    read_pool as read_pool,
    read_prels as read_prels,
)
from .qrels import (
    NEGATIVES as NEGATIVES,
    Negative as Negative,
    qrels_lines as qrels_lines,
    read_qrels as read_qrels,
    table_qrels as table_qrels,
    to_grades as to_grades,
    write_qrels as write_qrels,
)
from .runs import (
    TextPart as TextPart,
    by_runs as by_runs,
    names_apart as names_apart,
    omitted_topics as omitted_topics,
    one_run as one_run,
    read_parts as read_parts,
    read_run as read_run,
    read_span as read_span,
    read_tag as read_tag,
    run_lines as run_lines,
    run_name as run_name,
    topic_borders as topic_borders,
    write_run as write_run,
)
from .short_runs import (
    RUN_PARTS as RUN_PARTS,
    answered_run as answered_run,
)
