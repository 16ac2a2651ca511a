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
    """Return the bars of a document that is shown: how often each grade was given, and before."""
    before = shown["before"]
    most = max(1, shown["votes"], before["votes"] if before else 0)
    bars = []
    for place, ((value, count), label) in enumerate(
        zip(shown["counts"], shown["labels"], strict=True)
    ):
        earlier = before["counts"][place][1] if before else None
        bars.append(
            _bar(f"{value}  {translate_message(label)}".strip(), count, earlier, most, place)
        )
    if shown["unjudgeable"] or (before and before["unjudgeable"]):
        words = translate("RoundsCard", "cannot be judged")
        bars.append(
            _bar(words, shown["unjudgeable"], before["unjudgeable"] if before else None, most, 0)
        )
    return bars


def _bar(label: str, count: int, before: int | None, most: int, step: int) -> WideBar:
    words = (
        str(count)
        if before is None
        else filled(
            translate("RoundsCard", "{count}, before {before}"),
            count=str(count),
            before=str(before),
        )
    )
    return WideBar(label, words, count / most, step, None if before is None else before / most)


def find_estimate(told: Json, statistic: str, scale: str, of: str = "") -> Json | None:
    """Return one statistic of a round; None where it has none, or no value."""
    found = (
        each
        for each in told.get("estimates", ())
        if (each["statistic"], each["scale"], each["of"]) == (statistic, scale, of)
    )
    estimate = next(found, None)
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


def format_alpha(told: Json) -> str:
    """Return the agreement in a round; if all grades are equal, alpha is undefined."""
    found, raw = (
        find_estimate(told, "alpha", "ordinal"),
        find_estimate(told, "raw-agreement", "nominal"),
    )
    if found is None and raw is not None and raw["value"] == 1:
        return translate("RoundsCard", "all said the same")
    return format_estimate(found)


def round_columns() -> list[Column]:
    """Return the columns of the rounds that are closed."""
    return [
        Column(translate("RoundsCard", "Round"), lambda told: str(told["number"])),
        Column(translate("RoundsCard", "People"), lambda told: told["people"], number=True),
        Column(
            translate("RoundsCard", "Agreement (α)"),
            format_alpha,
            help=translate(
                "RoundsCard",
                "Krippendorff's alpha, ordinal, with its 95 % interval: 1 is full agreement, 0 is chance",
            ),
        ),
        Column(
            "κ",
            lambda told: format_estimate(find_estimate(told, "kappa", "nominal")),
            help=translate(
                "RoundsCard",
                "The mean of Cohen's kappa over all pairs of people, with its 95 % interval",
            ),
        ),
        Column(
            translate("RoundsCard", "Split"),
            lambda told: sum(each["split"] for each in told["list"]),
            number=True,
            help=translate(
                "RoundsCard",
                "Documents of which no answer has more than two thirds of the judgments",
            ),
        ),
    ]


class RoundsCard(QWidget):
    """Controls and results of the norming rounds."""

    def __init__(self) -> None:
        super().__init__()
        self._hall: SessionController | None = None
        self._at: int | None = None
        self._told: Json | None = None
        self.words, self.about, self.reasons, self.found = (
            make_label(""),
            make_label("", "quiet"),
            make_label("", "quiet"),
            make_label("", "quiet"),
        )
        self.title = make_label("", "heading")
        self.bars = WideBars(self.tr("How it was judged"))
        self.count = NumberField(
            1, MAX_DOCUMENTS, DEFAULT_DOCUMENTS, self.tr("Documents of a round")
        )
        self.qualifies = QCheckBox(self.tr("qualifying round"))
        self.qualifies.setToolTip(
            escape_markup(
                self.tr(
                    "A last round: it is counted how many answers each person meets, known ones or what most others said."
                )
            )
        )
        self.open = self._button(self.tr("Open a round"), lambda: self._open("new"))
        self.same = self._button(self.tr("Same documents again"), lambda: self._open("same"))
        self.split = self._button(self.tr("Only disagreements"), lambda: self._open("split"))
        self.close_round = self._button(self.tr("Close the round for all"), self._ask_close)
        self.back = self._button(self.tr("Previous document"), lambda: self._turn(-1))
        self.next = self._button(self.tr("Next document"), lambda: self._turn(1))
        self.nothing = self._button(self.tr("Show nothing"), lambda: self._ask("show", place=None))
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
            self.words,
            self._document,
            self._turning,
            self._asking,
            buttons,
            self.table,
            self.found,
        )
        self.setLayout(column(card(*parts), spacing=SPACE_M))
        self.hide()

    @staticmethod
    def _button(words: str, call: Any) -> QPushButton:
        made = make_button(words)
        made.clicked.connect(lambda: call())
        return made

    def _open(self, documents: str) -> None:
        new = (
            {"count": self.count.value(), "qualifies": self.qualifies.isChecked()}
            if documents == "new"
            else {}
        )
        self._ask("round", documents=documents, **new)

    def _turn(self, step: int) -> None:
        self._ask("show", place=(-1 if self._at is None else self._at) + step)

    def _ask(self, wish: str, **values: Any) -> None:
        if self._hall:
            self._hall.ask(wish, **values)

    def _confirm(self, title: str, words: Sequence[str], label: str, wish: str) -> None:
        """Ask before something takes effect for all participants."""
        choices = [(self.tr("Cancel"), None), (label, lambda: self._ask(wish))]
        ask(self, title, "\n\n".join(words), choices)

    def _ask_close(self) -> None:
        words = (
            self.words.text(),
            self.tr(
                "Nobody can judge in it any more, and every page shows how its first document was judged."
            ),
            self.tr("You can reopen it, but then participants judge after they saw the results."),
        )
        self._confirm(self.tr("Close the round?"), words, self.tr("Close the round"), "close")

    def _ask_reopen(self) -> None:
        words = self.tr(
            "Participants judge what is missing after they saw the results: these judgments are not independent."
        )
        self._confirm(self.tr("Reopen the round?"), (words,), self.tr("Reopen the round"), "reopen")

    def _ask_pool(self) -> None:
        words = self.tr(
            "The norming rounds end. Their documents are assigned to nobody any more, and participants judge the other documents of the pool."
        )
        back = self.tr("Reopening the last round brings the rounds back.")
        self._confirm(
            self.tr("Start main judging?"), (words, back), self.tr("End the rounds"), "pool"
        )

    def follow(self, hall: SessionController | None) -> None:
        """Show the rounds of a session; None clears the card."""
        if self._hall is not None:
            self._hall.rounds.disconnect(self._show_rounds)
        self._hall, self._told = hall, None
        self.hide()
        if hall is not None:
            hall.rounds.connect(self._show_rounds)

    def _show_rounds(self, told: Json | None) -> None:
        """Show the status of the rounds; hidden without rounds."""
        self.setVisible(told is not None)
        if told is None:
            return
        topics = self._hall.standing.topics.values() if self._hall and self._hall.standing else ()
        judged, wanted = (sum(each[place] for each in topics) for place in (0, 1))
        rounds: Sequence[Json] = told["rounds"]
        talking = bool(rounds) and not told["open"] and not told["over"]
        self.words.setText(_state_words(told, judged, wanted))
        if told == self._told:
            return
        self._told, self._at = told, told["shown"]
        documents = rounds[-1]["documents"] if rounds else 0
        self.back.setEnabled(bool(self._at))
        self.next.setEnabled((-1 if self._at is None else self._at) < documents - 1)
        self.nothing.setEnabled(self._at is not None)
        split = talking and any(each["split"] for each in rounds[-1].get("list", ()))
        shown = {
            self._turning: talking,
            self.close_round: told["open"],
            self.same: talking,
            self.split: split,
            self.reopen: bool(rounds) and not told["open"],
        }
        shown |= dict.fromkeys((self._asking, self.open), not told["open"] and not told["over"])
        shown |= {
            self.pool: not told["over"] and not told["open"],
            self._document: told["document"] is not None,
        }
        for part, visible in shown.items():
            part.setVisible(bool(visible))
        first = self.close_round if told["open"] else self.same if talking else self.open
        for each in (self.close_round, self.same, self.open):
            set_style(each, "primary" if each is first else "")
        self._show_document(told["document"])
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
        self.found.setText("\n".join(line for told in closed for line in _describe_round(told)))
        self.found.setVisible(bool(closed))


def format_reasons(shown: Json, most: int) -> list[str]:
    """Return the rationales of a document, one per line, with names if all agreed to that."""
    lines = []
    for each in shown["reasons"][:most]:
        named = f" · {each['name']}" if each["name"] else ""
        lines.append(f"{each['grade']}  “{each['text']}”{named}")
    return lines


def _state_words(told: Json, judged: int, wanted: int) -> str:
    if told["over"]:
        return translate("RoundsCard", "The rounds are over; the rest of the pool is judged.")
    if not told["rounds"]:
        return translate(
            "RoundsCard",
            "Everybody judges the same documents, each for themselves. Then look at them together, and judge again.",
        )
    number = str(told["rounds"][-1]["number"])
    if told["open"]:
        return filled(
            translate("RoundsCard", "Round {number} is open: {judged} of {wanted} judgments."),
            number=number,
            judged=f"{judged:,}",
            wanted=f"{wanted:,}",
        )
    return filled(translate("RoundsCard", "Round {number} is closed for all."), number=number)


def _describe_round(told: Json) -> list[str]:
    """Return notes on a round besides agreement.

    Each grade, split documents, and gold results.
    """
    number = str(told["number"])
    grades = [each for each in told["estimates"] if each["of"] and each["statistic"] == "alpha"]
    by_grade = "; ".join(
        f"{each['of']}: {format_estimate(find_estimate(told, 'alpha', each['scale'], each['of']))}"
        for each in grades
    )
    lines = [
        join_sentences(
            filled(translate("RoundsCard", "Round {number}, by grade (α):"), number=number),
            by_grade,
        )
    ]
    split = [each["name"] for each in told["list"] if each["split"]]
    if split:
        lines.append(
            join_sentences(
                filled(translate("RoundsCard", "Round {number}, split:"), number=number),
                "; ".join(split),
            )
        )
    met = translate("RoundsCard", "{name} met {met} of {asked}")
    ready = [
        filled(met, name=each["name"], met=str(each["met"]), asked=str(each["asked"]))
        for each in told["qualified"]
    ]
    if ready:
        lines.append(join_sentences(translate("RoundsCard", "Answers:"), "; ".join(ready)))
    return lines
