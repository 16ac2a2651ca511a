"""What a person decides about files that may mean two things: the fields for it, and what they say."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Signal
from PySide6.QtWidgets import QFormLayout, QLineEdit, QSizePolicy, QWidget

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes.files import CANDIDATES, SHOWN
from irjudge.formats.collections.topics import TOPIC_IDS
from irjudge.formats.file_preview import PARTS, Decisions, FileKind, columns_of
from irjudge.formats.rankings.engine_responses import parse_paths
from irjudge.formats.rankings.judged_rows import parse_grades
from irjudge.formats.rankings.qrels import NEGATIVES
from irjudge_ui.widgets.fields import ChoiceBox
from irjudge_ui.widgets.layout import text
from irjudge_ui.widgets.theme import SPACE_M, SPACE_S

translate = QCoreApplication.translate

# Which fields each kind of file has.
FIELDS: dict[FileKind, tuple[str, ...]] = {
    "documents": ("columns", "encoding"),
    "topics": ("topic_ids", "columns", "encoding"),
    "runs": ("columns", "paths", "encoding"),
    "qrels": ("grades", "negative", "columns", "encoding"),
    "calibration": ("grades", "negative", "columns", "encoding"),
    "judgments": ("grades", "columns", "encoding"),
}
# Where there are more parts than a field can show.
EXAMPLES: dict[FileKind, tuple[str, ...]] = {"judgments": ("item", "assessor", "grade")}
EXAMPLE = {
    "grades": "1:4, 2:3, 3:2, 4:1, -1:0",
    "paths": "hits=result.items, id=key, score=rank, fields=product",
}
LABELS = {
    "columns": QT_TRANSLATE_NOOP("Decide", "Columns"),
    "paths": QT_TRANSLATE_NOOP("Decide", "Paths"),
    "encoding": QT_TRANSLATE_NOOP("Decide", "Encoding"),
    "topic_ids": QT_TRANSLATE_NOOP("Decide", "Topics are called"),
    "grades": QT_TRANSLATE_NOOP("Decide", "Grades become"),
    "negative": QT_TRANSLATE_NOOP("Decide", "Negative grades are"),
}
ENCODINGS = tuple(SHOWN.get(name, name) for name in ("UTF-8", "UTF-16", *CANDIDATES))
CHOICES: dict[str, tuple[str, ...]] = {
    "topic_ids": TOPIC_IDS,
    "negative": NEGATIVES,
    "encoding": ENCODINGS,
}
UNSAID = QT_TRANSLATE_NOOP("Decide", "as recognised")
MEANINGS = {
    "order": QT_TRANSLATE_NOOP("Decide", "1, 2, 3 … by their order"),
    "given": QT_TRANSLATE_NOOP("Decide", "as in the file"),
    "unjudged": QT_TRANSLATE_NOOP("Decide", "unjudged"),
    "unjudgeable": QT_TRANSLATE_NOOP("Decide", "unjudgeable"),
    "0": QT_TRANSLATE_NOOP("Decide", "grade 0"),
}


class DecidePanel(QWidget):
    """The fields of one kind of file. `decided` comes when what they say is another."""

    decided = Signal()

    def __init__(self, kind: FileKind, title: str, fields: Sequence[str] = ()) -> None:
        super().__init__()
        self.kind, self._names = kind, fields or FIELDS[kind]
        self._before: dict[
            str, str
        ] = {}  # what each field said when it was left last: leaving it says nothing new
        self.choices: dict[str, ChoiceBox] = {}
        self.fields: dict[str, QLineEdit] = {}
        form = QFormLayout(self)
        form.setContentsMargins(0, SPACE_S, 0, 0)
        form.setHorizontalSpacing(SPACE_M)
        form.setVerticalSpacing(SPACE_S)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for name in self._names:
            label = translate("Decide", str(LABELS[name]))
            control = self._choice(name) if name in CHOICES else self._field(name)
            control.setAccessibleName(f"{title}: {label}")
            form.addRow(text(label, "quiet", wrap=False), control)

    def _choice(self, name: str) -> ChoiceBox:
        made = self.choices[name] = ChoiceBox()
        made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        made.addItem(translate("Decide", str(UNSAID)), None)
        for choice in CHOICES[name]:
            made.addItem(
                translate("Decide", str(MEANINGS[choice])) if choice in MEANINGS else choice, choice
            )
        made.activated.connect(self.decided)
        return made

    def _field(self, name: str) -> QLineEdit:
        made = self.fields[name] = QLineEdit()
        parts = ", ".join(f"{part}=…" for part in EXAMPLES.get(self.kind, PARTS[self.kind]))
        made.setPlaceholderText(EXAMPLE.get(name, parts))
        made.editingFinished.connect(lambda: self._tell_new(name))
        return made

    def _tell_new(self, name: str) -> None:
        """Tell of words that were not there when a field was left last."""
        if (said := self.fields[name].text()) != self._before.get(name, ""):
            self._before[name] = said
            self.decided.emit()

    def clear(self) -> None:
        """Forget what was decided, as for other files."""
        self._before.clear()
        for box in self.choices.values():
            box.setCurrentIndex(0)
        for field in self.fields.values():
            field.clear()

    def focus(self, options: Collection[str]) -> None:
        """Put the focus on the first field that decides what was asked."""
        controls: dict[str, QWidget] = {**self.choices, **self.fields}
        first = next((name for name in self._names if name in options), self._names[0])
        controls[first].setFocus()

    def in_its_words(self, sentence: str) -> str:
        """Return a sentence that names options of the command line with the names of the fields in their place."""
        for name in self._names:
            sentence = sentence.replace(
                "--" + name.replace("_", "-"), f'"{translate("Decide", str(LABELS[name]))}"'
            )
        return sentence

    def decisions(self) -> Decisions:
        """Return what the fields say."""
        chosen = {name: box.currentData() for name, box in self.choices.items()}
        grades, paths = (
            self.fields[name].text().strip() if name in self.fields else ""
            for name in ("grades", "paths")
        )
        return Decisions(
            chosen.get("encoding"),
            columns_of(self.kind, self.fields["columns"].text()),
            chosen.get("topic_ids"),
            chosen.get("negative"),
            parse_grades(grades) if grades else None,
            parse_paths(paths) if paths else None,
        )

    def said(self) -> Decisions | str:
        """Return what the fields say, or the sentence about what is wrong in them."""
        try:
            return self.decisions()
        except IrjudgeError as fault:
            return str(fault)
