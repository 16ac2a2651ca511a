"""Tests of the preview of files before they are imported into a project."""

import gzip
import os
import re
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from irjudge.errors import Undecided
from irjudge.formats import (
    FilePreview,
    ReadingOptions,
    classify_files,
    classify_rankings,
    preview_files,
)
from irjudge.formats import file_preview as previewing
from irjudge.formats.collections import read_documents, recognise_document_format
from irjudge.formats.file_preview import count_documents, count_files
from irjudge.formats.rows import parse_columns
from tests.messages import keys_and_values, keys_inside

LINES = (
    '{"id": "a", "text": "one"}\n\n{"id": "b", "text": "two"}\r\n  \n{"id": "c", "text": "three"}'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "texts"
    (made / "more" / ".hidden").mkdir(parents=True)
    for name in ("a.txt", "b.txt", ".c.txt", "more/d.txt", "more/.hidden/e.txt"):
        (made / name).write_text("words", encoding="utf-8")
    return made


def test_the_lines_of_a_file_are_counted_as_documents(tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text(LINES, encoding="utf-8", newline="")
    assert (
        count_documents(path, "JSON lines") == len(list(read_documents([path], warnings=[]))) == 3
    )
    assert preview_files("documents", [path]).summaries == ("docs.jsonl: JSON lines; documents: 3",)


def test_lines_of_the_corpus_of_a_beir_folder_are_counted(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text(LINES, encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text('{"_id": "1", "text": "what"}\n', encoding="utf-8")
    assert count_documents(tmp_path, recognise_document_format(tmp_path)) == 3


@pytest.mark.parametrize("raw", [gzip.compress(LINES.encode(), mtime=0), LINES.encode("utf-16")])
def test_lines_that_need_parsing_are_not_counted(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_bytes(raw)
    form = recognise_document_format(path)
    assert (
        form.startswith("JSON lines")
        and count_documents(path, form) is None
        and count_files(path, form) is None
    )
    assert preview_files("documents", [path]).summaries == (f"docs.jsonl: {form}",)


def test_the_files_of_a_folder_and_of_archives_are_counted_without_hidden_ones(
    folder: Path, tmp_path: Path
) -> None:
    plain, packed, zipped = tmp_path / "a.tar", tmp_path / "a.tar.gz", tmp_path / "a.zip"
    for path, mode in ((plain, "w"), (packed, "w:gz")):
        with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
            archive.add(folder, "texts")
    with zipfile.ZipFile(zipped, "w") as archive:
        for root, _, names in os.walk(folder):
            for name in names:
                archive.write(Path(root, name), Path(root, name).relative_to(folder))
    previews = [
        count_files(path, recognise_document_format(path))
        for path in (folder, plain, zipped, packed)
    ]
    assert previews == [3, 3, 3, None], "a packed archive would have to be unpacked"
    (summary,) = preview_files("documents", [zipped]).summaries
    assert (summary.values["file"], summary.values["files"]) == ("a.zip", "3")
    assert "zip archive" in summary.values["form"]


def test_very_many_files_are_not_counted(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text(LINES, encoding="utf-8")
    monkeypatch.setattr(previewing, "MAX_COUNTED_FILES", 2)
    monkeypatch.setattr(previewing, "MAX_COUNTED_BYTES", 10)
    assert (
        count_files(folder, "plain text in a folder") is None
        and count_documents(path, "JSON lines") is None
    )
    assert count_files(tmp_path / "gone.zip", "plain text in a zip archive") is None


def write_file(folder: Path, name: str, text: str) -> list[Path]:
    path = folder / name
    path.write_text(text)
    return [path]


def test_warnings_of_the_first_documents_are_not_total_counts(tmp_path):
    text = "".join(
        f"<DOC>\n<DOCNO>{number}</DOCNO>\n<TEXT>\nwords\n.A\nann\n.W\nmore\n</TEXT>\n</DOC>\n"
        for number in range(5)
    )
    (summary,) = preview_files("documents", write_file(tmp_path, "five.trec", text)).warnings
    assert (summary.key, summary.values["count"]) == ("first-documents", "3")
    assert (
        "smart-marks" in keys_inside(summary) and summary.values["warning"].values["count"] == "3"
    )
    (short,) = preview_files(
        "documents",
        write_file(tmp_path, "two.trec", text[: text.index("<DOCNO>2<") - len("<DOC>\n")]),
    ).warnings
    assert (short.key, short.values["count"]) == ("smart-marks", "2")


def test_qrels_show_their_grades_and_first_rows(tmp_path):
    seen = preview_files(
        "qrels", write_file(tmp_path, "q.csv", "qid,docno,rel\n1,a,2\n1,b,0\n2,c,0\n2,d,0\n")
    )
    (file,) = seen.summaries
    assert (file.values["file"], file.values["qrels"], file.values["topics"]) == (
        "q.csv",
        "4",
        "2",
    )
    assert [re.findall(r"\d", each) for each in file.values["grades"].split(", ")] == [
        ["0", "3"],
        ["2", "1"],
    ]
    assert (seen.first_records, seen.grades) == (("1 a 2", "1 b 0", "2 c 0"), (0, 2))
    assert keys_and_values(seen.warnings, "file", "form") == [("read-as", "q.csv", "CSV")]
    assert not seen.rejected


def test_runs_show_their_first_rows(tmp_path):
    seen = preview_files("runs", write_file(tmp_path, "bm25.tsv", "1\ta\t1\n1\tb\t2\n"))
    assert seen.first_records == ("1 a 2", "1 b 1") and not seen.rejected
    (file,) = seen.summaries
    assert file.values == {"run": "bm25", "documents": "2", "topics": "1"}
    assert keys_and_values(seen.warnings, "file") == [("read-as", "bm25.tsv")]
    assert "rank-as-score" in keys_inside(seen.warnings[0])


def test_an_invalid_file_does_not_hide_the_others(tmp_path):
    good = write_file(tmp_path, "good.run", "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n")
    bad = write_file(tmp_path, "bad.run", "what is this\n")
    more = write_file(tmp_path, "more.run", "2 Q0 c 1 3.0 t\n")
    seen = preview_files("runs", [*good, *bad, *more])
    assert [each.values["run"] for each in seen.summaries] == ["good", "more"]
    assert [each.values["documents"] for each in seen.summaries] == ["2", "1"]
    assert seen.first_records == ("1 a 2", "1 b 1", "2 c 3")
    assert [
        (each.path, str(each.error).startswith("bad.run, line 1: ")) for each in seen.rejected
    ] == [(bad[0], True)]


def test_instructions_show_their_first_words(tmp_path):
    guide = write_file(tmp_path, "guide.md", "# How to judge\n\nRead it all.\n")
    assert preview_files("instructions", guide) == FilePreview(
        ("guide.md: lines: 3",), ("# How to judge", "Read it all.")
    )
    (problem,) = preview_files("instructions", write_file(tmp_path, "empty.md", " \n")).rejected
    assert (problem.error.key, problem.path.name) == ("empty-file", "empty.md")


@pytest.mark.parametrize(
    ("kind", "text", "decided", "first"),
    [
        (
            "topics",
            ".I 2\n.W\na\n.I 5\n.W\nb\n",
            ReadingOptions(topic_ids="order"),
            ("1 · a", "2 · b"),
        ),
        ("qrels", "1 a -1\n", ReadingOptions(negative="0"), ("1 a 0",)),
        ("qrels", "1 a -1\n1 b 1\n", ReadingOptions(grades={-1: 0, 1: 2}), ("1 a 0", "1 b 2")),
        (
            "runs",
            "1 a 2\n1 b 1\n",
            ReadingOptions(
                columns=parse_columns("topic=1,document=2,score=3", ("topic", "document", "score"))
            ),
            ("1 a 2", "1 b 1"),
        ),
    ],
)
def test_ambiguous_files_are_shown_after_a_decision(tmp_path, kind, text, decided, first):
    paths = write_file(tmp_path, "a", text)
    (problem,) = preview_files(kind, paths).rejected
    assert isinstance(problem.error, Undecided)
    assert preview_files(kind, paths, decided).first_records == first


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes with names")
def test_a_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (problem,) = preview_files("topics", [tmp_path / "pipe.txt"]).rejected
    assert problem.error.key == "pipe"


# Each as its owner writes it: recognised by content, not by name.
QRELS_FORMS = {
    "trec": "1 0 d1 2\n1 0 d2 0\n",
    "pairs": "1\td1\n1\td2\n",
    "unsaid": "1 d1 -1\n1 d2 1\n",  # the meaning of -1 is asked when it is read
    "quepid": "query,docid,rating\njazz,d1,3\n",
    "learning": "3 qid:1 # d1 jazz\n",
    "json": '{"1": {"d1": 2}}',
}
RUN_FORMS = {
    "trec": "1 Q0 d1 1 9.5 bm25\n1 Q0 d2 2 9.1 bm25\n",
    "small": "1 q0 d1 1 9.5 bm25\n",
    "zero": "1 0 d1 1 9.5 bm25\n1 0 d2 2 9.1 bm25\n",
    "msmarco": "".join(f"7\td{rank}\t{rank}\n" for rank in range(1, 11)),
    "table": "topic,document,score\n1,d1,9.5\n",
    "json": '{"1": {"d1": 9.5, "d2": 1.25}}',
}


def test_qrels_and_runs_are_distinguished_by_content(tmp_path: Path) -> None:
    paths = {}
    for kind, forms in (("qrels", QRELS_FORMS), ("runs", RUN_FORMS)):
        for name, content in forms.items():
            path = tmp_path / f"{len(paths)}.file"
            path.write_text(content, encoding="utf-8")
            paths[path] = f"{kind} {name}"
    files_by_kind = classify_rankings([*paths])
    assert [paths[path] for path in files_by_kind.qrels] == [
        f"qrels {name}" for name in QRELS_FORMS
    ]
    assert [paths[path] for path in files_by_kind.runs] == [f"runs {name}" for name in RUN_FORMS]
    assert not files_by_kind.rejected


def test_other_files_are_named_and_do_not_hide_qrels_or_runs(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(QRELS_FORMS["trec"], encoding="utf-8")
    (tmp_path / "b").write_text("some words that are\nneither of both\n", encoding="utf-8")
    files_by_kind = classify_rankings([tmp_path / "a", tmp_path / "b", tmp_path, tmp_path / "gone"])
    assert [path.name for path in files_by_kind.qrels] == ["a"] and not files_by_kind.runs
    assert [each.path.name for each in files_by_kind.rejected] == ["b", tmp_path.name, "gone"]
    assert files_by_kind.rejected[0].error.key == "neither"


def test_files_of_a_project_are_distinguished(tmp_path: Path) -> None:
    contents = {
        "qrels.txt": QRELS_FORMS["trec"],
        "bm25.run": RUN_FORMS["trec"],
        "queries.tsv": "1\ttea with milk\n2\tcoffee\n",
        "passages.tsv": "d1\tblack tea is dried\nd2\tcoffee is roasted\n",
        "these.txt": "<top><num> Number: 1 <title> tea </top>",
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "pages").mkdir()
    files_by_kind = classify_files([tmp_path / name for name in (*contents, "pages")])
    assert {kind: [path.name for path in paths] for kind, paths in files_by_kind.items()} == {
        "qrels": ["qrels.txt"],
        "runs": ["bm25.run"],
        "topics": ["queries.tsv", "these.txt"],
        "documents": ["passages.tsv", "pages"],
    }


def test_a_table_with_rank_and_whole_scores_is_a_run(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("query_id,doc_id,rank,score\n1,a,1,3\n1,b,2,2\n")
    (tmp_path / "qrels.csv").write_text("query_id,doc_id,rank,score,grade\n1,a,1,3,2\n")
    files_by_kind = classify_rankings([tmp_path / "run.csv", tmp_path / "qrels.csv"])
    assert [path.name for path in files_by_kind.runs] == ["run.csv"]
    assert [path.name for path in files_by_kind.qrels] == ["qrels.csv"]


def test_a_file_with_one_json_document_is_not_a_run(tmp_path: Path) -> None:
    (tmp_path / "d.json").write_text('{"_id": "1", "text": "x"}\n')
    assert list(classify_files([tmp_path / "d.json"])) == ["documents"]
