"""Queries as `201:after school programs`, of the Million Query and the efficiency tracks, with a priority in between in one year."""

import re
from collections.abc import Iterator

from irjudge.errors import FormatError
from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.bytes.utf8 import folded, numbered_lines
from irjudge.formats.forms import FirstLook
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.columns import LONGEST_SHOWN
from irjudge.formats.rows.records import checked_id
from irjudge.message import Message
from irjudge.model.topic import Topic

_QUERY = re.compile(r"\s*+(\d{1,18}):(.*+)", re.ASCII)
_PRIORITY = re.compile(r"\s*+(\d):(?=.*\S)", re.ASCII)


def is_numbered_queries(look: FirstLook) -> bool:
    """Tell whether each of the first lines is a number, a colon and text."""
    found = [_QUERY.fullmatch(line) for line in look.lines]
    return bool(found) and all(each and each[2].strip() for each in found)


def numbered_queries(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Topic]:
    """Yield the queries. Where each has a digit and a colon in front of its text, as `20001:1:obama family tree`, it is its priority."""
    queries = [_query(number, line, entry) for number, line in numbered_lines(entry.stream, entry.where)]
    prioritised = all(_PRIORITY.match(query[2]) for query in queries)
    if prioritised:
        remarks.unread([Message("the priority of each query")])
    for query in queries:
        text = _PRIORITY.sub("", query[2], count=1) if prioritised else query[2]
        yield Topic(checked_id(query[1], entry.where, None, remarks), folded(text))


def _query(number: int, line: str, entry: ArchiveEntry) -> re.Match[str]:
    query = _QUERY.fullmatch(line)
    if not query:
        problem = Message("found “{line}”, expected a number, a colon and the query", line=line.strip()[:LONGEST_SHOWN])
        raise FormatError(entry.where, problem, number)
    return query
