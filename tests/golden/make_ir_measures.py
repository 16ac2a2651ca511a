"""Makes ir_measures.json: values of measures by ir_measures. Run: python make_ir_measures.py, where ir_measures 0.4.3 is installed."""

import importlib.metadata
import json
import random
from pathlib import Path

import ir_measures

NAMES = (
    "AP AP@5 AP(rel=2) P@5 P(rel=2)@5 R@5 R(rel=2)@10 RR RR(rel=2) RR@2 Rprec Rprec(rel=2) Success@2 SetP SetR SetF SetF(beta=2.0) "
    "SetF(beta=0.5) SetAP nDCG nDCG@5 nDCG(dcg='exp-log2')@5 nDCG(gains={0:0,1:3,2:9})@5 ERR@5 ERR@20 Bpref Bpref(rel=2) infAP "
    "IPrec@0.1 IPrec@0.5 Judged@5 NumQ NumRel NumRet P(judged_only=True)@5 nDCG(judged_only=True)@5 AP(judged_only=True)"
).split()
REFUSED = ["Accuracy"]


def main() -> None:
    """Write qrels of grades 0 to 2, a run with documents that nobody judged, and the values of each topic."""
    draw = random.Random(41)
    qrels = [(str(topic), f"d{number}", draw.choice([0, 0, 1, 2])) for topic in range(1, 7) for number in draw.sample(range(60), 25)]
    run = [
        (str(topic), f"d{number}", float(30 - place))
        for topic in range(1, 7)
        for place, number in enumerate(draw.sample(range(60), 30 if topic < 6 else 3))
    ]
    given = [ir_measures.Qrel(*row) for row in qrels], [ir_measures.ScoredDoc(*row) for row in run]
    values: dict[str, dict[str, float]] = {}
    for name in (*NAMES, *REFUSED):
        found = ir_measures.iter_calc([ir_measures.parse_measure(name)], *given)
        values[name] = {each.query_id: each.value for each in found}
    versions = {name: importlib.metadata.version(name) for name in ("ir_measures", "pytrec_eval-terrier")}
    made = {"versions": versions, "qrels": qrels, "run": run, "values": values, "refused": REFUSED}
    Path(__file__).with_name("ir_measures.json").write_text(json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
