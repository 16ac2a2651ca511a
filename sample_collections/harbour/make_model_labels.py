"""Make `model_labels.txt`: labels of an invented model, for trying out the audit. No model was asked.

The model is made up of rules, so that each of its faults is known: it takes words of the topic in a document for relevance, it is more
lenient than people, and chance turns some of its grades. Two lines hold no valid grade, as happens with real ones.
"""

import hashlib
import json
import re
from pathlib import Path

FOLDER = Path(__file__).parent
HIGHEST = 3
WORDS = re.compile(r"[^\W\d_]{4,}")
STRANGE = {
    ("5", "pigeons"): "none",
    ("12", "hi-books-damp"): "7",
}  # what it answered instead of a grade


def texts() -> dict[str, str]:
    """Return the text of each document that has one in `documents.jsonl`."""
    lines = (FOLDER / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    return {
        each["id"]: f"{each['title']} {each['text']}".casefold() for each in map(json.loads, lines)
    }


def titles() -> dict[str, str]:
    """Return the title of each topic."""
    text = (FOLDER / "topics.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"<num>\s*(?:Number:\s*)?(\S+).*?<title>\s*([^\n<]+)", text, re.DOTALL))


def chance(topic: str, document: str) -> float:
    """Return a number from 0 to 1 that is always the same for a pair."""
    return (
        int.from_bytes(hashlib.sha256(f"{topic} {document}".encode()).digest()[:4], "big") / 2**32
    )


def grade(topic: str, document: str, agreed: int, words: set[str], text: str) -> int:
    """Return what the invented model says of a document that people agreed on."""
    drawn, found = chance(topic, document), sum(word in text for word in words)
    if drawn < 0.12:
        return HIGHEST - agreed
    if agreed == 0:
        return min(HIGHEST, found) if found or drawn < 0.6 else 1
    return min(HIGHEST, agreed + (drawn > 0.6))


def main() -> None:
    """Write the file."""
    held, asked = (
        texts(),
        {
            topic: {word.casefold() for word in WORDS.findall(title)}
            for topic, title in titles().items()
        },
    )
    lines = []
    for line in (FOLDER / "qrels.txt").read_text(encoding="utf-8").splitlines():
        topic, _, document, agreed = line.split()
        given = STRANGE.get((topic, document)) or grade(
            topic, document, int(agreed), asked.get(topic, set()), held.get(document, "")
        )
        lines.append(f"{topic} 0 {document} {given}\n")
    (FOLDER / "model_labels.txt").write_text("".join(lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
