"""Assignment of pools and comparisons from the options that an organiser set."""

from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

from irjudge.errors import IrjudgeError
from irjudge.exchange.assignment_plan import AssignmentOptions, Candidate, parse_candidates
from irjudge.exchange.assignments import (
    AssignmentReport,
    assign_pool,
    plan_assignment,
    reassign,
)
from irjudge.exchange.comparison_design import (
    DEFAULT_BUDGET,
    DEFAULT_DEPTH,
    Choice,
    ComparisonOptions,
    assign_comparison,
    estimate_comparison,
    pair_runs,
)
from irjudge.exchange.costs import CostEstimate, estimate_plan, measure_pace, read_prices
from irjudge.exchange.task_file import IRTASK_FORMAT, TaskFileFormat
from irjudge.message import Message
from irjudge.model import (
    DOCUMENT_REASONS,
    MAX_REASON_LENGTH,
    MAX_REASONS,
    PREFERENCE_REASONS,
    ComparisonRules,
    Mode,
    default_reasons,
    select_topics,
)
from irjudge.options import ONLY_HELP, FormField, Option, When, refuse_others
from irjudge.progress import SILENT, Progress
from irjudge.store import (
    DEFAULT_DOCUMENTS_PER_PAGE,
    MAX_DOCUMENTS_PER_PAGE,
    MIN_DOCUMENTS_PER_PAGE,
    Project,
)

# options that can be combined with `instead_of`
REASSIGNMENT_OPTIONS = ("assessors", "deadline", "output", "file_form", "page_images", "split")
MAX_FORM_DEPTH = 100  # maximum depth in the window's form; the command line has no maximum

# Options shared by assignments and sessions.

SIDE_BY_SIDE, GRADE = When("mode", ("side-by-side",)), When("mode", ("grade",))
ModeOption = Annotated[Mode, Option("Task of the assessors.", form=FormField("Task"))]
TopicsOption = Annotated[
    tuple[str, ...],
    Option(
        ONLY_HELP,
        flags=("--topic",),
        form=FormField(
            "Topics",
            tip=(
                "Topic ids separated by commas; 401-405 means all ids in that range. Leave "
                "empty for all topics."
            ),
            placeholder="all",
        ),
    ),
]
GoldFromOption = Annotated[
    str | None,
    Option(
        "Imported qrels with the gold grades. Default: the qrels imported first.",
        in_form=False,
    ),
]
SeveralOption = Annotated[
    int,
    Option(
        "Number of documents of a topic shown on one page "
        f"({MIN_DOCUMENTS_PER_PAGE} to {MAX_DOCUMENTS_PER_PAGE}), for short texts and products. "
        "Default: one document at a time.",
        minimum=0,
        maximum=MAX_DOCUMENTS_PER_PAGE,
        metavar="N",
        when=(GRADE,),
        form=FormField(
            "Documents shown",
            unit="several documents on one page",
            tip="For short texts and products: the documents of a topic are listed on one page.",
            value=DEFAULT_DOCUMENTS_PER_PAGE,
            advanced=True,
        ),
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRequest:
    """Options of side-by-side comparisons, shared by assignments and sessions.

    Runs, depth, choice of pairs of documents, and rules for answering are included; topics,
    overlap, repeats and seed are separate arguments of `resolve`, which returns the
    `ComparisonOptions` for a project. All pairs of `runs` (by default all runs of the project) are
    compared. Without `choice`, result lists are compared instead of pairs of documents.
    """

    runs: Annotated[
        tuple[str, ...],
        Option(
            "With --mode side-by-side: a run to compare; may be repeated. All pairs of runs "
            "are compared. Default: all runs.",
            flags=("--run",),
            when=(SIDE_BY_SIDE,),
            in_form=False,
        ),
    ] = ()
    depth: Annotated[
        int | None,
        Option(
            f"With --mode side-by-side: number of results per list. Default: {DEFAULT_DEPTH}.",
            minimum=1,
            when=(SIDE_BY_SIDE,),
            form=FormField(
                "Depth",
                unit="results per list",
                initial=DEFAULT_DEPTH,
                maximum=MAX_FORM_DEPTH,
            ),
        ),
    ] = None
    choice: Annotated[
        Choice | None,
        Option(
            "With --mode side-by-side: compare pairs of documents (all pairs, some pairs at "
            "random, or the pairs needed to find the top documents).",
            when=(SIDE_BY_SIDE,),
            in_form=False,
        ),
    ] = None
    budget: Annotated[
        int | None,
        Option(
            f"With --choice random: number of pairs of documents per topic. Default: {DEFAULT_BUDGET}.",
            minimum=1,
            when=(SIDE_BY_SIDE, When("choice", ("random",))),
            in_form=False,
        ),
    ] = None
    top: Annotated[
        int | None,
        Option(
            "With --choice top: number of top documents to find per topic. Default: 1.",
            minimum=1,
            when=(SIDE_BY_SIDE, When("choice", ("top",))),
            in_form=False,
        ),
    ] = None
    must_view: Annotated[
        bool,
        Option(
            "With --mode side-by-side: accept an answer only after each side has been scrolled "
            "to the end, or a result on it has been opened.",
            when=(SIDE_BY_SIDE,),
            in_form=False,
        ),
    ] = False
    grading: Annotated[
        bool,
        Option(
            "With --mode side-by-side: let assessors grade the results that they open.",
            when=(SIDE_BY_SIDE,),
            in_form=False,
        ),
    ] = False
    reasons: Annotated[
        tuple[str, ...],
        Option(
            "With --mode side-by-side: a reason that assessors can tick; may be repeated. "
            f"Default: {', '.join(PREFERENCE_REASONS)}; for two documents: {', '.join(DOCUMENT_REASONS)}.",
            flags=("--reason",),
            when=(SIDE_BY_SIDE,),
            in_form=False,
        ),
    ] = ()

    def __post_init__(self) -> None:
        if len(self.reasons) > MAX_REASONS:
            raise IrjudgeError(
                "At most {limit} reasons are allowed, got {count}.",
                limit=MAX_REASONS,
                count=len(self.reasons),
            )
        for reason in self.reasons:
            if len(reason) > MAX_REASON_LENGTH:
                raise IrjudgeError(
                    "A reason can have at most {limit} characters, got “{reason}”.",
                    limit=MAX_REASON_LENGTH,
                    reason=reason,
                )

    def resolve(
        self,
        project: Project,
        *,
        topics: tuple[str, ...],
        overlap: int,
        repeats: int = 0,
        seed: int | None = None,
    ) -> ComparisonOptions:
        """Return the options of a comparison for a project.

        If the request has no runs, all pairs of runs are compared.
        """
        default_texts = default_reasons(documents=self.choice is not None)
        names = self.runs or tuple(run.name for run in project.rankings.runs())
        best_count = (self.top or 1) if self.choice == "top" else 0
        return ComparisonOptions(
            runs=pair_runs(names),
            topics=topics,
            depth=self.depth or DEFAULT_DEPTH,
            overlap=overlap,
            repeats=repeats,
            seed=project.seed if seed is None else seed,
            rules=ComparisonRules(
                self.must_view, self.grading, self.reasons or default_texts, best_count
            ),
            choice=self.choice,
            budget=self.budget or DEFAULT_BUDGET,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignmentRequest:
    """Options of `irjudge assign`, as given by the organiser on the command line or in a form.

    They apply to assigning documents or comparisons (`mode`), to reassigning the unjudged
    documents of an assessor (`instead_of`), and to withdrawing the unreturned files of a round. The
    project is a separate argument; `output` is the folder for the assessors' files.
    """

    assessors: Annotated[
        str | None,
        Option(
            "Assessors: names separated by commas, or a table with the columns name, email, "
            "topics and most (the maximum number of pooled documents).",
            kind="name or file",
        ),
    ] = None
    overlap: Annotated[int, Option("Number of assessors per document.", minimum=1)] = 1
    share: Annotated[
        float,
        Option(
            "Percentage of documents that are judged by --overlap assessors; the other "
            "documents are judged by one assessor each.",
            above=0,
            maximum=100,
            show_default=False,
            when=(GRADE,),
        ),
    ] = 100.0
    gold: Annotated[
        float,
        Option(
            "Gold items per assessor: a number, or a percentage of the documents per assessor, "
            "such as 5%. They are chosen at random from the assessor's topics, in turn from each "
            "grade. Provide clear cases of every grade, judged by an expert.",
            kind="number or share",
            when=(GRADE,),
        ),
    ] = 0
    gold_from: GoldFromOption = None
    qualification: Annotated[
        int,
        Option("Number of gold items at the start of each assignment.", minimum=0, when=(GRADE,)),
    ] = 0
    repeats: Annotated[
        int,
        Option(
            "Number of repeat items per assessor; with --mode side-by-side, number of repeated "
            "comparisons per assessor.",
            minimum=0,
        ),
    ] = 0
    deadline: Annotated[
        str | None, Option("Deadline shown to the assessors: a date such as 2026-03-01.")
    ] = None
    mode: ModeOption = "grade"
    topics: TopicsOption = ()
    comparison: ComparisonRequest = field(default_factory=ComparisonRequest)
    preview: Annotated[
        bool,
        Option(
            "Preview the assignments and the amount of work, without storing or writing anything."
        ),
    ] = False
    seed: Annotated[
        int | None,
        Option("Random seed. Default: the project's seed, which cannot be guessed."),
    ] = None
    instead_of: Annotated[
        str | None,
        Option(
            "Reassign this assessor's unjudged documents to the other assessors, or to "
            "those given by --assessors."
        ),
    ] = None
    output: Annotated[
        Path | None,
        Option("Folder in which the assessors' files are created.", flags=("-o", "--output")),
    ] = None
    file_form: Annotated[
        Literal["irtask", "html"],
        Option(
            "Format of the assessors' files. irtask: for irjudge; html: for any desktop "
            "browser, without installation or network.",
            flags=("--as",),
        ),
    ] = "irtask"
    page_images: Annotated[
        bool,
        Option(
            "Show assessors the pages of PDF documents: the assessors' files contain the "
            "PDFs or, with --as html, images of the first 20 pages of each."
        ),
    ] = False
    split: Annotated[
        int,
        Option(
            "Maximum number of topics per file; assessors with more topics get several files.",
            minimum=0,
        ),
    ] = 0
    several: SeveralOption = 0
    withdraw_round: Annotated[
        int | None,
        Option(
            "Withdraw the files of this round that were not returned with judgments. This option "
            "cannot be combined with others.",
            minimum=1,
        ),
    ] = None

    def check_combination(self) -> None:
        """Raise IrjudgeError if an option would have no effect.

        Withdrawing a round has no other options; reassigning has few.
        """
        if self.withdraw_round is not None:
            refuse_others(self, "withdraw_round", ())
        elif self.instead_of:
            refuse_others(self, "instead_of", REASSIGNMENT_OPTIONS)

    def read_candidates(self) -> tuple[Candidate, ...]:
        """Return the assessors to whom work will be assigned; raise IrjudgeError if there are none.

        The result may be empty if the work of one assessor is reassigned.
        """
        if not self.assessors and not self.instead_of:
            raise IrjudgeError(
                "No assessors were given; use --assessors ann,bob or --assessors FILE.",
                key="no-assessors",
            )
        return parse_candidates(self.assessors) if self.assessors else ()

    def check_deadline(self) -> tuple[str, ...]:
        """Return a warning if the deadline has passed; raise IrjudgeError if it is not a date."""
        if not self.deadline:
            return ()
        try:
            deadline = date.fromisoformat(self.deadline)
        except ValueError as error:
            raise IrjudgeError(
                "Cannot read the deadline {value!r}; expected a date such as 2026-03-01.",
                value=self.deadline,
            ) from error
        if deadline >= date.today():  # noqa: DTZ011 -- deadlines are local dates
            return ()
        return (
            Message("The deadline {deadline} has already passed.", deadline=deadline.isoformat()),
        )

    def resolve(self, project: Project) -> AssignmentOptions:
        """Return the options for assigning the pool of a project."""
        return AssignmentOptions(
            overlap=self.overlap,
            share=self.share / 100,
            gold=self.gold,
            repeats=self.repeats,
            qualification=self.qualification,
            seed=project.seed if self.seed is None else self.seed,
            topics=self._select_topics(project),
            several=self.several,
        )

    def resolve_comparison(self, project: Project) -> ComparisonOptions:
        """Return the options for comparing runs or documents of a project."""
        return self.comparison.resolve(
            project,
            topics=self._select_topics(project),
            overlap=self.overlap,
            repeats=self.repeats,
            seed=self.seed,
        )

    def _select_topics(self, project: Project) -> tuple[str, ...]:
        topic_ids = [topic.id for topic in project.collection.topics()]
        return select_topics(",".join(self.topics), topic_ids)


@dataclass(frozen=True, slots=True)
class AssignmentPreview:
    """Result of `preview_assignment`: the estimated effort of an assignment, and warnings.

    The assignments are not part of it; nothing is stored or written.
    """

    estimate: CostEstimate
    warnings: tuple[str, ...] = ()


def assign(
    project: Project,
    request: AssignmentRequest,
    *,
    file_format: TaskFileFormat = IRTASK_FORMAT,
    progress: Progress = SILENT,
) -> AssignmentReport:
    """Assign the pool of a project, or comparisons of its runs, with one file for each assessor.

    Pairs and questions that an assessor was assigned before are not assigned again. With
    `request.instead_of` the unjudged pairs of one assessor are reassigned.

    Parameters
    ----------
    project
        Project, open for writing.
    request
        Options; `request.output` is the folder of the files.
    file_format
        Format of the files, from `irjudge.web.choose_file_format`.

    Raises
    ------
    IrjudgeError
        If options contradict each other, the folder or the assessors are missing, a topic, run or
        assessor is unknown, or there is nothing to assign.

    Examples
    --------
    >>> AssignmentRequest(assessors="ann, bob").read_candidates()[1].name
    'bob'
    >>> AssignmentRequest(deadline="soon").check_deadline()
    Traceback (most recent call last):
    irjudge.errors.IrjudgeError: Cannot read the deadline 'soon'; expected a date such as 2026-03-01.
    """
    request.check_combination()
    if request.output is None:
        raise IrjudgeError(
            "The folder for the files is missing; give one with -o FOLDER.", key="no-folder"
        )
    warnings, candidates = request.check_deadline(), request.read_candidates()
    arguments: dict[str, Any] = {
        # the date is normalised to YYYY-MM-DD, since deadlines are compared as texts
        "deadline": date.fromisoformat(request.deadline).isoformat() if request.deadline else "",
        "file_format": file_format,
        "progress": progress,
    }
    if request.instead_of:
        report = reassign(
            project, request.instead_of, request.output, assessors=candidates, **arguments
        )
    elif request.mode == "side-by-side":
        comparison_options = request.resolve_comparison(project)
        report = assign_comparison(
            project, candidates, comparison_options, request.output, **arguments
        )
    else:
        report = assign_pool(
            project,
            candidates,
            request.resolve(project),
            request.output,
            gold_from=request.gold_from,
            **arguments,
        )
    return replace(report, warnings=(*warnings, *report.warnings))


def preview_assignment(
    project: Project,
    request: AssignmentRequest,
    *,
    file_format: TaskFileFormat = IRTASK_FORMAT,
    progress: Progress = SILENT,
) -> AssignmentPreview:
    """Estimate the effort of the assignment that `assign` would make; store and write nothing."""
    replace(request, preview=True).check_combination()
    warnings, candidates = request.check_deadline(), request.read_candidates()
    if request.mode == "side-by-side":
        comparison_options = request.resolve_comparison(project)
        work_estimate, comparison_warnings = estimate_comparison(
            project, candidates, comparison_options, progress=progress
        )
        return AssignmentPreview(work_estimate, (*warnings, *comparison_warnings))
    plan, _ = plan_assignment(
        project, candidates, request.resolve(project), gold_from=request.gold_from
    )
    pages = file_format.page_images(project, plan) if file_format.page_images else None
    estimate = estimate_plan(plan, measure_pace(project), read_prices(project), pages)
    return AssignmentPreview(estimate, (*warnings, *plan.warnings))
