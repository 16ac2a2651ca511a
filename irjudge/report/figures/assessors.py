"""The figure of assessors: how far every two agree."""

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.model.labels import Labels
from irjudge.report.figures.chart import Axis, CellGrid, Chart
from irjudge.report.figures.registry import FigureWish, figure
from irjudge.stats.agreement.matrix import agreement_of_pairs

USUAL_STATISTIC = "kappa"


@figure("assessor-agreement", title="Agreement of assessors", takes="labels", options=("statistic",))
def assessor_agreement(labels: Labels, wish: FigureWish) -> Chart:
    """Show how far every two assessors agree on the documents both judged."""
    name = wish.statistic or USUAL_STATISTIC
    if len(labels.workers) < 2:
        raise IrjudgeError("Agreement takes two assessors or more, got {workers}.", workers=len(labels.workers))
    pairs = agreement_of_pairs(labels, [name], rel=wish.rel)[0]
    values = pairs.matrix()
    np.fill_diagonal(values, np.nan)
    shared = Message("{items:,} pairs of assessors share documents", items=len(pairs.items)) + (
        Message(", {median:,} in the median.", median=int(np.median(pairs.items))) if len(pairs.items) else "."
    )
    return Chart(
        Message("Agreement of {workers:,} assessors, {statistic}", workers=len(labels.workers), statistic=pairs.statistic),
        Message(
            "Each two on the documents both judged, {scale} scale; {shared} Hatched: undefined, or the same assessor.",
            scale=pairs.scale,
            shared=shared,
        ),
        Axis("Assessor", names=labels.workers),
        Axis("Assessor", names=labels.workers),
        CellGrid(values, -1.0 if (values < 0).any() else 0.0, 1.0, pairs.statistic),
        ("assessor_a", "assessor_b", pairs.statistic),
    )
