"""Prompts for models, and questions about the documents in the pool of a project."""

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

# Prompt templates

PLACEHOLDERS = ("topic", "query", "document", "grades", "allowed")
PLACEHOLDER = re.compile(r"\{\{(\w*)\}\}")
HEADER_END = "---"
HEADER_FIELDS = ("version", "about", "grades")
TRUNCATION_MARK = "[…]"  # text at the end of a truncated document


@dataclass(frozen=True, slots=True)
class JudgePrompt:
    """Template of a prompt for judging documents, read from a shipped file or the user's."""

    name: str  # name of the file
    version: str  # version in the header of the file
    about: str  # description in the header; may be empty
    grades: tuple[int, ...]  # grades that the model may answer; empty for all grades of the scale
    text: str  # text of the prompt with placeholders, without the header
    digest: str  # SHA-256 (hex) of the file

    def allowed_grades(self, scale: Scale) -> tuple[int, ...]:
        """Return the grades that the model may answer; raise IrjudgeError for unknown grades."""
        unknown_grades = set(self.grades) - set(scale.values)
        if unknown_grades:
            raise IrjudgeError(
                "{file} contains the grade {grade}, which is not on the scale {scale}.",
                file=self.name,
                grade=min(unknown_grades),
                scale=", ".join(map(str, scale.values)),
            )
        return self.grades or scale.values

    def render(self, topic: Topic, document: str, scale: Scale, max_characters: int) -> str:
        """Return the prompt for judging one document.

        The text of the document is truncated to `max_characters`, escaped and enclosed in tags;
        because it is escaped, it cannot contain the end tag.
        """
        document_text = (
            document
            if len(document) <= max_characters
            else f"{document[:max_characters]} {TRUNCATION_MARK}"
        )
        values = {
            "topic": "\n".join(filter(None, (topic.title, topic.description, topic.narrative))),
            "query": topic.title,
            "document": f"<document>\n{html.escape(document_text, quote=False)}\n</document>",
            "grades": "\n".join(
                f"{grade.value}: {': '.join(filter(None, (grade.label, grade.help))) or grade.value}"
                for grade in scale.grades
            ),
            "allowed": ", ".join(map(str, self.allowed_grades(scale))),
        }
        # replacing all placeholders in one pass preserves placeholders in the document's text
        return PLACEHOLDER.sub(lambda match: values[match[1]], self.text)


def list_shipped_prompts() -> dict[str, Path]:
    """Return the path of each shipped prompt, by its name."""
    return {
        path.stem: path for path in sorted((shipped_folder("resources") / "prompts").glob("*.md"))
    }


def find_prompt(name: str) -> JudgePrompt:
    """Return the shipped prompt called `name` or, if there is none, the prompt in file `name`."""
    return read_prompt(list_shipped_prompts().get(name) or Path(name))


def read_prompt(path: Path) -> JudgePrompt:
    """Read a prompt file: a header, a line with `---`, and the text of the prompt.

    The header contains the line `version: …` and, optionally, `about: …` and `grades: 0 1`. The
    text contains the placeholders `{{topic}}` (or `{{query}}`) and `{{document}}` and, optionally,
    `{{grades}}` and `{{allowed}}`. Raises FormatError if the version is missing, a placeholder is
    missing or unknown, or a grade is not an integer.
    """
    try:
        content = path.read_bytes()
        lines = content.decode("utf-8-sig").splitlines()
    except OSError as error:
        raise IrjudgeError(
            "Cannot read {file} ({error}).", file=path.name, error=error.strerror or error
        ) from error
    except UnicodeDecodeError as error:
        raise FormatError(path, Message("the prompt is not UTF-8 text")) from error
    end = lines.index(HEADER_END) if HEADER_END in lines else 0
    header = {}
    for line_number, line in enumerate(lines[:end], 1):
        name, colon, value = line.partition(":")
        if not colon or name.strip() not in HEADER_FIELDS:
            raise FormatError(
                path,
                Message(
                    "{line!r} is not one of the header fields {fields}",
                    key="unknown-line",
                    line=line[:40],
                    fields=", ".join(HEADER_FIELDS),
                ),
                line_number,
            )
        header[name.strip()] = value.strip()
    if not header.get("version"):
        raise FormatError(
            path,
            Message(
                "the prompt has no version; expected header lines such as `version: 1`, "
                "followed by a line `---`",
                key="no-version",
            ),
            1,
        )
    _check_placeholders(path, lines, end)
    grades = header.get("grades", "").split()
    if not all(re.fullmatch(r"\d{1,4}", grade) for grade in grades):
        raise FormatError(
            path,
            Message(
                "grades are {grades}; expected whole numbers",
                key="invalid-grades",
                grades=header["grades"],
            ),
        )
    text = "\n".join(lines[end + 1 :]).strip()
    digest = hashlib.sha256(content).hexdigest()
    return JudgePrompt(
        path.name,
        header["version"],
        header.get("about", ""),
        tuple(sorted(map(int, grades))),
        text,
        digest,
    )


def _check_placeholders(path: Path, lines: list[str], end: int) -> None:
    """Raise FormatError if a placeholder is unknown or a required one is missing."""
    placeholders = set()
    for line_number, line in enumerate(lines[end + 1 :], end + 2):
        for name in PLACEHOLDER.findall(line):
            if name not in PLACEHOLDERS:
                placeholder_names = ", ".join(PLACEHOLDERS)
                problem = Message(
                    "the prompt has an unknown placeholder {name}; expected one of {names}",
                    key="unknown-place",
                    name=f"{{{{{name}}}}}",
                    names=placeholder_names,
                )
                raise FormatError(path, problem, line_number)
            placeholders.add(name)
    if "document" not in placeholders or placeholders.isdisjoint(("topic", "query")):
        raise FormatError(
            path,
            Message(
                "the prompt must have a placeholder for the document and a placeholder for the "
                "topic",
                key="no-place",
            ),
        )


# Questions about the documents of a project

ALLOWED_SETTING = "asking"  # setting that stores whether requests to models are allowed
CONFIRMED_VALUE = "yes"
MODEL_PARAMETER = "model"  # name of the requested model among the parameters of a `ModelJudge`
MAX_TOP_LOGPROBS = 20  # number of likely tokens requested; most services do not allow more
EXTRA_TOKENS = 20  # estimated number of tokens of a request in addition to its prompt


@dataclass(frozen=True, slots=True)
class AskOptions:
    """Options for asking a model to judge documents: model, prompt, topics and parameters.

    The page for asking models, or `AskRequest.options` for the command line, creates them. The
    address of the endpoint is included because it is stored with each answer; the API key, prices
    and limits are not included (see `ChatEndpoint` and `RequestLimits`).
    """

    model: str
    prompt: JudgePrompt
    name: str = ""  # name of the model as an assessor; if empty, `model` is the name
    repeats: int = 1  # number of requests for each document of a topic, 1 or more
    topics: str = ""  # selected topics; empty for all
    max_document_characters: int = 12_000  # maximum number of characters per document
    temperature: float = 0.0
    answer_tokens: int = 300  # maximum number of tokens of an answer
    schema: bool = True  # whether the answer must follow a JSON schema
    # whether to request the probabilities of tokens, to compute the probabilities of grades
    logprobs: bool = False
    address: str = ""  # address of the endpoint; empty if requests are written to files

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameters of a request, except the prompt and the grades."""
        parameters = {
            "temperature": self.temperature,
            "max_tokens": self.answer_tokens,
            "longest": self.max_document_characters,
            "schema": self.schema,
        }
        # "logprobs" is omitted unless requested, so that the parameters equal those stored by
        # earlier versions
        return parameters | ({"logprobs": True} if self.logprobs else {})

    def make_judge(self) -> ModelJudge:
        """Return the model as an assessor: name, prompt, parameters, today's date and host.

        The parameters include the requested model, since its name as an assessor can differ.
        """
        day = datetime.now(UTC).date().isoformat()
        host = urlsplit(self.address).hostname or ""
        return ModelJudge(
            self.name or self.model,
            "",
            self.prompt.name,
            self.prompt.digest,
            {**self.parameters, MODEL_PARAMETER: self.model},
            day,
            host,
        )

    def make_settings(self, grades: tuple[int, ...]) -> RequestSettings:
        """Return the settings that are stored with each answer."""
        return RequestSettings(
            self.address, self.model, self.prompt.name, self.prompt.digest, self.parameters, grades
        )


@dataclass(frozen=True, slots=True)
class RenderedQuestion:
    """Question to a model about one document, with the body of the request to send or write."""

    question: ModelQuestion
    body: Mapping[str, Any]  # body of the request
    is_truncated: bool  # whether the document is truncated
    # text in the document that addresses the model (prompt injection); empty if there is none
    injection: str

    @property
    def tokens(self) -> int:
        """Approximate number of tokens in the request."""
        return len(self.body["messages"][0]["content"].encode()) // BYTES_PER_TOKEN + EXTRA_TOKENS


def is_allowed(project: Project) -> bool:
    """Return whether requests to models are allowed for the project."""
    return project.get_setting(ALLOWED_SETTING) == CONFIRMED_VALUE


def set_allowed(project: Project, *, is_allowed: bool) -> None:
    """Allow or forbid requests to models for the project."""
    project.set_setting(ALLOWED_SETTING, CONFIRMED_VALUE if is_allowed else "no")


def check_allowed(project: Project) -> None:
    """Raise IrjudgeError unless requests to models are allowed for the project."""
    if not is_allowed(project):
        raise IrjudgeError(
            "Requests to models are not allowed for {file}; allow them with `irjudge ask "
            "PROJECT --allow`.",
            key="not-allowed",
            file=project.path.name,
        )


def check_judge(project: Project, judge: ModelJudge) -> None:
    """Raise IrjudgeError if an assessor or a model with other settings has the model's name."""
    check_model_name(project, judge.name)
    if judge.name not in project.events.models():
        return
    stored_judge = read_model_judgments(project, judge.name).judge
    stored_parameters, parameters = dict(stored_judge.parameters), dict(judge.parameters)
    # labels and prompts stored by earlier versions do not state the requested model
    if MODEL_PARAMETER not in stored_parameters or MODEL_PARAMETER not in parameters:
        stored_parameters.pop(MODEL_PARAMETER, None)
        parameters.pop(MODEL_PARAMETER, None)
    if (stored_judge.prompt_hash, stored_parameters, stored_judge.host) != (
        judge.prompt_hash,
        parameters,
        judge.host,
    ):
        raise IrjudgeError(
            "{name} has labels made by another model, with another prompt, other parameters or "
            "another host; store the new labels under another name with --name.",
            key="asked-otherwise",
            name=judge.name,
        )


def render_questions(project: Project, options: AskOptions) -> Iterator[RenderedQuestion]:
    """Yield a question about each document in the newest pool, then the repeated questions.

    The documents are in pool order. A document is read only when its question is requested.
    """
    topics_by_id = {topic.id: topic for topic in project.collection.topics()}
    pairs, _ = list_readable_pairs(project)
    if options.topics:
        selected_topics = set(
            select_topics(options.topics, list(dict.fromkeys(topic for topic, _ in pairs)))
        )
        pairs = [pair for pair in pairs if pair[0] in selected_topics]
    grades = options.prompt.allowed_grades(project.scale)
    for sample in range(1, options.repeats + 1):
        for pair, task in zip(pairs, make_tasks(project, pairs), strict=True):
            title = task.document_title
            text = task.text if task.text.startswith(title) else f"{title}\n\n{task.text}"
            prompt = options.prompt.render(
                topics_by_id.get(pair[0], Topic(pair[0], "")),
                text,
                project.scale,
                options.max_document_characters,
            )
            body = make_request_body(options, prompt, grades)
            key = hashlib.sha256(
                json.dumps([options.address, body, sample], sort_keys=True).encode()
            ).hexdigest()
            yield RenderedQuestion(
                ModelQuestion(key, *pair, sample),
                body,
                len(text) > options.max_document_characters,
                find_injection(text) or "",
            )


def make_request_body(options: AskOptions, prompt: str, grades: Sequence[int]) -> dict[str, Any]:
    """Return the body of a request for one document, in the format of chat completions."""
    body = {
        "model": options.model,
        "messages": [{"role": "user", "content": prompt}],
        "temperature": options.temperature,
        "max_tokens": options.answer_tokens,
    }
    if options.logprobs:
        body |= {"logprobs": True, "top_logprobs": MAX_TOP_LOGPROBS}
    if not options.schema:
        return body
    grade = {"type": "integer", "enum": list(grades)}
    schema = {
        "type": "object",
        "properties": {"grade": grade},
        "required": ["grade"],
        "additionalProperties": False,
    }
    return body | {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "judgment", "strict": True, "schema": schema},
        }
    }
