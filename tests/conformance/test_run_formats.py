"""Tests that every format of a run gives equal bits for every measure, in any order of topics."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow.feather
import pyarrow.parquet
import pytest

from irjudge.errors import MeasureError
from irjudge.evaluation import (
    Policy,
    RunFile,
    evaluate_arrow,
    evaluate_runs,
    evaluation_in_parts,
    parse_measures,
    read_ranking,
    read_rankings,
)
from irjudge.formats.rankings import convert_runs, read_qrels, read_run
from irjudge.metrics import Measure, list_measures
from irjudge.model import JudgedRanking, Qrels, Run, Scale
from irjudge.stats import SERIAL
from irjudge.store import create_project

HIGHEST = 4
OPTIONS = [
    ("trec_dl/dl21-passage.txt", "trec_dl/runs/p_bm25"),
    ("trec_covid/qrels/covid-round1.txt", "trec_covid/runs/T5R1"),
    ("qrels/qrels.web.51-100.txt", ""),
]


def every_measure(qrels: Qrels, run: Run) -> tuple[Measure, ...]:
    """Return each measure of the catalogue that needs only qrels and a run."""
    paths = {}
    for each in list_measures():
        for name in (
            each.name,
            f"{each.name}@10",
            f"{each.name}@0.1",
            f"{each.name}(universe=100000)",
        ):
            try:
                [measure] = parse_measures([name])
                evaluate_runs(qrels, [run], [measure], Policy(highest=HIGHEST))
            except MeasureError:
                continue
            paths[each.name] = measure
            break
    return tuple(paths.values())


@pytest.fixture(params=OPTIONS, ids=lambda options: options[0])
def real_collection(request, data, tmp_path) -> tuple[Qrels, Path]:
    qrels, path = read_qrels(data / request.param[0]), data / request.param[1]
    if not request.param[1]:  # no runs exist for it: half of the judged documents, and others
        random, path = np.random.default_rng(0), tmp_path / "made.run"
        rows = [(topic, document) for topic, document, _ in qrels.rows() if random.random() < 0.5]
        rows += [(topic, f"other-{number}") for topic in qrels.topics for number in range(50)]
        unique_rows = dict.fromkeys(rows)
        path.write_text(
            "".join(
                f"{topic} Q0 {document} 1 {random.integers(0, 99)} made\n"
                for topic, document in unique_rows
            )
        )
    return qrels, path


def run_formats(
    run: Run, path: Path, qrels: Qrels, policy: Policy, folder: Path
) -> Iterator[tuple[str, Run | JudgedRanking]]:
    """Yield the run as read from each format, in most with another order of topics."""
    random = np.random.default_rng(1)
    order = random.permutation(len(run.topics)).tolist()
    table = pyarrow.concat_tables(
        [run.select_topics([run.topics[position]]).to_arrow() for position in order]
    )
    size = int(random.integers(100, 900))
    pyarrow.parquet.write_table(table, folder / "run.parquet", row_group_size=size)
    pyarrow.feather.write_feather(table, folder / "run.arrow", chunksize=size)
    convert_runs([run], folder / "converted")
    for each in (
        folder / "run.parquet",
        folder / "run.arrow",
        folder / "converted" / f"run={run.name}",
    ):
        yield each.name, read_ranking(each, qrels, policy)
    files = [RunFile(path, "text in parts"), RunFile(folder / "run.parquet", "columns in parts")]
    yield from ((each.name, each) for each in read_rankings(files, qrels, policy, SERIAL))
    with create_project(
        folder / "p.irjudge", scale=Scale.parse("0-4"), title="P", owner="ann"
    ) as project:
        project.rankings.add_run(run)
        yield "project", project.rankings.run(run.name)


def test_every_format_gives_the_bits_of_the_text_format(real_collection, tmp_path, monkeypatch):
    monkeypatch.setattr(evaluation_in_parts, "BYTES_PER_TASK", 100_000)
    qrels, path = real_collection
    run, policy = read_run(path), Policy(highest=HIGHEST)
    measures = every_measure(qrels, run)
    assert len(measures) > 0.6 * len(list_measures())

    def content_bits(ranking: Run | JudgedRanking) -> tuple[object, ...]:
        [evaluation] = evaluate_runs(qrels, [ranking], measures, policy).runs
        return (
            evaluation.topics,
            evaluation.values.tobytes(),
            evaluation.summary.tobytes(),
            evaluation.coverage,
        )

    wanted = content_bits(read_ranking(path, qrels, policy))
    assert wanted == content_bits(run)
    for name, ranking in run_formats(run, path, qrels, policy, tmp_path):
        assert content_bits(ranking) == wanted, name
    names = [measure.name for measure in measures]
    values = {}
    for index in range(0, len(run.topics), 17):
        part = run.select_topics(run.topics[index : index + 17]).to_arrow()
        for row in evaluate_arrow(part, qrels, names, highest=HIGHEST).to_pylist():
            values[row["measure"], row["topic"]] = row["value"]
    assert (
        np.array([[values[name, topic] for topic in wanted[0]] for name in names]).tobytes()
        == wanted[1]
    )
