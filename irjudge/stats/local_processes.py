"""Workers that are processes on this machine."""

import gc
import multiprocessing
import os
import pickle
import signal
import sys
import tempfile
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from itertools import count
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from irjudge.errors import IrjudgeError
from irjudge.progress import SILENT, Progress
from irjudge.stats.worker_start import retain_freed_memory, start_fork_server
from irjudge.stats.workers import (
    CHECK_INTERVAL,
    RETRIES,
    Result,
    Shared,
    Task,
    TaskFailure,
    Workers,
    make_dead_worker_error,
    run_task,
    unpack_result,
)

# Environment variables of worker processes. The processes import nothing from the current folder.
# Each computes in a single thread, since there is one process per core.
WORKER_ENVIRONMENT = {
    "PYTHONSAFEPATH": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
# Each worker is forked from a server process that has loaded all modules. The server is a new
# process or a fork of this one, see `start_fork_server`. Only on Linux is it safe to fork a process
# that has loaded the libraries.
USE_FORK = sys.platform == "linux"
PRELOADED_MODULES = ["irjudge.evaluation.worker_modules"]


class LocalProcesses(Workers):
    """Worker processes on this machine.

    They receive tasks through pipes. No process listens on a socket, so that other users of the
    machine cannot make a process run their code.
    """

    def __init__(self, processes: int) -> None:
        self.count, self.alive = processes, True
        self._context = multiprocessing.get_context("forkserver" if USE_FORK else "spawn")
        if USE_FORK:
            self._context.set_forkserver_preload(PRELOADED_MODULES)
            with _set_environment(WORKER_ENVIRONMENT), _convert_start_errors():
                start_fork_server(PRELOADED_MODULES)
        self._folder = tempfile.TemporaryDirectory(prefix="irjudge-", ignore_cleanup_errors=True)
        self._file_numbers = count()
        # each thread sends a task to a process and waits for the result
        self._threads = ThreadPoolExecutor(processes, "irjudge-local")
        # queue of idle processes; None represents a process that has not been started yet
        self._idle_processes = SimpleQueue[_Process | None]()
        for _ in range(processes):
            self._idle_processes.put(None)
        self._processes = set[_Process]()

    def close(self) -> None:
        """Kill the processes, even while they run tasks, and delete the shared data."""
        self.alive = False
        for process in [*self._processes]:
            process.kill()
        self._threads.shutdown(cancel_futures=True)
        for process in [*self._processes]:  # a thread may have started another process
            process.kill()
        self._folder.cleanup()

    def map_tasks(
        self,
        work: Callable[[Shared, Task], Result],
        shared: Shared,
        tasks: Sequence[Task],
        description: str,
        progress: Progress = SILENT,
    ) -> Iterator[Result]:
        """Run tasks on idle processes, and yield their results in the order of the tasks.

        A task whose process died is repeated.
        """
        if not tasks:
            return
        path = self._write_shared_data(shared)
        run = partial(self._run_task, work, str(path))
        futures = deque(self._threads.submit(run, task) for task in tasks)
        try:
            for index in range(len(tasks)):
                progress.step(index, len(tasks), description)
                while not wait([futures[0]], CHECK_INTERVAL).done:
                    progress.step(index, len(tasks), description)
                yield unpack_result(futures.popleft().result())
            progress.step(len(tasks), len(tasks), description)
        finally:
            for future in futures:
                future.cancel()
            with suppress(OSError):
                path.unlink()

    def _write_shared_data(self, shared: object) -> Path:
        """Write the shared data to a file, from which all processes read them.

        No other user can read the file.
        """
        path = Path(self._folder.name) / str(next(self._file_numbers))
        try:
            with path.open("xb") as file:
                pickle.dump(shared, file, pickle.HIGHEST_PROTOCOL)
        except OSError as error:
            raise IrjudgeError(
                "Cannot write the data for the worker processes to {folder} ({error}).",
                folder=self._folder.name,
                error=error.strerror or type(error).__name__,
            ) from error
        return path

    def _run_task(
        self, work: Callable[[Any, Task], Result], path: str, task: Task
    ) -> Result | TaskFailure:
        """Run a task in the next idle process; if the process dies, repeat it in a new one."""
        for _ in range(1 + RETRIES):
            process = self._idle_processes.get()
            try:
                process = process or self._start_process()
                return process.run(work, path, task)
            except _ProcessDiedError:
                if process:
                    self._processes.discard(process)
                    process.kill()
                process = None
            finally:
                self._idle_processes.put(process)
        raise make_dead_worker_error()

    def _start_process(self) -> "_Process":
        if not self.alive:
            raise IrjudgeError("The worker processes were stopped.")
        with _set_environment(WORKER_ENVIRONMENT), _convert_start_errors():
            process = _Process(self._context)
        self._processes.add(process)
        return process


class _ProcessDiedError(Exception):
    """A worker process ended before it returned the result of its task."""


class _Process:
    def __init__(self, context: Any) -> None:
        self._pipe, child_pipe = context.Pipe()
        self._process = context.Process(target=_serve_tasks, args=(child_pipe,), daemon=True)
        self._process.start()
        child_pipe.close()  # closes this process's copy, so that reading ends when the worker ends

    def run(
        self, work: Callable[[Any, Task], Result], path: str, task: Task
    ) -> Result | TaskFailure:
        """Send a task to the process; return its result, or raise the exception that it raised.

        Raises _ProcessDiedError if the process ends before it replies.
        """
        # outside `try`, since an error of pickling does not mean that the process died
        request = ForkingPickler.dumps((work, path, task))
        try:
            self._pipe.send_bytes(request)
            reply = self._pipe.recv_bytes()
        except (OSError, EOFError) as error:
            raise _ProcessDiedError from error
        # unpickling is safe, since the process runs irjudge's own code
        is_result, outcome = pickle.loads(reply)
        if not is_result:
            raise outcome
        result: Result | TaskFailure = outcome
        return result

    def kill(self) -> None:
        """End the process immediately."""
        self._process.kill()
        self._process.join()


def _serve_tasks(pipe: Connection) -> None:
    # Ctrl+C is ignored, since the parent receives it, too, and then ends this process
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    retain_freed_memory()
    gc.freeze()  # excludes loaded modules from garbage collection, to save time
    while True:
        reply: tuple[bool, Any]
        try:
            work, path, task = pipe.recv()
            reply = True, run_task(work, _read_shared_data(path), task)
        except (EOFError, BrokenPipeError):  # the parent has ended
            return
        except Exception as error:  # noqa: BLE001 -- the parent raises it
            error.add_note(traceback.format_exc())
            reply = False, error
        try:
            pipe.send(reply)
        except (AttributeError, TypeError, ValueError, pickle.PicklingError):
            pipe.send((False, RuntimeError(f"cannot return {reply[1]!r:.1000}")))


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(0)


@lru_cache(maxsize=2)  # two pages of the window may use the workers at the same time
def _read_shared_data(path: str) -> Any:
    with Path(path).open("rb") as file:
        return pickle.load(file)  # written by the parent to a private folder


_ENVIRONMENT_LOCK = threading.Lock()


@contextmanager
def _set_environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables for the processes started in this context, then restore them."""
    with _ENVIRONMENT_LOCK:
        previous_values = {name: os.environ.get(name) for name in variables}
        os.environ.update(variables)
        try:
            yield
        finally:
            for name, value in previous_values.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value


@contextmanager
def _convert_start_errors() -> Iterator[None]:
    """Convert an OSError raised while processes are started to IrjudgeError.

    A likely cause is that the path of the server's socket is longer than about 100 bytes.
    """
    try:
        yield
    except OSError as error:
        raise IrjudgeError(
            "Cannot start the worker processes ({error}). The path of the folder for temporary "
            "files, {folder}, may be too long; set TMPDIR to a shorter path.",
            error=error.strerror or str(error),
            folder=tempfile.gettempdir(),
        ) from error
