"""Tests of explanations as text: stored outputs, long rankings, and unusual names."""

import math
from pathlib import Path

import pandas as pd
import pytest
from rich.cells import cell_len

import irjudge
from irjudge.cli.main import main
from irjudge.metrics import WORKED_EXAMPLES, find_measure, list_measures
from irjudge.model import make_qrels, make_run
from irjudge.report import explain

GOLDEN = Path(__file__).parents[2] / "golden" / "explain"
# Worked by hand; the arithmetic is in tests/golden/explain/README.md.
BY_HAND = {
    "P": 2 / 5,
    "R": 2 / 4,
    "F": 4 / 9,
    "E": 5 / 9,
    "SetP": 3 / 7,
    "SetR": 3 / 4,
    "SetF": 6 / 11,
    "SetE": 5 / 11,
    "Rprec": 2 / 4,
    "RR": 1,
    "Success": 1,
    "IPrec": 2 / 4,
    "AP": 27 / 56,
    "GMAP": 27 / 56,
    "Bpref": 1 / 2,
    "CG": 6,
    "DCG": 2 + 1 / math.log2(5) + 1,
    "IDCG": 3 + 2 / math.log2(3) + 1 / 2 + 1 / math.log2(5),
    "nDCG": 0.660694,
    "RBP": 0.3548288,
    "ERR": 0.462890625,
    "Q": (3 / 4 + 5 / 11 + 9 / 14) / 4,
    "Judged": 5 / 7,
    "Unjudged": 2 / 5,
    "BPM": 1 / 4,
    "NumQ": 1,
    "NumRet": 7,
    "NumRel": 4,
    "NumRelRet": 3,
    "NumJudgedRet": 5,
    "NumNonrelJudgedRet": 2,
    "alpha-DCG": 1 + 0.5 / math.log2(5),
    "alpha-nDCG": (1 + 0.5 / math.log2(5))
    / (1 + 0.5 / math.log2(3) + 0.25 / 2 + 0.125 / math.log2(5)),
    "ERR-IA": (1 + 0.5 / 4) / (1 + 0.5 / 2 + 0.25 / 3 + 0.125 / 4 + 0.0625 / 5),
    "nERR-IA": (1 + 0.5 / 4) / (1 + 0.5 / 2 + 0.25 / 3 + 0.125 / 4),
    "NRBP": 0.75 * (1 + 0.5**4 + 0.25 * 0.5**6),
    "nNRBP": (1 + 0.5**4 + 0.25 * 0.5**6) / (1 + 0.25 + 0.25**2 + 0.25**3),
    "P-IA": 2 / 5,
    "MAP-IA": 27 / 56,
    "StRecall": 1,
    "D-nDCG": (2 + 1 / math.log2(5)) / (3 + 2 / math.log2(3) + 1 / 2 + 1 / math.log2(5)),
    "D#-nDCG": 0.5
    + 0.5 * (2 + 1 / math.log2(5)) / (3 + 2 / math.log2(3) + 1 / 2 + 1 / math.log2(5)),
    "WSS": (7 - 4) / 7 - (1 - 0.5),
    "Effort": 4,
    "LastRel": 7,
    "U": 2 * (1 - 320 / 132_000) + (1 - 1040 / 132_000) + 3 * (1 - 1760 / 132_000),
    "TBG": 0.64 * 0.77 * (1 + 2 ** (-27.183 / 224) + 2 ** (-54.015 / 224)),
    "sDCG": 2 + 1 / 2 + 3 / math.log2(7),
    "AWRF": 0.956199,
    "NuggetRecall": 1.5 / 3,
    "CitationPrecision": 1.5 / 3,
    "CitationRecall": 1.5 / 3,
}


def typical_name(name: str) -> str:
    return (
        name
        + {"cutoff": "@5", "recall": "@0.5", "k": "@5", None: ""}[
            find_measure(name).at if find_measure(name).requires_at else None
        ]
    )


def print_explanation(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the explanation of a measure; if it needs an auxiliary file, from the command line."""
    sides = [
        word
        for side in find_measure(name).needs
        if side != "subtopics"
        for word in (f"--{side}", str(GOLDEN / f"small.{side}.csv"))
    ]
    if not sides:
        return explain(GOLDEN / "small.qrels", GOLDEN / "small.run", "1", typical_name(name))
    arguments = [
        "explain",
        str(GOLDEN / "small.qrels"),
        str(GOLDEN / "small.run"),
        "-t",
        "1",
        "-m",
        typical_name(name),
        *sides,
    ]
    assert main(arguments) == 0
    return capsys.readouterr().out.rstrip("\n")


def test_every_worked_example_has_a_stored_output() -> None:
    assert list_measures() and set(WORKED_EXAMPLES) == set(BY_HAND)  # this loads the measures


@pytest.mark.parametrize("name", BY_HAND)
def test_explanations_match_the_stored_outputs(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = print_explanation(name, capsys)
    assert text + "\n" == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert float(text.rpartition(" = ")[2]) == pytest.approx(BY_HAND[name], abs=1e-6)


def test_the_package_exports_explain() -> None:
    assert irjudge.explain is explain
    assert irjudge.explain(
        str(GOLDEN / "small.qrels"), str(GOLDEN / "small.run"), "1", "P_5"
    ).endswith("P@5 = 0.4")


def test_several_cutoffs_are_explained_one_after_the_other() -> None:
    text = explain(GOLDEN / "small.qrels", GOLDEN / "small.run", "1", "P.1,5")
    assert [part.splitlines()[-1] for part in text.split("\n\nP@5 of topic")] == [
        "P@1 = 1.0",
        "P@5 = 0.4",
    ]


# Long rankings. Relevant at 3, 4, 40 of 120.


def long_table(measure: str, relevant: tuple[int, ...] = (3, 4, 40), count: int = 120) -> list[str]:
    qrels = make_qrels([("1", f"d{rank}", 1) for rank in relevant])
    run = make_run("r", [("1", f"d{rank}", float(-rank)) for rank in range(1, count + 1)])
    text = explain(qrels, run, "1", measure)
    return text.split("\n\n")[1].splitlines()


def test_hits_of_a_long_ranking_are_shown_with_omitted_counts() -> None:
    table = long_table("AP")
    assert [line.split()[0] for line in table] == [
        "rank",
        "1",
        "2",
        "3",
        "4",
        "…",
        "40",
        "…",
        "120",
    ]
    assert (
        table[5] == "   …  35 documents, none relevant"
        and table[7] == "   …  79 documents, none relevant"
    )


def test_the_cutoff_is_shown_and_documents_below_are_counted() -> None:
    table = long_table("nDCG@50")
    assert [line.split()[0] for line in table] == [
        "rank",
        "1",
        "2",
        "3",
        "4",
        "…",
        "40",
        "…",
        "50",
        "…",
    ]
    assert table[-1].startswith("   …  70 ") and " 50 " in table[-1]


def test_the_first_and_last_of_many_hits_are_shown() -> None:
    table = long_table("AP", tuple(range(1, 61)), 1200)
    assert table[26].startswith("   …  32 ") and table[27].startswith("  58  d58 ")
    assert len(table) == 1 + 25 + 1 + 3 + 2


def test_a_long_calculation_counts_omitted_terms() -> None:
    qrels = make_qrels([("1", f"d{rank}", 1) for rank in range(1, 61)])
    run = make_run("r", [("1", f"d{rank}", float(-rank)) for rank in range(1, 61)])
    assert "1/1 + 2/2 + 3/3 + 4/4 + 5/5 + 6/6 + … (52 more terms) … + 59/59" in " ".join(
        explain(qrels, run, "1", "AP").split()
    )


def test_omitted_hits_are_counted() -> None:
    table = long_table("AP", tuple(range(1, 121, 2)))
    assert [line for line in table if "…" in line] == ["   …  65 documents, 32 of them relevant"]


# Unusual names


@pytest.mark.parametrize("document", ["x" * 300, "文" * 90, "clueweb09-en0000-00-" * 9])
def test_a_long_document_name_is_shortened_in_the_middle(document: str) -> None:
    qrels = make_qrels([("1", document, 1), ("1", document + "z", 1)])
    text = explain(qrels, make_run("r", [("1", document, 1.0)]), "1", "AP")
    row = next(line for line in text.splitlines() if line.startswith("   1  "))
    assert "…" in row and document[:8] in row and document[-2:] in row
    assert max(map(cell_len, text.splitlines())) <= 100


def test_control_characters_are_escaped() -> None:
    text = explain(
        make_qrels([("1", "a\x1b[2J", 1), ("1", "b\x07", 2)]),
        make_run("r\x1b", [("1", "a\x1b[2J", 1.0)]),
        "1",
        "AP",
    )
    assert "\x1b" not in text and "\x07" not in text and "a\\x1b[2J" in text


def test_explain_accepts_dicts_and_tables_like_evaluate() -> None:
    qrels, run = {"1": {"x": 1, "y": 0}}, {"1": {"y": 2.0, "x": 1.0}}
    explanation = irjudge.explain(qrels, run, "1", "RR")
    assert explanation.endswith("RR = 0.5")
    rows = pd.DataFrame([("1", "x", 1), ("1", "y", 0)], columns=["query_id", "doc_id", "relevance"])
    scores = pd.DataFrame(
        [("1", "y", 2.0), ("1", "x", 1.0)], columns=["query_id", "doc_id", "score"]
    )
    assert irjudge.explain(rows, scores, "1", "RR") == explanation
