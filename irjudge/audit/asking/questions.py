"""What a model is to be asked about a project: the questions, in order, and who may be asked."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from irjudge.audit.asking.answers import BYTES, AskedBy, ModelQuestion
from irjudge.audit.asking.prompts import JudgePrompt
from irjudge.audit.bias import planted
from irjudge.errors import IrjudgeError
from irjudge.judging.imports import check_free, readable_pairs, tasks
from irjudge.judging.model_judgments import model_answers
from irjudge.model.judge import ModelJudge
from irjudge.model.topic import Topic, chosen_topics
from irjudge.store.project import Project

ALLOWED = "asking"  # the fact that says whether models may be asked about this project
YES = "yes"
LIKELIEST = 20  # tokens whose probabilities are asked for; no service gives more
BESIDE = 20  # tokens that a request has beside its prompt


@dataclass(frozen=True, slots=True)
class AskWish:
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

    def asked_by(self, grades: tuple[int, ...]) -> AskedBy:
        """Return what is kept beside each answer."""
        return AskedBy(
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
        return len(self.body["messages"][0]["content"].encode()) // BYTES + BESIDE


def is_allowed(project: Project) -> bool:
    """Tell whether models may be asked about this project."""
    return project.fact(ALLOWED) == YES


def allow(project: Project, *, allowed: bool) -> None:
    """Say whether models may be asked about this project."""
    project.set_fact(ALLOWED, YES if allowed else "no")


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
    check_free(project, judge.name)
    if judge.name not in project.events.models():
        return
    known = model_answers(project, judge.name).judge
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


def questions(project: Project, wish: AskWish) -> Iterator[RenderedQuestion]:
    """Yield the questions about the newest pool, in its order, the first samples first; each document is read when its turn comes."""
    known = {topic.id: topic for topic in project.collection.topics()}
    pairs, _ = readable_pairs(project)
    if wish.topics:
        only = set(chosen_topics(wish.topics, list(dict.fromkeys(topic for topic, _ in pairs))))
        pairs = [pair for pair in pairs if pair[0] in only]
    grades = wish.prompt.allowed(project.scale)
    for sample in range(1, wish.repeats + 1):
        for pair, task in zip(pairs, tasks(project, pairs), strict=True):
            title = task.document_title
            text = task.text if task.text.startswith(title) else f"{title}\n\n{task.text}"
            prompt = wish.prompt.filled(
                known.get(pair[0], Topic(pair[0], "")), text, project.scale, wish.longest
            )
            body = request_body(wish, prompt, grades)
            key = hashlib.sha256(
                json.dumps([wish.address, body, sample], sort_keys=True).encode()
            ).hexdigest()
            yield RenderedQuestion(
                ModelQuestion(key, *pair, sample),
                body,
                len(text) > wish.longest,
                planted(text) or "",
            )


def request_body(wish: AskWish, prompt: str, grades: Sequence[int]) -> dict[str, Any]:
    """Return the request for one answer, as chat completions have it."""
    said = {
        "model": wish.model,
        "messages": [{"role": "user", "content": prompt}],
        "temperature": wish.temperature,
        "max_tokens": wish.answer_tokens,
    }
    if wish.logprobs:
        said |= {"logprobs": True, "top_logprobs": LIKELIEST}
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
