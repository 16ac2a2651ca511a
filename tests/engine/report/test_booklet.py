"""Tests of printed booklets as HTML: contents for judging, no ranks, and no external files."""

import re
from collections.abc import Callable
from html import escape, unescape
from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.exchange import make_booklet, read_pages
from irjudge.model import Document, Scale, Topic, make_run
from irjudge.report import booklet_lines, card_lines, write_booklet
from irjudge.store import create_project, open_project
from tests.pools import depth_pool


def booklet(path: Path, translate: Callable[[str], str] = str) -> tuple[str, list[str]]:
    with open_project(path) as project:
        made = make_booklet(project)
        return "\n".join(booklet_lines(project, made.pages, translate)), list(made.pages)


def test_each_page_has_its_code_and_each_document_its_text_and_boxes(project_file: Path) -> None:
    text, codes = booklet(project_file)
    assert all(f"<b>{code}</b>" in text for code in codes)
    assert len(re.findall('class="ticks"', text)) == 12
    assert text.count("Highly relevant") == 12 and text.count("unjudgeable") == 12
    assert "title 3" in text and "text 3" in text and "about one" in text
    assert "bm25" not in text and "Judgments of ann" in text


def test_booklets_are_translated(project_file: Path) -> None:
    text, codes = booklet(project_file, lambda label: f"«{label}»")
    assert "«Highly relevant»" in text and "«Judgments of ann»" in unescape(text)
    assert f"«Part 1 of {len(codes)}»" in text


def test_untrusted_text_is_escaped_and_has_its_own_direction(tmp_path: Path) -> None:
    path = tmp_path / "p.irjudge"
    with create_project(path, scale=Scale.parse("binary"), title="<b>T", owner="<i>") as project:
        project.collection.add_topics([Topic("1", "مد <u>", "", "")])
        script = b"<p>\xd8\xa7\xd9\x84\xd8\xa8\xd8\xad\xd8\xb1<script>alert(1)</script><img src='http://x.org/a.png'>"
        project.collection.add_documents(
            [Document("d", script, "", "html"), Document("e", "潮汐".encode())]
        )
        project.rankings.add_pool(
            depth_pool([make_run("r", [("1", "d", 2.0), ("1", "e", 1.0)])], 5)
        )
    text, _ = booklet(path)
    assert "&lt;b&gt;T" in text and "<i>" not in text.replace("<i>This", "") and "&lt;u&gt;" in text
    assert "<script" not in text and "x.org" not in text
    assert text.count('dir="rtl"') == 2 and "潮汐" in text


def test_several_participants_have_consecutive_pages(project_file: Path) -> None:
    with open_project(project_file) as project:
        made = make_booklet(project, "ann", "bob")
        text = "\n".join(booklet_lines(project, made.pages))
    assert text.count("Judgments of ann") == text.count("Judgments of bob") == len(made.pages) // 2
    assert text.count("Part 1 of 2") == text.count("about one") == 2


def test_parts_are_consecutive_and_each_assessor_starts_a_sheet(tmp_path: Path) -> None:
    path = tmp_path / "p.irjudge"
    with create_project(path, scale=Scale.parse("0-3")) as project:
        project.collection.add_topics([Topic(each, f"topic {each}") for each in "123"])
        project.collection.add_documents([Document("d", b"text")])
        run = make_run("r", [(topic, "d", 1.0) for topic in "123"])
        project.rankings.add_pool(depth_pool([run], 1))
        made = make_booklet(project, "ann", "bob", "eve")
        text = "\n".join(booklet_lines(project, made.pages))
    assert len(made.pages) == 9
    assert text.count('style="page-break-before: always"') == 2
    rows = re.findall(r'<table class="ticks".*?</table>', text)
    assert all(code in row for code, row in zip(made.pages, rows, strict=True))


def test_displayed_fields_are_printed_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "p.irjudge"
    with create_project(path, scale=Scale.parse("0-3")) as project:
        project.collection.add_topics([Topic("1", "shoes")])
        fields = (("price", "12"), ("brand", "<b>Nordwind"), ("score", "9"))
        project.collection.add_documents([Document("d", b"text", "Shoe", fields=fields)])
        project.rankings.add_run(make_run("bm25", [("1", "d", 1.0)]))
        project.rankings.add_pool(depth_pool([project.rankings.run("bm25")], 1))
    text, _ = booklet(path)
    assert (
        '<td class="small">price</td><td dir="auto">12</td>' in text
        and "&lt;b&gt;Nordwind" in text
        and "score" not in text
    )


def test_cards_have_an_escaped_name_a_link_and_a_qr_code() -> None:
    links = [("Ann <b>", "http://10.0.0.7:8765/#t=abc"), ("陈", "http://10.0.0.7:8765/#t=def")]
    page = "\n".join(card_lines("A class", links))
    assert (
        page.count('<div class="card">') == page.count("<svg") == 2
        and "Ann &lt;b&gt;" in page
        and "<b>" not in page
    )
    assert (
        all(escape(link) in page for _, link in links)
        and "http-equiv" in page
        and "<script" not in page
    )


def test_a_booklet_that_cannot_be_written_stores_no_codes(
    project_file: Path, tmp_path: Path
) -> None:
    with open_project(project_file) as project:
        with pytest.raises(IrjudgeError) as error:
            write_booklet(project, tmp_path / "b.html", language="xx")
        assert error.value.values["languages"].startswith("en")
        with pytest.raises(IrjudgeError):
            write_booklet(project, tmp_path / "missing" / "b.html")
        assert read_pages(project) == {}
        made = write_booklet(project, tmp_path / "b.html", language="zh_CN")
        assert read_pages(project) == made.pages and len(made) == 12
    text = (tmp_path / "b.html").read_text(encoding="utf-8")
    assert all(f"<b>{code}</b>" in text for code in made.pages)
