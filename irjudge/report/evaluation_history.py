"""Stored evaluations: values, inputs, later changes of inputs and settings, and value checks."""

import json
import math
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from hashlib import file_digest, sha256
from itertools import count
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from irjudge.errors import FormatError, GateFailed, IrjudgeError, ProjectError
from irjudge.evaluation import (
    AVERAGES,
    DEFAULT_ALPHA,
    DEFAULT_CORRECTION,
    DEFAULT_TEST,
    DEFAULT_TESTS,
    TOPIC_POLICIES,
    ComparedPair,
    Comparison,
    Coverage,
    Evaluation,
    IntervalName,
    Policy,
    RunScores,
    compare,
    list_required_tables,
    topics_advice,
)
from irjudge.formats.bytes import replace_surrogates, write_text_atomically
from irjudge.formats.rankings import (
    ReadingRequest,
    expand_run_folders,
    iter_qrels_lines,
    iter_run_lines,
)
from irjudge.judging import (
    QrelsChoice,
    list_model_qrels,
    list_qrels_choices,
    list_rows_and_subtopics,
)
from irjudge.message import SEMICOLON, Message, join_messages
from irjudge.metrics import PROFILES, Measure, parse_measure_name, to_goodness
from irjudge.model import TIES, AuxiliaryTable, make_qrels, select_topics
from irjudge.progress import SILENT, Progress
from irjudge.shipped import program_version
from irjudge.stats import TIE_TOLERANCE, Sampling
from irjudge.store import Project, is_project, open_project

# Inputs of an evaluation, identified by hashes: qrels, runs and auxiliary files

InputKind: TypeAlias = Literal["qrels", "run", "side"]
PIPE_HASH_NOTE = Message("no hash: read from a pipe")
UNWRITABLE_IDS_NOTE = Message("no hash: the TREC format cannot represent all ids")


@dataclass(frozen=True, slots=True)
class EvaluationInput:
    """One input of an evaluation (qrels, run or auxiliary file), identified by a hash."""

    kind: InputKind
    name: str  # name of the run, auxiliary file or qrels
    source: str  # name of the file; empty if unknown
    # SHA-256 of the file or, in a project, of the lines that `irjudge export` would write; empty if
    # unknown
    digest: str
    unknown: str = ""  # reason why `digest` is unknown

    @property
    def digest_text(self) -> str:
        """Text with the hash or, if the hash is unknown, the reason why."""
        return f"SHA-256 {self.digest}" if self.digest else self.unknown


def file_inputs(
    qrels: Path, runs: Sequence[Path], names: Sequence[str] | None = None
) -> tuple[EvaluationInput, ...]:
    """Return the inputs of an evaluation of files: qrels and runs, with hashes of the files.

    `names` are the names of the runs, by default the names of their files.
    """
    run_names = names or [_make_storable_name(run) for run in runs]
    inputs = [
        _describe_file_input("qrels", _make_storable_name(qrels), qrels),
        *(
            _describe_file_input("run", name, path)
            for name, path in zip(run_names, runs, strict=True)
        ),
    ]
    return tuple(inputs)


def _describe_file_input(kind: InputKind, name: str, path: Path) -> EvaluationInput:
    if not path.is_file() and not path.is_dir():
        return EvaluationInput(kind, name, _make_storable_name(path), "", PIPE_HASH_NOTE)
    return EvaluationInput(kind, name, _make_storable_name(path), file_hash(path))


def _make_storable_name(path: Path) -> str:
    return replace_surrogates(path.name)


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file or, for a folder, of a list of its files and their hashes."""
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
        return lines_digest(
            f"{file_hash(file)}  {file.relative_to(path).as_posix()}\n" for file in files
        )
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def project_inputs(
    project: Project, evaluation: Evaluation, progress: Progress = SILENT
) -> Iterator[EvaluationInput]:
    """Yield the inputs of an evaluation of a project: qrels and runs.

    Hashes are computed for the files that `irjudge export` would write.
    """
    qrels_choice = evaluated_qrels(project, evaluation)
    yield _describe_lines_input(
        "qrels",
        qrels_choice.name if qrels_choice else evaluation.source,
        "",
        project_qrels_lines(project, evaluation),
    )
    files = {stored_run.name: stored_run.source for stored_run in project.rankings.runs()}
    names = [run.run for run in evaluation.runs if run.run in files]
    for name in progress.track(names, Message("Reading runs"), total=len(names), every=1):
        yield _describe_lines_input(
            "run", name, files[name], iter_run_lines(project.path, project.rankings.run(name))
        )


def evaluated_qrels(project: Project, evaluation: Evaluation) -> QrelsChoice | None:
    """Return the qrels of a project that an evaluation used; None if they no longer exist.

    Qrels are identified by their description, which is stored in `evaluation.source`.
    """
    return next(
        (
            choice
            for choice in (*list_qrels_choices(project), *list_model_qrels(project))
            if choice.description == evaluation.source
        ),
        None,
    )


def project_qrels_lines(project: Project, evaluation: Evaluation) -> Iterator[str]:
    """Yield the lines that `irjudge export` writes for the qrels that an evaluation uses."""
    qrels_choice = evaluated_qrels(project, evaluation)
    return (
        chosen_qrels_lines(project, qrels_choice)
        if qrels_choice
        else iter_qrels_lines(evaluation.qrels.rated_rows(), project.path)
    )


def chosen_qrels_lines(project: Project, qrels_choice: QrelsChoice) -> Iterator[str]:
    """Yield the lines that `irjudge export` writes for selected qrels of a project."""
    rows, groups = list_rows_and_subtopics(project, qrels_choice)
    return iter_qrels_lines(rows, project.path, groups)


def side_inputs(tables: Iterable[AuxiliaryTable]) -> Iterator[EvaluationInput]:
    """Yield each auxiliary file as an input of an evaluation, with a hash of its cells."""
    for table in tables:
        cells = (f"{name}\t{cell}\n" for name, column in table.columns.items() for cell in column)
        yield _describe_lines_input("side", table.kind, table.source, cells)


def _describe_lines_input(
    kind: InputKind, name: str, source: str, lines: Iterable[str]
) -> EvaluationInput:
    try:
        return EvaluationInput(kind, name, source, lines_digest(lines))
    except IrjudgeError:
        return EvaluationInput(kind, name, source, "", UNWRITABLE_IDS_NOTE)


def lines_digest(lines: Iterable[str]) -> str:
    """Return the SHA-256 that a file with these lines would have."""
    digest = sha256()
    for line in lines:
        digest.update(line.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


# Stored evaluations: values by topic, inputs and settings, and comparison with later evaluations

# keys of project settings: the numbers of all stored evaluations, oldest first, and the content of
# one stored evaluation, whose number replaces {}
NUMBERS_SETTING_KEY = "kept evaluations"
EVALUATION_SETTING_KEY = "kept evaluation {}"
SUFFIX = ".evaluations.jsonl"  # extension of files with stored evaluations
FORMAT_VERSION = 1
STUDY_FILE, CHECKSUM_FILE = "study.json", "SHA256SUMS"  # files that every study archive contains
MAX_NAME_LENGTH, SHOWN_DIGITS = 100, 12
NO_QRELS = make_qrels([])
UNREADABLE_ERRORS = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    RecursionError,
    OverflowError,
)


@dataclass(frozen=True, slots=True, eq=False)
class StoredEvaluation:
    """Evaluation with a name, as stored in a project or a file.

    If several evaluations have the same name, it refers to the newest. An evaluation contains the
    values of each run by topic, the settings, the time, and the inputs with their hashes, if known,
    but not the qrels and runs themselves.
    """

    name: str
    made: str  # time at which it was stored, in UTC, ISO 8601
    program: str  # program and version
    source: str  # text that describes the qrels
    policy: Policy
    measures: tuple[str, ...]  # full names of the measures
    runs: tuple[RunScores, ...]
    inputs: tuple[EvaluationInput, ...] = ()
    scale: int | None = None  # highest grade of the project's scale; None for files
    collection: int | None = None  # number of documents in the collection; None if unknown
    # options with which the files were read: values by option name
    reading: Mapping[str, str] = field(default_factory=dict)

    @property
    def dated_name(self) -> str:
        """Name of the evaluation and the date on which it was stored."""
        return f"{self.name}, {self.made[:10]}"

    def find_scores(self, name: str) -> RunScores | None:
        """Return the values of the run named `name`; None if it was not evaluated."""
        return next((run for run in self.runs if run.run == name), None)

    def get_average(self, run: str, measure: str) -> float | None:
        """Return a run's average by a measure; None if the run or the measure is not stored."""
        scores = self.find_scores(run)
        return (
            float(scores.summary[self.measures.index(measure)])
            if scores and measure in self.measures
            else None
        )

    def to_evaluation(self) -> Evaluation:
        """Return the stored values as an `Evaluation`, which has no qrels."""
        return Evaluation(
            tuple(map(_parse_measure, self.measures)), self.policy, self.runs, NO_QRELS, self.source
        )

    def as_json(self) -> str:
        """Return the evaluation as a line of JSON, from which values are restored exactly."""
        runs = [
            {**asdict(run), "values": run.values.tolist(), "summary": run.summary.tolist()}
            for run in self.runs
        ]
        for run in runs:
            run["missing"] = sorted(run["missing"])
            del run["texts"]
        policy = asdict(self.policy)
        if not self.policy.exclude_query_id:  # False is omitted, as in files of earlier versions
            del policy["exclude_query_id"]
        content = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name not in ("policy", "runs", "inputs")
        }
        data = {
            "irjudge": "evaluation",
            "form": FORMAT_VERSION,
            **content,
            "policy": policy,
            "inputs": [asdict(evaluation_input) for evaluation_input in self.inputs],
            "runs": runs,
        }
        return json.dumps(data, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> "StoredEvaluation":
        """Parse the output of `as_json`; raise one of `UNREADABLE_ERRORS` for other text."""
        data = json.loads(text)
        if data["irjudge"] != "evaluation" or data["form"] != FORMAT_VERSION:
            raise ValueError(
                Message("expected a saved evaluation of format {version}", version=FORMAT_VERSION)
            )
        measures = tuple(map(str, data["measures"]))
        return cls(
            name=check_evaluation_name(data["name"]),
            made=datetime.fromisoformat(data["made"]).astimezone(UTC).isoformat(timespec="seconds"),
            program=_check_text(data["program"]),
            source=_check_text(data["source"]),
            policy=_parse_policy(data["policy"]),
            measures=tuple(_parse_measure(measure).name for measure in measures),
            runs=_parse_runs(data["runs"], len(measures)),
            inputs=tuple(_parse_input(evaluation_input) for evaluation_input in data["inputs"]),
            scale=_check_count(data["scale"]),
            collection=_check_count(data["collection"]),
            reading={
                _check_text(name): _check_text(value) for name, value in data["reading"].items()
            },
        )


def _parse_measure(name: str) -> Measure:
    (measure,) = parse_measure_name(name)
    return measure


def _check_text(text: object) -> str:
    if not isinstance(text, str):
        raise TypeError(Message("expected text, got {text!r:.20}", text=text))
    return replace_surrogates(text)


def _check_count(value: object) -> int | None:
    if value is not None and (type(value) is not int or not 0 <= value < 2**53):
        raise ValueError(Message("expected a whole number, got {value!r:.20}", value=value))
    return value


def _parse_policy(data: Mapping[str, Any]) -> Policy:
    """Return the policy with the settings `data`; raise ValueError or TypeError if invalid."""
    policy = Policy(**data)
    settings = (
        (policy.ties, TIES),
        (policy.topics, TOPIC_POLICIES),
        (policy.profile, PROFILES),
        (policy.average, AVERAGES),
    )
    unknown_value = next(
        (value for value, known_values in settings if value not in known_values), None
    )
    if unknown_value is not None or not isinstance(policy.only, str):
        raise ValueError(
            Message(
                "a setting has the unknown value {value!r:.20}",
                value=policy.only if unknown_value is None else unknown_value,
            )
        )
    if not isinstance(policy.exclude_query_id, bool):
        raise TypeError(
            Message("expected true or false, got {value!r:.20}", value=policy.exclude_query_id)
        )
    for number in (policy.rel, policy.depth, policy.highest):
        _check_count(number)
    return policy


def _parse_runs(data: Sequence[Mapping[str, Any]], measures: int) -> tuple[RunScores, ...]:
    runs = tuple(_parse_run(run, measures) for run in data)
    if len({run.run for run in runs}) < len(runs):
        raise ValueError(Message("two runs have the same name"))
    return runs


def _parse_run(data: Mapping[str, Any], measures: int) -> RunScores:
    topics = tuple(map(_check_text, data["topics"]))
    values = (
        np.array(data["values"], dtype=np.float64).reshape(measures, -1)
        if measures
        else np.zeros((0, len(topics)))
    )
    summary = np.array(data["summary"], dtype=np.float64)
    if (
        values.shape != (measures, len(topics))
        or summary.shape != (measures,)
        or len(set(topics)) < len(topics)
    ):
        raise ValueError(
            Message(
                "expected a value for each measure and topic of {run}", run=_check_text(data["run"])
            )
        )
    if not (np.isfinite(values).all() and np.isfinite(summary).all()):
        raise ValueError(
            Message("a value of {run} is not a finite number", run=_check_text(data["run"]))
        )
    coverage = Coverage(**data["coverage"])
    if not all(
        isinstance(share, int | float) and math.isfinite(share)
        for share in asdict(coverage).values()
    ):
        raise ValueError(
            Message(
                "expected the numbers of topics and judgments of {run}",
                run=_check_text(data["run"]),
            )
        )
    return RunScores(
        _check_text(data["run"]),
        topics,
        values,
        summary,
        coverage,
        frozenset(map(_check_text, data["missing"])),
    )


def _parse_input(data: Mapping[str, Any]) -> EvaluationInput:
    evaluation_input = EvaluationInput(**{name: _check_text(value) for name, value in data.items()})  # type: ignore[arg-type]
    if evaluation_input.kind not in get_args(InputKind):
        raise ValueError(
            Message(
                "expected an input of the kind qrels, run or side, got {kind:.20}",
                kind=evaluation_input.kind,
            )
        )
    return evaluation_input


def check_evaluation_name(name: object) -> str:
    """Return the name of a stored evaluation, stripped; raise IrjudgeError if it is invalid.

    A name is invalid if it is empty, too long, not printable, or not usable in a file name.
    """
    text = replace_surrogates(name.strip()) if isinstance(name, str) else ""
    if (
        not text
        or len(text) > MAX_NAME_LENGTH
        or not text.isprintable()
        or any(character in text for character in '/\\:*?"<>|')
    ):
        raise IrjudgeError(
            'Expected a name of 1 to {limit} characters without / \\ : * ? " < > or vertical '
            "bars, got {name!r:.20}.",
            key="invalid-name",
            limit=MAX_NAME_LENGTH,
            name=name,
        )
    return text


def make_stored_evaluation(
    evaluation: Evaluation,
    name: str,
    inputs: Iterable[EvaluationInput],
    *,
    program: str,
    scale: int | None = None,
    collection: int | None = None,
    reading: Mapping[str, str] | None = None,
) -> StoredEvaluation:
    """Convert an evaluation to a `StoredEvaluation` with the current time; store nothing.

    Several evaluations can have the same name, which then refers to the newest evaluation. For the
    other arguments, see the fields of `StoredEvaluation`.
    """
    return StoredEvaluation(
        check_evaluation_name(name),
        datetime.now(UTC).isoformat(timespec="seconds"),
        program,
        replace_surrogates(str(evaluation.source)),
        evaluation.policy,
        tuple(measure.name for measure in evaluation.measures),
        evaluation.runs,
        tuple(inputs),
        scale,
        collection,
        dict(reading or {}),
    )


def make_stored_project_evaluation(
    project: Project,
    evaluation: Evaluation,
    name: str,
    tables: Sequence[AuxiliaryTable] = (),
    *,
    program: str,
    progress: Progress = SILENT,
) -> StoredEvaluation:
    """Convert an evaluation of a project to a `StoredEvaluation`; store nothing.

    `tables` are auxiliary tables that replace tables of the same kind in the project.
    """
    used_tables = list_required_tables(project, evaluation.measures, tables)
    inputs = (*project_inputs(project, evaluation, progress), *side_inputs(used_tables))
    scale, documents = project.scale.highest, project.collection.document_count() or None
    return make_stored_evaluation(
        evaluation, name, inputs, program=program, scale=scale, collection=documents
    )


# Storage of evaluations in projects and files


def store_in_project(project: Project, evaluation: StoredEvaluation) -> None:
    """Store an evaluation in a project; earlier evaluations remain, even with the same name."""
    with project.transaction():
        numbers = _read_stored_numbers(project)
        # the setting of a deleted evaluation remains, so that its number is not reused
        free_number = next(
            number
            for number in count(1)
            if not project.get_setting(EVALUATION_SETTING_KEY.format(number))
        )
        project.set_setting(EVALUATION_SETTING_KEY.format(free_number), evaluation.as_json())
        project.set_setting(NUMBERS_SETTING_KEY, json.dumps([*numbers, free_number]))


def stored_evaluations(project: Project) -> tuple[StoredEvaluation, ...]:
    """Return the stored evaluations of a project, oldest first."""
    return tuple(project.compute_cached(_read_stored_by_number).values())


def _read_stored_by_number(project: Project) -> dict[int, StoredEvaluation]:
    evaluations_by_number = {}
    for number in _read_stored_numbers(project):
        try:
            evaluations_by_number[number] = StoredEvaluation.from_json(
                project.get_setting(EVALUATION_SETTING_KEY.format(number)) or ""
            )
        except (*UNREADABLE_ERRORS, IrjudgeError) as error:
            raise ProjectError(
                "Cannot read saved evaluation {number} in {file} ({error}).",
                number=number,
                file=project.path.name,
                error=error,
            ) from error
    return evaluations_by_number


def _read_stored_numbers(project: Project) -> list[int]:
    return project.read_json_setting(
        NUMBERS_SETTING_KEY,
        list[int](),
        "Cannot read the list of saved evaluations in {file}.",
        _parse_stored_numbers,
    )


def _parse_stored_numbers(content: object) -> list[int]:
    if not isinstance(content, list) or not all(
        type(number) is int and 0 < number < 2**53 for number in content
    ):
        raise TypeError(Message("expected a list of whole numbers"))
    return content


def delete_stored_evaluation(project: Project, name: str) -> StoredEvaluation:
    """Delete the newest evaluation named `name` from a project, and return it.

    Raises IrjudgeError if there is none.
    """
    evaluations = project.compute_cached(_read_stored_by_number)
    number = next(
        (
            evaluation
            for evaluation in reversed(evaluations)
            if evaluations[evaluation].name == name
        ),
        None,
    )
    if number is None:
        raise _make_unknown_evaluation_error(name, evaluations.values())
    with project.transaction():
        project.set_setting(
            NUMBERS_SETTING_KEY,
            json.dumps([evaluation for evaluation in evaluations if evaluation != number]),
        )
    return evaluations[number]


def stored_evaluations_path(qrels: Path, name: str) -> Path:
    """Return the path of the file for evaluations named `name`, in the folder of the qrels."""
    return qrels.with_name(check_evaluation_name(name) + SUFFIX)


def store_in_file(path: Path, new_evaluation: StoredEvaluation) -> None:
    """Append an evaluation to a file, which is created if it does not exist."""
    lines = (
        [evaluation.as_json() for evaluation in read_stored_evaluations(path)]
        if path.exists()
        else []
    )
    write_text_atomically(path, "".join(f"{line}\n" for line in (*lines, new_evaluation.as_json())))


def read_stored_evaluations(path: Path) -> tuple[StoredEvaluation, ...]:
    """Read the evaluations in a file, one per line, oldest first.

    Raises FormatError for the first invalid line, and for a file without evaluations.
    """
    evaluations = []
    try:
        for line, text in enumerate(path.read_bytes().decode("utf-8").split("\n"), 1):
            if text.strip():
                evaluations.append(_parse_line(path, line, text))
    except UnicodeDecodeError as error:
        raise FormatError(
            path,
            Message(
                "expected saved evaluations, one JSON object per line; the file is not UTF-8 text"
            ),
        ) from error
    if not evaluations:
        raise FormatError(
            path, Message("expected saved evaluations, one JSON object per line; the file has none")
        )
    return tuple(evaluations)


def _parse_line(path: Path, line: int, text: str) -> StoredEvaluation:
    try:
        return StoredEvaluation.from_json(text)
    except (*UNREADABLE_ERRORS, IrjudgeError) as error:
        raise FormatError(
            path, Message("the saved evaluation cannot be read ({error})", error=error), line
        ) from error


def is_study(path: Path) -> bool:
    """Return whether a file is a study archive; the file's name is ignored."""
    try:
        with zipfile.ZipFile(path) as archive:
            return {STUDY_FILE, CHECKSUM_FILE} <= set(archive.namelist())
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return False


def newest_evaluation(evaluations: Sequence[StoredEvaluation], name: str) -> StoredEvaluation:
    """Return the newest evaluation named `name`; raise IrjudgeError if there is none."""
    newest = next(
        (evaluation for evaluation in reversed(evaluations) if evaluation.name == name), None
    )
    if newest is None:
        raise _make_unknown_evaluation_error(name, evaluations)
    return newest


def _make_unknown_evaluation_error(
    name: str, evaluations: Iterable[StoredEvaluation]
) -> IrjudgeError:
    names = ", ".join(dict.fromkeys(evaluation.name for evaluation in evaluations))
    if not names:
        return IrjudgeError(
            "No evaluation named {name} is saved yet. Save one with `irjudge evaluate … --keep "
            "NAME`.",
            name=name,
        )
    return IrjudgeError(
        "There is no saved evaluation {name}; available: {names}.", name=name, names=names
    )


# Stored evaluations of any source: a project, a study, or files


def reading_options(reading: ReadingRequest) -> dict[str, str]:
    """Return the file-reading options that affect the values of an evaluation, by option name.

    Options that are not set are omitted.

    >>> reading_options(ReadingRequest(negative="0", gains=True))
    {'negative': '0', 'gains': 'yes'}
    """
    options = {
        "columns": "\n".join(reading.columns),
        "sheet": "\n".join(reading.sheets),
        "negative": reading.negative,
        "grades": reading.grades,
        "cuts": reading.cuts,
        "gains": "yes" if reading.gains else None,
    }
    return {name: str(value) for name, value in options.items() if value}


def make_stored_sources(
    evaluation: Evaluation,
    name: str,
    qrels: Path | Project,
    runs: Sequence[Path] = (),
    *,
    reading: ReadingRequest | None = None,
    tables: Sequence[AuxiliaryTable] = (),
    progress: Progress = SILENT,
) -> StoredEvaluation:
    """Convert an evaluation of files or of a project to a `StoredEvaluation`; store nothing.

    `qrels` and `runs` are the evaluated files, whose hashes are computed; `qrels` may also be a
    project. `reading` contains the options with which the files were read.
    """
    program = program_version()
    if isinstance(qrels, Project):
        return make_stored_project_evaluation(
            qrels, evaluation, name, tables, program=program, progress=progress
        )
    if is_project(qrels):
        with open_project(qrels, writing=False) as project:
            return make_stored_sources(evaluation, name, project, tables=tables, progress=progress)
    inputs = file_inputs(qrels, expand_run_folders(runs), [run.run for run in evaluation.runs])
    return make_stored_evaluation(
        evaluation,
        name,
        (*inputs, *side_inputs(tables)),
        program=program,
        reading=reading_options(reading or ReadingRequest()),
    )


# Changes since a stored evaluation


@dataclass(frozen=True, slots=True)
class InputChange:
    """Setting or input that differs between a stored and a later evaluation, as texts.

    The subject is, for example, the program, a setting, or the name of a run; the values may be
    hashes of files.
    """

    subject: str
    earlier: str  # earlier value; empty if it was missing
    current: str  # current value; empty if it is missing


def evaluation_changes(
    stored_evaluation: StoredEvaluation, current_evaluation: StoredEvaluation
) -> tuple[InputChange, ...]:
    """Return the differences between two evaluations that may explain different values.

    Program, settings, measures, qrels, runs and auxiliary files are compared.
    """
    inputs_before, inputs_now = (
        _describe_inputs(stored_evaluation),
        _describe_inputs(current_evaluation),
    )
    return tuple(
        InputChange(name, inputs_before.get(name, ""), inputs_now.get(name, ""))
        for name in dict.fromkeys((*inputs_before, *inputs_now))
        if inputs_before.get(name) != inputs_now.get(name)
    )


def _describe_inputs(evaluation: StoredEvaluation) -> dict[str, str]:
    policy = evaluation.policy
    settings = {str(Message("Program")): evaluation.program}
    settings |= {
        field.name: str(getattr(policy, field.name))
        for field in fields(Policy)
        if getattr(policy, field.name) not in (None, "", False)
    }
    settings |= {"--" + name: value for name, value in evaluation.reading.items()}
    settings |= (
        {Message("Highest grade of the scale"): str(evaluation.scale)}
        if evaluation.scale is not None
        else {}
    )
    settings |= (
        {Message("Documents in the collection"): str(evaluation.collection)}
        if evaluation.collection is not None
        else {}
    )
    settings[Message("Measures")] = ", ".join(evaluation.measures)
    for evaluation_input in evaluation.inputs:
        settings[_format_input_label(evaluation_input)] = (
            evaluation_input.digest[:SHOWN_DIGITS] or evaluation_input.unknown
        )
    return settings


def _format_input_label(evaluation_input: EvaluationInput) -> str:
    if evaluation_input.kind == "qrels":
        return Message("Qrels")
    if evaluation_input.kind == "run":
        return Message("Run {run}", run=evaluation_input.name)
    return Message("Auxiliary file {name}", name=evaluation_input.name)


def pair_runs(
    evaluation: Evaluation, stored_evaluation: StoredEvaluation
) -> tuple[tuple[RunScores, RunScores], ...]:
    """Return pairs of a current and a stored run with the same name.

    If no names match and each evaluation has a single run, these two runs form the pair. If no
    names match and there are more runs, raise IrjudgeError.
    """
    pairs = tuple(
        (run, earlier_run)
        for run in evaluation.runs
        if (earlier_run := stored_evaluation.find_scores(run.run))
    )
    if not pairs and len(evaluation.runs) == len(stored_evaluation.runs) == 1:
        return ((evaluation.runs[0], stored_evaluation.runs[0]),)
    if not pairs:
        raise IrjudgeError(
            "None of the runs is in {name}, which has {runs}; there is nothing to compare.",
            key="no-common-run",
            name=stored_evaluation.dated_name,
            runs=", ".join(run.run for run in stored_evaluation.runs) or Message("none"),
        )
    return pairs


def compare_with_stored(
    evaluation: Evaluation,
    stored_evaluation: StoredEvaluation,
    *,
    tests: Sequence[str] = DEFAULT_TESTS,
    correction: str = "holm",
    interval: IntervalName = "t",
    sampling: Sampling | None = None,
) -> Comparison:
    """Compare the values of each run with its stored values, over common topics.

    In the result, `run_a` is the current run and `run_b` the stored run. For the options see
    `compare`. Raises IrjudgeError if the evaluations have no run or measure in common, or if a
    run's current and stored values have no topic in common.
    """
    pairs = pair_runs(evaluation, stored_evaluation)
    common_measures = [
        measure for measure in evaluation.measures if measure.name in stored_evaluation.measures
    ]
    if not common_measures:
        raise IrjudgeError(
            "The evaluation to compare has no measure in common with {name}, whose measures "
            "are {names}.",
            key="no-common-measure",
            name=stored_evaluation.dated_name,
            names=", ".join(stored_evaluation.measures),
        )
    measure_indices = [evaluation.measures.index(measure) for measure in common_measures]
    stored_indices = [stored_evaluation.measures.index(measure.name) for measure in common_measures]
    runs = [
        *(_select_measures(run, measure_indices) for run, _ in pairs),
        *(
            replace(
                _select_measures(earlier_run, stored_indices),
                run=f"{earlier_run.run} ({stored_evaluation.dated_name})",
            )
            for _, earlier_run in pairs
        ),
    ]
    combined_evaluation = Evaluation(
        tuple(common_measures), evaluation.policy, tuple(runs), NO_QRELS
    )
    return compare(
        combined_evaluation,
        tests=tests,
        correction=correction,
        interval=interval,
        sampling=sampling,
        pairs=[(index, index + len(pairs)) for index in range(len(pairs))],
    )


def _select_measures(run: RunScores, rows: Sequence[int]) -> RunScores:
    return replace(run, values=run.values[rows], summary=run.summary[rows])


@dataclass(frozen=True, slots=True)
class EvaluationChange:
    """Comparison of two stored evaluations: changes of input and of values.

    For each run that is in both evaluations, `pairs` compares the older and the newer values by one
    measure, with a significance test. It is empty if the values cannot be compared.
    """

    before: StoredEvaluation  # older evaluation; the newer one is not stored here
    input_changes: tuple[InputChange, ...]
    pairs: tuple[ComparedPair, ...]
    problem: str = ""  # why values cannot be compared; empty if they can be compared


def compare_stored_evaluations(
    older: StoredEvaluation, newer: StoredEvaluation, measure: str, *, test: str = "t"
) -> EvaluationChange:
    """Compare two stored evaluations by one measure, given by name."""
    table, changes = newer.to_evaluation(), evaluation_changes(older, newer)
    try:
        pairs = compare_with_stored(
            table.select_measures(
                [candidate for candidate in table.measures if candidate.name == measure]
            ),
            older,
            tests=(test,),
        ).pairs
    except IrjudgeError as error:
        return EvaluationChange(older, changes, (), str(error))
    return EvaluationChange(
        older, changes, tuple(replace(pair, run_b=older.name) for pair in pairs)
    )


def stored_evaluation_rows(
    evaluations: Iterable[StoredEvaluation],
) -> Iterator[tuple[str, str, str, str, float]]:
    """Yield a row (time, name, run, measure, average) for each average of stored evaluations."""
    for evaluation in evaluations:
        for run in evaluation.runs:
            for measure, value in zip(evaluation.measures, run.summary.tolist(), strict=True):
                yield evaluation.made, evaluation.name, run.run, measure, value


# Checks that make a pipeline fail: values below a minimum, or worse than a reference

MAX_LISTED_TOPICS = 10  # maximum number of topics listed in a message


@dataclass(frozen=True, slots=True)
class ValueFloor:
    """Limit for a measure: the average of each run must be equal to the limit or better.

    `check_floors` raises an error if it is not. Better is above or, if lower values are better,
    below.
    """

    measure: str  # name of the measure as typed; the settings determine other parameters
    value: float


def parse_floor(text: str) -> ValueFloor:
    """Parse a limit such as `nDCG@10=0.45`; raise IrjudgeError if it is invalid.

    >>> parse_floor("nDCG@10=0.45")
    ValueFloor(measure='nDCG@10', value=0.45)
    """
    name, equals_sign, number = text.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not equals_sign or not name.strip() or not math.isfinite(value):
        raise IrjudgeError(
            "Expected MEASURE=VALUE, such as nDCG@10=0.45, got {text}.",
            key="invalid-floor",
            text=text,
        )
    return ValueFloor(name.strip(), value)


def check_floors(evaluation: Evaluation, floors: Iterable[ValueFloor]) -> None:
    """Raise GateFailed if an average is worse than a limit; the message lists all such averages.

    An average is worse if it is below the limit or, if lower values are better, above it.
    """
    _check_same_topics(evaluation)
    policy = evaluation.policy
    failures: list[str] = []
    for floor in floors:
        for measure in parse_measure_name(floor.measure, rel=policy.rel, profile=policy.profile):
            index = evaluation.measures.index(measure)
            failures += (
                _format_floor_message(measure, run.run, float(run.summary[index]), floor.value)
                for run in evaluation.runs
                if to_goodness(measure, floor.value - run.summary[index]) > TIE_TOLERANCE
            )
    _raise_gate_failed(failures)


def _format_floor_message(measure: Measure, run: str, value: float, floor: float) -> Message:
    return Message(
        "{measure} of {run} is {value:.4f}, below {limit:g}"
        if value < floor
        else "{measure} of {run} is {value:.4f}, above {limit:g}",
        measure=measure.name,
        run=run,
        value=value,
        limit=floor,
    )


def check_not_worse(
    evaluation: Evaluation,
    stored_evaluation: StoredEvaluation | None = None,
    *,
    baseline: str = "",
    by: float = 0.0,
    significant: bool = False,
) -> None:
    """Raise GateFailed if a run's mean is worse than its reference by more than `by`.

    The reference consists of the run's stored values or of the values of the baseline run; means
    are over common topics. If `significant` is set, a difference counts only if a paired t-test at
    0.05, with Holm's correction for the number of pairs, finds it significant. A run also fails if
    it lacks topics of its reference, since a query without results may have no line in the run. The
    message lists all failures. Raises IrjudgeError if no measure has a direction, or if nothing can
    be compared.
    """
    measures = {measure.name: measure for measure in evaluation.measures if measure.direction}
    if not measures:
        raise IrjudgeError(
            "None of the selected measures rates quality, so no value is better or worse than "
            "another; choose a measure such as AP.",
            key="no-direction",
        )
    _raise_gate_failed(_describe_missing_topics(evaluation, stored_evaluation, baseline))
    _check_same_topics(evaluation)
    comparison = _compare_with_reference(evaluation, stored_evaluation, baseline)
    declines = [
        pair
        for pair in comparison.pairs
        if pair.measure in measures
        and to_goodness(measures[pair.measure], -pair.difference) > by + TIE_TOLERANCE
    ]
    _raise_gate_failed(
        Message(
            "{measure} of {run} is worse than that of {baseline}: {value:.4f} compared with "
            "{baseline_value:.4f} (difference {difference:+.4f}, p = {p:.4f})",
            measure=pair.measure,
            run=pair.run_a,
            baseline=pair.run_b,
            value=pair.mean_a,
            baseline_value=pair.mean_b,
            difference=pair.difference,
            p=pair.p_adjusted,
        )
        for pair in declines
        if not significant or pair.p_adjusted < DEFAULT_ALPHA
    )


def _describe_missing_topics(
    evaluation: Evaluation, stored_evaluation: StoredEvaluation | None, baseline: str
) -> Iterator[str]:
    """Yield a message for each run that lacks topics of its reference.

    If the evaluation is limited to certain topics, only these topics are checked.
    """
    if stored_evaluation is None:
        baselines = [run for run in evaluation.runs if run.run == baseline]
        pairs = tuple(
            (run, reference)
            for reference in baselines
            for run in evaluation.runs
            if run is not reference
        )
    else:
        pairs = pair_runs(evaluation, stored_evaluation)
    topic_selection = evaluation.policy.only
    for run, reference in pairs:
        requested_topics = (
            {*select_topics(topic_selection, evaluation.qrels.topics)}
            if topic_selection
            else {*reference.topics}
        )
        lacking_topics = requested_topics.difference(run.topics)
        missing_topics = [topic for topic in reference.topics if topic in lacking_topics]
        if missing_topics:
            yield Message(
                "{run} lacks {count} of the topics of its baseline: {topics}; if the run "
                "retrieved nothing for these topics, evaluate with --topics qrels, which "
                "counts the topics as 0",
                run=run.run,
                count=len(missing_topics),
                topics=", ".join(missing_topics[:MAX_LISTED_TOPICS])
                + (" …" if len(missing_topics) > MAX_LISTED_TOPICS else ""),
            )


def _compare_with_reference(
    evaluation: Evaluation, stored_evaluation: StoredEvaluation | None, baseline: str
) -> Comparison:
    if stored_evaluation is None:
        return compare(
            evaluation, tests=(DEFAULT_TEST,), correction=DEFAULT_CORRECTION, baseline=baseline
        )
    return compare_with_stored(
        evaluation, stored_evaluation, tests=(DEFAULT_TEST,), correction=DEFAULT_CORRECTION
    )


def _check_same_topics(evaluation: Evaluation) -> None:
    for warning in topics_advice(evaluation):
        raise GateFailed("{warning}", warning=warning)


def _raise_gate_failed(failures: Iterable[str]) -> None:
    messages = list(failures)
    if messages:
        raise GateFailed("{problems}.", problems=join_messages(messages, SEMICOLON))
