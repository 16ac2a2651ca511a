from .imported_ratings import (
    Part as Part,
    RATING_COLUMNS as RATING_COLUMNS,
    RaterCompared as RaterCompared,
    RatingConflict as RatingConflict,
    RatingsCompared as RatingsCompared,
    STATISTICS as STATISTICS,
    labels_compared as labels_compared,
    ratings_compared as ratings_compared,
)
from .judge_audit import (
    AuditMaterial as AuditMaterial,
    DEFAULT_AUDIT_MEASURE as DEFAULT_AUDIT_MEASURE,
    JudgeAudit as JudgeAudit,
    answers_of_file as answers_of_file,
    audit as audit,
    audits_of_project as audits_of_project,
    in_words as in_words,
    leaving_out as leaving_out,
    material_of_files as material_of_files,
    material_of_project as material_of_project,
    short as short,
)
from .judge_prompts import (
    AskWish as AskWish,
    allow as allow,
    check_allowed as check_allowed,
    check_judge as check_judge,
    is_allowed as is_allowed,
    prompt_named as prompt_named,
    shipped_prompts as shipped_prompts,
)
from .model_client import (
    ChatEndpoint as ChatEndpoint,
    KEYRING as KEYRING,
    chat_endpoint as chat_endpoint,
    keep_key as keep_key,
)
from .model_orderings import (
    TOP_SYSTEMS as TOP_SYSTEMS,
)
from .model_replies import (
    AnswerFile as AnswerFile,
    ModelQuestion as ModelQuestion,
    answers_path as answers_path,
)
from .model_requests import (
    AskedSoFar as AskedSoFar,
    AskingForecast as AskingForecast,
    AskingLimits as AskingLimits,
    ask_model as ask_model,
    asking_forecast as asking_forecast,
    forecast_sentences as forecast_sentences,
    put_questions as put_questions,
    read_answers as read_answers,
    take_in as take_in,
    write_prompts as write_prompts,
)
from .run_estimates import (
    DEFAULT_ESTIMATE_MEASURES as DEFAULT_ESTIMATE_MEASURES,
    ModelEstimate as ModelEstimate,
    ModelEstimateWish as ModelEstimateWish,
    PlanForecast as PlanForecast,
    PlanUniverse as PlanUniverse,
    cautions_of as cautions_of,
    forecast as forecast,
    model_estimates as model_estimates,
    next_documents as next_documents,
    plan_universe as plan_universe,
)
