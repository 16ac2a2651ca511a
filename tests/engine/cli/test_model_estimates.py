"""Tests of a judge plan: creation, blind judging, and estimates with intervals."""

import csv
import io
import math
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.store import open_project
from tests.engine.cli.output import command_error, find_line, numbers

TOPICS, DOCUMENTS = 8, 30


def grade(topic: int, at: int) -> int:
    return (7 * at + topic) % 4 if (at + topic) % 3 else 0


@pytest.fixture
def project(tmp_path: Path) -> Path:
    pairs = [(topic, at) for topic in range(TOPICS) for at in range(DOCUMENTS)]
    for name, sign in (("up", 1), ("down", -1), ("odd", 7)):
        lines = (f"t{topic} Q0 d{topic}-{at} 0 {(sign * at) % 31} x\n" for topic, at in pairs)
        (tmp_path / f"{name}.run").write_text("".join(lines))
    (tmp_path / "topics.tsv").write_text(
        "".join(f"t{topic}\ttopic {topic}\n" for topic in range(TOPICS))
    )
    (tmp_path / "docs.csv").write_text(
        "id,text\n" + "".join(f"d{topic}-{at},text {topic} {at}\n" for topic, at in pairs)
    )
    (tmp_path / "model.txt").write_text(
        "".join(
            f"t{topic} 0 d{topic}-{at} {min(3, grade(topic, at) + (at % 5 == 0))}\n"
            for topic, at in pairs
        )
    )
    path = tmp_path / "p.irjudge"
    runs = [str(tmp_path / f"{name}.run") for name in ("up", "down", "odd")]
    assert (
        main(
            [
                "new",
                str(path),
                "--topics",
                str(tmp_path / "topics.tsv"),
                "--documents",
                str(tmp_path / "docs.csv"),
                "--runs",
                *runs,
            ]
        )
        == 0
    )
    assert (
        main(
            [
                "import",
                str(path),
                "--judgments",
                str(tmp_path / "model.txt"),
                "--as",
                "model",
                "m-1",
            ]
        )
        == 0
    )
    return path


def judge(path: Path, limit: int | None = None) -> int:
    """Let an assessor judge the sample through an imported table; return the number."""
    with open_project(path, writing=False) as opened:
        pool = opened.rankings.pool()
        assert pool is not None
        sampled = list(
            zip(
                [pool.topics[code] for code in pool.topic.tolist()],
                pool.document.to_pylist(),
                strict=True,
            )
        )[:limit]
    rows = [
        f"{topic},{document},ann,{grade(int(topic[1:]), int(document.split('-')[1]))}\n"
        for topic, document in sampled
    ]
    (path.parent / "ann.csv").write_text("topic,document,assessor,grade\n" + "".join(rows))
    assert main(["import", str(path), "--judgments", str(path.parent / "ann.csv")]) == 0
    return len(sampled)


def table(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[list[dict[str, str]], str]:
    capsys.readouterr()
    assert main([*arguments, "--format", "csv"]) == 0, capsys.readouterr().err
    out, err = capsys.readouterr()
    return list(csv.DictReader(io.StringIO(out))), err


def test_a_plan_is_judged_and_gives_intervals(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["pool", str(project), "--strategy", "plan", "--model", "m-1", "--size", "120"]) == 0
    )
    count = judge(project)
    rows, err = table(
        capsys, "estimate", str(project), "--model", "m-1", "--source", "assessor ann"
    )
    assert [(row["run"], row["measure"], row["kind"]) for row in rows] == [
        (run, measure, "estimate")
        for measure in ("P@10", "DCG@10")
        for run in ("up", "down", "odd")
    ]
    assert numbers(find_line(err, "model m-1"))[:2] == [str(count)] * 2
    truth = sum(grade(topic, at) >= 1 for topic in range(TOPICS) for at in range(20, 30)) / (
        10 * TOPICS
    )
    assert float(rows[0]["low"]) <= truth <= float(rows[0]["high"])
    assert float(rows[0]["low"]) < float(rows[0]["value"]) < float(rows[0]["high"])


def test_nonlinear_measures_have_no_interval(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["pool", str(project), "--strategy", "plan", "--model", "m-1", "--size", "120"])
    judge(project)
    rows, err = table(
        capsys,
        "estimate",
        str(project),
        "--model",
        "m-1",
        "-m",
        "nDCG@10",
        "-m",
        "AP",
        "--source",
        "assessor ann",
    )
    assert {(row["low"], row["high"], row["kind"]) for row in rows} == {("", "", "approximation")}
    assert find_line(err, "nDCG@10, AP: ")


def test_normalised_dcg_and_sampled_topics(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["pool", str(project), "--strategy", "plan", "--model", "m-1", "--size", "120"])
    judge(project)
    arguments = (
        "estimate",
        str(project),
        "--model",
        "m-1",
        "-m",
        "DCG@2",
        "--source",
        "assessor ann",
    )
    (plain, *_), _ = table(capsys, *arguments)
    (share, *_), _ = table(capsys, *arguments, "--of-maximum")
    ideal = 3 * (1 + 1 / math.log2(3))  # grade 3 at both ranks
    assert share["measure"] == "DCG@2 of the maximum"
    assert [float(share[end]) * ideal for end in ("value", "low", "high")] == pytest.approx(
        [float(plain[end]) for end in ("value", "low", "high")]
    )
    wide, _ = table(capsys, *arguments, "--topics-are", "drawn", "--topics-in-all", "1000")
    assert float(wide[0]["high"]) - float(wide[0]["low"]) > float(plain["high"]) - float(
        plain["low"]
    )
    error = command_error(*arguments, "--topics-are", "drawn")
    assert dict(error.values) == {"minimum": str(TOPICS), "number": "None"}


def test_differences_of_runs_have_intervals(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["pool", str(project), "--strategy", "plan", "--model", "m-1", "--size", "120"])
    judge(project)
    arguments = [
        "estimate",
        str(project),
        "--model",
        "m-1",
        "-m",
        "P@10",
        "--source",
        "assessor ann",
    ]
    values = {row["run"]: float(row["value"]) for row in table(capsys, *arguments)[0]}
    rows, err = table(capsys, *arguments, "--baseline", "up")
    assert {row["run"]: round(float(row["value"]), 3) for row in rows} == {
        run: round(values[run] - values["up"], 3) for run in ("down", "odd")
    }
    assert "differences from up." in err


def test_few_labels_and_an_unfinished_plan_are_refused(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["pool", str(project), "--strategy", "plan", "--model", "m-1", "--size", "30"])
    command = ["estimate", str(project), "--model", "m-1", "--source", "assessor ann"]
    with open_project(project, writing=False) as opened:
        pooled = len(opened.rankings.pool())
    judge(project, limit=10)
    capsys.readouterr()
    assert main(command) == 2
    assert f"without a human judgment: {pooled - 10}." in capsys.readouterr().err
    count = judge(project)
    capsys.readouterr()
    assert main(command) == 2
    err = capsys.readouterr().err
    assert f": {count};" in err and "at least 50" in err


@pytest.fixture
def plan_arguments(project: Path) -> list[str]:
    """Return arguments for a judged plan in files: qrels, pool, run of unsampled documents."""
    folder = project.parent
    runs = [str(folder / f"{name}.run") for name in ("up", "down", "odd")]
    plan = [*"--strategy plan --size 60 --model".split(), str(folder / "model.txt")]
    assert main(["pool", *runs, *plan, "-o", str(folder / "plan.csv")]) == 0
    with (folder / "plan.csv").open() as file:
        rows = list(csv.DictReader(file))
    (folder / "ann.qrels").write_text(
        "".join(
            f"{row['topic']} 0 {row['document']} "
            f"{grade(int(row['topic'][1:]), int(row['document'].split('-')[1]))}\n"
            for row in rows
            if row["order"]
        )
    )
    (folder / "late.run").write_text(
        "".join(
            f"{row['topic']} Q0 {row['document']} 0 {len(rows) - at} late\n"
            for at, row in enumerate(rows)
            if not row["order"]
        )
    )
    late = str(folder / "late.run")
    model = ["--model", str(folder / "model.txt"), "-m", "P@2", "--format", "csv"]
    return [
        *["estimate", str(folder / "ann.qrels"), *runs, late],
        *["--pool", str(folder / "plan.csv"), *model],
    ]


def test_a_run_without_a_sampled_document_has_no_estimate(
    plan_arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    rows, err = table(capsys, *plan_arguments[:-2])
    assert [row["run"] for row in rows] == ["up", "down", "odd"]
    assert "P@2: no estimate for late" in err
    assert main([*plan_arguments, "--baseline", "late"]) == 2
    capsys.readouterr()
    alone = [
        word for word in plan_arguments if not word.endswith(("up.run", "down.run", "odd.run"))
    ]
    assert main(alone) == 2 and "late" in capsys.readouterr().err


def test_wide_intervals_are_marked(
    plan_arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """About three documents of one rank are sampled in eight topics: the interval is wide."""
    rows, err = table(capsys, *plan_arguments[:-2], "-m", "P@1", "--topics-are", "sampled")
    kinds = {(float(row["high"]) - float(row["low"]) > 0.5, row["kind"]) for row in rows}
    assert kinds <= {(True, "too few labels"), (False, "estimate")}
    wide = sum(row["kind"] == "too few labels" for row in rows)
    counts = [str(wide), str(len(rows))]
    assert wide and counts in [numbers(line)[:2] for line in err.splitlines()]


def test_a_pool_without_all_probabilities_is_refused(
    plan_arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    pool = Path(plan_arguments[plan_arguments.index("--pool") + 1])
    lines = [line.split(",") for line in pool.read_text().splitlines()]
    at = lines[0].index("probability")
    unsampled = [row for row in lines[1:] if not row[2]]
    for row in unsampled:
        row[at] = ""
    pool.write_text("".join(",".join(row) + "\n" for row in lines))
    capsys.readouterr()
    assert main(plan_arguments) == 2
    assert f"({len(unsampled)})" in capsys.readouterr().err


def test_a_pool_that_depends_on_judgments_gives_no_interval(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [run.name for run in project.parent.glob("*.run")]
    assert runs
    qrels = str(project.parent / "model.txt")
    arguments = ["--strategy", "active", "--size", "9", "--qrels", qrels]
    assert main(["pool", str(project), *arguments]) == 0
    judge(project)
    capsys.readouterr()
    assert main(["estimate", str(project), "--model", "m-1", "--source", "assessor ann"]) == 2
    assert "active" in capsys.readouterr().err


def test_the_effect_of_further_judgments_is_predicted(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["pool", str(project), "--strategy", "plan", "--model", "m-1", "--size", "60"])
    (project.parent / "none.qrels").write_text("t0 0 nosuch 0\n")
    assert main(["import", str(project), "--qrels", str(project.parent / "none.qrels")]) == 0
    rows, _ = table(
        capsys, "estimate", str(project), "--model", "m-1", "--show", "forecast", "-m", "P@10"
    )
    reach = [float(row["reach"]) for row in rows]
    assert (
        [int(row["judgments"]) for row in rows] == [50, 100, 184]
        and reach == sorted(reach, reverse=True)
        and reach[-1] == 0
    )
    rows, _ = table(capsys, "estimate", str(project), "--model", "m-1", "--show", "next")
    sampled = [row["drawn"] for row in rows]
    assert sampled == sorted(sampled, reverse=True) and {"yes", "no"} == set(sampled)
    takes = [float(row["takes_off"]) for row in rows if row["drawn"] == "yes"]
    assert takes == sorted(takes, reverse=True)


def test_the_file_of_a_plan_stores_the_probabilities(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = project.parent
    runs = [str(folder / f"{name}.run") for name in ("up", "down", "odd")]
    plan = [
        "pool",
        *runs,
        "--strategy",
        "plan",
        "--model",
        str(folder / "model.txt"),
        "--size",
        "120",
        "-o",
        str(folder / "plan.csv"),
    ]
    assert main(plan) == 0
    with (folder / "plan.csv").open() as file:
        sampled = [row for row in csv.DictReader(file) if row["order"]]
        file.seek(0)
        left = [row for row in csv.DictReader(file) if not row["order"]]
    assert all(0 < float(row["probability"]) <= 1 for row in sampled)
    assert left and all(0 < float(row["probability"]) < 1 for row in left)
    lines = (
        f"{row['topic']} 0 {row['document']} {grade(int(row['topic'][1:]), int(row['document'].split('-')[1]))}\n"
        for row in sampled
    )
    (folder / "people.qrels").write_text("".join(lines))
    rows, _ = table(
        capsys,
        "estimate",
        str(folder / "people.qrels"),
        *runs,
        "--pool",
        str(folder / "plan.csv"),
        "--model",
        str(folder / "model.txt"),
    )
    assert len(rows) == 6 and all(row["low"] for row in rows)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["pool", "p.irjudge", "--strategy", "plan"], "needs --model"),
        (
            ["pool", "p.irjudge", "--strategy", "plan", "--model", "m-1"],
            "--size",
        ),
        (
            ["pool", "p.irjudge", "--model", "m-1", "--depth", "3"],
            "strategy depth",
        ),
        (
            ["pool", "p.irjudge", "--strategy", "plan", "--model", "nosuch", "--size", "9"],
            "'nosuch'",
        ),
    ],
)
def test_invalid_plans_are_refused(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    problem: str,
) -> None:
    monkeypatch.chdir(project.parent)
    capsys.readouterr()
    assert main(arguments) == 2
    assert problem in capsys.readouterr().err
