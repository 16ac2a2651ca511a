from .assignment_plan import (
    AssignmentPlan as AssignmentPlan,
    AssignmentOptions as AssignmentOptions,
    Candidate as Candidate,
    parse_candidates as parse_candidates,
)
from .class_folder import (
    ClassFolder as ClassFolder,
    ClassReport as ClassReport,
    DroppedFiles as DroppedFiles,
    assignments_folder as assignments_folder,
    classify_dropped_files as classify_dropped_files,
    create_class_project as create_class_project,
    create_project_of_class as create_project_of_class,
    read_class_folder as read_class_folder,
)
from .assignments import (
    AssignmentReport as AssignmentReport,
    assign_pool as assign_pool,
    compute_identity as compute_identity,
    ensure_identity as ensure_identity,
    plan_assignment as plan_assignment,
    WithdrawalReport as WithdrawalReport,
    reassign as reassign,
    withdraw_round as withdraw_round,
)
from .comparison_design import (
    Choice as Choice,
    ComparisonQuestion as ComparisonQuestion,
    ComparisonOptions as ComparisonOptions,
    DEFAULT_DEPTH as DEFAULT_DEPTH,
    ComparisonRandomizer as ComparisonRandomizer,
    assign_comparison as assign_comparison,
    sample_topics as sample_topics,
    assign_comparison_to_owner as assign_comparison_to_owner,
    estimate_comparison as estimate_comparison,
    pair_runs as pair_runs,
    list_questions as list_questions,
)
from .costs import (
    CostEstimate as CostEstimate,
    MAX_PRICE as MAX_PRICE,
    Pace as Pace,
    Prices as Prices,
    set_prices as set_prices,
    measure_pace as measure_pace,
    estimate_plan as estimate_plan,
    estimate_pool as estimate_pool,
    read_prices as read_prices,
)
from .merging import (
    FileMergeReport as FileMergeReport,
    MergeReport as MergeReport,
    EVENT_OUTCOMES as EVENT_OUTCOMES,
    describe_backup as describe_backup,
    merge_files as merge_files,
)
from .paper import (
    UNJUDGEABLE_MARK as UNJUDGEABLE_MARK,
    Booklet as Booklet,
    BookletPage as BookletPage,
    EMPTY_MARK as EMPTY_MARK,
    MAX_DOCUMENTS_ON_PAGE as MAX_DOCUMENTS_ON_PAGE,
    TICK_ALIASES as TICK_ALIASES,
    count_tick_digits as count_tick_digits,
    enter_booklets as enter_booklets,
    record_entry as record_entry,
    find_page as find_page,
    read_pages as read_pages,
    make_booklet as make_booklet,
    read_entries as read_entries,
    read_entry as read_entry,
)
from .pools import (
    PoolResult as PoolResult,
    create_pool as create_pool,
    describe_missing_documents as describe_missing_documents,
    describe_retrieved_textless as describe_retrieved_textless,
    describe_textless as describe_textless,
    read_model_grades as read_model_grades,
)
from .requests import (
    AssignmentPreview as AssignmentPreview,
    AssignmentRequest as AssignmentRequest,
    assign as assign,
    preview_assignment as preview_assignment,
    ComparisonRequest as ComparisonRequest,
    GoldFromOption as GoldFromOption,
    ModeOption as ModeOption,
    SeveralOption as SeveralOption,
    TopicsOption as TopicsOption,
)
from .result_file import (
    EventValidator as EventValidator,
    Slot as Slot,
    is_event_time as is_event_time,
    list_problems as list_problems,
    is_result as is_result,
    read_result as read_result,
    format_receipt as format_receipt,
    describe_receipt as describe_receipt,
    is_well_formed as is_well_formed,
)
from .session_merge import (
    ParticipantCopy as ParticipantCopy,
    AssignedItemCopy as AssignedItemCopy,
    SessionMergeReport as SessionMergeReport,
    SessionCopy as SessionCopy,
    merge_sessions as merge_sessions,
)
from .task_file import (
    PdfAttachmentSummary as PdfAttachmentSummary,
    TaskFileFormat as TaskFileFormat,
    IRTASK_FORMAT as IRTASK_FORMAT,
    TASK_SUFFIX as TASK_SUFFIX,
    WITH_PAGES as WITH_PAGES,
    TaskWriter as TaskWriter,
)
from .work_status import (
    WorkStatus as WorkStatus,
    AssignmentFile as AssignmentFile,
    Forecast as Forecast,
    ProgressChange as ProgressChange,
    ProgressRow as ProgressRow,
    read_assigned_work as read_assigned_work,
    list_assignment_files as list_assignment_files,
    forecast_work as forecast_work,
    parse_plans as parse_plans,
    list_progress_rows as list_progress_rows,
    measure_speed_by_length as measure_speed_by_length,
    read_work_status as read_work_status,
)
from .workflow import (
    OpenSession as OpenSession,
    Workflow as Workflow,
    Stage as Stage,
    StageName as StageName,
    ProjectStatus as ProjectStatus,
    mark_stage_done as mark_stage_done,
    make_workflow as make_workflow,
    read_project_status as read_project_status,
)
