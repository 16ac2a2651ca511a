"""Exercises with choices, drawn from any topic by a seed: one choice is right by the working of the measure itself."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from random import Random

from irjudge.errors import IrjudgeError
from irjudge.evaluation.lessons.exercise import Place, Posed, one_measure, written_moves
from irjudge.evaluation.what_if import Trial, trial_of
from irjudge.message import Message
from irjudge.metrics.basis.working import number
from irjudge.model.exercise import Exercise, Target
from irjudge.model.labels import make_labels
from irjudge.model.ranking import Qrels, Run
from irjudge.stats.agreement.estimates import agreement

RANKS = 8  # of a ranking that are shown, and computed with
CHOICES = 4
LETTERS = "abcd"
CLEAR = 0.002  # by which values differ that a student is to tell apart
MEASURES = ("P@3", "P@5", "R@8", "AP", "RR", "nDCG@5", "nDCG@8", "RBP(p=0.8)")
WORKED = (
    "AP",
    "DCG@8",
    "RBP(p=0.8)",
    "nDCG@8",
)  # those with columns on the way, the first that fits
DECIMALS = 4  # of what is shown in a working
COUNTED = (12, 30)  # how few and how many documents a table of two assessors has


@dataclass(frozen=True, slots=True)
class Drill:
    """A question of which exactly one choice is the answer."""

    # of what it was made
    kind: str
    topic: str
    seed: int
    run: str
    measure: str
    question: str
    # the table that is looked at
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    choices: tuple[str, ...]  # as `LETTERS` names them
    right: int  # the place of the answer among the choices
    working: tuple[str, ...]  # why it is the answer

    @property
    def exercise(self) -> Exercise:
        """The same for the file of answers."""
        return Exercise(
            f"{self.kind} {self.seed}", self.topic, self.measure, self.run, self.question
        )

    def check(self, letter: str) -> bool:
        """Tell whether a choice is the answer; IrjudgeError when it is no choice."""
        place = LETTERS.find(letter.strip().casefold()) if len(letter.strip()) == 1 else -1
        if not 0 <= place < len(self.choices):
            known = ", ".join(LETTERS[: len(self.choices)])
            raise IrjudgeError(
                "{letter!r} is no choice of this exercise, expected one of {known}.",
                letter=letter[:20],
                known=known,
            )
        return place == self.right


@dataclass(frozen=True, slots=True)
class Source:
    """What drills are made of: one topic as several runs rank it."""

    topic: str
    trials: Mapping[
        str, Trial
    ]  # the first `RANKS` documents of each run that has the topic, by its name

    @property
    def first(self) -> Trial:
        """The ranking of the first run."""
        return next(iter(self.trials.values()))


def source_of(
    qrels: Qrels, runs: Mapping[str, Run], topic: str, highest: int | None = None
) -> Source:
    """Return a topic for drills; IrjudgeError when the topic has no qrels, or no run ranks anything for it."""
    if topic not in qrels.topics:
        raise IrjudgeError("There are no qrels of topic {topic}.", key="no-qrels", topic=topic)
    ranked = {
        name: trial_of(qrels, run, topic, highest=highest)
        for name, run in runs.items()
        if topic in run.topics
    }
    if not ranked:
        raise IrjudgeError(
            "No run ranks documents for topic {topic}.", key="no-ranking", topic=topic
        )
    return Source(
        topic,
        {name: replace(trial, documents=trial.documents[:RANKS]) for name, trial in ranked.items()},
    )


def drill(kind: str, source: Source, seed: int) -> Drill:
    """Make an exercise of a kind; the same seed makes the same one on any machine.

    IrjudgeError when the kind is not known, or the topic does not fit it.
    """
    if kind not in DRILLS:
        raise IrjudgeError(
            "There is no exercise of the kind {kind!r}, expected one of {kinds}.",
            kind=kind,
            kinds=", ".join(DRILLS),
        )
    return DRILLS[kind].make(source, seed, Random(f"{kind}/{source.topic}/{seed}"))


def drill_of_any(
    kind: str, qrels: Qrels, runs: Mapping[str, Run], seed: int, highest: int | None = None
) -> Drill:
    """Make an exercise of the first topic that fits its kind, in an order that the seed draws.

    IrjudgeError when the kind is not known, or no topic fits it.
    """
    topics = [topic for topic in qrels.topics if any(topic in run.topics for run in runs.values())]
    fault = IrjudgeError("No topic has qrels and a ranking.")
    for topic in Random(f"{kind}/{seed}").sample(topics, len(topics)):
        try:
            return drill(kind, source_of(qrels, runs, topic, highest), seed)
        except IrjudgeError as found:
            fault = found
    raise fault


def _fits_not(source: Source, why: str) -> IrjudgeError:
    return IrjudgeError(
        "Topic {topic} does not fit: {why}. Choose another topic.", topic=source.topic, why=why
    )


def _mixed(random: Random, right: str, wrong: Sequence[str]) -> tuple[tuple[str, ...], int]:
    """Return choices in an order that is drawn, and the place of the right one."""
    choices = [right, *random.sample(list(wrong), min(len(wrong), CHOICES - 1))]
    random.shuffle(choices)
    return tuple(choices), choices.index(right)


def _ranked(trial: Trial) -> tuple[tuple[str, ...], ...]:
    grades = trial.grades
    return tuple(
        (str(rank), each, str(grades.get(each, "–")))
        for rank, each in enumerate(trial.documents, 1)
    )


RANKED = (Message("rank"), Message("document"), Message("grade"))


def reach(source: Source, seed: int, random: Random) -> Drill:
    """Ask which move brings a ranking to a value of nDCG."""
    run = random.choice(sorted(source.trials))
    trial, measure = source.trials[run], one_measure("nDCG@8")
    before = _value(trial, measure.name)
    moves = list(permutations(range(1, len(trial.documents) + 1), 2))
    values = {move: _value(trial.moved(move[0] - 1, move[1] - 1), measure.name) for move in moves}
    better = [move for move in moves if values[move] > before + CLEAR]
    random.shuffle(better)
    for move in better:
        target = Target("=", round(values[move], DECIMALS), DECIMALS)
        wrong = [other for other in moves if abs(values[other] - values[move]) > CLEAR]
        if len(wrong) >= CHOICES - 1:
            choices, right = _mixed(
                random, written_moves([move]), [written_moves([each]) for each in wrong]
            )
            question = Message(
                "{measure} is {before}. Which move makes it {target}? 3>1 moves the document at rank 3 to rank 1.",
                measure=measure.name,
                before=number(before),
                target=target.written,
            )
            working = trial.moved(move[0] - 1, move[1] - 1).explained(measure)
            steps = (*working.working.steps, working.result)
            return Drill(
                "reach",
                source.topic,
                seed,
                run,
                measure.name,
                question,
                RANKED,
                _ranked(trial),
                choices,
                right,
                steps,
            )
    raise _fits_not(
        source, Message("no move raises {measure} to a value of its own", measure=measure.name)
    )


def better(source: Source, seed: int, random: Random) -> Drill:
    """Ask which of two runs is better, and by which measure."""
    pairs = list(permutations(sorted(source.trials), 2))
    random.shuffle(pairs)
    for first, second in pairs:
        both = {
            name: [_value(source.trials[run], name) for run in (first, second)] for name in MEASURES
        }
        said = {
            (run, name): a - b if run == first else b - a
            for name, (a, b) in both.items()
            for run in (first, second)
        }
        true = [each for each, ahead in said.items() if ahead > CLEAR]
        false = [each for each, ahead in said.items() if ahead < CLEAR / 100]
        if not true:
            continue
        answer = random.choice(true)
        wrong = [each for each in false if each[1] != answer[1]] + [
            each for each in false if each[1] == answer[1]
        ][:1]
        choices, right = _mixed(random, _claim(*answer), [_claim(*each) for each in wrong])
        if len(choices) == CHOICES:
            question = Message(
                "The first {ranks} documents of two runs. Which sentence is true?", ranks=RANKS
            )
            rows = _side_by_side(source.trials[first], source.trials[second])
            told = sorted({each.rsplit(" ", 1)[1] for each in choices})
            working = tuple(
                f"{name}: {first} {number(both[name][0])}, {second} {number(both[name][1])}."
                for name in told
            )
            headings = (RANKED[0], first, RANKED[2], second, RANKED[2])
            return Drill(
                "better",
                source.topic,
                seed,
                f"{first}, {second}",
                answer[1],
                question,
                headings,
                rows,
                choices,
                right,
                working,
            )
    raise _fits_not(source, Message("no two runs differ by any measure"))


def _claim(run: str, measure: str) -> str:
    return Message("{run} is better by {measure}", run=run, measure=measure)


def _side_by_side(first: Trial, second: Trial) -> tuple[tuple[str, ...], ...]:
    left, right = _ranked(first), _ranked(second)
    rows = max(len(left), len(right))
    filled = [[*rank, *[("", "", "")] * (rows - len(rank))] for rank in (left, right)]
    return tuple((str(at + 1), *filled[0][at][1:], *filled[1][at][1:]) for at in range(rows))


BOTH = (Message("not relevant"), Message("relevant"))


def kappa_of_table(source: Source, seed: int, random: Random) -> Drill:
    """Ask for Cohen's kappa of two assessors, the second of which disagrees with the qrels here and there."""
    grades = list(source.first.grades.values()) or [0]
    for _ in range(100):
        count = random.randint(*COUNTED)
        truth = [int(random.choice(grades) > 0) for _ in range(count)]
        other = [1 - each if random.random() < 0.25 else each for each in truth]
        cells = [
            [sum((a, b) == (one, two) for a, b in zip(truth, other, strict=True)) for two in (0, 1)]
            for one in (0, 1)
        ]
        value = _kappa(truth, other)
        wrong = sorted({each for each in _mistakes(cells) if abs(each - value) > 10 * CLEAR})
        if (
            all(map(sum, cells))
            and len({f"{each:.2f}" for each in [value, *wrong]}) == len(wrong) + 1 >= CHOICES
        ):
            choices, right = _mixed(random, f"{value:.2f}", [f"{each:.2f}" for each in wrong])
            question = Message(
                "Two assessors judged {count} documents. What is Cohen's kappa?", count=count
            )
            rows = tuple((word, *map(str, row)) for word, row in zip(BOTH, cells, strict=True))
            headings = (Message("first: rows, second: columns"), *BOTH)
            working = tuple(_kappa_working(cells, value))
            return Drill(
                "kappa",
                source.topic,
                seed,
                source.first.run,
                "kappa",
                question,
                headings,
                rows,
                choices,
                right,
                working,
            )
    raise _fits_not(source, Message("its grades give no table of which kappa is known"))


def _kappa(first: Sequence[int], second: Sequence[int]) -> float:
    rows = [
        (str(item), who, grade)
        for item, pair in enumerate(zip(first, second, strict=True))
        for who, grade in zip("ab", pair, strict=True)
    ]
    return agreement(make_labels(rows, [0, 1]), ["kappa-nominal"])[0].value or 0.0


def _chance(cells: Sequence[Sequence[int]]) -> tuple[float, float]:
    """Return the share of agreement, and what of it chance gives by each assessor's own use of the grades."""
    whole = sum(map(sum, cells))
    rows, columns = (
        [sum(row) / whole for row in cells],
        [sum(column) / whole for column in zip(*cells, strict=True)],
    )
    own = sum(a * b for a, b in zip(rows, columns, strict=True))
    return (cells[0][0] + cells[1][1]) / whole, own


def _mistakes(cells: Sequence[Sequence[int]]) -> Iterator[float]:
    """Yield what comes out where chance is left out, halved, not divided, or taken from the wrong side."""
    agreed, chance = _chance(cells)
    yield from (
        agreed,
        agreed - chance,
        2 * agreed - 1,
        (agreed - chance) / max(agreed, 0.01),
        chance,
    )


def _kappa_working(cells: Sequence[Sequence[int]], value: float) -> Iterator[str]:
    agreed, chance = _chance(cells)
    both = {
        "none": cells[0][0],
        "some": cells[1][1],
        "whole": sum(map(sum, cells)),
        "share": number(agreed),
    }
    yield Message("They agree on {none} + {some} of {whole}: {share}.", **both)
    yield Message("By chance, from how often each says relevant: {chance}.", chance=number(chance))
    yield f"kappa = ({number(agreed)} - {number(chance)})/(1 - {number(chance)}) = {number(value)}"


def wrong_step(source: Source, seed: int, random: Random) -> Drill:
    """Ask which is the first wrong step of a working with two mistakes."""
    run = random.choice(sorted(source.trials))
    for name in random.sample(WORKED, len(WORKED)):
        posed = Posed(Exercise("", source.topic, name, run, decimals=DECIMALS), source.trials[run])
        shown = _shown(posed)
        filled = [place for place, text in shown.items() if _changed(text) is not None]
        if len(filled) < CHOICES + 1:
            continue
        one, *others = sorted(random.sample(filled, 2), key=filled.index)
        for place in (one, *others):
            shown[place] = _changed(shown[place]) or ""
        if posed.check("", shown).wrong_at != one:
            continue
        choices, right = _mixed(
            random,
            _place(one),
            [_place(each) for each in [*others, *random.sample(filled, CHOICES)] if each != one][
                : CHOICES - 1
            ],
        )
        if len(set(choices)) == CHOICES:
            question = Message(
                "A working of {measure}. Two steps are wrong. Which is the first, read line by line?",
                measure=posed.measure.name,
            )
            rows = tuple(
                (*line, *(shown[int(line[0]), each] for each in posed.columns))
                for line in _ranked(posed.trial)[: posed.ranks]
            )
            headings = (*RANKED, *posed.columns)
            steps = (*posed.found.working.steps, posed.found.result)
            return Drill(
                "step",
                source.topic,
                seed,
                run,
                posed.measure.name,
                question,
                headings,
                rows,
                choices,
                right,
                steps,
            )
    raise _fits_not(source, Message("no measure has enough steps"))


def _shown(posed: Posed) -> dict[Place, str]:
    """Return each step as it is written, rank by rank."""
    rows = enumerate(posed.found.working.rows, 1)
    return {
        (rank, column): f"{each:.{DECIMALS}f}".rstrip("0").rstrip(".")
        if isinstance(each, int | float)
        else ""
        for rank, cells in rows
        for column, each in zip(posed.columns, cells, strict=True)
    }


def _changed(text: str) -> str | None:
    """Return a step as somebody gets it wrong; None for one that is empty."""
    if not text:
        return None
    return str(int(text) + 1) if text.isdigit() else f"{float(text) * 1.5 + 0.05:.{DECIMALS}f}"


def _place(place: Place) -> str:
    return Message("rank {rank}, {column}", rank=place[0], column=place[1])


def _value(trial: Trial, name: str) -> float:
    return float(trial.values([one_measure(name, trial.policy)])[0])


@dataclass(frozen=True, slots=True)
class DrillKind:
    """A kind of exercise: what it is called in lists, and what draws one."""

    title: Message
    make: Callable[[Source, int, Random], Drill]


# The kinds by the name that asks for them; a command and the window offer what stands here.
DRILLS: Mapping[str, DrillKind] = {
    "reach": DrillKind(Message("the move that reaches a value"), reach),
    "better": DrillKind(Message("which of two runs is better, and by what"), better),
    "kappa": DrillKind(Message("Cohen's kappa of a small table"), kappa_of_table),
    "step": DrillKind(Message("the first wrong step"), wrong_step),
}
