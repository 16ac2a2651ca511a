"""Who does tasks: this process, or a Dask cluster. What is asked for is the same, and so is what comes back, bit for bit."""

import ctypes
import gc
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar
from warnings import catch_warnings, simplefilter

from irjudge.errors import IrjudgeError
from irjudge.progress import SILENT, Progress
from irjudge.shipped import load

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Made = TypeVar("Made")

LOCAL = "local"
CONNECTING = 10  # seconds until a scheduler must have answered
ASKED = 0.2  # seconds between two looks at whether the work was cancelled
RETRIES = 3  # of a task whose worker died
SET_FOR_WORKERS = "distributed.nanny.pre-spawn-environ"
# Left alone, GNU's memory gives memory back after each array, to ask for it anew: a third of the time of reading. Bytes, its largest, and
# what is kept of memory that is free; then what `mallopt` calls them.
MMAP_THRESHOLD, TRIM_THRESHOLD = 32 << 20, 256 << 20
M_MMAP_THRESHOLD, M_TRIM_THRESHOLD = -3, -1
# What workers of this machine do beside their tasks, which is for people who watch a dashboard: left alone it takes a sixth of a core.
QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.monitor-interval": "1s",
    "distributed.admin.tick.interval": "2s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    # Left alone it drops all copies but one of what tasks share, and when that one's worker dies the tasks are lost.
    "distributed.scheduler.active-memory-manager.start": False,
    f"{SET_FOR_WORKERS}.MALLOC_MMAP_THRESHOLD_": MMAP_THRESHOLD,
    f"{SET_FOR_WORKERS}.MALLOC_TRIM_THRESHOLD_": TRIM_THRESHOLD,
    f"{SET_FOR_WORKERS}.PYTHONSAFEPATH": 1,  # nothing is loaded from the current folder
}
# Each worker begins as a copy of a process that has loaded all modules: a fresh one, or itself a copy of this one, see `_begin_as_copy`.
# Elsewhere than on Linux, libraries do not survive being copied.
COPIED = sys.platform == "linux"
LOADED_ONCE = ["irjudge.evaluation.worker_modules"]
SURVIVE = (
    "jemalloc_bg_thd\n",
)  # threads that a copied process does without: this one, of pyarrow's, begins anew


class Workers:
    """Does tasks in this process, one after another.

    Seeds and parts belong to the place of a task, never to who does it, so that every number is the same with any workers.
    """

    count = 1  # how many tasks are done at once
    alive = True  # whether they can be asked for more

    def each(
        self,
        work: Callable[[Shared, Task], Made],
        shared: Shared,
        tasks: Sequence[Task],
        what: str,
        progress: Progress = SILENT,
    ) -> Iterator[Made]:
        """Yield what `work` makes of what all share and of each task, in the order of the tasks.

        Raises
        ------
        IrjudgeError
            What a task raised.
        Cancelled
            When the user asked for it; no task goes on then.
        """
        for done, task in enumerate(tasks):
            progress.step(done, len(tasks), what)
            yield work(shared, task)
        progress.step(len(tasks), len(tasks), what)


HERE = Workers()


class Cluster(Workers):
    """Does tasks on the workers of a Dask cluster."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.count = max(1, sum(client.nthreads().values()))

    @property
    def alive(self) -> bool:  # type: ignore[override]
        """Whether the scheduler is still there."""
        return bool(self._client.status == "running")

    def each(
        self,
        work: Callable[[Shared, Task], Made],
        shared: Shared,
        tasks: Sequence[Task],
        what: str,
        progress: Progress = SILENT,
    ) -> Iterator[Made]:
        """Send what all share once to each worker, then the tasks; what a dead worker had is done again and counts once."""
        if not tasks:
            return
        common = self._client.scatter([shared], broadcast=True, hash=False)[0]
        send = partial(self._client.submit, _attempt, work, pure=False, retries=RETRIES)
        futures = [send(common, task) for task in tasks]
        try:
            for done, task in enumerate(tasks):
                progress.step(done, len(tasks), what)
                yield self._made(
                    futures[done],
                    partial(send, shared, task),
                    partial(progress.step, done, len(tasks), what),
                )
            progress.step(len(tasks), len(tasks), what)
        finally:
            self._client.cancel([future for future in futures if not future.done()], force=True)

    def _made(self, future: Any, again: Callable[[], Any], ask: Callable[[], None]) -> Any:
        """Return what a task made. What all share may have died with a worker; then the task is sent `again` with a copy of its own."""
        import distributed  # noqa: PLC0415

        for _ in range(RETRIES):
            try:
                return _made(future, ask)
            except distributed.CancelledError:
                if not self.alive:
                    break
                future = again()
        raise IrjudgeError("The scheduler of the cluster is gone, or the task was cancelled there.")


class _Fault:
    """What a task raised for the user: its sentence travels, since not every error can be rebuilt elsewhere."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence


def _attempt(work: Callable[[Shared, Task], Made], shared: Shared, task: Task) -> Made | _Fault:
    try:
        return work(shared, task)
    except IrjudgeError as fault:
        return _Fault(str(fault))


def _made(future: Any, ask: Callable[[], None]) -> Any:
    """Return what a task made, once it is there; `ask` is called now and then until it is."""
    import distributed  # noqa: PLC0415

    there = threading.Event()
    future.add_done_callback(lambda _: there.set())
    while not there.wait(ASKED):
        ask()
    try:
        made = future.result()
    except distributed.scheduler.KilledWorker as fault:
        raise IrjudgeError(
            "The workers of the cluster died over and over; they may lack memory."
        ) from fault
    if isinstance(made, _Fault):
        raise IrjudgeError(made.sentence)
    return made


@contextmanager
def workers_at(where: str | None) -> Iterator[Workers]:
    """Give the workers that are asked for: `local` for all cores of this machine, the address of a Dask scheduler, None for this process.

    Raises
    ------
    IrjudgeError
        When Dask is not installed, or there is no scheduler.
    """
    if where is None:
        yield HERE
        return
    try:
        distributed = load("distributed")  # only who asks for a cluster needs it
    except ImportError:
        raise IrjudgeError(
            "A cluster needs Dask, which is not installed; install it with `pip install irjudge[cluster]`."
        ) from None
    if where == LOCAL:
        with (
            local_cluster(os.cpu_count() or 1) as local,
            distributed.Client(local, set_as_default=False) as client,
        ):
            client.run(
                _freeze
            )  # what is loaded stays: looking through it for garbage would take each worker a quarter of a second
            yield Cluster(client)
        return
    if "://" not in where:
        raise IrjudgeError(
            'A cluster is "local" or the address of a scheduler such as tcp://host:8786, got "{where}".',
            where=where,
        )
    try:
        client = distributed.Client(where, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError, RuntimeError) as fault:
        raise IrjudgeError("There is no Dask scheduler at {where}.", where=where) from fault
    with client:
        if not client.nthreads():
            raise IrjudgeError("The scheduler at {where} has no workers yet.", where=where)
        yield Cluster(client)


def _freeze() -> (
    None
):  # Dask reads the signature of what it runs, and of a built-in function that takes it as long as ten tasks
    gc.freeze()


@contextmanager
def local_cluster(count: int) -> Iterator[Any]:
    """Give a Dask cluster of this machine: so many processes, which no other machine can reach."""
    import multiprocessing  # noqa: PLC0415 -- only who asks for a cluster needs it

    config, distributed = import_module("dask").config, import_module("distributed")
    how = "forkserver" if COPIED else "spawn"
    if COPIED:
        multiprocessing.get_context(how).set_forkserver_preload(LOADED_ONCE)
        distributed.utils._forkserver_preload_set = (
            True  # else Dask has pandas loaded there, and here too
        )
        _begin_as_copy()
    with (
        config.set({**QUIET, "distributed.worker.multiprocessing-method": how}),
        _environment_kept(config.get(SET_FOR_WORKERS)),
        distributed.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            scheduler_kwargs={
                "dashboard": False,
                "dashboard_address": "127.0.0.1:0",
            },  # any port: there may be another cluster
            silence_logs=50,
        ) as cluster,
    ):
        yield cluster


def _begin_as_copy() -> None:
    """Begin the process that workers are copies of as a copy of this one, if nothing else goes on here.

    As a new process it would load for a second what is loaded here.
    """
    from multiprocessing import forkserver, util  # noqa: PLC0415 -- only who asks for a cluster needs it

    if _alone():
        load(*LOADED_ONCE)
    if not _alone():
        return  # what another thread holds just now, its copy would hold for ever
    new, util.spawnv_passfds = (
        util.spawnv_passfds,
        lambda path, args, passfds: _copy(str(args[-1]), passfds),
    )
    try:
        forkserver.ensure_running()
    finally:
        util.spawnv_passfds = new


def _alone() -> bool:
    """Tell whether this process has no threads but the first and those that a copy does without."""
    try:
        others = [
            each for each in Path("/proc/self/task").iterdir() if each.name != str(os.getpid())
        ]
        return all((each / "comm").read_text() in SURVIVE for each in others)
    except OSError:  # one has just ended
        return False


def _copy(code: str, kept: Sequence[int]) -> int:
    """Return the number of a copy of this process that does what a new one would: what the code says, with these open files alone."""
    sys.stdout.flush()  # else the copy says it again
    sys.stderr.flush()
    with catch_warnings():
        simplefilter(
            "ignore", DeprecationWarning
        )  # newer Pythons warn of any thread, and the one there is survives
        number = os.fork()
    if number:
        return number
    try:
        ends = [2, *sorted(kept), os.sysconf("SC_OPEN_MAX")]
        for before, after in pairwise(ends):
            os.closerange(before + 1, after)
        with suppress(AttributeError, OSError):  # another C library than GNU's
            for what, size in (
                (M_MMAP_THRESHOLD, MMAP_THRESHOLD),
                (M_TRIM_THRESHOLD, TRIM_THRESHOLD),
            ):
                ctypes.CDLL(None).mallopt(what, size)
        exec(code, {})
    finally:
        os._exit(0)


@contextmanager
def _environment_kept(names: Iterable[str]) -> Iterator[None]:
    """Give variables their values back: Dask sets them for workers in the process that starts them, and leaves them there."""
    before = {name: os.environ.get(name) for name in names}
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
