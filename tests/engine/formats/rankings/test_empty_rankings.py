"""Tests of queries without retrieved documents: they count as 0 and survive conversion."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import irjudge
from irjudge.cli.main import main
from irjudge.evaluation import Policy, evaluate_runs, parse_measures, read_ranking
from irjudge.formats.rankings import convert_runs, read_run, warn_of_omitted_topics, write_run
from irjudge.model import Qrels, Scale, make_qrels, make_run
from irjudge.store import create_project, open_project
from tests.pools import depth_pool

QRELS = make_qrels([("1", "d1", 1), ("1", "d2", 0), ("2", "d3", 1)])
RANK_EVAL = {
    "metric_score": 0.5,
    "details": {
        "1": {
            "metric_score": 1.0,
            "hits": [{"hit": {"_index": "i", "_id": "d1", "_score": 2.0}, "rating": 1}],
        },
        "2": {"metric_score": 0.0, "hits": []},
    },
}
HIT = {"_id": "d1", "_score": 2.0, "_source": {"title": "One"}}
# For each engine: a response with a hit, and one without, as sent for the query "2".
ENGINES: dict[str, tuple[object, object]] = {
    "elasticsearch": (
        {"hits": {"hits": [HIT]}},
        {"took": 1, "hits": {"total": {"value": 0}, "hits": []}},
    ),
    "solr": (
        {
            "responseHeader": {"params": {"q": "1"}},
            "response": {"docs": [{"id": "d1", "score": 2}]},
        },
        {"responseHeader": {"params": {"q": "2"}}, "response": {"numFound": 0, "docs": []}},
    ),
    "solr, grouped": (
        {
            "responseHeader": {"params": {"q": "1"}},
            "grouped": {
                "f": {"matches": 1, "groups": [{"doclist": {"docs": [{"id": "d1", "score": 2}]}}]}
            },
        },
        {"responseHeader": {"params": {"q": "2"}}, "grouped": {"f": {"matches": 0, "groups": []}}},
    ),
    "vespa": (
        {"root": {"fields": {"totalCount": 1}, "children": [{"id": "d1", "relevance": 2.0}]}},
        {"root": {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": 0}}},
    ),
    "typesense": (
        {"hits": [{"document": {"id": "d1"}, "text_match": 2}], "request_params": {"q": "1"}},
        {"found": 0, "hits": [], "request_params": {"q": "2"}},
    ),
    "algolia": (
        {"hits": [{"objectID": "d1"}], "query": "1"},
        {"hits": [], "nbHits": 0, "query": "2"},
    ),
    "meilisearch": (
        {"hits": [{"id": "d1"}], "query": "1"},
        {"hits": [], "query": "2", "estimatedTotalHits": 0},
    ),
}
SNAPSHOT = (
    "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
    "May,2026-05-02T10:00:00Z,7,1,d1,1\nMay,2026-05-02T10:00:00Z,7,2,,\n"
)
CANDIDATES = [
    {
        "query": {"qid": "1", "text": "one"},
        "candidates": [{"docid": "d1", "score": 2, "doc": {"text": "x"}}],
    },
    {"query": {"qid": "2", "text": "two"}, "candidates": []},
]


def precision(qrels: Qrels, path: Path) -> tuple[tuple[str, ...], float]:
    """Return the evaluated topics and P@1, as when files are evaluated."""
    policy = Policy()
    ranking = read_ranking(path, qrels, policy)
    (run,) = evaluate_runs(qrels, [ranking], parse_measures(["P@1"]), policy).runs
    return run.topics, float(run.summary[0])


def write_file(path: Path, text: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    return path


def test_a_query_without_hits_halves_the_mean_as_in_rank_eval(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.json", RANK_EVAL)
    assert read_run(path).empty_topics == ("2",)
    assert precision(QRELS, path) == (("1", "2"), 0.5)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_saved_response_without_hits_is_an_empty_ranking(engine: str, tmp_path: Path) -> None:
    hit, empty = ENGINES[engine]
    folder = tmp_path / "run"
    write_file(folder / "1.json", hit)
    write_file(folder / "2.json", empty)
    write_file(
        tmp_path / "lines.jsonl",
        "\n".join(json.dumps({"query": q, "response": r}) for q, r in (("1", hit), ("2", empty))),
    )
    for path in (folder, tmp_path / "lines.jsonl"):
        run = read_run(path)
        assert {*run.topics} == {"1", "2"} and run.empty_topics == ("2",), run.topics
        assert precision(QRELS, path) == (("1", "2"), 0.5)


@pytest.mark.parametrize("first", ["hit", "empty"])
@pytest.mark.parametrize("engine", ["typesense", "algolia", "meilisearch"])
def test_a_response_without_hits_names_its_query(engine: str, first: str, tmp_path: Path) -> None:
    hit, empty = ENGINES[engine]
    files = [hit, empty] if first == "hit" else [empty, hit]
    for index, answer in enumerate(files):
        write_file(tmp_path / "run" / f"file{index}.json", answer)
    assert {*read_run(tmp_path / "run").topics} == {"1", "2"}


def test_a_quepid_snapshot_and_candidates_keep_queries_without_documents(tmp_path: Path) -> None:
    assert read_run(write_file(tmp_path / "s.csv", SNAPSHOT)).empty_topics == ("2",)
    lines = "\n".join(map(json.dumps, CANDIDATES))
    assert read_run(write_file(tmp_path / "c.jsonl", lines)).empty_topics == ("2",)


def test_json_of_scores_keeps_a_topic_without_documents(tmp_path: Path) -> None:
    path = write_file(tmp_path / "r.json", {"2": {}, "1": {"d1": 2.0}})
    assert read_run(path).empty_topics == ("2",)
    assert precision(QRELS, path) == (("1", "2"), 0.5)


@pytest.mark.parametrize("run", [{"1": {"d1": 1.0}, "2": {}}, {"2": {}, "1": {"d1": 1.0}}])
def test_a_dict_in_python_keeps_a_topic_without_documents(run: dict[str, dict[str, float]]) -> None:
    qrels = {"1": {"d1": 1}, "2": {"d3": 1}}
    assert irjudge.evaluate(qrels, run, "P@1").value.tolist() == [0.5]
    with pytest.warns(UserWarning, match="a: 2, b: 1"):
        several = irjudge.evaluate(qrels, {"a": run, "b": {"1": {"d1": 1.0}}}, "P@1")
    assert several.value.tolist() == [0.5, 1.0]


def test_a_run_without_any_row_at_all_is_evaluated() -> None:
    run = make_run("none", []).with_topics(["1", "2"])
    (evaluation,) = evaluate_runs(
        QRELS, [run], parse_measures("AP nDCG RR NumRet RBP(p=0.8)".split())
    ).runs
    assert evaluation.topics == ("1", "2") and not evaluation.values.any()


def test_empty_rankings_count_as_0_in_means() -> None:
    rng = np.random.default_rng(1)
    topics = [f"t{number}" for number in range(40)]
    qrels = make_qrels([(t, f"d{d}", int(rng.integers(0, 3))) for t in topics for d in range(9)])
    rows = [
        (t, f"d{d}", float(rng.integers(0, 4)))
        for t in topics
        if rng.random() < 0.5
        for d in rng.permutation(9)[:5]
    ]
    without = make_run("r", rows)
    measures = parse_measures("AP nDCG@5 RR P@3 Bpref ERR NumRet Judged@5 SetF RBP(p=0.8)".split())
    filled = without.with_topics(topics)
    (both,) = evaluate_runs(qrels, [filled], measures, Policy(topics="both")).runs
    (known,) = evaluate_runs(qrels, [without], measures, Policy(topics="qrels")).runs
    assert both.topics == known.topics and np.array_equal(both.values, known.values)
    assert both.coverage.missing == 0 and known.coverage.missing == len(topics) - len(
        without.topics
    )
    assert filled.without_empty_topics().topics == without.topics


def test_an_empty_ranking_survives_the_project_file(tmp_path: Path) -> None:
    run = make_run("r", [("1", "d1", 2.0), ("3", "d1", 1.0)]).with_topics(["2"])
    with create_project(tmp_path / "p.irjudge", scale=Scale.parse("0-1")) as project:
        project.rankings.add_run(run)
        project.rankings.add_qrels("q", QRELS)
    with open_project(tmp_path / "p.irjudge") as project:
        back = project.rankings.run("r")
        assert (back.topics, back.empty_topics) == (run.topics, ("2",))
        assert np.array_equal(back.starts, run.starts)
        assert "2" not in {t for t, n in zip(*pool_sizes(back), strict=True) if n}
    assert main(["verify", str(tmp_path / "p.irjudge")]) == 0


def pool_sizes(run: object) -> tuple[tuple[str, ...], list[int]]:
    pool = depth_pool([run], 10)
    return pool.topics, np.diff(pool.starts).tolist()


@pytest.mark.parametrize("numbers", [True, False])
def test_an_empty_ranking_survives_conversion(numbers: bool, tmp_path: Path) -> None:
    called: Callable[[int], str] = str if numbers else "d{}".format
    qrels = make_qrels([("1", called(1), 1), ("2", called(3), 1)])
    run = make_run("r", [("1", called(1), 2.0), ("1", called(2), 1.0), ("0", called(1), 1.0)])
    (folder,) = convert_runs([run.with_topics(["2"])], tmp_path)
    assert read_run(folder).empty_topics == ("2",)
    assert precision(qrels, folder) == (("1", "2"), 0.5)
    (folder,) = convert_runs([run], tmp_path)
    assert read_run(folder).empty_topics == ()
    assert precision(qrels, folder) == (("1",), 1.0)


def test_formats_without_empty_rankings_give_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = make_run("r", [("1", "d1", 2.0)]).with_topics(["2"])
    assert write_run(tmp_path / "r.run", run) == 1
    (warning,) = warn_of_omitted_topics(run)
    assert warning.values["count"] == "1" and warning.values["topics"] == "2"
    assert warn_of_omitted_topics(read_run(tmp_path / "r.run")) == ()
    with create_project(tmp_path / "p.irjudge", scale=Scale.parse("0-1")) as project:
        project.rankings.add_run(run)
    capsys.readouterr()
    out = tmp_path / "out.run"
    assert main(["export", str(tmp_path / "p.irjudge"), "--run", "r", "--output", str(out)]) == 0
    assert len(out.read_text().splitlines()) == 1 and "(2)" in capsys.readouterr().err


# Checks


@pytest.fixture
def stored_base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Store an evaluation `base` with mean AP .75.

    Then write a run without documents for topic 2.
    """
    monkeypatch.chdir(tmp_path)
    write_file(tmp_path / "q.qrels", "1 0 d1 1\n2 0 d3 1\n")
    write_file(tmp_path / "r.run", "1 Q0 d1 1 2 r\n2 Q0 x 1 2 r\n2 Q0 d3 2 1 r\n")
    assert main("evaluate q.qrels r.run -m AP --keep base".split()) == 0
    write_file(tmp_path / "r.run", "1 Q0 d1 1 2 r\n")
    return tmp_path


def test_a_check_fails_if_the_run_lacks_a_topic_of_its_baseline(
    stored_base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main("evaluate q.qrels r.run -m AP --fail-if-worse base".split()) == 3
    assert ": 2;" in capsys.readouterr().err, "it names the topic"
    assert main("evaluate q.qrels r.run -m AP --topics qrels --fail-if-worse base".split()) == 3
    assert main("evaluate q.qrels r.run -m AP --topic 1 --fail-if-worse base".split()) == 0


def test_a_check_fails_if_the_run_lacks_a_topic_of_another_run(stored_base: Path) -> None:
    write_file(stored_base / "full.run", "1 Q0 d1 1 2 f\n2 Q0 x 1 2 f\n")
    arguments = "evaluate q.qrels r.run full.run -m AP --fail-if-worse full".split()
    assert main(arguments) == 3
    assert main([*arguments, "--topics", "qrels"]) == 0


def test_an_empty_ranking_lets_the_check_compare_values(stored_base: Path) -> None:
    write_file(stored_base / "r.json", {"1": {"d1": 2.0}, "2": {}})
    assert main("evaluate q.qrels r.json -m AP --fail-if-worse base".split()) == 3
    assert main("evaluate q.qrels r.json -m AP --by 0.6 --fail-if-worse base".split()) == 0
    assert main("evaluate q.qrels r.json -m AP --format csv --per-topic".split()) == 0


def test_a_search_without_results_is_in_the_table(
    stored_base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_file(stored_base / "r.json", {"1": {"d1": 2.0}, "2": {}})
    capsys.readouterr()
    assert main("evaluate q.qrels r.json -m AP --format csv --per-topic".split()) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert {row["topic"]: row["value"] for row in rows} == {"1": "1.0", "2": "0.0", "all": "0.5"}
