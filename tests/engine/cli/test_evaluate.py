"""Tests of the commands that compute measures: profiles, depth, averages, and the catalogue."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.evaluation import evaluate_runs as evaluate_table
from irjudge.evaluation import parse_measures, rank_runs
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.metrics import list_measures
from irjudge.model import Scale, make_qrels
from irjudge.shipped import sample_folders
from irjudge.store import create_project
from tests.engine.cli.output import command_error, find_line

QRELS = "1 0 a 1\n1 0 b 0\n1 0 c 1\n1 0 d 1\n2 0 a 2\n2 0 b 1\n3 0 a 1\n"
# Topic 1: a, x, c; topic 2: b, a.
RUN = "1 Q0 a 1 3 TAG\n1 Q0 x 2 2 TAG\n1 Q0 c 3 1 TAG\n2 Q0 b 1 2 TAG\n2 Q0 a 2 1 TAG\n"


@pytest.fixture
def evaluate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    Path("q.qrels").write_text(QRELS)
    Path("mine.run").write_text(RUN)

    def call(
        *arguments: str, form: str = "csv", code: int = 0, runs: tuple[str, ...] = ("mine.run",)
    ):
        assert main(["evaluate", "q.qrels", *runs, "--format", form, *arguments]) == code
        out, call.err = capsys.readouterr()
        return [tuple(row) for row in csv.reader(io.StringIO(out))][1:] if form == "csv" else out

    return call


def test_a_profile_is_shown_in_names_and_notes(evaluate) -> None:
    # floor(.7 · 3 + .9) is 2 in doubles: 2/3 for the first topic
    assert evaluate("-m", "IPrec@.7", "--profile", "trec_eval-9")[0][1:] == (
        "IPrec(rule=trec9)@0.7",
        "all",
        "0.8333333333333333",
    )
    assert "profile: trec_eval-9 (" in evaluate.err
    # round(.7 · 3) = 2 of 3 are found, at rank 3; both of topic 2
    assert float(evaluate("-m", "IPrec@.7", "--profile", "trec_eval-10")[0][3]) == pytest.approx(
        (2 / 3 + 1) / 2
    )
    assert "profile" in evaluate.err
    evaluate("-m", "AP")
    assert "profile" not in evaluate.err


def test_a_single_run_is_named_by_its_tag_in_trec_eval_profiles(evaluate) -> None:
    assert evaluate("-m", "official", "--profile", "trec_eval-10", form="trec").startswith(
        "runid                 \tall\tTAG\nnum_q "
    )
    assert evaluate("-m", "official", form="trec").startswith(
        "runid                 \tall\tmine\nnum_q "
    )
    Path("other.run").write_text(RUN)
    lines = evaluate(
        "-m", "map", "--profile", "trec_eval-10", form="trec", runs=("mine.run", "other.run")
    ).splitlines()
    assert [line.split("\t")[2] for line in lines if line.startswith("runid")] == ["mine", "other"]


def test_only_the_top_counts(evaluate) -> None:
    assert [row[3] for row in evaluate("-m", "NumRet NumRelRet", "--depth", "1")] == ["2.0", "2.0"]
    assert "ranks 1 to 1 " in evaluate.err


def test_each_average_is_computed_and_named(evaluate) -> None:
    values = {
        each: float(evaluate("-m", "SetP", "--average", each)[0][3])
        for each in ("macro", "micro", "geometric", "median")
    }
    assert values == pytest.approx(
        {
            "macro": (2 / 3 + 1) / 2,
            "micro": 4 / 5,
            "geometric": (2 / 3) ** 0.5,
            "median": (2 / 3 + 1) / 2,
        }
    )
    assert "average: median (" in evaluate.err


def test_deviations_over_topics_have_their_own_columns(evaluate) -> None:
    rows = evaluate("-m", "SetP num_ret", "--deviation", "--interval", "--per-topic")
    assert [row[:3] for row in rows] == [
        ("mine", name, topic) for name in ("SetP", "NumRet") for topic in ("1", "2", "all")
    ]
    assert [row[4:] for row in rows if row[2] != "all" or row[1] == "NumRet"] == [("", "", "")] * 5
    deviation, low, high = map(float, rows[2][4:])
    assert (deviation, low, high) == pytest.approx((0.5**0.5 / 3, 2 / 3, 1))
    assert evaluate("-m", "SetP", "--interval", "--seed", "5") == evaluate(
        "-m", "SetP", "--interval", "--seed", "5"
    )
    table = json.loads(evaluate("-m", "SetP", "--deviation", form="json"))["values"]
    assert list(table[0]) == ["run", "measure", "topic", "value", "deviation"]
    assert evaluate("-m", "SetP", "--deviation", form="text").split()[:5] == [
        "run",
        "measure",
        "topic",
        "value",
        "deviation",
    ]


@pytest.mark.parametrize(
    ("arguments", "form", "sentence"),
    [
        (
            ["-m", "nDCG@5", "--average", "micro"],
            "csv",
            "nDCG@5",
        ),
        (
            ["-m", "AP", "--interval", "--average", "median"],
            "csv",
            "--average macro",
        ),
        (["-m", "AP", "--deviation"], "trec", "trec_eval"),
        (
            ["-m", "AP", "-m", "relstring.5"],
            "csv",
            "--format trec",
        ),
        (["-m", "Utility(d=1)"], "csv", "Utility(d=0.1,universe=1400)"),
        (
            ["-m", "Utility(d=1,universe=3)"],
            "csv",
            "universe=3 ",
        ),
        (["-m", "relative_p_5", "-m", "relativ_P_5"], "csv", "Did you mean relative_P_5"),
    ],
)
def test_impossible_options_are_refused(
    evaluate, arguments: list[str], form: str, sentence: str
) -> None:
    assert not evaluate(*arguments, form=form, code=2)
    assert sentence in evaluate.err and "Traceback" not in evaluate.err


@pytest.mark.parametrize(
    ("name", "part"),
    [
        (
            "SetP",
            "(--average micro)",
        ),
        ("AP", " mean "),
        ("GMAP", " geometric mean "),
        ("NumRel", " sum "),
        ("11ptAP", "0/0.1/0.2/0.3/0.4/0.5/0.6/0.7/0.8/0.9/1\n"),
        ("nDCG", "ndcg_cut, ndcg_burges\n"),
    ],
)
def test_a_description_of_a_measure_has_its_average_and_defaults(
    capsys: pytest.CaptureFixture[str], name: str, part: str
) -> None:
    assert main(["measures", name]) == 0
    out = capsys.readouterr().out
    assert part in out if part[0] != " " else part in find_line(out, "average  ") + " "


def test_text_columns_of_a_group_are_not_in_tables(evaluate) -> None:
    assert len(evaluate("-m", "all_trec")) == 98


def test_the_catalogue_lists_every_measure_and_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measures", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["name"] for row in rows] == [
        *(each.name for each in list_measures()),
        "runid",
        "relstring",
    ]
    assert {row["kind"] for row in rows} == {"count", "set", "ranked", "graded", "text"}


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("relstring.20", "relstring_20  the grades at ranks"),
        ("official", "runid  the run's name"),
        ("GMAP", "GMAP  "),
    ],
)
def test_one_measure_is_described(
    capsys: pytest.CaptureFixture[str], name: str, first: str
) -> None:
    assert main(["measures", name]) == 0
    assert capsys.readouterr().out.startswith(first)


@pytest.mark.parametrize("form", ["text", "csv"])
def test_every_listed_name_is_described(capsys: pytest.CaptureFixture[str], form: str) -> None:
    for each in list_measures():
        assert main(["measures", each.name, "--format", form]) == 0, each.name
        assert each.title in capsys.readouterr().out


def test_a_measure_is_described_in_the_requested_language(capsys):
    run_command = []
    for language in ("en", "zh_CN"):
        assert main(["measures", "SetF", "--language", language]) == 0
        run_command.append(capsys.readouterr().out)
    assert "先把未判断的文档从排序中去掉。" in run_command[1]
    assert re.search("[一-鿿]", run_command[0]) is None and run_command[0].startswith("SetF ")


def test_a_description_can_be_a_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["measures", "nDCG@10", "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["values"]
    assert list(row) == [
        "name",
        "kind",
        "title",
        "formula",
        "bounds",
        "parameters",
        "aliases",
        "references",
    ]
    assert (
        row["name"].startswith("nDCG@10")
        and row["bounds"] == "0 to 1"
        and "ndcg_cut" in row["aliases"]
    )
    assert main(["measures", "runid", "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("runid,text,")


def test_a_project_without_runs_gives_an_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with create_project(tmp_path / "p.irjudge", scale=Scale.parse("0-3")) as project:
        project.rankings.add_qrels("known", make_qrels([("1", "a", 2)]))
    assert main(["evaluate", str(tmp_path / "p.irjudge")]) == 0
    assert "`irjudge import p.irjudge --runs FILE`" in capsys.readouterr().err


def test_a_rank_eval_response_has_judgments_and_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    """RankEvalResponse of Elasticsearch: hits are the ranking, their ratings the judgments."""
    monkeypatch.chdir(tmp_path)
    ranked = (("a", 2.5, None), ("b", 1.0, 3))
    hits = [
        {"hit": {"_index": "shop", "_id": name, "_score": score}, "rating": rating}
        for name, score, rating in ranked
    ]
    answer = {
        "metric_score": 0.5,
        "details": {"jazz bass": {"metric_score": 0.5, "unrated_docs": [], "hits": hits}},
        "failures": {},
    }
    Path("answer.json").write_text(json.dumps(answer))
    assert (
        main(
            ["evaluate", "answer.json", "answer.json", "-m", "RR", "--per-topic", "--format", "csv"]
        )
        == 0
    )
    rows = [*csv.DictReader(io.StringIO(capsys.readouterr().out))]
    assert [(row["topic"], row["query"], row["value"]) for row in rows] == [
        ("q1", "jazz bass", "0.5"),
        ("all", "", "0.5"),
    ]


def test_a_table_by_topic_shows_queries_and_ids(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("case.csv").write_text("query,docid,rating\njazz bass,d1,3\nrock,d2,0\n")
    Path("r.run").write_text("q1 Q0 d1 1 2 r\n")
    assert (
        main(["evaluate", "case.csv", "r.run", "-m", "RR", "--per-topic", "--format", "text"]) == 0
    )
    head, first, *_ = capsys.readouterr().out.splitlines()
    assert head.split() == ["run", "topic", "query", "RR"] and "jazz bass" in first


def test_groups_share_ranks_if_not_significantly_different(
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = sample_folders()["harbour"]
    files = [str(folder / "qrels.txt"), *map(str, sorted((folder / "runs").glob("*.run")))]

    def run_command(*command: str) -> str:
        arguments = [*files, "-m", "AP", "-m", "RR", "--places", "--topics", "both"]
        assert main(["evaluate", *arguments, *command]) == 0
        return capsys.readouterr().out

    table = evaluate_table(
        read_qrels(Path(files[0])),
        [read_run(Path(path)) for path in files[1:]],
        parse_measures(["AP", "RR"]),
    )
    table = replace(table, topics_chosen=True)
    expected = {
        (each.run, name): (each.first, each.last, each.highest, each.lowest)
        for index, name in enumerate(("AP", "RR"))
        for each in rank_runs(table, index)
    }
    rows = list(csv.DictReader(io.StringIO(run_command("--format", "csv"))))
    columns = ("group_first", "group_last", "highest_place", "lowest_place")
    assert {
        (row["run"], row["measure"]): tuple(int(row[name]) for name in columns) for row in rows
    } == expected
    lines = [line.split() for line in run_command("--format", "text").splitlines()]
    assert lines[0] == ["places", "run", "AP", "RR", "places_left"]
    assert [line[1] for line in lines[1:]] == [each.run for each in rank_runs(table)]
    assert main(["evaluate", *files, "-m", "AP", "--places", "--per-topic"]) == 2
    assert "--places " in capsys.readouterr().err
    assert main(["evaluate", *files[:2], "-m", "AP", "--places"]) == 2
    error = command_error("evaluate", *files[:2], "-m", "AP", "--places")
    assert (error.key, dict(error.values)) == ("no-places", {"measure": "AP"})


def test_fractional_grades_are_mapped_as_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, run = tmp_path / "q.qrels", tmp_path / "a.run"
    qrels.write_text("1 0 d1 0.5\n1 0 d2 1\n")
    run.write_text("1 Q0 d1 1 3 a\n1 Q0 d2 2 2 a\n")
    options = ["evaluate", str(qrels), str(run), "-m", "nDCG@2", "--format", "json"]
    assert main(options) == 2 and '--grades "0.5:0,1:1"' in capsys.readouterr().err
    assert main([*options, "--grades", "0.5:1,1:2"]) == 0
    # By hand: (1 / log2(2) + 2 / log2(3)) / (2 / log2(2) + 1 / log2(3)).
    assert json.loads(capsys.readouterr().out)["values"][0]["value"] == pytest.approx(
        0.859719, abs=1e-6
    )
