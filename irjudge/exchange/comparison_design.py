"""Design of side-by-side comparisons: assignment to assessors, order, and left and right sides."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from itertools import accumulate, combinations
from pathlib import Path
from secrets import token_hex
from typing import Literal

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.exchange.assignment_plan import Candidate, PlanAssessor, distribute_pairs
from irjudge.exchange.assignments import (
    AssignmentReport,
    AssignmentRound,
    resolve_assessors,
    write_round,
)
from irjudge.exchange.costs import ComparisonEstimate, measure_pace, read_prices
from irjudge.exchange.task_file import IRTASK_FORMAT, TaskFileFormat
from irjudge.judging import COMPARISONS, get_ledger
from irjudge.message import Message
from irjudge.model import AssignedItem, ComparisonRules, OrganiserNote, Pair, top_documents_by_topic
from irjudge.progress import SILENT, Progress
from irjudge.stats import HashOrder, balance_sides, random_pairs, shuffled_pairs
from irjudge.store import COMPARISON_RULES, SIDE_KEY, Project

# Questions

DEFAULT_DEPTH = 10
DEFAULT_BUDGET = 20  # default number of pairs of documents per topic
Choice = Literal["all", "random", "top"]
MAX_DOCUMENTS_PER_TOPIC = 200  # maximum number of documents per topic if documents are compared


@dataclass(frozen=True, slots=True)
class ComparisonOptions:
    """Options of a comparison, in which assessors compare runs or documents side by side.

    By default, each question shows the result lists of two runs for a topic. With `choice`, a
    question shows two documents from the top results of the runs. `rules` are the rules for
    answering, such as whether documents can be graded. Assessors and project are separate
    arguments.
    """

    # pairs of runs to compare; with `choice`, the documents of these runs are compared
    runs: tuple[tuple[str, str], ...]
    topics: tuple[str, ...] = ()  # ids of the topics; empty for all topics of the runs
    depth: int = DEFAULT_DEPTH  # maximum number of top documents of each run
    overlap: int = 1  # number of assessors per question, 1 or more
    # number of questions that each assessor answers again, with left and right swapped; there are no
    # repeats if `choice` is `top`
    repeats: int = 0
    # seed of all random choices; except for the selection of documents, it is combined with a secret
    # of the project
    seed: int = 0
    rules: ComparisonRules = field(default_factory=ComparisonRules)
    # selection of pairs of documents to compare; None to compare the result lists of runs. `all`:
    # every pair of a topic; `random`: `budget` pairs; `top`: as many pairs as are needed to find
    # the `rules.top` best documents.
    choice: Choice | None = None
    budget: int = 20  # number of pairs of documents per topic, for `random`


@dataclass(frozen=True, slots=True)
class ComparisonQuestion:
    """Question of a comparison: two lists of documents for a topic, and their runs.

    If two documents are compared, each list has one document, and the run names are empty.
    Which list is shown on the left is chosen later, for each assessor. The two lists can be
    identical, and one of them can be empty.
    """

    topic: str
    lists: tuple[tuple[str, ...], tuple[str, ...]]
    runs: tuple[str, str] = ("", "")

    @property
    def documents(self) -> tuple[str, ...]:
        """All documents of the question; those of the first list come first."""
        return self.lists[0] + self.lists[1]

    @property
    def pair(self) -> Pair:
        """Key by which `distribute_pairs` identifies the question."""
        return self.topic, "\0".join(self.runs if self.runs[0] else self.documents)


def sample_topics(project: Project, runs: Sequence[str], count: int, seed: int) -> tuple[str, ...]:
    """Return a random sample of `count` of the project's topics that at least one run has.

    The topics are in the order of the project. The result is empty, which means all topics of the
    runs, if these have at most `count` topics.
    """
    run_topics = {topic for name in runs for topic in project.rankings.run(name).topics}
    topics = [topic.id for topic in project.collection.topics() if topic.id in run_topics]
    if count >= len(topics):
        return ()
    sampled_topics = set(HashOrder(seed).shuffle(topics, "compared")[:count])
    return tuple(topic for topic in topics if topic in sampled_topics)


def pair_runs(runs: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return all pairs of runs.

    >>> pair_runs(["a", "b", "c"])
    (('a', 'b'), ('a', 'c'), ('b', 'c'))
    """
    return tuple(combinations(runs, 2))


def list_questions(
    project: Project, options: ComparisonOptions, progress: Progress = SILENT
) -> tuple[list[ComparisonQuestion], list[str]]:
    """Return the questions of a comparison, ordered by topic, and warnings."""
    _check_options(project, options)
    top_documents_by_run, documents_without_text = _read_top_documents(project, options, progress)
    topics = options.topics or tuple(
        dict.fromkeys(
            topic for topic_lists in top_documents_by_run.values() for topic in topic_lists
        )
    )
    questions: list[ComparisonQuestion] = []
    for topic in topics:
        lists = {
            run: topic_lists.get(topic, ()) for run, topic_lists in top_documents_by_run.items()
        }
        questions += (
            _make_document_questions(topic, lists, options)
            if options.choice
            else _make_run_questions(topic, lists, options)
        )
    if not questions:
        raise IrjudgeError(
            "There is nothing to compare: none of the top documents of these runs has a text."
        )
    warnings: list[str] = []
    if documents_without_text:
        names = ", ".join(sorted(documents_without_text)[:5])
        warnings.append(
            Message(
                "Documents removed from the lists because they have no text: {count:,} (for "
                "example {examples}).",
                key="documents-without-text",
                count=len(documents_without_text),
                examples=names,
            )
        )
    identical_count = sum(question.lists[0] == question.lists[1] for question in questions)
    if identical_count:
        warnings.append(
            Message(
                "Comparisons of identical lists, recorded without being shown: {count:,} of "
                "{total:,}.",
                key="identical-lists",
                count=identical_count,
                total=len(questions),
            )
        )
    return questions, warnings


def _check_options(project: Project, options: ComparisonOptions) -> None:
    if not options.runs or any(first == second for first, second in options.runs):
        raise IrjudgeError("A comparison needs two different runs; name both.", key="no-two-runs")
    if options.depth < 1 or options.overlap < 1:
        raise IrjudgeError(
            "Depth and overlap must be at least 1, got {depth} and {overlap}.",
            key="invalid-depth",
            depth=options.depth,
            overlap=options.overlap,
        )
    if options.repeats < 0:
        raise IrjudgeError(
            "The number of repeats must be 0 or more, got {repeats}.",
            key="negative-repeats",
            repeats=options.repeats,
        )
    if options.choice == "top" and options.rules.top < 1:
        raise IrjudgeError(
            "To find the top documents, give the number of documents to find, at least 1.",
            key="no-number",
        )
    run_names = {run.name for run in project.rankings.runs()}
    missing_run = next((run for pair in options.runs for run in pair if run not in run_names), None)
    if missing_run is not None:
        raise ProjectError(
            "The project has no run {run}; available: {runs}.",
            key="unknown-run",
            run=missing_run,
            runs=", ".join(sorted(run_names)) or Message("none"),
        )


def _read_top_documents(
    project: Project, options: ComparisonOptions, progress: Progress
) -> tuple[dict[str, dict[str, tuple[str, ...]]], set[str]]:
    """Return the top documents with a text, by run and topic, and the ids of those without text."""
    names = list(dict.fromkeys(run for pair in options.runs for run in pair))
    top_documents_by_run: dict[str, dict[str, tuple[str, ...]]] = {}
    documents_without_text: set[str] = set()
    for name in progress.track(names, Message("Reading the runs")):
        run = project.rankings.run(name)
        topics = options.topics or run.topics
        documents_by_topic = top_documents_by_topic(run, options.depth, topics=topics)
        top_by_topic = {
            topic: documents_by_topic[topic] for topic in topics if topic in documents_by_topic
        }
        without_text = set(
            project.collection.without_text(
                list({document for documents in top_by_topic.values() for document in documents})
            )
        )
        top_documents_by_run[name] = {
            topic: tuple(document for document in documents if document not in without_text)
            for topic, documents in top_by_topic.items()
        }
        documents_without_text |= without_text
    unknown_topics = [
        topic
        for topic in options.topics
        if not any(topic in top_by_topic for top_by_topic in top_documents_by_run.values())
    ]
    if unknown_topics:
        raise IrjudgeError(
            "None of the runs has the topic {topic}.",
            key="unknown-topic",
            topic=unknown_topics[0],
        )
    return top_documents_by_run, documents_without_text


def _make_run_questions(
    topic: str, lists: Mapping[str, tuple[str, ...]], options: ComparisonOptions
) -> list[ComparisonQuestion]:
    questions = (
        ComparisonQuestion(topic, (lists[first], lists[second]), (first, second))
        for first, second in options.runs
    )
    return [question for question in questions if question.documents]


def _make_document_questions(
    topic: str, lists: Mapping[str, tuple[str, ...]], options: ComparisonOptions
) -> list[ComparisonQuestion]:
    """Return questions that compare pairs of the runs' top documents.

    The order of the questions does not depend on ranks.
    """
    names = sorted({document for documents in lists.values() for document in documents})
    if len(names) > MAX_DOCUMENTS_PER_TOPIC:
        raise IrjudgeError(
            "Topic {topic} has {count:,} documents to compare in pairs; at most "
            "{limit} are possible. Lower the depth.",
            topic=topic,
            count=len(names),
            limit=MAX_DOCUMENTS_PER_TOPIC,
        )
    seed = int.from_bytes(
        blake2b(f"{options.seed}\0{topic}".encode(), digest_size=8).digest(), "big"
    )
    if len(names) < 2:
        return []
    document_pairs = (
        random_pairs(len(names), options.budget, seed=seed)
        if options.choice == "random"
        else shuffled_pairs(len(names), seed=seed)
    )
    return [
        ComparisonQuestion(topic, ((names[first],), (names[second],)))
        for first, second in document_pairs.tolist()
    ]


# Assignment

ComparisonShare = list[tuple[AssignedItem, OrganiserNote]]
# minimum number of questions between a question and its repeat, if there are enough questions
MIN_REPEAT_GAP = 10


def assign_comparison(
    project: Project,
    candidates: Sequence[Candidate],
    options: ComparisonOptions,
    folder: Path,
    *,
    deadline: str = "",
    file_format: TaskFileFormat = IRTASK_FORMAT,
    progress: Progress = SILENT,
) -> AssignmentReport:
    """Design a comparison, store it as a round, and write a file for each assessor.

    No assessor gets a question that was already assigned to this assessor.
    """
    candidates = resolve_assessors(project, candidates)
    files = AssignmentRound({}, options.seed, {}, "side-by-side", deadline, candidates, file_format)
    return _assign_comparison(
        project,
        options,
        [candidate.to_plan_assessor() for candidate in candidates],
        folder,
        files,
        progress,
    )


def assign_comparison_to_owner(
    project: Project, options: ComparisonOptions, *, progress: Progress = SILENT
) -> AssignmentReport:
    """Design a comparison for the owner and store it; the owner judges in the project file."""
    return _assign_comparison(
        project,
        options,
        [PlanAssessor(project.owner)],
        None,
        AssignmentRound({}, options.seed, {}, "side-by-side"),
        progress,
    )


def estimate_comparison(
    project: Project,
    candidates: Sequence[Candidate],
    options: ComparisonOptions,
    *,
    progress: Progress = SILENT,
) -> tuple[ComparisonEstimate, list[str]]:
    """Estimate the effort of a comparison and return warnings; nothing is stored or written."""
    candidates = resolve_assessors(project, candidates)
    questions, warnings = list_questions(project, options, progress)
    shares = design_comparison(
        questions,
        [candidate.to_plan_assessor() for candidate in candidates],
        options,
        ComparisonRandomizer(bytes(1), options.seed, 0),
        asked_questions=list_asked_questions(project),
    )
    items_by_assessor = {
        name: [item for item, _ in questions_of_assessor if item.lists[0] != item.lists[1]]
        for name, questions_of_assessor in shares.items()
    }
    items = [item for assessor_items in items_by_assessor.values() for item in assessor_items]
    pairs = len({question.runs if question.runs[0] else question.pair for question in questions})
    documents = len(
        {document for item in items for contents in item.lists for document in contents}
    )
    counts = {name: len(assessor_items) for name, assessor_items in items_by_assessor.items()}
    topics = len({item.topic for item in items})
    estimate = ComparisonEstimate(
        topics,
        pairs,
        documents,
        len(items),
        counts,
        measure_pace(project, COMPARISONS),
        read_prices(project),
    )
    return estimate, warnings


def _assign_comparison(
    project: Project,
    options: ComparisonOptions,
    assessors: Sequence[PlanAssessor],
    folder: Path | None,
    files: AssignmentRound,
    progress: Progress,
) -> AssignmentReport:
    questions, warnings = list_questions(project, options, progress)
    round_number, secret = len(project.assignments.rounds()) + 1, read_side_secret(project)
    shares = design_comparison(
        questions,
        assessors,
        options,
        ComparisonRandomizer(secret, options.seed, round_number),
        asked_questions=list_asked_questions(project),
    )
    round_options = {
        **asdict(options),
        "mode": "side-by-side",
        COMPARISON_RULES: options.rules.as_json(),
    }
    written_files = write_round(
        project, replace(files, shares=shares, options=round_options), folder, progress
    )
    warnings += _warn_of_missing_repeats(shares, options)
    return replace(written_files, warnings=(*warnings, *written_files.warnings))


def _warn_of_missing_repeats(
    shares: Mapping[str, ComparisonShare], options: ComparisonOptions
) -> list[str]:
    """Return a warning for each assessor who has fewer repeat items than requested."""
    if options.repeats and options.choice == "top":
        return [
            Message(
                "There are no repeat items: a search for the top documents cannot have any.",
                key="no-repeats",
            )
        ]
    repeat_counts = {
        name: sum(note.role == "repeat" for _, note in share) for name, share in shares.items()
    }
    return [
        Message(
            "{assessor} has too few repeat items ({count} instead of {expected}): this assessor "
            "has too few questions.",
            key="too-few-repeats",
            assessor=name,
            count=count,
            expected=options.repeats,
        )
        for name, count in repeat_counts.items()
        if shares[name] and count < options.repeats
    ]


def read_side_secret(project: Project) -> bytes:
    """Return the project's secret that determines left and right; create it if necessary.

    The secret is never exported. A seed alone would not be enough, because an assessor could try
    all seeds on an assignment file.
    """
    stored_secret = project.get_setting(SIDE_KEY)
    if stored_secret is None:
        stored_secret = token_hex(32)
        project.set_setting(SIDE_KEY, stored_secret)
    return bytes.fromhex(stored_secret)


@dataclass(frozen=True, slots=True)
class ComparisonRandomizer:
    """Source of random bytes for the design of a comparison: shares, order, sides and ids.

    The bytes depend on a secret, a seed, and the number of the round or session. Equal arguments of
    `draw_bytes` result in equal bytes.
    """

    secret: bytes  # secret of the project or the session; in a preview, a constant
    seed: int  # seed in the options; 0 in a session
    number: int  # number of the round or session; 0 in a preview

    def draw_bytes(self, *parts: str, size: int = 8) -> bytes:
        """Return `size` bytes for a purpose, `parts`; unpredictable without the secret."""
        data = "\0".join((str(self.seed), str(self.number), *parts)).encode()
        return blake2b(data, key=self.secret, digest_size=size).digest()

    def draw_seed_for(self, *parts: str) -> int:
        """Return a 64-bit seed for a purpose, `parts`; unpredictable without the secret."""
        return int.from_bytes(self.draw_bytes("seed", *parts), "big")


def list_asked_questions(
    project: Project,
) -> dict[str, set[tuple[str, frozenset[tuple[str, ...]]]]]:
    """Return the questions already assigned to each assessor, as topic and set of lists.

    The lists are a set, because it does not matter which of them was on the left. Of a withdrawn
    assignment, only the answered questions are included.
    """
    questions_by_assessor: dict[str, set[tuple[str, frozenset[tuple[str, ...]]]]] = {}
    for assignment in project.assignments.all():
        if assignment.mode == "side-by-side":
            ledger = get_ledger(project, assignment.assessor)
            questions_by_assessor.setdefault(assignment.assessor, set()).update(
                (item.topic, frozenset(item.lists))
                for item in project.assignments.items(assignment.code)
                if not assignment.withdrawn
                or ledger.judgment((item.topic, item.documents, 1)) is not None
            )
    return questions_by_assessor


# Design


def design_comparison(
    questions: Sequence[ComparisonQuestion],
    assessors: Sequence[PlanAssessor],
    options: ComparisonOptions,
    randomizer: ComparisonRandomizer,
    *,
    asked_questions: Mapping[str, Iterable[tuple[str, frozenset[tuple[str, ...]]]]] | None = None,
) -> dict[str, ComparisonShare]:
    """Distribute questions to assessors; return each assessor's items in presentation order."""
    if not 1 <= options.overlap <= len(assessors):
        raise IrjudgeError(
            "The overlap must be between 1 and the number of assessors ({assessors}), got {overlap}.",
            key="invalid-overlap",
            assessors=len(assessors),
            overlap=options.overlap,
        )
    questions_by_pair: dict[Pair, list[ComparisonQuestion]] = {}
    for question in questions:
        questions_by_pair.setdefault(
            (question.topic, "") if options.choice == "top" else question.pair, []
        ).append(question)
    earlier_pairs = {
        assessor.name: {
            pair
            for pair, pair_questions in questions_by_pair.items()
            if all(
                (question.topic, frozenset(question.lists)) in earlier_questions
                for question in pair_questions
            )
        }
        for assessor in assessors
        if (earlier_questions := set((asked_questions or {}).get(assessor.name, ())))
    }
    draw = HashOrder(randomizer.draw_seed_for("shares"))
    shares = distribute_pairs(
        dict.fromkeys(questions_by_pair, options.overlap),
        assessors,
        draw,
        assigned_pairs=earlier_pairs,
    )
    if not any(shares.by_assessor.values()):
        raise IrjudgeError(
            "There is nothing new to compare: all questions have already been asked.",
            key="all-compared",
        )
    pair_questions = {
        name: [question for pair in pairs for question in questions_by_pair[pair]]
        for name, pairs in shares.by_assessor.items()
    }
    return {
        name: _design_share(name, questions_of_assessor, options, randomizer)
        for name, questions_of_assessor in pair_questions.items()
    }


def _design_share(
    name: str,
    questions: Sequence[ComparisonQuestion],
    options: ComparisonOptions,
    randomizer: ComparisonRandomizer,
) -> ComparisonShare:
    """Return the items of one assessor in presentation order, with left and right lists."""
    identical_list_questions = [
        question for question in questions if question.lists[0] == question.lists[1]
    ]
    differing_list_questions = [
        question for question in questions if question.lists[0] != question.lists[1]
    ]
    items: ComparisonShare = []
    if options.choice:
        questions_by_topic: dict[str, list[ComparisonQuestion]] = {}
        for question in differing_list_questions:
            questions_by_topic.setdefault(question.topic, []).append(question)
        draw = HashOrder(randomizer.draw_seed_for("topics", name))
        blocks = [questions_by_topic[topic] for topic in draw.shuffle([*questions_by_topic])]
    else:
        blocks = [differing_list_questions]
    total = len(differing_list_questions)
    repeats = 0 if options.choice == "top" else min(options.repeats, total)
    ends = [*accumulate(len(block) for block in blocks)]
    starts = [0, *ends[:-1]]
    # the difference of two rounded numbers, so that the sum over all blocks is `repeats`
    repeat_shares = [
        (repeats * end // total - repeats * start // total) / (end - start) if end > start else 0.0
        for start, end in zip(starts, ends, strict=True)
    ]
    parts = [(identical_list_questions, 0.0), *zip(blocks, repeat_shares, strict=True)]
    for index, (part_questions, repeat_share) in enumerate(parts):
        items += _assign_left_right(
            part_questions,
            repeat_share,
            randomizer.draw_seed_for("sides", name, str(index)),
            _make_id_function(name, randomizer, len(items)),
        )
    return items


def _assign_left_right(
    questions: Sequence[ComparisonQuestion],
    repeats: float,
    seed: int,
    make_ids: Callable[[int], tuple[str, str]],
) -> ComparisonShare:
    """Return items for the questions and repeats, with balanced left and right lists.

    The items are in the order of presentation.
    """
    if not questions:
        return []
    pair_codes = {
        pair: index
        for index, pair in enumerate(dict.fromkeys(question.runs for question in questions))
    }
    question_codes = [pair_codes[question.runs] for question in questions]
    balanced_sides = balance_sides(
        [0] * len(questions), question_codes, seed=seed, repeats=repeats, gap=MIN_REPEAT_GAP
    )
    items: ComparisonShare = []
    columns = zip(
        balanced_sides.question.tolist(),
        balanced_sides.first_left.tolist(),
        balanced_sides.is_repeat.tolist(),
        strict=True,
    )
    for index, (question_index, first_left, is_repeat) in enumerate(columns):
        question = questions[question_index]
        step = 1 if first_left else -1
        lists, runs = question.lists[::step], question.runs[::step]
        is_panel = bool(question.runs[0])
        item = AssignedItem(
            question.topic,
            lists,
            "panel" if is_panel else "pair",
            make_ids(index) if is_panel else (),
        )
        items.append((item, OrganiserNote("repeat" if is_repeat else "document", *runs)))
    return items


def _make_id_function(
    name: str, randomizer: ComparisonRandomizer, first_number: int
) -> Callable[[int], tuple[str, str]]:
    """Return a function that makes opaque ids for the left and the right list of a panel.

    The argument of the returned function is the index of the panel.
    """

    def ids(index: int) -> tuple[str, str]:
        left_ids, right_ids = (
            randomizer.draw_bytes("id", name, str(first_number + index), side).hex()
            for side in ("left", "right")
        )
        return left_ids, right_ids

    return ids
