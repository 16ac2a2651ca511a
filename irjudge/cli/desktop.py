"""Commands open, desktop and doctor, and functions that start the window."""

import json
import locale
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from types import FrameType

import click
import platformdirs
from filelock import FileLock

from irjudge.cli.options import FILE, format_option, show
from irjudge.cli.streams import put, say, tell
from irjudge.errors import IrjudgeError
from irjudge.evaluation import evaluate_runs, parse_measures
from irjudge.formats.bytes import replace_file, write_text_atomically
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.message import format_count
from irjudge.shipped import (
    cache_folder,
    crash_report_path,
    module_command,
    release_version,
    shipped_folder,
)
from irjudge.store import is_project, sample_sources

# Start of the window in a child process

# modules of the window; the engine never imports them, but runs them in a child process
WINDOW_MODULE, PROBE_MODULE = "irjudge_ui", "irjudge_ui.probe"
SCREENLESS_PLATFORMS = ("offscreen", "minimal", "vnc")  # Qt platforms that need no screen
PROBE_TIMEOUT = 60
END_SIGNALS = (signal.SIGTERM, signal.SIGHUP) if os.name == "posix" else ()


def has_screen() -> bool:
    """Return whether there is a screen, or Qt uses a platform that needs no screen."""
    if not sys.platform.startswith("linux"):
        return True
    return (
        any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
        or os.environ.get("QT_QPA_PLATFORM", "") in SCREENLESS_PLATFORMS
    )


def open_window(path: Path | None = None) -> None:
    """Show the window, with a project if `path` is given, and wait until the window is closed.

    If there is no screen, call `show_sample` instead.
    """
    if path is not None and not path.is_file():
        raise IrjudgeError("{path} does not exist.", path=path)
    if path is not None and not is_project(path):
        raise IrjudgeError(
            "{path} is not an irjudge project. To evaluate a run: irjudge evaluate QRELS RUN",
            path=path.name,
        )
    if not has_screen():
        show_sample()
        return
    check_qt()
    exit_code = run_window(
        [*module_command(WINDOW_MODULE), *([str(path.absolute())] if path else [])]
    )
    if exit_code:
        raise IrjudgeError(
            "The irjudge window closed unexpectedly (exit code {code}).", code=exit_code
        )


def run_window(command: Sequence[str]) -> int:
    """Run a command, forward termination signals to its process, and return its exit code."""
    with subprocess.Popen(command) as window:
        try:
            with _forward_signals(window):
                return window.wait()
        except BaseException:
            window.kill()
            raise


@contextmanager
def _forward_signals(window: subprocess.Popen[bytes]) -> Iterator[None]:
    """Forward termination signals to the window's process; raise them again after the block."""
    received_signals: list[int] = []

    def forward_signal(signal_number: int, _frame: FrameType | None) -> None:
        received_signals.append(signal_number)
        window.send_signal(signal_number)

    previous_handlers = {
        end_signal: signal.signal(end_signal, forward_signal) for end_signal in END_SIGNALS
    }
    try:
        yield
    finally:
        for signal_number, handler in previous_handlers.items():
            signal.signal(signal_number, handler)
    for number in received_signals:
        signal.raise_signal(number)


def check_qt(*arguments: str) -> str:
    """Test in a child process whether Qt can start, and return the output of the process.

    Raise IrjudgeError if Qt cannot start, for example because a library is missing.
    """
    try:
        probe = subprocess.run(
            [*module_command(PROBE_MODULE), *arguments],
            capture_output=True,
            text=True,
            timeout=PROBE_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise IrjudgeError(
            "Qt did not respond within {seconds} seconds. Is the X display set in DISPLAY "
            "reachable?",
            seconds=PROBE_TIMEOUT,
        ) from error
    if probe.returncode == 0:
        return probe.stdout
    packages = probe.stdout.split()
    if packages:
        raise IrjudgeError(
            "Qt cannot open a window on this computer: system libraries are missing. Install "
            "them: sudo apt-get install {packages}",
            packages=" ".join(packages),
        )
    lines = probe.stderr.strip().splitlines()
    raise IrjudgeError(
        "Qt cannot open a window on this computer ({reason}).",
        key="no-window",
        reason=lines[-1] if lines else f"code {probe.returncode}",
    )


def show_sample(name: str = "everyday") -> None:
    """Report that there is no screen, and evaluate a sample collection in the terminal."""
    say(
        "There is no screen, so the window cannot open. The sample collection is evaluated in the terminal instead."
    )
    say("`irjudge --help` lists the commands.", "")
    sources, scale = sample_sources(name)
    measures = parse_measures(("AP", "P@5", "nDCG@10", "RR"))
    evaluation = evaluate_runs(
        read_qrels(sources.qrels[0]), map(read_run, sources.runs), measures, highest=scale.highest
    )
    show(
        ("run", *(measure.name for measure in measures)),
        ([run.run, *run.summary.tolist()] for run in evaluation.runs),
        "text",
    )


@click.command("open")
@click.argument("file", type=FILE)
def open_command(file: Path) -> None:
    """Open the project FILE in the window."""
    open_window(file)


# Linux desktop integration: menu entry, icons, and file type of projects

LINUX_ONLY_MESSAGE = "This command is for Linux desktops. Open a project with `irjudge FILE`."


@click.command("desktop")
@click.option(
    "--remove",
    "remove",
    is_flag=True,
    help=("Remove the menu entry, the icons and the file association."),
)
def desktop_command(remove: bool) -> None:
    """Add irjudge to the menu of a Linux desktop for this user, and associate project files with it."""
    if not sys.platform.startswith("linux"):
        tell(LINUX_ONLY_MESSAGE)
        return
    home = get_data_folder()
    if remove:
        files = remove_desktop_files(home)
        tell(
            f"Removed {format_count(len(files), 'file')} from {home}."
            if files
            else f"irjudge is not installed in {home}."
        )
        return
    tell(
        f"Installed {format_count(len(install_desktop_files(home)), 'file')} in {home}. `irjudge desktop --remove` removes them."
    )


ICON_SIZES = (16, 24, 32, 48, 64, 128, 256)
NAME = "irjudge"
WINDOW_SCRIPT = "irjudge-window"
EXEC_LINE = f"Exec={WINDOW_SCRIPT} %f"


def get_data_folder() -> Path:
    """Return the user's data folder, in which desktops look for applications."""
    configured_path = os.environ.get("XDG_DATA_HOME", "")
    return (
        Path(configured_path)
        if Path(configured_path).is_absolute()
        else Path.home() / ".local" / "share"
    )


def list_desktop_files(home: Path) -> dict[Path, Path]:
    """Return the files to install: target path under `home`, and source file of irjudge."""
    resources = shipped_folder("resources")
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
        for size in ICON_SIZES
    }


def install_desktop_files(home: Path) -> list[Path]:
    """Install menu entry, file type and icons under `home`; return the paths of the files.

    Existing files are replaced. Raise IrjudgeError if a file cannot be written.
    """
    files = list_desktop_files(home)
    try:
        for target, source in files.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.suffix == ".desktop":
                write_text_atomically(
                    target,
                    source.read_text(encoding="utf-8").replace(
                        EXEC_LINE, f"Exec={make_exec_command()} %f"
                    ),
                )
            else:
                with replace_file(target) as partial_path:
                    shutil.copyfile(source, partial_path)
    except OSError as error:
        raise IrjudgeError(
            "Cannot write {file} ({reason}).",
            file=error.filename or home,
            reason=error.strerror or error,
        ) from error
    _update_desktop_databases(home)
    return list(files)


def remove_desktop_files(home: Path) -> list[Path]:
    """Remove the installed files under `home`; return the paths of the removed files.

    Raise IrjudgeError if a file cannot be removed.
    """
    existing_files = [path for path in list_desktop_files(home) if path.exists()]
    try:
        for path in existing_files:
            path.unlink()
    except OSError as error:
        raise IrjudgeError(
            "Cannot remove {file} ({reason}).",
            file=error.filename or home,
            reason=error.strerror or error,
        ) from error
    _update_desktop_databases(home)
    return existing_files


def make_exec_command() -> str:
    """Return the command that starts this installation, for the Exec line of the menu entry."""
    script = Path(sys.executable).with_name(WINDOW_SCRIPT)
    return _quote_exec_arguments([str(script)] if script.exists() else module_command("irjudge_ui"))


def _quote_exec_arguments(arguments: Iterable[str]) -> str:
    """Quote arguments for the Exec line of a desktop entry.

    >>> _quote_exec_arguments(["/opt/my tools/irjudge-window"])
    '"/opt/my tools/irjudge-window"'
    >>> _quote_exec_arguments(["/opt/100%/python", "-P", "-m", "irjudge_ui"])
    '"/opt/100%%/python" -P -m irjudge_ui'
    """
    plain_characters = "/-_.+"
    return " ".join(
        word
        if all(character.isalnum() or character in plain_characters for character in word)
        else f'"{_escape_exec_word(word)}"'
        for word in arguments
    )


def _escape_exec_word(word: str) -> str:
    # Each backslash is doubled twice, since both the quoted argument and the line are unescaped.
    word = word.replace("\\", "\\\\\\\\").replace("%", "%%")
    for character in '"`$':
        word = word.replace(character, "\\\\" + character)
    return word


def _update_desktop_databases(home: Path) -> None:
    """Update the desktop's databases of file types and applications if the tools are installed.

    Without the tools, desktops update the databases at the next login.
    """
    for tool, folder in (
        ("update-mime-database", home / "mime"),
        ("update-desktop-database", home / "applications"),
    ):
        path = shutil.which(tool)
        if path and folder.is_dir():
            subprocess.run([path, str(folder)], capture_output=True, check=False)


# Properties of a computer for diagnosing problems; they contain no data of a project

Property = tuple[str, str]
PROPERTIES_OPTION = "--facts"  # option with which the module `PROBE_MODULE` prints properties of Qt
MOUNTS_FILE = Path("/proc/self/mounts")


@click.command("doctor")
@click.argument("file", required=False, type=FILE)
@click.option(
    "--crash",
    is_flag=True,
    help=(
        "Print the latest error reports of the window. Read them before sending: they may "
        "contain file names."
    ),
)
@format_option()
def doctor_command(file: Path | None, crash: bool, output_format: str) -> None:
    """Print the information a maintainer needs about this computer and the folder of the project
    FILE, but none of the project's content."""
    if crash:
        report = crash_report_path()
        if report.is_file():
            put(report.read_text(encoding="utf-8", errors="replace"))
        else:
            tell("No error was recorded.")
        return
    if file is not None and not file.is_file():
        raise IrjudgeError("{name} does not exist.", name=str(file))
    properties = [
        *iter_program_properties(),
        *iter_window_properties(),
        *iter_folder_properties(),
        *(iter_project_properties(file) if file else ()),
    ]
    show(("what", "found"), properties, output_format)


def iter_program_properties() -> Iterator[Property]:
    """Yield the versions of irjudge, Python, the operating system and libraries."""
    installation = (
        "a bundle"
        if getattr(sys, "frozen", False)
        else "an environment"
        if sys.prefix != sys.base_prefix
        else "the system's Python"
    )
    yield "program", f"{release_version()}, in {installation}"
    yield (
        "Python",
        f"{platform.python_version()} ({platform.python_implementation()}, {sys.maxsize.bit_length() + 1} bit)",
    )
    yield "system", f"{platform.platform()}, {os.cpu_count()} processors"
    yield (
        "text",
        f"files {sys.getfilesystemencoding()}, terminal {sys.stdout.encoding}, locale {locale.setlocale(locale.LC_CTYPE)}",
    )
    yield from ((library, get_library_version(library)) for library in list_used_libraries())


def list_used_libraries() -> list[str]:
    """Return the names of the libraries that irjudge and its extras (except `test`) require."""
    with suppress(PackageNotFoundError):
        requirements = (
            requirement
            for requirement in requires("irjudge") or ()
            if "extra == 'test'" not in requirement.replace('"', "'")
        )
        return list(
            dict.fromkeys(
                requirement.split(";")[0].split("[")[0].split(">")[0].split("!")[0].strip()
                for requirement in requirements
            )
        )
    return []


def get_library_version(name: str) -> str:
    """Return the version of an installed library, or `not installed`."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def iter_window_properties() -> Iterator[Property]:
    """Yield properties of Qt or, if no window can open, the reason why."""
    if not has_screen():
        yield "window", "there is no screen"
        return
    try:
        yield from json.loads(check_qt(PROPERTIES_OPTION).rpartition("\n")[2]).items()
    except IrjudgeError as error:
        yield "window", str(error)


def iter_folder_properties() -> Iterator[Property]:
    """Yield properties of the folders that irjudge uses, and the time of the last crash report."""
    paths = {
        "settings": Path(platformdirs.user_config_dir("irjudge", appauthor=False)),
        "copies": cache_folder(),
        "temporary files": Path(tempfile.gettempdir()),
    }
    for name, folder in paths.items():
        yield name, f"{abbreviate_home(folder)}: {describe_folder(folder)}"
    crash_report = crash_report_path()
    if crash_report.is_file() and (state := crash_report.stat()).st_size:
        modified_time = f"{datetime.fromtimestamp(state.st_mtime, UTC):%Y-%m-%d %H:%M} UTC"
        yield "last error", f"{modified_time}; `irjudge doctor --crash` prints it"
    else:
        yield "last error", "none recorded"


def abbreviate_home(path: Path) -> str:
    """Return a path as text, with `~` for the home folder, which hides the user's name."""
    home = Path.home()
    return str(Path("~") / path.relative_to(home)) if path.is_relative_to(home) else str(path)


def describe_folder(folder: Path) -> str:
    """Describe a folder or its nearest existing parent: free space, file system, access."""
    existing_folder = next(ancestor for ancestor in (folder, *folder.parents) if ancestor.exists())
    try:
        free_gigabytes = shutil.disk_usage(existing_folder).free / 1e9
    except OSError as error:
        return error.strerror or str(error)
    return f"{free_gigabytes:.1f} GB free, {find_file_system_type(existing_folder)}" + (
        "" if os.access(existing_folder, os.W_OK) else ", not writable"
    )


def find_file_system_type(path: Path) -> str:
    """Return the type of a path's file system, or `unknown file system`."""
    try:
        lines = [
            line.split()
            for line in MOUNTS_FILE.read_text(encoding="utf-8", errors="replace").splitlines()
        ]
    except OSError:
        return "unknown file system"
    full_path = path.resolve()
    mounts = [
        (len(point), kind)
        for _, point, kind, *_ in lines
        if full_path.is_relative_to(point.replace("\\040", " "))
    ]
    return max(mounts)[1] if mounts else "unknown file system"


def iter_project_properties(file: Path) -> Iterator[Property]:
    """Yield properties of a project file and its folder; omit names and content."""
    yield (
        "project",
        f"{file.stat().st_size / 1e6:,.1f} MB, {'a project' if is_project(file) else 'no project of irjudge'}",
    )
    yield "its folder", describe_folder(file.absolute().parent)
    yield "file locks and replacing", describe_locking(file.absolute().parent)


def describe_locking(folder: Path) -> str:
    """Test whether files in a folder can be locked and replaced; return the result as text.

    The test files are removed.
    """
    try:
        with tempfile.TemporaryDirectory(prefix=".irjudge-doctor-", dir=folder) as test_folder:
            first_path, second_path = Path(test_folder, "first"), Path(test_folder, "second")
            with FileLock(first_path, timeout=1):
                second_path.touch()
            second_path.replace(first_path)
    except (OSError, NotImplementedError) as error:
        return f"do not work: {getattr(error, 'strerror', None) or error}"
    return "work"
