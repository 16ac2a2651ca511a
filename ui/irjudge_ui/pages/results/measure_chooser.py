"""Dialog in which the user searches the catalogue of measures and selects measures."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from irjudge.errors import IrjudgeError
from irjudge.evaluation import parse_measures
from irjudge.metrics import (
    GROUPS,
    MeasureDeclaration,
    Parameter,
    default_measure_name,
    format_value,
    list_measures,
)
from irjudge.report import KINDS, translate_about, translate_text
from irjudge_ui.messages import filled, translate, translate_message
from irjudge_ui.models import Column, TableModel
from irjudge_ui.widgets import (
    SPACE_M,
    Dialog,
    SideBySide,
    Table,
    card,
    column,
    make_button,
    make_growing,
    make_label,
    make_scroll_area,
    named,
    row,
    scale_length,
    show_text,
    window_locale,
)

DIALOG_SIZE, NARROW_WIDTH, LIST_WIDTH, NAME_WIDTH = (920, 680), 620, 280, 6
# measures listed first, since they are the most common in reports
COMMON_MEASURES = ("AP", "nDCG", "P", "R", "RR", "RBP", "ERR", "Bpref", "Rprec", "Success", "SetF")
MAX_DESCRIBED_MEASURES = 8  # maximum number of measures that are described for a group


@dataclass(frozen=True, slots=True)
class MeasureEntry:
    """Row of the measure catalogue: name, notation, title, and sections of the description.

    The row describes a measure or a group. A group, such as `official`, is a name for several
    measures. `notation` is the text to enter for the measure, and `sections` are pairs of heading
    and text, such as formula and reference.
    """

    name: str
    notation: str
    title: str
    sections: tuple[tuple[str, str], ...]

    def distance(self, query: str) -> int:
        """Return the sort key of the entry for a filter text; the lowest key comes first.

        The key is 0 if the name begins with the query, 1 if name and title together contain all
        words of the query, otherwise 2.
        """
        if self.name.casefold().startswith(query.casefold()):
            return 0
        return 1 if _contains_all_words(query, f"{self.name} {self.title}") else 2

    def matches_filter(self, query: str) -> bool:
        return _contains_all_words(
            query, " ".join((self.name, self.title, *(text for _, text in self.sections)))
        )


def _contains_all_words(query: str, text: str) -> bool:
    return all(word in text.casefold() for word in query.casefold().split())


def list_entries() -> tuple[MeasureEntry, ...]:
    """Return entries for the most common measures, then for all other measures, then for groups."""
    ranks = {name: index for index, name in enumerate(COMMON_MEASURES)}
    measures = sorted(
        list_measures(), key=lambda measure: ranks.get(measure.name, len(COMMON_MEASURES))
    )
    return (*map(_make_measure_entry, measures), *map(_make_group_entry, GROUPS))


def describe_measure(name: str) -> str:
    """Return the definition of a measure or of a group's measures; empty for an invalid name."""
    try:
        return "\n".join(
            translate_message(measure.definition)
            for measure in parse_measures([name])[:MAX_DESCRIBED_MEASURES]
        )
    except IrjudgeError:
        return ""


def _make_group_entry(name: str) -> MeasureEntry:
    return MeasureEntry(
        name,
        name,
        filled(
            translate("MeasureChooser", "Group of {count} measures, defined by trec_eval"),
            count=f"{len(parse_measures([name])):,}",
        ),
        ((translate("MeasureChooser", "Measures"), ", ".join(GROUPS[name])),),
    )


def _make_measure_entry(declaration: MeasureDeclaration) -> MeasureEntry:
    sections = (
        ("", translate_about(declaration, window_locale())),
        (translate("MeasureChooser", "Formula"), translate_message(declaration.formula)),
        (
            translate("MeasureChooser", "Bounds"),
            "{:g} – {:g}".format(*declaration.bounds).replace("inf", "∞"),
        ),
        (
            translate("MeasureChooser", "Parameters"),
            "\n".join(map(_describe_parameter, declaration.parameters)),
        ),
        (translate("MeasureChooser", "Kind"), translate_message(KINDS[declaration.kind])),
        (
            translate("MeasureChooser", "Also called"),
            ", ".join(
                alias.name for alias in declaration.aliases if alias.name != declaration.name
            ),
        ),
        (
            translate("MeasureChooser", "Notes"),
            translate_text(" ".join(declaration.notes.split()), window_locale()),
        ),
        (translate("MeasureChooser", "Reference"), " ".join(declaration.references.split())),
    )
    return MeasureEntry(
        declaration.name,
        default_measure_name(declaration),
        translate_message(declaration.title),
        tuple(section for section in sections if section[1]),
    )


def _describe_parameter(parameter: Parameter) -> str:
    default = (
        ""
        if parameter.required or parameter.default is None
        else f" = {format_value(parameter.default)}"
    )
    return f"{parameter.name}{default}: {translate_text(parameter.allowed_values, window_locale())}"


class MeasureChooser(Dialog):
    """Dialog with a catalogue of measures, their descriptions, a filter, and the selection.

    `chosen` is emitted on acceptance, with the valid names of the selected measures and groups as
    one text, separated by spaces.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget, names: str) -> None:
        super().__init__(parent, DIALOG_SIZE)
        self._entries = list_entries()
        self.filter = named(
            QLineEdit(placeholderText=self.tr("Filter, for example: gain discount")),
            self.tr("Filter"),
        )
        self.list = TableModel(
            [
                Column(self.tr("Name"), lambda entry: entry.name),
                Column(self.tr("Title"), lambda entry: entry.title),
            ]
        )
        self.table = Table(self.list, self.tr("Measures and groups"), stretch=1)
        self.table.setSortingEnabled(False)
        # long titles may be elided, since the full title is shown next to the list
        self.table.readable = NAME_WIDTH
        self.notation, self.names = (
            named(QLineEdit(), self.tr("Name of the measure")),
            named(QLineEdit(names), self.tr("Chosen measures")),
        )
        self._title, self.problem = make_label("", "heading"), make_label("", "error", hidden=True)
        self._description_label = make_label("")
        self._description_label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._description_label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self._lay_out()
        self.filter.textChanged.connect(self._filter)
        self.table.selectionModel().currentChanged.connect(
            lambda _current, _previous: self._describe()
        )
        self.table.opened.connect(lambda _row: self._add_entered())
        self.notation.returnPressed.connect(self._add_entered)
        self._filter("")
        self.filter.installEventFilter(self)
        self.filter.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle arrow keys and Enter in the filter field as if the list had the focus."""
        if (
            watched is self.filter
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
        ):
            if event.key() in (
                Qt.Key.Key_Up,
                Qt.Key.Key_Down,
                Qt.Key.Key_PageUp,
                Qt.Key.Key_PageDown,
            ):
                QApplication.sendEvent(self.table, event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._add_entered()
                return True
        return super().eventFilter(watched, event)

    def _lay_out(self) -> None:
        description_area = make_scroll_area(
            self._description_label, "inset", name=self.tr("About this measure")
        )
        description_area.setMinimumHeight(scale_length(120))
        self.table.setMinimumHeight(scale_length(160))
        self.fill(
            self.tr("Measures"),
            [
                make_growing(
                    SideBySide(
                        column(card(self.filter, self.table, margin=SPACE_M)),
                        column(
                            card(
                                self._title,
                                description_area,
                                row(
                                    self.notation,
                                    make_button(self.tr("Add"), clicked=self._add_entered),
                                ),
                                margin=SPACE_M,
                            )
                        ),
                        NARROW_WIDTH,
                        (1, 1),
                    )
                ),
                self.problem,
                row(
                    make_label(self.tr("Chosen measures"), "quiet", wrap=False),
                    self.names,
                    spacing=SPACE_M,
                ),
            ],
            [
                (self.tr("Cancel"), None),
                (self.tr("Use these measures"), lambda: self.chosen.emit(self.names.text())),
            ],
        )

    def _filter(self, query: str) -> None:
        self.list.fill(
            sorted(
                (entry for entry in self._entries if entry.matches_filter(query)),
                key=lambda entry: entry.distance(query),
            )
        )
        self.table.setCurrentIndex(self.list.index(0, 0))
        self._describe()

    def _describe(self) -> None:
        entry: MeasureEntry | None = self.list.at(self.table.currentIndex())
        self._title.setText(f"{entry.name} · {entry.title}" if entry else "")
        self._description_label.setText(
            "\n\n".join(
                f"{heading}\n{text}" if heading else text
                for heading, text in (entry.sections if entry else ())
            )
        )
        self.notation.setText(entry.notation if entry else "")

    def _add_entered(self) -> None:
        if self._check_measures(self.notation.text()):
            self.names.setText(
                " ".join(dict.fromkeys([*self.names.text().split(), *self.notation.text().split()]))
            )

    def can_accept(self) -> bool:
        return self._check_measures(self.names.text())

    def _check_measures(self, names: str) -> bool:
        problem = ""
        try:
            parse_measures(names.split())
        except IrjudgeError as error:
            problem = "✕ " + translate_message(str(error))
        show_text(self.problem, problem)
        return not problem
