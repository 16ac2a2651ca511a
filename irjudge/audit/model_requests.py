"""Requests to a model within a budget, sent to an endpoint or exchanged as files."""

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
from irjudge.audit.model_replies import (
    PARSE_ERRORS,
    AnswerFile,
    ModelQuestion,
    RequestSettings,
)
from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.bytes import describe_os_error, write_text_atomically
from irjudge.http_client import HttpResponse, NoResponseError
from irjudge.judging import store_model_labels
from irjudge.message import Message
from irjudge.model import MAX_NESTING, ModelJudge, is_nested_deeper
from irjudge.progress import SILENT, Progress
from irjudge.store import ImportReport, Project

# Limits of requests, forecast of requests, and budget

MAX_LISTED_INJECTIONS = 5  # maximum number of prompt injections that a message lists


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """Limits of requests to a model (number, cost, concurrency, time), and prices of tokens.

    The number of requests, including retries, is limited for each call of `ask_model`; the cost
    (`budget`) is limited for all answers of the project together.
    """

    requests: int | None = None  # maximum number of requests in a call; None for no limit
    # maximum total cost of all answers of the project; None for no limit
    budget: float | None = None
    # price per million input tokens, and per million output tokens, in the currency of the budget
    prices: tuple[float, float] = (0.0, 0.0)
    at_once: int = 1  # maximum number of concurrent requests
    timeout_seconds: float = 120.0  # maximum number of seconds until a reply


@dataclass(slots=True)
class RequestForecast:
    """Forecast of the requests to a model, computed before anything is sent.

    It contains the numbers of requests, tokens, truncated documents and already finished
    questions, and the prompt injections in documents. Unfinished questions beyond the maximum
    number of requests are not counted, but prompt injections in their documents are included. The
    cost is computed for the maximum number of output tokens, and for one attempt per question.
    """

    # number of questions that need no request, because they have a grade or too many answers
    answered: int = 0
    requests: int = 0  # number of requests if every first attempt succeeds
    input_tokens: int = 0  # approximate number of input tokens
    output_tokens: int = 0  # maximum number of output tokens
    truncated: int = 0  # number of truncated documents
    # text of the prompt injection, by document
    injections: dict[str, str] = field(default_factory=dict)

    def cost(self, prices: tuple[float, float]) -> float:
        """Return the maximum cost, given prices per million input and output tokens."""
        return compute_cost((self.input_tokens, self.output_tokens), prices)


def compute_cost(tokens: tuple[int, int], prices: tuple[float, float]) -> float:
    """Return the cost of input and output tokens, given their prices per million."""
    return sum(count * price for count, price in zip(tokens, prices, strict=True)) / 1e6


def forecast_requests(
    project: Project,
    options: AskOptions,
    answers: AnswerFile,
    limit: int | None = None,
    progress: Progress = SILENT,
) -> RequestForecast:
    """Return the forecast of the requests that are necessary; no request is sent."""
    forecast = RequestForecast()
    for question in progress.track(
        render_questions(project, options), Message("Reading documents")
    ):
        if answers.is_finished(question.question.key):
            forecast.answered += 1
        elif limit is None or forecast.requests < limit:
            forecast.requests += 1
            forecast.input_tokens += question.tokens
            forecast.output_tokens += options.answer_tokens
            forecast.truncated += question.is_truncated
        if question.injection:
            forecast.injections[question.question.document] = question.injection
    return forecast


def describe_forecast(
    forecast: RequestForecast, endpoint: ChatEndpoint, options: AskOptions, limits: RequestLimits
) -> list[str]:
    """Return sentences about the requests in a forecast: what is sent, to whom, and the cost."""
    messages: list[str] = [
        Message(
            "To be sent to {address}, model {model}: topics and document texts, with the "
            "prompt {prompt}, version {version} ({digest}).",
            address=endpoint.address,
            model=options.model,
            prompt=options.prompt.name,
            version=options.prompt.version,
            digest=options.prompt.digest[:12],
        )
    ]
    if endpoint.is_unencrypted:
        messages.append(
            Message(
                "The connection is not encrypted: the address uses plain HTTP and belongs to "
                "another computer."
            )
        )
    messages += (
        _describe_costs(forecast, limits)
        if forecast.requests
        else [
            Message(
                "No questions are left. Questions already answered: {count:,}.",
                count=forecast.answered,
            )
        ]
    )
    if forecast.truncated:
        messages.append(
            Message(
                "Documents truncated to {limit:,} characters: {count:,}.",
                limit=options.max_document_characters,
                count=forecast.truncated,
            )
        )
    if forecast.injections:
        flagged_text = "; ".join(
            f"{document}: {instruction}"
            for document, instruction in list(forecast.injections.items())[:MAX_LISTED_INJECTIONS]
        )
        flagged_message = Message(
            "Documents that may contain instructions to the model: {count:,}. Check the "
            "model's grades for these documents: {documents}",
            count=len(forecast.injections),
            documents=flagged_text,
        )
        messages.append(flagged_message)
    return messages


def _describe_costs(forecast: RequestForecast, limits: RequestLimits) -> list[str]:
    requests = Message(
        "Requests: {requests:,}; input tokens: about {sent:,}; output tokens: at most "
        "{generated:,}; retries are not included. Questions already answered: {answered:,}.",
        requests=forecast.requests,
        sent=forecast.input_tokens,
        generated=forecast.output_tokens,
        answered=forecast.answered,
    )
    cost = forecast.cost(limits.prices)
    if not any(limits.prices):
        return [requests]
    if limits.budget is None:
        return [requests, Message("Cost: at most {cost:.4f}.", cost=cost)]
    return [
        requests,
        Message(
            "Cost: at most {cost:.4f} of a budget of {budget:g}.", cost=cost, budget=limits.budget
        ),
    ]


class RequestBudget:
    """Thread-safe counter of the number and cost of requests, which enforces their limits.

    The cost includes all answers stored for the project; the number includes only new requests.
    """

    def __init__(self, limits: RequestLimits, tokens: tuple[int, int]) -> None:
        self._limits, self._lock = limits, Lock()
        self._cost, self.requests = compute_cost(tokens, limits.prices), 0

    def reserve(self, tokens: tuple[int, int]) -> str:
        """Reserve the maximum cost of a request, unless a limit is exceeded.

        Return the reason why the request must not be sent, or "" if the cost was reserved.
        """
        cost = compute_cost(tokens, self._limits.prices)
        with self._lock:
            if self._limits.requests is not None and self.requests >= self._limits.requests:
                return Message(
                    "The maximum number of requests ({count:,}) has been reached.",
                    key="request-limit",
                    count=self._limits.requests,
                )
            if self._limits.budget is not None and self._cost + cost > self._limits.budget:
                return Message(
                    "The budget of {budget:g} is used up: {cost:.4f} was spent.",
                    key="budget",
                    budget=self._limits.budget,
                    cost=self._cost,
                )
            self.requests += 1
            self._cost += cost
        return ""

    def correct_reservation(
        self, reserved_tokens: tuple[int, int], used_tokens: tuple[int, int]
    ) -> None:
        """Replace the reserved cost of a request by its actual cost."""
        with self._lock:
            self._cost += compute_cost(used_tokens, self._limits.prices) - compute_cost(
                reserved_tokens, self._limits.prices
            )


# Sending of requests in parallel; each answer is stored before it is used

RETRY_STATUSES = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
MAX_ATTEMPTS = 4  # maximum number of attempts for a request without a reply
MIN_WAIT, MAX_WAIT = 1.0, 300.0  # minimum and maximum waiting time before a retry, in seconds
MAX_UNANSWERED = 5  # sending stops after this number of consecutive questions without a reply
POLL_SECONDS = 0.5  # interval between two checks for cancellation, in seconds
MAX_ERROR_CHARACTERS = 200  # maximum number of characters shown of a server's error message
COMPLETION_TOKEN_LIMIT = "max_completion_tokens"  # newer name of the parameter `max_tokens`


class _RequestSender:
    """Sender of questions to a model; it is used by several threads and can be stopped."""

    def __init__(
        self,
        endpoint: ChatEndpoint,
        settings: RequestSettings,
        answers: AnswerFile,
        limits: RequestLimits,
    ) -> None:
        self._endpoint, self._settings, self._answer_file, self._limits = (
            endpoint,
            settings,
            answers,
            limits,
        )
        self.budget, self.stop_event, self.stop_reason = (
            RequestBudget(limits, answers.tokens),
            Event(),
            "",
        )
        self.pause: Callable[[float], object] = self.stop_event.wait
        # function that returns whether the user cancelled; called before each request
        self.is_cancelled: Callable[[], bool] = lambda: False
        self._unanswered_count = 0  # number of consecutive questions without a reply
        self._token_limit_name = "max_tokens"  # parameter that limits the length of an answer

    def stop(self, reason: str) -> None:
        """Stop sending; if this method is called several times, the first reason is reported."""
        self.stop_reason = self.stop_reason or reason
        self.stop_event.set()

    def ask(self, question: RenderedQuestion) -> None:
        """Send a question until it has a grade, too many answers, or too many failures."""
        reason, failures = "", 0
        while failures < MAX_ATTEMPTS and not self._answer_file.is_finished(question.question.key):
            if self.stop_event.is_set() or self.is_cancelled():
                return
            reserved_tokens = question.tokens, int(question.body["max_tokens"])
            body = self._rename_token_limit(question.body)
            if refusal := self.budget.reserve(reserved_tokens):
                self.stop(refusal)
                return
            try:
                reply = self._endpoint.post(body, self._limits.timeout_seconds)
            except NoResponseError as error:
                reason, wait_seconds = error.args[0], MIN_WAIT * 2**failures
            else:
                if reply.status == HTTPStatus.OK:
                    self._store_reply(question, reply.text, reserved_tokens)
                    continue
                # a refused request costs nothing; after a lost connection, the cost is unknown
                self.budget.correct_reservation(reserved_tokens, (0, 0))
                reason = self._describe_refusal(reply, body)
                wait_seconds = (
                    MIN_WAIT * 2**failures if reply.retry_after is None else reply.retry_after
                )
            failures += 1
            if wait_seconds > MAX_WAIT:
                self.stop(
                    Message(
                        "{host} accepts no requests for the next {seconds:,.0f} s; try again "
                        "after this time.",
                        key="long-wait",
                        host=self._endpoint.host,
                        seconds=wait_seconds,
                    )
                )
            elif failures < MAX_ATTEMPTS and not self.stop_event.is_set():
                self.pause(wait_seconds)
        if failures == MAX_ATTEMPTS:
            self._record_failure(question.question, reason)

    def _rename_token_limit(self, body: Mapping[str, Any]) -> dict[str, Any]:
        return {
            self._token_limit_name if name == "max_tokens" else name: value
            for name, value in body.items()
        }

    def _requires_other_token_limit(self, reply: HttpResponse, body: Mapping[str, Any]) -> bool:
        """Return whether the model refuses `max_tokens`, and names the newer parameter instead.

        Reasoning models of OpenAI do so; many other servers know only `max_tokens`.
        """
        return (
            reply.status == HTTPStatus.BAD_REQUEST
            and "max_tokens" in body
            and COMPLETION_TOKEN_LIMIT in reply.text
        )

    def _store_reply(
        self, question: RenderedQuestion, reply_text: str, reserved_tokens: tuple[int, int]
    ) -> None:
        """Store a reply before it is used, so that it is not lost; count its tokens."""
        self.budget.correct_reservation(
            reserved_tokens,
            self._answer_file.add(
                question.question, self._settings, reply_text, input_tokens=reserved_tokens[0]
            ),
        )
        self._unanswered_count = 0

    def _describe_refusal(self, reply: HttpResponse, body: Mapping[str, Any]) -> str:
        """Return why the server refused a request; stop sending if a retry cannot succeed."""
        reason = " ".join(reply.text.split())[:MAX_ERROR_CHARACTERS]
        if self._requires_other_token_limit(reply, body):
            self._token_limit_name = COMPLETION_TOKEN_LIMIT
        elif reply.status not in RETRY_STATUSES:
            sentence = Message(
                "{host} returned status {status}: {reason}",
                host=self._endpoint.host,
                status=reply.status,
                reason=reason,
            )
            self.stop(sentence)
        return Message("status {status}", status=reply.status)

    def _record_failure(self, question: ModelQuestion, reason: str) -> None:
        self._answer_file.add(question, self._settings, "", failure=reason)
        self._unanswered_count += 1
        if self._unanswered_count >= MAX_UNANSWERED:
            sentence = Message(
                "{host} failed to answer {count} questions in a row ({reason}).",
                key="no-answer",
                host=self._endpoint.host,
                count=self._unanswered_count,
                reason=reason,
            )
            self.stop(sentence)


@dataclass(frozen=True, slots=True)
class SendReport:
    """Result of `send_questions`: numbers of requests and of unanswered questions.

    A question is unanswered if a further request could still result in a grade. `stop_reason` is
    the reason why sending ended early. The replies are in an `AnswerFile`; `import_answers` adds
    them to the log.
    """

    requests: int  # number of requests that were sent, including retries
    unanswered_count: int  # number of questions without a grade that can be sent again
    stop_reason: str  # reason why sending stopped early; empty if it did not


@dataclass(frozen=True, slots=True)
class AskReport:
    """Result of `ask_model`: the requests, and the labels that were added to the log.

    Unlike in a `SendReport`, the answers have already been imported as labels of the model.
    """

    requests: int  # number of requests that were sent, including retries
    unanswered_count: int  # number of questions without a grade that can be sent again
    stop_reason: str  # reason why sending stopped early; empty if it did not
    labels: ImportReport  # report on the import of the answers


def ask_model(
    project: Project,
    options: AskOptions,
    endpoint: ChatEndpoint,
    answers: AnswerFile,
    limits: RequestLimits,
    progress: Progress = SILENT,
    pause: Callable[[float], object] | None = None,
    open_count: int | None = None,
) -> AskReport:
    """Ask a model about the newest pool of a project, and add the grades to the log as labels.

    Each reply is stored on disk before it is used. If the work is interrupted, the answers received
    so far are imported, and answered questions are not sent again later. Progress is reported for
    each question. If the user cancels, running requests are completed, since they must be paid for.
    `pause` is called with the number of seconds to wait before another attempt. `open_count` is the
    number of unanswered questions according to a forecast; if it is None, they are counted first.
    Raises IrjudgeError if the project does not allow requests, or if the name is that of an
    assessor or of a model with other settings.
    """
    all_questions: list[ModelQuestion] = []
    try:
        result = send_questions(
            project, options, endpoint, answers, limits, all_questions, progress, pause, open_count
        )
    finally:
        report = import_answers(project, options, answers, all_questions, progress=SILENT)
    return AskReport(result.requests, result.unanswered_count, result.stop_reason, report)


def send_questions(
    project: Project,
    options: AskOptions,
    endpoint: ChatEndpoint,
    answers: AnswerFile,
    limits: RequestLimits,
    all_questions: list[ModelQuestion],
    progress: Progress = SILENT,
    pause: Callable[[float], object] | None = None,
    open_count: int | None = None,
) -> SendReport:
    """Send questions, and store the answers in their file; the project is only read.

    Later, `import_answers` adds the answers to the log. All questions are added to `all_questions`,
    even if sending stops. For the other parameters see `ask_model`.
    """
    check_allowed(project)
    check_judge(project, options.make_judge())
    sender = _RequestSender(
        endpoint,
        options.make_settings(options.prompt.allowed_grades(project.scale)),
        answers,
        limits,
    )
    sender.pause, sender.is_cancelled = pause or sender.pause, progress.cancellation_check
    open_count = (
        forecast_requests(project, options, answers, progress=progress).requests
        if open_count is None
        else open_count
    )
    with ThreadPoolExecutor(limits.at_once, "irjudge-asking") as executor:
        try:
            _send_all(
                executor,
                sender,
                _iter_open_questions(
                    render_questions(project, options), all_questions, answers, sender
                ),
                limits.at_once,
                open_count,
                progress,
            )
        except BaseException:
            sender.stop(Message("Cancelled."))
            executor.shutdown(cancel_futures=True)
            raise
    return SendReport(
        sender.budget.requests,
        sum(not answers.is_finished(question.key) for question in all_questions),
        sender.stop_reason,
    )


def _iter_open_questions(
    rendered_questions: Iterable[RenderedQuestion],
    all_questions: list[ModelQuestion],
    answers: AnswerFile,
    sender: _RequestSender,
) -> Iterable[RenderedQuestion]:
    """Yield unanswered questions until sending stops; add all questions to `all_questions`."""
    for question in rendered_questions:
        all_questions.append(question.question)
        if not answers.is_finished(question.question.key) and not sender.stop_event.is_set():
            yield question


def _send_all(
    executor: ThreadPoolExecutor,
    sender: _RequestSender,
    rendered_questions: Iterable[RenderedQuestion],
    max_pending: int,
    total: int,
    progress: Progress,
) -> None:
    """Send questions with `executor`; wait when more than `max_pending` are unfinished.

    Questions are rendered only when they are submitted, so that few are in memory.
    """
    pending_futures: set[Future[None]] = set()
    finished_count, progress_message = 0, Message("Asking the model")

    def wait_for_futures(limit: int) -> None:
        nonlocal pending_futures, finished_count
        while len(pending_futures) > limit:
            progress.step(finished_count, total, progress_message)
            finished_futures, pending_futures = wait(pending_futures, POLL_SECONDS, FIRST_COMPLETED)
            for future in finished_futures:
                future.result()
            finished_count += len(finished_futures)

    for question in rendered_questions:
        pending_futures.add(executor.submit(sender.ask, question))
        wait_for_futures(max_pending)
    wait_for_futures(0)
    progress.step(finished_count, total, progress_message)


def import_answers(
    project: Project,
    options: AskOptions,
    answers: AnswerFile,
    questions: Iterable[ModelQuestion],
    progress: Progress = SILENT,
) -> ImportReport:
    """Add the stored answers to the log, as labels by the model."""
    labels = answers.list_labels(questions, project.scale.values)
    report = ImportReport(files=[answers.path.name])
    for reason, count in Counter(
        label.missing_reason for label in labels if label.grade is None
    ).items():
        report.warnings.append(
            Message("Labels without a grade ({reason}): {count:,}.", reason=reason, count=count)
        )
    return store_model_labels(
        project, labels, options.make_judge(), answers.path.name, report, progress
    )


# Exchange of requests and answers as files, without a network

PROMPTS_FILE, QUESTIONS_FILE = "prompts.jsonl", "questions.json"


def write_prompts(
    project: Project,
    options: AskOptions,
    folder: Path,
    answers: AnswerFile,
    progress: Progress = SILENT,
) -> int:
    """Write requests for all unanswered questions, and a list of the questions.

    Requests are in OpenAI's format for batches. Return the number of requests.
    """
    check_judge(project, options.make_judge())
    lines, questions_by_key = [], {}
    for rendered_question in progress.track(
        render_questions(project, options), Message("Saving prompts")
    ):
        question = rendered_question.question
        if not answers.is_finished(question.key):
            questions_by_key[question.key] = [question.topic, question.document, question.sample]
            request = {
                "custom_id": question.key,
                "method": "POST",
                "url": f"/v1{COMPLETIONS_PATH}",
                "body": rendered_question.body,
            }
            lines.append(json.dumps(request, ensure_ascii=False) + "\n")
    judge = options.make_judge()
    settings = options.make_settings(options.prompt.allowed_grades(project.scale))
    entry = {
        "irjudge": "asked",
        "name": judge.name,
        "judge": judge.as_payload(),
        "by": asdict(settings),
        "questions": questions_by_key,
    }
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise IrjudgeError(
            "Cannot create the folder {folder} ({error}).",
            folder=folder.name,
            error=describe_os_error(error),
        ) from error
    write_text_atomically(folder / PROMPTS_FILE, "".join(lines))
    write_text_atomically(
        folder / QUESTIONS_FILE, json.dumps(entry, ensure_ascii=False, indent=1) + "\n"
    )
    return len(lines)


@dataclass(frozen=True, slots=True)
class _PromptBatch:
    """Content of `QUESTIONS_FILE` in a folder of prompts: model, settings, and questions by id."""

    judge: ModelJudge
    settings: RequestSettings
    questions: Mapping[str, ModelQuestion]


def import_answer_files(
    project: Project, folder: Path, answers: AnswerFile, progress: Progress = SILENT
) -> ImportReport:
    """Read the answers in a folder of exported prompts, store them, and import their grades.

    Answers are lines of JSON in the other `*.jsonl` files of the folder. A line contains
    `custom_id` and `response` as in batches, or `custom_id` and `answer`, the text that the model
    wrote. Raises IrjudgeError if the folder contains no prompts written by irjudge, and FormatError
    if a line has neither format.
    """
    batch = _read_batch(folder)
    check_judge(project, batch.judge)
    report = ImportReport(files=[answers.path.name])
    unknown_count = 0
    for path in sorted(folder.glob("*.jsonl")):
        for key, reply_text in progress.track(
            _iter_answers(path) if path.name != PROMPTS_FILE else (),
            Message("Reading {file}", file=path.name),
        ):
            question = batch.questions.get(key)
            unknown_count += question is None
            if question and not answers.is_finished(key) and not answers.has_reply(key, reply_text):
                answers.add(question, batch.settings, reply_text)
    if unknown_count:
        report.warnings.append(
            Message(
                "{folder}: skipped answers to unknown questions: {count:,}.",
                folder=folder.name,
                count=unknown_count,
            )
        )
    labels = answers.list_labels(
        batch.questions.values(), project.scale.values, include_failed=True
    )
    unanswered_count = len(batch.questions) - len(labels)
    if unanswered_count:
        report.warnings.append(
            Message("Questions without an answer: {count:,}.", count=unanswered_count)
        )
    return store_model_labels(project, labels, batch.judge, answers.path.name, report, progress)


def _read_batch(folder: Path) -> _PromptBatch:
    path = folder / QUESTIONS_FILE
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        # raises an error for lone surrogates and for numbers that are not finite
        json.dumps(content, ensure_ascii=False, allow_nan=False).encode()
        if is_nested_deeper(content, MAX_NESTING):
            raise ValueError("the nesting is too deep")
        settings = RequestSettings(
            **{**content["by"], "grades": tuple(map(int, content["by"]["grades"]))}
        )
        "".join((settings.address, settings.model, settings.prompt, settings.prompt_hash))
        questions = {
            str(key): ModelQuestion(str(key), str(topic), str(document), int(sample))
            for key, (topic, document, sample) in content["questions"].items()
        }
        return _PromptBatch(
            ModelJudge.from_payload(str(content["name"]), content["judge"]), settings, questions
        )
    except OSError as error:
        raise IrjudgeError(
            "{folder} contains no irjudge prompts; create them with --write-prompts.",
            folder=folder.name,
        ) from error
    except PARSE_ERRORS as error:
        raise FormatError(
            path,
            Message(
                "the file does not contain the questions for the model; expected a file from "
                "--write-prompts"
            ),
        ) from error


def _iter_answers(path: Path) -> Iterator[tuple[str, str]]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            for line_number, line in enumerate(file, 1):
                if line.strip():
                    yield _parse_answer(path, line_number, line)
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(path, Message("the file cannot be read")) from error


def _parse_answer(path: Path, line_number: int, line: str) -> tuple[str, str]:
    try:
        line_content: dict[str, Any] = json.loads(line)
        key = str(line_content["custom_id"])
        if "answer" in line_content:
            return key, json.dumps({"choices": [{"message": {"content": line_content["answer"]}}]})
        return key, json.dumps((line_content.get("response") or {}).get("body"))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        problem = Message(
            "the line is not an answer; expected JSON with custom_id and either response or answer"
        )
        raise FormatError(path, problem, line_number) from error
