"""Tests of the browser page file: one script, one style, their hashes in the policy, inert data."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.exchange import AssignmentOptions, assign_pool, parse_candidates
from irjudge.shipped import shipped_folder
from irjudge.store import open_project
from irjudge.web import HTML, page, page_translations
from irjudge.web.page import (
    bundle_modules,
    describe_sizes,
    find_declarations,
    render_page,
    render_session_page,
    shared_tables,
    to_script_json,
)
from irjudge.web.safe_html import FILE_POLICY
from tests.engine.web.page_parser import make_task_of, parse_task
from tests.numbers_in_text import find_numbers

PAGE = Path(__file__).parent / "small_page"
OUTSIDE = re.compile(
    r"""(?:src|href)=["']?(?:https?:)?//|@import\s+["u]|url\((?!["']?data:)|\bfetch\(|XMLHttpRequest|WebSocket|eval\("""
)
DOCUMENT_TITLE = '</title></script><script>alert("x")</script><!--'


def make_page(path: Path) -> str:
    with open_project(path, writing=False) as opened:
        return render_page(make_task_of(opened), PAGE)


def test_the_policy_allows_the_one_script_and_the_one_style_only(
    files: list[Path],
) -> None:
    text = make_page(files[0])
    script, style = (
        re.search(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL) for tag in ("script", "style")
    )
    assert script and style
    policy = re.search('http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy and policy[1].startswith("default-src 'none'; ")
    for content, name in ((script, "script-src"), (style, "style-src")):
        assert (
            f"{name} 'sha256-{b64encode(sha256(content[1].encode()).digest()).decode()}';"
            in policy[1]
        )
    assert policy[1].endswith("; base-uri 'none'; form-action 'none'"), (
        "neither falls back to what default-src says"
    )
    assert text.count("<script") == 4 and text.index("Content-Security-Policy") < text.index(
        "<style>"
    ) < text.index("<script")
    assert not re.search(r"https?://|src=|href=", text)


def test_modules_are_joined_in_the_order_of_their_imports() -> None:
    script = bundle_modules(PAGE)
    assert script.startswith('(() => {\n"use strict";') and script.index(
        "const greeting"
    ) < script.index("function start")
    assert not re.search(r"^(import|export)", script, re.MULTILINE)


def test_the_shipped_modules_can_be_joined() -> None:
    script = bundle_modules(shipped_folder("resources") / "web")
    assert script.count('"use strict"') == 1 and len(set(find_declarations(script))) > 100


def test_every_text_of_the_page_has_a_translation() -> None:
    texts = {
        json.loads(literal)
        for path in (shipped_folder("resources") / "web").glob("*.js")
        for literal in re.findall(r'\btr\(\s*("(?:[^"\\]|\\.)*")', path.read_text(encoding="utf-8"))
    }
    texts |= {each["text"] for each in shared_tables()["keys"]}
    assert len(texts) > 100
    for language, page_texts in page_translations().items():
        assert texts - page_texts.keys() == set(), language


def test_the_page_loads_nothing_from_outside() -> None:
    for path in sorted((shipped_folder("resources") / "web").iterdir()):
        text = path.read_text(encoding="utf-8")
        # that with which a session communicates
        known = text.replace("fetch(path, ", "", 1) if path.name == "line.js" else text
        assert not OUTSIDE.search(known), path.name
        assert re.findall(r"https?://|//cdn\.|innerHTML\s*\+=|setInterval", text) == [], path.name


def test_a_session_page_contacts_its_own_server_only_and_a_task_file_no_server() -> None:
    sources = [
        path.read_text(encoding="utf-8")
        for path in (shipped_folder("resources") / "web").glob("*.js")
    ]
    asked = [
        address
        for text in sources
        for address in re.findall(r"\bask\(([^,)]+)", text)
        if "link" not in address and address != "path"
    ]
    assert len(asked) >= 3 and all(re.fullmatch(r'"/\w+"', address) for address in asked)
    assert (
        "connect-src 'self'" in render_session_page("0", {"join": "open", "panel": []})
        and "connect-src" not in FILE_POLICY
    )
    assert all(
        f"{what} 'none';" in render_session_page("0", {"join": "open", "panel": []})
        for what in ("base-uri", "form-action")
    )


@pytest.mark.parametrize(
    ("module", "says"),
    [
        ('import * as all from "./greeting.js";\n', "cannot be merged"),
        ('import { a as b } from "./greeting.js";\nexport default b;\n', "cannot be merged"),
        ('const lazy = import("./greeting.js");\n', "cannot be merged"),
        ('export { greeting } from "./greeting.js";\n', "cannot be merged"),
        ('const end = "</script>";\n', "cannot be merged"),
        (
            'import { greeting } from "./greeting.js";\nconst greeting = 1;\n',
            "both define greeting",
        ),
        (
            'import { greeting } from "./greeting.js";\nfunction greeting() {}\n',
            "both define greeting",
        ),
        ('import { start } from "./main.js";\n', "imports itself"),
        ('import { none } from "./none.js";\n', "none.js"),
    ],
)
def test_modules_that_cannot_be_joined_are_refused_with_a_message(
    tmp_path: Path, module: str, says: str
) -> None:
    (tmp_path / "main.js").write_text(module)
    (tmp_path / "greeting.js").write_text((PAGE / "greeting.js").read_text())
    with pytest.raises(IrjudgeError, match=says):
        bundle_modules(tmp_path)


def test_declared_names_are_those_of_the_top_level() -> None:
    text = "const a = 1;\nlet b;\nfunction c() {\n  const inner = 1;\n}\nasync function d() {}\nclass E {}\nconst { f, g: h } = a;\n"
    assert list(find_declarations(text)) == ["a", "b", "c", "d", "E", "f", "h"]


def test_no_title_name_or_text_ends_the_embedded_data(project: Path, tmp_path: Path) -> None:
    with open_project(project) as opened:
        opened.set_setting("title", DOCUMENT_TITLE)
        path = (
            assign_pool(
                opened,
                parse_candidates(f"{DOCUMENT_TITLE},bob"),
                AssignmentOptions(seed=2, overlap=2),
                tmp_path / "more",
            )
            .files[0]
            .path
        )
    text = make_page(path)
    task = parse_task(text)
    assert (
        task["title"] == DOCUMENT_TITLE == task["assessor"]
        and text.count("<script") == 4
        and "<!--" not in text
    )
    assert "<" not in to_script_json(task) and json.loads(
        to_script_json({"a": "<\u2028\u2029"})
    ) == {"a": "<\u2028\u2029"}


def test_the_same_task_gives_the_same_bytes(files: list[Path]) -> None:
    assert make_page(files[0]) == make_page(files[0])


def test_an_existing_file_is_not_overwritten(
    project: Path, files: list[Path], tmp_path: Path
) -> None:
    path = tmp_path / "ann.html"
    path.write_text("mine")
    with open_project(project) as opened:
        assignment = opened.assignments.all()[0]
        with pytest.raises(IrjudgeError, match="already exists"):
            HTML.write(path, opened, assignment, opened.assignments.items(assignment.code))
    assert path.read_text() == "mine"


def test_a_large_page_is_reported_with_an_alternative(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "LARGE_PAGE_BYTES", 100)
    small, large, other = tmp_path / "a.html", tmp_path / "b.html", tmp_path / "c.irtask"
    for path, size in ((small, 100), (large, 101), (other, 500)):
        path.write_bytes(b"x" * size)
    size_note, size_warning = describe_sizes([small, large, other])
    assert (
        find_numbers(size_note) == ["2", "0.0"]
        and size_warning.startswith("b.html ")
        and find_numbers(size_warning)[0] == "0"
        and "--split" in size_warning
    )
    assert describe_sizes([other]) == []


def test_texts_come_from_the_translations_of_the_window() -> None:
    texts = page_translations(["Relevant", "spam", "of nobody"])
    assert (
        texts["zh_CN"]["Relevant"] == "相关"
        and texts["zh_CN"]["spam"] == "垃圾内容"
        and "of nobody" not in texts["zh_CN"]
    )
