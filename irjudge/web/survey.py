"""What people of a session agree to and are asked before and after the work."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import chain, count
from pathlib import Path
from typing import Any

from irjudge.errors import FormatError
from irjudge.message import Message
from irjudge.store.project import Project
from irjudge.web.session_answers import NAMED, Refused

LONGEST_ANSWER, LONGEST_ID = 2000, 30  # letters
START = "start_page"  # fact of a project: what its sessions ask before and after
CONSENTED, WITHDRAWN = (
    "consented",
    "withdrawn",
)  # beside the answers: when somebody agreed, and when they withdrew
OWN_ANSWERS = (CONSENTED, WITHDRAWN, NAMED)
EXPECTED = Message(
    'expected JSON like {{"before": [{{"id": "often", "question": "How often do you search?", "choices": ["daily", "rarely"]}}]}}'
)


@dataclass(frozen=True, slots=True)
class SurveyQuestion:
    """One question."""

    id: str  # what its answer is called where it is exported
    question: str
    choices: tuple[str, ...] = ()  # one of them is the answer; none for words of one's own


@dataclass(frozen=True, slots=True)
class StartPage:
    """What stands before and after the work."""

    consent: str = ""  # Markdown; empty asks for none
    minutes: int = 0  # that it is expected to take; 0 says nothing of it
    # what is asked
    before: tuple[SurveyQuestion, ...] = ()
    after: tuple[SurveyQuestion, ...] = ()

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "StartPage":
        """Return what was kept."""
        return StartPage(
            str(data.get("consent", "")),
            int(data.get("minutes", 0)),
            _asked(data.get("before")),
            _asked(data.get("after")),
        )

    def checked(self, answers: Mapping[str, Any]) -> dict[str, str]:
        """Return answers that fit the questions; raise `Refused` where one does not."""
        known = {each.id: each for each in (*self.before, *self.after)}
        for name, said in answers.items():
            fits = name in known and isinstance(said, str) and len(said) <= LONGEST_ANSWER
            if not fits or (known[name].choices and said and said not in known[name].choices):
                raise Refused("broken", "An answer does not fit what was asked.")
        return {name: said for name, said in answers.items() if said}


def kept_start(project: Project) -> StartPage | None:
    """Return what the sessions of a project ask before and after; None for nothing."""
    kept = project.fact(START)
    return StartPage.from_json(json.loads(kept)) if kept else None


def keep_start(project: Project, page: StartPage) -> None:
    """Let the sessions of a project ask this before and after; a session that has begun keeps its own."""
    project.set_fact(
        START, json.dumps(asdict(page), ensure_ascii=False) if page != StartPage() else ""
    )


def question_id(question: str, taken: Iterable[str]) -> str:
    """Return what the answers to a question are called: its first letters, and a number where others are called so.

    >>> question_id("How often do you search?", []), question_id("Why?", ["why"])
    ('how-often-do-you-search', 'why-2')
    """
    used = {*taken, CONSENTED, WITHDRAWN}
    short = re.sub(r"\W+", "-", question.lower()).strip("-")[:LONGEST_ID].strip("-") or "question"
    return next(
        name
        for name in chain([short], (f"{short}-{number}" for number in count(2)))
        if name not in used
    )


def _asked(data: object) -> tuple[SurveyQuestion, ...]:
    return tuple(
        SurveyQuestion(each["id"], each["question"], tuple(each.get("choices", ())))
        for each in data or ()  # type: ignore[attr-defined]
    )


def read_survey(path: Path) -> StartPage:
    """Read the questions of a survey."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        read = StartPage.from_json({name: data.get(name, ()) for name in ("before", "after")})
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as fault:
        raise FormatError(
            path, Message("it does not read as a survey, {expected}", expected=EXPECTED)
        ) from fault
    asked = [*read.before, *read.after]
    texts = [text for each in asked for text in (each.id, each.question, *each.choices)]
    ids = [each.id for each in asked]
    apart = len({*ids, *OWN_ANSWERS}) == len(ids) + len(OWN_ANSWERS)
    if not asked or not apart or not all(isinstance(text, str) and text.strip() for text in texts):
        raise FormatError(
            path,
            Message(
                "each question needs an id of its own and words, {expected}", expected=EXPECTED
            ),
        )
    return read
