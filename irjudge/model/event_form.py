"""What an event of each kind has to say: a log can come from other hands, and hashes prove no more than that it is one piece."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, get_args

from irjudge.message import Message

REASONS = ("broken", Message("wrong language"), "spam", "other")
Winner = Literal["left", "right", "tie"]
WINNERS: tuple[Winner, ...] = get_args(Winner)
HIGHEST = 2**31 - 1  # of a grade, as qrels hold it
LONGEST = 2**53 - 1  # milliseconds, as every reader of JSON knows them
FURTHEST = 2**40  # place in a text
SHOWN = {
    "document": (1, 1),
    "pair": (2, 2),
    "panel": (0, HIGHEST),
}  # how few and how many documents an item of a type shows
MOST_NESTED = 20  # levels of an action of a page
BROKEN = Message("it does not read as an event")
PAGE, MOST_TOGETHER = (
    "page",
    100,
)  # in a payload: what stood on the page where there was more than one document; how many at most
DEEP = Message("it is nested more than {most} deep", most=MOST_NESTED)
Payload = Mapping[str, Any]


def item_problem(kind: str, type_: str, documents: tuple[str, ...], occurrence: int) -> str | None:
    """Return why something like an item cannot be judged in this way, as the end of a sentence; None when it can.

    >>> item_problem("grade", "document", ("d1",), 1), item_problem("grade", "pair", ("d1", "d2"), 1)
    (None, 'it does not read as an event')
    """
    least, most = SHOWN.get(type_, (1, 0))
    compared = kind == "preference"
    alone = kind in ("grade", "unjudgeable", "adjudicate")
    fits = (
        least <= len(documents) <= most
        and occurrence <= HIGHEST
        and (type_ != "pair" or documents[0] != documents[1])
    )
    return (
        None
        if fits and not (compared and type_ == "document") and not (alone and type_ != "document")
        else BROKEN
    )


def payload_problem(kind: str, payload: Payload) -> str | None:
    """Return what is wrong with the payload of an event of a kind, as the end of a sentence; None when it can be read.

    Whether the project's scale has a grade is another question: scales change.

    >>> payload_problem("grade", {"value": 2}), payload_problem("grade", {"value": "two"})
    (None, 'it does not read as an event')
    """
    if not isinstance(payload, Mapping) or not _whole(payload.get("active_ms", 0), LONGEST):
        return BROKEN
    if kind == "preference":
        return preference_problem(payload)
    form = FORMS.get(kind)
    return None if (form is None or form(payload)) and _page(payload.get(PAGE)) else BROKEN


def action_problem(kind: str, payload: Payload) -> str | None:
    """Return what no page says in the payload of an action of a kind, as the end of a sentence; None where there is nothing of it.

    >>> action_problem("grade", {"value": 2, "scale": "5"}), action_problem("grade", {"value": 2, "mood": "good"})
    (None, 'it has a field that is not known: mood')
    """
    if nested_deeper(payload, MOST_NESTED):
        return DEEP
    unknown = next((name for name in payload if name not in SAID.get(kind, ())), None)
    return (
        None
        if unknown is None
        else Message("it has a field that is not known: {name}", name=unknown[:40])
    )


def nested_deeper(value: Any, most: int) -> bool:
    """Tell whether lists and objects stand in each other more than so many levels deep; however deep it is, that is found."""
    level = [value]
    for _ in range(most):
        level = [part for each in level for part in _parts(each)]
        if not level:
            return False
    return any(isinstance(each, (Mapping, list, tuple)) for each in level)


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        return value.values()
    if isinstance(value, (list, tuple)):
        return value
    return ()


def preference_problem(payload: Payload) -> str | None:
    """Return what is wrong with the payload of a preference event from elsewhere, as the end of a sentence; None when it can be read.

    >>> preference_problem({"winner": "left"}), preference_problem({"winner": "both"})
    (None, "it does not say which side is better, but 'both'")
    """
    winner, strength = payload.get("winner"), payload.get("strength", 1)
    if not isinstance(winner, str) or winner not in WINNERS:
        return Message(
            "it does not say which side is better, but {winner!r}",
            key="no-winner",
            winner=str(winner)[:40],
        )
    if type(strength) is not int or strength not in ((0,) if winner == "tie" else (1, 2)):
        return Message("it does not say how much better the side is", key="no-strength")
    if not all(
        _two(payload.get(name, [0, 0]), _counted)
        for name in ("opens", "dwell_ms", "scrolled", "sizes")
    ):
        return Message("it does not say what was looked at", key="no-views")
    reasons = payload.get("reasons", [])
    if (
        not _text_or_nothing(payload, "note")
        or not isinstance(reasons, list)
        or not all(isinstance(reason, str) for reason in reasons)
    ):
        return Message("its reasons cannot be read", key="unreadable-reasons")
    sides = payload.get("sides", [])
    return (
        None if isinstance(sides, list) and all(isinstance(side, str) for side in sides) else BROKEN
    )


def _page(said: Any) -> bool:
    """Tell whether an event says in a readable way what stood on the page: ids in order, and those of them that could be seen."""
    if said is None:
        return True
    if not isinstance(said, Mapping) or set(said) != {"order", "visible"}:
        return False
    order, visible = said["order"], said["visible"]
    if not all(
        isinstance(ids, (list, tuple)) and {str}.issuperset(map(type, ids))
        for ids in (order, visible)
    ):
        return False
    left = iter(order)  # a planted repeat may stand there twice
    return 1 <= len(order) <= MOST_TOGETHER and all(id in left for id in visible)


def _whole(value: Any, most: int, least: int = 0) -> bool:
    return type(value) is int and least <= value <= most


def _counted(value: Any) -> bool:
    return _whole(value, LONGEST)


def _two(values: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(values, (list, tuple)) and len(values) == 2 and all(map(fits, values))


def _text_or_nothing(payload: Payload, *names: str) -> bool:
    return {type(payload.get(name, "")) for name in names} == {str}


def _text(payload: Payload) -> bool:
    return isinstance(payload.get("text"), str)


def _grade(payload: Payload) -> bool:
    return _whole(payload.get("value"), HIGHEST, -HIGHEST) and _text_or_nothing(
        payload, "scale", "judged", "imported", "paper", "source"
    )


def _unjudgeable(payload: Payload) -> bool:
    return payload.get("reason") in REASONS and _text_or_nothing(
        payload, "judged", "imported", "paper", "source"
    )


def _rationale(payload: Payload) -> bool:
    return _text(payload) and _two(payload.get("position"), lambda place: _whole(place, FURTHEST))


def _decision(payload: Payload) -> bool:
    decided = payload.get("unjudgeable") is True or _whole(payload.get("value"), HIGHEST, -HIGHEST)
    return decided and _text_or_nothing(payload, "scale", "why", "source")


# What the payload of each kind of event has to hold; kinds that are not here need none.
FORMS: dict[str, Callable[[Payload], bool]] = {
    "grade": _grade,
    "unjudgeable": _unjudgeable,
    "unsure": lambda payload: isinstance(payload.get("value"), bool),
    "note": _text,
    "draft": _text,
    "rationale": _rationale,
    "adjudicate": _decision,
}

COMPARED = (
    "winner",
    "strength",
    "reasons",
    "note",
    "opens",
    "dwell_ms",
    "scrolled",
    "sides",
    "sizes",
    "identical",
    "active_ms",
)
# What a page says in the payload of each kind of action, and nothing else.
SAID: dict[str, tuple[str, ...]] = {
    "grade": ("value", "scale", "active_ms", PAGE),
    "unjudgeable": ("reason", "active_ms", PAGE),
    "skip": ("active_ms", PAGE),
    "unsure": ("value",),
    "note": ("text",),
    "draft": ("text",),
    "rationale": ("text", "position"),
    "preference": COMPARED,
}
