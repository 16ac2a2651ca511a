"""Make the agreed judgments: the median grade of the three assessors."""

import csv
from collections import defaultdict
from pathlib import Path
from statistics import median_low

FOLDER = Path(__file__).parent


def read_judgments() -> dict[tuple[str, str], list[int]]:
    """Return the grades of all assessors by topic and document."""
    grades: dict[tuple[str, str], list[int]] = defaultdict(list)
    with (FOLDER / "judgments.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            grades[row["topic"], row["document"]].append(int(row["grade"]))
    return grades


def main() -> None:
    """Write `qrels.txt`, one line `topic 0 document grade` for each judged pair."""
    lines = [
        f"{topic} 0 {document} {median_low(grades)}\n"
        for (topic, document), grades in sorted(read_judgments().items())
    ]
    (FOLDER / "qrels.txt").write_text("".join(lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
