"""The forms in which a report is wanted: a file of any form, or paper."""

import re

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QSizeF, Qt
from PySide6.QtGui import QPageLayout, QTextDocument, QTextOption
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QWidget

from irjudge_ui.widgets.fields import ChoiceBox
from irjudge_ui.words import plain

PRINT = "print"
ACROSS = 1000  # pixels of a line on paper that lies across, where nothing is wider
MOST = 1300  # letters are of 7 points then
FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)
STYLED = re.compile(r"<style>.*?</style>", re.DOTALL)  # the page's looks are for browsers
ON_PAPER = "td, th { padding: 1px 7px; text-align: left; } .n { text-align: right; } .best { font-weight: bold; }"
# The ending of the file of each form, its name, and what it is for.
FORMS = {
    ".xlsx": (QT_TRANSLATE_NOOP("Report", "Excel workbook"), QT_TRANSLATE_NOOP("Report", "Every value, with formulas that compute anew.")),
    ".html": (QT_TRANSLATE_NOOP("Report", "Web page"), QT_TRANSLATE_NOOP("Report", "One file to read and to send, with figures.")),
    ".tex": (QT_TRANSLATE_NOOP("Report", "LaTeX"), QT_TRANSLATE_NOOP("Report", "Tables for a paper.")),
    ".md": (QT_TRANSLATE_NOOP("Report", "Markdown"), QT_TRANSLATE_NOOP("Report", "Tables for a repository or a wiki.")),
    ".csv": (QT_TRANSLATE_NOOP("Report", "CSV"), QT_TRANSLATE_NOOP("Report", "A value a line, for other programs.")),
    ".zip": (QT_TRANSLATE_NOOP("Report", "Study"), QT_TRANSLATE_NOOP("Report", "Report, qrels and hashes, to be checked and made again.")),
    PRINT: (QT_TRANSLATE_NOOP("Report", "Print"), QT_TRANSLATE_NOOP("Report", "The tables on paper; those by topic where they have room.")),
}
translate = QCoreApplication.translate


class FormBox(ChoiceBox):
    """Offers the forms of a report, the workbook first; each says what it is for."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Form"))
        for form, (title, about) in FORMS.items():
            self.addItem(translate("Report", str(title)), form)
            self.setItemData(self.count() - 1, plain(translate("Report", str(about))), Qt.ItemDataRole.ToolTipRole)

    @property
    def form(self) -> str:
        """What is chosen: the ending of the file, or `PRINT`."""
        return str(self.currentData())


def print_page(parent: QWidget, page: str) -> None:
    """Ask for a printer and print a page of HTML."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    dialog = QPrintDialog(printer, parent)
    dialog.accepted.connect(lambda: print_on(printer, page))
    dialog.finished.connect(dialog.deleteLater)
    dialog.setModal(True)
    dialog.show()


def print_on(printer: QPrinter, page: str) -> None:
    """Print a page of HTML, black on white and across, as small as it must be for no word or number to be broken.

    Tables in which something is looked up are left out where they would make all others too small to read.
    """
    document, whole_words = QTextDocument(), QTextOption()
    whole_words.setWrapMode(QTextOption.WrapMode.WordWrap)
    document.setDefaultTextOption(whole_words)
    document.setDefaultStyleSheet(ON_PAPER)
    plain_page = STYLED.sub("", page)
    for shown in (plain_page, FOLDED.sub("", plain_page)):
        document.setHtml(shown)
        document.setTextWidth(ACROSS)
        width = document.size().width()
        if width <= MOST:
            break
    printer.setPageOrientation(QPageLayout.Orientation.Landscape)
    paper = printer.pageLayout().paintRect(QPageLayout.Unit.Point)
    document.setPageSize(QSizeF(width, width * paper.height() / paper.width()))
    document.print_(printer)
