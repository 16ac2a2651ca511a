"""What a model's reply says: its grade, or why it has none. Nothing that is not plainly a grade becomes one."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from irjudge.formats.bytes.utf8 import without_half_characters
from irjudge.message import Message

THOUGHTS = re.compile(r"<think>.*?</think>", re.DOTALL)
MOST_OBJECTS = 200  # of a reply that are looked at
LETTERS_SHOWN = 40
GIVEN = re.compile(r'"grade"\s*:\s*"?\s*(?=[0-9])')  # what stands before a grade
TOKEN = re.compile(r"\s*([0-9])(?![0-9])")  # one that begins with a grade of one digit


@dataclass(frozen=True, slots=True)
class ModelReply:
    """One reply of a chat endpoint, read."""

    grade: int | None
    why: str = ""  # there is no grade
    content: str = ""  # what the model wrote
    version: str = ""  # what it calls itself
    probabilities: tuple[
        float, ...
    ] = ()  # of the grades from 0, where the server gave those of the tokens
    # tokens as the server counted them; 0 where it did not
    sent: int = 0
    written: int = 0


def read_reply(raw: str, grades: Sequence[int]) -> ModelReply:
    """Read the body of a reply, in the form of OpenAI's chat completions.

    >>> read_reply('{"choices": [{"message": {"content": "Well: {\\\\"grade\\\\": 2}"}}]}', (0, 1, 2)).grade
    2
    >>> read_reply('{"choices": []}', (0, 1, 2)).why
    'the reply has no message'
    """
    try:
        said = json.loads(raw)
    except (ValueError, RecursionError):
        return ModelReply(None, Message("the reply is no JSON"))
    body = said if isinstance(said, Mapping) else {}
    usage = body.get("usage")
    counts = usage if isinstance(usage, Mapping) else {}
    sent, written = (_count(counts.get(name)) for name in ("prompt_tokens", "completion_tokens"))
    version = body["model"] if isinstance(body.get("model"), str) else ""
    choice = _choice(body)
    grade, why, content = _of_choice(choice, grades)
    shares = grade_probabilities(choice.get("logprobs"), grade, grades) if grade is not None else ()
    return ModelReply(grade, why, _storable(content), _storable(version), shares, sent, written)


def _storable(text: str) -> str:
    return without_half_characters(text).replace("\0", "\N{REPLACEMENT CHARACTER}")


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _choice(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the first choice; an empty one where there is none."""
    choices = body.get("choices")
    return (
        choices[0]
        if isinstance(choices, list) and choices and isinstance(choices[0], Mapping)
        else {}
    )


def _of_choice(choice: Mapping[str, Any], grades: Sequence[int]) -> tuple[int | None, str, str]:
    """Return the grade of a choice, or why there is none, and what the model wrote."""
    message = choice.get("message")
    if not isinstance(message, Mapping):
        return None, Message("the reply has no message"), ""
    content = message["content"] if isinstance(message.get("content"), str) else ""
    if message.get("refusal") or choice.get("finish_reason") == "content_filter":
        return None, Message("the model refused"), content or str(message.get("refusal") or "")
    if not content.strip():
        return None, Message("the answer is empty"), content
    return (*grade_in(content, grades), content)


def grade_in(content: str, grades: Sequence[int]) -> tuple[int | None, str]:
    """Return the grade that an answer gives as JSON, bare, fenced or among prose; else None and why there is none.

    >>> grade_in('```json\\n{"grade": 1}\\n```', (0, 1))
    (1, '')
    >>> grade_in('{"grade": 1} or {"grade": 0}', (0, 1))[1]
    'the answer gives several grades'
    >>> grade_in("I would say 1.", (0, 1))[1]
    'the answer has no JSON with a grade'
    """
    found = {
        json.dumps(each["grade"]): each["grade"]
        for each in _objects(THOUGHTS.sub("", content))
        if "grade" in each
    }
    if len(found) != 1:
        return None, Message("the answer gives several grades") if found else Message(
            "the answer has no JSON with a grade"
        )
    (grade,) = found.values()
    grade = (
        int(grade)
        if isinstance(grade, str) and re.fullmatch(r"[0-9]{1,2}", grade.strip())
        else grade
    )
    if isinstance(grade, bool) or not isinstance(grade, int) or grade not in grades:
        there = ", ".join(map(str, grades))
        return None, Message(
            "the grade {grade} is none of {there}",
            grade=json.dumps(grade)[:LETTERS_SHOWN],
            there=there,
        )
    return grade, ""


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the JSON objects that stand in a text, outermost ones alone."""
    decoder, at = json.JSONDecoder(), 0
    for _ in range(MOST_OBJECTS):
        at = text.find("{", at)
        if at < 0:
            return
        try:
            found, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        if isinstance(found, Mapping):
            yield found


# How sure the model was


def grade_probabilities(logprobs: object, grade: int, grades: Sequence[int]) -> tuple[float, ...]:
    """Return the probabilities of the grades from 0 where the model wrote its grade, renormalised over those that may be answered.

    `logprobs` is what the server says of the tokens, in OpenAI's form: `content`, a list of tokens with `token` and `top_logprobs`. The
    grade that was answered need not be the likeliest, as a server may count before its grammar forbids what is no grade; one that is not
    among the likeliest tokens has 0. Empty where the server says nothing, the token of the grade is not found, or a grade has more than one
    digit and so may be several tokens.

    >>> likely = [{"token": "2", "logprob": -0.2}, {"token": "1", "logprob": -1.9}, {"token": "x", "logprob": -3}]
    >>> said = [{"token": '{"grade": '}, {"token": "2", "top_logprobs": likely}, {"token": "}"}]
    >>> [round(share, 3) for share in grade_probabilities({"content": said}, 2, (0, 1, 2))]
    [0.0, 0.154, 0.846]
    """
    if not grades or max(grades) > 9:
        return ()
    try:
        content: Any = logprobs["content"]  # type: ignore[index]
        likely = _at_the_grade(
            [(str(each["token"]), each.get("top_logprobs")) for each in content], grade
        )
        shares = dict.fromkeys(range(max(grades) + 1), 0.0)
        for each in likely:
            begins = TOKEN.match(str(each["token"]))
            if begins and int(begins[1]) in grades:
                shares[int(begins[1])] += math.exp(min(0.0, float(each["logprob"])))
    except (TypeError, LookupError, ValueError, AttributeError):
        return ()
    total = sum(shares.values())
    return tuple(share / total for share in shares.values()) if total > 0 else ()


def _at_the_grade(tokens: Sequence[tuple[str, Any]], grade: int) -> Sequence[Any]:
    """Return the likeliest tokens where the last grade of an answer stands; none where it is another one than was read."""
    places = [found.end() for found in GIVEN.finditer("".join(token for token, _ in tokens))]
    end = 0
    for token, likely in tokens:
        begin, end = end, end + len(token)
        if places and begin <= places[-1] < end:
            written = TOKEN.match(
                token
            )  # a token that has more before its digit says nothing of the digit alone
            return likely or () if written and int(written[1]) == grade else ()
    return ()
