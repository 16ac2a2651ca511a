"""Creates ntcireval.json: values of measures by NTCIREVAL. Run: python make_ntcireval.py, where pyNTCIREVAL 0.0.3 is installed."""

import importlib.metadata
import json
import random
from pathlib import Path

from pyNTCIREVAL import Labeler
from pyNTCIREVAL.metrics import AP, ERR, RBP, MSnDCG, QMeasure, nERR

CUTOFFS = (1, 3, 5, 10)
GAINS = [1, 2, 3]


def values_of(qrels: dict[str, int], ranked: list[str]) -> dict[str, float]:
    """Return NTCIREVAL's value of each measure, by irjudge's name."""
    labeler = Labeler(qrels)
    labelled, numbers = labeler.label(ranked), labeler.compute_per_level_doc_num(len(GAINS) + 1)
    made = {
        "AP": AP(numbers, GAINS),
        "Q": QMeasure(numbers, GAINS, 1.0),
        "RBP(p=0.95,gain=graded)": RBP(numbers, GAINS, 0.95),
    }
    for k in CUTOFFS:
        made[f"nDCG@{k}"] = MSnDCG(numbers, GAINS, cutoff=k)
        made[f"Q(norm=cutoff)@{k}"] = QMeasure(numbers, GAINS, 1.0, cutoff=k)
        made[f"Q(beta=0.1,norm=cutoff)@{k}"] = QMeasure(numbers, GAINS, 0.1, cutoff=k)
        made[f"AP(norm=cutoff)@{k}"] = AP(numbers, GAINS, cutoff=k)
    return {name: measure.compute(labelled) for name, measure in made.items()} | _linear_err(
        numbers, labelled
    )


def _linear_err(numbers: list[int], labelled: list[tuple[str, int]]) -> dict[str, float]:
    """ERR with NTCIREVAL's probabilities gain / (highest gain + 1); gains 1, 3, 7 make them those of the paper."""
    found = {"ERR": ERR(numbers, [1, 3, 7]).compute(labelled)}
    return found | {
        f"nERR@{k}": nERR(numbers, [1, 3, 7], cutoff=k).compute(labelled) for k in CUTOFFS
    }


def main() -> None:
    """Write judgments, rankings without a document twice, and values, for each topic."""
    draw = random.Random(5)
    topics = {}
    for topic in range(1, 7):
        judged = {
            f"d{number}": draw.choice([0, 0, 0, 1, 2, 3]) for number in draw.sample(range(60), 25)
        } | {"d99": 3}
        ranked = [f"d{number}" for number in draw.sample(range(60), 30 if topic < 6 else 4)]
        topics[str(topic)] = {
            "qrels": judged,
            "ranked": ranked,
            "values": values_of(judged, ranked),
        }
    made = {
        "tool": "pyNTCIREVAL",
        "version": importlib.metadata.version("pyNTCIREVAL"),
        "topics": topics,
    }
    Path(__file__).with_name("ntcireval.json").write_text(
        json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
