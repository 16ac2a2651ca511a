"""The forms in which a report is wanted: a file of any form, or paper."""

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt

from irjudge_ui.messages import plain
from irjudge_ui.widgets.fields import ChoiceBox

PRINT = "print"
# The ending of the file of each form, its name, and what it is for.
FORMS = {
    ".xlsx": (
        QT_TRANSLATE_NOOP("Report", "Excel workbook"),
        QT_TRANSLATE_NOOP("Report", "Every value, with formulas that compute anew."),
    ),
    ".html": (
        QT_TRANSLATE_NOOP("Report", "Web page"),
        QT_TRANSLATE_NOOP("Report", "One file to read and to send, with figures."),
    ),
    ".tex": (
        QT_TRANSLATE_NOOP("Report", "LaTeX"),
        QT_TRANSLATE_NOOP("Report", "Tables for a paper."),
    ),
    ".md": (
        QT_TRANSLATE_NOOP("Report", "Markdown"),
        QT_TRANSLATE_NOOP("Report", "Tables for a repository or a wiki."),
    ),
    ".csv": (
        QT_TRANSLATE_NOOP("Report", "CSV"),
        QT_TRANSLATE_NOOP("Report", "A value a line, for other programs."),
    ),
    ".zip": (
        QT_TRANSLATE_NOOP("Report", "Study"),
        QT_TRANSLATE_NOOP("Report", "Report, qrels and hashes, to be checked and made again."),
    ),
    PRINT: (
        QT_TRANSLATE_NOOP("Report", "Print"),
        QT_TRANSLATE_NOOP("Report", "The tables on paper; those by topic where they have room."),
    ),
}
translate = QCoreApplication.translate


class FormBox(ChoiceBox):
    """Offers the forms of a report, the workbook first; each says what it is for."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Form"))
        for form, (title, about) in FORMS.items():
            self.addItem(translate("Report", str(title)), form)
            self.setItemData(
                self.count() - 1,
                plain(translate("Report", str(about))),
                Qt.ItemDataRole.ToolTipRole,
            )

    @property
    def form(self) -> str:
        """What is chosen: the ending of the file, or `PRINT`."""
        return str(self.currentData())
