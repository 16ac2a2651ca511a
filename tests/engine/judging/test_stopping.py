"""Tests of stopping rules: the curve of relevant documents, random samples, and claims."""

from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.judging import (
    AdjudicationRecorder,
    RelevanceHistory,
    Session,
    compute_source_shares,
    describe_relevance_trend,
    draw_sample,
    exclude_assessor,
    grades_by_assessor,
    iter_claims,
    list_relevance_histories,
    project_labels,
    read_relevance,
    read_votes,
)
from irjudge.judging.sources import map_retrieved_pairs
from irjudge.judging.stopping import (
    RelevanceTrend,
    classify_trend,
    compute_sample_statuses,
    is_past_knee,
)
from irjudge.model import Event, Item
from irjudge.stats import RecallCertificate
from irjudge.store import Project, open_project

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


def grade(
    project: Project,
    assessor: str,
    document: str,
    value: int,
    *,
    day: int = 1,
    occurrence: int = 1,
    text: str = "",
) -> None:
    project.events.append(
        Event(
            assessor,
            "grade",
            Item(TOPIC, (document,), (text,), occurrence=occurrence),
            f"2026-01-{day:02}T00:00:00.000Z",
            {"value": value, "scale": project.scale.version, "active_ms": 0},
            None,
            project.events.head(assessor),
        )
    )


def test_votes_are_first_judgments_of_the_current_text(project_file: Path) -> None:
    with open_project(project_file) as project:
        grade(project, "ann", "d1", 0)
        grade(project, "ann", "d1", 3, occurrence=2)  # shown again to measure consistency
        grade(project, "ann", "d2", 1, text="00" * 32)  # another text of the document
        assert read_votes(project) == {(TOPIC, "d1"): {"ann": 0}}
        assert list_relevance_histories(project, 1) == {
            TOPIC: RelevanceHistory(TOPIC, ("d1",), (False,))
        }


def test_a_vote_under_the_main_id_takes_precedence(project_file: Path) -> None:
    with open_project(project_file) as project:
        project.sessions.set_first_id("an id", "main")
        grade(project, "main", "d1", 1, day=1)
        grade(project, "an id", "d1", 0, day=2)
        grade(project, "an id", "d2", 2, day=2)
        # as in the labels from which the consensus is computed
        assert grades_by_assessor(project_labels(project)) == {
            "main": {(TOPIC, "d1"): 1, (TOPIC, "d2"): 2}
        }
        assert read_votes(project) == {(TOPIC, "d1"): {"main": 1}, (TOPIC, "d2"): {"main": 2}}


def test_times_of_excluded_assessors_do_not_order_the_history(project_file: Path) -> None:
    with open_project(project_file) as project:
        grade(project, "ann", "d1", 1, day=2)
        grade(project, "ann", "d2", 0, day=3)
        grade(project, "bob", "d2", 0, day=1)
        exclude_assessor(project, "bob")
        history = list_relevance_histories(project, 1)[TOPIC]
        assert (history.documents, history.documents_since_relevant) == (("d1", "d2"), 1)


def test_the_history_begins_with_the_first_judgment_of_each_document(project_file: Path) -> None:
    with open_project(project_file) as project:
        project.events.append(
            Event("ann", "skip", Item(TOPIC, ("d1",), ("",)), "2026-01-01T00:00:00.000Z", {})
        )
        grade(project, "ann", "d2", 0, day=2)
        grade(project, "ann", "d1", 1, day=3)
        assert list_relevance_histories(project, 1)[TOPIC].documents == ("d2", "d1")


def test_a_document_that_is_unjudgeable_by_consensus_has_no_relevance(project_file: Path) -> None:
    with open_project(project_file) as project:
        grade(project, "ann", "d1", 2)
        grade(project, "bob", "d1", 2)
        for assessor in ("cem", "dan", "eve"):
            project.events.append(
                Event(
                    assessor,
                    "unjudgeable",
                    Item(TOPIC, ("d1",), ("",)),
                    "2026-01-01T00:00:00.000Z",
                    {"reason": "broken", "active_ms": 0},
                )
            )
        assert read_relevance(project, 1) == {(TOPIC, "d1"): None}


def test_an_adjudicated_grade_replaces_the_votes_of_assessors(project_file: Path) -> None:
    with open_project(project_file) as project:
        grade(project, "ann", "d1", 0)
        grade(project, "bob", "d1", 2)
        recorder = AdjudicationRecorder(project)
        assert read_relevance(project, 1) == {(TOPIC, "d1"): True}  # a tie
        recorder.decide(TOPIC, project.collection.document("d1"), 0)
        recorder.decide(TOPIC, project.collection.document("d5"), 3)  # judged by nobody
        assert read_relevance(project, 1) == {(TOPIC, "d1"): False, (TOPIC, "d5"): True}
        sample = draw_sample(project, TOPIC, 100, rel=1)
        assert (sample.found, "d5" in sample.documents) == (1, False)


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
