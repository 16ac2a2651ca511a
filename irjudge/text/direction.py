"""Direction of texts, and mirroring of tables in right-to-left languages."""

import re
from collections.abc import Iterator
from unicodedata import bidirectional

# maximum number of characters in which the first letter with a direction is searched for
MAX_LOOKAHEAD = 2000
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
CELL_TAGS = frozenset({"td", "th"})
TABLE_TAGS = CELL_TAGS | {"table", "tr"}
MAX_COLUMNS = 1000  # maximum number of columns of a table
_TOKEN = re.compile(r"<(/?)([a-z0-9]++)([^<>]*+)>|[^<]++|<")
_DIRECTION_ATTRIBUTE = re.compile(r" dir=[\"']?(rtl|ltr)[\"']?")
_COLSPAN = re.compile(r" colspan=[\"']?(\d{1,3})")


def detect_text_direction(text: str) -> str:
    """Return `rtl` if the first letter with a direction is right-to-left; otherwise return `ltr`.

    >>> detect_text_direction("12 المد"), detect_text_direction("tide"), detect_text_direction("")
    ('rtl', 'ltr', 'ltr')
    """
    return _find_first_direction(text) or "ltr"


def has_direction(text: str) -> bool:
    """Return whether a text contains a letter with a direction; digits and marks have none.

    >>> has_direction("12 المد"), has_direction("12 %")
    (True, False)
    """
    return bool(_find_first_direction(text))


def _find_first_direction(text: str) -> str:
    """Return the direction of the first letter with a direction; empty if there is none."""
    bidi_class = next(
        (kind for kind in map(bidirectional, text[:MAX_LOOKAHEAD]) if kind in ("L", "R", "AL")), ""
    )
    return "ltr" if bidi_class == "L" else bidi_class and "rtl"


def mirror_tables(html: str) -> str:
    """Return sanitized HTML with the cells of right-to-left rows in reverse order, for Qt.

    The direction of a table is its `dir` attribute. Without this attribute, it is the direction of
    the table's first letter or, if no letter has one, of the enclosing table. Short rows are
    padded, so that they also begin at the right. HTML without right-to-left text and `dir`
    attributes is returned unchanged.

    >>> mirror_tables('<table dir="rtl"><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>')
    '<table dir="rtl" width="100%"><tr><td>2</td><td>1</td></tr><tr><td></td><td>3</td></tr></table>'
    """
    if "<table" not in html or not (
        _DIRECTION_ATTRIBUTE.search(html) or RIGHT_TO_LEFT.search(html)
    ):
        return html
    return "".join(_write_node(_parse_tables(html), "ltr", 0))


class _TableNode:
    """Node of a parsed page: a table, a row, a cell or the whole page, with its child nodes."""

    def __init__(self, name: str = "", rest: str = "") -> None:
        match, span = _DIRECTION_ATTRIBUTE.search(rest), _COLSPAN.search(rest)
        self.name, self.tag_rest = name, _DIRECTION_ATTRIBUTE.sub("", rest)
        self.children: list[str | _TableNode] = []
        self.declared_direction = match[1] if match else ""
        self.letter_direction = ""  # direction of the first letter with a direction
        self.span = int(span[1]) if span else 1

    @property
    def width(self) -> int:
        """Number of table columns that the cells of this row cover."""
        return sum(child.span for child in self.children if isinstance(child, _TableNode))


def _parse_tables(html: str) -> _TableNode:
    root = _TableNode()
    open_nodes = [root]
    for match in _TOKEN.finditer(html):
        end, name, attributes = match.groups()
        if name in TABLE_TAGS and not end:
            open_nodes.append(node := _TableNode(name, attributes))
            open_nodes[-2].children.append(node)
        open_nodes[-1].children.append(match[0])
        if name in TABLE_TAGS and end and open_nodes[-1].name == name:
            open_nodes.pop()
        elif (
            name is None
            and not open_nodes[-1].letter_direction
            and (direction := _find_first_direction(match[0]))
        ):
            for node in open_nodes:
                node.letter_direction = node.letter_direction or direction
    return root


def _write_node(node: _TableNode, direction: str, width: int) -> Iterator[str]:
    """Yield the HTML of a node.

    `direction` is the direction of the enclosing table, and `width` its number of columns.
    """
    children = node.children
    if node.name == "table":
        direction = node.declared_direction or node.letter_direction or direction
        width = min(
            MAX_COLUMNS,
            max((row.width for row in children if isinstance(row, _TableNode)), default=0),
        )
        attributes = ' dir="rtl" width="100%"' if direction == "rtl" else ' dir="ltr"'
        children = [f"<table{node.tag_rest}{attributes}>", *children[1:]]
    elif node.name == "tr" and direction == "rtl":
        cells = [cell for cell in children if isinstance(cell, _TableNode)]
        tags = [tag for tag in children if isinstance(tag, str)]
        children = [*tags[:1], *["<td></td>"] * (width - node.width), *reversed(cells), *tags[1:]]
    for child in children:
        if isinstance(child, _TableNode):
            yield from _write_node(child, direction, width)
        else:
            yield child
