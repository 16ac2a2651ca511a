"""What people of a panel read and answer before they judge and after it: consent, how long it takes, a short survey."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irjudge.errors import FormatError
from irjudge.message import Message
from irjudge.web.standing import Refused

if TYPE_CHECKING:
    from irjudge.web.session import SharedSession

LONGEST_ANSWER = 2000  # letters
CONSENTED, WITHDRAWN = "consented", "withdrawn"  # beside the answers: when somebody agreed, and when they withdrew
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
        return StartPage(str(data.get("consent", "")), int(data.get("minutes", 0)), _asked(data.get("before")), _asked(data.get("after")))

    def checked(self, answers: Mapping[str, Any]) -> dict[str, str]:
        """Return answers that fit the questions; raise `Refused` where one does not."""
        known = {each.id: each for each in (*self.before, *self.after)}
        for name, said in answers.items():
            fits = name in known and isinstance(said, str) and len(said) <= LONGEST_ANSWER
            if not fits or (known[name].choices and said and said not in known[name].choices):
                raise Refused("broken", "An answer does not fit what was asked.")
        return {name: said for name, said in answers.items() if said}


def _asked(data: object) -> tuple[SurveyQuestion, ...]:
    return tuple(SurveyQuestion(each["id"], each["question"], tuple(each.get("choices", ()))) for each in data or ())  # type: ignore[attr-defined]


def read_survey(path: Path) -> StartPage:
    """Read the questions of a survey."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        read = StartPage.from_json({name: data.get(name, ()) for name in ("before", "after")})
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as fault:
        raise FormatError(path, Message("it does not read as a survey, {expected}", expected=EXPECTED)) from fault
    asked = [*read.before, *read.after]
    texts = [text for each in asked for text in (each.id, each.question, *each.choices)]
    ids = [each.id for each in asked]
    if not asked or not all(isinstance(text, str) and text.strip() for text in texts) or len({*ids, CONSENTED, WITHDRAWN}) < len(ids) + 2:
        raise FormatError(path, Message("each question needs an id of its own and words, {expected}", expected=EXPECTED))
    return read


def start_of(session: "SharedSession", person: str) -> dict[str, Any] | None:
    """Return what a person's page shows before and after the work, with what they said already; None where there is nothing."""
    start = session.wish.start
    if start is None:
        return None
    share = session.wish.panel.each if session.wish.panel else 0
    return {**asdict(start), "count": share, "answered": dict(session.store.surveys().get(person, {}))}


def answer_survey(session: "SharedSession", person: str, answers: Mapping[str, Any], *, consented: bool) -> None:
    """Keep what somebody answered, and that they agreed."""
    start = session.wish.start or StartPage()
    kept = start.checked(answers) | ({CONSENTED: session.now()} if consented else {})
    if kept:
        session.store.note_survey(person, kept)


def withdraw(session: "SharedSession", person: str) -> None:
    """Let somebody go who does not want to take part any more: nothing of theirs counts, and others get what they held."""
    session.store.note_survey(person, {WITHDRAWN: session.now()})
    session.set_aside(person)
