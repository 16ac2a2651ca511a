"""Tests of judging in the order of active learning: next documents, and replay of the log."""

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from irjudge.exchange import (
    forecast_work,
    make_workflow,
    read_project_status,
    read_work_status,
)
from irjudge.formats.rankings import read_qrels
from irjudge.judging import (
    LearningOptions,
    LearningSession,
    Session,
    build_extended_pool,
    compute_source_shares,
    list_judged_rows,
    load_postings,
    read_learning_options,
    read_term_reasons,
    set_learning_options,
)
from irjudge.judging import active_learning as learning
from irjudge.judging.active_learning import TopicLearner
from irjudge.judging.consensus import combine_votes
from irjudge.judging.ledger import get_ledger
from irjudge.judging.sources import map_retrieved_pairs, read_source
from irjudge.model import Event, make_run
from irjudge.pooling import make_learner
from irjudge.progress import SILENT
from irjudge.store import Project, create_project, import_sources, open_project, sample_sources
from tests.pools import depth_pool

SAMPLE = Path(__file__).parents[3] / "sample_collections" / "everyday"
TOPIC = "1"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the everyday collection without runs and qrels.

    Eight documents per topic are judged.
    """
    path = tmp_path_factory.mktemp("learning") / "learnt.irjudge"
    sources, scale = sample_sources("everyday")
    with create_project(path, scale=scale) as project:
        project.set_setting("seed", "1")  # otherwise each run would draw another
        import_sources(project, replace(sources, runs=(), qrels=()))
        set_learning_options(project, LearningOptions(rel=2, size=8))
    return path


@pytest.fixture(scope="module")
def grades() -> dict[tuple[str, str], int]:
    return {
        (topic, document): grade
        for topic, document, grade in read_qrels(SAMPLE / "qrels.txt").rows()
    }


@pytest.fixture
def path(sample: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(sample, tmp_path))


def session_in(project: Project, folder: Path, assessor: str | None = None) -> LearningSession:
    options = read_learning_options(project)
    assert options is not None
    return LearningSession(project, load_postings(project, folder), options, assessor)


def learned_judgments(project: Project) -> list[Event]:
    """Return the owner's current judgments of documents that active learning selected."""
    events = get_ledger(project).judgments()
    return [event for event in events if read_source(event) == "learnt"]


def judge(
    session: LearningSession, grades: dict[tuple[str, str], int], count: int, *, ahead: bool = False
) -> list[str]:
    """Grade by the qrels; with `ahead` compute the next document in advance, as the window does."""
    shown, work = [], session.current()
    for _ in range(count):
        assert work is not None
        if ahead and (look := session.look_ahead()):
            session.take(look(SILENT))
        session.grade(work, grades.get((work.topic.id, work.document.id), 0))
        shown.append(work.document.id)
        work = session.advance()
    return shown


def test_learning_needs_no_pool_and_finds_more_than_the_order_of_bm25(
    path: Path, tmp_path: Path, grades
) -> None:
    with open_project(path) as project:
        session = session_in(project, tmp_path)
        shown = judge(session, grades, 8)
        relevant = [
            document for (topic, document), grade in grades.items() if topic == TOPIC and grade >= 2
        ]
        assert len(set(shown) & set(relevant)) >= len(relevant) * 0.7
        assert session.count(TOPIC).left == 0 and session.count_relevant(TOPIC) == len(
            set(shown) & set(relevant)
        )
        work = session.current()
        assert work is not None and work.topic.id == session.topics[1]


def test_documents_that_are_not_selected_yet_are_left_to_judge(
    path: Path, tmp_path: Path, grades
) -> None:
    with open_project(path) as project:
        session = session_in(project, tmp_path)
        total = 8 * len(session.topics)
        judge(session, grades, 10)
        assert session.count().left == total - 10
        work_status = read_work_status(project)
        assert len(work_status.judgments) == 10
        assert forecast_work(work_status, date(2026, 1, 1)).left == total - 10
        status = read_project_status(project, date(2026, 1, 1))
        assert (status.judged, status.judgeable) == (10, total)
        assert make_workflow(status).current_stage == "judge"


def test_the_last_unjudged_document_is_shown_again_when_it_is_skipped(
    path: Path, tmp_path: Path, grades
) -> None:
    with open_project(path) as project:
        set_learning_options(project, LearningOptions(rel=2, size=1))
        session = session_in(project, tmp_path)
        judge(session, grades, len(session.topics) - 1)
        work = session.current()
        assert work is not None
        session.skip(work)
        again = session.advance()
        assert again is not None and again.document.id == work.document.id
        session.grade(again, 0)
        assert session.advance() is None


def test_computing_ahead_gives_the_same_choice(path: Path, tmp_path: Path, grades) -> None:
    other = Path(shutil.copy(path, tmp_path / "other.irjudge"))
    with open_project(path) as project, open_project(other) as again:
        assert judge(session_in(project, tmp_path), grades, 12) == judge(
            session_in(again, tmp_path), grades, 12, ahead=True
        )


def test_the_next_topic_is_prepared_during_the_last_document(
    path: Path, tmp_path: Path, grades, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    monkeypatch.setattr(
        learning,
        "make_learner",
        lambda postings, topic, seed: made.append(topic.id) or make_learner(postings, topic, seed),
    )
    with open_project(path) as project:
        session = session_in(project, tmp_path)
        judge(session, grades, 7)
        coming = session.queue.topics[1]
        assert made == [TOPIC]
        session.take(session.look_ahead()(SILENT))
        assert made == [TOPIC, coming] and session.look_ahead() is None
        session.grade(session.current(), 0)
        work = session.advance()
        assert work is not None and work.topic.id == coming and made == [TOPIC, coming], (
            "no call waits for the computation"
        )


def test_an_unvisited_topic_opens_with_the_learner_s_choice(path: Path, tmp_path: Path) -> None:
    with open_project(path) as project:
        session = session_in(project, tmp_path)
        topic = session.topics[2]
        work = session.open_topic(topic)
        assert work.topic.id == topic and session.current() == work
        session.grade(work, 0)
        items = [each.item for each in learned_judgments(project)]
        assert [(item.topic, item.documents) for item in items] == [(topic, (work.document.id,))]
        session.advance()
        assert session.open_topic(topic).document.id == session.queue.documents(topic)[1], (
            "what is open there comes again"
        )


def test_the_order_is_reproduced_from_the_log(path: Path, tmp_path: Path, grades) -> None:
    with open_project(path) as project:
        shown = judge(session_in(project, tmp_path), grades, 8)
    with open_project(path) as project:
        choices = learned_judgments(project)
        assert [each.item.documents[0] for each in choices] == shown
        learner = TopicLearner(
            load_postings(project, tmp_path), project.collection.topics()[0], project.seed
        )
        # with the same judgments in the order of the log it chooses the same documents for the same
        # reasons
        for each in choices:
            proposal = learner.propose()
            assert proposal is not None and (proposal.document,) == each.item.documents
            assert [term for term, _ in proposal.as_payload()] == [
                reason.term for reason in read_term_reasons(each)
            ]
            learner.tell(proposal.document, relevant=int(each.payload["value"]) >= 2)
        assert any(
            "tide" in {reason.term for reason in read_term_reasons(each)} for each in choices
        )
        assert session_in(project, tmp_path).current().topic.id != TOPIC


def test_undo_skip_and_changed_grades_are_learned_from(path: Path, tmp_path: Path, grades) -> None:
    with open_project(path) as project:
        session = session_in(project, tmp_path)
        first, second = judge(session, grades, 2)
        shown = session.current()
        session.undo()
        assert session.current().document.id == second and session.count(TOPIC).judged == 1
        session.grade(session.current(), grades.get((TOPIC, second), 0))
        assert session.advance().document.id == shown.document.id
        put_off = session.current()
        session.skip(put_off)
        after = session.advance()
        assert after.document.id not in (put_off.document.id, first, second)
        rest = judge(session, grades, 6)
        assert rest[-1] == put_off.document.id, "what was put off comes at the end of its topic"
        item = session.queue.topic_items(TOPIC)[0]
        # another grade changes neither the reason nor the position
        session.grade(session.open_item(item), 0)
        judgments = learned_judgments(project)
        assert judgments[0].item.documents == (first,) and len(judgments) == 8


def test_retrieved_documents_are_a_separate_part_of_the_pool(
    path: Path, tmp_path: Path, grades
) -> None:
    with open_project(path) as project:
        assert build_extended_pool(project) is None
        shown = judge(session_in(project, tmp_path), grades, 3)
        pool = build_extended_pool(project)
        assert (
            pool is not None
            and pool.document.to_pylist() == shown
            and not pool.is_sample
            and set(map_retrieved_pairs(project).values()) == {"learnt"}
        )
        run = make_run(
            "bm25", [("2", "spring-neap", 2.0), (TOPIC, shown[0], 2.0), ("2", shown[1], 1.0)]
        )
        project.rankings.add_run(run, "")
        project.rankings.add_pool(depth_pool([run], 10))
        pool = build_extended_pool(project)
        rows = list(
            zip(
                (pool.topics[code] for code in pool.topic),
                pool.document.to_pylist(),
                pool.stratum.tolist(),
                strict=True,
            )
        )
        assert [row for row in rows if row[0] == TOPIC] == [
            (TOPIC, shown[0], 0),
            (TOPIC, shown[1], 1),
            (TOPIC, shown[2], 1),
        ]
        assert pool.contribution_starts[-1] == len(pool.contribution_run) == 3
        judged = {(topic, document): grade for topic, document, grade in list_judged_rows(project)}
        shares = {
            each.source: (each.judged, each.relevant)
            for each in compute_source_shares(project, judged, 2)
        }
        assert shares["pool"][0] == 1 and shares["learnt"][0] == 2


def test_a_searched_document_is_judged_outside_the_pool(path: Path, tmp_path: Path) -> None:
    with open_project(path) as project:
        run = make_run("bm25", [(TOPIC, "spring-neap", 2.0)])
        project.rankings.add_run(run, "")
        project.rankings.add_pool(depth_pool([run], 10))
        session = Session(project)
        current_item = session.current()
        other = next(
            each
            for each in project.collection.ids_of(range(1, 9)).values()
            if each != "spring-neap"
        )
        session.grade_retrieved(TOPIC, other, 3)
        assert (
            session.current() == current_item
            and session.count(TOPIC).judged == 1
            and session.count(TOPIC).assigned == 2
        )
        session.grade_retrieved(TOPIC, "spring-neap", 1)  # the pool contains it
        assert map_retrieved_pairs(project) == {(TOPIC, other): "search"}
    with open_project(path) as project:
        session = Session(project)
        assert (
            session.queue.documents(TOPIC) == ("spring-neap", other) and session.count().left == 0
        )
        session.undo()
        session.undo()
        assert map_retrieved_pairs(project) == {} and session.count(TOPIC).judged == 0


def test_several_assessors_train_one_learner_and_ties_are_relevant(
    path: Path, tmp_path: Path, grades
) -> None:
    with open_project(path) as project:
        shown = judge(session_in(project, tmp_path, "ann"), grades, 4)
        session = session_in(project, tmp_path, "bob")
        assert session.current().document.id not in shown, (
            "what ann judged teaches bob's learner and is not shown again"
        )
    assert [combine_votes(values, None, 2) for values in ([2, 0], [0, 0, 2], [-2], [-2, 3])] == [
        True,
        False,
        None,
        True,
    ]


KILLED = """
import sys
from pathlib import Path
from irjudge.judging.active_learning import read_learning_options, load_postings
from irjudge.judging.learning_session import LearningSession
from irjudge.store.project import open_project
with open_project(Path(sys.argv[1])) as project:
    session = LearningSession(project, load_postings(project, Path(sys.argv[2])), read_learning_options(project))
    work = session.current()
    while work is not None:
        session.grade(work, len(work.document.id) % 4)
        print(work.topic.id, work.document.id, flush=True)
        work = session.advance()
"""


@pytest.mark.slow
def test_a_killed_process_loses_no_choice(sample: Path, tmp_path: Path, full: bool) -> None:
    """Two hundred kills with --full.

    Saved events are in the log in order, and the next process continues after them.
    """
    whole = Path(shutil.copy(sample, tmp_path / "whole.irjudge"))
    run = [sys.executable, "-P", "-c", KILLED]
    wanted = subprocess.run(
        [*run, whole, tmp_path], check=True, capture_output=True, text=True
    ).stdout.split("\n")[:-1]
    stored: list[str] = []
    for kill in range(200 if full else 2):
        if kill == 0 or len(stored) > len(wanted) - 12:
            path, stored = Path(shutil.copy(sample, tmp_path / f"{kill}.irjudge")), []
        with subprocess.Popen([*run, path, tmp_path], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            output = [process.stdout.readline().strip() for _ in range(1 + kill % 3)]
            os.kill(process.pid, signal.SIGKILL)
            output += [line.strip() for line in process.stdout if line.endswith("\n")]
        with open_project(path) as project:
            assert project.verify_events() == ()
            before = stored
            items = [event.item for event in learned_judgments(project)]
            stored = [f"{item.topic} {item.documents[0]}" for item in items]
        assert stored[: len(before) + len(output)] == before + output, (
            "every judgment reported as saved is stored"
        )
        assert stored == wanted[: len(stored)], (
            "the order equals that of a process that was not killed"
        )
