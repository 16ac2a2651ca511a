"""Writes the sources of the site, a folder a language: `make.py FOLDER PICTURES`. Then `zensical build` runs in each of them.

Guides and pictures are taken as they are; commands, options and measures come from their declarations, the sample from its collection.
"""

import json
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

import irjudge
from irjudge.cli.main import COMMANDS, main
from irjudge.cli.main import irjudge as program
from irjudge.metrics import MeasureDeclaration, format_value, list_measures
from irjudge.palette import DARK, LIGHT
from irjudge.report import translate_about, translate_text
from irjudge.shipped import guide_path, sample_folders, shipped_folder
from irjudge.translations import load_catalogue

HERE = Path(__file__).parent
SAMPLE, TOP = "everyday", 10  # ranks that nDCG@10 looks at
LEDGER = ("ledger.js", "task.js")  # the page's own rules of what stands after undo and redo
OWN = ("try.js", "score.js", "site.js", "look.css")
NAVIGATION = (
    ("", ("index", "try")),
    (
        "tutorials",
        (
            "first_ten",
            "class_in_90",
            "defensible",
            "from_trec_eval",
            "from_quepid",
            "from_search_engines",
            "from_label_studio",
        ),
    ),
    (
        "guides",
        (
            "assessors",
            "organisers",
            "finding",
            "sessions",
            "servers",
            "files",
            "teachers",
            "preferences",
            "models",
            "logs",
            "notebooks",
            "large",
        ),
    ),
    (
        "reference",
        (
            "measures",
            "commands",
            "command_line",
            "python",
            "differences",
            "promises",
            "security",
            "changes",
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class SiteLanguage:
    """A language of the site: its names, where its guides lie, and the site's own words in it."""

    code: str  # of the window's translation; empty for English
    tag: str  # in pages
    name: str
    words: dict[str, str]

    @property
    def folder(self) -> str:
        """The name of its folders."""
        return self.code or "en"


ENGLISH = SiteLanguage(
    "", "en", "English", json.loads((HERE / "words_en.json").read_text(encoding="utf-8"))
)
CHINESE = SiteLanguage(
    "zh_CN", "zh", "中文", json.loads((HERE / "words_zh_CN.json").read_text(encoding="utf-8"))
)
LANGUAGES = (ENGLISH, CHINESE)


# The catalogue of measures


def measures_page(language: SiteLanguage) -> str:
    """Return every measure with its formula, parameters and references."""
    words = language.words
    parts, kind = [f"# {words['measures']}", words["measures_about"]], ""
    for declaration in list_measures():
        if declaration.kind != kind:
            kind = declaration.kind
            parts.append(f"## {words[f'kind_{kind}']}")
        title = load_catalogue(language.code).translate(declaration.title)
        parts += measure(declaration, {**words, "title": title}, language.code)
    return "\n\n".join(parts) + "\n"


def measure(declaration: MeasureDeclaration, words: dict[str, str], language: str) -> Iterator[str]:
    """Yield the paragraphs of one measure."""

    def said(text: str) -> str:
        return translate_text(text, language)

    low, high = declaration.bounds
    others = ", ".join(
        f"`{alias.name}`" for alias in declaration.aliases if alias.name != declaration.name
    )
    english = "" if words["title"] == declaration.title else f" ({declaration.title})"
    yield f"### {declaration.name}"
    yield f"**{words['title']}**{english}. {cell(translate_about(declaration, language))}"
    yield f"{words['formula']}: `{said(declaration.formula)}`"
    yield f"{words['bounds']}: {low:g} – {high:g}" + (
        f"; {words['aliases']}: {others}" if others else ""
    )
    if declaration.parameters:
        defaults = (
            "" if each.required or each.default is None else f"`{format_value(each.default)}`"
            for each in declaration.parameters
        )
        told = (
            (f"`{each.name}`", said(each.allowed_values), said(each.about))
            for each in declaration.parameters
        )
        rows = [
            (name, allowed, default, about)
            for (name, allowed, about), default in zip(told, defaults, strict=True)
        ]
        yield table(
            (words["parameter"], words["allowed"], words["default"], words["meaning"]), rows
        )
    yield from (cell(said(text)) for text in (declaration.notes,) if text)
    yield from (
        f"*{words['reference_to']}:* {cell(text)}" for text in (declaration.references,) if text
    )


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *([cell(each) for each in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cell(said: str) -> str:
    """Return words that no sign of Markdown or HTML changes; what stands between backticks stays as it is."""
    parts = " ".join(said.split()).split("`")
    plain = [
        part if place % 2 else escape(part, quote=False).replace("*", r"\*").replace("_", r"\_")
        for place, part in enumerate(parts)
    ]
    return "`".join(plain).replace("|", r"\|")


# The command line


def command_line_page(language: SiteLanguage) -> str:
    """Return what every command says of itself: its form, what it does, its options."""
    words, context = language.words, click.Context(program, info_name="irjudge")
    parts = [f"# {words['command_line']}", words["command_line_about"]]
    for name in COMMANDS:
        command = program.get_command(context, name) or click.Command(name)
        own = click.Context(command, info_name=name, parent=context)
        parts += [
            f"## {name}",
            f"```text\n{' '.join(['irjudge', name, *command.collect_usage_pieces(own)])}\n```",
        ]
        parts += [cell(said) for said in (command.help or "").replace("\b", "").split("\n\n")]
        rows = [
            (f"`{each[0]}`", each[1])
            for param in command.params
            if (each := param.get_help_record(own))
        ]
        parts += [table((words["option"], words["meaning"]), rows)] if rows else []
    return "\n\n".join(parts) + "\n"


def python_page(language: SiteLanguage) -> str:
    """Return the page into which the generator writes what the functions say of themselves."""
    words = language.words
    return (
        "\n\n".join(
            [
                f"# {words['python']}",
                words["python_about"],
                *(f"::: irjudge.{name}" for name in irjudge.__all__),
            ]
        )
        + "\n"
    )


# The page on which one judges


@dataclass(frozen=True, slots=True)
class JudgedHere:
    """The sample's task as a page, what identifies it, its rankings, and their values by the grades that come with it."""

    page: bytes
    task: dict[str, Any]
    rankings: dict[str, dict[str, list[str]]]
    values: dict[str, dict[str, float]]


def rankings() -> dict[str, dict[str, list[str]]]:
    """Return the top of each of the sample's rankings by run and topic; equal scores as the engine puts them, by id from last to first."""
    found: dict[str, dict[str, list[str]]] = {}
    for path in sorted((sample_folders()[SAMPLE] / "runs").glob("*.run")):
        rows = (
            irjudge.read_run(str(path))
            .to_pandas()
            .sort_values(["score", "doc_id"], ascending=False)
        )
        found[path.stem] = {
            str(topic): list(each.doc_id[:TOP]) for topic, each in rows.groupby("query_id")
        }
    return found


@cache
def judged_here() -> JudgedHere:
    """Hand the sample's pool out to one person as a page, as it is handed out to anybody."""
    folder = sample_folders()[SAMPLE]
    with TemporaryDirectory() as work:
        project = str(Path(work) / f"{SAMPLE}.irjudge")
        for words in (
            ["sample", SAMPLE, "-o", project],
            ["pool", project, "--depth", str(TOP)],
            ["assign", project, "--assessors", "you", "--seed", "1", "--as", "html", "-o", work],
        ):
            if fault := main(words):
                raise SystemExit(fault)
        page = (Path(work) / "you.html").read_bytes()
    (task,) = re.findall(r'id="task">(.*?)</script>', page.decode(), re.DOTALL)
    values = {}
    for path in sorted((folder / "runs").glob("*.run")):
        table_of = irjudge.evaluate(str(folder / "qrels.txt"), str(path), "P@5 nDCG@10")
        values[path.stem] = {
            str(name): float(value)
            for name, value in zip(table_of["measure"], table_of["value"], strict=True)
        }
    return JudgedHere(page, json.loads(task), rankings(), values)


def try_page(language: SiteLanguage) -> str:
    """Return the page with the task in a frame, and the values beside those of the sample's own grades."""
    words, here = language.words, judged_here()
    sample = {
        "assignment": here.task["assignment"],
        "count": len(here.task["items"]),
        "rankings": here.rankings,
    }
    data = json.dumps(sample, separators=(",", ":")).replace("<", "\\u003c")
    frame = f'<iframe class="try-frame" src="site/sample.html" title="{escape(words["frame"])}"></iframe>'
    rows = "".join(
        f'<tr><th scope="row">{run}</th><td data-try="P@5 {run}">–</td><td data-try="nDCG@10 {run}">–</td>'
        f"<td>{values['P@5']:.4f}</td><td>{values['nDCG@10']:.4f}</td></tr>"
        for run, values in here.values.items()
    )
    heads = ("run", "P@5", "nDCG@10", f"P@5 {words['agreed']}", f"nDCG@10 {words['agreed']}")
    head = "".join(f'<th scope="col">{escape(words.get(each, each))}</th>' for each in heads)
    shown = (
        f'<p>{words["judged"]}: <strong data-try="count" aria-live="polite">0</strong></p>\n\n'
        f'<div class="try-values"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>\n\n'
        f'<script type="application/json" data-try="sample">{data}</script>\n<script type="module" src="site/try.js"></script>'
    )
    page = (HERE / "pages" / language.folder / "try.md").read_text(encoding="utf-8")
    return page.replace("{frame}", frame).replace("{values}", shown)


# All of it


MADE = {
    "measures": measures_page,
    "command_line": command_line_page,
    "python": python_page,
    "try": try_page,
}


def pages(language: SiteLanguage) -> dict[str, str]:
    """Return the text of each page of the site by its name."""
    names = [name for _section, listed in NAVIGATION for name in listed]
    return {
        name: adapted(MADE[name](language) if name in MADE else written(name, language))
        for name in names
    }


def written(name: str, language: SiteLanguage) -> str:
    """Return a page as somebody wrote it: one of the site alone, or a guide that the window has too."""
    own = HERE / "pages" / language.folder / f"{name}.md"
    return (own if own.is_file() else guide_path(name, language.code)).read_text(encoding="utf-8")


def adapted(text: str) -> str:
    """Return a page as the generator takes it: names above blocks of files, and code in tables without `\\|`."""
    named = re.sub(r"^```\w+ ([\w.-]+)$", r"`\1`\n\n```text", text, flags=re.MULTILINE)
    return re.sub(
        r"^\|.*$",
        lambda row: re.sub(r"`[^`]*`", lambda code: code[0].replace(r"\|", "|"), row[0]),
        named,
        flags=re.MULTILINE,
    )


def settings(language: SiteLanguage) -> str:
    """Return what the generator is told: the shared part below what differs by language."""
    words = language.words
    groups = []
    for section, names in NAVIGATION:
        files = ", ".join(f'"{name}.md"' for name in names)
        groups.append(f'{{ "{words[section]}" = [{files}] }}' if section else files)
    ways = [
        (
            each.name,
            f"{'' if language is ENGLISH else '../'}{'zh/' if each is CHINESE else ''}index.html",
            each.tag,
        )
        for each in LANGUAGES
    ]
    alternate = ", ".join(
        f'{{ name = "{name}", link = "{link}", lang = "{tag}" }}' for name, link, tag in ways
    )
    head = f'[project]\nsite_name = "irjudge"\nsite_description = "{words["about"]}"\nnav = [{", ".join(groups)}]\n'
    shared = (
        (HERE / "zensical.toml")
        .read_text(encoding="utf-8")
        .replace("DARK", words["dark"])
        .replace("LIGHT", words["light"])
    )
    first, rest = shared.split("[project.theme]\n", 1)
    return f'{head}{first}\n[project.extra]\nalternate = [{alternate}]\n\n[project.theme]\nlanguage = "{language.tag}"\n{rest}'


def colours() -> str:
    """Return the program's accent for the generator's two appearances."""
    parts = (("default", LIGHT), ("slate", DARK))
    return "".join(
        f'[data-md-color-scheme="{scheme}"] {{\n  --irjudge-accent: {palette.accent};\n}}\n'
        for scheme, palette in parts
    )


def write(folder: Path, pictures: Path) -> None:
    """Write the sources of both languages; pictures are those that the journeys made."""
    for language in LANGUAGES:
        docs = folder / language.folder / "docs"
        beside = docs / "site"
        shutil.rmtree(docs, ignore_errors=True)
        (beside / "pictures").mkdir(parents=True)
        for name, text in pages(language).items():
            (docs / f"{name}.md").write_text(text, encoding="utf-8")
            for picture in set(re.findall(r"site/pictures/([\w-]+)\.png", text)):
                shutil.copy(
                    pictures / f"{picture}-light.png", beside / "pictures" / f"{picture}.png"
                )
        for name in OWN:
            shutil.copy(HERE / name, beside)
        for name in LEDGER:
            shutil.copy(shipped_folder("resources") / "web" / name, beside)
        (beside / "colours.css").write_text(colours(), encoding="utf-8")
        (beside / "sample.html").write_bytes(judged_here().page)
        (docs.parent / "zensical.toml").write_text(settings(language), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]))
