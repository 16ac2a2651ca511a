"""Tests of stopping rules: the curve of relevant documents, random samples, and claims."""

from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.judging import (
    RelevanceHistory,
    Session,
    compute_source_shares,
    describe_relevance_trend,
    draw_sample,
    iter_claims,
    list_relevance_histories,
)
from irjudge.judging.sources import map_retrieved_pairs
from irjudge.judging.stopping import (
    RelevanceTrend,
    classify_trend,
    compute_sample_statuses,
    is_past_knee,
)
from irjudge.stats import RecallCertificate
from irjudge.store import open_project

TOPIC = "051"  # of the small project: d0 to d5 of twelve documents are pooled


def make_history(pattern: str) -> RelevanceHistory:
    """Return a history: 1 for a relevant document, 0 for another, in the order of judging."""
    return RelevanceHistory(
        "t", tuple(map(str, range(len(pattern)))), tuple(each == "1" for each in pattern)
    )


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("1010", RelevanceTrend.LITTLE),
        ("0" * 40, RelevanceTrend.NONE),
        (
            "1" * 10 + "1" * 8 + "00" + "0" * 10 + "0" * 10,
            RelevanceTrend.ENDED,
        ),  # none in the last quarter
        (
            "1111111111" + "1111111111" + "1111110000" + "1100000000",
            RelevanceTrend.ENDED,
        ),  # 2 · 2 / (6 − 2) = 1 left of 28
        (
            "1111100000" + "1111100000" + "1111110000" + "1111000000",
            RelevanceTrend.SOME,
        ),  # 8 left of 20, by 4 · 4 / (6 − 4)
        (
            "1111100000" + "1111100000" + "1111111000" + "1111110000",
            RelevanceTrend.OPEN,
        ),  # 36 left of 23: more than the judged ones
        (
            "1111100000" + "1111100000" + "1111100000" + "1111000000",
            RelevanceTrend.AS_MANY,
        ),  # 16 left of 19
        (
            "1000000000" + "1000000000" + "1100000000" + "1110000000",
            RelevanceTrend.OPEN,
        ),  # relevant documents become more frequent
    ],
)
def test_the_decay_of_relevant_documents_is_not_shown_as_a_number(
    pattern: str, expected: RelevanceTrend
) -> None:
    assert classify_trend(make_history(pattern)) is expected
    assert not any(letter.isdigit() for letter in str(expected.value))


def test_a_knee_is_where_relevant_documents_become_much_rarer() -> None:
    assert (
        is_past_knee(make_history("1" * 20 + "0" * 3000))
        and not is_past_knee(make_history("10" * 40))
        and not is_past_knee(make_history("0" * 40))
    )
    _, dry, knee = describe_relevance_trend(make_history("1" * 20 + "0" * 3000))
    assert (dry.key, dry.values, knee.key) == ("dry", {"count": "3000"}, "knee")


def judge_all(session: Session, relevant: set[str]) -> None:
    work = session.open_topic(TOPIC)
    while work is not None and session.count(TOPIC).left:
        session.grade(work, 2 if work.document.id in relevant else 0)
        work = session.advance()


def test_a_sample_is_drawn_judged_and_described(project_file: Path) -> None:
    relevant = {"d0", "d1", "d7"}
    with open_project(project_file) as project:
        judge_all(Session(project), relevant)
        assert list_relevance_histories(project, 1)[TOPIC].relevant_count == 2
        sample = draw_sample(project, TOPIC, 4, rel=1, planned_samples=2)
        assert (sample.rest, sample.found, len(sample.documents)) == (6, 2, 4) and not {
            *sample.documents
        } & {f"d{n}" for n in range(6)}
        with pytest.raises(IrjudgeError, match="not been judged completely"):
            draw_sample(project, TOPIC, 4, rel=1)
        session = Session(project)
        assert session.open_topic(TOPIC).document.id in sample.documents
        (status,) = compute_sample_statuses(project, TOPIC)
        assert status.certificate is None and [*iter_claims(project)] == [], (
            "a part of a sample says nothing"
        )
        judge_all(session, relevant)
        (status,) = compute_sample_statuses(project, TOPIC)
        hit = len(relevant & {*sample.documents})
        assert status.certificate == RecallCertificate(2, 6, 4, hit, looks=2)
        assert {
            source
            for pair, source in map_retrieved_pairs(project).items()
            if pair[1] in sample.documents
        } == {"drawn"}
        assert any(" 2 planned looks" in each for each in iter_claims(project))
        grades = {(TOPIC, document): 1 for document in sample.documents}
        assert [(each.source, each.judged) for each in compute_source_shares(project, grades)] == [
            ("drawn", 4)
        ]
    with open_project(project_file) as project:
        last = draw_sample(project, TOPIC, 9, rel=1, planned_samples=9)
        assert last.looks == 2 and len(last.documents) == last.rest == 2, (
            "what was planned stays, and no more is drawn than is left"
        )
        judge_all(Session(project), relevant)
        assert compute_sample_statuses(project, TOPIC)[-1].certificate.recall == 1.0, (
            "all is judged"
        )
        with pytest.raises(IrjudgeError, match="2 planned looks"):
            draw_sample(project, TOPIC, 1, rel=1)
