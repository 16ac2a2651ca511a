"""Tests of task files with PDF files of documents: the right ones, no others, limited in size."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from irjudge.errors import ProjectError
from irjudge.exchange import (
    IRTASK_FORMAT,
    WITH_PAGES,
    AssignmentOptions,
    AssignmentReport,
    Pace,
    Prices,
    TaskFileFormat,
    assign_pool,
    estimate_plan,
    merge_files,
    parse_candidates,
    plan_assignment,
    reassign,
    task_file,
)
from irjudge.exchange.task_file import describe_page_images, measure_pdfs
from irjudge.model import Document, Scale, Topic, make_run
from irjudge.store import Project, create_project, open_project
from tests.engine.exchange.classroom import judge_file
from tests.pools import depth_pool

HAVE, LACK = [f"scan{number}" for number in range(8)], ["plain0", "plain1"]
OPTIONS = AssignmentOptions(overlap=1, seed=5)


def make_pdf(name: str) -> bytes:
    return b"%PDF-1.7 pages of " + name.encode() + b"." + bytes(10_000)


SIZE = len(make_pdf("scan0"))


@pytest.fixture
def scanned(tmp_path: Path) -> Path:
    """A project of scans without text, two texts without a file, and a scan outside the pool."""
    path = tmp_path / "scans.irjudge"
    with create_project(path, scale=Scale.parse("0-3"), title="Scans", owner="teacher") as project:
        project.set_setting("seed", "3")
        project.collection.add_topics([Topic("1", "tides"), Topic("2", "moons")])
        project.collection.add_documents(
            Document(name, b"", pdf=make_pdf(name)) for name in [*HAVE, "unasked"]
        )
        project.collection.add_documents(Document(name, name.encode()) for name in LACK)
        rows = [("12"[index % 2], name, float(-index)) for index, name in enumerate([*HAVE, *LACK])]
        project.rankings.add_run(make_run("zebrarank", rows), "zebrarank.run")
        project.rankings.add_pool(depth_pool([project.rankings.run("zebrarank")], 10))
    return path


def assign_files(
    path: Path,
    folder: Path,
    form: TaskFileFormat = WITH_PAGES,
    options: AssignmentOptions = OPTIONS,
) -> AssignmentReport:
    with open_project(path) as project:
        return assign_pool(project, parse_candidates("ann,bob"), options, folder, file_format=form)


def assigned_to(project: Project, assessor: str) -> set[str]:
    (own,) = (each for each in project.assignments.all() if each.assessor == assessor)
    return {document for item in project.assignments.items(own.code) for document in item.documents}


def test_a_file_has_the_pdf_files_of_its_documents_and_no_others(
    scanned: Path, tmp_path: Path
) -> None:
    made = assign_files(scanned, tmp_path / "out")
    shares = []
    for each in made.files:
        with open_project(scanned, writing=False) as project, open_project(each.path) as task:
            mine = assigned_to(project, each.assessor)
            assert {name: task.collection.pdf(name) for name in mine} == {
                name: make_pdf(name) if name in HAVE else None for name in mine
            }
            assert [task.collection.has_pages(name) for name in sorted(mine)] == [
                name in HAVE for name in sorted(mine)
            ]
            assert task.verify().problems == ()
        raw = each.path.read_bytes()
        assert {
            name for name in [*HAVE, "unasked"] if f"pages of {name}.".encode() in raw
        } == mine & set(HAVE)
        assert not [
            word for word in (b"zebrarank", b"teacher", b"unasked", b"scans.irjudge") if word in raw
        ]
        shares.append(mine)
    assert shares[0] | shares[1] == {*HAVE, *LACK} and not shares[0] & shares[1]
    ann, bob = made.files
    assert b"bob" not in ann.path.read_bytes() and b"ann" not in bob.path.read_bytes()


def test_without_the_option_a_file_has_only_texts(scanned: Path, tmp_path: Path) -> None:
    for each in assign_files(scanned, tmp_path / "out", IRTASK_FORMAT).files:
        assert b"%PDF" not in each.path.read_bytes()
        with open_project(each.path) as task:
            assert not any(task.collection.has_pages(name) for name in task.collection.list_ids())
            assert task.collection.document_count() == 5
        database = sqlite3.connect(each.path)
        assert database.execute("SELECT count(*) FROM fact WHERE name LIKE 'pdf:%'").fetchone() == (
            0,
        )
        assert database.execute("SELECT count(*) FROM content WHERE kind = 'pdf'").fetchone() == (
            0,
        )
        database.close()


def test_returned_files_are_merged_as_without_pdf_files(scanned: Path, tmp_path: Path) -> None:
    twin = tmp_path / "twin" / "scans.irjudge"
    twin.parent.mkdir()
    twin.write_bytes(scanned.read_bytes())
    reports = []
    for path, form in ((scanned, WITH_PAGES), (twin, IRTASK_FORMAT)):
        files = [each.path for each in assign_files(path, path.parent / "out", form).files]
        for file in files:
            judge_file(file)
        with open_project(path) as project:
            merged = merge_files(project, files)
            assert (
                merged.warnings == ()
                and project.verify().problems == ()
                and project.events.count() == 10
            )
            assert project.collection.pdf("scan0") == make_pdf(
                "scan0"
            ) and not project.collection.has_pages("plain0")
            reports.append(
                [
                    (each.assessor, each.read, each.new, each.rejected, each.warnings)
                    for each in merged.reports
                ]
            )
    assert reports[0] == reports[1] and [each[1:4] for each in reports[0]] == [
        (5, 5, 0),
        (5, 5, 0),
    ]


def test_an_assessor_who_takes_over_gets_pages_too(scanned: Path, tmp_path: Path) -> None:
    assign_files(scanned, tmp_path / "out")
    with open_project(scanned) as project:
        mine = assigned_to(project, "ann")
        (made,) = reassign(project, "ann", tmp_path / "more", file_format=WITH_PAGES).files
    with open_project(made.path) as task:
        assert {
            name for name in task.collection.list_ids() if task.collection.has_pages(name)
        } == mine & set(HAVE)


def test_exceeding_the_size_limit_is_reported_and_nothing_is_stored(
    scanned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = AssignmentOptions(overlap=2, seed=5)
    monkeypatch.setattr(task_file, "MAX_FILE_BYTES", 4 * SIZE)
    with pytest.raises(ProjectError) as error:
        assign_files(scanned, tmp_path / "out", options=both)
    assert error.value.key == "files-too-large"
    assert error.value.values["assessor"] == "ann"
    assert error.value.values["size"] == "0.1"
    assert error.value.values["limit"] == "0.0"
    assert list((tmp_path / "out").iterdir()) == []
    with open_project(scanned, writing=False) as project:
        assert project.assignments.rounds() == () and project.assignments.all() == ()
    made = assign_files(scanned, tmp_path / "out", replace(WITH_PAGES, max_topics=1), both)
    assert [(each.assessor, each.topics, each.items) for each in made.files] == [
        (name, 1, 5) for name in ("ann", "ann", "bob", "bob")
    ]


def test_the_estimate_includes_the_sizes_of_files(
    scanned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_project(scanned) as project:
        plan, _ = plan_assignment(project, parse_candidates("ann,bob"), OPTIONS)
        sizes = measure_pdfs(project, plan)
        largest = max(
            len({item.document for item in items} & set(HAVE)) for items in plan.items.values()
        )
        assert (sizes.documents, sizes.largest) == (8, largest * SIZE)
        monkeypatch.setattr(task_file, "MAX_FILE_BYTES", 1)
        assert [
            (each.key, each.values)
            for each in estimate_plan(
                plan, Pace(), Prices(), replace(sizes, largest=12_345_678)
            ).sentences()[-2:]
        ] == [
            ("pdf-files", {"documents": "8", "size": "12.3"}),
            ("most-in-a-file", {"limit": "0"}),
        ]
        plan.items = {"ann": [item for item in plan.items["ann"] if item.document in LACK]}
        assert [each.key for each in measure_pdfs(project, plan).sentences()] == ["no-pdf-files"]


def test_equal_files_count_once_because_they_are_stored_once(scanned: Path) -> None:
    with open_project(scanned) as project:
        project.collection.add_documents([Document("twin", b"other words", pdf=make_pdf("scan0"))])
        plan, _ = plan_assignment(project, parse_candidates("ann"), OPTIONS)
        before = measure_pdfs(project, plan)
        plan.items["ann"] = (*plan.items["ann"], replace(plan.items["ann"][0], document="twin"))
        assert measure_pdfs(project, plan) == replace(before, documents=9)


def test_the_sizes_of_written_files_are_reported(tmp_path: Path) -> None:
    paths = [tmp_path / "a.irtask", tmp_path / "b.irtask"]
    for path, size in zip(paths, (100_000, 2_340_000), strict=True):
        path.write_bytes(bytes(size))
    (sizes,) = describe_page_images(paths)
    assert sizes.values == {"files": "2 files", "size": "2.3"} and describe_page_images([]) == []
    assert (
        WITH_PAGES.describe(paths) == describe_page_images(paths)
        and IRTASK_FORMAT.describe(paths) == []
    )
