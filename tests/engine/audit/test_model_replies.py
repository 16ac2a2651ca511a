"""Tests of reading grades from replies, only if they are unambiguous."""

import json
import math
import time

import pytest

from irjudge.audit.model_replies import parse_grade, read_grade_probabilities, read_reply
from irjudge.audit.model_requests import compute_cost
from tests.engine.audit.chat_responses import chat_response

GRADES = (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("content", "grade"),
    [
        ('{"grade": 2}', 2),
        ('{"grade": "3"}', 3),
        ('```json\n{"grade": 1}\n```', 1),
        ('The text is on tides {and moons}. So: {"grade": 0, "why": "{odd"} as asked.', 0),
        ('<think>{"grade": 3}? No.</think>{"grade": 1}', 1),
        ('{"grade": 0}? No.</think>{"grade": 1}', 1),
        ('<think>a <think>{"grade": 3}</think> {"grade": 2}</think>{"grade": 1}', 1),
        ('{"grade": 1} <think>{"grade": 3}?', 1),
        ('{"why": "about the tags <think> and </think>", "grade": 1}', 1),
        ('{"grade": 1, "why": "about the tag <think>"}\n', 1),
        ('{"grade": 2} I repeat: {"grade": 2}', 2),
    ],
)
def test_grades_are_found_bare_in_fences_and_in_prose(content: str, grade: int) -> None:
    assert (
        read_reply(chat_response(content), GRADES).grade,
        read_reply(chat_response(content), GRADES).reason,
    ) == (
        grade,
        "",
    )


@pytest.mark.parametrize(
    ("raw", "key", "value"),
    [
        (chat_response(""), "empty", ""),
        (chat_response(None), "empty", ""),
        (chat_response("I grade it 3."), "no-grade", ""),
        (chat_response('{"grade": 2'), "no-grade", ""),
        (chat_response('<think>Perhaps {"grade": 2}? But'), "no-grade", ""),
        (chat_response('{"grade": 2}?</think>I cannot say.'), "no-grade", ""),
        (chat_response('{"score": 2}'), "no-grade", ""),
        (chat_response("[3]"), "no-grade", ""),
        (chat_response('{"grade": 4}'), "unknown-grade", "4"),
        (chat_response('{"grade": -1}'), "unknown-grade", "-1"),
        (chat_response('{"grade": true}'), "unknown-grade", "true"),
        (chat_response('{"grade": 1.0}'), "unknown-grade", "1.0"),
        (chat_response('{"grade": null}'), "unknown-grade", "null"),
        (chat_response('{"grade": [1]}'), "unknown-grade", "[1]"),
        (chat_response('{"grade": 0} or {"grade": 3}'), "several-grades", ""),
        (chat_response('{"grade": 3}', refusal="I cannot."), "refused", ""),
        (chat_response('{"grade": 3}', finish="content_filter"), "refused", ""),
        ("", "not-json", ""),
        ("<html>", "not-json", ""),
        ("[" * 100_000, "not-json", ""),
        ("null", "no-message", ""),
        ('{"choices": [3]}', "no-message", ""),
        ('{"grade": 3}', "no-message", ""),
        (chat_response("{" * 100_000), "no-grade", ""),
    ],
)
def test_other_replies_have_no_grade_but_a_reason(raw: str, key: str, value: str) -> None:
    reply = read_reply(raw, GRADES)
    assert (reply.grade, reply.reason.key) == (None, key)
    if value:
        assert (
            value in reply.reason.values.values() and "0, 1, 2, 3" in reply.reason.values.values()
        )


def nest(depth: int, inside: str) -> str:
    return '{"a": ' * depth + inside


LARGE = 4 << 20  # characters of the largest reply
HOSTILE = {
    "objects with a grade": '{"grade": 1}' * (LARGE // 12),
    "thoughts that do not end": "<think>" * (LARGE // 7),
    "thoughts that end before": "</think>" + "<think>" * (LARGE // 7),
    "braces": "{" * LARGE,
    "braces and blanks": "{ " * (LARGE // 2),
    "empty objects": "{}" * (LARGE // 2),
    "keys": '{"' * (LARGE // 2),
    "objects that do not end": nest(200, "[" + "1," * (LARGE // 2)),
    "objects around a string that does not end": nest(200, '"' + "x" * LARGE),
    "objects around braces in a string": nest(200, '"' + "{" * LARGE),
    "objects around escaped braces": nest(200, '"' + '{\\"' * (LARGE // 3)),
    "objects too deep": nest(900, "[1]" + "[" * LARGE),
    "many objects too deep": nest(500, "[" * 1000) * (LARGE // 4000),
    "blanks": '{"grade":' + " " * LARGE,
    "grades and blanks": '"grade":' * 10_000 + " " * LARGE,
    "a number too long": '{"grade": ' + "1" * LARGE,
    "one object with many grades": "{" + '"grade":[[[1]]],' * (LARGE // 17) + '"a":1}',
    "numbers too long": ('{"grade": ' + "1" * 4301 + "} ") * (LARGE // 4320),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOSTILE)
def test_the_largest_reply_is_read_within_a_second(kind: str) -> None:
    content = HOSTILE[kind][:LARGE]
    raw = json.loads(chat_response('{"grade": 2}'))
    logprobs = {"content": [{"token": content, "top_logprobs": []}]}
    for message, tokens in ((content, None), ('{"grade": 2}', logprobs)):
        raw["choices"][0]["message"]["content"] = message
        raw["choices"][0]["logprobs"] = tokens
        text = json.dumps(raw)
        begun = time.process_time()
        reply = read_reply(text, GRADES)
        assert time.process_time() - begun < 1
        assert reply.grade == (2 if tokens else None)
        assert tokens or reply.reason
    begun = time.process_time()
    assert read_reply(content, GRADES).grade is None
    assert time.process_time() - begun < 1


def test_a_grade_among_many_braces_is_found() -> None:
    prose = "{x} { } {'y'} " * 5000
    assert read_reply(chat_response(prose + '{"grade": 2}' + prose), GRADES).grade == 2


HUGE = 10**4000


@pytest.mark.parametrize("count", [HUGE, -1, True, 1e400, float("nan"), "7", [7], {"a": 7}, None])
def test_an_impossible_token_count_is_ignored(count: object) -> None:
    raw = json.loads(chat_response('{"grade": 2}'))
    raw["usage"] = {"prompt_tokens": count, "completion_tokens": count}
    reply = read_reply(json.dumps(raw), GRADES)
    assert (reply.grade, reply.input_tokens, reply.output_tokens) == (2, 0, 0)
    assert compute_cost((reply.input_tokens, reply.output_tokens), (1.0, 1.0)) == 0


@pytest.mark.parametrize("logprob", [HUGE, -HUGE, float("nan"), float("inf"), "x", None, [1], True])
def test_an_impossible_log_probability_does_not_change_the_grade(logprob: object) -> None:
    raw = json.loads(chat_response('{"grade": 2}'))
    likely = [{"token": "2", "logprob": logprob}, {"token": "1", "logprob": -1.0}]
    tokens = [{"token": '{"grade": '}, {"token": "2", "top_logprobs": likely}, {"token": "}"}]
    raw["choices"][0]["logprobs"] = {"content": tokens}
    reply = read_reply(json.dumps(raw), GRADES)
    assert reply.grade == 2
    assert reply.probabilities == () or sum(reply.probabilities) == pytest.approx(1)


@pytest.mark.parametrize(
    "value", ["[" * 900 + "]" * 900, str(HUGE), "1e999", "NaN", '"' + "9" * 5000 + '"']
)
def test_an_invalid_grade_has_a_short_reason(value: str) -> None:
    reply = read_reply(chat_response(f'{{"grade": {value}}}'), GRADES)
    assert reply.grade is None and reply.reason and len(reply.reason) < 100


def test_characters_that_files_cannot_contain_are_replaced() -> None:
    reply = read_reply(
        '{"model": "m\\ud800", "choices": [{"message": {"content": "a\\u0000\\udfff"}}]}', GRADES
    )
    assert (reply.content + reply.version).encode() and "\0" not in reply.content


def test_token_counts_and_version_come_from_the_server_only() -> None:
    reply = read_reply(chat_response('{"grade": 1}', usage=(120, 7)), GRADES)
    assert (reply.input_tokens, reply.output_tokens, reply.version) == (120, 7, "tiny-1")
    assert read_reply('{"usage": {"prompt_tokens": "x"}, "model": 3}', GRADES).input_tokens == 0


def token(text: str, **likely: float) -> dict[str, object]:
    """Return a token, with the probabilities of alternatives."""
    top = [
        {"token": each.replace("_", " "), "logprob": math.log(share)}
        for each, share in likely.items()
    ]
    return {"token": text, "logprob": -1.0, "top_logprobs": top}


SURE = token("2", **{"2": 0.5, "_1": 0.25, "9": 0.2, "None": 0.05})


@pytest.mark.parametrize(
    ("tokens", "shares"),
    [
        ([token('{"grade": '), SURE, token("}")], (0, 1 / 3, 2 / 3, 0)),
        (
            [
                token('{"'),
                token("grade"),
                token('":'),
                token(" 2", **{" 2": 0.3, "0}": 0.1}),
                token("}"),
            ],
            (0.25, 0, 0.75, 0),
        ),
        (
            [token('{"grade": 3} or {"grade": '), SURE],
            (0, 1 / 3, 2 / 3, 0),
        ),  # the last one is the answer
        ([token('{"grade": '), token("3", **{"3": 1.0})], ()),  # another grade than in the reply
        ([token('{"grade": 2}', **{"2": 1.0})], ()),  # the token is longer than the grade
        ([token('{"grade": '), {"token": "2"}], ()),
        ([token('{"grade": '), token("2", no=0.9)], ()),
        ([], ()),
        ("strange", ()),
        ([None], ()),
    ],
)
def test_probabilities_of_tokens_become_those_of_grades(
    tokens: object, shares: tuple[float, ...]
) -> None:
    raw = json.loads(chat_response('{"grade": 2}'))
    raw["choices"][0]["logprobs"] = {"content": tokens}
    reply = read_reply(json.dumps(raw), GRADES)
    assert reply.grade == 2 and reply.probabilities == pytest.approx(shares)


def test_grades_of_two_digits_have_no_probabilities() -> None:
    assert read_grade_probabilities({"content": [token('{"grade": '), SURE]}, 2, (0, 2, 10)) == ()


def test_text_before_and_after_thoughts_is_not_joined() -> None:
    reply = read_reply(chat_response('{"grade": "sk-<think>1</think>secret"}'), (0, 1))
    assert reply.grade is None
    assert "sk-secret" not in reply.reason


@pytest.mark.parametrize(
    ("answer", "grade"),
    [
        ('{"grade": 1, "grade": 2}', None),
        ('{"grade": 2, "why": "x", "grade": "2"}', None),
        ('{"grade": 1, "grade": [1]}', None),
        ('{"grade": 1, "grade": 2305843009213693951}', None),
        ("{" + ", ".join(f'"grade": {k * (2**61 - 1)}' for k in range(20_000)) + "}", None),
        ('{"grade": 1, "grade": 1}', 1),
        ('{"why": "x", "why": "y", "grade": 1}', 1),
        ('{"grade": 2, "other": {"grade": 1, "grade": 0}}', 2),
    ],
)
def test_a_duplicate_grade_key_is_invalid(answer: str, grade: int | None) -> None:
    assert parse_grade(answer, (0, 1, 2))[0] == grade
