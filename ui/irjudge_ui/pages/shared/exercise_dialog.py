"""What dialogs of exercises share: a question drawn from the project, what came of an answer, the calculation, and the next one."""

from PySide6.QtWidgets import QWidget

from irjudge_ui.jobs import Latest
from irjudge_ui.pages.shared.view import View
from irjudge_ui.widgets.dialog import Dialog
from irjudge_ui.widgets.layout import button, text


class ExerciseDialog(Dialog):
    """Asks a question drawn beside the window with a seed; `Next exercise` draws with the next one."""

    def __init__(self, page: View, size: tuple[int, int]) -> None:
        super().__init__(page, size)
        self._page, self._seed, self._work = page, 1, Latest()
        self.finished.connect(lambda _result: self._work.stop())
        self._question = text("", "heading")
        self.verdict, self.problem, self.working = text(""), text("", "error"), text("")
        self.reveal, self.next = (
            button(self.tr("Show the calculation")),
            button(self.tr("Next exercise")),
        )
        self.reveal.clicked.connect(self._reveal)
        self.next.clicked.connect(lambda: self.draw(self._seed + 1))

    @property
    def _answered(self) -> tuple[QWidget, ...]:
        """What stands below the answer."""
        return self.verdict, self.problem, self.working

    def draw(self, seed: int) -> None:
        """Draw an exercise, beside the window."""
        raise NotImplementedError

    def _reveal(self) -> None:
        """Show the calculation; the exercise is over."""
        raise NotImplementedError

    def _say(self, verdict: str, problem: str) -> None:
        """Say what came of an answer, and nothing of what was shown before."""
        for part, words in (
            (self.verdict, verdict),
            (self.problem, f"✕ {problem}" if problem else ""),
        ):
            part.setText(words)
            part.setVisible(bool(words))
        self.working.hide()

    def _on_failed(self, fault: Exception, trace: str) -> None:
        self._page.show_fault(fault, trace, self.problem)
