"""Tests of malicious documents in the window: nothing they name is opened or connected to."""

import base64
import os
import re
import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from irjudge.model import Document, Scale, Topic, make_run
from irjudge.store import create_project
from tests.pools import depth_pool

DRIVER = Path(__file__).parent / "show_documents.py"
CALLS = "connect,sendto,sendmsg,open,openat,openat2,stat,lstat,newfstatat,statx,access,faccessat,faccessat2,readlink,execve"

# Each names a bait: {file} is a local file, {web} an address by number, {name} by host name.
PAGES = {
    "script": "<script>location='{file}'</script><script src='{web}.js'></script><img src=x onerror=\"fetch('{web}')\">",
    "image": "<img src='{file}.png'><img src='{web}.png'><img src='{name}.png'><img srcset='{file}.png 2x'><img src='{path}.png'>",
    "image without quotes": '<img/src={file}.png><image src={file}.png><img src="{file}.png',
    "link": "<a href='{file}.html'>{letters}</a><link rel=stylesheet href='{file}.css'><link rel=icon href='{web}.ico'>",
    "frame": "<iframe src='{file}.html'></iframe><frameset><frame src='{web}'></frameset><iframe srcdoc=\"<img src='{file}.png'>\">",
    "svg": "<svg><image xlink:href='{file}.png'/><use href='{web}.svg#a'/></svg><img src='{file}.svg'>",
    "style": "<style>@import url({file}.css); @import '{web}.css'; body {{ background: url({file}.png) }}</style>",
    "style attribute": "<p style=\"background-image: url({file}.png)\">a</p><ul style='list-style-image: url({file}.png)'><li>b</ul>",
    "background": "<body background='{file}.png'><table background='{file}.png'><tr><td background='{web}.png'>a</table>",
    "refresh": "<meta http-equiv=refresh content='0;url={file}.html'><base href='{file}/'><img src='x.png'>",
    "form": "<form action='{web}'><input type=image src='{file}.png'><button>{letters}</button></form><isindex action='{file}'>",
    "object": "<object data='{file}.png'></object><embed src='{file}.swf'><applet code='{file}.class'></applet>",
    "sound": "<audio autoplay src='{file}.mp3'></audio><video poster='{file}.png'><source src='{web}.mp4'></video>",
    "entity": "<!DOCTYPE p [<!ENTITY x SYSTEM '{file}.txt'>]><p>&x;<?xml-stylesheet href='{file}.css'?>",
    "nested": "<img src='{file}.png'>" + "<div>" * 100_000 + "deep",
    "directions": "<p>\u202e\u2066abc\u200b\u200d</p>" * 2000
    + "<p>"
    + "a\u0301" * 50_000
    + "\u0301" * 50_000,
    "broken image": "<img src='data:image/png;base64,AAAA'><img src='data:text/html,<img src={file}>'>",
    "bombs": "<img src='data:image/png;base64,{bomb}'>" * 20,
    "drawing as image": "<img src='data:image/png;base64,{drawing}'><img src='data:image/svg+xml;base64,{drawing}'>",
}
MARKDOWN = (
    "![a]({file}.png) <img src='{file}.png'> [l]({file}.html) <{web}> [r][1]\n\n[1]: {file}.html\n"
)
DRAWING = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink' width='9' height='9'><image x:href='{file}.png'/></svg>"


def make_bomb() -> bytes:
    """Return a PNG of a few bytes whose header claims a thousand million pixels."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    header = struct.pack(">IIBBBBB", 40_000, 40_000, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(bytes(100)))
        + chunk(b"IEND", b"")
    )


def make_documents(folder: Path) -> list[Document]:
    bait = folder / "bait"
    for ending in ("", ".png", ".css", ".html", ".svg", ".txt"):
        bait.with_name(f"bait{ending}").write_bytes(make_bomb())
    paths = {
        "file": bait.as_uri(),
        "path": str(bait),
        "web": "http://127.0.0.1:9/bait",
        "name": "http://bait.example/bait",
    }
    drawing = base64.b64encode(DRAWING.format(**paths).encode()).decode()
    more = {
        "bomb": base64.b64encode(make_bomb()).decode(),
        "drawing": drawing,
        "letters": "letters " * 9,
    }
    made = [
        Document(name.replace(" ", "-"), page.format(**paths, **more).encode(), "", "html")
        for name, page in PAGES.items()
    ]
    made.append(Document("long", made[1].body + b"<p>word " * 20_000 + made[1].body, "", "html"))
    made.append(Document("markdown", MARKDOWN.format(**paths).encode(), "", "markdown"))
    made += [
        Document("bomb", make_bomb(), "", "image"),
        Document("drawing", DRAWING.format(**paths).encode(), "", "image"),
    ]
    return [
        *made,
        Document(
            "text", MARKDOWN.format(**paths).encode(), "<img src='{file}.png'>".format(**paths)
        ),
    ]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "hostile.irjudge"
    hostile = make_documents(tmp_path)
    run = make_run("r", [("1", each.id, float(-index)) for index, each in enumerate(hostile)])
    with create_project(path, scale=Scale.parse("0-1")) as made:
        made.collection.add_topics([Topic("1", "harm")])
        made.collection.add_documents(hostile)
        made.rankings.add_pool(depth_pool([run], len(hostile)))
    return path


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_nothing_that_a_document_names_is_opened_or_connected_to(
    project: Path, tmp_path: Path
) -> None:
    trace, settings = tmp_path / "trace", tmp_path / "settings.ini"
    command = [
        "strace",
        "-f",
        "--seccomp-bpf",
        "-qq",
        "-e",
        f"trace={CALLS}",
        "-s",
        "400",
        "-o",
        str(trace),
        sys.executable,
        str(DRIVER),
    ]
    ended = subprocess.run(
        [*command, str(project), str(settings)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0 and "Traceback" not in ended.stderr, ended.stderr
    shown = [line.split()[0] for line in ended.stdout.splitlines()]
    names = [document.id for document in make_documents(tmp_path)]
    assert sorted(shown) == sorted(names * 2), "each was shown on the judging page and by itself"
    calls = trace.read_text(errors="replace").splitlines()
    assert any(f'"{project}"' in line for line in calls), "what is opened is seen"
    assert [line for line in calls if "bait" in line] == []
    assert [line for line in calls if re.search(r"AF_INET|resolv\.conf|/etc/hosts", line)] == []
    assert [line for line in calls if "execve(" in line][1:] == [], "no other program was started"
