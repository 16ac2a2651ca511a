"""The classic collections: queries and files of relevance as SMART kept them, read to the last line, and what is said of their quirks."""

from collections import Counter
from pathlib import Path

import pytest

from irjudge.errors import Undecided
from irjudge.formats.collections.documents import read_documents
from irjudge.formats.collections.topics.topics import read_topics
from irjudge.formats.decisions import Decisions
from irjudge.formats.preview import preview
from irjudge.formats.rankings.judged_rows import parse_grades
from irjudge.formats.rankings.qrels import read_qrels

TURN = "1:4,2:3,3:2,4:1,-1:0"  # Cleverdon's codes in cranqrel.readme: 1 is a complete answer, 4 of minimum interest
NO_GRADES = "the lines have no grades, and each pair counts as grade 1"


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
def test_every_query_is_read_and_counted_by_its_order(data, name, count):
    file = read_topics(data / "classic" / name, topic_ids="order")
    assert file.form == "SMART queries"
    assert [topic.id for topic in file.topics] == [str(number) for number in range(1, count + 1)]
    assert all(topic.title for topic in file.topics)
    assert (data / "classic" / name).read_text().count(".I ") == count


@pytest.mark.parametrize(
    ("name", "remarks"),
    [
        ("cisi/CISI.QRY", ("Fields that are not read: .A, .B.",)),
        ("cacm/query.text", ("Fields that are not read: .N, .A.",)),
        ("med/MED.QRY", ()),
        ("adi/ADI.QRY", ()),
    ],
)
def test_queries_whose_ids_count_need_no_decision(data, name, remarks):
    assert read_topics(data / "classic" / name).remarks == remarks


def test_cranfields_ids_are_refused_until_somebody_says_what_counts(data):
    with pytest.raises(Undecided) as caught:
        read_topics(data / "classic/cran/cran.qry")
    choices = (
        "order (1 to 225, as relevance files of SMART count them) or given (001, 002, 004 … 365)"
    )
    assert (
        str(caught.value)
        == f"cran.qry: the ids of the queries do not count from 1 to 225; say with --topic-ids which to use: {choices}."
    )
    ordered = read_topics(data / "classic/cran/cran.qry", topic_ids="order")
    assert ordered.remarks == (
        "The topics are called 1 to 225 by their order; in the file they are called 001, 002, 004 … 365.",
    )
    assert (
        ordered.topics[2].title
        == "what problems of heat conduction in composite slabs have been solved so far ."
    )
    given = read_topics(data / "classic/cran/cran.qry", topic_ids="given")
    assert (given.topics[2].id, given.topics[2].title) == ("004", ordered.topics[2].title)


def test_cranfields_order_is_that_of_its_conversion(data):
    """The conversion numbers the same texts from 1 on; titles and narratives in it are the word empty."""
    converted = read_topics(data / "classic/cran/cran.qry.trec-format")
    assert "All topics have the title “empty”." in converted.remarks
    ordered = read_topics(data / "classic/cran/cran.qry", topic_ids="order").topics
    assert [(topic.id, topic.description) for topic in converted.topics] == [
        (topic.id, topic.title) for topic in ordered
    ]


def test_cranfields_grades_are_refused_until_somebody_says_what_they_mean(data):
    with pytest.raises(Undecided) as caught:
        read_qrels(data / "classic/cran/cran.qrels")
    assert str(caught.value) == (
        "cran.qrels: 225 grades are negative (grades: -1, 1, 2, 3, 4), which lines of three columns leave open; say with --negative "
        "what they mean (unjudged, unjudgeable, 0), or turn grades into others with --grades, such "
        'as "1:4,2:3,3:2,4:1,-1:0" where 1 is the best.'
    )


def test_cranfields_grades_are_turned_round(data):
    path = data / "classic/cran/cran.qrels"
    qrels = read_qrels(path, grades=parse_grades(TURN))
    assert (len(qrels), len(qrels.topics)) == (1837, 225)
    expected = {
        (topic, document): parse_grades(TURN)[int(grade)] for topic, document, grade in lines(path)
    }
    assert {(topic, document): grade for topic, document, grade in qrels.rows()} == expected
    assert qrels.remarks == (
        "cran.qrels: read as topic, document, grade.",
        "cran.qrels: grades were turned as was said: 225 of -1 became 0, 128 of 1 became 4, 387 of 2 became 3, 734 of 3 became 2, "
        "363 of 4 became 1.",
    )


def test_cranfields_grades_that_are_kept_are_said_to_count_from_the_best_perhaps(data):
    qrels = read_qrels(data / "classic/cran/cran.qrels", "unjudged")
    assert Counter(qrels.grade.tolist()) == {-1: 225, 1: 128, 2: 387, 3: 734, 4: 363}
    assert (
        'Where 1 is the best, turn them round with --grades "1:4,2:3,3:2,4:1".' in qrels.remarks[1]
    )
    assert qrels.remarks[2] == "cran.qrels: 225 of grade -1 count as unjudged."


def test_the_conversion_loses_a_pair_and_the_meaning_of_minus_1(data):
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
def test_the_order_of_smart_is_recognised_and_said(data, name, pairs, topics):
    path = data / "classic" / name
    qrels = read_qrels(path)
    assert (len(qrels), len(qrels.topics), set(qrels.grade.tolist())) == (pairs, topics, {1})
    assert [row[:2] for row in qrels.rows()] == [
        (line[0].lstrip("0"), line[1].lstrip("0")) for line in lines(path)
    ]
    said = f"{path.name}: read in the order of SMART: topic, document, and 0 twice in every line; {NO_GRADES}."
    zeros = "qrels.text: ids are written without zeros in front, as SMART's records are numbered (01 is 1; 0756 is 756)."
    assert qrels.remarks == ((said, zeros) if "cacm" in name else (said,))


def test_both_files_of_med_are_the_same_pairs(data):
    new, old = (read_qrels(data / "classic/med" / name) for name in ("MED.REL", "MED.REL.OLD"))
    assert list(new.rows()) == list(old.rows())
    assert (new.remarks, len(old.remarks)) == ((), 1)


def test_the_judged_topics_are_among_the_queries(data):
    """CISI has 36 queries without judgments, CACM 12."""
    for queries, relevance, without in (
        ("cisi/CISI.QRY", "cisi/CISI.REL", 36),
        ("cacm/query.text", "cacm/qrels.text", 12),
    ):
        topics = {topic.id for topic in read_topics(data / "classic" / queries).topics}
        judged = set(read_qrels(data / "classic" / relevance).topics)
        assert judged <= topics and len(topics - judged) == without


def test_cacm_is_the_same_pairs_as_its_conversion(data):
    ours = {row[:2] for row in read_qrels(data / "classic/cacm/qrels.text").rows()}
    theirs = {
        (topic, str(int(document.removeprefix("CACM-"))))
        for topic, document, _ in read_qrels(data / "qrels/qrels.cacm.txt").rows()
    }
    assert ours == theirs


def test_a_preview_shows_the_first_records_once_it_was_decided(data):
    qrels, topics = data / "classic/cran/cran.qrels", data / "classic/cran/cran.qry"
    for kind, path in (("qrels", qrels), ("topics", topics)):
        (wrong,) = preview(kind, [path]).wrong
        assert isinstance(wrong.fault, Undecided)
    seen = preview("qrels", [qrels], Decisions(grades=parse_grades(TURN)))
    assert seen.first == ("1 184 3", "1 29 3", "1 31 3")
    assert seen.found == (
        "cran.qrels: judgments: 1,837; topics: 225 (225 of grade 0, 363 of grade 1, 734 of grade 2, 387 of grade 3, 128 of grade 4)",
    )
    assert (
        preview("topics", [topics], Decisions(topic_ids="order"))
        .first[2]
        .startswith("3 what problems of heat conduction")
    )


def test_lisa_is_read_whole(data):
    files = sorted((data / "classic/lisa").glob("LISA?.???"))
    remarks: list[str] = []
    documents = list(read_documents(files, remarks=remarks))
    records = sum(path.read_bytes().count(b"\nDocument ") + 1 for path in files)
    assert (len(files), records) == (14, 6003)
    assert len(documents) == records - 4
    assert any(each.startswith("4 documents have an id that was there before") for each in remarks)
    assert documents[0].title.startswith(
        "THE INDIAN COUNCIL OF LIBRARY AND INFORMATION SERVICES RESEARCH AND TRAINING: A PROPOSAL"
    )
    queries = read_topics(data / "classic/lisa/LISA.QUE")
    assert [topic.id for topic in queries.topics] == [str(number) for number in range(1, 36)]


def test_the_two_files_of_lisas_judgments_say_the_same_where_one_is_not_damaged(data):
    lists, numbers = (
        read_qrels(data / "classic/lisa" / name) for name in ("LISA.REL", "LISARJ.NUM")
    )
    found, whole = (
        {(topic, document) for topic, document, _ in qrels.rows()} for qrels in (lists, numbers)
    )
    assert (len(numbers.topics), len(whole)) == (35, 379)
    damaged = {
        "21",
        "22",
        "23",
    }  # query 21 breaks off, and what stands in the place of 22 and 23 is the end of the file once more
    assert {pair for pair in found if pair[0] not in damaged} == {
        pair for pair in whole if pair[0] not in damaged
    }
    assert any("query 21 says 21 and lists 15" in each for each in lists.remarks)


def test_what_is_missing_of_time_is_said_and_not_shifted(data):
    remarks: list[str] = []
    documents = list(read_documents([data / "classic/time/TIME.ALL"], remarks=remarks))
    assert (len(documents), documents[0].id, documents[-1].id) == (423, "017", "563")
    assert (
        "collection of 425. 423 records are here, with numbers from 017 to 563; their numbers are the ids"
        in remarks[0]
    )
    assert len(read_topics(data / "classic/time/TIME.QUE").topics) == 83
    qrels = read_qrels(data / "classic/time/TIME.REL")
    assert (
        len(qrels.topics),
        len(qrels),
        max(int(name) for name in qrels.documents.to_pylist()),
    ) == (83, 324, 425)
    assert "are their places in the collection" in qrels.remarks[1]
