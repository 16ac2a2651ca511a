"""Tests of document fields in assigned files: the shown fields in order, and the image."""

import json
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import ProjectError
from irjudge.exchange import task_file
from irjudge.exchange.task_file import write_task_file
from irjudge.model import AssignedItem, Assignment
from irjudge.store import Project, open_project, set_shown_fields, shown_picture
from irjudge.web import task as web_task
from irjudge.web.task import ItemRenderer, make_task
from tests.engine.formats.collections.test_whole_files import PNG

ITEMS = (AssignedItem("q1", (("B1",),)), AssignedItem("q1", (("B2",),)))
HOSTILE = '</script><img src=x onerror="alert(1)">'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "b1.png").write_bytes(PNG)
    shoe = {
        "id": "B1",
        "name": "Red shoe",
        "price": "12",
        "brand": HOSTILE,
        "margin": "SECRET-MARGIN",
        "img": "b1.png",
    }
    lines = (shoe, {"id": "B2", "name": "Red shoe", "price": "15"})
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    (tmp_path / "t.tsv").write_text("q1\tred shoes\n", encoding="utf-8")
    made = tmp_path / "p.irjudge"
    assert (
        main(
            [
                "new",
                str(made),
                "--documents",
                str(tmp_path / "a.jsonl"),
                "--topics",
                str(tmp_path / "t.tsv"),
            ]
        )
        == 0
    )
    with open_project(made) as project:
        set_shown_fields(project, ("brand", "price", "img"))
    return made


def assign_file(project: Project, path: Path) -> Assignment:
    assignment = Assignment(0, "ab" * 16, "ann", "grade", 1, "")
    write_task_file(path, project, assignment, ITEMS)
    return assignment


def test_a_task_file_has_the_shown_fields_and_the_digests_of_the_project(
    path: Path, tmp_path: Path
) -> None:
    task = tmp_path / "ann.irtask"
    with open_project(path) as project:
        assign_file(project, task)
        digests = project.collection.digests(["B1", "B2"])
    with open_project(task) as opened:
        document = opened.collection.document("B1")
        assert document is not None
        assert (
            document.fields[:2] == (("brand", HOSTILE), ("price", "12"))
            and shown_picture(opened, document) == PNG
        )
        assert opened.collection.digests(["B1", "B2"]) == digests and opened.verify().problems == ()
    raw = task.read_bytes()
    assert b"SECRET-MARGIN" not in raw and b"margin" not in raw and b"b1.png" not in raw


def test_the_page_is_the_same_from_the_project_from_its_file_and_item_by_item(
    path: Path, tmp_path: Path
) -> None:
    with open_project(path) as project:
        assignment = assign_file(project, tmp_path / "ann.irtask")
        from_project = make_task(project, assignment, ITEMS)
        (alone, _) = ItemRenderer(project).render([(item, 1) for item in ITEMS])
    with open_project(tmp_path / "ann.irtask") as opened:
        assert make_task(opened, assignment, ITEMS)["documents"] == from_project["documents"]
    shoe, other = from_project["documents"]
    assert (
        shoe["fields"] == (("brand", HOSTILE), ("price", "12"))
        and shoe["facts"] == f"{HOSTILE} · 12"
    )
    assert shoe["picture"].startswith("data:image/png;base64,") and alone["documents"] == [shoe]
    assert (
        other["fields"] == (("price", "15"),)
        and "picture" not in other
        and shoe["content"] == other["content"]
    )


def test_a_file_has_at_most_the_permitted_number_of_images(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task_file, "MAX_FILE_BYTES", len(PNG) - 1)
    with open_project(path) as project:
        with pytest.raises(ProjectError) as error:
            assign_file(project, tmp_path / "ann.irtask")
        assert error.value.key == "pictures-too-large"
        assert error.value.values["assessor"] == "ann"
        monkeypatch.setattr(web_task, "MAX_IMAGE_BYTES", 50)
        with pytest.raises(ProjectError) as error:
            make_task(project, Assignment(0, "ab" * 16, "ann", "grade", 1, ""), ITEMS)
        assert error.value.key == "pictures-too-large"
        assert error.value.values["assessor"] == "ann"
    assert not (tmp_path / "ann.irtask").exists()
