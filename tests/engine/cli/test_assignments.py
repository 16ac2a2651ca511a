"""Tests of the commands for several assessors: output, exit codes, and errors."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.judging import ComparisonSession
from irjudge.model import (
    DOCUMENT_REASONS,
    PREFERENCE_REASONS,
    Document,
    make_run,
    preference_payload,
)
from irjudge.store import open_project
from irjudge.store.collection import PDF_PREFIX
from tests.engine.cli.output import command_error, find_line, numbers
from tests.engine.exchange.browser_results import FIRST, SECOND, Browser
from tests.engine.exchange.classroom import build_class, change, judge_file
from tests.engine.web.page_parser import read_task
from tests.pdf_files import make_pdf

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    build_class(tmp_path / "p.irjudge")

    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


ASSIGN = ("assign", "p.irjudge", "--assessors", "ann,bob", "--overlap", "2", "-o", "out")


def rows(out: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(out)))


def test_assign_prints_the_written_files(run: Run) -> None:
    code, out, err = run(*ASSIGN, "--gold", "10%", "--repeats", "1", "--format", "csv")
    assert (code, err) == (0, "") and list(rows(out)[0]) == ["assessor", "file", "topics", "items"]
    assert [(row["assessor"], row["topics"], row["items"]) for row in rows(out)] == [
        ("ann", "3", "41"),
        ("bob", "3", "41"),
    ]
    assert {path.as_posix() for path in Path("out").iterdir()} == {row["file"] for row in rows(out)}


def test_browser_files_are_split_and_their_results_merged(run: Run) -> None:
    code, out, err = run(*ASSIGN, "--as", "html", "--split", "2", "--format", "csv")
    assert code == 0 and "Browser files: 4 pages, at most 0." in err
    assert [(row["file"], row["topics"]) for row in rows(out)] == [
        ("out/ann.html", "2"),
        ("out/ann-2.html", "1"),
        ("out/bob.html", "2"),
        ("out/bob-2.html", "1"),
    ]
    for number, name in enumerate(("ann", "ann-2")):
        browser = Browser(read_task(Path(f"out/{name}.html")), (FIRST, SECOND)[number])
        browser.grade(0, 1)
        browser.save(Path(f"out/{name}.result.json"))
    code, out, err = run(
        "merge", "p.irjudge", "out/ann.result.json", "out/ann-2.result.json", "--format", "csv"
    )
    assert (
        code == 0
        and [(row["read"], row["new"]) for row in rows(out)] == [("1", "1"), ("1", "1")]
        and "separate copies" not in err
    )
    code, out, _ = run("status", "p.irjudge", "--show", "files", "--format", "csv")
    assert [row["state"] for row in rows(out)] == ["begun", "begun", "out", "out"]


def give_files(*documents: str) -> None:
    """Add PDF files to documents of the project."""
    with open_project(Path("p.irjudge")) as project:
        for name in documents:
            project.collection.add_documents(
                [
                    Document(
                        f"of-{name}", b"", pdf=b"%PDF pages of " + name.encode() + bytes(200_000)
                    )
                ]
            )
            project.set_setting(
                PDF_PREFIX + name, project.get_setting(f"{PDF_PREFIX}of-{name}") or ""
            )


def test_page_images_are_included_on_request_with_their_size(run: Run) -> None:
    give_files("t007n1", "t9n2")
    code, out, _ = run(*ASSIGN, "--page-images", "--preview")
    assert code == 0 and numbers(find_line(out, "PDF")) == ["2", "0.4"]
    assert not Path("out").exists()
    assert "PDF file" not in run(*ASSIGN, "--preview")[1]
    code, _, err = run(*ASSIGN, "--page-images")
    assert code == 0 and numbers(err)[0] == "2"
    for name in ("ann", "bob"):
        with open_project(Path(f"out/{name}.irtask")) as task:
            assert {
                each for each in task.collection.list_ids() if task.collection.has_pages(each)
            } == {"t007n1", "t9n2"}


@pytest.mark.slow
def test_browser_files_contain_page_images(run: Run) -> None:
    with open_project(Path("p.irjudge")) as project:
        project.collection.add_documents([Document("of-t007n1", b"", pdf=make_pdf(2))])
        project.set_setting(
            PDF_PREFIX + "t007n1", project.get_setting(f"{PDF_PREFIX}of-t007n1") or ""
        )
    code, out, _ = run(*ASSIGN, "--as", "html", "--page-images", "--preview")
    assert code == 0 and numbers(find_line(out, "MB")) == ["1", "0.0"]
    code, _, err = run(*ASSIGN, "--as", "html", "--page-images")
    assert code == 0 and "Browser files: 2 pages" in err and "could not be rendered" not in err
    assert all(path.read_bytes().count(b'id="sheet-') == 1 for path in Path("out").iterdir())


def test_comparisons_of_runs_contain_page_images_too(run: Run) -> None:
    late = [
        (topic, f"t{topic}n{index}", float(index)) for topic in ("051", "007") for index in range(9)
    ]
    with open_project(Path("p.irjudge")) as project:
        project.rankings.add_run(make_run("late", late))
    give_files("t007n1", "t9n2")
    code, _, err = run(
        *ASSIGN, "--mode", "side-by-side", "--depth", "3", "--topic", "007", "--page-images"
    )
    assert code == 0 and "2 files with page images" in err
    with open_project(Path("out/ann.irtask")) as task:
        assert {each for each in task.collection.list_ids() if task.collection.has_pages(each)} == {
            "t007n1"
        }


def test_comparisons_of_lists_are_judged_in_a_browser_and_merged(run: Run) -> None:
    late = [
        (topic, f"t{topic}n{index}", float(index)) for topic in ("051", "007") for index in range(9)
    ]
    with open_project(Path("p.irjudge")) as project:
        project.rankings.add_run(make_run("late", late))
    assert run(*ASSIGN, "--mode", "side-by-side", "--depth", "3", "--as", "html")[0] == 0
    browser = Browser(read_task(Path("out/ann.html")))
    number = next(index for index, item in enumerate(browser.items) if not item["identical"])
    item = browser.items[number]
    browser.act(
        "preference", number, preference_payload("left", sides=item["sides"], sizes=item["sizes"])
    )
    browser.save(Path("out/ann.result.json"))
    code, out, err = run("merge", "p.irjudge", "out/ann.result.json", "--format", "csv")
    assert code == 0 and rows(out)[0]["new"] == "1", err


def test_tasks_only_for_the_window_are_not_written_for_browsers(run: Run) -> None:
    code, _, err = run(
        *ASSIGN,
        "--mode",
        "side-by-side",
        "--choice",
        "top",
        "--top",
        "2",
        "--depth",
        "4",
        "--as",
        "html",
    )
    assert code == 2 and ".irtask" in err and list(Path("out").iterdir()) == []


def test_merge_prints_a_balance_and_fails_when_a_file_cannot_be_used(run: Run) -> None:
    run(*ASSIGN)
    judge_file(Path("out/ann.irtask"), limit=5)
    code, out, err = run("merge", "p.irjudge", "out/ann.irtask", "--format", "json")
    sheet = {
        "file": "ann.irtask",
        "assessor": "ann",
        "read": 5,
        "new": 5,
        "identical": 0,
        "superseded": 0,
        "waiting": 0,
        "rejected": 0,
    }
    assert (code, json.loads(out)["values"]) == (0, [sheet])
    assert err.splitlines()[0].startswith("ann.irtask: ")
    assert [path.name in err.splitlines()[1] for path in Path().glob("p.before-merge-*")] == [True]
    Path("bad.irtask").write_text("x" * 100)
    code, out, err = run("merge", "p.irjudge", "bad.irtask", "out/ann.irtask", "--format", "csv")
    assert code == 2 and [row["identical"] for row in rows(out)] == ["0", "5"]
    assert find_line(err, "bad.irtask", "irjudge: 1 ", "of 2 ") and err.count("bad.irtask") == 2


def test_merge_fails_for_an_unusable_event_but_imports_the_others(
    run: Run,
) -> None:
    run(*ASSIGN)
    judge_file(Path("out/ann.irtask"))
    change(Path("out/ann.irtask"), "UPDATE event SET body = x'00' WHERE sequence = 4")
    code, out, err = run("merge", "p.irjudge", "out/ann.irtask", "--format", "csv")
    assert code == 2 and [
        rows(out)[0][part] for part in ("read", "new", "waiting", "rejected")
    ] == ["36", "3", "32", "1"]
    assert "ann.irtask" in find_line(err, "irjudge: ")
    assert numbers(find_line(err, "--accept-gap")) == ["32"]
    waiting = [
        row["waiting"]
        for row in rows(run("status", "p.irjudge", "--show", "files", "--format", "csv")[1])
    ]
    assert waiting == ["32", "0"]
    code, _, err = run("merge", "p.irjudge", "out/ann.irtask", "--accept-gap", "--format", "csv")
    assert code == 2 and find_line(err, "32 events") and "--accept-gap" not in err
    code, out, _ = run("verify", "p.irjudge")
    assert (code, numbers(out)) == (0, ["35", "48", "1"])


def test_the_receipt_in_the_project_counts_assigned_items(run: Run) -> None:
    run("assign", "p.irjudge", "--assessors", "ann,bob", "-o", "out")
    judge_file(Path("out/ann.irtask"), limit=4)
    run("merge", "p.irjudge", "out/ann.irtask")
    here, there = (
        run("receipt", *arguments)[1].splitlines()
        for arguments in (("p.irjudge", "--assessor", "ann"), ("out/ann.irtask",))
    )
    assert "Judged     4 of 18" in there and [line for line in here if "p.irjudge" not in line] == [
        line for line in there if "ann.irtask" not in line
    ]


def test_an_empty_status_names_the_command_to_run(run: Run, tmp_path: Path) -> None:
    assert "`irjudge assign`" in run("status", "p.irjudge", "--show", "files")[2]
    with open_project(Path("p.irjudge")) as project:
        project.rankings.remove_pool(1)
    assert "`irjudge pool`" in run("status", "p.irjudge")[2]


def test_a_merge_without_new_events_changes_nothing(run: Run) -> None:
    run(*ASSIGN)
    judge_file(Path("out/ann.irtask"), limit=2)
    run("merge", "p.irjudge", "out/ann.irtask")
    before, copies = Path("p.irjudge").read_bytes(), list(Path().glob("p.before-merge-*"))
    code, out, _ = run("merge", "p.irjudge", "out/ann.irtask", "--format", "csv")
    assert code == 0 and [(row["new"], row["identical"]) for row in rows(out)] == [("0", "2")]
    assert Path("p.irjudge").read_bytes() == before
    assert list(Path().glob("p.before-merge-*")) == copies


def test_status_shows_runs_and_their_metadata(run: Run, tmp_path: Path) -> None:
    run_file = tmp_path / "told.run"
    run_file.write_text(
        "# ir_metadata.start\n# actor:\n#   team: x\x1b[2J\n# ir_metadata.end\n1 Q0 d1 1 2.0 told\n",
        encoding="utf-8",
    )
    assert run("import", "p.irjudge", "--runs", str(run_file))[0] == 0
    result = {
        row["run"]: row
        for row in rows(run("status", "p.irjudge", "--show", "runs", "--format", "csv")[1])
    }
    assert result["told"] == {
        "run": "told",
        "file": "told.run",
        "lines": "1",
        "ir_metadata": "actor:\n  team: x\x1b[2J",
    }
    assert result["zebrarank"]["ir_metadata"] == "tag: zebrarank"
    _, out, _ = run("status", "p.irjudge", "--show", "runs")
    assert (
        "\ntold has this metadata (ir_metadata):\n  actor:\n    team: x" in out
        and "\x1b" not in out
    )


def test_status_prints_progress_files_speed_and_a_forecast(run: Run) -> None:
    run(*ASSIGN, "--deadline", "2026-02-01")
    judge_file(Path("out/ann.irtask"), limit=30)
    run("merge", "p.irjudge", "out/ann.irtask")
    progress = rows(run("status", "p.irjudge", "--format", "csv")[1])
    (total,) = [row for row in progress if (row["assessor"], row["topic"]) == ("ann", "all")]
    assert (total["judged"], total["assigned"], total["left"], total["median_seconds"]) == (
        "30",
        "36",
        "6",
        "1.145",
    )
    code, out, err = run("status", "p.irjudge", "--show", "files", "--format", "csv")
    assert [(row["file"], row["state"], row["late"]) for row in rows(out)] == [
        ("ann.irtask", "begun", "yes"),
        ("bob.irtask", "out", "yes"),
    ]
    assert code == 0 and find_line(err, "ann.irtask", "bob.irtask")
    assert len(rows(run("status", "p.irjudge", "--show", "speed", "--format", "csv")[1])) == 4
    plans = rows(
        run(
            "status",
            "p.irjudge",
            "--what-if",
            "depth=3",
            "--what-if",
            "assessors=+1",
            "--format",
            "csv",
        )[1]
    )
    assert [plan["plan"] for plan in plans] == [
        "as it is",
        "depth=3",
        "assessors=+1",
        "depth=3, assessors=+1",
    ]
    lefts = [int(plan["left"]) for plan in plans]
    assert lefts[0] == lefts[2] == 42 > lefts[1] == lefts[3]
    assert list(plans[0]) == [
        "plan",
        "left",
        "hours",
        "low",
        "high",
        "finish",
        "earliest",
        "latest",
    ]


def test_an_assessor_is_excluded_and_included_again(run: Run) -> None:
    run(*ASSIGN)

    def reasons() -> list[tuple[str, str | None]]:
        with open_project(Path("p.irjudge"), writing=False) as project:
            return [
                (person.name, person.exclusion_reason)
                for person in project.assignments.registered_assessors()
            ]

    outputs = []
    for arguments, reason in (
        (("--reason", "guessed"), "guessed"),
        (("--reason", "slept"), "slept"),
        (("--undo",), None),
        (("--undo",), None),
    ):
        code, out, _ = run("exclude", "p.irjudge", "ann", *arguments)
        outputs.append(out)
        assert (code, reasons()) == (0, [("ann", reason), ("bob", None)])
    assert all(line.startswith("ann ") for line in outputs) and len(set(outputs)) == 4
    assert "(guessed)" in outputs[1] and "slept" in outputs[1]


def test_former_names_of_commands_are_accepted(run: Run) -> None:
    run(*ASSIGN)
    assert run("price", "p.irjudge", "--hour", "12")[0] == 0
    assert run("costs", "p.irjudge", "--format", "csv")[1].splitlines()[1].startswith("12")
    assert run("set-aside", "p.irjudge", "ann")[0] == 0
    with open_project(Path("p.irjudge"), writing=False) as project:
        assert project.assignments.registered_assessors()[0].exclusion_reason
    assert run("person", "p.irjudge") == run("participant", "p.irjudge")
    assert "set-aside" not in run("--help")[1]


def test_remaining_work_is_reassigned_with_its_deadline(run: Run) -> None:
    run(*ASSIGN, "--deadline", "2999-02-01")
    code, out, _ = run(
        "assign",
        "p.irjudge",
        "--instead-of",
        "ann",
        "--assessors",
        "dora",
        "-o",
        "rest",
        "--format",
        "csv",
    )
    assert code == 0 and [(row["assessor"], row["items"]) for row in rows(out)] == [("dora", "36")]
    files = rows(run("status", "p.irjudge", "--show", "files", "--format", "csv")[1])
    assert [(row["assessor"], row["deadline"]) for row in files] == [
        (name, "2999-02-01") for name in ("ann", "bob", "dora")
    ]


def test_a_past_deadline_gives_a_warning(run: Run) -> None:
    code, _, err = run(*ASSIGN, "--deadline", "2026-01-01")
    assert code == 0 and err.count("\n") == 1 and "2026-01-01" in err
    assert (
        run(
            "assign",
            "p.irjudge",
            "--instead-of",
            "ann",
            "-o",
            "x",
            "--assessors",
            "dora",
            "--deadline",
            "2999-01-01",
        )[2]
        == ""
    )


def test_a_wrong_round_is_withdrawn_and_assigned_again(run: Run) -> None:
    run(*ASSIGN)
    code, out, err = run("assign", "p.irjudge", "--withdraw-round", "1", "--format", "csv")
    assert (code, [row["file"] for row in rows(out)]) == (0, ["ann.irtask", "bob.irtask"])
    assert numbers(err) == ["2", "1"]
    code, out, _ = run(
        "assign", "p.irjudge", "--assessors", "ann,bob,cleo", "-o", "again", "--format", "csv"
    )
    assert code == 0 and sum(int(row["items"]) for row in rows(out)) == 36
    judge_file(Path("out/ann.irtask"))  # a withdrawn file is returned nevertheless
    assert run("merge", "p.irjudge", "out/ann.irtask")[0] == 0
    progress = {
        row["assessor"]: row
        for row in rows(run("status", "p.irjudge", "--format", "csv")[1])
        if row["topic"] == "all"
    }
    assert (progress["ann"]["judged"], progress["ann"]["assigned"], progress["ann"]["left"]) == (
        "36",
        "36",
        "0",
    )


def test_nothing_is_withdrawn_by_a_preview(run: Run) -> None:
    run(*ASSIGN)
    error = command_error("assign", "p.irjudge", "--withdraw-round", "1", "--preview")
    assert error.values == {"options": "--preview", "other": "--withdraw-round"}
    files = rows(run("status", "p.irjudge", "--show", "files", "--format", "csv")[1])
    assert [row["state"] for row in files] == ["out", "out"]


@pytest.mark.parametrize(
    "arguments", [("--gold", "2"), ("--share", "50"), ("--qualification", "1")]
)
def test_options_of_graded_documents_are_refused_for_comparisons(
    run: Run, arguments: tuple[str, str]
) -> None:
    code, _, err = run(*ASSIGN, "--mode", "side-by-side", *arguments, "--preview")
    assert code == 2 and find_line(err, arguments[0])


def test_a_returned_file_is_not_withdrawn_with_its_round(run: Run) -> None:
    run(*ASSIGN)
    judge_file(Path("out/ann.irtask"), limit=3)
    run("merge", "p.irjudge", "out/ann.irtask")
    code, out, err = run("assign", "p.irjudge", "--withdraw-round", "1", "--format", "csv")
    assert (code, [row["file"] for row in rows(out)]) == (0, ["bob.irtask"])
    assert find_line(err, "ann.irtask")
    for number, key, values in (
        ("1", "nothing-to-withdraw", {"number": "1"}),
        ("2", "no-such-round", {"number": "2", "rounds": "1"}),
    ):
        error = command_error("assign", "p.irjudge", "--withdraw-round", number)
        assert error.key == key and values.items() <= error.values.items()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("assign", "p.irjudge", "-o", "out"), "--assessors"),
        (
            ("assign", "p.irjudge", "--assessors", "ann"),
            "-o FOLDER",
        ),
        (("remove-run", "p.irjudge", "none"), "none"),
        (
            (*ASSIGN, "--overlap", "3"),
            "(2), got 3",
        ),
        ((*ASSIGN, "--gold", "lots"), "'lots'"),
        ((*ASSIGN, "--gold", "1.5"), "'1.5'"),
        ((*ASSIGN, "--deadline", "soon"), "'soon'"),
        ((*ASSIGN, "--mode", "side-by-side", "--run", "one"), "two different runs"),
        ((*ASSIGN, "--must-view"), "--must-view applies only to --mode side-by-side"),
        ((*ASSIGN, "--mode", "side-by-side", "--top", "3"), "--top applies only to --choice top"),
        (("assign", "p.irjudge", "--instead-of", "zoe", "-o", "out"), "zoe"),
        (("merge", "p.irjudge", "p.irjudge"), "p.irjudge"),
        (("status", "p.irjudge", "--what-if", "luck=9"), "'luck=9'"),
        (
            ("status", "p.irjudge", "--what-if", "depth=20"),
            "new assignment",
        ),
        (
            ("status", "p.irjudge", "--what-if", "overlap=3"),
            "new assignment",
        ),
        (("exclude", "p.irjudge", "zoe"), " zoe"),
    ],
)
def test_invalid_options_give_an_error_without_changes(
    run: Run, arguments: tuple[str, ...], message: str
) -> None:
    before = Path("p.irjudge").read_bytes()
    code, out, err = run(*arguments)
    assert (code, out) == (2, "") and message in err and Path("p.irjudge").read_bytes() == before
    assert not Path("out").exists()


def test_comparisons_are_assigned_with_runs_depth_and_rules(run: Run) -> None:
    options = (
        "--mode",
        "side-by-side",
        "--topic",
        "051",
        "--depth",
        "3",
        "--must-view",
        "--reason",
        "clearer",
    )
    code, out, err = run(*ASSIGN, *options, "--format", "csv")
    assert code == 0 and [(row["topics"], row["items"]) for row in rows(out)] == [
        ("1", "1"),
        ("1", "1"),
    ]
    assert numbers(err) == ["1", "1"]
    with open_project(Path("out/ann.irtask")) as task:
        session = ComparisonSession(task)
        assert (session.rules.must_view, session.rules.reasons) == (True, ("clearer",))
        (item,) = task.assignments.items(1)
        assert item.lists == (("t051n0", "t051n1", "t051n2"),) * 2


@pytest.mark.parametrize(
    ("more", "reasons"), [((), PREFERENCE_REASONS), (("--choice", "all"), DOCUMENT_REASONS)]
)
def test_reasons_to_choose_from_refer_to_lists_or_documents(
    run: Run, more: tuple[str, ...], reasons: tuple[str, ...]
) -> None:
    code, _, err = run(*ASSIGN, "--mode", "side-by-side", "--topic", "051", *more)
    assert code == 0, err
    with open_project(Path("out/ann.irtask")) as task:
        assert ComparisonSession(task).rules.reasons == reasons


def test_documents_are_compared_in_pairs_and_their_preferences_printed(run: Run) -> None:
    options = ("--mode", "side-by-side", "--choice", "top", "--top", "2", "--depth", "4")
    assert run("assign", "p.irjudge", "--assessors", "ann", "-o", "out", *options)[0] == 0
    with open_project(Path("out/ann.irtask")) as task:
        session = ComparisonSession(task)
        current = session.current()
        while current is not None:
            session.prefer(
                current, "left" if current.left[0].document < current.right[0].document else "right"
            )
            current = session.advance()
    code, out, _ = run("merge", "p.irjudge", "out/ann.irtask", "--format", "csv")
    assert code == 0 and int(rows(out)[0]["new"]) < 18
    code, out, _ = run("preferences", "p.irjudge", "--part", "strengths", "--format", "csv")
    best = [
        row["first"] for row in rows(out) if row["statistic"] == "copeland" and row["value"] == "2"
    ]
    assert code == 0 and best == ["t007n0", "t051n0", "t9n0"]


def test_status_shows_excluded_assessors_and_reasons(run: Run) -> None:
    run(*ASSIGN)
    assert run("exclude", "p.irjudge", "bob", "--reason", "too fast")[0] == 0
    for table in ("progress", "forecast"):
        assert "bob (too fast)" in run("status", "p.irjudge", "--show", table)[2]
