"""Tests of explanations: every measure has one, and its last line is the evaluated value."""

import inspect
from dataclasses import replace
from itertools import cycle
from random import Random

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from irjudge.errors import IrjudgeError, MeasureError
from irjudge.evaluation import (
    Policy,
    evaluate_runs,
    explain_value,
    find_highest_grade,
    parse_measures,
)
from irjudge.metrics import (
    WORKED_EXAMPLES,
    Measure,
    MeasureDeclaration,
    find_measure,
    format_number,
    list_measures,
    make_measure,
    parse_measure_name,
)
from irjudge.metrics.registry import JUDGED_ONLY
from irjudge.metrics.worked_example import format_quotient, format_sum
from irjudge.model import Qrels, Run, make_qrels, make_run
from irjudge.report import explanation_text

LETTERS = "abcdefghijkl"
MUST = (
    "P R F SetP SetR SetF AP GMAP Rprec RR Success Bpref CG DCG IDCG nDCG RBP ERR Q IPrec "
    "NumQ NumRet NumRel NumRelRet NumJudgedRet NumNonrelJudgedRet Judged Unjudged"
).split()
# Rare parameter values that random choices would seldom include.
MORE = (
    "IPrec(rule=window)@0.7 IPrec(rule=trec9)@0.7 IPrec(rule=trec9fused)@0.7 IPrec(rule=trec10)@0.35 nDCG(gain=0:1/2:5)@3 "
    "DCG(discount=jk,base=3) RBP(gain=topic) AP(norm=cutoff)@3"
).split()
NUMBERS = (0.0, 0.1, 0.35, 0.5, 0.7, 1.0, 2.0, 3.5)


@st.composite
def rows(draw: st.DrawFn) -> tuple[list[tuple[str, str, int]], str]:
    """Return qrels of a topic and a ranking; a second topic may have the highest grade."""
    named = draw(st.lists(st.sampled_from(LETTERS), unique=True, min_size=1, max_size=10))
    grades = [("1", letter, draw(st.sampled_from([0, 0, 1, 1, 2, 3, -1, -2]))) for letter in named]
    ranking = draw(st.permutations(LETTERS).map("".join))[: draw(st.integers(1, len(LETTERS)))]
    return [*grades, ("2", "a", 3)], ranking


@pytest.fixture(scope="session")
def topics(full: bool) -> list[tuple[list[tuple[str, str, int]], str, Random]]:
    """Return random topics, drawn once for all measures, each with a random generator."""
    cases: list[tuple[list[tuple[str, str, int]], str, Random]] = []

    @settings(
        max_examples=100 if full else 16, deadline=None, database=None, phases=[Phase.generate]
    )
    @given(rows(), st.integers(0, 10**6))
    def keep(topic: tuple[list[tuple[str, str, int]], str], seed: int) -> None:
        cases.append((*topic, Random(seed)))

    keep()
    return cases


def some_variant(declaration: MeasureDeclaration, chance: Random) -> Measure:
    """Return the measure with random parameter values, or defaults of unknown parameters."""
    values = {}
    for each in declaration.parameters:
        fitting = [
            value
            for value in ((1, 2, 3, 8) if each.kind == "whole" else NUMBERS)
            if value in each.range
        ]
        tried = (
            [*each.choices]
            if each.choices
            else fitting
            if each.kind in ("whole", "number")
            else [each.default]
        )
        values[each.name] = chance.choice([*tried, *([None] if each.optional else [])])
    return make_measure(declaration, **values)


def last_number(text: str) -> float:
    return float(text.splitlines()[-1].rpartition(" = ")[2])


def rank_letters(letters: str, topic: str = "1"):
    return make_run("r", [(topic, letter, 99.0 - index) for index, letter in enumerate(letters)])


@pytest.mark.parametrize("declaration", list_measures(), ids=lambda each: each.name)
def test_the_last_line_of_every_measure_is_its_value(
    declaration: MeasureDeclaration, topics
) -> None:
    for grades, ranking, chance in topics:
        the_last_line_is_the_value(
            some_variant(declaration, chance), make_qrels(grades), rank_letters(ranking)
        )


def the_last_line_is_the_value(measure: Measure, qrels: Qrels, run: Run) -> None:
    try:
        value = evaluate_runs(qrels, [run], [measure]).runs[0].values[0, 0]
    except MeasureError as error:
        with pytest.raises(MeasureError) as raised:
            explain_value(qrels, run, "1", measure)
        assert str(raised.value) == str(error)
        return
    explanation = explain_value(qrels, run, "1", measure)
    text = explanation_text(explanation)
    assert last_number(text) == value
    assert text.startswith(f"{measure.name} of topic 1, run r\n")
    assert max(map(len, text.splitlines())) <= 100
    if measure.declaration.name in WORKED_EXAMPLES:
        assert explanation.worked_example.result == pytest.approx(value, abs=1e-12)
        assert all(len(row) == len(explanation.columns) for row in explanation.rows())
    else:
        assert "No steps" in text


@pytest.mark.parametrize(
    "declaration",
    [each for each in list_measures() if "subtopics" in each.needs],
    ids=lambda each: each.name,
)
def test_covered_subtopics_are_explained(declaration: MeasureDeclaration, topics) -> None:
    assert declaration.name in WORKED_EXAMPLES
    for grades, ranking, chance in topics:
        wide = [(*row, chance.choice("xyz")) for row in grades] + [("1", "a", 1, "w")]
        qrels, run = make_qrels([row[:3] for row in wide]), rank_letters(ranking)
        qrels = replace(
            qrels,
            groups=tuple("xyzw"),
            group=np.array(["xyzw".index(group) for *_, group in wide], dtype=np.int32)[
                by_topic(wide)
            ],
        )
        measure = some_variant(declaration, chance)
        explanation = explain_value(qrels, run, "1", measure)
        assert explanation.worked_example.result == pytest.approx(
            evaluate_runs(qrels, [run], [measure]).runs[0].values[0, 0], abs=1e-9
        )
        assert "wrong" not in " ".join(explanation.worked_example.steps)
        assert not any(letter in explanation.worked_example.steps[-1] for letter in ("nan", "inf"))


def by_topic(rows: list[tuple]) -> list[int]:
    return sorted(range(len(rows)), key=lambda index: rows[index][0])


@pytest.mark.parametrize("name", MORE)
def test_rare_parameters_are_explained_too(name: str, topics) -> None:
    (measure,) = parse_measure_name(name)
    for grades, ranking, _ in topics:
        qrels, run = make_qrels(grades), rank_letters(ranking)
        value = evaluate_runs(qrels, [run], [measure]).runs[0].values[0, 0]
        assert explain_value(qrels, run, "1", measure).worked_example.result == pytest.approx(value)


@pytest.mark.parametrize("name", ["P@3", "AP", "Q", "RR", "RBP", "nDCG@3"])
def test_an_explanation_names_the_ranks_that_count(name: str) -> None:
    qrels = make_qrels([("1", "a", 0), ("1", "b", 1), ("1", "c", 0), ("1", "d", 0), ("1", "e", 1)])
    assert explain_value(
        qrels, rank_letters("abc"), "1", parse_measure_name(name)[0]
    ).worked_example.hits == {2}


def test_textbook_measures_have_their_own_explanations() -> None:
    assert set(MUST) - set(WORKED_EXAMPLES) == set()


@pytest.mark.parametrize("name", WORKED_EXAMPLES)
def test_an_explanation_uses_the_parameters_of_its_measure(name: str) -> None:
    taken = [
        each.name
        for each in inspect.signature(WORKED_EXAMPLES[name]).parameters.values()
        if each.kind is each.KEYWORD_ONLY
    ]
    assert sorted(taken) == sorted(
        each.name for each in find_measure(name).parameters if each is not JUDGED_ONLY
    )


def test_order_and_depth_are_those_of_the_evaluation(topics) -> None:
    policies = cycle(
        [Policy(depth=3), Policy(ties="docno"), Policy(ties="file"), Policy(profile="trec_eval-9")]
    )
    for (grades, ranking, _), policy in zip(topics, policies, strict=False):
        run = make_run(
            "r", [("1", letter, float(index // 3)) for index, letter in enumerate(ranking)]
        )
        for measure in parse_measures("AP NumRet nDCG@5 Bpref".split()):
            explanation = explain_value(make_qrels(grades), run, "1", measure, policy)
            value = evaluate_runs(make_qrels(grades), [run], [measure], policy).runs[0].values[0, 0]
            assert (
                explanation.value == value
                and explanation.worked_example.result == pytest.approx(value)
            )


def test_the_scale_of_a_project_is_used() -> None:
    qrels, run = make_qrels([("1", "a", 1)]), rank_letters("a")
    assert explain_value(qrels, run, "1", parse_measure_name("ERR")[0], highest=2).value == 0.25
    assert (
        explain_value(
            qrels, run, "1", parse_measure_name("ERR")[0], highest=2
        ).worked_example.result
        == 0.25
    )
    assert explain_value(qrels, run, "1", parse_measure_name("ERR")[0]).value == 0.5


def test_a_document_judged_for_subtopics_has_its_highest_grade() -> None:
    qrels = make_qrels([("1", "a", 0), ("1", "a", 2), ("1", "b", -1)])
    explanation = explain_value(qrels, rank_letters("bac"), "1", parse_measure_name("CG")[0])
    assert [row[:3] for row in explanation.rows()] == [(1, "b", -1), (2, "a", 2), (3, "c", None)]
    assert explanation.value == explanation.worked_example.result == 2


# Requests that cannot be met, and topics with few documents


def test_an_unknown_topic_gets_a_suggestion() -> None:
    qrels, run = make_qrels([("401", "a", 1), ("402", "a", 1)]), rank_letters("a", "401")
    with pytest.raises(IrjudgeError) as error:
        explain_value(qrels, run, "4o1", parse_measure_name("AP")[0])
    assert error.value.values["topic"] == "'4o1'"
    assert error.value.values["run"] == "r"
    assert error.value.values["suggestion"] == "401"
    with pytest.raises(IrjudgeError, match=r"of the qrels: 401, 402\."):
        explain_value(qrels, run, "xyz", parse_measure_name("AP")[0])


def test_a_topic_in_only_one_file_is_reported() -> None:
    qrels, run = make_qrels([("1", "a", 1), ("3", "a", 0)]), rank_letters("a", "2")
    with pytest.raises(IrjudgeError) as error:
        explain_value(qrels, run, "2", parse_measure_name("AP")[0])
    assert error.value.key == "topic-not-judged"
    assert error.value.values["topic"] == "2"
    assert error.value.values["run"] == "r"
    with pytest.raises(IrjudgeError) as error:
        explain_value(qrels, run, "1", parse_measure_name("AP")[0])
    assert error.value.values == {"topic": "1", "run": "r"}
    with pytest.raises(IrjudgeError) as error:
        explain_value(qrels, run, "3", parse_measure_name("AP")[0], Policy(topics="relevant"))
    assert error.value.values == {"topic": "3", "topics": "relevant"}


@pytest.mark.parametrize("name", [*MUST, "infAP"])
def test_an_empty_ranking_and_a_topic_without_relevant_documents_are_explained(name: str) -> None:
    declaration = find_measure(name)
    (measure,) = parse_measure_name(
        f"{name}@{'.5' if declaration.at == 'recall' else 2}" if declaration.requires_at else name
    )
    for grades in ([("1", "a", 1)], [("1", "a", 0)]):
        for run, policy in (
            (rank_letters("x", "other"), Policy(topics="qrels")),
            (rank_letters("a"), Policy()),
            (rank_letters("x"), Policy()),
        ):
            explanation = explain_value(make_qrels(grades), run, "1", measure, policy)
            assert last_number(explanation_text(explanation)) == explanation.value
            assert "infAP" in name or explanation.worked_example.result == pytest.approx(
                explanation.value
            )
            assert ("Nothing was retrieved." in explanation_text(explanation)) == (
                policy.topics == "qrels"
            )


def test_a_profile_that_skips_missing_topics_is_noted() -> None:
    (measure,) = parse_measure_name("IPrec@0", profile="trec_eval-9")
    policy = Policy(topics="qrels", profile="trec_eval-9")
    assert (
        explain_value(
            make_qrels([("1", "a", 1)]), rank_letters("x", "2"), "1", measure, policy
        ).value
        == 0
    )
    (residual,) = parse_measure_name("RBPResid")
    assert (
        explain_value(
            make_qrels([("1", "a", 1)]), rank_letters("x", "2"), "1", residual, policy
        ).value
        == 0
    )


# How steps are written


def test_numbers_and_sums_are_formatted() -> None:
    assert [format_number(each) for each in (0.0, 3.0, 0.5, 1 / 3, 2e-6)] == [
        "0",
        "3",
        "0.5000",
        "0.3333",
        "2e-06",
    ]
    assert (
        format_sum([str(each) for each in range(20)])
        == "0 + 1 + 2 + 3 + 4 + 5 + … (12 more terms) … + 18 + 19"
    )
    assert format_sum([str(each) for each in range(9)]).count("+") == 8
    assert format_quotient("x", 1, 4, "n") == ("x = 1 / 4 = 0.2500", 0.25)
    step, value = format_quotient("x", 1, 0, "n")
    assert (step.key, value) == ("divided-by-zero", 0.0)
    assert step.values == {"name": "x", "number": "1", "divisor": "n"}
    assert np.isnan(
        explain_value(
            make_qrels([("1", "a", 1)]), rank_letters("a"), "1", parse_measure_name("infAP")[0]
        ).worked_example.result
    )


def test_an_explanation_that_misses_the_value_raises_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    qrels, run = make_qrels([("1", "a", 1)]), rank_letters("ba")
    (measure,) = parse_measure_name("RR")
    right = WORKED_EXAMPLES["RR"]
    monkeypatch.setitem(
        WORKED_EXAMPLES, "RR", lambda board, **values: replace(right(board, **values), result=0.25)
    )
    for profile in ("irjudge", "trec_eval-9"):
        last = explain_value(
            qrels, run, "1", measure, Policy(profile=profile)
        ).worked_example.steps[-1]
        assert last.key == "wrong-calculation"
        assert last.values == {"result": "0.25", "value": "0.5"}
    assert "lacks" not in explanation_text(explain_value(qrels, run, "1", measure))


def test_a_profile_may_skip_only_topics_missing_from_the_run() -> None:
    qrels, run = make_qrels([("1", "a", 1), ("2", "a", 1)]), rank_letters("ba")
    (measure,) = parse_measure_name("yaap", profile="trec_eval-9")
    steps = explain_value(
        qrels, run, "2", measure, Policy(topics="qrels", profile="trec_eval-9")
    ).worked_example.steps
    assert not any("is wrong" in step for step in steps)


def test_the_bejeweled_player_model_is_explained() -> None:
    explanation = explain_value(
        make_qrels([("1", "a", 1), ("1", "b", 3), ("1", "c", 2)]),
        rank_letters("xabc"),
        "1",
        parse_measure_name("BPM(t=1,k=10)")[0],
    )
    stop, result = explanation.worked_example.steps[1:]
    assert stop.values == {"threshold": "1", "rank": "3"}
    assert result.endswith("= 1.3333 / 3 = 0.4444")


@pytest.mark.parametrize(
    ("collection", "documents", "least"),
    [
        (None, 4, (1 / 3 + 2 / 4) / 2),
        (10, 10, (1 / 9 + 2 / 10) / 2),
        (3, 4, (1 / 3 + 2 / 4) / 2),
    ],
)
def test_the_lowest_possible_average_precision_is_shown(
    collection: int | None, documents: int, least: float
) -> None:
    """Two relevant documents rank below all others.

    A collection smaller than its qrels is ignored.
    """
    qrels = make_qrels(
        [("1", letter, grade) for letter, grade in zip("abcd", (1, 2, 0, 0), strict=True)]
    )
    run = make_run("r", [("1", "c", 1.0)])
    steps = explain_value(
        qrels, run, "1", parse_measure_name("AP")[0], collection=collection
    ).worked_example.steps
    name = f"APmin(universe={'collection' if collection == 10 else 'judged'})"
    (step,) = (each for each in steps if getattr(each, "key", "") == "least-ap")
    assert (step.values["minimum"], step.values["name"]) == (format_number(least), name)
    assert step.values["documents"].split()[0] == str(documents)
    worst = make_run(
        "worst",
        [("1", letter, score) for letter, score in zip("cdab", (4.0, 3.0, 2.0, 1.0), strict=True)],
    )
    if collection != 10:
        assert explain_value(qrels, worst, "1", parse_measure_name("AP")[0]).value == pytest.approx(
            least
        )
    for other in ("AP@5", "AP(norm=retrieved)"):
        assert not [
            step
            for step in explain_value(
                qrels, run, "1", parse_measure_name(other)[0]
            ).worked_example.steps
            if "APmin" in step
        ]


def test_the_highest_grade_of_gains_is_that_of_all_topics() -> None:
    """INSQ divides by the highest grade, which only topic 2 has."""
    qrels = make_qrels([("1", "d", 1), ("1", "e", 1), ("1", "f", 0), ("2", "a", 3)])
    qrels = replace(qrels, gain=np.array([0.7, 1.0, 0.0, 2.5]))
    run = make_run("r", [("1", "d", 5.0), ("1", "f", 4.0), ("1", "e", 3.0), ("2", "a", 3.0)])
    for name in ("INSQ(t=1)", "BPM(t=3)@3", "INST(t=1)", "D-nDCG@3", "D#-nDCG@3"):
        (measure,) = parse_measure_name(name)
        scores = evaluate_runs(qrels, [run], [measure]).runs[0]
        explanation = explain_value(qrels, run, "1", measure)
        assert explanation.value == scores.values[0, scores.topics.index("1")], name
        assert not any("is wrong" in step for step in explanation.worked_example.steps)
    for requested in (None, 3, 4):
        policy = Policy(highest=requested)
        (measure,) = parse_measure_name("INSQ(t=1)")
        scores = evaluate_runs(qrels, [run], [measure], policy, highest=5).runs[0]
        value = explain_value(qrels, run, "1", measure, policy, highest=5).value
        assert value == scores.values[0, scores.topics.index("1")], requested
    assert find_highest_grade(qrels, Policy(highest=4), 5).grade == 4


def test_recall_0_is_reached_at_every_rank() -> None:
    (measure,) = parse_measure_name("IPrec@0")
    explanation = explain_value(make_qrels([("1", "a", 1)]), rank_letters("xa"), "1", measure)
    numbers = [
        getattr(step, "values", {}).get("document") for step in explanation.worked_example.steps
    ]
    assert "0" not in numbers and explanation.value == 0.5
