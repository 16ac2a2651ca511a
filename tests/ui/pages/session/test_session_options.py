"""Tests that an option of `serve` is declared once, for help, form, options and stored session."""

import importlib.util
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Annotated

import pytest
from click.testing import CliRunner
from PySide6.QtWidgets import QApplication

import irjudge.cli.serve
import irjudge.web
import irjudge.web.session_options
import irjudge_ui.pages.session.session_form
from irjudge.errors import IrjudgeError
from irjudge.options import Option
from irjudge.store import Project, open_project
from irjudge.web import SessionOptions, SessionRequest, begin_session, plan_session
from irjudge_ui.pages.session.session_form import SessionForm
from irjudge_ui.widgets import NumberField
from tests.pools import make_small_project


@dataclass(frozen=True, slots=True, kw_only=True)
class WithBreaks(SessionRequest):
    break_every: Annotated[int, Option("Minutes until a break.", minimum=0, maximum=60)] = 0


@pytest.fixture
def add_option(monkeypatch: pytest.MonkeyPatch) -> None:
    users = (irjudge.web, irjudge.web.session_options, irjudge_ui.pages.session.session_form)
    for module in users:
        monkeypatch.setattr(module, "SessionRequest", WithBreaks)


@pytest.fixture
def serve_module(add_option: None) -> ModuleType:
    """The module of `serve`, loaded again with the added option."""
    path = irjudge.cli.serve.__file__
    spec = importlib.util.spec_from_file_location("serve_with_breaks", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def project(tmp_path: Path) -> Path:
    make_small_project(tmp_path / "small.irjudge")
    return tmp_path / "small.irjudge"


def test_a_new_option_is_in_the_help_and_in_what_the_command_requests(
    serve_module: ModuleType, monkeypatch: pytest.MonkeyPatch, project: Path
) -> None:
    seen: list[SessionRequest] = []

    def plan(request: SessionRequest) -> Callable[[Project], SessionOptions]:
        seen.append(request)
        raise IrjudgeError("stop")

    monkeypatch.setattr(serve_module, "plan_session", plan)
    text = CliRunner().invoke(serve_module.serve_command, ["--help"]).output
    assert "--break-every" in text and "0<=x<=60" in text
    CliRunner().invoke(serve_module.serve_command, [str(project), "--break-every", "20"])
    assert [each.break_every for each in seen] == [20]  # type: ignore[attr-defined]
    refused = CliRunner().invoke(serve_module.serve_command, [str(project), "--break-every", "61"])
    assert refused.exit_code == 2


def test_a_new_option_has_a_field_in_the_form(add_option: None, qapp: QApplication) -> None:
    form = SessionForm()
    field = form.fields["break_every"]
    assert isinstance(field, NumberField) and field.accessibleName() == "Break every"
    assert form.options() == WithBreaks(overlap=3)
    field.set_value(20)
    assert form.options() == WithBreaks(overlap=3, break_every=20)


def test_a_new_option_is_stored_with_the_session_and_read_again(
    add_option: None, project: Path
) -> None:
    with open_project(project) as opened:
        stored = begin_session(opened, plan_session(WithBreaks(break_every=20))(opened))
        terms = json.loads(json.dumps(dict(opened.sessions.all()[0].terms)))
    assert stored.terms == terms and terms["request"] == {"break_every": 20}
    assert SessionOptions.from_json(terms).request == WithBreaks(break_every=20)


def test_a_session_without_further_options_is_stored_unchanged(project: Path) -> None:
    request = SessionRequest(overlap=2, store="postgresql://user:secret@host/db", people="ann")
    with open_project(project) as opened:
        stored = begin_session(opened, plan_session(request)(opened))
    assert "request" not in stored.terms
    assert SessionOptions.from_json(stored.terms).request == SessionRequest()


def test_an_unknown_option_is_refused_with_its_path() -> None:
    terms = {**SessionOptions().as_json(), "request": {"break_every": 20}}
    with pytest.raises(IrjudgeError) as error:
        SessionOptions.from_json(terms)
    assert error.value.values["path"] == "session.request.break_every"
