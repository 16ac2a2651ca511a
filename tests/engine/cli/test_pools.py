"""Tests of the commands about pools, on the sample collection: output, files and messages."""

import csv
import io
import json
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.formats.rankings import read_pool
from irjudge.pooling import PRESETS, list_strategies
from irjudge.store import open_project
from tests.engine.cli.output import command_error, find_line, numbers

SAMPLE = Path(__file__).parents[3] / "sample_collections" / "everyday"
QRELS = str(SAMPLE / "qrels.txt")
RUNS = [str(path) for path in sorted((SAMPLE / "runs").iterdir())]
DETAILS = ["topic", "document", "order", "stratum", "probability", "rank", "runs"]


class CommandResult:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def rows(self) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.out)))


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> CommandResult:
        code = main(list(arguments))
        captured = capsys.readouterr()
        return CommandResult(code, captured.out, captured.err)

    return run


@pytest.fixture
def project(call) -> str:
    assert call("sample", "everyday").code == 0
    return "everyday.irjudge"


def test_a_pool_lists_topic_and_document_in_pool_order(call) -> None:
    result = call("pool", *RUNS, "--strategy", "rrf(k=10)", "--size", "3", "--format", "csv")
    assert list(result.rows()[0]) == ["topic", "document"] and len(result.rows()) == 18
    assert numbers(result.err.splitlines()[-1]) == ["18", "6", "4"]


@pytest.mark.parametrize("name", [each.name for each in (*list_strategies(), *PRESETS)])
def test_every_strategy_and_preset_pools_from_the_command_line(call, name: str) -> None:
    adaptive = any(each.name == name and each.adaptive for each in list_strategies())
    result = call(
        "pool",
        *RUNS,
        "--strategy",
        name,
        "--depth",
        "10",
        "--size",
        "4",
        *(["--qrels", QRELS] if adaptive else []),
        "--format",
        "csv",
    )
    assert result.code == 0 and len(result.rows()) == 24
    assert len(result.err.splitlines()) == 1 + adaptive


def test_details_show_contributing_runs_and_unsampled_documents(call) -> None:
    result = call(
        "pool",
        *RUNS,
        "--strategy",
        "sample(share=0.5)",
        "--depth",
        "10",
        "--details",
        "--format",
        "csv",
    )
    rows = result.rows()
    assert list(rows[0]) == DETAILS
    sampled, left = [row for row in rows if row["order"]], [row for row in rows if not row["order"]]
    assert sampled and left and all(row["runs"] == "" for row in left)
    assert all(0 < float(row["probability"]) < 1 for row in left)
    counts = [len(sampled), len({row["document"] for row in sampled}), 6, 10, 4, 54]
    assert numbers(result.err.splitlines()[-1]) == [str(each) for each in counts]


def test_only_adaptive_strategies_use_judgments(call) -> None:
    result = call("pool", *RUNS, "--strategy", "hedge")
    assert result.code == 2 and "hedge" in result.err and "qrels" in result.err
    result = call("pool", *RUNS, "--strategy", "rrf", "--qrels", QRELS)
    assert result.code == 2 and find_line(result.err, "--qrels ", "strategy rrf ")


def test_the_plain_preset_takes_the_top_10(call) -> None:
    rows = [
        call("pool", *RUNS, *arguments, "--format", "csv").out
        for arguments in (("--strategy", "plain"), ("--depth", "10"))
    ]
    assert rows[0] == rows[1] and rows[0].count("\n") == 55


def test_the_pool_of_a_project_is_printed_on_request(call, project: str) -> None:
    result = call("pool", project, "--depth", "10", "--format", "csv")
    assert (
        list(result.rows()[0]) == ["topic", "document"]
        and len(result.rows()) == 54
        and numbers(result.err.splitlines()[-1])[-2:] == ["10", "4"]
    )
    assert (
        len(json.loads(call("pool", project, "--depth", "10", "--format", "json").out)["values"])
        == 54
    )


def test_a_project_stores_the_pool_and_uses_its_judgments(call, project: str) -> None:
    result = call(
        "pool", project, "--strategy", "maxmean", "--depth", "10", "--size", "5", "--seed", "7"
    )
    assert (result.code, numbers(result.out)) == (0, ["30", "28", "6", "10", "4"])
    with open_project(Path(project), writing=False) as opened:
        pool = opened.rankings.pool()
    assert (pool.strategy, pool.parameters) == (
        "maxmean",
        {"depth": 10, "ties": "docno", "size": 5},
    )
    files = call(
        "pool",
        *RUNS,
        "--strategy",
        "maxmean",
        "--depth",
        "10",
        "--size",
        "5",
        "--qrels",
        QRELS,
        "--format",
        "csv",
    )
    assert pool.document.to_pylist() == [row["document"] for row in files.rows()]


def test_a_sampled_pool_is_estimated_from_its_file(call) -> None:
    assert (
        call("pool", *RUNS, "--strategy", "stratified(edges=3,rates=1/0.5)", "-o", "p.csv").out
        == ""
    )
    result = call(
        "estimate",
        QRELS,
        *RUNS,
        "--pool",
        "p.csv",
        "-m",
        "xinfAP",
        "-m",
        "infNDCG",
        "--format",
        "json",
    )
    rows = json.loads(result.out)["values"]
    assert list(rows[0]) == ["run", "measure", "topic", "value"]
    assert [(row["measure"], row["topic"]) for row in rows] == [
        ("xinfAP", "all"),
        ("infNDCG", "all"),
    ] * 4
    assert numbers(find_line(result.err, "Averaged over: ")) == ["6"]
    sampled, judged = len(read_pool(Path("p.csv"))), len(Path(QRELS).read_text().splitlines())
    unjudged, undrawn = (int(numbers(line)[0]) for line in result.err.splitlines()[-2:])
    assert undrawn and sampled - unjudged == judged - undrawn, "drawn and judged, from either side"


def test_an_estimate_with_complete_judgments_is_the_measure(call, project: str) -> None:
    assert call("pool", project, "--depth", "1000").code == 0
    result = call("estimate", project, "-m", "htP@10", "--format", "csv")
    table = call("evaluate", project, "-m", "P@10", "--format", "csv")
    assert [float(row["value"]) for row in result.rows()] == pytest.approx(
        [float(row["value"]) for row in table.rows()]
    )
    qrels, whole, averaged, *_ = result.err.splitlines()
    assert qrels.startswith("Qrels: ") and averaged.startswith("Averaged over: ")
    assert numbers(whole) == []  # nothing was sampled


def test_missing_input_of_an_estimate_is_reported(call, project: str) -> None:
    assert " --pool " in call("estimate", QRELS, *RUNS).err
    assert "p.csv: cannot be read" in call("estimate", QRELS, *RUNS, "--pool", "p.csv").err


def test_strategies_lists_presets_and_strategies(call) -> None:
    rows = call("strategies", "--format", "csv").rows()
    assert list(rows[0]) == ["name", "kind", "needs", "parameters", "formula", "purpose"]
    assert [row["name"] for row in rows] == [
        *(each.name for each in (*PRESETS, *list_strategies())),
        "learning",
        "plan",
    ]


COLUMNS = "run group unique unique_relevant value value_without change rank rank_without shift tau".split()


@pytest.mark.parametrize("form", ["csv", "json"])
def test_reusability_has_a_row_for_each_run(call, form: str) -> None:
    result = call("reusability", QRELS, *RUNS, "--depth", "3", "-m", "P@5", "--format", form)
    rows = result.rows() if form == "csv" else json.loads(result.out)["values"]
    assert list(rows[0]) == COLUMNS and [row["run"] for row in rows] == [
        "bm25",
        "ql",
        "tfidf",
        "title",
    ]
    assert result.err.startswith("P@5, averaged over: ") and "anks lost" in result.err


def test_the_runs_of_a_group_are_left_out_together(call, tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("run,group\nbm25,us\ntfidf,us\n")
    rows = call(
        "reusability", QRELS, *RUNS, "--depth", "3", "--groups", "g.csv", "--format", "csv"
    ).rows()
    assert [row["group"] for row in rows] == ["us", "ql", "us", "title"]
    assert rows[0]["unique"] == rows[2]["unique"]


def test_a_project_is_estimated_with_its_pool(call, project: str) -> None:
    assert call("pool", project, "--depth", "3").code == 0
    alone = call("reusability", project, "--format", "csv").rows()
    assert alone == call("reusability", QRELS, *RUNS, "--depth", "3", "--format", "csv").rows()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["reusability", QRELS, *RUNS, "--depth", "3", "-m", "AP P@5"],
            "got 2",
        ),
        (
            ["reusability", QRELS, *RUNS, "--depth", "3", "--groups", "no.csv"],
            "no.csv: cannot be read",
        ),
        (
            ["reusability", QRELS, *RUNS, "--depth", "3", "--groups", QRELS],
            "columns run and group",
        ),
        (["pool", *RUNS], "strategy depth "),
        (["pool", *RUNS, "--strategy", "rrf(k=x)"], "got 'x'"),
    ],
)
def test_invalid_options_give_an_error(call, arguments: list[str], sentence: str) -> None:
    result = call(*arguments)
    assert (result.code, result.out) == (2, "") and sentence in result.err


def test_a_preview_shows_sizes_and_stores_nothing(call, project: str) -> None:
    out = call("pool", project, "--depth", "10", "--preview").out
    assert numbers(out)[:4] == ["54", "36", "6", "27"]
    call("costs", project, "--hour", "20", "--currency", "EUR")
    assert call("costs", project, "--format", "csv").rows() == [
        {"hour": "20.0", "item": "0.0", "currency": "EUR"}
    ]
    assert "Cost: about 9.00 EUR." in call("pool", project, "--depth", "10", "--preview").out
    with open_project(Path(project)) as opened:
        assert opened.rankings.pool_version() == 0


def test_some_topics_are_pooled(call, project: str) -> None:
    rows = call("pool", project, "--depth", "10", "--topic", "1-2,4", "--format", "csv").rows()
    assert {row["topic"] for row in rows} == {"1", "2", "4"}
    error = command_error("pool", project, "--depth", "10", "--topic", "99")
    assert error.values["topic"] == "99"


def test_a_preview_of_assignments_shows_documents_per_assessor(call, project: str) -> None:
    call("pool", project, "--depth", "10")
    result = call(
        "assign", project, "--assessors", "ann,bob", "--overlap", "2", "--topic", "1-2", "--preview"
    )
    assert result.code == 0 and "topics: 2.\nItems per assessor: " in result.out
    with open_project(Path(project)) as opened:
        assert opened.assignments.all() == ()


def test_learning_is_simulated_on_known_judgments(
    call, project: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IRJUDGE_CACHE", str(tmp_path / "cache"))
    result = call(
        "pool", project, "--strategy", "learning", "--qrels", QRELS, "--size", "8", "--rel", "2"
    )
    pairs, topics, retrieved, relevant = numbers(result.out)
    assert (
        result.code == 0 and (pairs, topics, relevant) == ("48", "6", "20") and int(retrieved) >= 18
    )
    with open_project(Path(project), writing=False) as opened:
        pool = opened.rankings.pool()
        assert pool is not None and (pool.strategy, len(pool), pool.runs) == ("learning", 48, ())
    again = call(
        "pool",
        project,
        "--strategy",
        "learning",
        "--size",
        "8",
        "--rel",
        "2",
        "--topic",
        "3",
        "--preview",
        "--format",
        "csv",
    )
    third = pool.document.to_pylist()[int(pool.starts[2]) : int(pool.starts[3])]
    assert [row["document"] for row in again.rows()] == third
    for arguments, refused in (
        ([*RUNS, "--size", "8"], "project-needed"),
        ([project], "no-size"),
    ):
        error = command_error("pool", *arguments, "--strategy", "learning", "--qrels", QRELS)
        assert error.key == refused
