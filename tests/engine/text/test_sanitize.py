"""Tests of sanitised HTML: no loading, scripts or outside links, no lost text, linear time."""

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from irjudge.text.sanitize import (
    ALLOWED_TAGS,
    MAX_DEPTH,
    break_long_words,
    extract_title,
    iter_tokens,
    sanitize,
)
from tests.lengths import is_linear

PIXEL = "data:image/png;base64,iVBORw0KGgo="


class Reader(HTMLParser):
    """Independent parser: collects tags, attributes and text, and checks the nesting of tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, list]] = []
        self.text = ""
        self.open: list[str] = []
        self.deepest = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.tags.append((tag, attrs))
        if tag not in ("br", "hr", "img"):
            self.open.append(tag)
            self.deepest = max(self.deepest, len(self.open))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    handle_decl = handle_pi = unknown_decl = handle_comment


def check_harmless(html: str) -> Reader:
    read = Reader(html)
    assert read.open == []
    assert read.deepest <= MAX_DEPTH
    for tag, attributes in read.tags:
        assert tag in ALLOWED_TAGS
        for name, value in attributes:
            assert name == "id" or (tag, name) in {("a", "href"), ("img", "src")}
            if name == "href":
                assert value.startswith("#") or re.match(
                    "(https?://|mailto:)[^ ]", value, re.IGNORECASE
                )
            elif name == "src":
                assert value.startswith("data:image/")
    return read


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<script>alert(1)</script>b", "<p>ab</p>"),
        ("<script>if (a < b) document.write('<p>x</p>')</script>b", "b"),
        ("<SCRIPT\n>x</SCRIPT\n>b", "b"),
        ("<script>never closed <p>b</p>", ""),
        ("<script>s = '<script>'</script>b", "b"),
        ("<style>/* <!-- */</style>b", "b"),
        ("<script src='http://x/y.js'/>b", "b"),
        ('<p onclick="x()" style="background:url(http://x)" class=c>b</p>', "<p>b</p>"),
        (
            '<p id=i style="color:red">b</p><a name="n">c</a><h2 ID="a &quot; b">d</h2>',
            '<p id="i">b</p><a id="n">c</a><h2 id="a &quot; b">d</h2>',
        ),
        ("<p name=n>b</p><div id>c</div>", "<p>b</p><div>c</div>"),
        ('<img src="http://x/y.png">', ""),
        ('<img src="http://x/y.png" alt="a <b>">', "[a &lt;b&gt;]"),
        ('<img src="file:///etc/passwd">', ""),
        ('<img src="//x/y.png" srcset="http://x 2x">', ""),
        ("<img src=y.png>", ""),
        (f'<img src="{PIXEL}" onerror=x()>', f'<img src="{PIXEL}">'),
        (f"<img alt='a' src='{PIXEL}'/>", f'<img src="{PIXEL}">'),
        ("<img src='data:text/html,<script>x()</script>'>", ""),
        ("<img src='data:image/svg+xml;base64,AAAA'>", ""),
        ("<img src='data:image/png;base64,AA\" onerror=\"x()'>", ""),
        ('<a href="javascript:x()">b</a>', "<a>b</a>"),
        ('<a href=" java&#10;script:x()">b</a>', "<a>b</a>"),
        ('<a href="http://x">b</a>', '<a href="http://x">b</a>'),
        (
            '<a href=" HTTPS://x/?a&amp;b#c " target=_blank>b</a>',
            '<a href="HTTPS://x/?a&amp;b#c">b</a>',
        ),
        ("<a href='mailto:a@b.org?subject=x'>b</a>", '<a href="mailto:a@b.org?subject=x">b</a>'),
        (
            '<a href="//x/y">b</a><a href="y.html">c</a><a href="ftp://x">d</a>',
            "<a>b</a><a>c</a><a>d</a>",
        ),
        ('<a href="http://x y">b</a><a href="http:x">c</a>', "<a>b</a><a>c</a>"),
        ("<a href='http://x/" + "y" * 2000 + "'>b</a>", "<a>b</a>"),
        ('<a href="file:///etc/passwd">b</a>', "<a>b</a>"),
        ('<a href="data:text/html,x">b</a>', "<a>b</a>"),
        ('<a href="#part">b</a>', '<a href="#part">b</a>'),
        ("<a href=#part>b</a>", '<a href="#part">b</a>'),
        (
            '<a HREF="#a&quot; onclick=&quot;x()">b</a>',
            '<a href="#a&quot; onclick=&quot;x()">b</a>',
        ),
        ("<iframe src='http://x'>fallback</iframe>b", "b"),
        ("<iframe><p>x</p>&lt;b</iframe>b", "b"),
        ("<object data=x><embed src=y>c</object>b", "b"),
        ("<embed src=http://x>b", "b"),
        ("<svg><script>x()</script><image href='http://x'/><text>t</text></svg>b", "b"),
        ("<svg/>b", "b"),
        ("<math><mi>x</mi></math>b", "b"),
        ("<style>@import url(http://x);</style>b", "b"),
        ("<style>p:before{content:'</p><b>'}</style>b", "b"),
        ('<link rel=stylesheet href="http://x">b', "b"),
        ('<meta http-equiv=refresh content="0;url=http://x">b', "b"),
        ('<base href="http://x/">b', "b"),
        ("<form action=http://x><input value=v><button>go</button></form>", "go"),
        ("<video src=http://x>c</video><audio src=x>d</audio>b", "b"),
        ("<noscript><img src=http://x></noscript>b", "b"),
        ("<template><p>x</p></template>b", "b"),
        ("<title>t</title><textarea><p>x</textarea>b", "b"),
        ("<!-- <p>x</p> -->b", "b"),
        ("<!-->b", "b"),
        ("<!-- never closed <p>b", ""),
        ("<!DOCTYPE html><?xml version='1.0'?><![CDATA[x]]>b", "b"),
        ("<![if !vml]>b<![endif]>", "b"),
        ("<![foo[ x ]]>b", "b"),
        ("<p>a<p/>b", "<p>ab</p>"),
        ("a<br/>b<hr>c", "a<br>b<hr>c"),
        ("</p></div>b", "b"),
        ("<b><i>x</b>y</i>", "<b><i>x</i></b>y"),
        ("<li>a<ul><li>b", "<li>a<ul><li>b</li></ul></li>"),
        ("<p>a<p>b<div>c", "<p>a</p><p>b</p><div>c</div>"),
        ("<p><b>a<p>b", "<p><b>a</b></p><p>b</p>"),
        ("<b><p>a</b>b", "<b><p>a</p></b>b"),
        ("<ul><li>a<li>b</ul>c", "<ul><li>a</li><li>b</li></ul>c"),
        ("<dl><dt>a<dd>b<dt>c</dl>", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>"),
        (
            "<table><tr><td>a<td>b<tr><th>c</table>",
            "<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>",
        ),
        (
            "<table><tbody><tr><td>a<tfoot><td>b</table>",
            "<table><tbody><tr><td>a</td></tr></tbody><tfoot><tr><td>b</td></tr></tfoot></table>",
        ),
        (
            "<table>a<tr>b<img alt=c></table>",
            "<table><tr><td>a</td></tr><tr><td>b[c]</td></tr></table>",
        ),
        (
            "<table><caption>a<tr><td>b</table>",
            "<table><caption>a</caption><tr><td>b</td></tr></table>",
        ),
        ("<table><p>a</table>", "<table><tr><td><p>a</p></td></tr></table>"),
        (
            "<div><table><tr><td>a</div>b</table>c",
            "<div><table><tr><td>ab</td></tr></table>c</div>",
        ),
        ("<td>a</td></tr></table>b", "ab"),
        (
            "<ul>" * 8 + "<li>a</ul></ul></ul><li>b",
            "<ul>" * 6 + "<li>a</li></ul><li>b</li></ul></ul></ul></ul></ul>",
        ),
        ("<font color=red><center>b</center></font>", "b"),
        ("<x-unknown>b</x-unknown>", "b"),
        ("a < b and c > d, 3<4, <3", "a &lt; b and c &gt; d, 3&lt;4, &lt;3"),
        (
            "a &lt;script&gt; &amp;amp; &copy; &#8211; &nosuch; &",
            "a &lt;script&gt; &amp;amp; © – &amp;nosuch; &amp;",
        ),
        ('<p title="a > b">b</p>', "<p>b</p>"),
        ("tell <me more", "tell &lt;me more"),
        ('<a href="#x>never closed</a> and more words', "<a>never closed</a> and more words"),
        ("&#99999999999999999999;b", "\ufffdb"),
        ("&#" + "9" * 5000 + ";b", "\ufffdb"),
        ("<a href='#&#x" + "f" * 5000 + "'>b</a>", '<a href="#\ufffd">b</a>'),
        ("", ""),
    ],
)
def test_harmless_elements_of_a_page_are_kept(html: str, expected: str) -> None:
    assert sanitize(html) == expected
    check_harmless(expected)


@pytest.mark.parametrize("name", ["iframe", "noframes", "script", "style", "textarea", "title"])
@pytest.mark.parametrize("held", ["<!-- ", "<script>", "<title>", "<a href='", "</", "<svg>"])
def test_raw_text_elements_end_at_their_own_end_tag(name: str, held: str) -> None:
    assert sanitize(f"a<{name}>{held}</{name}>b") == "ab"


MARKS = """< > </ /> " ' = & &# ; <!-- --> <! <? <![CDATA[ <![x[ ]]> a b é # &lt; &#60; &quot; #x""".split()
NAMES = "p a img script style svg table td iframe title href src alt id name onclick javascript:x() http://x".split()
TAGS = [
    "<p>",
    "</p>",
    "<script>",
    "</script>",
    "<svg>",
    "</svg>",
    "<a href=",
    "<img src=",
    "<table><tr><td>",
]
PARTS = st.sampled_from([" ", "\0", "\n", PIXEL, *MARKS, *NAMES, *TAGS])


@given(st.one_of(st.lists(PARTS, max_size=25).map("".join), st.text(max_size=30)))
@example("<a href=\"<a href='<img src=http://x onerror=x()>")
@example("<p <script>x()</script>")
@example('<img src="' + PIXEL + '" src=http://x>')
@example("<a href=#>")
@example("<img/src=http://x/onerror=x()//")
def test_sanitised_html_loads_nothing_runs_nothing_and_has_no_outside_links(html: str) -> None:
    result = sanitize(html)
    check_harmless(result)
    assert sanitize(result).replace("\u200b", "") == result.replace("\u200b", "")


@given(st.text(max_size=50))
def test_the_words_of_a_plain_text_are_kept(text: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace("\0", "")
    assert unescape(sanitize(escaped)) == text.replace("\0", "")


def make_hostile_html(count: int) -> dict[str, str]:
    """Return HTML that makes repeated searches expensive."""
    return {
        "nested": "<div>" * count,
        "nested and closed": "<div>" * count + "</div>" * count,
        "tables": "<table><tr><td>" * (count // 3),
        "closing": "</div>" * count,
        "svg": "<svg>" * count,
        "scripts": "<script>" * count,
        "script ends": "<script>" + "</script " * count,
        "less": "<" * count,
        "comments": "<!--" * count,
        "comment ends": "<!-->" * count,
        "declarations": "<!a" * count,
        "cdata": "<![CDATA[" * count,
        "marked": "<![foo[" * count,
        "instructions": "<?" * count,
        "open tags": "<a " * count,
        "open ends": "</a" * count,
        "open quotes": '<a href="' * count,
        "open single quotes": "<a href='" * count,
        "mixed quotes": "<a b='\"' c=\"" * count,
        "attributes": "<a b=c d=e " * count,
        "one tag": "<a " + "b=c " * count + ">",
        "names": "<a " + "b " * count + ">",
        "equals": "<a " + "=" * count + ">",
        "quotes": "<a " + '"' * count + ">",
        "spaces": "<img src" + " " * count + ">",
        "ampersands": "&" * count,
        "references": "&#" * count,
        "digits": "&#" + "1" * count,
        "word": "x" * count,
        "word in tags": "<b>x</b>" * count,
        "image": '<img src="data:image/png;base64,' + "A" * count + '!">',
        "one name": "<a " + "b" * count * 10 + ">",
        "empty quotes": "<a " + "''" * count + ">",
        "sources": "<img " + 'src="data:image/' * count + ">",
        "dashes": "<!--a" + "-" * count,
        "words of 1,999": ("x" * 1999 + " ") * (count // 200),
        "alt": '<img alt="' + "A" * count + '">',
    }


@pytest.mark.slow
@pytest.mark.parametrize("closed", ["", ">", "\"'>-->"])
@pytest.mark.parametrize("name", make_hostile_html(1))
def test_sanitising_takes_linear_time(name: str, closed: str, full: bool) -> None:
    count = 100_000 if full else 16_000
    eighth, whole = (make_hostile_html(each)[name] + closed for each in (count // 8, count))
    left: list[str] = []
    assert is_linear(lambda: sanitize(eighth), lambda: left.append(sanitize(whole)))
    check_harmless(left[0])


def test_deep_nesting_is_limited_and_words_stay() -> None:
    read = check_harmless(sanitize("<div>" * 150 + "deep" + "</div>" * 150 + "<p>after"))
    assert (read.deepest, read.text) == (100, "deepafter")


def test_nested_tables_are_limited_to_eight_and_words_stay() -> None:
    result = sanitize("<table><tr><td>x" * 20 + "</table>" * 20)
    assert (result.count("<table>"), Reader(result).text) == (8, "x" * 20)
    assert result.count("<td>") == 8 and result.endswith("x" * 13 + "</td></tr></table>" * 8)


def test_an_image_of_many_megabytes_is_kept() -> None:
    image = f"data:image/png;base64,{'A' * 3_000_000}"
    assert sanitize(f"<img alt='a' src='{image}' width=3>") == f'<img src="{image}">'


@pytest.mark.slow
def test_the_smallest_parts_join_to_the_whole() -> None:
    html = "<p>a<b>c</b>" + "word &amp; " * 20_000
    parts = list(iter_tokens(html))
    assert "".join(parts) == sanitize(html) and parts[:4] == ["<p>", "a", "<b>", "c"]
    assert max(map(len, parts)) <= 2 * 64_000
    assert (
        unescape("".join(iter_tokens("&amp;" * 100_000))).replace("\u200b", "") == "&" * 100_000
    ), "no character reference is cut in two"


@pytest.mark.slow
def test_long_text_without_spaces_gets_break_opportunities() -> None:
    breaks = {
        "one text": "x" * 5000,
        "in tags": "<b>x</b>" * 5000,
        "no-break spaces": "x\u00a0" * 2500,
        "alt": '<img alt="' + "x" * 5000 + '">',
    }
    for name, html in breaks.items():
        shown = Reader(sanitize(html)).text
        assert max(map(len, re.split("[\u200b ]", shown))) <= 2001, name
        assert len(shown.replace("\u200b", "").strip("[]")) == 5000, name
    assert "\u200b" not in sanitize("<b>word</b> " * 5000)
    assert break_long_words("x" * 1999) == "x" * 1999


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>A &amp; b\n c</title>", "A & b c"),
        ("<TITLE lang=en>x</TITLE>", "x"),
        ("<p>none", ""),
        ("<title></title>", ""),
        ("<title>" * 50_000, ""),
        ("<title>&#" + "9" * 1900 + ";</title>", "\ufffd"),
    ],
)
def test_the_title_of_a_page_is_found(html: str, title: str) -> None:
    assert extract_title(html) == title
