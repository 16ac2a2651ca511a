"""Workers that run tasks: this process, other processes on this machine, or a Dask cluster.

Results are bit-identical with any workers. `irjudge.stats.cluster` starts the requested workers.
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
    """Serial execution of tasks in this process; base class of parallel workers.

    Seeds and portions depend on the index of a task, not on the worker, so that results do not
    depend on the workers.
    """

    count = 1  # number of parallel tasks
    alive = True  # whether new tasks can be submitted

    def map_tasks(
        self,
        work: Callable[[Shared, Task], Result],
        shared: Shared,
        tasks: Sequence[Task],
        description: str,
        progress: Progress = SILENT,
    ) -> Iterator[Result]:
        """Yield `work(shared, task)` for each task, in order.

        Raises
        ------
        IrjudgeError
            Raised by a task.
        Cancelled
            When the user cancels; running tasks are stopped.
        """
        for index, task in enumerate(tasks):
            progress.step(index, len(tasks), description)
            yield work(shared, task)
        progress.step(len(tasks), len(tasks), description)


SERIAL = Workers()


class TaskFailure:
    """Message of an error that a task raised, since not all exceptions can be pickled."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence


def run_task(
    work: Callable[[Shared, Task], Result], shared: Shared, task: Task
) -> Result | TaskFailure:
    """Run a task in a worker."""
    try:
        return work(shared, task)
    except IrjudgeError as error:
        return TaskFailure(str(error))


def unpack_result(result: Result | TaskFailure) -> Result:
    """Return the result of a task; raise IrjudgeError for a `TaskFailure`."""
    if isinstance(result, TaskFailure):
        raise IrjudgeError(result.sentence)
    return result


def report_dead_worker() -> IrjudgeError:
    """Return the error for tasks whose workers died in all attempts."""
    return IrjudgeError("The worker processes died repeatedly; they may be out of memory.")
