"""Tests of remembered column mappings, which apply to files with the same header only."""

from pathlib import Path

import pytest

from irjudge.errors import ProjectError
from irjudge.formats.rows import AS_RECOGNISED, ColumnMapping
from irjudge.store import import_files, load_column_mapping, open_project, save_column_mapping
from irjudge.store.import_files import MAPPINGS

SAID, OTHER = ColumnMapping((("item", "Task, ID"), ("grade", "3"))), ColumnMapping((("item", "x"),))


def test_mappings_are_stored_and_the_newest_counts(project_file: Path) -> None:
    with open_project(project_file) as project:
        save_column_mapping(project, "judgments", ("Task, ID", "Who"), OTHER)
        save_column_mapping(project, "judgments", ("Task, ID", "Who"), SAID)
    with open_project(project_file, writing=False) as project:
        assert load_column_mapping(project, "judgments", ("Task, ID", "Who")) == SAID
        assert load_column_mapping(project, "judgments", ("Who", "Task, ID")) == AS_RECOGNISED
        assert load_column_mapping(project, "qrels", ("Task, ID", "Who")) == AS_RECOGNISED


def test_the_oldest_header_is_forgotten_first(
    project_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_files, "MAX_MAPPINGS", 2)
    with open_project(project_file) as project:
        for header in ("a", "b", "c"):
            save_column_mapping(project, "judgments", (header,), SAID)
        assert [
            bool(load_column_mapping(project, "judgments", (header,))) for header in ("a", "b", "c")
        ] == [False, True, True]


def test_an_unreadable_mapping_is_reported(project_file: Path) -> None:
    with open_project(project_file) as project:
        project.set_setting(MAPPINGS, "{")
        with pytest.raises(ProjectError) as error:
            load_column_mapping(project, "judgments", ("a",))
        assert error.value.values["file"] == "small.irjudge"
