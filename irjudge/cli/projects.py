"""Commands for project files: sample, new, import, qrels, verify, receipt, rescue, answers."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from irjudge.cli.desktop import open_window
from irjudge.cli.open_project import choose_qrels, open_for_reading, open_verified
from irjudge.cli.options import (
    FILE,
    FILE_OR_ADDRESS,
    NAME_OR_FILE,
    FileType,
    format_option,
    given_options,
    option_of,
    show,
    terminal_progress,
)
from irjudge.cli.participants import free_submissions
from irjudge.cli.streams import put, say, say_error, tell
from irjudge.errors import IrjudgeError
from irjudge.exchange import (
    create_class_project,
    describe_receipt,
    format_receipt,
    is_result,
    list_problems,
    read_assigned_work,
    read_result,
)
from irjudge.formats import COLUMN_PARTS, FileKind, ReaderWarnings, ReadingOptions
from irjudge.formats.collections import TOPIC_IDS, read_answers, read_documents
from irjudge.formats.judgments import read_nuggets
from irjudge.formats.rankings import (
    RANKING_KINDS,
    CutsOption,
    GainsOption,
    NegativeOption,
    SheetOption,
    expand_run_folders,
    iter_qrels_lines,
    map_columns_by_kind,
    parse_grade_rules,
    parse_response_paths,
    write_qrels,
)
from irjudge.formats.rows import AS_RECOGNISED
from irjudge.judging import (
    TASKS,
    AnswerMaterial,
    Session,
    build_answer_table,
    copy_sample,
    create_answer_project,
    create_sample_project,
    describe_adjudications,
    import_judgments,
    list_qrels_choices,
    list_rows_and_subtopics,
    make_receipt,
    select_adjudications,
    select_qrels,
)
from irjudge.message import format_count
from irjudge.model import (
    ACTORS,
    AUXILIARY_KINDS,
    CitedAnswer,
    Document,
    ModelJudge,
    Scale,
    rename_topics_with_blanks,
    warn_of_renamed_topics,
)
from irjudge.options import SourceOption
from irjudge.progress import Progress
from irjudge.report import is_study
from irjudge.shipped import sample_folders
from irjudge.store import (
    OWNER_KEY,
    PROJECT_SUFFIX,
    ImportReport,
    Sources,
    create_project_from_files,
    describe_losses,
    import_sources,
    open_project,
    rescue_file,
    set_shown_fields,
    shown_field_names,
)

# Commands on project files

Command = TypeVar("Command", bound=Callable[..., Any])

GRADED_FILE_KINDS: tuple[FileKind, ...] = ("qrels", "calibration")

COLUMNS_HELP = (
    'Map the columns, by name or number: "id=docno,text=abstract". With several kinds of files: "topics:id=qid". '
    + "; ".join(f"{kind}: {', '.join(parts)}" for kind, parts in COLUMN_PARTS.items())
    + "."
)


def add_reading_options(command: Command) -> Command:
    """Add the options for reading ambiguous files to a command.

    `make_reading_options` converts the values of these options.
    """
    for option in (
        option_of(NegativeOption, "negative"),
        click.option(
            "--grades",
            metavar="OLD:NEW,...",
            help="Map the grades in qrels and judgments to other grades, such as "
            '"1:4,2:3,-1:0", "0.5:1,1:2" or, for words, "Exact:3,Partial:1". Labels of '
            "the project's scale are recognised.",
        ),
        option_of(GainsOption, "gains"),
        option_of(CutsOption, "cuts"),
        click.option(
            "--topic-ids",
            type=click.Choice(TOPIC_IDS),
            help="Number the topics in order (1, 2, 3 …), or use the ids in the file.",
        ),
        click.option(
            "--paths",
            metavar="PART=PATH,...",
            help=(
                "Paths of values in search engine responses of an unknown format, for example "
                '"hits=result.items,id=key,score=rank". "fields=PATH" and "query=PATH" can be '
                "added."
            ),
        ),
        click.option(
            "--encoding",
            help=(
                "Encoding of all files, such as GB18030. Default: UTF-8, or the detected "
                "encoding, which is then reported."
            ),
        ),
        click.option(
            "--columns",
            multiple=True,
            metavar="[KIND:]PART=COLUMN,...",
            help=COLUMNS_HELP,
        ),
        option_of(SheetOption, "sheets", ()),
    ):
        command = option(command)
    return command


def make_reading_options(
    kinds: Collection[FileKind],
    *,
    columns: Sequence[str] = (),
    sheets: Sequence[str] = (),
    encoding: str | None = None,
    topic_ids: Any = None,
    grades: str | None = None,
    gains: bool = False,
    cuts: str | None = None,
    negative: Any = None,
    paths: str | None = None,
) -> dict[FileKind, ReadingOptions]:
    """Return the reading options for each kind of file in `kinds`.

    The other arguments are the values of the options that `add_reading_options` adds.
    """
    columns_of_kind = map_columns_by_kind(kinds, columns, sheets)
    response_paths = parse_response_paths(paths) if paths is not None else None
    rules = parse_grade_rules(grades, cuts=cuts, gains=gains)
    if gains and "qrels" not in kinds:
        raise IrjudgeError(
            "--gains applies only to --qrels; turn other ratings into grades with --cuts."
        )
    return {
        kind: ReadingOptions(
            encoding,
            columns_of_kind.get(kind, AS_RECOGNISED),
            topic_ids if kind == "topics" else None,
            negative if kind in GRADED_FILE_KINDS else None,
            rules if kind in (*GRADED_FILE_KINDS, "judgments") else None,
            response_paths if kind == "runs" else None,
        )
        for kind in kinds
    }


def _say_report(report: ImportReport) -> None:
    say(*report.sentences, *report.warnings)


@click.command("sample")
@click.argument("name", required=False)
@click.option(
    "-o",
    "--output",
    type=FILE,
    help=("Project file to create. Default: NAME.irjudge in the current folder."),
)
@click.option(
    "--open",
    "then_open",
    is_flag=True,
    help="Open the project after creating it; a project that already exists is only opened.",
)
@click.option(
    "--files",
    type=FileType(file_okay=False),
    help="New folder for copies of the collection's files.",
)
@format_option()
def sample_command(
    name: str | None, output: Path | None, then_open: bool, files: Path | None, output_format: str
) -> None:
    """Create a project from a sample collection; without NAME, list the sample collections."""
    if name is None:
        show(
            ("name", "folder"),
            ((sample_name, str(folder)) for sample_name, folder in sample_folders().items()),
            output_format,
        )
        return
    path = output or Path(name + PROJECT_SUFFIX)
    if not (then_open and path.exists()):
        with terminal_progress() as progress:
            _say_report(create_sample_project(path, name, progress=progress))
        tell(f"Created {path}.")
    if files:
        copy_sample(name, files)
        tell(f"The files of {name} are in {files}.")
    if then_open:
        open_window(path)


class ManyFiles(click.Command):
    """Click command whose repeatable options accept several values, such as `--runs *.run`."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Parse arguments, after repeating each option before its additional values."""
        values_by_option = {
            name
            for param in self.params
            if isinstance(param, click.Option) and param.multiple
            for name in param.opts
        }
        expanded_arguments: list[str] = []
        option, has_value = "", False
        for arg in args:
            if arg.startswith("-"):
                option, has_value = arg if arg in values_by_option else "", False
            elif option:
                expanded_arguments += [option] if has_value else []
                has_value = True
            expanded_arguments.append(arg)
        return super().parse_args(context, expanded_arguments)


def make_source_options(*, are_required: bool) -> Callable[[Any], Any]:
    """Return a decorator that adds options for input files to a command.

    If `are_required` is set, topics and documents are required.
    """

    def add_options(command: Any) -> Any:
        for name, is_required, help_text in (
            ("--qrels", False, "Qrels: existing judgments."),
            ("--runs", False, "Runs: the retrieval results of each system."),
            ("--topics", are_required, "Topics: the information needs of users."),
            ("--documents", are_required, "Documents: files, folders or archives."),
        ):
            kind = FILE_OR_ADDRESS if name in ("--qrels", "--runs") else FILE
            command = click.option(
                name, type=kind, multiple=True, required=is_required, help=help_text
            )(command)
        help_text = "Qrels of documents with known grades, which are shown at the start of a topic."
        command = click.option("--calibration", type=FILE, multiple=True, help=help_text)(command)
        help_text = f"Auxiliary files that some measures need: {', '.join(AUXILIARY_KINDS)}. Each kind is recognised by its header."
        command = click.option("--sides", type=FILE, multiple=True, help=help_text)(command)
        command = click.option(
            "--instructions", type=FILE, help="Instructions for assessors, in Markdown."
        )(command)
        help_text = (
            "Read only the documents of the pool or, without a pool, the documents that are in "
            "a run or in the qrels."
        )
        command = click.option("--only-pooled", is_flag=True, help=help_text)(command)
        return add_reading_options(command)

    return add_options


SOURCE_FILE_KINDS: tuple[FileKind, ...] = ("documents", "topics", "runs", "qrels", "calibration")
READING_OPTION_NAMES = (
    "columns",
    "sheets",
    "encoding",
    "topic_ids",
    "grades",
    "gains",
    "cuts",
    "negative",
    "paths",
)


def _make_sources(options: dict[str, Any], judgments: Sequence[Path] = ()) -> Sources:
    reading_values = {name: options.pop(name) for name in READING_OPTION_NAMES}
    options["runs"] = tuple(expand_run_folders(options["runs"]))
    kinds: list[FileKind] = [kind for kind in SOURCE_FILE_KINDS if options[kind]]
    kinds += ["judgments"] if judgments else []
    return Sources(**options, options_by_kind=make_reading_options(kinds, **reading_values))


@click.command("new", cls=ManyFiles)
@click.argument("file", type=FILE)
@make_source_options(are_required=False)
@click.option(
    "--scale",
    type=NAME_OR_FILE,
    default="0-3",
    show_default=True,
    help="Scale of grades: binary, 0-1 to 0-99, or a JSON file.",
)
@click.option(
    "--owner", default=OWNER_KEY, help=("Name of the assessor who owns the project (optional).")
)
@click.option(
    "--folder",
    type=FILE,
    help=(
        "Folder with the files of a class: documents, topics, runs, pool, labels, and student "
        "accounts with their topics. Each account gets an assignment."
    ),
)
def new_command(file: Path, scale: str, owner: str, folder: Path | None, **files: Any) -> None:
    """Create a project FILE from documents, topics, runs and qrels; missing parts can be added
    later."""
    if folder is not None:
        _create_from_folder(file, folder, scale if "scale" in given_options() else "", owner, files)
        return
    sources = _make_sources(files)
    if not sources:
        raise IrjudgeError(
            "A project needs at least one of --documents, --topics, --runs and --qrels."
        )
    with terminal_progress() as progress:
        _say_report(
            create_project_from_files(
                file, sources, scale=Scale.parse(scale), owner=owner, progress=progress
            )
        )
    tell(f"Created {file}.")


def _create_from_folder(
    file: Path, folder: Path, scale: str, owner: str, files: dict[str, Any]
) -> None:
    if any(files.values()):
        raise IrjudgeError(
            "--folder already includes all files; only --scale and --owner can be combined with it."
        )
    with terminal_progress() as progress:
        report = create_class_project(
            file,
            folder,
            scale=Scale.parse(scale) if scale else None,
            owner=owner,
            progress=progress,
        )
    _say_report(report.import_report)
    for assigned_file in report.assignment_report.files:
        tell(
            f"{assigned_file.path}: {format_count(assigned_file.items, 'document')} of {format_count(assigned_file.topics, 'topic')}."
        )
    say(*report.assignment_report.warnings)
    tell(f"Created {file}.")


@click.command("import", cls=ManyFiles)
@click.argument("file", type=FILE)
@make_source_options(are_required=False)
@click.option(
    "--judgments",
    type=FILE,
    multiple=True,
    help=(
        "Tables of the judgments of several assessors, with the columns topic and document (or "
        "item), assessor, and grade."
    ),
)
@click.option(
    "--as",
    "who",
    nargs=2,
    metavar="KIND NAME",
    default=None,
    help=(
        'With --judgments: author of the labels, "model NAME" or "person NAME"; "person" is '
        "needed if an assessor's name looks like a model's. NAME is an assessor in the file, "
        'or "all"; if the file names no assessors, NAME is the author of all labels.'
    ),
)
@click.option(
    "--prompt",
    type=FILE,
    help="With --as model: prompt file used; its name and hash are stored.",
)
@click.option(
    "--asked",
    default="",
    metavar="DATE",
    help="With --as model: date on which the model was asked.",
)
@click.option(
    "--family",
    default="",
    metavar="NAME",
    help="With --as model: family of related models, such as gpt.",
)
@click.option(
    "--backwards/--not-backwards",
    default=None,
    help="With --as model: whether the model's scale is reversed.",
)
@click.option(
    "--panel",
    type=FILE,
    help=(
        "Export file of a crowd panel: judgments of returned and timed-out submissions "
        "are no longer used, and their documents are reassigned."
    ),
)
@click.option(
    "--store", metavar="postgresql://…", help=("With --panel: the database with the session.")
)
def import_command(
    file: Path,
    judgments: tuple[Path, ...],
    panel: Path | None,
    store: str | None,
    who: tuple[str, str] | None,
    prompt: Path | None,
    asked: str,
    family: str,
    backwards: bool | None,
    **files: Any,
) -> None:
    """Add files to the project FILE: either all are added or none."""
    judge_arguments = _make_judge_arguments(who, prompt, asked, family, backwards, judgments)
    if panel or store:
        if (
            panel is None
            or judgments
            or any(value for name, value in files.items() if name not in READING_OPTION_NAMES)
        ):
            raise IrjudgeError(
                "--store applies only to --panel, and --panel cannot be combined with other "
                "files; run `irjudge import PROJECT --panel FILE`, with the same --store that "
                "was used to start the session."
            )
        for sentence in free_submissions(file, panel, store):
            say(sentence)
        return
    sources = _make_sources(files, judgments)
    if not sources and not judgments:
        raise IrjudgeError(
            "Nothing to import; give at least one of --documents, --topics, --runs, --qrels, "
            "--judgments, --instructions, --calibration or --sides."
        )
    with open_verified(file) as project, terminal_progress() as progress:
        with project.transaction():
            reports = [import_sources(project, sources, progress)]
            reading_options = replace(sources.get_options("judgments"), **judge_arguments)
            reports += [
                import_judgments(project, path, reading_options, progress) for path in judgments
            ]
        for report in reports:
            _say_report(report)
    tell(f"Added to {file}.")


def _make_judge_arguments(
    judge_and_model: tuple[str, str] | None,
    prompt: Path | None,
    ask_time: str,
    family: str,
    backwards: bool | None,
    judgments: Sequence[Path],
) -> dict[str, Any]:
    """Return the arguments of an import that describe who made the judgments.

    The judgments are by a person, by a model, or of unknown origin.
    """
    kind, name = judge_and_model or ("", "")
    if kind not in ("", *ACTORS):
        raise IrjudgeError(
            '--as expects "person" or "model", followed by a name; got {kind!r}.', kind=kind
        )
    if kind and not judgments:
        raise IrjudgeError("--as names the assessor of a file; give the file with --judgments.")
    if kind != "model" and (prompt or ask_time or family or backwards is not None):
        raise IrjudgeError(
            "--prompt, --asked, --family and --backwards describe a model; give --as model "
            "NAME too."
        )
    if kind != "model":
        return {"person": name}
    judge = ModelJudge(name, asked=ask_time, family=family)
    return {"judge": judge.with_prompt(prompt) if prompt else judge, "backwards": backwards}


@click.command("remove-run")
@click.argument("project", type=FILE)
@click.argument("name")
def remove_run_command(project: Path, name: str) -> None:
    """Remove run NAME from a PROJECT; pools, assignments and judgments stay, and the run can be
    imported again."""
    with open_verified(project) as opened_project:
        opened_project.rankings.remove_run(name)
    tell(f"Removed the run {name} from {project}.")


@click.command("fields")
@click.argument("project", type=FILE)
@click.option(
    "--show",
    "names",
    metavar="NAME,...",
    help=('Show assessors these fields, in this order; "" shows none.'),
)
@format_option()
def fields_command(project: Path, names: str | None, output_format: str) -> None:
    """List the document fields of a PROJECT, with those shown to assessors first, or choose which
    fields are shown.
    """
    with open_for_reading(project) if names is None else open_verified(project) as opened_project:
        if names is not None:
            set_shown_fields(
                opened_project, tuple(filter(None, (part.strip() for part in names.split(","))))
            )
        shown_fields = shown_field_names(opened_project)
        example = opened_project.collection.example()
        hidden_fields = tuple(
            name for name in opened_project.collection.field_names() if name not in shown_fields
        )
        texts = dict(example.fields) if example else {}
        rows = [
            (name, "yes" if name in shown_fields else "no", texts.get(name, ""))
            for name in shown_fields + hidden_fields
        ]
    show(("field", "shown", "example"), rows, output_format)


@click.command("qrels")
@click.argument("project", type=FILE)
@click.option(
    "-o", "--output", type=FILE, help=("Write the qrels to a file instead of standard output.")
)
@click.option("--unjudged", is_flag=True, help="Include pooled unjudged documents, with grade -1.")
@option_of(SourceOption, "which")
def qrels_command(project: Path, output: Path | None, unjudged: bool, which: str | None) -> None:
    """Print the qrels of a PROJECT in TREC format; unjudgeable documents have grade -2."""
    with open_for_reading(project) as opened_project:
        choice = select_qrels(opened_project, which)
        rows, groups = list_rows_and_subtopics(opened_project, choice, include_unjudged=unjudged)
        adjudications = select_adjudications(opened_project, choice).values()
    names = rename_topics_with_blanks(topic for topic, _, _ in rows)
    rows = [(names[topic], document, grade) for topic, document, grade in rows]
    if output:
        write_qrels(output, rows, groups)
    else:
        # all lines are made, and therefore checked, before the first line is printed
        for line in list(iter_qrels_lines(rows, project, groups)):
            put(line)
    say(
        f"{format_count(len(rows), 'pair')}, {choice.name}.",
        *((describe_adjudications(adjudications, choice.pair_count),) if adjudications else ()),
        *warn_of_renamed_topics(names),
    )


def _verify_study(path: Path, inputs: Sequence[Path]) -> None:
    from irjudge.report import read_study, reproduce_study  # noqa: PLC0415 -- reports take half a second to load

    with terminal_progress() as progress:
        study = read_study(path, progress)
        tell(
            f"Valid: checked {format_count(len(study.files), 'file')} of the study "
            f"{study.stored_evaluation.dated_name}."
        )
        if not inputs:
            say(
                f"`irjudge verify {path.name} RUN...` recomputes the values from the runs, or from the project."
            )
            return
        reading_options = study.stored_evaluation.reading
        columns = map_columns_by_kind(
            RANKING_KINDS,
            *(
                reading_options[name].split("\n") if name in reading_options else ()
                for name in ("columns", "sheet")
            ),
        )
        named_files = {
            "qrels_columns": columns.get("qrels", AS_RECOGNISED),
            "run_columns": columns.get("runs", AS_RECOGNISED),
        }
        reproduction = reproduce_study(
            path, expand_run_folders(inputs), **named_files, progress=progress
        )
    if reproduction.problems:
        say_error(*reproduction.problems[:-1])
        raise IrjudgeError(reproduction.problems[-1])
    tell(f"Recomputed: {format_count(reproduction.values, 'value')}, identical bit for bit.")


@click.command("verify")
@click.argument("project", type=FILE)
@click.argument("inputs", type=FILE_OR_ADDRESS, nargs=-1)
def verify_command(project: Path, inputs: tuple[Path, ...]) -> None:
    """Check a PROJECT, a result saved by a browser, or a study. For a PROJECT, its file, events and
    documents are checked. The values of a study (`irjudge report -o STUDY.zip`) are recomputed if
    INPUTS are given: the files of its runs, or its project. Exit code 2 if something does not
    match.
    """
    if is_study(project):
        _verify_study(project, inputs)
        return
    if inputs:
        raise IrjudgeError(
            "{project} is not a study; only studies can be recomputed from inputs.",
            project=project.name,
        )
    if is_result(project):
        result = read_result(project)
        if problems := list_problems(result):
            say_error(*problems[:-1])
            raise IrjudgeError(problems[-1])
        tell(
            f"Valid: checked {format_count(len(result.actions), 'action')}. {describe_receipt(result)}"
        )
        return
    with open_project(project, writing=False) as opened_project, terminal_progress() as progress:
        verdict = opened_project.verify(progress)
    if verdict.problems:
        raise IrjudgeError("\n".join(verdict.problems))
    checked = f"{format_count(verdict.events, 'event')} and {format_count(verdict.documents, 'document')} checked"
    if verdict.lost:
        tell(f"The remaining data are valid: {checked}. Lost: {describe_losses(verdict.lost)}.")
    else:
        tell(f"Valid: {checked}.")


@click.command("receipt")
@click.argument("file", type=FILE)
@click.option("--assessor", help="Assessor whose receipt is printed. Default: the project's owner.")
def receipt_command(file: Path, assessor: str | None) -> None:
    """Print the receipt of the current content of FILE, to compare with the receipt of the
    submission; nothing is written. FILE is a project, an assessor's file, or a result saved by a
    browser.
    """
    if is_result(file):
        tell(*format_receipt(read_result(file)).splitlines())
        return
    with open_for_reading(file) as project, terminal_progress() as progress:
        receipt = make_receipt(
            read_assigned_work(project, assessor) or Session(project, assessor), progress=progress
        )
    tell(*receipt.text.splitlines())


@click.command("rescue")
@click.argument("file", type=FILE)
@click.option("-o", "--output", type=FILE, required=True, help="Project file to create.")
@format_option()
def rescue_command(file: Path, output: Path, output_format: str) -> None:
    """Create a valid project from the readable part of a damaged FILE, which stays unchanged, and
    print what was recovered and lost."""
    with terminal_progress() as progress:
        report = rescue_file(file, output, progress)
    show(
        ("part", "read", "lost"),
        ((part.name, part.read_count, part.lost_count) for part in report.parts.values()),
        output_format,
    )
    say(*(report.sentences or ["No losses were detected."]), f"Created {output}.")


# Command answers


@click.command("answers", cls=ManyFiles)
@click.argument("project", type=FILE)
@click.option(
    "--answers",
    "files",
    type=FILE,
    multiple=True,
    help=(
        "Answers in TREC RAG format. Without this option, the judgments in the PROJECT are printed."
    ),
)
@click.option(
    "--task",
    type=click.Choice(list(TASKS)),
    default="support",
    show_default=True,
    help="What to judge in the answers.",
)
@click.option(
    "--documents",
    type=FILE,
    multiple=True,
    help="Texts of the cited documents: files, folders or archives.",
)
@click.option("--nuggets", type=FILE, help="Nuggets of each topic, as JSON lines.")
@click.option(
    "--owner", default=OWNER_KEY, help=("Name of the assessor who owns the project (optional).")
)
@option_of(SourceOption, "which")
@format_option()
def answers_command(
    project: Path,
    files: Sequence[Path],
    task: str,
    documents: Sequence[Path],
    nuggets: Path | None,
    owner: str,
    which: str | None,
    output_format: str,
) -> None:
    """Create a PROJECT for judging the answers of systems without seeing the system names, with one
    key press for each judgment; without --answers, print the judgments in the PROJECT. --task
    sets what is judged: the support of each citation (none, partial, full; with --documents),
    the nuggets that each answer contains (not, partly, supported; with --nuggets), the
    importance of each nugget (okay, vital), or each whole answer.
    """
    if not files:
        with open_for_reading(project) as opened_project:
            has_qrels = which is not None or list_qrels_choices(opened_project)
            columns, rows = build_answer_table(
                opened_project, choose_qrels(opened_project, which) if has_qrels else None
            )
        show(columns, rows, output_format)
        return
    given_files = {"documents": documents, "nuggets": nuggets}
    if (required_kind := TASKS[task].required_option) and not given_files[required_kind]:
        raise IrjudgeError("--task {task} needs --{needs}.", task=task, needs=required_kind)
    answers = [answer for path in files for answer in _read_answers(path)]
    with terminal_progress() as progress:
        passages = _read_passages(documents, answers, progress)
    report = create_answer_project(
        project,
        task,
        answers,
        AnswerMaterial(passages, read_nuggets(nuggets) if nuggets else {}),
        owner=owner,
    )
    say(*report.warnings)
    items = f"{format_count(report.items, 'item')} to judge"
    tell(
        f"Created {project}: {items}, from {format_count(report.answers, 'answer')} to {format_count(report.topics, 'topic')}."
    )


def _read_answers(path: Path) -> list[CitedAnswer]:
    warnings = ReaderWarnings()
    answers = read_answers(path, warnings)
    say(*warnings.format_for(path.name))
    return answers


def _read_passages(
    paths: Sequence[Path], answers: Sequence[CitedAnswer], progress: Progress
) -> dict[str, Document]:
    """Return the cited documents of answers, by id; the documents are read from files."""
    if not paths:
        return {}
    cited_ids = {
        citation
        for answer in answers
        for sentence in answer.sentences
        for citation in sentence.citations
    }
    return {
        document.id: document
        for document in read_documents(paths, progress, warnings=[], wanted=cited_ids)
    }
