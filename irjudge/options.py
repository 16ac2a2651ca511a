"""Options declared once, as annotated fields of a dataclass.

The command line, the window's forms and the JSON codec are made from the same declaration:

    @dataclass(frozen=True, slots=True, kw_only=True)
    class SessionOptions:
        overlap: Annotated[int, Option("Judgments per document.", minimum=1)] = 1

A field whose type is another such dataclass is a group. The options of the group are listed at the
position of the field.
"""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache, reduce
from numbers import Integral
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from irjudge.errors import IrjudgeError
from irjudge.message import Message, join_choices, join_messages

Options = TypeVar("Options")


@dataclass(frozen=True, slots=True)
class When:
    """Condition of an option: another option must have one of `values`.

    Without values, the other option must not be empty. If the condition is not met, forms hide the
    option; on the command line, using the option is an error if the condition is `enforced`, and
    has no effect if not.
    """

    option: str  # field name of the other option
    values: tuple[Any, ...] = ()
    enforced: bool = field(default=True, kw_only=True)

    def holds(self, options: Any) -> bool:
        """Return whether the condition is met by the values in `options`."""
        value = getattr(options, self.option)
        return value in self.values if self.values else bool(value)


@dataclass(frozen=True, slots=True)
class FormField:
    """Presentation of an option in the window's forms: label, other texts, choices, and maximum.

    Initial value, maximum and texts of choices can differ from those on the command line. The form
    makes a checkbox, a list of choices, a number field or a text field.
    """

    label: str
    unit: str = field(default="", kw_only=True)  # text after a number field or of a checkbox
    tip: str = field(default="", kw_only=True)  # tooltip; empty for no tooltip
    placeholder: str = field(default="", kw_only=True)  # only for text fields
    # choices and their texts, in display order; empty for the names on the command line
    choices: tuple[tuple[Any, str], ...] = field(default=(), kw_only=True)
    # initial value, except of checkboxes, which are unchecked; None for the option's default
    initial: Any = field(default=None, kw_only=True)
    maximum: int | None = field(default=None, kw_only=True)  # None for the option's maximum
    # value of the option if its checkbox is checked; an option with a value other than True has a
    # checkbox even if its type is not bool
    value: Any = field(default=True, kw_only=True)
    advanced: bool = field(default=False, kw_only=True)  # whether shown under "More options"


@dataclass(frozen=True, slots=True)
class Option:
    """Declaration of an option: help, flags, range, choices, and where it is shown and stored.

    It annotates a field of a dataclass, from which command line, form and JSON codec are made.
    """

    help: str
    # flags on the command line; if empty, one flag is derived from the field name
    flags: tuple[str, ...] = field(default=(), kw_only=True)
    minimum: float | None = field(default=None, kw_only=True)
    above: float | None = field(default=None, kw_only=True)  # exclusive minimum
    maximum: float | None = field(default=None, kw_only=True)
    # allowed values; if empty, the values of the field's `Literal` type, if it has one
    choices: tuple[str, ...] = field(default=(), kw_only=True)
    metavar: str | None = field(default=None, kw_only=True)
    required: bool = field(default=False, kw_only=True)
    # whether the help shows the default; None to show it if it is a text or a number other than 0
    show_default: bool | None = field(default=None, kw_only=True)
    kind: str = field(default="", kw_only=True)  # syntax of a text, such as `topics`
    when: tuple[When, ...] = field(default=(), kw_only=True)  # all conditions must be met
    group: str = field(default="", kw_only=True)  # heading of the option's group in a form
    # presentation in a form; None to use the field name as the label and `help` as the tooltip
    form: FormField | None = field(default=None, kw_only=True)
    in_form: bool = field(default=True, kw_only=True)  # whether forms contain the option
    stored: bool = field(default=True, kw_only=True)  # whether the option is stored in files


# options that many commands share

ONLY_HELP = "Use only this topic; may be repeated. 401-405 means all ids in that range."
OnlyOption = Annotated[str, Option(ONLY_HELP, flags=("--topic",), kind="topics", metavar="TOPIC")]
SourceOption = Annotated[
    str | None,
    Option(
        'Which qrels of a project to use: "consensus", "judged here", "assessor NAME", or the '
        'name of imported qrels; or the labels of a model: "model NAME", or "mixed:NAME" for '
        "human grades where available and the model's labels for all other documents. Default: "
        "the first available qrels, never a model's labels.",
        flags=("--source",),
        metavar="NAME",
    ),
]
SheetOption = Annotated[
    str,
    Option(
        "Sheet to read in a spreadsheet. Default: the first sheet with the required columns.",
        metavar="NAME",
    ),
]
ClusterOption = Annotated[
    str | None,
    Option(
        'Where to run: "local" for processes on all cores of this computer, or the address of '
        "a Dask scheduler such as tls://host:8786, with the certificates of Dask's "
        "configuration. With tcp://, anyone who can reach the scheduler can run code as you. "
        "The values are the same everywhere, bit for bit. All workers must be able to open the "
        "files, or the project, at the same paths.",
        kind="cluster",
        metavar="local|ADDRESS",
    ),
]


@dataclass(frozen=True, slots=True)
class OptionField:
    """Option of a dataclass: its declaration, and the name, type and default of its field."""

    name: str
    option: Option
    type: Any  # type of a single value, without None
    default: Any
    optional: bool = False  # whether the value may be None
    repeated: bool = False
    count: int = 1  # number of values that follow the flag
    # path to the dataclass with the option: names of the fields that contain it, outermost first
    group: tuple[str, ...] = ()

    @property
    def choices(self) -> tuple[Any, ...]:
        """Possible values; empty if any value is allowed."""
        return self.option.choices or (
            get_args(self.type) if get_origin(self.type) is Literal else ()
        )

    @property
    def flag(self) -> str:
        """Long flag on the command line, or the first flag if there is no long one."""
        flags = self.option.flags or ("--" + self.name.replace("_", "-"),)
        return next((flag for flag in flags if flag.startswith("--")), flags[0])


def describe_choices(descriptions: Mapping[Any, str]) -> str:
    """Return a part of a help text that describes each choice.

    >>> describe_choices({"a": "the first", "b": "the second"})
    'a: the first; b: the second.'
    """
    return "; ".join(f"{name}: {text}" for name, text in descriptions.items()) + "."


@cache
def option_fields(options_class: Hashable) -> tuple[OptionField, ...]:
    """Return the options of a dataclass, in the order of its fields.

    The options of a group are listed at the position of the group.
    """
    return tuple(_iter_option_fields(cast(type, options_class), ()))


def _iter_option_fields(options_class: type, group: tuple[str, ...]) -> Iterator[OptionField]:
    hints = get_type_hints(options_class, include_extras=True)
    for declared_field in fields(options_class):
        annotation = hints[declared_field.name]
        if isinstance(next(iter(get_args(annotation)[1:]), None), Option):
            default = (
                declared_field.default
                if declared_field.default_factory is MISSING
                else declared_field.default_factory()
            )
            default = None if default is MISSING else default
            yield declare_option(annotation, declared_field.name, default, group=group)
        elif is_dataclass(annotation) and isinstance(annotation, type):
            yield from _iter_option_fields(annotation, (*group, declared_field.name))


def declare_option(
    annotation: Any, name: str, default: Any = None, *, group: tuple[str, ...] = ()
) -> OptionField:
    """Return the option that an annotated type declares for a field name."""
    type_hint, option = get_args(annotation)[:2]
    types = [
        alternative for alternative in _list_alternatives(type_hint) if alternative is not NoneType
    ]
    optional = len(types) < len(_list_alternatives(type_hint))
    value_type = types[0] if len(types) == 1 else Union[tuple(types)]  # noqa: UP007 -- made from a list
    item_types = get_args(value_type) if get_origin(value_type) is tuple else ()
    is_repeated = item_types[1:] == (...,)
    return OptionField(
        name,
        option,
        item_types[0] if item_types else value_type,
        default,
        optional=optional,
        repeated=is_repeated,
        count=len(item_types) if item_types and not is_repeated else 1,
        group=group,
    )


def _list_alternatives(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def build_options(options_class: type[Options], values: Mapping[tuple[str, ...], Any]) -> Options:
    """Build a dataclass of options from values.

    The key of a value is the path of its field: the names of the groups, then the field name.
    Fields without a value get their default.
    """
    field_values: dict[str, Any] = {
        path[0]: value for path, value in values.items() if len(path) == 1
    }
    hints = get_type_hints(options_class)
    for name in dict.fromkeys(path[0] for path in values if len(path) > 1):
        group_values = {path[1:]: value for path, value in values.items() if path[0] == name}
        field_values[name] = build_options(hints[name], group_values)
    return options_class(**field_values)


def unmet_conditions(options: Any, option_field: OptionField) -> Iterator[When]:
    """Yield the conditions of an option that are not met by the values in `options`."""
    group_options = reduce(getattr, option_field.group, options)
    for condition in option_field.option.when:
        if not condition.holds(
            group_options if hasattr(group_options, condition.option) else options
        ):
            yield condition


def check_conditions(options: Any, explicit_names: Collection[str]) -> None:
    """Raise IrjudgeError if an option was given but its enforced condition is not met.

    Empty options are ignored.
    """
    declarations = option_fields(cast(Hashable, type(options)))
    flags = {declaration.name: declaration.flag for declaration in declarations}
    for declaration in declarations:
        if declaration.name not in explicit_names or not _read_value(options, declaration):
            continue
        for condition in unmet_conditions(options, declaration):
            if condition.enforced:
                raise _make_condition_error(
                    declaration.flag, flags[condition.option], condition.values
                )


def refuse_others(options: Any, name: str, allowed_names: Collection[str]) -> None:
    """Raise IrjudgeError if options that the option `name` ignores differ from their defaults."""
    declarations = option_fields(cast(Hashable, type(options)))
    flags = [
        declaration.flag
        for declaration in declarations
        if declaration.name not in (name, *allowed_names)
        and _read_value(options, declaration) != declaration.default
    ]
    if flags:
        raise IrjudgeError(
            "{options} cannot be combined with {other}.",
            key="options-without-effect",
            options=join_messages(flags),
            other=next(each.flag for each in declarations if each.name == name),
        )


def _read_value(options: Any, option_field: OptionField) -> Any:
    return getattr(reduce(getattr, option_field.group, options), option_field.name)


def _make_condition_error(flag: str, other_flag: str, values: tuple[Any, ...]) -> IrjudgeError:
    key = "option-without-condition"
    if not values:
        return IrjudgeError("{option} needs {other}.", key=key, option=flag, other=other_flag)
    return IrjudgeError(
        "{option} applies only to {other} {values}.",
        key=key,
        option=flag,
        other=other_flag,
        values=join_choices(map(str, values)),
    )


# Conversion of options to and from JSON data


def encode(options: Any, *, skip: Collection[str] = ()) -> dict[str, Any]:
    """Return the options that are stored in files and differ from their defaults, as JSON data."""
    data: dict[str, Any] = {}
    for option_field in option_fields(cast(Hashable, type(options))):
        value = _read_value(options, option_field)
        if (
            value == option_field.default
            or not option_field.option.stored
            or option_field.name in skip
        ):
            continue
        group_data = data
        for name in option_field.group:
            group_data = group_data.setdefault(name, {})
        group_data[option_field.name] = _encode(value)
    return data


def _encode(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_encode(element) for element in value]
    return str(value) if isinstance(value, Path) else value


def decode(options_class: type[Options], data: Any, path: str = "options") -> Options:
    """Return options written by `encode`.

    Values are not converted: a number in quotes is not accepted.

    Raises IrjudgeError, with the path of the option, if a value is invalid or a name is unknown.

    Examples
    --------
    >>> from typing import Annotated
    >>> @dataclass(frozen=True)
    ... class Shape:
    ...     sides: Annotated[int, Option("Number of sides.", minimum=3)] = 4
    >>> decode(Shape, {"sides": 5}), decode(Shape, {})
    (Shape(sides=5), Shape(sides=4))
    >>> decode(Shape, {"sides": "5"}, "shape")
    Traceback (most recent call last):
    irjudge.errors.IrjudgeError: shape.sides is "5"; expected a whole number of at least 3.
    """
    if not isinstance(data, Mapping):
        raise _make_value_error(path, data, Message("an object"))
    declarations = option_fields(cast(Hashable, options_class))
    return build_options(options_class, dict(_decode(declarations, data, path, ())))


def _decode(
    option_field: tuple[OptionField, ...],
    data: Mapping[str, Any],
    path: str,
    group: tuple[str, ...],
) -> Iterator[tuple[tuple[str, ...], Any]]:
    depth = len(group)
    fields_of_group = {field.name: field for field in option_field if field.group == group}
    subgroups = {
        field.group[depth]
        for field in option_field
        if len(field.group) > depth and field.group[:depth] == group
    }
    for name, value in data.items():
        value_path = f"{path}.{name}"
        if name in fields_of_group:
            yield (*group, name), _decode_value(fields_of_group[name], value, value_path)
        elif name not in subgroups:
            raise IrjudgeError(
                "Unknown setting {path}; expected one of {names}.",
                path=value_path,
                names=", ".join([*fields_of_group, *sorted(subgroups)]),
            )
        elif not isinstance(value, Mapping):
            raise _make_value_error(value_path, value, Message("an object"))
        else:
            yield from _decode(option_field, value, value_path, (*group, name))


def _decode_value(option_field: OptionField, value: Any, path: str) -> Any:
    if value is None and option_field.optional:
        return None
    if option_field.repeated or option_field.count > 1:
        if not isinstance(value, list) or (
            not option_field.repeated and len(value) != option_field.count
        ):
            raise _make_value_error(path, value, Message("a list"))
        return tuple(
            _decode_single(option_field, element, f"{path}[{index}]")
            for index, element in enumerate(value)
        )
    return _decode_single(option_field, value, path)


def _decode_single(option_field: OptionField, value: Any, path: str) -> Any:
    option, types = option_field.option, _list_alternatives(option_field.type)
    if option_field.choices:
        if value not in option_field.choices or isinstance(value, bool):
            raise _make_value_error(
                path, value, Message("one of {choices}", choices=", ".join(option_field.choices))
            )
        return value
    minimum = option.minimum if option.above is None else option.above
    for value_type in types:
        if (
            value_type in (int, float)
            and isinstance(value, (int, value_type))
            and not isinstance(value, bool)
        ):
            if (
                minimum is None or value > minimum or (value == minimum and option.above is None)
            ) and (option.maximum is None or value <= option.maximum):
                return value_type(value)
        elif value_type is bool and isinstance(value, bool):
            return value
        elif isinstance(value, str) and value_type not in (int, float, bool):
            return value_type(value)
    raise _make_value_error(path, value, _describe_expected(types[0], option))


def _describe_expected(value_type: Any, option: Option) -> Message:
    if value_type is bool:
        return Message("true or false")
    if value_type not in (int, float):
        return Message("text")
    expected_number = Message("a whole number") if value_type is int else Message("a number")
    minimum = option.minimum if option.above is None else option.above
    if minimum is not None and option.maximum is not None:
        return Message(
            "{kind} from {minimum:g} to {maximum:g}",
            kind=expected_number,
            minimum=minimum,
            maximum=option.maximum,
        )
    if minimum is not None:
        return Message("{kind} of at least {minimum:g}", kind=expected_number, minimum=minimum)
    return expected_number


def _make_value_error(path: str, value: Any, expectation: Message) -> IrjudgeError:
    shown_value = f'"{value}"' if isinstance(value, str) else value
    return IrjudgeError(
        "{path} is {value}; expected {expected}.",
        path=path,
        value=shown_value,
        expected=expectation,
    )


# Checks of options in the Python API; the command line checks its own options


def check_choice(option: str, value: object, choices: Sequence[str]) -> None:
    """Raise IrjudgeError, which lists the choices, unless the value is one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise IrjudgeError(
            "{option} must be one of {choices}, got {value}",
            key="unknown-choice",
            option=option,
            choices=", ".join(choices),
            value=repr(value),
        )


def check_whole(option: str, value: object, *, minimum: int) -> None:
    """Raise IrjudgeError unless the value is an integer not less than `minimum`."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < minimum:
        raise IrjudgeError(
            "{option} must be a whole number of at least {minimum}, got {value}",
            key="not-whole",
            option=option,
            minimum=minimum,
            value=repr(value),
        )
