"""Panel in which the user selects the consensus rule and compares all rules."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QWidget

from irjudge.errors import IrjudgeError
from irjudge.evaluation import RuleEffect, rule_effects
from irjudge.judging import read_consensus_method, set_consensus_method
from irjudge.message import join_messages
from irjudge.stats.consensus import CONSENSUS_RULES
from irjudge.store import ChangeCounter, Project
from irjudge_ui.jobs import LatestJob, on_project
from irjudge_ui.messages import filled, join_sentences, translate, translate_message
from irjudge_ui.pages.shared.policy import EvaluationOptions
from irjudge_ui.widgets import (
    ChoiceBox,
    Part,
    card,
    column,
    make_button,
    make_container,
    make_label,
    row,
    show_text,
    with_label,
)

MAX_PAIRS = 3  # maximum number of listed pairs of runs whose order a rule changes


class RulePanel(QWidget):
    """Panel in which the user selects the consensus rule of a project, and compares all rules.

    Only rules whose results are grades of the scale are offered. The selected rule is stored in the
    project. For each offered rule, the panel shows what selecting it would change; this is computed
    in the background. `changed` is emitted after a rule that the user selected has been stored. The
    evaluation page and the adjudication page have such a panel.

    The optional widgets `verdict` and `others` show the results for the current document: `verdict`
    that of the current rule, `others` those of the other rules. If there is a `verdict`, the
    comparison of all rules is hidden until the user requests it.
    """

    changed = Signal()

    def __init__(
        self, work: LatestJob, *, verdict: QWidget | None = None, others: QWidget | None = None
    ) -> None:
        super().__init__()
        self._job = work
        self._project: Project | None = None
        self._last_request: tuple[Path, ChangeCounter, str] | None = None
        self.rule = ChoiceBox(name=self.tr("Consensus rule"), activated=self._choose)
        self.effects = make_label("", "small")
        self.problem = make_label("", "error", hidden=True)
        for rule in CONSENSUS_RULES.values():
            if not rule.is_real_valued:
                self.rule.add_choice(
                    translate_message(rule.title), rule.name, translate_message(rule.about)
                )
        self.compare = make_button(self.tr("Compare all rules"), "link", checkable=True)
        comparison = make_container(column(*([others] if others else []), self.effects))
        verdict_parts: list[Part] = [verdict, row(self.compare, None)] if verdict else []
        self.setLayout(
            column(
                card(
                    row(with_label(self.tr("Consensus rule"), self.rule), None),
                    *verdict_parts,
                    comparison,
                    self.problem,
                )
            )
        )
        if verdict:
            self.compare.toggled.connect(comparison.setVisible)
            comparison.hide()
        self.hide()

    def show_rule(self, project: Project, options: EvaluationOptions) -> None:
        """Show the rule of a project; recompute the effects of all rules if the project changed."""
        self._project = project
        with QSignalBlocker(self.rule):
            self.rule.setCurrentIndex(self.rule.findData(read_consensus_method(project)))
        self.rule.setEnabled(project.writing)
        self.show()
        request = project.path, project.writes, options.stored_text()
        if request != self._last_request:
            self._last_request = request
            self.effects.setText(self.tr("Computing what each rule would change …"))
            self._job.run(
                on_project(
                    project,
                    lambda job_project, progress: rule_effects(
                        job_project, options.parse()[0], options.policy(), progress
                    ),
                ),
                lambda effects: self._show_effects(effects, options.parse()[0].name),
                lambda error, _trace: self._on_failed(error),
            )

    def _show_effects(self, effects: Sequence[RuleEffect], measure: str) -> None:
        self.problem.hide()
        self.effects.setText("\n".join(_describe(effect, measure) for effect in effects))

    def _on_failed(self, error: Exception) -> None:
        self._last_request = None
        self.effects.setText("")
        show_text(self.problem, "✕ " + translate_message(str(error)))

    def _choose(self, index: int) -> None:
        if self._project is None:
            return
        try:
            set_consensus_method(self._project, str(self.rule.itemData(index)))
        except IrjudgeError as error:
            self._on_failed(error)
            return
        self.changed.emit()


def _describe(effect: RuleEffect, measure: str) -> str:
    title = translate_message(effect.rule.title)
    if effect.in_force:
        return filled(translate("RulePanel", "{title}: in use."), title=title)
    if not effect.labels:
        return filled(translate("RulePanel", "{title}: no grade would change."), title=title)
    labels = filled(
        translate("RulePanel", "{title}: {labels} of the grades would change."),
        title=title,
        labels=f"{effect.labels:,}",
    )
    if not effect.swapped:
        return join_sentences(
            labels,
            filled(
                translate("RulePanel", "By {measure}, no two runs would swap ranks."),
                measure=measure,
            ),
        )
    pairs = [
        filled(translate("RulePanel", "{first} and {second}"), first=first, second=second)
        for first, second in effect.swapped[:MAX_PAIRS]
    ]
    more_count = len(effect.swapped) - MAX_PAIRS
    if more_count > 0:
        pairs.append(filled(translate("RulePanel", "{more} more pairs"), more=f"{more_count:,}"))
    return join_sentences(
        labels,
        filled(
            translate("RulePanel", "By {measure}, these runs would swap ranks: {pairs}."),
            measure=measure,
            pairs=translate_message(join_messages(pairs)),
        ),
    )
