"""Tests of the translations: complete, up to date, and no English text left on any page."""

import ast
import re
import runpy
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QUrl
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

import irjudge_ui
from irjudge.errors import FormatError
from irjudge.evaluation import AVERAGE_DESCRIPTIONS, TOPIC_POLICY_DESCRIPTIONS
from irjudge.exchange import ProgressRow
from irjudge.judging import review_work, submit_work
from irjudge.model import TIES_MEANING, UNJUDGEABLE_REASONS, default_reasons
from irjudge.report.figures import catalogue
from irjudge.stats.agreement import AGREEMENT
from irjudge.stats.significance import CORRECTIONS
from irjudge.store import create_project_from_files, sample_sources
from irjudge.translations import Catalogue, read_catalogue
from irjudge_ui.app import TranslatorInstaller
from irjudge_ui.messages import translate_message
from irjudge_ui.pages import PAGES, ShortcutsDialog
from irjudge_ui.pages.assessors import AssessorsView
from irjudge_ui.pages.frame import CrashDialog
from irjudge_ui.pages.judge.document_lists import JumpDialog
from irjudge_ui.pages.shared.policy import LABELS
from irjudge_ui.pages.shared.view import InstructionsDialog
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window
from irjudge_ui.workspace import finished_state, reason_label, topic_done_state, waiting_state
from irjudge_ui.workspace.document_page import LinkDialog
from irjudge_ui.workspace.submission import ReceiptDialog, SubmissionDialog
from tests.syntax_trees import iter_nodes

ROOT = Path(__file__).parent.parent.parent
SHIPPED = ROOT / "resources" / "translations"
SOURCES = sorted(
    path for path in (ROOT / "ui" / "irjudge_ui").rglob("*.py") if path.name != "translator.py"
)
WORDS = SHIPPED / "zh_CN.tsv"
MARKERS = ("translate", "QT_TRANSLATE_NOOP")
Message = tuple[str, str]  # context and English text

# Files


@cache
def messages_tool() -> dict[str, Any]:
    """Return the names defined by `.ci/messages.py`."""
    return runpy.run_path(str(ROOT / ".ci" / "messages.py"), run_name="messages")


def translations() -> dict[Message, str]:
    return read_catalogue(WORDS)


def test_the_catalogues_and_the_list_for_review_are_current(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert messages_tool()["main"](["--check"]) == 0, capsys.readouterr().out


def test_missing_and_outdated_lines_are_named(tmp_path: Path) -> None:
    path = tmp_path / "xx.tsv"
    path.write_text("text\ttranslation\nOld\tAlt\nNew {n}\tNeu\nEmpty\t\n", encoding="utf-8")
    wanted = {("New {n}", ""), ("Empty", ""), ("Added", "")}
    lines = list(messages_tool()["problems"](path, wanted))
    assert [re.findall(r"line \d+|'[^']*'", each) for each in lines] == [
        ["'Added'"],
        ["line 2", "'Old'"],
        ["line 3", "'New {n}'"],
        ["line 4", "'Empty'"],
    ]


def test_an_update_keeps_translations_and_drops_unused_texts(tmp_path: Path) -> None:
    path = tmp_path / "xx.tsv"
    path.write_text("text\ttranslation\nOld\tAlt\nA\tB\nA\tC\tpage\n", encoding="utf-8")
    content = messages_tool()["updated"](path, {("A", ""), ("B", "verb")})
    path.write_text(content, encoding="utf-8")
    assert read_catalogue(path) == {("A", ""): "B", ("A", "page"): "C", ("B", "verb"): ""}


def test_a_text_without_a_translation_for_its_meaning_uses_the_common_one() -> None:
    catalogue = Catalogue({("Left", ""): "links", ("Left", "remaining"): "übrig"})
    assert catalogue.translate("Left", "remaining") == "übrig"
    assert catalogue.translate("Left", "hand") == "links"
    assert catalogue.translate("Right") == "Right"


@pytest.mark.parametrize("line", ["one column", "a\tb\tc\td", "x\ty\nx\tz"])
def test_an_invalid_line_is_refused_with_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "xx.tsv"
    path.write_text(f"text\ttranslation\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError) as error:
        read_catalogue(path)
    assert error.value.line == 2 + line.count("\n")


def test_every_translation_differs_from_its_english_text() -> None:
    same = {text for (text, _), translation in translations().items() if translation == text}
    assert same == {"Home", "Esc", "true", "--scale {wider}", "qrels"} & same


def test_translations_use_full_width_punctuation_and_no_exclamation_marks() -> None:
    narrow = re.compile(r"[\u4e00-\u9fff][,;:?!](\s|$|[\u4e00-\u9fff])|！|[\u4e00-\u9fff]\.(\s|$)")
    function = re.compile(r"\bmin\([^)]*\)")  # of a formula
    texts = (function.sub("", text) for text in translations().values())
    assert [text for text in texts if narrow.search(text)] == []


# Sources


def called_name(node: ast.AST) -> str:
    """Return the name of the called function: tr, translate or the marker."""
    function = node.func if isinstance(node, ast.Call) else None
    if isinstance(function, ast.Attribute):
        holder = function.value
        paints = isinstance(holder, ast.Name) and holder.id == "painter"
        return "" if paints else function.attr  # `QPainter.translate` moves the origin
    return function.id if isinstance(function, ast.Name) else ""


def translated_texts(path: Path) -> Iterator[tuple[str, ast.expr]]:
    """Yield context and text of every translating call."""

    def walk(node: ast.AST, context: str) -> Iterator[tuple[str, ast.expr]]:
        for child in ast.iter_child_nodes(node):
            if called_name(child) == "tr":
                assert isinstance(child, ast.Call)
                yield context, child.args[0]
            elif called_name(child) in MARKERS:
                assert isinstance(child, ast.Call)
                assert isinstance(child.args[0], ast.Constant), (
                    f"{path.name}, line {child.lineno}: the context is not written out"
                )
                yield str(child.args[0].value), child.args[1]
            yield from walk(child, child.name if isinstance(child, ast.ClassDef) else context)

    yield from walk(ast.parse(path.read_text(encoding="utf-8")), "")


@pytest.mark.slow
def test_translated_texts_are_literals_at_the_translating_call() -> None:
    """A text marked elsewhere is passed as `str(...)`."""
    odd = [
        f"{path.name}: {ast.unparse(text)}"
        for path in SOURCES
        for _, text in translated_texts(path)
        if not (isinstance(text, ast.Constant) and isinstance(text.value, str))
        and not ast.unparse(text).startswith("str(")
    ]
    assert odd == []


# Texts at run time


@pytest.fixture
def chinese(settings: Settings, qapp: QApplication) -> Iterator[None]:
    settings.set("language", "zh_CN")
    language = TranslatorInstaller(qapp, settings)
    yield
    settings.set("language", "en")
    language.deleteLater()


def test_qts_own_texts_are_translated_too(chinese: None) -> None:
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "取消"
    assert QCoreApplication.translate("QFileDialog", "Look in:") == "查找范围："


def test_every_option_of_the_engine_has_a_translated_label(chinese: None) -> None:
    assert set(LABELS) == {
        *TOPIC_POLICY_DESCRIPTIONS,
        *TIES_MEANING,
        *AVERAGE_DESCRIPTIONS,
        "irjudge",
    }
    assert not [
        reason for reason in UNJUDGEABLE_REASONS if re.search("[a-z]", reason_label(reason))
    ]
    assert not [
        each
        for kind in (True, False)
        for each in default_reasons(documents=kind)
        if re.search("[a-z]", translate_message(each))
    ]


NAMES = re.compile(
    r"http://localhost:8080/v1|t(?:cp|ls)://(?:host:8786)?|Dask|\blocal\b|"
    r"irjudge|instructions\.md|English|简体中文|\b(TREC( SGML)?|trec|qrels|runs?|TSV|JSON [Ll]ines|HTML|PDF|Markdown|LaTeX|MB)\b"
    r"|\b(AP|P@10|nDCG@10|RR|RBP(\(p=0\.8\))?|DCG(\(discount=jk\)@10)?|RBO|Jaccard@10|x?infAP|tau-b|footrule|official)\b"
    r"|\b(Borda|Condorcet|Comb[A-Z]+|MaxMean|UCB1-tuned|Hedge|holm|bonferroni|bh|none|Fisher|Tukey|HSD|Wilcoxon|Holm|Bonferroni)\b"
    r"|\b(Benjamini|Hochberg|Horvitz|Thompson|Voorhees|rho|trec_eval(-9|-10|( \d+\.\d+(\.\d+)?))?|assign|Delete)\b"
    r"|\.(irtask|html)\b|--mode side-by-side|ε-greedy|\b(t|p_adjusted|Votes|ann|bob|owner|bm25|ql)\b"
    r"|\b(JSON|CSV|SMART|XML|BEIR|MS MARCO|Excel|Markdown|floor\(x·R|rbp)\b"
    r"|\b(Quepid|OpenSearch|Elasticsearch|Label Studio|ir_measures)\b"
    r"|\b(Ctrl|Shift|Alt|Enter|Esc|Home|Backspace|Return|F\d+)\b"
)
WORD = re.compile("[A-Za-z]{2,}")
CODE = re.compile("[0-9a-f]{4}( [0-9a-f]{4})+")


def visible_texts(root: QWidget) -> Iterator[str]:
    """Yield all texts that are visible in a window or announced by a screen reader."""
    for each in [root, *root.findChildren(QWidget)]:
        if (
            isinstance(each, QWidget)
            and each.isVisible()
            and not each.objectName().startswith("qt_")
        ):
            yield from texts_of(each)


def texts_of(each: QWidget) -> Iterator[str]:
    yield each.accessibleName()
    yield each.accessibleDescription()
    if not isinstance(each, QHeaderView):
        yield each.toolTip()
    if isinstance(each, QDialog):
        yield each.windowTitle()
    if isinstance(each, QLabel | QAbstractButton):
        yield each.text()
    if isinstance(each, QComboBox):
        # fonts are names
        yield from (each.itemText(index) for index in range(each.count()) if each.count() < 50)
        yield from (
            str(each.itemData(index, Qt.ItemDataRole.ToolTipRole) or "")
            for index in range(each.count())
        )
    if isinstance(each, QLineEdit):
        yield each.placeholderText()
    if isinstance(each, QTableView):
        model = each.model()
        for column in range(model.columnCount()):
            yield str(model.headerData(column, Qt.Orientation.Horizontal))


def find_english(root: QWidget, data: list[str]) -> list[str]:
    """Return the English texts of a window that are neither names nor data of the project."""
    left = []
    for text in visible_texts(root):
        rest = CODE.sub(" ", re.sub("<[^>]*>", " ", text.replace("\u200b", "")))
        for known in data:
            rest = rest.replace(known, " ")
        if WORD.search(NAMES.sub(" ", rest)):
            left.append(text)
    return left


def process_layouts() -> None:
    for _ in range(4):
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        QApplication.processEvents()


def project_texts(window: Window) -> list[str]:
    """Return the texts in the project's data, the longest first."""
    assert window.project is not None and window.judge.session is not None
    session, project = window.judge.session, window.project
    sources, _ = sample_sources("everyday")
    files = [
        path.name
        for paths in (sources.documents, sources.topics, sources.runs, sources.qrels)
        for path in paths
    ]
    held = [
        *files,
        str(project.path),
        project.path.name,
        str(project.path.parent),
        project.title,
        "everyday",
        "harbour",
        "textbook",
        "qrels",
        project.instructions,
    ]
    held += [*window.settings.names(), *(run.name for run in project.rankings.runs())]
    held += [each for grade in session.scale.grades for each in (grade.label, grade.help)]
    for topic in project.collection.topics():
        held += [
            topic.id,
            topic.title,
            topic.description,
            topic.narrative,
            *session.titles(topic.id),
            *session.titles(topic.id).values(),
        ]
    held += [term.text for term in window.judge.reading.terms]
    return sorted({each for each in held if WORD.search(each)}, key=len, reverse=True)


@pytest.fixture
def chinese_window(
    chinese: None, make_window: Callable[[], Window], project_path: Path, qtbot: QtBot
) -> Window:
    window = make_window()
    window.open(project_path)
    window.show_page("judge")
    qtbot.waitUntil(lambda: window.judge.can_judge)
    return window


@pytest.mark.slow
def test_no_page_has_an_english_text(
    chinese_window: Window,
    wait_until_idle: Callable[[], None],
    press: Callable[..., None],
    qtbot: QtBot,
) -> None:
    window, session = chinese_window, chinese_window.judge.session
    assert session is not None
    data, left = project_texts(window), dict[str, list[str]]()

    def check_page(page: str) -> None:
        wait_until_idle()
        process_layouts()
        left[page] = find_english(window, data)

    check_page("judge")
    press("2")
    qtbot.waitUntil(lambda: window.judge.can_judge)
    check_page("saved")
    for step in ("undo", "redo"):
        getattr(window.judge.turns, step)()
        check_page(step)
    qtbot.waitUntil(lambda: window.judge.can_judge)
    window.judge.marking.switch_unsure()
    check_page("marks")
    window.judge.reading.find()
    window.judge.reading.bar.field.setText("e")
    check_page("find")
    window.judge.reading.bar.field.setText("xyzzy")
    check_page("not found")
    states = {
        "done": finished_state(session, window.judge.closing.submit, window.judge.jump),
        "topic done": topic_done_state(
            session, session.queue.topics[0], lambda: None, lambda: None, lambda: None
        ),
        "no pool": waiting_state(""),
        "reading": waiting_state("。"),
    }
    for name, state in states.items():
        window.judge.show_state(state)
        check_page(name)
    # Figures and explanations are English: they are used in papers, with the names of the
    # catalogue.
    for page in (
        page.id for page in PAGES if page.id not in ("judge", "new", "figures", "explain")
    ):
        window.show_page(page)
        wait_until_idle()
        check_page(page)
    window.show_page("new")
    rows = window.pages.view("new").rows
    sources, _ = sample_sources("everyday")
    rows["documents"].choose(sources.documents)
    rows["topics"].choose(sources.topics)
    rows["qrels"].choose(sources.qrels)
    wait_until_idle()
    data += [line for row in rows.values() for line in row._first_records.text().split("\n")]
    check_page("new")
    rows["runs"].choose(sources.topics)
    check_page("wrong file")
    assert {page: texts for page, texts in left.items() if texts} == {}


@pytest.mark.slow
def test_no_dialog_has_an_english_text(
    chinese_window: Window, press: Callable[..., None], qtbot: QtBot
) -> None:
    window, session = chinese_window, chinese_window.judge.session
    assert session is not None and window.project is not None
    press("2")
    data = [*project_texts(window), "ValueError: a fault", "example.org"]
    receipt = submit_work(session)
    dialogs = [
        ReceiptDialog(window, receipt, window.project.path),
        LinkDialog(window.judge.document, QUrl("https://example.org/")),
        ShortcutsDialog(window),
        CrashDialog(window, ValueError("a fault"), "trace"),
        JumpDialog(window, session, session.queue.topics[0], None),
        SubmissionDialog(window, review_work(session), lambda: None),
        InstructionsDialog(window, "", session.scale, 1.0, []),
    ]
    left = {}
    for dialog in dialogs:
        dialog.open()
        process_layouts()
        left[type(dialog).__name__] = find_english(dialog, data)
        with qtbot.waitSignal(dialog.destroyed):
            dialog.close()
    assert {name: texts for name, texts in left.items() if texts} == {}


@pytest.mark.slow
def test_no_menu_has_an_english_text(chinese_window: Window, qtbot: QtBot) -> None:
    chinese_window.judge.ask_unjudgeable()
    menu = chinese_window.findChildren(QMenu)[-1]
    labels = [action.text() for action in menu.actions()]
    menu.close()
    assert len(labels) == 1 + len(UNJUDGEABLE_REASONS) and not [
        label for label in labels if WORD.search(label)
    ]


@pytest.mark.slow
def test_an_import_report_is_chinese(
    chinese: None,
    make_window: Callable[[], Window],
    tmp_path: Path,
    wait_until_idle: Callable[[], None],
) -> None:
    sources, scale = sample_sources("everyday")
    report = create_project_from_files(tmp_path / "made.irjudge", sources, scale=scale)
    window = make_window()
    assert window.open(tmp_path / "made.irjudge", report)
    window.show_page("judge")
    window.show_page("collection")
    wait_until_idle()
    process_layouts()
    shown = window.collection._report.text()
    for name in (
        path.stem
        for paths in (sources.documents, sources.topics, sources.runs, sources.qrels)
        for path in paths
    ):
        shown = shown.replace(f"{name}.jsonl", "").replace(f"{name}.txt", "").replace(name, "")
    assert shown and not WORD.search(NAMES.sub("", shown)), shown


def test_every_figure_is_described_in_the_language_of_the_window(chinese: None) -> None:
    text = [each for figure in catalogue() for each in (figure.title, figure.about)]
    assert [each for each in text if translate_message(each) == each] == []


def test_texts_to_translate_are_literals_that_the_collecting_tool_finds() -> None:
    assert [
        path.name for path in SOURCES if "partial(translate" in path.read_text(encoding="utf-8")
    ] == []


def test_units_of_times_in_tables_are_translated(
    chinese: None, settings: Settings, qtbot: QtBot
) -> None:
    page = AssessorsView(settings)
    qtbot.addWidget(page)
    page.progress.fill([ProgressRow("ann", "1", 1, 2, 90_000, 3.0)])
    cells = [page.progress.index(0, column).data() for column in range(6)]
    assert cells[-2:] == ["1.5 分钟", "3.0 秒"]


def test_effect_sizes_and_corrections_are_described(chinese: None) -> None:
    scalings = {
        each
        for declared in AGREEMENT.values()
        for each in declared.scalings
        if len(declared.scalings) > 1
    }
    assert scalings and not [
        each for each in scalings if re.search("[a-z]", translate_message(each))
    ]
    assert not [
        name
        for name, each in CORRECTIONS.items()
        if translate_message(each.title) in (name, str(each.title))
    ]


@pytest.mark.slow
def test_messages_of_the_window_itself_are_translated() -> None:
    home = Path(irjudge_ui.__file__).parent
    english = [
        f"{path.relative_to(home)}:{call.lineno}"
        for path in home.rglob("*.py")
        for call in iter_nodes(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "IrjudgeError"
        and isinstance(call.args[0], ast.Constant | ast.JoinedStr)
    ]
    assert english == []
