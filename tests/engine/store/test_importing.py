"""What files bring into a project beside the collection: instructions, and whose it is."""

from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.model.scale import Scale
from irjudge.shipped import samples
from irjudge.store.importing import Sources, import_into, new_project, sample_sources
from irjudge.store.project import create, open_project


def test_instructions_are_kept_as_they_are_and_a_later_file_takes_their_place(project_file: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.md", tmp_path / "second.md"
    first.write_bytes(b"\xef\xbb\xbf# Judge\n\n* well\xc3\xa4\n")
    second.write_text("# Judge better\n")
    with open_project(project_file) as project:
        assert project.instructions == ""
        report = import_into(project, Sources(instructions=first))
        assert (report.done, report.remarks) == (["Instructions: read from first.md. Lines: 3."], [])
        assert project.instructions == "# Judge\n\n* wellä\n"
        report = import_into(project, Sources(instructions=second))
        assert report.remarks == ["second.md: it takes the place of the instructions the project had."]
        assert import_into(project, Sources(instructions=second)).remarks == []
    with open_project(project_file, writing=False) as project:
        assert project.instructions == "# Judge better\n"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b" \n", "it is empty, expected instructions in Markdown"),
        (b"caf\xe9", "not UTF-8"),
        (b"\xff\xfea\0", "UTF-16"),
        (None, "cannot be read"),
    ],
)
def test_instructions_that_cannot_be_used_are_refused(project_file: Path, tmp_path: Path, content: bytes | None, problem: str) -> None:
    file = tmp_path / "a.md"
    if content is not None:
        file.write_bytes(content)
    with open_project(project_file) as project:
        with pytest.raises(FormatError, match=problem):
            import_into(project, Sources(instructions=file))
        assert project.instructions == ""


@pytest.mark.parametrize("name", list(samples()))
def test_each_sample_brings_instructions_with_an_example_for_each_grade(name: str, tmp_path: Path) -> None:
    sources, scale = sample_sources(name)
    new_project(tmp_path / "p.irjudge", sources, scale=scale)
    with open_project(tmp_path / "p.irjudge", writing=False) as project:
        assert project.instructions == (samples()[name] / "instructions.md").read_text(encoding="utf-8")
        assert [grade for grade in scale.grades if f"| **{grade.value}** {grade.label} |" not in project.instructions] == []


@pytest.mark.parametrize(("owner", "whose"), [("owner", None), ("assessor 7", "assessor 7"), ("  ", None), (" ann ", "ann")])
def test_a_project_belongs_to_its_owner_unless_it_is_nobody_in_particular(tmp_path: Path, owner: str, whose: str | None) -> None:
    with create(tmp_path / "p", scale=Scale.parse("binary"), owner=owner) as project:
        assert project.belongs_to == whose
        assert project.owner == (whose or "owner")


def test_sources_with_instructions_or_calibration_alone_are_something(tmp_path: Path) -> None:
    assert not Sources()
    assert Sources(instructions=tmp_path) and Sources(calibration=(tmp_path,))
