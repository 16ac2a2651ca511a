"""Ratings in JSON: Quepid's books and cases, OpenSearch's judgments, requests and answers of rank_eval, RRE.

Each form is one line of `FORMS`: its name, the names that tell it, and what reads it.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irjudge.errors import FormatError
from irjudge.formats.bytes.one_file import OneFile
from irjudge.formats.bytes.utf8 import decoded, whole
from irjudge.formats.ratings.rows import Place, Rating, RatingsFile, add_all, strings_below
from irjudge.formats.remarks import QUERY_FOR_ID, Remarks
from irjudge.formats.rows.records import LARGEST_LIST
from irjudge.message import Message

QUERY = "$query"
MORE_BEHIND = "Extra data"  # how json says that a file holds several values, as lines of objects do


def _quepid_book(data: Place, file: RatingsFile) -> None:
    for pair in data["query_doc_pairs"].each():
        need = pair.get("information_need")
        topic = file.query(pair["query_text"].query_text(), need=need.text() if need else "")
        document = pair["doc_id"].name()
        if fields := pair.get("document_fields"):
            file.documents.setdefault(document, strings_below(fields))
        judgements = pair.get("judgements")
        for each in judgements.each() if judgements else ():
            who, why = each.get("user_email"), each.get("explanation")
            unusable, later = (each.get(name) for name in ("unrateable", "judge_later"))
            rating = each.get("rating")
            file.ratings.append(
                Rating(
                    topic,
                    document,
                    rating.rating() if rating else None,
                    who.text() if who else "Unknown",
                    unusable=bool(unusable and unusable.value),
                    unsure=bool(later and later.value),
                    note=why.text() if why else "",
                )
            )


def _quepid_case(data: Place, file: RatingsFile) -> None:
    for query in data["queries"].each():
        need = query.get("information_need")
        text = query["query_text" if "query_text" in query else "query"].query_text()
        topic = file.query(text, need=need.text() if need else "")
        ratings = query.get("ratings")
        if ratings is None:
            continue
        if isinstance(ratings.value, dict):
            add_all(
                file,
                topic,
                ((_id(document, ratings), each.rating()) for document, each in ratings.items()),
            )
            continue
        for each in ratings.each():
            who = each.get("user_email")
            file.ratings.append(
                Rating(
                    topic, each["doc_id"].name(), each["rating"].rating(), who.text() if who else ""
                )
            )


def _opensearch(data: Place, file: RatingsFile) -> None:
    for query in data["judgmentRatings"].each():
        topic = file.query(query["query"].query_text())
        add_all(
            file,
            topic,
            ((each["docId"].name(), each["rating"].rating()) for each in query["ratings"].each()),
        )


def _rank_eval_request(data: Place, file: RatingsFile) -> None:
    for request in data["requests"].each():
        topic = _named_query(request["id"], file)
        add_all(
            file,
            topic,
            ((each["_id"].name(), each["rating"].rating()) for each in request["ratings"].each()),
        )


def _rank_eval_answer(data: Place, file: RatingsFile) -> None:
    for name, detail in data["details"].items():
        topic = _named_query(Place(detail.path, name, detail.where, detail.remarks), file)
        file.ranked.setdefault(topic)
        for place, each in enumerate(detail["hits"].each()):
            hit, rating = each["hit"], each.get("rating")
            document, score = hit["_id"].name(), hit.get("_score")
            file.ranking.append((topic, document, _score(score) if score else -float(place)))
            if rating is not None:
                file.ratings.append(Rating(topic, document, rating.rating()))


def _query_set(data: Place, file: RatingsFile) -> None:
    for query in data["querySetQueries"].each():
        file.query(query["queryText"].query_text())


def _named_query(place: Place, file: RatingsFile) -> str:
    """Return a query that has a name; one with a blank is the query itself."""
    name = place.query_text()
    if name.split() != [name]:
        file.strange.add(QUERY_FOR_ID, name)
    return file.query(name, id=name if name.split() == [name] else "")


def _rre(data: Place, file: RatingsFile) -> None:
    named = data.get("query_placeholder")
    placeholder = named.text() if named else QUERY
    topics = data.get("topics")
    for topic in topics.each() if topics else ():
        for group in topic["query_groups"].each():
            need = group.get("description")
            _rre_queries(group, placeholder, need.text() if need else "", file)
    for group in (data, *(data["query_groups"].each() if "query_groups" in data else ())):
        if "queries" in group:
            _rre_queries(group, placeholder, "", file)


def _rre_queries(group: Place, placeholder: str, need: str, file: RatingsFile) -> None:
    """Read the queries of a group, which share its judgments; in the flat form each has its own."""
    for query in group["queries"].each():
        topic = file.query(query["placeholders"][placeholder].query_text(), need=need)
        judged = query if "relevant_documents" in query else group
        for name, each in judged["relevant_documents"].items():
            if isinstance(each.value, list):  # the gain, and the documents that have it
                gain = Place(each.path, name, each.where, each.remarks).rating()
                add_all(file, topic, ((document.name(), gain) for document in each.each()))
            else:
                add_all(file, topic, [(_id(name, each), each["gain"].rating())])


def _id(name: str, place: Place) -> str:
    return Place(place.path, name, place.where, place.remarks).name()


def _score(place: Place) -> float:
    if isinstance(place.value, bool) or not isinstance(place.value, int | float):
        raise place.wrong(Message("a score, a number"))
    return float(place.value)


@dataclass(frozen=True, slots=True)
class RatingsForm:
    """A form of ratings in JSON."""

    name: str  # in words
    tells: Callable[[Any], bool]  # whether the parsed object has this form
    read: Callable[[Place, RatingsFile], None]  # puts what it holds into a file


def _lists(*names: str) -> Callable[[Any], bool]:
    return lambda data: all(isinstance(data.get(name), list) for name in names)


def _is_rre(data: Any) -> bool:
    queries = data.get("queries")
    flat = (
        isinstance(queries, list)
        and bool(queries)
        and isinstance(queries[0], dict)
        and "placeholders" in queries[0]
    )
    topics = data.get("topics")
    deep = (
        isinstance(topics, list)
        and bool(topics)
        and isinstance(topics[0], dict)
        and "query_groups" in topics[0]
    )
    return flat or deep or isinstance(data.get("query_groups"), list)


# The first form that fits is taken. A new form is one more line here.
FORMS = (
    RatingsForm(Message("a Quepid book"), _lists("query_doc_pairs"), _quepid_book),
    RatingsForm(Message("OpenSearch judgments"), _lists("judgmentRatings"), _opensearch),
    RatingsForm(Message("RRE ratings"), _is_rre, _rre),
    RatingsForm(Message("a rank_eval request"), _lists("requests"), _rank_eval_request),
    RatingsForm(
        Message("a rank_eval answer"),
        lambda data: isinstance(data.get("details"), dict),
        _rank_eval_answer,
    ),
    RatingsForm(Message("a Quepid case"), _lists("queries"), _quepid_case),
    RatingsForm(Message("an OpenSearch query set"), _lists("querySetQueries"), _query_set),
)
NAMES = tuple(
    f'"{name}"'.encode()
    for name in (
        "query_doc_pairs",
        "judgmentratings",
        "query_groups",
        "requests",
        "details",
        "queries",
        "querysetqueries",
    )
)  # of which each form has one


def json_ratings(file: OneFile) -> RatingsFile | None:
    """Read ratings in one of these forms; None where the file has none of them."""
    remarks = Remarks()
    entry = file.text(remarks)
    if not entry.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") or not any(
        name in entry.head.lower() for name in NAMES
    ):
        return None
    data = parsed(file.path, decoded(whole(entry.stream, file.path, LARGEST_LIST), file.path))
    form = (
        next((form for form in FORMS if form.tells(data)), None) if isinstance(data, dict) else None
    )
    if form is None:
        return None
    found, place = RatingsFile(form.name), Place(file.path, data, "", remarks)
    name = place.get("name")
    found.name = name.text() if name and isinstance(name.value, str) else ""
    form.read(place, found)
    if not found.queries:
        raise FormatError(
            file.path,
            Message("no query was found, expected {form}", key="no-query", form=form.name),
        )
    return found


class _Twice(ValueError):
    """A name stands twice in one object, so that one of the two would be lost."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Twice(next(name for name in names if names.count(name) > 1))
    return found


def parsed(path: Path, text: str) -> Any:
    """Return the value that a text of JSON holds; None where it holds several."""
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as fault:
        if fault.msg == MORE_BEHIND:
            return None
        raise FormatError(path, Message("not JSON ({msg})", msg=fault.msg), fault.lineno) from None
    except _Twice as fault:
        problem = Message(
            '"{name}" stands twice in one object, expected each name once', name=str(fault)[:40]
        )
        raise FormatError(path, problem) from None
    except (RecursionError, ValueError):
        raise FormatError(path, "the JSON nests too deeply or holds too long a number") from None
