"""A file takes its place when it reads back as what went in, and not before."""

from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.report.checking import NotEqual, compare, write_checked


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def test_a_file_that_reads_back_equal_takes_its_place_under_its_name(tmp_path):
    path, seen = tmp_path / "a.txt", []

    def back(draft: Path) -> int:
        seen.append((draft.name, path.exists()))
        return compare(draft, "lines", ["x", "y"], lines(draft))

    assert write_checked(path, lambda draft: draft.write_text("x\ny\n"), back) == 2
    assert lines(path) == ["x", "y"] and seen == [("a.txt", False)] and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        ("x\n", "2 lines went in and 1 came back; the first that differs is number 2"),
        ("x\ny\nz", "2 lines went in and 3 .* number 3"),
        ("x\nz", "2 lines went in and 2 came back; .* number 2"),
    ],
)
def test_one_that_does_not_leaves_the_earlier_file_as_it_was(tmp_path, written, numbers):
    path = tmp_path / "a.txt"
    path.write_text("before")
    with pytest.raises(NotEqual, match=f"a.txt was not written: read back, it is not what was to be written. {numbers}"):
        write_checked(path, lambda draft: draft.write_text(written), lambda draft: compare(draft, "lines", ["x", "y"], lines(draft)))
    assert path.read_text() == "before" and list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_said_before_the_work(tmp_path):
    with pytest.raises(IrjudgeError, match="does not exist"):
        write_checked(tmp_path / "no" / "a.txt", lambda draft: pytest.fail("written"), lambda draft: 0)
