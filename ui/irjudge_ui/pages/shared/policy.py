"""Evaluation options of a project: storage, and the bar in which the user changes them."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import TypeVar

from PySide6.QtCore import QT_TRANSLATE_NOOP, Signal
from PySide6.QtWidgets import QWidget

from irjudge.evaluation import (
    AVERAGE_DESCRIPTIONS,
    AVERAGES,
    TOPIC_POLICIES,
    TOPIC_POLICY_DESCRIPTIONS,
    Average,
    Policy,
    TopicPolicy,
    parse_measures,
)
from irjudge.judging import QrelsChoice, choose_qrels, list_qrels_choices, read_chosen_name
from irjudge.metrics import PROFILE_RULES, PROFILES, Measure, Profile
from irjudge.model import TIES, TIES_MEANING, Ties
from irjudge.store import Project
from irjudge_ui.messages import filled, translate, translate_message
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    ChoiceBox,
    NumberField,
    SideBySide,
    column,
    make_button,
    make_flow,
    make_label,
    row,
    with_label,
    with_tooltip,
)

# Options of evaluations, which are stored in the project and shared by all result pages

SETTING_KEY = "policy"
SEPARATOR = "|"
STORED_PARTS = 8
Choice = TypeVar("Choice", bound=str)


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """Options of an evaluation as the user enters them: measures, fields of a `Policy`, qrels.

    `measures` is a text that `parse` converts to measures, or raises IrjudgeError. `qrels` is only
    the name of the selected qrels, empty for the default. `stored_text` is the text with which the
    options are stored in a project.
    """

    measures: str  # names of measures, separated by spaces
    # `topics` to `average` correspond to the fields of `Policy` with the same names
    topics: TopicPolicy = TOPIC_POLICIES[0]
    ties: Ties = TIES[0]
    rel: int = 1
    profile: Profile = PROFILES[0]
    depth: int = 0  # number of ranks evaluated; 0 for entire rankings
    average: Average = AVERAGES[0]
    # name of the qrels selected for all evaluations of the project; empty for the default
    qrels: str = ""

    def policy(self) -> Policy:
        return Policy(
            self.ties, self.topics, self.rel, self.profile, self.depth or None, self.average
        )

    def parse(self) -> tuple[Measure, ...]:
        return parse_measures(self.measures.split(), self.rel, self.profile)

    def choice(self, project: Project) -> QrelsChoice | None:
        """Return the selected qrels or else the first qrels of a project; None if it has none."""
        choices = list_qrels_choices(project)
        return next(
            (choice for choice in choices if choice.name == self.qrels),
            choices[0] if choices else None,
        )

    def stored_text(self) -> str:
        """Return the options as a text that is stored in a project.

        Older versions of irjudge read only the first four parts of the text.
        """
        return SEPARATOR.join(map(str, astuple(self)))


@dataclass(frozen=True, slots=True)
class ValueRequest:
    """Request to explain a value on the explanation page: run, topic, measure and options.

    An empty run, topic or measure means any. `options` are evaluation options, such as the
    qrels.
    """

    run: str
    topic: str
    measure: str
    options: EvaluationOptions


def stored_options(project: Project | None, settings: Settings) -> EvaluationOptions:
    """Return the evaluation options stored in a project.

    If nothing is stored, return the measures in the user's settings and the default policy.
    """
    stored_parts = ((project.get_setting(SETTING_KEY) if project else None) or "").split(
        SEPARATOR, STORED_PARTS - 1
    )
    measures, topics, ties, rel, profile, depth, average, qrels = stored_parts + [""] * (
        STORED_PARTS - len(stored_parts)
    )
    return EvaluationOptions(
        measures or str(settings.get("measures")),
        _parse_stored(topics, TOPIC_POLICIES),
        _parse_stored(ties, TIES),
        int(rel) if rel.isdecimal() else 1,
        _parse_stored(profile, PROFILES),
        int(depth) if depth.isdecimal() else 0,
        _parse_stored(average, AVERAGES),
        qrels
        if project is None or (chosen_name := read_chosen_name(project)) is None
        else chosen_name,
    )


def _parse_stored(stored_value: str, choices: tuple[Choice, ...]) -> Choice:
    return next((choice for choice in choices if choice == stored_value), choices[0])


def store_options(project: Project, options: EvaluationOptions) -> None:
    """Store the options in the project."""
    if project.writing and stored_text(project) != (options.stored_text(), options.qrels):
        with project.transaction():
            project.set_setting(SETTING_KEY, options.stored_text())
            choose_qrels(project, options.qrels)


def stored_text(project: Project) -> tuple[str | None, str]:
    """Return the stored text of the options, and the name of the selected qrels."""
    return project.get_setting(SETTING_KEY), read_chosen_name(project) or ""


def describe_qrels_source(source: str) -> str:
    """Return a sentence about the qrels with which runs were evaluated."""
    return (
        filled(
            translate("Policy", "Qrels: {source}."),
            source=translate_message(source),
        )
        if source
        else ""
    )


# Bar with controls of the evaluation options

MAX_DEPTH = 99_999
NARROW_WIDTH = 560  # width in pixels; in a narrower bar the summary is below the qrels
LABELS = {
    "both": QT_TRANSLATE_NOOP("Policy", "in qrels and run"),
    "qrels": QT_TRANSLATE_NOOP("Policy", "all topics of the qrels"),
    "relevant": QT_TRANSLATE_NOOP("Policy", "with relevant documents"),
    "trec": QT_TRANSLATE_NOOP("Policy", "as in trec_eval"),
    "docno": QT_TRANSLATE_NOOP("Policy", "by document id"),
    "rank": QT_TRANSLATE_NOOP("Policy", "by rank column"),
    "file": QT_TRANSLATE_NOOP("Policy", "in file order"),
    "macro": QT_TRANSLATE_NOOP("Policy", "mean"),
    "micro": QT_TRANSLATE_NOOP("Policy", "pooled counts"),
    "geometric": QT_TRANSLATE_NOOP("Policy", "geometric mean"),
    "median": QT_TRANSLATE_NOOP("Policy", "median"),
    "irjudge": QT_TRANSLATE_NOOP("Policy", "as in the measures' definitions"),
}


class PolicyBar(QWidget):
    """Bar with fields for all evaluation options except measures, and a summary of the policy.

    The options include the qrels, which are offered with `offer`; the summary does not name them.
    The bar does not store options in the project. `changed` is emitted when the user changes an
    option, and by `choose_topics`. The evaluation page and the page for evaluating files have such
    a bar.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._choices: list[QrelsChoice] = []
        self._selected_qrels = ""  # name of the selected qrels; empty for the default
        self.qrels = ChoiceBox(name=self.tr("Qrels"), activated=self._choose_qrels)
        self.topics = self._make_box(self.tr("Topics averaged"), TOPIC_POLICY_DESCRIPTIONS)
        self.ties = self._make_box(self.tr("Order of ties"), TIES_MEANING)
        self.average = self._make_box(self.tr("Average over the topics"), AVERAGE_DESCRIPTIONS)
        self.profile = self._make_box(
            self.tr("Profile"),
            {profile: rules.meaning for profile, rules in PROFILE_RULES.items()},
        )
        self.rel = NumberField(1, 99, 1, self.tr("Lowest relevant grade"))
        self.depth_field = with_tooltip(
            NumberField(
                0,
                MAX_DEPTH,
                0,
                self.tr("Depth: number of top ranks compared; 0 means all"),
            ),
            self.tr("Number of top ranks compared; 0 means all"),
        )
        self.summary = make_label("", "quiet")
        self.change = make_button(
            self.tr("Change"), name=self.tr("Change the evaluation policy"), checkable=True
        )
        self._fields = make_flow(
            with_label(self.tr("Topics"), self.topics),
            with_label(self.tr("Ties"), self.ties),
            with_label(self.tr("Lowest relevant grade"), self.rel),
            with_label(self.tr("Depth"), self.depth_field),
            with_label(self.tr("Average"), self.average),
            with_label(self.tr("Profile"), self.profile),
        )
        self._fields.hide()
        self.setLayout(
            column(
                SideBySide(
                    row(with_label(self.tr("Qrels"), self.qrels), None),
                    row(self.summary, self.change, spacing=SPACE_M, stretched=self.summary),
                    NARROW_WIDTH,
                    stretches=(0, 1),
                ),
                self._fields,
            )
        )
        self.change.toggled.connect(self._fields.setVisible)
        for number in (self.rel, self.depth_field):
            number.changed.connect(lambda _value: self._on_changed())

    def choose_topics(self, policy: TopicPolicy) -> None:
        self.topics.setCurrentIndex(self.topics.findData(policy))
        self._on_changed()

    def _on_changed(self) -> None:
        self._show_summary()
        self.changed.emit()

    def _show_summary(self) -> None:
        depth = self.depth_field.value()
        self.summary.setText(
            " · ".join(
                [
                    filled(self.tr("topics: {topics}"), topics=self.topics.currentText()),
                    filled(self.tr("ties: {ties}"), ties=self.ties.currentText()),
                    filled(
                        self.tr("relevant: grade {value} or higher"), value=f"{self.rel.value()}"
                    ),
                    *(
                        [filled(self.tr("only ranks 1 to {depth}"), depth=f"{depth:,}")]
                        if depth
                        else []
                    ),
                    filled(self.tr("average: {average}"), average=self.average.currentText()),
                    filled(self.tr("rules: {profile}"), profile=self.profile.currentText()),
                ]
            )
        )

    def _make_box(self, name: str, meanings: Mapping[Choice, str]) -> ChoiceBox:
        box = ChoiceBox(name=name, activated=lambda _index: self._on_changed())
        for choice, meaning in meanings.items():
            box.add_choice(
                translate("Policy", str(LABELS.get(choice, choice))),
                choice,
                translate_message(meaning),
            )
        return box

    def offer(self, choices: Sequence[QrelsChoice]) -> None:
        self._choices = [*choices]
        self.qrels.clear()
        self.qrels.add_choices(
            (
                translate_message(choice.name)
                + (f" ({choice.pair_count:,})" if choice.pair_count else ""),
                choice.name,
            )
            for choice in self._choices
        )
        self.qrels.setCurrentIndex(
            max(0, self.qrels.findData(self._selected_qrels)) if self._choices else -1
        )

    def show_options(self, options: EvaluationOptions) -> None:
        """Show options without emitting `changed`."""
        self._selected_qrels = options.qrels
        for box, value in (
            (self.topics, options.topics),
            (self.ties, options.ties),
            (self.average, options.average),
            (self.profile, options.profile),
        ):
            box.setCurrentIndex(box.findData(value))
        self.rel.set_value(options.rel)
        self.depth_field.set_value(options.depth)
        self._show_summary()

    def select_qrels(self, name: str) -> None:
        """Select qrels that the next call of `offer` shows; an empty name means the default."""
        self._selected_qrels = name

    def options(self, measures: str) -> EvaluationOptions:
        return EvaluationOptions(
            measures,
            self.topics.currentData(),
            self.ties.currentData(),
            self.rel.value(),
            self.profile.currentData(),
            self.depth_field.value(),
            self.average.currentData(),
            self._selected_qrels,
        )

    def choice(self) -> QrelsChoice | None:
        return next(
            (choice for choice in self._choices if choice.name == self.qrels.currentData()), None
        )

    def _choose_qrels(self, index: int) -> None:
        self._selected_qrels = str(self.qrels.itemData(index))
        self.changed.emit()
