"""Tests of imported labels of models, which count only if a source names the model."""

import json
from pathlib import Path

import pytest

from irjudge.errors import FormatError, IrjudgeError, ProjectError, Undecided
from irjudge.formats import ReadingOptions
from irjudge.judging import (
    choose_qrels,
    compute_consensus_grades,
    describe_uncounted,
    group_assessors,
    import_judgments,
    list_counted_assessors,
    list_model_qrels,
    list_qrels_choices,
    list_qrels_rows,
    read_model_judgments,
    select_qrels,
)
from irjudge.model import Document, ModelJudge, Scale, Topic, make_run
from irjudge.report.project_exports import judgment_rows
from irjudge.store import Project, Sources, create_project, import_sources, open_project
from tests.pools import depth_pool

PEOPLE = "topic,document,assessor,grade\n051,d0,ann,3\n051,d0,bob,3\n051,d1,ann,0\n051,d1,bob,0\n"
LABELS = "051 0 d0 2\n051 0 d1 2\n051 0 d2 1\n"


@pytest.fixture
def project(project_file: Path):
    with open_project(project_file) as opened:
        yield opened


def import_labels(
    project: Project, tmp_path: Path, text: str, name: str = "labels.txt", **options: object
):
    path = tmp_path / name
    path.write_text(text)
    return import_judgments(project, path, ReadingOptions(**options))  # type: ignore[arg-type]


def model(project: Project, tmp_path: Path, text: str = LABELS, **options: object):
    return import_labels(
        project, tmp_path, text, judge=ModelJudge("gpt-x", asked="2026-05-01"), **options
    )


def test_a_model_s_labels_do_not_vote(project: Project, tmp_path: Path) -> None:
    import_labels(project, tmp_path, PEOPLE, "people.csv")
    before = (
        compute_consensus_grades(project),
        list_qrels_choices(project),
        list_counted_assessors(project),
        group_assessors(project),
    )
    model(project, tmp_path)
    assert (
        compute_consensus_grades(project),
        list_qrels_choices(project),
        list_counted_assessors(project),
        group_assessors(project),
    ) == before
    (warning,) = describe_uncounted(project)
    assert (warning.key, warning.values) == ("models-not-counted", {"names": "gpt-x"})
    for choice in list_model_qrels(project):
        choose_qrels(project, choice.name)
        assert describe_uncounted(project) == ()


def test_a_column_says_which_assessor_is_a_model(project: Project, tmp_path: Path) -> None:
    rows = (
        PEOPLE.replace("grade\n", "grade,kind\n")
        .replace(",3\n", ",3,person\n")
        .replace(",0\n", ",0,\n")
        + "051,d0,gpt-x,1,model\n"
    )
    import_labels(project, tmp_path, rows, "people.csv")
    assert (project.events.assessors(), project.events.models()) == (("ann", "bob"), ("gpt-x",))
    assert compute_consensus_grades(project)["051", "d0"] == 3
    assert project.verify().problems == ()


def test_a_source_names_the_model(project: Project, tmp_path: Path) -> None:
    import_labels(project, tmp_path, PEOPLE, "people.csv")
    model(project, tmp_path)
    own, mixed = list_model_qrels(project)
    assert (own.description, mixed.description) == (
        "model gpt-x (judgments: 3)",
        "mixed:gpt-x (judgments: 3)",
    )
    assert list_qrels_rows(project, select_qrels(project, "model gpt-x")) == [
        ("051", "d0", 2),
        ("051", "d1", 2),
        ("051", "d2", 1),
    ]
    assert list_qrels_rows(project, select_qrels(project, "mixed:gpt-x")) == [
        ("051", "d0", 3),
        ("051", "d1", 0),
        ("051", "d2", 1),
    ]
    choose_qrels(project, "model gpt-x")
    assert select_qrels(project).name == "model gpt-x"
    assert list_qrels_rows(project, select_qrels(project, "mixed:gpt-x"))[1] == ("051", "d1", 0), (
        "people's stay people's"
    )


def test_labels_of_a_model_alone_are_not_default_qrels(project: Project, tmp_path: Path) -> None:
    model(project, tmp_path)
    assert list_qrels_choices(project) == []
    with pytest.raises(ProjectError, match=r"only judgments by models.* model gpt-x"):
        select_qrels(project)


def test_a_line_without_a_valid_grade_is_unjudged_with_a_reason(
    project: Project, tmp_path: Path
) -> None:
    report = model(project, tmp_path, "051 0 d0 7\n051 0 d1 n/a\n051 0 d2 0\n051 0 nosuch 1\n")
    model_judgments = read_model_judgments(project, "gpt-x")
    assert model_judgments.grades == {("051", "d2"): 0}
    assert model_judgments.unjudged.keys() == {("051", "d0"), ("051", "d1")}
    assert (
        "7" in model_judgments.unjudged["051", "d0"]
        and "n/a" in model_judgments.unjudged["051", "d1"]
    )
    warnings = {each.key: each for each in report.warnings}
    assert warnings["no-grade"].all_values["count"] == "2"
    assert "nosuch" in warnings["unknown-pair"]


def test_repeats_are_stored_and_the_last_counts(project: Project, tmp_path: Path) -> None:
    model(project, tmp_path, "051 0 d0 0\n051 0 d0 3\n051 0 d0 3\n051 0 d1 1\n")
    model_judgments = read_model_judgments(project, "gpt-x")
    assert model_judgments.grades == {("051", "d0"): 3, ("051", "d1"): 1}
    assert (model_judgments.repeats, model_judgments.self_agreement) == (
        {("051", "d0"): (0, 3, 3)},
        (pytest.approx(1 / 3), 1),
    )


@pytest.mark.parametrize("newer", [0, 2])
def test_the_grade_of_a_newer_file_replaces_repeated_grades(
    project: Project, tmp_path: Path, newer: int
) -> None:
    model(project, tmp_path, "051 0 d0 0\n051 0 d0 3\n")
    for _ in range(2):
        model(project, tmp_path, f"051 0 d0 {newer}\n", name="newer.txt")
        assert read_model_judgments(project, "gpt-x").grades == {("051", "d0"): newer}
    assert project.events.count() == 3


def test_the_last_grade_of_a_newer_file_counts(project: Project, tmp_path: Path) -> None:
    model(project, tmp_path, "051 0 d0 1\n051 0 d0 2\n")
    for _ in range(2):
        model(project, tmp_path, "051 0 d0 0\n051 0 d0 2\n", name="newer.txt")
        judgments = read_model_judgments(project, "gpt-x")
        assert (judgments.grades, judgments.repeats) == (
            {("051", "d0"): 2},
            {("051", "d0"): (0, 2)},
        )


def test_the_same_file_again_changes_nothing(project: Project, tmp_path: Path) -> None:
    text = "051 0 d0 0\n051 0 d0 3\n051 0 d1 x\n"
    model(project, tmp_path, text)
    count = project.events.count()
    report = model(project, tmp_path, text)
    assert project.events.count() == count == 3
    assert ("known-labels", "3") in [
        (each.key, each.values.get("count")) for each in report.warnings
    ]


def test_an_answer_without_a_grade_after_a_grade_is_imported_once(
    project: Project, tmp_path: Path
) -> None:
    model(project, tmp_path)
    counts = []
    for _ in range(3):
        model(project, tmp_path, "051 0 d0 none\n051 0 d1 2\n", name="again.txt")
        counts.append(project.events.count())
    assert len(set(counts)) == 1
    assert read_model_judgments(project, "gpt-x").grades["051", "d0"] == 2


def test_umbrela_s_fallback_is_not_a_grade(project: Project, tmp_path: Path) -> None:
    rows = [
        {
            "model": "m-2026",
            "qid": "051",
            "docid": "d0",
            "judgment": 2,
            "prediction": "final score: 2",
            "result_status": 1,
        },
        {
            "model": "m-2026",
            "qid": "051",
            "docid": "d1",
            "judgment": 0,
            "prediction": "I cannot",
            "result_status": 0,
        },
    ]
    model(project, tmp_path, "".join(json.dumps(row) + "\n" for row in rows))
    model_judgments = read_model_judgments(project, "gpt-x")
    assert model_judgments.grades == {("051", "d0"): 2}
    assert model_judgments.unjudged.keys() == {("051", "d1")}
    assert "result_status" in model_judgments.unjudged["051", "d1"]
    assert (model_judgments.judge.version, model_judgments.judge.asked) == ("m-2026", "2026-05-01")
    assert next(project.events.read("gpt-x")).payload["answer"] == "final score: 2"


def test_topics_and_documents_are_matched_by_text(project: Project, tmp_path: Path) -> None:
    document, topic = project.collection.document("d0"), project.collection.topics()[0]
    assert document is not None
    rows = [
        {"query": topic.title, "passage": f" {document.text}\n", "judgment": 1},
        {"query": "?", "passage": "unheard", "judgment": 1},
    ]
    report = model(project, tmp_path, "".join(json.dumps(row) + "\n" for row in rows))
    assert read_model_judgments(project, "gpt-x").grades == {(topic.id, "d0"): 1}
    assert "no-such-text" in [each.key for each in report.warnings]


def test_a_label_of_a_text_is_about_the_pooled_documents_with_this_text(
    project: Project, tmp_path: Path
) -> None:
    pooled, topic = project.collection.document("d0"), project.collection.topics()[0]
    assert pooled is not None
    project.collection.add_documents(
        [
            Document("copy", pooled.text.encode()),
            *(Document(id, b"unpooled") for id in ("u1", "u2")),
        ]
    )
    rows = [
        {"query": topic.title, "passage": pooled.text, "judgment": 1},
        {"query": topic.title, "passage": "unpooled", "judgment": 2},
    ]
    model(project, tmp_path, "".join(json.dumps(row) + "\n" for row in rows))
    assert read_model_judgments(project, "gpt-x").grades == {
        (topic.id, "d0"): 1,
        (topic.id, "u1"): 2,
    }


def test_a_label_of_a_text_is_about_the_first_topic_with_this_title(
    project: Project, tmp_path: Path
) -> None:
    project.collection.add_topics([Topic(id, "salt lakes") for id in ("901", "902")])
    document = project.collection.document("d0")
    assert document is not None
    row = {"query": "salt lakes", "passage": document.text, "judgment": 2}
    model(project, tmp_path, json.dumps(row) + "\n")
    assert read_model_judgments(project, "gpt-x").grades == {("901", "d0"): 2}


def test_labels_of_one_text_are_divided_among_the_pooled_documents_with_this_text(
    tmp_path: Path,
) -> None:
    with create_project(tmp_path / "p.irjudge", scale=Scale.parse("0-3")) as made:
        made.collection.add_topics([Topic("1", "jazz bass")])
        ids = [f"d{number}" for number in range(5)]
        made.collection.add_documents([Document(id, b"not found") for id in ids])
        made.rankings.add_pool(depth_pool([make_run("a", [("1", id, 1.0) for id in ids])], 5))
        for count, grades, repeats in (
            (2, [0, 0, 0, 1, 1], []),
            (5, [0, 0, 1, 2, 3], []),
            (6, [0, 1, 1, 2, 3], [(0, 1)]),
        ):
            rows = (
                json.dumps({"query": "jazz bass", "passage": "not found", "judgment": row % 4})
                for row in range(count)
            )
            judge = ModelJudge(f"m{count}")
            import_labels(made, tmp_path, "\n".join(rows), judge=judge)
            judgments = read_model_judgments(made, judge.name)
            assert sorted(judgments.grades.values()) == grades
            assert list(judgments.repeats.values()) == repeats


def test_probabilities_give_the_most_likely_grade(project: Project, tmp_path: Path) -> None:
    text = "topic,document,probability_0,probability_1,probability_2\n051,d0,.1,.2,.7\n051,d1,.5,.5,0\n051,d2,.9,.9,0\n"
    model(project, tmp_path, text)
    assert read_model_judgments(project, "gpt-x").grades == {("051", "d0"): 2, ("051", "d1"): 0}
    assert next(project.events.read("gpt-x")).payload["probabilities"] == [0.1, 0.2, 0.7]


@pytest.mark.parametrize(
    ("options", "people"),
    [({"person": "gpt-4o"}, ("gpt-4o",)), ({"judge": ModelJudge("gpt-4o")}, ())],
)
def test_a_name_that_looks_like_a_model_is_questioned(
    project: Project, tmp_path: Path, options: dict[str, object], people: tuple[str, ...]
) -> None:
    text = "topic,document,assessor,grade\n051,d0,gpt-4o,3\n"
    with pytest.raises(Undecided) as asked:
        import_labels(project, tmp_path, text, "j.csv")
    assert asked.value.key == "model-or-person"
    assert asked.value.values["name"] == "gpt-4o"
    assert (asked.value.options, project.events.count()) == (("judge",), 0)
    import_labels(project, tmp_path, text, "j.csv", **options)
    assert (project.events.assessors(), len(project.events.models())) == (people, 1 - len(people))
    import_labels(project, tmp_path, text, "j.csv")  # the model is known now


def test_a_name_belongs_to_a_person_or_a_model(project: Project, tmp_path: Path) -> None:
    import_labels(project, tmp_path, PEOPLE, "people.csv")
    with pytest.raises(IrjudgeError) as error:
        import_labels(project, tmp_path, LABELS, judge=ModelJudge("ann"))
    assert error.value.key == "name-of-a-person"
    assert error.value.values["name"] == "ann"
    model(project, tmp_path)
    with pytest.raises(FormatError) as error:
        import_labels(
            project,
            tmp_path,
            "topic,document,assessor,grade,kind\n051,d0,gpt-x,1,person\n",
            "j.csv",
        )
    assert error.value.key == "name-of-a-model"
    assert error.value.values["name"] == "gpt-x"


def test_a_reversed_scale_is_questioned(project: Project, tmp_path: Path) -> None:
    pool = project.rankings.pool()
    assert pool is not None
    names = [f"e{at}" for at in range(40)]
    (tmp_path / "q.txt").write_text(
        "".join(f"051 0 {name} {at % 4}\n" for at, name in enumerate(names))
    )
    import_sources(project, Sources(qrels=(tmp_path / "q.txt",)))
    turned = "".join(f"051 0 {name} {3 - at % 4}\n" for at, name in enumerate(names))
    with pytest.raises(Undecided) as error:
        model(project, tmp_path, turned)
    assert error.value.options == ("backwards",)
    assert float(error.value.values["kappa"]) < 0
    import_labels(project, tmp_path, turned, "o.txt", judge=ModelJudge("other"), backwards=False)
    # conflicts are between people, not models
    choose_qrels(project, list_model_qrels(project)[0].name)
    with pytest.raises(Undecided):
        model(project, tmp_path, turned)
    model(project, tmp_path, turned, backwards=True)
    assert read_model_judgments(project, "gpt-x").grades["051", "e3"] == 3


def test_exports_have_a_kind_column_only_with_model_judgments(
    project: Project, tmp_path: Path
) -> None:
    import_labels(project, tmp_path, PEOPLE, "people.csv")
    assert {row.kind for row in judgment_rows(project)[0]} == {None}
    model(project, tmp_path)
    kinds = [("ann", "person")] * 2 + [("bob", "person")] * 2 + [("gpt-x", "model")] * 3
    assert [(row.assessor, row.kind) for row in judgment_rows(project)[0]] == kinds


@pytest.mark.parametrize("name", ["qid", "docid"])
def test_an_id_with_a_lone_surrogate_is_refused(
    project: Project, tmp_path: Path, name: str
) -> None:
    label = {"qid": "051", "docid": "d0", "judgment": 1, name: "\ud800"}
    with pytest.raises(FormatError, match="half of a surrogate pair"):
        model(project, tmp_path, json.dumps(label), name="labels.jsonl")


@pytest.mark.parametrize("name", ["llmjudge"])
def test_every_line_of_unknown_format_is_refused_with_its_number(
    project: Project, tmp_path: Path, name: str
) -> None:
    with pytest.raises(FormatError, match=r"line 2.*3; expected 4"):
        model(project, tmp_path, "051 0 d0 1\n051 0 d1\n")
