"""Exercises on scores: BM25 of one document."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from irjudge.errors import IrjudgeError
from irjudge.evaluation.exercises import (
    ROUNDING_VERDICTS,
    CheckResult,
    StepPosition,
    Verdict,
    describe_rounding,
    find_step,
    parse_steps,
    parse_typed_number,
)
from irjudge.formats import Exercise
from irjudge.message import Message
from irjudge.metrics import format_number, format_value
from irjudge.model import Topic
from irjudge.search import (
    RANKER_REGISTRY,
    ExplainedScore,
    Postings,
    explain_score,
    make_topic_query,
    rank_documents,
)

BM25_KIND = "bm25"  # name of the kind for `irjudge exercise --make`
SCORE_COLUMNS = ("idf", "tf", "adds")
MIN_TERMS, MAX_TERMS = 2, 4  # minimum and maximum number of topic terms in the document
MAX_RANK = 20  # maximum rank of the document
K1_VALUES, B_VALUES = (0.9, 1.2, 2.0), (0.25, 0.4, 0.75, 1.0)  # possible values of k1 and b
# number of decimals of an answer; with only two decimals, different values of k1 and b would often
# give the same answer
ANSWER_DECIMALS = 3


@dataclass(frozen=True)
class ScoreExercise:
    """Exercise: compute the BM25 score of a document for a topic.

    The exercise is generated from a collection with a random seed. It contains the solution:
    the score (`explained`), and the idf, tf and contribution of each term. `check` compares a
    typed score and typed steps with the solution. A typed score that equals one of
    `other_scores` is explained as a typical mistake.
    """

    exercise: Exercise
    document: str
    explained: ExplainedScore
    # idf, tf and contribution of each term of `explained`
    steps: tuple[tuple[float, float, float], ...]
    other_scores: Mapping[str, float]  # scores from other formulas or parameters, by name

    @property
    def k1(self) -> float:
        """Parameter k1 of BM25: saturation of term frequency."""
        return float(dict(self.explained.ranker.parameters)["k1"])  # type: ignore[arg-type]

    @property
    def b(self) -> float:
        """Parameter b of BM25: normalisation of document length."""
        return float(dict(self.explained.ranker.parameters)["b"])  # type: ignore[arg-type]

    @property
    def given_values_text(self) -> str:
        """Text with the given numbers, which is shown next to the table of terms."""
        return Message(
            "N = {documents:,} documents, length {length}, mean length {mean}, k1 = {k1}, b = {b}.",
            documents=self.explained.documents,
            length=self.explained.length,
            mean=format_number(self.explained.mean_length),
            k1=format_value(self.k1),
            b=format_value(self.b),
        )

    @property
    def formulas(self) -> str:
        """Formulas of the columns `SCORE_COLUMNS`, as text."""
        return (
            "idf = ln(1 + (N − n + ½) / (n + ½)), tf = count · (k1 + 1) / (count + k1 · (1 − b + b · length / mean length)), "
            "adds = query count · idf · tf"
        )

    def iter_calculation_lines(self) -> Iterator[str]:
        """Yield the calculation of the score, line by line."""
        score = self.explained
        norm = 1 - self.b + self.b * self.explained.length / self.explained.mean_length
        yield (
            f"1 − {format_value(self.b)} + {format_value(self.b)} · {score.length} / {format_number(score.mean_length)} = {format_number(norm)}; "
            f"{format_value(self.k1)} · {format_number(norm)} = {format_number(self.k1 * norm)}"
        )
        for term, (idf, tf, contribution) in zip(score.terms, self.steps, strict=True):
            idf_text = f"ln(1 + ({score.documents} − {term.document_frequency} + ½) / ({term.document_frequency} + ½)) = {format_number(idf)}"
            tf_text = f"{term.count} · {format_number(self.k1 + 1)} / ({term.count} + {format_number(self.k1 * norm)}) = {format_number(tf)}"
            yield (
                f"{term.term}: idf = {idf_text}; tf = {tf_text}; {term.query:g} · "
                f"{format_number(idf)} · {format_number(tf)} = {format_number(contribution)}"
            )
        contributions = " + ".join(format_number(contribution) for *_, contribution in self.steps)
        yield f"{contributions} = {format_number(score.score)}"

    def check(self, value: str, steps: Mapping[StepPosition, str] | None = None) -> CheckResult:
        """Check a score and the typed steps; a step is (term number, column).

        Raises IrjudgeError if there is neither a score nor a step, or if the score or a step is
        not a number.
        """
        typed_steps = parse_steps(value, steps)
        step_verdicts = dict(self._check_steps(typed_steps))
        wrong_step = find_step(step_verdicts, "wrong")
        verdict = (
            parse_typed_number(value).compare(self.explained.score, ANSWER_DECIMALS)
            if value.strip()
            else "open"
        )
        messages = (
            *self._iter_value_messages(value.strip(), verdict),
            *self._iter_step_messages(typed_steps, step_verdicts),
        )
        return CheckResult(
            "wrong" if wrong_step and verdict != "close" else verdict,
            messages,
            {step: step_verdict != "wrong" for step, step_verdict in step_verdicts.items()},
            wrong_step,
        )

    def _check_steps(
        self, typed_steps: Mapping[StepPosition, str]
    ) -> Iterator[tuple[StepPosition, Verdict]]:
        """Yield the position and the verdict of each typed step, sorted by term and column."""
        for rank, row in enumerate(self.steps, 1):
            for column, correct_value in zip(SCORE_COLUMNS, row, strict=True):
                if (rank, column) in typed_steps:
                    yield (
                        (rank, column),
                        parse_typed_number(typed_steps[rank, column]).compare(
                            correct_value, ANSWER_DECIMALS
                        ),
                    )

    def _iter_value_messages(self, value: str, verdict: Verdict) -> Iterator[str]:
        if verdict == "right":
            yield Message("The score {value} is correct.", value=value)
        elif verdict in ROUNDING_VERDICTS:
            yield describe_rounding(value, verdict, ANSWER_DECIMALS)
        elif verdict == "wrong":
            yield Message("The score is not {value}.", value=value)
            typed_number = parse_typed_number(value)
            similar_names = [
                name
                for name, other_score in self.other_scores.items()
                if typed_number.compare(other_score, ANSWER_DECIMALS) == "right"
            ]
            if similar_names:
                yield Message(
                    "You entered the score of {name}; check how the formulas differ.",
                    key="other-formula",
                    name=similar_names[0],
                )

    def _iter_step_messages(
        self,
        typed_steps: Mapping[StepPosition, str],
        step_verdicts: Mapping[StepPosition, Verdict],
    ) -> Iterator[str]:
        wrong_step = find_step(step_verdicts, "wrong")
        rounded_step = find_step(step_verdicts, *ROUNDING_VERDICTS)
        if wrong_step:
            yield Message(
                "The first wrong step is for the term {term}, in the column {column}.",
                term=self.explained.terms[wrong_step[0] - 1].term,
                column=Message(wrong_step[1]),
            )
        elif rounded_step:
            yield describe_rounding(
                typed_steps[rounded_step], step_verdicts[rounded_step], ANSWER_DECIMALS
            )
        elif step_verdicts:
            yield Message(
                "All steps that you entered are correct ({count}).", count=len(step_verdicts)
            )


def make_score_exercise(postings: Postings, topics: Sequence[Topic], seed: int) -> ScoreExercise:
    """Return an exercise about a random topic and document with random k1 and b.

    The document is among the top `MAX_RANK` and contains two to four terms of the topic. Equal
    seeds yield equal exercises on all machines. Raises IrjudgeError if no topic has such a
    document.
    """
    random = Random(f"{BM25_KIND}/{seed}")
    for topic in random.sample(list(topics), len(topics)):
        ranker = RANKER_REGISTRY.parse(
            BM25_KIND, (f"k1={random.choice(K1_VALUES)}", f"b={random.choice(B_VALUES)}")
        )
        query = postings.read(make_topic_query(topic))
        ids = [
            postings.documents[code]
            for code in rank_documents(postings, ranker, query, MAX_RANK).document.tolist()
        ]
        for id in random.sample(ids, len(ids)):
            explained = explain_score(postings, ranker, query, id)
            if MIN_TERMS <= len(explained.terms) <= MAX_TERMS:
                return _make_exercise(postings, topic, query, explained, seed, id)
    raise IrjudgeError(
        "No document contains {minimum} to {maximum} terms of a topic. Choose another topic, "
        "preferably one with more terms.",
        minimum=MIN_TERMS,
        maximum=MAX_TERMS,
    )


def _make_exercise(
    postings: Postings,
    topic: Topic,
    query: Mapping[int, float],
    explained: ExplainedScore,
    seed: int,
    document: str,
) -> ScoreExercise:
    def explain_variant(**values: float | str) -> ExplainedScore:
        parameters = {**dict(explained.ranker.parameters), **values}
        return explain_score(
            postings,
            RANKER_REGISTRY.parse(
                BM25_KIND, [f"{name}={value}" for name, value in parameters.items()]
            ),
            query,
            document,
        )

    # with k1 = 0, the contribution of a term is its idf, independently of its count
    idf_by_term = {term.term: term.contribution for term in explain_variant(k1=0).terms}
    steps = tuple(
        (
            idf_by_term[term.term] / term.query,
            term.contribution / idf_by_term[term.term],
            term.contribution,
        )
        for term in explained.terms
    )
    variants = (
        explain_variant(b=0),
        explain_variant(b=1),
        explain_variant(k1=0),
        explain_variant(idf="robertson"),
        explain_variant(idf="atire"),
    )
    scores = {variant.ranker.name: variant.score for variant in variants}
    exercise = Exercise(
        f"{BM25_KIND} {seed}",
        topic.id,
        explained.ranker.name,
        document,
        Message(
            "What is the BM25 score of document {document} for the query {title!r}?",
            document=document,
            title=topic.title,
        ),
        decimals=ANSWER_DECIMALS,
    )
    other_scores = {
        name: score for name, score in scores.items() if abs(score - explained.score) > 1e-3
    }
    return ScoreExercise(exercise, document, explained, steps, other_scores)
