"""Writing thread of a session and its bounded queue."""

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
from irjudge.exchange import Pair
from irjudge.store import Project, StoredSession, open_project
from irjudge.web.connections import ServerBusy
from irjudge.web.session import SharedSession
from irjudge.web.session_store import Conflict, Opening, SessionStore

# What waits for the writer: a line of bounded length in which nobody stands often.

MAX_BATCH = 64  # jobs that one commit serves
MAX_EXPECTED_WAIT = 1.5  # that somebody may have to wait
MAX_WAIT = 3.0  # that it may have waited when its turn comes
MAX_QUEUED = 2000
MAX_QUEUED_PER_PARTICIPANT, MAX_QUEUED_PER_ADDRESS = (
    4,
    256,
)  # jobs that wait, of a person, and of those at one address who are not known yet
SMOOTHING_FACTOR = 0.2  # the part of the newest commit in what one is thought to take


@dataclass(slots=True)
class WriterJob:
    """Something to be done by the writer."""

    work: Callable[..., Any]
    answer: "Future[Any]"
    who: str  # whose it is; empty for who leads
    most: int = MAX_QUEUED_PER_PARTICIPANT  # of theirs that wait
    since: float = 0.0  # when it came


class WriterQueue:
    """Jobs in the order they came."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._jobs: deque[WriterJob] = deque()
        self._of: Counter[str] = Counter()
        self._changed = Condition()
        self._closed = False
        self._mean_seconds, self._begun = (
            0.0,
            float("inf"),
        )  # seconds of a commit, and when the one under way began

    def put(self, job: WriterJob) -> None:
        """Let a job wait; who leads always may."""
        with self._changed:
            if self._closed:
                raise CommitFailed("Not saved: the session has ended.")
            if job.who:
                self.check()
                if self._of[job.who] >= job.most:
                    raise ServerBusy(self.wait())
            job.since = self._monotonic()
            self._jobs.append(job)
            self._of[job.who] += 1
            self._changed.notify()

    def check(self) -> None:
        """Raise `ServerBusy` when whoever comes now would wait too long."""
        wait = self.wait()
        if wait > MAX_EXPECTED_WAIT or len(self._jobs) >= MAX_QUEUED:
            raise ServerBusy(wait)

    def wait(self) -> float:
        """Return how many seconds a job would wait that comes now."""
        longer = max(0.0, self._monotonic() - self._begun - self._mean_seconds)
        return (
            longer
            + len(self._jobs) // MAX_BATCH * self._mean_seconds
            + (self._mean_seconds if self._begun < float("inf") else 0.0)
        )

    def take(self) -> list[WriterJob]:
        """Wait for something to do and return all that waits by then, as far as somebody still waits for it; nothing at the end."""
        with self._changed:
            self._measure_commit()
            while True:
                taken: list[WriterJob] = []
                while self._jobs and len(taken) < MAX_BATCH:
                    job = self._pop()
                    if job.answer.set_running_or_notify_cancel() and self._in_time(job):
                        taken.append(job)
                if taken or self._closed:
                    self._begun = self._monotonic() if taken else float("inf")
                    return taken
                self._changed.wait()

    def _in_time(self, job: WriterJob) -> bool:
        """Tell whether a job is still worth doing; where commits became slower than was thought, those behind are sent away."""
        late = bool(job.who) and self._monotonic() - job.since > MAX_WAIT
        if late:
            job.answer.set_exception(ServerBusy(self._mean_seconds))
        return not late

    def close(self) -> None:
        """Take nothing more in."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _pop(self) -> WriterJob:
        job = self._jobs.popleft()
        self._of[job.who] -= 1
        if not self._of[job.who]:
            del self._of[job.who]
        return job

    def _measure_commit(self) -> None:
        """Learn from the commit that has ended."""
        if self._begun < float("inf"):
            spent = self._monotonic() - self._begun
            self._mean_seconds = (
                spent
                if not self._mean_seconds
                else (1 - SMOOTHING_FACTOR) * self._mean_seconds + SMOOTHING_FACTOR * spent
            )
            self._begun = float("inf")


# The one thread that writes in a session: what waits is made durable together, and nobody hears of it before.

MEASURE = "nDCG@10"
MAX_DECISIVE_PER_PAIR = 200  # of two runs
POLL_PAUSE = 5.0  # seconds after a look


def rank_decisive_documents(project: Project) -> list[Pair]:
    """Return unjudged documents by how far they can move the difference of two runs that stand beside each other, the farthest first.

    Every two neighbours count alike, so that the whole order of the runs becomes clear and not that of two alone.
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
    own = next((each for each in list_qrels_choices(project) if each.source != "imported"), None)
    if own is not None:
        table = compute_project_live_table(project, [measure], choice=own)
    else:
        runs = (project.rankings.run(run.name) for run in project.rankings.runs())
        table = compute_live_table(
            make_qrels(list_judged_rows(project, unjudged=True)), runs, [measure]
        )
    bounds = sorted(table.runs, key=lambda run: run.run)
    order = [bounds[at] for at in best_first(measure, [run.summary[0] for run in bounds])]
    weights: dict[Pair, float] = {}
    for better, worse in pairwise(order):
        for each in find_decisive_documents(
            table, better.run, worse.run, measure, MAX_DECISIVE_PER_PAIR
        ):
            pair = each.topic, each.document
            weights[pair] = max(weights.get(pair, 0.0), abs(each.weight))
    return sorted(weights, key=lambda pair: (-weights[pair], pair))


class DecisivePoller:
    """Looks again and again which documents decide most, in a thread of its own, and tells the session."""

    def __init__(self, path: Path, lead: Callable[[Callable[[SharedSession], Any]], Any]) -> None:
        self._path, self._lead, self._stop = path, lead, Event()
        self._thread = Thread(target=self._run, name="irjudge-decisive", daemon=True)

    def start(self) -> None:
        """Look for the first time, and go on looking."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more; a look under way ends by itself."""
        self._stop.set()

    def _run(self) -> None:
        seen = -1
        while not self._stop.is_set():
            try:
                with open_project(self._path, writing=False) as project:
                    count = project.events.count()
                    if count != seen:
                        pairs = rank_decisive_documents(project)
                        self._lead(lambda session, pairs=pairs: session.scheduler.prefer(pairs))  # type: ignore[misc]
                        seen = count
            except IrjudgeError:
                pass  # the file is away for a moment, or the session ends; what was said before holds
            self._stop.wait(POLL_PAUSE)


T = TypeVar("T")


class Writer:
    """Owns the session and the store it is kept in, in a thread of its own."""

    def __init__(
        self, opening: Opening, notify: Callable[[set[str]], object] = lambda _people: None
    ) -> None:
        """Begin with nothing; `notify` hears whose pages have something to hear, once it is on the disk."""
        self._opening, self._notify = opening, notify
        self._queue = WriterQueue()
        self._ready = Event()
        self._fault: BaseException | None = None
        self._kept: StoredSession | None = None
        self._session: SharedSession | None = None
        self.code = ""  # what is to be known to join, where the store says it
        self._thread = Thread(target=self._run, name="irjudge-writer", daemon=True)

    def start(self) -> StoredSession:
        """Open the store and return the session, once it stands."""
        self._thread.start()
        self._ready.wait()
        if self._fault is not None:
            raise self._fault
        if self._kept is None:
            raise IrjudgeError("The session could not begin.")
        return self._kept

    def do(
        self,
        work: Callable[[SharedSession], T],
        who: str = "",
        most: int = MAX_QUEUED_PER_PARTICIPANT,
    ) -> "Future[T]":
        """Let the thread do something with the session; what it gives is given back once all it wrote is on the disk.

        What is cancelled before its turn is not done.
        """
        answer: Future[T] = Future()
        self._queue.put(WriterJob(work, answer, who, most))
        return answer

    def check(self) -> None:
        """Raise `Busy` when there is too much to do already."""
        self._queue.check()

    def stop(self) -> None:
        """Finish what waits, and close the store."""
        self._queue.close()
        self._thread.join()

    def _run(self) -> None:
        try:
            with self._opening() as store:
                with store.transaction():
                    self._session = SharedSession(store)
                self._kept, self.code = store.session(), store.code
                self._ready.set()
                while jobs := self._queue.take():
                    self._work(store, jobs)
        except BaseException as fault:  # noqa: BLE001 -- told where it is waited for
            self._fault = fault
        finally:
            self._ready.set()
            self._refuse_rest()

    def _refuse_rest(self) -> None:
        self._queue.close()
        while jobs := self._queue.take():
            for job in jobs:
                job.answer.set_exception(CommitFailed("Not saved: the session has ended."))

    def _work(self, store: SessionStore, jobs: list[WriterJob]) -> None:
        """Do jobs in one transaction and answer after it; where it fails, none of them was done.

        What one of them does wrong is that one's alone: then all are done anew, each with a savepoint, which good ones need not pay for.
        """
        answers = self._run_batch(store, jobs, _run_job)
        if isinstance(answers, Exception) and _is_job_error(answers) and len(jobs) > 1:
            answers = self._run_batch(store, jobs, self._alone)
        each = [answers] * len(jobs) if isinstance(answers, Exception) else answers
        for job, answer in zip(jobs, each, strict=True):
            job.answer.set_exception(_to_irjudge_error(answer)) if isinstance(
                answer, Exception
            ) else job.answer.set_result(answer)

    def _run_batch(
        self,
        store: SessionStore,
        jobs: list[WriterJob],
        done: Callable[[SessionStore, SharedSession, WriterJob], Any],
    ) -> list[Any] | Exception:
        """Return what jobs give in one transaction, or the fault by which nothing of it was written."""
        try:
            with store.transaction():
                self._open(store).catch_up()
                answers = [done(store, self._open(store), job) for job in jobs]
        except Exception as fault:  # noqa: BLE001 -- whatever it is, whoever asked has to hear of it
            self._session = None
            return fault
        if self._session and self._session.notified:
            self._notify(self._session.notified)
            self._session.notified = set()
        return answers

    def _open(self, store: SessionStore) -> SharedSession:
        """Return the session, made anew from what is written where it was thrown away."""
        self._session = self._session or SharedSession(store)
        return self._session

    def _alone(self, store: SessionStore, session: SharedSession, job: WriterJob) -> Any:
        """Return what a job gives, or its fault, which takes back what this job wrote and nothing else."""
        try:
            with store.savepoint():
                return _run_job(store, session, job)
        except Exception as fault:
            if not _is_job_error(fault):
                raise
            self._session = None
            return fault


def _run_job(_store: SessionStore, session: SharedSession, job: WriterJob) -> Any:
    """Return what a job gives, or the refusal of what was asked; whatever else is in the way ends them all."""
    try:
        return job.work(session)
    except ProjectError:
        raise
    except IrjudgeError as fault:
        return fault


def _is_job_error(fault: Exception) -> bool:
    """Tell whether a fault is that of one job; where nothing can be written, it is that of all."""
    return isinstance(fault, Conflict) or not isinstance(fault, CommitFailed)


def _to_irjudge_error(fault: Exception) -> IrjudgeError:
    return (
        fault
        if isinstance(fault, IrjudgeError)
        else CommitFailed("Not saved: {fault}.", fault=fault)
    )
