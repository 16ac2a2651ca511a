"""Every number that the textbook collection's README prints is what irjudge computes from its files."""

import re

import pytest

from irjudge.evaluation.table import evaluate
from irjudge.formats.qrels import read_qrels
from irjudge.formats.runs import read_run
from irjudge.metrics.names import parse
from irjudge.shipped import samples

FOLDER = samples()["textbook"]


def printed() -> list[tuple[str, str, str, str]]:
    """Topic, run, measure and value of each line of the tables with worked values."""
    found, worked, run_column = [], False, False
    for line in (FOLDER / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        if cells[0] in ("topic", "topics"):
            worked, run_column = "measure" in cells, cells[1] == "run"
        elif worked and re.fullmatch(r"\d+\.\d{4}", cells[-1]) and len(cells) == 4 + run_column:
            found.append((cells[0], cells[1] if run_column else "textbook", cells[1 + run_column], cells[-1]))
    return found


@pytest.mark.parametrize(("topic", "run", "measure", "value"), printed())
def test_a_printed_value_is_computed(topic: str, run: str, measure: str, value: str) -> None:
    table = evaluate(read_qrels(FOLDER / "qrels.txt"), [read_run(FOLDER / "runs" / f"{run}.run")], parse(measure), highest=4)
    assert f"{table.runs[0].values[0][table.runs[0].topics.index(topic)]:.4f}" == value


def test_the_tables_were_found() -> None:
    assert len(printed()) >= 80
