"""Work that a cluster does: the same bits as one process, whoever dies, and errors that name what is wrong."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, chdir
from pathlib import Path

import distributed
import numpy as np
import pyarrow.parquet
import pytest

from irjudge.cli.main import main
from irjudge.errors import Cancelled, IrjudgeError
from irjudge.evaluation import evaluation_in_parts, reusability
from irjudge.evaluation.evaluation_in_parts import RunFile, read_rankings
from irjudge.evaluation.table import Policy, evaluate, parse_measures, read_ranking
from irjudge.formats.rankings.parquet_writer import convert
from irjudge.formats.rankings.pools import pool_rows
from irjudge.formats.rankings.qrels import read_qrels
from irjudge.formats.rankings.regular_runs import topic_borders
from irjudge.formats.rankings.runs import read_run
from irjudge.model.document import Document
from irjudge.model.pool import Pool
from irjudge.model.ranking import make_run
from irjudge.model.topic import Topic
from irjudge.pooling.building import PoolPlan, build_pool, judge_of, learn_pool
from irjudge.progress import Progress
from irjudge.search.postings import make_postings
from irjudge.stats.sampling import Sampling
from irjudge.stats.seeded_random import Stream
from irjudge.stats.significance.by_name import run_test
from irjudge.stats.workers import (
    COPIED,
    HERE,
    LOADED_ONCE,
    Cluster,
    Workers,
    local_cluster,
    workers_at,
)

MEASURES = parse_measures("AP nDCG@5 RR bpref infAP Judged@5".split())
TOPICS, DEPTH = 30, 20


@pytest.fixture(scope="module")
def local(tmp_path_factory, slow):
    """Two workers, in processes of their own, started from a folder in which a file bears the name of a library."""
    here = tmp_path_factory.mktemp("here")
    (here / "numpy.py").write_text("raise SystemExit('loaded from the current folder')")
    before = dict(os.environ)
    with ExitStack() as held:
        with chdir(here):
            cluster = held.enter_context(local_cluster(2))
        yield held.enter_context(distributed.Client(cluster, set_as_default=False))
    left = ("PYTHONSAFEPATH", "MALLOC_TRIM_THRESHOLD_", "OMP_NUM_THREADS")
    assert [os.environ.get(name) for name in left] == [before.get(name) for name in left], (
        "what is set for workers is not left behind"
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder, random = tmp_path_factory.mktemp("cluster"), np.random.default_rng(4)
    judged = [(t, d) for t in range(TOPICS) for d in random.choice(80, 40, replace=False)]
    (folder / "q").write_text("".join(f"t{t} 0 d{d} {random.integers(0, 4)}\n" for t, d in judged))
    for name in ("a", "b", "c"):
        pairs = [(t, d) for t in range(TOPICS) for d in random.choice(80, DEPTH, replace=False)]
        rows = [(f"t{t}", f"d{d}", round(float(random.normal()), 2)) for t, d in pairs]
        (folder / f"{name}.run").write_text(
            "".join(f"{t} Q0 {d} 1 {s} {name}\n" for t, d, s in rows)
        )
        pyarrow.parquet.write_table(
            make_run(name, rows).to_arrow(), folder / f"{name}.parquet", row_group_size=33
        )
    return folder


class AsIfTwo(Workers):
    """This process, that cuts its work as for two."""

    count = 2


def found(folder: Path, names: list[str], workers: Workers | None, **wish) -> list[object]:
    qrels, policy = read_qrels(folder / "q"), Policy(**wish)
    if workers is None:
        rankings = (read_ranking(folder / name, qrels, policy) for name in names)
    else:
        rankings = read_rankings(
            [RunFile(folder / name, None) for name in names], qrels, policy, workers
        )
    table = evaluate(qrels, rankings, MEASURES, policy)
    return [
        (run.run, run.topics, run.values.tobytes(), run.summary.tobytes(), run.coverage)
        for run in table.runs
    ]


@pytest.mark.parametrize("size", [1, 100, 1000, 10**6])
@pytest.mark.parametrize("ties", ["trec", "file", "rank"])
def test_parts_cut_anywhere_give_the_same_bits(folder, monkeypatch, size, ties):
    monkeypatch.setattr(evaluation_in_parts, "SPAN", size)
    names = ["a.run", "b.parquet"] if ties != "rank" else ["a.run"]
    assert found(folder, names, HERE, ties=ties) == found(folder, names, None, ties=ties)


def test_runs_whose_documents_have_codes_of_their_own_are_read_one_after_another(folder, tmp_path):
    runs = [
        make_run(name, [("t1", f"d{number}", 1.0 - number / 100) for number in documents])
        for name, documents in (("low", range(40)), ("high", range(40, 80)))
    ]
    names = [str(kept) for kept in convert(runs, tmp_path)]
    assert found(folder, names, HERE) == found(folder, names, None)


def test_a_cluster_gives_the_same_bits(folder, local):
    names = ["a.run", "b.parquet", "c.run"]
    assert found(folder, names, Cluster(local), topics="relevant") == found(
        folder, names, None, topics="relevant"
    )


def test_a_run_whose_topics_stand_apart_is_read_whole(folder, tmp_path, monkeypatch):
    lines = (folder / "a.run").read_text().splitlines(keepends=True)
    mixed = "".join(lines[place] for place in np.random.default_rng(1).permutation(len(lines)))
    (tmp_path / "mixed.run").write_text(mixed)
    (tmp_path / "q").write_text((folder / "q").read_text())
    monkeypatch.setattr(evaluation_in_parts, "SPAN", 500)
    assert found(tmp_path, ["mixed.run"], HERE) == found(tmp_path, ["mixed.run"], None)


@pytest.mark.parametrize("test", ["permutation", "bootstrap", "tukey"])
def test_tests_draw_the_same_numbers_anywhere(local, test):
    scores = np.random.default_rng(2).random((5, 70))
    here = run_test(test, scores, sampling=Sampling(seed=7, samples=999))
    for workers in (AsIfTwo(), Cluster(local)):
        there = run_test(test, scores, sampling=Sampling(seed=7, samples=999, workers=workers))
        assert there.p.tobytes() == here.p.tobytes()


@pytest.mark.parametrize("skip", range(10))
def test_a_stream_begins_anywhere(skip):
    assert Stream(3, skip).words(9).tolist() == Stream(3).words(skip + 9)[skip:].tolist()


def test_leaving_one_out_is_the_same_anywhere(folder, local):
    qrels, runs = read_qrels(folder / "q"), [read_run(folder / f"{name}.run") for name in "abc"]
    wish = qrels, runs, build_pool(runs, PoolPlan("depth", 5)), parse_measures(["AP"])[0]
    assert reusability.leave_out(*wish, workers=Cluster(local)) == reusability.leave_out(*wish)


def test_pools_are_the_same_anywhere(folder, local):
    runs, judge = (
        [read_run(folder / f"{name}.run") for name in "abc"],
        judge_of(read_qrels(folder / "q")),
    )
    texts = [
        Document(f"d{number}", b"water %d rain %d" % (number % 7, number % 5))
        for number in range(80)
    ]
    topics = [Topic("t0", "rain 3"), Topic("t1", "water 4")]

    def found(workers: Workers) -> list[Pool]:
        plans = (PoolPlan("mtf", size=9, depth=15), PoolPlan("sample", size=9, depth=15, seed=5))
        return [
            *(build_pool(runs, plan, judge=judge, workers=workers) for plan in plans),
            learn_pool(make_postings(texts), topics, judge, 20, seed=3, workers=workers),
        ]

    for here, there in zip(found(HERE), found(Cluster(local)), strict=True):
        assert [*pool_rows(there)] == [*pool_rows(here)]
        assert there.probability.tobytes() == here.probability.tobytes()


def _slow(marks: Path, number: int) -> int:
    (marks / f"{number}-{os.getpid()}").touch()
    deadline = time.monotonic() + 0.15
    while time.monotonic() < deadline:
        pass
    return number


def _begun(marks: Path, count: int) -> list[Path]:
    """Return the marks of tasks that began, once there are so many."""
    while len(marked := [*marks.iterdir()]) < count:
        threading.Event().wait(0.01)
    return marked


def test_a_cancelled_work_ends_within_two_seconds(local, tmp_path):
    def seconds(marks: Path) -> float:
        asked = threading.Event()
        marks.mkdir()
        threading.Thread(target=lambda: (_begun(marks, 2), asked.set())).start()
        with pytest.raises(Cancelled):
            list(
                Cluster(local).each(_slow, marks, range(200), "", Progress(cancelled=asked.is_set))
            )
        ended = time.monotonic()
        while any(local.processing().values()) and time.monotonic() < ended + 10:
            threading.Event().wait(0.05)
        assert len([*marks.iterdir()]) < 50, "of 200, those that had not begun never do"
        return time.monotonic() - ended

    begun = time.monotonic()
    local.gather(local.map(abs, range(200), pure=False))
    peer = (
        time.monotonic() - begun
    )  # what the same scheduler needs for as many tasks that do nothing, on the machine as it is
    assert any(seconds(tmp_path / str(turn)) < max(2, 2 * peer) for turn in range(3)), peer


def test_a_wrong_line_is_named_from_a_worker_too(folder, local, tmp_path, monkeypatch):
    monkeypatch.setattr(evaluation_in_parts, "SPAN", 200)
    lines = (folder / "a.run").read_text().splitlines(keepends=True)
    lines[370] = "t18 Q0 d5 1 x y\n"
    (tmp_path / "wrong.run").write_text("".join(lines))
    parts = tmp_path / "parts"
    parts.mkdir()
    for part in range(100):
        table = make_run(
            "a", [(f"t{part}", "d1", 2.0), (f"t{part}", "d2", float("nan") if part == 37 else 1.0)]
        ).to_arrow()
        pyarrow.parquet.write_table(table, parts / f"part-{part:03}.parquet")
    for path, said in (
        (tmp_path / "wrong.run", "wrong.run, line 371:"),
        (parts, "part-037.parquet: row group 1, row 2: the score"),
    ):
        with pytest.raises(IrjudgeError, match=said):
            list(
                read_rankings(
                    [RunFile(path, "a")], read_qrels(folder / "q"), Policy(), Cluster(local)
                )
            )


def test_a_scheduler_that_is_not_there_is_one_sentence(folder, capsys, monkeypatch):
    monkeypatch.setattr("irjudge.stats.workers.CONNECTING", 0.3)
    assert (
        main(
            ["evaluate", str(folder / "q"), str(folder / "a.run"), "--cluster", "tcp://127.0.0.1:9"]
        )
        == 2
    )
    assert capsys.readouterr().err == "irjudge: There is no Dask scheduler at tcp://127.0.0.1:9.\n"
    assert main(["evaluate", str(folder / "q"), str(folder / "a.run"), "--cluster", "here"]) == 2
    assert 'A cluster is "local" or the address of a scheduler' in capsys.readouterr().err


def test_without_dask_a_sentence_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(IrjudgeError, match=r"install it with `pip install irjudge\[cluster\]`"),
        workers_at("local"),
    ):
        pass


def test_the_command_line_takes_a_scheduler(folder, local, capsys):
    address = local.scheduler.address
    wish = [
        "evaluate",
        "--format",
        "csv",
        "--per-topic",
        str(folder / "q"),
        str(folder / "a.run"),
        str(folder / "b.parquet"),
    ]
    assert main(wish) == 0
    alone = capsys.readouterr()
    assert main([*wish, "--cluster", address]) == 0
    assert capsys.readouterr() == alone
    compared = [
        "compare",
        "--format",
        "csv",
        "--test",
        "permutation",
        str(folder / "q"),
        *(str(folder / f"{name}.run") for name in "abc"),
    ]
    assert main(compared) == 0
    alone = capsys.readouterr()
    assert main([*compared, "--cluster", address]) == 0
    assert capsys.readouterr() == alone


@pytest.mark.slow
def test_a_worker_killed_while_the_command_evaluates_changes_nothing(
    folder, local, tmp_path, capsys, caplog, monkeypatch, full
):
    caplog.set_level(logging.CRITICAL, logger="distributed")  # which tells of the death
    monkeypatch.setattr(evaluation_in_parts, "SPAN", 400)
    lines = (folder / "a.run").read_text()
    (tmp_path / "long.run").write_text(
        "".join(lines.replace("t", f"{part}t") for part in range(50 if full else 10))
    )
    judged = (folder / "q").read_text()
    (tmp_path / "q").write_text(
        "".join(judged.replace("t", f"{part}t") for part in range(50 if full else 10))
    )
    wish = [
        "evaluate",
        "--format",
        "csv",
        "--per-topic",
        str(tmp_path / "q"),
        str(tmp_path / "long.run"),
    ]
    assert main(wish) == 0
    alone = capsys.readouterr()
    done = []

    def kill() -> None:
        tasks, workers = local.cluster.scheduler.tasks, local.cluster.workers
        while not (found := sum(task.state == "memory" for task in [*tasks.values()])) > 5:
            threading.Event().wait(0.001)
        os.kill(workers[0].pid, signal.SIGKILL)
        done.append(found)

    killer = threading.Thread(target=kill)
    killer.start()
    assert main([*wish, "--cluster", local.scheduler.address]) == 0
    killer.join()
    assert capsys.readouterr() == alone
    assert done[0] < 0.7 * len(topic_borders(tmp_path / "long.run", evaluation_in_parts.SPAN)), (
        "it was killed in the middle"
    )


@pytest.mark.slow
def test_nothing_of_dask_is_loaded_without_a_cluster(folder):
    program = (
        "import sys, irjudge; from irjudge.cli.main import main; irjudge.evaluate; irjudge.evaluate_arrow; "
        f"main(['evaluate', {str(folder / 'q')!r}, {str(folder / 'a.run')!r}]); "
        "sys.exit(9 if {'dask', 'distributed', 'fsspec', 'tornado', 'irjudge.store.project'} & {*sys.modules} else 0)"
    )
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, check=False).returncode
        == 0
    )


@pytest.mark.slow
def test_killed_workers_change_nothing_though_all_copies_of_what_tasks_share_die(
    local, tmp_path, caplog
):
    caplog.set_level(logging.CRITICAL, logger="distributed")  # which tells of the death
    answers = Cluster(local).each(_slow, tmp_path, range(24), "")
    first = next(answers)
    for worker in local.cluster.workers.values():
        os.kill(worker.pid, signal.SIGKILL)
    assert [first, *answers] == [*range(24)]


WHOSE_COPIES = """
import os, threading
from pathlib import Path
from irjudge.stats.workers import workers_at

def begun_as(_shared, _task):
    print(end="", flush=True)
    return Path(f"/proc/{os.getppid()}/cmdline").read_bytes() == begun

begun = Path("/proc/self/cmdline").read_bytes()
print("said once", end=" ")
if BESIDE:
    threading.Thread(target=threading.Event().wait, daemon=True).start()
with workers_at("local") as workers:
    print(*workers.each(begun_as, None, range(4), ""))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are copied there alone")
@pytest.mark.parametrize("beside", [False, True])
def test_workers_are_copies_of_the_command_itself_unless_another_thread_goes_on_in_it(beside):
    lines, environment = (
        f"BESIDE = {beside}\n{WHOSE_COPIES}",
        {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONUNBUFFERED": ""},
    )
    answer = subprocess.run(
        [sys.executable, "-c", lines], env=environment, capture_output=True, text=True, check=True
    )
    assert answer.stdout == f"said once {' '.join([str(not beside)] * 4)}\n"


@pytest.mark.skipif(not COPIED, reason="each worker loads its modules itself here")
def test_workers_are_copies_of_one_process_that_loaded_what_they_need(local):
    local.wait_for_workers(2, timeout=60)  # those that took the place of others too
    for loaded in local.run(lambda: {*sys.modules}).values():
        assert {*LOADED_ONCE} < loaded
