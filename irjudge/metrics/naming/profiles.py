"""Profiles: whose rules hold where programs that compute the same measure differ."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from irjudge.message import Message

Profile: TypeAlias = Literal["irjudge", "trec_eval-9", "trec_eval-10"]
PROFILES: tuple[Profile, ...] = get_args(Profile)


@dataclass(frozen=True, slots=True)
class ProfileRules:
    """What a profile changes."""

    meaning: str  # in words
    # the value that a measure's parameter `rule` gets where it may have it and a name does not give it; None changes nothing
    rule: str | None = None
    # further parameters of measures where a name does not give them, by the measure's name
    presets: tuple[tuple[str, tuple[tuple[str, float | str], ...]], ...] = ()
    single_scores: bool = (
        False  # whether scores are compared as single-precision numbers, so that more of them tie
    )
    # whether a topic that the run lacks is not printed, and adds 0 to every mean even where a measure of an empty list is not 0
    skips_missing: bool = False
    # whether the number of relevant documents of all topics of the qrels counts grades above 0, whatever the lowest relevant grade
    relevant_above_0: bool = False
    lacks: frozenset[str] = frozenset()  # words of trec_eval that its groups do not have
    # whether `--format trec` prints measures and topics in trec_eval's order, not in the order they were asked for
    in_its_order: bool = True


RULES: dict[Profile, ProfileRules] = {
    "irjudge": ProfileRules(Message("the definitions"), in_its_order=False),
    "trec_eval-9": ProfileRules(
        Message(
            "as trec_eval 9.0.8: scores compared in single precision, recall level x reached with floor(x·R + 0.9) documents"
        ),
        rule="trec9",
        single_scores=True,
        skips_missing=True,
        relevant_above_0=True,
        lacks=frozenset(("rbp", "rbp_resid", "unj")),
    ),
    "trec_eval-10": ProfileRules(
        Message(
            "as trec_eval 10.0: recall level x reached with x·R documents, rounded; "
            "rbp with p = 0.9 and grades divided by the topic's highest"
        ),
        rule="trec10",
        relevant_above_0=True,
        presets=(("RBP", (("p", 0.9), ("gain", "topic"))),),
    ),
}
