"""A search team's workflow: Solr responses about products are pooled, judged and compared."""

import csv
import io
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from irjudge.cli.main import main
from irjudge.report import stored_evaluations
from irjudge.store import open_project
from tests.web.browsers import Chromium, wait_until

QUERIES = ("red shoes", "rain boots")
COLOURS = {"red": b"\xc8\x20\x20", "blue": b"\x20\x40\xc8"}
HOSTILE = "<b onclick=alert(1)>Nordwind</b>"
FIRST, DEPTH = ("red", "blue"), 4
SHOWN = """
const fields = document.querySelector(".sheet > .fields"), image = fields?.querySelector("img");
return {
  title: document.querySelector(".sheet h1").textContent,
  rows: [...(fields?.querySelectorAll("dt") ?? [])].map((each) => [each.textContent, each.nextElementSibling.textContent]),
  pixels: image ? [image.naturalWidth, image.naturalHeight] : null,
  markup: fields ? fields.querySelectorAll("b").length : 0,
};
"""
RESTS = "return document.querySelector('main').classList.contains('resting')"
CHOOSE = """
const text = document.createTreeWalker(document.querySelector(".sheet > p:last-of-type"), NodeFilter.SHOW_TEXT).nextNode();
const begin = text.data.indexOf("mud");
getSelection().setBaseAndExtent(document.querySelector(".sheet h1").firstChild, 0, text, begin + 3);
"""


def make_image(colour: bytes) -> bytes:
    """Return a PNG of 60 by 40 pixels of one colour."""
    rows = (b"\0" + colour * 60) * 40
    parts = (
        b"IHDR" + struct.pack(">2I5B", 60, 40, 8, 2, 0, 0, 0),
        b"IDAT" + zlib.compress(rows),
        b"IEND",
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(each) - 4) + each + struct.pack(">I", zlib.crc32(each))
        for each in parts
    )


def make_product(number: int) -> dict[str, Any]:
    colour = FIRST[number % 2]
    return {
        "id": f"B{number}",
        "name": f"{colour.title()} shoe {number}",
        "description": "For rain and mud.",
        "price": 10.5 + number,
        "brand": HOSTILE if number == 1 else "Talblick",
        "margin": f"SECRET-{number}",
        "image": f"img/{colour}.png",
        "score": 9.0 - number,
    }


def write_responses(folder: Path, *, backwards: bool = False) -> Path:
    """Write Solr's responses, one file per query, and the images beside them."""
    (folder / "img").mkdir(parents=True)
    for colour, pixels in COLOURS.items():
        (folder / "img" / f"{colour}.png").write_bytes(make_image(pixels))
    for index, query in enumerate(QUERIES):
        docs = [make_product(number) for number in range(6)]
        docs = [
            {**each, "score": 9.0 - rank}
            for rank, each in enumerate(reversed(docs) if backwards else docs)
        ]
        answer = {
            "responseHeader": {"status": 0, "params": {"q": query}},
            "response": {"numFound": len(docs), "docs": docs},
        }
        (folder / f"{index}.json").write_text(json.dumps(answer), encoding="utf-8")
    return folder


def grade_of(title: str) -> str:
    """Return the grade of a product: the first red shoes are the best."""
    return ("3" if title.endswith(" 0") else "2") if title.startswith("Red") else "0"


def grade_document(browser: Chromium, digit: str) -> None:
    """Press a grade until the page accepts it; a key pressed right after rendering is ignored."""
    title = browser.title

    def press() -> bool:
        browser.press(digit)
        return bool(browser.js(RESTS)) or browser.title != title

    wait_until(press)


def judge_page(browser: Chromium, page: Path, *, wrong: bool = False) -> Path:
    """Judge all documents of a page by key, checking fields and images, and save the result."""
    browser.open(page)
    for count in range(DEPTH * len(QUERIES)):
        seen = browser.js(SHOWN)
        number = int(seen["title"].rpartition(" ")[2])
        brand = HOSTILE if number == 1 else "Talblick"
        assert seen["rows"] == [["brand", brand], ["price", str(10.5 + number)]], (
            "the fields that are shown, in their order, as they are"
        )
        assert (seen["pixels"], seen["markup"]) == ([60, 40], 0)
        if count == 0:
            browser.js(CHOOSE)
            browser.press("r")
            reasons = [
                each["payload"] for each in browser.stored_actions() if each["kind"] == "rationale"
            ]
            text = f"{seen['title']} For rain and mud"
            assert (text, [0, len(text)]) in [
                (each["text"], each["position"]) for each in reasons
            ], "fields are no part of the text"
        grade_document(browser, "1" if wrong and count % 3 == 0 else grade_of(seen["title"]))
        if browser.js(RESTS) and count < DEPTH * len(QUERIES) - 1:
            browser.press(Keys.ENTER)  # the next topic
            wait_until(lambda: not browser.js(RESTS))
    browser.press_control("s")
    return browser.wait_for_download(page.name.replace(".html", ".result.json"))


def test_solr_responses_are_judged_with_images_reported_and_compared_with_last_month(
    chromium: Chromium,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write_responses(tmp_path / "october")
    assert main(["new", "shop.irjudge", "--runs", "october"]) == 0
    assert main(["fields", "shop.irjudge", "--show", "brand,price,image"]) == 0
    assert main(["pool", "shop.irjudge", "--depth", str(DEPTH)]) == 0
    assert (
        main(
            [
                "assign",
                "shop.irjudge",
                "--assessors",
                "ann,bob",
                "--overlap",
                "2",
                "--as",
                "html",
                "-o",
                "out",
            ]
        )
        == 0
    )
    pages = [tmp_path / "out" / f"{name}.html" for name in ("ann", "bob")]
    assert all("SECRET" not in page.read_text(encoding="utf-8") for page in pages), (
        "what is not shown is not handed out"
    )
    for page, wrong in zip(pages, (False, True), strict=True):
        judge_page(chromium, page, wrong=wrong)
    assert chromium.read_log() == []
    assert (
        main(
            [
                "merge",
                "shop.irjudge",
                *(str(each) for each in sorted(chromium.downloads.glob("*.result.json"))),
            ]
        )
        == 0
    )
    evaluate = [
        "evaluate",
        "shop.irjudge",
        "--source",
        "assessor ann",
        "-m",
        "nDCG@4",
        "--format",
        "csv",
    ]
    capsys.readouterr()
    assert main([*evaluate, "--keep", "last", "--fail-below", "nDCG@4=0.5"]) == 0
    before = capsys.readouterr().out
    assert (
        main(
            [
                "report",
                "shop.irjudge",
                "--source",
                "assessor ann",
                "-m",
                "nDCG@4",
                "-o",
                "october.xlsx",
            ]
        )
        == 0
    )
    assert (
        main(
            [
                "report",
                "shop.irjudge",
                "--source",
                "assessor ann",
                "-m",
                "nDCG@4",
                "-o",
                "october.zip",
            ]
        )
        == 0
    )
    assert main(["verify", "october.zip", "shop.irjudge"]) == 0

    write_responses(tmp_path / "new" / "october", backwards=True)
    assert main(["remove-run", "shop.irjudge", "october"]) == 0
    assert main(["import", "shop.irjudge", "--runs", "new/october"]) == 0
    capsys.readouterr()
    assert main([*evaluate, "--fail-if-worse", "last", "--by", "0.01"]) == 3
    out, err = capsys.readouterr()
    assert (
        out.startswith("run,measure,topic,value\n")
        and out != before
        and "october" in err.splitlines()[-1]
    )
    assert (
        main(
            [
                "compare",
                "shop.irjudge",
                "--source",
                "assessor ann",
                "-m",
                "nDCG@4",
                "--with",
                "last",
                "--format",
                "csv",
            ]
        )
        == 0
    )
    row = next(csv.DictReader(io.StringIO(capsys.readouterr().out)))  # the first of several tests
    assert float(row["difference"]) < -0.01 and float(row["mean_b"]) == float(
        before.splitlines()[1].rpartition(",")[2]
    )
    assert (
        main(["verify", "october.zip", "shop.irjudge"]) != 0
        and "october" in capsys.readouterr().err
    )
    with open_project(Path("shop.irjudge")) as project:
        assert [each.name for each in stored_evaluations(project)] == ["last"]
