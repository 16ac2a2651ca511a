"""What a reader must know to take a value for what it is, where its name or the qrels invite another reading."""

from collections.abc import Iterator, Sequence

import numpy as np

from irjudge.message import Message
from irjudge.metrics.naming.names import Measure
from irjudge.model.ranking import Qrels

NAMED_GROUPS = 4


def cautions(qrels: Qrels, measures: Sequence[Measure]) -> tuple[str, ...]:
    """Return a sentence for each reading that the values do not bear; none where nothing can be misread.

    Examples
    --------
    >>> from irjudge.metrics.naming.names import parse
    >>> from irjudge.model.ranking import make_qrels
    >>> cautions(make_qrels([("1", "d1", 1)]), parse("SetF(beta=2)"))
    ('SetF(beta=2): beta is 2 here; ir_measures takes the number of SetF for beta², which is set_F.2 here.',)
    """
    return (*_rounds(qrels, [each for each in measures if each.by_subtopics]), *_squares(measures))


def _rounds(qrels: Qrels, measures: Sequence[Measure]) -> Iterator[str]:
    """Yield what is said where column 2 has several values and no document of a topic stands under two of them."""
    used = np.unique(qrels.group)
    if not measures or len(used) < 2:
        return
    pairs = qrels.topic.astype(np.int64) * len(qrels.documents) + qrels.document
    if len(np.unique(pairs)) < len(pairs):
        return
    groups = [qrels.groups[code] for code in used[:NAMED_GROUPS].tolist()] + (["…"] if len(used) > NAMED_GROUPS else [])
    names = ", ".join(measure.name for measure in measures)
    yield (
        Message(
            "{names}: column 2 of the qrels ({groups}) is taken for subtopics, but no document of a topic stands under two of them."
            " Rounds of judging look like this, and then the value means nothing; with 0 in column 2 each topic is one subtopic.",
            names=names,
            groups=", ".join(groups),
        )
    )


def _squares(measures: Sequence[Measure]) -> Iterator[str]:
    for measure in measures:
        beta = measure.values.get("beta")
        if measure.declaration.name == "SetF" and beta != 1 and not measure.given:
            yield Message(
                "{measure}: beta is {beta:g} here; ir_measures takes the number of SetF for beta², which is set_F.{beta:g} here.",
                measure=measure.name,
                beta=beta,
            )
