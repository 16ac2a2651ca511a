"""Tests of the question whether ratings are gains or grades."""

from pathlib import Path

import pytest

from irjudge.formats.rankings import GradeRules, read_qrels
from irjudge_ui.pages.project.file_import import ImportOptionsPanel


@pytest.fixture
def panel(qtbot) -> ImportOptionsPanel:
    made = ImportOptionsPanel("qrels", "Qrels")
    qtbot.addWidget(made)
    return made


def choose_gains(panel: ImportOptionsPanel, value: str) -> None:
    box = panel.choices["gains"]
    box.setCurrentIndex(box.findData(value))


def test_without_a_choice_the_grades_of_the_file_are_kept(panel) -> None:
    assert panel.decisions().grades is None
    choose_gains(panel, "grades")
    assert panel.decisions().grades is None


def test_gains_and_thresholds_are_read_as_chosen(panel, tmp_path: Path) -> None:
    path = tmp_path / "x.qrels"
    path.write_text("1 0 a 0.412\n1 0 b 1.543\n")
    choose_gains(panel, "gains")
    panel.fields["cuts"].setText("0.5, 1")
    assert panel.decisions().grades == GradeRules(cuts=(0.5, 1.0), gains=True)
    qrels = read_qrels(path, grades=panel.decisions().grades)
    assert (qrels.grade.tolist(), qrels.ratings()) == ([0, 2], [0.412, 1.543])


@pytest.mark.parametrize(("grades", "cuts"), [("Exact:3", "1"), ("", "2, 1"), ("", "x")])
def test_contradictory_options_have_a_message(panel, grades: str, cuts: str) -> None:
    panel.fields["grades"].setText(grades)
    panel.fields["cuts"].setText(cuts)
    assert isinstance(panel.options_or_problem(), str)


def test_options_are_named_like_their_fields(panel) -> None:
    text = panel.translate_labels("--gains, --cuts, --grades")
    assert "--" not in text
