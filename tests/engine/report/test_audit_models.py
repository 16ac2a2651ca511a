"""Tests of audits by request: of a project's models, and of files with human qrels."""

from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.formats import ReadingOptions
from irjudge.judging import import_judgments
from irjudge.model import ModelJudge, Scale
from irjudge.report import AuditRequest, audit_models
from irjudge.report.judge_tables import find_judge_table
from irjudge.store import Sources, create_project_from_files, open_project

REQUEST = AuditRequest(samples=20)


@pytest.fixture
def human(tmp_path: Path) -> Path:
    """Return human qrels: four pairs, of which two are relevant."""
    path = tmp_path / "human.qrels"
    path.write_text("1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n2 0 d3 0\n", encoding="utf-8")
    return path


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """Return labels of a model that differs from the human on one pair."""
    path = tmp_path / "gpt.qrels"
    path.write_text("1 0 d1 1\n1 0 d2 1\n2 0 d1 1\n2 0 d3 0\n", encoding="utf-8")
    return path


def test_a_model_is_compared_with_human_qrels(human: Path, labels: Path, tmp_path: Path) -> None:
    output = tmp_path / "audit.xlsx"
    done = audit_models(human, [str(labels)], AuditRequest(samples=20, output=output))
    (audit,) = done.audits
    assert (audit.judge.name, audit.source, audit.confusion.pairs) == ("gpt", "human.qrels", 4)
    (conflict,) = audit.conflicts
    assert (conflict.topic, conflict.document, conflict.people, conflict.model) == ("1", "d2", 0, 1)
    # agreement is 3/4, by chance 1/2 · 3/4 + 1/2 · 1/4 = 1/2: kappa is 1/2
    assert audit.find_statistic("kappa").value == pytest.approx(0.5)
    assert done.summary == () and output.stat().st_size


def test_several_models_are_also_described_together(human: Path, labels: Path) -> None:
    done = audit_models(human, [str(labels), str(labels)], REQUEST)
    (together,) = done.summary
    assert len(done.audits) == 2
    assert together.values["correlation"] == "1.00"  # type: ignore[attr-defined]


def test_pairs_used_to_choose_a_prompt_are_excluded(
    human: Path, labels: Path, tmp_path: Path
) -> None:
    chosen = tmp_path / "chosen.qrels"
    chosen.write_text("1 0 d2 0\n", encoding="utf-8")
    (audit,) = audit_models(human, [str(labels)], AuditRequest(samples=20, chosen_on=chosen)).audits
    assert audit.confusion.pairs == 3 and not audit.conflicts


def test_the_profile_selects_the_definition_of_the_measure(
    human: Path, labels: Path, tmp_path: Path
) -> None:
    runs = [tmp_path / "a.run", tmp_path / "b.run"]
    for path in runs:
        path.write_text(f"1 Q0 d1 1 1.0 {path.stem}\n", encoding="utf-8")
    request = AuditRequest(name="IPrec@0.5", samples=20, runs=tuple(runs), profile="trec_eval-9")
    (audit,) = audit_models(human, [str(labels)], request).audits
    assert audit.orderings is not None
    assert audit.orderings.measure == "IPrec(rule=trec9)@0.5"


def test_runs_without_a_common_topic_are_written_to_a_workbook(
    human: Path, labels: Path, tmp_path: Path
) -> None:
    runs = [tmp_path / "1.run", tmp_path / "2.run"]
    for path in runs:
        path.write_text(f"{path.stem} Q0 d1 1 1.0 {path.stem}\n", encoding="utf-8")
    output = tmp_path / "audit.xlsx"
    request = AuditRequest(samples=20, runs=tuple(runs), output=output)
    (audit,) = audit_models(human, [str(labels)], request).audits
    assert output.stat().st_size
    statistics = {row[1] for row in find_judge_table("statistics").rows([audit])}
    assert "tau-b of the top" in statistics and "tau-b by topic" not in statistics


@pytest.mark.parametrize(
    ("request_", "models", "named"),
    [
        (AuditRequest(name="AP P@5"), ["m"], "AP P@5"),
        (AuditRequest(output=Path("a.csv")), ["m"], "a.csv"),
        (AuditRequest(which="x"), ["m"], "--source"),
        (AuditRequest(), [], "model labels"),
        (AuditRequest(groups=Path("nowhere.csv")), ["gpt.qrels"], "nowhere.csv"),
    ],
)
def test_a_request_that_does_not_fit_is_refused(
    request_: AuditRequest, models: list[str], named: str, human: Path, labels: Path
) -> None:
    given = [str(labels.with_name(name)) for name in models]
    with pytest.raises(IrjudgeError, match=named):
        audit_models(human, given, request_)


def test_a_model_without_a_pair_in_common_with_the_assessors_is_left_out(
    human: Path, labels: Path, tmp_path: Path
) -> None:
    other = tmp_path / "aaa.qrels"
    other.write_text("1 0 d3 1\n", encoding="utf-8")
    path = tmp_path / "p.irjudge"
    create_project_from_files(path, Sources(qrels=(human,)), scale=Scale.parse("binary"))
    with open_project(path) as project:
        for name, file in (("aaa", other), ("gpt", labels)):
            import_judgments(project, file, ReadingOptions(judge=ModelJudge(name)))
        report = audit_models(project, (), REQUEST)
        assert [audit.judge.name for audit in report.audits] == ["gpt"]
        (note,) = report.notes
        assert note.values["name"] == "aaa"  # type: ignore[attr-defined]
        assert report.summary == ()
        with pytest.raises(IrjudgeError):
            audit_models(project, ("aaa", "gpt"), REQUEST)
