"""Recruitment panels, and consent and survey questions for participants.

A panel is declared as data: by name in `PANELS`, or in a JSON file with the same fields.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from itertools import chain, count
from pathlib import Path
from typing import Any

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats import ReaderWarnings
from irjudge.formats.rows import ColumnKind, ColumnMapping, read_table
from irjudge.message import Message
from irjudge.store import Project
from irjudge.text import normalise_display_name
from irjudge.web.session_state import NAME_CONSENT, WITHDRAWAL_KEY, Refused, is_storable

# Recruitment panels

CODE_PLACEHOLDER = "{code}"
MAX_COUNT = 1_000_000  # maximum number of items, or of wrong answers, per submission
ASK, CONTINUE = "ask", "continue"
# Pattern of the delimiters of placeholders. An id that contains a delimiter is a placeholder that
# the panel did not replace with an id.
UNFILLED_PLACEHOLDER = re.compile(r"\{\{|\}\}|\$\{|%\}|<%|\[\[")


@dataclass(frozen=True, slots=True)
class CrowdPanel:
    """Settings of a recruitment panel, such as Prolific, for one study.

    A participant comes from the panel through a link with parameters, and returns to it through a
    completion link; `failed` is used after too many wrong answers to attention checks.
    The entries of `PANELS` are templates, whose links contain `{code}` instead of a completion
    code; `load_panel` makes the panel of a study from a template.
    """

    name: str
    person: str  # name of the link parameter with the participant's id
    submission: str = ""  # name of the link parameter with the submission's id; may be empty
    study: str = ""  # name of the link parameter with the study's id; may be empty
    completion: str = ""  # link after completion
    failed: str = ""  # link after failed attention checks; empty if there is none
    export_person: str = ""  # column of the participant's id in exports
    export_status: str = ""  # column of the submission's status in exports
    # values of the status column for returned and timed-out submissions
    freed: tuple[str, ...] = ()
    code: str = ""  # completion code that participants can type; empty if only the link is known
    failed_code: str = ""  # completion code after failed attention checks; may be empty
    each: int = 0  # number of items per submission; 0 in a template
    checks: str = ""  # name of the qrels of attention checks; empty if there are none
    forgiven: int = 1  # maximum number of wrong answers to attention checks in a valid submission
    # response if a participant with judgments opens the link in a second browser: `ask` refers the
    # participant to the host; `continue` admits the participant, but does not show the judgments
    rejoin: str = ASK

    def as_json(self) -> dict[str, Any]:
        """Return the panel as JSON, to be stored with the session's options."""
        return {**asdict(self), "freed": list(self.freed)}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "CrowdPanel":
        """Return the panel stored by `as_json`."""
        return CrowdPanel(**{**data, "freed": tuple(_require_list(data.get("freed", ())))})

    @property
    def parameters(self) -> list[str]:
        """Names of the link parameters that the panel uses: participant, submission, study."""
        return [parameter for parameter in (self.person, self.submission, self.study) if parameter]

    def find_code(self, link: str) -> str:
        """Return the completion code for the link `link`; empty if there is none."""
        return (
            {self.failed: self.failed_code, self.completion: self.code}.get(link, "")
            if link
            else ""
        )

    def get_participant_name(self, link_parameters: Mapping[str, Any]) -> str:
        """Return the participant's id in the panel, which is used as the participant's name.

        Raises `Refused` if the link contains no valid id.
        """
        name = link_parameters.get(self.person)
        if not isinstance(name, str) or not name or name != normalise_display_name(name):
            raise Refused("panel", "Open this page with the link on the site that sent you here.")
        if UNFILLED_PLACEHOLDER.search(name):
            raise Refused(
                "preview",
                "This is a preview, because the link contains no participant id. Nothing is saved; participants of the panel judge here.",
            )
        return name


PANELS = {
    panel.name: panel
    for panel in (
        CrowdPanel(
            "prolific",
            "PROLIFIC_PID",
            "SESSION_ID",
            "STUDY_ID",
            "https://app.prolific.com/submissions/complete?cc={code}",
            "https://app.prolific.com/submissions/complete?cc={code}",
            "Participant id",
            "Status",
            ("RETURNED", "TIMED-OUT", "TIMED OUT"),
        ),
        CrowdPanel(
            "connect",
            "participantId",
            "assignmentId",
            "projectId",
            "https://connect.cloudresearch.com/participant/project/{code}/complete",
            export_person="ParticipantId",
            export_status="Status",
            freed=("Returned", "TimedOut", "Timed out"),
        ),
        CrowdPanel("sona", "survey_code", completion="{code}"),
    )
}


def load_panel(
    name_or_path: str,
    code: str,
    failed_code: str = "",
    *,
    each: int,
    checks: str = "",
    rejoin: str = "",
) -> CrowdPanel:
    """Return a panel, given by name or as a file, with the completion links of a study."""
    panel = PANELS.get(name_or_path) or _read_panel_file(Path(name_or_path))
    completion_links = [
        _make_completion_url(panel.completion, code),
        _make_completion_url(panel.failed or CODE_PLACEHOLDER, failed_code) if failed_code else "",
    ]
    if not completion_links[0].startswith("https://"):
        raise IrjudgeError(
            "A crowd panel needs a completion link. With --completion, give the "
            "completion code of the study, or the whole link beginning with https://.",
            key="completion-link",
        )
    if each < 1:
        raise IrjudgeError(
            "Set the number of documents per submission with --each, at least 1.",
            key="submission-size",
        )
    return replace(
        panel,
        code=_parse_code(code),
        failed_code=_parse_code(failed_code),
        completion=completion_links[0],
        failed=completion_links[1],
        each=each,
        checks=checks,
        rejoin=rejoin or panel.rejoin,
    )


def _parse_code(code_or_link: str) -> str:
    return "" if code_or_link.startswith("https://") else code_or_link


def _make_completion_url(template: str, code: str) -> str:
    if code.startswith("https://"):
        return code
    return template.replace(CODE_PLACEHOLDER, code) if code else ""


def _read_panel_file(path: Path) -> CrowdPanel:
    if not os.path.isfile(path):  # noqa: PTH113 -- `Path.is_file` fails for invalid paths
        raise IrjudgeError(
            "{file} is not a crowd panel; expected {names}, or a JSON file that describes a "
            "crowd panel.",
            key="unknown-panel",
            file=path.name,
            names=", ".join(PANELS),
        )
    try:
        panel = CrowdPanel.from_json(json.loads(path.read_text(encoding="utf-8-sig")))
        values = asdict(panel)
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise FormatError(
            path,
            Message(
                "not a valid description of a crowd panel; expected a JSON object with {fields}",
                key="panel-file",
                fields=", ".join(field.name for field in fields(CrowdPanel)),
            ),
        ) from error
    numbers = {name: values.pop(name) for name in ("each", "forgiven")}
    if not all(map(is_storable, [*values.pop("freed"), *values.values()])):
        raise FormatError(
            path, Message("the fields of a crowd panel must be text", key="panel-field-type")
        )
    for name, number in numbers.items():
        if type(number) is not int or not 0 <= number <= MAX_COUNT:
            raise FormatError(
                path,
                Message(
                    "{field} is {value}; expected a whole number from 0 to {limit:,}",
                    key="panel-count",
                    field=name,
                    value=repr(number)[:40],
                    limit=MAX_COUNT,
                ),
            )
    if panel.rejoin not in (ASK, CONTINUE):
        raise FormatError(
            path,
            Message(
                "rejoin is {rejoin}; expected ask or continue",
                key="panel-rejoin",
                rejoin=panel.rejoin,
            ),
        )
    return panel


def read_returned_submissions(
    path: Path, panels: Iterable[CrowdPanel] = PANELS.values()
) -> tuple[list[str], int]:
    """Read a panel's export of submissions.

    Return the participants whose submissions were returned or timed out, and the number of
    submissions in the export.
    """
    exporting_panels = [panel for panel in panels if panel.export_person and panel.export_status]
    person_column = ColumnKind(
        "person", tuple(dict.fromkeys(panel.export_person.lower() for panel in exporting_panels))
    )
    status = ColumnKind(
        "status", tuple(dict.fromkeys(panel.export_status.lower() for panel in exporting_panels))
    )
    freed_states = {
        status_value.lower().replace("_", "-")
        for panel in exporting_panels
        for status_value in panel.freed
    }
    table = read_table(path, (person_column, status), ReaderWarnings(), columns=ColumnMapping())
    rows = [fields for _, fields in table.records() if fields["person"]]
    return [
        row["person"] for row in rows if row["status"].lower().replace("_", "-") in freed_states
    ], len(rows)


# Consent and surveys

# maximum numbers of characters of an answer and of a question id
MAX_ANSWER_LENGTH, MAX_ID_LENGTH = 2000, 30
START_PAGE_KEY = "start_page"  # key of a setting: start page for new sessions
# Keys of two times that are stored with the survey answers: the time of consent, and the time when
# the participant skipped the questions after judging.
CONSENTED = "consented"
SKIPPED = "skipped"
RESERVED_IDS = (CONSENTED, SKIPPED, WITHDRAWAL_KEY, NAME_CONSENT)
SURVEY_FORMAT = Message(
    'expected JSON like {{"before": [{{"id": "often", "question": "How often do you search?", "choices": ["daily", "rarely"]}}]}}'
)


@dataclass(frozen=True, slots=True)
class SurveyQuestion:
    """Question of a survey for participants, with given choices or a free-text answer.

    Answers are not part of this object; they are stored per participant, under the question's id. A
    question with choices that is asked before judging must be answered; free text may be empty.
    """

    id: str  # column name in exports
    question: str
    choices: tuple[str, ...] = ()  # empty for free text


@dataclass(frozen=True, slots=True)
class StartPage:
    """Content of a session's start page: consent text, duration, and survey questions.

    Some questions are asked on this page, before judging, the others after judging. Answers are not
    part of this object, but its methods check them.
    """

    consent: str = ""  # text in Markdown; empty if there is none
    minutes: int = 0  # expected duration in minutes; 0 if not specified
    # questions before and after judging
    before: tuple[SurveyQuestion, ...] = ()
    after: tuple[SurveyQuestion, ...] = ()

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "StartPage":
        """Return the start page stored as JSON.

        Raises TypeError, ValueError, KeyError or AttributeError if the data is invalid.
        """
        minutes = data.get("minutes", 0)
        if type(minutes) is not int:
            raise TypeError(Message("minutes must be a whole number, got {value!r}", value=minutes))
        return StartPage(
            str(data.get("consent", "")),
            minutes,
            _parse_questions(data.get("before")),
            _parse_questions(data.get("after")),
        )

    def check_answers(self, answers: Mapping[str, Any]) -> dict[str, str]:
        """Return a copy of the answers; raise `Refused` if an answer is invalid."""
        questions_by_id = {question.id: question for question in (*self.before, *self.after)}
        for name, answer in answers.items():
            if (
                name not in questions_by_id
                or not is_storable(answer)
                or len(answer) > MAX_ANSWER_LENGTH
                or (
                    questions_by_id[name].choices
                    and answer
                    and answer not in questions_by_id[name].choices
                )
            ):
                raise Refused("broken", "An answer does not match its question.")
        return dict(answers)

    def check_started(self, answers: Mapping[str, Any]) -> None:
        """Raise `Refused` if a multiple-choice question before judging has no answer.

        `answers` are all stored answers of a participant.
        """
        if any(question.choices and not answers.get(question.id) for question in self.before):
            raise Refused("start", "Answer the questions before judging.")

    def asks_after(self, answers: Mapping[str, Any]) -> bool:
        """Return whether the questions after judging still have to be shown.

        Return False if there are no such questions, if the participant skipped them, or if at least
        one of them was answered.
        """
        return (
            bool(self.after)
            and SKIPPED not in answers
            and not any(question.id in answers for question in self.after)
        )


def load_start_page(project: Project) -> StartPage | None:
    """Return the start page stored for new sessions of a project; None if there is none."""
    page = project.read_json_setting(
        START_PAGE_KEY,
        StartPage(),
        "Cannot read the start page in {file} ({error}).",
        StartPage.from_json,
    )
    return page if page != StartPage() else None


def save_start_page(project: Project, page: StartPage) -> None:
    """Save the start page for new sessions of a project."""
    project.set_setting(
        START_PAGE_KEY, json.dumps(asdict(page), ensure_ascii=False) if page != StartPage() else ""
    )


def make_question_id(question: str, taken_ids: Iterable[str]) -> str:
    """Return an id for a question: its first words, with a number if the id is taken.

    >>> make_question_id("How often do you search?", []), make_question_id("Why?", ["why"])
    ('how-often-do-you-search', 'why-2')
    >>> make_question_id("Named?", [])  # the page stores another answer under this name
    'named-2'
    """
    unavailable = {*taken_ids, *RESERVED_IDS}
    base_id = (
        re.sub(r"\W+", "-", question.lower()).strip("-")[:MAX_ID_LENGTH].strip("-") or "question"
    )
    return next(
        name
        for name in chain([base_id], (f"{base_id}-{number}" for number in count(2)))
        if name not in unavailable
    )


def _require_list(value: object) -> list[Any] | tuple[Any, ...]:
    """Return a list unchanged; raise TypeError for other values, such as a text."""
    if not isinstance(value, list | tuple):
        raise TypeError(Message("{value!r} is not a list", value=value))
    return value


def _parse_questions(data: object) -> tuple[SurveyQuestion, ...]:
    questions = tuple(
        SurveyQuestion(
            question["id"], question["question"], tuple(_require_list(question.get("choices", ())))
        )
        for question in data or ()  # type: ignore[attr-defined]
    )
    for question in questions:
        for text in (question.id, question.question, *question.choices):
            if not is_storable(text):
                raise ValueError(Message("{value!r} is not a text", value=text))
    return questions


def read_survey(path: Path) -> StartPage:
    """Read survey questions from a file."""
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
        page = StartPage.from_json({name: data.get(name, ()) for name in ("before", "after")})
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise FormatError(
            path, Message("not a valid survey; {expected}", expected=SURVEY_FORMAT)
        ) from error
    questions = [*page.before, *page.after]
    ids = [question.id for question in questions]
    if (
        not questions
        or len({*ids, *RESERVED_IDS}) < len(ids) + len(RESERVED_IDS)
        or not all(
            text.strip()
            for question in questions
            for text in (question.id, question.question, *question.choices)
        )
    ):
        raise FormatError(
            path,
            Message(
                "each question needs a unique id and a text; {expected}", expected=SURVEY_FORMAT
            ),
        )
    return page
