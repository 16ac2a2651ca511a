"""Which keys judge, in the window and in the page for browsers: what they do, and those of the left hand alone."""

from dataclasses import dataclass
from typing import Literal

from irjudge.message import Message

ARROWS = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}  # as a key cap shows them
# Keys that move the focus or the page, press buttons or close menus: nobody could work without them.
MOVING = (
    "Tab",
    "Escape",
    "Return",
    "Space",
    "Left",
    "Right",
    "Up",
    "Down",
    "PageUp",
    "PageDown",
    "Home",
    "End",
)
EDITING = ("Ctrl+C", "Ctrl+X", "Ctrl+V", "Ctrl+A")


@dataclass(frozen=True, slots=True)
class JudgingKey:
    """What can be done while somebody judges, as window and page call it, and its keys; the first is shown."""

    id: str
    text: Message
    keys: tuple[str, ...]
    where: Literal["grade", "compare", ""] = ""  # what it belongs to; empty for both


JUDGING_KEYS = {
    each.id: each
    for each in (
        JudgingKey("skip", Message("skip for now"), ("S",), "grade"),
        JudgingKey("unjudgeable", Message("cannot be judged"), ("X",), "grade"),
        JudgingKey("unsure", Message("unsure"), ("U",), "grade"),
        JudgingKey("note", Message("note"), ("N",), "grade"),
        JudgingKey("reason", Message("keep selection as reason"), ("R",), "grade"),
        JudgingKey("passage", Message("best passage"), ("B",), "grade"),
        JudgingKey("highlight", Message("highlight a word"), ("H",), "grade"),
        JudgingKey("next-hit", Message("next highlighted place"), ("J",), "grade"),
        JudgingKey("previous-hit", Message("previous highlighted place"), ("K",), "grade"),
        JudgingKey("find", Message("find in document"), ("Ctrl+F",), "grade"),
        JudgingKey("find-next", Message("find next"), ("F3",), "grade"),
        JudgingKey("find-previous", Message("find previous"), ("Shift+F3",), "grade"),
        JudgingKey("pages", Message("show pages as pictures"), ("P",), "grade"),
        JudgingKey("jump", Message("documents of a topic"), ("L",), "grade"),
        JudgingKey(
            "search-collection", Message("search in the collection"), ("/", "Ctrl+Shift+F"), "grade"
        ),
        JudgingKey("back", Message("the document judged before"), ("Backspace",), "grade"),
        JudgingKey("several", Message("several documents on a page"), ("I",), "grade"),
        JudgingKey("next-on-page", Message("next document on the page"), ("Alt+Down",), "grade"),
        JudgingKey(
            "previous-on-page", Message("previous document on the page"), ("Alt+Up",), "grade"
        ),
        JudgingKey("left", Message("left better"), ("Left",), "compare"),
        JudgingKey("equal", Message("about equal"), ("0", "="), "compare"),
        JudgingKey("right", Message("right better"), ("Right",), "compare"),
        JudgingKey("much-left", Message("left much better"), ("Shift+Left",), "compare"),
        JudgingKey("much-right", Message("right much better"), ("Shift+Right",), "compare"),
        JudgingKey("open-result", Message("open the result"), ("O",), "compare"),
        JudgingKey("link", Message("scroll together or not"), ("L",), "compare"),
        JudgingKey("same", Message("where the same documents stand"), ("J",), "compare"),
        JudgingKey("panel-note", Message("note"), ("N",), "compare"),
        JudgingKey("later", Message("skip for now"), ("S",), "compare"),
        JudgingKey("undo", Message("undo"), ("Ctrl+Z",)),
        JudgingKey("redo", Message("redo"), ("Ctrl+Shift+Z", "Ctrl+Y")),
        JudgingKey("save-result", Message("save result"), ("Ctrl+S",)),
        JudgingKey("hand-in", Message("hand in"), ("Ctrl+Return",)),
        JudgingKey("help", Message("Instructions"), ("F1",)),
        JudgingKey("shortcuts", Message("All shortcuts"), ("?",)),
        JudgingKey("settings", Message("Settings"), ("Ctrl+,",)),
        JudgingKey("retry", Message("try again to save"), ("F5",)),
    )
}

# The keys of who judges with the left hand alone. What is not named keeps its keys, which are within its reach, or is not needed.
LEFT_HAND: dict[str, tuple[str, ...]] = {
    "grade-0": ("`", "0"),
    "grade-6": ("Q", "6"),
    "grade-7": ("W", "7"),
    "grade-8": ("E", "8"),
    "grade-9": ("R", "9"),
    "unsure": ("D",),
    "note": ("A",),
    "reason": ("F",),
    "highlight": ("G",),
    "jump": ("T",),
    "back": ("Z", "Backspace"),
    "go-on": ("Alt+Z",),
    "previous-hit": ("C",),
    "next-hit": ("V",),
    "hand-in": ("Ctrl+D", "Ctrl+Return"),
    "print": ("Alt+W", "Ctrl+P"),
    "pages": ("Alt+R", "P"),
    "search-collection": ("Alt+E", "/"),
    "several": ("Alt+Q", "I"),
    "next-on-page": ("Alt+V", "Alt+Down"),
    "previous-on-page": ("Alt+G", "Alt+Up"),
    "why-shown": (
        "Alt+A",
    ),  # Y by itself stands where Z is on German keyboards, and that key goes back
    "order": ("Alt+C", "O"),
    "shortcuts": ("Shift+F1", "?"),
    "zoom-out": ("Alt+S", "Ctrl+-"),
    "zoom-reset": ("Alt+D", "Ctrl+0"),
    "zoom-in": ("Alt+F", "Ctrl++", "Ctrl+="),
}
