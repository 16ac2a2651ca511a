"""Tests of file formats of search teams that lack the requested content: refused with one error."""

import json

import pytest

from irjudge.errors import FormatError, Undecided
from irjudge.formats.judgments import read_judgments
from irjudge.formats.rankings import read_qrels, read_run

# As written by Quepid (a case and a book), OpenSearch (judgments and query sets), Elasticsearch
# (rank_eval), RRE.
FORMS = {
    "case": {"queries": [{"query": "red", "ratings": {"d1": 3}}]},
    "case with people": {
        "queries": [
            {
                "query_text": "red",
                "ratings": [{"doc_id": "d", "rating": 3, "user_email": "a@example.org"}],
            }
        ]
    },
    "book": {
        "name": "b",
        "scale": [0, 1],
        "query_doc_pairs": [{"query_text": "q", "doc_id": "d", "judgements": [{"rating": 1}]}],
    },
    "judgments": {
        "name": "n",
        "type": "IMPORT_JUDGMENT",
        "judgmentRatings": [{"query": "q", "ratings": [{"docId": "d", "rating": "3.0"}]}],
    },
    "query set": {"name": "n", "sampling": "manual", "querySetQueries": [{"queryText": "q"}]},
    "request": {
        "requests": [
            {"id": "q", "request": {}, "ratings": [{"_index": "i", "_id": "d", "rating": 3}]}
        ],
        "metric": {},
    },
    "response": {
        "metric_score": 0.4,
        "details": {"q": {"metric_score": 0.6, "hits": [{"hit": {"_id": "d"}, "rating": 3}]}},
    },
    "topics": {
        "index": "i",
        "topics": [{"query_groups": [{"relevant_documents": {"d": {"gain": 3}}}]}],
    },
    "flat": {"queries": [{"placeholders": {"$query": "q"}, "relevant_documents": {"3": ["d"]}}]},
    "list": [{"query": "q", "docid": "d", "rating": 3}],
}
WRITTEN = {"compact": {"separators": (",", ":")}, "usual": {}, "indented": {"indent": 2}}


WITHOUT_RATINGS = ("query set", "topics", "list")
# content that is there, and is read
HELD = {("case with people", read_judgments), ("book", read_judgments), ("response", read_run)}
HELD |= {("list", read_qrels)}
READERS = (read_run, read_judgments, read_qrels)
HELD |= {(form, read_qrels) for form in FORMS if form not in WITHOUT_RATINGS}
ASKED = [(form, reader) for form in FORMS for reader in READERS if (form, reader) not in HELD]
ASKED.remove(("list", read_run))  # its columns can be named


def test_records_without_a_known_score_need_a_column_mapping(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(FORMS["list"]))
    with pytest.raises(Undecided) as caught:
        read_run(tmp_path / "a.json")
    assert caught.value.key == "no-score-column" and "score=rating" in str(caught.value)


@pytest.mark.parametrize(("form", "reader"), sorted(HELD, key=str))
def test_available_content_of_other_formats_is_read(tmp_path, form, reader):
    (tmp_path / "a.json").write_text(json.dumps(FORMS[form]))
    assert reader(tmp_path / "a.json")


@pytest.mark.parametrize("how", WRITTEN)
@pytest.mark.parametrize(("form", "reader"), ASKED)
def test_unsuitable_json_of_other_tools_is_refused(tmp_path, form, how, reader):
    (tmp_path / "a.json").write_text(json.dumps(FORMS[form], **WRITTEN[how]))
    with pytest.raises(FormatError) as caught:
        reader(tmp_path / "a.json")
    assert str(caught.value).startswith("a.json") and "--columns" not in str(caught.value)


@pytest.mark.parametrize("reader", [read_run, read_judgments])
@pytest.mark.parametrize(
    "text",
    [
        "3 qid:1 1:0.1 2:0.3 # d1 red\n0 qid:1 1:0.1 2:0.2 # d2 red\n",
        "3 qid:1 # d1 red\n0 qid:1 # d2 red\n",
        "3 qid:1 1:0.1\n0 qid:1 1:0.2\n",
        "2 qid:10 1:0.1 #docid = GX008 inc = 1 prob = .08\n",
        "query,information_need\nred,red shoes\n",
    ],
)
def test_unsuitable_lines_and_tables_of_other_tools_are_refused(tmp_path, text, reader):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(FormatError):
        reader(tmp_path / "a.csv")
