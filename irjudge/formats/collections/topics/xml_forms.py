"""Topics in XML: the forms of the web, session, clinical and newer tracks, with or without a DTD."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from irjudge.errors import FormatError
from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.bytes.utf8 import folded, whole
from irjudge.formats.collections.sgml import gap
from irjudge.formats.collections.topics.records import TITLES, topics_of
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.records import Record
from irjudge.message import Message
from irjudge.model.documents import Topic

DEEPEST = 20
DEEPEST_AROUND = 100
MOST_ELEMENTS = 10_000
TOPIC_TAGS = frozenset({"session", "topic", "top", "query", "question"})
EXPECTED = Message("expected <topic> elements, each with a number")


@dataclass(slots=True)
class _Node:
    """An element: its tag in small letters without a namespace, and all text in it, that of its children included."""

    tag: str
    line: int
    attributes: dict[str, str]
    parts: list[str] = field(default_factory=list)
    children: list["_Node"] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def child(self, tag: str) -> "_Node | None":
        return next((child for child in self.children if child.tag == tag), None)


class _Builder:
    """What the parser fills: the outermost elements that can be topics; what stands around them is not kept."""

    def __init__(self, where: Path) -> None:
        self.parser: Any = None
        self.topics: list[_Node] = []
        self._where, self._open, self._elements, self._around = where, list[_Node](), 0, 0

    @property
    def line(self) -> int:
        """Where the parser is."""
        return int(self.parser.parser.CurrentLineNumber)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Open an element."""
        name = _local(tag)
        if not self._open:
            if name not in TOPIC_TAGS:
                self._go_around()
                return
            self._elements = 0
        self._elements += 1
        if len(self._open) == DEEPEST or self._elements > MOST_ELEMENTS:
            problem = Message(
                "a topic has more than {most_elements:,} elements, or they stand inside each other more than {deepest} deep",
                key="large-topic",
                most_elements=MOST_ELEMENTS,
                deepest=DEEPEST,
            )
            raise FormatError(self._where, problem, self.line)
        self._open.append(
            _Node(name, self.line, {_local(key): value for key, value in attributes.items()})
        )

    def data(self, text: str) -> None:
        """Add text to the open element."""
        if self._open:
            self._open[-1].parts.append(text)

    def end(self, _tag: str) -> None:
        """Close an element."""
        if not self._open:
            self._around -= 1
            return
        node = self._open.pop()
        if not self._open:
            self.topics.append(node)
            return
        around = self._open[-1]
        around.children.append(node)
        around.parts += (gap(node.tag), node.text, gap(node.tag))

    def _go_around(self) -> None:
        self._around += 1
        if self._around > DEEPEST_AROUND:
            problem = Message(
                "elements stand inside each other more than {deepest_around} deep, and none of them is a topic",
                key="deep-elements",
                deepest_around=DEEPEST_AROUND,
            )
            raise FormatError(self._where, problem, self.line)

    def close(self) -> list[_Node]:
        """Return the topics."""
        return self.topics


def xml_topics(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Topic]:
    """Yield the topics of a file of XML.

    A topic's fields are its attributes and the elements in it, by the names that JSON has too. Subtopics become paragraphs of the
    narrative. In a session the current query is the title, and the topic inside says the need.
    """
    nodes = _parsed(entry)
    if not nodes:
        raise FormatError(
            entry.where,
            Message("the XML holds no topic, {expected}", key="no-topic", expected=EXPECTED),
        )
    return topics_of((_record(node, entry.where) for node in nodes), remarks, entry.columns)


def _parsed(entry: ArchiveEntry) -> list[_Node]:
    builder = _Builder(entry.where)
    parser = DefusedXMLParser(
        target=builder,
        encoding="utf-8",
        forbid_dtd=False,
        forbid_entities=True,
        forbid_external=True,
    )
    builder.parser = parser
    try:
        parser.feed(whole(entry.stream, entry.where))
        nodes: list[_Node] = parser.close()
    except DefusedXmlException:
        problem = Message(
            "the XML declares entities or asks for another file, which is not read; replace them by what they stand for",
            key="entities",
        )
        raise FormatError(entry.where, problem, builder.line) from None
    except ParseError as fault:
        reason = str(fault).partition(":")[0]
        raise FormatError(
            entry.where,
            Message(
                "it is not well-formed XML ({reason}), {expected}",
                key="not-well-formed",
                reason=reason,
                expected=EXPECTED,
            ),
            fault.position[0],
        ) from None
    except (
        ValueError,
        LookupError,
    ) as fault:  # an encoding that the declaration names and nobody knows
        raise FormatError(
            entry.where,
            Message("the XML cannot be read ({fault})", key="unreadable-xml", fault=fault),
            1,
        ) from None
    return nodes


def _record(node: _Node, where: Path) -> Record:
    fields: dict[str, object] = dict(node.attributes)
    if node.tag == "session":
        fields |= _session(node)
    for child in node.children:
        if child.tag != "subtopic" and not (
            node.tag == "session" and child.tag in ("topic", "currentquery")
        ):
            fields.setdefault(child.tag, child.text)
    if not node.children:
        fields.setdefault("text", node.text)
    if subtopics := [_subtopic(child) for child in node.children if child.tag == "subtopic"]:
        told = [str(fields[name]) for name in ("narrative", "narr") if name in fields]
        fields["narrative"] = "\n\n".join(told + subtopics)
        fields.pop("narr", None)
    return Record(where, node.line, fields)


def _session(node: _Node) -> dict[str, object]:
    """Return what the topic in a session says, and as its title the query to be answered, or the last one where none is left to answer."""
    fields: dict[str, object] = {}
    if inner := node.child("topic"):
        fields |= {child.tag: child.text for child in inner.children}
    current = node.child("currentquery") or next(
        (child for child in reversed(node.children) if child.tag == "interaction"), None
    )
    if current and (
        query := current.child("query") or (current if current.tag == "currentquery" else None)
    ):
        for name in TITLES:
            fields.pop(name, None)
        fields["title"] = query.text
    return fields


def _subtopic(node: _Node) -> str:
    about = " ".join(
        node.attributes[name] for name in ("number", "num", "id") if name in node.attributes
    )
    kind = f" ({node.attributes['type']})" if node.attributes.get("type") else ""
    return (
        Message(
            "Subtopic {about}{kind}: {folded}", about=about, kind=kind, folded=folded(node.text)
        )
        if about
        else Message("Subtopic{kind}: {folded}", kind=kind, folded=folded(node.text))
    )


def _local(name: str) -> str:
    return name.rpartition("}")[2].lower()
