"""A judge that is a model: what it was, and how it was asked."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from irjudge.errors import IrjudgeError

TEXTS = ("version", "prompt", "prompt_hash", "asked", "host", "family", "chosen_on")


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """A model as an assessor. Only the name is always known."""

    name: str  # what the assessor is called
    version: str = ""  # as the model named itself in its answers
    prompt: str = ""  # the name of the file that it was asked with
    prompt_hash: str = ""  # SHA-256 (hex) of that file
    parameters: Mapping[str, Any] = field(
        default_factory=dict
    )  # what it was asked with beside the prompt
    asked: str = ""  # when, as it was said
    host: str = ""  # which machine answered
    family: str = ""  # what models it is akin to; a run made by one of them may be favoured
    chosen_on: str = (
        ""  # the qrels on which the prompt was chosen, which say nothing about the judge any more
    )

    def prompted_by(self, path: Path) -> "ModelJudge":
        """Return the same model, asked with a prompt in a file."""
        try:
            said = path.read_bytes()
        except OSError as fault:
            raise IrjudgeError(
                "{file} cannot be read ({fault}).", file=path.name, fault=fault.strerror or fault
            ) from fault
        return replace(self, prompt=path.name, prompt_hash=hashlib.sha256(said).hexdigest())

    def as_payload(self) -> dict[str, Any]:
        """Return what is known of it, as an event keeps it."""
        said = {name: getattr(self, name) for name in TEXTS}
        return {
            name: value
            for name, value in {**said, "parameters": dict(self.parameters)}.items()
            if value
        }

    @classmethod
    def of_payload(cls, name: str, said: object) -> "ModelJudge":
        """Return what an event says of the model whose it is; an event may come from other hands."""
        known = said if isinstance(said, Mapping) else {}
        texts = {each: text for each in TEXTS if isinstance(text := known.get(each), str)}
        parameters = known.get("parameters")
        return cls(name, **texts, parameters=parameters if isinstance(parameters, Mapping) else {})

    def sentence(self) -> str:
        """Return what is known of it in one line."""
        parts = (
            self.name,
            self.version,
            self.prompt and f"{self.prompt} ({self.prompt_hash[:12]})",
            self.host,
            self.asked,
        )
        return ", ".join(filter(None, parts))
