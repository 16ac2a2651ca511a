"""Reader of the labels of assessors, from a project or from a table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, get_args

from irjudge.errors import IrjudgeError
from irjudge.evaluation import RelOption
from irjudge.formats.judgments import parse_label_columns, read_gold_labels, read_labels
from irjudge.formats.rankings import GradeRules
from irjudge.judging import (
    build_vote_labels,
    list_counted_assessors,
    list_test_pairs,
    make_display_names,
    project_labels,
    read_assigned_gold,
    rename_workers,
)
from irjudge.message import Message, format_count
from irjudge.model import Labels, Scale
from irjudge.options import Option, SheetOption, describe_choices
from irjudge.progress import SILENT, Progress
from irjudge.store import Project

LabelSource: TypeAlias = Project | Path  # an open project, or a table of labels
Repeats: TypeAlias = Literal["last", "first", "all", "refuse"]
REPEATS_MEAN: dict[Repeats, str] = {
    "last": Message("only the last label is used"),
    "first": Message("only the first label is used"),
    "all": Message("each label is a vote"),
    "refuse": Message("an error is reported"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelsRequest:
    """Options of `AgreementRequest` and `ConsensusRequest` for reading the labels of assessors.

    The source, a project or a table, is a separate argument. Columns, sheet and scale are only
    allowed for tables, and `repeats` is only used for tables. Assessors of projects and of tables
    can be excluded (`leave_out`). `rel`, the lowest relevant grade, is used when the labels are
    analysed.
    """

    columns: Annotated[
        str,
        Option(
            "Map the columns of a label file, by name or number, such as "
            "item=2,worker=WorkerId,label=3. Further columns: topic, document, gold, seconds.",
            metavar="PART=COLUMN,...",
        ),
    ] = ""
    sheet: SheetOption = ""
    scale: Annotated[
        str | None,
        Option(
            "Scale of a label file: binary, 0-1 to 0-99, or a JSON file. Default: determined "
            "from the labels.",
            metavar="SCALE",
        ),
    ] = None
    repeats: Annotated[
        Repeats,
        Option(
            f"Which labels count if an assessor labels an item more than once. {describe_choices(REPEATS_MEAN)}",
            choices=get_args(Repeats),
        ),
    ] = "last"
    leave_out: Annotated[
        tuple[str, ...],
        Option("Assessor to exclude; may be repeated.", metavar="NAME"),
    ] = ()
    rel: RelOption = 1


def read_assessor_labels(
    source: LabelSource,
    request: LabelsRequest | None = None,
    *,
    gold: Path | None = None,
    grades: GradeRules | None = None,
    keep_repeats: bool = False,
    allow_votes: bool = False,
    progress: Progress = SILENT,
) -> tuple[Labels, tuple[str, ...]]:
    """Return the labels of assessors in a project or a table, and messages about them.

    Parameters
    ----------
    source
        An open project, from which the labels that count for the consensus are read, or the path of
        a table.
    gold
        Gold labels: item (or topic and document) and truth, or qrels.
    grades
        Rules that convert words and ratings of a table to grades.
    keep_repeats
        Whether to return all labels; labels of a project then include documents shown twice and
        test documents.
    allow_votes
        Whether several labels of one worker for an item may each count as a vote.

    Raises
    ------
    IrjudgeError
        If there is no label, if an option for tables is given with a project, if an assessor to
        exclude is unknown, or if a worker labelled an item twice and `request.repeats` does not
        allow this.
    """
    request = request or LabelsRequest()
    rules = label_rules(source, grades, request.scale)
    if isinstance(source, Project):
        name = source.path.name
        if request.columns or request.sheet or request.scale or grades:
            raise IrjudgeError(
                "{file} is a project with a scale of its own; --columns, --sheet, --scale and "
                "--grades apply only to label files.",
                file=name,
            )
        labels, notes = _read_project_labels(source, request, progress, keep_repeats=keep_repeats)
    else:
        name = source.name
        mapping = replace(parse_label_columns(request.columns), sheet=request.sheet)
        labels = read_labels(source, columns=mapping, rules=rules, progress=progress)
        labels = labels.without(request.leave_out) if request.leave_out else labels
        notes = ()
        if not keep_repeats:
            labels, notes = _resolve_repeats(
                name, labels, request.repeats, allows_votes=allow_votes
            )
        if request.scale:
            labels = labels.with_scale(Scale.parse(request.scale).values)
    if not len(labels):
        raise IrjudgeError(
            "{file} has no human judgments yet. Judge its pool, or merge returned files.",
            key="no-judgments",
            file=name,
        )
    notes = (*notes, *labels.warnings)
    if gold:
        labels = labels.with_gold(read_gold_labels(gold, rules=rules))
    return labels, notes


def label_rules(
    source: LabelSource, grades: GradeRules | None, scale: str | None = None
) -> GradeRules:
    """Return the rules `grades`, with added rules for the grade labels of a scale.

    This is the scale of the project or, for a table, the scale described by `scale`.
    """
    explicit_scale = Scale.parse(scale) if scale else None
    if isinstance(source, Project):
        explicit_scale = source.scale
    scale_grades = explicit_scale.grades if explicit_scale else ()
    grade_by_label = {grade.label: grade.value for grade in scale_grades if grade.label}
    return GradeRules.from_grades(grades).with_words(grade_by_label)


def find_uncounted_assessors(project: Project, excluded_assessors: Sequence[str]) -> set[str]:
    """Return the assessors of a project whose labels do not count.

    These are `excluded_assessors`, given by name, and the assessors whose judgments do not count in
    the project (see `list_counted_assessors`). Raises IrjudgeError for an unknown name.
    """
    ids = {name: id for id, name in make_display_names(project).items()}
    named_ids = [ids.get(name, name) for name in excluded_assessors]
    assessors = project.events.assessors()
    if unknown_names := sorted(set(named_ids) - set(assessors)):
        raise IrjudgeError(
            "There is no assessor {assessor!r} to exclude; expected one of {assessors}.",
            assessor=unknown_names[0],
            assessors=", ".join(assessors),
        )
    return {*named_ids, *(set(assessors) - set(list_counted_assessors(project)))}


def _read_project_labels(
    project: Project, request: LabelsRequest, progress: Progress, *, keep_repeats: bool
) -> tuple[Labels, tuple[str, ...]]:
    names, uncounted_assessors = (
        make_display_names(project),
        find_uncounted_assessors(project, request.leave_out),
    )
    if keep_repeats:
        gold = read_assigned_gold(project)
        labels = project_labels(
            project, excluded=uncounted_assessors, repeats=True, gold=gold, progress=progress
        )
        return rename_workers(labels, names), ()
    labels = build_vote_labels(project, progress, excluded=uncounted_assessors)
    test_count = len(list_test_pairs(project).intersection(labels.pairs or ()))
    note = Message(
        "Excluded gold items outside the pool: {documents}.",
        documents=format_count(test_count, "document"),
    )
    return rename_workers(labels, names), (note,) if test_count else ()


def _resolve_repeats(
    name: str, labels: Labels, repeats: Repeats, *, allows_votes: bool
) -> tuple[Labels, tuple[str, ...]]:
    """Select labels if workers labelled an item more than once; return the labels and a note.

    Raises IrjudgeError if `repeats` is `refuse`, or if it is `all` and `allows_votes` is False.
    """
    repeat_count = len(labels) - len(labels.latest())
    if not repeat_count:
        return labels, ()
    rows = format_count(repeat_count, "row")
    if repeats == "refuse":
        raise IrjudgeError(
            "{file}: repeated worker–item pairs: {rows}; choose with --repeats which label is "
            "used.",
            file=name,
            rows=rows,
        )
    if repeats == "all" and not allows_votes:
        raise IrjudgeError(
            "Agreement needs one label per worker and item; use --repeats all only for consensus."
        )
    note = Message(
        "{file}: {rows} with a repeated worker–item pair; {treatment} (--repeats {choice}).",
        file=name,
        rows=rows,
        treatment=REPEATS_MEAN[repeats],
        choice=repeats,
    )
    select_labels = {"last": labels.latest, "first": labels.earliest}.get(repeats, lambda: labels)
    return select_labels(), (note,)
