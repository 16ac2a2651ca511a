"""Tests of oddities in real collections that are kept unchanged, or reported by a warning."""

import unicodedata
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.formats.collections import read_documents, read_topics
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.model import topic_of_each_row


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("qrels/qrels.web.51-100.txt", "judgments with grade -2 (treated as unjudgeable): 1,431"),
        ("qrels/qrels.web.201-250.txt", "judgments with grade -2 (treated as unjudgeable): 234"),
        (
            "qrels/qrels.microblog2011.txt",
            ("judgments with grade -2 (treated as unjudgeable): 116"),
        ),
        (
            "trec_covid/qrels/covid-complete.txt",
            ("judgments with grade -1 (treated as unjudged): 2"),
        ),
        ("trec_eval/qrels.rel_level", "judgments with grade -1 (treated as unjudged): 304"),
        ("trec_eval/qrels.123", "judgments with grade -1 (treated as unjudged): 912"),
    ],
)
def test_the_interpretation_of_negative_grades_is_reported(
    data: Path, name: str, sentence: str
) -> None:
    assert read_qrels(data / name).warnings == (f"{Path(name).name}: {sentence}.",)


def test_gains_gaps_and_subtopics_are_kept_unchanged(data: Path) -> None:
    gains, gaps = (
        read_qrels(data / "qrels" / f"qrels.{name}.txt")
        for name in ("backgroundlinking18", "hc4-v1.0-zh.test")
    )
    assert set(gains.grade.tolist()) == {0, 2, 4, 8, 16} and set(gaps.grade.tolist()) == {0, 1, 3}
    assert gains.warnings == gaps.warnings == ()
    assert sorted(read_qrels(data / "qrels/qrels.web.201-250.ndeval.head.txt").groups) == list(
        "0123456"
    )
    assert sorted(read_qrels(data / "trec_eval/qrels.123").groups) == ["0", "1", "2"]


def test_ids_with_a_comment_sign_are_ids(data: Path) -> None:
    qrels = read_qrels(data / "trec_eval/qrels.comment.test")
    assert any("#" in name for name in qrels.documents.to_pylist())
    plain, commented = (
        list(read_qrels(data / "trec_eval" / name).rows())
        for name in ("qrels.test", "qrels.test.with-comments")
    )
    changed = [
        (before, after) for before, after in zip(plain, commented, strict=True) if before != after
    ]
    assert changed == [(("301", "CR93E-1860", 0), ("301", "CR#93E-1860", 0))]


@pytest.mark.parametrize(
    ("name", "letters"), [("topics.miracl-v1.0-fa-dev.tsv", 62), ("topics.fire12hi.176-225.txt", 0)]
)
def test_joiners_and_decomposed_characters_are_kept_in_topics(
    data: Path, name: str, letters: int
) -> None:
    texts = [
        topic.title + topic.description + topic.narrative
        for topic in read_topics(data / "topics" / name).topics
    ]
    assert sum("\N{ZERO WIDTH NON-JOINER}" in text for text in texts) == letters
    assert sum(unicodedata.normalize("NFC", text) != text for text in texts) == (
        0 if letters else 9
    )


def test_windows_line_ends_are_in_no_document(data: Path) -> None:
    path = data / "classic/cran/cran.all.1400"
    assert not any(
        "\r" in each.text + each.title + each.id for each in read_documents([path], warnings=[])
    )


@pytest.mark.parametrize(
    ("queries", "relevance", "bare", "first"),
    [("CISI.QRY", "CISI.REL", 36, "36"), ("query.text", "qrels.text", 12, "34")],
)
def test_topics_without_judgments_are_reported_when_files_are_combined(
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    queries: str,
    relevance: str,
    bare: int,
    first: str,
) -> None:
    folder = data / "classic" / ("cisi" if "CISI" in queries else "cacm")
    documents = folder / ("CISI.ALL" if "CISI" in queries else "cacm.all")
    files = ["--documents", documents, "--topics", folder / queries, "--qrels", folder / relevance]
    assert main(["new", str(tmp_path / "p.irjudge"), *map(str, files)]) == 0
    captured = capsys.readouterr().err
    warned = [line for line in captured.splitlines() if "(for example " in line]
    assert len(warned) == 1, "topics without judgments alone are listed"
    assert f" {bare} " in warned[0] and f" {first})" in warned[0]


def test_ranks_with_any_start_negative_scores_and_ties_are_kept(data: Path) -> None:
    runs = [read_run(path) for path in sorted((data / "trec_covid/runs").iterdir())]
    assert {int(run.rank.min()) for run in runs} >= {0, 1}
    assert any((run.score < 0).any() for run in runs)
    tied = [
        run.name
        for run in runs
        if len(set(zip(topic_of_each_row(run.starts).tolist(), run.score.tolist(), strict=True)))
        < len(run)
    ]
    assert len(tied) == 10
