"""Prompts that models are asked with: files with a version, and the places in them that a topic and a document take."""

import hashlib
import html
import re
from dataclasses import dataclass
from pathlib import Path

from irjudge.errors import FormatError, IrjudgeError
from irjudge.message import Message
from irjudge.model.scale import Scale
from irjudge.model.topic import Topic
from irjudge.shipped import shipped

PLACES = ("topic", "query", "document", "grades", "allowed")
PLACE = re.compile(r"\{\{(\w*)\}\}")
END_OF_HEAD = "---"
HEAD = ("version", "about", "grades")
CUT = "[…]"  # what ends a document of which the rest was not sent


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
        shown = document if len(document) <= longest else f"{document[:longest]} {CUT}"
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
        return PLACE.sub(
            lambda match: said[match[1]], self.text
        )  # once: what stands in a document is no place


def shipped_prompts() -> dict[str, Path]:
    """Return the prompts that come with the program, by name."""
    return {path.stem: path for path in sorted((shipped("resources") / "prompts").glob("*.md"))}


def prompt_named(name: str) -> JudgePrompt:
    """Return a prompt of the program by its name, or one of the user by its file."""
    return read_prompt(shipped_prompts().get(name) or Path(name))


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
    end = lines.index(END_OF_HEAD) if END_OF_HEAD in lines else 0
    head = {}
    for number, line in enumerate(lines[:end], 1):
        name, colon, value = line.partition(":")
        if not colon or name.strip() not in HEAD:
            raise FormatError(
                path,
                Message(
                    "{line!r} is none of {head}",
                    key="unknown-line",
                    line=line[:40],
                    head=", ".join(HEAD),
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
    _check_places(path, lines, end)
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


def _check_places(path: Path, lines: list[str], end: int) -> None:
    """Refuse a prompt with a place that is not known, or without the document or what it is judged for."""
    found = set()
    for number, line in enumerate(lines[end + 1 :], end + 2):
        for name in PLACE.findall(line):
            if name not in PLACES:
                known = ", ".join(PLACES)
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
