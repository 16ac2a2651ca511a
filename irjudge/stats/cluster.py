"""Selection of workers (this process, local processes or a Dask cluster), and Dask workers."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlsplit

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.progress import SILENT, Progress, run_within
from irjudge.shipped import load_modules
from irjudge.stats.workers import (
    CHECK_INTERVAL,
    RETRIES,
    SERIAL,
    Result,
    Shared,
    Task,
    Workers,
    make_dead_worker_error,
    run_task,
    unpack_result,
)

T = TypeVar("T")
LOCAL_CLUSTER = "local"
CONNECT_TIMEOUT = 10  # seconds to wait for a scheduler
AUTHENTICATED_SCHEME = "tls://"  # start of addresses of schedulers that authenticate clients
SCHEMES = ("tcp", "tls", "ws", "wss", "ucx", "ucxx")  # schemes of the addresses of schedulers


class Cluster(Workers):
    """Workers of a Dask cluster, to which tasks are sent through its scheduler."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.count = max(1, sum(client.nthreads().values()))

    @property
    def alive(self) -> bool:  # type: ignore[override]
        """Whether the scheduler is connected."""
        return bool(self._client.status == "running")

    def map_tasks(
        self,
        work: Callable[[Shared, Task], Result],
        shared: Shared,
        tasks: Sequence[Task],
        description: str,
        progress: Progress = SILENT,
    ) -> Iterator[Result]:
        """Run tasks on the cluster, and yield their results in the order of the tasks.

        The shared data are sent once. A task whose worker is lost is repeated.
        """
        if not tasks:
            return
        shared_future = self._client.scatter([shared], broadcast=True, hash=False)[0]
        submit = partial(self._client.submit, run_task, work, pure=False, retries=RETRIES)
        futures = [submit(shared_future, task) for task in tasks]
        try:
            for index, task in enumerate(tasks):
                progress.step(index, len(tasks), description)
                yield self._wait_for_result(
                    futures[index],
                    partial(submit, shared, task),
                    partial(progress.step, index, len(tasks), description),
                )
            progress.step(len(tasks), len(tasks), description)
        finally:
            self._client.cancel([future for future in futures if not future.done()], force=True)

    def _wait_for_result(
        self, future: Any, resubmit: Callable[[], Any], check_cancelled: Callable[[], None]
    ) -> Any:
        """Return the result of a task.

        If the cluster has cancelled the task because its shared data were lost, submit it again.
        """
        import distributed  # noqa: PLC0415

        for _ in range(RETRIES):
            is_finished = threading.Event()
            future.add_done_callback(lambda _, event=is_finished: event.set())
            while not is_finished.wait(CHECK_INTERVAL):
                check_cancelled()
            try:
                return unpack_result(future.result())
            except distributed.scheduler.KilledWorker as error:
                raise make_dead_worker_error() from error
            except distributed.CancelledError:
                if not self.alive:
                    break
                future = resubmit()
        raise IrjudgeError(
            "The scheduler of the cluster cannot be reached, or the task was cancelled on the "
            "cluster."
        )


def cluster_warning(cluster: str) -> str:
    """Return a warning if the scheduler does not authenticate clients, otherwise an empty string.

    `cluster` is as for `workers_at`.

    >>> cluster_warning("tls://node7:8786"), cluster_warning("local")
    ('', '')
    """
    if not _is_scheduler_address(cluster) or cluster.startswith(AUTHENTICATED_SCHEME):
        return ""
    return Message(
        "{address} has no authentication: anyone who can connect to the scheduler or a worker "
        "can run code with the permissions of that process. Use tls:// with certificates.",
        address=cluster,
    )


@contextmanager
def workers_at(cluster: str | None) -> Iterator[Workers]:
    """Start the requested workers, and close them after the block.

    `cluster` is `local` for processes on all cores of this machine, the address of a Dask
    scheduler, or None for this process. Certificates for `tls://` come from Dask's configuration.

    Raises
    ------
    IrjudgeError
        If Dask is not installed or the scheduler cannot be reached.
    """
    if cluster is None:
        yield SERIAL
    elif cluster == LOCAL_CLUSTER:
        from irjudge.stats.local_processes import LocalProcesses  # noqa: PLC0415 -- 20 ms

        processes = LocalProcesses(os.cpu_count() or 1)
        try:
            yield processes
        finally:
            processes.close()
    elif not _is_scheduler_address(cluster):
        raise IrjudgeError(
            'The cluster must be "local" or the address of a scheduler such as '
            'tls://host:8786, got "{address}".',
            # Dask does not use passwords, but the user may have typed one
            address=_hide_account(cluster),
        )
    else:
        with _connect(cluster) as client:
            if not client.nthreads():
                raise IrjudgeError(
                    "The scheduler at {address} has no workers yet.", address=cluster
                )
            yield Cluster(client)


def _hide_account(address: str) -> str:
    """Return an address without user and password.

    >>> _hide_account("tls://me:password@node7:8786"), _hide_account("tls:/me:password@node7")
    ('tls://…@node7:8786', '…@node7')
    """
    rest, at_sign, host = address.rpartition("@")
    scheme, slashes, _ = rest.partition("//")
    return f"{scheme + slashes if slashes else ''}…@{host}" if at_sign else host


def _is_scheduler_address(cluster: str) -> bool:
    """Return whether a string is a scheduler's address: scheme, host and port without a user name.

    >>> _is_scheduler_address("TLS://node7:8786")
    False
    >>> _is_scheduler_address("tls://node7:8786"), _is_scheduler_address("tls://me:password@node7:8786")
    (True, False)
    """
    try:
        url = urlsplit(cluster)
        is_complete = bool(url.hostname and url.port)
    except ValueError:
        return False
    # Dask accepts schemes only in lower case; `urlsplit` converts them to lower case
    has_scheme = url.scheme in SCHEMES and cluster.startswith(url.scheme)
    return is_complete and has_scheme and "@" not in cluster


def _connect(cluster: str) -> Any:
    """Return a client that is connected to the Dask scheduler at an address.

    Raises IrjudgeError if Dask is not installed or the scheduler cannot be reached.
    """
    try:
        distributed = load_modules("distributed")  # needed only for `--cluster ADDRESS`
    except ImportError:
        raise IrjudgeError(
            "A cluster needs Dask, which is not installed. Install it with `pip install "
            "irjudge[cluster]`."
        ) from None
    # `__del__` is disabled. A client that could not connect to a scheduler would otherwise wait for
    # the scheduler again when the client is deleted, and print a traceback.
    client = type("Client", (distributed.Client,), {"__del__": lambda _self: None})

    def connect() -> Any:
        return client(cluster, timeout=CONNECT_TIMEOUT, set_as_default=False)

    try:
        # Dask waits forever for the reply of a scheduler that has accepted the connection.
        return run_within(2 * CONNECT_TIMEOUT, connect)
    except TypeError as error:  # raised by Dask if no certificates are configured
        raise IrjudgeError(
            "Cannot connect to {address} without certificates; set distributed.comm.tls in "
            "Dask's configuration (ca-file, client.cert and client.key).",
            address=cluster,
        ) from error
    # Dask asserts that its thread starts within 10 s, which may fail on a very busy machine.
    except (OSError, ValueError, RuntimeError, AssertionError) as error:
        if cluster.startswith("tls:"):
            raise IrjudgeError(
                "Cannot connect to a Dask scheduler at {address}. Check the address, and the "
                "certificates of both sides.",
                address=cluster,
            ) from error
        raise IrjudgeError("There is no Dask scheduler at {address}.", address=cluster) from error
