"""Creates ir_measures.json: values of measures by ir_measures. Run: python make_ir_measures.py.

There must be ir_measures 0.4.3, and pyndeval, which computes its measures of subtopics.
"""

import importlib.metadata
import json
import random
from pathlib import Path
from typing import Any

import ir_measures

NAMES = (
    "AP AP@5 AP(rel=2) P@5 P(rel=2)@5 R@5 R(rel=2)@10 RR RR(rel=2) RR@2 Rprec Rprec(rel=2) Success@2 SetP SetR SetF SetF(beta=2.0) "
    "SetF(beta=0.5) SetAP nDCG nDCG@5 nDCG(dcg='exp-log2')@5 nDCG(gains={0:0,1:3,2:9})@5 ERR@5 ERR@20 Bpref Bpref(rel=2) infAP "
    "IPrec@0.1 IPrec@0.5 Judged@5 NumQ NumRel NumRet P(judged_only=True)@5 nDCG(judged_only=True)@5 AP(judged_only=True) "
    "SetP(judged_only=True) SetAP(judged_only=True) SetF(judged_only=True) SetP(relative=True) SetP(rel=2,relative=True,judged_only=True) "
    "SetRelP NumRet(rel=1) NumRet(rel=2) NumRelRet Judged"
).split()
SUBTOPICS = "alpha_DCG@5 α_DCG@5 alpha_DCG(alpha=0.2)@10 alpha_nDCG@5 AP_IA MAP_IA AP_IA(rel=2) ERR_IA@5 nERR_IA@5 P_IA@5 StRecall@5".split()
REFUSED = ["Accuracy", "Compat", "SDCG(max_rel=2)@5", "NERR8(max_rel=2)@5"]


def main() -> None:
    """Write qrels of grades 0 to 2, a run with unjudged documents, and the values of each topic."""
    draw = random.Random(41)
    qrels = [
        (str(topic), f"d{number}", draw.choice([0, 0, 1, 2]))
        for topic in range(1, 7)
        for number in draw.sample(range(60), 25)
    ]
    run = [
        (str(topic), f"d{number}", float(30 - place))
        for topic in range(1, 7)
        for place, number in enumerate(draw.sample(range(60), 30 if topic < 6 else 3))
    ]
    given = [ir_measures.Qrel(*row) for row in qrels], [ir_measures.ScoredDoc(*row) for row in run]
    values = {name: of_topics(name, *given) for name in (*NAMES, *REFUSED)}
    subtopics = [
        (topic, str(draw.randrange(3)), document, grade) for topic, document, grade in qrels
    ]
    judged = [
        ir_measures.Qrel(topic, document, grade, subtopic)
        for topic, subtopic, document, grade in subtopics
    ]
    intents = {
        "qrels": subtopics,
        "values": {name: of_topics(name, judged, given[1]) for name in SUBTOPICS},
    }
    versions = {
        name: importlib.metadata.version(name)
        for name in ("ir_measures", "pytrec_eval-terrier", "pyndeval", "cwl-eval")
    }
    made = {
        "versions": versions,
        "qrels": qrels,
        "run": run,
        "values": values,
        "refused": REFUSED,
        "intents": intents,
    }
    Path(__file__).with_name("ir_measures.json").write_text(
        json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8"
    )


def of_topics(name: str, qrels: list[Any], run: list[Any]) -> dict[str, float]:
    """Return the value of each topic."""
    return {
        each.query_id: each.value
        for each in ir_measures.iter_calc([ir_measures.parse_measure(name)], qrels, run)
    }


if __name__ == "__main__":
    main()
