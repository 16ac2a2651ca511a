"""Tests of ratings as gains: unchanged in gain-based measures, cut into grades for the others."""

import json
import math
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest

import irjudge
from irjudge.cli.main import main
from irjudge.errors import FormatError, IrjudgeError, MeasureError, Undecided
from irjudge.evaluation import (
    Policy,
    compute_live_table,
    evaluate_runs,
    explain_value,
    find_value_changes,
    join,
    make_trial,
    pair_bounds,
    parse_measures,
    run_bounds,
)
from irjudge.formats import ReadingOptions
from irjudge.formats.rankings import GradeRules, parse_grade_rules, read_qrels, write_qrels
from irjudge.judging import read_project_qrels
from irjudge.metrics import Measure
from irjudge.model import Qrels, Scale, make_run
from irjudge.report import ExportOptions, export_project
from irjudge.store import Sources, create_project_from_files, open_project

GAINS = {"a": 0.412, "b": 1.543, "c": 0.037}
LINES = "".join(f"q1 0 {document} {gain}\n" for document, gain in GAINS.items())
TABLE = "query_id,doc_id,relevance\n" + "".join(f"q1,{d},{g}\n" for d, g in GAINS.items())
OPENSEARCH = json.dumps(
    {
        "name": "clicks",
        "type": "UBI_JUDGMENT",
        "judgmentRatings": [
            {"query": "q1", "ratings": [{"docId": d, "rating": str(g)} for d, g in GAINS.items()]}
        ],
    }
)
FILES = {
    "lines.qrels": LINES,
    "three.qrels": LINES.replace(" 0 ", " "),
    "table.csv": TABLE,
    "table.tsv": TABLE.replace(",", "\t"),
    "ranx.json": json.dumps({"q1": GAINS}),
    "opensearch.json": OPENSEARCH,
    "ltr.txt": "".join(f"{gain} qid:q1 # {document}\n" for document, gain in GAINS.items()),
}
RUN = make_run("r", [("q1", "a", 3.0), ("q1", "b", 2.0), ("q1", "c", 1.0)])


def write(folder: Path, name: str, text: str = "") -> Path:
    path = folder / name
    path.write_text(text or FILES[name], encoding="utf-8")
    return path


def values(path: Path, names: str, rules: GradeRules, run=RUN, **policy) -> dict[str, float]:
    qrels = read_qrels(path, grades=rules)
    return values_of(qrels, names, run)


def values_of(qrels, names: str, run=RUN) -> dict[str, float]:
    table = evaluate_runs(qrels, [run], parse_measures(names.split()))
    return dict(zip(names.split(), table.runs[0].values[:, 0].tolist(), strict=True))


@pytest.mark.parametrize("name", FILES)
def test_every_format_of_qrels_gives_the_value_worked_by_hand(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, name)
    with pytest.raises(Undecided):
        read_qrels(path)
    result = values(path, "nDCG@10", GradeRules(gains=True))
    dcg = 0.412 + 1.543 / math.log2(3) + 0.037 / 2
    ideal = 1.543 + 0.412 / math.log2(3) + 0.037 / 2
    assert result["nDCG@10"] == pytest.approx(dcg / ideal, abs=1e-12)
    assert round(result["nDCG@10"], 4) == 0.7708


def test_gain_based_measures_use_the_ratings_and_others_the_threshold(tmp_path: Path) -> None:
    path = write(tmp_path, "lines.qrels")
    names = "CG DCG@3 ERR RBP(gain=graded,p=0.5) AP P@3 RR"
    result = values(path, names, GradeRules(gains=True, cuts=(0.4,)))
    stops = [(2**gain - 1) / 2**1.543 for gain in GAINS.values()]
    err, arrives = 0.0, 1.0
    for rank, stop in enumerate(stops, 1):
        err, arrives = err + arrives * stop / rank, arrives * (1 - stop)
    expected = {
        "CG": 1.992,
        "DCG@3": 0.412 + 1.543 / math.log2(3) + 0.037 / 2,
        "ERR": err,
        "RBP(gain=graded,p=0.5)": 0.5 * (0.412 + 1.543 * 0.5 + 0.037 * 0.25) / 1.543,
        "AP": 1.0,  # a and b are relevant, and first
        "P@3": 2 / 3,
        "RR": 1.0,
    }
    assert result == pytest.approx(expected, abs=1e-12)


def test_cuts_without_gains_make_grades(tmp_path: Path) -> None:
    qrels = read_qrels(write(tmp_path, "lines.qrels"), grades=GradeRules(cuts=(0.2, 1.0)))
    assert {d: g for _, d, g in qrels.rows()} == {"a": 1, "b": 2, "c": 0}
    assert qrels.gain is None
    assert qrels.ratings() == [1, 2, 0]


def test_whole_ratings_are_gains_too_and_equal_linear_grades(tmp_path: Path) -> None:
    path = write(tmp_path, "a.qrels", "q1 0 a 1\nq1 0 b 3\nq1 0 c 0\nq1 0 d -1\nq1 0 e -2\n")
    run = make_run("r", [("q1", each, -index) for index, each in enumerate("dacbe")])
    names = "nDCG@10 DCG CG nDCG(gain=exp2)@10"
    assert values(path, names, GradeRules(gains=True), run) == values(
        path, names, GradeRules(), run
    )
    qrels = read_qrels(path, grades=GradeRules(gains=True))
    assert qrels.grade.tolist() == [1, 1, 0, -1, -2]
    assert qrels.ratings() == [1, 3, 0, -1, -2]


def test_condensed_lists_and_subtopics_keep_gains_with_their_documents(tmp_path: Path) -> None:
    path = write(tmp_path, "s.qrels", "q1 1 a 0.2\nq1 2 a 0.7\nq1 1 b 0.4\nq1 1 x -1\n")
    run = make_run("r", [("q1", "x", 3.0), ("q1", "b", 2.0), ("q1", "a", 1.0)])
    result = values(path, "DCG CG", GradeRules(gains=True), run)
    assert result["DCG"] == pytest.approx(0.4 / math.log2(3) + 0.7 / 2)
    assert result["CG"] == pytest.approx(1.1)  # the highest gain of a counts
    judged = join(run, read_qrels(path, grades=GradeRules(gains=True)))
    condensed = judged.without_unjudged()
    assert (condensed.hit_rank.tolist(), condensed.hit_gain.tolist()) == ([1, 2], [0.4, 0.7])


def test_random_gains_agree_with_a_direct_computation(tmp_path: Path) -> None:
    source = random.Random(54)
    for _ in range(40):
        gains = {f"d{at}": round(source.random() * 3, source.randint(1, 9)) for at in range(9)}
        ranked = source.sample(sorted(gains), 6)
        lines = "".join(f"1 0 {document} {gain}\n" for document, gain in gains.items())
        run = make_run("r", [("1", each, -index) for index, each in enumerate(ranked)])
        result = values(write(tmp_path, "x.qrels", lines), "nDCG@5", GradeRules(gains=True), run)
        weights = 1 / np.log2(np.arange(2, 7))
        ideal = sorted(gains.values(), reverse=True)[:5]
        expected = np.dot([gains[each] for each in ranked[:5]], weights) / np.dot(ideal, weights)
        assert result["nDCG@5"] == pytest.approx(expected, abs=1e-12)


def test_a_project_stores_gains_and_writes_them_unchanged(tmp_path: Path) -> None:
    ratings = "q1 0 a 0.41234567890123\nq1 0 b 1.5e-07\nq1 0 c 2\nq1 0 d -2\n"
    source = write(tmp_path, "r.qrels", ratings)
    path = tmp_path / "p.irjudge"
    how = {"qrels": ReadingOptions(grades=GradeRules(gains=True, cuts=(1.0,)))}
    create_project_from_files(
        path, Sources(qrels=(source,), options_by_kind=how), scale=Scale.parse("binary")
    )
    with open_project(path, writing=False) as project:
        qrels = read_project_qrels(project)
        assert qrels.ratings() == [0.41234567890123, 1.5e-07, 2, -2]
        assert qrels.grade.tolist() == [0, 0, 1, -2]
        assert not project.verify().problems
        for form in ("trec", "opensearch", "csv", "jsonl", "parquet", "quepid", "rre", "ltr"):
            out = tmp_path / f"out.{form}"
            export_project(project, ExportOptions("qrels", None, False, form), out)
            back = read_qrels(out, grades=GradeRules(gains=True))
            assert {
                (document, rating) for _, document, rating in back.rated_rows() if rating >= 0
            } == {("a", 0.41234567890123), ("b", 1.5e-07), ("c", 2)}, form
    assert (tmp_path / "out.trec").read_text() == ratings


@pytest.mark.parametrize(
    "compute",
    [
        lambda qrels, measure: compute_live_table(qrels, [RUN], [measure]),
        lambda qrels, measure: run_bounds(qrels, RUN, [measure]),
        lambda qrels, measure: pair_bounds(qrels, RUN, replace(RUN, name="b"), [measure]),
    ],
)
def test_bounds_refuse_gains(tmp_path: Path, compute: Callable[[Qrels, Measure], object]) -> None:
    qrels = read_qrels(write(tmp_path, "lines.qrels"), grades=GradeRules(gains=True))
    (measure,) = parse_measures(["nDCG@10"])
    with pytest.raises(MeasureError) as refused:
        compute(qrels, measure)
    assert refused.value.key == "needs-grades"


def test_explanations_use_the_gains(tmp_path: Path) -> None:
    qrels = read_qrels(write(tmp_path, "lines.qrels"), grades=GradeRules(gains=True))
    (measure,) = parse_measures(["nDCG@10"])
    explanation = explain_value(qrels, RUN, "q1", measure)
    assert explanation.example.gains is not None
    assert explanation.example.gains.ranked == (0.412, 1.543, 0.037)
    assert explanation.worked_example.result == pytest.approx(0.7708, abs=5e-5)
    assert explanation.worked_example.result == pytest.approx(explanation.value, abs=1e-12)
    assert [row[3] for row in explanation.rows()] == [0.412, 1.543, 0.037]
    assert any("1.5430" in step for step in explanation.worked_example.steps)


@pytest.mark.parametrize("rules", [GradeRules(gains=True), GradeRules(gains=True, cuts=(0.4, 1))])
@pytest.mark.parametrize("highest", [None, 4])
def test_worked_examples_give_the_value_of_their_measure(
    tmp_path: Path, rules: GradeRules, highest: int | None
) -> None:
    """The highest gain is in another topic.

    Some documents are unjudged, missed, or below the cuts.
    """
    text = "1 0 a 0.3\n1 0 b 1.25\n1 0 c 0\n1 0 d -1\n1 0 e 0.9\n1 0 f 0.05\n2 0 g 2.5\n"
    qrels = read_qrels(write(tmp_path, "w.qrels", text), grades=rules)
    run = make_run("r", [("1", each, -index) for index, each in enumerate("cxadb")])
    names = (
        "CG NCG DCG DCG@3 nDCG nDCG(gain=exp2)@2 nDCG(discount=jk)@4 IDCG@2 nDCG(ideal=retrieved)"
        " nDCG(judged_only=true) Q ERR ERR@3 RBP RBP(gain=graded) RBP(gain=topic) BPM@3 AP P@3 RR R@5"
        " Bpref infAP"
    )
    policy = Policy(highest=highest)
    whole = evaluate_runs(qrels, [run], parse_measures(names.split()), policy)
    for measure, value in zip(whole.measures, whole.runs[0].values[:, 0].tolist(), strict=True):
        explanation = explain_value(qrels, run, "1", measure, policy)
        assert explanation.value == pytest.approx(value, abs=1e-12), measure.name
        if explanation.worked_example.columns:
            assert explanation.worked_example.result == pytest.approx(value, abs=1e-9), measure.name


def test_what_if_changes_keep_and_move_gains(tmp_path: Path) -> None:
    qrels = read_qrels(write(tmp_path, "lines.qrels"), grades=GradeRules(gains=True))
    (measure,) = parse_measures(["nDCG@10"])
    trial = make_trial(qrels, RUN, "q1")
    assert [name for name, _ in trial.ideal] == ["b", "a", "c"]
    assert trial.values([measure])[0] == pytest.approx(0.7708, abs=5e-5)
    assert trial.exchange(0, 1).values([measure])[0] == pytest.approx(1)
    best = find_value_changes(trial, measure)
    assert (best.exchange.upper, best.exchange.lower) == (1, 2)
    assert best.exchange.value == pytest.approx(1)
    assert trial.with_grade("b", 0).explain(measure).example.gains.ranked == (0.412, 0.0, 0.037)
    assert trial.with_grade("c", None).explain(measure).example.gains.ranked == (0.412, 1.543, None)


def test_the_command_explains_gains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    qrels, ranking = write(tmp_path, "lines.qrels"), tmp_path / "r.run"
    ranking.write_text("q1 Q0 a 1 3 r\nq1 Q0 b 2 2 r\nq1 Q0 c 3 1 r\n")
    files = [str(qrels), str(ranking), "-t", "q1", "-m"]
    assert main(["explain", *files, "nDCG@10", "--gains"]) == 0
    assert "0.7708" in capsys.readouterr().out
    assert main(["explain", *files, "AP", "--gains", "--cuts", "0.4", "-f", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["values"]
    assert [row["grade"] for row in rows] == [1, 1, 0]


def test_worked_sheets_compute_with_the_ratings(tmp_path: Path) -> None:
    text = "1 0 a 0.3\n1 0 b 1.25\n1 0 c 0\n1 0 d -1\n1 0 e 0.9\n"
    qrels = read_qrels(write(tmp_path, "w.qrels", text), grades=GradeRules(gains=True))
    run = make_run("r", [("1", each, -index) for index, each in enumerate("cxadb")])
    (tmp_path / "r.run").write_text(
        "".join(f"1 Q0 {name} {rank} {-rank} r\n" for rank, name in enumerate("cxadb", 1))
    )
    book = tmp_path / "book.xlsx"
    files = [str(tmp_path / "w.qrels"), str(tmp_path / "r.run"), "-o", str(book)]
    assert main(["report", *files, "--gains", "-m", "nDCG", "--worked", "r:1"]) == 0
    cells, formulas = (
        openpyxl.load_workbook(book, data_only=values)["Worked"] for values in (True, False)
    )
    header = [cell.value for cell in cells[8]]
    column = {
        name: [row[header.index(name)].value for row in cells.iter_rows(min_row=9)]
        for name in ("Rating", "Gain", "Grade", "Ideal gain")
    }
    assert column["Rating"] == [0, "unjudged", 0.3, "unjudged", 1.25, 0.9]
    assert column["Gain"] == [0, 0, 0.3, 0, 1.25, 0.9]
    assert column["Ideal gain"][:4] == [1.25, 0.9, 0.3, 0]
    rating = formulas.cell(9, header.index("Rating") + 1).column_letter
    assert f"{rating}9" in formulas.cell(9, header.index("Gain") + 1).value
    (measure,) = parse_measures(["nDCG"])
    expected = explain_value(qrels, run, "1", measure).value
    results = {row[4].value: row[5].value for row in cells.iter_rows(max_row=7)}
    assert results["nDCG"] == pytest.approx(expected)


def test_python_reads_gains_of_dicts_tables_and_files(tmp_path: Path) -> None:
    table = pd.DataFrame(
        {"query_id": ["q1"] * 3, "doc_id": [*GAINS], "relevance": [*GAINS.values()]}
    )
    for given in ({"q1": GAINS}, table, write(tmp_path, "lines.qrels")):
        qrels = irjudge.read_qrels(given, gains=True)
        assert round(values_of(qrels, "nDCG@10")["nDCG@10"], 4) == 0.7708
        assert qrels.to_pandas().relevance.tolist() == [*GAINS.values()]
        assert irjudge.write_qrels(tmp_path / "w.qrels", qrels) == 3
        assert (tmp_path / "w.qrels").read_text() == LINES


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"grades": "1:2", "gains": True}, "grades-and-gains"),
        ({"grades": "1:2", "cuts": "1"}, "grades-and-gains"),
        ({"cuts": "2,1"}, "invalid-cuts"),
        ({"cuts": "1,1"}, "invalid-cuts"),
        ({"cuts": "-1"}, "invalid-cuts"),
        ({"cuts": "1,x"}, "no-cut"),
        ({"cuts": ""}, "no-cut"),
        ({"cuts": "nan"}, "no-cut"),
    ],
)
def test_options_that_contradict_each_other_are_refused(options, key) -> None:
    with pytest.raises(IrjudgeError) as refused:
        parse_grade_rules(**options)
    assert refused.value.key == key


@pytest.mark.parametrize(
    ("rating", "key"),
    [("-0.5", "unknown-negative"), ("nan", None), ("inf", None), ("1e300", None), ("0,5", None)],
)
@pytest.mark.parametrize(
    "form", ["q1 0 a {}\nq1 0 b 0.5\n", "topic\tdocument\tgrade\nq1\ta\t{}\nq1\tb\t0.5\n"]
)
def test_ratings_that_are_not_gains_are_refused(
    tmp_path: Path, form: str, rating: str, key: str | None
) -> None:
    path = write(tmp_path, "x.tsv", form.format(rating))
    with pytest.raises(FormatError) as refused:
        read_qrels(path, grades=GradeRules(gains=True))
    assert key is None or refused.value.key == key
    assert "\n" not in str(refused.value)


def test_negative_ratings_have_the_given_meaning(tmp_path: Path) -> None:
    path = write(tmp_path, "x.qrels", "q1 0 a -0.5\nq1 0 b 0.5\n")
    qrels = read_qrels(path, "0", grades=GradeRules(gains=True))
    assert (qrels.grade.tolist(), qrels.gain.tolist()) == ([0, 1], [0.0, 0.5])


def test_writing_and_reading_gains_is_exact(tmp_path: Path) -> None:
    source = random.Random(7)
    rows = [("1", f"d{at}", source.random() * 10 ** source.randint(-9, 5)) for at in range(300)]
    write_qrels(tmp_path / "g.qrels", rows)
    back = read_qrels(tmp_path / "g.qrels", grades=GradeRules(gains=True))
    assert [*back.rated_rows()] == rows
