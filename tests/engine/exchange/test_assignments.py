"""Tests of assignment rounds: new pairs of later pools, and remaining work of dropouts."""

from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.exchange import (
    IRTASK_FORMAT,
    AssignmentOptions,
    AssignmentRequest,
    Candidate,
    ComparisonRequest,
    TaskWriter,
    assign,
    assign_pool,
    merge_files,
    parse_candidates,
    preview_assignment,
    read_project_status,
    reassign,
    withdraw_round,
)
from irjudge.judging import (
    Session,
    exclude_assessor,
    list_assigned_pairs,
    list_counted_assessors,
    list_unassigned,
    list_unjudged_pairs,
    read_assigned_gold,
    readmit_assessor,
)
from irjudge.model import Assignment, make_qrels, make_run
from irjudge.store import ENDED, OWNER_KEY, Participant, Round, create_project, open_project
from tests.engine.exchange.classroom import (
    DOCUMENTS,
    assign_class,
    build_class,
    judge_file,
    read_votes,
)
from tests.pools import depth_pool


@pytest.mark.slow
def test_after_a_run_is_added_only_its_new_documents_are_assigned(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    with open_project(project) as opened:
        with pytest.raises(IrjudgeError) as error:
            assign_pool(opened, parse_candidates("ann"), AssignmentOptions(), tmp_path / "more")
        assert error.value.key == "all-assigned"
        late = make_run(
            "late", [("9", f"t9n{number}", float(number)) for number in range(DOCUMENTS + 4)]
        )
        runs = [opened.rankings.run(run.name) for run in opened.rankings.runs()]
        opened.rankings.add_pool(depth_pool([*runs, late], DOCUMENTS))
        brought = {("9", f"t9n{number}") for number in range(DOCUMENTS, DOCUMENTS + 4)}
        assert {
            (topic, document)
            for topic, documents in list_unassigned(opened)[0].items()
            for document in documents
        } == brought
        made = assign_pool(
            opened, parse_candidates("ann,dora"), AssignmentOptions(), tmp_path / "more"
        )
        items = {
            item.documents[0]
            for each in opened.assignments.all()[3:]
            for item in opened.assignments.items(each.code)
        }
        assert items == {document for _, document in brought}
        assert {each.path.name for each in made.files} <= {"ann-2.irtask", "dora.irtask"}
        assert [each.number for each in opened.assignments.rounds()] == [1, 2]


def test_a_pool_is_removed_only_if_nothing_was_assigned_from_it(
    project: Path, files: list[Path]
) -> None:
    with open_project(project) as opened:
        runs = [opened.rankings.run(run.name) for run in opened.rankings.runs()]
        newer_version = opened.rankings.add_pool(depth_pool(runs, 2))
        opened.rankings.remove_pool(newer_version)
        with pytest.raises(ProjectError) as error:
            opened.rankings.remove_pool(1)
        assert (error.value.key, error.value.values["version"]) == ("assigned-pool", "1")
        pool = opened.rankings.pool()
        assert pool is not None and len(list_unjudged_pairs(opened, "ann")) > 0


def test_a_pool_has_another_number_than_a_removed_pool(project: Path, files: list[Path]) -> None:
    with open_project(project) as window, open_project(project, writing=False) as server:
        runs = [window.rankings.run(run.name) for run in window.rankings.runs()]
        assert window.rankings.add_pool(depth_pool(runs, 2)) == 2
        assert (known := server.rankings.pool()) is not None
        window.rankings.remove_pool(2)
        assert window.rankings.add_pool(depth_pool(runs, 1)) == 3
        newest, seen = window.rankings.pool(), server.rankings.pool()
        assert newest is not None and seen is not None
        assert seen.document.equals(newest.document) and not seen.document.equals(known.document)
        window.rankings.remove_pool(3)
        window.set_setting("removed_pool", "9" * 5000)  # damaged
        assert window.rankings.add_pool(depth_pool(runs, 1)) == 2


def test_a_pool_without_any_text_is_not_reported_as_assigned(tmp_path: Path) -> None:
    build_class(tmp_path / "p.irjudge")
    with open_project(tmp_path / "p.irjudge") as opened:
        opened.rankings.add_pool(depth_pool([make_run("alien", [("9", "CACM-1", 1.0)])], 5))
        with pytest.raises(ProjectError) as error:
            assign_pool(opened, parse_candidates("ann"), AssignmentOptions(), tmp_path / "out")
        assert error.value.key == "no-pooled-text"


def test_remaining_work_goes_to_assessors_who_had_none_of_it(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    judge_file(files[0], limit=7)
    with open_project(project) as opened:
        merge_files(opened, files[:1])
        left = set(list_unjudged_pairs(opened, "ann"))
        made = reassign(opened, "ann", tmp_path / "more", assessors=parse_candidates("dora,emil"))
        given = [
            (item.topic, item.documents[0])
            for each in opened.assignments.all()[3:]
            for item in opened.assignments.items(each.code)
        ]
        assert (
            set(given) == left
            and len(given) == len(left)
            and not opened.assignments.all()[1].withdrawn
        )
        assert opened.assignments.all()[0].withdrawn and list_unjudged_pairs(opened, "ann") == []
        loads = [each.items for each in made.files]
        assert max(loads) - min(loads) <= 1 and len(read_votes(opened)) == 7
        with pytest.raises(ProjectError) as error:
            reassign(opened, "ann", tmp_path / "again")
        assert error.value.key == "nothing-to-reassign"
        assert error.value.values["assessor"] == "ann"


def test_by_default_assessors_with_assignments_take_over_and_get_no_pair_twice(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    with open_project(project) as opened:
        left = set(list_unjudged_pairs(opened, "ann"))
        exclude_assessor(opened, "bob")
        made = reassign(opened, "ann", tmp_path / "more")
        assert [each.assessor for each in made.files] == ["cleo"]
        pairs = Counter(
            (item.topic, item.documents[0])
            for code in (3, 4)
            for item in opened.assignments.items(code)
        )
        given = {(item.topic, item.documents[0]) for item in opened.assignments.items(4)}
        assert given < left and all(pairs[pair] == 1 for pair in given)
        assert "cannot be reassigned" in made.warnings[0]


def test_work_is_not_reassigned_to_the_owner_or_for_an_unknown_topic(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    request = AssignmentRequest(instead_of="ann", assessors="teacher", output=tmp_path / "more")
    with open_project(project) as opened:
        with pytest.raises(IrjudgeError) as refused:
            assign(opened, request)
        assert refused.value.values == {"owner": "teacher"}
        (tmp_path / "people.csv").write_text("name,topics\ndora,no-such\n")
        with pytest.raises(IrjudgeError) as refused:
            assign(opened, replace(request, assessors=str(tmp_path / "people.csv")))
        assert refused.value.key == "unknown-topic"
        assert not any(each.withdrawn for each in opened.assignments.all())
    assert not (tmp_path / "more").exists()


def test_limits_and_addresses_of_a_table_apply_to_reassigned_work(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    (tmp_path / "people.csv").write_text(
        "name,email,topics,most\ncleo,,,2\ndora,dora@example.org,051 9,3\n"
    )
    request = AssignmentRequest(
        instead_of="ann", assessors=str(tmp_path / "people.csv"), output=tmp_path / "more"
    )
    with open_project(project) as opened:
        left = list_unjudged_pairs(opened, "ann")
        made = assign(opened, request)
        assert [(each.assessor, each.items) for each in made.files] == [("cleo", 2), ("dora", 3)]
        assert {item.topic for item in opened.assignments.items(5)} <= {"051", "9"}
        assert {each.name: each.email for each in opened.assignments.registered_assessors()} == {
            "ann": "",
            "bob": "",
            "cleo": "",
            "dora": "dora@example.org",
        }
        (warning,) = made.warnings
        assert warning.key == "not-reassigned"  # type: ignore[attr-defined]
        assert warning.values["count"] == str(len(left) - 5)  # type: ignore[attr-defined]


def test_warnings_about_files_of_reassigned_work_are_reported(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    writer = TaskWriter(IRTASK_FORMAT.write, ["A page is unreadable."])
    with open_project(project) as opened:
        made = reassign(
            opened,
            "ann",
            tmp_path / "more",
            assessors=parse_candidates("dora"),
            file_format=replace(IRTASK_FORMAT, prepare=lambda *_: nullcontext(writer)),
        )
    assert made.warnings == ("A page is unreadable.",)


def test_session_participants_do_not_take_over_documents(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    with open_project(project) as opened, opened.transaction():
        opened.assignments.add_round(Round(2, 1, {}, "2026-01-01T00:00:00.000Z"))
        session = opened.sessions.add("CODE", 2, {}, "2026-01-01T00:00:00.000Z")
        code = opened.assignments.add(Assignment(0, "a1", "p1", "grade", 1, round=2), [])
        opened.sessions.add_participant(
            Participant("p1", session, code, "Pia", b"x", "2026-01-01T00:00:00.000Z")
        )
        opened.sessions.set_state(session, ENDED)
        made = reassign(opened, "ann", tmp_path / "more")
        assert {each.assessor for each in made.files} == {"bob", "cleo"}


def test_judgments_returned_after_reassignment_are_kept(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    with open_project(project) as opened:
        reassign(opened, "ann", tmp_path / "more", assessors=parse_candidates("dora"))
        judge_file(files[0], limit=3)
        (report,) = merge_files(opened, files[:1]).reports
        assert (
            report.new == 3
            and any("reassigned" in warning for warning in report.warnings)
            and len(read_votes(opened)) == 3
        )


def test_gold_grades_are_those_of_the_selected_qrels(project: Path, files: list[Path]) -> None:
    with open_project(project, writing=False) as opened:
        answers = read_assigned_gold(opened).answers
        known = {
            (topic, document): grade
            for topic, document, grade in opened.rankings.qrels("truth").rows()
        }
        assert 3 <= len(answers) <= 6 and all(
            known[pair] == grade for pair, grade in answers.items()
        )


def test_gold_grades_that_are_not_on_the_scale_are_not_used(project: Path, tmp_path: Path) -> None:
    with open_project(project) as opened:
        grades = {f"t9n{number}": [0, 7, 2][number % 3] for number in range(12)}
        opened.rankings.add_qrels(
            "wide", make_qrels([("9", document, grade) for document, grade in grades.items()])
        )
        report = assign_pool(
            opened,
            parse_candidates("ann"),
            AssignmentOptions(gold=10),
            tmp_path / "out",
            gold_from="wide",
        )
        assert {
            document: grade for (_, document), grade in read_assigned_gold(opened).answers.items()
        } == {document: grade for document, grade in grades.items() if grade != 7}
        (warning,) = [each for each in report.warnings if each.key == "off-scale-gold"]
        assert warning.values == {"name": "wide", "count": "4", "scale": "0, 1, 2, 3"}


def test_gold_without_qrels_is_refused(project: Path, tmp_path: Path) -> None:
    with open_project(project) as opened:
        with pytest.raises(ProjectError) as error:
            assign_pool(
                opened,
                parse_candidates("ann"),
                AssignmentOptions(gold=1),
                tmp_path,
                gold_from="other",
            )
        assert error.value.values["name"] == "other"
        assert error.value.values["names"] == "truth"
        with pytest.raises(IrjudgeError, match="teacher owns the project"):
            assign_pool(opened, parse_candidates("ann,teacher"), AssignmentOptions(), tmp_path)


def test_documents_of_an_excluded_assessor_can_be_assigned_again(
    project: Path, tmp_path: Path
) -> None:
    with open_project(project) as opened:
        assign(opened, AssignmentRequest(assessors="ann,bob", output=tmp_path / "a"))
    judge_file(tmp_path / "a" / "ann.irtask")
    judge_file(tmp_path / "a" / "bob.irtask")
    with open_project(project) as opened:
        merge_files(opened, [tmp_path / "a" / "ann.irtask", tmp_path / "a" / "bob.irtask"])
        items = opened.assignments.items(opened.assignments.all()[0].code)
        exclude_assessor(opened, "ann")
        assert {
            (topic, document)
            for topic, documents in list_unassigned(opened)[0].items()
            for document in documents
        } == {(item.topic, item.documents[0]) for item in items}
        status = read_project_status(opened, date(2026, 1, 1))
        assert (status.pooled, status.judged, status.unassigned) == (36, 18, 18)
        (made,) = assign(opened, AssignmentRequest(assessors="dan", output=tmp_path / "a")).files
        assert made.items == 18 == len(items)
        assert not list_unassigned(opened)[0]
        assert read_project_status(opened, date(2026, 1, 1)).unassigned == 0


def test_an_excluded_assessor_does_not_count_and_loses_nothing(
    project: Path, files: list[Path]
) -> None:
    for path in files[:2]:
        judge_file(path, limit=4)
    with open_project(project) as opened:
        merge_files(opened, files[:2])
        Session(opened).grade(Session(opened).current(), 3)  # the owner's own judgment
        exclude_assessor(opened, "ann", "guessed")
        assert list_counted_assessors(opened) == ("bob",) and {
            vote.assessor for vote in read_votes(opened)
        } == {"bob"}
        assert {vote.assessor for vote in read_votes(opened, aside=True)} == {
            "ann",
            "bob",
        } and opened.events.count("ann") == 4
        readmit_assessor(opened, "ann")
        assert list_counted_assessors(opened) == ("ann", "bob")
        with pytest.raises(ProjectError) as error:
            exclude_assessor(opened, "zoe")
        assert error.value.key == "unknown-assessor"
        assert error.value.values["name"] == "zoe"
        assert error.value.values["names"] == "ann, bob, cleo, teacher"


def test_names_and_tables_of_assessors_are_read(tmp_path: Path) -> None:
    path = tmp_path / "class.csv"
    path.write_text(
        "\ufeffe-mail;Name;topics;most\na@x.org;Ann Ö;051 007;20\n;bob;;\n", encoding="utf-8"
    )
    first, second = parse_candidates(str(path))
    path.write_text("name,most\nann,5,, \n")
    assert parse_candidates(str(path)) == (Candidate("ann", max_pairs=5),)
    assert (first.name, first.email, first.topics, first.max_pairs) == (
        "Ann Ö",
        "a@x.org",
        frozenset({"051", "007"}),
        20,
    )
    assert (second.name, second.topics, second.max_pairs) == ("bob", None, None)
    assert [person.name for person in parse_candidates(" ann, bob ,")] == ["ann", "bob"]
    assert len(parse_candidates(",".join(f"assessor {number}" for number in range(500)))) == 500


@pytest.mark.parametrize(
    ("text", "key", "values"),
    [
        ("mail\na@x\n", "no-name-column", {"line": "1"}),
        ("name,most\nann,many\n", "invalid-number", {"line": "2", "value": "'many'"}),
        ("name,most\n,3\n", "empty-name", {"line": "2"}),
        # unquoted topics must not become the maximum number of documents
        ("name,topics,most\nann,1,2,50\n", "too-many-cells", {"line": "2", "columns": "3"}),
        ("name\nann\nSmith, John\n", "too-many-cells", {"line": "3", "count": "2"}),
        ("name\nann\nann\n", "repeated-name", {"name": "ann"}),
        ("name\n", "no-assessor", {}),
        (f"name\n{OWNER_KEY}\n", "reserved-name", {"name": repr(OWNER_KEY)}),
        (f"name\n{'x' * 101}\n", "invalid-name", {"limit": "100"}),
        ('name\n"a\nb"\n', "invalid-name", {"name": repr("a\nb")}),
    ],
)
def test_an_invalid_table_is_refused_with_the_line_number(
    tmp_path: Path, text: str, key: str, values: dict[str, str]
) -> None:
    path = tmp_path / "class.csv"
    path.write_text(text)
    with pytest.raises(IrjudgeError) as error:
        parse_candidates(str(path))
    assert error.value.key == key and error.value.values.items() >= values.items()


@pytest.mark.parametrize("cell", ["051, 007", "051;007", " 051  007 ", "051，007,"])
def test_topics_of_an_assessor_are_separated_by_blanks_commas_or_semicolons(
    tmp_path: Path, cell: str
) -> None:
    path = tmp_path / "class.csv"
    path.write_text(f'name,topics\nann,"{cell}"\n', encoding="utf-8")
    (candidate,) = parse_candidates(str(path))
    assert candidate.topics == {"051", "007"}


def test_an_unknown_topic_of_an_assessor_is_refused(project: Path, tmp_path: Path) -> None:
    for topic in ("no-such", "9-051"):  # the order of the project's topics is 051, 007, 9
        candidates = [Candidate("ann", topics=frozenset({"051", topic}))]
        with open_project(project) as opened, pytest.raises(IrjudgeError) as refused:
            assign_pool(opened, candidates, AssignmentOptions(), tmp_path / "out")
        assert refused.value.key == "unknown-topic"
        assert refused.value.values == {"assessor": "ann", "topic": topic}


def test_topics_of_an_assessor_can_be_ranges(project: Path, tmp_path: Path) -> None:
    """The project has the topics 051, 007 and 9, in this order."""
    candidates = [Candidate("ann", topics=frozenset({"051-007"})), Candidate("bob")]
    with open_project(project) as opened:
        assign_pool(opened, candidates, AssignmentOptions(overlap=2), tmp_path / "out")
        topics = {
            name: {topic for topic, _ in pairs}
            for name, pairs in list_assigned_pairs(opened).items()
        }
    assert topics == {"ann": {"051", "007"}, "bob": {"051", "007", "9"}}


@pytest.mark.parametrize("name", ["class.csv", "class.xlsx"])
def test_the_path_of_a_missing_table_is_not_read_as_a_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(IrjudgeError, match=rf"{name} does not exist"):
        parse_candidates(str(tmp_path / name))


def test_files_of_two_rounds_never_have_the_same_name(project: Path, tmp_path: Path) -> None:
    made = assign_class(project, tmp_path / "out", "Ann,ann,a/nn,..", AssignmentOptions())
    assert [each.path.name for each in made.files] == [
        "Ann.irtask",
        "ann-2.irtask",
        "a-nn.irtask",
        "assessor.irtask",
    ]


def test_the_seed_cannot_be_found_from_the_order_of_an_assignment(tmp_path: Path) -> None:
    build_class(tmp_path / "p.irjudge")
    with open_project(tmp_path / "p.irjudge") as opened:
        with create_project(tmp_path / "fresh.irjudge", scale=opened.scale) as fresh:
            seed = fresh.seed
        opened.set_setting("seed", str(seed))  # the class has its own seed
        made = assign_pool(
            opened, parse_candidates("ann,bob"), AssignmentOptions(seed=seed), tmp_path / "out"
        )
    with open_project(tmp_path / "p.irjudge", writing=False) as opened:
        assert (
            seed.bit_length() > 100
        )  # of 128 random bits; fewer than 28 leading zeros except once in 268 million
        assert [each.seed for each in opened.assignments.rounds()] == [seed]
    message = (
        str(seed).encode(),
        seed.to_bytes(16, "big"),
        seed.to_bytes(16, "little"),
        f"{seed:x}".encode(),
    )
    assert not [form for form in message for each in made.files if form in each.path.read_bytes()]


@pytest.mark.parametrize("seed", [0, -5, 2_000_000_011, 2**63 - 1, 2**63, 2**127 + 1])
def test_a_round_keeps_its_seed_whatever_its_size(seed: int, tmp_path: Path) -> None:
    build_class(tmp_path / "p.irjudge")
    with open_project(tmp_path / "p.irjudge") as opened:
        opened.assignments.add_round(
            Round(1, seed, {"instead_of": "ann"}, "2026-01-01T00:00:00.000Z")
        )
        assert [each.seed for each in opened.assignments.rounds()] == [seed]
        assert opened.assignments.rounds()[0].options["instead_of"] == "ann"


REQUEST = AssignmentRequest(assessors="ann,bob", overlap=2, seed=5)


def test_a_request_is_assigned_as_its_preview_estimates(project: Path, tmp_path: Path) -> None:
    with open_project(project) as opened:
        preview = preview_assignment(opened, REQUEST)
        assert not opened.assignments.all()
        made = assign(opened, replace(REQUEST, output=tmp_path / "out"))
        assert [(each.assessor, each.topics, each.items) for each in made.files] == [
            ("ann", 3, 3 * DOCUMENTS),
            ("bob", 3, 3 * DOCUMENTS),
        ]
        assert (preview.estimate.pairs, preview.estimate.judgments) == (
            3 * DOCUMENTS,
            2 * 3 * DOCUMENTS,
        )
        assert preview.warnings == made.warnings == made.notes == ()


def test_a_request_compares_runs_and_warns_of_a_deadline_that_has_passed(
    project: Path, tmp_path: Path
) -> None:
    request = replace(
        REQUEST, mode="side-by-side", topics=("9",), deadline="2001-02-03", output=tmp_path / "out"
    )
    with open_project(project) as opened:
        made = assign(opened, request)
        (passed, *_) = made.warnings
        assert passed.values == {"deadline": "2001-02-03"}  # type: ignore[attr-defined]
        assert [each.mode for each in opened.assignments.all()] == ["side-by-side"] * len(
            made.files
        )


def test_deadlines_are_stored_in_one_form(project: Path, tmp_path: Path) -> None:
    """They are compared as texts: `20261231` was before any other date."""
    request = replace(REQUEST, deadline="29991231", output=tmp_path / "out")
    with open_project(project) as opened:
        assign(opened, request)
        assert {each.deadline for each in opened.assignments.all()} == {"2999-12-31"}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"output": None}, "-o FOLDER"),
        ({"assessors": None}, "--assessors"),
        ({"several": 3, "instead_of": "ann"}, "--several"),
        ({"deadline": "soon"}, "soon"),
        ({"topics": ("77",)}, "77"),
        ({"assessors": "teacher"}, "teacher"),
        ({"instead_of": "zoe", "overlap": 1, "seed": None}, "zoe"),
    ],
)
def test_an_invalid_request_stores_and_writes_nothing(
    change: dict[str, object], named: str, project: Path, tmp_path: Path
) -> None:
    request = replace(replace(REQUEST, output=tmp_path / "out"), **change)  # type: ignore[arg-type]
    with open_project(project) as opened:
        with pytest.raises(IrjudgeError, match=named):
            assign(opened, request)
        assert not opened.assignments.all() and not list(tmp_path.glob("out/*"))


@pytest.mark.parametrize(
    ("change", "options"),
    [
        ({"topics": ("051",), "mode": "side-by-side"}, "--mode, --topic"),
        ({"overlap": 2, "gold": 0.05, "several": 3}, "--overlap, --gold, --several"),
        ({"comparison": ComparisonRequest(depth=5)}, "--depth"),
        ({"preview": True}, "--preview"),
    ],
)
def test_options_without_effect_on_reassigning_and_withdrawing_are_refused(
    change: dict[str, object], options: str, project: Path, tmp_path: Path
) -> None:
    reassigning = AssignmentRequest(instead_of="ann", output=tmp_path / "out")
    for request, other in (
        (replace(reassigning, **change), "--instead-of"),  # type: ignore[arg-type]
        (replace(AssignmentRequest(withdraw_round=1), **change), "--withdraw-round"),  # type: ignore[arg-type]
    ):
        with pytest.raises(IrjudgeError) as error:
            request.check_combination()
        assert error.value.values == {"options": options, "other": other}
    with open_project(project) as opened, pytest.raises(IrjudgeError, match=options):
        assign(opened, replace(reassigning, **change))  # type: ignore[arg-type]
    with open_project(project) as opened, pytest.raises(IrjudgeError, match="--preview"):
        preview_assignment(opened, reassigning)


def test_a_round_is_withdrawn_except_for_returned_files(project: Path, files: list[Path]) -> None:
    judge_file(files[0], limit=1)
    with open_project(project) as opened:
        merge_files(opened, files[:2])  # bob returned the file as it was
        done = withdraw_round(opened, 1)
        assert [each.file for each in done.withdrawn] == ["bob.irtask", "cleo.irtask"]
        assert done.returned_files == ("ann.irtask",)


def test_reassigned_work_can_be_assigned_again_after_its_round_was_withdrawn(
    project: Path, tmp_path: Path
) -> None:
    with open_project(project) as opened:
        assign(opened, AssignmentRequest(assessors="ann", output=tmp_path / "a"))
    judge_file(tmp_path / "a" / "ann.irtask", limit=7)
    with open_project(project) as opened:
        merge_files(opened, [tmp_path / "a" / "ann.irtask"])
        remaining = set(list_unjudged_pairs(opened, "ann"))
        assign(opened, AssignmentRequest(assessors="dan", instead_of="ann", output=tmp_path / "a"))
        assert not list_unassigned(opened)[0]
        withdraw_round(opened, 2)
        assert {
            (topic, document)
            for topic, documents in list_unassigned(opened)[0].items()
            for document in documents
        } == remaining
