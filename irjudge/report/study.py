"""Studies: ZIP files with an evaluation's report, values, qrels, settings and checksums."""

import json
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from irjudge.errors import FormatError, IrjudgeError
from irjudge.evaluation import (
    Evaluation,
    RunScores,
    evaluate_runs,
    list_required_tables,
    read_ranking,
)
from irjudge.formats.bytes import DeflatedArchive, replace_file, replace_surrogates
from irjudge.formats.rankings import NEGATIVES, iter_run_lines, parse_grade_rules, read_qrels
from irjudge.formats.rows import AS_RECOGNISED, ColumnMapping
from irjudge.judging import (
    QrelsChoice,
    list_model_qrels,
    list_qrels_choices,
    read_project_qrels,
)
from irjudge.message import Message
from irjudge.metrics import parse_measure_name
from irjudge.model import AUXILIARY_KINDS, AuxiliaryTable, JudgedRanking, Qrels, Run
from irjudge.progress import SILENT, Progress
from irjudge.report.contents import Method, ReportContent
from irjudge.report.evaluation_history import (
    CHECKSUM_FILE,
    STUDY_FILE,
    UNREADABLE_ERRORS,
    EvaluationInput,
    StoredEvaluation,
    chosen_qrels_lines,
    file_hash,
    lines_digest,
    project_qrels_lines,
)
from irjudge.report.writers import write_report
from irjudge.store import Project, is_project, open_project

QRELS_FILE, TABLES_FILE = "qrels.txt", "sides.json"
REPORT_FILE, VALUES_FILE, METHOD_FILE = "report.html", "values.csv", "method.txt"
# maximum total size of the files in a study, in bytes, and maximum number of files
MAX_TOTAL_SIZE, MAX_FILES = 1 << 30, 20
CHUNK_SIZE = 1 << 20
SHOWN_DIGITS = 12  # number of digits of a hash that messages show


@dataclass(frozen=True, slots=True)
class Study:
    """Content of a study, which is a ZIP file of a report, its values and its qrels.

    The hashes of the files in the study were verified when it was read.
    """

    stored_evaluation: StoredEvaluation
    files: tuple[str, ...]  # names of the files in the archive
    auxiliary_tables: tuple[
        AuxiliaryTable, ...
    ]  # auxiliary tables; empty unless a project was evaluated


# Writing a study


def write_study(
    path: Path,
    evaluation: Evaluation,
    stored_evaluation: StoredEvaluation,
    findings: ReportContent,
    *,
    qrels: Path | None = None,
    project: Project | None = None,
    progress: Progress = SILENT,
) -> tuple[str, ...]:
    """Write a study atomically, and return the names of the files in it.

    If files were evaluated, `project` is None, and the file `qrels` is copied to the study.
    """
    with (
        TemporaryDirectory(prefix="irjudge-", ignore_cleanup_errors=True) as folder_name,
        replace_file(path) as part,
    ):
        folder = Path(folder_name)
        write_report(folder / REPORT_FILE, evaluation, findings, progress)
        write_report(folder / VALUES_FILE, evaluation, None, progress)
        _write_lines(folder / METHOD_FILE, [_format_method(findings.method)])
        if project:
            tables = list_required_tables(project, evaluation.measures)
            _write_lines(folder / QRELS_FILE, project_qrels_lines(project, evaluation))
            if tables:
                _write_lines(folder / TABLES_FILE, [_format_auxiliary_tables(tables)])
        elif qrels:
            _copy_file(qrels, folder / QRELS_FILE)
        _write_lines(folder / STUDY_FILE, [stored_evaluation.as_json(), "\n"])
        names = sorted(path.name for path in folder.iterdir())
        _write_lines(
            folder / CHECKSUM_FILE, (f"{file_hash(folder / name)}  {name}\n" for name in names)
        )
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in (*names, CHECKSUM_FILE):
                archive.write(folder / name, name)
    return (*names, CHECKSUM_FILE)


def _format_method(method: Method | None) -> str:
    if method is None:
        return ""
    return "\n".join(
        (
            method.title,
            "",
            method.paragraph,
            "",
            *(f"{name}: {value}" for name, value in method.metadata),
            "",
        )
    )


def _format_auxiliary_tables(auxiliary_tables: Sequence[AuxiliaryTable]) -> str:
    tables = [
        {
            "side": table.kind,
            "source": table.source,
            "columns": {name: list(cells) for name, cells in table.columns.items()},
        }
        for table in auxiliary_tables
    ]
    return json.dumps(tables, ensure_ascii=False)


def _copy_file(path: Path, part: Path) -> None:
    shutil.copyfile(path, part)


def _write_lines(part: Path, lines: Iterable[str]) -> None:
    with part.open("w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        file.writelines(lines)


# Reading and verifying a study


def read_study(path: Path, progress: Progress = SILENT) -> Study:
    """Read a study and verify its checksums.

    Raises FormatError if files of the study are missing, were added, or have changed.
    """
    with _unpack(path, progress) as folder:
        return _check_study(path, folder)


@contextmanager
def _unpack(path: Path, progress: Progress) -> Iterator[Path]:
    """Unpack a study to a temporary folder, which is deleted at the end of the `with` block.

    Raises FormatError if the archive is damaged or contains files that a study does not have.
    """
    with TemporaryDirectory(prefix="irjudge-", ignore_cleanup_errors=True) as folder_name:
        try:
            with DeflatedArchive(path) as archive:
                members = archive.infolist()
                _check_members(path, members)
                for archive_entry in progress.track(
                    members, Message("Reading {file}", file=path.name), total=len(members), every=1
                ):
                    part = Path(folder_name) / archive_entry.filename
                    with archive.open(archive_entry) as member, part.open("wb") as file:
                        shutil.copyfileobj(member, file, CHUNK_SIZE)
        except (
            zipfile.BadZipFile,
            NotImplementedError,
            RuntimeError,
            EOFError,
            ValueError,
        ) as error:
            problem = Message(
                "expected a study, a ZIP archive written by `irjudge report` ({error})", error=error
            )
            raise FormatError(path, problem) from error
        except OSError as error:
            raise FormatError(
                path, Message("the study cannot be read ({error})", error=error.strerror or error)
            ) from error
        except Exception as error:  # damaged data raise errors of zlib and lzma
            if isinstance(error, IrjudgeError) or type(error).__module__ not in (
                "zlib",
                "_lzma",
                "lzma",
            ):
                raise
            raise FormatError(
                path, Message("the archive is damaged ({error})", error=error)
            ) from error
        yield Path(folder_name)


def _check_members(path: Path, members: Sequence[zipfile.ZipInfo]) -> None:
    names = [member.filename for member in members]
    known_names = {
        STUDY_FILE,
        CHECKSUM_FILE,
        QRELS_FILE,
        TABLES_FILE,
        REPORT_FILE,
        VALUES_FILE,
        METHOD_FILE,
    }
    unknown_name = next((name for name in names if name not in known_names), None)
    if unknown_name is not None:
        raise FormatError(
            path,
            Message(
                "expected the files of a study, got {name!r:.60}",
                name=replace_surrogates(unknown_name),
            ),
        )
    if (
        len(set(names)) < len(names)
        or len(names) > MAX_FILES
        or sum(member.file_size for member in members) > MAX_TOTAL_SIZE
    ):
        raise FormatError(
            path, Message("expected each file of a study once, and at most 1 GB in total")
        )
    if missing_name := next(
        (name for name in (STUDY_FILE, CHECKSUM_FILE, QRELS_FILE) if name not in names), None
    ):
        raise FormatError(
            path, Message("expected a study, but {missing} is missing", missing=missing_name)
        )


def _check_study(path: Path, folder: Path) -> Study:
    checksums = _read_checksums(path, folder / CHECKSUM_FILE)
    names = {path.name for path in folder.iterdir()} - {CHECKSUM_FILE}
    for name in sorted(names | checksums.keys()):
        if name not in names:
            raise FormatError(path, Message("{name} is missing", name=name))
        if checksums.get(name) != file_hash(folder / name):
            raise FormatError(
                path, Message("{name} was changed: its SHA-256 is different", name=name)
            )
    try:
        evaluation = StoredEvaluation.from_json((folder / STUDY_FILE).read_text(encoding="utf-8"))
        tables = (
            _parse_auxiliary_tables((folder / TABLES_FILE).read_text(encoding="utf-8"))
            if TABLES_FILE in names
            else ()
        )
    except (*UNREADABLE_ERRORS, IrjudgeError) as error:
        raise FormatError(
            path, Message("{name} cannot be read ({error})", name=STUDY_FILE, error=error)
        ) from error
    qrels_input = _find_input(evaluation, "qrels")
    if qrels_input and qrels_input.digest and qrels_input.digest != checksums[QRELS_FILE]:
        raise FormatError(
            path,
            Message(
                "{name} is not the qrels file that {study} was created from",
                name=QRELS_FILE,
                study=STUDY_FILE,
            ),
        )
    return Study(evaluation, tuple(sorted(names)), tables)


def _read_checksums(path: Path, file: Path) -> dict[str, str]:
    """Read a file in the format of `sha256sum`, and return the hash of each listed file by name."""
    checksums = {}
    for number, line in enumerate(file.read_bytes().decode("utf-8", "replace").splitlines(), 1):
        digest, separator, name = line.partition("  ")
        if not separator or len(digest) != 64 or name in checksums:
            raise FormatError(
                path,
                Message("{name}: expected a hash, two spaces and a file name", name=CHECKSUM_FILE),
                number,
            )
        checksums[name] = digest
    return checksums


def _parse_auxiliary_tables(text: str) -> tuple[AuxiliaryTable, ...]:
    tables = []
    for stored_table in json.loads(text):
        columns = {
            str(name): tuple(map(str, cells)) for name, cells in stored_table["columns"].items()
        }
        tables.append(
            AuxiliaryTable(
                AUXILIARY_KINDS.find(str(stored_table["side"])).name,
                columns,
                str(stored_table["source"]),
            )
        )
    return tuple(tables)


def _find_input(
    evaluation: StoredEvaluation, kind: str, name: str | None = None
) -> EvaluationInput | None:
    return next(
        (
            evaluation_input
            for evaluation_input in evaluation.inputs
            if evaluation_input.kind == kind and name in (None, evaluation_input.name)
        ),
        None,
    )


# Reproducing a study: values are recomputed and compared with the stored values


@dataclass(frozen=True, slots=True)
class StudyReproduction:
    """Result of reproducing a study: number of recomputed values, and differences."""

    values: int  # number of recomputed values
    # Sentences about inputs that differ or are missing. In this case, no values are recomputed.
    # Otherwise, sentences about runs whose values are not bit-identical to the stored values.
    problems: tuple[str, ...]


def reproduce_study(
    path: Path,
    inputs: Sequence[Path],
    *,
    qrels_columns: ColumnMapping = AS_RECOGNISED,
    run_columns: ColumnMapping = AS_RECOGNISED,
    progress: Progress = SILENT,
) -> StudyReproduction:
    """Recompute the values of a study, and compare them with the stored values.

    The qrels are those in the study. `inputs` are run files, or one project with the runs. For
    files, `qrels_columns` and `run_columns` determine which columns are read. Raises FormatError if
    the study is damaged.
    """
    with _unpack(path, progress) as folder:
        study = _check_study(path, folder)
        evaluation = study.stored_evaluation
        if len(inputs) == 1 and is_project(inputs[0]):
            with open_project(inputs[0], writing=False) as project:
                qrels = _read_stored_gains(project, evaluation) or read_qrels(folder / QRELS_FILE)
                return _reproduce(study, qrels, _ProjectRuns(project), progress)
        options = evaluation.reading
        stored_negative = evaluation.reading.get("negative")
        qrels = read_qrels(
            folder / QRELS_FILE,
            next((negative for negative in NEGATIVES if negative == stored_negative), None),
            grades=parse_grade_rules(
                options.get("grades"), cuts=options.get("cuts"), gains=bool(options.get("gains"))
            ),
            columns=qrels_columns,
        )
        return _reproduce(study, qrels, _FileRuns(study, qrels, inputs, run_columns), progress)


def _read_stored_gains(project: Project, evaluation: StoredEvaluation) -> Qrels | None:
    """Return the qrels of a project that a study used; None if the qrels have no gains."""
    names = {
        stored_input.name for stored_input in evaluation.inputs if stored_input.kind == "qrels"
    }
    qrels_choice = next(
        (choice for choice in _list_all_qrels(project) if choice.name in names), None
    )
    qrels = read_project_qrels(project, qrels_choice) if qrels_choice else None
    return None if qrels is None or qrels.gain is None else qrels


def _list_all_qrels(project: Project) -> tuple[QrelsChoice, ...]:
    """Return all qrels that a study of a project can use, also those with labels of models."""
    return (*list_qrels_choices(project), *list_model_qrels(project))


class _ProjectRuns:
    """Project whose runs are used to reproduce a study; runs and qrels are identified by name."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._names = {run.name for run in project.rankings.runs()}

    def find_problem(self, stored_input: EvaluationInput) -> str:
        """Return how an input in the project differs from that in the study; empty if equal."""
        path = self._project.path
        if stored_input.kind == "qrels":
            qrels_choice = next(
                (
                    choice
                    for choice in _list_all_qrels(self._project)
                    if choice.name == stored_input.name
                ),
                None,
            )
            return (
                _describe_difference(
                    stored_input,
                    path.name,
                    lines_digest(chosen_qrels_lines(self._project, qrels_choice)),
                )
                if qrels_choice
                else _describe_missing(stored_input)
            )
        if stored_input.name not in self._names:
            return _describe_missing(stored_input)
        return _describe_difference(
            stored_input, path.name, lines_digest(iter_run_lines(path, self.read(stored_input)))
        )

    def read(self, stored_input: EvaluationInput) -> Run:
        return self._project.rankings.run(stored_input.name)


class _FileRuns:
    """Run files that are used to reproduce a study.

    An input of the study is identified by its hash or, if no file has this hash, by its name.
    """

    def __init__(
        self, study: Study, qrels: Qrels, paths: Sequence[Path], columns: ColumnMapping
    ) -> None:
        self._study, self._qrels, self._columns = study, qrels, columns
        self._digests = {path: file_hash(path) for path in paths}

    def _find_path(self, stored_input: EvaluationInput) -> Path | None:
        path_with_hash = next(
            (path for path, digest in self._digests.items() if digest == stored_input.digest), None
        )
        return path_with_hash or next(
            (
                path
                for path in self._digests
                if stored_input.source == path.name or stored_input.name in (path.name, path.stem)
            ),
            None,
        )

    def find_problem(self, stored_input: EvaluationInput) -> str:
        """Return how a file differs from an input of the study; empty if they are equal.

        A qrels file may be missing, since the study includes the qrels.
        """
        path = self._find_path(stored_input)
        if path is None:
            return "" if stored_input.kind == "qrels" else _describe_missing(stored_input)
        return _describe_difference(stored_input, path.name, self._digests[path])

    def read(self, stored_input: EvaluationInput) -> Run | JudgedRanking:
        path = self._find_path(stored_input)
        if path is None:
            raise ValueError(stored_input.name)
        return read_ranking(
            path,
            self._qrels,
            self._study.stored_evaluation.policy,
            stored_input.name,
            needs_whole_run=bool(self._study.auxiliary_tables),
            columns=self._columns,
        )


def _format_input_name(stored_input: EvaluationInput) -> str:
    return (
        Message("The qrels {name}", name=stored_input.name)
        if stored_input.kind == "qrels"
        else Message("The run {name}", name=stored_input.name)
    )


def _describe_missing(stored_input: EvaluationInput) -> str:
    return Message(
        "{input}: not among the given files; expected a file with the SHA-256 {digest}.",
        input=_format_input_name(stored_input),
        digest=stored_input.digest,
    )


def _describe_difference(stored_input: EvaluationInput, name: str, digest: str) -> str:
    if digest == stored_input.digest:
        return ""
    return Message(
        "{input}: a different file was given; {file} has the SHA-256 {found}…, but the "
        "file that the study was created from has {digest}….",
        input=_format_input_name(stored_input),
        file=name,
        found=digest[:SHOWN_DIGITS],
        digest=stored_input.digest[:SHOWN_DIGITS],
    )


def _reproduce(
    study: Study, qrels: Qrels, runs: _ProjectRuns | _FileRuns, progress: Progress
) -> StudyReproduction:
    stored_evaluation = study.stored_evaluation
    run_inputs = [
        stored_input
        for run in stored_evaluation.runs
        if (stored_input := _find_input(stored_evaluation, "run", run.run))
    ]
    qrels_inputs = [
        stored_input for stored_input in stored_evaluation.inputs if stored_input.kind == "qrels"
    ]
    if problems := tuple(
        problem
        for qrels_input in (*qrels_inputs, *run_inputs)
        if (problem := runs.find_problem(qrels_input))
    ):
        return StudyReproduction(0, problems)
    measures = [
        measure for name in stored_evaluation.measures for measure in parse_measure_name(name)
    ]
    evaluation = evaluate_runs(
        qrels,
        (runs.read(run_input) for run_input in run_inputs),
        measures,
        stored_evaluation.policy,
        highest=stored_evaluation.scale,
        collection=stored_evaluation.collection,
        tables=study.auxiliary_tables,
        total=len(run_inputs),
        progress=progress,
    )
    return StudyReproduction(
        sum(run.values.size + run.summary.size for run in evaluation.runs),
        tuple(_describe_value_differences(stored_evaluation, evaluation)),
    )


def _describe_value_differences(
    stored_evaluation: StoredEvaluation, evaluation: Evaluation
) -> Iterator[str]:
    """Yield a message for each run with different values, about the first different value."""
    for run in evaluation.runs:
        stored_run = stored_evaluation.find_scores(run.run)
        if stored_run is not None and (
            difference := _describe_first_difference(stored_run, run, stored_evaluation.measures)
        ):
            yield Message(
                "{run}: {difference}, although the inputs are the same; the study was created by "
                "{program}.",
                run=run.run,
                difference=difference,
                program=stored_evaluation.program,
            )


def _describe_first_difference(
    stored_run: RunScores, reproduced_run: RunScores, measures: Sequence[str]
) -> str:
    values_before, values_now = (
        _list_values_by_topic(stored_run),
        _list_values_by_topic(reproduced_run),
    )
    for topic in dict.fromkeys((*values_before, *values_now)):
        if topic not in values_before or topic not in values_now:
            return Message(
                "topic {topic} was evaluated in only one of the two evaluations", topic=topic
            )
        for measure, value_before, value in zip(
            measures, values_before[topic], values_now[topic], strict=True
        ):
            if value_before != value:
                return Message(
                    "{location} is {value!r}, previously {previous!r}",
                    location=Message("{measure} of topic {topic}", measure=measure, topic=topic),
                    value=value,
                    previous=value_before,
                )
    is_same_summary = np.array_equal(stored_run.summary, reproduced_run.summary)
    return "" if is_same_summary else Message("the means differ")


def _list_values_by_topic(run: RunScores) -> Mapping[str, list[float]]:
    return dict(zip(run.topics, run.values.T.tolist(), strict=True))
