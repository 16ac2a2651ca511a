"""Requests to models within a budget, sent or exchanged as files."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from http import HTTPStatus
from pathlib import Path
from threading import Event, Lock
from typing import Any

from irjudge.audit.judge_prompts import (
    AskOptions,
    RenderedQuestion,
    check_allowed,
    check_judge,
    render_questions,
)
from irjudge.audit.model_client import COMPLETIONS_PATH, ChatEndpoint
from irjudge.audit.model_replies import AnswerFile, ModelQuestion, RequestSettings
from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.bytes import describe_os_error, write_text_atomically
from irjudge.http_client import HttpResponse, NoResponseError
from irjudge.judging import store_model_labels
from irjudge.message import Message
from irjudge.model import ModelJudge
from irjudge.progress import SILENT, Progress
from irjudge.store import ImportReport, Project

# What asking a model takes: requests, tokens and money, foreseen before anything is sent and counted while it goes.

MAX_FLAGGED = 5  # documents that speak to a model, named


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """What asking may take."""

    requests: int | None = None  # of this call; None for as many as there are
    budget: float | None = None  # of all calls that the project's answers came from
    prices: tuple[float, float] = (0.0, 0.0)  # of a million tokens, sent and written
    at_once: int = 1
    seconds: float = 120.0  # that a reply may take


@dataclass(slots=True)
class RequestForecast:
    """What asking takes, before anything is sent."""

    answered: int = 0
    requests: int = 0  # if each is answered with a grade at once
    sent: int = 0  # tokens, about
    written: int = 0  # tokens, at most
    cut: int = 0  # documents of which a part is sent
    planted: dict[str, str] = field(
        default_factory=dict
    )  # documents that speak to a model, with the words that do

    def cost(self, prices: tuple[float, float]) -> float:
        """Return what it costs at most, by prices of a million tokens sent and written."""
        return compute_cost((self.sent, self.written), prices)


def compute_cost(tokens: tuple[int, int], prices: tuple[float, float]) -> float:
    """Return what tokens cost, sent and written, by the prices of a million."""
    return sum(count * price for count, price in zip(tokens, prices, strict=True)) / 1e6


def forecast_requests(
    project: Project,
    wish: AskOptions,
    answers: AnswerFile,
    limit: int | None = None,
    progress: Progress = SILENT,
) -> RequestForecast:
    """Return what asking would take; nothing is sent."""
    found = RequestForecast()
    for each in progress.through(render_questions(project, wish), Message("Reading documents")):
        if answers.is_settled(each.question.key):
            found.answered += 1
        elif limit is None or found.requests < limit:
            found.requests += 1
            found.sent += each.tokens
            found.written += wish.answer_tokens
            found.cut += each.cut
        if each.planted:
            found.planted[each.question.document] = each.planted
    return found


def describe_forecast(
    found: RequestForecast, endpoint: ChatEndpoint, wish: AskOptions, limits: RequestLimits
) -> list[str]:
    """Return what would be sent where, and what that takes."""
    said: list[str] = [
        Message(
            "To {address}, model {model}: topics and texts of documents, with the prompt {prompt}, version {version} ({digest}).",
            address=endpoint.address,
            model=wish.model,
            prompt=wish.prompt.name,
            version=wish.prompt.version,
            digest=wish.prompt.digest[:12],
        )
    ]
    if endpoint.is_open:
        said.append(
            Message("The network can read it: the address is plain http, to another machine.")
        )
    said += (
        _describe_costs(found, limits)
        if found.requests
        else [
            Message("Nothing is open: questions answered before: {count:,}.", count=found.answered)
        ]
    )
    if found.cut:
        said.append(
            Message(
                "Documents longer than {longest:,} letters: {cut:,}; the rest is not sent.",
                longest=wish.longest,
                cut=found.cut,
            )
        )
    if found.planted:
        some = "; ".join(
            f"{document}: {words}" for document, words in list(found.planted.items())[:MAX_FLAGGED]
        )
        flagged = Message(
            "Documents that may speak to the model: {count:,}; look at what it says of them: {some}",
            count=len(found.planted),
            some=some,
        )
        said.append(flagged)
    return said


def _describe_costs(found: RequestForecast, limits: RequestLimits) -> list[str]:
    """Return how much is sent, and what that costs where prices are known."""
    requests = Message(
        "Requests: {requests:,}, about {sent:,} tokens sent and at most {written:,} written, if each is answered at once. "
        "Answered before: {answered:,}.",
        requests=found.requests,
        sent=found.sent,
        written=found.written,
        answered=found.answered,
    )
    cost = found.cost(limits.prices)
    if not any(limits.prices):
        return [requests]
    if limits.budget is None:
        return [requests, Message("Cost: at most {cost:.4f}.", cost=cost)]
    return [
        requests,
        Message(
            "Cost: at most {cost:.4f}, of a budget of {budget:g}.", cost=cost, budget=limits.budget
        ),
    ]


class RequestBudget:
    """Counts what requests take, before they are sent."""

    def __init__(self, limits: RequestLimits, tokens: tuple[int, int]) -> None:
        self._limits, self._lock = limits, Lock()
        self._spent, self.requests = compute_cost(tokens, limits.prices), 0

    def take(self, tokens: tuple[int, int]) -> str:
        """Reserve what a request may cost; return why it must not be sent, or nothing."""
        cost = compute_cost(tokens, self._limits.prices)
        with self._lock:
            if self._limits.requests is not None and self.requests >= self._limits.requests:
                return Message(
                    "The limit of {count:,} requests is reached.",
                    key="request-limit",
                    count=self._limits.requests,
                )
            if self._limits.budget is not None and self._spent + cost > self._limits.budget:
                return Message(
                    "The budget of {budget:g} is reached: {spent:.4f} spent.",
                    key="budget",
                    budget=self._limits.budget,
                    spent=self._spent,
                )
            self.requests += 1
            self._spent += cost
        return ""

    def settle(self, reserved: tuple[int, int], used: tuple[int, int]) -> None:
        """Put what was really used in the place of what was reserved."""
        with self._lock:
            self._spent += compute_cost(used, self._limits.prices) - compute_cost(
                reserved, self._limits.prices
            )


# Asks a model: several requests at a time, within limits, each answer kept before it counts; then the labels go into the log.

RETRY_STATUSES = frozenset(
    {408, 409, 425, 429, 500, 502, 503, 504, 529}
)  # statuses of a server that may answer later
MAX_TRIES = 4  # of a request that is not answered
MIN_WAIT, MAX_WAIT = 1.0, 300.0  # seconds
MAX_UNANSWERED = 5  # questions in a row without any answer, after which no more are asked
POLL_SECONDS = 0.5  # seconds after which it is asked whether the work is cancelled
MAX_SHOWN = 200  # letters of a server's words


class _RequestSender:
    """Asks single questions, in several threads, until something says to stop."""

    def __init__(
        self,
        endpoint: ChatEndpoint,
        by: RequestSettings,
        answers: AnswerFile,
        limits: RequestLimits,
    ) -> None:
        self._endpoint, self._by, self._answers, self._limits = endpoint, by, answers, limits
        self.purse, self.stopped, self.why = RequestBudget(limits, answers.tokens), Event(), ""
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
        while failures < MAX_TRIES and not self._answers.is_settled(each.question.key):
            if self.stopped.is_set() or self.cancelled():
                return
            reserved = each.tokens, int(each.body["max_tokens"])
            if refused := self.purse.take(reserved):
                self.stop(refused)
                return
            try:
                reply = self._endpoint.post(each.body, self._limits.seconds)
            except NoResponseError as fault:
                why, seconds = fault.args[0], MIN_WAIT * 2**failures
            else:
                if reply.status == HTTPStatus.OK:
                    self._keep(each, reply.text, reserved)
                    continue
                why = self._refused(reply)
                seconds = MIN_WAIT * 2**failures if reply.retry_after is None else reply.retry_after
            failures += 1
            if seconds > MAX_WAIT:
                self.stop(
                    Message(
                        "{host} asks to wait {seconds:,.0f} seconds; ask again then.",
                        key="long-wait",
                        host=self._endpoint.host,
                        seconds=seconds,
                    )
                )
            elif failures < MAX_TRIES and not self.stopped.is_set():
                self.pause(seconds)
        if failures == MAX_TRIES:
            self._fail(each.question, why)

    def _keep(self, each: RenderedQuestion, raw: str, reserved: tuple[int, int]) -> None:
        """Keep a reply before anything else is done with it, then count what it took."""
        self.purse.settle(
            reserved, self._answers.add(each.question, self._by, raw, sent=reserved[0])
        )
        self._silent = 0

    def _refused(self, reply: HttpResponse) -> str:
        """Return why a request came to nothing; stop where sending it again would not help."""
        said = " ".join(reply.text.split())[:MAX_SHOWN]
        if reply.status not in RETRY_STATUSES:
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
        if self._silent >= MAX_UNANSWERED:
            sentence = Message(
                "{host} did not answer {count} questions in a row ({why}).",
                key="no-answer",
                host=self._endpoint.host,
                count=self._silent,
                why=why,
            )
            self.stop(sentence)


@dataclass(frozen=True, slots=True)
class SendReport:
    """What asking came to, before anything of it is in the log."""

    requests: int  # that were sent
    open: int  # questions that wait for another call
    stopped: str  # why not all were asked; empty where all were


@dataclass(frozen=True, slots=True)
class AskReport:
    """What came of asking."""

    requests: int  # that were sent
    open: int  # questions that wait for another call
    stopped: str  # why not all were asked; empty where all were
    labels: ImportReport


def ask_model(
    project: Project,
    wish: AskOptions,
    endpoint: ChatEndpoint,
    answers: AnswerFile,
    limits: RequestLimits,
    progress: Progress = SILENT,
    pause: Callable[[float], object] | None = None,
    left: int | None = None,
) -> AskReport:
    """Ask a model about the newest pool of a project, and take its grades into the log as its labels.

    Each reply is on disk before it counts. Whatever stops the work, what was answered until then is taken in, and nothing that was answered
    is asked again. Progress is told of each question; where it cancels, what is under way is waited for, since it is paid for. `pause` is
    called with the seconds to wait before something is sent again; by default they are waited. `left` is how many questions are open, as a
    forecast said; None counts them first. IrjudgeError when the project does not allow it, or the name is that of a person or of a model
    that was asked otherwise.
    """
    every: list[ModelQuestion] = []
    try:
        found = send_questions(
            project, wish, endpoint, answers, limits, every, progress, pause, left
        )
    finally:
        report = import_answers(project, wish, answers, every, progress=SILENT)
    return AskReport(found.requests, found.open, found.stopped, report)


def send_questions(
    project: Project,
    wish: AskOptions,
    endpoint: ChatEndpoint,
    answers: AnswerFile,
    limits: RequestLimits,
    every: list[ModelQuestion],
    progress: Progress = SILENT,
    pause: Callable[[float], object] | None = None,
    left: int | None = None,
) -> SendReport:
    """Ask, and only read in the project: answers are kept in their file, and `import_answers` brings them into the log afterwards.

    `every` is filled with the questions, also where the work is cancelled. For the rest see `ask_model`.
    """
    check_allowed(project)
    check_judge(project, wish.judge())
    asker = _RequestSender(
        endpoint, wish.make_settings(wish.prompt.allowed(project.scale)), answers, limits
    )
    asker.pause, asker.cancelled = pause or asker.pause, progress.asked
    left = (
        forecast_requests(project, wish, answers, progress=progress).requests
        if left is None
        else left
    )
    with ThreadPoolExecutor(limits.at_once, "irjudge-asking") as pool:
        try:
            _send_all(
                pool,
                asker,
                _iter_open_questions(render_questions(project, wish), every, answers, asker),
                limits.at_once,
                left,
                progress,
            )
        except BaseException:
            asker.stop(Message("Cancelled."))
            pool.shutdown(cancel_futures=True)
            raise
    return SendReport(
        asker.purse.requests, sum(not answers.is_settled(each.key) for each in every), asker.why
    )


def _iter_open_questions(
    rendered: Iterable[RenderedQuestion],
    every: list[ModelQuestion],
    answers: AnswerFile,
    asker: _RequestSender,
) -> Iterable[RenderedQuestion]:
    """Yield the questions that are not settled, and note all of them; once asking stopped, none is yielded any more."""
    for each in rendered:
        every.append(each.question)
        if not answers.is_settled(each.question.key) and not asker.stopped.is_set():
            yield each


def _send_all(
    pool: ThreadPoolExecutor,
    asker: _RequestSender,
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
            ready, waiting = wait(waiting, POLL_SECONDS, FIRST_COMPLETED)
            for each in ready:
                each.result()
            done += len(ready)

    for each in rendered:
        waiting.add(pool.submit(asker.ask, each))
        finish(at_once)
    finish(0)
    progress.step(done, total, words)


def import_answers(
    project: Project,
    wish: AskOptions,
    answers: AnswerFile,
    asked: Iterable[ModelQuestion],
    progress: Progress = SILENT,
) -> ImportReport:
    """Take what was answered into the log, as the model's labels."""
    labels = answers.labels(asked, project.scale.values)
    report = ImportReport(files=[answers.path.name])
    for why, count in Counter(label.why for label in labels if label.grade is None).items():
        report.remarks.append(Message("Unjudged, {why}: {count:,}.", why=why, count=count))
    return store_model_labels(project, labels, wish.judge(), answers.path.name, report, progress)


# Asking without any network: prompts go into a file, and answers are read back from files that somebody else made.

PROMPTS_FILE, QUESTIONS_FILE = "prompts.jsonl", "questions.json"


def write_prompts(
    project: Project,
    wish: AskOptions,
    folder: Path,
    answers: AnswerFile,
    progress: Progress = SILENT,
) -> int:
    """Write a request for each question that is not settled, in the form of OpenAI's batches, and what they are; return how many."""
    check_judge(project, wish.judge())
    lines, asked = [], {}
    for each in progress.through(render_questions(project, wish), Message("Writing prompts")):
        question = each.question
        if not answers.is_settled(question.key):
            asked[question.key] = [question.topic, question.document, question.sample]
            said = {
                "custom_id": question.key,
                "method": "POST",
                "url": f"/v1{COMPLETIONS_PATH}",
                "body": each.body,
            }
            lines.append(json.dumps(said, ensure_ascii=False) + "\n")
    judge = wish.judge()
    by = wish.make_settings(wish.prompt.allowed(project.scale))
    entry = {
        "irjudge": "asked",
        "name": judge.name,
        "judge": judge.as_payload(),
        "by": asdict(by),
        "questions": asked,
    }
    try:
        folder.mkdir(exist_ok=True)
    except OSError as fault:
        raise IrjudgeError(
            "{folder} cannot be used ({fault}).", folder=folder.name, fault=describe_os_error(fault)
        ) from fault
    write_text_atomically(folder / PROMPTS_FILE, "".join(lines))
    write_text_atomically(
        folder / QUESTIONS_FILE, json.dumps(entry, ensure_ascii=False, indent=1) + "\n"
    )
    return len(lines)


@dataclass(frozen=True, slots=True)
class _PromptBatch:
    """What prompts were written for."""

    judge: ModelJudge
    by: RequestSettings
    questions: Mapping[str, ModelQuestion]


def import_answer_files(
    project: Project, folder: Path, answers: AnswerFile, progress: Progress = SILENT
) -> ImportReport:
    """Read the answers in a folder to which prompts were written, keep each raw, and take the grades into the log.

    Answers are lines of JSON in any other file `*.jsonl` of the folder: `custom_id` and `response` as batches have them, or `custom_id` and
    `answer`, the model's words. FormatError when the folder has no prompts of irjudge, or a line is of neither form.
    """
    written = _read_batch(folder)
    check_judge(project, written.judge)
    report = ImportReport(files=[answers.path.name])
    strangers = 0
    for path in sorted(folder.glob("*.jsonl")):
        for key, raw in progress.through(
            _iter_answers(path) if path.name != PROMPTS_FILE else (),
            Message("Reading {file}", file=path.name),
        ):
            question = written.questions.get(key)
            strangers += question is None
            if question and not answers.is_settled(key) and not answers.has(key, raw):
                answers.add(question, written.by, raw)
    if strangers:
        report.remarks.append(
            Message(
                "{folder}: answers to no question of it: {count:,}.",
                folder=folder.name,
                count=strangers,
            )
        )
    labels = answers.labels(written.questions.values(), project.scale.values, final=True)
    waiting = len(written.questions) - len(labels)
    if waiting:
        report.remarks.append(Message("Questions without an answer: {count:,}.", count=waiting))
    return store_model_labels(project, labels, written.judge, answers.path.name, report, progress)


def _read_batch(folder: Path) -> _PromptBatch:
    path = folder / QUESTIONS_FILE
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        by = RequestSettings(**{**said["by"], "grades": tuple(map(int, said["by"]["grades"]))})
        asked = {
            str(key): ModelQuestion(str(key), str(topic), str(document), int(sample))
            for key, (topic, document, sample) in said["questions"].items()
        }
        return _PromptBatch(ModelJudge.of_payload(str(said["name"]), said["judge"]), by, asked)
    except OSError as fault:
        raise IrjudgeError(
            "{folder} has no prompts of irjudge; --write-prompts writes them.", folder=folder.name
        ) from fault
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
        raise FormatError(
            path,
            Message("the file does not say what was asked, expected what --write-prompts wrote"),
        ) from fault


def _iter_answers(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the key and the raw reply of each line."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _parse_answer(path, number, line)
    except (OSError, UnicodeDecodeError) as fault:
        raise FormatError(path, Message("the file cannot be read")) from fault


def _parse_answer(path: Path, number: int, line: str) -> tuple[str, str]:
    try:
        said: dict[str, Any] = json.loads(line)
        key = str(said["custom_id"])
        if "answer" in said:
            return key, json.dumps({"choices": [{"message": {"content": said["answer"]}}]})
        return key, json.dumps((said.get("response") or {}).get("body"))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
        problem = Message(
            "the line is no answer, expected JSON with custom_id, and response or answer"
        )
        raise FormatError(path, problem, number) from fault
