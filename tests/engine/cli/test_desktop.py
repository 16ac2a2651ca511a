"""Tests of Linux desktop integration: valid files, installation, and removal."""

import configparser
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from defusedxml import ElementTree

from irjudge.cli import desktop
from irjudge.cli.main import main
from irjudge.errors import IrjudgeError
from irjudge.store.lock_and_journals import APPLICATION_ID
from tests.engine.cli.output import numbers

SPACE = "{http://www.freedesktop.org/standards/shared-mime-info}"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    return tmp_path


def entry(home: Path) -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read(home / "applications" / "irjudge.desktop", encoding="utf-8")
    return parser["Desktop Entry"]


def icons(home: Path, name: str) -> list[str]:
    return sorted(
        path.parent.parent.name for path in (home / "icons" / "hicolor").glob(f"*/apps/{name}.*")
    )


@pytest.mark.slow
def test_the_entry_names_this_installation_its_icon_and_its_file_type(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["desktop"]) == 0
    assert f"Installed 10 files in {home}" in capsys.readouterr().out
    result = entry(home)
    assert result["Exec"] == f"{desktop.make_exec_command()} %f" and result["Type"] == "Application"
    assert result["MimeType"] == "application/x-irjudge;"
    assert icons(home, result["Icon"]) == sorted(
        [*(f"{size}x{size}" for size in desktop.ICON_SIZES), "scalable"]
    )


@pytest.mark.slow
def test_the_file_type_has_a_name_pattern_and_magic_bytes(home: Path) -> None:
    desktop.install_desktop_files(home)
    root = ElementTree.parse(home / "mime" / "packages" / "irjudge.xml").getroot()
    (kind,) = root.findall(f"{SPACE}mime-type")
    assert kind.get("type") == "application/x-irjudge"
    assert [glob.get("pattern") for glob in kind.findall(f"{SPACE}glob")] == [
        "*.irjudge",
        "*.irtask",
    ]
    header = kind.find(f"{SPACE}magic/{SPACE}match")
    inner = header.find(f"{SPACE}match")
    assert (header.get("value"), header.get("offset")) == ("SQLite format 3", "0")
    assert (int(inner.get("value"), 16), inner.get("offset"), inner.get("type")) == (
        APPLICATION_ID,
        "68",
        "big32",
    )
    assert icons(home, kind.find(f"{SPACE}icon").get("name"))


@pytest.mark.slow
@pytest.mark.skipif(
    not shutil.which("desktop-file-validate"), reason="desktop-file-validate is not here"
)
def test_the_entry_is_valid(home: Path) -> None:
    desktop.install_desktop_files(home)
    path = home / "applications" / "irjudge.desktop"
    answer = subprocess.run(
        ["desktop-file-validate", str(path)], capture_output=True, text=True, check=False
    )
    assert (answer.returncode, answer.stdout) == (0, "")


@pytest.mark.slow
@pytest.mark.skipif(
    not shutil.which("update-mime-database"), reason="update-mime-database is not here"
)
def test_the_desktop_registers_the_file_type(home: Path) -> None:
    desktop.install_desktop_files(home)
    assert "application/x-irjudge:*.irtask" in (home / "mime" / "globs").read_text()
    assert b"[80:application/x-irjudge]" in (home / "mime" / "magic").read_bytes()
    desktop.remove_desktop_files(home)
    assert "irjudge" not in (home / "mime" / "globs").read_text()


@pytest.mark.slow
def test_every_icon_has_the_size_it_is_installed_for(home: Path) -> None:
    desktop.install_desktop_files(home)
    for size in desktop.ICON_SIZES:
        data = (home / "icons" / "hicolor" / f"{size}x{size}" / "apps" / "irjudge.png").read_bytes()
        assert data.startswith(b"\x89PNG")
        assert (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")) == (
            size,
            size,
        )


@pytest.mark.slow
def test_uninstalling_removes_only_installed_files(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = home / "applications" / "other.desktop"
    other.parent.mkdir()
    other.write_text("mine")
    files = desktop.install_desktop_files(home)
    assert main(["desktop", "--remove"]) == 0
    assert "Removed 10 files" in capsys.readouterr().out
    assert not any(path.exists() for path in files) and other.read_text() == "mine"
    assert main(["desktop", "--remove"]) == 0
    out = capsys.readouterr().out
    assert str(home) in out and numbers(out.replace(str(home), "")) == []


@pytest.mark.slow
def test_installing_twice_is_installing_once(home: Path) -> None:
    assert desktop.install_desktop_files(home) == desktop.install_desktop_files(home)


def test_a_read_only_folder_is_reported(home: Path) -> None:
    (home / "icons").write_text("a file in the way")
    with pytest.raises(IrjudgeError, match=r"Cannot write .*icons"):
        desktop.install_desktop_files(home)


def test_other_systems_need_no_installation(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert main(["desktop"]) == 0
    assert "for Linux desktops" in capsys.readouterr().out
    assert list(home.iterdir()) == []


def test_the_default_data_folder_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    monkeypatch.setenv("HOME", "/home/ann")
    assert desktop.get_data_folder() == Path("/home/ann/.local/share")
