"""Fairness between groups of documents: attention-weighted rank fairness."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from irjudge.message import Message
from irjudge.metrics.cumulative_gain import Base, Discount, discounts
from irjudge.metrics.judged import AuxiliaryRows, Floats, JudgedRun, Scores, divide
from irjudge.metrics.registry import Exemption, MaybeCutoff, Rel, measure
from irjudge.metrics.worked_example import ExampleTopic, WorkedExample, explains, format_number

Target: TypeAlias = Literal["relevant", "equal"]


def _compute_group_shares(run: JudgedRun, rows: AuxiliaryRows, weight: Floats) -> Floats:
    """Return the share of each group in the total weight of a topic, shape (T, groups)."""
    count = (
        len(rows.names["group"])
        if "group" in rows.names
        else int(rows.columns["group"].max(initial=-1)) + 1
    )
    group_weights = np.bincount(
        rows.topic.astype(np.int64) * max(1, count) + rows.columns["group"].astype(np.int64),
        weights=weight * rows.columns["weight"],
        minlength=len(run) * max(1, count),
    )
    weights_by_topic = group_weights.reshape(len(run), max(1, count)).astype(np.float64)
    return divide(weights_by_topic, weights_by_topic.sum(axis=1, keepdims=True))


def _compute_target_shares(run: JudgedRun, rows: AuxiliaryRows, target: Target, rel: int) -> Floats:
    if target == "relevant":
        return _compute_group_shares(run, rows, (rows.grade >= rel).astype(np.float64))
    count = max(
        1, len(rows.names.get("group", ())) or int(rows.columns["group"].max(initial=0)) + 1
    )
    return np.full((len(run), count), 1 / count)


def _compute_exposure_shares(
    run: JudgedRun, rows: AuxiliaryRows, discount: Discount, base: float, cutoff: int | None
) -> Floats:
    has_attention = (rows.rank > 0) & (rows.rank <= (cutoff or np.inf))
    return _compute_group_shares(
        run,
        rows,
        np.where(has_attention, 1 / discounts(np.maximum(rows.rank, 1), discount, base), 0.0),
    )


def _compute_jensen_shannon(first_shares: Floats, second_shares: Floats) -> Floats:
    """Return the Jensen–Shannon distance between corresponding rows of two arrays of shares.

    Distances are between 0 and 1, since the logarithms are binary.
    """
    mean_shares = (first_shares + second_shares) / 2
    ratios = (divide(shares, mean_shares) for shares in (first_shares, second_shares))
    # for each group, share p · log2(p / mean share), which is 0 for p = 0
    first_divergence, second_divergence = (
        (shares * np.log2(np.where(ratio > 0, ratio, 1))).sum(axis=1)
        for shares, ratio in zip((first_shares, second_shares), ratios, strict=True)
    )
    distance: Floats = np.sqrt(np.clip((first_divergence + second_divergence) / 2, 0, 1))
    return distance


@measure(
    "AWRF",
    title="Attention-weighted rank fairness",
    formula="1 − Jensen–Shannon distance (base 2) between the groups' shares of attention (1 / "
    "discount of each rank r ≤ k) and the target: the groups' shares of the relevant "
    "documents (target=equal: equal shares)",
    needs=("groups",),
    exemptions=(Exemption("tail", "each document of a group gets attention"),),
)
def attention_weighted_rank_fairness(
    run: JudgedRun,
    *,
    target: Target = "relevant",
    discount: Discount = "jk",
    base: Base = 2,
    rel: Rel = 1,
    cutoff: MaybeCutoff = None,
) -> Scores:
    """Return how closely the attention that groups of documents receive matches its target.

    Parameters
    ----------
    run
        T topics, with groups.
    target
        `relevant`: each group's share of the topic's relevant documents, retrieved or not;
        `equal`: an equal share for each group in the file.
    discount, base
        `jk`: attention is 1 / log_b r from rank b on, and 1 before; `log2p1`: 1 / log_b (r + 1).
    cutoff
        Ranks 1 to `cutoff` receive attention; without a cutoff, all ranks do.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no retrieved document belongs to a group or, with
        target=relevant, no document of a group is relevant.

    Raises
    ------
    MeasureError
        If the groups were not given.

    Notes
    -----
    A document in several groups counts toward each group with its weight in that group. Documents
    in no group are ignored. Unjudged documents receive attention like all other documents.

    References
    ----------
    Sapiezynski, Zeng, Robertson, Mislove and Wilson (2019), Quantifying the impact of user
    attention on fair group representation in ranked lists, WWW companion, 553–562. Ekstrand,
    McDonald, Raj and Johnson (2022), Overview of the TREC 2022 Fair Ranking track, TREC.

    Examples
    --------
    >>> run = JudgedRun.single(ranked=[1, 1])
    >>> columns = {"group": np.array([0.0, 1.0]), "weight": np.ones(2)}
    >>> attention_weighted_rank_fairness(run.with_tables(groups=AuxiliaryRows(run.hit_topic, run.hit_rank, run.hit_grade, columns)))
    array([1.])
    """
    rows = run.auxiliary_rows("groups")
    target_shares = _compute_target_shares(run, rows, target, rel)
    exposure_shares = _compute_exposure_shares(run, rows, discount, base, cutoff)
    has_shares = (target_shares.sum(axis=1) > 0) & (exposure_shares.sum(axis=1) > 0)
    return np.where(has_shares, 1 - _compute_jensen_shannon(target_shares, exposure_shares), 0.0)


@explains("AWRF")
def explain_attention_weighted_rank_fairness(
    example: ExampleTopic,
    *,
    target: Target,
    discount: Discount,
    base: float,
    rel: int,
    cutoff: int | None,
) -> WorkedExample:
    """Explain AWRF by the target shares and the actual shares of the groups."""
    run, rows = example.judged_run, example.judged_run.auxiliary_rows("groups")
    target_shares = _compute_target_shares(run, rows, target, rel)[0]
    exposure_shares = _compute_exposure_shares(run, rows, discount, base, cutoff)[0]
    names = rows.names.get("group", ()) or tuple(map(str, range(len(target_shares))))
    steps = (
        Message("Target shares: {shares}.", shares=_format_shares(names, target_shares)),
        Message("Shares of attention: {shares}.", shares=_format_shares(names, exposure_shares)),
    )
    if not target_shares.sum() or not exposure_shares.sum():
        return WorkedExample(
            (
                *steps,
                Message("AWRF = 0, because the target or the attention is zero for all groups."),
            ),
            0.0,
        )
    distance = float(_compute_jensen_shannon(target_shares[None], exposure_shares[None])[0])
    return WorkedExample(
        (*steps, f"AWRF = 1 − {format_number(distance)} = {format_number(1 - distance)}"),
        1 - distance,
    )


def _format_shares(names: Sequence[str], shares: Floats) -> str:
    return ", ".join(
        f"{name} {format_number(share)}"
        for name, share in zip(names, shares.tolist(), strict=False)
    )
