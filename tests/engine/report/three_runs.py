"""Three runs that differ clearly, for tests of reports."""

from irjudge.evaluation import Evaluation, Policy, evaluate_runs, parse_measures
from irjudge.model import make_qrels, make_run

TOPICS = [f"{number:03}" for number in range(1, 13)]


def evaluate_three_runs(
    measures: str = "AP P@5 FNR NumRelRet", policy: Policy | None = None
) -> Evaluation:
    """Evaluate twelve topics with two relevant documents: `good` ranks both first, others low."""
    qrels = make_qrels(
        [(topic, document, int(document in "ab")) for topic in TOPICS for document in "abcdefgh"]
    )
    orders = {"good": "abcdefgh", "poor": "cdeafghb", "poorer": "cdefghab"}
    runs = [
        make_run(
            name,
            [
                (topic, document, 9.0 - rank)
                for topic in TOPICS
                for rank, document in enumerate(order)
            ],
        )
        for name, order in orders.items()
    ]
    # a test needs some variation between topics
    runs[1] = make_run(
        "poor",
        [
            (topic, d, 9.0 - r)
            for at, topic in enumerate(TOPICS)
            for r, d in enumerate("cdeafghb"[at % 3 :])
        ],
    )
    return evaluate_runs(qrels, runs, parse_measures(measures.split()), policy, source="judged.txt")


HOSTILE = (
    *"=1+1 @x +1 -1 007 1e5 a|b a\\b <script> &amp; 50% $x$ a_b {c} #1 ~ ^ * ** _x_ `c` [l](u) ![i] -- ,, '' é😀 ?` <!--".split(),
    *("tab\there", "a\nb", "a\r\nb", "\x01", 'say "hi"', "</table>", " both "),
)


def evaluate_hostile_names() -> Evaluation:
    """Evaluate runs and topics whose names have special characters of every output format."""
    qrels = make_qrels([(name, "a", 1) for name in HOSTILE])
    runs = [
        make_run(name, [(topic, "b" if at % 3 else "a", 1.0) for at, topic in enumerate(HOSTILE)])
        for name in HOSTILE
    ]
    return evaluate_runs(qrels, runs, parse_measures(["AP"]))
