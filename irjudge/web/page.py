"""Browser page: one HTML file with modules, styles, texts and a task."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from html import escape
from pathlib import Path

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.exchange import (
    IRTASK_FORMAT,
    WITH_PAGES,
    AssignmentRequest,
    TaskFileFormat,
    TaskWriter,
)
from irjudge.formats.bytes import replace_surrogates, write_text_atomically
from irjudge.judging import MAX_PACE_JUDGMENTS, MAX_REVIEWED_TOPICS, MIN_PACE_JUDGMENTS
from irjudge.message import Message, format_count
from irjudge.model import (
    ARROW_SIGNS,
    EDITING_KEYS,
    JUDGING_KEYS,
    LEFT_HAND_KEYS,
    NAVIGATION_KEYS,
    UNJUDGEABLE_REASONS,
    AssignedItem,
    Assignment,
)
from irjudge.palette import DARK, LIGHT, MARKS
from irjudge.progress import SILENT, Progress
from irjudge.shipped import shipped_folder
from irjudge.store import Project
from irjudge.translations import languages, load_catalogue
from irjudge.web.safe_html import FILE_POLICY, SESSION_POLICY, fill_policy
from irjudge.web.task import Json, PageImages, draw_page_images, estimate_image_bytes, make_task

# Translations

PAGE_CONTEXT = "page"  # context of catalogue entries that only the browser page uses
TRANSLATION_CALL_PATTERN = re.compile(r'\btr\(\s*("(?:[^"\\]|\\.)*")\s*,?\s*\)')


@cache
def page_texts() -> frozenset[str]:
    """Return the texts that the page's modules translate: all literals passed to `tr`."""
    return frozenset(
        json.loads(text)
        for path in sorted((shipped_folder("resources") / "web").glob("*.js"))
        for text in TRANSLATION_CALL_PATTERN.findall(path.read_text(encoding="utf-8"))
    )


def page_translations(task_texts: Iterable[str] = ()) -> dict[str, dict[str, str]]:
    """Return the translations of the texts of the page and of a task, by language.

    Texts without a translation are omitted; the page shows them in English.
    """
    texts = sorted({*task_texts, *(key.text for key in JUDGING_KEYS.values()), *page_texts()})
    translations = {}
    for language in languages():
        entries = load_catalogue(language).entries
        translations[language] = {
            text: translation
            for text in texts
            if (translation := entries.get((text, PAGE_CONTEXT)) or entries.get((text, "")))
        }
    return translations


# HTML file: modules, styles and texts of `resources/web`, and the task as JSON

# CSS variables for the colours of the palette, light and dark
_COLOUR_VARIABLES = (
    "window",
    "surface",
    "line",
    "text",
    "quiet",
    "accent",
    "on_accent",
    "mark",
    "key",
    "warning",
    "error",
)
COLOURS = {
    **{
        name.replace("_", "-"): (getattr(LIGHT, name), getattr(DARK, name))
        for name in _COLOUR_VARIABLES
    },
    "own": MARKS["green"],
    "found": MARKS["blue"],
    "step-0": (LIGHT.grade_zero, DARK.grade_zero),
    "step-1": (LIGHT.grade_steps[0], DARK.grade_steps[0]),
    "step-6": (LIGHT.grade_steps[-1], DARK.grade_steps[-1]),
}
HTML_SUFFIX = ".html"
ENTRY_MODULE, HOST_ENTRY_MODULE = "main.js", "lead.js"
# size in bytes above which a message warns that browsers take seconds to open the page
LARGE_PAGE_BYTES = 50_000_000
PAGE_TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
<script type="application/json" id="words">{words}</script>
<script type="application/json" id="tables">{tables}</script>
<script type="application/json" id="task">{task}</script>
{sheets}<script>{script}</script>
</body>
</html>
"""
# each page image has its own element, which is parsed only when the image is shown
SHEET_TEMPLATE = '<script type="application/json" id="sheet-{place}">{sheet}</script>\n'
# The only supported forms of `import` and `export`; bundling removes these statements.
_IMPORT = re.compile(
    r"""^import\s*\{[^}]*\}\s*from\s*["']\./([\w-]+\.js)["'];[ \t]*\n""", re.MULTILINE
)
_EXPORT = re.compile(r"^export (?=(?:async )?function\b|const\b|let\b|class\b)", re.MULTILINE)
_UNSUPPORTED = re.compile(r"^[ \t]*+(?:import|export)\b|\bimport\s*+[.(]", re.MULTILINE)
_DECLARATION = re.compile(
    r"^(?:async function|function|const|let|class)\s*\*?\s*([\w$]+)|^(?:const|let)\s*\{([^}]*)\}",
    re.MULTILINE,
)


def render_page(task: Json, folder: Path | None = None) -> str:
    """Return the HTML page of a task."""
    translations = page_translations(
        [
            *(
                text
                for grade in task["scale"]["grades"]
                for text in (grade["label"], grade["help"])
            ),
            task.get("question", ""),
            *task["unjudgeable"],
            *task["rules"].get("reasons", ()),
        ]
    )
    return _fill_template(folder, task, f"{task['title']} · {task['assessor']}", translations)


def render_session_page(session: str, entry_data: Json, labels: Iterable[str] = ()) -> str:
    """Return the HTML page of a session; the page receives the task after joining."""
    return _fill_template(
        None,
        {"irjudge": "session", "session": session, **entry_data},
        "irjudge",
        page_translations([*labels, *UNJUDGEABLE_REASONS]),
        policy=SESSION_POLICY,
    )


def render_host_page(session: str, project: str, labels: Iterable[str] = ()) -> str:
    """Return the HTML page of the host; `project` is the project's title."""
    return _fill_template(
        None,
        {"irjudge": "lead", "session": session, "project": project},
        "irjudge",
        page_translations(labels),
        policy=SESSION_POLICY,
        entry=HOST_ENTRY_MODULE,
    )


def session_policy(entry: str = ENTRY_MODULE) -> str:
    """Return the Content-Security-Policy of the pages of a session."""
    script, style = _read_script_and_style(shipped_folder("resources") / "web", entry)
    return fill_policy(SESSION_POLICY, script, style)


def _read_script_and_style(source: Path, entry: str = ENTRY_MODULE) -> tuple[str, str]:
    colours = "".join(
        f"  --{name}: light-dark({light_colour}, {dark_colour});\n"
        for name, (light_colour, dark_colour) in COLOURS.items()
    )
    styles = "".join(path.read_text(encoding="utf-8") for path in sorted(source.glob("*.css")))
    return bundle_modules(source, entry), f":root {{\n{colours}}}\n{styles}"


def _fill_template(
    folder: Path | None,
    task: Json,
    title: str,
    translations: object,
    *,
    policy: str = FILE_POLICY,
    entry: str = ENTRY_MODULE,
) -> str:
    source = folder or shipped_folder("resources") / "web"
    script, style = _read_script_and_style(source, entry)
    return PAGE_TEMPLATE.format(
        policy=fill_policy(policy, script, style),
        title=escape(title),
        style=style,
        body=(source / "page.html").read_text(encoding="utf-8"),
        words=to_script_json(translations),
        tables=to_script_json(shared_tables()),
        task=to_script_json({name: value for name, value in task.items() if name != "sheets"}),
        sheets="".join(
            SHEET_TEMPLATE.format(place=index, sheet=to_script_json(sheet))
            for index, sheet in enumerate(task.get("sheets", ()))
        ),
        script=script,
    )


def shared_tables() -> Json:
    """Return the tables of keys, and the limits, that the page shares with the window."""
    return {
        "keys": [
            {"id": key.id, "text": key.text, "keys": key.keys, "where": key.where}
            for key in JUDGING_KEYS.values()
        ],
        "left": LEFT_HAND_KEYS,
        "arrows": ARROW_SIGNS,
        "moving": NAVIGATION_KEYS,
        "editing": EDITING_KEYS,
        "pace": {"needs": MIN_PACE_JUDGMENTS, "of": MAX_PACE_JUDGMENTS},
        "most_topics": MAX_REVIEWED_TOPICS,
    }


def to_script_json(value: object) -> str:
    """Encode JSON safely for a script element.

    >>> to_script_json({"title": "</script><b>"})
    '{"title":"\\\\u003c/script>\\\\u003cb>"}'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def write_page(
    path: Path,
    project: Project,
    assignment: Assignment,
    items: Sequence[AssignedItem],
    *,
    sheets: PageImages | None = None,
) -> None:
    """Write an assignment as an HTML page, with images of PDF pages if `sheets` is given."""
    if path.exists():
        raise ProjectError(
            "{file} already exists. Choose another name; nothing was overwritten.", file=path.name
        )
    _write_page(path, project, assignment, items, sheets)


@contextmanager
def draw_pages(
    project: Project, documents: Iterable[str], progress: Progress = SILENT
) -> Iterator[TaskWriter]:
    """Render the PDF pages of documents; yield a writer of HTML pages with these images."""
    with draw_page_images(project, documents, progress) as sheets:
        yield TaskWriter(partial(write_page, sheets=sheets), sheets.warnings)


def rewrite_page(
    path: Path,
    project: Project,
    assignment: Assignment,
    *,
    page_images: bool = False,
    progress: Progress = SILENT,
) -> list[str]:
    """Write the HTML page of an existing assignment, replacing an earlier page; return messages."""
    items = project.assignments.items(assignment.code)
    shown_documents = (
        (document for item in items for document in item.documents) if page_images else ()
    )
    with draw_page_images(project, shown_documents, progress) as sheets:
        _write_page(path, project, assignment, items, sheets, progress)
        return [*sheets.warnings, *describe_sizes([path])]


def _write_page(
    path: Path,
    project: Project,
    assignment: Assignment,
    items: Sequence[AssignedItem],
    sheets: PageImages | None,
    progress: Progress = SILENT,
) -> None:
    if sheets:
        sheets.check(
            (document for item in items for document in item.documents), assignment.assessor
        )
    file = replace_surrogates(path.name)
    write_text_atomically(
        path,
        render_page(
            make_task(project, assignment, items, file=file, sheets=sheets, progress=progress)
        ),
    )


def describe_sizes(paths: Iterable[Path]) -> list[str]:
    """Return messages about the number and size of pages, and about pages that open slowly."""
    sizes = [(path.name, path.stat().st_size) for path in paths if path.suffix == HTML_SUFFIX]
    if not sizes:
        return []
    return [
        Message(
            "Browser files: {pages}, at most {size:,.1f} MB each.",
            pages=format_count(len(sizes), "page"),
            size=max(byte_count for _, byte_count in sizes) / 1e6,
        ),
        *(
            Message(
                "{name} has a size of {size:,.0f} MB; browsers take several seconds to open such a "
                "large file. Use --split 10 for at most ten topics in each file.",
                name=name,
                size=byte_count / 1e6,
            )
            for name, byte_count in sizes
            if byte_count > LARGE_PAGE_BYTES
        ),
    ]


HTML = TaskFileFormat("html", HTML_SUFFIX, write_page, describe=describe_sizes)
HTML_WITH_PAGES = replace(HTML, page_images=estimate_image_bytes, prepare=draw_pages)
# formats of assignment files, by name: with and without images of PDF pages
FORMATS_WITH_PAGES = {IRTASK_FORMAT.name: WITH_PAGES, HTML.name: HTML_WITH_PAGES}
FORMATS_WITHOUT_PAGES = {IRTASK_FORMAT.name: IRTASK_FORMAT, HTML.name: HTML}


def choose_file_format(request: AssignmentRequest) -> TaskFileFormat:
    """Return the format of an assignment's files.

    Examples
    --------
    >>> from irjudge.exchange import AssignmentRequest
    >>> choose_file_format(AssignmentRequest(file_form="html", split=3)).max_topics
    3
    """
    return replace(
        (FORMATS_WITH_PAGES if request.page_images else FORMATS_WITHOUT_PAGES)[request.file_form],
        max_topics=request.split,
    )


# Bundling


@cache
def bundle_modules(folder: Path, entry: str = ENTRY_MODULE) -> str:
    """Combine the modules of a page in one script, each after the modules that it imports."""
    parts: dict[str, str] = {}
    _append_module(folder, entry, parts, ())
    owners: dict[str, str] = {}
    for module, text in parts.items():
        for name in find_declarations(text):
            if owners.setdefault(name, module) != module:
                raise IrjudgeError(
                    "{owners} and {module} both define {name} at top level, so they cannot be "
                    "merged.",
                    owners=owners[name],
                    module=module,
                    name=name,
                )
    return '(() => {\n"use strict";\n' + "\n".join(parts.values()) + "})();\n"


def find_declarations(text: str) -> Iterator[str]:
    """Yield the names declared at the top level of a JavaScript module."""
    for match in _DECLARATION.finditer(text):
        if match[1]:
            yield match[1]
        else:
            yield from (
                name.partition(":")[2].strip() or name.strip()
                for name in match[2].split(",")
                if name.strip()
            )


def _append_module(
    folder: Path, name: str, parts: dict[str, str], importing_modules: tuple[str, ...]
) -> None:
    if name in parts:
        return
    if name in importing_modules:
        raise IrjudgeError(
            "{name} imports itself: {modules}.",
            name=name,
            modules=" → ".join([*importing_modules, name]),
        )
    try:
        text = (folder / name).read_text(encoding="utf-8")
    except OSError as error:
        raise IrjudgeError(
            "{name}, a file of the browser page, is missing from this installation. Reinstall "
            "irjudge.",
            name=name,
        ) from error
    for match in _IMPORT.finditer(text):
        _append_module(folder, match[1], parts, (*importing_modules, name))
    text = _EXPORT.sub("", _IMPORT.sub("", text))
    unsupported_syntax = _UNSUPPORTED.search(text)
    if unsupported_syntax or "</script" in text.lower() or "<!--" in text:
        raise IrjudgeError(
            "{name} cannot be merged with the other modules: it contains {content}.",
            name=name,
            content=unsupported_syntax[0].strip()
            if unsupported_syntax
            else Message("an HTML tag or comment"),
        )
    parts[name] = text
