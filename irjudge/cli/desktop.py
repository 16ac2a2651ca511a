"""The command that makes the desktop know the program."""

import sys

import click

from irjudge.cli.shared.output import tell
from irjudge.counting import counted
from irjudge.desktop import data_home, install, remove

ELSEWHERE = "This is for Linux desktops; there is nothing to do here. Open a project with `irjudge FILE`."


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
        tell(f"Removed {counted(len(files), 'file')} from {home}." if files else f"There is nothing of irjudge in {home}.")
        return
    tell(f"Installed {counted(len(install(home)), 'file')} in {home}. `irjudge desktop --remove` takes them out again.")
