"""Writes into a wheel or source archive which release or commit it was built from; `irjudge --version` reads it."""

import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACES = {"wheel": "irjudge/_shipped/resources/commit.txt", "sdist": "resources/commit.txt"}
# as irjudge.shipped has it
DESCRIBE = ("git", "describe", "--tags", "--match=v[0-9]*", "--always", "--dirty=+", "--abbrev=12")


class CommitHook(BuildHookInterface[Any]):
    """Asks git where there is a checkout; a wheel built from a source archive takes the file that lies there."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the file, but not to an editable installation, which asks git itself."""
        if version == "editable" or not Path(self.root, ".git").exists():
            return
        try:
            commit = subprocess.run(
                DESCRIBE, cwd=self.root, capture_output=True, text=True, check=True
            ).stdout
        except (OSError, subprocess.CalledProcessError):
            return
        self._folder = tempfile.TemporaryDirectory()
        file = Path(self._folder.name, "commit.txt")
        file.write_text(commit, encoding="utf-8")
        build_data["force_include"][str(file)] = PLACES[self.target_name]

    def finalize(self, _version: str, _build_data: dict[str, Any], _artifact_path: str) -> None:
        """Throw the file away once it is packed."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()
