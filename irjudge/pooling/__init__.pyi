from .building import (
    Judge as Judge,
    LEARNING as LEARNING,
    PRESETS as PRESETS,
    LEARNING_PURPOSE as LEARNING_PURPOSE,
    PoolOptions as PoolOptions,
    build_pool as build_pool,
    fuse_runs as fuse_runs,
    parse_fusion_strategy as parse_fusion_strategy,
    list_fusion_strategies as list_fusion_strategies,
    make_qrels_judge as make_qrels_judge,
    learn_pool as learn_pool,
    make_learner as make_learner,
    list_strategies as list_strategies,
    drop_near_duplicates as drop_near_duplicates,
)
from .estimates import (
    ESTIMATES as ESTIMATES,
    SampledRanking as SampledRanking,
    SampledTopic as SampledTopic,
)
from .judge_plan import (
    JudgePlanOptions as JudgePlanOptions,
    PLAN_STRATEGY as PLAN_STRATEGY,
    PLAN_DEPTH as PLAN_DEPTH,
    sampling_probabilities as sampling_probabilities,
    expected_grade_deviation as expected_grade_deviation,
    plan_pool as plan_pool,
)
from .requests import (
    FusionRequest as FusionRequest,
    PoolRequest as PoolRequest,
)
from .strategies import (
    StrategyDeclaration as StrategyDeclaration,
)
