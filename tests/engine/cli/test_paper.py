"""Tests of the command for paper: printing booklets, and entering results."""

from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.exchange import read_pages
from irjudge.judging import list_grades_in_force
from irjudge.store import open_project
from tests.engine.cli.output import command_error, find_line, keys_of, numbers


def call(
    capsys: pytest.CaptureFixture[str], *arguments: str | Path, code: int = 0
) -> tuple[str, str]:
    assert main(["paper", *map(str, arguments)]) == code
    out, err = capsys.readouterr()
    return out, err


def test_a_booklet_is_written_and_its_results_are_entered(
    project_file: Path, tmp_path: Path, capsys
) -> None:
    out, _ = call(capsys, project_file, "-o", tmp_path / "b.html", "--assessor", "bob")
    assert numbers(find_line(out, "b.html: ")) == ["12", "2", "0013", "0021"]
    assert "Judgments of bob" in (tmp_path / "b.html").read_text(encoding="utf-8")
    with open_project(project_file, writing=False) as project:
        lines = [
            f"{code} {'12x-30'[: len(page.documents)]}"
            for code, page in read_pages(project).items()
        ]
    entries = tmp_path / "ticked.txt"
    entries.write_text("\n".join(lines), encoding="utf-8")
    for counts in (["10", "0", "2"], ["0", "10", "2"]):  # entered, known already, left empty
        assert (
            numbers(find_line(call(capsys, project_file, "--enter", entries)[0], "bob: ")) == counts
        )
    with open_project(project_file, writing=False) as project:
        assert len(list_grades_in_force(project, "bob")) == 10 and not list_grades_in_force(
            project, "ann"
        )


def test_an_invalid_line_is_reported_and_nothing_is_entered(
    project_file: Path, tmp_path: Path, capsys
) -> None:
    call(capsys, project_file, "-o", tmp_path / "b.html")
    entries = tmp_path / "ticked.txt"
    entries.write_text("0013 000000\n0012 000000\n", encoding="utf-8")
    _, err = call(capsys, project_file, "--enter", entries, code=2)
    assert find_line(err, "ticked.txt, line 2: There is no part 0012")
    assert "wrong-digit" in keys_of(
        command_error("paper", project_file, "--enter", entries).message
    )
    with open_project(project_file, writing=False) as project:
        assert project.events.count() == 0


def test_booklets_can_be_chinese_and_an_unknown_language_is_refused(
    project_file: Path, tmp_path: Path, capsys
) -> None:
    call(capsys, project_file, "-o", tmp_path / "b.html", "--language", "zh_CN")
    assert "无法判断" in (tmp_path / "b.html").read_text(encoding="utf-8")
    assert (
        "en, zh_CN"
        in call(capsys, project_file, "-o", tmp_path / "c.html", "--language", "fr", code=2)[1]
    )


@pytest.mark.parametrize("both", [False, True])
def test_writing_and_entering_exclude_each_other(
    project_file: Path, tmp_path: Path, capsys, both: bool
) -> None:
    arguments = ["-o", tmp_path / "b.html", "--enter", project_file] if both else []
    assert "-o BOOKLET.html" in call(capsys, project_file, *arguments, code=2)[1]
