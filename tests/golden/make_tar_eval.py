"""Creates tar_eval.json: work saved and the last relevant document by CLEF TAR's evaluation. Run: python make_tar_eval.py.

Its folder scripts/measures, with eval_measures_2018.py, must be on the path: github.com/CLEF-TAR/tar, commit 0df8ca3. It is in no registry:
the class that computes was run as it is read there, without what prints.
"""

import json
import random
from pathlib import Path

from eval_measures_2018 import CountBasedMeasures


def topics(draw: random.Random) -> dict[str, tuple[dict[str, int], list[str]]]:
    """Grades of 0 to 2, and rankings: of all documents, of most, and with unjudged ones."""
    made = {}
    for number, relevant in enumerate((1, 3, 10, 19, 20, 30, 41, 57), 1):
        documents = [f"d{place}" for place in range(relevant * 3 + 5)]
        qrels = {
            document: draw.choice([1, 2]) if place < relevant else 0
            for place, document in enumerate(documents)
        }
        ranked = draw.sample(documents, len(documents) if number != 7 else 120)
        ranked += [f"u{place}" for place in range(9)] if number == 4 else []
        made[str(number)] = (qrels, ranked)
    return made


def main() -> None:
    """Write qrels, rankings and values of each topic."""
    made = {}
    for topic, (qrels, ranked) in topics(random.Random(7)).items():
        found = CountBasedMeasures(topic, len(qrels), sum(grade > 0 for grade in qrels.values()))
        for document in ranked:
            found.update(qrels.get(document, 0), qrels.get(document, 0), 0)
        found.finalize()
        work = {"WSS(rule=rounded)@0.95": found.wss_95, "WSS@1": found.wss_100}
        values = work | {"LastRel": found.last_rel, "LastRel(norm=share)": found.min_req}
        made[topic] = {"qrels": qrels, "ranked": ranked, "values": values}
    text = json.dumps(
        {"tool": "tar_eval_2018.py of CLEF-TAR/tar", "version": "0df8ca3", "topics": made},
        separators=(",", ":"),
    )
    Path(__file__).with_name("tar_eval.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
