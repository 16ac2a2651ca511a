"""Tests of options declared once: the codec, the conditions and the command line."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import click
import pytest
from click.testing import CliRunner

from irjudge.cli.options import given_options, options_of
from irjudge.errors import IrjudgeError
from irjudge.exchange import AssignmentRequest
from irjudge.options import Option, When, build_options, decode, encode, option_fields
from irjudge.web import SessionRequest


@dataclass(frozen=True, kw_only=True)
class Inner:
    depth: Annotated[int | None, Option("Depth.", minimum=1, maximum=9)] = None
    names: Annotated[tuple[str, ...], Option("Names.", flags=("--name",))] = ()


@dataclass(frozen=True, kw_only=True)
class Outer:
    count: Annotated[int, Option("Count.", minimum=2)] = 3
    share: Annotated[float, Option("Share.", above=0, maximum=1, show_default=False)] = 1.0
    way: Annotated[Literal["a", "b"], Option("Way.")] = "a"
    inner: Inner = field(default_factory=Inner)
    flag: Annotated[bool, Option("Flag.", when=(When("way", ("b",)),))] = False
    code: Annotated[str, Option("Code.", when=(When("file"),))] = ""
    file: Annotated[Path | None, Option("File.")] = None
    price: Annotated[tuple[float, float] | None, Option("Price.", metavar="IN OUT")] = None
    pace: Annotated[int, Option("Pace.", when=(When("file"),))] = 7
    secret: Annotated[str, Option("Secret.", stored=False)] = ""
    note: str = ""  # not an option


FULL = Outer(
    count=5,
    share=0.5,
    way="b",
    inner=Inner(depth=4, names=("x", "y")),
    flag=True,
    file=Path("f"),
    price=(1.0, 2.0),
)


def call(*arguments: str) -> tuple[Any, Any]:
    seen: list[Any] = []

    @click.command()
    @options_of(Outer)
    def probe(options: Outer) -> None:
        seen.extend((options, given_options()))

    result = CliRunner().invoke(probe, arguments, standalone_mode=False, catch_exceptions=False)
    if result.exception:
        raise result.exception
    return seen[0], seen[1]


def test_options_of_groups_take_the_position_of_the_group() -> None:
    names = [each.name for each in option_fields(Outer)]
    assert names[:6] == ["count", "share", "way", "depth", "names", "flag"]
    assert [each.group for each in option_fields(Outer)][3:5] == [("inner",)] * 2


def test_encoded_options_are_decoded_to_the_same_options() -> None:
    assert decode(Outer, encode(FULL)) == FULL
    assert encode(Outer()) == {} and decode(Outer, {}) == Outer()
    assert encode(Outer(secret="s")) == {}
    assert encode(FULL, skip=("count",)).keys() == encode(FULL).keys() - {"count"}


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"count": "3"}, "options.count"),
        ({"count": True}, "options.count"),
        ({"count": 1}, "options.count"),
        ({"count": 2.5}, "options.count"),
        ({"count": None}, "options.count"),
        ({"share": 0}, "options.share"),
        ({"share": 1.5}, "options.share"),
        ({"share": float("nan")}, "options.share"),
        ({"way": "c"}, "options.way"),
        ({"way": ["a"]}, "options.way"),
        ({"flag": 1}, "options.flag"),
        ({"code": 1}, "options.code"),
        ({"file": 3}, "options.file"),
        ({"price": [1.0]}, "options.price"),
        ({"price": [1.0, "2"]}, "options.price[1]"),
        ({"inner": {"depth": 10}}, "options.inner.depth"),
        ({"inner": {"depth": True}}, "options.inner.depth"),
        ({"inner": {"names": "x"}}, "options.inner.names"),
        ({"inner": {"names": ["x", 1]}}, "options.inner.names[1]"),
        ({"inner": 3}, "options.inner"),
        ({"inner": {"width": 1}}, "options.inner.width"),
        ({"width": 1}, "options.width"),
        ({"note": "x"}, "options.note"),
        ([], "options"),
    ],
)
def test_an_invalid_value_is_refused_with_its_path(data: Any, path: str) -> None:
    with pytest.raises(IrjudgeError) as error:
        decode(Outer, data)
    assert error.value.values["path"] == path


def test_the_command_line_builds_the_dataclass() -> None:
    text = "--count 5 --share 0.5 --way b --depth 4 --name x --name y --flag --file f"
    options, given = call(*text.split(), "--price", "1", "2")
    assert options == FULL
    assert given >= {"count", "depth", "names"} and not given & {"code", "secret"}


def test_a_given_default_is_distinguished_from_an_omitted_option() -> None:
    assert "count" in call("--count", "3")[1]
    assert "count" not in call()[1]
    assert call("--count", "3")[0] == call()[0] == Outer()


@pytest.mark.parametrize("arguments", [["--count", "1"], ["--share", "0"], ["--depth", "10"]])
def test_a_value_outside_its_range_is_a_usage_error(arguments: list[str]) -> None:
    with pytest.raises(click.UsageError):
        call(*arguments)


@pytest.mark.parametrize(
    ("arguments", "values"),
    [
        (["--flag"], {"option": "--flag", "other": "--way", "values": "b"}),
        (["--code", "x"], {"option": "--code", "other": "--file"}),
        (["--pace", "7"], {"option": "--pace", "other": "--file"}),
    ],
)
def test_an_option_without_effect_is_refused(arguments: list[str], values: dict[str, str]) -> None:
    with pytest.raises(IrjudgeError) as error:
        call(*arguments)
    assert error.value.key == "option-without-condition" and error.value.values == values


def test_fields_that_are_not_options_keep_their_default() -> None:
    assert build_options(Outer, {("count",): 4, ("inner", "depth"): 2}) == Outer(
        count=4, inner=Inner(depth=2)
    )


def test_a_form_offers_only_values_that_the_option_accepts() -> None:
    offered = [
        (each, value)
        for declared in (AssignmentRequest, SessionRequest)
        for each in option_fields(declared)
        if each.option.form and each.choices
        for value, _ in each.option.form.choices
    ]
    assert {"order", "join"} <= {each.name for each, _ in offered}
    for each, value in offered:
        assert value in each.choices or (value is None and each.optional), each.name
