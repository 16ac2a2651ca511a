"""Tests of the page that asks a model: estimate, consent, background requests, stop and resume."""

import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from irjudge.audit import list_shipped_prompts
from irjudge.errors import IrjudgeError
from irjudge.judging import read_model_judgments
from irjudge.store import open_project
from irjudge_ui.pages.ask_models import FORM_KEY, PROMPTS, AskForm, AskModelsView
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window
from tests.engine.audit.chat_responses import chat_response
from tests.engine.audit.misbehaving_endpoint import (
    Handler,
    Server,
    answer_correctly,
    grade_of,
    run_server,
)
from tests.pools import make_small_project

PAIRS = 12
Idle = Callable[[], None]

ONE_WINDOW = True


@pytest.fixture
def first_page() -> str:
    return "ask-models"


@pytest.fixture
def page(
    open_path: Callable[[Path], Window], settings: Settings, tmp_path: Path, wait_until_idle: Idle
) -> AskModelsView:
    settings.add_name("ann")  # the user's name
    make_small_project(tmp_path / "small.irjudge")
    window = open_path(tmp_path / "small.irjudge")
    window.show_page("ask-models")
    wait_until_idle()
    view = window.pages.view("ask-models")
    assert isinstance(view, AskModelsView)
    return view


@pytest.fixture
def server() -> Iterator[Server]:
    with run_server(answer_correctly) as made:
        yield made


def fill_fields(page: AskModelsView, wait_until_idle: Idle, **lines: str) -> None:
    """Type into fields and leave each."""
    for name, line in lines.items():
        field = getattr(page.form, name)
        field.setText(line)
        field.editingFinished.emit()
    wait_until_idle()


def test_every_built_in_prompt_has_a_title() -> None:
    assert set(PROMPTS) == set(list_shipped_prompts())


def test_costs_are_shown_and_nothing_is_sent_before_consent(
    page: AskModelsView, server: Server, wait_until_idle: Idle
) -> None:
    assert "http://localhost:8080/v1" in page.forecast_label.text(), "an example of an address"
    fill_fields(
        page, wait_until_idle, address=server.url, model="tiny", sent="2", written="8", budget="1"
    )
    text = page.forecast_label.text()
    assert (
        f"To be sent to {server.url}/chat/completions, model tiny" in text
        and "Requests: 12; " in text
        and "of a budget of 1." in text
    )
    page.actions_by_id["ask-start"].trigger()
    wait_until_idle()
    assert "not allow" in page.problem.text() and not page.writing and not server.asked


@pytest.mark.parametrize(
    ("locale", "text", "budget"),
    [
        ("en_US", "1,000", 1000),
        ("en_US", "0.5", 0.5),
        ("de_DE", "0,5", 0.5),
        ("de_DE", "1.000", 1000),
    ],
)
def test_separators_in_a_budget_are_those_of_the_locale(
    page: AskModelsView, qtbot: QtBot, locale: str, text: str, budget: float
) -> None:
    for field, typed in ((page.form.sent, "2"), (page.form.budget, text)):
        field.validator().setLocale(QLocale(locale))
        qtbot.keyClicks(field, typed)
    assert page.form.limits.budget == budget


def test_a_budget_with_the_separator_of_another_locale_is_refused(page: AskModelsView) -> None:
    page.form.sent.setText("2")
    page.form.budget.setText("0,5")
    page.form.budget.validator().setLocale(QLocale.c())
    with pytest.raises(IrjudgeError):
        _ = page.form.limits


def test_a_new_request_can_be_stopped_if_the_project_was_closed_while_one_was_stopping(
    page: AskModelsView, server: Server, wait_until_idle: Idle, qtbot: QtBot
) -> None:
    go, come = threading.Event(), threading.Event()

    def block_first_request(handler: Handler, asked: str, before: int) -> None:
        come.set()
        go.wait(20)
        answer_correctly(handler, asked, before)

    server.answer = block_first_request
    fill_fields(page, wait_until_idle, address=server.url, model="tiny")
    page.allowed.click()
    page.actions_by_id["ask-start"].trigger()
    qtbot.waitUntil(come.is_set)
    page.stop.click()
    assert not page.stop.isEnabled()
    page.show_project(page.project)
    go.set()
    wait_until_idle()
    assert page.stop.isEnabled()


def test_asking_is_stopped_and_resumed_and_nothing_is_asked_twice(
    page: AskModelsView, server: Server, wait_until_idle: Idle, qtbot: QtBot, tmp_path: Path
) -> None:
    go, come = threading.Event(), threading.Event()

    def block_fifth_request(handler: Handler, asked: str, before: int) -> None:
        if sum(server.asked.values()) == 5:
            come.set()
            go.wait(20)
        if sum(server.asked.values()) == 3:
            handler.say(chat_response(None, refusal="no"))
        else:
            answer_correctly(handler, asked, before)

    server.answer = block_fifth_request
    fill_fields(page, wait_until_idle, address=server.url, model="tiny")
    page.allowed.click()
    page.actions_by_id["ask-start"].trigger()
    qtbot.waitUntil(come.is_set)
    assert (
        page.writing
        and page.stop.isVisible()
        and not page.ask.isEnabled()
        and not page.form.isEnabled()
    )
    page.stop.click()
    go.set()
    wait_until_idle()
    assert page.result.text().startswith("Stopped.") and page.ask.text() == "Continue"
    assert page.project is not None
    answered = len(read_model_judgments(page.project, "tiny").grades)
    assert (
        answered == 4 and sum(server.asked.values()) == 5
    )  # one pair was asked twice, because the first reply was invalid
    server.answer = answer_correctly
    page.ask.click()
    wait_until_idle()
    assert f"Requests sent: {PAIRS - answered}. Questions left: 0." in page.result.text()
    assert (
        len(read_model_judgments(page.project, "tiny").grades) == PAIRS and page.audit.isVisible()
    )
    assert sorted(server.asked.values()) == [1] * (PAIRS - 1) + [2]
    page.audit.click()
    wait_until_idle()
    models = page.window().pages.view("models")  # type: ignore[attr-defined]
    assert models.isVisible()


@pytest.mark.slow
def test_pairs_without_a_usable_reply_are_listed_with_the_reason(
    page: AskModelsView, server: Server, wait_until_idle: Idle
) -> None:
    server.answer = lambda handler, asked, _before: handler.say(
        chat_response("No." if grade_of(asked) == 1 else '{"grade": 0}')
    )
    fill_fields(page, wait_until_idle, address=server.url, model="tiny")
    page.allowed.click()
    page.ask.click()
    wait_until_idle()
    refused = sum(grade_of(asked) == 1 for asked in server.asked)
    assert refused and len(page.unanswered_model.rows) == refused
    (reason,) = {each[2] for each in page.unanswered_model.rows}
    assert "JSON" in reason and f"({reason}): {refused}." in page.result.text()


@pytest.mark.slow
def test_an_api_key_is_stored_in_no_file_and_the_form_is_restored(
    page: AskModelsView,
    server: Server,
    wait_until_idle: Idle,
    monkeypatch: pytest.MonkeyPatch,
    open_path: Callable[[Path], Window],
) -> None:
    monkeypatch.setenv("MY_KEY", "sk-secret-123")
    fill_fields(
        page, wait_until_idle, address=server.url, model="tiny", variable="MY_KEY", topics="051"
    )
    page.form.key_from.setCurrentIndex(1)
    page.form.key_from.activated.emit(1)
    wait_until_idle()
    page.form.key.setText("sk-secret-typed")
    page.allowed.click()
    page.ask.click()
    wait_until_idle()
    assert set(server.keys) == {"Bearer sk-secret-123"} and page.project is not None
    path = page.project.path
    for each in path.parent.iterdir():
        assert b"sk-secret" not in each.read_bytes(), each.name
    page.window().close_project()  # type: ignore[attr-defined]
    assert page.form.model.text() == ""
    open_path(path)
    assert (
        page.form.model.text(),
        page.form.topics.text(),
        page.form.key_source,
        page.form.key.text(),
    ) == ("tiny", "051", "MY_KEY", "")


def test_a_key_entered_as_the_name_of_its_variable_is_not_stored(
    page: AskModelsView, server: Server, wait_until_idle: Idle
) -> None:
    fill_fields(page, wait_until_idle, address=server.url, model="tiny")
    page.form.key_from.setCurrentIndex(1)
    page.form.key_from.activated.emit(1)
    page.allowed.click()
    # the second key consists of characters that a name may contain
    for key in ("sk-proj-sesame123", "gsk_sesame123"):
        fill_fields(page, wait_until_idle, variable=key)
        page.ask.click()
        wait_until_idle()
        assert page.problem.text() and key not in page.problem.text() and not server.asked
    assert page.project is not None
    for each in page.project.path.parent.iterdir():
        assert b"sesame" not in each.read_bytes(), each.name
    assert json.loads(page.project.get_setting(FORM_KEY) or "{}")["address"] == server.url


@pytest.mark.parametrize(
    "address", ["https://me:sesame@host/v1", "https://host/v1?key=sesame", "sesame"]
)
def test_an_address_with_a_password_is_not_stored_with_the_prompts(
    page: AskModelsView,
    wait_until_idle: Idle,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    address: str,
) -> None:
    folder = tmp_path / "asked"
    folder.mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    fill_fields(page, wait_until_idle, address=address, model="tiny")
    page.actions_by_id["write-prompts"].trigger()
    wait_until_idle()
    assert (folder / "prompts.jsonl").exists()
    for each in [*tmp_path.iterdir(), *folder.iterdir()]:
        assert each.is_dir() or b"sesame" not in each.read_bytes(), each.name
    assert page.project is not None
    assert json.loads(page.project.get_setting(FORM_KEY) or "{}")["model"] == "tiny"


def test_prompts_are_written_and_replies_imported_without_a_network(
    page: AskModelsView, wait_until_idle: Idle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "asked"
    folder.mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    seen: list[str] = []
    watching = [True]
    sys.addaudithook(
        lambda event, _: seen.append(event) if watching and event == "socket.connect" else None
    )
    fill_fields(page, wait_until_idle, model="tiny")
    page.actions_by_id["write-prompts"].trigger()
    wait_until_idle()
    requests = [
        json.loads(line)
        for line in (folder / "prompts.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert len(requests) == PAIRS
    answers = [{"custom_id": each["custom_id"], "answer": '{"grade": 2}'} for each in requests[:9]]
    (folder / "answers.jsonl").write_text(
        "".join(json.dumps(each) + os.linesep for each in answers), encoding="utf-8"
    )
    page.actions_by_id["read-answers"].trigger()
    wait_until_idle()
    watching.clear()
    assert seen == [] and "Questions without an answer: 3." in page.result.text()
    assert page.project is not None and set(
        read_model_judgments(page.project, "tiny").grades.values()
    ) == {2}


def test_closing_while_a_model_is_asked_asks_first(
    page: AskModelsView, server: Server, wait_until_idle: Idle, qtbot: QtBot
) -> None:
    go, come = threading.Event(), threading.Event()

    def block_request(handler: Handler, asked: str, before: int) -> None:
        come.set()
        go.wait(20)
        answer_correctly(handler, asked, before)

    server.answer = block_request
    fill_fields(page, wait_until_idle, address=server.url, model="tiny", topics="051")
    page.allowed.click()
    page.ask.click()
    qtbot.waitUntil(come.is_set)
    window = page.window()
    assert isinstance(window, Window) and window.pages.writing
    path = window.project.path  # type: ignore[union-attr]
    window.close_project()
    go.set()
    wait_until_idle()
    with open_project(path) as project:
        assert (
            project.events.models() == ()
        )  # the reply is in the file of replies, and is imported when asking resumes
    assert len(path.with_name(f"{path.stem}.asked.jsonl").read_bytes().splitlines()) == 1


def test_replies_imported_after_the_project_was_closed_are_not_reported_in_the_next_project(
    page: AskModelsView, server: Server, wait_until_idle: Idle, qtbot: QtBot
) -> None:
    fill_fields(page, wait_until_idle, address=server.url, model="tiny", topics="051")
    page.allowed.click()
    window, go = page.window(), threading.Event()
    assert isinstance(window, Window) and page.project is not None
    path = page.project.path
    page.ask.click()
    window.run("Opening", lambda _progress: go.wait(10), lambda _done: window.close_project())
    qtbot.waitUntil(lambda: not page.writing)  # the import of the replies now waits
    go.set()
    wait_until_idle()
    assert page.result.text() == ""
    with open_project(path) as project:
        assert read_model_judgments(project, "tiny").grades


def test_amounts_are_stored_as_numbers_and_shown_in_each_locale() -> None:
    default = QLocale()
    try:
        QLocale.setDefault(QLocale("de_DE"))
        form = AskForm()
        form.sent.setText("0,25")
        form.budget.setText("1.000")  # a thousand
        entries = form.storable_entries()
        assert (entries["sent"], entries["budget"], entries["written"]) == (0.25, 1000.0, "")
        QLocale.setDefault(QLocale("en_US"))
        form = AskForm()
        form.set_entries(entries)
        assert (form.sent.text(), form.budget.text(), form.written.text()) == ("0.25", "1000", "")
        assert (form.limits.budget, form.limits.prices) == (1000.0, (0.25, 0.0))
    finally:
        QLocale.setDefault(default)
