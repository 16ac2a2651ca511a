"""Tests of live evaluation on TREC-COVID round 1, judged in random order."""

from pathlib import Path

import numpy as np
import pytest

from irjudge.evaluation import (
    DEFAULT_LIVE_MEASURES,
    LiveTable,
    compute_live_table,
    evaluate_runs,
    find_decisive_documents,
    parse_measures,
    run_orderings,
)
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.model import Run, make_qrels

RUNS = 8
SHARES = (0.0, 0.25, 0.5, 0.75, 0.9, 1.0)
Rows = list[tuple[str, str, int]]


@pytest.fixture(scope="module")
def covid(data: Path) -> tuple[Rows, list[Run]]:
    """The judged pairs in a random order, and runs."""
    folder = data / "trec_covid"
    rows = list(read_qrels(folder / "qrels" / "covid-round1.txt").rows())
    order = np.random.default_rng(7).permutation(len(rows))
    paths = sorted((folder / "round1_pool" / "runs_top20").iterdir())[:RUNS]
    return [rows[position] for position in order], [read_run(path) for path in paths]


def test_values_stay_in_their_intervals_and_verdicts_are_never_withdrawn(
    covid: tuple[Rows, list[Run]],
) -> None:
    rows, runs = covid
    measures = parse_measures(list(DEFAULT_LIVE_MEASURES))
    final = evaluate_runs(make_qrels(rows), runs, measures, highest=2)
    tables: list[LiveTable] = []
    for share in SHARES:
        judged = round(share * len(rows))
        tables.append(
            compute_live_table(
                make_qrels(
                    [row if index < judged else (*row[:2], -1) for index, row in enumerate(rows)]
                ),
                runs,
                measures,
            )
        )
    for index, run in enumerate(final.runs):
        for number in range(len(measures)):
            cells = [table.cell(table.runs[index], number) for table in tables]
            lows = np.array([cell[1] for cell in cells])
            highs = np.array([cell[2] for cell in cells])
            assert (lows <= run.summary[number] + 1e-12).all() and (
                run.summary[number] <= highs + 1e-12
            ).all()
            assert (np.diff(lows) >= -1e-12).all() and (np.diff(highs) <= 1e-12).all()
            assert lows[-1] == pytest.approx(highs[-1], abs=1e-12)
    for measure in measures:
        verdicts = [
            [each.verdict for each in run_orderings(table, runs[0].name, measure)]
            for table in tables
        ]
        for pair in zip(*verdicts, strict=True):
            settled = [each for each in pair if each != "can_change"]
            assert settled and len(set(settled)) == 1 and pair[-len(settled) :] == tuple(settled)


def test_judging_the_most_decisive_first_decides_orderings_sooner_than_random_judging(
    covid: tuple[Rows, list[Run]],
) -> None:
    rows, (a, b, *_) = covid
    (measure,) = parse_measures(["P@10"])
    grade = {row[:2]: row[2] for row in rows}

    def compute_table(known: dict[tuple[str, str], int]) -> LiveTable:
        return compute_live_table(
            make_qrels([(*pair, known.get(pair, -1)) for pair in grade]), [a, b], [measure]
        )

    def is_decided(table: LiveTable) -> bool:
        return run_orderings(table, a.name, measure)[0].verdict != "can_change"

    known: dict[tuple[str, str], int] = {}
    while not is_decided(now := compute_table(known)):
        known.update(
            ((each.topic, each.document), grade[each.topic, each.document])
            for each in find_decisive_documents(now, a.name, b.name, measure, 25)
        )
    # No verdict is withdrawn: an ordering that is open after five times as many judgments was open
    # before.
    assert not is_decided(compute_table(dict(list(grade.items())[: 5 * len(known)])))
    assert is_decided(compute_table(grade)) and 5 * len(known) < len(grade)
