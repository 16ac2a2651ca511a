"""Makes a Linux desktop know the program: its entry in the menu, its icon, that project files open with it, and the command for it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from irjudge.cli.shared.streams import tell
from irjudge.errors import IrjudgeError
from irjudge.formats.bytes.atomic_write import replacing, write_whole
from irjudge.message import counted
from irjudge.shipped import module_command, shipped

ELSEWHERE = (
    "This is for Linux desktops; there is nothing to do here. Open a project with `irjudge FILE`."
)


@click.command("desktop")
@click.option("--remove", "taking_out", is_flag=True, help="Take out what was installed.")
def desktop_command(taking_out: bool) -> None:
    """Put irjudge into the menu of a Linux desktop, for this user, and let project files open with it."""
    if not sys.platform.startswith("linux"):
        tell(ELSEWHERE)
        return
    home = data_home()
    if taking_out:
        files = remove(home)
        tell(
            f"Removed {counted(len(files), 'file')} from {home}."
            if files
            else f"There is nothing of irjudge in {home}."
        )
        return
    tell(
        f"Installed {counted(len(install(home)), 'file')} in {home}. `irjudge desktop --remove` takes them out again."
    )


SIZES = (16, 24, 32, 48, 64, 128, 256)
NAME = "irjudge"
WINDOW = "irjudge-window"
EXEC = f"Exec={WINDOW} %f"


def data_home() -> Path:
    """Return the folder in which the desktop looks for what this user installed."""
    given = os.environ.get("XDG_DATA_HOME", "")
    return Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "share"


def places(home: Path) -> dict[Path, Path]:
    """Return the shipped file for each file that is installed below `home`."""
    resources = shipped("resources")
    icons = home / "icons" / "hicolor"
    files = {
        home / "applications" / f"{NAME}.desktop": resources / "desktop" / f"{NAME}.desktop",
        home / "mime" / "packages" / f"{NAME}.xml": resources / "desktop" / f"{NAME}.xml",
        icons / "scalable" / "apps" / f"{NAME}.svg": resources / f"{NAME}.svg",
    }
    return files | {
        icons / f"{size}x{size}" / "apps" / f"{NAME}.png": resources
        / "icons"
        / f"{NAME}-{size}.png"
        for size in SIZES
    }


def install(home: Path) -> list[Path]:
    """Install the entry, the file type and the icons below `home`, and return the files; those of an earlier time are replaced.

    IrjudgeError when a file cannot be written.
    """
    files = places(home)
    try:
        for target, source in files.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.suffix == ".desktop":
                write_whole(
                    target, source.read_text(encoding="utf-8").replace(EXEC, f"Exec={command()} %f")
                )
            else:
                with replacing(target) as part:
                    shutil.copyfile(source, part)
    except OSError as fault:
        raise IrjudgeError(
            "{filename} could not be written ({strerror}).",
            filename=fault.filename or home,
            strerror=fault.strerror or fault,
        ) from fault
    _tell_desktop(home)
    return list(files)


def remove(home: Path) -> list[Path]:
    """Remove what `install` put there and return the files that were found; IrjudgeError when a file cannot be removed."""
    found = [path for path in places(home) if path.exists()]
    try:
        for path in found:
            path.unlink()
    except OSError as fault:
        raise IrjudgeError(
            "{filename} could not be removed ({strerror}).",
            filename=fault.filename or home,
            strerror=fault.strerror or fault,
        ) from fault
    _tell_desktop(home)
    return found


def command() -> str:
    """Return what the menu runs, as the Exec line of an entry writes it: this installation, wherever it lies."""
    script = Path(sys.executable).with_name(WINDOW)
    return _quoted([str(script)] if script.exists() else module_command("irjudge_ui"))


def _quoted(words: Iterable[str]) -> str:
    """Quote words for an Exec line.

    >>> _quoted(["/opt/my tools/irjudge-window"])
    '"/opt/my tools/irjudge-window"'
    >>> _quoted(["/opt/100%/python", "-P", "-m", "irjudge_ui"])
    '"/opt/100%%/python" -P -m irjudge_ui'
    """
    plain = "/-_.+"
    return " ".join(
        word if all(sign.isalnum() or sign in plain for sign in word) else f'"{_escaped(word)}"'
        for word in words
    )


def _escaped(word: str) -> str:
    # A backslash counts twice: once for the value, once for the quotes.
    word = word.replace("\\", "\\\\\\\\").replace("%", "%%")
    for sign in '"`$':
        word = word.replace(sign, "\\\\" + sign)
    return word


def _tell_desktop(home: Path) -> None:
    """Let the desktop read its folders anew; where a tool is missing it does so at the next login."""
    for tool, folder in (
        ("update-mime-database", home / "mime"),
        ("update-desktop-database", home / "applications"),
    ):
        path = shutil.which(tool)
        if path and folder.is_dir():
            subprocess.run([path, str(folder)], capture_output=True, check=False)
