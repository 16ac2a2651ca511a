"""Tests of `irjudge compare` and `irjudge correlate`: output, notes, and errors."""

import csv
import io
import json
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.shipped import sample_folders
from tests.engine.cli.output import command_error, find_line, numbers

SAMPLE = sample_folders()["everyday"]
QRELS = str(SAMPLE / "qrels.txt")
RUNS = [str(path) for path in sorted((SAMPLE / "runs").glob("*.run"))]
COMPARE = "measure,run_a,run_b,topics,mean_a,mean_b,difference,low,high,test,statistic,p,p_adjusted,effect,wins,ties,losses".split(
    ","
)


class CommandResult:
    """Exit code and output of a command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def csv(self) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.out)))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> CommandResult:
        code = main(list(arguments))
        captured = capsys.readouterr()
        return CommandResult(code, captured.out, captured.err)

    return call


@pytest.fixture
def two_runs(tmp_path: Path) -> list[str]:
    """Return two runs: ten textbook documents at 1 to 10 and at 2 3 1 5 4 7 8 10 6 9.

    A second topic shares one document.
    """
    first = ["d123", "d84", "d56", "d6", "d8", "d9", "d511", "d129", "d187", "d25"]
    rank_of = dict(zip(first, [2, 3, 1, 5, 4, 7, 8, 10, 6, 9], strict=True))
    second = sorted(first, key=rank_of.__getitem__)
    for name, documents, other in (("one", first, ["x", "y"]), ("two", second, ["y", "z"])):
        rows = [("1", each) for each in documents] + [("2", each) for each in other]
        lines = [
            f"{topic} Q0 {document} {rank} {100 - rank} {name}\n"
            for rank, (topic, document) in enumerate(rows, 1)
        ]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return ["one.run", "two.run"]


@pytest.mark.parametrize("form", ["csv", "json"])
def test_compare_prints_the_expected_columns(run, form: str) -> None:
    result = run("compare", QRELS, *RUNS, "-m", "AP", "--test", "t", "--format", form)
    rows = result.csv() if form == "csv" else json.loads(result.out)["values"]
    assert result.code == 0 and list(rows[0]) == COMPARE
    assert [(row["run_a"], row["run_b"]) for row in rows] == [
        ("bm25", "ql"),
        ("bm25", "tfidf"),
        ("bm25", "title"),
        ("ql", "tfidf"),
        ("ql", "title"),
        ("tfidf", "title"),
    ]
    assert f"{float(rows[0]['mean_a']):.4f}" == "0.7084" and int(rows[0]["topics"]) == 6


def test_compare_aligns_columns_and_prints_notes_on_stderr(run) -> None:
    result = run("compare", QRELS, *RUNS[:2], "-m", "AP", "--test", "t")
    head, line = result.out.splitlines()
    assert head.split() == COMPARE and head.index("difference") + len("difference") == line.index(
        "0.0568"
    ) + len("0.0568")
    assert "Paired t-test, two-sided" in result.err and find_line(result.err, "qrels", "run;")


def test_compare_says_how_many_topics_a_difference_needs(run) -> None:
    """bm25 and ql: the deviation of the differences is .0867, so .02 is an effect of .2307."""
    result = run(
        "compare",
        QRELS,
        *RUNS,
        "-m",
        "AP",
        "--power",
        ".8",
        "--difference",
        ".02",
        "--format",
        "csv",
    )
    rows = result.csv()
    assert [row["test"] for row in rows] == ["t"] * 6 + ["anova"] and rows[0]["needed"] == "150"
    assert f"{float(rows[0]['deviation']):.4f} {float(rows[0]['seen']):.4f}" == "0.0867 0.1244"
    assert "probability 80 %" in result.err and "Sakai 2016" in result.err


def test_the_number_of_topics_is_computed_without_tests(run) -> None:
    result = run("compare", QRELS, *RUNS, "--difference", ".02", "--test", "t")
    assert result.code == 2 and find_line(result.err, "--test", "--power", "--difference")
    assert "80" in run("compare", QRELS, *RUNS, "--power", "80").err


def test_the_two_default_tests_are_shown_side_by_side(run) -> None:
    assert [
        row["test"] for row in run("compare", QRELS, *RUNS[:2], "-m", "AP", "--format", "csv").csv()
    ] == ["t", "permutation"]


@pytest.mark.parametrize("name", ["bm25", RUNS[0]])
def test_a_baseline_is_named_by_its_name_or_file(run, name: str) -> None:
    rows = run(
        "compare", QRELS, *RUNS, "-m", "AP", "--test", "sign", "--baseline", name, "--format", "csv"
    ).csv()
    assert [(row["run_a"], row["run_b"]) for row in rows] == [
        ("ql", "bm25"),
        ("tfidf", "bm25"),
        ("title", "bm25"),
    ]


def test_the_same_seed_prints_the_same(run) -> None:
    arguments = [
        "compare",
        QRELS,
        *RUNS,
        "-m",
        "AP",
        "--test",
        "tukey",
        "--samples",
        "200",
        "--interval",
        "bca",
        "--format",
        "csv",
        "--seed",
    ]
    first, again, other = (run(*arguments, seed) for seed in ("1", "1", "2"))
    assert first.out == again.out != other.out
    assert (
        "200 random shuffles, seed 1" in first.err
        and "bootstrap bca, 200 samples, seed 1" in first.err
    )


def test_evaluation_options_apply_to_compare(run) -> None:
    rows = run(
        "compare", QRELS, *RUNS[:2], "-m", "P@5", "--rel", "2", "--test", "t", "--format", "csv"
    ).csv()
    assert rows[0]["measure"] == "P(rel=2)@5"


def test_compare_accepts_a_single_project(run) -> None:
    assert run("sample", "everyday").code == 0
    arguments = ["-m", "AP", "--test", "t", "--format", "csv"]
    assert (
        run("compare", "everyday.irjudge", *arguments).out
        == run("compare", QRELS, *RUNS, *arguments).out
    )


@pytest.mark.parametrize("form", ["csv", "json"])
def test_correlate_prints_the_expected_columns(run, two_runs, form: str) -> None:
    result = run("correlate", *two_runs, "--by", "spearman", "--by", "overlap@1", "--format", form)
    rows = result.csv() if form == "csv" else json.loads(result.out)["values"]
    assert result.code == 0 and list(rows[0]) == ["topic", "statistic", "items", "value"]
    values = {
        (row["topic"], row["statistic"]): (int(row["items"]), float(row["value"])) for row in rows
    }
    assert values["1", "spearman"] == (10, pytest.approx(1 - 144 / 990))
    assert values["2", "spearman"] == (1, 0)
    assert values["2", "overlap@1"] == (3, 0)
    assert values["all", "spearman"] == (11, pytest.approx((1 - 144 / 990) / 2))


def test_correlate_reports_coverage(run, two_runs) -> None:
    result = run("correlate", *two_runs, "--by", "tau-ap")
    assert numbers(find_line(result.err, "84.6 %")) == ["2", "11", "13", "84.6"]
    assert find_line(result.err, "tau-ap: ", "1 topic") and find_line(
        result.err, "tau-ap: ", "first"
    )


def test_union_ties_missing_documents_last(run, two_runs) -> None:
    """x y against y z: x at 1, y at 2, z last; y at 1, z at 2, x last.

    All three pairs but (y, z) are reversed: (1 - 2)/3.
    """
    rows = run("correlate", *two_runs, "--by", "tau", "--items", "union", "--format", "csv").csv()
    assert (rows[1]["topic"], rows[1]["items"], float(rows[1]["value"])) == (
        "2",
        "3",
        pytest.approx(-1 / 3),
    )


def test_a_depth_cuts_both_runs(run, two_runs) -> None:
    rows = run("correlate", *two_runs, "--by", "tau", "-k", "5", "--format", "csv").csv()
    assert (rows[0]["items"], float(rows[0]["value"])) == ("5", pytest.approx(0.4))


def test_equal_scores_are_tied_until_a_rule_is_named(run, tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("1 Q0 d1 1 5 a\n1 Q0 d2 2 5 a\n1 Q0 d3 3 1 a\n")
    (tmp_path / "b.run").write_text("1 Q0 d1 1 9 b\n1 Q0 d2 2 8 b\n1 Q0 d3 3 7 b\n")
    tied = run("correlate", "a.run", "b.run", "--by", "tau", "--format", "csv")
    assert (
        float(tied.csv()[0]["value"]) == pytest.approx(2 / 3)
        and "use --ties to order them" in tied.err
    )
    for rule, value in (("docno", 1), ("trec", 1 / 3), ("file", 1)):
        assert float(
            run(
                "correlate", "a.run", "b.run", "--by", "tau", "--ties", rule, "--format", "csv"
            ).csv()[0]["value"]
        ) == pytest.approx(value)


@pytest.mark.parametrize("form", ["csv", "json"])
def test_orders_of_systems_have_the_expected_columns(run, form: str) -> None:
    result = run(
        "correlate",
        "--systems",
        QRELS,
        *RUNS,
        "-m",
        "AP",
        "-m",
        "P@5 RR",
        "--by",
        "tau tau-b",
        "--format",
        form,
    )
    rows = result.csv() if form == "csv" else json.loads(result.out)["values"]
    assert result.code == 0 and list(rows[0]) == [
        "measure_a",
        "measure_b",
        "statistic",
        "systems",
        "value",
    ]
    assert [
        (row["measure_a"], row["measure_b"], row["statistic"], int(row["systems"])) for row in rows
    ] == [
        (*pair, statistic, 4)
        for pair in (("AP", "P@5"), ("AP", "RR"), ("P@5", "RR"))
        for statistic in ("tau", "tau-b")
    ]


def test_a_measure_is_compared_under_two_qrels(run, tmp_path: Path) -> None:
    (tmp_path / "other.qrels").write_text(Path(QRELS).read_text())
    rows = run(
        "correlate",
        "--systems",
        QRELS,
        *RUNS,
        "-m",
        "AP",
        "--qrels",
        "other.qrels",
        "--by",
        "tau-b",
        "--format",
        "csv",
    ).csv()
    assert rows == [
        {
            "measure_a": "AP [qrels.txt]",
            "measure_b": "AP [other.qrels]",
            "statistic": "tau-b",
            "systems": "4",
            "value": "1.0",
        }
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["compare", QRELS, *RUNS, "--test", "wilcoxen"],
            "wilcoxon?",
        ),
        (
            ["compare", QRELS, *RUNS, "--correction", "hulm"],
            "holm?",
        ),
        (["compare", QRELS, RUNS[0]], "(bm25.run)"),
        (
            ["compare", QRELS, *RUNS, "--baseline", "zz"],
            "bm25, ql, tfidf, title",
        ),
        (["compare", QRELS, *RUNS, "-m", "ndgc@10"], "Did you mean nDCG@10"),
        (["compare", QRELS, *RUNS, "--seed", "-1"], "--seed"),
        (["compare", QRELS, *RUNS, "--samples", "0"], "--samples"),
        (["compare", QRELS, "nosuch.run", RUNS[0]], "nosuch.run: cannot be read"),
        (["correlate", *RUNS[:2], "--by", "tua-b"], "Did you mean tau-b"),
        (["correlate", *RUNS[:2], "-k", "0"], "got 0"),
        (["correlate", RUNS[0]], "got 1"),
        (["correlate", *RUNS[:3]], "got 3"),
        (["correlate"], "got 0"),
        (
            ["correlate", *RUNS[:2], "-m", "AP"],
            "Cannot use -m: without --systems",
        ),
        (
            ["correlate", *RUNS[:2], "--rel", "2", "--qrels", QRELS],
            "Cannot use --qrels and --rel",
        ),
        (["correlate", *RUNS[:2], "--by", "rbo(p=1)"], "0 < p < 1"),
        (
            ["correlate", "--systems", QRELS, RUNS[0], "-m", "AP", "-m", "RR"],
            "got 1",
        ),
        (
            ["correlate", "--systems", QRELS, *RUNS, "-m", "AP", "-m", "RR", "-k", "5"],
            "Cannot use -k: --systems",
        ),
    ],
    ids=lambda value: (
        " ".join(Path(word).name for word in value) if isinstance(value, list) else ""
    ),
)
def test_invalid_options_give_one_error_and_exit_code_2(
    run, arguments: list[str], sentence: str
) -> None:
    result = run(*arguments)
    assert (result.code, result.out) == (2, "")
    assert sentence in result.err and "Traceback" not in result.err


def test_runs_without_common_topics_give_one_error(run, tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("1 Q0 d1 1 5 a\n")
    (tmp_path / "b.run").write_text("2 Q0 d1 1 5 b\n")
    (tmp_path / "q.qrels").write_text("1 0 d1 1\n2 0 d1 1\n")
    for arguments, key in (
        (("compare", "q.qrels", "a.run", "b.run", "-m", "AP"), "no-common-evaluated-topic"),
        (("correlate", "a.run", "b.run"), "no-common-topic"),
    ):
        result, error = run(*arguments), command_error(*arguments)
        assert (result.code, result.out, result.err) == (2, "", f"irjudge: {error}\n")
        assert (error.key, sorted(error.values.values())) == (key, ["a", "b"])


def board(path: str, **values: tuple[float, ...]) -> str:
    rows = [
        (number, measure, value)
        for measure, row in values.items()
        for number, value in enumerate(row)
    ]
    lines = [
        f"run{number} {measure} {topic} {value}\n"
        for number, measure, value in rows
        for topic in ("1", "all")
    ]
    Path(path).write_text("".join(lines), encoding="utf-8")
    return path


def test_leaderboards_can_replace_qrels_and_runs(run) -> None:
    truth = board("truth.txt", AP=(0.1, 0.2, 0.3))
    judge = board("judge.txt", GRADE=(1, 2, 3), F1=(3, 2, 1))
    rows = run("correlate", "--systems", judge, "--by", "tau", "--format", "csv").csv()
    assert [
        (row["measure_a"], row["measure_b"], row["systems"], float(row["value"])) for row in rows
    ] == [("GRADE", "F1", "3", -1.0)]
    rows = run("correlate", "--systems", truth, judge, "--by", "tau", "--format", "csv").csv()
    assert [(row["measure_a"], row["measure_b"], float(row["value"])) for row in rows] == [
        ("AP [truth.txt]", "GRADE [judge.txt]", 1.0),
        ("AP [truth.txt]", "F1 [judge.txt]", -1.0),
    ]
    assert (
        len(
            run(
                "correlate",
                "--systems",
                truth,
                judge,
                "-m",
                "AP F1",
                "--by",
                "tau",
                "--format",
                "csv",
            ).csv()
        )
        == 1
    )
    error = command_error("correlate", "--systems", truth, judge, "-m", "RR")
    assert dict(error.values) == {"missing": "RR", "names": "AP, GRADE, F1"}
    assert command_error("correlate", "--systems", truth).key == "one-order"


@pytest.mark.parametrize(
    "options", [["--qrels", QRELS], ["--topic", "1"], ["--rel", "2"], ["--grades", "1:2"]]
)
def test_leaderboards_refuse_options_of_an_evaluation(run, options: list[str]) -> None:
    path = board("board.txt", AP=(0.1, 0.2), RR=(0.3, 0.1))
    result = run("correlate", "--systems", path, *options)
    assert (result.code, result.out) == (2, "")
    assert f"Cannot use {options[0]}" in result.err


def test_output_of_evaluate_is_read_as_a_leaderboard(run) -> None:
    result = run("evaluate", QRELS, *RUNS, "-m", "AP", "-m", "P@5", "--format", "csv")
    Path("mine.csv").write_text(result.out, encoding="utf-8")
    direct = run(
        "correlate", "--systems", QRELS, *RUNS, "-m", "AP", "-m", "P@5", "--format", "csv"
    ).csv()
    assert run("correlate", "--systems", "mine.csv", "--format", "csv").csv() == direct
