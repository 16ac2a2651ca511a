"""Tests that names in data are shown as plain text: no tooltip, label or list renders markup."""

import re
import tempfile
from collections.abc import Callable, Iterator
from itertools import islice, product
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QEvent, QPoint, QPointF
from PySide6.QtGui import QAction, QHelpEvent, QMouseEvent, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from irjudge.exchange import ComparisonOptions, assign_comparison_to_owner
from irjudge.judging import QueueItem, Session
from irjudge.model import Document, Scale, Topic, make_qrels, make_run
from irjudge.model.scale import Grade
from irjudge.store import create_project
from irjudge_ui.messages import WORD_JOINER, escape_markup
from irjudge_ui.pages import PAGES
from irjudge_ui.pages.judge.document_lists import JumpDialog
from irjudge_ui.pages.session.session import SessionView
from irjudge_ui.widgets import Chips, GradeBar, column
from irjudge_ui.window import Window
from tests.engine.web.session_client import Person
from tests.pools import depth_pool
from tests.ui.layout_checks import process_layouts, visible_widgets
from tests.ui.watched_image import watched_image

ROOT = Path(__file__).parents[2]
GUESSED_ROLES = [
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.StatusTipRole,
    Qt.ItemDataRole.WhatsThisRole,
]
MAX_POINTS = 40  # cells of a table and points of a chart that the mouse visits


@pytest.fixture
def image_name(tmp_path: Path) -> Iterator[tuple[str, Callable[[], bool]]]:
    """A name with an image tag, and a function telling whether the image was opened."""
    with watched_image(tmp_path) as (path, opened):
        yield f'<img src="{path}">', opened


@pytest.fixture
def hostile_path(tmp_path: Path, image_name: tuple[str, Callable[[], bool]]) -> Path:
    """A project in which every name is an image tag."""
    name, path = image_name[0], tmp_path / "hostile.irjudge"
    scale = Scale(name, (Grade(0, f"{name} no", name), Grade(1, f"{name} yes", name)))
    topics = [
        Topic(f"{name}t{index}", f"{name} of topic {index}", name, name) for index in range(2)
    ]
    with create_project(path, scale=scale, title=name) as project:
        project.collection.add_topics(topics)
        project.collection.add_documents(
            Document(
                f"{name}d{index}",
                f"{name} {name} tide {index}".encode(),
                f"{name} {index} {'long ' * 30}",
            )
            for index in range(4)
        )
        for run, sign in ((f"{name}one", 1.0), (f"{name}two", -1.0)):
            rows = [
                (topic.id, f"{name}d{index}", sign * index)
                for topic in topics
                for index in range(4)
            ]
            project.rankings.add_run(make_run(run, rows), f"{name}.run")
        project.rankings.add_qrels(
            f"{name}truth",
            make_qrels([(topics[0].id, f"{name}d0", 1), (topics[1].id, f"{name}d1", 1)]),
        )
        project.rankings.add_pool(
            depth_pool([project.rankings.run(run.name) for run in project.rankings.runs()], 4)
        )
        project.set_setting("instructions", name)
        for grades, who in (((0, 1, 1, 0), "ann"), ((1, 1, 0, 0), "bob")):
            session = Session(project, f"{name}{who}")
            for index, grade in enumerate(grades):
                work = session.open_item(QueueItem(topics[index // 2].id, f"{name}d{index}"))
                session.grade(work, grade, active_ms=4000)
            session.set_unsure(work, True)
            session.note(work, f"{name} note")
        assign_comparison_to_owner(project, ComparisonOptions(((f"{name}one", f"{name}two"),)))
    return path


def guessed_texts(root: QWidget) -> Iterator[tuple[QWidget | QAction, str]]:
    """Yield all visible texts, and items of lists, for which Qt guesses whether they are markup."""
    for each in (root, *visible_widgets(root)):
        yield from ((each, text) for text in (each.toolTip(), each.statusTip(), each.whatsThis()))
        yield from (
            (action, text)
            for action in each.actions()
            for text in (action.toolTip(), action.statusTip())
        )
        if isinstance(each, QLabel) and each.textFormat() != Qt.TextFormat.PlainText:
            yield each, each.text()
        if isinstance(each, QComboBox | QAbstractItemView) and each.model() is not None:
            yield from ((each, text) for text in model_texts(each.model()))


def model_texts(model: QAbstractItemModel) -> Iterator[str]:
    """Yield the tooltips of a model's headers and first cells."""
    sections = columns_of(model)
    for row, section, role in product(
        range(min(model.rowCount(), MAX_POINTS)), sections, GUESSED_ROLES
    ):
        yield str(model.index(row, section).data(role) or "")
    yield from (
        str(model.headerData(section, Qt.Orientation.Horizontal, role) or "")
        for section in sections
        for role in GUESSED_ROLES
    )


def columns_of(model: QAbstractItemModel) -> range:
    return range(1 if isinstance(model, QAbstractListModel) else model.columnCount())


def hover_everything(root: QWidget) -> None:
    """Move the mouse over everything visible: over cells one after another, and over charts."""
    for each in visible_widgets(root):
        view = each.parentWidget()
        if isinstance(view, QHeaderView):
            locations = [
                QPoint(view.sectionViewportPosition(section) + 3, 3)
                for section in range(view.count())
            ]
        elif (
            isinstance(view, QAbstractItemView)
            and each is view.viewport()
            and view.model() is not None
        ):
            cells = product(range(view.model().rowCount()), columns_of(view.model()))
            locations = [
                view.visualRect(view.model().index(*cell)).center()
                for cell in islice(cells, MAX_POINTS)
            ]
        else:
            locations = [each.rect().center()]
        for location in locations:
            QApplication.sendEvent(
                each, QHelpEvent(QEvent.Type.ToolTip, location, each.mapToGlobal(location))
            )
        if each.hasMouseTracking() and type(each).mouseMoveEvent is not QWidget.mouseMoveEvent:
            for x, y in product(range(1, 8), range(1, 8)):
                move_mouse(each, QPointF(each.width() * x / 8, each.height() * y / 8))
    QToolTip.hideText()


def move_mouse(widget: QWidget, position: QPointF) -> None:
    none = Qt.MouseButton.NoButton
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        position,
        widget.mapToGlobal(position),
        none,
        none,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(widget, event)


@pytest.mark.parametrize(
    "guessed",
    [
        '<img src="{}">',
        'a &lt; b <img src="{}">',
        '<p>&amp;</p><img src="{}">',
        '<?xml?><img src="{}">',
    ],
)
def test_text_that_looks_like_markup_is_shown_as_text(
    tmp_path: Path, qtbot: QtBot, guessed: str
) -> None:
    label = QLabel()  # guesses the format like tooltips do
    qtbot.addWidget(label)
    label.show()
    with watched_image(tmp_path) as (path, opened):
        text = guessed.format(path)
        label.setText(text)
        label.sizeHint()
        assert opened(), "the trap works"
        label.setText(escape_markup(text))
        label.sizeHint()
        assert not opened() and not Qt.mightBeRichText(label.text())
        assert escape_markup(escape_markup(text)) == escape_markup(text)


@pytest.mark.slow
def test_no_page_opens_an_image_in_a_name(
    open_path: Callable[[Path], Window],
    hostile_path: Path,
    image_name: tuple[str, Callable[[], bool]],
    wait_until_idle: Callable[[], None],
) -> None:
    window, seen = open_path(hostile_path), set[str]()
    for page in (each.id for each in PAGES):
        window.show_page(page)
        wait_until_idle()
        process_layouts()
        names = find_names(window, image_name)
        seen |= {page} if names else set()
    assert len(seen) >= 5, "names are told on hover on many pages"


def find_names(root: QWidget, image_name: tuple[str, Callable[[], bool]]) -> list[str]:
    """Hover over everything; return texts with the name for which Qt guesses the format.

    Asserts that Qt takes none of them for markup.
    """
    result = [
        (type(each).__name__, text)
        for each, text in guessed_texts(root)
        if image_name[0] in text.replace(WORD_JOINER, "")
    ]
    assert [each for each in result if Qt.mightBeRichText(each[1])] == []
    hover_everything(root)
    assert not image_name[1]()
    return [text for _, text in result]


def test_no_list_of_documents_opens_an_image_in_a_name(
    open_path: Callable[[Path], Window],
    hostile_path: Path,
    image_name: tuple[str, Callable[[], bool]],
) -> None:
    window = open_path(hostile_path)
    window.judge.jump()
    dialog = window.findChild(JumpDialog)
    assert dialog is not None and find_names(dialog, image_name)
    dialog.close()


@pytest.mark.slow
def test_the_session_page_opens_no_image_in_a_participants_name(
    open_path: Callable[[Path], Window],
    hostile_path: Path,
    tmp_path: Path,
    wait_until_idle: Callable[[], None],
    qtbot: QtBot,
) -> None:
    """Participants choose names; the host's window lists them, and shows tooltips and questions."""
    window = open_path(hostile_path)
    window.show_page("session")
    page = window.findChild(SessionView)
    assert page is not None
    page.form.address.clear()
    page.start.click()
    qtbot.waitUntil(lambda: page.status is not None, timeout=10_000)
    with (
        tempfile.TemporaryDirectory() as near,
        watched_image(Path(near)) as (path, was_opened),
    ):  # a name has at most 80 characters
        guests = [
            Person(page.controller.server, f'{before}<img src="{path}">')
            for before in ("", "a &lt; b ")
        ]  # type: ignore[union-attr]
        for guest in guests:
            guest.sync()
        qtbot.waitUntil(lambda: len(page.people.rows) == len(guests), timeout=10_000)
        page.people_table.selectRow(0)
        wait_until_idle()
        process_layouts()
        page.people_table.setColumnWidth(0, 60)  # a name that is cut has a tooltip
        find_names(page, (str(path), was_opened))
    window.close_project()


def test_chips_and_grade_bars_open_no_image_in_a_name(
    image_name: tuple[str, Callable[[], bool]], qtbot: QtBot
) -> None:
    page, line = QWidget(), QLineEdit(image_name[0].replace(" ", "/"))
    line.setToolTip(escape_markup(image_name[0]))
    page.setLayout(column(Chips(line, lambda _name: image_name[0]), GradeBar([(image_name[0], 1)])))
    qtbot.addWidget(page)
    page.show()
    assert find_names(page, image_name)


def test_tooltips_and_labels_are_created_only_by_the_escaping_functions() -> None:
    """Tooltips go through `escape_markup`; one function makes labels, which guess."""
    hover = re.compile(
        r"\.(?:setToolTip|setStatusTip|setWhatsThis|showText)\((?!escape_markup\(|self\.tr\(|\"\"\)|.*, escape_markup\(|$)"
    )
    items = re.compile(r"setItemData\((?!.*escape_markup\().*TipRole")
    boxes = re.compile(
        r"\b(?:QMessageBox|QErrorMessage|QProgressDialog|QInputDialog|QWhatsThis|QStatusBar|showMessage|QLabel\()"
    )
    html = re.compile(r"RichText|AutoText|MarkdownText|\.setHtml\(|\.setMarkdown\(")
    allowed = {"layout.py": "QLabel(", "workflow_bar.py": "RichText"} | dict.fromkeys(
        ("document_view.py", "guides.py", "exports.py", "printing.py"), "setHtml("
    )
    lines = [
        (path.name, line.strip())
        for path in (ROOT / "ui").rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    faults = [
        each for each in lines if any(form.search(each[1]) for form in (hover, items, boxes, html))
    ]
    assert [(name, line) for name, line in faults if allowed.get(name, "nothing") not in line] == []
