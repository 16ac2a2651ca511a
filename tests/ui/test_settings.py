"""Tests of settings: declared once, and validated when they are read."""

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray
from pytestqt.qtbot import QtBot

from irjudge.errors import ProjectError
from irjudge_ui.settings import (
    CARDS,
    MAX_RECENT_PROJECTS,
    MAX_TOPICS_WITH_TERMS,
    SETTINGS,
    Setting,
    Settings,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "irjudge.ini"


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_setting_has_help_and_a_default_that_it_allows(setting: Setting, file: Path) -> None:
    assert setting.help.endswith(".") and len(setting.help) > 10
    assert Settings(file).get(setting.name) == setting.default
    assert not setting.choices or setting.default in setting.choices
    assert len(setting.labels) == len(setting.choices)
    assert bool(setting.title) == (setting.card in CARDS)
    assert not setting.span or setting.span[0] <= setting.default <= setting.span[1]


def test_a_setting_is_read_by_the_next_window_and_signalled(file: Path, qtbot: QtBot) -> None:
    settings = Settings(file)
    with qtbot.waitSignal(settings.changed) as signal:
        settings.set("zoom", 1.4)
    settings.set("measures", "P@5, nDCG")
    del settings
    again = Settings(file)
    assert signal.args == ["zoom"]
    assert (again.get("zoom"), again.get("measures")) == (1.4, "P@5, nDCG")


@pytest.mark.parametrize(
    "line",
    [
        "zoom=large",
        "zoom=nan",
        "zoom=inf",
        "zoom=-1",
        "zoom=99",
        "decimals=-3",
        "decimals=many",
        "decimals=1e99",
        "theme=purple",
        "guard_ms=-5",
        "guard_ms=a, b",
        "idle_s=0",
        "measures=AP, RR",
        "best_passage=perhaps",
        "best_passage=2",
        "highlight=red",
        "hand=right",
        "language=fr",
    ],
)
def test_invalid_values_in_the_file_are_replaced_by_defaults(line: str, file: Path) -> None:
    file.write_text(f"[General]\n{line}\n", encoding="utf-8")
    name = line.split("=")[0]
    assert Settings(file).get(name) == next(
        setting.default for setting in SETTINGS if setting.name == name
    )


@pytest.mark.parametrize(
    ("stored", "value"),
    [("true", True), ("True", True), ("1", True), ("false", False), ("0", False)],
)
def test_common_spellings_of_yes_and_no_are_read(stored: str, value: bool, file: Path) -> None:
    file.write_text(f"[General]\nbest_passage={stored}\n", encoding="utf-8")
    assert Settings(file).get("best_passage") is value


def test_yes_and_no_are_read_back(file: Path) -> None:
    for value in (True, False):
        Settings(file).set("best_passage", value)
        assert Settings(file).get("best_passage") is value


def test_a_group_is_stored_as_one_line_per_entry_and_non_text_entries_are_dropped(
    file: Path, qtbot: QtBot
) -> None:
    settings = Settings(file)
    settings.set("keys", {"old": "X"})
    with qtbot.waitSignal(settings.changed) as signal:
        settings.set("keys", {"skip": "Ctrl+,", "note": "F6"})
    del settings
    assert signal.args == ["keys"]
    assert Settings(file).get("keys") == {"note": "F6", "skip": "Ctrl+,"}
    file.write_text("[keys]\nskip=A, B\nnote=F6\n", encoding="utf-8")
    assert Settings(file).get("keys") == {"note": "F6"}
    Settings(file).set("keys", {})
    assert Settings(file).get("keys") == {}


def test_a_file_that_is_not_a_settings_file_is_read_as_empty(file: Path) -> None:
    file.write_bytes(bytes(range(256)))
    assert [Settings(file).get(setting.name) for setting in SETTINGS] == [
        setting.default for setting in SETTINGS
    ]


def test_recent_projects_are_unique_newest_first_and_at_most_eight(
    file: Path, tmp_path: Path
) -> None:
    settings = Settings(file)
    paths = [
        tmp_path / f"{number}, with | odd = name.irjudge"
        for number in range(MAX_RECENT_PROJECTS + 2)
    ]
    for path in paths:
        path.touch()
        settings.add_recent(path)
    settings.add_recent(paths[5])
    expected = [paths[5], *[path for path in reversed(paths) if path != paths[5]]][
        :MAX_RECENT_PROJECTS
    ]
    assert Settings(file).recent() == settings.recent() == expected


def test_missing_projects_stay_in_the_list_because_a_share_may_return(
    file: Path, tmp_path: Path
) -> None:
    settings = Settings(file)
    for name in ("here", "gone"):
        (tmp_path / name).touch()
        settings.add_recent(tmp_path / name)
    (tmp_path / "gone").unlink()
    assert settings.recent() == [tmp_path / "gone", tmp_path / "here"]


def test_the_window_geometry_is_restored(file: Path) -> None:
    Settings(file).set_geometry(QByteArray(b"\x00\x01geometry"))
    assert Settings(file).geometry() == QByteArray(b"\x00\x01geometry")


def test_the_folder_of_samples_is_created_when_needed(file: Path, tmp_path: Path) -> None:
    settings = Settings(file)
    settings.set("samples", str(tmp_path / "a" / "b"))
    assert settings.sample_path("everyday") == tmp_path / "a" / "b" / "everyday.irjudge"
    assert (tmp_path / "a" / "b").is_dir()


def test_a_folder_of_samples_that_cannot_exist_is_reported(file: Path) -> None:
    settings = Settings(file)
    settings.set("samples", "a\0b")
    with pytest.raises(ProjectError) as refused:
        settings.sample_path("everyday")
    assert refused.value.values["folder"] == "a\0b"


def test_stored_positions_out_of_range_are_ignored(file: Path, tmp_path: Path) -> None:
    settings = Settings(file)
    settings.set("places", '[["p", "head", ["1", "d", 1e999]]]')
    assert settings.last_item(Path("p")) is None


def test_own_terms_are_stored_by_project_and_topic_for_the_newest_topics_only(
    file: Path, tmp_path: Path
) -> None:
    settings = Settings(file)
    project = tmp_path / "a, b = c.irjudge"
    other = tmp_path / "other.irjudge"
    settings.store_own_terms(other, "1", ["潮汐", "a, b"])
    for number in range(MAX_TOPICS_WITH_TERMS - 1):
        settings.store_own_terms(project, str(number), [f"word {number}"])
    assert Settings(file).own_terms(other) == {"1": ("潮汐", "a, b")}
    settings.store_own_terms(project, "0", ["newer"])
    settings.store_own_terms(project, "more", ["one"])
    stored_terms = Settings(file).own_terms(project)
    assert (
        Settings(file).own_terms(other) == {}
        and len(stored_terms) == MAX_TOPICS_WITH_TERMS
        and stored_terms["0"] == ("newer",)
    )
    settings.store_own_terms(project, "0", [])
    assert "0" not in Settings(file).own_terms(project)


@pytest.mark.parametrize(
    "stored", ["", "{", "7", "[[1, 2]]", "[7]", '[["a", "b", 7]]', "[" * 100_000]
)
def test_invalid_own_terms_are_read_as_none(file: Path, stored: str) -> None:
    settings = Settings(file)
    settings.set("own_words", stored)
    assert settings.own_terms(Path("a")) == {}
    settings.store_own_terms(Path("a"), "1", ["word"])
    assert settings.own_terms(Path("a")) == {"1": ("word",)}


@pytest.mark.parametrize(
    "stored", ["", "{", "[]", "5", "null", '{"a": 3}', '{"a": {"judged": [1]}}', "[" * 5000]
)
def test_invalid_project_progress_is_ignored(
    settings: Settings, stored: str, tmp_path: Path
) -> None:
    settings.set("last_seen", stored)
    assert isinstance(settings.last_seen(), dict)
    settings.add_recent(tmp_path / "p")
    settings.keep_last_seen(tmp_path / "p", {"judged": "3"})
    assert settings.last_seen() == {str(tmp_path / "p"): {"judged": "3"}}, (
        "what is not among those opened last is forgotten"
    )
