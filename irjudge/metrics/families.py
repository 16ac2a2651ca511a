"""All families of measures; importing this module fills the registry."""

from irjudge.metrics import (
    answers,
    average_precision,
    averaged_gain,
    cascade_diversity,
    counts,
    cumulative_gain,
    diversity,
    effort,
    exposure,
    precision,
    preference,
    rank_biased,
    recall_levels,
    sets,
    user_models,
    user_oriented,
)

FAMILIES = (
    answers,
    average_precision,
    averaged_gain,
    cascade_diversity,
    counts,
    cumulative_gain,
    diversity,
    effort,
    exposure,
    precision,
    preference,
    rank_biased,
    recall_levels,
    sets,
    user_models,
    user_oriented,
)
