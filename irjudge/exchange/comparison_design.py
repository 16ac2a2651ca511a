"""Designs comparisons side by side: who is asked which question, in which order, and who stands left."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex

from irjudge.errors import IrjudgeError
from irjudge.exchange.assign import Assigned, Handout, check_people, hand_out
from irjudge.exchange.comparison_questions import ComparisonQuestion, ComparisonWish, questions_of
from irjudge.exchange.costs import ComparisonEstimate, pace_of, prices_of
from irjudge.exchange.people import Candidate
from irjudge.exchange.shares import Judge, Pair, share_out
from irjudge.exchange.task_file import IRTASK, FileForm
from irjudge.judging.queue import COMPARISONS
from irjudge.model.assignment import AssignedItem, Secret
from irjudge.progress import SILENT, Progress
from irjudge.stats.preference_design import balanced_sides
from irjudge.stats.sampling import SeededDraw
from irjudge.store.assignments import RULES, SIDE_KEY
from irjudge.store.project import Project

Share = list[tuple[AssignedItem, Secret]]
GAP = 10  # showings between a question and its repeat, where there are so many


def assign_comparison(
    project: Project,
    people: Sequence[Candidate],
    wish: ComparisonWish,
    folder: Path,
    *,
    deadline: str = "",
    form: FileForm = IRTASK,
    progress: Progress = SILENT,
) -> Assigned:
    """Design a comparison and write a file for each assessor; what somebody was asked before they are not asked again.

    `form` is that of the files.
    """
    check_people(project, people)
    files = Handout({}, wish.seed, {}, "side-by-side", deadline, people, form)
    return _compare(project, wish, [person.judge for person in people], folder, files, progress)


def compare_oneself(
    project: Project, wish: ComparisonWish, *, progress: Progress = SILENT
) -> Assigned:
    """Design a comparison for the owner of a project, who works in the project itself."""
    return _compare(
        project,
        wish,
        [Judge(project.owner)],
        None,
        Handout({}, wish.seed, {}, "side-by-side"),
        progress,
    )


def comparison_estimate(
    project: Project,
    people: Sequence[Candidate],
    wish: ComparisonWish,
    *,
    progress: Progress = SILENT,
) -> ComparisonEstimate:
    """Return what a comparison would take, drawn as it would be handed out; nothing is kept and nothing written."""
    check_people(project, people)
    questions, _ = questions_of(project, wish, progress)
    shares = design(
        questions,
        [person.judge for person in people],
        wish,
        SideChance(bytes(1), wish.seed, 0),
        asked=asked_before(project),
    )
    shown = {
        name: [item for item, _ in share if item.lists[0] != item.lists[1]]
        for name, share in shares.items()
    }
    items = [item for mine in shown.values() for item in mine]
    pairs = len({question.runs if question.runs[0] else question.pair for question in questions})
    documents = len(
        {document for item in items for contents in item.lists for document in contents}
    )
    counts = {name: len(mine) for name, mine in shown.items()}
    topics = len({item.topic for item in items})
    return ComparisonEstimate(
        topics,
        pairs,
        documents,
        len(items),
        counts,
        pace_of(project, COMPARISONS),
        prices_of(project),
    )


def _compare(
    project: Project,
    wish: ComparisonWish,
    judges: Sequence[Judge],
    folder: Path | None,
    files: Handout,
    progress: Progress,
) -> Assigned:
    """Share a comparison out; `files` is the handout as far as it is known before."""
    questions, remarks = questions_of(project, wish, progress)
    with project.transaction():
        number, secret = len(project.assignments.rounds()) + 1, side_secret(project)
        shares = design(
            questions,
            judges,
            wish,
            SideChance(secret, wish.seed, number),
            asked=asked_before(project),
        )
        wishes = {**asdict(wish), "mode": "side-by-side", RULES: wish.rules.as_json()}
        made = hand_out(project, replace(files, shares=shares, wishes=wishes), folder, progress)
    made.remarks = [*remarks, *made.remarks]
    return made


def side_secret(project: Project) -> bytes:
    """Return the secret from which sides are drawn; it is made when it is first asked for, and never leaves the project.

    A seed alone would not do: it has so few values that all can be tried on what stands in an assignment file.
    """
    known = project.fact(SIDE_KEY)
    if known is None:
        known = token_hex(32)
        project.set_fact(SIDE_KEY, known)
    return bytes.fromhex(known)


@dataclass(frozen=True, slots=True)
class SideChance:
    """Where chance about sides comes from: a secret, the seed that the organiser chose, and the number of the round."""

    secret: bytes
    seed: int
    number: int

    def drawn(self, *words: str, size: int = 8) -> bytes:
        """Return bytes that nobody can tell from chance who does not have the secret."""
        data = "\0".join((str(self.seed), str(self.number), *words)).encode()
        return blake2b(data, key=self.secret, digest_size=size).digest()

    def drawn_seed(self, *words: str) -> int:
        """Return a seed of 64 bits."""
        return int.from_bytes(self.drawn("seed", *words), "big")


def asked_before(project: Project) -> dict[str, set[tuple[str, frozenset[tuple[str, ...]]]]]:
    """Return what each assessor was asked to compare before: topic, and the two lists whatever their sides."""
    asked: dict[str, set[tuple[str, frozenset[tuple[str, ...]]]]] = {}
    for assignment in project.assignments.all():
        if assignment.mode == "side-by-side":
            items = project.assignments.items(assignment.code)
            asked.setdefault(assignment.assessor, set()).update(
                (item.topic, frozenset(item.lists)) for item in items
            )
    return asked


# Who is asked what, and who stands left


def design(
    questions: Sequence[ComparisonQuestion],
    judges: Sequence[Judge],
    wish: ComparisonWish,
    sides: SideChance,
    *,
    asked: Mapping[str, Iterable[tuple[str, frozenset[tuple[str, ...]]]]] | None = None,
) -> dict[str, Share]:
    """Share questions out and say what each assessor is shown, in order."""
    if not 1 <= wish.overlap <= len(judges):
        raise IrjudgeError(
            "The overlap must be between 1 and the number of assessors ({judges}), got {overlap}.",
            key="invalid-overlap",
            judges=len(judges),
            overlap=wish.overlap,
        )
    by_pair: dict[Pair, list[ComparisonQuestion]] = {}
    for question in questions:
        by_pair.setdefault(
            (question.topic, "") if wish.choice == "top" else question.pair, []
        ).append(question)
    had = {
        judge.name: {
            pair
            for pair, mine in by_pair.items()
            if all((each.topic, frozenset(each.lists)) in done for each in mine)
        }
        for judge in judges
        if (done := set((asked or {}).get(judge.name, ())))
    }
    draw = SeededDraw(sides.drawn_seed("shares"))
    shares = share_out(dict.fromkeys(by_pair, wish.overlap), judges, draw, has=had)
    if not any(shares.of.values()):
        raise IrjudgeError(
            "There is nothing new to compare: all of it was asked before.", key="all-compared"
        )
    mine = {
        name: [question for pair in pairs for question in by_pair[pair]]
        for name, pairs in shares.of.items()
    }
    return {name: _share(name, found, wish, sides) for name, found in mine.items()}


def _share(
    name: str, questions: Sequence[ComparisonQuestion], wish: ComparisonWish, sides: SideChance
) -> Share:
    """Return what one assessor is shown."""
    same = [question for question in questions if question.lists[0] == question.lists[1]]
    shown = [question for question in questions if question.lists[0] != question.lists[1]]
    made: Share = []
    if wish.choice:
        topics = SeededDraw(sides.drawn_seed("topics", name)).shuffled(
            list(dict.fromkeys(question.topic for question in shown))
        )
        blocks = [[question for question in shown if question.topic == topic] for topic in topics]
    else:
        blocks = [shown]
    repeats = 0.0 if wish.choice == "top" else min(1.0, wish.repeats / max(1, len(shown)))
    parts = [(same, 0.0), *((block, repeats) for block in blocks)]
    for place, (part, share) in enumerate(parts):
        made += _placed(
            part, share, sides.drawn_seed("sides", name, str(place)), _ids(name, sides, len(made))
        )
    return made


def _placed(
    questions: Sequence[ComparisonQuestion],
    repeats: float,
    seed: int,
    ids: Callable[[int], tuple[str, str]],
) -> Share:
    """Return questions with their sides, in the order shown."""
    if not questions:
        return []
    code = {
        pair: place
        for place, pair in enumerate(dict.fromkeys(question.runs for question in questions))
    }
    pairs = [code[question.runs] for question in questions]
    found = balanced_sides([0] * len(questions), pairs, seed=seed, repeats=repeats, gap=GAP)
    made: Share = []
    columns = zip(
        found.question.tolist(), found.first_left.tolist(), found.again.tolist(), strict=True
    )
    for place, (number, first_left, again) in enumerate(columns):
        question = questions[number]
        step = 1 if first_left else -1
        lists, runs = question.lists[::step], question.runs[::step]
        panel = bool(question.runs[0])
        item = AssignedItem(
            question.topic, lists, "panel" if panel else "pair", ids(place) if panel else ()
        )
        made.append((item, Secret("repeat" if again else "document", *runs)))
    return made


def _ids(name: str, sides: SideChance, first: int) -> Callable[[int], tuple[str, str]]:
    """Return what gives each panel the opaque ids of its sides."""

    def ids(place: int) -> tuple[str, str]:
        left, right = (
            sides.drawn("id", name, str(first + place), side).hex() for side in ("left", "right")
        )
        return left, right

    return ids
