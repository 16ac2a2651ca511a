"""Opens project files: one's own to judge in, others for reading, damaged ones as far as they can be read."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from irjudge.errors import IrjudgeError, ProjectBusy, ProjectDamaged, ProjectReadOnly
from irjudge.store.importing import ImportReport
from irjudge.store.project import ADVICE, SUFFIX, Project, open_project, rescue
from irjudge_ui.actions import BY_ID
from irjudge_ui.engine_words import in_language
from irjudge_ui.language import sentences
from irjudge_ui.settings import Settings
from irjudge_ui.views.dialog import ask


class Opening(QObject):
    """Asks what has to be asked before a project is shown.

    `ready` comes with the project, why it is open for reading only (empty when it is not), and the report of the import that made it.
    `said` comes with what went wrong; `work` with a job: title, function(progress), done(result).
    """

    ready = Signal(object, str, object)
    said = Signal(str)
    work = Signal(str, object, object)

    def __init__(self, parent: QWidget, settings: Settings) -> None:
        super().__init__(parent)
        self._parent, self._settings = parent, settings

    def ask_file(self) -> Path | None:
        """Ask for a project file."""
        name, _ = QFileDialog.getOpenFileName(self._parent, BY_ID["open"].label, "", f"irjudge (*{SUFFIX})")
        return Path(name) if name else None

    def open(self, path: Path, report: ImportReport | None = None) -> bool:
        """Open a project; for reading when another process judges in it. Tell whether it is open now, or was asked about or refused."""
        try:
            project, why = self._opened(path)
        except ProjectDamaged as fault:
            self._ask_damaged(path, str(fault).removesuffix(ADVICE).strip())
            return False
        except IrjudgeError as fault:
            self.said.emit("✕ " + in_language(str(fault)))
            return False
        if project.writing and project.belongs_to and project.belongs_to not in self._settings.names():
            self._ask_whose(project, project.belongs_to, path)
            return False
        self.ready.emit(project, why, report)
        return True

    def _opened(self, path: Path) -> tuple[Project, str]:
        try:
            return open_project(path), ""
        except (ProjectBusy, ProjectReadOnly) as fault:
            return open_project(path, writing=False), in_language(str(fault))

    def _ask_whose(self, project: Project, owner: str, path: Path) -> None:
        """Ask before somebody judges in the name of another."""

        def judge() -> None:
            self._settings.add_name(owner)
            self.ready.emit(project, "", None)

        def read() -> None:
            project.close()
            self.ready.emit(open_project(path, writing=False), self.tr("This file belongs to %1.").replace("%1", owner), None)

        words = self.tr("%1 belongs to %2. Whatever is judged in it counts as theirs.").replace("%1", path.name).replace("%2", owner)
        mine = self.tr("I am %1").replace("%1", owner)
        choices = [(self.tr("Not my file"), project.close), (self.tr("Only read it"), read), (mine, judge)]
        ask(self._parent, self.tr("Is this your file?"), words, choices).rejected.connect(project.close)

    # Damaged files

    def _ask_damaged(self, path: Path, fault: str) -> None:
        """Offer to read what is left, or to save it as a project of its own."""
        advice = self.tr("What can be read can be looked at, or saved as a new project. The damaged file stays as it is.")
        choices = [
            (self.tr("Leave it"), None),
            (self.tr("Only read it"), lambda: self._read(path, fault)),
            (self.tr("Save what can be read"), lambda: self._ask_rescue(path)),
        ]
        ask(self._parent, self.tr("This file is damaged"), f"{in_language(fault)}\n\n{advice}", choices)

    def _read(self, path: Path, fault: str) -> None:
        def done(project: Project) -> None:
            missing = project.damage.sentences if project.damage else []
            self.ready.emit(project, sentences(*map(in_language, [fault, *missing])), None)

        self.work.emit(self.tr("Reading what is left"), lambda progress: open_project(path, writing=False, progress=progress), done)

    def _ask_rescue(self, path: Path) -> None:
        start = str(path.with_name(f"{path.stem}-rescued{SUFFIX}"))
        name, _ = QFileDialog.getSaveFileName(self._parent, self.tr("Save what can be read"), start, f"irjudge (*{SUFFIX})")
        if name:
            self.rescue(path, Path(name))

    def rescue(self, path: Path, target: Path) -> None:
        """Make a sound project of what can be read of a damaged one, open it, and say what is missing."""

        def done(report: Any) -> None:
            if self.open(target):
                missing = list(map(in_language, report.sentences)) or [self.tr("Nothing is missing.")]
                self.said.emit(sentences(self.tr("Saved as %1.").replace("%1", target.name), *missing))

        self.work.emit(self.tr("Saving what can be read"), lambda progress: rescue(path, target, progress), done)
