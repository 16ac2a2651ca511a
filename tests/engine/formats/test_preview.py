"""What is shown of files before they are read into a project."""

import os
import sys
from pathlib import Path

import pytest

from irjudge.errors import Undecided
from irjudge.formats.decisions import Decisions
from irjudge.formats.preview import Preview, preview
from irjudge.formats.rows.mapping import parse_columns


def made(folder: Path, name: str, text: str) -> list[Path]:
    path = folder / name
    path.write_text(text)
    return [path]


def test_qrels_show_their_grades_and_first_rows(tmp_path):
    seen = preview("qrels", made(tmp_path, "q.csv", "qid,docno,rel\n1,a,2\n1,b,0\n2,c,0\n2,d,0\n"))
    said = "q.csv: read as CSV: topic is qid, document is docno, grade is rel."
    assert seen == Preview(("q.csv: judgments: 4; topics: 2 (3 of grade 0, 1 of grade 2)",), ("1 a 2", "1 b 0", "2 c 0"), (said,))


def test_runs_show_their_first_rows(tmp_path):
    seen = preview("runs", made(tmp_path, "bm25.tsv", "1\ta\t1\n1\tb\t2\n"))
    said = "bm25.tsv: read as topic, document, rank; the score is the rank turned round."
    assert seen == Preview(("bm25: documents retrieved: 2; topics: 1",), ("1 a 2", "1 b 1"), (said,))


def test_a_bad_file_hides_nothing_of_the_others(tmp_path):
    good, bad = made(tmp_path, "good.run", "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n"), made(tmp_path, "bad.run", "what is this\n")
    more = made(tmp_path, "more.run", "2 Q0 c 1 3.0 t\n")
    seen = preview("runs", [*good, *bad, *more])
    assert seen.found == ("good: documents retrieved: 2; topics: 1", "more: documents retrieved: 1; topics: 1")
    assert seen.first == ("1 a 2", "1 b 1", "2 c 3")
    assert [(each.path, str(each.fault).startswith("bad.run, line 1: ")) for each in seen.wrong] == [(bad[0], True)]


def test_instructions_show_their_first_words(tmp_path):
    guide = made(tmp_path, "guide.md", "# How to judge\n\nRead it all.\n")
    assert preview("instructions", guide) == Preview(("guide.md: lines: 3",), ("# How to judge", "Read it all."))
    (wrong,) = preview("instructions", made(tmp_path, "empty.md", " \n")).wrong
    assert str(wrong.fault) == "empty.md: it is empty, expected instructions in Markdown."


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
    (wrong,) = preview(kind, paths).wrong
    assert isinstance(wrong.fault, Undecided)
    assert preview(kind, paths, decided).first == first


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes with names")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (wrong,) = preview("topics", [tmp_path / "pipe.txt"]).wrong
    assert "it is a pipe or a device" in str(wrong.fault)
