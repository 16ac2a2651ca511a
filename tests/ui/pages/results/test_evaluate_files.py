"""Tests of the page that evaluates qrels and run files without a project."""

from collections.abc import Callable
from pathlib import Path

from irjudge_ui.pages.results.evaluate_files import FilesView
from irjudge_ui.window import Window

ONE_WINDOW = True


def test_qrels_with_the_same_name_are_distinguished(
    window: Window, wait_until_idle: Callable[[], None], tmp_path: Path
) -> None:
    """The document is relevant in the first qrels, and not relevant in the second."""
    paths = [tmp_path / name for name in ("2019/q.txt", "2020/q.txt", "r.run")]
    for path, text in zip(paths, ("1 0 d 1\n", "1 0 d 0\n", "1 Q0 d 1 1 r\n"), strict=True):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    window.show_page("files")
    page = window.pages.view("files")
    assert isinstance(page, FilesView)
    page.add_files(paths)
    wait_until_idle()
    choices = page.policy.qrels
    assert choices.itemText(0) != choices.itemText(1)
    values = []
    for index in range(2):
        choices.setCurrentIndex(index)
        choices.activated.emit(index)
        wait_until_idle()
        assert page.table is not None
        values.append(page.table.runs[0].values[0].tolist())
    assert values == [[1.0], [0.0]]
