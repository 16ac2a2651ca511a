"""What an organiser is told to do next, and how far the project is said to be."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from irjudge.exchange.assign import assign
from irjudge.exchange.merge import merge
from irjudge.exchange.next_step import RESULTS, Gathering, Standing, Step, next_step, standing_of
from irjudge.exchange.people import candidates_of
from irjudge.exchange.plan import Wish
from irjudge.judging.decisions import Adjudication
from irjudge.judging.samples import new_sample
from irjudge.judging.session import Session
from irjudge.judging.supply import unassigned
from irjudge.store.importing import new_project, sample_sources
from irjudge.store.project import Project, open_project
from irjudge.store.sessions import ENDED
from irjudge.web.dispatch import Terms
from irjudge.web.wish import Wish as SessionWish
from tests.engine.web.browsing import Person, serving
from tests.pools import depth_pool

TODAY = date(2027, 3, 1)
POOLED = Standing(runs=4, pooled=54, unassigned=54)
HANDED = Standing(runs=4, pooled=54, files=3, back=1, late=1, out=("ann", "bob"))
BACK = Standing(runs=4, pooled=54, judged=54, files=3, back=3, assessors=3, shared=54, disputed=12, qrels=54)
RUNS = Gathering(people=7, judged=20, wanted=162)


def stages(step: Step) -> str:
    signs = {"done": "✓", "now": "▸", "ahead": ""}
    return " ".join(signs[each.state] + each.name for each in step.stages)


@pytest.mark.parametrize(
    ("standing", "here", "action", "why"),
    [
        (Standing(), "collection", "add-runs", "There are no runs yet. Add what each system retrieved."),
        (Standing(runs=4), "collection", "build-pool", "There is no pool yet. It is the list of documents to judge: the top of every run."),
        (POOLED, "collection", "assign", "Nobody has the pool yet (pairs: 54). Hand it out, or judge it yourself."),
        (Standing(runs=4, pooled=54, judged=20, mine=20, qrels=20), "collection", "judge", "Judged: 20 of 54. Go on judging."),
        (HANDED, "assessors", "merge", "Files back: 1 of 3. Still out: ann, bob. Overdue: 1."),
        (BACK, "assessors", "agreement", "Pairs that two or more judged: 54. See how far they agree."),
        (BACK, "agreement", "adjudicate", "Assessors differ, and you have not decided: 12. What you leave, the rule settles."),
        (replace(POOLED, session=RUNS), "assessors", "session", "People judge together: 7. Judgments: 20 of 162."),
        (replace(BACK, session=RUNS), "evaluate", "session", "People judge together: 7. Judgments: 20 of 162."),
        (
            replace(POOLED, session=replace(RUNS, paused=True)),
            "collection",
            "session",
            "The session is paused. People: 7. Judgments: 20 of 162.",
        ),
        (replace(POOLED, session=Gathering(7, 162, 162)), "", "session", "People in the session: 7. All 162 judgments are there: end it."),
        (replace(POOLED, session=Gathering(7)), "assessors", "session", "A session has not ended. Go on with it, or end it."),
        (BACK, "evaluate", "workbook", "Values rest on 54 graded pairs. Write them down."),
    ],
)
def test_each_state_has_one_next_action_and_says_why(standing: Standing, here: str, action: str, why: str) -> None:
    step = next_step(standing, here)
    assert (step.action, str(step.why)) == (action, why)


def test_what_others_wait_for_comes_first_wherever_one_looks() -> None:
    assert {next_step(HANDED, here).action for here in ("collection", "agreement", *RESULTS)} == {"merge"}


def test_who_brought_qrels_along_is_not_sent_to_judge_from_the_values() -> None:
    brought = Standing(runs=4, qrels=61)
    assert next_step(brought, "evaluate").action == "workbook"
    step = next_step(brought, "collection")
    assert (step.action, step.other) == ("build-pool", "evaluate")
    assert next_step(Standing(runs=4), "collection").other == "", "there are no values to look at"
    assert stages(next_step(brought, "evaluate")) == "✓evaluate ▸report", "what nobody did is not ticked"


def test_the_way_is_told_whole_with_what_is_done_and_what_is_ahead() -> None:
    assert stages(next_step(HANDED)) == "✓pool ✓assign ▸merge agreement decide qrels evaluate report"
    assert [(each.done, each.total) for each in next_step(HANDED).stages if each.total] == [(1, 3)]
    alone = Standing(runs=4, pooled=54, judged=54, mine=54, qrels=54)
    assert stages(next_step(alone)) == "✓pool ✓judge ▸evaluate report"
    assert stages(next_step(alone, "evaluate")) == "✓pool ✓judge ✓evaluate ▸report"


def test_once_all_is_decided_qrels_come_next_and_then_values() -> None:
    decided = Standing(runs=4, pooled=54, judged=54, files=3, back=3, assessors=3, shared=54, disputed=12, decided=12, qrels=54)
    assert (next_step(decided, "adjudicate").action, next_step(decided, "adjudicate").other) == ("export-qrels", "evaluate")
    written = next_step(decided, "adjudicate", exported=True)
    assert stages(written) == "✓pool ✓assign ✓merge ✓agreement ✓decide ✓qrels ▸evaluate report" and written.action == "evaluate"


def test_once_the_report_is_written_the_way_is_at_its_end() -> None:
    step = next_step(BACK, "evaluate", reported=True)
    assert stages(step).endswith("✓evaluate ✓report") and step.why.startswith("The report is written.")
    assert stages(next_step(BACK, "agreement", reported=True)).endswith("evaluate report"), "only where values are looked at"


def test_without_overlap_nothing_is_said_of_agreement() -> None:
    single = Standing(runs=4, pooled=54, judged=54, files=3, back=3, assessors=3, qrels=54)
    assert next_step(single, "assessors").action == "evaluate" and "cannot be measured" in next_step(single, "assessors").why


def test_what_is_new_in_the_pool_is_handed_out_next_where_work_is_organised() -> None:
    more = Standing(runs=5, pooled=60, judged=54, unassigned=6, files=3, back=3, assessors=3, shared=54, qrels=54)
    assert next_step(more, "collection").action == "assign" and "been given: 6." in next_step(more, "collection").why
    assert next_step(more, "evaluate").action == "workbook"


def test_only_some_of_many_names_are_told() -> None:
    many = Standing(runs=4, pooled=54, files=9, out=tuple("abcdefghi"))
    assert "Still out: a, b, c and 6 more." in next_step(many).why


def everyday(folder: Path) -> Path:
    sources, scale = sample_sources("everyday")
    new_project(folder / "p.irjudge", sources, scale=scale)
    with open_project(folder / "p.irjudge") as project:
        project.rankings.add_pool(depth_pool([project.rankings.run(run.name) for run in project.rankings.runs()], 2))
    return folder / "p.irjudge"


def judge_all(path: Path, grade: int) -> None:
    with open_project(path) as project:
        session = Session(project)
        while work := session.current():
            session.grade(work, grade)
            session.advance()


def after(project: Project) -> str:
    return next_step(standing_of(project, TODAY), "assessors").action


def test_a_project_is_followed_from_its_pool_to_its_values(tmp_path: Path) -> None:
    path, out = everyday(tmp_path), tmp_path / "out"
    with open_project(path) as project:
        said = [after(project)]
        made = assign(project, candidates_of("ann,bob"), Wish(overlap=2), out, deadline="2027-02-01")
        standing = standing_of(project, TODAY)
        assert (standing.files, standing.back, standing.late, standing.out, standing.unassigned) == (2, 0, 2, ("ann", "bob"), 0)
        said.append(after(project))
        for grade, file in enumerate(made.files):
            judge_all(file.path, grade)
        before = project.writes
        merge(project, [made.files[0].path])
        assert project.writes != before
        said.append(after(project))
        merge(project, [made.files[1].path])
        said.append(after(project))
        standing = standing_of(project, TODAY)
        assert standing.shared == standing.disputed == standing.judged == standing.pooled and standing.assessors == 2
        pool = project.rankings.pool()
        assert pool is not None
        Adjudication(project).decide(pool.topics[0], project.collection.document(pool.document[0].as_py()), 1)
        assert standing_of(project, TODAY).decided == 1
    assert said == ["assign", "merge", "merge", "agreement"]


def test_imported_judgments_count_as_taken_back(tmp_path: Path) -> None:
    new_sample(tmp_path / "p.irjudge", "harbour")
    with open_project(tmp_path / "p.irjudge") as project:
        found = standing_of(project, TODAY)
    assert (found.assessors, found.shared, found.disputed, found.judged, found.pooled) == (3, 198, 85, 166, 166)
    assert next_step(found, "collection").action == "agreement"


def test_the_owners_own_judgments_are_a_shorter_way(tmp_path: Path) -> None:
    path = everyday(tmp_path)
    with open_project(path) as project:
        session = Session(project)
        work = session.current()
        assert work is not None
        session.grade(work, 2)
        found = standing_of(project, TODAY)
    assert found.alone and (found.judged, found.mine) == (1, 1) and next_step(found).action == "judge"


def test_a_session_is_known_while_it_lasts_and_what_it_left_is_handed_out_after_it(tmp_path: Path) -> None:
    path = everyday(tmp_path)
    with open_project(path) as project:
        scale, pooled = project.scale.version, standing_of(project, TODAY).pooled
    with serving(path, SessionWish(Terms(overlap=2))) as server:
        ann = Person(server, "Ann")
        Person(server, "Bob").sync()
        ann.sync()
        ann.grade(0, 1, scale)
        ann.sync()
    with open_project(path, writing=False) as project:
        begun = standing_of(project, TODAY)
        assert begun.session == Gathering(people=2) and begun.files == 0, "who judges together has no file that is out"
        before = project.writes
    with open_project(path) as project:
        project.sessions.set_state(project.sessions.all()[0].code, ENDED)
        assert project.writes != before
        over = standing_of(project, TODAY)
        assert over.session is None and after(project) == "assign" and over.unassigned == pooled - 1
        left, _ = unassigned(project)
        assert sum(map(len, left.values())) == pooled - 1, "what was held and not judged is nobody's"
