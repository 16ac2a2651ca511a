"""Card on the session page with which the host controls the norming rounds."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtWidgets import QCheckBox, QWidget

from irjudge.model import UNJUDGEABLE
from irjudge_ui.charts import WideBar, WideBars
from irjudge_ui.messages import filled, join_sentences, translate, translate_message
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.session.controller import SessionController
from irjudge_ui.widgets import (
    SPACE_M,
    NumberField,
    Table,
    ask,
    card,
    column,
    make_button,
    make_container,
    make_flow,
    make_label,
    row,
    set_style,
    show_text,
    with_tooltip,
)

Json = Mapping[str, Any]
DEFAULT_DOCUMENTS, MAX_DOCUMENTS, MAX_ROUNDS, MAX_REASONS = 6, 50, 8, 6


def build_count_bars(document: Json) -> list[WideBar]:
    """Return a bar for each grade: numbers of votes now and in the previous round."""
    previous_round = document["before"]
    max_count = max(1, document["votes"], previous_round["votes"] if previous_round else 0)
    bars = [
        _make_bar(
            f"{value}  {translate_message(label)}".strip(),
            count,
            previous_round["counts"][index][1] if previous_round else None,
            max_count,
            index,
        )
        for index, ((value, count), label) in enumerate(
            zip(document["counts"], document["labels"], strict=True)
        )
    ]
    if document["unjudgeable"] or (previous_round and previous_round["unjudgeable"]):
        bars.append(
            _make_bar(
                translate("RoundsCard", "unjudgeable"),
                document["unjudgeable"],
                previous_round["unjudgeable"] if previous_round else None,
                max_count,
                0,
            )
        )
    return bars


def _make_bar(
    label: str, count: int, previous_count: int | None, max_count: int, step: int
) -> WideBar:
    return WideBar(
        label,
        str(count)
        if previous_count is None
        else filled(
            translate("RoundsCard", "{count} (previous round: {before})"),
            count=str(count),
            before=str(previous_count),
        ),
        count / max_count,
        step,
        None if previous_count is None else previous_count / max_count,
    )


def find_estimate(report: Json, statistic: str, scale: str, of: str = "") -> Json | None:
    """Return an agreement statistic from the report of a round; None if undefined."""
    estimate: Json | None = next(
        (
            estimate
            for estimate in report.get("estimates", ())
            if (estimate["statistic"], estimate["scale"], estimate["of"]) == (statistic, scale, of)
        ),
        None,
    )
    return estimate if estimate and estimate["value"] is not None else None


def format_estimate(estimate: Json | None) -> str:
    """Return the text of a statistic with its interval; a dash for None."""
    if estimate is None:
        return "–"
    value, low, high = (
        "" if number is None else f"{number:.2f}".replace("-", "−")
        for number in (estimate["value"], estimate["low"], estimate["high"])
    )
    return (
        filled(
            translate("RoundsCard", "{value} ({low} to {high})"), value=value, low=low, high=high
        )
        if low
        else value
    )


def _count_disputed(report: Json) -> int:
    return sum(document["split"] for document in report.get("list", ()))


def format_alpha(report: Json) -> str:
    """Return the text of alpha for a round, or why alpha is undefined."""
    estimate = find_estimate(report, "alpha", "ordinal")
    raw_agreement = find_estimate(report, "raw-agreement", "nominal")
    if estimate is None and raw_agreement is not None and raw_agreement["value"] == 1:
        return translate("RoundsCard", "undefined: all judgments have the same grade")
    return format_estimate(estimate)


def _round_columns() -> list[Column]:
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
            _count_disputed,
            number=True,
            help=translate(
                "RoundsCard",
                "Documents on which no grade has more than two thirds of the judgments",
            ),
        ),
    ]


class RoundsCard(QWidget):
    """Card of the session page: controls norming rounds, and shows their results.

    In a norming round, all participants judge the same documents, and then discuss the results. The
    host opens, closes and repeats rounds, goes from document to document, and ends the rounds. The
    card is hidden if the session has no rounds.
    """

    def __init__(self) -> None:
        super().__init__()
        self._controller: SessionController | None = None
        self._document_index = -1  # index of the discussed document; -1 if there is none
        self._report: Json | None = None
        self.status, self.title = make_label(), make_label("", "heading")
        self.description_label, self.reasons, self.results = (
            make_label("", "quiet") for _ in range(3)
        )
        self.bars = WideBars(self.tr("Judgments"))
        self.count = NumberField(
            1, MAX_DOCUMENTS, DEFAULT_DOCUMENTS, self.tr("Documents per round")
        )
        self.qualifies = with_tooltip(
            QCheckBox(self.tr("qualifying round")),
            self.tr(
                "Makes this the last round and counts how many answers of each participant agree "
                "with the gold grade or the majority."
            ),
        )
        self.open = make_button(
            self.tr("Open a round"),
            clicked=lambda: self._ask(
                "round",
                documents="new",
                count=self.count.value(),
                qualifies=self.qualifies.isChecked(),
            ),
        )
        self.same = make_button(
            self.tr("Judge the same documents again"), clicked=lambda: self._ask_repeat("same")
        )
        self.split = make_button(
            self.tr("Judge the disputed documents again"), clicked=lambda: self._ask_repeat("split")
        )
        self.close_round = make_button(self.tr("Close the round for all"), clicked=self._ask_close)
        self.back = make_button(
            self.tr("Previous document"), clicked=lambda: self._turn_documents(-1)
        )
        self.next = make_button(self.tr("Next document"), clicked=lambda: self._turn_documents(1))
        self.nothing = make_button(
            self.tr("Hide the document"), clicked=lambda: self._ask("show", place=None)
        )
        self.reopen = make_button(self.tr("Reopen the round"), clicked=self._ask_reopen)
        self.pool = make_button(self.tr("Start main judging"), clicked=self._ask_pool)
        self.rounds = TableModel(_round_columns())
        self.table = Table(self.rounds, self.tr("Rounds"), rows=MAX_ROUNDS)
        self._lay_out()

    def _lay_out(self) -> None:
        self._document = make_container(
            column(self.description_label, self.title, self.bars, self.reasons)
        )
        self._discussion_part = make_flow(self.back, self.next, self.nothing)
        self._open_part = make_container(
            column(row(make_label(self.tr("Documents")), self.count, self.qualifies, None))
        )
        self.setLayout(
            column(
                card(
                    make_label(self.tr("Norming rounds"), "heading"),
                    self.status,
                    self._document,
                    self._discussion_part,
                    self._open_part,
                    make_flow(
                        self.close_round, self.open, self.same, self.split, self.reopen, self.pool
                    ),
                    self.table,
                    self.results,
                ),
                spacing=SPACE_M,
            )
        )
        self.hide()

    def _turn_documents(self, step: int) -> None:
        self._ask("show", place=self._document_index + step)

    def _ask(self, command: str, **values: Any) -> None:
        if self._controller:
            self._controller.ask(command, **values)

    def _confirm(
        self, title: str, sentences: Sequence[str], label: str, command: str, **values: Any
    ) -> None:
        ask(
            self,
            title,
            "\n\n".join(sentences),
            [(self.tr("Cancel"), None), (label, lambda: self._ask(command, **values))],
        )

    def _ask_close(self) -> None:
        self._confirm(
            self.tr("Close the round?"),
            (
                self.status.text(),
                self.tr(
                    "Judging will stop, and every participant's page will show how the first "
                    "document of the round was judged."
                ),
                self.tr(
                    "You can reopen the round later, but by then participants will have seen the "
                    "results."
                ),
            ),
            self.tr("Close the round"),
            "close",
        )

    def _ask_reopen(self) -> None:
        self._confirm(
            self.tr("Reopen the round?"),
            (
                self.tr(
                    "Participants who add missing judgments have already seen the results, so "
                    "these judgments are not independent."
                ),
            ),
            self.tr("Reopen the round"),
            "reopen",
        )

    def _ask_repeat(self, documents: str) -> None:
        if self._report is None or not self._report["rounds"]:
            return
        newest = self._report["rounds"][-1]
        is_same = documents == "same"
        count = newest["documents"] if is_same else _count_disputed(newest)
        self._confirm(
            self.tr("Judge the same documents again?")
            if is_same
            else self.tr("Judge the disputed documents again?"),
            (
                filled(
                    self.tr(
                        "This opens round {number} for all participants. Documents: {documents}."
                    ),
                    number=str(newest["number"] + 1),
                    documents=str(count),
                ),
                self.tr(
                    "The discussion of the last round will end, and its documents will no longer "
                    "be shown. You will not be able to return to this discussion."
                ),
            ),
            self.tr("Open the round"),
            "round",
            documents=documents,
        )

    def _ask_pool(self) -> None:
        sentences: tuple[str, ...] = (
            self.tr(
                "This ends the norming rounds. Documents used in the rounds will not be assigned "
                "again; participants will judge the other documents of the pool."
            ),
            self.tr("To continue the rounds later, reopen the last round."),
        )
        if self._report is not None and not self._report["rounds"]:
            sentences = (
                self.tr(
                    "No norming round was opened. Participants will judge the documents of the "
                    "pool, and you cannot open a norming round later."
                ),
            )
        self._confirm(
            self.tr("Start main judging?"), sentences, self.tr("Start main judging"), "pool"
        )

    def follow(self, controller: SessionController | None) -> None:
        if self._controller is not None:
            self._controller.rounds.disconnect(self._show_rounds)
        self._controller, self._report = controller, None
        self.hide()
        if controller is not None:
            controller.rounds.connect(self._show_rounds)

    def _show_rounds(self, report: Json | None) -> None:
        self.setVisible(report is not None)
        if report is None:
            return
        status = self._controller.status if self._controller else None
        topics = status.topics.values() if status else ()
        judged_count, total_count = (sum(topic[index] for topic in topics) for index in (0, 1))
        rounds: Sequence[Json] = report["rounds"]
        is_discussing = bool(rounds) and not report["open"] and not report["over"]
        self.status.setText(_state_message(report, judged_count, total_count))
        if report == self._report:
            return
        self._report = report
        self._document_index = -1 if report["shown"] is None else report["shown"]
        self.back.setEnabled(self._document_index > 0)
        self.next.setEnabled(self._document_index < (rounds[-1]["documents"] if rounds else 0) - 1)
        self.nothing.setEnabled(self._document_index >= 0)
        can_open = not report["open"] and not report["over"]
        visibility = {
            self._discussion_part: is_discussing,
            self.close_round: report["open"],
            self.same: is_discussing,
            self.split: is_discussing and _count_disputed(rounds[-1]),
            self.reopen: rounds and not report["open"],
            self._open_part: can_open,
            self.open: can_open,
            self.pool: can_open,
            self._document: report["document"] is not None,
        }
        for part, is_visible in visibility.items():
            part.setVisible(bool(is_visible))
        next_focus = (
            self.close_round if report["open"] else self.same if is_discussing else self.open
        )
        for button in (self.close_round, self.same, self.open):
            set_style(button, "primary" if button is next_focus else "")
        self._show_document(report["document"])
        closed_rounds = [round_report for round_report in rounds if round_report["closed"]]
        self.rounds.fill(closed_rounds)
        self.table.setVisible(bool(closed_rounds))
        show_text(
            self.results,
            "\n".join(
                line for round_report in closed_rounds for line in _describe_round(round_report)
            ),
        )

    def _show_document(self, document: Json | None) -> None:
        if document is not None:
            self.description_label.setText(document["topic_title"] or document["topic"])
            self.title.setText(document["title"] or document["document"])
            self.bars.show_bars(
                build_count_bars(document), highest_level=len(document["counts"]) - 1
            )
            show_text(self.reasons, "\n".join(format_reasons(document, MAX_REASONS)))


def format_reasons(document: Json, limit: int) -> list[str]:
    """Return the rationales and notes on a document, one per line.

    A line begins with the grade and ends with the name of the participant if the report contains
    it.
    """
    unjudgeable = translate("RoundsCard", "unjudgeable")
    return [
        f"{unjudgeable if reason['grade'] == UNJUDGEABLE else reason['grade']}  “{reason['text']}”"
        + (f" · {reason['name']}" if reason["name"] else "")
        for reason in document["reasons"][:limit]
    ]


def _state_message(report: Json, judged_count: int, total_count: int) -> str:
    if report["over"]:
        return translate(
            "RoundsCard", "The rounds are finished; the rest of the pool is being judged."
        )
    if not report["rounds"]:
        return translate(
            "RoundsCard",
            "Everyone judges the same documents independently, then discusses the results and "
            "judges again.",
        )
    round_number = str(report["rounds"][-1]["number"])
    if report["open"]:
        return filled(
            translate("RoundsCard", "Round {number} is open: {judged} of {wanted} judgments."),
            number=round_number,
            judged=f"{judged_count:,}",
            wanted=f"{total_count:,}",
        )
    return filled(
        translate("RoundsCard", "Round {number} is closed for all participants."),
        number=round_number,
    )


def _describe_round(report: Json) -> list[str]:
    """Return notes on a round that the table of rounds does not contain.

    The notes are about alpha for each grade, disputed documents, and results on gold items.
    """
    round_number = str(report["number"])
    lines = [
        join_sentences(
            filled(
                translate("RoundsCard", "Round {number}, α of each grade:"), number=round_number
            ),
            "; ".join(
                f"{grade['of']}: {format_estimate(find_estimate(report, 'alpha', grade['scale'], grade['of']))}"
                for grade in report["estimates"]
                if grade["of"] and grade["statistic"] == "alpha"
            ),
        )
    ]
    split_documents = [document["name"] for document in report["list"] if document["split"]]
    if split_documents:
        lines.append(
            join_sentences(
                filled(
                    translate("RoundsCard", "Round {number}, disputed documents:"),
                    number=round_number,
                ),
                "; ".join(split_documents),
            )
        )
    qualified = [
        filled(
            translate("RoundsCard", "{name}: {met} of {asked} correct"),
            name=participant["name"],
            met=str(participant["met"]),
            asked=str(participant["asked"]),
        )
        for participant in report["qualified"]
    ]
    if qualified:
        lines.append(
            join_sentences(translate("RoundsCard", "Correct answers:"), "; ".join(qualified))
        )
    return lines
