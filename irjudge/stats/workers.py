"""Workers of tasks: this process, processes of this machine, or a Dask cluster.

The tasks and their results are the same, bit for bit, with any workers. `irjudge.stats.cluster`
starts those that are asked for.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from irjudge.errors import IrjudgeError
from irjudge.progress import SILENT, Progress

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Made = TypeVar("Made")

CHECK_INTERVAL = 0.2  # seconds between two looks at whether the work was cancelled
RETRIES = 3  # of a task whose worker died


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


SERIAL = Workers()


class TaskFailure:
    """Message of an error that a task raised: not every error can be rebuilt in another process."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence


def run_task(
    work: Callable[[Shared, Task], Made], shared: Shared, task: Task
) -> Made | TaskFailure:
    """Run a task in a worker."""
    try:
        return work(shared, task)
    except IrjudgeError as fault:
        return TaskFailure(str(fault))


def unpack_result(made: Made | TaskFailure) -> Made:
    """Return the result of a task; IrjudgeError if it raised one."""
    if isinstance(made, TaskFailure):
        raise IrjudgeError(made.sentence)
    return made


def report_dead_worker() -> IrjudgeError:
    """Return the error for tasks whose workers died in each attempt."""
    return IrjudgeError("The workers died repeatedly; they may lack memory.")
