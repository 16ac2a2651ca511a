"""What an evaluation was computed from, told apart by hashes: qrels and runs, in files or in a project."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Literal, TypeAlias

from irjudge.errors import IrjudgeError
from irjudge.evaluation.table import Evaluation
from irjudge.formats.bytes.utf8 import without_half_characters
from irjudge.formats.rankings.qrels import qrels_lines
from irjudge.formats.rankings.runs import run_lines
from irjudge.judging.judged_qrels import QrelsChoice, choices, rows_and_groups
from irjudge.message import Message
from irjudge.model.side import SideTable
from irjudge.progress import SILENT, Progress
from irjudge.store.project import Project

InputKind: TypeAlias = Literal["qrels", "run", "side"]
PIPE = Message("came through a pipe")
UNWRITABLE = Message("has ids that TREC's form cannot say")


@dataclass(frozen=True, slots=True)
class EvaluationInput:
    """One of the things an evaluation was computed from."""

    kind: InputKind
    name: str  # of the run or the side file; of qrels what they are called
    source: str  # the name of the file; empty where it is not known
    digest: str  # SHA-256 of the file, or of the lines that `irjudge export` writes; empty where there is none
    unknown: str = ""  # why there is none

    @property
    def words(self) -> str:
        """The hash in words, or why there is none."""
        return f"SHA-256 {self.digest}" if self.digest else self.unknown


def file_inputs(
    qrels: Path, runs: Sequence[Path], names: Sequence[str] | None = None
) -> tuple[EvaluationInput, ...]:
    """Return the hashes of files; `names` are what the runs are called, by default as their files."""
    called = names or [_name(each) for each in runs]
    found = [
        _file("qrels", _name(qrels), qrels),
        *(_file("run", name, path) for name, path in zip(called, runs, strict=True)),
    ]
    return tuple(found)


def _file(kind: InputKind, name: str, path: Path) -> EvaluationInput:
    if not path.is_file() and not path.is_dir():
        return EvaluationInput(kind, name, _name(path), "", PIPE)
    return EvaluationInput(kind, name, _name(path), file_hash(path))


def _name(path: Path) -> str:
    return without_half_characters(path.name)


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file's bytes; of a folder that of its files' hashes and names."""
    if path.is_dir():
        files = sorted(each for each in path.rglob("*") if each.is_file())
        return lines_digest(
            f"{file_hash(each)}  {each.relative_to(path).as_posix()}\n" for each in files
        )
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def project_inputs(
    project: Project, evaluation: Evaluation, progress: Progress = SILENT
) -> Iterator[EvaluationInput]:
    """Yield the hash of the qrels that a project's evaluation rests on, then that of each run, as `irjudge export` writes them."""
    chosen = evaluated_qrels(project, evaluation)
    yield _lines(
        "qrels",
        chosen.name if chosen else evaluation.source,
        "",
        project_qrels_lines(project, evaluation),
    )
    files = {stored.name: stored.source for stored in project.rankings.runs()}
    names = [each.run for each in evaluation.runs if each.run in files]
    for name in progress.through(names, Message("Reading runs"), total=len(names), every=1):
        yield _lines("run", name, files[name], run_lines(project.path, project.rankings.run(name)))


def evaluated_qrels(project: Project, evaluation: Evaluation) -> QrelsChoice | None:
    """Return which qrels of a project an evaluation rests on; None where they are there no more."""
    return next((each for each in choices(project) if each.words == evaluation.source), None)


def project_qrels_lines(project: Project, evaluation: Evaluation) -> Iterator[str]:
    """Yield the lines that `irjudge export` writes of the qrels that an evaluation rests on."""
    chosen = evaluated_qrels(project, evaluation)
    return (
        chosen_qrels_lines(project, chosen)
        if chosen
        else qrels_lines(evaluation.qrels.rows(), project.path)
    )


def chosen_qrels_lines(project: Project, chosen: QrelsChoice) -> Iterator[str]:
    """Yield the lines that `irjudge export` writes of some qrels of a project."""
    rows, groups = rows_and_groups(project, chosen)
    return qrels_lines(rows, project.path, groups)


def side_inputs(sides: Iterable[SideTable]) -> Iterator[EvaluationInput]:
    """Yield the hash of each side file: of what was read from it."""
    for side in sides:
        cells = (f"{name}\t{cell}\n" for name, column in side.columns.items() for cell in column)
        yield _lines("side", side.side, side.source, cells)


def _lines(kind: InputKind, name: str, source: str, lines: Iterable[str]) -> EvaluationInput:
    try:
        return EvaluationInput(kind, name, source, lines_digest(lines))
    except IrjudgeError:
        return EvaluationInput(kind, name, source, "", UNWRITABLE)


def lines_digest(lines: Iterable[str]) -> str:
    """Return the SHA-256 of lines as they stand in a file."""
    made = sha256()
    for line in lines:
        made.update(line.encode("utf-8", "surrogateescape"))
    return made.hexdigest()
