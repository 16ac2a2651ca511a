"""Tests of study packages: files are checked, values recomputed exactly, and differences named."""

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import FormatError
from irjudge.report import is_study, read_study, reproduce_study
from irjudge.report.contents import METHOD_TITLE
from irjudge.shipped import sample_folders

QRELS = "1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 a 2\n2 0 b 1\n3 0 a 1\n"
RUNS = {
    "one.run": "1 Q0 a 1 0.3 t\n1 Q0 x 2 0.2 t\n1 Q0 c 3 0.1 t\n2 Q0 b 1 2 t\n2 Q0 a 2 1 t\n3 Q0 z 1 1 t\n",
    "two.run": "1 Q0 x 1 3 t\n1 Q0 c 2 2 t\n2 Q0 a 1 2 t\n3 Q0 a 1 1 t\n",
}


@pytest.fixture(scope="module")
def study_template(tmp_path_factory: pytest.TempPathFactory, slow: None) -> Path:
    """Return a study that is copied for each test; its report has figures, which take a second."""
    folder = tmp_path_factory.mktemp("packed")
    for name, text in {"q.qrels": QRELS, **RUNS}.items():
        (folder / name).write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert (
            main(
                [
                    "report",
                    "q.qrels",
                    *RUNS,
                    "-m",
                    "AP nDCG@10 ERR@5",
                    "--ties",
                    "docno",
                    "-o",
                    "study.zip",
                ]
            )
            == 0
        )
    return folder / "study.zip"


@pytest.fixture
def current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"q.qrels": QRELS, **RUNS}.items():
        Path(name).write_text(text)
    return tmp_path


@pytest.fixture
def study(current_folder: Path, study_template: Path) -> Path:
    return Path(shutil.copy(study_template, current_folder))


def rewrite(study: Path, edit: Callable[[dict[str, bytes]], None]) -> Path:
    """Return the same archive with other files."""
    with zipfile.ZipFile(study) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    edit(files)
    with zipfile.ZipFile(study, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return study


def test_a_study_has_report_values_qrels_settings_hashes_and_paragraph(study: Path) -> None:
    with zipfile.ZipFile(study) as archive:
        assert archive.namelist() == [
            "method.txt",
            "qrels.txt",
            "report.html",
            "study.json",
            "values.csv",
            "SHA256SUMS",
        ]
        assert archive.read("qrels.txt").decode() == QRELS
        assert METHOD_TITLE in archive.read("method.txt").decode()
        assert (
            "ties: docno" in archive.read("method.txt").decode()
            and "irjudge report q.qrels" in archive.read("method.txt").decode()
        )
        problem = json.loads(archive.read("study.json"))
    assert problem["policy"]["ties"] == "docno" and [
        each["name"] for each in problem["inputs"]
    ] == [
        "q.qrels",
        "one",
        "two",
    ]
    assert is_study(study) and not is_study(study.with_name("q.qrels"))


def test_a_study_is_reproduced_exactly_from_runs_in_any_folder(
    study: Path, current_folder: Path
) -> None:
    (there := current_folder / "there").mkdir()
    for name in RUNS:
        shutil.copy(name, there / f"other-{name}")
    made = reproduce_study(study, sorted(there.iterdir()))
    assert (made.problems, made.values) == ((), 3 * (3 + 1) * 2)


def test_a_different_input_is_named(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("two.run").write_text(RUNS["two.run"] + "3 Q0 b 2 0.5 t\n")
    (problem,) = reproduce_study(study, [Path("one.run"), Path("two.run")]).problems
    assert problem.startswith("The run two: ") and problem.values["file"] == "two.run"
    assert problem.values["found"] != problem.values["digest"]
    assert main(["verify", "study.zip", "one.run", "two.run"]) == 2
    assert "The run two: " in capsys.readouterr().err
    (problem,) = reproduce_study(study, [Path("one.run")]).problems
    assert problem.startswith("The run two: ") and "file" not in problem.values
    Path("two.run").write_text(RUNS["two.run"])
    Path("q.qrels").write_text(QRELS + "3 0 b 1\n")
    (problem,) = reproduce_study(
        study, [Path("one.run"), Path("two.run"), Path("q.qrels")]
    ).problems
    assert problem.startswith("The qrels q.qrels: ")


def test_a_different_value_with_equal_inputs_is_named(study: Path) -> None:
    def edit(files: dict[str, bytes]) -> None:
        data = json.loads(files["study.json"])
        data["runs"][0]["values"][0][0] += 2**-52
        files["study.json"] = json.dumps(data).encode()
        import hashlib  # noqa: PLC0415

        lines = files["SHA256SUMS"].decode().splitlines(keepends=True)
        new = hashlib.sha256(files["study.json"]).hexdigest()
        files["SHA256SUMS"] = "".join(
            f"{new}  study.json\n" if "study.json" in line else line for line in lines
        ).encode()

    made = reproduce_study(rewrite(study, edit), [Path("one.run"), Path("two.run")])
    assert len(made.problems) == 1 and made.problems[0].startswith("one: AP of topic 1 ")


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (
            lambda files: files.update({"values.csv": b"run,measure\n"}),
            "values.csv ",
        ),
        (
            lambda files: files.update({"qrels.txt": files["qrels.txt"] + b"9 0 a 1\n"}),
            "qrels.txt ",
        ),
        (lambda files: files.pop("report.html"), "report.html "),
        (
            lambda files: files.update({"more.txt": b""}),
            "got 'more.txt'",
        ),
        (
            lambda files: files.update({"../out": b""}),
            "got '../out'",
        ),
        (lambda files: files.update({"SHA256SUMS": b"x\n"}), "line 1: SHA256SUMS: "),
        (lambda files: files.pop("qrels.txt"), "qrels.txt"),
    ],
)
def test_a_changed_added_or_removed_file_is_named(
    study: Path, edit: Callable, message: str
) -> None:
    with pytest.raises(FormatError, match=message.replace(".", r"\.")):
        read_study(rewrite(study, edit))


def test_files_that_are_not_archives_are_refused(current_folder: Path) -> None:
    with pytest.raises(FormatError, match="expected a study"):
        read_study(Path("q.qrels"))


@pytest.mark.slow
@pytest.mark.slow
def test_a_study_of_a_models_labels_is_reproduced_from_its_project(
    current_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sample", "everyday"]) == 0
    labels = str(sample_folders()["everyday"] / "qrels.txt")
    assert main(["import", "everyday.irjudge", "--judgments", labels, "--as", "model", "gpt"]) == 0
    report = ["report", "everyday.irjudge", "-m", "AP", "--source", "model gpt", "-o", "e.zip"]
    assert main(report) == 0
    capsys.readouterr()
    assert main(["verify", "e.zip", "everyday.irjudge"]) == 0, capsys.readouterr().err


def test_a_study_of_a_project_is_reproduced_from_it_and_its_exports(
    current_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sample", "everyday"]) == 0
    assert main(["report", "everyday.irjudge", "-m", "AP ERR@10 P@10", "-o", "e.zip"]) == 0
    assert main(["verify", "e.zip", "everyday.irjudge"]) == 0
    runs = []
    for run in ("bm25", "ql", "tfidf", "title"):
        assert main(["export", "everyday.irjudge", "--run", run, "-o", f"x-{run}"]) == 0
        runs.append(f"x-{run}")
    capsys.readouterr()
    assert main(["verify", "e.zip", *runs]) == 0
    assert "84 values" in capsys.readouterr().out
    assert main(["remove-run", "everyday.irjudge", "ql"]) == 0
    assert main(["verify", "e.zip", "everyday.irjudge"]) == 2
    assert "The run ql: " in capsys.readouterr().err
    assert main(["verify", "everyday.irjudge", "x-ql"]) == 2
