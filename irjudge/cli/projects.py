"""The commands about project files: sample, new, import, pool, qrels, status, verify."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from irjudge.cli.output import format_option, negative_option, one_of, say, show, terminal_progress
from irjudge.cli.starting import open_window
from irjudge.errors import IrjudgeError
from irjudge.formats.qrels import qrels_lines, write_qrels
from irjudge.formats.replacing import replacing
from irjudge.formats.runs import names_apart, read_run
from irjudge.judging.importing import import_judgments
from irjudge.judging.judged_qrels import chosen_qrels, qrels_rows
from irjudge.judging.status import pooled_without_text, status_rows
from irjudge.model.order import TIES, Ties
from irjudge.model.pool import Pool
from irjudge.model.ranking import UNJUDGED, Run, rows_to_topics
from irjudge.model.scale import Scale
from irjudge.pooling.depth import depth_pool
from irjudge.shipped import samples
from irjudge.store.importing import ImportReport, Sources, import_into, new_project, sample_sources
from irjudge.store.project import OWNER, SUFFIX, Project, is_project, open_project

FILE = click.Path(path_type=Path)
STRATEGIES = ("depth",)
WITHOUT_TEXT = "Pooled documents that have no text in the project and cannot be judged: {:,} (for example {})."


def say_damage(project: Project) -> None:
    """Say what of a damaged file cannot be read; nothing where it is whole."""
    if project.damage:
        say(f"{project.path.name} is damaged; what can be read of it is used.", *project.damage.sentences)


def _say_report(report: ImportReport) -> None:
    say(*report.done, *report.remarks)


@click.command("sample")
@click.argument("name", required=False)
@click.option("-o", "--output", type=FILE, help="The project to make; by default NAME.irjudge here.")
@click.option("--open", "then_open", is_flag=True, help="Open it afterwards; a project made before is opened again.")
@format_option()
def sample_command(name: str | None, output: Path | None, then_open: bool, form: str) -> None:
    """Make a project from a shipped collection; without NAME, list them."""
    if name is None:
        show(("name", "folder"), ((each, str(folder)) for each, folder in samples().items()), form)
        return
    path = output or Path(name + SUFFIX)
    if not (then_open and path.exists()):
        sources, scale = sample_sources(name)
        with terminal_progress() as progress:
            _say_report(new_project(path, sources, scale=scale, title=name, progress=progress))
        click.echo(f"Made {path}.")
    if then_open:
        open_window(path)


class ManyFiles(click.Command):
    """Takes several files after one option: `--runs a.run b.run`, as a shell writes `--runs *.run` out."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each further file."""
        several = {name for param in self.params if isinstance(param, click.Option) and param.multiple for name in param.opts}
        spread: list[str] = []
        option, taken = "", False
        for arg in args:
            if arg.startswith("-"):
                option, taken = arg if arg in several else "", False
            elif option:
                spread += [option] if taken else []
                taken = True
            spread.append(arg)
        return super().parse_args(context, spread)


def sources_options(*, required: bool) -> Callable[[Any], Any]:
    """Give a command the options that name files."""

    def add(command: Any) -> Any:
        for name, needed, words in (
            ("--qrels", False, "Judgments you have already."),
            ("--runs", False, "What each system retrieved."),
            ("--topics", required, "Topics."),
            ("--documents", required, "Files, folders or archives."),
        ):
            command = click.option(name, type=FILE, multiple=True, required=needed, help=words)(command)
        words = "Qrels: documents of known grades that a topic opens with."
        command = click.option("--calibration", type=FILE, multiple=True, help=words)(command)
        command = click.option("--instructions", type=FILE, help="What assessors are to do, in Markdown.")(command)
        return negative_option()(command)

    return add


@click.command("new", cls=ManyFiles)
@click.argument("file", type=FILE)
@sources_options(required=True)
@click.option("--scale", default="0-3", show_default=True, help="binary, 0-1 to 0-99, or a JSON file.")
@click.option("--owner", default=OWNER, help="Who is to judge in it. Default: nobody in particular.")
def new_command(file: Path, scale: str, owner: str, **files: Any) -> None:
    """Make a project FILE from documents, topics, runs and qrels."""
    sources = Sources(**files)
    with terminal_progress() as progress:
        _say_report(new_project(file, sources, scale=Scale.parse(scale), owner=owner, progress=progress))
    click.echo(f"Made {file}.")


@click.command("import", cls=ManyFiles)
@click.argument("file", type=FILE)
@sources_options(required=False)
@click.option("--judgments", type=FILE, multiple=True, help="Tables of several assessors' judgments: topic, document, assessor, grade.")
def import_command(file: Path, judgments: tuple[Path, ...], **files: Any) -> None:
    """Add files to the project FILE: all of them or none."""
    sources = Sources(**files)
    if not sources and not judgments:
        raise IrjudgeError(
            "Name something to import: --documents, --topics, --runs, --qrels, --judgments, --instructions or --calibration."
        )
    with open_project(file) as project, terminal_progress() as progress:
        with project.transaction():
            report = import_into(project, sources, progress)
            for path in judgments:
                import_judgments(project, path, report, progress)
        _say_report(report)
    click.echo(f"Added to {file}.")


@click.command("pool")
@click.argument("sources", type=FILE, nargs=-1, required=True, metavar="RUN... | PROJECT")
@click.option("--depth", type=click.IntRange(1), required=True, help="How many of the top of each run.")
@click.option("--strategy", default="depth", show_default=True, help="How documents are chosen.")
@click.option("--ties", type=click.Choice(TIES), default="docno", show_default=True, help="The order of equal scores.")
@click.option("-o", "--output", type=FILE, help="Write to a file; one that ends in .qrels has a line `topic 0 document -1` each.")
@format_option()
def pool_command(sources: tuple[Path, ...], depth: int, strategy: str, ties: Ties, output: Path | None, form: str) -> None:
    """Build a pool from RUNs; or from the runs of a PROJECT, which keeps it."""
    one_of("Strategy", strategy, STRATEGIES)
    stored = is_project(sources[0])
    if any(map(is_project, sources)) and len(sources) > 1:
        raise IrjudgeError(f"{next(filter(is_project, sources)).name} is a project with runs of its own; give it alone.")
    pool = _project_pool(sources[0], depth, ties) if stored else _runs_pool(sources, depth, ties)
    topics = [pool.topics[code] for code in rows_to_topics(pool.starts).tolist()]
    rows = list(zip(topics, pool.document.to_pylist(), strict=True))
    if output and output.suffix == ".qrels":
        write_qrels(output, ((topic, document, UNJUDGED) for topic, document in rows))
    elif output:
        with replacing(output) as part, part.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{topic}\t{document}\n" for topic, document in rows)
    elif not stored:
        show(("topic", "document"), rows, form)
    documents, their_topics, their_runs = counted(len(pool), "document"), counted(len(pool.topics), "topic"), counted(len(pool.runs), "run")
    said = f"{documents} for {their_topics} from the top {depth} of {their_runs}."
    if stored:
        click.echo(said)
    else:
        say(said)


def _runs_pool(paths: Sequence[Path], depth: int, ties: Ties) -> Pool:
    runs: list[Run] = []
    for path, name in zip(paths, names_apart(paths), strict=True):
        runs.append(read_run(path, name))
        say(*runs[-1].remarks)
    return depth_pool(runs, depth, ties=ties)


def _project_pool(path: Path, depth: int, ties: Ties) -> Pool:
    with open_project(path) as project, terminal_progress() as progress:
        runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
        pool = depth_pool(runs, depth, ties=ties, progress=progress)
        project.rankings.add_pool(pool)
        missing = project.collection.without_text(sorted(set(pool.document.to_pylist())))
        if missing:
            say(WITHOUT_TEXT.format(len(missing), missing[0]))
    return pool


@click.command("qrels")
@click.argument("project", type=FILE)
@click.option("-o", "--output", type=FILE, help="Write to a file instead of the screen.")
@click.option("--unjudged", is_flag=True, help="With the pooled documents that wait for a judgment, as -1.")
@click.option("--source", help="Which qrels: `judged here`, or the name of imported ones. Default: judged here when there are any.")
def qrels_command(project: Path, output: Path | None, unjudged: bool, source: str | None) -> None:
    """Print the qrels of a PROJECT in TREC form; unjudgeable documents are -2."""
    with open_project(project, writing=False) as opened:
        say_damage(opened)
        chosen = chosen_qrels(opened, source)
        rows = qrels_rows(opened, chosen, unjudged=unjudged)
    if output:
        write_qrels(output, rows)
    else:
        for line in list(qrels_lines(rows, project)):  # checked to the last before the first is printed
            click.echo(line, nl=False)
    say(f"{counted(len(rows), 'pair')}, {chosen.name}.")


@click.command("status")
@click.argument("project", type=FILE)
@format_option()
def status_command(project: Path, form: str) -> None:
    """Print how much of a PROJECT is judged, by assessor and topic."""
    with open_project(project, writing=False) as opened:
        say_damage(opened)
        rows = status_rows(opened)
        textless = pooled_without_text(opened)
    if textless:
        say(WITHOUT_TEXT.format(len(textless), textless[0]))
    show(("assessor", "topic", "judged", "assigned", "left"), rows, form)


@click.command("verify")
@click.argument("project", type=FILE)
def verify_command(project: Path) -> None:
    """Check a PROJECT: the file, each event and each document. Exit 2 when something does not fit."""
    with open_project(project, writing=False) as opened, terminal_progress() as progress:
        verdict = opened.verify(progress)
    if verdict.faults:
        raise IrjudgeError("\n".join(verdict.faults))
    lost = f" Events lost before this file was rescued: {verdict.lost:,}." if verdict.lost else ""
    click.echo(f"Whole: {counted(verdict.events, 'event')} and {counted(verdict.documents, 'document')} checked.{lost}")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an s for all numbers but 1."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
