"""Creates ndeval.json: values of diversity measures by TREC's ndeval. Run: python make_ndeval.py, where pyndeval 0.0.8 is installed."""

import importlib.metadata
import json
import math
import random
from pathlib import Path

import pyndeval

NAMES = {
    "alpha-nDCG": "alpha-nDCG",
    "alpha-DCG(norm=most)": "alpha-DCG",
    "ERR-IA": "ERR-IA",
    "nERR-IA": "nERR-IA",
    "P-IA": "P-IA",
    "StRecall": "strec",
}
WHOLE = {"NRBP(beta=0.5)": "NRBP", "nNRBP(beta=0.5)": "nNRBP", "MAP-IA": "MAP-IA"}
WITHOUT_ALPHA = ("P-IA", "StRecall", "MAP-IA")
CUTOFFS = (1, 3, 5, 10, 20)


def judgments(draw: random.Random) -> list[tuple[str, str, str, int]]:
    """Topics of 1 to 8 subtopics and 3 to 60 documents. In topic 9 nothing is relevant, in topic 8 one subtopic has nothing relevant."""
    rows = []
    for topic in range(1, 10):
        subtopics, documents = draw.randint(1, 8), draw.choice([3, 10, 30, 60])
        for number in draw.sample(range(1000), documents):
            for subtopic in range(1, subtopics + 1):
                if draw.random() < 0.6:
                    relevant = topic != 9 and draw.random() < 0.35
                    rows.append((str(topic), str(subtopic), f"d{number}", int(relevant)))
    rows.append(("8", "empty", "d1", 0))
    return rows


def rankings(
    draw: random.Random, rows: list[tuple[str, str, str, int]]
) -> list[tuple[str, str, float]]:
    """Return rankings of judged and unjudged documents, in random order; topic 7 is short."""
    found = []
    for topic in range(1, 10):
        judged = sorted({row[2] for row in rows if row[0] == str(topic)})
        chosen = [each for each in judged if draw.random() < 0.7] + [
            f"u{number}" for number in range(draw.randint(0, 20))
        ]
        draw.shuffle(chosen)
        chosen = chosen[:2] if topic == 7 else chosen
        found += [
            (str(topic), document, float(len(chosen) - place))
            for place, document in enumerate(chosen)
        ]
    return found


def _number(value: float) -> float | None:
    """Return a value; None where ndeval divides 0 by 0."""
    return None if math.isnan(value) else value


def ours(name: str, alpha: float) -> str:
    """Return irjudge's name of a measure, with alpha if it is not the default."""
    if name in WITHOUT_ALPHA or alpha == 0.5:
        return name
    return name.replace("(", f"(alpha={alpha},") if "(" in name else f"{name}(alpha={alpha})"


def main() -> None:
    """Write the judgments, the rankings, and the values of each measure for each topic."""
    draw = random.Random(23)
    rows = judgments(draw)
    found = rankings(draw, rows)
    values = {}
    for alpha in (0.5, 0.25):
        asked = [
            *(f"{name}@{cutoff}" for name in NAMES.values() for cutoff in CUTOFFS),
            *WHOLE.values(),
        ]
        scores = pyndeval.ndeval(rows, found, asked, alpha=alpha, beta=0.5)
        for name, theirs in (NAMES | WHOLE).items():
            for at in [""] if name in WHOLE else [f"@{cutoff}" for cutoff in CUTOFFS]:
                values[ours(name, alpha) + at] = {
                    topic: _number(scores[topic][theirs + at]) for topic in sorted(scores)
                }
    made = {
        "tool": "pyndeval",
        "version": importlib.metadata.version("pyndeval"),
        "qrels": rows,
        "run": found,
        "values": values,
    }
    Path(__file__).with_name("ndeval.json").write_text(
        json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
