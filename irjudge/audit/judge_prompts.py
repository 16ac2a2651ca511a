"""Prompts of models, and the questions of a project."""

import hashlib
import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from irjudge.audit.bias import find_injection
from irjudge.audit.model_replies import BYTES_PER_TOKEN, ModelQuestion, RequestSettings
from irjudge.errors import FormatError, IrjudgeError
from irjudge.judging import check_model_name, list_readable_pairs, make_tasks, read_model_judgments
from irjudge.message import Message
from irjudge.model import ModelJudge, Scale, Topic, select_topics
from irjudge.shipped import shipped_folder
from irjudge.store import Project

# Prompts that models are asked with: files with a version, and the places in them that a topic and a document take.

PLACEHOLDERS = ("topic", "query", "document", "grades", "allowed")
PLACEHOLDER = re.compile(r"\{\{(\w*)\}\}")
HEADER_END = "---"
HEADER_FIELDS = ("version", "about", "grades")
TRUNCATION_MARK = "[…]"  # what ends a document of which the rest was not sent


@dataclass(frozen=True, slots=True)
class JudgePrompt:
    """A prompt as its file has it."""

    name: str  # of the file
    version: str
    about: str
    grades: tuple[int, ...]  # that may be answered; empty for those of the scale
    text: str  # with the places
    digest: str  # SHA-256 (hex) of the file

    def allowed(self, scale: Scale) -> tuple[int, ...]:
        """Return the grades that may be answered, and refuse those that the scale has not."""
        strange = set(self.grades) - set(scale.values)
        if strange:
            raise IrjudgeError(
                "{file} asks for the grade {grade}, which is not on the scale {scale}.",
                file=self.name,
                grade=min(strange),
                scale=", ".join(map(str, scale.values)),
            )
        return self.grades or scale.values

    def filled(self, topic: Topic, document: str, scale: Scale, longest: int) -> str:
        """Return the prompt about one document, of which at most so many letters are sent, between marks that it cannot write itself."""
        shown = document if len(document) <= longest else f"{document[:longest]} {TRUNCATION_MARK}"
        said = {
            "topic": "\n".join(filter(None, (topic.title, topic.description, topic.narrative))),
            "query": topic.title,
            "document": f"<document>\n{html.escape(shown, quote=False)}\n</document>",
            "grades": "\n".join(
                f"{grade.value}: {': '.join(filter(None, (grade.label, grade.help))) or grade.value}"
                for grade in scale.grades
            ),
            "allowed": ", ".join(map(str, self.allowed(scale))),
        }
        return PLACEHOLDER.sub(
            lambda match: said[match[1]], self.text
        )  # once: what stands in a document is no place


def list_shipped_prompts() -> dict[str, Path]:
    """Return the prompts that come with the program, by name."""
    return {
        path.stem: path for path in sorted((shipped_folder("resources") / "prompts").glob("*.md"))
    }


def find_prompt(name: str) -> JudgePrompt:
    """Return a prompt of the program by its name, or one of the user by its file."""
    return read_prompt(list_shipped_prompts().get(name) or Path(name))


def read_prompt(path: Path) -> JudgePrompt:
    """Read a prompt: a text file of lines `version: …` and, where wanted, `about: …` and `grades: 0 1`, then `---`, then the prompt.

    It has the places `{{topic}}` (or `{{query}}`) and `{{document}}`, and may have `{{grades}}` and `{{allowed}}`. FormatError when there
    is no version, a place is missing or not known, or a grade is no whole number.
    """
    try:
        said = path.read_bytes()
        lines = said.decode("utf-8").splitlines()
    except OSError as fault:
        raise IrjudgeError(
            "{file} cannot be read ({fault}).", file=path.name, fault=fault.strerror or fault
        ) from fault
    except UnicodeDecodeError as fault:
        raise FormatError(path, Message("the prompt is no text in UTF-8")) from fault
    end = lines.index(HEADER_END) if HEADER_END in lines else 0
    head = {}
    for number, line in enumerate(lines[:end], 1):
        name, colon, value = line.partition(":")
        if not colon or name.strip() not in HEADER_FIELDS:
            raise FormatError(
                path,
                Message(
                    "{line!r} is none of {head}",
                    key="unknown-line",
                    line=line[:40],
                    head=", ".join(HEADER_FIELDS),
                ),
                number,
            )
        head[name.strip()] = value.strip()
    if not head.get("version"):
        raise FormatError(
            path,
            Message(
                "the prompt has no version, expected lines such as `version: 1` that end with `---`",
                key="no-version",
            ),
            1,
        )
    _check_placeholders(path, lines, end)
    grades = head.get("grades", "").split()
    if not all(grade.isdecimal() for grade in grades):
        raise FormatError(
            path,
            Message(
                "grades are {grades}, expected whole numbers",
                key="invalid-grades",
                grades=head["grades"],
            ),
        )
    text = "\n".join(lines[end + 1 :]).strip()
    digest = hashlib.sha256(said).hexdigest()
    return JudgePrompt(
        path.name,
        head["version"],
        head.get("about", ""),
        tuple(sorted(map(int, grades))),
        text,
        digest,
    )


def _check_placeholders(path: Path, lines: list[str], end: int) -> None:
    """Refuse a prompt with a place that is not known, or without the document or what it is judged for."""
    found = set()
    for number, line in enumerate(lines[end + 1 :], end + 2):
        for name in PLACEHOLDER.findall(line):
            if name not in PLACEHOLDERS:
                known = ", ".join(PLACEHOLDERS)
                problem = Message(
                    "the prompt has a place {name}, expected one of {known}",
                    key="unknown-place",
                    name=f"{{{{{name}}}}}",
                    known=known,
                )
                raise FormatError(path, problem, number)
            found.add(name)
    if "document" not in found or found.isdisjoint(("topic", "query")):
        raise FormatError(
            path,
            Message(
                "the prompt has no place for the document, or none for the topic", key="no-place"
            ),
        )


# What a model is to be asked about a project: the questions, in order, and who may be asked.

ALLOWED_FACT = "asking"  # the fact that says whether models may be asked about this project
YES = "yes"
MAX_TOP_LOGPROBS = 20  # tokens whose probabilities are asked for; no service gives more
EXTRA_TOKENS = 20  # tokens that a request has beside its prompt


@dataclass(frozen=True, slots=True)
class AskOptions:
    """What a model is asked, and how."""

    model: str
    prompt: JudgePrompt
    name: str = ""  # of the assessor; empty for the model's
    repeats: int = 1
    topics: str = ""  # that are asked about; empty for all
    longest: int = 12_000  # letters of a document that are sent
    temperature: float = 0.0
    answer_tokens: int = 300
    schema: bool = True  # the answer is asked for by a JSON schema
    logprobs: bool = (
        False  # the probabilities of tokens are asked for, of which those of the grades are made
    )
    address: str = ""  # of the endpoint; empty for files

    @property
    def parameters(self) -> dict[str, Any]:
        """What is asked with beside the prompt, but for what follows from the grades."""
        said = {
            "temperature": self.temperature,
            "max_tokens": self.answer_tokens,
            "longest": self.longest,
            "schema": self.schema,
        }
        return said | (
            {"logprobs": True} if self.logprobs else {}
        )  # where it is not wished the parameters are what they were

    def judge(self) -> ModelJudge:
        """Return the model as the assessor it becomes."""
        day = datetime.now(UTC).date().isoformat()
        host = urlsplit(self.address).hostname or ""
        return ModelJudge(
            self.name or self.model,
            "",
            self.prompt.name,
            self.prompt.digest,
            self.parameters,
            day,
            host,
        )

    def make_settings(self, grades: tuple[int, ...]) -> RequestSettings:
        """Return what is kept beside each answer."""
        return RequestSettings(
            self.address, self.model, self.prompt.name, self.prompt.digest, self.parameters, grades
        )


@dataclass(frozen=True, slots=True)
class RenderedQuestion:
    """A question as it is sent."""

    question: ModelQuestion
    body: Mapping[str, Any]  # of the request
    cut: bool  # the document is longer than what is sent of it
    planted: str  # words of the document that speak to a model; empty where there are none

    @property
    def tokens(self) -> int:
        """About how many tokens are sent."""
        return len(self.body["messages"][0]["content"].encode()) // BYTES_PER_TOKEN + EXTRA_TOKENS


def is_allowed(project: Project) -> bool:
    """Tell whether models may be asked about this project."""
    return project.fact(ALLOWED_FACT) == YES


def set_allowed(project: Project, *, allowed: bool) -> None:
    """Say whether models may be asked about this project."""
    project.set_fact(ALLOWED_FACT, YES if allowed else "no")


def check_allowed(project: Project) -> None:
    """Refuse a project of which nobody said that its texts may be sent."""
    if not is_allowed(project):
        raise IrjudgeError(
            "{file} does not allow to ask models; `irjudge ask PROJECT --allow` does.",
            key="not-allowed",
            file=project.path.name,
        )


def check_judge(project: Project, judge: ModelJudge) -> None:
    """Refuse a name that is a person's, or that of a model that was asked otherwise: one name is one judge."""
    check_model_name(project, judge.name)
    if judge.name not in project.events.models():
        return
    known = read_model_judgments(project, judge.name).judge
    if (known.prompt_hash, dict(known.parameters), known.host) != (
        judge.prompt_hash,
        dict(judge.parameters),
        judge.host,
    ):
        raise IrjudgeError(
            "{name} has labels that were asked for otherwise; give it another with --name for this prompt, parameters and host.",
            key="asked-otherwise",
            name=judge.name,
        )


def render_questions(project: Project, wish: AskOptions) -> Iterator[RenderedQuestion]:
    """Yield the questions about the newest pool, in its order, the first samples first; each document is read when its turn comes."""
    known = {topic.id: topic for topic in project.collection.topics()}
    pairs, _ = list_readable_pairs(project)
    if wish.topics:
        only = set(select_topics(wish.topics, list(dict.fromkeys(topic for topic, _ in pairs))))
        pairs = [pair for pair in pairs if pair[0] in only]
    grades = wish.prompt.allowed(project.scale)
    for sample in range(1, wish.repeats + 1):
        for pair, task in zip(pairs, make_tasks(project, pairs), strict=True):
            title = task.document_title
            text = task.text if task.text.startswith(title) else f"{title}\n\n{task.text}"
            prompt = wish.prompt.filled(
                known.get(pair[0], Topic(pair[0], "")), text, project.scale, wish.longest
            )
            body = make_request_body(wish, prompt, grades)
            key = hashlib.sha256(
                json.dumps([wish.address, body, sample], sort_keys=True).encode()
            ).hexdigest()
            yield RenderedQuestion(
                ModelQuestion(key, *pair, sample),
                body,
                len(text) > wish.longest,
                find_injection(text) or "",
            )


def make_request_body(wish: AskOptions, prompt: str, grades: Sequence[int]) -> dict[str, Any]:
    """Return the request for one answer, as chat completions have it."""
    said = {
        "model": wish.model,
        "messages": [{"role": "user", "content": prompt}],
        "temperature": wish.temperature,
        "max_tokens": wish.answer_tokens,
    }
    if wish.logprobs:
        said |= {"logprobs": True, "top_logprobs": MAX_TOP_LOGPROBS}
    if not wish.schema:
        return said
    grade = {"type": "integer", "enum": list(grades)}
    schema = {
        "type": "object",
        "properties": {"grade": grade},
        "required": ["grade"],
        "additionalProperties": False,
    }
    return said | {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "judgment", "strict": True, "schema": schema},
        }
    }
