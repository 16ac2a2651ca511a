from .assessor_agreement import (
    AgreementRequest as AgreementRequest,
    AgreementResult as AgreementResult,
    ASSESSOR_COLUMNS as ASSESSOR_COLUMNS,
    ProjectAgreement as ProjectAgreement,
    measure_agreement as measure_agreement,
    measure_project_agreement as measure_project_agreement,
    read_named_labels as read_named_labels,
)
from .assessor_consensus import (
    ConsensusRequest as ConsensusRequest,
    ConsensusResult as ConsensusResult,
    PAIR_COLUMNS as PAIR_COLUMNS,
    resolve_labels as resolve_labels,
)
from .assessor_labels import (
    LabelsRequest as LabelsRequest,
    read_assessor_labels as read_assessor_labels,
)
from .imported_ratings import (
    Part as Part,
    RATING_COLUMNS as RATING_COLUMNS,
    RaterComparison as RaterComparison,
    RatingConflict as RatingConflict,
    RatingsComparison as RatingsComparison,
    STATISTICS as STATISTICS,
    compare_labels as compare_labels,
    compare_ratings as compare_ratings,
)
from .judge_audit import (
    AuditMaterial as AuditMaterial,
    DEFAULT_AUDIT_MEASURE as DEFAULT_AUDIT_MEASURE,
    JudgeAudit as JudgeAudit,
    read_model_file as read_model_file,
    audit_judge as audit_judge,
    audit_judges as audit_judges,
    audit_project as audit_project,
    format_statistic as format_statistic,
    make_audit_material as make_audit_material,
    read_audit_material as read_audit_material,
    format_value as format_value,
)
from .judge_prompts import (
    AskOptions as AskOptions,
    set_allowed as set_allowed,
    check_allowed as check_allowed,
    check_judge as check_judge,
    is_allowed as is_allowed,
    find_prompt as find_prompt,
    list_shipped_prompts as list_shipped_prompts,
)
from .model_client import (
    ChatEndpoint as ChatEndpoint,
    KEYRING as KEYRING,
    parse_endpoint as parse_endpoint,
    store_key as store_key,
)
from .model_orderings import (
    TOP_SYSTEMS as TOP_SYSTEMS,
    ModelOrderings as ModelOrderings,
)
from .model_replies import (
    AnswerFile as AnswerFile,
    ModelQuestion as ModelQuestion,
    make_answers_path as make_answers_path,
)
from .model_requests import (
    SendReport as SendReport,
    RequestForecast as RequestForecast,
    RequestLimits as RequestLimits,
    ask_model as ask_model,
    forecast_requests as forecast_requests,
    describe_forecast as describe_forecast,
    send_questions as send_questions,
    import_answer_files as import_answer_files,
    import_answers as import_answers,
    write_prompts as write_prompts,
)
from .requests import (
    AskRequest as AskRequest,
)
from .run_estimates import (
    DEFAULT_ESTIMATE_MEASURES as DEFAULT_ESTIMATE_MEASURES,
    ModelAudit as ModelAudit,
    RunEstimate as RunEstimate,
    EstimateRequest as EstimateRequest,
    RunEstimateOptions as RunEstimateOptions,
    PlanForecast as PlanForecast,
    PlanUniverse as PlanUniverse,
    audit_model as audit_model,
    list_cautions as list_cautions,
    forecast_margins as forecast_margins,
    estimate_runs_with_model as estimate_runs_with_model,
    estimate_sources as estimate_sources,
    list_next_documents as list_next_documents,
    make_plan_universe as make_plan_universe,
)
