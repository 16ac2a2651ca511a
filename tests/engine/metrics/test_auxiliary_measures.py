"""Tests of measures that need auxiliary files, worked by hand and against nuggetizer."""

import json
from collections.abc import Callable
from math import log2, sqrt
from pathlib import Path

import pytest

from irjudge.errors import FormatError, IrjudgeError, MeasureError
from irjudge.evaluation import Policy, evaluate_runs, explain_value, parse_measures
from irjudge.formats.rankings import detect_auxiliary_table, read_auxiliary_table
from irjudge.metrics import list_measures
from irjudge.model import AUXILIARY_KINDS, make_qrels, make_run

GOLDEN = json.loads(
    (Path(__file__).parents[2] / "golden" / "nuggetizer.json").read_text(encoding="utf-8")
)
# b is not relevant, a is, x is unjudged, c is not retrieved; the second topic has only a.
QRELS = make_qrels([("1", "a", 1), ("1", "b", 0), ("1", "c", 2), ("2", "a", 1)])
RUN = make_run("r", [("1", "b", 3.0), ("1", "a", 2.0), ("1", "x", 1.0), ("2", "a", 3.0)])
FILES = {
    "lengths": "document,words,characters\na,100,600\nb,200,1200\nc,50,300\nx,10,60\n",
    "sessions": "qid\tsession\tposition\n1\ts1\t1\n2\ts1\t2\n",
    "groups": "docno;group;weight\na;eu;1\nb;us;0.5\nb;eu;0.5\nc;us;1\n",
    "nuggets": "run,topic,nugget,importance,support\nr,1,n1,vital,support\nr,1,n2,okay,partial\nr,1,n3,vital,none\nother,1,n1,vital,none\n",
    "citations": "topic,sentence,citation,support\n1,s1,a,full\n1,s1,b,none\n1,s2,c,partial\n1,s3,,\n2,s1,a,\n",
}
Values = Callable[..., list[float]]


@pytest.fixture
def values(tmp_path: Path) -> Values:
    def computed(
        name: str, *, summary: bool = False, explained: bool = True, **files: str
    ) -> list[float]:
        sides = []
        for kind, text in {**FILES, **files}.items():
            (tmp_path / kind).write_text(text)
            sides.append(read_auxiliary_table(tmp_path / kind, kind))
        (measure,) = parse_measures([name])
        evaluation = evaluate_runs(QRELS, [RUN], [measure], tables=sides).runs[0]
        for topic, value in zip(evaluation.topics, evaluation.values[0].tolist(), strict=True):
            work = explain_value(QRELS, RUN, topic, measure, tables=sides).worked_example
            assert work.result == pytest.approx(value, abs=1e-12) and "wrong" not in " ".join(
                work.steps
            )
        return [float(evaluation.summary[0])] if summary else evaluation.values[0].tolist()

    return computed


def test_a_relevant_document_is_worth_less_the_more_there_was_to_read(values: Values) -> None:
    # 200 for the snippet of b, then 200 for that of a and a fifth of its 600 characters: 520
    assert values("U") == pytest.approx([1 - 520 / 132000, 1 - 320 / 132000])
    assert values("U(L=1000,snippet=0,share=1)") == pytest.approx([1 - 600 / 1000, 1 - 600 / 1000])
    assert values("U(l=400,norm=2)") == pytest.approx([0, (1 - 320 / 400) / 2])
    assert values("U(judged_only=true,l=520)") == pytest.approx([0, 1 - 320 / 520])


def test_time_biased_gain_counts_users_who_reach_a_document(values: Values) -> None:
    # b takes 4.4 seconds and, opened by 39 %, 7.8 and .018 for each of 200 words: 8.846
    assert values("TBG") == pytest.approx(
        [0.64 * 0.77 * 2 ** (-(4.4 + (0.018 * 200 + 7.8) * 0.39) / 224), 0.64 * 0.77]
    )
    assert values("TBG(h=8.846)")[0] == pytest.approx(0.4928 / 2)


def test_a_session_is_the_sum_of_its_queries_and_a_run_the_mean_of_its_sessions(
    values: Values,
) -> None:
    # query 1: a at rank 2, log2 2 = 1; query 2: 1 / (1 + log4 2) = 1 / 1.5
    assert values("sDCG") == pytest.approx([1, 1 / 1.5])
    assert values("sDCG(discount=log2p1,bq=2)") == pytest.approx([1 / log2(3), 1 / 2])
    assert values("sDCG", summary=True) == pytest.approx([1 + 1 / 1.5])
    apart = "topic,session,position\n1,s1,1\n2,s2,1\n"
    assert values("sDCG", summary=True, sessions=apart) == pytest.approx([(1 + 1) / 2])


def test_attention_of_groups_is_compared_with_their_share_of_relevance(values: Values) -> None:
    # topic 1: attention is 1 for b, half of it each, and 1 for a; x has no group: eu 1.5 of 2, us
    # .5. Relevant are a and c: half each
    eu, us = 0.625, 0.375  # in the middle of both
    divergence = (
        0.75 * log2(0.75 / eu)
        + 0.25 * log2(0.25 / us)
        + 0.5 * log2(0.5 / eu)
        + 0.5 * log2(0.5 / us)
    ) / 2
    assert values("AWRF") == pytest.approx([1 - sqrt(divergence), 1])
    # equal shares are the same target for topic 1; topic 2 gives all to one of two: 1·log2(1/.75)
    # and .5·log2(.5/.75) + .5·log2(.5/.25)
    other = (log2(1 / 0.75) + 0.5 * log2(0.5 / 0.75) + 0.5 * log2(0.5 / 0.25)) / 2
    assert values("AWRF(target=equal)") == pytest.approx([1 - sqrt(divergence), 1 - sqrt(other)])
    assert values("AWRF(target=equal)@1")[0] == 1  # b alone is half of each
    # ranks 1 and 2: 1 and 1 / log2 3
    eu, us = 0.5 + 1 / log2(3), 0.5
    shares, half = [eu / (eu + us), us / (eu + us)], [0.5, 0.5]
    wide = (
        sum(
            p * log2(2 * p / (p + q)) + q * log2(2 * q / (p + q))
            for p, q in zip(shares, half, strict=True)
        )
        / 2
    )
    assert values("AWRF(discount=log2p1)")[0] == pytest.approx(1 - sqrt(wide))
    with pytest.raises(IrjudgeError) as error:
        values("AWRF", groups="document,group\nz,eu\n")
    assert error.value.key == "side-matches-nothing"


def test_nuggets_of_an_answer_are_those_worked_by_hand(values: Values) -> None:
    assert values("NuggetRecall") == pytest.approx([1.5 / 3, 0])
    assert values("NuggetRecall(credit=strict)") == pytest.approx([1 / 3, 0])
    assert values("NuggetRecall(of=vital)") == pytest.approx([1 / 2, 0])


def test_citations_and_supported_sentences_are_those_worked_by_hand(values: Values) -> None:
    # three citations of topic 1: full, none, partial; three sentences: 1, .5 and no citation; one
    # of topic 2, unjudged
    assert values("CitationPrecision") == pytest.approx([1.5 / 3, 0])
    assert values("CitationRecall") == pytest.approx([1.5 / 3, 0])
    assert values("CitationRecall(partial=0.2)") == pytest.approx([1.2 / 3, 0])
    assert values("CitationPrecision(partial=0)") == pytest.approx([1 / 3, 0])


@pytest.mark.parametrize("name", GOLDEN["values"])
def test_nugget_recall_is_that_of_nuggetizer(name: str, tmp_path: Path) -> None:
    assert (GOLDEN["tool"], GOLDEN["version"]) == ("nuggetizer", "0.0.5")
    path = tmp_path / "assigned.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in GOLDEN["answers"]))
    topics = [each["qid"] for each in GOLDEN["answers"]]
    run = make_run("r", [(topic, "a", 1.0) for topic in topics])
    table = evaluate_runs(
        make_qrels([(topic, "a", 1) for topic in topics]),
        [run],
        parse_measures([name]),
        tables=[read_auxiliary_table(path, "nuggets")],
    )
    result = dict(zip(table.runs[0].topics, table.runs[0].values[0].tolist(), strict=True))
    assert result == pytest.approx(GOLDEN["values"][name], abs=1e-12)


def test_a_measure_without_its_file_says_which_it_needs() -> None:
    needy = [each for each in list_measures() if set(each.needs) & set(AUXILIARY_KINDS)]
    assert {each.name for each in needy} >= {
        "U",
        "TBG",
        "sDCG",
        "AWRF",
        "NuggetRecall",
        "CitationPrecision",
        "CitationRecall",
    }
    for each in needy:
        with pytest.raises(MeasureError) as error:
            evaluate_runs(QRELS, [RUN], parse_measures([each.name]))
        assert error.value.key == "no-side-file"
        assert error.value.values["name"] == each.needs[0]


def test_missing_data_of_a_file_is_reported(values: Values) -> None:
    with pytest.raises(IrjudgeError) as error:
        values("U", lengths="document,characters\na,1\nb,2\n")
    assert error.value.values["count"] == "1"
    assert error.value.values["run"] == "r"
    assert error.value.values["document"] == "x"
    with pytest.raises(MeasureError) as error:
        values("TBG", lengths="document,characters\na,1\nb,2\nx,3\n")
    assert error.value.values["column"] == "words"
    with pytest.raises(MeasureError) as error:
        values("sDCG", sessions="topic,session,position\n1,s1,1\n")
    assert error.value.key == "no-session"
    assert error.value.values["topic"] == "2"
    with pytest.raises(MeasureError) as error:
        values("sDCG", sessions="topic,session,position\n1,s1,0\n2,s1,1\n")
    assert error.value.key == "invalid-position"
    assert error.value.values["topic"] == "1"


@pytest.mark.parametrize(
    ("kind", "text", "line", "values"),
    [
        ("lengths", "document,words\na,-1\n", 2, {"column": "words", "text": "'-1'"}),
        ("lengths", "document,words\na,1\na,2\n", 3, {"names": "document a"}),
        ("sessions", "topic,session\n1,s\n", 1, {"part": "position"}),
        (
            "nuggets",
            "topic,nugget,support\n1,n,perhaps\n",
            2,
            {"column": "support", "text": "'perhaps'"},
        ),
        ("nuggets", '{"qid": "1"}\n', 1, {"column": "nugget"}),
        ("nuggets", '{"qid": \n', 1, {"error": "Expecting value: line 1 column 9 (char 8)"}),
        ("groups", "document,group\n", None, {"columns": "document, group"}),
        ("citations", "topic,sentence\n,s\n", 2, {"column": "topic"}),
    ],
)
def test_an_invalid_file_is_refused_with_its_line(
    kind: str, text: str, line: int | None, values: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text(text)
    with pytest.raises(FormatError) as error:
        read_auxiliary_table(tmp_path / "file", kind)
    assert error.value.line == line and error.value.values.items() >= values.items()


def test_the_kind_of_an_auxiliary_file_is_detected_by_its_header(tmp_path: Path) -> None:
    for kind, text in FILES.items():
        (tmp_path / kind).write_text(text)
        assert detect_auxiliary_table(tmp_path / kind).kind == kind
    (tmp_path / "groups").write_text("document,group\na,eu\n")
    (tmp_path / "assigned").write_text(json.dumps(GOLDEN["answers"][0]) + "\n")
    assert [detect_auxiliary_table(tmp_path / name).kind for name in ("groups", "assigned")] == [
        "groups",
        "nuggets",
    ]
    for text in ("1 Q0 a 1 3 r\n", "document,title\na,b\n"):
        (tmp_path / "other").write_text(text)
        with pytest.raises(FormatError) as error:
            detect_auxiliary_table(tmp_path / "other")
        assert error.value.key == "unknown-side-file"
        assert error.value.values["kinds"].startswith("citations:")


def test_ranks_are_those_of_the_evaluation(tmp_path: Path) -> None:
    (tmp_path / "lengths").write_text("document,characters\na,100\nb,5000\n")
    side = read_auxiliary_table(tmp_path / "lengths", "lengths")
    run = make_run("r", [("1", "a", 1.0), ("1", "b", 1.0)])
    (measure,) = parse_measures(["U(l=1000)"])
    by_ties = {
        ties: evaluate_runs(QRELS, [run], [measure], Policy(ties=ties), tables=[side])
        .runs[0]
        .values[0, 0]
        for ties in ("trec", "docno")
    }
    assert by_ties == pytest.approx({"trec": 1 - 420 / 1000, "docno": 1 - 220 / 1000})
    assert (
        evaluate_runs(QRELS, [run], [measure], Policy(depth=1), tables=[side]).runs[0].values[0, 0]
        == 0
    )
