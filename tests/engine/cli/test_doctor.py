"""Tests of `irjudge doctor`: versions, system and project path, but no judgments."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from irjudge import shipped
from irjudge.cli import desktop as doctor
from irjudge.cli.main import main

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def isolated_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRJUDGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(doctor, "has_screen", lambda: False)


def run_doctor(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, str]:
    assert main(["doctor", *arguments, "--format", "json"]) == 0
    return {row["what"]: row["found"] for row in json.loads(capsys.readouterr().out)["values"]}


def test_doctor_reports_release_system_and_libraries(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = run_doctor(capsys)
    assert shipped.release_version() in report["program"] and report["Python"].startswith("3.")
    assert {"numpy", "pyside6-essentials", "psycopg"} <= {
        name.lower() for name in report
    } and "pytest" not in report
    assert "GB free" in report["settings"] and "GB free" in report["temporary files"]
    assert "screens" not in report and {"window", "last error"} <= set(report)


@pytest.mark.slow
def test_the_window_is_checked_in_a_new_process(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr(doctor, "has_screen", lambda: True)
    report = run_doctor(capsys)
    assert (
        report["window"] == "opens on offscreen"
        and "at 1" in report["screens"]
        and "families" in report["fonts"]
    )


def test_a_project_is_described_without_its_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "private-name.irjudge"
    assert main(["sample", "everyday", "-o", str(file)]) == 0
    before = sorted(tmp_path.iterdir()), file.read_bytes()
    capsys.readouterr()
    report = run_doctor(capsys, str(file))
    assert (
        report["project"].endswith("a project")
        and "GB free" in report["its folder"]
        and report["file locks and replacing"] == "work"
    )
    assert "private-name" not in str(report)
    assert (sorted(tmp_path.iterdir()), file.read_bytes()) == before
    assert main(["doctor", str(tmp_path / "gone.irjudge")]) == 2


def test_a_read_only_folder_is_reported(tmp_path: Path) -> None:
    assert os.strerror(errno.ENOENT) in doctor.describe_locking(tmp_path / "gone")


def test_folders_of_the_user_do_not_name_the_user(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert doctor.abbreviate_home(tmp_path / "a" / "b") == str(Path("~", "a", "b"))


def test_a_file_system_is_that_of_the_nearest_mount(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "a b").mkdir()
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"disk / ext4 rw 0 0\nserver:/x {tmp_path}/a\\040b nfs4 rw 0 0\n", encoding="utf-8"
    )
    monkeypatch.setattr(doctor, "MOUNTS_FILE", mounts)
    assert (
        doctor.find_file_system_type(tmp_path / "a b"),
        doctor.find_file_system_type(tmp_path),
    ) == ("nfs4", "ext4")
    monkeypatch.setattr(doctor, "MOUNTS_FILE", tmp_path / "none")
    assert doctor.find_file_system_type(tmp_path) == "unknown file system"


def test_stored_error_reports_are_printed_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--crash"]) == 0
    assert capsys.readouterr().out == "No error was recorded.\n"
    shipped.crash_report_path().parent.mkdir()
    shipped.crash_report_path().write_text("Fatal Python error: Aborted\n", encoding="utf-8")
    assert "irjudge doctor --crash" in run_doctor(capsys)["last error"]
    assert main(["doctor", "--crash"]) == 0
    assert capsys.readouterr().out == "Fatal Python error: Aborted\n"


@pytest.fixture
def clear_version_cache() -> None:
    shipped.release_version.cache_clear()


@pytest.mark.slow
def test_a_checkout_reports_the_git_version(
    clear_version_cache: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    (tmp_path / "resources").mkdir()
    monkeypatch.setattr(shipped, "PACKAGE_FOLDER", tmp_path / "irjudge")
    commit = subprocess.run(
        [*git, "rev-parse", "--short=12", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.endswith(f" ({commit})\n")
    shipped.release_version.cache_clear()
    subprocess.run([*git, "tag", "-a", "v7.0", "-m", "seven"], check=True)
    assert shipped.release_version().endswith(" (v7.0)")
    shipped.release_version.cache_clear()


def test_a_wheel_reports_its_commit(
    clear_version_cache: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resources = tmp_path / "_shipped" / "resources"
    resources.mkdir(parents=True)
    monkeypatch.setattr(shipped, "PACKAGE_FOLDER", tmp_path)
    assert "(" not in shipped.release_version()
    shipped.release_version.cache_clear()
    (resources / "commit.txt").write_text("0123456789ab\n", encoding="utf-8")
    assert shipped.release_version().endswith(" (0123456789ab)")
    shipped.release_version.cache_clear()


@pytest.mark.slow
def test_importing_the_program_does_not_run_git() -> None:
    report = "import subprocess; subprocess.run = subprocess.Popen = None; import irjudge.cli.main, irjudge.shipped"
    assert subprocess.run([sys.executable, "-c", report], check=False).returncode == 0


def test_a_bundle_runs_modules_by_its_hidden_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(Path("/opt/irjudge/irjudge-window")))
    assert shipped.module_command("irjudge_ui.probe") == [
        str(Path("/opt/irjudge/irjudge")),
        shipped.RUN_MODULE,
        "irjudge_ui.probe",
    ]
