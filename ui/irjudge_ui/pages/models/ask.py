"""The page on which a model is asked: what is sent where is said first, then it is asked beside the window, and answers are kept."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QCheckBox, QWidget
from shiboken6 import isValid

from irjudge.audit.judge_prompts import AskWish, allow, check_judge, is_allowed
from irjudge.audit.model_client import chat_endpoint, keep_key
from irjudge.audit.model_replies import AnswerFile, ModelQuestion, answers_path
from irjudge.audit.model_requests import (
    AskedSoFar,
    AskingForecast,
    AskingLimits,
    asking_forecast,
    forecast_sentences,
    put_questions,
    read_answers,
    take_in,
    write_prompts,
)
from irjudge.errors import Cancelled, IrjudgeError
from irjudge.judging.model_judgments import model_answers
from irjudge.progress import Progress
from irjudge.store.import_report import ImportReport
from irjudge.store.project import Project
from irjudge_ui import jobs
from irjudge_ui.actions import BY_ID, Deed, make_all, tell_key
from irjudge_ui.file_dialogs import ask_folder
from irjudge_ui.messages import filled, in_language, sentences
from irjudge_ui.models.tables import Column, TableModel
from irjudge_ui.pages.models.ask_form import AskForm
from irjudge_ui.pages.shared.view import View
from irjudge_ui.settings import Settings
from irjudge_ui.widgets.layout import Paged, button, card, column, flowing, text
from irjudge_ui.widgets.status import Meter, Stated
from irjudge_ui.widgets.table import FilterLine, Table
from irjudge_ui.widgets.theme import SPACE_M
from irjudge_ui.workspace.messages import State

FORM = "asking_form"  # the fact that keeps what was typed
MOST_ROWS = 9
OF_PAGE = ("ask-start", "write-prompts", "read-answers")
translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of asking, before the log is told."""

    found: AskedSoFar | None  # None where somebody stopped it
    wish: AskWish
    questions: list[ModelQuestion]


class AskModelsView(View):
    """Says what asking takes, asks, and shows what had no answer."""

    def __init__(self, _settings: Settings) -> None:
        super().__init__()
        self._job: jobs.Job | None = None  # that asks
        self._looking, self._keeping = self.latest(), self.latest(quiet=True)
        self.form = AskForm()
        self.allowed = QCheckBox(self.tr("Texts may be sent to this address"))
        self.takes, self.problem, self.result = text(), text("", "error"), text()
        self.meter = Meter(self.tr("Answers"))
        self.stop = button(self.tr("Stop"))
        self.audit = button(self.tr("See how far it may be believed"), "link")
        self.unanswered = TableModel()
        self.unanswered_table = Table(
            self.unanswered, self.tr("Without an answer"), stretch=2, rows=MOST_ROWS
        )
        self.forecast: AskingForecast | None = None
        self._forecast_of: dict[str, object] = {}  # what was typed then
        self._lay_out()
        self.form.changed.connect(self._look_anew)
        self.form.keeping.connect(self._keep_key)
        self.allowed.clicked.connect(self._allow)
        self.stop.clicked.connect(self._stop)
        self.audit.clicked.connect(lambda: self.opens.emit("models", self._called))
        deeds = {
            "ask-start": Deed(self.start, lambda: self.can_ask),
            "write-prompts": Deed(self.ask_prompts, lambda: self.can_ask),
            "read-answers": Deed(self.ask_answers, lambda: self.can_ask),
        }
        self.actions_by_id = make_all(self, deeds)

    def _lay_out(self) -> None:
        self._buttons = {id: button(BY_ID[id].label) for id in OF_PAGE}
        for id, made in self._buttons.items():
            tell_key(id, made.setToolTip, made)
            made.clicked.connect(lambda _on=False, id=id: self.actions_by_id[id].trigger())
        self.ask, prompts, answers = self._buttons.values()
        sent = card(
            flowing(
                text(self.tr("What is sent"), "heading", wrap=False),
                self.audit,
                self.stop,
                self.ask,
            ),
            self.takes,
            self.allowed,
            self.problem,
            self.meter,
            self.result,
            margin=SPACE_M,
        )
        self._unanswered_card = card(
            text(self.tr("Without an answer"), "heading"),
            text(
                self.tr(
                    "These are unjudged, never 0. Requests that failed are sent again when you ask again."
                ),
                "quiet",
            ),
            FilterLine(self.unanswered_table),
            self.unanswered_table,
            margin=SPACE_M,
        )
        offline = card(
            text(self.tr("Without a network"), "heading"),
            text(
                self.tr(
                    "Prompts go into a folder, a request a line; put the answers there, and they are read back."
                ),
                "quiet",
            ),
            flowing(prompts, answers),
            margin=SPACE_M,
        )
        about = text(
            self.tr(
                "Nothing is sent before you press the button, and nothing ever unless this project allows it."
            ),
            "quiet",
        )
        inside = QWidget()
        parts = (
            text(BY_ID["ask-models"].label, "title", wrap=False),
            about,
            self.form,
            sent,
            self._unanswered_card,
            offline,
            None,
        )
        inside.setLayout(column(*parts, spacing=SPACE_M))
        self.stated = Stated(Paged(inside))
        self.setLayout(column(self.stated))
        self._show_asking()

    def focus(self) -> None:
        """Put the focus where most people begin."""
        if self.stated.page:
            self.stated.page.focus()
        elif (lacking := self.form.lacking()) is not None:
            lacking[0].setFocus()
        else:
            self.ask.setFocus()

    # What is shown

    def show_project(self, project: Project | None) -> None:
        """Show another project, with what was typed for it; asking about the one before stops."""
        if self._job is not None:
            self._job.cancel()
            self._job.forget()
            self._job = None
        super().show_project(project)
        self.form.take(_typed(project) if project else {})
        self.result.setText("")
        self.problem.setText("")
        self._show_asking()

    def refresh(self) -> None:
        """Look again at what asking takes."""
        project = self.project
        if project is None:
            return
        self.stated.show_state(
            None if project.rankings.pool_version() else _no_pool().page(self.wants.emit)
        )
        self.allowed.setChecked(is_allowed(project))
        self.allowed.setEnabled(project.writing)
        self._show_unanswered()
        self._look()

    @property
    def _called(self) -> str:
        """What the assessor is called that the labels become."""
        return self.form.name.text().strip() or self.form.model.text().strip()

    def _say(self, words: str) -> None:
        self.problem.setText("✕ " + words if words else "")
        self.problem.setVisible(bool(words))

    def _show_asking(self) -> None:
        """Show what goes with asking, or with its not being under way."""
        asking = self._job is not None
        self.meter.setVisible(asking)
        self.allowed.setVisible(not asking)
        self.stop.setVisible(asking)
        self.form.setEnabled(not asking)
        for made in self._buttons.values():
            made.setEnabled(self.can_ask)
        self.ask.setEnabled(
            self.can_ask and (self.forecast is not None or self.form.lacking() is not None)
        )
        self.problem.setVisible(bool(self.problem.text()))
        self.result.setVisible(bool(self.result.text()))
        self.audit.setVisible(not asking and self._has_labels)

    @property
    def _has_labels(self) -> bool:
        return self.project is not None and self._called in self.project.events.models()

    def _show_unanswered(self) -> None:
        rows = []
        if self.project is not None and self._has_labels:
            rows = [
                (*pair, why)
                for pair, why in model_answers(self.project, self._called).unjudged.items()
            ]
        self.unanswered.fill(rows, unanswered_columns())
        self._unanswered_card.setVisible(bool(rows))

    def _look_anew(self) -> None:
        """Look again where something was typed: leaving a field, as a click on the button does, says nothing new."""
        if self.form.said() != self._forecast_of:
            self._look()

    def _look(self) -> None:
        """Say what would be sent, beside the window; nothing is."""
        self.forecast, self._forecast_of = None, self.form.said()
        self.ask.setText(BY_ID["ask-start"].label)
        project = self.project
        if project is None or self._job is not None or self.stated.page:
            return
        self._say("")
        lacking = self.form.lacking()
        if lacking is not None:
            self._looking.stop()
            self.takes.setText(lacking[1])
            self._show_asking()
            return
        try:
            endpoint, limits = chat_endpoint(self.form.address.text().strip()), self.form.limits
            wish = self.form.wish(endpoint.address)
        except IrjudgeError as fault:
            self._say(in_language(str(fault)))
            return
        self.takes.setText(self.tr("Looking at what it takes …"))
        self._show_asking()

        def look(progress: Progress) -> tuple[AskingForecast, Sequence[str]]:
            with (
                project.second_connection() as other,
                AnswerFile(answers_path(other.path), other.path) as answers,
            ):
                check_judge(other, wish.judge())
                found = asking_forecast(other, wish, answers, limits.requests, progress)
                return found, forecast_sentences(found, endpoint, wish, limits)

        self._looking.run(look, self._looked, self._fail)

    def _looked(self, looked: tuple[AskingForecast, Sequence[str]]) -> None:
        self.forecast, said = looked
        self.takes.setText("\n".join(map(in_language, said)))
        self.ask.setText(
            self.tr("Go on")
            if self.forecast.answered and self.forecast.requests
            else BY_ID["ask-start"].label
        )
        self._show_unanswered()
        self._show_asking()

    def _fail(self, fault: Exception, trace: str) -> None:
        self.takes.setText("")
        self.show_fault(fault, trace, self.problem)

    # What actions call

    @property
    def writing(self) -> bool:
        """Whether a model is being asked."""
        return self._job is not None

    @property
    def can_ask(self) -> bool:
        """Whether a model can be asked now."""
        return self.project is not None and self.project.writing and self._job is None

    def _allow(self, allowed: bool) -> None:
        if self.project is not None and self.project.writing:
            allow(self.project, allowed=allowed)
            self._say("")
            self.progressed.emit()

    def _keep_key(self, key: str) -> None:
        """Let the keyring keep a key for the host of the address: it may ask, so the window does not wait."""
        address = self.form.address.text().strip()

        def keep(_progress: Progress) -> str:
            host = chat_endpoint(address).host
            keep_key(key, host)
            return host

        said = self.tr("The keyring has the key for {host}.")
        self._keeping.run(keep, lambda host: self.said.emit(filled(said, host=host)), self._fail)

    def _lacks(self, *, address: bool) -> bool:
        """Tell whether something is not filled in, and lead there."""
        lacking = self.form.lacking(address=address)
        if lacking is not None:
            lacking[0].setFocus()
            self._say(lacking[1])
        return lacking is not None

    def start(self) -> None:
        """Ask, beside the window."""
        project = self.project
        if project is None or self._lacks(address=True):
            return
        if not is_allowed(project):
            self.allowed.setFocus()
            self._say(
                self.tr("This project does not allow it yet: tick that its texts may be sent.")
            )
            return
        if self.forecast is None:  # nothing is sent before it is said what
            self._say(self.tr("It is not known yet what is sent."))
            return
        try:
            endpoint, limits, source = (
                chat_endpoint(self.form.address.text().strip()),
                self.form.limits,
                self.form.key_source,
            )
            wish = self.form.wish(endpoint.address)
        except IrjudgeError as fault:
            self._say(in_language(str(fault)))
            return
        self._remember(project)
        self._looking.stop()
        self._say("")
        self.result.setText("")
        url, left = self.form.address.text().strip(), self.forecast.requests
        self.meter.show_count(0, left)

        def work(progress: Progress) -> Asked:
            return _asked(project, url, source, wish, limits, left, progress)

        self._job = jobs.run(work, self._asked, self._failed, self._tell)
        self._show_asking()
        self.stop.setFocus()

    def _remember(self, project: Project) -> None:
        """Keep what was typed with the project."""
        said = json.dumps(self.form.said(), ensure_ascii=False)
        if project.fact(FORM) != said:
            project.set_fact(FORM, said)

    def _tell(self, done: int, total: int | None, _what: str) -> None:
        if isValid(self) and self._job is not None:
            self.meter.show_count(done, total or 0)

    def _stop(self) -> None:
        """Send nothing more; what is under way is waited for, since it is paid for."""
        if self._job is not None:
            self._job.cancel()
            self.stop.setEnabled(False)
            self.result.setText(self.tr("Stopping: what is under way is waited for …"))
            self.result.show()

    def _asked(self, asked: Asked) -> None:
        """Let what was answered become labels."""
        if not isValid(self):
            return
        self._end()
        project = self.project
        if project is None:
            return

        def take(progress: Progress) -> ImportReport:
            with (
                project.second_connection() as other,
                AnswerFile(answers_path(other.path), other.path) as answers,
            ):
                return take_in(other, asked.wish, answers, asked.questions, progress)

        self.work.emit(
            self.tr("Taking in what was answered"),
            take,
            lambda report: self._taken(asked.found, report),
        )

    def _taken(self, found: AskedSoFar | None, report: ImportReport) -> None:
        self._brought(report)
        if found is None:
            said = [
                self.tr("Stopped. What was answered is kept; asking again goes on where it was.")
            ]
        else:
            counts = filled(
                self.tr("Requests sent: {requests}. Questions open: {open}."),
                requests=f"{found.requests:,}",
                open=f"{found.open:,}",
            )
            said = [in_language(found.stopped), counts]
        self.result.setText(sentences(*said, *map(in_language, report.remarks)))
        self._show_asking()

    def _brought(self, report: ImportReport) -> None:
        self.said.emit(" ".join(map(in_language, report.done)))
        self.progressed.emit()
        self.refresh()

    def _failed(self, fault: Exception, trace: str) -> None:
        if isValid(self):
            self._end()
            self.show_fault(fault, trace, self.problem)

    def _end(self) -> None:
        self._job = None
        self.stop.setEnabled(True)
        self.result.setText("")
        self._show_asking()

    # Without a network

    def ask_prompts(self) -> None:
        """Ask for a folder, and write the requests there."""
        project = self.project
        if project is None or self._lacks(address=False):
            return
        folder = ask_folder(self, BY_ID["write-prompts"].label, project.path.parent)
        if folder is None:
            return
        try:
            wish = self.form.wish()
        except IrjudgeError as fault:
            self._say(in_language(str(fault)))
            return
        self._remember(project)

        def write(progress: Progress) -> int:
            with (
                project.second_connection() as other,
                AnswerFile(answers_path(other.path), other.path) as answers,
            ):
                return write_prompts(other, wish, folder, answers, progress)

        self._work(self.tr("Writing prompts"), write, lambda count: self._wrote(count, folder))

    def _wrote(self, count: int, folder: Path) -> None:
        self.said.emit(
            filled(
                self.tr("Prompts written: {count}, to {folder}."),
                count=f"{count:,}",
                folder=folder.name,
            )
        )
        self.wrote.emit(folder)

    def ask_answers(self) -> None:
        """Ask for the folder to which prompts were written, and read the answers there."""
        project = self.project
        folder = (
            ask_folder(self, BY_ID["read-answers"].label, project.path.parent) if project else None
        )
        if project is None or folder is None:
            return

        def read(progress: Progress) -> ImportReport:
            with (
                project.second_connection() as other,
                AnswerFile(answers_path(other.path), other.path) as answers,
            ):
                return read_answers(other, folder, answers, progress)

        self._work(self.tr("Reading answers"), read, self._read)

    def _read(self, report: ImportReport) -> None:
        self._brought(report)
        self.result.setText(sentences(*map(in_language, (*report.done, *report.remarks))))
        self._show_asking()

    def _work(
        self, title: str, do: Callable[[Progress], object], done: Callable[..., object]
    ) -> None:
        """Let the window do it, and say on the page what went wrong."""
        self._say("")

        def work(progress: Progress) -> object:
            try:
                return do(progress)
            except Cancelled:
                raise
            except IrjudgeError as fault:
                return fault

        def end(result: object) -> None:
            if isinstance(result, IrjudgeError):
                self._say(in_language(str(result)))
            else:
                done(result)

        self._looking.stop()
        self.work.emit(title, work, end)


def _typed(project: Project) -> dict[str, object]:
    """Return what was typed for a project before."""
    return project.kept_fact(FORM, {})


def _asked(
    project: Project,
    url: str,
    source: str | None,
    wish: AskWish,
    limits: AskingLimits,
    left: int,
    progress: Progress,
) -> Asked:
    """Ask; who cancels keeps what was answered."""
    every: list[ModelQuestion] = []
    with (
        project.second_connection() as other,
        AnswerFile(answers_path(other.path), other.path) as answers,
    ):
        try:
            return Asked(
                put_questions(
                    other,
                    wish,
                    chat_endpoint(url, source),
                    answers,
                    limits,
                    every,
                    progress,
                    left=left,
                ),
                wish,
                every,
            )
        except Cancelled:
            return Asked(None, wish, every)


def _no_pool() -> State:
    return State(
        translate("AskModels", "Nothing to ask about yet"),
        translate(
            "AskModels",
            "A model is asked about the documents of the newest pool. Build one from the runs.",
        ),
        [(translate("AskModels", "Build pool"), "collection")],
    )


def unanswered_columns() -> list[Column]:
    """Return the columns of what has no valid answer."""
    return [
        Column(translate("AskModels", "Topic"), lambda each: each[0]),
        Column(translate("AskModels", "Document"), lambda each: each[1]),
        Column(translate("AskModels", "Why"), lambda each: in_language(each[2])),
    ]
