"""Tests of judging answers: citations, nuggets and whole answers, blind, and the result table."""

from dataclasses import replace
from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.exchange import AssignmentOptions, assign_pool, parse_candidates
from irjudge.judging import AnswerMaterial, Session, build_answer_table, create_answer_project
from irjudge.judging.answers import AnswerReport
from irjudge.model import CitedAnswer, Document, Nugget, Sentence, make_qrels
from irjudge.store import Project, open_project

FIRST = CitedAnswer(
    "7",
    "alpha-sys",
    (Sentence("Tides <rise>.", ("d1", "d2")), Sentence("So.")),
    ("d1", "d2"),
    "what are tides",
)
SECOND = CitedAnswer("7", "beta-sys", (Sentence("They fall.", ("d2", "d9")),), ("d2", "d9"))
PASSAGES = {
    "d1": Document("d1", b"The sea rises & falls.", "On <tides>"),
    "d2": Document("d2", b"<p>Ebb</p><script>x</script>", "", "html"),
}
NUGGETS = {"7": (Nugget("Tides rise", "vital"), Nugget("Tides fall", "okay"))}
MATERIAL = AnswerMaterial(PASSAGES, NUGGETS)


@pytest.fixture
def create_project(tmp_path: Path):
    def made(
        task: str, answers: tuple[CitedAnswer, ...] = (FIRST, SECOND)
    ) -> tuple[Path, AnswerReport]:
        return tmp_path / f"{task}.irjudge", create_answer_project(
            tmp_path / f"{task}.irjudge", task, answers, MATERIAL
        )

    return made


def grade_all(path: Path, *grades: int) -> None:
    with open_project(path) as project:
        session = Session(project)
        for grade in grades:
            session.grade(session.advance(), grade)


def table(path: Path) -> list[tuple[str | int, ...]]:
    with open_project(path, writing=False) as project:
        return build_answer_table(project)[1]


def test_each_citation_is_judged_with_its_sentence_and_passage(create_project):
    path, done = create_project("support")
    assert (done.answers, done.topics, done.items) == (2, 1, 3)
    (warning,) = done.warnings
    assert warning.values == {"count": "1", "first": "d9"}
    with open_project(path) as project:
        assert project.scale.name == "citation support"
        assert [topic.title for topic in project.collection.topics()] == ["what are tides"]
        shown = [
            document
            for document in project.collection.documents()
            if "&lt;rise&gt;" in document.text
        ]
        assert [document.title.partition(", ")[2] for document in shown] == [
            "sentence 1, citation 1 of 2",
            "sentence 1, citation 2 of 2",
        ]
        assert shown[0].text.startswith(
            "<p><b>Tides &lt;rise&gt;.</b> So.</p>\n<hr>\n<p><b>On &lt;tides&gt;</b></p>"
        )
        assert "script" not in shown[1].text and "Ebb" in shown[1].text


def test_assigned_files_do_not_reveal_the_system_of_an_answer(create_project, tmp_path):
    for task in ("support", "nuggets", "whole"):
        path, _ = create_project(task)
        with open_project(path) as project:
            done = assign_pool(
                project, parse_candidates("ann"), AssignmentOptions(), tmp_path / task
            )
            assert all(b"-sys" not in file.path.read_bytes() for file in done.files)
            assert all(
                "-sys" not in document.id + document.title + document.text
                for document in project.collection.documents()
            )


def test_sentences_of_an_answer_are_presented_in_order(create_project, tmp_path):
    sentences = tuple(Sentence(f"Sentence {number}.", ("d1", "d2")) for number in range(1, 11))
    path, _ = create_project("support", (CitedAnswer("7", "s", sentences, ("d1", "d2")), SECOND))
    with open_project(path) as project:
        pooled = project.rankings.pool().document.to_pylist()
        assert [item.document for item in Session(project).queue.topic_items("7")] == pooled
        done = assign_pool(
            project, parse_candidates("ann,bob"), AssignmentOptions(overlap=2), tmp_path
        )
    for file in done.files:
        with open_project(file.path) as task:
            assert [
                item.document for item in Session(task, task.owner).queue.topic_items("7")
            ] == pooled


def test_letters_do_not_follow_the_order_of_systems(create_project, tmp_path):
    def letters(answers: tuple[CitedAnswer, ...], name: str) -> dict[str, str]:
        create_answer_project(tmp_path / name, "whole", answers, MATERIAL)
        with open_project(tmp_path / name) as project:
            return {
                run.name: project.rankings.run(run.name).document.to_pylist()[0]
                for run in project.rankings.runs()
            }

    assert letters((FIRST, SECOND), "a.irjudge") == letters((SECOND, FIRST), "b.irjudge")
    firsts = set()
    for number in range(8):
        pair = (
            CitedAnswer("7", "alpha-sys", (Sentence(f"a{number}"),)),
            CitedAnswer("7", "beta-sys", (Sentence(f"b{number}"),)),
        )
        firsts.add(letters(pair, f"{number}.irjudge")["alpha-sys"])
    assert firsts == {"7.A", "7.B"}


def test_judgments_are_exported_with_their_system(create_project):
    path, _ = create_project("support")
    with open_project(path) as project:
        order = [
            project.collection.document(name).title
            for name in project.rankings.pool().document.to_pylist()
        ]
    assert order == sorted(order)
    grade_all(path, 2, 0)
    result = table(path)
    assert [row[:4] for row in result] == [
        ("alpha-sys", "7", 1, "d1"),
        ("alpha-sys", "7", 1, "d2"),
        ("alpha-sys", "7", 2, ""),
        ("beta-sys", "7", 1, "d2"),
        ("beta-sys", "7", 1, "d9"),
    ]
    support = {row[:4]: row[4] for row in result}
    with open_project(path) as project:
        first = project.rankings.run(
            "alpha-sys" if "7.A" in order_of(project, "alpha-sys")[0] else "beta-sys"
        ).name
    expected = (
        ["full", "none", "", "", ""] if first == "alpha-sys" else ["none", "", "", "full", ""]
    )
    assert list(support.values()) == expected


def test_a_document_cited_twice_in_a_sentence_has_a_grade_for_each_citation(create_project):
    answer = replace(FIRST, sentences=(Sentence("Tides rise.", ("d2", "d1", "d2")),))
    path, done = create_project("support", (answer,))
    assert done.items == 3
    grade_all(path, 2, 1, 0)
    assert [row[2:] for row in table(path)] == [
        (1, "d2", "full"),
        (1, "d1", "partial"),
        (1, "d2", "none"),
    ]


def order_of(project: Project, run: str) -> list[str]:
    return project.rankings.run(run).document.to_pylist()


def test_nuggets_are_judged_in_each_answer_and_by_themselves(create_project):
    path, done = create_project("nuggets")
    assert done.items == 4
    grade_all(path, 2, 1, 0, 2)
    result = table(path)
    assert [row[2:] for row in result] == [
        ("Tides rise", "vital", "support"),
        ("Tides fall", "okay", "partial_support"),
        ("Tides rise", "vital", "not_support"),
        ("Tides fall", "okay", "support"),
    ]
    assert [row[0] for row in result] in (
        ["alpha-sys"] * 2 + ["beta-sys"] * 2,
        ["beta-sys"] * 2 + ["alpha-sys"] * 2,
    )
    path, done = create_project("importance")
    assert (done.items, done.warnings) == (2, ())
    grade_all(path, 1, 0)
    assert table(path) == [("7", "Tides rise", "vital"), ("7", "Tides fall", "okay")]
    path, _ = create_project("whole")
    whose = {row[2]: row[0] for row in table(path)}
    assert set(whose) == {"7.A", "7.B"} and set(whose.values()) == {"alpha-sys", "beta-sys"}
    grade_all(path, 3)
    assert [row[1:] for row in table(path)] == [("7", "7.A", 3), ("7", "7.B", "")]


def test_unjudgeable_input_is_reported(create_project):
    with pytest.raises(IrjudgeError, match="alpha-sys answers topic 7 twice"):
        create_project("whole", (FIRST, FIRST))
    bare = CitedAnswer("8", "alpha-sys", (Sentence("So."),))
    with pytest.raises(IrjudgeError) as error:
        create_project("support", (bare,))
    assert error.value.key == "nothing-to-judge"
    assert error.value.values["task"] == "support"
    path, done = create_project("nuggets", (FIRST, bare))
    (warning,) = done.warnings
    assert warning.values == {"count": "1", "example": "8"}
    path.unlink()


class CountedName(str):
    """Name that counts how often names are compared."""

    __slots__ = ()
    comparisons = 0

    def __eq__(self, other: object) -> bool:
        CountedName.comparisons += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


@pytest.mark.parametrize("topic_count", [1, 50])
def test_answers_of_many_systems_are_compared_with_few_others(
    create_project, topic_count: int
) -> None:
    answers = [
        CitedAnswer(str(number % topic_count), CountedName(f"r{number}"), FIRST.sentences)
        for number in range(100)
    ]
    CountedName.comparisons = 0
    _, report = create_project("whole", tuple(answers))
    assert (report.answers, report.items, report.topics) == (100, 100, topic_count)
    assert CountedName.comparisons < 1000  # each pair of systems: 4,950


def test_other_projects_are_not_answer_projects(project_file):
    with (
        open_project(project_file) as project,
        pytest.raises(IrjudgeError) as error,
    ):
        build_answer_table(project)
    assert error.value.key == "not-of-answers"


def test_ranks_of_contributions_begin_at_1_in_each_topic(create_project):
    answers = [replace(answer, topic=topic) for topic in ("7", "8") for answer in (FIRST, SECOND)]
    path, _ = create_project("support", tuple(answers))
    with open_project(path, writing=False) as project:
        pool = project.rankings.pool()
        assert pool.contribution_rank.tolist() == [1, 2, 1, 1, 2, 1]


@pytest.mark.parametrize(
    ("task", "scale"), [("support", "0, 1, 2"), ("nuggets", "0, 1, 2"), ("importance", "0, 1")]
)
def test_imported_grades_that_are_not_on_the_scale_are_named(
    create_project, task: str, scale: str
) -> None:
    path, _ = create_project(task)
    with open_project(path) as project:
        (document, *_) = project.rankings.pool().document.to_pylist()
        project.rankings.add_qrels("other", make_qrels([("7", document, 3)]))
        with pytest.raises(IrjudgeError) as error:
            build_answer_table(project)
    assert error.value.key == "off-scale-answer"
    assert error.value.values == {"item": document, "grade": "3", "scale": scale}


@pytest.mark.parametrize("task", ["support", "nuggets"])
def test_an_answer_that_is_too_long_to_be_shown_with_each_item_is_refused(
    create_project, monkeypatch, task
):
    """FIRST has more characters than 10 and several citations; each topic has two nuggets."""
    characters = sum(len(sentence.text) for sentence in FIRST.sentences)
    monkeypatch.setattr("irjudge.judging.answers.MAX_SHOWN_CHARACTERS", 2 * characters - 1)
    with pytest.raises(IrjudgeError) as error:
        create_project(task, (FIRST,))
    assert (error.value.key, error.value.values["characters"]) == ("long-answer", str(characters))
