"""What is shown of files before they are read into a project."""

from pathlib import Path

import pytest

from irjudge.errors import Undecided
from irjudge.formats.decisions import Decisions
from irjudge.formats.mapping import parse_columns
from irjudge.formats.preview import Preview, preview


def made(folder: Path, name: str, text: str) -> list[Path]:
    path = folder / name
    path.write_text(text)
    return [path]


def test_qrels_show_their_grades_and_first_rows(tmp_path):
    seen = preview("qrels", made(tmp_path, "q.csv", "qid,docno,rel\n1,a,2\n1,b,0\n2,c,0\n2,d,0\n"))
    said = "q.csv: read as CSV: topic is qid, document is docno, grade is rel."
    assert seen == Preview(("q.csv: 4 judgments for 2 topics (3 of grade 0, 1 of grade 2)",), ("1 a 2", "1 b 0", "2 c 0"), (said,))


def test_runs_show_their_first_rows(tmp_path):
    seen = preview("runs", made(tmp_path, "bm25.tsv", "1\ta\t1\n1\tb\t2\n"))
    said = "bm25.tsv: read as topic, document, rank; the score is the rank turned round."
    assert seen == Preview(("bm25: 2 documents for 1 topics",), ("1 a 2", "1 b 1"), (said,))


@pytest.mark.parametrize(
    ("kind", "text", "decided", "first"),
    [
        ("topics", ".I 2\n.W\na\n.I 5\n.W\nb\n", Decisions(topic_ids="order"), ("1 a", "2 b")),
        ("qrels", "1 a -1\n", Decisions(negative="0"), ("1 a 0",)),
        ("qrels", "1 a -1\n1 b 1\n", Decisions(grades={-1: 0, 1: 2}), ("1 a 0", "1 b 2")),
        (
            "runs",
            "1 a 2\n1 b 1\n",
            Decisions(columns=parse_columns("topic=1,document=2,score=3", ("topic", "document", "score"))),
            ("1 a 2", "1 b 1"),
        ),
    ],
)
def test_what_may_mean_two_things_is_shown_once_it_is_decided(tmp_path, kind, text, decided, first):
    paths = made(tmp_path, "a", text)
    with pytest.raises(Undecided):
        preview(kind, paths)
    assert preview(kind, paths, decided).first == first
