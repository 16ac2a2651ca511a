"""Card of the norming rounds of a session, for the host."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QCheckBox, QPushButton, QWidget

from irjudge_ui.charts import WideBar, WideBars
from irjudge_ui.messages import escape_markup, filled, join_sentences, translate_message
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.session.controller import SessionController
from irjudge_ui.widgets import (
    SPACE_M,
    Flow,
    NumberField,
    Table,
    ask,
    card,
    column,
    make_button,
    make_flow,
    make_label,
    row,
    set_style,
)

Json = Mapping[str, Any]
DEFAULT_DOCUMENTS, MAX_DOCUMENTS, MAX_ROUNDS, MAX_REASONS = 6, 50, 8, 6
translate = QCoreApplication.translate


def build_count_bars(shown: Json) -> list[WideBar]:
    """Return the bars of the displayed document: votes per grade, now and in the previous round."""
    before = shown["before"]
    max_count = max(1, shown["votes"], before["votes"] if before else 0)
    bars = []
    for index, ((value, count), label) in enumerate(
        zip(shown["counts"], shown["labels"], strict=True)
    ):
        earlier = before["counts"][index][1] if before else None
        bars.append(
            _bar(f"{value}  {translate_message(label)}".strip(), count, earlier, max_count, index)
        )
    if shown["unjudgeable"] or (before and before["unjudgeable"]):
        caption = translate("RoundsCard", "unjudgeable")
        bars.append(
            _bar(
                caption,
                shown["unjudgeable"],
                before["unjudgeable"] if before else None,
                max_count,
                0,
            )
        )
    return bars


def _bar(label: str, count: int, before: int | None, max_count: int, step: int) -> WideBar:
    text = (
        str(count)
        if before is None
        else filled(
            translate("RoundsCard", "{count} (previous round: {before})"),
            count=str(count),
            before=str(before),
        )
    )
    return WideBar(
        label, text, count / max_count, step, None if before is None else before / max_count
    )


def find_estimate(report: Json, statistic: str, scale: str, of: str = "") -> Json | None:
    """Return one statistic of a round; None if it is missing or undefined."""
    estimates = (
        each
        for each in report.get("estimates", ())
        if (each["statistic"], each["scale"], each["of"]) == (statistic, scale, of)
    )
    estimate = next(estimates, None)
    return estimate if estimate and estimate["value"] is not None else None


def format_estimate(estimate: Json | None) -> str:
    """Return a statistic with its interval."""
    if estimate is None:
        return "–"
    value, low, high = (
        "" if each is None else f"{each:.2f}".replace("-", "−")
        for each in (estimate["value"], estimate["low"], estimate["high"])
    )
    return (
        filled(
            translate("RoundsCard", "{value} ({low} to {high})"), value=value, low=low, high=high
        )
        if low
        else value
    )


def format_alpha(report: Json) -> str:
    """Return alpha for a round as text; it is undefined if all grades are equal."""
    estimate, raw = (
        find_estimate(report, "alpha", "ordinal"),
        find_estimate(report, "raw-agreement", "nominal"),
    )
    if estimate is None and raw is not None and raw["value"] == 1:
        return translate("RoundsCard", "all gave the same grade")
    return format_estimate(estimate)


def round_columns() -> list[Column]:
    """Return the columns of the closed rounds."""
    return [
        Column(translate("RoundsCard", "Round"), lambda round_report: str(round_report["number"])),
        Column(
            translate("RoundsCard", "Participants"),
            lambda round_report: round_report["people"],
            number=True,
        ),
        Column(
            translate("RoundsCard", "Agreement (α)"),
            format_alpha,
            help=translate(
                "RoundsCard",
                "Krippendorff's alpha, ordinal, with its 95 % interval: 1 is full agreement, 0 "
                "is chance level",
            ),
        ),
        Column(
            "κ",
            lambda round_report: format_estimate(find_estimate(round_report, "kappa", "nominal")),
            help=translate(
                "RoundsCard",
                "Mean Cohen's kappa over all pairs of participants, with its 95 % interval",
            ),
        ),
        Column(
            translate("RoundsCard", "Disputed"),
            lambda round_report: sum(each["split"] for each in round_report["list"]),
            number=True,
            help=translate(
                "RoundsCard",
                "Documents on which no grade has more than two thirds of the judgments",
            ),
        ),
    ]


class RoundsCard(QWidget):
    """Controls and results of the norming rounds."""

    def __init__(self) -> None:
        super().__init__()
        self._controller: SessionController | None = None
        self._at: int | None = None
        self._report: Json | None = None
        self.status, self.about, self.reasons, self.results = (
            make_label(""),
            make_label("", "quiet"),
            make_label("", "quiet"),
            make_label("", "quiet"),
        )
        self.title = make_label("", "heading")
        self.bars = WideBars(self.tr("Judgments"))
        self.count = NumberField(
            1, MAX_DOCUMENTS, DEFAULT_DOCUMENTS, self.tr("Documents per round")
        )
        self.qualifies = QCheckBox(self.tr("qualifying round"))
        self.qualifies.setToolTip(
            escape_markup(
                self.tr(
                    "Makes this the last round and counts how many answers of each "
                    "participant agree with the gold grade or the majority."
                )
            )
        )
        self.open = self._button(self.tr("Open a round"), lambda: self._open("new"))
        self.same = self._button(self.tr("Same documents again"), lambda: self._open("same"))
        self.split = self._button(self.tr("Only disagreements"), lambda: self._open("split"))
        self.close_round = self._button(self.tr("Close the round for all"), self._ask_close)
        self.back = self._button(self.tr("Previous document"), lambda: self._turn(-1))
        self.next = self._button(self.tr("Next document"), lambda: self._turn(1))
        self.nothing = self._button(
            self.tr("Hide the document"), lambda: self._ask("show", place=None)
        )
        self.reopen = self._button(self.tr("Reopen the round"), self._ask_reopen)
        self.pool = self._button(self.tr("Start main judging"), self._ask_pool)
        self.rounds = TableModel(round_columns())
        self.table = Table(self.rounds, self.tr("Rounds"), rows=MAX_ROUNDS)
        self._document, self._asking, self._turning = QWidget(), QWidget(), QWidget()
        self._document.setLayout(column(self.about, self.title, self.bars, self.reasons))
        self._turning.setLayout(Flow((self.back, self.next, self.nothing)))
        self._asking.setLayout(
            column(row(make_label(self.tr("Documents")), self.count, self.qualifies, None))
        )
        buttons = make_flow(
            self.close_round, self.open, self.same, self.split, self.reopen, self.pool
        )
        heading = make_label(self.tr("Norming rounds"), "heading")
        parts = (
            heading,
            self.status,
            self._document,
            self._turning,
            self._asking,
            buttons,
            self.table,
            self.results,
        )
        self.setLayout(column(card(*parts), spacing=SPACE_M))
        self.hide()

    @staticmethod
    def _button(label: str, call: Any) -> QPushButton:
        button = make_button(label)
        button.clicked.connect(lambda: call())
        return button

    def _open(self, documents: str) -> None:
        new = (
            {"count": self.count.value(), "qualifies": self.qualifies.isChecked()}
            if documents == "new"
            else {}
        )
        self._ask("round", documents=documents, **new)

    def _turn(self, step: int) -> None:
        self._ask("show", place=(-1 if self._at is None else self._at) + step)

    def _ask(self, command: str, **values: Any) -> None:
        if self._controller:
            self._controller.ask(command, **values)

    def _confirm(self, title: str, sentences: Sequence[str], label: str, command: str) -> None:
        """Ask for confirmation before an action affects all participants."""
        choices = [(self.tr("Cancel"), None), (label, lambda: self._ask(command))]
        ask(self, title, "\n\n".join(sentences), choices)

    def _ask_close(self) -> None:
        sentences = (
            self.status.text(),
            self.tr("Judging stops, and every page shows how the first document was judged."),
            self.tr("You can reopen the round, but by then participants have seen the results."),
        )
        self._confirm(self.tr("Close the round?"), sentences, self.tr("Close the round"), "close")

    def _ask_reopen(self) -> None:
        message = self.tr(
            "Participants who add missing judgments have already seen the results, so these "
            "judgments are not independent."
        )
        self._confirm(
            self.tr("Reopen the round?"), (message,), self.tr("Reopen the round"), "reopen"
        )

    def _ask_pool(self) -> None:
        message = self.tr(
            "The norming rounds end. Their documents are no longer assigned, and participants "
            "judge the other documents of the pool."
        )
        back = self.tr("To continue the rounds later, reopen the last one.")
        self._confirm(
            self.tr("Start main judging?"), (message, back), self.tr("End the rounds"), "pool"
        )

    def follow(self, controller: SessionController | None) -> None:
        """Show the rounds of a session; None clears the card."""
        if self._controller is not None:
            self._controller.rounds.disconnect(self._show_rounds)
        self._controller, self._report = controller, None
        self.hide()
        if controller is not None:
            controller.rounds.connect(self._show_rounds)

    def _show_rounds(self, report: Json | None) -> None:
        """Show the status of the rounds; hide it if there are no rounds."""
        self.setVisible(report is not None)
        if report is None:
            return
        topics = (
            self._controller.status.topics.values()
            if self._controller and self._controller.status
            else ()
        )
        judged, wanted = (sum(each[index] for each in topics) for index in (0, 1))
        rounds: Sequence[Json] = report["rounds"]
        talking = bool(rounds) and not report["open"] and not report["over"]
        self.status.setText(_state_message(report, judged, wanted))
        if report == self._report:
            return
        self._report, self._at = report, report["shown"]
        documents = rounds[-1]["documents"] if rounds else 0
        self.back.setEnabled(bool(self._at))
        self.next.setEnabled((-1 if self._at is None else self._at) < documents - 1)
        self.nothing.setEnabled(self._at is not None)
        split = talking and any(each["split"] for each in rounds[-1].get("list", ()))
        shown = {
            self._turning: talking,
            self.close_round: report["open"],
            self.same: talking,
            self.split: split,
            self.reopen: bool(rounds) and not report["open"],
        }
        shown |= dict.fromkeys((self._asking, self.open), not report["open"] and not report["over"])
        shown |= {
            self.pool: not report["over"] and not report["open"],
            self._document: report["document"] is not None,
        }
        for part, visible in shown.items():
            part.setVisible(bool(visible))
        first = self.close_round if report["open"] else self.same if talking else self.open
        for each in (self.close_round, self.same, self.open):
            set_style(each, "primary" if each is first else "")
        self._show_document(report["document"])
        self._show_results([each for each in rounds if each["closed"]])

    def _show_document(self, shown: Json | None) -> None:
        if shown is not None:
            self.about.setText(shown["topic_title"] or shown["topic"])
            self.title.setText(shown["title"] or shown["document"])
            self.bars.show_bars(build_count_bars(shown), highest=len(shown["counts"]) - 1)
            self.reasons.setText("\n".join(format_reasons(shown, MAX_REASONS)))
            self.reasons.setVisible(bool(shown["reasons"]))

    def _show_results(self, closed: Sequence[Json]) -> None:
        self.rounds.fill(closed)
        self.table.setVisible(bool(closed))
        self.results.setText(
            "\n".join(line for round_report in closed for line in _describe_round(round_report))
        )
        self.results.setVisible(bool(closed))


def format_reasons(shown: Json, limit: int) -> list[str]:
    """Return the rationales for a document, one per line, with names if all participants agreed to
    that.
    """
    lines = []
    for each in shown["reasons"][:limit]:
        named = f" · {each['name']}" if each["name"] else ""
        lines.append(f"{each['grade']}  “{each['text']}”{named}")
    return lines


def _state_message(report: Json, judged: int, wanted: int) -> str:
    if report["over"]:
        return translate(
            "RoundsCard", "The rounds are finished; the rest of the pool is being judged."
        )
    if not report["rounds"]:
        return translate(
            "RoundsCard",
            "Everyone judges the same documents independently. Then discuss the results and "
            "judge again.",
        )
    number = str(report["rounds"][-1]["number"])
    if report["open"]:
        return filled(
            translate("RoundsCard", "Round {number} is open: {judged} of {wanted} judgments."),
            number=number,
            judged=f"{judged:,}",
            wanted=f"{wanted:,}",
        )
    return filled(translate("RoundsCard", "Round {number} is closed for all."), number=number)


def _describe_round(report: Json) -> list[str]:
    """Return notes on a round other than agreement.

    They cover each grade, documents with split votes, and gold results.
    """
    number = str(report["number"])
    grades = [each for each in report["estimates"] if each["of"] and each["statistic"] == "alpha"]
    by_grade = "; ".join(
        f"{each['of']}: {format_estimate(find_estimate(report, 'alpha', each['scale'], each['of']))}"
        for each in grades
    )
    lines = [
        join_sentences(
            filled(translate("RoundsCard", "Round {number}, by grade (α):"), number=number),
            by_grade,
        )
    ]
    split = [each["name"] for each in report["list"] if each["split"]]
    if split:
        lines.append(
            join_sentences(
                filled(
                    translate("RoundsCard", "Round {number}, disputed documents:"), number=number
                ),
                "; ".join(split),
            )
        )
    template = translate("RoundsCard", "{name}: {met} of {asked} correct")
    ready = [
        filled(template, name=each["name"], met=str(each["met"]), asked=str(each["asked"]))
        for each in report["qualified"]
    ]
    if ready:
        lines.append(join_sentences(translate("RoundsCard", "Correct answers:"), "; ".join(ready)))
    return lines
