"""Tests that files of other programs give the results stated in their folder's README."""

import json
from pathlib import Path
from typing import Any

import pytest

import irjudge
from irjudge.cli.main import main
from irjudge.errors import FormatError
from irjudge.formats import read_log
from irjudge.formats.collections import read_documents, read_topics
from irjudge.formats.judgments import read_labels
from irjudge.formats.rankings import (
    parse_response_paths,
    read_engine_responses,
    read_qrels,
    read_run,
)

pytestmark = pytest.mark.slow


@pytest.fixture
def files(data: Path) -> Path:
    return data / "foreign_files"


def read_values(
    qrels: Path, run: Path, *measures: str, **options: Any
) -> dict[tuple[str, str], float]:
    """Return values by measure and topic, with `all` for the mean."""
    frame = irjudge.evaluate(qrels, run, measures, per_topic=True, **options)
    return {
        (row.measure, row.topic): row.value for row in frame.itertuples() if row.value is not None
    }


def test_01_topics_are_the_ids_of_a_pyterrier_frame(files):
    values = read_values(
        files / "01-pyterrier-frame.qrels", files / "01-pyterrier-frame.run.csv", "AP"
    )
    assert (values["AP", "401"], values["AP", "402"]) == (1.0, 0.5)


def test_02_json_lines_keep_the_ids_of_their_topics(files):
    path = files / "02-judge-lines-with-qid-and-query.qrels.jsonl"
    assert sorted(read_qrels(path).rows()) == [("q1", "d1", 3), ("q1", "d2", 0), ("q2", "d4", 1)]
    values = read_values(path, files / "02-judge-lines.run", "AP")
    assert (values["AP", "q1"], values["AP", "q2"]) == (1.0, 0.5)


def test_03_texts_are_not_taken_for_ids(files, tmp_path):
    path = files / "03-query_id-query-doc_id-document.qrels.csv"
    expected = [("q1", "d1", 2), ("q1", "d2", 0), ("q2", "d4", 1)]
    assert sorted(read_qrels(path).rows()) == expected
    project, out = tmp_path / "a.irjudge", tmp_path / "out.qrels"
    assert main(["new", str(project), "--qrels", str(path)]) == 0
    assert main(["export", str(project), "--qrels", "-o", str(out)]) == 0
    assert sorted(read_qrels(out).rows()) == expected


def suggested_mapping(capsys: pytest.CaptureFixture[str], *arguments: Path | str) -> str:
    """Return the mapping that a command suggests when it refuses a file."""
    assert main([str(word) for word in arguments]) == 2
    return capsys.readouterr().err.rpartition('for example "')[2].partition('"')[0]


def test_06_labels_without_a_header_lose_no_row(files, capsys):
    path = files / "06-labels-without-header.tsv"
    columns = suggested_mapping(capsys, "agreement", path)
    assert columns == "worker=1,item=2,label=3"
    assert main(["agreement", str(path), "--columns", columns]) == 0
    raw = capsys.readouterr().out.splitlines()[1].split()
    assert raw[:5] == ["raw-agreement", "nominal", "2", "2", "0.5000"]


def test_37_the_abstract_is_used_as_text(files, capsys, tmp_path):
    path = files / "37-record_id-title-abstract.csv"
    columns = suggested_mapping(capsys, "new", tmp_path / "a.irjudge", "--documents", path)
    assert columns == "id=record_id,text=abstract"


def test_49_the_product_is_used_as_document(files, capsys, tmp_path):
    path = files / "49-product_id-words.tsv"
    run = tmp_path / "a.run"
    run.write_text("0 Q0 12088 1 3 a\n0 Q0 25434 2 2 a\n0 Q0 42931 3 1 a\n")
    assert main(["evaluate", str(path), str(run), "-m", "AP"]) == 2
    assert "Exact, Irrelevant, Partial" in capsys.readouterr().err
    arguments = [str(path), str(run), "-m", "AP", "--grades", "Exact:3,Partial:1,Irrelevant:0"]
    assert main(["evaluate", *arguments]) == 0
    assert float(capsys.readouterr().out.split()[-1]) == pytest.approx(
        (1 / 2 + 2 / 3) / 2, abs=5e-5
    )
    assert main(["agreement", str(path), "--columns", "worker=id"]) == 0
    assert "0      3" in capsys.readouterr().out  # three products


def test_09_a_run_is_matched_by_its_tag(files, capsys):
    arguments = [files / "09-nuggets.qrels", files / "09-nuggets.run", "-m", "NuggetRecall"]
    nuggets = files / "09-nuggets-run_id.jsonl"
    assert main(["evaluate", *map(str, arguments), "--nuggets", str(nuggets)]) == 0
    assert capsys.readouterr().out.split() == ["run", "NuggetRecall", "09-nuggets", "0.6250"]


def test_08_documents_that_were_not_shown_do_not_count(files):
    values = read_values(
        files / "08-clef-tar-not-shown.qrels",
        files / "08-clef-tar-not-shown.run",
        "NumRet",
        "NumRelRet",
        "SetR",
    )
    assert [values[name, "all"] for name in ("NumRet", "NumRelRet", "SetR")] == [2, 1, 0.5]


@pytest.mark.parametrize("name", ["in-excel", "run", "labels"])
def test_12_rounded_ids_are_refused(files, name):
    read = {"in-excel": read_qrels, "run": read_run, "labels": read_labels}[name]
    with pytest.raises(FormatError) as error:
        read(files / f"12-long-ids-{name}.xlsx")
    assert error.value.key == "changed-id"


@pytest.mark.parametrize("name", ["13-ris-named.txt", "16-ris.ris"])
def test_13_ris_is_read(files, name):
    documents = list(read_documents([files / name], warnings=[]))
    assert [(each.id, each.title) for each in documents] == [
        ("1", "First title"),
        ("2", "Second title"),
    ]


def test_17_a_run_without_q0_has_documents(files):
    assert read_run(files / "17-run-without-Q0.run").document.to_pylist() == ["d1", "d2"]


def test_18_topic_ids_are_read_without_quotes(files):
    assert [topic.id for topic in read_topics(files / "18-topics-quoted.tsv").topics] == ["401"]


def test_20_fields_of_a_book_may_be_text(files):
    qrels = read_qrels(files / "20-quepid-book-fields-as-text.json")
    assert list(qrels.rows()) == [("q1", "p1", 3)]


def test_21_a_quepid_snapshot_contains_judgments_and_a_run(files):
    path = files / "21-quepid-snapshot.json"
    assert (len(read_qrels(path)), len(read_run(path))) == (90, 270)


def test_23_a_zip_archive_of_one_file_is_read_as_that_file(files):
    assert list(read_qrels(files / "23-quepid-case.json.zip").rows()) == [("q1", "p1", 3)]


def test_24_details_of_a_case_are_read_as_judgments(files):
    qrels = read_qrels(files / "24-quepid-detail.csv")
    assert list(qrels.rows()) == [("q1", "11", 3), ("q1", "1893", 2)]


@pytest.mark.parametrize(
    ("name", "topics", "documents"),
    [
        ("25-qid-pid-rank-score.tsv", ("1048585", "2"), ["7187158", "7187157", "4339068"]),
        ("26-list-of-records.run.json", ("401", "402"), ["d1", "d2", "d3", "d4"]),
        ("29-cast22.run.json", ("132_1-1",), ["MARCO_1-2", "KILT_3-4"]),
    ],
)
def test_25_26_29_other_layouts_are_read_as_runs(files, name, topics, documents):
    run = read_run(files / name)
    assert (run.topics, run.document.to_pylist()) == (topics, documents)


def test_32_utf16_is_recognised_and_read_if_declared(files):
    path = files / "32-utf16.qrels"
    rows = list(read_qrels(path).rows())
    assert len(rows) == 8 and rows == list(read_qrels(path, encoding="UTF-16").rows())


@pytest.mark.parametrize("name", ["33-run.lz4", "35-tira-run.zip"])
def test_33_35_compressed_runs_are_read(files, name):
    run = read_run(files / name)
    assert (run.topics, len(run)) == (("q1", "q2", "q3"), 9)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("31-queries-dict.json", [("401", "foo"), ("402", "bar")]),
        ("36-single-line.topics", [("1", "one"), ("2", "two words")]),
        ("48-one-query-a-line.txt", [("1", "foo bar"), ("2", "baz")]),
    ],
)
def test_31_36_48_queries_are_read_as_topics(files, name, expected):
    assert [(topic.id, topic.title) for topic in read_topics(files / name).topics] == expected


def test_38_a_title_above_the_header_is_skipped(files):
    qrels = read_qrels(files / "38-title-row-above-header.xlsx")
    assert len(qrels) == 8 and "rows-above-header" in [each.key for each in qrels.warnings]


def test_43_44_logs_of_other_programs_are_read(files):
    log = read_log(files / "43-log-session_id.csv")
    assert (log.sessions, log.shown.tolist(), log.rank.tolist()) == (2, [2, 1], [1])
    log = read_log(files / "44-aol.txt")
    assert (log.sessions, len(log), log.rank.tolist()) == (1, 2, [1])


def test_54_a_recorded_search_box_is_read_as_a_run(files):
    paths = parse_response_paths("hits=items,id=sku,query=q")
    responses = read_engine_responses(files / "54-search-box.har", paths)
    assert [query.text for query in responses.queries.values()] == ["red shoes", "blue hat"]
    assert [row[:2] for row in responses.ranking] == [("q1", "p1"), ("q1", "p2")]
    assert [*responses.ranked] == ["q1", "q2"]


def test_46_swapped_columns_are_reported(files):
    warnings = read_run(files / "46-rank-and-score-exchanged.run").warnings
    assert any("swapped" in warning for warning in warnings)


def test_52_an_id_with_a_space_is_reported(files):
    qrels = read_qrels(files / "52-rank_eval-query-id-with-blank.json")
    assert qrels.titles == ("q 1",)
    assert any("q 1" in warning for warning in qrels.warnings)


def test_the_published_values_of_codec_are_reproduced_to_three_decimals(data):
    """From its README: MAP and Recall@1000 with binary qrels, nDCG@10 with graded ones."""
    folder = data / "codec"
    published = {
        "bm25-tuned": (0.213, 0.322, 0.762),
        "bm25+rm3-tuned": (0.233, 0.327, 0.800),
        "ance-maxp": (0.186, 0.363, 0.689),
    }
    for name, expected in published.items():
        run = folder / f"document_{name}.run.gz"
        values = read_values(folder / "document_binary.qrels.gz", run, "AP", "R@1000")
        graded = read_values(folder / "document_ndcg.qrels.gz", run, "nDCG@10")
        rounded = values["AP", "all"], graded["nDCG@10", "all"], values["R@1000", "all"]
        assert tuple(round(each, 3) for each in rounded) == expected, name


def test_a_criterion_in_json_lines_has_the_known_alpha(data, capsys):
    path = data / "criteria" / "ratings.jsonl.gz"
    arguments = ["-s", "alpha", "--columns", "label=quality_overall_vote", "-f", "json"]
    assert main(["agreement", str(path), *arguments]) == 0
    (nominal,) = (
        row for row in json.loads(capsys.readouterr().out)["values"] if row["scale"] == "nominal"
    )
    assert nominal["value"] == pytest.approx(0.16933, abs=5e-6)
