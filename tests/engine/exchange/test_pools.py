"""Tests of pool requests: stored pools, written files, and refused requests."""

from pathlib import Path

import pytest

from irjudge.errors import FormatError, IrjudgeError
from irjudge.exchange import create_pool, read_model_grades
from irjudge.formats.rankings import read_pool, read_qrels
from irjudge.model import UNJUDGED, Topic
from irjudge.pooling import PoolRequest
from irjudge.store import open_project
from tests.engine.exchange.classroom import DOCUMENTS


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    """Two runs: one with two topics, one with a single topic."""
    rows = {"a": ["1 Q0 d1 1 2 a", "1 Q0 d2 2 1 a", "2 Q0 d9 1 1 a"], "b": ["1 Q0 d3 1 5 b"]}
    for name, lines in rows.items():
        (tmp_path / f"{name}.run").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [tmp_path / "a.run", tmp_path / "b.run"]


def test_run_files_give_a_pool_and_a_file_in_the_format_of_its_extension(
    runs: list[Path], tmp_path: Path
) -> None:
    for ending in (".qrels", ".csv", ".txt"):
        output = tmp_path / f"pool{ending}"
        made = create_pool(runs, PoolRequest(depth=1, output=output))
        assert made.pool.document.to_pylist() == ["d1", "d3", "d9"] and made.version is None
        assert (made.estimate.pairs, made.estimate.topics) == (3, 2)
    assert [*read_qrels(tmp_path / "pool.qrels").rows()] == [
        ("1", "d1", UNJUDGED),
        ("1", "d3", UNJUDGED),
        ("2", "d9", UNJUDGED),
    ]
    assert read_pool(tmp_path / "pool.csv").document.to_pylist() == ["d1", "d3", "d9"]
    assert (tmp_path / "pool.txt").read_text(encoding="utf-8") == "1\td1\n1\td3\n2\td9\n"


def test_a_preview_stores_and_writes_nothing(project: Path, tmp_path: Path) -> None:
    output = tmp_path / "pool.csv"
    with open_project(project) as opened:
        before = opened.rankings.pool_version()
        preview = create_pool(opened, PoolRequest(depth=2, preview=True, output=output))
        assert preview.version is None and opened.rankings.pool_version() == before
        assert preview.estimate.judgments == 6 and not output.exists()
        made = create_pool(opened, PoolRequest(depth=2, wanted="9", output=output))
        assert made.version == opened.rankings.pool_version() == before + 1
        assert made.pool.topics == ("9",) and output.exists()


def test_an_empty_pool_does_not_replace_the_pool_of_a_project(project: Path) -> None:
    with open_project(project) as opened:
        opened.collection.add_topics([Topic("77", "a topic that no run has")])
        before = opened.rankings.pool_version()
        with pytest.raises(IrjudgeError) as error:
            create_pool(opened, PoolRequest(depth=2, wanted="77"))
        assert error.value.key == "empty-pool" and opened.rankings.pool_version() == before


def test_a_pool_is_not_stored_if_its_file_cannot_be_written(project: Path, tmp_path: Path) -> None:
    with open_project(project) as opened:
        before = opened.rankings.pool_version()
        with pytest.raises(IrjudgeError):
            create_pool(opened, PoolRequest(depth=2, output=tmp_path / "nowhere" / "pool.csv"))
        assert opened.rankings.pool_version() == before


def test_learning_reports_its_recall_of_the_known_judgments(project: Path) -> None:
    with open_project(project) as opened:
        made = create_pool(opened, PoolRequest(strategy="learning", size=4 * DOCUMENTS, rel=3))
        # of 16 documents of each of three topics, every fourth has grade 3; all 48 are judged
        assert (made.summary.values["relevant"], made.summary.values["total"]) == ("12", "12")  # type: ignore[attr-defined]
        (counted,) = made.notes
        assert counted.values["name"] == "truth"  # type: ignore[attr-defined]


@pytest.mark.parametrize("option", [{"depth": 3}, {"first": 2}, {"model": "m"}])
def test_learning_refuses_options_that_it_ignores(
    project: Path, option: dict[str, int | str]
) -> None:
    request = PoolRequest(strategy="learning", size=3, preview=True, **option)  # type: ignore[arg-type]
    with (
        open_project(project, writing=False) as opened,
        pytest.raises(IrjudgeError, match=f"--{next(iter(option))}"),
    ):
        create_pool(opened, request)


def test_a_plan_follows_the_grades_of_a_file(runs: list[Path], tmp_path: Path) -> None:
    labels = tmp_path / "labels.qrels"
    labels.write_text("1 0 d1 2\n1 0 d2 0\n", encoding="utf-8")
    notes = list[str]()
    assert read_model_grades(labels, "m", ["1", "2"], notes) == (
        {("1", "d1"): 2, ("1", "d2"): 0},
        2,
    )
    made = create_pool(runs, PoolRequest(strategy="plan", model=str(labels), size=50))
    assert len(made.pool) == 4 and set(made.pool.stratum.tolist()) == {0, 1, 3}
    assert notes == [] and made.notes == ()


def test_a_plan_has_the_warnings_about_a_file_of_labels(runs: list[Path], tmp_path: Path) -> None:
    labels = tmp_path / "labels.qrels"
    labels.write_text("1 0 d1 2\n1 0 d2 0\n1 0 d2 x2\n", encoding="utf-8")
    made = create_pool(runs, PoolRequest(strategy="plan", model=str(labels), size=50))
    assert {note.key for note in made.notes} == {"no-grade", "answered-again"}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text",
    [
        '{"qid": "1", "docid": "d1", "judgment": 2}\n'
        '{"query": "tides", "passage": "The tide.", "judgment": 1}\n',
        '{"type": "LLM_JUDGMENT", "judgmentRatings": '
        '[{"query": "tides", "ratings": [{"docId": "d1", "rating": "1"}]}]}',
        "7 0 d1 2\n",
    ],
)
def test_labels_that_cannot_be_matched_by_ids_are_refused(
    runs: list[Path], tmp_path: Path, text: str
) -> None:
    labels = tmp_path / "labels.jsonl"
    labels.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError) as error:
        create_pool(runs, PoolRequest(strategy="plan", model=str(labels), size=50))
    assert error.value.path == labels


@pytest.mark.parametrize(
    ("request_", "named"),
    [
        (PoolRequest(depth=2, once=True), "--once"),
        (PoolRequest(strategy="learning", size=3), "learning"),
        (PoolRequest(strategy="plan", size=3), "--model"),
        (PoolRequest(strategy="plan", model="m", size=3, wanted="1"), "--topic"),
        (PoolRequest(strategy="Plan ", model="m", size=3, wanted="1"), "--topic"),
        (PoolRequest(depth=2, model="m"), "--model"),
        (PoolRequest(depth=2, qrels=Path("q")), "--qrels"),
        (PoolRequest(depth=2, wanted="77"), "77"),
        (PoolRequest(strategy="hedge"), "hedge"),
        (PoolRequest(strategy="nonsense"), "nonsense"),
    ],
)
def test_an_inconsistent_request_is_refused(
    request_: PoolRequest, named: str, runs: list[Path]
) -> None:
    with pytest.raises(IrjudgeError, match=named):
        create_pool(runs, request_)
