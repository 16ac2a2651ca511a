"""Asking without any network: prompts go into a file, and answers are read back from files that somebody else made."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from irjudge.audit.asking.answers import AnswerFile, AskedBy, ModelQuestion
from irjudge.audit.asking.chat import CALL
from irjudge.audit.asking.questions import AskWish, check_judge, questions
from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.bytes.atomic_write import reason, write_whole
from irjudge.judging.imports import keep_model_labels
from irjudge.message import Message
from irjudge.model.judge import ModelJudge
from irjudge.progress import SILENT, Progress
from irjudge.store.import_report import ImportReport
from irjudge.store.project import Project

PROMPTS, ASKED = "prompts.jsonl", "questions.json"


def write_prompts(
    project: Project, wish: AskWish, folder: Path, answers: AnswerFile, progress: Progress = SILENT
) -> int:
    """Write a request for each question that is not settled, in the form of OpenAI's batches, and what they are; return how many."""
    check_judge(project, wish.judge())
    lines, asked = [], {}
    for each in progress.through(questions(project, wish), Message("Writing prompts")):
        question = each.question
        if not answers.is_settled(question.key):
            asked[question.key] = [question.topic, question.document, question.sample]
            said = {
                "custom_id": question.key,
                "method": "POST",
                "url": f"/v1{CALL}",
                "body": each.body,
            }
            lines.append(json.dumps(said, ensure_ascii=False) + "\n")
    judge = wish.judge()
    by = wish.asked_by(wish.prompt.allowed(project.scale))
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
            "{folder} cannot be used ({fault}).", folder=folder.name, fault=reason(fault)
        ) from fault
    write_whole(folder / PROMPTS, "".join(lines))
    write_whole(folder / ASKED, json.dumps(entry, ensure_ascii=False, indent=1) + "\n")
    return len(lines)


@dataclass(frozen=True, slots=True)
class _Written:
    """What prompts were written for."""

    judge: ModelJudge
    by: AskedBy
    questions: Mapping[str, ModelQuestion]


def read_answers(
    project: Project, folder: Path, answers: AnswerFile, progress: Progress = SILENT
) -> ImportReport:
    """Read the answers in a folder to which prompts were written, keep each raw, and take the grades into the log.

    Answers are lines of JSON in any other file `*.jsonl` of the folder: `custom_id` and `response` as batches have them, or `custom_id` and
    `answer`, the model's words. FormatError when the folder has no prompts of irjudge, or a line is of neither form.
    """
    written = _written(folder)
    check_judge(project, written.judge)
    report = ImportReport(files=[answers.path.name])
    strangers = 0
    for path in sorted(folder.glob("*.jsonl")):
        for key, raw in progress.through(
            _answers_in(path) if path.name != PROMPTS else (),
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
    return keep_model_labels(project, labels, written.judge, answers.path.name, report, progress)


def _written(folder: Path) -> _Written:
    path = folder / ASKED
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        by = AskedBy(**{**said["by"], "grades": tuple(map(int, said["by"]["grades"]))})
        asked = {
            str(key): ModelQuestion(str(key), str(topic), str(document), int(sample))
            for key, (topic, document, sample) in said["questions"].items()
        }
        return _Written(ModelJudge.of_payload(str(said["name"]), said["judge"]), by, asked)
    except OSError as fault:
        raise IrjudgeError(
            "{folder} has no prompts of irjudge; --write-prompts writes them.", folder=folder.name
        ) from fault
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
        raise FormatError(
            path,
            Message("the file does not say what was asked, expected what --write-prompts wrote"),
        ) from fault


def _answers_in(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the key and the raw reply of each line."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _answer(path, number, line)
    except (OSError, UnicodeDecodeError) as fault:
        raise FormatError(path, Message("the file cannot be read")) from fault


def _answer(path: Path, number: int, line: str) -> tuple[str, str]:
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
