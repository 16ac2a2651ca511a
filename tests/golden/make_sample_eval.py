"""Creates sample_eval.json: xinfAP and infNDCG by the rules of NIST's script sample_eval.pl. Run: python make_sample_eval.py.

The script is in no registry, so it was not run here. Its rules (version of 10 October 2011) are written below one document and one stratum
at a time, in plain loops, independently of irjudge: as read in the copy of github.com/amillert/TREC-elastic, sample_eval.pl.
"""

import json
import random
from math import log2
from pathlib import Path

EPSILON, MOST = 0.00001, 1000


def sample(draw: random.Random) -> list[tuple[str, str, str, int, int]]:
    """Lines of topic, iteration, document, stratum and grade, -1 if a document was not sampled; topic 4 has no relevant document."""
    lines = []
    for topic in "1234":
        for number in draw.sample(range(900), draw.choice([20, 60, 150])):
            stratum = 1 + (number > 100) + (number > 500)
            drawn = draw.random() < {1: 1.0, 2: 0.5, 3: 0.2}[stratum]
            grade = draw.choice([0, 0, 0, 1, 1, 2, 3]) if topic != "4" else 0
            lines.append((topic, "0", f"d{number}", stratum, grade if drawn else -1))
    return lines


def ranking(
    draw: random.Random, lines: list[tuple[str, str, str, int, int]], topic: str
) -> list[str]:
    """Return a ranking of most sampled documents and others."""
    there = [line[2] for line in lines if line[0] == topic and draw.random() < 0.8]
    mixed = there + [f"u{number}" for number in range(len(there) // 2)]
    draw.shuffle(mixed)
    return mixed


def values(
    lines: list[tuple[str, str, str, int, int]], documents: list[str], topic: str
) -> tuple[float, float]:
    """Return xinfAP and infNDCG of one ranking."""
    grade = {line[2]: line[4] for line in lines if line[0] == topic}
    stratum = {line[2]: line[3] for line in lines if line[0] == topic}
    strata = sorted(set(stratum.values()))
    inside = {each: [name for name in stratum if stratum[name] == each] for each in strata}
    drawn = {each: sum(grade[name] >= 0 for name in inside[each]) for each in strata}
    relevant = {each: sum(grade[name] > 0 for name in inside[each]) for each in strata}
    estimated = {
        each: relevant[each] * len(inside[each]) / drawn[each] if drawn[each] else 0.0
        for each in strata
    }
    docs, judged, good, precisions, gains = (dict.fromkeys(strata, 0.0) for _ in range(5))
    for rank, name in enumerate(documents[:MOST], 1):
        if name not in grade:
            continue
        mine, above = stratum[name], sum(docs.values())
        if grade[name] > 0:
            found = sum(
                docs[each] / above * (good[each] + EPSILON) / (judged[each] + 3 * EPSILON)
                for each in strata
                if docs[each]
            )
            precisions[mine] += 1 / rank + above / rank * found
            good[mine] += 1
            gains[mine] += grade[name] / log2(rank + 1)
        docs[mine] += 1
        judged[mine] += grade[name] >= 0
    total = sum(estimated.values())
    inferred = (
        sum(
            estimated[each] / total * precisions[each] / relevant[each]
            for each in strata
            if relevant[each]
        )
        if total
        else 0.0
    )
    ideal, start = 0.0, 0
    for level in sorted({each for each in grade.values() if each > 0}, reverse=True):
        share = sum(
            sum(grade[name] == level for name in inside[each]) * len(inside[each]) / drawn[each]
            for each in strata
            if drawn[each]
        )
        count = int(share + 0.5)
        ideal += sum(
            level / log2(rank + 1) for rank in range(start + 1, min(start + count, MOST) + 1)
        )
        start += count
    gained = sum(docs[each] * gains[each] / judged[each] for each in strata if judged[each])
    return inferred, gained / ideal if ideal else 0.0


def main() -> None:
    """Write the sample, a ranking of each topic, and the two values of each."""
    draw = random.Random(13)
    lines = sample(draw)
    rankings = {topic: ranking(draw, lines, topic) for topic in "1234"}
    found = {topic: values(lines, documents, topic) for topic, documents in rankings.items()}
    made = {
        "rules": "sample_eval.pl, 10 October 2011",
        "prels": lines,
        "rankings": rankings,
        "values": found,
    }
    Path(__file__).with_name("sample_eval.json").write_text(
        json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
