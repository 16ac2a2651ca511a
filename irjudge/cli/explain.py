"""The command that shows where a number comes from: explain."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from irjudge.cli.evaluate import FILE, evaluation_options, side_options
from irjudge.cli.shared.columns import FileColumns
from irjudge.cli.shared.opening import reading, said_qrels
from irjudge.cli.shared.output import format_option, no_source, say, show, tell
from irjudge.errors import IrjudgeError
from irjudge.evaluation.explain import explanation
from irjudge.evaluation.table import Policy, parse_measures
from irjudge.formats.rankings.qrels import Negative, read_qrels
from irjudge.formats.rankings.runs import read_run
from irjudge.judging.judged_qrels import project_qrels
from irjudge.model.ranking import Qrels, Run
from irjudge.model.side import SideTable
from irjudge.report.explanation import explained_rows, explanation_text
from irjudge.store.project import is_project
from irjudge.store.side_tables import sides_of


@click.command("explain")
@click.argument("qrels", type=FILE)
@click.argument("run", type=FILE)
@click.option("-t", "--topic", required=True, help="The topic whose value is explained.")
@evaluation_options
@side_options
@format_option()
def explain_command(
    qrels: Path,
    run: Path,
    topic: str,
    measures: tuple[str, ...],
    negative: Negative | None,
    which: str | None,
    columns: FileColumns,
    form: str,
    sides: Sequence[SideTable],
    **wish: Any,
) -> None:
    """Show step by step how RUN gets its value for one topic of QRELS; or of a project, with RUN as the run's name there.

    As csv or json: rank, document, grade (empty for a document that the qrels do not name, -1 unjudged, -2 unjudgeable), and what
    runs along beside the ranking, for each rank that the measure looks at.
    """
    policy = Policy(**{name: value for name, value in wish.items() if name in Policy.__dataclass_fields__})
    if not measures:
        raise IrjudgeError("Name the measure to explain, for example -m AP.")
    chosen = parse_measures([name for each in measures for name in each.split()], policy.rel, policy.profile)
    stored = is_project(qrels)
    if stored:
        columns.of_files(qrels)
    read = _project(qrels, str(run), which) if stored else (*_files(qrels, run, negative, which, columns), None, None, ())
    judged, ranking, *known = read
    more: dict[str, Any] = {"highest": known[0], "collection": known[1], "sides": sides or known[2]}
    found = [explanation(judged, ranking, topic, measure, policy, **more) for measure in chosen]
    if form == "text":
        tell(*"\n\n".join(map(explanation_text, found)).split("\n"))
    else:
        one = explained_rows(found)
        show(one.columns, one.rows(), form)
        say(one.result)


def _files(qrels: Path, run: Path, negative: Negative | None, which: str | None, columns: FileColumns) -> tuple[Qrels, Run]:
    no_source(qrels, which)
    judged, ranking = read_qrels(qrels, negative, columns=columns.qrels), read_run(run, columns=columns.runs)
    say(*judged.remarks, *ranking.remarks)
    return judged, ranking


def _project(path: Path, name: str, which: str | None) -> tuple[Qrels, Run, int, int | None, tuple[SideTable, ...]]:
    """Return qrels and run of a project, its highest grade, how many documents it has, where it has any, and its side files."""
    with reading(path) as project:
        names = [each.name for each in project.rankings.runs()]
        if name not in names:
            raise IrjudgeError(f"The project has no run {name!r}; it has {', '.join(names) or 'none'}.")
        judged, collection = project_qrels(project, said_qrels(project, which)), project.collection.document_count() or None
        return judged, project.rankings.run(name), project.scale.highest, collection, sides_of(project)
