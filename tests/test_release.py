"""Tests of release files: version, commit and file names agree."""

import ast
import re
import runpy
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from irjudge import shipped

ROOT = Path(__file__).parent.parent
PACKAGING = ROOT / ".ci" / "packaging"
SCRIPTS = [ROOT / ".ci" / name for name in ("bundle", "try_bundle", "package", "site")] + [
    PACKAGING / "deb",
    PACKAGING / "macos",
]


def test_the_citation_names_the_version_of_the_package() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "version"
    ]
    assert f"\nversion: {version}\n" in (ROOT / "resources" / "CITATION.cff").read_text(
        encoding="utf-8"
    )
    assert f"\n## {version}\n" in (ROOT / "resources" / "help" / "changes.md").read_text(
        encoding="utf-8"
    )


def test_a_wheel_has_the_version_of_its_checkout() -> None:
    hook = (PACKAGING / "commit_hook.py").read_text(encoding="utf-8")
    asked = re.search(r"^DESCRIBE = (\(.*?\))", hook, re.MULTILINE | re.DOTALL)
    assert asked and ast.literal_eval(asked[1]) == shipped.DESCRIBE_COMMAND


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_executable_shell_scripts(script: Path) -> None:
    assert script.stat().st_mode & 0o111
    assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0


def test_the_menu_entry_that_the_package_rewrites_exists() -> None:
    assert re.search(
        r"^Exec=",
        (ROOT / "resources" / "desktop" / "irjudge.desktop").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    types = (ROOT / "resources" / "desktop" / "irjudge.xml").read_text(encoding="utf-8")
    assert "*.irjudge" in types and "*.irtask" in types


def test_every_file_that_the_workflow_runs_exists() -> None:
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    named = set(re.findall(r"\.ci/[\w/.]+", workflow))
    assert named and [name for name in named if not (ROOT / name).is_file()] == []


@pytest.fixture
def start() -> list[str]:
    return [sys.executable, "-P", str(PACKAGING / "start.py")]


@pytest.mark.slow
def test_a_program_of_a_bundle_runs_only_modules_of_irjudge(start: list[str]) -> None:
    ours = subprocess.run(
        [*start, shipped.RUN_MODULE, "irjudge", "--version"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ours.stdout.startswith("irjudge ") and ours.returncode == 0
    other = subprocess.run(
        [*start, shipped.RUN_MODULE, "this"], capture_output=True, text=True, check=False
    )
    assert other.returncode == 2 and "No such option" in other.stderr


def make_archives(files: list[str], folder: Path) -> list[Path]:
    """Create a wheel and a source archive of empty files."""
    wheel, source = folder / "irjudge-0-py3-none-any.whl", folder / "irjudge-0.tar.gz"
    with zipfile.ZipFile(wheel, "w") as opened:
        for file in files:
            opened.writestr(file.removeprefix("ui/"), "")
    with tarfile.open(source, "w:gz") as archive:
        for file in files:
            archive.addfile(tarfile.TarInfo(f"irjudge-0/{file}"))
    return [wheel, source]


def test_an_archive_without_a_stub_or_a_module_is_detected(tmp_path: Path) -> None:
    check = runpy.run_path(str(PACKAGING / "check_archives.py"))
    files = list(check["package_files"]())
    assert {"irjudge/stats/__init__.pyi", "ui/irjudge_ui/pages/__init__.pyi"} <= {*files}
    for lost in ("irjudge/stats/__init__.pyi", "ui/irjudge_ui/pages/__init__.pyi", files[1]):
        archives = make_archives([file for file in files if file != lost], tmp_path)
        assert [check["missing_files"](each) for each in archives] == [[lost], [lost]]
        assert check["main"]([str(each) for each in archives]) == 1
    assert check["main"]([str(each) for each in make_archives(files, tmp_path)]) == 0
    assert check["main"]([]) == 1
