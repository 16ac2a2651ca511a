"""Tests of ratings from tools of search teams, after the serializers that each test names."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from irjudge.errors import FormatError, IrjudgeError, Undecided
from irjudge.formats.collections import read_topics
from irjudge.formats.judgments import JsonNode, RatingsFile, ratings, read_ratings
from irjudge.formats.rankings import parse_grades, read_qrels


def write_file(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def read(folder: Path, name: str, content: Any) -> RatingsFile:
    ratings = read_ratings(write_file(folder, name, content))
    assert ratings is not None
    return ratings


def list_ratings(file: RatingsFile) -> list[tuple[str, str, float | None]]:
    return [(file.queries[each.topic].text, each.document, each.value) for each in file.ratings]


def test_ratings_of_a_quepid_case_are_read(tmp_path: Path) -> None:
    """Quepid's export of ratings: a query without documents has an empty row.

    A blank precedes texts that look like a formula.
    """
    file = read(
        tmp_path,
        "case.csv",
        'query,docid,rating\r\nstar wars,11,3\r\nstar wars,12,0\r\nempty,,\r\n" =wow",7,\r\n',
    )
    assert list_ratings(file) == [
        ("star wars", "11", 3.0),
        ("star wars", "12", 0.0),
        ("=wow", "7", None),
    ]
    assert [(query.id, query.text) for query in file.queries.values()] == [
        ("q1", "star wars"),
        ("q2", "empty"),
        ("q3", "=wow"),
    ]


def test_a_quepid_book_as_a_table_has_a_column_for_each_judge(tmp_path: Path) -> None:
    """Quepid's export of a book: a cell has all ratings of a judge; unnamed judges are Unknown."""
    file = read(tmp_path, "book.csv", "query,docid,Ann,\njazz,1,3,2|0\njazz,2,,1\n")
    assert [(each.document, each.assessor, each.value) for each in file.ratings] == [
        ("1", "Ann", 3.0),
        ("1", "Unknown", 2.0),
        ("1", "Unknown", 0.0),
        ("2", "Unknown", 1.0),
    ]


def test_a_table_with_a_column_without_ratings_is_not_a_book(tmp_path: Path) -> None:
    assert (
        read_ratings(
            write_file(tmp_path, "odd.csv", "query,docid,title,rating\njazz,1,Blue Train,3\n")
        )
        is None
    )


BOOK = {
    "name": "Book of jazz",
    "scale": [0, 1, 2, 3],
    "query_doc_pairs": [
        {
            "query_text": "jazz  bass",
            "doc_id": "d1",
            "position": 1,
            "document_fields": {"title": "Blue", "price": 12, "tags": ["a", "b"]},
            "information_need": "a bass to play jazz on",
            "judgements": [
                {
                    "rating": 3.0,
                    "unrateable": False,
                    "judge_later": False,
                    "user_email": "ann@example.org",
                    "explanation": "fits",
                },
                {
                    "rating": None,
                    "unrateable": True,
                    "judge_later": False,
                    "user_email": "bob@example.org",
                    "explanation": "no picture",
                },
            ],
        },
        {
            "query_text": "jazz bass",
            "doc_id": "d2",
            "position": 2,
            "judgements": [{"rating": 1.0, "judge_later": True}],
        },
    ],
}


def test_a_quepid_book_keeps_assessors_reasons_and_documents(tmp_path: Path) -> None:
    """app/views/api/v1/export of Quepid's books."""
    file = read(tmp_path, "book.json", BOOK)
    first, second, third = file.ratings
    assert (first.assessor, first.value, first.note) == ("ann@example.org", 3.0, "fits")
    assert (second.assessor, second.is_unjudgeable, second.note) == (
        "bob@example.org",
        True,
        "no picture",
    )
    assert (third.assessor, third.value, third.unsure) == ("Unknown", 1.0, True)
    assert len(file.queries) == 1 and file.queries["q1"].need == "a bass to play jazz on"
    assert file.documents == {"d1": {"title": "Blue", "price": "12", "tags": "a, b"}}


def test_a_book_of_several_assessors_needs_a_choice(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="irjudge consensus") as refused:
        read_qrels(write_file(tmp_path, "book.json", BOOK))
    values = refused.value.values
    assert (refused.value.key, values["count"]) == ("several-assessors", "3")
    assert values["file"] == "book.json" and "Quepid" in values["form"]


@pytest.mark.parametrize(
    "case",
    [
        {
            "queries": [
                {"query": "jazz", "ratings": {"d1": 3, "d2": "0"}},
                {"query": "rock", "ratings": {}},
            ]
        },
        {
            "queries": [
                {
                    "query_text": "jazz",
                    "information_need": "",
                    "ratings": [{"doc_id": "d1", "rating": 3}, {"doc_id": "d2", "rating": 0.0}],
                }
            ]
        },
    ],
)
def test_both_json_formats_of_a_quepid_case_are_read(tmp_path: Path, case: Any) -> None:
    assert list_ratings(read(tmp_path, "case.json", case)) == [
        ("jazz", "d1", 3.0),
        ("jazz", "d2", 0.0),
    ]


def test_opensearch_judgments_are_read_with_fields_of_responses(tmp_path: Path) -> None:
    """Search Relevance's judgments: ratings are text.

    A GET adds id, timestamp, status and metadata.
    """
    data = {
        "id": "x",
        "timestamp": "2026-01-01",
        "status": "COMPLETED",
        "metadata": {},
        "name": "ESCI",
        "type": "IMPORT_JUDGMENT",
        "judgmentRatings": [
            {
                "query": "red shoes",
                "ratings": [
                    {"docId": "B1", "rating": "100.000"},
                    {"docId": "B2", "rating": "0.000"},
                ],
            }
        ],
    }
    qrels = read_qrels(write_file(tmp_path, "srw.json", data))
    assert (qrels.topics, qrels.titles, [*qrels.rows()]) == (
        ("q1",),
        ("red shoes",),
        [("q1", "B1", 100), ("q1", "B2", 0)],
    )


def test_fractions_need_a_mapping_and_are_never_rounded(tmp_path: Path) -> None:
    ratings = [
        {"docId": f"d{index}", "rating": text}
        for index, text in enumerate(("0.000", "0.500", "1.000"))
    ]
    path = write_file(
        tmp_path, "srw.json", {"judgmentRatings": [{"query": "a", "ratings": ratings}]}
    )
    with pytest.raises(Undecided, match=r'--grades "0:0,0\.5:1,1:2"') as error:
        read_qrels(path)
    assert (error.value.key, error.value.values["example"]) == ("fractions", "0.5")
    assert error.value.options == ("grades",)
    assert [
        grade for _, _, grade in read_qrels(path, grades=parse_grades("0:0,0.5:1,1:2")).rows()
    ] == [0, 1, 2]
    with pytest.raises(FormatError) as refused:
        read_qrels(path, grades=parse_grades("0:0,0.5:1"))
    assert (refused.value.key, refused.value.values["value"]) == ("unturned-grade", "1")


RRE = {
    "index": "basses",
    "id_field": "_id",
    "topics": [
        {
            "description": "Fender",
            "query_groups": [
                {
                    "name": "brand",
                    "description": "the brand",
                    "queries": [
                        {"placeholders": {"$query": "fender"}},
                        {"placeholders": {"$query": "Fender bass"}},
                    ],
                    "relevant_documents": {"1": {"gain": 3}, "2": {"gain": 1}},
                }
            ],
        }
    ],
}


def test_queries_of_a_group_of_rre_share_its_judgments(tmp_path: Path) -> None:
    """rre-core's ratings."""
    file = read(tmp_path, "ratings.json", RRE)
    assert list_ratings(file) == [
        ("fender", "1", 3.0),
        ("fender", "2", 1.0),
        ("Fender bass", "1", 3.0),
        ("Fender bass", "2", 1.0),
    ]
    assert {query.need for query in file.queries.values()} == {"the brand"}


def test_queries_of_rre_that_repeat_too_many_judgments_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """2,000 queries and 2,000 documents in 94 KB were four million ratings."""
    monkeypatch.setattr(ratings, "MAX_SHARED_RATINGS", 12)
    group = {
        "queries": [{"placeholders": {"$query": f"q{number}"}} for number in range(3)],
        "relevant_documents": {"1": ["d1", "d2"], "2": ["d3", "d4"]},
    }
    assert len(read(tmp_path, "a.json", {"query_groups": [group]}).ratings) == 12
    own = {"placeholders": {"$query": "own"}, "relevant_documents": {"1": ["d1", "d2"]}}
    with_own = {**group, "queries": [*group["queries"], own]}
    assert len(read(tmp_path, "b.json", {"query_groups": [with_own]}).ratings) == 14
    with pytest.raises(FormatError) as error:
        read(tmp_path, "c.json", {"query_groups": [group, group]})
    assert (error.value.key, error.value.values["limit"]) == ("too-many-ratings", "12")


def test_the_flat_format_of_rre_and_its_lists_by_gain_are_read(tmp_path: Path) -> None:
    flat = {
        "query_placeholder": "$q",
        "queries": [
            {"placeholders": {"$q": "fender"}, "relevant_documents": {"3": ["1"], "1": ["2"]}}
        ],
    }
    assert list_ratings(read(tmp_path, "flat.json", flat)) == [
        ("fender", "1", 3.0),
        ("fender", "2", 1.0),
    ]


def test_hits_of_rank_eval_with_equal_scores_stay_in_order(tmp_path: Path) -> None:
    hits = [{"hit": {"_id": id, "_score": 1.0}} for id in ("b", "c", "a")]
    details = {"tea": {"hits": hits}, "milk": {"hits": [{"hit": {"_id": "x"}}]}}
    file = read(tmp_path, "answered.json", {"details": details})
    assert file.ranking == [
        ("tea", "b", 3.0),
        ("tea", "c", 2.0),
        ("tea", "a", 1.0),
        ("milk", "x", 1.0),
    ]


def test_rank_eval_requests_and_responses_are_read(tmp_path: Path) -> None:
    """Elasticsearch's ranking evaluation: requests with ratings, and details with hits."""
    asked = {
        "requests": [
            {
                "id": "jazz_query",
                "request": {},
                "ratings": [{"_index": "i", "_id": "d1", "rating": 3}],
            }
        ],
        "metric": {},
    }
    assert list_ratings(read(tmp_path, "asked.json", asked)) == [("jazz_query", "d1", 3.0)]
    hits = [
        {"hit": {"_index": "i", "_id": "d1", "_score": 2.5}, "rating": 3},
        {"hit": {"_index": "i", "_id": "d9", "_score": 1.5}},
    ]
    answered = {
        "metric_score": 1.0,
        "details": {"jazz_query": {"metric_score": 1.0, "unrated_docs": [], "hits": hits}},
    }
    file = read(tmp_path, "answered.json", answered)
    assert list_ratings(file) == [("jazz_query", "d1", 3.0)]
    assert file.ranking == [("jazz_query", "d1", 2.5), ("jazz_query", "d9", 1.5)]


@pytest.mark.parametrize(
    "header", ['case id, "query text",doc id,rating', '"case id","query text","doc id","""rating"']
)
def test_a_header_with_misplaced_quotation_marks_is_refused(tmp_path: Path, header: str) -> None:
    with pytest.raises(FormatError) as refused:
        read(tmp_path, "details.csv", f"{header}\n1,a,d,1\n")
    assert (refused.value.key, refused.value.line) == ("same-column", 1)


@pytest.mark.parametrize(
    ("header", "prefix"), [("query,docid,rating", ""), ("case id,query text,doc id,rating", "1,")]
)
def test_an_unclosed_quotation_mark_does_not_swallow_rows(
    tmp_path: Path, header: str, prefix: str
) -> None:
    rows = ("gulls,d1,1", 'gulls,"d2,2', "ships,d1,3", 'x,"d4,0', "y,d5,1")
    text = "\n".join([header, *(prefix + row for row in rows)])
    with pytest.raises(FormatError) as refused:
        read(tmp_path, "case.csv", text)
    assert (refused.value.key, refused.value.line) == ("not-csv", 3)


def test_a_repeated_name_is_found_in_linear_time(tmp_path: Path) -> None:
    """It took a second for 10,000 names, and time grew with the square of their number."""
    names = [*(f"k{number}" for number in range(40_000)), "z", "z"]
    text = '{"requests": [], ' + ", ".join(f'"{name}": 0' for name in names) + "}"
    begun = time.process_time()
    with pytest.raises(FormatError, match='"z" occurs twice'):
        read(tmp_path, "request.json", text)
    assert time.process_time() - begun < 5


@pytest.mark.parametrize("names", [("q2", "red shoes"), ("red shoes", "q1")])
def test_a_query_without_an_id_gets_no_id_of_the_file(tmp_path: Path, names: list[str]) -> None:
    requests = [{"id": name, "ratings": [{"_id": f"d {name}", "rating": 1}]} for name in names]
    hits = {name: {"hits": [{"hit": {"_id": f"d {name}", "_score": 1}}]} for name in names}
    for file in (
        read(tmp_path, "request.json", {"requests": requests}),
        read(tmp_path, "response.json", {"details": hits}),
    ):
        assert [query.text for query in file.queries.values()] == list(names)
        topics = [rating.topic for rating in file.ratings] or [hit[0] for hit in file.ranking]
        assert [file.queries[topic].text for topic in topics] == list(names)


def test_an_id_that_a_query_without_an_id_already_has_is_refused(tmp_path: Path) -> None:
    lines = [
        {"query": "red shoes", "document": "d", "grade": 1},
        {"qid": "q1", "query": "jazz", "document": "e", "grade": 1},
    ]
    with pytest.raises(IrjudgeError) as caught:
        read(tmp_path, "pairs.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    assert caught.value.values["id"] == "q1"
    by_id = [*reversed(lines)]
    file = read(tmp_path, "pairs.jsonl", "".join(json.dumps(line) + "\n" for line in by_id))
    assert list_ratings(file) == [("jazz", "e", 1.0), ("red shoes", "d", 1.0)]


def test_learning_to_rank_lists_name_documents_in_comments(tmp_path: Path) -> None:
    """Judgment lists of Elasticsearch Learning to Rank, and of LETOR with features."""
    file = read(
        tmp_path, "sample.txt", "# qid:1: rambo\n4\tqid:1 #\t7555\trambo\n0 qid:1 # 1370 rambo\n"
    )
    assert list_ratings(file) == [("rambo", "7555", 4.0), ("rambo", "1370", 0.0)] and [
        *file.queries
    ] == ["1"]
    letor = "2 qid:10 1:0.1 2:0.5 #docid = GX008-86 inc = 1 prob = 0.08\n0 qid:10 1:0 2:0 #docid = GX029-35 inc = 0 prob = 0.1\n"
    assert [each.document for each in read(tmp_path, "letor.txt", letor).ratings] == [
        "GX008-86",
        "GX029-35",
    ]
    with pytest.raises(FormatError) as refused:
        read_ratings(write_file(tmp_path, "bare.txt", "2 qid:10 1:0.1\n"))
    assert (refused.value.key, refused.value.line) == ("no-document", 1)


@pytest.mark.parametrize(
    ("data", "field", "expected"),
    [
        (
            {"judgmentRatings": [{"query": "a", "ratings": [{"docId": "d"}]}]},
            "judgmentRatings[1].ratings[1]",
            '"rating"',
        ),
        (
            {"judgmentRatings": [{"query": "a", "ratings": [{"docId": "d", "rating": "3 stars"}]}]},
            "judgmentRatings[1].ratings[1].rating",
            "rating",
        ),
        (
            {"judgmentRatings": [{"query": " ", "ratings": []}]},
            "judgmentRatings[1].query",
            "query",
        ),
        ({"queries": [{"query": "a", "ratings": "none"}]}, "queries[1].ratings", "list"),
        *(
            (
                {"details": {"q": {"hits": [{"hit": {"_id": "d", "_score": score}}]}}},
                "details.q.hits[1].hit._score",
                "score",
            )
            for score in (10**400, float("inf"), float("nan"))
        ),
    ],
)
def test_errors_are_reported_with_their_position(
    tmp_path: Path, data: Any, field: str, expected: str
) -> None:
    with pytest.raises(FormatError) as refused:
        read_ratings(write_file(tmp_path, "wrong.json", data))
    problem = refused.value.problem
    assert refused.value.key == "unexpected-value" and problem.values["location"] == field
    assert expected in problem.values["expected"]


def test_a_file_without_a_query_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as refused:
        read_ratings(write_file(tmp_path, "wrong.json", {"judgmentRatings": []}))
    assert refused.value.key == "no-query"


def test_a_duplicate_document_gives_a_warning(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match='"d1" occurs twice'):
        read_ratings(
            write_file(
                tmp_path, "twice.json", '{"queries":[{"query":"a","ratings":{"d1":1,"d1":3}}]}'
            )
        )


def test_queries_of_these_files_are_topics(tmp_path: Path) -> None:
    sets = {
        "name": "s",
        "sampling": "manual",
        "querySetQueries": [{"queryText": "red  shoes"}, {"queryText": "hat"}],
    }
    assert [
        (each.id, each.title) for each in read_topics(write_file(tmp_path, "set.json", sets)).topics
    ] == [
        ("q1", "red shoes"),
        ("q2", "hat"),
    ]
    lines = '{"queryText": "red shoes", "referenceAnswer": "pumps"}\n{"queryText": "hat"}\n'
    assert [
        each.description for each in read_topics(write_file(tmp_path, "set.jsonl", lines)).topics
    ] == ["pumps", ""]
    needs = 'query,information_need\njazz,"swing, not bop"\n'
    assert [
        (each.title, each.description)
        for each in read_topics(write_file(tmp_path, "needs.csv", needs)).topics
    ] == [("jazz", "swing, not bop")]


def test_queries_without_ids_can_be_numbered(tmp_path: Path) -> None:
    path = write_file(
        tmp_path,
        "questions.jsonl",
        '{"question": "who?", "answer": "me"}\n{"question": "why?", "answer": "so"}\n',
    )
    with pytest.raises(Undecided, match="--topic-ids order"):
        read_topics(path)
    assert [(each.id, each.title) for each in read_topics(path, topic_ids="order").topics] == [
        ("1", "who?"),
        ("2", "why?"),
    ]


def test_json_lines_are_not_a_single_object(tmp_path: Path) -> None:
    lines = [
        json.dumps({"id": id, "title": title, "details": "any"})
        for id, title in (("1", "jazz"), ("2", "rock"))
    ]
    path = write_file(tmp_path, "topics.jsonl", "\n".join(lines))
    assert [topic.title for topic in read_topics(path).topics] == ["jazz", "rock"]


def test_locations_of_nodes_shorten_long_names(tmp_path: Path) -> None:
    """Each hit of a query has a location, which would contain the whole text of the query."""
    node = JsonNode(tmp_path / "a.json", {"q" * 10_000: [1, 2]})
    ((_, hits),) = node.items()
    assert [len(hit.where) < 200 for hit in hits.iter_items()] == [True, True]
    assert len(node["q" * 10_000].where) < 200
