"""Creates crowdkit.json: GLAD and MACE of a small crowd by crowd-kit, until convergence.

Run: python make_crowdkit.py, with crowd-kit 1.4.2 (pip install crowd-kit) on the path. Rows stand in an order in which labels and workers
first come up as they are sorted: otherwise crowd-kit's MACE gives workers the strategies of others.
"""

import json
import random
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from crowdkit.aggregation import GLAD, MACE

GRADES, WORKERS, ITEMS = 3, 9, 50


def crowd(draw: random.Random) -> pd.DataFrame:
    """Return four labels per item, of accurate and inaccurate workers; the last two prefer one grade."""
    rows = []
    for item in range(ITEMS):
        truth = draw.randrange(GRADES)
        for worker in draw.sample(range(WORKERS), 4):
            right = draw.random() < (0.2 if worker >= WORKERS - 2 else 0.5 + worker * 0.06)
            rows.append(
                (
                    f"d{item:02}",
                    f"w{worker}",
                    truth
                    if right
                    else worker % 2
                    if worker >= WORKERS - 2
                    else draw.randrange(GRADES),
                )
            )
    rows.sort(key=lambda row: (row[2], row[1]))
    return pd.DataFrame(rows, columns=["task", "worker", "label"])


def main() -> None:
    """Write the labels, the probabilities of each item, and each worker's accuracy by GLAD."""
    data = crowd(random.Random(5))
    for column in ("worker", "label"):
        first = list(pd.unique(data[column]))
        assert first == sorted(first), f"{column}: {first}"
    glad = GLAD(n_iter=400, tol=-1, m_step_max_iter=2000, m_step_tol=1e-9).fit(data)
    data["right"] = 1 / (
        1
        + np.exp(
            -glad.alphas_.loc[data.worker].to_numpy()
            * np.exp(glad.betas_.loc[data.task].to_numpy())
        )
    )
    mace = MACE(n_restarts=1, n_iter=400).fit(data[["task", "worker", "label"]])
    chances = mace.probas_.sort_index()
    found = {
        "tool": "crowd-kit",
        "version": version("crowd-kit"),
        "rows": data[["task", "worker", "label"]].to_numpy().tolist(),
        "glad": {
            "chances": glad.probas_.sort_index().to_numpy().tolist(),
            "right": data.groupby("worker").right.mean().to_dict(),
        },
        "mace": {"chances": chances.div(chances.sum(axis=1), axis=0).to_numpy().tolist()},
    }
    text = json.dumps(
        json.loads(json.dumps(found), parse_float=lambda text: round(float(text), 9)),
        separators=(",", ":"),
    )
    Path(__file__).with_name("crowdkit.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
