"""Reading and evaluating a run of seven million lines, beside pytrec_eval and pandas."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

TOPICS, DEPTH, DOCUMENTS = 6_980, 1_000, 8_841_823
MEASURES = "map recip_rank ndcg_cut_10 ndcg_cut_100 ndcg P_5 P_10 recall_10 recall_100 recall_1000 Rprec bpref success_5".split()

READ_ONLY = """
import sys
from pathlib import Path
from irjudge.formats.runs import read_run
print(len(read_run(Path(sys.argv[2]))))
"""
IRJUDGE = """
import json, sys
from pathlib import Path
from irjudge.evaluation.table import evaluate, parse_measures
from irjudge.formats.qrels import read_qrels
from irjudge.formats.runs import read_run
qrels, run = read_qrels(Path(sys.argv[1])), read_run(Path(sys.argv[2]))
table = evaluate(qrels, [run], parse_measures(sys.argv[3:]))
print(json.dumps(dict(zip(sys.argv[3:], table.runs[0].summary.tolist()))))
"""
COMMAND = """
import sys
from irjudge.cli.main import main
sys.argv = ["irjudge", "evaluate", *sys.argv[1:3], *(each for name in sys.argv[3:] for each in ("-m", name))]
main()
"""
PYTREC_EVAL = """
import json, sys
import pytrec_eval
with open(sys.argv[1]) as file:
    qrels = pytrec_eval.parse_qrel(file)
with open(sys.argv[2]) as file:
    run = pytrec_eval.parse_run(file)
scores = pytrec_eval.RelevanceEvaluator(qrels, set(sys.argv[3:])).evaluate(run)
print(json.dumps({name: sum(topic[name] for topic in scores.values()) / len(scores) for name in sys.argv[3:]}))
"""
PANDAS = """
import sys
import pandas as pd
names = ["topic", "q0", "document", "rank", "score", "tag"]
print(len(pd.read_csv(sys.argv[2], sep=" ", names=names, dtype={"topic": str, "document": str}, quoting=3, na_filter=False)))
"""


@pytest.fixture(scope="session")
def files(tmp_path_factory) -> tuple[Path, Path]:
    """Make qrels and a run of the size of a popular passage ranking task: one or two relevant documents a topic."""
    folder, random = tmp_path_factory.mktemp("run"), np.random.default_rng(1)
    names = np.sort(random.choice(1_100_000, TOPICS, replace=False))
    first, step = random.integers(0, DOCUMENTS, (TOPICS, 1)), random.integers(1, DOCUMENTS // DEPTH, (TOPICS, 1))
    document = (first + step * np.arange(DEPTH)) % DOCUMENTS  # no document twice in a topic
    with (folder / "qrels.txt").open("w") as file:
        for place, topic in enumerate(names.tolist()):
            for each in {document[place, random.integers(0, 60)], random.integers(0, DOCUMENTS)} if place % 9 else {document[place, 3]}:
                file.write(f"{topic} 0 {each} 1\n")
    rank = np.tile(np.arange(1, DEPTH + 1), TOPICS)
    same = pa.array(["Q0", "bench"]).dictionary_encode()
    table = pa.table(
        {
            "topic": np.repeat(names, DEPTH),
            "q0": same.take(pa.array(np.zeros(len(rank), np.int8))).cast(pa.string()),
            "document": document.ravel(),
            "rank": rank,
            "score": 30 - rank / 64,
            "tag": same.take(pa.array(np.ones(len(rank), np.int8))).cast(pa.string()),
        }
    )
    options = pyarrow.csv.WriteOptions(include_header=False, delimiter=" ", quoting_style="none")
    pyarrow.csv.write_csv(table, folder / "bench.run", options)
    return folder / "qrels.txt", folder / "bench.run"


def test_reading_and_evaluating_is_not_slower_than_pytrec_eval(bench, files):
    costs = {"irjudge, reads only": bench.process(READ_ONLY, *files), "irjudge": bench.process(IRJUDGE, *files, *MEASURES)}
    if importlib.util.find_spec("irjudge.cli.main"):
        costs["irjudge evaluate"] = bench.process(COMMAND, *files, *MEASURES)
    costs["pandas, reads only"] = bench.process(PANDAS, *files)
    if importlib.util.find_spec("pytrec_eval"):
        costs["pytrec_eval"] = bench.process(PYTREC_EVAL, *files, *MEASURES, times=1)
    ours = costs["irjudge"]
    size = files[1].stat().st_size / 1e6
    rows = [
        (name, cost.seconds, cost.megabytes, cost.seconds / ours.seconds, cost.megabytes / ours.megabytes) for name, cost in costs.items()
    ]
    title = f"{TOPICS:,} topics x {DEPTH:,} documents, {size:.0f} MB, {len(MEASURES)} measures"
    bench.show(title, ["program", "seconds", "peak MB", "time ratio", "memory ratio"], rows)
    peer = costs.get("pytrec_eval")
    if peer is None:
        pytest.skip("pytrec_eval-terrier is not installed")
    assert json.loads(ours.printed) == pytest.approx(json.loads(peer.printed), abs=1e-6)
    assert ours.seconds <= peer.seconds
