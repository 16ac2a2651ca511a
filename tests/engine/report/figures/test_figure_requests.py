"""Tests of figures by request, of files and of projects."""

from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import IrjudgeError
from irjudge.evaluation import EvaluationSettings, Policy
from irjudge.formats import ReadingOptions
from irjudge.judging import import_judgments
from irjudge.model import ModelJudge, Scale
from irjudge.report.figures import (
    FigureOptions,
    FigureRequest,
    find_figure,
    make_figure,
    read_project_material,
)
from irjudge.store import create_project, open_project


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Write qrels in which document a is relevant; x ranks it first, y second."""
    (tmp_path / "q.txt").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "runs").mkdir()
    for name, order in (("x", "ab"), ("y", "ba")):
        lines = [
            f"{topic} Q0 {document} 1 {score} {name}\n"
            for topic in "12"
            for document, score in zip(order, (2, 1), strict=True)
        ]
        (tmp_path / "runs" / f"{name}.run").write_text("".join(lines))
    return tmp_path


@pytest.fixture
def project(files: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = files / "p.irjudge"
    with create_project(path, scale=Scale.parse("binary")):
        pass
    runs = str(files / "runs")
    assert main(["import", str(path), "--qrels", str(files / "q.txt"), "--runs", runs]) == 0
    capsys.readouterr()
    return path


LEVELS = FigureRequest(options=FigureOptions(levels=2))
SOURCE = FigureRequest(settings=EvaluationSettings(which="consensus"))
CURVES = [("x", 0.0, 1.0), ("x", 1.0, 1.0), ("y", 0.0, 0.5), ("y", 1.0, 0.5)]


def test_curves_of_files_are_those_of_their_rankings(files: Path) -> None:
    result = make_figure("precision-recall", files / "q.txt", [files / "runs"], LEVELS)
    assert sorted(result.chart.rows()) == CURVES
    assert result.warnings == ()


def test_curves_of_a_project_are_those_of_its_files(project: Path) -> None:
    result = make_figure("precision-recall", project, [], LEVELS)
    assert sorted(result.chart.rows()) == CURVES
    with open_project(project, writing=False) as opened:
        figure = find_figure("precision-recall")
        material = read_project_material(opened, figure, Policy())
        assert sorted(figure.chart(material, LEVELS.options).rows()) == CURVES


def test_a_figure_of_values_has_points_for_the_runs(files: Path) -> None:
    settings = EvaluationSettings(measures=("RR", "P@1"))
    request = FigureRequest(settings=settings)
    result = make_figure("scatter", files / "q.txt", [files / "runs"], request)
    assert sorted(result.chart.rows()) == [("x", 1.0, 1.0), ("y", 0.5, 0.0)]
    assert len(result.warnings) == 2  # the coverage of each run


def test_one_topic_and_highlighted_runs_are_shown(files: Path) -> None:
    request = FigureRequest(only="2", highlighted=("y",), options=FigureOptions(levels=2))
    chart = make_figure("precision-recall", files / "q.txt", [files / "runs"], request).chart
    assert sorted(chart.rows()) == CURVES
    assert "topic 2" in chart.caption


@pytest.mark.slow
def test_a_file_is_written(files: Path) -> None:
    output = files / "out.svg"
    request = FigureRequest(output=output, options=FigureOptions(levels=2))
    make_figure("precision-recall", files / "q.txt", [files / "runs"], request)
    assert b"<svg" in output.read_bytes()


def test_labels_of_a_table_are_drawn(tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("item,worker,label\n" + "".join(f"{n},{w},1\n" for n in "12" for w in "ab"))
    chart = make_figure("assessor-agreement", labels).chart
    assert {row[-1] for row in chart.rows()} <= {None, 1.0}


@pytest.mark.parametrize(
    ("name", "source", "runs", "request_", "fragment"),
    [
        ("nonsense", "q.txt", ["runs"], LEVELS, "nonsense"),
        ("precision-recall", None, [], LEVELS, "precision-recall"),
        ("precision-recall", "q.txt", [], LEVELS, "run"),
        ("precision-recall", "q.txt", ["runs"], FigureRequest(highlighted=("z",)), "z"),
        ("precision-recall", "q.txt", ["runs"], FigureRequest(output=Path("a.doc")), "a.doc"),
        ("assessor-agreement", "q.txt", ["runs"], LEVELS, "assessor-agreement"),
        ("model-grades", "q.txt", ["runs"], LEVELS, "runs"),
        ("model-grades", "q.txt", [], LEVELS, "q.txt"),
        ("assessor-agreement", "q.txt", [], FigureRequest(only="1"), "topic"),
        ("assessor-agreement", "p.irjudge", [], FigureRequest(only="1"), "topic"),
        ("model-leniency", "p.irjudge", [], FigureRequest(only="1"), "topic"),
        ("assessor-agreement", "p.irjudge", [], SOURCE, "source"),
        ("model-orders", "p.irjudge", [], SOURCE, "source"),
    ],
)
def test_input_that_a_figure_does_not_have_is_refused(
    files: Path,
    project: Path,
    name: str,
    source: str | None,
    runs: list[str],
    request_: FigureRequest,
    fragment: str,
) -> None:
    path = None if source is None else files / source
    with pytest.raises(IrjudgeError, match=fragment):
        make_figure(name, path, [files / each for each in runs], request_)


def test_measures_that_a_figure_does_not_show_are_refused(files: Path, project: Path) -> None:
    two = FigureRequest(settings=EvaluationSettings(measures=("RR", "P@1")))
    with pytest.raises(IrjudgeError, match="measure"):
        make_figure("precision-recall", files / "q.txt", [files / "runs"], two)
    with pytest.raises(IrjudgeError, match=r"RR P@1"):
        make_figure("model-grades", project, [], two)
    one = FigureRequest(settings=EvaluationSettings(measures=("RR",)))
    with pytest.raises(IrjudgeError, match="2 measures"):
        make_figure("scatter", files / "q.txt", [files / "runs"], one)


def test_a_project_excludes_other_input(files: Path, project: Path) -> None:
    with pytest.raises(IrjudgeError) as error:
        make_figure("precision-recall", project, [files / "runs"], LEVELS)
    assert error.value.key == "project-alone"


@pytest.mark.parametrize("source", ["q.txt", "p.irjudge"])
def test_the_given_highest_grade_is_used(project: Path, files: Path, source: str) -> None:
    settings = EvaluationSettings(measures=("ERR@1",), highest=2)
    runs = [files / "runs"] if source == "q.txt" else []
    result = make_figure("heat-map", files / source, runs, FigureRequest(settings=settings))
    # the gain of grade 1 is (2 - 1) / 2^2; with the highest grade 1 it would be 1/2
    assert sorted(result.chart.rows())[0][-1] == 0.25


def test_a_model_that_cannot_be_audited_does_not_prevent_the_figure_of_another(
    project: Path, tmp_path: Path
) -> None:
    with open_project(project) as opened:
        for name, document in (("aaa", "b"), ("gpt", "a")):  # only document a has a human grade
            labels = tmp_path / f"{name}.txt"
            labels.write_text(f"1 0 {document} 1\n", encoding="utf-8")
            import_judgments(opened, labels, ReadingOptions(judge=ModelJudge(name)))
    gpt = make_figure(
        "model-grades", project, request=FigureRequest(options=FigureOptions(model="gpt"))
    )
    assert gpt.chart.title.values["model"] == "gpt"
    first = make_figure("model-grades", project)
    assert first.chart.title.values["model"] == "gpt"
    (warning,) = set(first.warnings) - set(gpt.warnings)
    assert warning.values["name"] == "aaa"
    with pytest.raises(IrjudgeError):
        make_figure(
            "model-grades", project, request=FigureRequest(options=FigureOptions(model="aaa"))
        )


@pytest.mark.parametrize("name", ["precision-recall", "gain"])
def test_a_caption_warns_of_averages_over_different_topics(files: Path, name: str) -> None:
    run = files / "runs" / "y.run"
    run.write_text(run.read_text().splitlines()[0] + "\n")  # only topic 1

    def caption(only: str = "", *, topics_chosen: bool = False) -> str:
        request = FigureRequest(only=only)
        result = make_figure(
            name, files / "q.txt", [files / "runs"], request, topics_chosen=topics_chosen
        )
        return result.chart.caption

    assert "not comparable" in caption() and "x: 2, y: 1" in caption()
    assert "not comparable" not in caption("1") + caption(topics_chosen=True)


def test_the_caption_of_model_orders_contains_the_evaluation_settings(
    project: Path, tmp_path: Path
) -> None:
    labels = tmp_path / "gpt.txt"
    labels.write_text("1 0 a 1\n2 0 a 1\n", encoding="utf-8")
    with open_project(project) as opened:
        import_judgments(opened, labels, ReadingOptions(judge=ModelJudge("gpt")))
    for depth in (None, 1):
        settings = EvaluationSettings(depth=depth)
        caption = make_figure(
            "model-orders", project, request=FigureRequest(settings=settings)
        ).chart.caption
        assert caption.values["policy"] == str(settings.policy())
