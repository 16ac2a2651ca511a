"""Adjudication page: shows one disputed document at a time, with all votes on it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from irjudge.errors import ProjectError
from irjudge.judging import (
    AdjudicatedGrade,
    AdjudicationCount,
    AdjudicationRecorder,
    Dispute,
    PresentedDocument,
    RuleVerdict,
    Vote,
    count_adjudicated,
    find_disputes,
    get_ledger,
    list_counted_assessors,
    list_pool_pairs,
    make_display_names,
    read_consensus_method,
    read_valid_adjudications,
)
from irjudge.model import UNJUDGEABLE, Event, Pair, Scale, Topic
from irjudge.progress import Progress
from irjudge.stats.consensus import CONSENSUS_RULES, UNJUDGEABLE_WORD
from irjudge.store import Project, limit_to_shown_fields
from irjudge_ui.actions import KEYS, ActionHandler, create_actions, key_cap_text
from irjudge_ui.messages import filled, isolate, translate, translate_message
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.shared import (
    RulePanel,
    SearchContext,
    SearchDialog,
    WorkspaceView,
    stored_options,
)
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    GUTTER_WIDTH,
    MAX_WIDGET_SIZE,
    SPACE_L,
    SPACE_M,
    SPACE_XS,
    DocumentView,
    FilterLine,
    Flow,
    GradeButtons,
    GradeLabel,
    Meter,
    PageScrollArea,
    StatePage,
    Table,
    card,
    clear,
    column,
    join_horizontally,
    make_button,
    make_container,
    make_label,
    make_scroll_area,
    named,
    row,
    scale_length,
    set_style,
    show_text,
)
from irjudge_ui.workspace import (
    ActionList,
    DocumentLoader,
    GradeEntry,
    KeyStrip,
    NoteField,
    PresentationTurns,
    ReadingAids,
    StateMessage,
    TopicPanel,
    ask_to_print,
    grade_key_text,
    reason_label,
)

# Parts and texts of the adjudication page

# pixels at normal zoom: minimum width of the field for the reason, and minimum page width at which
# this field is beside the votes
MIN_REASON_WIDTH, SIDE_BY_SIDE_WIDTH = 200, 560
# height of the message in lines; the message contains the document and the key for undo
MESSAGE_LINES = 2
GRADES_MARGIN = 90  # width needed in addition to a row of grades, in pixels at normal zoom
VOTES_HEIGHT = 300  # maximum height of the list of votes in pixels at normal zoom
SHORT_LIST = ("cannot-decide", "put-off", "why", "hide-names", "undo-decision")


class DecisionPanel(QWidget):
    """Panel of the adjudication page: grade buttons, reason, progress and last message.

    `chosen` is emitted with the grade of a clicked button. The page saves the decision, with the
    reason typed in `why`. It adds the list of disagreements to the panel, and may move the grade
    buttons elsewhere.
    """

    chosen = Signal(int)
    action_requested = Signal(str)  # emitted with the id of an action of the page

    def __init__(self) -> None:
        super().__init__()
        self.buttons: GradeButtons | None = None
        self._in_one_row = False  # whether the grade buttons are in one row
        self._grades_box = QVBoxLayout()
        self.why = named(NoteField(placeholderText=self.tr("Reason (optional)")), self.tr("Reason"))
        actions = ActionList(SHORT_LIST)
        actions.action_requested.connect(self.action_requested)
        self.keys = card(actions)
        self._meter = Meter(self.tr("Adjudicated"))
        self.message = make_label("", "small", name=self.tr("Last action"))
        self.message.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._reserve_lines()
        self._retry_button = make_button(
            self.tr("Try again"),
            "primary",
            clicked=lambda: self.action_requested.emit("save-decision"),
        )
        self._retry_button.hide()
        self._question = make_label(self.tr("Which grade is right?"), "heading")
        self._votes_box = QVBoxLayout()
        self._votes_row, self._reason_layout = row(self._votes_box, spacing=SPACE_M), QVBoxLayout()
        self.grades = card(
            self._question, self._votes_row, self._grades_box, self._reason_layout, spacing=SPACE_M
        )
        self._reason_layout.addWidget(self.why)
        self.progress = column(self._meter, self.message, row(None, self._retry_button))
        progress = card(self.progress)
        size_policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        # these labels must not shrink if the page is low
        for part in (self._meter, self.message):
            part.setSizePolicy(size_policy)
        self._layout = column(self.grades, self.keys, progress, spacing=SPACE_M, stretched=progress)
        self.setLayout(self._layout)
        KEYS.changed.connect(self._show_keys)

    def place_grades_in_panel(self) -> None:
        self._layout.insertWidget(0, self.grades)
        self._reason_layout.addWidget(self.why)
        self.why.setMinimumWidth(0)
        self._arrange_grades(in_one_row=False)

    def move_grades(self, layout: QBoxLayout, votes: QWidget, width: int) -> None:
        """Move the grade buttons to another layout, with the votes above the buttons.

        The buttons are in one row if they fit in `width` pixels.
        """
        self._votes_box.addWidget(votes)
        # if there is space, the field for the reason is beside the votes instead of in a row of its
        # own below the document
        is_beside = width >= scale_length(SIDE_BY_SIDE_WIDTH)
        self.why.setMinimumWidth(scale_length(MIN_REASON_WIDTH) if is_beside else 0)
        (self._votes_row if is_beside else self._reason_layout).addWidget(self.why, int(is_beside))
        layout.addWidget(self.grades)
        buttons = list(self.buttons.buttons.values()) if self.buttons else []
        self._arrange_grades(
            in_one_row=sum(button.sizeHint().width() for button in buttons)
            + scale_length(GRADES_MARGIN)
            <= width
        )

    def _arrange_grades(self, *, in_one_row: bool) -> None:
        self._question.setVisible(self._layout.indexOf(self.grades) >= 0)
        self._in_one_row = in_one_row
        if self.buttons:
            self.buttons.set_row(in_one_row, highest_first=True)

    def set_scale(self, scale: Scale) -> None:
        if self.buttons:
            self._grades_box.removeWidget(self.buttons)
            self.buttons.deleteLater()
        self.buttons = GradeButtons(
            [(grade.value, translate_message(grade.label)) for grade in scale.grades]
        )
        self.buttons.chosen.connect(self.chosen)
        self.buttons.set_row(self._in_one_row, highest_first=True)
        self._grades_box.addWidget(self.buttons)
        previous: QWidget = self
        # the tab order begins at the highest grade, which is at the top
        for button in reversed(self.buttons.buttons.values()):
            QWidget.setTabOrder(previous, button)
            previous = button
        QWidget.setTabOrder(previous, self.why)
        self._show_keys()

    def _show_keys(self) -> None:
        if self.buttons:
            self.buttons.show_keys({grade: grade_key_text(grade) for grade in self.buttons.buttons})

    def show_decision(self, decision: AdjudicatedGrade | None, count: AdjudicationCount) -> None:
        self._meter.show_count(count.adjudicated, count.total)
        self.why.setText(decision.why if decision else "")
        if self.buttons:
            self.buttons.mark_grade(decision.grade if decision else None)

    def show_hint(self, message: str) -> None:
        self._set_message(message, "small")

    def show_ignored(self, message: str) -> None:
        self._set_message("⚠ " + message, "warning")

    def show_problem(self, message: str, *, offers_retry: bool = False) -> None:
        self._set_message("✕ " + message, "error")
        self._retry_button.setVisible(offers_retry)

    def _reserve_lines(self) -> None:
        """Reserve the height of a message, so that the first one does not move the list below."""
        self.message.setMinimumHeight(MESSAGE_LINES * self.message.fontMetrics().lineSpacing())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._reserve_lines()

    def _set_message(self, message: str, style: str) -> None:
        self._retry_button.hide()
        self.message.setText(message)
        set_style(self.message, style)


class VotesPanel(QWidget):
    """Card of the adjudication page that lists the votes on a document, with notes and flags.

    The card is read-only, and also shows the rationales. The names of the assessors can be hidden.
    The widgets `rule_in_use` and `other_rules` show the results of the consensus rules for the
    document. They are placed in the page's `RulePanel`, not on this card; the page may also show
    the widget `strip`, a summary of the votes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.are_names_hidden = False
        self.display_names: dict[str, str] = {}  # displayed names of session participants
        # dispute, scale, and title of the consensus rule in use
        self._displayed_dispute: tuple[Dispute, Scale, str] | None = None
        self._votes_box = column(spacing=SPACE_M)
        self._rule_box, self._other_rules_box = QVBoxLayout(), QVBoxLayout()
        self._agreement_label = make_label("", "small", hidden=True)
        self.rule_in_use = make_container(column(self._rule_box, self._agreement_label))
        self.other_rules = make_container(column(self._other_rules_box))
        self._votes = make_container(column(self._votes_box, None))
        self._area = make_scroll_area(self._votes, "inset", name=self.tr("Votes"))
        self.why = make_label("", "small", name=self.tr("Reason for listing the document"))
        votes_card = card(
            make_label(self.tr("Assessors' judgments"), "heading"), self.why, self._area
        )
        votes_card.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.strip, self._vote_flow = named(QWidget(), self.tr("Summary of the votes")), Flow(())
        self.strip.setLayout(self._vote_flow)
        self.setLayout(column(votes_card))

    def show_dispute(self, dispute: Dispute, scale: Scale, rule: str) -> None:
        self._displayed_dispute = dispute, scale, rule
        self.why.setText(explain_listing(dispute))
        for layout in (self._votes_box, self._vote_flow, self._rule_box, self._other_rules_box):
            clear(layout)
        for index, vote in enumerate(dispute.votes):
            vote_widget = self._make_vote_part(index, vote, scale)
            self._votes_box.addWidget(vote_widget)
            vote_widget.show()  # shown before `_fit`, since the height of a hidden widget is 0
            self._vote_flow.addWidget(
                join_horizontally(
                    make_label(self._get_displayed_name(index, vote), "strong", wrap=False),
                    grade_chip(vote.grade, scale, vote.reason),
                )
            )
        for verdict in dispute.verdicts:
            (self._rule_box if verdict.rule == rule else self._other_rules_box).addWidget(
                _make_rule_part(verdict, scale)
            )
        self._fit()

    def show_agreed(self, count: int) -> None:
        """Show the number of documents on which assessors agree but consensus rules differ.

        Such documents are listed, but not counted as disagreements. If `count` is 0, hide the text.
        """
        template = self.tr(
            "Documents on which the assessors agree but the consensus rules differ: {count} "
            "(not counted as disagreements)."
        )
        show_text(self._agreement_label, filled(template, count=f"{count:,}") if count else "")

    def _fit(self) -> None:
        if layout := self._votes.layout():
            needed_height = max(
                layout.heightForWidth(self._area.viewport().width()), layout.minimumSize().height()
            )
            self._area.setFixedHeight(min(needed_height, scale_length(VOTES_HEIGHT)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def set_names_hidden(self, hidden: bool) -> None:
        self.are_names_hidden = hidden
        if self._displayed_dispute:
            self.show_dispute(*self._displayed_dispute)

    def names(self) -> list[str]:
        votes = self._displayed_dispute[0].votes if self._displayed_dispute else ()
        return [self._get_displayed_name(index, vote) for index, vote in enumerate(votes)]

    def _get_displayed_name(self, index: int, vote: Vote) -> str:
        return (
            filled(self.tr("Assessor {place}"), place=str(index + 1))
            if self.are_names_hidden
            else self.display_names.get(vote.assessor, vote.assessor)
        )

    def _make_vote_part(self, index: int, vote: Vote, scale: Scale) -> QWidget:
        return make_container(
            column(
                row(
                    make_label(self._get_displayed_name(index, vote), "strong"),
                    grade_chip(vote.grade, scale, vote.reason),
                ),
                *([make_label(self.tr("⚑ unsure"), "warning")] if vote.unsure else []),
                *([make_label(vote.note)] if vote.note else []),
                *(make_label(f"“{rationale}”", "quiet") for rationale in vote.rationales),
                spacing=SPACE_XS,
            )
        )


def grade_chip(grade: int, scale: Scale, reason: str = "") -> GradeLabel:
    """Return a coloured label for a grade, or for an unjudgeable document."""
    if grade == UNJUDGEABLE:
        label = translate("Adjudicate", "unjudgeable")
        return GradeLabel("✕", None, f"{label} ({reason_label(reason)})" if reason else label)
    level = scale.values.index(grade) if grade in scale.values else 0
    return GradeLabel(
        str(grade),
        (level, len(scale.values) - 1),
        translate_message(scale.grades[level].label) or str(grade),
    )


def _make_rule_part(verdict: RuleVerdict, scale: Scale) -> QWidget:
    grade = verdict.grade
    if grade == UNJUDGEABLE_WORD:
        chip = grade_chip(UNJUDGEABLE, scale)
    elif grade.isdecimal():
        chip = grade_chip(int(grade), scale)
    else:  # the result is the mean of the grades
        chip = GradeLabel(grade, _find_nearest_level(float(grade), scale.values), grade)
    return make_container(
        column(
            row(make_label(translate_message(verdict.rule)), chip),
            make_label(translate_message(verdict.reason), "small"),
            spacing=SPACE_XS,
        )
    )


def _find_nearest_level(value: float, values: Sequence[int]) -> tuple[int, int]:
    return min(range(len(values)), key=lambda index: abs(values[index] - value)), len(values) - 1


def _no_disputes_state() -> StateMessage:
    return StateMessage(
        translate("Adjudicate", "Nothing to adjudicate"),
        translate(
            "Adjudicate",
            "Documents that assessors judged differently appear here, the most important first.",
        ),
        [
            (translate("Adjudicate", "Agreement"), "agreement"),
            (translate("Adjudicate", "Assign the pool"), "assessors"),
        ],
    )


def all_decided_state(
    count: AdjudicationCount,
    browse: Callable[[], None],
    show_others: Callable[[], None] | None = None,
) -> StateMessage:
    """Return the message shown when all disagreements are adjudicated.

    `show_others` shows documents on which only the consensus rules differ; None if there are none.
    """
    return StateMessage(
        translate("Adjudicate", "All conflicts resolved"),
        filled(
            translate(
                "Adjudicate",
                "The adjudications are saved and used in the consensus. Topic–document pairs: "
                "{total}.",
            ),
            total=f"{count.total:,}",
        ),
        [
            (translate("Adjudicate", "Evaluate the runs"), "evaluate"),
            (translate("Adjudicate", "Export qrels"), "export-qrels"),
            (translate("Adjudicate", "Browse adjudications"), browse),
            *(
                [
                    (
                        translate(
                            "Adjudicate", "Show documents on which only the consensus rules differ"
                        ),
                        show_others,
                    )
                ]
                if show_others
                else []
            ),
        ],
    )


def explain_listing(dispute: Dispute) -> str:
    """Return a sentence that explains why a document is listed."""
    text = _describe_votes([vote.grade for vote in dispute.votes])
    if dispute.is_split:
        return text
    if dispute.weight:
        return filled(translate("Adjudicate", "{text}; the consensus rules differ"), text=text)
    return filled(translate("Adjudicate", "{text}; adjudicated"), text=text)


def _describe_votes(grades: Sequence[int]) -> str:
    """Return a summary of the votes, such as `3 votes: 0 (2×), 3`."""
    if not grades:
        return translate("Adjudicate", "No votes")
    counts = Counter(sorted(grades, key=lambda grade: (grade == UNJUDGEABLE, grade)))
    names = {
        grade: translate("Adjudicate", "unjudgeable") if grade == UNJUDGEABLE else str(grade)
        for grade in counts
    }
    return filled(
        translate("Adjudicate", "1 vote: {listed}")
        if len(grades) == 1
        else translate("Adjudicate", "{count} votes: {listed}"),
        count=str(len(grades)),
        listed=", ".join(
            names[grade] if count == 1 else f"{names[grade]} ({count}×)"
            for grade, count in counts.items()
        ),
    )


def list_columns(
    get_decision: Callable[[Dispute], AdjudicatedGrade | None],
    get_titles: Callable[[Dispute], tuple[str, str]],
) -> list[Column]:
    """Return the columns of the list of disagreements: document title and adjudicated grade.

    The tooltip of the title also contains the topic.
    """

    def format_decision(dispute: Dispute) -> str:
        if (decision := get_decision(dispute)) is None:
            return ""
        return "✕" if decision.grade == UNJUDGEABLE else str(decision.grade)

    return [
        Column(
            translate("Adjudicate", "Document"),
            lambda row: get_titles(row)[1],
            also=lambda row: f"{get_titles(row)[0]} · {row.topic} · {row.document}",
        ),
        Column(
            "",  # empty, since the hidden header would still widen the column
            format_decision,
            number=True,
            help=translate("Adjudicate", "Adjudicated grade"),
        ),
    ]


# The adjudication page

NARROW_WIDTH, MIN_LEFT_WIDTH, RIGHT_WIDTH, DOCUMENT_HEIGHT, LOW_DOCUMENT_HEIGHT, LIST_HEIGHT = (
    980,
    320,
    300,
    220,
    190,
    84,
)
GRADE_COLUMN, GRADE_WIDTH = 1, 40  # index and minimum width of the column of grades


class AdjudicateView(WorkspaceView):
    """Adjudication page: disputed documents, most important first, to be graded by the owner.

    The page also shows a list of the disagreements with a filter, the votes on the document, and a
    selector of the consensus rule. A document can also be postponed or marked as unjudgeable, and
    other documents of the topic can be searched and adjudicated.

    Each decision is saved before the next document is shown.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.queue: tuple[Dispute, ...] = ()
        self._topics: dict[str, Topic] = {}
        self._titles: dict[str, str] = {}
        self._last_request: tuple[object, ...] | None = None
        self._disputes_job = self.latest(on_cancelled=self._cancel_search)
        self._postponed: set[Pair] = set()
        self._reason_drafts: dict[Pair, str] = {}  # typed reasons for documents without a decision
        self.dispute: Dispute | None = None
        self._make_parts()
        self._document_card = card(
            make_container(
                column(self._reading_aids.notice, self.document, self._reading_aids.bar)
            ),
            margin=SPACE_M,
        )
        self._document_card.setSizePolicy(
            QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding
        )
        # the document takes the remaining height
        self.table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.panel.progress.addWidget(FilterLine(self.table))
        self.panel.progress.addWidget(self.table, 1)
        self._left_parts = column(self.votes, self.rule, None, spacing=SPACE_M)
        left_parts = make_container(self._left_parts)
        self._left_area = make_scroll_area(left_parts)
        self._middle_layout = column(
            self._topic_panel, self._document_card, spacing=SPACE_L, stretched=self._document_card
        )
        self._middle = make_container(self._middle_layout)
        for widget in (self._middle, self.panel, left_parts):
            widget.installEventFilter(self)
        self._body = row(
            self._left_area, self._middle, self.panel, spacing=SPACE_L, stretched=self._middle
        )
        self._area = PageScrollArea(self._body)
        self.put_parts(
            make_container(column(self._area, self.keys, spacing=SPACE_M)), self.document
        )
        self.actions_by_id = create_actions(self, self._action_handlers())

    def _action_handlers(self) -> dict[str, ActionHandler]:
        return {
            "cannot-decide": ActionHandler(
                lambda: self._decide(UNJUDGEABLE, self.tr("unjudgeable")), lambda: self.can_decide
            ),
            "put-off": ActionHandler(self.postpone, lambda: self.has_dispute),
            "hide-names": ActionHandler(self.switch_names, lambda: self.has_dispute),
            "search-decision": ActionHandler(self.search, lambda: self.can_search),
            "why": ActionHandler(lambda: self.panel.why.setFocus(), lambda: self.has_dispute),
            "undo-decision": ActionHandler(self.turns.undo, lambda: self.turns.can_undo),
            "redo-decision": ActionHandler(self.turns.redo, lambda: self.turns.can_redo),
            "save-decision": ActionHandler(self.saving.retry, lambda: self.saving.has_failed_saves),
        }

    def _make_parts(self) -> None:
        self.document = DocumentView()
        self.document.rendered.connect(self._on_rendered)
        self._loader = DocumentLoader(self.document)
        self._loader.begun.connect(self._start_reading)
        self._topic_panel, self.panel, self.votes = TopicPanel(), DecisionPanel(), VotesPanel()
        self.rule = RulePanel(
            self.latest(quiet=True), verdict=self.votes.rule_in_use, others=self.votes.other_rules
        )
        self.rule.changed.connect(self._change_rule)
        self._reading_aids = ReadingAids(self.document, self._topic_panel)
        self.panel.chosen.connect(self.give)
        self.keys = KeyStrip(SHORT_LIST)
        for part in (self.panel, self.keys):
            part.action_requested.connect(lambda action: self.actions_by_id[action].trigger())
        for leave in (self.panel.why.left, self.panel.why.returnPressed):
            leave.connect(self.document.setFocus)
        self.turns = PresentationTurns[AdjudicationRecorder, PresentedDocument](
            self.panel,
            self,
            self._settings,
            self._show_item,
            too_soon_message=self.tr("Key ignored: the document had just appeared."),
            retry="save-decision",
        )
        for moved, template, opposite_action in (
            (
                self.turns.undone,
                self.tr("Undid the adjudication of {document}. {key} redoes it."),
                "redo-decision",
            ),
            (
                self.turns.redone,
                self.tr("Redid the adjudication of {document}. {key} undoes it."),
                "undo-decision",
            ),
        ):
            moved.connect(partial(self._on_step, template, opposite_action))
        self.saving = self.turns.saving
        self.list = TableModel(list_columns(self._find_adjudication, self._display_names))
        self.table = Table(self.list, self.tr("Documents to adjudicate"))
        self.table.setSortingEnabled(False)  # the list stays sorted by importance
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.horizontalHeader().hide()
        self.table.horizontalHeader().setMinimumSectionSize(scale_length(GRADE_WIDTH))
        self.table.readable = 0  # long ids may be elided, since the grade must be visible
        self.table.opened.connect(self._open)
        self.table.clicked.connect(lambda index: self._open(index.row()))
        self._make_entry()

    def _make_entry(self) -> None:
        self._entry = GradeEntry(self.turns.ready)
        self._entry.graded.connect(self.give)
        self._entry.unknown.connect(
            lambda grade: self.panel.show_ignored(
                filled(self.tr("Grade {grade} is not on the scale."), grade=str(grade))
            )
        )
        self._entry.begun.connect(
            lambda digit: self.panel.show_hint(
                filled(self.tr("Grade {digit}_: type the second digit."), digit=digit)
            )
        )
        self._entry.user_active.connect(self.turns.active.touch)
        for widget in (self.document.viewport(), self.document):
            widget.installEventFilter(self._entry)

    def _arrange(self) -> None:
        """Arrange the parts in three columns above the keys.

        In a narrow window the votes and grades are directly below the document, so that they are
        visible without scrolling.
        """
        narrow = self.width() < scale_length(NARROW_WIDTH)
        self._topic_panel.arrange("low" if narrow else "tall")
        self._body.setDirection(
            QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        )
        for part in (
            (self._middle, self._left_area, self.panel)
            if narrow
            else (self._left_area, self._middle, self.panel)
        ):
            # moves the widget, which is in the layout already, to the end
            self._body.addWidget(part, int(part is self._middle))
        needed_width = self._left_parts.minimumSize().width() + scale_length(GUTTER_WIDTH)
        left_width = max(scale_length(MIN_LEFT_WIDTH), needed_width)
        for part, width in ((self._left_area, left_width), (self.panel, scale_length(RIGHT_WIDTH))):
            part.setMinimumWidth(0 if narrow else width)
            part.setMaximumWidth(MAX_WIDGET_SIZE if narrow else width)
        if narrow:
            self.panel.move_grades(self._middle_layout, self.votes.strip, self.width())
        else:
            self.panel.place_grades_in_panel()
        self.votes.strip.setVisible(narrow)
        self.keys.setVisible(not narrow)
        self.panel.keys.setVisible(narrow)
        self._fit_middle()
        self.table.setMinimumHeight(scale_length(LIST_HEIGHT))

    def _fit_middle(self) -> None:
        """In a narrow window, make the middle part at least as high as the page."""
        narrow = self.width() < scale_length(NARROW_WIDTH)
        self._document_card.setMinimumHeight(
            scale_length(LOW_DOCUMENT_HEIGHT if narrow else DOCUMENT_HEIGHT)
        )
        # if the middle part does not fit, it becomes higher than the page, so that the page
        # scrolls
        middle_height = max(
            self.height(),
            sum(part.sizeHint().height() for part in (self._topic_panel, self.panel.grades))
            + 2 * SPACE_L
            + self._document_card.minimumHeight(),
        )
        self._middle.setMinimumHeight(middle_height if narrow else 0)
        self._middle.setMaximumHeight(middle_height if narrow else MAX_WIDGET_SIZE)
        # In a narrow window, minimum heights are set explicitly: the layout would make the panel
        # too low because of its wrapped labels, and the left part has no scroll bar of its own.
        for part, needed_height in (
            (self.panel, self.panel.minimumSizeHint().height()),
            (self._left_area, self._left_parts.totalMinimumHeightForWidth(self._left_area.width())),
        ):
            part.setMinimumHeight(needed_height if narrow else 0)

    def eventFilter(self, widget: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit_middle()
        return super().eventFilter(widget, event)

    # Called by the window

    @property
    def prints(self) -> bool:
        return self.has_dispute

    def print_page(self) -> None:
        ask_to_print(self.document, self.message_shown.emit)

    def show_project(self, project: Project | None) -> None:
        if project is not self.project:
            self.panel.show_hint("")
        super().show_project(project)
        self._stop()
        self.turns.begin(AdjudicationRecorder(project) if project and project.writing else None)
        self._topics = {topic.id: topic for topic in project.collection.topics()} if project else {}
        self._last_request, self.queue = None, ()
        self._postponed.clear()
        self._reason_drafts.clear()
        if project:
            self.panel.set_scale(project.scale)
            self.votes.display_names = make_display_names(project)
            self._entry.set_values(project.scale.values)

    def _stop(self) -> None:
        self._keep_typed_reason()
        self._loader.stop()
        self._reading_aids.stop()
        self.turns.begin(self.turns.session)
        self.dispute = None
        self._disputes_job.stop()

    def refresh(self) -> None:
        """Recompute the disagreements if votes, the pool, the threshold or the rule have changed.

        Otherwise show the same document again, in the current theme.
        """
        if (project := self.project) is None:
            return
        if self.turns.session:
            self.turns.session.follow()
        self._arrange()
        options = stored_options(project, self._settings)
        votes: list[tuple[str, object]] = [
            (name, project.events.last_sequence(name))
            for name in list_counted_assessors(project)
            if name != project.owner
        ]
        # adjudications are also events of the owner, but do not change the votes
        if project.owner in list_counted_assessors(project):
            newest_event = get_ledger(project).actions.next_undo
            votes.append((project.owner, newest_event and newest_event.digest))
        self.rule.show_rule(project, options)
        request = (
            tuple(votes),
            project.rankings.pool_version(),
            options.rel,
            read_consensus_method(project),
        )
        if request != self._last_request:
            self._last_request = request
            self._find_disputes(options.rel)
        else:
            self.restyle()

    def _change_rule(self) -> None:
        self._last_request = None
        self.refresh()
        self.changed.emit()

    def restyle(self) -> None:
        self._arrange()
        if self.turns.shown:
            self._show_document(self.turns.shown)

    def _find_disputes(self, rel: int) -> None:
        self._stop()
        self.show_state(
            StateMessage(
                translate("Adjudicate", "Finding disagreements …"),
                translate("Adjudicate", "Comparing the votes on every document."),
            )
        )

        def find(
            project: Project, progress: Progress
        ) -> tuple[tuple[Dispute, ...], dict[str, str]]:
            disputes = find_disputes(project, rel=rel, progress=progress)
            return disputes, project.collection.titles([dispute.document for dispute in disputes])

        self.run_on_project(self._disputes_job, find, self._set_disputes, self._on_failed)

    def _display_names(self, dispute: Dispute) -> tuple[str, str]:
        """Return the titles of a topic and a document; an id replaces a missing title."""
        topic = self._topics.get(dispute.topic)
        return isolate(topic.title if topic and topic.title else dispute.topic), isolate(
            self._titles.get(dispute.document) or dispute.document
        )

    def _set_disputes(self, disputes: tuple[tuple[Dispute, ...], dict[str, str]]) -> None:
        self.queue, self._titles = disputes
        self.votes.show_agreed(
            sum(bool(dispute.weight) and not dispute.is_split for dispute in self.queue)
        )
        self.list.fill(self.queue)
        self._advance()

    def _forget_request(self) -> None:
        self._last_request = None

    def _cancel_search(self) -> None:
        self._forget_request()
        self.show_cancelled()

    def _on_failed(self, error: Exception, trace: str) -> None:
        self._forget_request()
        self.show_state(
            StateMessage(self.tr("Nothing to adjudicate"), translate_message(str(error)))
        )
        if trace:
            self.failed.emit(error, trace)

    # Actions

    @property
    def can_decide(self) -> bool:
        return self.turns.rendered is not None and self.turns.session is not None

    @property
    def has_dispute(self) -> bool:
        return self.dispute is not None

    def give(self, grade: int) -> None:
        self._decide(grade, filled(self.tr("grade {grade}"), grade=str(grade)))

    def postpone(self) -> None:
        if self.dispute:
            self._postponed.add(self.dispute.pair)
            self.panel.show_hint(
                filled(
                    self.tr("Skipped for now: {document}. It will be shown again at the end."),
                    document=self.dispute.document,
                )
            )
            self._advance()

    def switch_names(self) -> None:
        self.votes.set_names_hidden(not self.votes.are_names_hidden)

    @property
    def can_search(self) -> bool:
        return self.has_dispute and self.turns.session is not None

    def search(self) -> None:
        project, dispute, recorder = self.project, self.dispute, self.turns.session
        if project is None or dispute is None or recorder is None:
            return
        topic = self._topics.get(dispute.topic) or Topic(dispute.topic, dispute.topic)
        assigned_pairs = {dispute.pair for dispute in self.queue} | list_pool_pairs(
            project.rankings.pool()
        ).keys()

        def decide(document: str, grade: int) -> None:
            if (document_text := project.collection.document(document)) is not None:
                recorder.decide(
                    topic.id,
                    document_text,
                    grade,
                    source="" if (topic.id, document) in assigned_pairs else "search",
                )

        def get_decision(document: str) -> int | None:
            decision = recorder.decision((topic.id, document))
            return decision.grade if decision else None

        dialog = SearchDialog(
            self,
            project,
            self._settings.cache,
            SearchContext(topic, project.scale, get_decision, decide),
            self.zoom,
        )
        dialog.graded.connect(self._on_search_graded)
        dialog.finished.connect(self.come_back)
        dialog.open()

    def _on_search_graded(self, document: str, grade: int) -> None:
        self.panel.show_hint(
            filled(
                self.tr("Adjudicated: {document}, {decision}. {key} undoes it."),
                document=document,
                decision=filled(self.tr("grade {grade}"), grade=str(grade)),
                key=key_cap_text("undo-decision"),
            )
        )
        self.progressed.emit()
        self._keep_typed_reason()
        self._show_progress()

    # Saving and moving on

    def _decide(self, grade: int, label: str) -> None:
        presentation, recorder = self.turns.rendered, self.turns.session
        if presentation is None or recorder is None:
            return

        def on_saved(_event: Event) -> None:
            self.panel.show_hint(
                filled(
                    self.tr("Adjudicated: {document}, {decision}. {key} undoes it."),
                    document=presentation.document.id,
                    decision=label,
                    key=key_cap_text("undo-decision"),
                )
            )
            self._reason_drafts.pop((presentation.topic.id, presentation.document.id), None)
            self._end_presentation()
            self._advance()

        self.turns.save_action(
            partial(
                recorder.decide,
                presentation.topic.id,
                presentation.document,
                grade,
                reason=self.panel.why.text().strip(),
                active_ms=self.turns.active.stop(),
            ),
            on_saved,
        )

    def _on_step(self, label: str, other: str, event: Event) -> None:
        pair = event.item.topic, event.item.documents[0]
        self.panel.show_hint(filled(label, document=pair[1], key=key_cap_text(other)))
        self._keep_typed_reason()
        self._end_presentation()
        dispute = next((dispute for dispute in self.queue if dispute.pair == pair), None)
        self._show(dispute) if dispute else self._advance()

    def _end_presentation(self) -> None:
        self.turns.clear()
        self.progressed.emit()

    def _undecided_disputes(self) -> list[Dispute]:
        adjudications = self._read_adjudications()
        return [dispute for dispute in self.queue if dispute.pair not in adjudications]

    def _count(self, project: Project) -> AdjudicationCount:
        return count_adjudicated(
            project, [dispute.pair for dispute in self.queue if dispute.is_split]
        )

    def _advance(self) -> None:
        """Show the most important undecided document; postponed documents come last.

        Documents on which only the consensus rules differ are shown on request, after all others.
        """
        undecided = self._undecided_disputes()
        if (self.dispute is None or self.dispute.is_split) and any(
            dispute.is_split for dispute in self.queue
        ):
            undecided = [dispute for dispute in undecided if dispute.is_split]
        unpostponed = [dispute for dispute in undecided if dispute.pair not in self._postponed]
        if not unpostponed:
            self._postponed.clear()
        candidates = [
            dispute for dispute in unpostponed or undecided if dispute is not self.dispute
        ] or undecided
        self._show(candidates[0] if candidates else None)

    # Display

    def _open(self, row_number: int) -> None:
        self._show(self.list.at(self.list.index(row_number, 0)))
        self.document.setFocus()

    def _keep_typed_reason(self) -> None:
        if self.turns.shown and self.dispute:
            self._reason_drafts[self.dispute.pair] = self.panel.why.text()

    def _show(self, dispute: Dispute | None) -> None:
        self._keep_typed_reason()
        self.dispute = dispute
        self.turns.move(lambda: self._present(dispute) if dispute else None)

    def _present(self, dispute: Dispute) -> PresentedDocument | None:
        if self.project is None:
            return None
        if (document := self.project.collection.document(dispute.document)) is None:
            raise ProjectError(
                "Document {document} has no text in this project.", document=dispute.document
            )
        return PresentedDocument(
            self._topics.get(dispute.topic) or Topic(dispute.topic, dispute.topic), document
        )

    def _show_item(self, presentation: PresentedDocument | None) -> None:
        self.turns.show(presentation)
        self._entry.clear()
        project, dispute = self.project, self.dispute
        if project is None:
            return
        if presentation is None or dispute is None:
            undecided, count = self._undecided_disputes(), self._count(project)
            self.adjudicated.emit(count)
            self.show_state(
                all_decided_state(
                    count,
                    lambda: self._show(self.queue[0]),
                    (lambda: self._show(undecided[0])) if undecided else None,
                )
                if self.queue
                else _no_disputes_state()
            )
            return
        self.show_state(None)
        self._topic_panel.show_topic(
            presentation.topic, list(dict.fromkeys(dispute.topic for dispute in self.queue))
        )
        self.votes.show_dispute(
            dispute, project.scale, CONSENSUS_RULES.find(read_consensus_method(project)).title
        )
        self._show_progress()
        self._show_document(presentation)

    def _show_progress(self) -> None:
        if self.dispute and self.project:
            count = self._count(self.project)
            self.panel.show_decision(self._find_adjudication(self.dispute), count)
            self.adjudicated.emit(count)
            if typed_reason := self._reason_drafts.get(self.dispute.pair):
                self.panel.why.setText(typed_reason)
            self.list.refresh()
            adjudications = self._read_adjudications()
            has_grades = any(dispute.pair in adjudications for dispute in self.queue)
            if has_grades == self.table.isColumnHidden(GRADE_COLUMN):
                self.table.setColumnHidden(GRADE_COLUMN, not has_grades)
                self.table.fit()
            self.table.setCurrentIndex(self.list.line_of(self.queue.index(self.dispute)))

    def _show_document(self, presentation: PresentedDocument) -> None:
        self._reading_aids.stop()
        self._loader.show(
            limit_to_shown_fields(self.project, presentation.document)
            if self.project
            else presentation.document,
            self.zoom,
        )
        focused_widget = QApplication.focusWidget()
        if self.isVisible() and (
            focused_widget is None or not self.table.isAncestorOf(focused_widget)
        ):
            self.document.setFocus()
        QTimer.singleShot(0, self, lambda: self._area.verticalScrollBar().setValue(0))

    def _start_reading(self) -> None:
        if self.turns.shown:
            self._reading_aids.begin(self.turns.shown)

    def _on_rendered(self) -> None:
        if self.document.isVisible():
            self.turns.paint()

    def show_state(self, state: StateMessage | None) -> None:
        """Show a message instead of a document, and focus the button of the message."""
        super().show_state(state)
        if self.state_page and self.isVisible():
            QTimer.singleShot(0, self, partial(self._focus_state, self.state_page))

    def _focus_state(self, state_page: StatePage) -> None:
        if state_page is self.state_page:
            state_page.focus()

    def _find_adjudication(self, dispute: Dispute) -> AdjudicatedGrade | None:
        return self._read_adjudications().get(dispute.pair)

    def _read_adjudications(self) -> Mapping[Pair, AdjudicatedGrade]:
        return self.project.compute_cached(read_valid_adjudications) if self.project else {}

    # Qt overrides

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (self.dispute is not None and self._entry.press(event)):
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
