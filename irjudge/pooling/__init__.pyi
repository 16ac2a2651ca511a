from .building import (
    Judge as Judge,
    LEARNING as LEARNING,
    PRESETS as PRESETS,
    PURPOSE as PURPOSE,
    PoolPlan as PoolPlan,
    build_pool as build_pool,
    fuse as fuse,
    fusion as fusion,
    fusions as fusions,
    judge_of as judge_of,
    learn_pool as learn_pool,
    learner_of as learner_of,
    list_strategies as list_strategies,
    once_each as once_each,
)
from .estimates import (
    ESTIMATES as ESTIMATES,
    SampledRanking as SampledRanking,
    SampledTopic as SampledTopic,
)
from .judge_plan import (
    JudgePlan as JudgePlan,
    PLAN as PLAN,
    PLAN_DEPTH as PLAN_DEPTH,
    chances as chances,
    likely_spread as likely_spread,
    plan_pool as plan_pool,
)
from .strategies import (
    StrategyDeclaration as StrategyDeclaration,
)
