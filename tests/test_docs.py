"""Tests of the README and the help: examples print the documented output, and all pages exist."""

import inspect
import os
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
from markdown_it import MarkdownIt

from irjudge.cli.main import COMMANDS, irjudge, main
from irjudge.formats.collections.documents import FORMS as DOCUMENT_FORMS
from irjudge.formats.collections.topics import FORMATS as TOPIC_FORMS
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.formats.rankings.other_qrels import FORMATS as JUDGED_FORMS
from irjudge.formats.rankings.short_runs import FORMATS as RANKED_FORMS
from irjudge.metrics import list_measures
from irjudge.shipped import sample_folders
from irjudge.store import sample_sources
from irjudge_ui.actions import ACTIONS
from irjudge_ui.settings import SETTINGS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
HANDBOOK = ROOT / ".ci" / "handbook" / "pages"
TUTORIALS = [
    path
    for path in sorted((HANDBOOK / "en").glob("*.md"))
    if "```console" in path.read_text(encoding="utf-8")
]
PROSE = [
    path
    for path in sorted(ROOT.rglob("*.md"))
    if not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
]


def shown_commands(page: str) -> list[tuple[str, str]]:
    """Return each `$ command` of a page with the output printed below it."""
    blocks = re.findall(r"```console\n(.*?)```", page, re.DOTALL)
    result = [
        part
        for block in blocks
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)
        if part.strip()
    ]
    return [(command, output) for command, _, output in (part.partition("\n") for part in result)]


def _run_python_blocks(page: Path, folder: Path, *, polars: bool) -> dict[str, Any]:
    """Run the Python blocks of a page one after the other, and return the resulting names."""
    names: dict[str, Any] = {}
    before = Path.cwd()
    os.chdir(folder)
    try:
        for block in re.findall(
            r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL
        ):
            if polars or "polars" not in block:
                exec(compile(block, page.name, "exec"), names)
    finally:
        os.chdir(before)
    return names


@pytest.mark.parametrize("language", ["", "zh_CN"])
def test_the_guide_to_notebooks_shows_computed_values(language: str, tmp_path: Path) -> None:
    page = ROOT / "resources" / "help" / language / "notebooks.md"
    names = _run_python_blocks(page, tmp_path, polars=False)
    means = names["values"].set_index(["run", "measure", "topic"]).value
    assert means["bm25", "AP", "1"] == pytest.approx((1 + 2 / 3) / 2)
    assert means["dense", "AP", "all"] == pytest.approx((0.25 + 0.5) / 2)
    assert sorted(names["pairs"]) == [("1", "a"), ("1", "b"), ("1", "c"), ("2", "a"), ("2", "d")]
    assert names["run"].document.to_pylist() == ["d1", "d2"]
    assert (tmp_path / "judged.qrels").read_text().splitlines()[0] == "1 0 a 2"


@pytest.mark.slow
def test_the_guide_to_notebooks_runs_with_polars(tmp_path: Path) -> None:
    pytest.importorskip("polars")
    page = ROOT / "resources" / "help" / "notebooks.md"
    names = _run_python_blocks(page, tmp_path, polars=True)
    assert set(names["per_topic"]["topic"]) == {"1", "2"}


@pytest.mark.slow
@pytest.mark.parametrize("page", [ROOT / "README.md", *TUTORIALS], ids=lambda path: path.stem)
def test_commands_print_the_output_in_the_readme_and_tutorials(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Tutorials may omit a long output that the text does not discuss."""
    monkeypatch.chdir(tmp_path)
    commands = shown_commands(page.read_text(encoding="utf-8"))
    assert len(commands) >= 4
    for command, output in commands:
        program, *words = shlex.split(command)
        code, printed = main(words), capsys.readouterr()
        expected = output if output or page.name == "README.md" else printed.out
        assert (program, code, printed.out) == ("irjudge", 0, expected), f"{command}\n{printed.err}"


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda path: path.stem)
def test_a_tutorial_has_the_same_commands_in_every_language(page: Path) -> None:
    chinese = page.parent.parent / "zh_CN" / page.name
    assert shown_commands(chinese.read_text(encoding="utf-8")) == shown_commands(
        page.read_text(encoding="utf-8")
    )


@pytest.mark.parametrize(
    "path", sorted((ROOT / "resources" / "help").glob("from_*.md")), ids=lambda path: path.stem
)
def test_commands_in_guides_for_users_of_other_tools_run(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a page shows the files of its commands, named after the language of each block."""
    monkeypatch.chdir(tmp_path)
    page = path.read_text(encoding="utf-8")
    for name, content in re.findall(r"^```\w+ (\S+)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
        Path(name).write_text(content, encoding="utf-8")
    commands = re.findall(r"^\$ irjudge (.*)$", page, re.MULTILINE)
    assert (
        len(commands) >= 3 and [command for command in commands if main(shlex.split(command))] == []
    )


def test_readme_has_the_two_main_commands() -> None:
    lines = [line for line in README.splitlines() if line.startswith("python3 -m venv .venv && ")]
    assert len(lines) == 2
    assert lines[0].endswith("irjudge sample everyday --open")
    assert lines[1].endswith("pytest -n auto")


def test_the_guide_of_commands_names_every_command() -> None:
    guide = (ROOT / "resources" / "help" / "commands.md").read_text(encoding="utf-8")
    assert {name for name in COMMANDS if f"irjudge {name}" not in guide} == set()


@pytest.mark.parametrize("path", PROSE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_and_pictures_exist(path: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []


# Parts that a translation must keep: levels of headings, blocks of text, and rows of tables.
UNTRANSLATED_PARTS = re.compile(r"^(#+ )|^(```.*?^```)$|^(\|)", re.MULTILINE | re.DOTALL)
HELP = ROOT / "resources" / "help"


@pytest.mark.parametrize("name", sorted(path.name for path in HELP.glob("*.md")))
def test_every_guide_has_a_complete_chinese_version(name: str) -> None:
    english, chinese = (
        (folder / name).read_text(encoding="utf-8") for folder in (HELP, HELP / "zh_CN")
    )
    if (
        name == "measures.md"
    ):  # generated pages: titles and names in Chinese, with unchanged text of the papers
        return
    assert UNTRANSLATED_PARTS.findall(chinese) == UNTRANSLATED_PARTS.findall(english)
    assert re.findall(r"\]\(([^)]+)\)", chinese) == re.findall(r"\]\(([^)]+)\)", english)
    prose = re.sub(r"^```.*?^```$|`[^`]*`", "", chinese, flags=re.MULTILINE | re.DOTALL)
    shown = re.sub(
        r"<(code|pre)\b.*?</\1>",
        "",
        MarkdownIt("commonmark").enable("table").render(chinese),
        flags=re.DOTALL,
    )
    assert re.findall(r".{0,9}\*\*.{0,9}", shown) == [], (
        "a full stop before the closing ** keeps it from closing where no blank follows"
    )
    assert len(re.findall(r"[\u4e00-\u9fff]", prose)) > len(re.findall(r"[A-Za-z]", prose)) / 2


@pytest.mark.parametrize(
    "path",
    [*PROSE, *sorted(HANDBOOK.rglob("*.md"))],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_no_text_names_a_missing_command(path: Path) -> None:
    blocks = re.findall(r"```.*?```|`irjudge [^`]*`", path.read_text(encoding="utf-8"), re.DOTALL)
    named = [
        name
        for block in blocks
        for name in re.findall(r"(?:^|`|\$ |/)irjudge ([a-z][a-z-]*)", block, re.MULTILINE)
    ]
    assert [name for name in named if name not in COMMANDS] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_has_help(name: str) -> None:
    command = irjudge.get_command(click.Context(irjudge), name)
    assert command is not None and command.help
    assert [
        param.name for param in command.params if isinstance(param, click.Option) and not param.help
    ] == []


@pytest.mark.parametrize("declaration", list_measures(), ids=lambda declaration: declaration.name)
def test_every_measure_has_formula_notes_and_example(declaration: object) -> None:
    document = inspect.getdoc(declaration.function)
    assert declaration.title and declaration.formula and declaration.about
    for section in ("Returns", "Notes", "Examples"):
        assert f"{section}\n{'-' * len(section)}" in document, section
    assert [
        parameter.name for parameter in declaration.parameters if not parameter.about.endswith(".")
    ] == []


@pytest.mark.parametrize(
    ("part", "forms"),
    [
        ("Documents", DOCUMENT_FORMS),
        ("Topics", TOPIC_FORMS),
        ("Qrels", JUDGED_FORMS),
        ("Runs", RANKED_FORMS),
    ],
)
def test_every_file_format_has_a_line_in_the_guide(part: str, forms: tuple[Any, ...]) -> None:
    section = (
        (ROOT / "resources" / "help" / "files.md")
        .read_text(encoding="utf-8")
        .split(f"## {part}\n")[1]
        .split("\n## ")[0]
    )
    listed = [
        name.strip()
        for row in section.splitlines()
        if row.startswith("| ")
        for name in _names(row.split("|")[1])
    ]
    assert [str(form.name) for form in forms if str(form.name) not in listed] == []


def _names(cell: str) -> list[str]:
    return [cell.strip(), *cell.split(",")]


def test_every_setting_and_action_has_a_description() -> None:
    assert [setting.name for setting in SETTINGS if not str(setting.help).endswith(".")] == []
    assert [action.id for action in ACTIONS if not action.label or not action.keys] == []


@pytest.mark.parametrize("name", list(sample_folders()))
def test_every_sample_can_be_read_and_has_a_description(name: str) -> None:
    sources, scale = sample_sources(name)
    qrels = read_qrels(sources.qrels[0])
    assert int(qrels.grade.max()) <= scale.highest
    assert all(set(read_run(path).topics) <= set(qrels.topics) for path in sources.runs)
    assert (sample_folders()[name] / "README.md").read_text(encoding="utf-8").startswith("# ")
