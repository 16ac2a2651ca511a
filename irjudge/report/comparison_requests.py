"""Requests to compare runs with each other or with stored values, and checks of values."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    COMPARISON_COLUMNS,
    DEFAULT_TESTS,
    INTERVAL_DESCRIPTIONS,
    NEED_COLUMNS,
    Evaluation,
    EvaluationRequest,
    IntervalName,
    ResultTable,
    ValueChecks,
    add_warnings_to_errors,
    compare,
    compute_needed_topics,
    evaluate_sources,
)
from irjudge.formats.bytes import parse_location
from irjudge.formats.rankings import ReadingRequest, expand_run_folders
from irjudge.message import Message
from irjudge.model import AuxiliaryTable
from irjudge.options import Option, describe_choices
from irjudge.progress import SILENT, Progress
from irjudge.report.evaluation_history import (
    StoredEvaluation,
    check_evaluation_name,
    check_floors,
    check_not_worse,
    compare_with_stored,
    evaluation_changes,
    is_study,
    make_stored_sources,
    newest_evaluation,
    parse_floor,
    read_stored_evaluations,
    store_in_file,
    store_in_project,
    stored_evaluations,
    stored_evaluations_path,
)
from irjudge.stats import DEFAULT_SAMPLING_SEED, MAX_SEED, Sampling, workers_at
from irjudge.stats.significance import (
    CORRECTIONS,
    POWER,
    TESTS,
    find_correction,
    find_test,
)
from irjudge.store import Project, is_project, open_project

# Stored evaluations of any source: a project, a study, or files


def list_stored_evaluations(source: Path) -> tuple[StoredEvaluation, ...]:
    """Return the stored evaluations of a project, a study or a file, oldest first."""
    if is_project(source):
        with open_project(source, writing=False) as project:
            return stored_evaluations(project)
    if is_study(source):
        from irjudge.report.study import read_study  # noqa: PLC0415 -- slow

        return (read_study(source).stored_evaluation,)
    return read_stored_evaluations(source)


def find_stored_evaluation(qrels: Path, name: str) -> StoredEvaluation:
    """Return the newest stored evaluation named `name`.

    Evaluations are stored in the project or, if `qrels` is a file, in a file in the folder of the
    qrels. If `name` is the path of a project, a study or a file of evaluations, the newest
    evaluation in this file is returned.
    """
    if Path(name).is_file():
        evaluations = list_stored_evaluations(Path(name))
        return evaluations[-1] if evaluations else newest_evaluation((), Path(name).name)
    path = qrels if is_project(qrels) else stored_evaluations_path(qrels, name)
    return newest_evaluation(list_stored_evaluations(path) if path.is_file() else (), name)


def check_options(checks: ValueChecks) -> None:
    """Raise IrjudgeError if the options of `checks` are invalid or contradict each other."""
    if checks.fail_if_worse is None and (checks.by or checks.significant):
        raise IrjudgeError(
            "--by and --significant define when a run counts as worse; use them with "
            "--fail-if-worse."
        )
    if checks.keep is not None:
        check_evaluation_name(checks.keep)
    for floor in checks.fail_below:
        parse_floor(floor)


def check_values(evaluation: Evaluation, checks: ValueChecks, qrels: Path) -> None:
    """Check values against minima, and against a baseline: a run, or a stored evaluation.

    Parameters
    ----------
    evaluation
        Evaluation whose values are checked.
    checks
        Minima and baseline.
    qrels
        Qrels file or project of the evaluation; the baseline is searched for there.

    Raises
    ------
    GateFailed
        If a value fails a check. The message lists all such values.
    IrjudgeError
        If the baseline does not exist, or if nothing can be compared.

    Examples
    --------
    >>> from irjudge.evaluation import evaluate_runs, parse_measures
    >>> from irjudge.model import make_qrels, make_run
    >>> run = make_run("a", [("1", "y", 2.0), ("1", "x", 1.0)])
    >>> table = evaluate_runs(make_qrels([("1", "x", 1)]), [run], parse_measures(["RR"]))
    >>> check_values(table, ValueChecks(fail_below=("RR=0.6",)), Path("q.txt"))
    Traceback (most recent call last):
    ...
    irjudge.errors.GateFailed: RR of a is 0.5000, below 0.6.
    """
    check_floors(evaluation, map(parse_floor, checks.fail_below))
    baseline = checks.fail_if_worse
    if baseline is None:
        return
    if not evaluation.runs:
        raise IrjudgeError(
            "There is no run to compare; give at least one, or import one into the project."
        )
    is_run = any(run.run == baseline for run in evaluation.runs)
    check_not_worse(
        evaluation,
        None if is_run else find_stored_evaluation(qrels, baseline),
        baseline=baseline if is_run else "",
        by=checks.by,
        significant=checks.significant,
    )


def store_values(
    evaluation: Evaluation,
    name: str,
    qrels: Path | Project,
    runs: Sequence[Path] = (),
    *,
    reading: ReadingRequest | None = None,
    tables: Sequence[AuxiliaryTable] = (),
    progress: Progress = SILENT,
) -> Path:
    """Store the values of an evaluation under a name, and return the file that contains them.

    The file is the project, which must be open for writing, or a file in the folder of the qrels.
    `runs`, `reading` and `tables` are the inputs of the evaluation.
    """
    stored_evaluation = make_stored_sources(
        evaluation, name, qrels, runs, reading=reading, tables=tables, progress=progress
    )
    if isinstance(qrels, Project):
        store_in_project(qrels, stored_evaluation)
        return qrels.path
    path = stored_evaluations_path(qrels, name)
    store_in_file(path, stored_evaluation)
    return path


# Comparison of runs with the options of a request


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparisonRequest:
    """Options for evaluating and comparing runs: tests, baselines, correction, power analysis.

    Runs are compared with each other, only with the `baselines` or, if `kept_name` is set, with
    their values in an earlier evaluation. With `power` or `difference`, no tests are made; instead,
    the numbers of topics needed to detect differences are computed. The qrels and runs are separate
    arguments.
    """

    evaluation: EvaluationRequest = field(default_factory=EvaluationRequest)
    tests: Annotated[
        tuple[str, ...],
        Option(
            f"Test; may be repeated. Default: {' and '.join(DEFAULT_TESTS)}. "
            + describe_choices({name: test.title for name, test in TESTS.items()}),
            flags=("--test",),
        ),
    ] = ()
    baselines: Annotated[
        tuple[str, ...],
        Option(
            "Baseline (name or file of a run): compare every other run with the baseline, "
            "instead of comparing all pairs; may be repeated.",
            flags=("--baseline",),
            metavar="RUN",
        ),
    ] = ()
    correction: Annotated[
        str,
        Option(
            "Correction for the number of pairs compared. "
            + describe_choices(
                {name: correction.meaning for name, correction in CORRECTIONS.items()}
            ),
            metavar="NAME",
        ),
    ] = "holm"
    interval: Annotated[
        IntervalName,
        Option(
            f"Method for the 95 % interval of the difference. {describe_choices(INTERVAL_DESCRIPTIONS)}"
        ),
    ] = "t"
    seed: Annotated[
        int,
        Option(
            "Random seed, for reproducible results.",
            minimum=0,
            maximum=MAX_SEED,
            show_default=True,
        ),
    ] = DEFAULT_SAMPLING_SEED
    samples: Annotated[
        int | None,
        Option(
            "Number of random samples for tests that use them; each test has its own default.",
            minimum=1,
        ),
    ] = None
    kept_name: Annotated[
        str | None,
        Option(
            "Compare each run with its values in an earlier evaluation: the name of a saved "
            "evaluation (`evaluate --keep NAME`), a file of evaluations, or a study.",
            flags=("--with",),
            kind="name or file",
            metavar="NAME",
        ),
    ] = None
    power: Annotated[
        float | None,
        Option(
            "Report the detectable difference at this power, usually 0.8, instead of tests.",
            metavar="CHANCE",
        ),
    ] = None
    difference: Annotated[
        float | None,
        Option(
            "Report the number of topics needed to detect this difference, and the detectable "
            "difference (see --power), instead of tests. With --power alone, the observed "
            "difference between the runs is used."
        ),
    ] = None

    @property
    def needs_topics(self) -> bool:
        """Whether numbers of topics or detectable differences are requested instead of tests."""
        return self.power is not None or self.difference is not None


def compare_sources(
    qrels: Path,
    runs: Sequence[Path],
    request: RunComparisonRequest | None = None,
    *,
    topics_chosen: bool = False,
    progress: Progress = SILENT,
) -> ResultTable:
    """Compare runs in files, or the runs of a project, with each other or with stored values.

    Parameters
    ----------
    qrels
        Qrels file, or a project.
    runs
        Run files, or folders of run files; empty for a project.
    request
        Evaluation, baselines and tests. If `power` or `difference` is set, the table contains
        numbers of topics and differences instead of tests.
    topics_chosen
        See `evaluate_sources`.
    progress
        Progress of reading and of the tests.

    Returns
    -------
    ResultTable
        One row for each pair, measure and test (`COMPARISON_COLUMNS`), or one for each pair and
        measure (`NEED_COLUMNS`).

    Raises
    ------
    IrjudgeError
        If there are too few runs, if options cannot be combined, if the evaluations have nothing in
        common, or if a file cannot be read.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from irjudge.evaluation import EvaluationSettings
    >>> with TemporaryDirectory() as folder:
    ...     qrels, runs = Path(folder, "q.txt"), [Path(folder, name) for name in "ab"]
    ...     _ = qrels.write_text("1 0 x 1\\n2 0 x 1\\n")
    ...     _ = runs[0].write_text("1 Q0 x 1 2 a\\n2 Q0 y 1 2 a\\n")
    ...     _ = runs[1].write_text("1 Q0 y 1 2 b\\n2 Q0 y 1 2 b\\n")
    ...     settings = EvaluationSettings(measures=("P@1",))
    ...     request = RunComparisonRequest(
    ...         evaluation=EvaluationRequest(settings=settings), tests=("sign",)
    ...     )
    ...     table = compare_sources(qrels, runs, request)
    >>> [row[:7] for row in table.rows]
    [('P@1', 'a', 'b', 2, 0.5, 0.0, 0.5)]
    """
    request = request or RunComparisonRequest()
    tests = [find_test(name).name for name in request.tests or DEFAULT_TESTS]
    find_correction(request.correction)
    name, cluster = request.kept_name, request.evaluation.cluster
    runs = expand_run_folders(runs)
    _check_request(request, runs)
    with workers_at(cluster) as workers:
        table = evaluate_sources(
            qrels,
            runs,
            request.evaluation,
            topics_chosen=topics_chosen,
            workers=workers if cluster else None,
            progress=progress,
        )
        with add_warnings_to_errors(table.warnings):
            baselines = [_find_baseline(baseline, runs, table) for baseline in request.baselines]
            if request.needs_topics:
                return _make_needed_topics_table(table, baselines, request)
            options: dict[str, Any] = {
                "tests": tests,
                "correction": request.correction,
                "interval": request.interval,
                "sampling": Sampling(
                    seed=request.seed, samples=request.samples, progress=progress, workers=workers
                ),
            }
            changes: tuple[str, ...] = ()
            if name is None:
                comparison = compare(table, baseline=baselines or None, **options)
            else:
                stored_evaluation = find_stored_evaluation(qrels, name)
                comparison = compare_with_stored(table, stored_evaluation, **options)
                reading = request.evaluation.settings.reading
                current_evaluation = make_stored_sources(
                    table, stored_evaluation.name, qrels, runs, reading=reading, progress=progress
                )
                changes = _describe_changes(stored_evaluation, current_evaluation)
    notes = (Message("Averaged over: {policy}.", policy=table.policy), *comparison.notes, *changes)
    return ResultTable(COMPARISON_COLUMNS, comparison.rows(), table.policy, notes, table.warnings)


def _check_request(request: RunComparisonRequest, runs: Sequence[Path]) -> None:
    if request.kept_name is not None and (request.needs_topics or request.baselines):
        raise IrjudgeError(
            "--with compares runs with a saved evaluation, so it cannot be combined with "
            "options that compare runs with each other (--baseline, --power or --difference)."
        )
    if len(runs) == 1 and request.kept_name is None:
        raise IrjudgeError(
            "A comparison needs at least two runs, got one ({name}).", name=runs[0].name
        )


def _find_baseline(baseline: str, runs: Sequence[Path], table: Evaluation) -> str:
    """Return the name of the baseline run; `baseline` is the run's name, or one of the files `runs`."""
    baseline_path = parse_location(baseline)
    return table.runs[list(runs).index(baseline_path)].run if baseline_path in runs else baseline


def _make_needed_topics_table(
    table: Evaluation, baselines: Sequence[str], request: RunComparisonRequest
) -> ResultTable:
    if len(baselines) > 1:
        raise IrjudgeError(
            "The number of topics needed is computed for one baseline, but several were given; "
            "give --baseline once."
        )
    need = compute_needed_topics(
        table,
        baseline=baselines[0] if baselines else None,
        power=POWER if request.power is None else request.power,
        difference=request.difference,
    )
    notes = (Message("Averaged over: {policy}.", policy=table.policy), *need.notes, *table.notes)
    return ResultTable(NEED_COLUMNS, need.cells(), table.policy, notes, table.warnings)


def _describe_changes(
    evaluation_before: StoredEvaluation, current_evaluation: StoredEvaluation
) -> tuple[str, ...]:
    """Return a sentence for each change of inputs or settings since an evaluation was stored.

    If there is no change, return one sentence that states this.
    """
    changes = tuple(
        Message(
            "{setting}: {before} in the earlier evaluation, {now} in this one.",
            setting=change.subject,
            before=change.earlier or Message("none"),
            now=change.current or Message("none"),
        )
        for change in evaluation_changes(evaluation_before, current_evaluation)
    )
    unchanged_message = Message(
        "The inputs and settings are the same as those of the evaluation {name}.",
        name=evaluation_before.dated_name,
    )
    return changes or (unchanged_message,)
