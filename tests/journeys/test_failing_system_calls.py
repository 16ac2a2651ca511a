"""Tests in which one system call fails while files are saved: an error, no loss, a working retry.

A call that writes, syncs, truncates, renames or removes a file is made to fail by strace, one of
them in each run.
"""

import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import pytest

from irjudge.cli.main import main
from irjudge.exchange import TASK_SUFFIX, merge_files
from irjudge.judging import Session
from irjudge.model import make_run
from irjudge.store import PROJECT_SUFFIX, open_project
from tests.engine.exchange.browser_results import open_page
from tests.engine.exchange.classroom import DOCUMENTS, assign_class, build_class, judge_file
from tests.pools import depth_pool

FAULTS = {
    "pwrite64": ("EIO", "ENOSPC", "EINTR"),
    "write": ("EIO", "ENOSPC", "EINTR"),
    "fsync": ("EIO", "ENOSPC", "EINTR", "slow"),
    "fdatasync": ("EIO", "ENOSPC", "EINTR", "slow"),
    "ftruncate": ("EIO", "ENOSPC", "EINTR"),
    "unlink": ("EIO", "EINTR", "EMFILE"),
    "rename": ("EIO", "ENOSPC"),
    "link": ("EIO", "ENOSPC"),
    "openat": ("EMFILE", "EIO"),
}
STRACE = [
    "strace",
    "-f",
    "--seccomp-bpf",
    "-qq",
    "-y",
    "-e",
    f"trace={','.join(f'?{call}' for call in FAULTS)}",
]
IN_FOLDER = Lock()  # the working folder is that of all threads
CALL = re.compile(r"^\d+ +(\w+)\((.*)")
SLOW = "delay_exit=400000"  # microseconds

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed"),
]

JUDGE = """
import sys
from pathlib import Path
from irjudge.errors import CommitFailed, IrjudgeError
from irjudge.exchange.comparison_design import assign_comparison_to_owner
from irjudge.exchange.comparison_design import ComparisonOptions
from irjudge.judging.consensus import AdjudicationRecorder
from irjudge.judging.submission import submit_work
from irjudge.judging.session import Session
from irjudge.judging.side_by_side import ComparisonSession
from irjudge.store.project import open_project

def open_with_retry():
    try:
        return open_project(Path(sys.argv[1]))
    except IrjudgeError as error:
        print(type(error).__name__, error, file=sys.stderr)
        return open_project(Path(sys.argv[1]))


with open_with_retry() as project:
    session, decisions = Session(project), AdjudicationRecorder(project)
    work = session.advance()
    acts = [
        lambda: session.grade(work, 2),
        lambda: session.set_unsure(work, True),
        lambda: session.draft(work, "typ"),
        lambda: session.note(work, "typed"),
        lambda: session.rationale(work, "words", 0, 5),
        session.undo,
        session.redo,
        lambda: session.skip(session.advance()),
        lambda: session.mark_unjudgeable(session.advance(), "spam"),
        lambda: decisions.decide(work.topic.id, work.document, 1, reason="so"),
        lambda: assign_comparison_to_owner(project, ComparisonOptions((("zebrarank", "backwards"),), depth=3, seed=3)),
        lambda: (panels := ComparisonSession(project)).prefer(panels.advance(), "left"),
        lambda: submit_work(session),
    ]
    for act in acts:
        for _ in range(2):
            try:
                act()
            except CommitFailed as error:
                print(type(error).__name__, error, file=sys.stderr)
                continue
            print("saved", project.events.count(), project.events.head(project.owner), flush=True)
            break
        else:
            raise SystemExit("the second try failed as well")
"""


@dataclass(frozen=True, slots=True)
class WriteCase:
    """An operation that writes: the arguments of a command, or None for judging."""

    name: str
    words: tuple[str, ...] | None


CASES = [
    WriteCase("judging", None),
    *(
        WriteCase(each.split()[0] + (f"-{number}" if number else ""), tuple(each.split()))
        for number, each in enumerate(
            (
                "import class.irjudge --topics topics.tsv",
                "import class.irjudge --documents documents.jsonl",
                "import class.irjudge --runs late.run",
                "import class.irjudge --qrels more.qrels",
                "import class.irjudge --judgments labels.csv",
                "remove-run class.irjudge okapifuse",
                "pool class.irjudge --depth 3",
                "assign class.irjudge --assessors dan,eve --overlap 1 -o out",
                "costs class.irjudge --hour 9",
                "merge class.irjudge 2.irtask",
                "merge class.irjudge bob.result.json",
                "exclude class.irjudge ann --reason quick",
                "consensus class.irjudge --method majority --keep",
                "new made.irjudge --topics topics.tsv --documents documents.jsonl",
                "sample everyday -o sample.irjudge",
                "rescue class.irjudge -o rescued.irjudge",
                "qrels class.irjudge -o out.qrels",
                "pool class.irjudge --depth 3 -o out.pool",
                "export class.irjudge --judgments -o out.csv",
                "report class.irjudge -o out.xlsx",
                "report class.irjudge -o out.html",
                "report class.irjudge -o out.tex",
                "figure precision-recall class.irjudge -o out.svg",
            )
        )
    ),
]


@pytest.fixture(scope="module")
def start_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an assigned class, returned files, and files to import."""
    folder = tmp_path_factory.mktemp("start")
    path = folder / "class.irjudge"
    build_class(path)
    for number, file in enumerate(
        each.path for each in assign_class(path, folder / "handed").files
    ):
        if number == 1:
            page = open_page(file)
            for index in range(5):
                page.grade(index, index % 4)
            page.save(folder / "bob.result.json")
        else:
            judge_file(file, lambda _topic, document: len(document) % 4, limit=5)
            shutil.copy(file, folder / f"{number}.irtask")
    shutil.rmtree(folder / "handed")
    with open_project(path) as project:
        merge_files(project, [folder / "0.irtask"])
        backwards = make_run(
            "backwards",
            [("051", f"t051n{number}", float(number)) for number in range(DOCUMENTS + 4)],
        )
        project.rankings.add_run(backwards)
        project.rankings.add_pool(depth_pool([backwards], DOCUMENTS + 4))
        session = Session(project)
        for number in range(6):
            session.grade(session.advance(), number % 4)
        first = next(iter(project.collection.documents())).id
    (folder / "topics.tsv").write_text("77\tseventy-seven\n")
    (folder / "documents.jsonl").write_text(
        "".join(json.dumps({"id": f"n{n}", "text": f"new {n}"}) + "\n" for n in range(20))
    )
    (folder / "late.run").write_text(
        "".join(f"051 Q0 t051n{n} {n + 1} {9 - n} late\n" for n in range(8))
    )
    (folder / "more.qrels").write_text(f"051 0 {first} 2\n")
    (folder / "labels.csv").write_text(f"topic,document,worker,label\n051,{first},zoe,2\n")
    return folder


def run_case(case: WriteCase, folder: Path, *strace: str) -> subprocess.CompletedProcess[str]:
    program = (
        ["-c", JUDGE, "class.irjudge"] if case.words is None else ["-m", "irjudge", *case.words]
    )
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "MPLCONFIGDIR": str(folder.parent / "matplotlib"),
    }
    return subprocess.run(
        [*strace, sys.executable, "-B", *program],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def list_calls(
    case: WriteCase, start_folder: Path, folder: Path
) -> tuple[str, list[tuple[str, int]]]:
    """Return the state after a run without errors, and its calls that touch the folder.

    Each call is given by name and by its ordinal among the calls of that name.
    """
    shutil.copytree(start_folder, folder)
    trace = folder.parent / f"{folder.name}.trace"
    done = run_case(case, folder, *STRACE, "-o", str(trace))
    assert done.returncode == 0, done.stderr
    calls, seen = list[tuple[str, int]](), dict[str, int]()
    for line in trace.read_text(errors="replace").splitlines():
        if match := CALL.match(line):
            call, rest = match.groups()
            seen[call] = seen.get(call, 0) + 1
            relative = call in ("openat", "unlink", "rename", "link") and re.search(r'"(?!/)', rest)
            writes = call != "openat" or "O_CREAT" in rest
            if (str(folder) in rest or (relative and "AT_FDCWD" in rest)) and writes:
                calls.append((call, seen[call]))
    return read_state(folder), calls


def read_state(folder: Path) -> str:
    """Return the project's content without times and random ids."""
    with open_project(folder / "class.irjudge", writing=False) as project:
        rankings, assignments = project.rankings, project.assignments
        held = [
            len(project.collection.topics()),
            sum(1 for _ in project.collection.documents()),
            [run.name for run in rankings.runs()],
            [qrels.name for qrels in rankings.qrels_names()],
            rankings.pool_version(),
            [(each.assessor, each.withdrawn) for each in assignments.all()],
            [(each.name, each.exclusion_reason) for each in assignments.registered_assessors()],
            [each.file for each in assignments.merged_files()],
            project.events.count(),
            len(project.events.waiting()),
            [project.get_setting(name) for name in ("consensus", "prices", "title")],
        ]
    return json.dumps(held, default=str)


def find_problems(
    case: WriteCase, folder: Path, before: str, after: str, done: subprocess.CompletedProcess[str]
) -> Iterator[str]:
    """Yield a description of each problem after a run in which one call failed."""
    if "Traceback" in done.stderr or done.returncode not in (0, 2):
        yield f"exit {done.returncode}: {done.stderr[-600:]}"
    if done.returncode == 2 and not done.stderr.strip():
        yield "it failed without a word"
    yield from (
        problem for path in sorted(folder.rglob("*")) for problem in check_file(path, folder)
    )
    try:
        now = read_state(folder)
    except Exception as error:  # noqa: BLE001 -- any error is reported with its run
        yield f"the class cannot be read: {error}"
        return
    if case.words is None:
        yield from check_judgments(folder, done)
    elif done.returncode == 0 and now != after:
        yield f"said to be done, and {now} is there"
    elif done.returncode == 2 and now not in (before, after):
        yield f"half of it is there: {now}"
    if case.words is not None and now == before and done.returncode == 2:
        yield from retry_case(case, folder, after)


def retry_case(case: WriteCase, folder: Path, after: str) -> Iterator[str]:
    """Run the command again, in this process, and yield what is wrong then."""
    assert case.words is not None
    printed = io.StringIO()
    with IN_FOLDER, chdir(folder), redirect_stdout(printed), redirect_stderr(printed):
        status = main(list(case.words))
    if status != 0 and "already exists" not in printed.getvalue():
        yield f"the next try fails: {printed.getvalue()[-300:]}"
    elif read_state(folder) != after:
        yield f"after the next try there is {read_state(folder)}"


def check_judgments(folder: Path, done: subprocess.CompletedProcess[str]) -> Iterator[str]:
    """Compare the judgments reported as saved with those in the project."""
    saved_lines = [line.split() for line in done.stdout.splitlines() if line.startswith("saved")]
    with open_project(folder / "class.irjudge", writing=False) as project:
        there = {event.digest for event in project.events.read()}
        lost = [head for _, _, head in saved_lines if head not in there]
        if lost or project.events.count() != int(saved_lines[-1][1]):
            yield f"{len(lost)} acknowledged events are lost; {project.events.count()} are there, {saved_lines[-1][1]} were said"
    if len(saved_lines) != 13:
        yield f"{len(saved_lines)} of 13 acts were saved: {done.stderr[-300:]}"


def check_file(path: Path, folder: Path) -> Iterator[str]:
    """Yield the problems of a file that has its final name."""
    if not path.is_file() or path.name.startswith(".") or path.name.endswith((".lock", "-journal")):
        return
    name = path.relative_to(folder)
    if path.suffix in (PROJECT_SUFFIX, TASK_SUFFIX):
        try:
            with open_project(path, writing=False) as project:
                yield from (f"{name}: {problem}" for problem in project.verify().problems)
        except Exception as error:  # noqa: BLE001 -- any error is reported with its run
            yield f"{name} cannot be opened: {error}"
    elif path.suffix == ".xlsx":
        if not zipfile.is_zipfile(path) or zipfile.ZipFile(path).testzip():
            yield f"{name} is half written"
    elif path.suffix in (".html", ".svg"):
        if not path.read_text(errors="replace").rstrip().endswith(">"):
            yield f"{name} is half written"
    elif path.stat().st_size == 0:
        yield f"{name} is empty"


def inject_failures(
    case: WriteCase, start_folder: Path, tmp_path: Path, limit: int | None, chance: random.Random
) -> tuple[int, list[str]]:
    """Let one call after another fail, each in its own run; return number and problems."""
    work = tmp_path / case.name
    work.mkdir()
    after, calls = list_calls(case, start_folder, work / "clean")
    before = read_state(start_folder)
    calls = chance.sample(calls, min(limit, len(calls))) if limit is not None else calls

    def inject(number: int, call: str, when: int) -> list[str]:
        kind = chance.choice(FAULTS[call])
        folder = work / str(number)
        shutil.copytree(start_folder, folder)
        how = SLOW if kind == "slow" else f"error={kind}"
        done = run_case(
            case,
            folder,
            *STRACE,
            "-e",
            f"inject={call}:{how}:when={when}",
            "-o",
            str(work / f"{number}.trace"),
        )
        problems = [
            f"{case.name}, {call} {when}, {kind}: {each}"
            for each in find_problems(case, folder, before, after, done)
        ]
        shutil.rmtree(folder)
        return problems

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(lambda each: inject(each[0], *each[1]), enumerate(calls)))
    return len(calls), [each for some in outcomes for each in some]


@pytest.mark.parametrize(
    "case",
    [CASES[0], *(each for each in CASES if each.name in ("costs-8", "qrels-16"))],
    ids=lambda case: case.name,
)
def test_a_failing_call_loses_nothing_that_was_acknowledged(
    case: WriteCase, start_folder: Path, tmp_path: Path
) -> None:
    count, problems = inject_failures(case, start_folder, tmp_path, 2, random.Random(1))
    assert count == 2 and problems == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_any_failing_call_of_any_operation_loses_nothing(
    case: WriteCase, start_folder: Path, tmp_path: Path, full: bool
) -> None:
    if not full:
        pytest.skip("each of its calls fails once, in a run of its own: --full")
    count, problems = inject_failures(case, start_folder, tmp_path, None, random.Random(2))
    assert problems == [] and count > 0
