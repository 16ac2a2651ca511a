"""Tests that counts, states and the next step agree on all pages, and after a restart."""

import re
import shutil
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from irjudge.exchange import (
    AssignmentOptions,
    assign_pool,
    make_workflow,
    parse_candidates,
    read_project_status,
)
from irjudge.judging import count_judged_in_pool, list_qrels_choices, read_project_qrels
from irjudge.store import create_project_from_files, open_project, sample_sources
from irjudge_ui.pages import PAGES
from irjudge_ui.window import PAGES_WITHOUT_WORKFLOW, Window
from tests.lengths import short_or_long
from tests.ui.window_content import missing_text, workflow_text

ONE_WINDOW = True
Idle = Callable[[], None]
ORGANISERS = [page.id for page in PAGES if page.entry and page.id not in PAGES_WITHOUT_WORKFLOW]
# the workflow bar is the same on all pages, and these name the qrels
AFTER_RESTART = short_or_long(["collection", "agreement", "evaluate", "compare"], ORGANISERS)
VISITED = ("agreement", "evaluate")  # visiting them is a stage of the workflow
SOURCE = re.compile(r"Qrels: ([^(]+ \([^)]*\))\.")


@pytest.fixture(scope="module")
def textbook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Imported runs and qrels, without a pool."""
    path = tmp_path_factory.mktemp("textbook") / "imported.irjudge"
    sources, scale = sample_sources("textbook")
    create_project_from_files(path, sources, scale=scale)
    return path


STATES = short_or_long(
    ["pooled", "judged by three", "imported qrels only"],
    ["new", "pooled", "assigned", "judged by three", "imported qrels only"],
)


@pytest.fixture(params=STATES)
def project_in_state(
    request: pytest.FixtureRequest, tmp_path: Path, everyday: Path, harbour: Path, textbook: Path
) -> Path:
    """A project in the state named by the parameter."""
    path = tmp_path / "p.irjudge"
    if request.param == "new":
        sources, scale = sample_sources("everyday")
        create_project_from_files(
            path, type(sources)(documents=sources.documents, topics=sources.topics), scale=scale
        )
        return path
    shutil.copy(
        {"judged by three": harbour, "imported qrels only": textbook}.get(request.param, everyday),
        path,
    )
    if request.param == "assigned":
        with open_project(path) as project:
            assign_pool(
                project, parse_candidates("ann,bob"), AssignmentOptions(overlap=2), tmp_path / "out"
            )
    return path


def displayed_values(
    window: Window, pages: Sequence[str], wait_until_idle: Idle
) -> dict[str, set[str]]:
    """Return what pages show of the workflow, the qrels in use, and the judged counts."""
    facts: dict[str, set[str]] = {"road": set(), "qrels": set()}
    for page in VISITED:
        window.show_page(page)
        wait_until_idle()
    for page in pages:
        window.show_page(page)
        wait_until_idle()
        assert window.steps.isVisible(), page
        facts["road"].add(f"{workflow_text(window)} / {missing_text(window)}")
        texts = [
            each.text()
            for each in window.pages.view(page).findChildren(QLabel)
            if each.isVisibleTo(window)
        ]
        facts["qrels"] |= {source for each in texts for source in SOURCE.findall(each)}
    return facts


@pytest.mark.slow
def test_each_displayed_value_is_equal_on_every_page_and_after_a_restart(
    window: Window, project_in_state: Path, wait_until_idle: Idle
) -> None:
    assert window.open(project_in_state)
    wait_until_idle()
    before = displayed_values(window, ORGANISERS, wait_until_idle)
    project = window.project
    assert project is not None
    offered = list_qrels_choices(project)
    assert len(before["road"]) == 1, before["road"]
    assert before["qrels"] == ({str(offered[0].description)} if offered else set()), (
        "numbers rest on one source, and all pages name it"
    )

    workflow = make_workflow(read_project_status(project, date.today()))  # noqa: DTZ011
    assert str(workflow.reason) in next(iter(before["road"]))
    judged, pooled = count_judged_in_pool(project)
    window.show_page("judge")
    window.show_page("home")
    (entry,) = window.pages.view("home")._recent_entries.values()
    description = str(entry.accessibleDescription())
    assert (f"{judged} of {pooled} judged" in description) == bool(pooled), description
    rows = window.collection.topics.rows
    graded = (
        {
            (topic, document)
            for topic, document, grade in read_project_qrels(project).rows()
            if grade != -1
        }
        if offered
        else set()
    )
    assert sum(row.judged + row.judged_outside for row in rows) == len(graded)
    window.reopen()
    wait_until_idle()
    after = displayed_values(window, AFTER_RESTART, wait_until_idle)
    assert after == before, "after a restart as before it"
