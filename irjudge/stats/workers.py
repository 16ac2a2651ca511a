"""Workers that run tasks: this process, other processes on this machine, or a Dask cluster.

All workers compute bit-identical results. `irjudge.stats.cluster` starts the requested workers.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from irjudge.errors import IrjudgeError
from irjudge.progress import SILENT, Progress

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")

CHECK_INTERVAL = 0.2  # seconds between checks for cancellation
RETRIES = 3  # number of times that a task is repeated if its worker dies


class Workers:
    """Base class of workers. The base class runs tasks one after another in this process.

    Derived classes run tasks in parallel. Results must not depend on the workers. Therefore, random
    numbers must not depend on the worker that runs a task, nor on the division of work into tasks.
    """

    count = 1  # number of tasks that can run at the same time
    alive = True  # whether new tasks can be submitted

    def map_tasks(
        self,
        work: Callable[[Shared, Task], Result],
        shared: Shared,
        tasks: Sequence[Task],
        description: str,
        progress: Progress = SILENT,
    ) -> Iterator[Result]:
        """Yield `work(shared, task)` for each task, in the order of the tasks.

        Raises
        ------
        IrjudgeError
            If a task raises it.
        Cancelled
            If the user cancels; running tasks are stopped.
        """
        for index, task in enumerate(tasks):
            progress.step(index, len(tasks), description)
            yield work(shared, task)
        progress.step(len(tasks), len(tasks), description)


SERIAL = Workers()


class TaskFailure:
    """Message of an IrjudgeError raised by a task.

    A worker returns this object instead of the exception, since some exceptions cannot be pickled;
    `unpack_result` raises an IrjudgeError with the message.
    """

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence


def run_task(
    work: Callable[[Shared, Task], Result], shared: Shared, task: Task
) -> Result | TaskFailure:
    """Return the result of a task or, if it raises IrjudgeError, a `TaskFailure`."""
    try:
        return work(shared, task)
    except IrjudgeError as error:
        return TaskFailure(str(error))


def unpack_result(result: Result | TaskFailure) -> Result:
    """Return the result of a task; raise IrjudgeError for a `TaskFailure`."""
    if isinstance(result, TaskFailure):
        raise IrjudgeError(result.sentence)
    return result


def make_dead_worker_error() -> IrjudgeError:
    """Return the error for tasks whose workers died in all attempts."""
    return IrjudgeError("The worker processes crashed repeatedly; they may be out of memory.")
