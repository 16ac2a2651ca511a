"""Script that shows every document of a project in the window, and reports each on stdout.

A line `id characters` is written when all text of a document is loaded and its first part was
rendered.
"""

import sys
from pathlib import Path

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest

from irjudge_ui import jobs
from irjudge_ui.app import make_application
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import DocumentView
from irjudge_ui.window import Window
from irjudge_ui.workspace import DocumentLoader

PATIENCE_MS = 60_000


def main(project: Path, settings_file: Path) -> None:
    settings = Settings(settings_file)
    settings.set("guard_ms", 0)
    application = make_application(["irjudge"], settings)
    window = Window(settings)
    window.show()
    window.open(project)
    while jobs.is_busy():
        QTest.qWait(5)
    window.show_page("judge")
    judge = window.judge
    view = judge.findChild(DocumentView, "document")
    page, loop = DocumentLoader(view), QEventLoop()
    looking = QTimer(loop)
    looking.timeout.connect(lambda: loop.quit() if view.complete and judge.can_judge else None)
    for work in range(judge.session.count().left):
        looking.start(5)
        QTimer.singleShot(PATIENCE_MS, loop, loop.quit)
        loop.exec()
        document = judge.session.current().document
        sys.stdout.write(f"{document.id} {len(view.toPlainText())}\n")
        QTest.keyClick(view, Qt.Key.Key_1)
        application.processEvents()
        shown = QEventLoop()
        view.loaded.connect(shown.quit)
        page.show(document)
        if not view.complete:
            QTimer.singleShot(PATIENCE_MS, shown, shown.quit)
            shown.exec()
        view.grab()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton)
        sys.stdout.write(f"{document.id} {len(view.toPlainText())} {work}\n")
        sys.stdout.flush()
        judge.refresh()
    page.stop()
    window.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
