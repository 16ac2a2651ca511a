"""Checks a site: every link and picture inside it leads somewhere, and no page loads anything from elsewhere. `links.py FOLDER`."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADING = {"script": "src", "img": "src", "iframe": "src", "link": "href", "source": "src"}


class SitePage(HTMLParser):
    """The anchors of a page, where its links go, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = {""}
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of what a tag names."""
        known = {name: value or "" for name, value in attrs}
        self.anchors |= {known[name] for name in ("id", "name") if name in known}
        if tag == "a" and "href" in known:
            self.links.append(known["href"])
        if known.get(LOADING.get(tag, "")) and known.get("rel") != "canonical":
            self.loaded.append(known[LOADING[tag]])


def faults(folder: Path) -> list[str]:
    """Return what is wrong with the links of a site, a line each."""
    pages = {
        path: SitePage(path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.html"))
        if path.name != "sample.html"
    }
    found = []
    for path, page in pages.items():
        where = path.relative_to(folder)
        found += [
            f"{where} loads {each}" for each in page.loaded if re.match(r"(https?:)?//", each)
        ]
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or path.name == "404.html":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                found.append(f"{where} names {link}, which is not there")
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{where} names {link}, which has no such place")
    return found


if __name__ == "__main__":
    said = faults(Path(sys.argv[1]).resolve())
    sys.stdout.write("".join(f"{each}\n" for each in said) or "All links lead somewhere.\n")
    sys.exit(bool(said))
