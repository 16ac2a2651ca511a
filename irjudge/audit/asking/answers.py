"""What models answered, raw and on disk before it counts: lines of JSON beside the project, added to and never changed."""

import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, BinaryIO

from filelock import Timeout

from irjudge.audit.asking.replies import ModelReply, read_reply
from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.bytes.atomic_write import private_to, reason, sync_folder
from irjudge.formats.judgments.model_labels import ModelLabel
from irjudge.message import Message
from irjudge.store.companion_files import lock_of

SUFFIX = ".asked.jsonl"
BYTES = 4  # of text that make a token, about
WAIT = 5.0  # seconds, for another that looks into the file
ANSWERS = 4  # about one question, of which none had a grade, after which it is unjudged


@dataclass(frozen=True, slots=True)
class AskedBy:
    """How questions were asked: what stands beside each answer."""

    address: str  # of the endpoint; empty where prompts were written to files
    model: str
    prompt: str  # the name of its file
    prompt_hash: str
    parameters: Mapping[str, Any]
    grades: tuple[int, ...]  # that may be answered


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """One question: a document of a topic, for the first time or again."""

    key: str  # SHA-256 (hex) of endpoint, model, rendered prompt, parameters and sample number
    topic: str
    document: str
    sample: int  # from 1


@dataclass(frozen=True, slots=True)
class KeptReply:
    """A reply, or why there was none, and where it is kept."""

    line: int
    reply: ModelReply
    came: bool  # False where the request failed, so that it may be sent again
    raw: bytes  # SHA-256 of what came


class AnswerFile:
    """The answers of a project's models. Several threads may add to it; each waits until its line is on disk."""

    def __init__(self, path: Path, like: Path) -> None:
        self.path = path
        self._lock, self._kept, self._lines = Lock(), defaultdict[str, list[KeptReply]](list), 0
        self.tokens = (0, 0)  # sent and written, of all that was ever answered
        self._like = like
        self._file: BinaryIO | None = None
        self._in_use = lock_of(path)
        if path.exists():
            self._open()

    def __enter__(self) -> "AnswerFile":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file:
            with suppress(OSError):
                self._file.close()
        self._in_use.release()

    def _open(self) -> BinaryIO:
        """Open the file, which is made when the first answer comes, and keep others from it."""
        try:
            self._in_use.acquire(timeout=WAIT)
            file = self.path.open("ab+")
            with ExitStack() as unless_sound:
                unless_sound.callback(self._in_use.release)
                unless_sound.callback(file.close)
                self.path.chmod(private_to(self._like) & self.path.stat().st_mode)
                self._read(file)
                sync_folder(self.path.parent)
                unless_sound.pop_all()
        except Timeout as fault:
            raise IrjudgeError(
                "{file} is in use: a model is being asked about this project.", file=self.path.name
            ) from fault
        except OSError as fault:
            raise IrjudgeError(
                "{file} cannot be used ({fault}).", file=self.path.name, fault=reason(fault)
            ) from fault
        self._file = file
        return file

    def _read(self, file: BinaryIO) -> None:
        """Take in what is there; half a line at the end was being written when the process was killed, and never counted."""
        file.seek(0)
        whole = 0
        for line in file:
            if not line.endswith(b"\n"):
                file.truncate(whole)
                break
            whole += len(line)
            self._take_in(line)

    def _take_in(self, line: bytes) -> tuple[int, int]:
        """Take in a line; return how many tokens it cost, sent and written."""
        self._lines += 1
        try:
            said = json.loads(line)
            key, raw, failed = said["key"], said["raw"], said.get("failed", "")
            sent, written = map(int, said["tokens"])
            reply = (
                ModelReply(None, str(failed))
                if failed
                else read_reply(raw, tuple(map(int, said["grades"])))
            )
            if (
                said["address"] and not failed
            ):  # as the server counted, else as much as seems likely
                sent, written = (
                    reply.sent or sent,
                    reply.written or written or len(reply.content.encode()) // BYTES,
                )
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
            raise FormatError(
                self.path,
                Message("the line is no answer that irjudge kept", key="not-an-answer"),
                self._lines,
            ) from fault
        self._kept[key].append(KeptReply(self._lines, reply, not failed, _digest(raw)))
        self.tokens = self.tokens[0] + sent, self.tokens[1] + written
        return sent, written

    def add(
        self, question: ModelQuestion, by: AskedBy, raw: str, failed: str = "", sent: int = 0
    ) -> tuple[int, int]:
        """Keep what came, before anything is made of it, or why nothing came; it is on disk when this returns.

        `sent` is about how many tokens were sent, for a server that does not count. Returned is what it cost, in tokens sent and written.
        """
        said = {
            **asdict(question),
            **asdict(by),
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "tokens": (sent, 0),
            "raw": raw,
        }
        line = json.dumps({**said, "failed": failed} if failed else said).encode() + b"\n"
        with self._lock:
            number = (self._file or self._open()).fileno()
            end = os.fstat(number).st_size
            try:
                left = line
                while left:
                    left = left[os.write(number, left) :]
                os.fsync(number)
            except OSError as fault:
                with suppress(OSError):
                    os.ftruncate(number, end)  # half a line would spoil the next one
                raise IrjudgeError(
                    "{file} cannot be written ({fault}).", file=self.path.name, fault=reason(fault)
                ) from fault
            return self._take_in(line)

    def answers(self, key: str) -> int:
        """Return how many answers came to a question, with a grade or without."""
        return sum(each.came for each in self._kept.get(key, ()))

    def has(self, key: str, raw: str) -> bool:
        """Tell whether a reply is kept already, as one is that is read from a file twice."""
        return any(each.raw == _digest(raw) for each in self._kept.get(key, ()))

    def is_settled(self, key: str) -> bool:
        """Tell whether a question needs not be asked any more: it has a grade, or was answered too often without one."""
        return self.answers(key) >= ANSWERS or any(
            each.reply.grade is not None for each in self._kept.get(key, ())
        )

    def labels(
        self, questions: Iterable[ModelQuestion], grades: Sequence[int], *, final: bool = False
    ) -> list[ModelLabel]:
        """Return what the log is told of questions: grades that the scale has, or why there are none; nothing while a question is open.

        Of a document asked about several times, the samples up to the first that is still open. With `final` nothing is asked again, and
        an answer without a grade is the last.
        """
        found, open_pairs = [], set()
        for question in sorted(questions, key=lambda each: each.sample):
            pair = question.topic, question.document
            label = self._label(question, grades, final)
            if label is None:
                open_pairs.add(pair)
            elif pair not in open_pairs:
                found.append(label)
        return found

    def _label(
        self, question: ModelQuestion, grades: Sequence[int], final: bool
    ) -> ModelLabel | None:
        kept = self._kept.get(question.key, [])
        if not kept or (kept[-1].came and not final and not self.is_settled(question.key)):
            return None
        chosen = next((each for each in kept if each.reply.grade is not None), kept[-1])
        reply = chosen.reply
        label = ModelLabel(
            chosen.line,
            question.topic,
            question.document,
            reply.grade,
            reply.why,
            reply.probabilities,
            answer=reply.content,
            version=reply.version,
        )
        if reply.grade is None or reply.grade in grades:
            return label
        return replace(
            label,
            grade=None,
            why=Message("the grade {grade} is not on the scale", grade=reply.grade),
        )


def _digest(raw: str) -> bytes:
    return hashlib.sha256(raw.encode()).digest()


def answers_path(project: Path) -> Path:
    """Return where the answers of a project's models are kept: beside it."""
    return project.with_name(f"{project.stem}{SUFFIX}")
