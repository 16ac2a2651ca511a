"""Script that judges in the window without a pause, and acknowledges each judgment on stdout.

A line `topic document grade` is written after the next document was rendered: from then on a user
believes that the judgment is saved.
"""

import sys
from pathlib import Path
from time import sleep

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from irjudge_ui import jobs
from irjudge_ui.app import make_application
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import StatePage
from irjudge_ui.window import Window


def process_events(application: QApplication) -> None:
    """Process events, and let other threads run, which a busy loop would starve."""
    application.processEvents()
    sleep(0.001)


def main(project: Path, settings_file: Path) -> None:
    settings = Settings(settings_file)
    settings.set("guard_ms", 0)
    application = make_application(["irjudge"], settings)
    window = Window(settings)
    window.show()
    window.open(project)
    while jobs.is_busy():
        process_events(application)
    window.show_page("judge")
    view = window.judge
    document = view.findChild(object, "document")
    grade = 0

    def wait_until_rendered() -> bool:
        for _ in range(2000):
            if view.can_judge:
                return True
            if isinstance(view.state_page, StatePage):
                view.state_page.buttons[0].click()  # the end of a topic: continue with the next
            process_events(application)
        return False

    while view.session.count().left and wait_until_rendered():
        work = view.session.current()
        grade = (grade + 1) % 4
        QTest.keyClick(document, Qt.Key(Qt.Key.Key_0 + grade))
        if view.session.count().left and not wait_until_rendered():
            break
        sys.stdout.write(f"{work.topic.id} {work.document.id} {grade}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
