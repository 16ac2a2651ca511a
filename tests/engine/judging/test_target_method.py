"""Tests of the target method: a search that does not know a sample must find it."""

import random
import shutil
from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.judging import (
    LearningOptions,
    LearningSession,
    TargetStatus,
    compute_target_statuses,
    draw_targets,
    iter_claims,
    load_postings,
    read_learning_options,
    set_learning_options,
    start_target_search,
)
from irjudge.judging.sources import map_retrieved_pairs
from irjudge.model import Document, Scale, Topic
from irjudge.store import Project, create_project, open_project

OWN = "tide moon sea harbour wave ebb".split()
NOISE = [f"word{number}" for number in range(120)]
DOCUMENTS, RELEVANT = 240, 60


def is_relevant(document: str) -> bool:
    return int(document[1:]) < RELEVANT


@pytest.fixture(scope="module")
def template_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return documents of which a quarter is relevant and contains some words more often."""
    path, chance = tmp_path_factory.mktemp("target") / "made.irjudge", random.Random(1)
    with create_project(path, scale=Scale.parse("0-1")) as project:
        project.set_setting("seed", "3")
        project.collection.add_topics([Topic("1", "tide")])
        texts = (
            chance.choices(NOISE, k=40)
            + chance.choices(
                OWN, k=chance.randint(2, 6) if number < RELEVANT else chance.randint(0, 1)
            )
            for number in range(DOCUMENTS)
        )
        project.collection.add_documents(
            Document(f"d{number}", " ".join(words).encode()) for number, words in enumerate(texts)
        )
        set_learning_options(project, LearningOptions(1, 5))
    return path


@pytest.fixture
def path(template_project: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(template_project, tmp_path))


def session_in(project: Project, folder: Path) -> LearningSession:
    options = read_learning_options(project)
    assert options is not None
    return LearningSession(project, load_postings(project, folder), options)


def judge(session: LearningSession, limit: int) -> list[str]:
    """Judge up to `most` documents; the last one presented is not judged."""
    shown, work = [], session.current()
    while work is not None and len(shown) < limit:
        session.grade(work, int(is_relevant(work.document.id)))
        shown.append(work.document.id)
        work = session.advance()
    return shown


def target_status(project: Project) -> TargetStatus:
    return compute_target_statuses(project)["1"]


def draw_enough(project: Project, folder: Path) -> tuple[str, ...]:
    while not draw_targets(project, "1", rel=1) or not target_status(project).is_sampled:
        with pytest.raises(IrjudgeError, match="not been judged completely"):
            draw_targets(project, "1", rel=1)
        with pytest.raises(IrjudgeError, match="fewer than 10"):
            start_target_search(project, "1")
        waiting = len(target_status(project).sample.documents) - target_status(project).judged
        assert set(judge(session_in(project, folder), waiting)) <= {
            *target_status(project).sample.documents
        }, "sampled documents come first"
        if target_status(project).is_sampled:
            break
    return target_status(project).sample.documents


@pytest.mark.slow
def test_an_independent_search_finds_the_sample(path: Path, tmp_path: Path) -> None:
    other = Path(shutil.copy(path, tmp_path / "undrawn.irjudge"))
    with open_project(path) as project:
        sampled = draw_enough(project, tmp_path)
        assert (
            len(sampled) == 50
            and target_status(project).relevant >= 10
            and [*iter_claims(project)] == []
        )
        with pytest.raises(IrjudgeError, match="Enough documents"):
            draw_targets(project, "1", rel=1)
        start_target_search(project, "1")
        shown = judge(session_in(project, tmp_path), 12)
        assert 0 < target_status(project).found_count < 10 and [*iter_claims(project)] == []
    with open_project(path) as project:  # after it is opened again, it continues in the same way
        session = session_in(project, tmp_path)
        while not target_status(project).complete:
            shown += judge(session, 1)
        relevant_documents = {document for document in (*shown, *sampled) if is_relevant(document)}
        assert len(relevant_documents) / RELEVANT >= 0.7
        claim, rests = iter_claims(project)
        assert (
            claim.startswith("Topic 1: ")
            and " 0.7 " in claim
            and "95 %" in claim
            and "240 unjudged documents" in rests
            and "judged: 50" in rests
        )
        assert session.count("1").left == 0 and set(map_retrieved_pairs(project).values()) == {
            "drawn",
            "learnt",
        }
        assert not {*shown} & {*sampled} and len(shown) > 5, (
            "no document is judged twice, also beyond the documents of a topic"
        )
        last = target_status(project).sample.again
    with open_project(
        other
    ) as project:  # without a sample the same search finds the same documents
        set_learning_options(project, LearningOptions(1, 200))
        free = judge(session_in(project, tmp_path), len(shown) + len(last))
    assert [document for document in free if document not in sampled] == shown
    assert [document for document in free if document in sampled] == [*last]


def test_a_target_search_does_not_learn_from_the_drawn_documents(
    path: Path, tmp_path: Path
) -> None:
    other = Path(shutil.copy(path, tmp_path / "undrawn.irjudge"))
    with open_project(path) as project:
        sample = draw_enough(project, tmp_path)
        start_target_search(project, "1")
        shown = judge(session_in(project, tmp_path), 4)
    with open_project(other) as project:
        set_learning_options(project, LearningOptions(1, 200))
        without_target = judge(session_in(project, tmp_path), 12)
    expected = [document for document in without_target if document not in sample]
    assert expected[: len(shown)] == shown
