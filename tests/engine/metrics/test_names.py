"""Tests of measure names: accepted spellings, aliases, and error messages."""

import difflib

import pytest

from irjudge.errors import MeasureError
from irjudge.metrics import (
    GROUPS,
    JudgedRun,
    find_measure,
    list_measures,
    make_measure,
    parse_measure_name,
)
from irjudge.metrics.registry import MeasureRegistry


def names(text: str, **options) -> list[str]:
    return [measure.name for measure in parse_measure_name(text, **options)]


# Canonical names are read back unchanged.
@pytest.mark.parametrize(
    "name",
    [
        "AP",
        "AP(rel=2)",
        "AP(rel=2,norm=cutoff)@10",
        "nDCG(gain=exp2,discount=jk,base=10)@5",
        "SetF(beta=0.5)",
        "IPrec@0",
        "Rprec",
    ],
)
def test_a_canonical_name_is_printed_unchanged(name):
    assert names(name) == [name]


TREC_EVAL = {
    "map": "AP",
    "P_10": "P@10",
    "P.5,10": "P@5 P@10",
    "ndcg": "nDCG",
    "ndcg_cut_10": "nDCG@10",
    "ndcg_cut.10,20": "nDCG@10 nDCG@20",
    "ndcg_cut.10,20,23.4": "nDCG@10 nDCG@20 nDCG@23",
    "recip_rank": "RR",
    "Rprec": "Rprec",
    "success_5": "Success@5",
    "success.1,5": "Success@1 Success@5",
    "recall_100": "R@100",
    "set_P": "SetP",
    "set_recall": "SetR",
    "set_F": "SetF",
    "set_F.4": "SetF(beta=2)",
    "set_F.0.25": "SetF(beta=0.5)",
    "num_q": "NumQ",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
    "bpref": "Bpref",
    "iprec_at_recall_0.10": "IPrec@0.1",
    "iprec_at_recall_0.00": "IPrec@0",
    "iprec_at_recall_1.00": "IPrec@1",
    "iprec_at_recall..10,.20": "IPrec@0.1 IPrec@0.2",
    "map_cut_10": "AP@10",
    "unj_5": "Unjudged@5",
    "unj": "Unjudged@5 Unjudged@10 Unjudged@20",
    "ndcg_10": "nDCG@10",
    "ndcg.1=3,2=9,4=4.5": "nDCG(gain=1:3/2:9/4:4.5)",
    "ndcg_1=3,2=9,4=4.5": "nDCG(gain=1:3/2:9/4:4.5)",
    "ndcg_rel.1=3": "nDCGrel(gain=1:3)",
    "Rndcg.2=0": "RnDCG(gain=2:0)",
    "G.0=.5": "G(gain=0:0.5)",
    "11pt_avg": "11ptAP",
    "11pt_avg..25,.5,.75": "11ptAP(levels=0.25/0.5/0.75)",
    "utility": "Utility",
    "utility.2,-1,0,0": "Utility(a=2)",
    "utility_1,-1,-.5,0": "Utility(c=-0.5)",
    "Rprec_mult_0.20": "RprecMult@0.2",
    "Rprec_mult": " ".join(
        f"RprecMult@{x}" for x in ("0.2", "0.4", "0.6", "0.8", "1", "1.2", "1.4", "1.6", "1.8", "2")
    ),
    "relative_P.5,10": "RelP@5 RelP@10",
    "gm_map": "GMAP",
    "gm_bpref": "GMBpref",
    "infAP": "infAP",
    "yaap": "YAAP",
    "binG": "BinG",
    "set_map": "SetAP",
    "set_relative_P": "SetRelP",
    "num_nonrel_judged_ret": "NumNonrelJudgedRet",
    "rbp_resid": "RBPResid(p=0.9)",
    "rbp.p=.5": "RBP(p=0.5)",
    "ndcg_cut": " ".join(f"nDCG@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    "map_cut": " ".join(f"AP@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    "iprec_at_recall": " ".join(
        f"IPrec@{x}"
        for x in ("0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1")
    ),
}
IR_MEASURES = {
    "AP(rel=2)": "AP(rel=2)",
    "nDCG@10": "nDCG@10",
    "RR@10": "RR@10",
    "IPrec@0.1": "IPrec@0.1",
    "Success@5": "Success@5",
    "Judged@10": "Judged@10",
    "P(rel=2)@5": "P(rel=2)@5",
    "SetF(beta=2)": "SetF(beta=2)",
    "Bpref(rel=2)": "Bpref(rel=2)",
    "NumRelRet": "NumRelRet",
}
RANX = {
    "precision@10": "P@10",
    "recall@100": "R@100",
    "mrr": "RR",
    "mrr@10": "RR@10",
    "hit_rate@5": "Success@5",
    "hits@5": "NumRelRet@5",
    "ndcg@10": "nDCG@10",
    "ndcg_burges@10": "nDCG(gain=exp2)@10",
    "r-precision": "Rprec",
    "map@100": "AP@100",
}
OURS = {
    "P@5,10": "P@5 P@10",
    "  ndcg ( GAIN = 'Exp2' ) @ 10 ": "nDCG(gain=exp2)@10",
    "AP(cutoff=10)": "AP@10",
    "map_cut(cutoff=7)": "AP@7",
    "AP()": "AP",
    "AP(rel=1,norm=relevant)": "AP",
    "DCG(base=2.50)": "DCG(base=2.5)",
    "P.5,5": "P@5",
}


@pytest.mark.parametrize(
    ("typed", "printed"), [*TREC_EVAL.items(), *IR_MEASURES.items(), *RANX.items(), *OURS.items()]
)
def test_names_of_other_programs_are_understood(typed, printed):
    assert names(typed) == printed.split()
    assert names(typed.upper()) == names(typed.lower()) == printed.split()


def test_the_number_of_set_f_is_beta_squared():
    (measure,) = parse_measure_name("set_F.0.5")
    assert measure.values["beta"] == pytest.approx(0.5**0.5)


@pytest.mark.parametrize("declaration", list_measures(), ids=lambda each: each.name)
def test_every_printed_name_reads_back_as_the_same_measure(declaration, variants):
    for measure in variants(declaration):
        read = parse_measure_name(measure.name)
        assert read == (measure,) and hash(read[0]) == hash(measure)


@pytest.mark.parametrize(
    ("group", "member"),
    [(group, member) for group, members in GROUPS.items() for member in members],
)
def test_every_member_of_a_group_is_a_measure(group, member):
    assert set(parse_measure_name(member)) <= set(parse_measure_name(group))


def test_the_group_official_is_in_the_order_of_trec_eval():
    assert names("Official")[:6] == ["NumQ", "NumRet", "NumRel", "NumRelRet", "AP", "GMAP"]
    assert names("official")[-2:] == ["P@500", "P@1000"]
    assert len(names("official")) == 9 + 11 + 9


def test_the_group_all_trec_is_in_the_order_of_trec_eval():
    everything = names("all_trec", profile="trec_eval-10")
    assert everything[: 9 + 11 + 9] == names("official", profile="trec_eval-10")
    assert everything[-6:] == [
        "NumNonrelJudgedRet",
        "RBP(p=0.9,gain=topic)",
        "RBPResid(p=0.9,rule=trec10)",
        "Unjudged@5",
        "Unjudged@10",
        "Unjudged@20",
    ]
    assert names("all_trec", profile="trec_eval-9") == [
        name.replace("trec10", "trec9")
        for name in everything
        if not name.startswith(("RBP", "Unjudged"))
    ]
    assert len(everything) == len(set(everything)) == 98


def test_the_group_set_has_the_measures_without_order():
    assert names("set") == [
        "NumQ",
        "NumRet",
        "NumRel",
        "NumRelRet",
        "Utility",
        "SetP",
        "SetRelP",
        "SetR",
        "SetAP",
        "SetF",
    ]


def test_a_profile_sets_parameters_that_a_name_omits():
    assert names("IPrec@.1") == ["IPrec@0.1"]
    assert names("IPrec@.1", profile="trec_eval-9") == ["IPrec(rule=trec9)@0.1"]
    assert names("11pt_avg", profile="trec_eval-10") == ["11ptAP(rule=trec10)"]
    assert names("IPrec(rule=window)@.1", profile="trec_eval-9") == ["IPrec(rule=window)@0.1"]
    assert names("rbp", profile="trec_eval-10") == ["RBP(p=0.9,gain=topic)"]
    assert names("rbp(gain=binary)", profile="trec_eval-10") == ["RBP(p=0.9)"]
    assert names("rbp") == names("rbp", profile="trec_eval-9") == ["RBP(p=0.8)"]


@pytest.mark.parametrize(
    ("typed", "given"),
    [
        ("utility.2,-1,0,0", "2,-1,0,0"),
        ("11pt_avg..25,.5", ".25,.5"),
        ("ndcg.1=3,2=9.0", "1=3,2=9.0"),
        ("set_F.0.50", "0.50"),
        ("P.5", ""),
    ],
)
def test_text_after_a_name_is_kept_but_changes_no_measure(typed, given):
    (measure,) = parse_measure_name(typed)
    assert measure.typed_suffix == given
    assert (
        parse_measure_name(measure.name) == (measure,)
        and parse_measure_name(measure.name)[0].typed_suffix == ""
    )


WRONG = {
    "": "The name of a measure is empty; run `irjudge measures` for the list.",
    "   ": "The name of a measure is empty; run `irjudge measures` for the list.",
    "ndgc@10": (
        "Measure 'ndgc@10' is not known. Did you mean nDCG@10? Run `irjudge measures` for the list."
    ),
    "ndgc@0": (
        "Measure 'ndgc@0' is not known. Did you mean nDCG? Run `irjudge measures` for the list."
    ),
    "ndgc_cut_10": (
        "Measure 'ndgc_cut_10' is not known. Did you mean ndcg_cut_10? Run `irjudge "
        "measures` for the list."
    ),
    "precsion(rel=2)@5": (
        "Measure 'precsion(rel=2)@5' is not known. Did you mean "
        "precision(rel=2)@5? Run `irjudge measures` for the list."
    ),
    "oficial": (
        "Measure 'oficial' is not known. Did you mean official? Run `irjudge measures` "
        "for the list."
    ),
    "xyzzy": "Measure 'xyzzy' is not known. Run `irjudge measures` for the list.",
    "relativ_P_10": (
        "Measure 'relativ_P_10' is not known. Did you mean relative_P_10? Run "
        "`irjudge measures` for the list."
    ),
    "gmap(eps=0)": "gmap(eps=0): eps must be more than 0 and at most 1, got 0.",
    "RprecMult": "RprecMult needs a multiple of R, for example RprecMult@0.1.",
    "utility.1,2": "utility.1,2: Utility needs 4 numbers (a,b,c,d); got 2.",
    "utility.1,2,x,4": (
        "Measure 'utility.1,2,x,4' is not known. Did you mean Utility? Run "
        "`irjudge measures` for the list."
    ),
    "11pt_avg..5,2": "11pt_avg..5,2: levels must be between 0 and 1, got 2.",
    "11ptAP(levels=.5/x)": (
        "11ptAP(levels=.5/x): levels must be numbers such as 0.25/0.5, "
        "each between 0 and 1, got '.5/x'."
    ),
    "ndcg.1=3,2": "ndcg.1=3,2: gain must be linear or exp2, or gains of grades such as 1:3/2:9, got '2'.",
    "ndcg.1=3,1=4": "ndcg.1=3,1=4: gain contains grade 1 twice.",
    "ndcg.1=-3": "ndcg.1=-3: grades and their gains must be 0 or more, got '1:-3'.",
    "nDCG(gain=-1:3)": "nDCG(gain=-1:3): grades and their gains must be 0 or more, got '-1:3'.",
    "nDCG(gain=1:1e999)": "nDCG(gain=1:1e999): grades and their gains must be 0 or more, got '1:1e999'.",
    "ndcg(gain=1:3).1=3": (
        "ndcg(gain=1:3).1=3: expected a measure in the form Name(parameter=value)@cutoff."
    ),
    "rbp.p=1": "rbp.p=1: p must be between 0 and 0.999999, got 1.",
    "nDCG@0": "nDCG@0: cutoff must be 1 or more, got 0.",
    "P_0": "P_0: cutoff must be 1 or more, got 0.",
    "P@-5": "P@-5: cutoff must be 1 or more, got -5.",
    "P@5.5": "P@5.5: cutoff must be a whole number, 1 or more, got '5.5'.",
    "P_5.5": "P_5.5: cutoff must be a whole number, 1 or more, got '5.5'.",
    "P@ten": "P@ten: cutoff must be a whole number, 1 or more, got 'ten'.",
    "P@٣": "P@٣: cutoff must be a whole number, 1 or more, got '٣'.",
    "P@": "P@: cutoff must be a whole number, 1 or more, got ''.",
    "P.": "P.: cutoff must be a whole number, 1 or more, got ''.",
    "P@5,": "P@5,: cutoff must be a whole number, 1 or more, got ''.",
    "P@99999999999": "P@99999999999: cutoff is too large, got 99999999999.",
    "P": "P needs a cutoff, for example P@10; SetP is the measure for all retrieved documents.",
    "IPrec": "IPrec needs a recall level, for example IPrec@0.1.",
    "IPrec@1.5": "IPrec@1.5: recall must be between 0 and 1, got 1.5.",
    "iprec_at_recall_10": "iprec_at_recall_10: recall must be between 0 and 1, got 10.",
    "AP(rel=x)": "AP(rel=x): rel must be a whole number, 1 or more, got 'x'.",
    "AP(rel=0)": "AP(rel=0): rel must be 1 or more, got 0.",
    "AP(rle=2)": "AP has no parameter 'rle'. Did you mean rel?",
    "nDCG(rel=2)": "nDCG has no parameter 'rel'; its parameters are gain, discount, base, ideal, mean, cutoff, judged_only.",
    "NumQ(rel=2)": "NumQ has no parameter 'rel'; it has no parameters.",
    "AP(2)": "AP(2): expected parameters in the form name=value, got '2'.",
    "AP(rel=)": "AP(rel=): expected parameters in the form name=value, got 'rel='.",
    "AP(rel=2,)": "AP(rel=2,): expected parameters in the form name=value, got ''.",
    "AP(rel=1,rel=2)": "AP(rel=1,rel=2): rel is given twice.",
    "AP(cutoff=5)@10": "AP(cutoff=5)@10: cutoff is given twice.",
    "P_5@5": "P_5@5: P has both '_5' and @5; use one of them.",
    "P@5@5": "P@5@5: more than one @; several cutoffs are written as P@5,10.",
    "AP(rel=2": "AP(rel=2: a closing bracket is missing.",
    "AP rel=2)": "AP rel=2): an opening bracket is missing.",
    "AP)rel=2(": "AP)rel=2(: expected a measure in the form Name(parameter=value)@cutoff.",
    "AP(rel=2)x": "AP(rel=2)x: expected a measure in the form Name(parameter=value)@cutoff.",
    "(rel=2)": "(rel=2): expected a measure in the form Name(parameter=value)@cutoff.",
    "@5": "@5: expected a measure in the form Name(parameter=value)@cutoff.",
    "Rprec@5": "Rprec@5: Rprec does not take a cutoff (@).",
    "bpref_5": "bpref_5: Bpref does not take a number after its name.",
    "nDCG(gain=exp)@5": "nDCG(gain=exp)@5: gain must be linear or exp2, or gains of grades such as 1:3/2:9, got 'exp'.",
    "DCG(base=1)": "DCG(base=1): base must be more than 1, got 1.",
    "DCG(base=1e999)": "DCG(base=1e999): base is too large, got inf.",
    "DCG(base=nan)": "DCG(base=nan): base must be a number, more than 1, got 'nan'.",
    "SetF(beta=-1)": "SetF(beta=-1): beta must be between 0 and 1000000, got -1.",
    "set_F.-1": "set_F.-1: beta must be between 0 and 1000000, got -1.",
}


@pytest.mark.parametrize(("typed", "sentence"), WRONG.items())
def test_an_invalid_name_gives_one_error(typed, sentence):
    with pytest.raises(MeasureError) as raised:
        parse_measure_name(typed)
    assert str(raised.value) == sentence, "\n".join(difflib.ndiff([str(raised.value)], [sentence]))


def test_a_general_threshold_applies_to_names_without_one():
    assert names("official", rel=2)[2:5] == ["NumRel(rel=2)", "NumRelRet(rel=2)", "AP(rel=2)"]
    assert names("P(rel=1)@5", rel=2) == ["P@5"]
    assert names("P(rel=3)@5", rel=2) == ["P(rel=3)@5"]


def test_a_general_threshold_never_touches_gains():
    assert parse_measure_name("nDCG@10", rel=2) == parse_measure_name("nDCG@10")


def test_a_general_threshold_below_one_is_refused():
    with pytest.raises(MeasureError) as error:
        parse_measure_name("AP", rel=0)
    assert error.value.values["owner"] == "AP"
    assert error.value.values["parameter"] == "rel"
    assert error.value.values["range"] == "1 or more"
    assert error.value.values["value"] == "0"
    assert error.value.key == "out-of-range"


def test_a_measure_is_made_from_values_with_the_same_checks():
    assert make_measure(find_measure("ap"), rel=2, cutoff=10).name == "AP(rel=2)@10"
    assert make_measure(find_measure("AP"), rel=2.0) == make_measure(find_measure("map"), rel=2)
    with pytest.raises(MeasureError) as error:
        make_measure(find_measure("P"))
    assert error.value.values["text"] == "P"
    assert error.value.values["example"] == "P@10"
    assert error.value.key == "missing-parameter"
    with pytest.raises(MeasureError) as error:
        make_measure(find_measure("AP"), rel=True)
    assert error.value.values["owner"] == "AP"
    assert error.value.values["parameter"] == "rel"
    assert error.value.values["range"] == "1 or more"
    assert error.value.values["value"] == "True"
    assert error.value.key == "wrong-kind"
    with pytest.raises(MeasureError) as error:
        make_measure(find_measure("AP"), cutoff=2.5)
    assert error.value.values["parameter"] == "cutoff"
    assert error.value.values["value"] == "2.5"
    assert error.value.key == "wrong-kind"
    with pytest.raises(MeasureError) as error:
        make_measure(find_measure("AP"), gain="exp2")
    assert error.value.values["owner"] == "AP"
    assert error.value.values["name"] == "'gain'"
    assert error.value.key == "unknown-parameter"
    with pytest.raises(MeasureError) as error:
        find_measure("nothing")
    assert error.value.values["kind"] == "Measure"
    assert error.value.values["name"] == "'nothing'"
    assert error.value.key == "unknown-name"


def test_a_parameter_without_an_agreed_default_is_always_printed():
    registry = MeasureRegistry()

    @registry.measure("RBP", title="Rank-biased precision", formula="none", always=["p"])
    def rank_biased(judged, *, p: float = 0.8, rel: int = 1):
        """Return nothing."""

    assert names("rbp", registry=registry) == ["RBP(p=0.8)"]
    assert names("rbp(p=.5)", registry=registry, rel=2) == ["RBP(p=0.5,rel=2)"]


def test_a_definition_describes_the_value():
    definition = parse_measure_name("P(rel=2)@5")[0].definition
    assert definition.startswith("P(rel=2)@5 (Precision): ")
    assert "grade 2" in definition and definition.endswith("k = 5")
    assert parse_measure_name("NumQ")[0].definition.startswith("NumQ (Number of topics): ")


def test_a_measure_computes_with_its_own_parameters():
    judged = JudgedRun.single(ranked=[1, 2], judged=[2, 2])
    assert parse_measure_name("P(rel=2)@1")[0].compute(judged).tolist() == [0]
    assert parse_measure_name("P@1")[0].compute(judged).tolist() == [1]


OTHERS = {
    "nDCG(dcg='exp-log2')@10": "nDCG(gain=exp2)@10",
    "nDCG(dcg='log2')@10": "nDCG@10",
    "nDCG(gains={0:0,1:3, 2:9})@5": "nDCG(gain=0:0/1:3/2:9)@5",
    "nDCG(judged_only=False)@5": "nDCG@5",
    "nDCG(judged_only=True)@5": "nDCG(judged_only=true)@5",
    "ERR(max_rel=4)@20": "ERR(highest=4)@20",
    "Judged": "Judged",
    "map@5-l2": "AP(rel=2)@5",
    "ndcg@5-l3": "nDCG(gain=1:0/2:0)@5",
    "f1": "SetF",
    "F1(rel=2)": "SetF(rel=2)",
    "f1@5": "F@5",
    "SetP(rel=2, relative=True, judged_only=True)": "SetRelP(rel=2,judged_only=true)",
    "SetP(relative=False)": "SetP",
    "NumRet(rel=2)": "NumRelRet(rel=2)",
    "sDCG@5": "sDCG@5",
    "RBP@95": "RBP(p=0.8)@95",
}


@pytest.mark.parametrize(("theirs", "ours"), OTHERS.items())
def test_names_of_ir_measures_and_ranx_are_read_as_their_owners_mean_them(
    theirs: str, ours: str
) -> None:
    assert [each.name for each in parse_measure_name(theirs)] == [ours]


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("Accuracy(rel=2)@10", "ACC"),
        ("rbp.95", "RBP(p=0.95)"),
        ("rbp@95", "RBP(p=0.95,gain=graded)"),
        ("SDCG@10", "sDCG"),
        ("Compat(p=0.8)", "`irjudge preferences"),
        ("ndcg_burges@5-l2", "nDCG(gain=1:0/2:3/3:7)@5"),
        ("RBP(p=0.8,max_rel=3)", "RBP(gain=graded)"),
        ("nDCG(dcg='other')", "exp-log2"),
    ],
)
def test_ambiguous_names_of_other_tools_are_refused_with_a_suggestion(
    theirs: str, ours: str
) -> None:
    with pytest.raises(MeasureError) as error:
        parse_measure_name(theirs)
    assert ours in str(error.value)
