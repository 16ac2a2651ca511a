"""Evaluation of columnar runs compared with text runs, and of a cluster with one process."""

import os
import statistics
import time
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

from irjudge.stats import Sampling, workers_at
from irjudge.stats.significance import run_test

TOPICS = int(os.environ.get("IRJUDGE_BENCH_TOPICS", "6980"))
DEPTH, DOCUMENTS, CORES = 1_000, 8_841_823, 2
FASTER = {
    "foreign Parquet, ids as texts": 2.5,
    "foreign Parquet, ids as whole numbers": 2.5,
    "written by irjudge convert": 4,
}
MAX_CLUSTER_COST = 1.2  # times the processor time of one process
MAX_WORKER_MB = 600  # megabytes
TURNS = 5
SYSTEMS, FASTER_WITH_TWO = 129, 1.6
PERMUTATIONS = int(os.environ.get("IRJUDGE_BENCH_PERMUTATIONS", "100000"))
MEASURES = [word for name in ("AP", "nDCG@10", "RR", "P@10") for word in ("-m", name)]

COMMAND = "import sys; from irjudge.cli.main import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> tuple[Path, dict[str, Path]]:
    """Run of the size of a popular passage ranking task, as text and columnar, and its qrels."""
    folder, random = tmp_path_factory.mktemp("columns"), np.random.default_rng(1)
    names = np.sort(random.choice(1_100_000, TOPICS, replace=False))
    first = random.integers(0, DOCUMENTS, (TOPICS, 1))
    step = random.integers(1, DOCUMENTS // DEPTH, (TOPICS, 1))
    document = (first + step * np.arange(DEPTH)) % DOCUMENTS  # no document twice in a topic
    with (folder / "qrels").open("w") as qrels:
        qrels.writelines(
            f"{topic} 0 {document[index, index % 60]} 1\n"
            for index, topic in enumerate(names.tolist())
        )
    topic = np.repeat(names, DEPTH)
    score = -np.sort(-random.normal(12, 4, document.shape), axis=1).round(6).ravel()
    rank = np.tile(np.arange(1, DEPTH + 1), TOPICS)
    columns = {"q0": pa.repeat("Q0", document.size), "tag": pa.repeat("bench", document.size)}
    text = pa.table(
        {
            "topic": topic,
            "q0": columns["q0"],
            "document": document.ravel(),
            "rank": rank,
            "score": score,
            "tag": columns["tag"],
        }
    )
    plain = pyarrow.csv.WriteOptions(include_header=False, delimiter=" ", quoting_style="none")
    paths = {
        "text": folder / "text" / "bench.run",
        **{name: folder / str(index) / "bench.parquet" for index, name in enumerate(FASTER)},
    }
    for path in paths.values():
        path.parent.mkdir()
    pyarrow.csv.write_csv(text, paths["text"], plain)
    numbers = text.select(["topic", "document", "score"])
    kinds = pa.schema({"topic": pa.string(), "document": pa.string(), "score": pa.float64()})
    of_texts, of_numbers, converted = (paths[name] for name in FASTER)
    pyarrow.parquet.write_table(numbers.cast(kinds), of_texts)
    pyarrow.parquet.write_table(numbers, of_numbers)
    paths["written by irjudge convert"] = converted.parent / "run=bench"
    return folder / "qrels", paths


def test_columnar_runs_are_faster_than_text_with_the_same_values(bench, files):
    qrels, paths = files
    bench.process(
        COMMAND, "convert", paths["text"], "-o", paths["written by irjudge convert"].parent, times=1
    )
    start = bench.process(COMMAND, "measures", "AP", cores=CORES)
    ways = {
        name: ["evaluate", "--format", "csv", qrels, path, *MEASURES]
        for name, path in paths.items()
    }
    costs = bench.alternate(COMMAND, ways, times=TURNS, cores=CORES)
    text = costs["text"]
    rows = [
        (
            name,
            cost.seconds,
            text.seconds / cost.seconds,
            cost.processor,
            text.processor / cost.processor,
            cost.megabytes,
        )
        for name, cost in costs.items()
    ]
    bench.show(
        f"{TOPICS:,} topics x {DEPTH:,} documents; to start takes {start.seconds:.2f} s",
        ["run", "seconds", "times as fast", "processor s", "times", "peak MB"],
        rows,
    )
    assert {cost.printed for cost in costs.values()} == {text.printed}
    slow = [
        f"{name}: {row[2]:.1f} times, wanted {times}"
        for (name, times), row in zip(FASTER.items(), rows[1:], strict=True)
        if row[2] < times
    ]
    assert not slow, "; ".join(slow)


def test_two_workers_take_little_more_processor_time_than_one_process(bench, files, tmp_path):
    qrels, paths = files
    # tasks for all workers, almost without work
    few = [tmp_path / f"{number}.run" for number in range(8)]
    for run in few:
        with paths["text"].open() as lines:
            run.write_text("".join(islice(lines, DEPTH)))
    table = []
    for runs in (few, [paths["text"]]):
        arguments = ["evaluate", "--format", "csv", qrels, *runs, *MEASURES]
        costs = bench.alternate(
            COMMAND,
            {"one": arguments, "two": [*arguments, "--cluster", "local"]},
            times=TURNS,
            cores=CORES,
        )
        assert costs["one"].printed == costs["two"].printed
        table.append((costs["one"].processor, costs["two"].processor))
    (start, start_of_two), (whole, whole_of_two) = table
    rows = [
        ("to start", start, start_of_two),
        ("the work", whole - start, whole_of_two - start_of_two),
        ("whole", whole, whole_of_two),
    ]
    bench.show(
        f"Two workers beside one process, {TOPICS:,} topics; the largest process takes {costs['two'].largest:.0f} MB",
        ["processor s", "one", "two", "times"],
        [(*row, row[2] / row[1]) for row in rows],
    )
    assert costs["two"].largest < MAX_WORKER_MB
    assert whole_of_two <= MAX_CLUSTER_COST * whole


def test_permutations_over_many_systems_are_faster_with_two_workers(bench):
    scores = np.random.default_rng(1).random((SYSTEMS, 50))
    turns: dict[str | None, list[float]] = {None: [], "local": []}
    p = {}
    for who in [*turns] * TURNS:
        with workers_at(who) as workers:
            list(workers.map_tasks(_nothing, None, range(8), ""))  # they have started
            begin = time.perf_counter()
            p[who] = run_test(
                "permutation", scores, sampling=Sampling(samples=PERMUTATIONS, workers=workers)
            ).p.tobytes()
            turns[who].append(time.perf_counter() - begin)
    took = {who: statistics.median(each) for who, each in turns.items()}
    rows = [
        ("one process", took[None], 1.0),
        ("two workers", took["local"], took[None] / took["local"]),
    ]
    bench.show(
        f"{PERMUTATIONS:,} permutations over all pairs of {SYSTEMS} systems",
        ["who", "seconds", "times as fast"],
        rows,
    )
    assert p[None] == p["local"]
    assert took[None] / took["local"] >= FASTER_WITH_TWO


def _nothing(_shared: None, _task: int) -> None:
    """Do nothing; loading this module loads what tests need on the worker."""
