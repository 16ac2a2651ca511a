"""Tests of evaluations in trec_eval's format."""

import io
from typing import get_args

import pytest

from irjudge.evaluation import Evaluation, Policy, evaluate_runs, parse_measures_and_texts
from irjudge.metrics import TREC_KEYWORDS, Profile, list_measures, make_measure, parse_measure_name
from irjudge.model import make_qrels, make_run
from irjudge.report import write_trec
from irjudge.report.trec import trec_line, trec_name


def evaluate(*names: str, runs: int = 1, **policy) -> Evaluation:
    judged = make_qrels([("301", "a", 1), ("301", "b", 0), ("302", "a", 2), ("302", "c", 1)])
    rows = [("301", "b", 2.0), ("301", "a", 1.0), ("302", "a", 1.0)]
    several = [make_run(f"STANDARD{number or ''}", rows) for number in range(runs)]
    wanted = Policy(**policy)
    measures, texts = parse_measures_and_texts(names, wanted.rel, wanted.profile)
    return evaluate_runs(judged, several, measures, wanted, texts=texts)


def print_lines(table: Evaluation, *, per_topic: bool = False) -> list[str]:
    text = io.StringIO()
    write_trec(table, text, per_topic=per_topic)
    return text.getvalue().splitlines()


def test_lines_have_trec_evals_format():
    assert print_lines(evaluate("num_q", "num_rel", "map", "P.5", "iprec_at_recall_.1")) == [
        "num_q                 \tall\t2",
        "num_rel               \tall\t3",
        "map                   \tall\t0.5000",
        "P_5                   \tall\t0.2000",
        "iprec_at_recall_0.10  \tall\t0.7500",
    ]


def test_topics_precede_all_and_the_number_of_topics_is_printed_once():
    assert print_lines(evaluate("num_q", "num_ret", "recip_rank"), per_topic=True) == [
        "num_ret               \t301\t2",
        "recip_rank            \t301\t0.5000",
        "num_ret               \t302\t1",
        "recip_rank            \t302\t1.0000",
        "num_q                 \tall\t2",
        "num_ret               \tall\t3",
        "recip_rank            \tall\t0.7500",
    ]


def test_each_of_several_runs_begins_with_its_name():
    for wishes in (("map",), ("runid", "map"), ("map", "runid"), ("official",)):
        for profile in ("irjudge", "trec_eval-9", "trec_eval-10"):
            lines = [
                line.split("\t")
                for line in print_lines(evaluate(*wishes, runs=2, profile=profile), per_topic=True)
            ]
            named = [index for index, line in enumerate(lines) if line[0].strip() == "runid"]
            assert [lines[position][2] for position in named] == ["STANDARD", "STANDARD1"]
            assert named == [0, len(lines) // 2]


def test_several_runs_are_separated():
    assert print_lines(evaluate("map", runs=2)) == [
        "runid                 \tall\tSTANDARD",
        "map                   \tall\t0.5000",
        "runid                 \tall\tSTANDARD1",
        "map                   \tall\t0.5000",
    ]


def test_a_long_irjudge_name_is_printed_completely():
    (measure,) = parse_measure_name("nDCG(gain=exp2,discount=jk,base=10)@10")
    assert trec_line(measure, "all", 1) == f"{measure.name}\tall\t1.0000\n"


@pytest.mark.parametrize(
    "name",
    "num_q num_ret num_rel num_rel_ret map Rprec bpref recip_rank iprec_at_recall_0.00 iprec_at_recall_0.10 iprec_at_recall_1.00 P_5 "
    "P_1000 recall_5 ndcg ndcg_cut_10 map_cut_100 success_1 set_P set_recall set_F unj_5 gm_map gm_bpref infAP yaap binG G ndcg_rel Rndcg "
    "relative_P_10 set_relative_P set_map num_nonrel_judged_ret rbp_resid Rprec_mult_0.20 utility utility_2,-1,0,0 11pt_avg "
    "11pt_avg_.25,.5 ndcg_1=3,2=9 set_F_0.50 G_2=9 Rndcg_1=0".split(),
)
def test_trec_evals_names_are_printed_as_typed(name):
    (measure,) = parse_measure_name(name)
    assert trec_name(measure) == name


@pytest.mark.parametrize(
    "name",
    [
        "RR@10",
        "IPrec@0.125",
        "nDCG(gain=exp2)@10",
        "NumRelRet@10",
        "SetF(beta=2)",
        "AP(norm=cutoff)@5",
        "Judged@10",
    ],
)
def test_irjudge_names_are_printed_if_trec_eval_has_none(name):
    (measure,) = parse_measure_name(name)
    assert trec_name(measure) == measure.name


def test_the_lowest_relevant_grade_of_the_whole_evaluation_is_not_in_trec_evals_names():
    assert print_lines(evaluate("map", rel=2)) == ["map                   \tall\t0.5000"]
    (measure,) = parse_measure_name("map", rel=2)
    assert trec_name(measure) == "AP(rel=2)" and trec_name(measure, 2) == "map"


@pytest.mark.parametrize("profile", get_args(Profile))
@pytest.mark.parametrize("declaration", list_measures(), ids=lambda each: each.name)
def test_a_printed_name_always_means_the_measure_printed(declaration, profile):
    expected = {"whole": 7, "number": 0.5}
    values = {
        each.name: each.choices[0] if each.choices else expected[each.kind]
        for each in declaration.parameters
        if each.required
    }
    measure = make_measure(declaration, **values)
    assert parse_measure_name(trec_name(measure, 1, profile), profile=profile) == (
        measure,
    ) or measure.name == trec_name(measure, 1, profile)


def test_equal_measures_are_printed_as_each_was_typed():
    plain, typed, other = (
        parse_measure_name(name)[0]
        for name in ("utility", "utility.1,-1,0,0", "utility.1.0,-1.0,0,0")
    )
    assert plain == typed == other
    assert [trec_name(each) for each in (plain, typed, other)] == [
        "utility",
        "utility_1,-1,0,0",
        "utility_1.0,-1.0,0,0",
    ]


def test_a_trec_eval_name_never_hides_a_parameter_without_agreed_default():
    (measure,) = parse_measure_name("rbp")
    assert trec_name(measure) == "RBP(p=0.8)"
    (theirs,) = parse_measure_name("rbp", profile="trec_eval-10")
    assert (
        trec_name(theirs, profile="trec_eval-10") == "rbp"
        and trec_name(theirs) == "RBP(p=0.9,gain=topic)"
    )


def test_a_level_of_another_rule_does_not_get_trec_evals_name():
    (measure,) = parse_measure_name("iprec_at_recall_.1", profile="trec_eval-9")
    assert trec_name(measure, profile="trec_eval-9") == "iprec_at_recall_0.10"
    assert trec_name(measure) == "IPrec(rule=trec9)@0.1"


def test_every_trec_eval_name_occurs_once():
    assert len(TREC_KEYWORDS) == len({word.lower() for word in TREC_KEYWORDS})


def test_texts_are_printed_in_trec_evals_position():
    assert print_lines(
        evaluate("P.5", "relstring.3", "runid", "map", profile="trec_eval-10"), per_topic=True
    ) == [
        "map                   \t301\t0.5000",
        "P_5                   \t301\t0.2000",
        "relstring_3           \t301\t'01'",
        "map                   \t302\t0.5000",
        "P_5                   \t302\t0.2000",
        "relstring_3           \t302\t'2'",
        "runid                 \tall\tSTANDARD",
        "map                   \tall\t0.5000",
        "P_5                   \tall\t0.2000",
    ]


def test_without_a_trec_eval_profile_measures_keep_their_order():
    lines = print_lines(evaluate("P.10,5", "relstring", "runid", "map"), per_topic=True)
    assert [
        line.split()[0] for line in lines
    ] == "P_10 P_5 map relstring P_10 P_5 map relstring runid P_10 P_5 map".split()


def test_with_a_trec_eval_profile_measures_have_its_order():
    lines = print_lines(
        evaluate("RBP(p=0.5,gain=graded)", "ndcg", "P.10,5,100", "map", profile="trec_eval-10")
    )
    assert [
        line.split()[0] for line in lines
    ] == "map P_5 P_10 P_100 ndcg RBP(p=0.5,gain=graded)".split()


def test_geometric_means_have_no_line_for_a_topic():
    lines = print_lines(evaluate("gm_map", "gm_bpref", "map"), per_topic=True)
    assert [line.split()[:2] for line in lines] == [
        ["map", "301"],
        ["map", "302"],
        ["gm_map", "all"],
        ["gm_bpref", "all"],
        ["map", "all"],
    ]


def test_version_9_omits_and_version_10_prints_missing_topics():
    qrels, run = make_qrels([("10", "a", 1), ("9", "a", 1)]), make_run("r", [("9", "a", 1.0)])
    for profile, topics in (
        ("trec_eval-9", ["9", "all"]),
        ("trec_eval-10", ["10", "9", "all"]),
        ("irjudge", ["10", "9", "all"]),
    ):
        measures, texts = parse_measures_and_texts(["map"], profile=profile)
        lines = print_lines(
            evaluate_runs(
                qrels, [run], measures, Policy(topics="qrels", profile=profile), texts=texts
            ),
            per_topic=True,
        )
        assert [line.split("\t")[1] for line in lines] == topics
        assert lines[-1] == "map                   \tall\t0.5000"


def test_topics_are_printed_in_byte_order_like_trec_eval():
    qrels = make_qrels([("9", "a", 1), ("10", "a", 1)])
    run = make_run("r", [("9", "a", 1.0), ("10", "a", 1.0)])
    for profile, topics in (("trec_eval-10", ["10", "9"]), ("irjudge", ["9", "10"])):
        measures, _ = parse_measures_and_texts(["map"], profile=profile)
        lines = print_lines(
            evaluate_runs(qrels, [run], measures, Policy(profile=profile)), per_topic=True
        )
        assert [line.split("\t")[1] for line in lines] == [*topics, "all"]
