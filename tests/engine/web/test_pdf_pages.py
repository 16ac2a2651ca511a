"""Tests of browser pages with images of PDF pages: the requested ones, limited, and validated."""

import io
import json
import sqlite3
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from irjudge.errors import FormatError, ProjectError
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
    parse_candidates,
    plan_assignment,
)
from irjudge.formats.collections import whole_files
from irjudge.message import Message
from irjudge.model import Document, Scale, Topic, make_run
from irjudge.store import create_project, open_project
from irjudge.web import HTML, own_assignment, rewrite_page
from irjudge.web import task as pdf_pages
from irjudge.web.page import HTML_WITH_PAGES
from irjudge.web.safe_html import FILE_POLICY
from irjudge.web.task import draw_page_images, estimate_image_bytes
from tests.engine.web.page_parser import read_task
from tests.numbers_in_text import find_numbers
from tests.pdf_files import make_pdf
from tests.pools import depth_pool

OPTIONS = AssignmentOptions(overlap=2, seed=5)


SHORT = make_pdf(1)
FILES = {"short": SHORT, "long": make_pdf(4), "twin": SHORT, "unasked": make_pdf(2)}


@pytest.fixture
def scanned(tmp_path: Path) -> Path:
    """Two scans of one file, a longer one, a text, a damaged PDF, and a scan outside the pool."""
    path = tmp_path / "scans.irjudge"
    with create_project(path, scale=Scale.parse("0-3"), title="Scans", owner="teacher") as project:
        project.set_setting("seed", "3")
        project.collection.add_topics([Topic("1", "tides")])
        project.collection.add_documents(
            Document(name, b"", pdf=file) for name, file in FILES.items()
        )
        project.collection.add_documents(
            [
                Document("plain", b"words"),
                Document("broken", b"kept words", pdf=b"%PDF-1.7 nothing"),
            ]
        )
        rows = [
            ("1", name, float(-index))
            for index, name in enumerate(["short", "long", "twin", "plain", "broken"])
        ]
        project.rankings.add_run(make_run("zebrarank", rows))
        project.rankings.add_pool(depth_pool([project.rankings.run("zebrarank")], 10))
    return path


@pytest.fixture(autouse=True)
def clear_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_pages, "_image_sizes", {})


def assign_pages(
    path: Path, folder: Path, form: TaskFileFormat = HTML_WITH_PAGES
) -> AssignmentReport:
    with open_project(path) as project:
        return assign_pool(project, parse_candidates("ann,bob"), OPTIONS, folder, file_format=form)


def page_images(page: Path) -> list[dict[str, Any]]:
    """Return the page images embedded in a page."""
    blocks = page.read_text(encoding="utf-8").split('<script type="application/json" id="sheet-')[
        1:
    ]
    return [json.loads(block.partition(">")[2].partition("</script>")[0]) for block in blocks]


def decode_image(encoded: str) -> Image.Image:
    return Image.open(io.BytesIO(b64decode(encoded, validate=True)))


@pytest.mark.slow
def test_a_page_has_images_of_its_documents_pages_once_and_no_pdf_file(
    scanned: Path, tmp_path: Path
) -> None:
    made = assign_pages(scanned, tmp_path / "out")
    for each in made.files:
        task, carried = read_task(each.path), page_images(each.path)
        which = {document["id"]: document.get("pages") for document in task["documents"]}
        assert (
            which["plain"] is which["broken"] is None
            and which["twin"] == which["short"] != which["long"]
            and "sheets" not in task
        )
        assert [len(sheet["pictures"]) for sheet in carried] == [
            sheet["pages"] for sheet in carried
        ]
        assert {
            name: carried[position]["pages"]
            for name, position in which.items()
            if position is not None
        } == {"short": 1, "long": 4, "twin": 1}
        for sheet in carried:
            assert {
                (image.format, image.size) for image in map(decode_image, sheet["pictures"])
            } == {("WEBP", (1000, 1000))}
        raw = each.path.read_bytes()
        assert (
            b"%PDF" not in raw
            and FILE_POLICY.partition(";")[0].encode() in raw
            and b"img-src data:;" in raw
        )
    (warning,) = made.warnings
    assert isinstance(warning, Message) and warning.values == {"failed": "1", "names": "broken"}


def fake_pictures(data: bytes, most: int, where: Path) -> tuple[tuple[bytes, ...], int]:
    """Return an image of 30 bytes per page, without running the rendering program."""
    pages = {SHORT: 1, FILES["long"]: 4}.get(data)
    if pages is None:
        raise FormatError(where, "no PDF file")
    return (b"p" * 30,) * min(pages, most), pages


def test_documents_refer_to_images_that_a_task_has_once(
    scanned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf_pages, "render_page_pictures", fake_pictures)
    names = ["twin", "long", "plain", "broken", "short"]
    with open_project(scanned) as project, draw_page_images(project, names) as images:
        task = images.add_to({"documents": [{"id": name} for name in names]})
        monkeypatch.setattr(pdf_pages, "MAX_IMAGE_BYTES", 200)
        images.check(["short", "twin"], "ann")  # the same file
        with pytest.raises(ProjectError) as error:
            images.check(["short", "long"], "ann")
    assert [document.get("pages") for document in task["documents"]] == [0, 1, None, None, 0]
    assert [(sheet["pages"], len(sheet["pictures"])) for sheet in task["sheets"]] == [
        (1, 1),
        (4, 4),
    ]
    assert error.value.key == "page-images-size"
    (warning,) = images.warnings
    assert isinstance(warning, Message) and warning.values == {"failed": "1", "names": "broken"}


def test_the_size_of_pages_is_estimated_from_the_files_of_a_plan(
    scanned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf_pages, "render_page_pictures", fake_pictures)
    with open_project(scanned) as project:
        plan, *_ = plan_assignment(project, parse_candidates("ann,bob"), OPTIONS)
        estimate = estimate_image_bytes(project, plan)
    sizes = [
        len(json.dumps({"pages": count, "pictures": ["cHBw" * 10] * count}, separators=(",", ":")))
        for count in (1, 4)
    ]
    # three files, one of them damaged and without pages; all are assigned to each assessor
    assert estimate.documents == 4 and estimate.largest == sum(sizes)


def test_without_the_option_a_page_has_only_texts(scanned: Path, tmp_path: Path) -> None:
    for each in assign_pages(scanned, tmp_path / "out", HTML).files:
        assert page_images(each.path) == []
        assert all("pages" not in document for document in read_task(each.path)["documents"])


@pytest.mark.slow
def test_pages_are_rendered_once_before_anything_is_stored(
    scanned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    real = pdf_pages.render_page_pictures

    def look(data: bytes, most: int, where: Path) -> tuple[tuple[bytes, ...], int]:
        other = sqlite3.connect(scanned, timeout=0)
        # the file can be written meanwhile, for example by judging in the window
        other.execute("BEGIN IMMEDIATE")
        other.close()
        asked.append(str(where))
        return real(data, most, where)

    monkeypatch.setattr(pdf_pages, "render_page_pictures", look)
    assert len(assign_pages(scanned, tmp_path / "out").files) == 2
    assert sorted(name for name in asked if name != "broken") in (
        ["long", "short"],
        ["long", "twin"],
    )


@pytest.mark.slow
def test_only_the_first_pages_of_a_long_document_are_included(
    scanned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf_pages, "MAX_PAGES", 3)
    carried = page_images(assign_pages(scanned, tmp_path / "out").files[0].path)
    assert sorted((sheet["pages"], len(sheet["pictures"])) for sheet in carried) == [(1, 1), (4, 3)]


@pytest.mark.slow
def test_exceeding_the_size_limit_of_a_page_is_reported_and_nothing_is_stored(
    scanned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf_pages, "MAX_IMAGE_BYTES", 1000)
    with pytest.raises(ProjectError) as error:
        assign_pages(scanned, tmp_path / "out")
    assert error.value.key == "page-images-size"
    assert error.value.values == {"assessor": "ann", "size": "0.0", "limit": "0.0"}
    assert list((tmp_path / "out").iterdir()) == []
    with open_project(scanned, writing=False) as project:
        assert project.assignments.all() == ()


@pytest.mark.slow
def test_the_estimate_includes_the_sizes_of_pages(
    scanned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_project(scanned) as project:
        plan, _ = plan_assignment(project, parse_candidates("ann,bob"), OPTIONS)
        plan.items = {
            name: [item for item in items if item.document != "broken"]
            for name, items in plan.items.items()
        }
        estimate = estimate_image_bytes(project, plan)
        sentences = estimate_plan(plan, Pace(), Prices(), estimate).sentences()
        monkeypatch.setattr(
            pdf_pages, "render_page_pictures", lambda *_given: pytest.fail("they are known by now")
        )
        assert estimate_image_bytes(project, plan) == estimate
        monkeypatch.setattr(pdf_pages, "MAX_IMAGE_BYTES", 1)
        assert find_numbers(estimate_image_bytes(project, plan).sentences()[-1])[-1] == "0"
    monkeypatch.undo()
    carried = page_images(assign_pages(scanned, tmp_path / "out").files[0].path)
    size = sum(len(json.dumps(sheet, separators=(",", ":"))) for sheet in carried)
    assert (estimate.documents, estimate.largest) == (3, size), "each file is among the samples"
    assert find_numbers(sentences[-1]) == ["3", f"{size / 1e6:,.1f}"]


def test_of_many_documents_a_few_small_and_large_ones_are_rendered() -> None:
    files = {bytes([size]): (size, f"d{size}") for size in range(100)}
    names = [name for _digest, name in pdf_pages._sample_evenly(files)]
    assert (
        len(names) == pdf_pages.SAMPLE_SIZE
        and names[0] == "d8"
        and names[-1] == "d91"
        and pdf_pages._sample_evenly({}) == []
    )


@pytest.mark.slow
@pytest.mark.parametrize(("form", "count"), [(WITH_PAGES, 2), (IRTASK_FORMAT, 0)])
def test_a_page_made_from_an_assessors_file_has_the_page_images_of_the_file(
    scanned: Path, tmp_path: Path, form: TaskFileFormat, count: int
) -> None:
    made, page = assign_pages(scanned, tmp_path / "out", form), tmp_path / "page.html"
    with open_project(made.files[0].path, writing=False) as task:
        page_text = rewrite_page(page, task, own_assignment(task), page_images=True)
    assert len(page_images(page)) == count and page_text[-1].startswith("Browser files: 1 page, ")


@pytest.mark.slow
def test_the_organiser_determines_whether_a_page_made_later_has_images(
    scanned: Path, tmp_path: Path
) -> None:
    made, page = assign_pages(scanned, tmp_path / "out", IRTASK_FORMAT), tmp_path / "page.html"
    with open_project(scanned) as project:
        (own,) = (
            each for each in project.assignments.all() if each.file == made.files[0].path.name
        )
        assert len(rewrite_page(page, project, own)) == 1 and page_images(page) == []
        assert (
            "(broken)" in rewrite_page(page, project, own, page_images=True)[0]
            and len(page_images(page)) == 2
        )


@pytest.mark.slow
def test_rendered_images_are_deleted_at_the_end(scanned: Path) -> None:
    with (
        open_project(scanned, writing=False) as project,
        draw_page_images(project, ["short"]) as images,
    ):
        folder = images._folder
        assert len(list(folder.iterdir())) == 1
    assert not folder.exists()


WEBP = b"RIFF" + (8).to_bytes(4, "little") + b"WEBPVP8 "


@pytest.mark.parametrize(
    "values",
    [
        {"pictures": ["<script>"], "pages": 1},
        {"pictures": [b64encode(b"<svg onload=alert(1)>").decode()], "pages": 1},
        {"pictures": [b64encode(WEBP + b"more").decode()], "pages": 1},
        {"pictures": [b64encode(WEBP).decode()] * 3, "pages": 3},
        {"pictures": [b64encode(WEBP).decode()] * 2, "pages": 1},
        {"pictures": [], "pages": 0},
        {"pictures": None, "pages": 1},
        {"pictures": [b64encode(WEBP).decode()], "pages": "many"},
        {},
    ],
)
def test_the_output_of_the_rendering_process_is_validated(
    values: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_files, "_run_child", lambda *_given: values)
    with pytest.raises(FormatError, match=r"a\.pdf: it is damaged"):
        whole_files.render_page_pictures(b"", 2, Path("a.pdf"))


def test_an_image_in_the_expected_format_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        whole_files,
        "_run_child",
        lambda *_given: {"pictures": [b64encode(WEBP).decode()], "pages": 7},
    )
    assert whole_files.render_page_pictures(b"", 2, Path("a.pdf")) == ((WEBP,), 7)
    monkeypatch.setattr(whole_files, "MAX_PAGE_PICTURE_BYTES", 15)
    with pytest.raises(FormatError, match="damaged"):
        whole_files.render_page_pictures(b"", 2, Path("a.pdf"))
