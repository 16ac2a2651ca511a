"""Tests that runs with different topics are not ranked or checked unless the topics are chosen."""

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import irjudge
from irjudge.cli.main import main
from irjudge.errors import GateFailed, IrjudgeError
from irjudge.evaluation import (
    Evaluation,
    Policy,
    assessor_orderings,
    compare,
    evaluate_runs,
    find_leaders,
    parse_measures,
    rank_runs,
    runs_best_first,
)
from irjudge.model import make_labels, make_qrels, make_run
from irjudge.report import check_floors, check_not_worse
from irjudge.report.contents import summary_table
from irjudge.report.evaluation_history import ValueFloor
from irjudge.report.figures import FigureOptions, find_figure

EASY = [f"e{number}" for number in range(8)]
HARD = [f"h{number}" for number in range(16)]
# Rank of the one relevant document: `skips` has only the easy topics; `all` is better on each of
# them.
RANKS = {
    "skips": {topic: 2 + index % 2 for index, topic in enumerate(EASY)},
    "all": {**dict.fromkeys(EASY, 1), **dict.fromkeys(HARD, 30)},
}


def lines(run: str) -> list[tuple[str, str, float]]:
    return [
        (topic, "yes" if position == rank else f"no{position}", float(-position))
        for topic, rank in RANKS[run].items()
        for position in range(1, rank + 1)
    ]


def evaluate(policy: Policy | None = None, *, chosen: bool = False) -> Evaluation:
    qrels = make_qrels([(topic, "yes", 1) for topic in EASY + HARD])
    runs = [make_run(name, lines(name)) for name in RANKS]
    return replace(
        evaluate_runs(qrels, runs, parse_measures(["RR", "AP"]), policy), topics_chosen=chosen
    )


def test_an_average_over_easy_topics_ranks_no_run() -> None:
    table = evaluate()
    assert not table.is_rankable and "skips: 8" in table.topics_warning
    assert "all: 24" in table.topics_warning
    assert rank_runs(table) == () and find_leaders(table) == (frozenset(), frozenset())
    summary = summary_table(table)
    assert (
        not summary.best_cells
        and not summary.marked_cells
        and table.topics_warning in summary.notes
    )
    assert [run.run for run in runs_best_first(table)] == list(RANKS), "the order given"


def test_orders_by_assessors_warn() -> None:
    pairs = tuple((topic, "yes") for topic in EASY + HARD)
    rows = [(f"{t} {d}", who, 1) for t, d in pairs for who in ("ann", "bob")]
    labels = replace(make_labels(rows), pairs=pairs)
    runs = [make_run(name, lines(name)) for name in RANKS]
    for policy, is_warned in ((Policy(), True), (Policy(topics="qrels"), False)):
        orderings = assessor_orderings(labels, lambda: runs, parse_measures(["RR"]), policy)
        assert ("skips: 8" in orderings.topics_warning) == is_warned


@pytest.mark.parametrize("name", ["topic-spread", "heat-map"])
def test_figures_keep_the_order_given_and_warn(name: str) -> None:
    chart = find_figure(name).chart(evaluate(), FigureOptions())
    assert list(chart.y.names) == list(RANKS)
    assert "skips: 8" in chart.caption
    chosen = find_figure(name).chart(evaluate(Policy(topics="qrels")), FigureOptions())
    assert list(chosen.y.names) == ["all", "skips"] and "skips: 8" not in chosen.caption


def test_the_caption_of_a_heat_map_names_the_order_of_its_runs() -> None:
    for table, key in (
        (evaluate(), "runs-as-given"),
        (evaluate(chosen=True), "ordered-by-means"),
    ):
        assert find_figure("heat-map").chart(table, FigureOptions()).caption.key == key


def test_a_figure_of_ranks_is_refused() -> None:
    with pytest.raises(IrjudgeError, match="skips: 8"):
        find_figure("system-ranks").chart(evaluate(), FigureOptions())
    assert find_figure("system-ranks").chart(evaluate(chosen=True), FigureOptions())


def test_checks_are_refused() -> None:
    table = evaluate()
    for gate in (
        lambda: check_floors(table, [ValueFloor("RR", 0.0)]),
        lambda: check_not_worse(table, baseline="skips"),
    ):
        with pytest.raises(GateFailed, match="skips: 8"):
            gate()
    zeros = evaluate(Policy(topics="qrels"))
    check_floors(zeros, [ValueFloor("RR", 0.0)])
    check_not_worse(replace(zeros, runs=zeros.runs), baseline="skips")


def test_missing_topics_that_count_as_0_make_runs_comparable() -> None:
    table = evaluate(Policy(topics="qrels"))
    assert table.is_rankable and table.topics_warning == ""
    assert [each.run for each in rank_runs(table)] == ["all", "skips"]


def test_marks_agree_with_the_order_if_common_topics_are_chosen() -> None:
    """`skips` has the higher mean over its topics; `all` is better on all 8 shared topics."""
    table = evaluate(chosen=True)
    (pair,) = compare(table, tests=["t"]).pairs[:1]
    assert pair.difference < 0 and pair.p_adjusted < 0.05 and pair.losses == 8
    assert runs_best_first(table)[0].run == "skips"
    summary = summary_table(table)
    assert summary.best_cells == {(0, 1), (0, 2)} and not summary.marked_cells
    assert find_leaders(table) == (frozenset({"all"}), frozenset({"all"}))
    assert {(each.highest, each.lowest) for each in rank_runs(table)} == {(1, 2)}


# The command line


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    Path("q.qrels").write_text("".join(f"{topic} 0 yes 1\n" for topic in EASY + HARD))
    for name in RANKS:
        Path(f"{name}.run").write_text(
            "".join(f"{t} Q0 {d} {-s:g} {s} {name}\n" for t, d, s in lines(name))
        )
    return ["q.qrels", "skips.run", "all.run"]


Call = Callable[..., list[dict[str, str]]]


@pytest.fixture
def call(files: list[str], capsys: pytest.CaptureFixture[str]) -> Call:
    def run(*options: str, code: int = 0) -> list[dict[str, str]]:
        capsys.readouterr()
        arguments = ["evaluate", *files, "-m", "RR", "--format", "csv", *options]
        assert main(arguments) == code
        out, run.err = capsys.readouterr()  # type: ignore[attr-defined]
        return list(csv.DictReader(out.splitlines()))

    return run


def test_the_command_prints_the_means_and_a_warning(call: Call) -> None:
    rows = call()
    assert [row["run"] for row in rows] == ["skips", "all"]
    assert "skips: 8, all: 24" in call.err and "--topics" in call.err  # type: ignore[attr-defined]
    rows = call("--places")
    assert [(row["run"], row["group_first"]) for row in rows] == [("skips", ""), ("all", "")]
    for topics in ("both", "qrels"):
        rows = call("--places", "--topics", topics)
        assert [row["group_first"] for row in rows] == (
            ["1", "1"] if topics == "both" else ["1", "2"]
        )
        assert "skips: 8, all: 24" not in call.err  # type: ignore[attr-defined]


def test_text_prints_the_means_without_ranks(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", *files, "-m", "RR", "--places", "--format", "text"]) == 0
    table = capsys.readouterr().out
    assert "skips" in table and "–" not in table


@pytest.mark.parametrize("gate", [["--fail-below", "RR=0"], ["--fail-if-worse", "skips"]])
def test_a_check_needs_a_choice_of_topics(gate: list[str], call: Call) -> None:
    call(*gate, code=3)
    call(*gate, "--topics", "qrels", code=0)


def test_a_report_marks_nothing_until_topics_are_chosen(files: list[str]) -> None:
    for options, marked in (([], False), (["--topics", "qrels"], True)):
        assert main(["report", *files, "-m", "RR", "-o", "r.md", *options]) == 0
        text = Path("r.md").read_text()
        summary = text[text.index("## Summary") : text.index("## Coverage")]
        assert ("**" in summary, "skips: 8" in summary) == (marked, not marked)


def test_correlate_warns_of_orders_by_averages_over_different_topics(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    measures = ["--systems", "-m", "RR", "-m", "AP"]
    for options, is_warned in (([], True), (["--topics", "qrels"], False)):
        assert main(["correlate", *files, *measures, *options]) == 0
        assert ("skips: 8, all: 24" in capsys.readouterr().err) == is_warned
    Path("other.qrels").write_text("".join(f"{topic} 0 yes 1\n" for topic in EASY[:5] + HARD))
    assert main(["correlate", "--qrels", "other.qrels", *files, *measures]) == 0
    err = capsys.readouterr().err
    assert "skips: 8, all: 24" in err and "skips: 5, all: 21" in err


def test_the_python_api_warns() -> None:
    qrels = make_qrels([(topic, "yes", 1) for topic in EASY + HARD])
    runs = [make_run(name, lines(name)) for name in RANKS]
    with pytest.warns(UserWarning, match="skips: 8"):
        frame = irjudge.evaluate(qrels, runs, "RR")
    assert [each.key for each in frame.attrs["warnings"]] == ["different-topics"]
    assert "warnings" not in irjudge.evaluate(qrels, runs, "RR", topics="qrels").attrs
