"""Evaluations in the output format of trec_eval: measure, topic, value."""

from collections.abc import Iterator
from functools import lru_cache
from typing import TextIO, TypeAlias

from irjudge.errors import MeasureError
from irjudge.evaluation import ALL_TOPICS, Evaluation, RunScores, printed_value
from irjudge.message import escape_control_characters
from irjudge.metrics import (
    MEASURE_REGISTRY,
    PROFILE_RULES,
    SUMMARY_KEYWORDS,
    TREC_KEYWORDS,
    Alias,
    Measure,
    MeasureDeclaration,
    Profile,
    TextItem,
    parse_measure_name,
)

# Item of the output: a measure and its index in the values, or a text and its index in the texts
Item: TypeAlias = tuple[Measure | TextItem, int]


def write_trec(evaluation: Evaluation, stream: TextIO, *, per_topic: bool = False) -> None:
    """Write an evaluation in trec_eval's format: lines of measure, topic and value.

    If `per_topic` is False, only averages are written.
    """
    has_several_runs = len(evaluation.runs) > 1
    items = [
        item
        for item in _list_printed_items(evaluation)
        if not (has_several_runs and isinstance(item[0], TextItem) and item[0].keyword == "runid")
    ]
    for run in evaluation.runs:
        if has_several_runs:
            stream.write(_format_line("runid", ALL_TOPICS, escape_control_characters(run.run)))
        if per_topic:
            rules = PROFILE_RULES[evaluation.policy.profile]
            order = [
                index
                for index, topic in enumerate(run.topics)
                if not (rules.skips_missing and topic in run.missing)
            ]
            if rules.uses_trec_order:
                order.sort(key=lambda index: run.topics[index])
            for index in order:
                stream.writelines(_iter_topic_lines(evaluation, run, items, index))
        stream.writelines(_iter_summary_lines(evaluation, run, items))


def _list_printed_items(evaluation: Evaluation) -> list[Item]:
    """Return the measures and text items to print, in the order of the profile.

    By default, the run's name is first, then measures in the order in which they were requested,
    then other texts. Profiles of trec_eval use trec_eval's order.
    """
    policy = evaluation.policy
    texts: list[Item] = [(text, index) for index, text in enumerate(evaluation.texts)]
    items: list[Item] = [(measure, index) for index, measure in enumerate(evaluation.measures)]
    items = (
        [text for text in texts if text[0].name == "runid"]
        + items
        + [text for text in texts if text[0].name != "runid"]
    )
    if PROFILE_RULES[policy.profile].uses_trec_order:
        items.sort(key=lambda item: _make_item_sort_key(item[0], policy.rel, policy.profile))
    return items


def _make_item_sort_key(item: Measure | TextItem, rel: int, profile: Profile) -> tuple[int, float]:
    """Return a key that sorts items in trec_eval's order, with ascending cutoffs and levels.

    Items that trec_eval does not have are last.
    """
    if isinstance(item, TextItem):
        return TREC_KEYWORDS.index(item.keyword), 0
    trec_name = _get_trec_name(item, rel, profile)[0]
    cutoff = item.values.get(item.declaration.at) if trec_name and item.declaration.at else None
    return TREC_KEYWORDS.index(trec_name) if trec_name else len(TREC_KEYWORDS), float(
        cutoff
    ) if isinstance(cutoff, int | float) else 0


def _iter_topic_lines(
    evaluation: Evaluation, run: RunScores, items: list[Item], index: int
) -> Iterator[str]:
    policy, topic = evaluation.policy, run.topics[index]
    for item, row in items:
        if isinstance(item, TextItem):
            if run.texts[row]:
                yield _format_line(item.name, topic, f"'{run.texts[row][index]}'")
        elif _get_trec_name(item, policy.rel, policy.profile)[0] not in SUMMARY_KEYWORDS:
            yield trec_line(
                item, topic, float(run.values[row, index]), rel=policy.rel, profile=policy.profile
            )


def _iter_summary_lines(evaluation: Evaluation, run: RunScores, items: list[Item]) -> Iterator[str]:
    policy = evaluation.policy
    for item, row in items:
        if isinstance(item, Measure):
            yield trec_line(
                item, ALL_TOPICS, float(run.summary[row]), rel=policy.rel, profile=policy.profile
            )
        elif item.keyword == "runid":
            yield _format_line("runid", ALL_TOPICS, escape_control_characters(run.run))


def _format_line(name: str, topic: str, value_text: str) -> str:
    return f"{name:<22}\t{topic}\t{value_text}\n"


def trec_line(
    measure: Measure, topic: str, value: float, *, rel: int = 1, profile: Profile = "irjudge"
) -> str:
    """Return a line in trec_eval's format, with four decimals unless the measure is a count.

    >>> (measure,) = parse_measure_name("map")
    >>> trec_line(measure, "all", 0.17846)
    'map                   \\tall\\t0.1785\\n'
    """
    value_text = printed_value(measure, value)
    return _format_line(
        trec_name(measure, rel, profile),
        topic,
        f"{value_text:d}" if isinstance(value_text, int) else f"{value_text:6.4f}",
    )


def trec_name(measure: Measure, rel: int = 1, profile: Profile = "irjudge") -> str:
    """Return trec_eval's name of a measure, or irjudge's name if trec_eval has none.

    >>> [trec_name(parse_measure_name(name)[0]) for name in ("AP", "P@5", "nDCG@10", "RR", "IPrec@0.1", "nDCG(gain=exp2)", "utility.2,-1,0,0")]
    ['map', 'P_5', 'ndcg_cut_10', 'recip_rank', 'iprec_at_recall_0.10', 'nDCG(gain=exp2)', 'utility_2,-1,0,0']
    """
    return _get_trec_name(measure, rel, profile)[1]


def _get_trec_name(measure: Measure, rel: int, profile: Profile) -> tuple[str, str]:
    """Return trec_eval's name of a measure without its suffix, such as a cutoff, and the full name.

    If trec_eval has no name for the measure, the first string is empty, and the second is irjudge's
    name.
    """
    # the typed suffix is an argument of the cached function, since equal measures can differ in it
    return _compute_trec_name(measure, measure.typed_suffix, rel, profile)


@lru_cache(maxsize=1024)
def _compute_trec_name(
    measure: Measure, typed_suffix: str, rel: int, profile: Profile
) -> tuple[str, str]:
    for keyword in TREC_KEYWORDS:
        declaration = MEASURE_REGISTRY.lookup(keyword)
        if declaration is measure.declaration and not _is_parameter_hidden(
            declaration, alias := declaration.alias(keyword), profile
        ):
            name = keyword + _make_name_suffix(declaration, alias, measure, typed_suffix)
            if _parse_single(name, rel, profile) == measure:
                return keyword, name
    return "", measure.name


def _is_parameter_hidden(declaration: MeasureDeclaration, alias: Alias, profile: Profile) -> bool:
    """Return whether trec_eval's name would hide the value of a parameter.

    `rbp`, for example, hides p, which has no default that all programs use.
    """
    return (
        bool(declaration.always)
        and not alias.preset
        and declaration.name not in dict(PROFILE_RULES[profile].presets)
    )


def _make_name_suffix(
    declaration: MeasureDeclaration, alias: Alias, measure: Measure, typed_suffix: str
) -> str:
    """Return the suffix of trec_eval's name of a measure: a cutoff, a level or other parameters.

    It begins with an underscore, or is empty.
    """
    if alias.suffix_parameters and typed_suffix:
        return f"_{typed_suffix}"
    value = measure.values.get(declaration.at) if declaration.at else None
    if value is None or not (alias.bare or declaration.requires_at):
        return ""
    return f"_{value:.2f}" if isinstance(value, float) else f"_{value}"


def _parse_single(name: str, rel: int, profile: Profile) -> Measure | None:
    """Return the measure with a name; None if the name is invalid or means several measures."""
    try:
        measures = parse_measure_name(name, rel=rel, profile=profile)
    except MeasureError:
        return None
    return measures[0] if len(measures) == 1 else None
