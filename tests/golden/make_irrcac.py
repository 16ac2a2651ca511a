"""Creates irrcac.json: Gwet's AC1 and AC2 and the Brennan-Prediger coefficient, unweighted, linear and quadratic, by irrCAC.

Run: python make_irrcac.py, with irrCAC 0.4.4 (pip install irrCAC) on the path.
"""

import json
import random
from importlib.metadata import version
from pathlib import Path

import pandas as pd
from irrCAC.raw import CAC

WEIGHTS = {"nominal": "identity", "linear": "linear", "quadratic": "quadratic"}


def tables(draw: random.Random) -> list[list[list[int | None]]]:
    """Ratings of 2 to 5 raters on 2 to 5 grades; each item has two ratings or more, others are missing, and a grade may be unused."""
    made = []
    for raters, grades in ((2, 2), (2, 4), (3, 3), (4, 5), (5, 4)):
        rows: list[list[int | None]] = []
        for _ in range(24):
            truth = draw.randrange(grades)
            row: list[int | None] = [
                truth if draw.random() < 0.6 else draw.randrange(grades) for _ in range(raters)
            ]
            for place in draw.sample(range(raters), draw.randint(0, raters - 2)):
                row[place] = None
            rows.append(row)
        made.append(rows)
    return made


def main() -> None:
    """Write ratings, the number of grades, and the values."""
    cases = []
    for rows in tables(random.Random(5)):
        grades = (
            1 + max(each for row in rows for each in row if each is not None) + (len(cases) == 3)
        )
        values = {}
        for scaling, weights in WEIGHTS.items():
            found = CAC(
                pd.DataFrame(rows, dtype=float),
                weights=weights,
                categories=[float(each) for each in range(grades)],
                digits=12,
            )
            values[f"{'ac1' if scaling == 'nominal' else 'ac2'}-{scaling}"] = float(
                found.gwet()["est"]["coefficient_value"]
            )
            values[f"brennan-prediger-{scaling}"] = float(found.bp()["est"]["coefficient_value"])
        cases.append({"grades": grades, "rows": rows, "values": values})
    text = json.dumps(
        {"tool": "irrCAC", "version": version("irrCAC"), "cases": cases}, separators=(",", ":")
    )
    Path(__file__).with_name("irrcac.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
