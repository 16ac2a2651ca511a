"""Creates ranx.json: values of measures by ranx. Run: python make_ranx.py, where ranx 0.3.21 is installed."""

import importlib.metadata
import json
import random
from pathlib import Path

import ranx

NAMES = (
    "precision precision@5 precision-l2 precision@5-l2 recall recall@5 recall@5-l2 recall-l2 f1 f1@5 f1-l2 f1@5-l2 hits hits@5 hits@5-l2 "
    "hit_rate@2 hit_rate@2-l2 r-precision r-precision-l2 mrr mrr@2 mrr-l2 map map@5 map-l2 map@5-l2 bpref bpref-l2 dcg dcg@5 dcg@5-l2 "
    "dcg@5-l3 dcg_burges dcg_burges@5 ndcg ndcg@5 ndcg-l2 ndcg@5-l2 ndcg_burges ndcg_burges@5 ndcg_burges@5-l1"
).split()
REFUSED = ["rbp.95", "rbp@95", "rbp.8-l2", "ndcg_burges@5-l2", "dcg_burges-l2"]


def main() -> None:
    """Write qrels of grades 0 to 3, a run with unjudged documents, and the values of each topic."""
    draw = random.Random(43)
    topics = [str(topic) for topic in range(1, 7)]
    qrels = {
        topic: {
            f"d{number:02}": draw.choice([0, 0, 1, 2, 3]) for number in draw.sample(range(60), 25)
        }
        for topic in topics
    }
    run = {
        topic: {
            f"d{number:02}": float(30 - place)
            for place, number in enumerate(draw.sample(range(60), 30))
        }
        for topic in topics
    }
    values = {}
    for name in (*NAMES, *REFUSED):
        found = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), name, return_mean=False)
        values[name] = dict(zip(topics, map(float, found), strict=True))
    made = {
        "versions": {"ranx": importlib.metadata.version("ranx")},
        "qrels": qrels,
        "run": run,
        "values": values,
        "refused": REFUSED,
    }
    Path(__file__).with_name("ranx.json").write_text(
        json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
