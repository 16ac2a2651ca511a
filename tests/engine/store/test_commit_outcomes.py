"""Tests of commits that fail at the end: saved, not saved, or unknown after a look at the file."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from irjudge.store import open_project

JUDGE = """
import sys
from pathlib import Path
from irjudge.errors import CommitFailed
from irjudge.judging.session import Session
from irjudge.store.project import open_project

with open_project(Path(sys.argv[1])) as project:
    session = Session(project)
    work = session.advance()
    acts = [lambda: session.grade(work, 0), lambda: session.grade(work, 0), lambda: session.grade(work, 1), session.undo]
    acts.append(lambda: project.set_setting("title", "Other"))
    for act in acts:
        try:
            act()
            print("saved", project.events.count(), project.title)
        except CommitFailed as error:
            print(type(error).__name__, error)
"""
NOT, UNKNOWN = (
    "CommitFailed Not saved:",
    "CommitUnknown Cannot tell whether the last change was saved:",
)
WHY = "the disk reported an input or output error (small.irjudge)."
# The system calls of one commit: the journal, the folder, the journal again, the file, and the
# folder after the journal is deleted.
OF_A_COMMIT, LAST = 5, 5

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed"),
]


def judge_with_faults(path: Path, *faults: str) -> list[str]:
    """Judge in a process whose calls fail as given, and return its output.

    The file is valid afterwards, and contains all judgments reported as saved.
    """
    inject = [part for fault_spec in faults for part in ("-e", f"inject={fault_spec}")]
    command = [
        "strace",
        "-f",
        "-qq",
        "-e",
        "trace=fsync,fdatasync,unlink",
        *inject,
        "-o",
        str(path.with_name("trace")),
    ]
    done = subprocess.run(
        [*command, sys.executable, "-B", "-c", JUDGE, str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    output = done.stdout.splitlines()
    with open_project(path, writing=False) as project:
        assert project.verify().problems == ()
        assert output[-1] == f"saved {project.events.count()} {project.title}"
    return output


def test_a_commit_in_the_file_is_saved_even_if_its_end_failed(
    project_file: Path,
) -> None:
    ends = f"{LAST}+{OF_A_COMMIT}"
    assert judge_with_faults(project_file, f"fdatasync:error=EIO:when={ends}") == [
        *(f"saved {n} Small" for n in (1, 2, 3, 4)),
        "saved 4 Other",
    ]


@pytest.mark.parametrize(
    "fault",
    ["fdatasync:error=EIO:when=4", "fdatasync:error=ENOSPC:when=1", "unlink:error=EIO:when=1"],
)
def test_a_commit_not_in_the_file_is_unsaved_and_can_be_repeated(
    project_file: Path, fault: str
) -> None:
    assert judge_with_faults(project_file, fault) == [
        f"{NOT} {WHY}",
        *(f"saved {n} Small" for n in (1, 2, 3)),
        "saved 3 Other",
    ]


def test_an_unknown_outcome_is_reported_and_a_repetition_is_not_duplicated(
    project_file: Path,
) -> None:
    output = judge_with_faults(
        project_file, f"fdatasync:error=EIO:when={LAST}", "fsync:error=EIO:when=1"
    )
    assert output == [f"{UNKNOWN} {WHY}", *(f"saved {n} Small" for n in (1, 2, 3)), "saved 3 Other"]


def test_changes_other_than_events_are_checked_as_well(project_file: Path) -> None:
    last = 4 * OF_A_COMMIT + LAST
    assert (
        judge_with_faults(project_file, f"fdatasync:error=EIO:when={last}")[-1] == "saved 4 Other"
    )
    trace = project_file.with_name("trace").read_text()
    assert len(re.findall("INJECTED", trace)) == 1
