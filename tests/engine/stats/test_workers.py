"""Tests of each kind of workers: same bits as one process, killed workers, errors, and access."""

import gc
import logging
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import chdir, suppress
from pathlib import Path

import distributed
import numpy as np
import psutil
import pyarrow.parquet
import pytest
from dask import config as dask_config

from irjudge.cli.main import main
from irjudge.errors import Cancelled, IrjudgeError
from irjudge.evaluation import (
    Policy,
    RunFile,
    evaluate_runs,
    evaluation_in_parts,
    parse_measures,
    read_ranking,
    read_rankings,
    reusability,
)
from irjudge.formats.rankings import convert_runs, iter_pool_rows, read_qrels, read_run
from irjudge.model import Document, Pool, Topic, make_run
from irjudge.pooling import PoolOptions, build_pool, learn_pool, make_qrels_judge
from irjudge.progress import Progress
from irjudge.search import make_postings
from irjudge.stats import SERIAL, RandomStream, Sampling, Workers, cluster_warning, workers_at
from irjudge.stats.cluster import Cluster
from irjudge.stats.local_processes import PRELOADED_MODULES, USE_FORK, LocalProcesses
from irjudge.stats.significance import run_test
from tests.engine.stats.worker_tasks import (
    fail,
    kill_own_process,
    loaded_modules,
    work_slowly,
)

pytestmark = pytest.mark.slow  # most tests use processes or a scheduler

MEASURES = parse_measures("AP nDCG@5 RR bpref infAP Judged@5".split())
TOPICS, DEPTH = 30, 20


IN_THIS_PROCESS = {
    "n_workers": 2,
    "threads_per_worker": 1,
    "processes": False,
    "dashboard_address": None,
    "scheduler_kwargs": {"dashboard": False, "dashboard_address": "127.0.0.1:0"},
    "silence_logs": 50,
}


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """Return two processes, started in a folder whose files have the names of libraries."""
    here = tmp_path_factory.mktemp("here")
    for name in ("numpy", "multiprocessing", "pickle", "irjudge"):
        (here / f"{name}.py").write_text("raise SystemExit('loaded from the current folder')")
    before = dict(os.environ)
    with chdir(here):
        workers = LocalProcesses(2)
        assert [*workers.map_tasks(divmod, 7, [2, 3], "")] == [(3, 1), (2, 1)]
    assert dict(os.environ) == before, "what is set for workers is not left behind"
    yield workers
    workers.close()


@pytest.fixture(scope="module")
def dask():
    """Return a Dask cluster in threads of this process, which is fast."""
    with (
        distributed.LocalCluster(**IN_THIS_PROCESS) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture(params=["local", "dask"])
def workers(request):
    """Return each kind of workers outside this process."""
    if request.param == "local":
        return request.getfixturevalue("local")
    return Cluster(request.getfixturevalue("dask"))


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


class SplitForTwo(Workers):
    """This process, with work split as for two processes."""

    count = 2


def evaluate_run_files(
    folder: Path, names: list[str], workers: Workers | None, **options
) -> list[object]:
    qrels, policy = read_qrels(folder / "q"), Policy(**options)
    if workers is None:
        rankings = (read_ranking(folder / name, qrels, policy) for name in names)
    else:
        rankings = read_rankings(
            [RunFile(folder / name, None) for name in names], qrels, policy, workers
        )
    table = evaluate_runs(qrels, rankings, MEASURES, policy)
    return [
        (run.run, run.topics, run.values.tobytes(), run.summary.tobytes(), run.coverage)
        for run in table.runs
    ]


@pytest.mark.parametrize("size", [1, 100, 1000, 10**6])
@pytest.mark.parametrize("ties", ["trec", "file", "rank"])
def test_parts_of_any_size_give_the_same_bits(folder, monkeypatch, size, ties):
    monkeypatch.setattr(evaluation_in_parts, "BYTES_PER_TASK", size)
    names = ["a.run", "b.parquet"] if ties != "rank" else ["a.run"]
    assert evaluate_run_files(folder, names, SERIAL, ties=ties) == evaluate_run_files(
        folder, names, None, ties=ties
    )


def test_runs_with_their_own_document_codes_are_read_sequentially(folder, tmp_path):
    runs = [
        make_run(name, [("t1", f"d{number}", 1.0 - number / 100) for number in documents])
        for name, documents in (("low", range(40)), ("high", range(40, 80)))
    ]
    names = [str(path) for path in convert_runs(runs, tmp_path)]
    assert evaluate_run_files(folder, names, SERIAL) == evaluate_run_files(folder, names, None)


def test_any_workers_give_the_same_bits(folder, workers):
    names = ["a.run", "b.parquet", "c.run"]
    assert evaluate_run_files(folder, names, workers, topics="relevant") == evaluate_run_files(
        folder, names, None, topics="relevant"
    )


def test_a_run_with_separated_topics_is_read_whole(folder, tmp_path, monkeypatch):
    lines = (folder / "a.run").read_text().splitlines(keepends=True)
    mixed = "".join(
        lines[position] for position in np.random.default_rng(1).permutation(len(lines))
    )
    (tmp_path / "mixed.run").write_text(mixed)
    (tmp_path / "q").write_text((folder / "q").read_text())
    monkeypatch.setattr(evaluation_in_parts, "BYTES_PER_TASK", 500)
    assert evaluate_run_files(tmp_path, ["mixed.run"], SERIAL) == evaluate_run_files(
        tmp_path, ["mixed.run"], None
    )


@pytest.mark.parametrize("test", ["permutation", "bootstrap", "tukey"])
def test_significance_tests_use_the_same_random_numbers_anywhere(workers, test):
    scores = np.random.default_rng(2).random((5, 70))
    here = run_test(test, scores, sampling=Sampling(seed=7, samples=999))
    for each in (SplitForTwo(), workers):
        there = run_test(test, scores, sampling=Sampling(seed=7, samples=999, workers=each))
        assert there.p.tobytes() == here.p.tobytes()


@pytest.mark.parametrize("skip", range(10))
def test_a_random_stream_can_start_at_any_position(skip):
    assert (
        RandomStream(3, skip).draw_words(9).tolist()
        == RandomStream(3).draw_words(skip + 9)[skip:].tolist()
    )


def test_leaving_one_out_is_the_same_anywhere(folder, workers):
    qrels, runs = read_qrels(folder / "q"), [read_run(folder / f"{name}.run") for name in "abc"]
    options = qrels, runs, build_pool(runs, PoolOptions("depth", 5)), parse_measures(["AP"])[0]
    assert reusability.compute_reusability(
        *options, workers=workers
    ) == reusability.compute_reusability(*options)


def test_pools_are_the_same_anywhere(folder, workers):
    runs = [read_run(folder / f"{name}.run") for name in "abc"]
    judge = make_qrels_judge(read_qrels(folder / "q"))
    texts = [
        Document(f"d{number}", b"water %d rain %d" % (number % 7, number % 5))
        for number in range(80)
    ]
    topics = [Topic("t0", "rain 3"), Topic("t1", "water 4")]

    def build_pools(workers: Workers) -> list[Pool]:
        plans = (
            PoolOptions("mtf", size=9, depth=15),
            PoolOptions("sample", size=9, depth=15, seed=5),
        )
        return [
            *(build_pool(runs, plan, judge=judge, workers=workers) for plan in plans),
            learn_pool(make_postings(texts), topics, judge, 20, seed=3, workers=workers),
        ]

    for here, there in zip(build_pools(SERIAL), build_pools(workers), strict=True):
        assert [*iter_pool_rows(there)] == [*iter_pool_rows(here)]
        assert there.probability.tobytes() == here.probability.tobytes()


def _wait_for_marks(marks: Path, count: int) -> list[Path]:
    """Return the marks of started tasks, once there are at least `count`."""
    while len(marked := [*marks.iterdir()]) < count:
        threading.Event().wait(0.01)
    return marked


def test_cancelled_work_starts_no_further_task(local, tmp_path):
    asked = threading.Event()
    watcher = threading.Thread(target=lambda: (_wait_for_marks(tmp_path, 2), asked.set()))
    watcher.start()
    with pytest.raises(Cancelled):
        list(
            local.map_tasks(work_slowly, tmp_path, range(200), "", Progress(cancelled=asked.is_set))
        )
    watcher.join()
    begun = len([*tmp_path.iterdir()])
    assert begun < 50
    assert [*local.map_tasks(divmod, 9, [2], "")] == [(4, 1)]
    assert len([*tmp_path.iterdir()]) <= begun + 2 * local.count


def test_an_invalid_line_in_a_worker_is_named(folder, workers, tmp_path, monkeypatch):
    monkeypatch.setattr(evaluation_in_parts, "BYTES_PER_TASK", 200)
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
    for path, message in (
        (tmp_path / "wrong.run", "wrong.run, line 371:"),
        (parts, "part-037.parquet: .* 1, row 2:"),
    ):
        with pytest.raises(IrjudgeError, match=message):
            list(read_rankings([RunFile(path, "a")], read_qrels(folder / "q"), Policy(), workers))


def test_an_unusable_address_of_a_scheduler_is_an_error(monkeypatch):
    monkeypatch.setattr("irjudge.stats.cluster.CONNECT_TIMEOUT", 0.3)
    for where in ("tcp://127.0.0.1:9", "tls://127.0.0.1:9", "here"):
        with pytest.raises(IrjudgeError, match=where), workers_at(where):
            pass


def test_a_scheduler_that_accepts_and_does_not_reply_is_an_error(monkeypatch):
    monkeypatch.setattr("irjudge.stats.cluster.CONNECT_TIMEOUT", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        where = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(IrjudgeError, match=where), workers_at(where):
            pass


@pytest.mark.parametrize(
    "where",
    [
        "tcp://",
        "tcp://node7",
        "tcp://[::1",
        "tcp://node7:0x1",
        "tls://me:s3cret@127.0.0.1:9",
        "tls://127.0.0.1:9/s3cret@node7",
        "tls://me:s3c@ret@127.0.0.1:9",
        "tls:/me:s3cret@127.0.0.1:9",
        "me:s3cret@127.0.0.1:9",
        "inproc://127.0.0.1/1/1",
        "ucx://127.0.0.1:9",
    ],
)
def test_an_invalid_address_of_a_scheduler_is_one_error_without_a_password(monkeypatch, where):
    monkeypatch.setattr("irjudge.stats.cluster.CONNECT_TIMEOUT", 0.3)
    unraisable = []
    monkeypatch.setattr(sys, "unraisablehook", unraisable.append)
    with pytest.raises(IrjudgeError) as caught, workers_at(where):
        pass
    assert "s3c" not in f"{caught.value}{cluster_warning(where)}"
    del caught
    gc.collect()
    assert not unraisable


def test_without_dask_an_address_is_an_error_that_names_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(IrjudgeError, match=r"irjudge\[cluster\]"), workers_at("tcp://127.0.0.1:9"):
        pass


def evaluate_by_command(folder: Path, *more: str) -> int:
    names = ["q", "a.run", "b.parquet"]
    files = [str(folder / name) for name in names]
    return main(["evaluate", "--format", "csv", "--per-topic", *files, *more])


@pytest.mark.parametrize("where", ["local", "dask"])
def test_commands_accept_workers(folder, capsys, request, where):
    address = where if where == "local" else request.getfixturevalue("tcp").scheduler_address
    assert evaluate_by_command(folder) == 0
    alone = capsys.readouterr()
    assert evaluate_by_command(folder, "--cluster", address) == 0
    there = capsys.readouterr()
    assert there.out == alone.out
    assert (
        there.err == str(cluster_warning(address) and cluster_warning(address) + "\n") + alone.err
    )
    compared = ["compare", "--format", "csv", "--test", "permutation", str(folder / "q")]
    compared += [str(folder / f"{name}.run") for name in "abc"]
    assert main(compared) == 0
    alone = capsys.readouterr()
    assert main([*compared, "--cluster", address]) == 0
    assert capsys.readouterr().out == alone.out
    correlated = [
        "correlate",
        "--systems",
        "--format",
        "csv",
        *compared[5:],
        "-m",
        "AP",
        "-m",
        "P@5",
    ]
    assert main(correlated) == 0
    alone = capsys.readouterr()
    assert main([*correlated, "--cluster", address]) == 0
    assert capsys.readouterr().out == alone.out


@pytest.fixture(scope="module")
def tcp():
    """Return a scheduler with a TCP address."""
    with distributed.LocalCluster(
        **IN_THIS_PROCESS, protocol="tcp://", host="127.0.0.1"
    ) as build_pools:
        yield build_pools


@pytest.mark.parametrize(
    ("where", "warned"),
    [
        ("tcp://node7:8786", True),
        ("ws://node7:8786", True),
        ("ucx://node7:8786", True),
        ("tls://node7:8786", False),
        ("local", False),
        ("here", False),
    ],
)
def test_a_scheduler_without_authentication_gives_a_warning(where, warned):
    assert bool(cluster_warning(where)) == warned
    assert (where in cluster_warning(where)) == warned


@pytest.fixture
def certificates(tmp_path):
    """Return certificates for one run, in files as an administrator would configure Dask."""
    security = distributed.Security.temporary()
    files = {
        name: tmp_path / f"{name.replace('/', '-')}.pem"
        for name in ("ca-file", "client/cert", "client/key")
    }
    for name, pem in zip(
        files,
        (security.tls_ca_file, security.tls_client_cert, security.tls_client_key),
        strict=True,
    ):
        files[name].write_text(pem)
    named = {
        f"distributed.comm.tls.{name.replace('/', '.')}": str(path) for name, path in files.items()
    }
    return security, named


def test_a_tls_cluster_accepts_only_clients_with_its_certificate(
    folder, capsys, certificates, caplog, monkeypatch
):
    caplog.set_level(logging.CRITICAL, logger="distributed")  # it logs refused clients
    security, named = certificates
    monkeypatch.setattr("irjudge.stats.cluster.CONNECT_TIMEOUT", 3)
    assert evaluate_by_command(folder) == 0
    alone = capsys.readouterr()
    secure = IN_THIS_PROCESS | {"security": security, "protocol": "tls://", "host": "127.0.0.1"}
    with distributed.LocalCluster(**secure) as cluster:
        address = cluster.scheduler_address
        assert address.startswith("tls://")
        with dask_config.set(named):
            assert evaluate_by_command(folder, "--cluster", address) == 0
            assert capsys.readouterr() == alone
        assert evaluate_by_command(folder, "--cluster", address) == 2
        assert "distributed.comm.tls" in capsys.readouterr().err
        other = distributed.Security.temporary()
        for name, pem in (
            ("client.cert", other.tls_client_cert),
            ("client.key", other.tls_client_key),
        ):
            Path(named[f"distributed.comm.tls.{name}"]).write_text(pem)
        with dask_config.set(named):
            assert evaluate_by_command(folder, "--cluster", address) == 2
        plain = address.replace("tls://", "tcp://")
        assert evaluate_by_command(folder, "--cluster", plain) == 2


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


def _processes(marks: Path) -> set[int]:
    return {int(each.name.partition("-")[2]) for each in marks.iterdir()}


def test_killed_processes_change_nothing(local, tmp_path):
    results = local.map_tasks(work_slowly, tmp_path, range(24), "")
    first = [next(results)]
    for turn in range(3):
        for process in _processes(tmp_path):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        first.append(next(results))
        assert len(first) == turn + 2
    assert [*first, *results] == [*range(24)]


def test_a_task_that_always_kills_its_process_is_an_error(local):
    with pytest.raises(IrjudgeError, match="memory"):
        list(local.map_tasks(kill_own_process, None, range(4), ""))
    assert [*local.map_tasks(divmod, 9, [2], "")] == [(4, 1)]


def test_errors_of_tasks_are_raised_here(workers, caplog):
    caplog.set_level(logging.CRITICAL, logger="distributed")  # it also logs them
    with pytest.raises(IrjudgeError, match="line 7"):
        list(workers.map_tasks(fail, None, [0, 1], ""))
    with pytest.raises(KeyError):
        list(workers.map_tasks(fail, None, [0, 2], ""))


def test_several_threads_may_use_the_same_processes(local):
    build_pools: dict[int, list[object]] = {}

    def ask(shared: int) -> None:
        build_pools[shared] = [*local.map_tasks(divmod, shared, range(1, 30), "")]

    threads = [threading.Thread(target=ask, args=(shared,)) for shared in range(100, 106)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert build_pools == {
        shared: [divmod(shared, task) for task in range(1, 30)] for shared in range(100, 106)
    }


def listening_addresses(process: psutil.Process) -> list[str]:
    """Return the addresses on which a process listens, except sockets in private folders."""
    internet = [
        str(each.laddr)
        for each in process.net_connections("inet")
        if each.status == psutil.CONN_LISTEN
    ]
    local = [each.laddr for each in process.net_connections("unix") if each.laddr]
    return internet + [
        path
        for path in local
        if path.startswith(("@", "\0")) or Path(path).parent.stat().st_mode & 0o077
    ]


def test_processes_of_this_machine_listen_at_no_address_that_other_accounts_reach(tmp_path):
    this = psutil.Process()
    before = set(listening_addresses(this))
    with workers_at("local") as workers:
        assert [*workers.map_tasks(work_slowly, tmp_path, range(6), "")] == [*range(6)]
        started = this.children(recursive=True)
        assert _processes(tmp_path) <= {each.pid for each in started}
        reached = {address for each in (this, *started) for address in listening_addresses(each)}
        assert reached - before == set()


@pytest.mark.skipif(sys.platform != "linux", reason="reads how the folder is protected")
def test_shared_data_are_private_to_the_user_and_deleted(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with workers_at("local") as workers:
        results = workers.map_tasks(divmod, 7, [2, 3], "")
        next(results)
        ((written,),) = [[*folder.iterdir()] for folder in tmp_path.glob("irjudge-*")]
        assert written.parent.stat().st_mode & 0o077 == 0
        assert [*results] == [(2, 1)]
        assert not written.exists()
    assert not [*tmp_path.glob("irjudge-*")]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_processes_end_with_the_program_in_every_case(how, folder, tmp_path):
    lines = (
        "import sys; sys.path.insert(0, sys.argv[1]); import time\n"
        # ignored if the tests run in the background
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from pathlib import Path\n"
        "from worker_tasks import work_slowly\n"
        "from irjudge.stats import workers_at\n"
        "with workers_at('local') as workers:\n"
        "    for each in workers.map_tasks(work_slowly, Path(sys.argv[2]), range(10_000), ''): pass\n"
    )
    program = subprocess.Popen(
        [sys.executable, "-c", lines, str(Path(__file__).parent), str(tmp_path)],
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for_marks(tmp_path, 10)  # all tasks are submitted, and each process has started work
        started = psutil.Process(program.pid).children(recursive=True)
        assert started
        program.send_signal(how)
        program.wait(timeout=60)
        _, alive = psutil.wait_procs(started, timeout=60)
        assert not alive
    finally:
        program.kill()
        program.wait()


def test_killed_dask_workers_change_nothing(tmp_path, caplog):
    caplog.set_level(logging.CRITICAL, logger="distributed")  # it logs killed workers
    how = IN_THIS_PROCESS | {"processes": True, "host": "127.0.0.1"}
    with (
        distributed.LocalCluster(**how) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        answers = Cluster(client).map_tasks(work_slowly, tmp_path, range(8), "")
        first = next(answers)
        for worker in cluster.workers.values():
            os.kill(worker.pid, signal.SIGKILL)
        assert [first, *answers] == [*range(8)]


WHOSE_COPIES = """
import os, sys, threading
from pathlib import Path
from irjudge.stats.cluster import workers_at

sys.path.insert(0, sys.argv[1])
from worker_tasks import parent_command

begun = Path("/proc/self/cmdline").read_bytes()
print("printed once", end=" ")
if ANOTHER_THREAD:
    threading.Thread(target=threading.Event().wait, daemon=True).start()
with workers_at("local") as workers:
    print(*(each == begun for each in workers.map_tasks(parent_command, None, range(4), "")))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are copied there alone")
@pytest.mark.parametrize("another", [False, True])
def test_workers_are_copies_of_the_command_itself_unless_it_has_another_thread(another):
    lines = f"ANOTHER_THREAD = {another}\n{WHOSE_COPIES}"
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONUNBUFFERED": ""}
    answer = subprocess.run(
        [sys.executable, "-c", lines, str(Path(__file__).parent)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout == f"printed once {' '.join([str(not another)] * 4)}\n"


@pytest.mark.skipif(not USE_FORK, reason="each worker loads its modules itself here")
def test_workers_are_copies_of_one_process_that_loaded_what_they_need(local):
    for loaded in local.map_tasks(loaded_modules, None, range(4), ""):
        assert {*PRELOADED_MODULES} < loaded
        assert "distributed" not in loaded or "distributed" in sys.modules


def test_a_folder_with_too_long_a_path_for_sockets_is_one_error(tmp_path):
    long = tmp_path / ("x" * 100)
    long.mkdir()
    script = (
        "from irjudge.errors import IrjudgeError\n"
        "from irjudge.stats import workers_at\n"
        "try:\n"
        "    with workers_at('local') as workers:\n"
        "        list(workers.map_tasks(pow, 2, [1], ''))\n"
        "except IrjudgeError as error:\n"
        "    print(error.values['folder'])\n"
    )
    environment = {**os.environ, "TMPDIR": str(long)}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.strip() in (str(long), "")  # newer versions of Python use another folder
