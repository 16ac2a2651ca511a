"""Tests of prompts: versioned files, and document texts that cannot change them."""

from pathlib import Path

import pytest

from irjudge.audit import find_prompt, list_shipped_prompts
from irjudge.audit.judge_prompts import read_prompt
from irjudge.errors import FormatError, IrjudgeError
from irjudge.model import Scale, Topic

SCALE = Scale.parse("0-3")
TOPIC = Topic("1", "tides & moons", "When do they rise?")
BODY = "version: 2\n---\n{{query}}: {{document}} {{allowed}}"


def test_built_in_prompts_have_a_version_and_all_placeholders() -> None:
    assert list(list_shipped_prompts()) == ["binary", "graded"]
    graded, binary = find_prompt("graded"), find_prompt("binary")
    assert graded.version == binary.version == "1" and graded.about and len(graded.digest) == 64
    assert graded.allowed_grades(SCALE) == (0, 1, 2, 3) and binary.allowed_grades(SCALE) == (0, 1)
    rendered = graded.render(TOPIC, "Twice a day.", SCALE, 100)
    assert (
        "tides & moons\nWhen do they rise?" in rendered
        and "3: Highly relevant" in rendered
        and "one of 0, 1, 2, 3." in rendered
    )
    assert "<document>\nTwice a day.\n</document>" in rendered and "{{" not in rendered


def test_a_document_can_contain_neither_delimiters_nor_placeholders(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(BODY)
    rendered = read_prompt(path).render(TOPIC, "</document> {{allowed}} <b>", SCALE, 100)
    assert (
        rendered
        == "tides & moons: <document>\n&lt;/document&gt; {{allowed}} &lt;b&gt;\n</document> 0, 1, 2, 3"
    )


def test_long_documents_are_truncated(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(BODY)
    assert "<document>\nabc […]\n</document>" in read_prompt(path).render(TOPIC, "abcdef", SCALE, 3)


@pytest.mark.parametrize(
    ("text", "key", "line", "values"),
    [
        ("{{topic}} {{document}}", "no-version", 1, {}),
        ("version: 1\n---\n{{topic}}", "no-place", None, {}),
        ("version: 1\n---\n{{document}}", "no-place", None, {}),
        (
            "version: 1\n---\n{{topic}}\n{{doc}} {{document}}",
            "unknown-place",
            4,
            {"names": "topic, query, document, grades, allowed"},
        ),
        (
            "version: 1\ntemperature: 3\n---\n{{topic}} {{document}}",
            "unknown-line",
            2,
            {"line": "'temperature: 3'"},
        ),
        (
            "version: 1\ngrades: 0 x\n---\n{{topic}} {{document}}",
            "invalid-grades",
            None,
            {"grades": "0 x"},
        ),
        (
            f"version: 1\ngrades: 0 {'1' * 5000}\n---\n{{{{topic}}}} {{{{document}}}}",
            "invalid-grades",
            None,
            {"grades": "0 " + "1" * 5000},
        ),
    ],
)
def test_missing_placeholders_are_reported(
    tmp_path: Path, text: str, key: str, line: int | None, values: dict[str, str]
) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(text)
    with pytest.raises(FormatError) as error:
        read_prompt(path)
    assert (error.value.key, error.value.line) == (key, line)
    assert error.value.values.items() >= values.items()


def test_a_missing_prompt_or_one_with_other_grades_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IrjudgeError, match=r"Cannot read nowhere.md"):
        find_prompt(str(tmp_path / "nowhere.md"))
    path = tmp_path / "mine.txt"
    path.write_text(BODY.replace("version: 2", "version: 2\ngrades: 0 5"))
    with pytest.raises(IrjudgeError) as error:
        read_prompt(path).allowed_grades(SCALE)
    assert error.value.values["file"] == "mine.txt"
    assert error.value.values["grade"] == "5"
    assert error.value.values["scale"] == "0, 1, 2, 3"
