"""Tables as text, CSV, JSON and in trec_eval's form."""

import csv
import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.evaluation.table import Evaluation, Policy, evaluate, parse_measures
from irjudge.metrics import catalogue, make
from irjudge.metrics.names import parse
from irjudge.model.ranking import make_qrels, make_run
from irjudge.report.tables import TREC_EVAL, shown_value, table_text, trec_line, trec_name, write_trec

COLUMNS = ("run", "topic", "value")

texts = st.text(st.characters(exclude_categories=["Cs"]))
cells = st.one_of(texts, st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.none())


def test_text_aligns_numbers_to_the_right_and_words_to_the_left():
    table = table_text(COLUMNS, [("bm25", "1", 0.25), ("ql", "all", 1500), ("x", "2", None)])
    assert table == ("run   topic   value\nbm25  1      0.2500\nql    all      1500\nx     2\n")


def test_text_shows_as_many_decimals_as_asked():
    assert table_text(["v"], [(1 / 3,)], decimals=2) == "   v\n0.33\n"
    assert table_text(["v"], [(-1e-9,)], decimals=2) == "   v\n0.00\n"


def test_wide_letters_keep_the_columns_aligned():
    table = table_text(["run", "n"], [("検索語", 1), ("abcd", 2)])
    assert table.splitlines()[1:] == ["検索語  1", "abcd    2"]


def test_an_id_can_neither_break_a_line_nor_command_the_terminal():
    table = table_text(["document"], [("a\nb",), ("\x1b[2J",), ("\t",), ("\x9b1m",), ("\udc80",)])
    assert table.splitlines() == ["document", "a\\nb", "\\x1b[2J", "\\t", "\\x9b1m", "\\udc80"]


def test_csv_ends_lines_with_a_line_feed_and_keeps_values_in_full():
    table = table_text(COLUMNS, [("=1+1", "a,b", 1 / 3), ('"', "007", None), ("n", "x\ny", np.float64(0.1))], "csv")
    assert table == 'run,topic,value\n=1+1,"a,b",0.3333333333333333\n"""",007,\nn,"x\ny",0.1\n'


@given(st.lists(st.tuples(texts, texts, st.floats(allow_nan=False)), max_size=5))
def test_csv_reads_back_as_it_was(rows):
    read = list(csv.reader(io.StringIO(table_text(COLUMNS, rows, "csv"), newline="")))
    assert [(run, topic, float(value)) for run, topic, value in read[1:]] == rows


@given(st.lists(st.tuples(cells, cells, cells), max_size=5))
def test_json_reads_back_as_it_was(rows):
    assert json.loads(table_text(COLUMNS, rows, "json")) == [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def test_json_has_an_object_a_line_and_takes_numbers_of_numpy():
    assert table_text(["n", "é"], [(np.int64(1), np.float64(0.5)), (2, "ü")], "json") == '[\n{"n": 1, "é": 0.5},\n{"n": 2, "é": "ü"}\n]\n'
    assert table_text(COLUMNS, [], "json") == "[]\n"


@pytest.mark.parametrize("form", ["csv", "json", "text"])
def test_nothing_is_written_as_nan_in_json_and_a_short_row_is_refused(form):
    if form == "json":
        with pytest.raises(ValueError, match="JSON"):
            table_text(["v"], [(float("nan"),)], "json")
        with pytest.raises(ValueError, match="zip"):
            table_text(["a", "b"], [("1",)], "json")
    else:
        assert table_text(["v"], [(1,)], form).splitlines() == ["v", "1"]


# trec_eval


def evaluated(*names: str, rel: int = 1, runs: int = 1) -> Evaluation:
    judged = make_qrels([("301", "a", 1), ("301", "b", 0), ("302", "a", 2), ("302", "c", 1)])
    rows = [("301", "b", 2.0), ("301", "a", 1.0), ("302", "a", 1.0)]
    several = [make_run(f"STANDARD{number or ''}", rows) for number in range(runs)]
    return evaluate(judged, several, parse_measures(names, rel), Policy(rel=rel))


def printed(table: Evaluation, *, per_topic: bool = False) -> list[str]:
    text = io.StringIO()
    write_trec(table, text, per_topic=per_topic)
    return text.getvalue().splitlines()


def test_lines_have_trec_evals_form():
    assert printed(evaluated("num_q", "num_rel", "map", "P.5", "iprec_at_recall_.1")) == [
        "num_q                 \tall\t2",
        "num_rel               \tall\t3",
        "map                   \tall\t0.5000",
        "P_5                   \tall\t0.2000",
        "iprec_at_recall_0.10  \tall\t0.7500",
    ]


def test_topics_stand_before_all_and_the_number_of_topics_is_said_once():
    assert printed(evaluated("num_q", "num_ret", "recip_rank"), per_topic=True) == [
        "num_ret               \t301\t2",
        "recip_rank            \t301\t0.5000",
        "num_ret               \t302\t1",
        "recip_rank            \t302\t1.0000",
        "num_q                 \tall\t2",
        "num_ret               \tall\t3",
        "recip_rank            \tall\t0.7500",
    ]


def test_several_runs_are_told_apart():
    assert printed(evaluated("map", runs=2)) == [
        "runid                 \tall\tSTANDARD",
        "map                   \tall\t0.5000",
        "runid                 \tall\tSTANDARD1",
        "map                   \tall\t0.5000",
    ]


def test_a_long_name_of_ours_is_printed_whole():
    (measure,) = parse("nDCG(gain=exp2,discount=jk,base=10)@10")
    assert trec_line(measure, "all", 1) == f"{measure.name}\tall\t1.0000\n"


@pytest.mark.parametrize(
    "name",
    "num_q num_ret num_rel num_rel_ret map Rprec bpref recip_rank iprec_at_recall_0.00 iprec_at_recall_0.10 iprec_at_recall_1.00 P_5 "
    "P_1000 recall_5 ndcg ndcg_cut_10 map_cut_100 success_1 set_P set_recall set_F unj_5".split(),
)
def test_trec_evals_names_come_back_as_they_were_typed(name):
    (measure,) = parse(name)
    assert trec_name(measure) == name


@pytest.mark.parametrize(
    "name", ["RR@10", "IPrec@0.125", "nDCG(gain=exp2)@10", "NumRelRet@10", "SetF(beta=2)", "AP(norm=cutoff)@5", "Judged@10"]
)
def test_where_trec_eval_has_no_name_ours_is_printed(name):
    (measure,) = parse(name)
    assert trec_name(measure) == measure.name


def test_the_lowest_relevant_grade_of_the_whole_evaluation_is_not_in_trec_evals_names():
    assert printed(evaluated("map", rel=2)) == ["map                   \tall\t0.5000"]
    (measure,) = parse("map", rel=2)
    assert trec_name(measure) == "AP(rel=2)" and trec_name(measure, 2) == "map"


@pytest.mark.parametrize("declaration", catalogue(), ids=lambda each: each.name)
def test_a_printed_name_always_means_the_measure_printed(declaration):
    values = {each.name: {"whole": 7, "number": 0.5}.get(each.kind) for each in declaration.parameters if each.required}
    measure = make(declaration, **values)
    assert parse(trec_name(measure)) == (measure,)


def test_every_word_of_trec_eval_is_there_once():
    assert len(TREC_EVAL) == len({word.lower() for word in TREC_EVAL})


def test_counts_are_shown_as_whole_numbers():
    (count,), (share,) = parse("num_ret"), parse("Judged@10")
    assert repr(shown_value(count, np.float64(3))) == "3" and repr(shown_value(share, np.float64(1))) == "1.0"
