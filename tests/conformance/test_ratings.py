"""Tests of files of search teams' tools: every rating and query is read, and written back equal."""

import json
from pathlib import Path

from irjudge.cli.main import main
from irjudge.formats import read_log, read_shown_results
from irjudge.formats.collections import read_topics
from irjudge.formats.rankings import read_qrels
from tests.numbers_in_text import find_numbers

FOLDER = "search_teams"


def read_ratings(path: Path) -> dict[tuple[str, str], float]:
    """Return OpenSearch's ratings as read by Python's json, with single spaces in queries."""
    data = json.loads(path.read_text(encoding="utf-8"))
    pairs = [(each, rated) for each in data["judgmentRatings"] for rated in each["ratings"]]
    result = {
        (" ".join(each["query"].split()), rated["docId"]): float(rated["rating"])
        for each, rated in pairs
    }
    assert len(result) == len(pairs)
    return result


def test_opensearch_judgments_are_read_and_written_back_completely(
    data: Path, tmp_path: Path
) -> None:
    given = data / FOLDER / "esci_us_judgments.json"
    expected = read_ratings(given)
    assert (len(expected), len({query for query, _ in expected})) == (6678, 150)
    project, out = tmp_path / "esci.irjudge", tmp_path / "out.json"
    # Grades of 10 and 100 are on no scale; in qrels added later they count unchanged.
    assert main(["new", str(project), "--qrels", str(given)]) == 2 and not project.exists()
    queries = data / FOLDER / "esci_us_queryset.json"
    assert main(["new", str(project), "--topics", str(queries)]) == 0
    assert main(["import", str(project), "--qrels", str(given)]) == 0
    assert main(["export", str(project), "--qrels", "--form", "opensearch", "-o", str(out)]) == 0
    assert read_ratings(out) == expected


def test_every_query_of_the_query_set_is_a_topic(data: Path) -> None:
    path = data / FOLDER / "esci_us_queryset.json"
    queries = [
        each["queryText"]
        for each in json.loads(path.read_text(encoding="utf-8"))["querySetQueries"]
    ]
    assert [topic.title for topic in read_topics(path).topics] == list(
        dict.fromkeys(" ".join(query.split()) for query in queries)
    )
    judged = {query for query, _ in read_ratings(data / FOLDER / "esci_us_judgments.json")}
    assert len(judged & {" ".join(query.split()) for query in queries}) == 150


def test_every_judgment_of_rre_is_read(data: Path) -> None:
    path = data / FOLDER / "rre_ratings_example.json"
    expected = {
        (query["placeholders"]["$query"], document, each["gain"])
        for topic in json.loads(path.read_text(encoding="utf-8"))["topics"]
        for group in topic["query_groups"]
        for query in group["queries"]
        for document, each in group["relevant_documents"].items()
    }
    qrels = read_qrels(path)
    title = dict(zip(qrels.topics, qrels.titles, strict=True))
    assert {(title[topic], document, grade) for topic, document, grade in qrels.rows()} == expected


def test_every_query_and_event_of_the_ubi_sample_is_accounted_for(data):
    """473 records and 3,448 events: the kinds add up; rows are known or used queries."""
    path = data / "search_teams" / "ubi_queries_events.ndjson"
    log = read_log(path)
    assert ["473", "284", "3,448"] in [find_numbers(each) for each in log.warnings]
    (kinds,) = (warning for warning in log.warnings if warning.startswith("Events: "))
    assert find_numbers(kinds)[:4] == ["1,999", "298", "240", "911"]
    assert 1999 + 298 + 240 + 911 == 3448
    assert [
        warning
        for warning in log.warnings
        if all(each in warning for each in ("esci_ubi_sample at 0", "Chorus at 1", "ubi-demo at 1"))
    ]
    assert (len(log), len(log.rank)) == (284 + 17, 298)
    results, warnings = read_shown_results(path)
    (dropped,) = (
        warning for warning in warnings.warnings if warning.startswith("Skipped impressions")
    )
    assert len(results) + int(dropped.rpartition(" ")[2].rstrip(".").replace(",", "")) == 1999
