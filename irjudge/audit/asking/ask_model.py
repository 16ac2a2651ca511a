"""Asks a model: several requests at a time, within limits, each answer kept before it counts; then the labels go into the log."""

from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from http import HTTPStatus
from threading import Event

from irjudge.audit.asking.answers import AnswerFile, AskedBy, ModelQuestion
from irjudge.audit.asking.chat import ChatEndpoint
from irjudge.audit.asking.cost import AskingLimits, Purse, asking_forecast
from irjudge.audit.asking.questions import (
    AskWish,
    RenderedQuestion,
    check_allowed,
    check_judge,
    questions,
)
from irjudge.http_client import HttpResponse, NoResponseError
from irjudge.judging.imports import keep_model_labels
from irjudge.message import Message
from irjudge.progress import SILENT, Progress
from irjudge.store.import_report import ImportReport
from irjudge.store.project import Project

AGAIN = frozenset(
    {408, 409, 425, 429, 500, 502, 503, 504, 529}
)  # statuses of a server that may answer later
TRIES = 4  # of a request that is not answered
FIRST_WAIT, LONGEST_WAIT = 1.0, 300.0  # seconds
GIVE_UP = 5  # questions in a row without any answer, after which no more are asked
LOOK = 0.5  # seconds after which it is asked whether the work is cancelled
SHOWN = 200  # letters of a server's words


class _Asker:
    """Asks single questions, in several threads, until something says to stop."""

    def __init__(
        self, endpoint: ChatEndpoint, by: AskedBy, answers: AnswerFile, limits: AskingLimits
    ) -> None:
        self._endpoint, self._by, self._answers, self._limits = endpoint, by, answers, limits
        self.purse, self.stopped, self.why = Purse(limits, answers.tokens), Event(), ""
        self.pause: Callable[[float], object] = self.stopped.wait
        self.cancelled: Callable[[], bool] = lambda: (
            False
        )  # asked before each request: nothing is sent once somebody stopped it
        self._silent = 0  # questions in a row that were not answered

    def stop(self, why: str) -> None:
        """Let nothing more be sent; the first reason is the one that counts."""
        self.why = self.why or why
        self.stopped.set()

    def ask(self, each: RenderedQuestion) -> None:
        """Ask a question until it is settled, or was sent too often in vain."""
        why, failures = "", 0
        while failures < TRIES and not self._answers.is_settled(each.question.key):
            if self.stopped.is_set() or self.cancelled():
                return
            reserved = each.tokens, int(each.body["max_tokens"])
            if refused := self.purse.take(reserved):
                self.stop(refused)
                return
            try:
                reply = self._endpoint.post(each.body, self._limits.seconds)
            except NoResponseError as fault:
                why, seconds = fault.args[0], FIRST_WAIT * 2**failures
            else:
                if reply.status == HTTPStatus.OK:
                    self._keep(each, reply.text, reserved)
                    continue
                why = self._refused(reply)
                seconds = (
                    FIRST_WAIT * 2**failures if reply.retry_after is None else reply.retry_after
                )
            failures += 1
            if seconds > LONGEST_WAIT:
                self.stop(
                    Message(
                        "{host} asks to wait {seconds:,.0f} seconds; ask again then.",
                        key="long-wait",
                        host=self._endpoint.host,
                        seconds=seconds,
                    )
                )
            elif failures < TRIES and not self.stopped.is_set():
                self.pause(seconds)
        if failures == TRIES:
            self._fail(each.question, why)

    def _keep(self, each: RenderedQuestion, raw: str, reserved: tuple[int, int]) -> None:
        """Keep a reply before anything else is done with it, then count what it took."""
        self.purse.settle(
            reserved, self._answers.add(each.question, self._by, raw, sent=reserved[0])
        )
        self._silent = 0

    def _refused(self, reply: HttpResponse) -> str:
        """Return why a request came to nothing; stop where sending it again would not help."""
        said = " ".join(reply.text.split())[:SHOWN]
        if reply.status not in AGAIN:
            sentence = Message(
                "{host} answers with status {status}: {said}",
                host=self._endpoint.host,
                status=reply.status,
                said=said,
            )
            self.stop(sentence)
        return Message("status {status}", status=reply.status)

    def _fail(self, question: ModelQuestion, why: str) -> None:
        self._answers.add(question, self._by, "", failed=why)
        self._silent += 1
        if self._silent >= GIVE_UP:
            sentence = Message(
                "{host} did not answer {count} questions in a row ({why}).",
                key="no-answer",
                host=self._endpoint.host,
                count=self._silent,
                why=why,
            )
            self.stop(sentence)


@dataclass(frozen=True, slots=True)
class AskedSoFar:
    """What asking came to, before anything of it is in the log."""

    requests: int  # that were sent
    open: int  # questions that wait for another call
    stopped: str  # why not all were asked; empty where all were


@dataclass(frozen=True, slots=True)
class AskingReport:
    """What came of asking."""

    requests: int  # that were sent
    open: int  # questions that wait for another call
    stopped: str  # why not all were asked; empty where all were
    labels: ImportReport


def ask_model(
    project: Project,
    wish: AskWish,
    endpoint: ChatEndpoint,
    answers: AnswerFile,
    limits: AskingLimits,
    progress: Progress = SILENT,
    pause: Callable[[float], object] | None = None,
    left: int | None = None,
) -> AskingReport:
    """Ask a model about the newest pool of a project, and take its grades into the log as its labels.

    Each reply is on disk before it counts. Whatever stops the work, what was answered until then is taken in, and nothing that was answered
    is asked again. Progress is told of each question; where it cancels, what is under way is waited for, since it is paid for. `pause` is
    called with the seconds to wait before something is sent again; by default they are waited. `left` is how many questions are open, as a
    forecast said; None counts them first. IrjudgeError when the project does not allow it, or the name is that of a person or of a model
    that was asked otherwise.
    """
    every: list[ModelQuestion] = []
    try:
        found = put_questions(
            project, wish, endpoint, answers, limits, every, progress, pause, left
        )
    finally:
        report = take_in(project, wish, answers, every, progress=SILENT)
    return AskingReport(found.requests, found.open, found.stopped, report)


def put_questions(
    project: Project,
    wish: AskWish,
    endpoint: ChatEndpoint,
    answers: AnswerFile,
    limits: AskingLimits,
    every: list[ModelQuestion],
    progress: Progress = SILENT,
    pause: Callable[[float], object] | None = None,
    left: int | None = None,
) -> AskedSoFar:
    """Ask, and only read in the project: answers are kept in their file, and `take_in` brings them into the log afterwards.

    `every` is filled with the questions, also where the work is cancelled. For the rest see `ask_model`.
    """
    check_allowed(project)
    check_judge(project, wish.judge())
    asker = _Asker(endpoint, wish.asked_by(wish.prompt.allowed(project.scale)), answers, limits)
    asker.pause, asker.cancelled = pause or asker.pause, progress.asked
    left = (
        asking_forecast(project, wish, answers, progress=progress).requests
        if left is None
        else left
    )
    with ThreadPoolExecutor(limits.at_once, "irjudge-asking") as pool:
        try:
            _ask_all(
                pool,
                asker,
                _open(questions(project, wish), every, answers, asker),
                limits.at_once,
                left,
                progress,
            )
        except BaseException:
            asker.stop(Message("Cancelled."))
            pool.shutdown(cancel_futures=True)
            raise
    return AskedSoFar(
        asker.purse.requests, sum(not answers.is_settled(each.key) for each in every), asker.why
    )


def _open(
    rendered: Iterable[RenderedQuestion],
    every: list[ModelQuestion],
    answers: AnswerFile,
    asker: _Asker,
) -> Iterable[RenderedQuestion]:
    """Yield the questions that are not settled, and note all of them; once asking stopped, none is yielded any more."""
    for each in rendered:
        every.append(each.question)
        if not answers.is_settled(each.question.key) and not asker.stopped.is_set():
            yield each


def _ask_all(
    pool: ThreadPoolExecutor,
    asker: _Asker,
    rendered: Iterable[RenderedQuestion],
    at_once: int,
    total: int,
    progress: Progress,
) -> None:
    """Hand questions to the threads, a few more than they can ask at a time."""
    waiting: set[Future[None]] = set()
    done, words = 0, Message("Asking the model")

    def finish(most: int) -> None:
        nonlocal waiting, done
        while len(waiting) > most:
            progress.step(done, total, words)
            ready, waiting = wait(waiting, LOOK, FIRST_COMPLETED)
            for each in ready:
                each.result()
            done += len(ready)

    for each in rendered:
        waiting.add(pool.submit(asker.ask, each))
        finish(at_once)
    finish(0)
    progress.step(done, total, words)


def take_in(
    project: Project,
    wish: AskWish,
    answers: AnswerFile,
    asked: Iterable[ModelQuestion],
    progress: Progress = SILENT,
) -> ImportReport:
    """Take what was answered into the log, as the model's labels."""
    labels = answers.labels(asked, project.scale.values)
    report = ImportReport(files=[answers.path.name])
    for why, count in Counter(label.why for label in labels if label.grade is None).items():
        report.remarks.append(Message("Unjudged, {why}: {count:,}.", why=why, count=count))
    return keep_model_labels(project, labels, wish.judge(), answers.path.name, report, progress)
