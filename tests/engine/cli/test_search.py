"""Tests of the commands that create runs, on the sample collection."""

import csv
import io
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.formats.rankings import read_run
from irjudge.pooling import list_fusion_strategies
from irjudge.search import RANKER_REGISTRY
from irjudge.store import open_project
from tests.engine.cli.output import find_line, numbers

SAMPLE = Path(__file__).parents[3] / "sample_collections" / "everyday"
FILES = [str(SAMPLE / "documents.jsonl"), "--topics", str(SAMPLE / "topics.txt")]
RUNS = [str(path) for path in sorted((SAMPLE / "runs").iterdir())]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IRJUDGE_CACHE", str(tmp_path / "cache"))

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def project(call) -> str:
    assert call("sample", "everyday")[0] == 0
    return "everyday.irjudge"


def names(path: str) -> list[str]:
    with open_project(Path(path), writing=False) as project:
        return [run.name for run in project.rankings.runs()]


def test_a_project_stores_the_run(call, project: str) -> None:
    code, out, _ = call("search", project, "-p", "k1=1.2", "--depth", "5")
    assert (code, numbers(out.partition("everyday.irjudge: ")[2])) == (0, ["30", "6"])
    assert names(project)[-1] == "bm25-k1=1.2-b=0.4"
    code, out, err = call("search", project, "-p", "k1=1.2")
    assert code == 2 and "already" in err


def test_topics_for_which_nothing_is_retrieved_are_counted(call) -> None:
    # stop words are not indexed
    Path("d.txt").write_text("tides")
    Path("t.tsv").write_text("1\tto be or not to be\n2\ttides\n")
    call("new", "p.irjudge", "--documents", "d.txt", "--topics", "t.tsv")
    code, out, _ = call("search", "p.irjudge")
    assert (code, numbers(out.partition("p.irjudge: ")[2])) == (0, ["1", "2", "1"])


def test_an_index_is_built_once(call, project: str, tmp_path: Path) -> None:
    call("search", project, "-o", "a.run")
    (index,) = (tmp_path / "cache" / "postings").iterdir()
    made = index.stat().st_mtime_ns
    assert call("search", project, "-o", "b.run")[0] == 0 and index.stat().st_mtime_ns == made
    assert Path("a.run").read_text() == Path("b.run").read_text() and len(names(project)) == 4


def test_files_and_projects_give_the_same_run(call, project: str) -> None:
    assert call("search", *FILES, "-o", "files.run", "--name", "x")[0] == 0
    assert call("search", project, "-o", "project.run", "--name", "x")[0] == 0
    assert read_run(Path("files.run")).document == read_run(Path("project.run")).document


def test_a_run_is_printed(call) -> None:
    code, out, _ = call("search", *FILES, "--topic", "1", "--depth", "2", "--name", "mine")
    first, second = out.splitlines()
    assert (
        code == 0
        and first.split()[:4] == ["1", "Q0", "spring-neap", "1"]
        and second.split()[-1] == "mine"
    )
    _, out, _ = call("search", *FILES, "--topic", "1", "--depth", "2", "--format", "csv")
    assert out.splitlines()[0] == "topic,document,rank,score"


@pytest.mark.parametrize("name", [*RANKER_REGISTRY, "ltc.lnc"])
def test_every_ranker_searches_from_the_command_line(call, name: str) -> None:
    code, out, _ = call(
        "search", *FILES, "--ranker", name, "--feedback", "rm3", "--fields", "title,description"
    )
    assert code == 0 and len({line.split()[0] for line in out.splitlines()}) == 6


def test_a_score_is_explained_term_by_term(call, project: str) -> None:
    code, out, err = call(
        "search", project, "--topic", "1", "--explain", "spring-neap", "--format", "csv"
    )
    rows = list(csv.DictReader(io.StringIO(out)))
    assert (
        code == 0
        and [row["term"] for row in rows] == ["tide", "two", "day"]
        and rows[0]["in document"] == "7"
    )
    assert f"{sum(float(row['adds']) for row in rows):.4f}" in err and numbers(
        find_line(err, "81.0000")
    ) == ["88", "81.0000", "40"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["PROJECT", "--topics", "x"], "--topics"),
        ([FILES[0]], "--topics"),
        (["PROJECT", "--explain", "spring-neap"], "exactly one topic"),
        (["PROJECT", "--topic", "1", "--explain", "nothing"], "no document nothing"),
        (["PROJECT", "--topic", "77"], "no topic 77"),
        (["PROJECT", "--ranker", "bm52"], "Did you mean bm25"),
    ],
)
def test_invalid_options_are_refused(
    call, project: str, arguments: list[str], message: str
) -> None:
    code, out, err = call("search", *(project if word == "PROJECT" else word for word in arguments))
    assert (code, out) == (2, "") and message in err and len(names(project)) == 4


def test_a_run_is_compared_with_existing_runs(call, project: str) -> None:
    code, out, _ = call("search", project, "--compare", "--name", "mine", "--format", "csv")
    new, *others = csv.DictReader(io.StringIO(out))
    assert (
        code == 0
        and new["run"] == "mine"
        and new["shared top 10"] == ""
        and len(names(project)) == 4
    )
    assert {row["run"]: row["AP"][:6] for row in others}["bm25"] == "0.7084" and 0 < float(
        others[0]["shared top 10"]
    ) <= 1
    call("search", project, "--name", "mine")
    _, out, _ = call("search", project, "--compare", "--name", "other", "--format", "csv")
    last = list(csv.DictReader(io.StringIO(out)))[-1]
    assert last["run"] == "mine" and float(last["shared top 10"]) == 1 and last["AP"] == new["AP"]


def test_rankers_and_fusions_are_listed(call) -> None:
    code, out, _ = call("rankers", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0 and [row["name"] for row in rows] == [
        *RANKER_REGISTRY,
        "rm3",
        *(each.name for each in list_fusion_strategies()),
    ]
    assert all(row["purpose"] and row["formula"] for row in rows)


def test_runs_are_fused(call, project: str) -> None:
    code, out, _ = call("fuse", *RUNS, "-o", "fused.run", "--method", "combsum", "--name", "all")
    assert code == 0 and Path("fused.run").read_text().split()[5] == "all" and "for 6 topics" in out
    code, out, _ = call("fuse", project, "--run", "bm25", "--run", "ql", "--depth", "3")
    assert (code, names(project)[-1]) == (0, "rrf-k=60") and "18 documents for 6 topics" in out
    with open_project(Path(project), writing=False) as opened:
        assert opened.rankings.run("rrf-k=60").rank.tolist()[:3] == [1, 2, 3]


def test_the_help_shows_the_printed_score(call, project: str) -> None:
    help_page = (Path(__file__).parents[3] / "resources" / "help" / "finding.md").read_text(
        encoding="utf-8"
    )
    _, out, err = call(
        "search", project, "--topic", "1", "--explain", "spring-neap", "--format", "csv"
    )
    for row in csv.DictReader(io.StringIO(out)):
        adds = f"{float(row['adds']):.4f}"
        assert (
            f"| {row['term']} | 1 | {row['in document']} | {row['documents with it']} | {adds} |"
            in help_page
        )
    assert "4.9367" in help_page and "4.9367" in err


def test_a_certificate_states_the_bound_of_a_sample(call) -> None:
    counts = ["certificate", "--found", "4500", "--rest", "90000"]
    code, out, err = call(*counts, "--drawn", "1000", "--relevant", "5", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(out))
    assert (
        code == 0
        and row["missed at most"] == "935"
        and find_line(err, " 0.82 ", "95 %")
        and "weak" not in err
    )
    _, out, _ = call(
        *counts, "--drawn", "1000", "--relevant", "5", "--looks", "5", "--format", "csv"
    )
    assert float(next(csv.DictReader(io.StringIO(out)))["recall at least"]) < float(
        row["recall at least"]
    )
    code, out, err = call(*counts, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0 and rows[-1]["drawn"] == "90000" and "Target-based bound" in err
    assert (
        "bound is weak"
        in call("certificate", "--found", "20", "--rest", "1000", "--drawn", "100")[2]
    )
    code, out, err = call("certificate", "--found", "20", "--rest", "100", "--drawn", "200")
    assert (code, out) == (2, "") and "contradict" in err


def test_parameter_variants_are_compared_with_existing_runs(call, project: str) -> None:
    before = names(project)
    code, out, err = call(
        "search", project, "--compare", "--vary", "k1=0,0.9", "--vary", "b=0.4,1", "--format", "csv"
    )
    rows = [line.split(",") for line in out.splitlines()]
    assert code == 0 and [row[0] for row in rows[1:]] == [
        *(f"bm25-k1={k1}-b={b}" for k1 in ("0", "0.9") for b in ("0.4", "1")),
        *before,
    ]
    assert (
        rows[1][2:] == rows[2][2:] != rows[3][2:]
    )  # with k1 = 0 the length of a document changes nothing
    default_row = (
        call("search", project, "--compare", "--format", "csv")[1].splitlines()[1].split(",")
    )
    assert (
        rows[3][:-1] == default_row[: len(rows[3]) - 1]
        and find_line(err, "AP: ", "bm25-k1=")
        and names(project) == before
    )
    assert (
        "81 runs; at most 60"
        in call(
            "search",
            project,
            "--compare",
            "--vary",
            "k1=1,2,3,4,5,6,7,8,9",
            "--vary",
            "b=0,0,0,0,0,0,0,0,0",
        )[2]
    )
