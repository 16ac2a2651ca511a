"""Replies of models: how grades are parsed, and how replies are stored before import."""

import hashlib
import json
import math
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, BinaryIO, cast

from filelock import Timeout

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.bytes import describe_os_error, get_copy_mode, replace_surrogates, sync_folder
from irjudge.formats.judgments import ModelLabel
from irjudge.message import Message
from irjudge.store import make_lock

# Parsing of replies: a grade is accepted only if it is unambiguous.

MAX_SHOWN_CHARACTERS = 40  # maximum number of characters of an invalid grade in messages
MAX_TOKENS = 10**9  # maximum number of tokens of a reply; a larger count is considered invalid
REASONING_BEGIN, REASONING_END = "<think>", "</think>"
OBJECT_START = re.compile(r'\{(?=[ \t\n\r]*+["}])')
MAX_NUMBER = 2**53  # larger whole numbers are no grades
# Work for parsing one reply, counted in characters. The limit is MIN_WORK plus twice the length of
# the reply. In addition to its characters, each start of an object costs WORK_PER_OBJECT or, if it
# cannot be parsed, WORK_PER_ERROR. The largest reply takes some tenths of a second.
MIN_WORK, WORK_PER_OBJECT, WORK_PER_ERROR = 1_000_000, 60, 200
# if more characters precede an object, they are removed before the object is parsed
MAX_CHARACTERS_BEFORE_OBJECT = 1 << 14
# pattern of the text before a grade in a reply
GRADE_KEY = re.compile(r'"grade"\s*+:\s*+(?:"\s*+)?(?=[0-9])')
# pattern of a token that begins with a grade of one digit
GRADE_TOKEN = re.compile(r"\s*+([0-9])(?![0-9])")
PARSE_ERRORS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class ModelReply:
    """Reply of a chat endpoint after parsing: grade, text and token counts."""

    grade: int | None  # None if the reply has no valid grade
    reason: str = ""  # reason why the reply has no valid grade; empty if it has one
    content: str = ""  # text that the model wrote
    version: str = ""  # name of the model according to the reply
    # probabilities of grades 0, 1, 2 …; empty without a grade, or if the server returned none
    probabilities: tuple[float, ...] = ()
    # numbers of tokens according to the server; 0 if unknown
    input_tokens: int = 0
    output_tokens: int = 0


def read_reply(reply_text: str, grades: Sequence[int]) -> ModelReply:
    """Parse a reply in the format of OpenAI's chat completions, in linear time.

    >>> read_reply('{"choices": [{"message": {"content": "Well: {\\\\"grade\\\\": 2}"}}]}', (0, 1, 2)).grade
    2
    >>> read_reply('{"choices": []}', (0, 1, 2)).reason
    'the response has no message'
    """
    try:
        parsed_body = json.loads(reply_text)
    except (ValueError, RecursionError):
        return ModelReply(None, Message("the response is not JSON", key="not-json"))
    try:
        return _read_body(parsed_body, grades)
    except PARSE_ERRORS:
        return ModelReply(None, Message("the response cannot be read"))


def _read_body(parsed_body: object, grades: Sequence[int]) -> ModelReply:
    body = parsed_body if isinstance(parsed_body, Mapping) else {}
    usage = body.get("usage")
    counts = usage if isinstance(usage, Mapping) else {}
    input_tokens, output_tokens = (
        _parse_count(counts.get(name)) for name in ("prompt_tokens", "completion_tokens")
    )
    version = body["model"] if isinstance(body.get("model"), str) else ""
    choice = _find_first_choice(body)
    grade, reason, content = _read_choice(choice, grades)
    shares = (
        read_grade_probabilities(choice.get("logprobs"), grade, grades) if grade is not None else ()
    )
    return ModelReply(
        grade,
        reason,
        _clean_text(content),
        _clean_text(version),
        shares,
        input_tokens,
        output_tokens,
    )


def _clean_text(text: str) -> str:
    return replace_surrogates(text).replace("\0", "\N{REPLACEMENT CHARACTER}")


def _parse_count(value: object) -> int:
    """Return a token count from a server; 0 if it is invalid.

    >>> _parse_count(7), _parse_count(10**4000), _parse_count(True), _parse_count("7")
    (7, 0, 0, 0)
    """
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MAX_TOKENS
    return cast("int", value) if is_count else 0


def _is_stored_count(value: object) -> bool:
    return value == 0 or _parse_count(value) > 0


def _find_first_choice(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the first choice in a reply; empty if there is none."""
    choices = body.get("choices")
    return (
        choices[0]
        if isinstance(choices, list) and choices and isinstance(choices[0], Mapping)
        else {}
    )


def _read_choice(choice: Mapping[str, Any], grades: Sequence[int]) -> tuple[int | None, str, str]:
    """Return the grade in a choice or None, the reason for None, and the text of the choice."""
    message = choice.get("message")
    if not isinstance(message, Mapping):
        return None, Message("the response has no message", key="no-message"), ""
    content = message["content"] if isinstance(message.get("content"), str) else ""
    if message.get("refusal") or choice.get("finish_reason") == "content_filter":
        return (
            None,
            Message("the model refused to answer", key="refused"),
            content or str(message.get("refusal") or ""),
        )
    if not content.strip():
        return None, Message("the answer is empty", key="empty"), content
    return (*parse_grade(content, grades), content)


def parse_grade(content: str, grades: Sequence[int]) -> tuple[int | None, str]:
    """Return the grade from the JSON in an answer, which may be in a code block or within text.

    The result is the grade and "", or None and the reason why there is no valid grade.

    >>> parse_grade('```json\\n{"grade": 1}\\n```', (0, 1))
    (1, '')
    >>> parse_grade('{"grade": 1} or {"grade": 0}', (0, 1))[1]
    'the answer gives several grades'
    >>> parse_grade("I would say 1.", (0, 1))[1]
    'the answer has no JSON with a grade'
    """
    try:
        grades_by_text = {
            _format_json(candidate["grade"]): candidate["grade"]
            for candidate in _iter_objects(
                content if _is_object(content) else _remove_reasoning(content)
            )
            if "grade" in candidate
        }
    except _TooMuchWorkError:
        return None, Message("the answer contains too many incomplete JSON objects")
    if len(grades_by_text) != 1:
        return None, Message(
            "the answer gives several grades", key="several-grades"
        ) if grades_by_text else Message("the answer has no JSON with a grade", key="no-grade")
    (grade,) = grades_by_text.values()
    grade = (
        int(grade)
        if isinstance(grade, str) and re.fullmatch(r"[0-9]{1,2}", grade.strip())
        else grade
    )
    if isinstance(grade, bool) or not isinstance(grade, int) or grade not in grades:
        allowed_text = ", ".join(map(str, grades))
        return None, Message(
            "the grade {grade} is not one of {grades}",
            key="unknown-grade",
            grade=_format_json(grade)[:MAX_SHOWN_CHARACTERS],
            grades=allowed_text,
        )
    return grade, ""


def _make_grade_key(grade: object) -> object:
    """Return a key that is equal for equal grades.

    All lists have the same key, and so do all objects and all huge numbers, since they are invalid
    grades; with numbers that have equal hashes, a dictionary would take quadratic time.
    """
    if isinstance(grade, list | dict) or (isinstance(grade, int) and abs(grade) > MAX_NUMBER):
        return type(grade)
    return type(grade), grade


def _format_json(grade: object) -> str:
    try:
        return json.dumps(grade)
    except (RecursionError, ValueError):  # the JSON is nested too deeply
        return type(grade).__name__


def _is_object(text: str) -> bool:
    """Return whether a text is one JSON object, whose strings may contain tags of reasoning."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _remove_reasoning(text: str) -> str:
    """Return a text without passages of reasoning, which are enclosed in `<think>` tags.

    The begin tag may be missing, since some servers include it in the prompt, and so may the end
    tag if the answer was truncated. Each passage is replaced by a space, so that words before and
    after it are separated.

    >>> _remove_reasoning("<think>2 or 3</think>2 <think>?"), _remove_reasoning("2 or 3</think>2")
    (' 2 ', '2')
    """
    *passages, rest = text.split(REASONING_END)
    # of text before an end tag, only that before a begin tag is not reasoning
    parts = [part for part in passages if REASONING_BEGIN in part] + [rest]
    return " ".join(part.partition(REASONING_BEGIN)[0] for part in parts)


class _TooMuchWorkError(Exception):
    """Error raised if parsing a reply needs more work than is allowed."""


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; if it contains different grades, `grade` is a list of the grades."""
    values = dict(pairs)
    if len(values) < len(pairs):
        grades = {_make_grade_key(value): value for name, value in pairs if name == "grade"}
        if len(grades) > 1:
            values["grade"] = [*grades.values()]
    return values


def _iter_objects(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the outermost JSON objects in a text."""
    decoder = json.JSONDecoder(object_pairs_hook=_make_object)
    position, remaining_work = 0, 2 * len(text) + MIN_WORK
    while start_match := OBJECT_START.search(text, position):
        start = start_match.start()
        if (
            start > MAX_CHARACTERS_BEFORE_OBJECT
        ):  # `json` counts all lines before an error, which is slow if `start` is large
            text, start = text[start:], 0
        value: object = None
        try:
            value, position = decoder.raw_decode(text, start)
            end = position
        except json.JSONDecodeError as error:
            position = start + 1
            # if a string is unterminated, `error.pos` is its start, but the whole text was read
            end = len(text) if error.msg.startswith("Unterminated") else error.pos
        except (ValueError, RecursionError):  # a number is too long, or objects nest too deeply
            position, end = start + 1, len(text)
        remaining_work -= (WORK_PER_ERROR if value is None else WORK_PER_OBJECT) + end - start
        if remaining_work < 0:
            raise _TooMuchWorkError
        if isinstance(value, Mapping):
            yield value


# Probabilities of grades


def read_grade_probabilities(
    logprobs: object, grade: int, grades: Sequence[int]
) -> tuple[float, ...]:
    """Return the probabilities of grades 0, 1, 2 …; those of the allowed grades add up to 1.

    `logprobs` is in OpenAI's format: `content` is a list of tokens, each with `token` and
    `top_logprobs`. The grade in the answer may not be the most likely one, since a server may
    compute probabilities before its grammar excludes tokens. A grade that is not among the most
    likely tokens has the probability 0. The result is empty if there are no data, if the token of
    the grade is not found, or if a grade has more than one digit, since it may then consist of
    several tokens.

    >>> likely = [{"token": "2", "logprob": -0.2}, {"token": "1", "logprob": -1.9}, {"token": "x", "logprob": -3}]
    >>> tokens = [{"token": '{"grade": '}, {"token": "2", "top_logprobs": likely}, {"token": "}"}]
    >>> [round(share, 3) for share in read_grade_probabilities({"content": tokens}, 2, (0, 1, 2))]
    [0.0, 0.154, 0.846]
    """
    if not grades or max(grades) > 9:
        return ()
    try:
        content: Any = logprobs["content"]  # type: ignore[index]
        likely_tokens = _find_grade_tokens(
            [
                (str(token_entry["token"]), token_entry.get("top_logprobs"))
                for token_entry in content
            ],
            grade,
        )
        shares = dict.fromkeys(range(max(grades) + 1), 0.0)
        for token in likely_tokens:
            grade_match = GRADE_TOKEN.match(str(token["token"]))
            if grade_match and int(grade_match[1]) in grades:
                logprob = float(token["logprob"])
                if math.isnan(logprob):
                    return ()
                shares[int(grade_match[1])] += math.exp(min(0.0, logprob))
    except PARSE_ERRORS:
        return ()
    total = sum(shares.values())
    return tuple(share / total for share in shares.values()) if total > 0 else ()


def _find_grade_tokens(tokens: Sequence[tuple[str, Any]], grade: int) -> Sequence[Any]:
    """Return the most likely tokens at the position of the last grade in an answer.

    The result is empty if this grade is not `grade`.
    """
    ends = [match.end() for match in GRADE_KEY.finditer("".join(token for token, _ in tokens))]
    end = 0
    for token, likely_tokens in tokens:
        start, end = end, end + len(token)
        if ends and start <= ends[-1] < end:
            # If the token contains text before the digit, its probability is not that of the digit
            # alone.
            grade_match = GRADE_TOKEN.match(token)
            return likely_tokens or () if grade_match and int(grade_match[1]) == grade else ()
    return ()


# File of raw answers in a project's folder: lines of JSON that are only appended

ANSWERS_SUFFIX = ".asked.jsonl"
BYTES_PER_TOKEN = 4  # approximate number of bytes of text per token
LOCK_TIMEOUT = 5.0  # maximum waiting time for the lock of the file, in seconds
MAX_ANSWERS = 4  # number of answers without a grade after which a question is not asked again


@dataclass(frozen=True, slots=True)
class RequestSettings:
    """Settings of a request that are stored with each answer in an `AnswerFile`."""

    address: str  # address of the endpoint; empty if prompts were written to files
    model: str
    prompt: str  # name of the prompt file
    prompt_hash: str  # SHA-256 (hex) of the prompt file
    parameters: Mapping[str, Any]  # see `AskOptions.parameters`
    grades: tuple[int, ...]  # grades that the model may answer


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """Identification of a question to a model: topic, document, and number of the repetition.

    The text of the prompt is not included, but `key` is a hash of the whole request, including the
    address of the endpoint.
    """

    key: str  # SHA-256 (hex) of endpoint, body of the request and sample number
    topic: str
    document: str
    sample: int  # number of the repetition, from 1


@dataclass(frozen=True, slots=True)
class StoredReply:
    """Line of an `AnswerFile`: a parsed reply, or the reason why there is no reply."""

    line: int  # number of the line in the file, from 1
    reply: ModelReply  # if no reply was received, contains only the reason
    was_received: bool  # if not, the line does not count towards `MAX_ANSWERS`
    digest: bytes  # SHA-256 of the raw reply


class AnswerFile:
    """Append-only file of the raw answers of models about documents of a project.

    A question may have several answers, some of which contain no valid grade, or are only the
    reason why there is no answer. The object reads all answers, and groups them by question.
    Several threads can add answers; `add` returns when the answer is on disk. The first `add`
    creates the file if it does not exist.
    While the file is open, it is locked and cannot be opened again; the end of the `with` block
    closes it.
    """

    def __init__(self, path: Path, mode_path: Path) -> None:
        self.path = path
        self._lock, self._replies_by_key, self._line_count = (
            Lock(),
            defaultdict[str, list[StoredReply]](list),
            0,
        )
        self.tokens = (0, 0)  # total numbers of input and output tokens
        self._mode_path = mode_path
        self._file: BinaryIO | None = None
        self._file_lock = make_lock(path)
        if path.exists():
            self._open()

    def __enter__(self) -> "AnswerFile":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._file:
            with suppress(OSError):
                self._file.close()
        self._file_lock.release()

    def _open(self) -> BinaryIO:
        """Open and lock the file; create the file if it does not exist."""
        try:
            self._file_lock.acquire(timeout=LOCK_TIMEOUT)
            file = self.path.open("ab+")
            with ExitStack() as cleanup:
                cleanup.callback(self._file_lock.release)
                cleanup.callback(file.close)
                self.path.chmod(get_copy_mode(self._mode_path) & self.path.stat().st_mode)
                self._read(file)
                sync_folder(self.path.parent)
                cleanup.pop_all()
        except Timeout as error:
            raise IrjudgeError(
                "{file} is in use: a model is judging documents of this project.",
                file=self.path.name,
            ) from error
        except OSError as error:
            raise IrjudgeError(
                "Cannot open {file} ({error}).",
                file=self.path.name,
                error=describe_os_error(error),
            ) from error
        self._file = file
        return file

    def _read(self, file: BinaryIO) -> None:
        """Read the stored answers; remove an incomplete last line, left by a killed process."""
        file.seek(0)
        complete_size = 0
        for line in file:
            if not line.endswith(b"\n"):
                file.truncate(complete_size)
                break
            complete_size += len(line)
            self._add_line(line)

    def _add_line(self, line: bytes) -> tuple[int, int]:
        """Add the answer in a line; return its numbers of input and output tokens."""
        self._line_count += 1
        try:
            entry = json.loads(line)
            key, reply_text, failure = entry["key"], entry["raw"], entry.get("failed", "")
            digest = _hash_reply(reply_text)
            if not isinstance(key, str) or not all(map(_is_stored_count, entry["tokens"])):
                raise TypeError
            input_tokens, output_tokens = entry["tokens"]
            reply = (
                ModelReply(None, _clean_text(str(failure)))
                if failure
                else read_reply(reply_text, tuple(map(int, entry["grades"])))
            )
            # token counts by the server or, if it reported none, estimates
            if entry["address"] and not failure:
                input_tokens = reply.input_tokens or input_tokens
                output_tokens = (
                    reply.output_tokens
                    or output_tokens
                    or len(reply.content.encode()) // BYTES_PER_TOKEN
                )
        except PARSE_ERRORS as error:
            raise FormatError(
                self.path,
                Message("the line is not an answer stored by irjudge", key="not-an-answer"),
                self._line_count,
            ) from error
        self._replies_by_key[key].append(StoredReply(self._line_count, reply, not failure, digest))
        self.tokens = self.tokens[0] + input_tokens, self.tokens[1] + output_tokens
        return input_tokens, output_tokens

    def add(
        self,
        question: ModelQuestion,
        settings: RequestSettings,
        reply_text: str,
        failure: str = "",
        input_tokens: int = 0,
    ) -> tuple[int, int]:
        """Store a raw reply, or the reason why there is none, and wait until it is on disk.

        `input_tokens` is an estimate, used if the server does not count tokens. The result is the
        numbers of input and output tokens.
        """
        entry = {
            **asdict(question),
            **asdict(settings),
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "tokens": (input_tokens, 0),
            "raw": reply_text,
        }
        line = json.dumps({**entry, "failed": failure} if failure else entry).encode() + b"\n"
        with self._lock:
            descriptor = (self._file or self._open()).fileno()
            end = os.fstat(descriptor).st_size
            try:
                unwritten_bytes = line
                while unwritten_bytes:
                    unwritten_bytes = unwritten_bytes[os.write(descriptor, unwritten_bytes) :]
                os.fsync(descriptor)
            except OSError as error:
                with suppress(OSError):
                    os.ftruncate(descriptor, end)  # an incomplete line would corrupt the next one
                raise IrjudgeError(
                    "Cannot write {file} ({error}).",
                    file=self.path.name,
                    error=describe_os_error(error),
                ) from error
            return self._add_line(line)

    def count_replies(self, key: str) -> int:
        """Return the number of replies received for a question, with or without a grade."""
        return sum(stored_reply.was_received for stored_reply in self._replies_by_key.get(key, ()))

    def has_reply(self, key: str, reply_text: str) -> bool:
        """Return whether a reply to a question is already stored, for example from another file."""
        return any(
            stored_reply.digest == _hash_reply(reply_text)
            for stored_reply in self._replies_by_key.get(key, ())
        )

    def is_finished(self, key: str) -> bool:
        """Return whether a question needs no request: it has a grade or too many answers."""
        return self.count_replies(key) >= MAX_ANSWERS or any(
            stored_reply.reply.grade is not None
            for stored_reply in self._replies_by_key.get(key, ())
        )

    def list_labels(
        self,
        questions: Iterable[ModelQuestion],
        grades: Sequence[int],
        *,
        include_failed: bool = False,
    ) -> list[ModelLabel]:
        """Return a label for each finished question: a grade, or the reason why there is none.

        If a question is repeated, only repetitions before the first one without a label are
        included. With `include_failed`, every question with an answer counts as finished, even if
        its answers have no grade, since no question will be asked again.
        """
        labels, open_pairs = [], set()
        for question in sorted(questions, key=lambda question: question.sample):
            pair = question.topic, question.document
            label = self._make_label(question, grades, include_failed)
            if label is None:
                open_pairs.add(pair)
            elif pair not in open_pairs:
                labels.append(label)
        return labels

    def _make_label(
        self, question: ModelQuestion, grades: Sequence[int], include_failed: bool
    ) -> ModelLabel | None:
        replies = self._replies_by_key.get(question.key, [])
        if not replies or (
            replies[-1].was_received and not include_failed and not self.is_finished(question.key)
        ):
            return None
        selected_reply = next(
            (reply for reply in replies if reply.reply.grade is not None), replies[-1]
        )
        reply = selected_reply.reply
        label = ModelLabel(
            selected_reply.line,
            question.topic,
            question.document,
            reply.grade,
            reply.reason,
            reply.probabilities,
            answer=reply.content,
            version=reply.version,
        )
        if reply.grade is None or reply.grade in grades:
            return label
        return replace(
            label,
            grade=None,
            missing_reason=Message("the grade {grade} is not on the scale", grade=reply.grade),
        )


def _hash_reply(reply_text: str) -> bytes:
    return hashlib.sha256(reply_text.encode()).digest()


def make_answers_path(project: Path) -> Path:
    """Return the path of the file of answers, which is in the folder of the project."""
    return project.with_name(f"{project.stem}{ANSWERS_SUFFIX}")
