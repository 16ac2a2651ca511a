"""Tests of judgments and runs that identify queries by their texts."""

import json
from pathlib import Path

import pytest

from irjudge.cli.main import main

TEXTS = {"q1": "jazz bass", "q2": "red shoes"}
GRADES = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 0, "d": 1, "e": 1}}
RUNS = {
    "r1": {"q1": "baz", "q2": "de"},
    "r2": {"q1": "cay", "q2": "ade"},
}


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Return a folder in which queries are identified by texts, and the same data with ids."""
    texts, ids = tmp_path / "texts", tmp_path / "ids"
    for folder in (texts, ids):
        folder.mkdir()
        for name, run in RUNS.items():
            rows = [
                f"{TEXTS[topic] if folder == texts else topic},{document},{9 - rank}"
                for topic, documents in run.items()
                for rank, document in enumerate(documents)
            ]
            (folder / f"{name}.csv").write_text("\n".join(["query,document,score", *rows]) + "\n")
    ratings = [
        {
            "query": TEXTS[topic],
            "ratings": [{"docId": id, "rating": str(grade)} for id, grade in grades.items()],
        }
        for topic, grades in GRADES.items()
    ]
    (texts / "j").write_text(json.dumps({"name": "j", "judgmentRatings": ratings}))
    lines = [
        f"{topic} 0 {id} {grade}" for topic, row in GRADES.items() for id, grade in row.items()
    ]
    (ids / "j").write_text("\n".join(lines) + "\n")
    words = [f"{id},{10 * number},60" for number, id in enumerate("abcdeyz", 1)]
    pooled = [
        f"{topic},{id},{n},1,1" for topic, row in GRADES.items() for n, id in enumerate(row, 1)
    ]
    (tmp_path / "len.csv").write_text("\n".join(["document,words,characters", *words]) + "\n")
    (tmp_path / "pool.csv").write_text(
        "\n".join(["topic,document,order,stratum,probability", *pooled]) + "\n"
    )
    return texts, ids


@pytest.mark.parametrize(
    "command",
    [
        "evaluate j r1.csv r2.csv -m AP -q -f csv",
        "evaluate j r1.csv r2.csv -m TBG --lengths ../len.csv -f csv",
        "reusability j r1.csv r2.csv --depth 3 -f csv",
        "bounds j r1.csv r2.csv -m P@3 --world open --difference -q -f csv",
        "bounds j r1.csv r2.csv -m P@3 --world open --difference --next 3",
        "user j r1.csv r2.csv --known ../ids/j -f csv",
        "explain j r1.csv -t q1 -m AP -f csv",
        "estimate j r1.csv r2.csv --pool ../pool.csv -f csv",
        "audit j ../ids/j --runs r1.csv --runs r2.csv --show systems -f csv",
    ],
)
def test_texts_of_queries_give_the_results_of_their_ids(
    folders: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    outputs = []
    for folder in folders:
        monkeypatch.chdir(folder)
        main(command.split())
        lines = capsys.readouterr().out.splitlines()
        header = lines[0].split(",")
        columns = [at for at, name in enumerate(header) if name != "query"]
        outputs.append([[line.split(",")[at] for at in columns] for line in lines])
    assert len(outputs[1]) > 1 and outputs[0] == outputs[1]


def test_the_explained_topic_can_be_named_by_its_text(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folders[0])
    assert main(["explain", "j", "r1.csv", "-t", "jazz  bass", "-m", "AP"]) == 0
    assert "AP = 0.25" in capsys.readouterr().out  # a at rank 2, c not retrieved: (1/2) / 2


@pytest.mark.parametrize(
    "command",
    [
        "reusability j r.csv s.csv --depth 2",
        "user j r.csv --known j",
        "audit j j --runs r.csv --runs s.csv --show systems",
    ],
)
def test_runs_of_other_topics_are_reported(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "j").write_text("1 0 a 1\n1 0 b 0\n")
    for name in ("r", "s"):
        (tmp_path / f"{name}.csv").write_text("query,document,score\n9,a,2\n9,b,1\n")
    main(command.split())
    assert "r: no topic" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        "pool a.csv b.csv --strategy mtf --size 4 --qrels {qrels} -o {qrels}.csv",
        "agreement labels.csv --ratings {qrels} -f csv",
    ],
)
def test_qrels_with_texts_are_joined_to_runs_and_labels_that_name_the_texts(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    grades = {"d1": 0, "d4": 1}
    records = [{"query": "rock", "doc_id": id, "rating": grade} for id, grade in grades.items()]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in records))
    (tmp_path / "q.txt").write_text("".join(f"rock 0 {id} {grades[id]}\n" for id in grades))
    for name, documents in (("a", "d1 d5 d6"), ("b", "d4 d7 d8")):
        rows = [f"rock,{id},{9 - rank}" for rank, id in enumerate(documents.split())]
        (tmp_path / f"{name}.csv").write_text("\n".join(["topic,document,score", *rows]) + "\n")
    rows = [f"rock,{id},{name},{grade}" for name in ("ann", "bob") for id, grade in grades.items()]
    (tmp_path / "labels.csv").write_text("\n".join(["topic,document,assessor,grade", *rows]) + "\n")
    results = []
    for name in ("q.jsonl", "q.txt"):
        assert main(command.format(qrels=name).split()) == 0
        written = tmp_path / f"{name}.csv"
        results.append(capsys.readouterr().out or written.read_text())
    assert results[0] == results[1] and results[0].count("\n") > 4


def test_known_qrels_in_another_order_are_joined_by_the_texts_of_their_queries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, rows in (
        ("q", [("rock", "d1"), ("rock", "d4"), ("jazz", "d2"), ("jazz", "d3")]),
        ("known", [("jazz", "d2"), ("rock", "d1")]),
    ):
        records = [{"query": query, "doc_id": id, "rating": 1} for query, id in rows]
        (tmp_path / name).write_text("".join(json.dumps(each) + "\n" for each in records))
    (tmp_path / "a.csv").write_text(
        "topic,document,score\nrock,d1,2\nrock,d4,1\njazz,d2,2\njazz,d3,1\n"
    )
    assert main("user q a.csv --known known -f csv".split()) == 0
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()[1:]]
    assert {(row[1], float(row[3])) for row in rows} == {("coverage", 1.0), ("novelty", 0.5)}
