"""Tests of real runs and qrels: completely read, published values, other files refused."""

import time
from pathlib import Path

import pytest

import irjudge
from irjudge.errors import FormatError
from irjudge.evaluation import evaluate_runs, parse_measures
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.model import topic_of_each_row
from tests.pools import depth_pool

# Rows, topics, lowest and highest grade.
QRELS = {
    "qrels/qrels.backgroundlinking18.txt": (8508, 50, 0, 16),
    "qrels/qrels.cacm.txt": (796, 52, 1, 1),
    "qrels/qrels.clef06fr.txt": (17882, 49, 0, 1),
    "qrels/qrels.dl19-passage.txt": (9260, 43, 0, 3),
    "qrels/qrels.dl20-passage.txt": (11386, 54, 0, 3),
    "qrels/qrels.hc4-v1.0-zh.test.txt": (2751, 50, 0, 3),
    "qrels/qrels.microblog2011.txt": (60129, 49, -2, 2),
    "qrels/qrels.miracl-v1.0-ar-dev.tsv": (29197, 2896, 0, 1),
    "qrels/qrels.msmarco-doc.dev.txt": (5193, 5193, 1, 1),
    "qrels/qrels.rag25.test.txt": (10284, 22, 0, 4),
    "qrels/qrels.web.201-250.ndeval.head.txt": (5000, 6, 0, 4),
    "qrels/qrels.web.201-250.txt": (14474, 50, -2, 4),
    "qrels/qrels.web.51-100.txt": (25329, 48, -2, 3),
    "trec_covid/qrels/covid-complete.txt": (69318, 50, -1, 2),
    "trec_covid/qrels/covid-round1.txt": (8691, 30, 0, 2),
    "trec_dl/dl21-passage.txt": (10828, 53, 0, 3),
    "trec_eval/qrels-302.test": (1061, 1, 0, 1),
    "trec_eval/qrels.123": (10362, 3, -1, 6),
    "trec_eval/qrels.comment.test": (5890, 31, 0, 3),
    "trec_eval/qrels.comments.123": (10362, 3, -1, 6),
    "trec_eval/qrels.rel_level": (3681, 3, -1, 4),
    "trec_eval/qrels.test": (3681, 3, 0, 1),
    "trec_eval/qrels.test.with-comments": (3681, 3, 0, 1),
}
RUN_FOLDERS = {
    "trec_covid/runs": 20,
    "trec_covid/round1_pool/runs_top20": 56,
    "trec_dl/runs": 8,
    "documents/runs": 3,
}
# Rows and topics.
RUNS = {
    "trec_eval/results-302.test": (500, 1),
    "trec_eval/results.comment.test": (30100, 301),
    "trec_eval/results.test": (1500, 3),
    "trec_eval/results.trunc": (584, 2),
    "documents/runs/cacm-bm25.txt": (1920, 64),
    "documents/runs/run_mixed_scores": (6, 2),
    "trec_covid/runs/BERT": (2355, 30),
    "trec_covid/runs/BBGhelani1": (30000, 30),
    "trec_covid/round1_pool/runs_top20/UB_NLP_RUN_1": (668, 30),
    "trec_dl/runs/uogTrPCP": (5225, 53),
}


def filled_lines(path: Path) -> list[list[str]]:
    fields = (line.split() for line in path.read_text(encoding="utf-8-sig").split("\n"))
    return [line for line in fields if line and not line[0].startswith("#")]


@pytest.mark.parametrize("name", QRELS)
def test_real_qrels_are_read_completely(data: Path, name: str) -> None:
    qrels = read_qrels(data / name)
    assert (len(qrels), len(qrels.topics), qrels.grade.min(), qrels.grade.max()) == QRELS[name]
    names = qrels.documents.to_pylist()
    topics = [qrels.topics[code] for code in qrels.topic]
    rows = sorted(
        zip(topics, (names[code] for code in qrels.document), map(str, qrels.grade), strict=True)
    )
    assert rows == sorted((line[0], line[2], line[3]) for line in filled_lines(data / name))


@pytest.mark.parametrize("folder", RUN_FOLDERS)
def test_every_line_of_real_runs_is_read(data: Path, folder: str) -> None:
    paths = sorted((data / folder).iterdir())
    assert len(paths) == RUN_FOLDERS[folder]
    for path in paths:
        run, lines = read_run(path), filled_lines(path)
        rows = sorted(
            zip(
                topic_of_each_row(run.starts).tolist(),
                run.document.to_pylist(),
                run.score.tolist(),
                run.rank.tolist(),
                strict=True,
            )
        )
        code = {topic: index for index, topic in enumerate(run.topics)}
        assert rows == sorted(
            (code[line[0]], line[2], float(line[4]), int(line[3])) for line in lines
        )


@pytest.mark.parametrize("name", RUNS)
def test_real_runs_have_the_known_numbers_of_rows(data: Path, name: str) -> None:
    run = read_run(data / name)
    assert (len(run), len(run.topics)) == RUNS[name]


def test_too_long_lines_of_a_truncated_run_are_reported(data: Path) -> None:
    warnings = read_run(data / "trec_eval" / "results.trunc").warnings
    assert {"file": "results.trunc", "longer": "5"} in [each.values for each in warnings]


def test_sampled_judgments_are_refused_with_advice(data: Path) -> None:
    with pytest.raises(
        FormatError,
        match=r"prels.web.1-50.head.txt, line 1: 5 columns; expected 4 .*prels\) is not qrels",
    ):
        read_qrels(data / "qrels" / "prels.web.1-50.head.txt")


def test_preferences_are_refused_with_advice(data: Path) -> None:
    with pytest.raises(
        FormatError, match=r"prefs.test, line 1: 5 columns; expected 4 .*preferences"
    ):
        read_qrels(data / "trec_eval" / "prefs.test")


def test_the_pool_of_trec_covid_round_1_is_reproduced_exactly(data: Path) -> None:
    folder = data / "trec_covid" / "round1_pool"
    began = time.perf_counter()
    runs = [read_run(path) for path in sorted((folder / "runs_top20").iterdir())]
    pool = depth_pool(runs, 7)
    took = time.perf_counter() - began
    topics = [pool.topics[code] for code in topic_of_each_row(pool.starts)]
    pairs = list(zip(topics, pool.document.to_pylist(), strict=True))
    expected = [tuple(line) for line in filled_lines(folder / "expected_pool_depth7.txt")]
    assert (len(runs), len(pairs)) == (56, 6959)
    assert sorted(pairs) == sorted(expected)
    assert took < 5


def test_cacm_has_the_published_values(data: Path) -> None:
    qrels = read_qrels(data / "qrels" / "qrels.cacm.txt")
    run = read_run(data / "documents" / "runs" / "cacm-bm25.txt")
    (scores,) = evaluate_runs(qrels, [run], parse_measures(["AP", "P@10", "nDCG@10", "RR"])).runs
    assert len(scores.topics) == 52
    assert scores.summary.round(4).tolist() == [0.2744, 0.3154, 0.4543, 0.7048]


def test_rounds_of_trec_covid_are_distinguished_from_subtopics_of_trec_web(data: Path) -> None:
    covid = data / "trec_covid" / "qrels" / "covid-round1.txt"
    web = data / "qrels" / "qrels.web.201-250.ndeval.head.txt"
    assert "remarks" in irjudge.evaluate(covid, {"1": {"010vptx3": 1}}, "alpha-nDCG@10").attrs
    with pytest.warns(UserWarning, match="201|run"):  # no document is judged
        frame = irjudge.evaluate(web, {"201": {"x": 1}}, "alpha-nDCG@10")
    assert "remarks" not in frame.attrs


@pytest.mark.parametrize(
    ("name", "line", "count", "named"),
    [
        ("trec_eval/prefs.test", 1, "5", "(prels)"),
        ("trec_eval/prefs.comment.test", 2, "5", "(prels)"),
        ("qrels/prels.web.1-50.head.txt", 1, "5", "(prels)"),
        ("trec_eval/zscores_file", None, "224", "0.0029"),
        ("trec_eval/results.test", 1, "6", "4 (topic, "),
        ("trec_eval/out.test", 1, "3", "4 (topic, "),
        ("classic/cran/cranqrel.readme", 1, "9", "4 (topic, "),
    ],
)
def test_a_file_that_is_not_qrels_is_refused_with_the_reason(data, name, line, count, named):
    with pytest.raises(FormatError) as error:
        read_qrels(data / name)
    assert (error.value.line, error.value.values["count"]) == (line, count)
    assert named in str(error.value)


@pytest.mark.parametrize(
    ("name", "line", "named"),
    [
        ("trec_eval/prefs.rank20", 1, "first being Q0"),
        ("trec_eval/qrels.test", 1, "4 columns; expected 6"),
        ("trec_eval/zscores_file", 1, "4 columns; expected 6"),
        ("trec_eval/out.test", 1, "third 'STANDARD'"),
        ("trec_dl/treceval/p_bm25.treceval", 1432, "third 'p_bm25'"),
    ],
)
def test_a_file_that_is_not_a_run_is_refused_with_the_reason(data, name, line, named):
    with pytest.raises(FormatError) as error:
        read_run(data / name)
    assert error.value.line == line and named in str(error.value)
