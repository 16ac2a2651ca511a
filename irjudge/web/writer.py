"""Thread that executes and commits the operations on a session, with a bounded queue."""

import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from threading import Condition, Event, Thread
from typing import Any, TypeVar

from irjudge.errors import CommitFailed, IrjudgeError, ProjectError
from irjudge.model import Pair
from irjudge.store import Project, StoredSession, open_project
from irjudge.web.connections import ServerBusy
from irjudge.web.session import SharedSession
from irjudge.web.session_store import Conflict, SessionStore, StoreOpener

# Queue of jobs

MAX_BATCH = 64  # maximum number of jobs per commit
MAX_EXPECTED_WAIT = 1.5  # expected waiting time in seconds above which new jobs are rejected
MAX_WAIT = 3.0  # waiting time in seconds after which queued jobs are rejected
MAX_QUEUED = 2000
MAX_QUEUED_PER_PARTICIPANT = 4  # maximum number of queued jobs per participant
# maximum number of queued jobs per network address, for requests without a token
MAX_QUEUED_PER_ADDRESS = 256
SMOOTHING_FACTOR = 0.2  # weight of the newest commit in the mean duration


@dataclass(slots=True)
class WriterJob:
    """Job of the writer: an operation on the session, and the future that gets its result."""

    operation: Callable[..., Any]  # called with the session
    future: "Future[Any]"  # gets the result after the commit
    participant_id: str  # key of the participant's budget; empty for the host
    max_queued: int = MAX_QUEUED_PER_PARTICIPANT  # maximum number of queued jobs of the participant
    queue_time: float = 0.0  # time when the job was queued, in seconds of a monotonic clock


class WriterQueue:
    """Queue from which the writer takes jobs in batches, one batch per commit.

    A participant's job is rejected with `ServerBusy` if the participant has too many jobs in the
    queue, or the queue is full, or the expected wait is too long; also if it has waited too long.
    Jobs of the host are accepted until the queue is closed.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._jobs: deque[WriterJob] = deque()
        self._job_counts: Counter[str] = Counter()
        self._changed = Condition()
        self._is_closed = False
        self._mean_seconds = 0.0  # mean duration of a commit, in seconds
        self._commit_start = float("inf")  # time when the current commit began

    def put(self, job: WriterJob) -> None:
        """Add a job; jobs of the host are always accepted."""
        with self._changed:
            if self._is_closed:
                raise CommitFailed("Not saved: the session has ended.")
            if job.participant_id:
                self.check()
                if self._job_counts[job.participant_id] >= job.max_queued:
                    raise ServerBusy(self.estimate_wait())
            job.queue_time = self._monotonic()
            self._jobs.append(job)
            self._job_counts[job.participant_id] += 1
            self._changed.notify()

    def check(self) -> None:
        """Raise `ServerBusy` if a new job would wait too long or the queue is full."""
        expected_wait = self.estimate_wait()
        if expected_wait > MAX_EXPECTED_WAIT or len(self._jobs) >= MAX_QUEUED:
            raise ServerBusy(expected_wait)

    def estimate_wait(self) -> float:
        """Return the expected waiting time of a new job in seconds."""
        overdue_seconds = max(0.0, self._monotonic() - self._commit_start - self._mean_seconds)
        return (
            overdue_seconds
            + len(self._jobs) // MAX_BATCH * self._mean_seconds
            + (self._mean_seconds if self._commit_start < float("inf") else 0.0)
        )

    def take(self) -> list[WriterJob]:
        """Wait for jobs and return a batch, without cancelled and overdue jobs.

        The batch is empty if the queue is closed and has no more jobs.
        """
        with self._changed:
            self._measure_commit()
            while True:
                batch: list[WriterJob] = []
                while self._jobs and len(batch) < MAX_BATCH:
                    job = self._pop_job()
                    if job.future.set_running_or_notify_cancel() and not self._reject_overdue(job):
                        batch.append(job)
                if batch or self._is_closed:
                    self._commit_start = self._monotonic() if batch else float("inf")
                    return batch
                self._changed.wait()

    def _reject_overdue(self, job: WriterJob) -> bool:
        """Reject a job that has waited more than `MAX_WAIT` seconds; return whether it was late.

        Jobs of the host are never rejected. Jobs wait longer if commits become slower than expected.
        """
        is_overdue = bool(job.participant_id) and self._monotonic() - job.queue_time > MAX_WAIT
        if is_overdue:
            job.future.set_exception(ServerBusy(self._mean_seconds))
        return is_overdue

    def close(self) -> None:
        """Reject further jobs."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def _pop_job(self) -> WriterJob:
        job = self._jobs.popleft()
        self._job_counts[job.participant_id] -= 1
        if not self._job_counts[job.participant_id]:
            del self._job_counts[job.participant_id]
        return job

    def _measure_commit(self) -> None:
        """Update the mean duration of commits if a commit has ended."""
        if self._commit_start < float("inf"):
            duration = self._monotonic() - self._commit_start
            self._mean_seconds = (
                duration
                if not self._mean_seconds
                else (1 - SMOOTHING_FACTOR) * self._mean_seconds + SMOOTHING_FACTOR * duration
            )
            self._commit_start = float("inf")


# Thread that executes jobs in batches, commits each batch, then sets the results of its jobs

MEASURE = "nDCG@10"
MAX_DECISIVE_PER_PAIR = 200  # maximum number of decisive documents per pair of adjacent runs
POLL_PAUSE = 5.0  # seconds between two checks for new judgments


def rank_decisive_documents(project: Project) -> list[Pair]:
    """Return unjudged pairs; those that can most change the order of adjacent runs come first.

    All pairs of adjacent runs have equal weight, so that judging the documents clarifies the whole
    ranking of the runs, not only its top.
    """
    from irjudge.evaluation import (  # noqa: PLC0415 -- loads scipy
        compute_live_table,
        compute_project_live_table,
        find_decisive_documents,
        parse_measures,
    )
    from irjudge.judging import list_judged_rows, list_qrels_choices  # noqa: PLC0415
    from irjudge.metrics import best_first  # noqa: PLC0415
    from irjudge.model import make_qrels  # noqa: PLC0415

    (measure,) = parse_measures([MEASURE])
    project_qrels = next(
        (choice for choice in list_qrels_choices(project) if choice.source != "imported"), None
    )
    if project_qrels is not None:
        table = compute_project_live_table(project, [measure], choice=project_qrels)
    else:
        runs = (project.rankings.run(run.name) for run in project.rankings.runs())
        table = compute_live_table(
            make_qrels(list_judged_rows(project, include_unjudged=True)), runs, [measure]
        )
    bound_rows = sorted(table.runs, key=lambda run: run.run)
    ranked_runs = [
        bound_rows[index] for index in best_first(measure, [run.summary[0] for run in bound_rows])
    ]
    weights: dict[Pair, float] = {}
    for better_run, worse_run in pairwise(ranked_runs):
        for document in find_decisive_documents(
            table, better_run.run, worse_run.run, measure, MAX_DECISIVE_PER_PAIR
        ):
            pair = document.topic, document.document
            weights[pair] = max(weights.get(pair, 0.0), abs(document.weight))
    return sorted(weights, key=lambda pair: (-weights[pair], pair))


class DecisivePoller:
    """Thread that reranks the decisive documents at regular intervals if there are new events.

    A document is decisive if its judgment can change the order of adjacent runs. The thread passes
    the ranked documents to the session, whose scheduler assigns them first. The server starts the
    thread if the order of the session is `decisive`.
    """

    def __init__(self, path: Path, lead: Callable[[Callable[[SharedSession], Any]], Any]) -> None:
        self._path, self._run_as_host, self._stop_event = path, lead, Event()
        self._thread = Thread(target=self._run, name="irjudge-decisive", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread after its current computation."""
        self._stop_event.set()

    def _run(self) -> None:
        last_change = -1
        while not self._stop_event.is_set():
            try:
                with open_project(self._path, writing=False) as project:
                    count = project.events.count()
                    if count != last_change:
                        pairs = rank_decisive_documents(project)
                        self._run_as_host(
                            lambda session, pairs=pairs: session.scheduler.prefer(pairs)  # type: ignore[misc]
                        )
                        last_change = count
            except IrjudgeError:
                # the file is temporarily unavailable, or the session ends; the order is unchanged
                pass
            self._stop_event.wait(POLL_PAUSE)


T = TypeVar("T")


class Writer:
    """Thread that owns a session and its store, and runs and commits queued jobs in batches.

    If a commit fails, the session is loaded again from the store.
    """

    def __init__(
        self, open_session: StoreOpener, notify: Callable[[set[str]], object] = lambda _people: None
    ) -> None:
        """Create the thread, which `start` starts.

        After each commit, `notify` is called with the ids of participants to be notified.
        """
        self._open_session, self._notify = open_session, notify
        self._queue = WriterQueue()
        self._ready_event = Event()
        self._error: BaseException | None = None
        self._stored_session: StoredSession | None = None
        self._session: SharedSession | None = None
        self.code = ""  # join code of the store; empty if the store has none
        self._thread = Thread(target=self._run, name="irjudge-writer", daemon=True)

    def start(self) -> StoredSession:
        """Start the thread, which opens the store; return the stored session."""
        self._thread.start()
        self._ready_event.wait()
        if self._error is not None:
            raise self._error
        if self._stored_session is None:
            raise IrjudgeError("Cannot start the session.")
        return self._stored_session

    def do(
        self,
        operation: Callable[[SharedSession], T],
        participant_key: str = "",
        max_queued: int = MAX_QUEUED_PER_PARTICIPANT,
    ) -> "Future[T]":
        """Queue a job; the returned future has the result of `operation` after the commit.

        A job that is cancelled before it starts is not run.
        """
        future: Future[T] = Future()
        self._queue.put(WriterJob(operation, future, participant_key, max_queued))
        return future

    def check(self) -> None:
        """Raise `ServerBusy` if the queue is too long."""
        self._queue.check()

    def stop(self) -> None:
        """Finish the queued jobs, then close the store."""
        self._queue.close()
        self._thread.join()

    def _run(self) -> None:
        try:
            with self._open_session() as store:
                with store.transaction():
                    self._session = SharedSession(store)
                self._stored_session, self.code = store.session(), store.code
                self._ready_event.set()
                while jobs := self._queue.take():
                    self._run_jobs(store, jobs)
        except BaseException as error:  # noqa: BLE001 -- raised in start()
            self._error = error
        finally:
            self._ready_event.set()
            self._refuse_remaining_jobs()

    def _refuse_remaining_jobs(self) -> None:
        self._queue.close()
        while jobs := self._queue.take():
            for job in jobs:
                job.future.set_exception(CommitFailed("Not saved: the session has ended."))

    def _run_jobs(self, store: SessionStore, jobs: list[WriterJob]) -> None:
        """Run jobs in one transaction, and then set their results.

        If a job fails, all jobs are run again, each with its own savepoint. Savepoints are slow, so
        they are not used for the first attempt.
        """
        results = self._run_batch(store, jobs, _run_job)
        if isinstance(results, Exception) and _is_job_error(results) and len(jobs) > 1:
            results = self._run_batch(store, jobs, self._run_alone)
        job_results = [results] * len(jobs) if isinstance(results, Exception) else results
        for job, result in zip(jobs, job_results, strict=True):
            job.future.set_exception(_to_irjudge_error(result)) if isinstance(
                result, Exception
            ) else job.future.set_result(result)

    def _run_batch(
        self,
        store: SessionStore,
        jobs: list[WriterJob],
        run_job: Callable[[SessionStore, SharedSession, WriterJob], Any],
    ) -> list[Any] | Exception:
        """Run jobs in one transaction; return their results, or the error that rolled it back."""
        try:
            with store.transaction():
                self._catch_up(store)
                results = [run_job(store, self._load_session(store), job) for job in jobs]
        except Exception as error:  # noqa: BLE001 -- becomes the result of every job
            self._session = None
            return error
        if self._session and self._session.ids_to_notify:
            self._notify(self._session.ids_to_notify)
            self._session.ids_to_notify = set()
        return results

    def _catch_up(self, store: SessionStore) -> None:
        """Apply the changes that others made in the store since the last transaction."""
        session = self._load_session(store)
        if session.is_outdated():
            self._session = SharedSession(store)
            self._session.copy_presence(session)
        else:
            session.catch_up()

    def _load_session(self, store: SessionStore) -> SharedSession:
        """Return the session, reloaded from the store if it was discarded."""
        self._session = self._session or SharedSession(store)
        return self._session

    def _run_alone(self, store: SessionStore, session: SharedSession, job: WriterJob) -> Any:
        """Run a job with its own savepoint; return its result.

        If an error concerns only this job, roll back the job and return the error.
        """
        try:
            with store.savepoint():
                return _run_job(store, session, job)
        except Exception as error:
            if not _is_job_error(error):
                raise
            self._session = None
            return error


def _run_job(_store: SessionStore, session: SharedSession, job: WriterJob) -> Any:
    """Run a job; return its result, or an error after which no rollback is needed.

    Other errors are raised.
    """
    try:
        return job.operation(session)
    except ProjectError:
        raise
    except IrjudgeError as error:
        return error


def _is_job_error(error: Exception) -> bool:
    """Return whether an error concerns only the job that raised it, not the store."""
    return isinstance(error, Conflict) or not isinstance(error, CommitFailed)


def _to_irjudge_error(error: Exception) -> IrjudgeError:
    return (
        error
        if isinstance(error, IrjudgeError)
        else CommitFailed("Not saved: {error}.", error=error)
    )
