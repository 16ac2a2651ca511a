"""Tests of files in the formats of other tools, built here, with their expected content."""

import bz2
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Callable, Sequence
from datetime import time
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pytest

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.collections import read_documents, read_topics
from irjudge.formats.judgments import read_gold_labels, read_labels, read_model_labels
from irjudge.formats.rankings import (
    GradeRules,
    parse_grade_rules,
    parse_grades,
    read_qrels,
    read_run,
)
from irjudge.formats.rows import ColumnMapping


def lines(records: Sequence[Any]) -> bytes:
    return "".join(json.dumps(each) + "\n" for each in records).encode()


def workbook(**sheets: Sequence[Sequence[Any]]) -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(out)
    return out.getvalue()


def zip_members(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "."), content)
    return out.getvalue()


def compress(codec: str, content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, codec) as out:
        out.write(content)
    return sink.getvalue().to_pybytes()


def qrels(path: Path, **how: Any) -> list[tuple[str, str, int]]:
    return sorted(read_qrels(path, **how).rows())


def gains(path: Path) -> list[tuple[str, str, float]]:
    return sorted(read_qrels(path, grades=GradeRules(gains=True)).rated_rows())


def cut(path: Path) -> list[tuple[str, str, int]]:
    return qrels(path, grades=parse_grade_rules(None, cuts=".2,.5"))


def mapped(path: Path) -> list[tuple[str, str, int]]:
    return qrels(path, grades=parse_grades(".5:1,1:2"))


def words(path: Path) -> list[tuple[str, str, int]]:
    return qrels(path, grades=GradeRules({"exact": 2, "irrelevant": 0}))


def run(path: Path) -> list[tuple[str, str]]:
    result = read_run(path)
    return [
        (topic, document)
        for at, topic in enumerate(result.topics)
        for document in result.document[
            int(result.starts[at]) : int(result.starts[at + 1])
        ].to_pylist()
    ]


def labels(path: Path) -> list[tuple[str, str, str]]:
    result = read_labels(path)
    triples = zip(result.item.tolist(), result.worker.tolist(), result.label.tolist(), strict=True)
    return sorted((result.items[i], result.workers[w], result.scale[v]) for i, w, v in triples)


def criterion(path: Path) -> list[tuple[str, str]]:
    result = read_labels(path, columns=ColumnMapping((("label", "good_vote"),)))
    return [
        (result.items[i], result.scale[v])
        for i, v in zip(result.item.tolist(), result.label.tolist(), strict=True)
    ]


def documents(path: Path) -> list[tuple[str, str, str]]:
    return [(each.id, each.title, each.text) for each in read_documents([path], warnings=[])]


def topics(path: Path) -> list[tuple[str, str]]:
    return [(each.id, each.title) for each in read_topics(path).topics]


def model(path: Path) -> list[tuple[str, str, int | None]]:
    rules = GradeRules({"exact": 2, "irrelevant": 0})
    return [
        (each.topic, each.document, each.grade)
        for each in read_model_labels(path, rules=rules).labels
    ]


JUDGED = [("1", "a", 2), ("1", "b", 0), ("2", "a", 1)]
GAINED = [("1", "a", 0.412), ("1", "b", 1.543)]
WORDED = [("1", "a", 2), ("1", "b", 0)]
RANKED = [("1", "a"), ("1", "b"), ("2", "a")]
LABEL_ROWS = [["item", "worker", "label"], ["i1", "ann", 1], ["i1", "bob", 0], ["i2", "ann", 1]]
TOPIC_ROWS = [["id", "title"], ["401", "red shoes"], ["402", "blue hat"]]
LABELLED = [("i1", "ann", "1"), ("i1", "bob", "0"), ("i2", "ann", "1")]
REFERENCES = [("1", "A b", "c d"), ("2", "E", "")]
QUERIES = [("401", "red shoes"), ("402", "blue hat")]
TREC = b"1 0 a 2\n1 0 b 0\n2 0 a 1\n"
RUN = b"1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t\n2 Q0 a 1 1 t\n"
CSV = b"qid,docno,label\n1,a,2\n1,b,0\n2,a,1\n"
ROWS = [["qid", "docno", "label"], ["1", "a", 2], ["1", "b", 0], ["2", "a", 1]]
SCORED = [["qid", "docno", "score"], ["1", "a", 2.5], ["1", "b", 1.5], ["2", "a", 1]]
RIS = b"TY  - JOUR\nID  - 1\nTI  - A\n b\nAB  - c d\nER  - \nTY  - BOOK\nID  - 2\nTI  - E\nER  - \n"
NBIB = b"PMID- 1\nTI  - A\n      b\nAB  - c d\n\nPMID- 2\nTI  - E\n"
WOS = b"FN Clarivate\nVR 1.0\nPT J\nTI A\n   b\nAB c d\nUT 1\nER\n\nPT B\nTI E\nUT 2\nER\n\nEF\n"
WOS_TABLE = b"PT\tAU\tTI\tAB\tUT\nJ\tx\tA b\tc d\t1\t\nB\t\tE\t\t2\t\n"
RECORDS = [{"qid": t, "docno": d, "score": 3.0 - n} for n, (t, d) in enumerate(RANKED)]

# name: (content, reader, result)
FILES: dict[str, tuple[bytes, Callable[[Path], Any], Any]] = {
    # judgments
    "trec.qrels": (TREC, qrels, JUDGED),
    "tabs.qrels": (TREC.replace(b" ", b"\t"), qrels, JUDGED),
    "windows.qrels": (TREC.replace(b"\n", b"\r\n"), qrels, JUDGED),
    "bom.qrels": (b"\xef\xbb\xbf" + TREC, qrels, JUDGED),
    "utf-16.qrels": (TREC.decode().encode("utf-16"), qrels, JUDGED),
    "utf-16-le.qrels": (TREC.decode().encode("utf-16-le"), qrels, JUDGED),
    "gzip.qrels.gz": (gzip.compress(TREC), qrels, JUDGED),
    "bzip2.qrels.bz2": (bz2.compress(TREC), qrels, JUDGED),
    "xz.qrels.xz": (lzma.compress(TREC), qrels, JUDGED),
    "lz4.qrels.lz4": (compress("lz4", TREC), qrels, JUDGED),
    "zstd.qrels.zst": (compress("zstd", TREC), qrels, JUDGED),
    "one.qrels.zip": (zip_members(q__txt=TREC), qrels, JUDGED),
    "mac.qrels.zip": (zip_members(q__txt=TREC, **{"__MACOSX/._q.txt": b"x"}), qrels, JUDGED),
    "no-iteration.qrels": (
        TREC.replace(b" 0 ", b" ", 1).replace(b" 0 b", b" b").replace(b"2 0", b"2"),
        qrels,
        JUDGED,
    ),
    "table.csv": (CSV, qrels, JUDGED),
    "semicolons.csv": (CSV.replace(b",", b";"), qrels, JUDGED),
    "sep.csv": (b"sep=;\r\n" + CSV.replace(b",", b";"), qrels, JUDGED),
    "quoted.csv": (
        b'"qid","docno","label"\n"1","a","2"\n"1","b","0"\n"2","a","1"\n',
        qrels,
        JUDGED,
    ),
    "table.tsv": (CSV.replace(b",", b"\t"), qrels, JUDGED),
    "mteb.tsv": (b"query-id\tcorpus-id\tscore\n1\ta\t2\n1\tb\t0\n2\ta\t1\n", qrels, JUDGED),
    "lines.jsonl": (
        lines([{"query_id": t, "doc_id": d, "relevance": g} for t, d, g in JUDGED]),
        qrels,
        JUDGED,
    ),
    "ranx.json": (b'{"1": {"a": 2, "b": 0}, "2": {"a": 1}}', qrels, JUDGED),
    "book.xlsx": (workbook(Sheet1=ROWS), qrels, JUDGED),
    "titled.xlsx": (workbook(Sheet1=[["My judgments"], [], *ROWS]), qrels, JUDGED),
    "later-sheet.xlsx": (workbook(Notes=[["see next"]], Grades=ROWS), qrels, JUDGED),
    "run-and-qrels.xlsx": (workbook(Ranking=SCORED, Grades=ROWS), qrels, JUDGED),
    "ltr.txt": (b"2 qid:1 1:0.5 # a\n0 qid:1 1:0 # b\n1 qid:2 1:1 # a\n", qrels, JUDGED),
    "gains.qrels": (b"1 0 a 0.412\n1 0 b 1.543\n", gains, GAINED),
    "gains.csv": (b"query_id,doc_id,rating\n1,a,.412\n1,b,1.543\n", gains, GAINED),
    "cuts.csv": (
        b"query_id,doc_id,rating\n1,a,.412\n1,b,.037\n",
        cut,
        [("1", "a", 1), ("1", "b", 0)],
    ),
    "mapped.csv": (
        b"query_id,doc_id,rating\n1,a,.5\n1,b,1\n",
        mapped,
        [("1", "a", 1), ("1", "b", 2)],
    ),
    "gains.xlsx": (
        workbook(S=[["topic", "document", "rating"], ["1", "a", 0.412], ["1", "b", 1.543]]),
        gains,
        GAINED,
    ),
    "gains.json": (b'{"1": {"a": 0.412, "b": 1.543}}', gains, GAINED),
    "words.qrels": (b"1 0 a Exact\n1 0 b irrelevant\n", words, WORDED),
    "words.csv": (b"query_id,product_id,label\n1,a,EXACT\n1,b,Irrelevant\n", words, WORDED),
    "words.xlsx": (
        workbook(
            S=[["query_id", "product_id", "label"], ["1", "a", "Exact"], ["1", "b", "Irrelevant"]]
        ),
        words,
        WORDED,
    ),
    # runs
    "trec.run": (RUN, run, RANKED),
    "utf-16.run": (RUN.decode().encode("utf-16"), run, RANKED),
    "lz4.run.lz4": (compress("lz4", RUN), run, RANKED),
    "no-q0.run": (RUN.replace(b" Q0", b""), run, RANKED),
    "pyterrier.csv": (
        b"qid,docid,docno,rank,score,query\n1,7,a,0,2.5,x\n1,8,b,1,1.5,x\n2,7,a,0,1,y\n",
        run,
        RANKED,
    ),
    "colbert.tsv": (b"1\ta\t1\t28.5\n1\tb\t2\t27.5\n2\ta\t1\t20.1\n", run, RANKED),
    "records.json": (json.dumps(RECORDS).encode(), run, RANKED),
    "records.jsonl": (lines(RECORDS), run, RANKED),
    "columns.json": (
        json.dumps({k: {str(n): r[k] for n, r in enumerate(RECORDS)} for k in RECORDS[0]}).encode(),
        run,
        RANKED,
    ),
    "lists.json": (b'{"1": ["a", "b"], "2": ["a"]}', run, RANKED),
    "ranx.run.json": (b'{"1": {"a": 2.5, "b": 1.5}, "2": {"a": 1.0}}', run, RANKED),
    "scores.xlsx": (workbook(Other=[["x"]], Ranking=SCORED), run, RANKED),
    "tira.zip": (zip_members(run__txt=RUN, **{"ir-metadata.yml": b"tag: sys\n"}), run, RANKED),
    # labels of people and models
    "labels.csv": (b"item,worker,label\ni1,ann,1\ni1,bob,0\ni2,ann,1\n", labels, LABELLED),
    "turk.csv": (
        b"HITId,WorkerId,AssignmentStatus,Input.item,Answer.grade\n"
        b"h,ann,Approved,i1,1\nh,bob,Approved,i1,0\nk,ann,Approved,i2,1\n",
        labels,
        LABELLED,
    ),
    "labels.xlsx": (
        workbook(
            Notes=[["a"]],
            Labels=LABEL_ROWS,
        ),
        labels,
        LABELLED,
    ),
    "criteria.jsonl": (
        lines([{"worker": ["ann", "bob"], "good_vote": ["A", "B"], "short_vote": ["A", "A"]}]),
        criterion,
        [("1", "A"), ("1", "B")],
    ),
    "argilla.json": (
        json.dumps(
            [
                {
                    "id": i,
                    "fields": {"text": "t"},
                    "responses": {
                        "grade": [{"user_id": w, "value": v} for j, w, v in LABELLED if j == i]
                    },
                }
                for i in ("i1", "i2")
            ]
        ).encode(),
        labels,
        LABELLED,
    ),
    "gold.csv": (
        b"item,truth\ni1,Exact\ni2,0\n",
        lambda path: read_gold_labels(path, rules=GradeRules({"exact": 2})),
        {"i1": "2", "i2": "0"},
    ),
    "umbrela.jsonl": (
        lines(
            [
                {"qid": "1", "docid": "a", "judgment": 2},
                {"qid": "1", "docid": "b", "judgment": "irrelevant"},
            ]
        ),
        model,
        WORDED,
    ),
    "model.txt": (b"1 0 a exact\n1 0 b 0\n", model, WORDED),
    "model.csv": (b"qid,docid,label\n1,a,Exact\n1,b,Irrelevant\n", model, WORDED),
    # documents
    "zotero.ris": (RIS, documents, REFERENCES),
    "ovid.ris": (b"Provider: Ovid\nDatabase: M\n\n" + RIS, documents, REFERENCES),
    "pubmed.nbib": (NBIB, documents, REFERENCES),
    "pubmed.txt": (b"\n" + NBIB.replace(b"\n", b"\r\n"), documents, REFERENCES),
    "savedrecs.ciw": (WOS, documents, REFERENCES),
    "savedrecs.txt": (WOS_TABLE, documents, REFERENCES),
    "savedrecs-utf-16.txt": (WOS_TABLE.decode().encode("utf-16"), documents, REFERENCES),
    "documents.xlsx": (
        workbook(About=[["x"]], D=[["id", "title", "text"], ["1", "A b", "c d"], [2, "E", None]]),
        documents,
        REFERENCES,
    ),
    "documents.csv": (b"id,title,text\n1,A b,c d\n2,E,\n", documents, REFERENCES),
    "bulk.ndjson": (
        b'{"index":{"_id":"1"}}\n{"title":"A b","text":"c d"}\n{"index":{"_id":"2"}}\n{"title":"E","text":""}\n',
        documents,
        REFERENCES,
    ),
    # topics
    "queries.json": (b'{"401": "red shoes", "402": "blue hat"}', topics, QUERIES),
    "queries.jsonl": (lines([{"_id": i, "text": t} for i, t in QUERIES]), topics, QUERIES),
    "queries.tsv": (b'"401"\t"red shoes"\n"402"\t"blue hat"\n', topics, QUERIES),
    "numbered.txt": (b"401 red shoes\n402 blue hat\n", topics, QUERIES),
    "topics.xlsx": (
        workbook(
            D=[["id", "title", "text", "url"], ["d", "t", "x", "u"]],
            T=TOPIC_ROWS,
        ),
        topics,
        QUERIES,
    ),
    "rubrics.jsonl": (
        lines(
            [
                {"qid": i, "question": t, "rubrics": [{"criterion": "c", "weight": 2.0}]}
                for i, t in QUERIES
            ]
        ),
        topics,
        QUERIES,
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_gives_its_expected_content(tmp_path: Path, name: str) -> None:
    content, read, expected = FILES[name]
    path = tmp_path / name
    path.write_bytes(content)
    assert read(path) == expected


# name: (content, reader, key of the error)
REFUSED: dict[str, tuple[bytes, Callable[[Path], Any], str]] = {
    "rounded.xlsx": (
        workbook(S=[["topic", "document", "grade"], ["1", 3.49521944028119e16, 1]]),
        qrels,
        "changed-id",
    ),
    "rounded-documents.xlsx": (
        workbook(S=[["id", "text"], [3.49521944028119e16, "x"]]),
        documents,
        "changed-id",
    ),
    "rounded-documents.csv": (b"id,text\n3.49522E+16,x\n", documents, "changed-id"),
    "times-as-documents.xlsx": (
        workbook(S=[["id", "text"], [time(1, 30), "x"]]),
        documents,
        "changed-id",
    ),
    "no-such-sheet.xlsx": (
        workbook(S=ROWS),
        lambda path: qrels(path, columns=ColumnMapping(sheet="T")),
        "unknown-sheet",
    ),
    "fractions.qrels": (b"1 0 a 0.4\n1 0 b 1\n", qrels, "fractions"),
    "unknown-words.qrels": (b"1 0 a Exact\n1 0 b No\n", qrels, "words"),
    "words-of-models.txt": (
        b"1 0 a good\n1 0 b bad\n",
        lambda path: read_model_labels(path),
        "words",
    ),
    "no-pmid.nbib": (NBIB.replace(b"PMID- 2\n", b""), documents, "no-id"),
    "no-ut.ciw": (WOS.replace(b"UT 2\n", b""), documents, "no-id"),
    "joined.ciw": (WOS.replace(b"ER\n\nPT B\n", b""), documents, "several-ids"),
    "no-id.ris": (RIS.replace(b"ID  - 2\n", b""), documents, "no-id"),
    "rubrics-as-qrels.jsonl": (b'{"qid":"1","rubrics":[{"criterion":"c"}]}\n', qrels, "rubrics"),
    "rubrics-as-labels.jsonl": (b'{"qid":"1","rubrics":[{"criterion":"c"}]}\n', labels, "rubrics"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_cannot_be_read_is_refused_with_its_reason(tmp_path: Path, name: str) -> None:
    content, read, key = REFUSED[name]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FormatError) as refused:
        read(path)
    assert refused.value.key == key
    assert "\n" not in str(refused.value)


def test_there_are_sixty_files() -> None:
    assert len(FILES) + len(REFUSED) >= 60


@pytest.mark.parametrize("name", [name for name in FILES if not name.endswith((".xlsx", ".zip"))])
def test_a_truncated_file_is_read_in_part_or_refused(tmp_path: Path, name: str) -> None:
    content, read, _ = FILES[name]
    path = tmp_path / name
    for size in range(0, len(content), max(1, len(content) // 6)):
        path.write_bytes(content[:size])
        try:
            read(path)
        except IrjudgeError as refused:
            assert "\n" not in str(refused)
