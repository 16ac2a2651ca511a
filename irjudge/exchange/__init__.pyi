from .assignment_plan import (
    AssignmentPlan as AssignmentPlan,
    AssignmentWish as AssignmentWish,
    Candidate as Candidate,
    Pair as Pair,
    candidates_of as candidates_of,
)
from .assignments import (
    Assigned as Assigned,
    assign as assign,
    identity_of as identity_of,
    keep_identity as keep_identity,
    planned as planned,
    reassign as reassign,
    withdraw_round as withdraw_round,
)
from .comparison_design import (
    CHOICES as CHOICES,
    Choice as Choice,
    ComparisonQuestion as ComparisonQuestion,
    ComparisonWish as ComparisonWish,
    DEPTH as DEPTH,
    SideChance as SideChance,
    assign_comparison as assign_comparison,
    compare_oneself as compare_oneself,
    comparison_estimate as comparison_estimate,
    every_two as every_two,
    questions_of as questions_of,
)
from .costs import (
    CostEstimate as CostEstimate,
    HIGHEST_PRICE as HIGHEST_PRICE,
    Pace as Pace,
    Prices as Prices,
    keep_prices as keep_prices,
    pace_of as pace_of,
    plan_estimate as plan_estimate,
    pool_estimate as pool_estimate,
    prices_of as prices_of,
)
from .merging import (
    Balance as Balance,
    Merged as Merged,
    PARTS as PARTS,
    backup_sentence as backup_sentence,
    merge as merge,
)
from .paper import (
    BROKEN as BROKEN,
    Booklet as Booklet,
    BookletPage as BookletPage,
    EMPTY as EMPTY,
    MOST_ON_PAGE as MOST_ON_PAGE,
    TYPED as TYPED,
    digits_of_a_tick as digits_of_a_tick,
    enter as enter,
    find_page as find_page,
    known_pages as known_pages,
    make_booklet as make_booklet,
    read_entries as read_entries,
    read_entry as read_entry,
)
from .result_file import (
    Sieve as Sieve,
    Slot as Slot,
    TIME as TIME,
    faults_of as faults_of,
    is_result as is_result,
    read_result as read_result,
    receipt_text as receipt_text,
    summary as summary,
    well_formed as well_formed,
)
from .session_merge import (
    PersonCopy as PersonCopy,
    PlaceCopy as PlaceCopy,
    Pulled as Pulled,
    SessionCopy as SessionCopy,
    merge_sessions as merge_sessions,
)
from .task_file import (
    Carried as Carried,
    FileForm as FileForm,
    IRTASK as IRTASK,
    SUFFIX as SUFFIX,
    WITH_PAGES as WITH_PAGES,
    Writing as Writing,
)
from .work_status import (
    AllWork as AllWork,
    AssignmentFile as AssignmentFile,
    Forecast as Forecast,
    ProgressChange as ProgressChange,
    ProgressRow as ProgressRow,
    assigned_work as assigned_work,
    file_rows as file_rows,
    forecast as forecast,
    plans as plans,
    progress_rows as progress_rows,
    speed_by_length as speed_by_length,
    work_of as work_of,
)
from .workflow import (
    Gathering as Gathering,
    Road as Road,
    Stage as Stage,
    StageName as StageName,
    Standing as Standing,
    note_done as note_done,
    road_of as road_of,
    standing_of as standing_of,
)
