"""Tests of `irjudge figure`: lists, drawings, values, and early errors."""

import csv
import io
import shutil
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.formats import ReadingOptions
from irjudge.judging import import_judgments, list_qrels_rows, select_qrels
from irjudge.model import ModelJudge
from irjudge.report.figures import catalogue
from irjudge.store import create_project_from_files, open_project, sample_sources


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("figures") / "everyday.irjudge"
    sources, scale = sample_sources("everyday")
    create_project_from_files(path, sources, scale=scale)
    return path


@pytest.fixture(scope="module")
def judged_by_model(project: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the same project, with a model that gives grade 1 to everything."""
    folder = tmp_path_factory.mktemp("models")
    path = Path(shutil.copy(project, folder))
    with open_project(path) as opened:
        rows = list_qrels_rows(opened, select_qrels(opened))
        (folder / "m.qrels").write_text(
            "".join(f"{topic} 0 {document} 1\n" for topic, document, _ in rows)
        )
        import_judgments(opened, folder / "m.qrels", ReadingOptions(judge=ModelJudge("m-1")))
    return str(path)


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_figure_without_arguments_lists_all_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figure", "--format", "csv"]) == 0
    rows = table(capsys.readouterr().out)
    assert [row["name"] for row in rows] == [figure.name for figure in catalogue()]
    assert all(row["shows"] and row["takes"] for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [figure.name for figure in catalogue() if figure.input_kind in ("rankings", "values")]
)
def test_a_figure_of_a_project_is_written(
    name: str, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["figure", name, str(project), "-o", str(tmp_path / "figure.svg"), "--look", "dark"])
        == 0
    )
    assert (tmp_path / "figure.svg").read_bytes().startswith(b"<?xml")
    captured = capsys.readouterr()
    assert "Wrote" in captured.out and "settings: " in captured.err


@pytest.mark.parametrize(
    "name", [figure.name for figure in catalogue() if figure.input_kind == "models"]
)
def test_a_figure_of_a_model_is_written(
    name: str, judged_by_model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(
            ["figure", name, judged_by_model, "--model", "m-1", "-o", str(tmp_path / "figure.png")]
        )
        == 0
    )
    assert (tmp_path / "figure.png").read_bytes().startswith(
        b"\x89PNG"
    ) and "m-1" in capsys.readouterr().out
    assert main(["figure", name, judged_by_model, "-m", "AP RR"]) == 2
    assert "exactly one measure" in capsys.readouterr().err


def test_without_a_file_the_values_are_printed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["figure", "scatter", str(project), "-m", "AP P@5", "--format", "csv"]) == 0
    points = {row["system"]: (row["AP"], row["P@5"]) for row in table(capsys.readouterr().out)}
    assert main(["evaluate", str(project), "-m", "AP P@5", "--format", "csv"]) == 0
    values = {(row["run"], row["measure"]): row["value"] for row in table(capsys.readouterr().out)}
    assert points == {run: (values[run, "AP"], values[run, "P@5"]) for run, _ in values}


def test_a_figure_can_be_made_from_qrels_and_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources, _ = sample_sources("everyday")
    files = [str(path) for path in (*sources.qrels, *sources.runs)]
    assert (
        main(
            [
                "figure",
                "gain",
                *files,
                "--curve",
                "dcg",
                "--run",
                "bm25",
                "-t",
                "3",
                "--format",
                "csv",
            ]
        )
        == 0
    )
    assert {row["run"] for row in table(capsys.readouterr().out)} == {
        "bm25",
        "ql",
        "tfidf",
        "title",
        "ideal",
    }


def test_the_binormal_curve_and_its_area_can_be_requested(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(
            [
                "figure",
                "precision-recall",
                str(project),
                "--run",
                "bm25",
                "--fit",
                "binormal",
                "--format",
                "csv",
            ]
        )
        == 0
    )
    captured = capsys.readouterr()
    heights = [
        float(row["precision"]) for row in table(captured.out) if row["run"] == "bm25, binormal"
    ]
    assert f"bm25 {sum(heights) / len(heights):.4f} (" in captured.err


def test_labels_are_drawn_as_agreement(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "labels.csv"
    file.write_text(
        "item,worker,label\n"
        + "".join(
            f"d{at},{who},{(at * k) % 3}\n"
            for k, who in ((1, "ann"), (2, "bob"))
            for at in range(9)
        )
    )
    assert main(["figure", "assessor-agreement", str(file), "-o", str(tmp_path / "a.pdf")]) == 0
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["heatmap", "{project}"], "Did you mean heat-map?"),
        (["heat-map"], "heat-map"),
        (["heat-map", "{project}", "-o", "{folder}/a.gif"], "end in .png, .svg or .pdf"),
        (["heat-map", "{project}", "-m", "AP RR"], "got 2"),
        (["gain", "{project}", "-m", "AP"], "gain"),
        (["gain", "{project}", "--run", "nobody"], "'nobody'"),
        (["assessor-agreement", "{project}"], "everyday.irjudge"),
    ],
)
def test_unsuitable_input_gives_an_error(
    arguments: list[str],
    says: str,
    project: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert (
        main(["figure", *(word.format(project=project, folder=tmp_path) for word in arguments)])
        == 2
    )
    assert says in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
