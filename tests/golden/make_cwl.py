"""Creates cwl.json: values of C/W/L measures by the authors' program. Run: python make_cwl.py, where cwl-eval 1.0.12 is installed."""

import importlib.metadata
import json
import random
from pathlib import Path

from cwl.ruler.measures.cwl_bpm import BPMCWLMetric
from cwl.ruler.measures.cwl_insq import INSQCWLMetric
from cwl.ruler.measures.cwl_inst import INSTCWLMetric
from cwl.ruler.ranking import Ranking

HIGHEST = 4


def rankings() -> list[list[int | None]]:
    """Grades 0 to 4 at each rank; None is unjudged. Some rankings are longer than the 1,000 ranks that the program uses."""
    draw = random.Random(17)
    lengths = [1, 3, 5, 10, 10, 20, 50, 100, 1000, 1200]
    random_ones = [
        [draw.choice([None, None, 0, 0, 0, 1, 2, 3, 4]) for _ in range(length)]
        for length in lengths
    ]
    return [[], [4], [0, 0, 0, 4], [4] * 12, [None] * 30 + [1, 2, 4], *random_ones]


def main() -> None:
    """Write the rankings with the values of each measure."""
    metrics = {f"INSQ(t={t:g})": INSQCWLMetric(t) for t in (0.5, 1.0, 2.5, 10.0)}
    metrics |= {f"INST(t={t:g})": INSTCWLMetric(t) for t in (1.0, 1.5, 3.0, 10.0)}
    metrics |= {
        f"BPM(t={t:g})@{k}": BPMCWLMetric(t, k) for t in (1.0, 2.5) for k in (1, 5, 10, 100)
    }
    cases = []
    for grades in rankings():
        gains = [0.0 if grade is None else grade / HIGHEST for grade in grades]
        ranking = Ranking("1", gains, [1.0] * len(gains))
        cases.append(
            {
                "ranked": grades,
                "values": {
                    name: float(metric.measure(ranking)) for name, metric in metrics.items()
                },
            }
        )
    made = {
        "tool": "cwl-eval",
        "version": importlib.metadata.version("cwl-eval"),
        "highest": HIGHEST,
        "cases": cases,
    }
    Path(__file__).with_name("cwl.json").write_text(
        json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
