"""Tests of the classic SMART collections: queries and qrels are complete, oddities are reported."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from irjudge.errors import Undecided
from irjudge.formats import ReadingOptions, preview_files
from irjudge.formats.collections import read_documents, read_topics
from irjudge.formats.rankings import parse_grades, read_qrels
from irjudge.formats.rankings.judged_rows import NO_GRADES_MESSAGE
from tests.numbers_in_text import find_numbers

# Cleverdon's codes in cranqrel.readme: 1 is a complete answer, 4 of minimum interest
GRADE_MAPPING = "1:4,2:3,3:2,4:1,-1:0"


def lines(path: Path) -> list[list[str]]:
    return [line.split() for line in path.read_text().splitlines() if line.strip()]


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("cisi/CISI.QRY", 112),
        ("cacm/query.text", 64),
        ("med/MED.QRY", 30),
        ("adi/ADI.QRY", 35),
        ("cran/cran.qry", 225),
    ],
)
def test_every_query_is_read_and_numbered_by_its_position(data, name, count):
    file = read_topics(data / "classic" / name, topic_ids="order")
    assert file.format_name == "SMART queries"
    assert [topic.id for topic in file.topics] == [str(number) for number in range(1, count + 1)]
    assert all(topic.title for topic in file.topics)
    assert (data / "classic" / name).read_text().count(".I ") == count


@pytest.mark.parametrize(
    ("name", "unread"),
    [
        ("cisi/CISI.QRY", [".A, .B"]),
        ("cacm/query.text", [".N, .A"]),
        ("med/MED.QRY", []),
        ("adi/ADI.QRY", []),
    ],
)
def test_queries_with_consistent_ids_need_no_option(data, name, unread):
    warnings = read_topics(data / "classic" / name).warnings
    assert {each.key for each in warnings} <= {"unread-fields"}
    assert [each.values["named"] for each in warnings] == unread


def test_cranfields_ids_are_refused_until_their_meaning_is_given(data):
    with pytest.raises(Undecided) as caught:
        read_topics(data / "classic/cran/cran.qry")
    assert caught.value.key == "ids-not-counted" and caught.value.options == ("topic_ids",)
    assert caught.value.values["count"] == "225"
    assert caught.value.values["ids"] == "001, 002, 004 … 365"
    assert all(each in str(caught.value) for each in ("--topic-ids", "order (", "given ("))
    ordered = read_topics(data / "classic/cran/cran.qry", topic_ids="order")
    assert [(each.key, each.values) for each in ordered.warnings] == [
        ("ids-by-order", {"count": "225", "ids": "001, 002, 004 … 365"})
    ]
    title = ordered.topics[2].title
    assert title.startswith("what problems of heat") and title.endswith("solved so far .")
    given = read_topics(data / "classic/cran/cran.qry", topic_ids="given")
    assert (given.topics[2].id, given.topics[2].title) == ("004", ordered.topics[2].title)


def test_numbering_cranfield_by_position_equals_its_conversion(data):
    """The conversion numbers the same texts from 1; its titles and narratives are "empty"."""
    converted = read_topics(data / "classic/cran/cran.qry.trec-format")
    assert [each.values for each in converted.warnings if each.key == "one-title"] == [
        {"title": "empty"}
    ]
    ordered = read_topics(data / "classic/cran/cran.qry", topic_ids="order").topics
    assert [(topic.id, topic.description) for topic in converted.topics] == [
        (topic.id, topic.title) for topic in ordered
    ]


def test_cranfields_grades_are_refused_until_their_meaning_is_given(data):
    with pytest.raises(Undecided) as caught:
        read_qrels(data / "classic/cran/cran.qrels")
    assert caught.value.path.name == "cran.qrels"
    assert caught.value.options == ("negative", "grades")
    assert caught.value.values["count"] == "225"
    assert caught.value.values["grades"] == "-1, 1, 2, 3, 4"
    assert caught.value.values["negatives"] == "unjudged, unjudgeable, 0"
    assert all(
        each in str(caught.value) for each in ("--negative", "--grades", f'"{GRADE_MAPPING}"')
    )


def test_cranfields_grades_are_reversed(data):
    path = data / "classic/cran/cran.qrels"
    qrels = read_qrels(path, grades=parse_grades(GRADE_MAPPING))
    assert (len(qrels), len(qrels.topics)) == (1837, 225)
    expected = {
        (topic, document): parse_grades(GRADE_MAPPING)[int(grade)]
        for topic, document, grade in lines(path)
    }
    assert {(topic, document): grade for topic, document, grade in qrels.rows()} == expected
    columns, turned = qrels.warnings
    assert columns.values == {"file": "cran.qrels", "columns": "topic, document, grade"}
    assert find_numbers(turned) == (
        # original grade, new grade, number of judgments
        "1 0 225 1 4 128 2 3 387 3 2 734 4 1 363".split()
    )
    assert "-1 became 0 (judgments: 225)" in turned


def test_unchanged_cranfield_grades_have_a_warning_that_they_may_be_reversed(data):
    qrels = read_qrels(data / "classic/cran/cran.qrels", "unjudged")
    assert Counter(qrels.grade.tolist()) == {-1: 225, 1: 128, 2: 387, 3: 734, 4: 363}
    assert '--grades "1:4,2:3,3:2,4:1"' in qrels.warnings[1]
    counted = qrels.warnings[2].all_values
    assert [counted[name] for name in ("count", "value", "meaning")] == ["225", "-1", "unjudged"]


def test_the_conversion_lacks_a_pair_and_the_meaning_of_minus_1(data):
    original = {
        row[:2]: row[2] for row in read_qrels(data / "classic/cran/cran.qrels", "unjudged").rows()
    }
    converted = {
        row[:2]: row[2] for row in read_qrels(data / "classic/cran/cran.qrels.trec-format").rows()
    }
    assert original.keys() - converted.keys() == {("40", "85")}
    assert {
        converted[pair] for pair, grade in original.items() if grade == -1 and pair in converted
    } == {1}


@pytest.mark.parametrize(
    ("name", "pairs", "topics"),
    [
        ("cisi/CISI.REL", 3114, 76),
        ("cacm/qrels.text", 796, 52),
        ("med/MED.REL.OLD", 696, 30),
        ("adi/ADI.REL", 170, 35),
    ],
)
def test_smarts_column_order_is_recognised_and_reported(data, name, pairs, topics):
    path = data / "classic" / name
    qrels = read_qrels(path)
    assert (len(qrels), len(qrels.topics), set(qrels.grade.tolist())) == (pairs, topics, {1})
    assert [row[:2] for row in qrels.rows()] == [
        (line[0].lstrip("0"), line[1].lstrip("0")) for line in lines(path)
    ]
    order, *zeros = qrels.warnings
    assert order.values == {"file": path.name, "no_grades": NO_GRADES_MESSAGE} and "SMART" in order
    assert [find_numbers(each.values["changes"]) for each in zeros] == (
        [["01", "1", "0756", "756"]] if "cacm" in name else []
    )


def test_both_files_of_med_have_the_same_pairs(data):
    new, old = (read_qrels(data / "classic/med" / name) for name in ("MED.REL", "MED.REL.OLD"))
    assert list(new.rows()) == list(old.rows())
    assert (new.warnings, len(old.warnings)) == ((), 1)


def test_the_judged_topics_are_among_the_queries(data):
    """CISI has 36 queries without judgments, CACM 12."""
    for queries, relevance, without in (
        ("cisi/CISI.QRY", "cisi/CISI.REL", 36),
        ("cacm/query.text", "cacm/qrels.text", 12),
    ):
        topics = {topic.id for topic in read_topics(data / "classic" / queries).topics}
        judged = set(read_qrels(data / "classic" / relevance).topics)
        assert judged <= topics and len(topics - judged) == without


def test_cacm_has_the_same_pairs_as_its_conversion(data):
    ours = {row[:2] for row in read_qrels(data / "classic/cacm/qrels.text").rows()}
    theirs = {
        (topic, str(int(document.removeprefix("CACM-"))))
        for topic, document, _ in read_qrels(data / "qrels/qrels.cacm.txt").rows()
    }
    assert ours == theirs


def test_a_preview_shows_the_first_records_once_options_are_given(data):
    qrels, topics = data / "classic/cran/cran.qrels", data / "classic/cran/cran.qry"
    for kind, path in (("qrels", qrels), ("topics", topics)):
        (problem,) = preview_files(kind, [path]).rejected
        assert isinstance(problem.error, Undecided)
    seen = preview_files("qrels", [qrels], ReadingOptions(grades=parse_grades(GRADE_MAPPING)))
    assert seen.first_records == ("1 184 3", "1 29 3", "1 31 3")
    (file,) = seen.summaries
    assert file.startswith("cran.qrels: ") and find_numbers(file) == (
        # judgments, number of each grade, topics
        "1,837 0 225 1 363 2 734 3 387 4 128 225".split()
    )
    assert (
        preview_files("topics", [topics], ReadingOptions(topic_ids="order"))
        .first_records[2]
        .startswith("3 · what problems ")
    )


def test_lisa_is_read_completely(data):
    files = sorted((data / "classic/lisa").glob("LISA?.???"))
    warnings: list[Any] = []
    documents = list(read_documents(files, warnings=warnings))
    records = sum(path.read_bytes().count(b"\nDocument ") + 1 for path in files)
    assert (len(files), records) == (14, 6003)
    assert len(documents) == records - 4
    assert [each.values["count"] for each in warnings if each.key == "same-document"] == ["4"]
    title = documents[0].title.partition("\n")[0]
    assert title.startswith("THE INDIAN COUNCIL ") and ": A PROPOSAL" in title
    queries = read_topics(data / "classic/lisa/LISA.QUE")
    assert [topic.id for topic in queries.topics] == [str(number) for number in range(1, 36)]


def test_the_two_files_of_lisas_judgments_agree_except_for_damage(data):
    lists, numbers = (
        read_qrels(data / "classic/lisa" / name) for name in ("LISA.REL", "LISARJ.NUM")
    )
    part, whole = (
        {(topic, document) for topic, document, _ in qrels.rows()} for qrels in (lists, numbers)
    )
    assert (len(numbers.topics), len(whole)) == (35, 379)
    # query 21 is incomplete, and in place of 22 and 23 the end of the file is
    # repeated
    damaged = {"21", "22", "23"}
    assert {pair for pair in part if pair[0] not in damaged} == {
        pair for pair in whole if pair[0] not in damaged
    }
    assert any("query 21 states 21 documents but lists 15" in each for each in lists.warnings)


def test_missing_data_of_time_is_reported_and_nothing_is_shifted(data):
    warnings: list[Any] = []
    documents = list(read_documents([data / "classic/time/TIME.ALL"], warnings=warnings))
    assert (len(documents), documents[0].id, documents[-1].id) == (423, "017", "563")
    assert warnings[0].key == "missing-records"
    assert find_numbers(warnings[0]) == ["425", "423", "017", "563"]
    assert len(read_topics(data / "classic/time/TIME.QUE").topics) == 83
    qrels = read_qrels(data / "classic/time/TIME.REL")
    assert (
        len(qrels.topics),
        len(qrels),
        max(int(name) for name in qrels.documents.to_pylist()),
    ) == (83, 324, 425)
    assert qrels.warnings[1].key == "ids-by-position"
