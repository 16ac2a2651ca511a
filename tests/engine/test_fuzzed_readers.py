"""Tests that every reader of files returns data or one error for any bytes.

The source code is searched for the readers.
"""

import ast
import gzip
import io
import random
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import irjudge
from irjudge.audit import read_model_file
from irjudge.audit.judge_prompts import read_prompt
from irjudge.errors import IrjudgeError
from irjudge.evaluation import Policy, evaluate_runs, parse_measures, read_ranking
from irjudge.evaluation.column_retrieval import read_columnar_judged_ranks
from irjudge.evaluation.judged_runs import read_judged_ranks
from irjudge.exchange import read_result
from irjudge.exchange.assignment_plan import read_candidates
from irjudge.exchange.merging import read_returned
from irjudge.exchange.result_file import make_log
from irjudge.formats import (
    ReaderWarnings,
    preview_files,
    read_exercises,
    read_interleaved,
    read_log,
    read_shown_results,
)
from irjudge.formats import read_answers as read_given_answers
from irjudge.formats.bytes import read_run_metadata
from irjudge.formats.collections import (
    preview_documents,
    read_answers,
    read_documents,
    read_instructions,
    read_topics,
    recognise_document_format,
)
from irjudge.formats.exercises import ANSWER_COLUMNS
from irjudge.formats.judgments import (
    read_gold_labels,
    read_judgments,
    read_labels,
    read_model_labels,
    read_nuggets,
    read_preferences,
    read_rated_response,
    read_rating_book,
    read_ratings,
    read_tasks,
)
from irjudge.formats.rankings import (
    is_leaderboard,
    read_auxiliary_table,
    read_engine_responses,
    read_leaderboard,
    read_pool,
    read_prels,
    read_qrels,
    read_run,
    read_run_groups,
    read_tag,
)
from irjudge.formats.rows import parse_columns
from irjudge.model import make_qrels, make_run, read_scale
from irjudge.report import (
    ReportContent,
    make_stored_evaluation,
    read_stored_evaluations,
    read_study,
    write_study,
)
from irjudge.store import read_returned_file
from irjudge.web import read_returned_submissions, read_survey
from tests.engine.exchange.browser_results import open_page
from tests.engine.exchange.classroom import assign_class, build_class, judge_file
from tests.engine.formats.test_fuzzed_collections import DOCUMENTS, TOPICS
from tests.engine.formats.test_fuzzed_rankings import FILES as RANKINGS

QRELS = make_qrels([("1", "a", 1), ("2", "b", 0)])
COLUMNS = [
    parse_columns(said, ("topic", "document", "grade", "assessor"))
    for said in (
        "topic=1,document=3,grade=4",
        "topic=2,document=1,grade=3",
        "topic=document,document=topic",
    )
]


def _documents(path: Path) -> object:
    warnings: list[str] = []
    return [
        (each.text, each.title, each.digest) for each in read_documents([path], warnings=warnings)
    ], "".join(warnings).encode()


# Calls of the readers; every reader is tried on every kind of file.
READERS: dict[str, Callable[[Path], object]] = {
    "evaluation.table.read_ranking": lambda path: read_ranking(path, QRELS, Policy()),
    "formats.notebooks.read_qrels": lambda path: list(irjudge.read_qrels(path).rows()),
    "formats.notebooks.read_run": lambda path: irjudge.read_run(path).document.to_pylist(),
    "exchange.merging.read_returned": read_returned,
    "exchange.assignment_plan.read_candidates": read_candidates,
    "exchange.result_file.read_result": lambda path: [
        row.digest for row in make_log(read_result(path), "ann", {})
    ],
    "formats.collections.combined_files.read_answers": lambda path: read_answers(
        path, ReaderWarnings()
    ),
    "formats.collections.documents.preview_documents": lambda path: preview_documents([path]),
    "formats.collections.documents.read_documents": _documents,
    "formats.collections.documents.recognise_document_format": recognise_document_format,
    "formats.collections.whole_files.read_instructions": read_instructions,
    "formats.exercises.read_exercises": read_exercises,
    "formats.judgments.judgments.read_judgments": read_judgments,
    "formats.judgments.labels.read_gold_labels": read_gold_labels,
    "formats.judgments.labels.read_labels": read_labels,
    "formats.search_logs.read_interleaved": read_interleaved,
    "formats.search_logs.read_log": read_log,
    "formats.search_logs.read_shown_results": read_shown_results,
    "formats.judgments.labels.read_model_labels": read_model_labels,
    "formats.rankings.leaderboards.read_leaderboard": lambda path: (
        is_leaderboard(path),
        read_leaderboard(path),
    ),
    "formats.rankings.pools.read_pool": read_pool,
    "formats.judgments.crowd_platforms.read_nuggets": read_nuggets,
    "formats.judgments.preferences.read_preferences": read_preferences,
    "formats.rankings.pools.read_prels": read_prels,
    "formats.file_preview.preview_files": lambda path: [
        preview_files(kind, [path]) for kind in ("qrels", "runs", "topics", "documents")
    ],
    "formats.judgments.ratings.read_rated_response": read_rated_response,
    "formats.judgments.ratings.read_rating_book": read_rating_book,
    "formats.rankings.engine_responses.read_engine_responses": read_engine_responses,
    "formats.judgments.ratings.read_ratings": read_ratings,
    "report.evaluation_history.read_stored_evaluations": read_stored_evaluations,
    "report.study.read_study": read_study,
    "formats.rankings.qrels.read_qrels": lambda path: list(read_qrels(path).rows()),
    "audit.judge_prompts.read_prompt": read_prompt,
    "formats.rankings.runs.read_run_groups": read_run_groups,
    "formats.exercises.read_answers": read_given_answers,
    "audit.judge_audit.read_model_file": lambda path: read_model_file(path, (0, 1, 2, 3)),
    "web.participants.read_returned_submissions": read_returned_submissions,
    "web.participants.read_survey": read_survey,
    "evaluation.column_retrieval.read_columnar_judged_ranks": lambda path: (
        read_columnar_judged_ranks(path, QRELS)
    ),
    "evaluation.judged_runs.read_judged_ranks": lambda path: read_judged_ranks(path, QRELS),
    "formats.rankings.runs.read_tag": read_tag,
    "formats.rankings.auxiliary_files.read_auxiliary_table": lambda path: read_auxiliary_table(
        path, "nuggets"
    ),
    "formats.bytes.files.read_run_metadata": read_run_metadata,
    "formats.rankings.runs.read_run": lambda path: read_run(path).document.to_pylist(),
    "formats.judgments.crowd_platforms.read_tasks": lambda path: list(read_tasks(path)),
    "formats.collections.topics.read_topics": read_topics,
    "model.scale.read_scale": read_scale,
    "store.returned_file.read_returned_file": read_returned_file,
}
MAPPED: dict[str, Callable[[Path], object]] = {
    f"{reader.__name__} of {columns}": lambda path, reader=reader, columns=columns: reader(
        path, columns=columns
    )  # type: ignore[misc]
    for reader in (read_qrels, read_run, read_judgments)
    for columns in COLUMNS
}
# Readers that others call, that need more than a path, or that check their own output.
INSIDE = {
    "exchange.class_folder.read_class_folder",  # reads a folder; tampered with in its own test
    "exchange.paper.read_entries",
    "exchange.pools.read_model_grades",  # called by a reader in the list
    "evaluation.exercises.read_project_exercises",  # as above
    "evaluation.requests.read_judgments",  # as above
    "evaluation.reusability.read_judged_pool",  # as above
    "report.project_exports.read_approval_list",
    "report.project_exports.read_table_back",
    "formats.judgments.crowd_platforms.read_crowd_table",
    "formats.rows.columns.read_columns",
    "formats.judgments.crowd_platforms.read_crowd_header",
    "formats.judgments.label_tools.read_label_tool",
    "formats.judgments.labels.read_llm_judgments",
    "formats.rankings.short_runs.read_table_run",
    "formats.rankings.engine_responses.read_responses_in_file",
    "formats.rows.tables.read_table_rows",
    "formats.bytes.encoding.read_limited",
    "formats.file_formats.read_in_format",
    "formats.rankings.runs.read_parts",
    "formats.rankings.runs.read_span",
    "formats.search_log_events.read_events",
    "formats.rankings.judged_rows.read_lines",
    "formats.rankings.other_qrels.read_other_qrels",
    "formats.rows.tables.read_table",
    "translations.read_catalogue",
}

VERBS = ("read", "recognise", "preview")

TABLES = {
    "answers.csv": (",".join(ANSWER_COLUMNS) + "\n,ann,first,r,1,P@2,,0.5,,right,,3\n").encode(),
    "judge.md": b"version: 1\n---\n{{topic}} {{document}}\n",
    "returned.csv": b"ParticipantId,Status\np1,RETURNED\np2,APPROVED\n",
    "groups.csv": b"run,group\na,x\n",
    "survey.json": b'{"before":[{"id":"often","question":"How often?","choices":["daily","never"]}]}',
    "judged.prels": b"1 0 a 1 0.5\n1 0 b 0 1.0\n2 0 c 2 0.25\n",
    "strata.prels": b"1 0 a 1 1\n1 0 b -1 2\n2 0 c 0 2\n",
    "nist.prels": b"1 a 1 1 0.5\n1 b 2 0 1\n",
    "case.csv": b'query,docid,rating\njazz bass,d1,3\njazz bass,d2,\n" -1 string",,\n',
    "book.json": b'{"name":"b","query_doc_pairs":[{"query_text":"jazz","doc_id":"d1","position":1,"document_fields":{"title":"t"},'
    b'"judgements":[{"rating":2.0,"user_email":"a@b","unrateable":false}]}]}',
    "srw.json": b'{"name":"n","type":"IMPORT_JUDGMENT","judgmentRatings":[{"query":"jazz","ratings":[{"docId":"d1","rating":"3.000"}]}]}',
    "wide.csv": b"query,docid,Ann,\njazz bass,d1,3,2|1\nrock,d2,,0\n",
    "people.json": b'{"queries":[{"query_text":"jazz","information_need":"n","ratings":[{"doc_id":"d1","rating":3,"user_email":"a@b"}]}]}',
    "umbrela.jsonl": b'{"qid":"1","docid":"a","judgment":2,"prediction":"p","result_status":1}\n'
    b'{"query":"q","passage":"t","judgment":"x"}\n',
    "chances.csv": b"topic,document,probability_0,probability_1\n1,a,.2,.8\n1,b,.9,\n",
    "needs.csv": b"query,information_need\njazz bass,a bass\n",
    "asked.json": b'{"requests":[{"id":"q","request":{},"ratings":[{"_index":"i","_id":"d","rating":3}]}],"metric":{"dcg":{"k":10}}}',
    "answer.json": b'{"metric_score":0.4,"details":{"q":{"metric_score":0.6,"unrated_docs":[],"hits":[{"hit":{"_id":"d","_score":2.5},'
    b'"rating":3},{"hit":{"_id":"e","_score":1.5},"rating":null}]}}}',
    "rre.json": b'{"index":"i","id_field":"id","topics":[{"description":"t","query_groups":[{"name":"g","description":"d","queries":'
    b'[{"template":"x","placeholders":{"$query":"jazz"}}],"relevant_documents":{"d1":{"gain":3},"d2":{"gain":0}}}]}]}',
    "flat.json": b'{"query_placeholder":"$q","queries":[{"placeholders":{"$q":"jazz"},"relevant_documents":{"3":["d1"],"1":["d2"]}}]}',
    "sets.json": b'{"name":"n","sampling":"manual","querySetQueries":[{"queryText":"jazz"},{"queryText":"rock"}]}',
    "sets.jsonl": b'{"queryText":"jazz","referenceAnswer":"bass"}\n{"queryText":"rock"}\n',
    "pairs.jsonl": b'{"query":"jazz","doc_id":"d1","rating":0.5}\n{"query":"rock","doc_id":"d1","rating":"2"}\n',
    "elastic.json": b'{"took":3,"hits":{"total":{"value":1},"hits":[{"_index":"i","_id":"B1",'
    b'"_score":3.5,"_source":{"title":"t","price":1.5}}]}}',
    "solr.json": b'{"responseHeader":{"params":{"q":"jazz"}},"response":{"docs":['
    b'{"id":"B1","name":["n"],"score":3.5},{"id":"B2","score":1}]}}',
    "vespa.json": b'{"root":{"children":[{"id":"index:a/0/1","relevance":1.5,"fields":{"documentid":"B1","title":"t"}}]}}',
    "hits.json": b'{"results":[{"query":"jazz","hits":[{"objectID":"B1","title":"t"}]},{"request_params":{"q":"rock"},"hits":[{"document":'
    b'{"id":"B2"},"text_match":5}]},{"query":"pop","hits":[{"id":"B3","_rankingScore":0.5}]}]}',
    "lines.jsonl": b'{"query":"jazz","response":{"hits":{"hits":[{"_id":"B1","_score":3}]}}}\n'
    b'{"query":"rock","response":{"hits":{"hits":[]}}}\n',
    "snapshot.csv": b"Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position,title\n"
    b"May,2026,7,jazz,B1,1,t\nMay,2026,7,rock,,,\n",
    "quepid.json": b'{"id":1,"docs":{"7":[{"id":"p0","fields":null},{"id":"p1"}]},'
    b'"queries":[{"query_id":7,"query_text":"jazz","ratings":{"p0":3.0}}]}',
    "detail.csv": b"Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Rating\n"
    b"T,C,7,jazz,B1,1,3\nT,C,7,rock,B2,1,\n",
    "records.json": b'[{"qid":"1","docno":"a","rank":0,"score":2.0},{"qid":"2","docno":"b","score":1}]',
    "records.jsonl": b'{"qid":"1","docno":"a","score":2.0}\n{"qid":2,"docno":"b","score":1}\n',
    "pandas.json": b'{"qid":{"0":"1","1":"2"},"docno":{"0":"a","1":"b"},"score":{"0":2.5,"1":1}}',
    "split.json": b'{"columns":["qid","docno","score"],"index":[0],"data":[["1","a",2.5]]}',
    "lists.json": b'{"1":["a","b"],"2":[["a",2.5],["b",1]],"3":[{"docid":"a","score":1}]}',
    "turns.json": b'{"run_name":"r","turns":[{"turn_id":"1_1","responses":[{"rank":1,"text":"t",'
    b'"passage_provenance":[{"id":"a","score":0.5},{"id":"b"}]}]},{"turn_id":"1_2","responses":[]}]}',
    "colbert.tsv": b"1\ta\t1\t28.5\n1\tb\t2\t27.5\n2\tc\t1\t20.1\n",
    "wide.qrels": "1 0 a 1\n1 0 b 0\n2 0 c 2\n".encode("utf-16"),
    "sep.csv": b"sep=;\r\ntopic;document;grade\r\n1;a;1\r\n",
    "shop.har": b'{"log":{"entries":[{"request":{"url":"https://a.example/?q=jazz"},"response":'
    b'{"content":{"text":"{\\"hits\\":{\\"hits\\":[{\\"_id\\":\\"B1\\"}]}}"}}},{"request":{"postData":{"text":'
    b'"{\\"query\\":{\\"match\\":{\\"t\\":\\"rock\\"}}}"}},"response":{"content":{"encoding":"base64",'
    b'"text":"eyJoaXRzIjogeyJoaXRzIjogW119fQ=="}}}]}}',
    "bulk.ndjson": b'{"index":{"_index":"i","_id":"B1"}}\n{"title":"t","price":3}\n'
    b'{"delete":{"_id":"B2"}}\n{"update":{"_id":"B3"}}\n{"doc":{"a":"b"}}\n',
    "kept.jsonl": make_stored_evaluation(
        evaluate_runs(QRELS, [make_run("r", [("1", "a", 1.0)])], parse_measures(["AP"])),
        "april",
        [],
        program="irjudge",
    )
    .as_json()
    .encode(),
    "letor.txt": b"2 qid:10 1:0.1 2:0.5 #docid = GX008 inc = 1 prob = 0.08\n0 qid:10 1:0 2:0 #docid = GX029 inc = 0 prob = 0.1\n",
    "learning.txt": b"# qid:1: jazz\n3 qid:1 # d1 jazz\n0 qid:1 1:0.5 2:1 # d2 jazz\n",
    "pool.csv": b"topic,document,order,stratum,probability,rank,runs\n1,a,1,1,1,1,r\n1,b,2,2,0.5,,r\n",
    "plain.run": b"".join(
        b"%d Q0 a%d %d %d t\n" % (topic, rank, rank, 9 - rank)
        for topic in (1, 2)
        for rank in range(1, 6)
    ),
    "told.run": b"# ir_metadata.start\n# tag: t\n# actor:\n#   team: x\n# ir_metadata.end\n1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n",
    "board.txt": b"a AP 1 0.5\na AP all 0.5\nb AP 1 True\nb AP all 1e-1\n",
    "board.csv": b"run,measure,topic,value\na,AP,all,0.5\nb,AP,all,False\n",
    "banks.jsonl": b'{"query_id":"1","title_query":"t","format_version":"v3","nugget_bank":{"Why?":{"question":"Why?",'
    b'"answers":{"a":{"answer":"a"}},"sub_nuggets":[{"claim":"b","importance":"okay"}]}},"claim_bank":{"c":{"claim":"c","importance":1}}}\n',
    "tasks.csv": b"item,topic,title,description,document,document_title,text,url\nx,1,t,d,a,t,words,\n",
    "labels.csv": b"item,worker,label,gold\nd1,ann,1,\nd1,bob,0,1\nd2,ann,unjudgeable,\n",
    "known.csv": b"item,truth\nd1,2\nd2,\n",
    "preferences.csv": b"winner,seconds,Topic,right,left,assessor,strength\nleft,2.5,051,lm,bm25,ann,2\ntie,,051,bm25,lm,bo,1\n",
    "exercises.csv": b"topic,measure,run,question,target,moves\n1,AP,r,What is it?,,\n1,P@5,r,,>= 0.4,2\n",
    "nuggets.jsonl": b'{"qid": "1", "nuggets": [{"text": "a", "importance": "vital"}, "b"]}\n',
    "side.csv": b"run,topic,nugget,importance,support\nr,1,a,vital,support\n",
    "people.csv": b'name,email,topics,most\nann,a@b.c,1 2,3\n"bob, b",,,\n',
    "scale.json": b'{"name": "two", "grades": [{"value": 0, "label": "no", "help": ""}, {"value": 1, "label": "yes"}]}',
    "log.jsonl": b'{"session": "a", "time": "2026-01-31T13:05:00Z", "results": ["d4"], "clicks": [{"document": "d1", "dwell": 42.5}]}\n',
    "log.csv": b'variant;clicks;session;time;query;results;latency_ms\n;2:42.5;a;2026-01-31T13:05:00Z;"x; y";2;12\n',
    "ubi.ndjson": b'{"index":{"_index":"ubi_queries","_id":"a"}}\n{"query_id":"q","client_id":"c","user_query":"jazz","timestamp":'
    b'"2026-01-31T13:05:00Z","query_response_hit_ids":["B1","B2"]}\n{"action_name":"impression","query_id":"q","session_id":"s",'
    b'"event_attributes":{"object":{"object_id":"B1"},"position":{"ordinal":0}}}\n{"action_name":"click","query_id":"q",'
    b'"event_attributes":{"object":{"object_id":"B1"},"position":{"ordinal":0}}}\n{"action_name":"add_to_cart","query_id":"q"}\n',
    "interleaved.csv": b"search,topic,rank,document,team,clicked\n1,t,1,a,A,1\n1,t,2,b,B,0\n2,t,1,c,,true\n2,t,2,a,B,2\n",
    "events.jsonl": b'{"type": "querySubmitted", "timestamp": "2026-01-31T13:00:10Z", "sessionId": "s", "query": "q"}\n',
    "read.md": b"# Read\n\nJudge *all*.\n",
    "a.pdf": b"%PDF-1.7\n%\xe2\xe3\n1 0 obj\n<<>>\n",
    "a.rtf": rb"{\rtf1\ansi words}",
    "a.doc": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504),
    "a.docx": b"PK\x03\x04" + bytes(26) + b"[Content_Types].xmlword/document.xml",
    "a.odt": b"PK\x03\x04" + bytes(26) + b"mimetypeapplication/vnd.oasis.opendocument.text",
}
PIECES = [
    b" ",
    b"\t",
    b"\n",
    b"\r",
    b",",
    b";",
    b'"',
    b"{",
    b"}",
    b"[",
    b"]",
    b"<",
    b">",
    b"</",
    b"&#",
    b"<DOC>",
    b"<top>",
    b"<!--",
    b"#",
]
PIECES += [
    b"0",
    b"-",
    b"1e999",
    b"nan",
    b"null",
    b"true",
    b"9" * 30,
    b"topic",
    b"document",
    b"\\ud800",
    b":",
    b"0x1",
    b"''",
    b"=1+1",
]
PIECES += [
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\x1f\x8b",
    b"PK\x03\x04",
    b"\x00",
    b"\xed\xa0\x80",
    b"\xe9",
    b"SQLite format 3\0",
    b"%PDF-",
]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return a file of each kind that is read, including assignments and browser results."""
    folder = tmp_path_factory.mktemp("class")
    build_class(folder / "class.irjudge")
    task = assign_class(folder / "class.irjudge", folder / "out").files[0].path
    page = open_page(task)
    for index in range(4):
        page.grade(index, index % 3)
    judge_file(task, limit=3)
    run = make_run(
        "a", [(topic, f"a{rank}", 9.0 - rank) for topic in "12" for rank in range(6)]
    ).to_arrow()
    pyarrow.parquet.write_table(run, folder / "run.parquet", row_group_size=4)
    pyarrow.feather.write_feather(run, folder / "run.arrow", chunksize=4)
    columns = {name: (folder / name).read_bytes() for name in ("run.parquet", "run.arrow")}
    made = {"study.zip": study(folder), "run.zip": zipped_run()}
    for codec in ("lz4", "zstd"):
        made[f"run.{codec}"] = compress(codec, b"1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n")
    return (
        made
        | columns
        | RANKINGS
        | TOPICS
        | DOCUMENTS
        | TABLES
        | {"ann.result.json": page.result().encode(), "ann.irtask": task.read_bytes()}
    )


def study(folder: Path) -> bytes:
    """Return a study package of a small evaluation."""
    table = evaluate_runs(QRELS, [make_run("r", [("1", "a", 1.0)])], parse_measures(["AP"]))
    (folder / "q").write_text("1 0 a 1\n2 0 b 0\n")
    write_study(
        folder / "study.zip",
        table,
        make_stored_evaluation(table, "april", [], program="irjudge"),
        ReportContent(),
        qrels=folder / "q",
    )
    return (folder / "study.zip").read_bytes()


def compress(codec: str, content: bytes) -> bytes:
    """Compress content with a codec of Arrow."""
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, codec) as out:
        out.write(content)
    return sink.getvalue().to_pybytes()


def zipped_run() -> bytes:
    """Return a run in a zip archive, with its metadata."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("sys/run.txt", "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n")
        archive.writestr("sys/ir-metadata.yml", "tag: sys\n")
    return out.getvalue()


def tamper(content: bytes, chance: random.Random) -> bytes:
    """Change a file in one to four places, truncate it, or empty it."""
    for _ in range(chance.randint(1, 4)):
        start = chance.randint(0, len(content))
        put = (
            chance.choice(PIECES)
            if chance.random() < 0.7
            else chance.randbytes(chance.randint(0, 6))
        )
        content = content[:start] + put + content[start + chance.choice((0, 0, 1, 1, 5, 60, 600)) :]
    end = chance.random()
    content = (
        content[: chance.randint(0, len(content))]
        if end < 0.05
        else chance.randbytes(200)
        if end < 0.08
        else content
    )
    return gzip.compress(content, mtime=0) if chance.random() < 0.1 else content


def readers_in_the_source() -> Iterator[str]:
    """Yield every public function named as a reader that takes a path."""
    root = Path(irjudge.__file__).parent
    for path in sorted(root.rglob("*.py")):
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        text = path.read_text(encoding="utf-8")
        body = ast.parse(text).body if any(f"\ndef {verb}" in text for verb in VERBS) else []
        functions = (each for each in body if isinstance(each, ast.FunctionDef))
        yield from (
            f"{module}.{each.name}"
            for each in functions
            if each.name.split("_")[0] in VERBS and _takes_a_path(each)
        )


def _takes_a_path(function: ast.FunctionDef) -> bool:
    annotations = [
        ast.unparse(given.annotation) for given in function.args.args[:2] if given.annotation
    ]
    return any(
        name in annotation
        for annotation in annotations
        for name in ("Path", "FileSource", "DataSource", "InputFile")
    )


def test_every_reader_in_the_source_is_tested() -> None:
    assert set(readers_in_the_source()) == READERS.keys() | INSIDE


def test_each_reader_reads_a_sample(samples: dict[str, bytes], tmp_path: Path) -> None:
    read = set()
    for name, content in samples.items():
        (path := tmp_path / name).write_bytes(content)
        for reader in READERS.keys() - read:
            try:
                if READERS[reader](path) is not None:
                    read.add(reader)
            except IrjudgeError as error:
                str(error).encode()
        path.unlink()
    assert READERS.keys() - read == set()


@pytest.mark.slow
def test_tampered_files_are_read_or_give_one_error(
    samples: dict[str, bytes], tmp_path: Path, full: bool
) -> None:
    chance, readers = random.Random(50), READERS | MAPPED
    names, functions = sorted(samples), sorted(readers)
    for number in range(54_000 if full else 400):
        name, reader = chance.choice(names), chance.choice(functions)
        content = tamper(samples[name], chance)
        (path := tmp_path / name).write_bytes(content)
        try:
            readers[reader](path)
        except IrjudgeError as error:
            message = str(error)
            message.encode()
            assert message, (number, reader, name)
        except Exception as error:
            raise AssertionError(
                f"input {number}: {reader} of {name}, {content[:3000]!r}"
            ) from error
        path.unlink()
