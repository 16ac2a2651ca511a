"""Explanation of one value, and effects of changes to the ranking."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from irjudge.catalogue import nearest
from irjudge.errors import IrjudgeError
from irjudge.evaluation.judged_runs import find_judged_ranks, join, to_single_precision
from irjudge.evaluation.requests import (
    DEFAULT_MEASURES,
    EvaluationSettings,
    add_warnings_to_errors,
    read_judgments,
)
from irjudge.evaluation.table import (
    Policy,
    add_auxiliary_rows,
    evaluate_runs,
    find_highest_gain,
    find_highest_grade,
    parse_measures,
)
from irjudge.judging import open_for_reading, read_project_qrels, select_qrels
from irjudge.message import Message
from irjudge.metrics import (
    PROFILE_RULES,
    WORKED_EXAMPLES,
    Cell,
    ExampleGains,
    ExampleTopic,
    JudgedRun,
    Measure,
    Scores,
    WorkedExample,
    describe_cutoff,
    describe_relevance,
    describe_relevant,
    is_relevant,
    to_goodness,
)
from irjudge.metrics import (
    highest_gain as find_seen_highest,
)
from irjudge.model import (
    UNJUDGED,
    AuxiliaryTable,
    Floats,
    Ints,
    Qrels,
    Run,
    natural_key,
    ranking_order,
    replace_query_texts,
    to_arrow_column,
    to_arrow_strings,
    top_documents,
)
from irjudge.progress import SILENT, Progress
from irjudge.store import is_project, read_auxiliary_tables

# Explanation of a value: measure, run, topic, and each intermediate number

EXPLANATION_COLUMNS = ("rank", "document", "grade")
VALUE_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Explanation:
    """Explanation of the value of one measure for one topic: ranking, calculation and value.

    The ranking is that of one run, with the grade of each document; for a measure that ignores
    unjudged documents, these are omitted. The calculation contains the intermediate numbers at
    each rank that the measure uses, and sentences; some measures have no such numbers.
    """

    measure: Measure  # the explained measure
    example: ExampleTopic  # ranking of the topic, with its judgments
    worked_example: WorkedExample  # calculation; without columns if the measure defines none
    value: float  # value as computed by `evaluate_runs`

    @property
    def columns(self) -> tuple[str, ...]:
        """Column names of `rows`."""
        return (*EXPLANATION_COLUMNS, *self.worked_example.columns)

    def rows(self) -> Iterable[tuple[Cell, ...]]:
        """Yield the cells of each rank that the measure uses.

        Without a calculation, the cells of all ranks are included.
        """
        steps = (
            self.worked_example.rows
            if self.worked_example.columns
            else ((),) * len(self.example.documents)
        )
        for rank, cells in enumerate(steps, 1):
            yield rank, self.example.documents[rank - 1], self.example.grades[rank - 1], *cells

    @property
    def result(self) -> str:
        """Last line of the explanation: the measure and its value with all decimals."""
        is_integer_sum = self.measure.declaration.summary == "sum" and self.value == round(
            self.value
        )
        return f"{self.measure.name} = {round(self.value) if is_integer_sum else self.value}"


def explain_value(
    qrels: Qrels,
    run: Run,
    topic: str,
    measure: Measure,
    policy: Policy | None = None,
    *,
    highest: int | None = None,
    highest_gain: float | None = None,
    collection: int | None = None,
    tables: Sequence[AuxiliaryTable] = (),
    titles: Mapping[str, str] | None = None,
) -> Explanation:
    """Explain the value of one topic; for parameters not listed here see `evaluate_runs`.

    A measure without a calculation of its own is explained by its formula and the counts it uses.
    `policy.average` has no effect, since only one topic is explained.

    Parameters
    ----------
    highest_gain
        Highest gain of all topics, if the qrels have gains but lack the topic with that gain.
    titles
        Titles of documents, by id; documents without a title are named by their id.

    Raises
    ------
    IrjudgeError
        If the topic is not evaluated; the message names the most similar topic.
    MeasureError
        If the measure cannot be computed.

    Examples
    --------
    >>> from irjudge.metrics import parse_measure_name
    >>> from irjudge.model import make_qrels, make_run
    >>> run = make_run("a", [("1", "x", 2.0), ("1", "y", 1.0)])
    >>> (measure,) = parse_measure_name("RR")
    >>> explanation = explain_value(make_qrels([("1", "y", 1)]), run, "1", measure)
    >>> explanation.worked_example.steps[-1], explanation.result
    ('RR = 1 / rank of the first relevant document = 1 / 2 = 0.5000', 'RR = 0.5')
    """
    policy = policy or Policy()
    evaluated = evaluate_topic(
        qrels,
        run,
        topic,
        [measure],
        policy,
        highest=highest,
        highest_gain=highest_gain,
        collection=collection,
        tables=tables,
        titles=titles,
    )
    (value,), full_example = evaluated.values, evaluated.example
    example = full_example.without_unjudged() if measure.judged_only else full_example
    explain = WORKED_EXAMPLES.get(measure.declaration.name)
    worked_example = (
        explain(example, **measure.settings) if explain else _make_formula_example(example, measure)
    )
    if explain and not abs(worked_example.result - value) <= VALUE_TOLERANCE:
        is_missing_topic = topic not in policy.prepare(run).topics
        mismatch = _explain_mismatch(
            worked_example.result, value, is_missing_topic=is_missing_topic, policy=policy
        )
        worked_example = replace(worked_example, steps=(*worked_example.steps, mismatch))
    if measure.judged_only:
        worked_example = replace(
            worked_example,
            steps=(_describe_condensed(full_example, example), *worked_example.steps),
        )
    return Explanation(measure, example, worked_example, value)


@dataclass(frozen=True, slots=True, eq=False)
class TopicValues:
    """Result of `evaluate_topic`: values of measures for one topic of a run, and its ranking."""

    example: ExampleTopic  # ranking of the topic, with its judgments
    values: tuple[float, ...]  # value of each measure


def evaluate_topic(
    qrels: Qrels,
    run: Run,
    topic: str,
    measures: Sequence[Measure],
    policy: Policy | None = None,
    *,
    highest: int | None = None,
    highest_gain: float | None = None,
    collection: int | None = None,
    tables: Sequence[AuxiliaryTable] = (),
    titles: Mapping[str, str] | None = None,
) -> TopicValues:
    """Compute measures for one topic; for the other parameters and errors see `explain_value`."""
    policy = policy or Policy()
    run = policy.prepare(run)
    _check_known(topic, qrels, run)
    highest = find_highest_grade(qrels, policy, highest).grade
    max_gain = find_highest_gain(qrels, policy) if highest_gain is None else highest_gain
    # highest grade and gain are those of all topics, not only of this topic; for qrels with gains,
    # `policy.highest` is the highest gain, if it is set
    policy = replace(policy, average="macro")
    if qrels.gain is None:
        policy = replace(policy, highest=highest)
    topic_run, judged = _select_topic_run(run, topic), _select_topic_qrels(qrels, topic)
    retrieved = find_judged_ranks(
        topic_run, judged, policy.ties, single_precision=policy.single_precision
    )
    scores = evaluate_runs(
        judged,
        [topic_run if tables else retrieved],
        measures,
        policy,
        highest=highest,
        highest_gain=max_gain,
        collection=collection,
        tables=tables,
        is_part=True,
    ).runs[0]
    if topic not in scores.topics:
        raise IrjudgeError(_explain_exclusion(topic, run, policy))
    judged_run = join(
        retrieved,
        judged,
        topics="qrels",
        highest=highest,
        depth=policy.depth,
        collection=collection,
    )
    if max_gain is not None:
        judged_run = replace(judged_run, highest_gain=max_gain)
    judged_run = add_auxiliary_rows(judged_run, tables, topic_run, judged, policy)
    example = replace(
        _make_example(
            judged,
            to_single_precision(topic_run) if policy.single_precision else topic_run,
            judged_run,
            policy,
        ),
        titles=titles or {},
    )
    topic_values = scores.values[:, scores.topics.index(topic)]
    return TopicValues(example, tuple(topic_values.tolist()))


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedValues:
    """Result of `explain_sources`: explanations of a run's values for one topic, warnings."""

    explanations: tuple[Explanation, ...]  # one for each measure, in the given order
    policy: Policy
    warnings: tuple[str, ...] = ()


def explain_sources(
    qrels: Path,
    run: Path,
    topic: str,
    settings: EvaluationSettings,
    *,
    tables: Sequence[AuxiliaryTable] = (),
) -> ExplainedValues:
    """Explain the values of a run for one topic.

    Parameters
    ----------
    qrels
        The qrels, or a project.
    run
        File of the run; for a project the name of one of its runs.
    topic
        Topic whose values are explained.
    settings
        Measures, policy, and how the files are read.
    tables
        Auxiliary files; they replace the auxiliary files in a project.

    Raises
    ------
    IrjudgeError
        If a project has no such run, the topic is neither in the run nor in
        the qrels, or a file cannot be read.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     qrels, run = Path(folder, "q.txt"), Path(folder, "a.run")
    ...     _ = qrels.write_text("1 0 x 1\\n"), run.write_text("1 Q0 y 1 2 a\\n1 Q0 x 2 1 a\\n")
    ...     settings = EvaluationSettings(measures=("RR",))
    ...     explain_sources(qrels, run, "1", settings).explanations[0].result
    'RR = 0.5'
    """
    policy, reader = settings.policy(), settings.reading.reader()
    measures = parse_measures(
        settings.measure_names() or list(DEFAULT_MEASURES), policy.rel, policy.profile
    )
    warnings, scale_arguments = list[str](), dict[str, Any]()
    with add_warnings_to_errors(warnings):
        if is_project(qrels):
            reader.refuse_project(qrels)
            with open_for_reading(qrels, warnings) as project:
                names = [run.name for run in project.rankings.runs()]
                if str(run) not in names:
                    raise IrjudgeError(
                        "The project has no run {name!r}; expected one of {names}.",
                        name=str(run),
                        names=", ".join(names) or Message("none"),
                    )
                choice = select_qrels(project, settings.which)
                warnings += choice.sentences
                judged, ranking = (
                    read_project_qrels(project, choice),
                    project.rankings.run(str(run)),
                )
                scale_arguments["highest"] = project.scale.highest
                scale_arguments["collection"] = project.collection.document_count() or None
                tables = tables or read_auxiliary_tables(project)
        else:
            judged = read_judgments(qrels, [run], settings, warnings)
            ranking = reader.read_run(run, qrels=judged)
            topic = find_topic(topic, judged)
            warnings += ranking.warnings
        explanations = tuple(
            explain_value(judged, ranking, topic, measure, policy, tables=tables, **scale_arguments)
            for measure in measures
        )
    return ExplainedValues(explanations, policy, tuple(warnings))


def _describe_condensed(full: ExampleTopic, condensed: ExampleTopic) -> str:
    return Message(
        "judged_only: unjudged documents are removed from the ranking ({count}), and ranks are "
        "renumbered.",
        count=len(full.documents) - len(condensed.documents),
    )


def _explain_mismatch(
    result: float, value: float, *, is_missing_topic: bool, policy: Policy
) -> str:
    """Return a sentence that explains a difference between calculation and value.

    The reason is a profile that skips missing topics; any other difference is a bug.
    """
    if is_missing_topic and PROFILE_RULES[policy.profile].skips_missing and value == 0:
        return Message(
            "The profile {profile} scores topics missing from the run as 0.", profile=policy.profile
        )
    return Message(
        "This calculation is wrong: it gives {result:g}, but the correct value is {value:g}. "
        "Please report this bug.",
        key="wrong-calculation",
        result=result,
        value=value,
    )


def _make_formula_example(example: ExampleTopic, measure: Measure) -> WorkedExample:
    """Return formula and counts as the worked example of a measure without a calculation."""
    values = measure.values
    rel, cutoff = values.get("rel"), values.get("cutoff")
    lowest = rel if isinstance(rel, int) else 1
    depth = cutoff if isinstance(cutoff, int) else None
    hits = example.list_hit_ranks(lowest, depth)
    counts = Message(
        "Retrieved documents counted: relevant {relevant}; judged non-relevant {nonrelevant}; "
        "unjudged {unjudged}. Judged documents of the topic: {judged}.",
        relevant=len(hits),
        nonrelevant=sum(
            is_relevant(grade, 0) and not is_relevant(grade, lowest)
            for grade in example.top_grades(depth)
        ),
        unjudged=sum(not is_relevant(grade, 0) for grade in example.top_grades(depth)),
        judged=len(example.judged),
    )
    steps = (
        describe_relevance(lowest),
        describe_cutoff(example, depth),
        describe_relevant(example, lowest),
        counts,
        Message("No steps of the calculation are available for this measure; see its formula."),
    )
    return WorkedExample(steps, float("nan"), hits=frozenset(hits))


# Ranking of one topic


def find_topic(topic: str, qrels: Qrels) -> str:
    """Return the id of a topic that is given by its id or by the text of its query in the qrels."""
    ids = dict(zip(qrels.titles, qrels.topics, strict=False))
    return replace_query_texts([topic], qrels.topics, ids)[0]


def _check_known(topic: str, qrels: Qrels, run: Run) -> None:
    if topic in qrels.topics:
        return
    if topic in run.topics:
        raise IrjudgeError(
            "Topic {topic} of run {run} is not in the qrels, so none of its documents is judged.",
            key="topic-not-judged",
            topic=topic,
            run=run.name,
        )
    nearest_topic = nearest(topic, [*qrels.topics, *run.topics])
    topics = ", ".join(qrels.topics[:5]) + " …" * (len(qrels.topics) > 5)
    raise IrjudgeError(
        "Topic {topic!r} is neither in the qrels nor in run {run}. Did you mean {suggestion}?"
        if nearest_topic
        else "Topic {topic!r} is neither in the qrels nor in run {run}. Topics of the qrels: "
        "{topics}.",
        topic=topic,
        run=run.name,
        suggestion=nearest_topic,
        topics=topics or Message("none"),
    )


def _explain_exclusion(topic: str, run: Run, policy: Policy) -> str:
    if topic not in run.topics and policy.topics == "both":
        return Message(
            "Topic {topic} is not in run {run} and is not evaluated; if all topics of the "
            "qrels are evaluated, its ranking counts as empty.",
            topic=topic,
            run=run.name,
        )
    return Message(
        "Topic {topic} has no relevant document, so it is not among the chosen topics ({topics}).",
        topic=topic,
        topics=policy.topics,
    )


def _select_topic_run(run: Run, topic: str) -> Run:
    """Return the rows of a run for one topic; empty if the run lacks it."""
    topic_index = run.topics.index(topic) if topic in run.topics else None
    start, end = (
        (0, 0)
        if topic_index is None
        else (int(run.starts[topic_index]), int(run.starts[topic_index + 1]))
    )
    return Run(
        name=run.name,
        topics=() if topic_index is None else (topic,),
        starts=np.array([0] if topic_index is None else [0, end - start], dtype=np.int64),
        document=run.document[start:end],
        score=run.score[start:end],
        rank=run.rank[start:end],
        line=run.line[start:end],
        tag=run.tag,
    )


def _select_topic_qrels(qrels: Qrels, topic: str) -> Qrels:
    topic_index = qrels.topics.index(topic)
    rows = slice(int(qrels.starts[topic_index]), int(qrels.starts[topic_index + 1]))
    return replace(
        qrels,
        topics=(topic,),
        starts=np.array([0, rows.stop - rows.start], dtype=np.int64),
        document=qrels.document[rows],
        grade=qrels.grade[rows],
        group=qrels.group[rows],
        titles=qrels.titles[topic_index : topic_index + 1],
        gain=None if qrels.gain is None else qrels.gain[rows],
    )


def _make_example(qrels: Qrels, run: Run, judged_run: JudgedRun, policy: Policy) -> ExampleTopic:
    """Return the ranking and the judgments of the qrels' only topic as an `ExampleTopic`."""
    order = ranking_order(run, policy.ties)
    documents = (
        run.document if order is None else run.document.take(to_arrow_column(order))
    ).to_pylist()[: policy.depth]
    grade = _find_highest_by_document(qrels, qrels.grade)
    gains_or_grades = grade if qrels.gain is None else _list_judged_gains(qrels, grade)
    retrieved = set(documents)
    unretrieved_names = [
        name
        for name, document_grade in grade.items()
        if max(document_grade, gains_or_grades.get(name, 0)) > 0 and name not in retrieved
    ]
    unretrieved_names.sort(
        key=lambda name: (-gains_or_grades.get(name, 0), -grade[name], natural_key(name))
    )
    judged_grades = tuple(
        sorted(
            (document_grade for document_grade in grade.values() if document_grade >= 0),
            reverse=True,
        )
    )
    grades = tuple(grade.get(document) for document in documents)
    example = ExampleTopic(
        run.name,
        judged_run.topics[0],
        tuple(documents),
        grades,
        judged_grades,
        tuple((name, grade[name]) for name in unretrieved_names),
        max(judged_run.highest or 0, *judged_grades, 0),
        judged_run,
    )
    if qrels.gain is None:
        return example
    gains = ExampleGains(
        ranked=tuple(gains_or_grades.get(document) for document in documents),
        judged=tuple(sorted(gains_or_grades.values(), reverse=True)),
        missed=tuple(gains_or_grades.get(name, 0.0) for name in unretrieved_names),
        highest=find_seen_highest(judged_run),
    )
    return replace(example, gains=gains)


def _find_highest_by_document(qrels: Qrels, values: Ints | Floats) -> dict[str, Any]:
    """Return the highest value of each document over all its subtopics, by document id."""
    names: Sequence[str] = qrels.documents.take(to_arrow_column(qrels.document)).to_pylist()
    highest_grades: dict[str, Any] = {}
    for name, value in zip(names, values.tolist(), strict=True):
        highest_grades[name] = max(value, highest_grades.get(name, value))
    return highest_grades


def _list_judged_gains(qrels: Qrels, grade: Mapping[str, int]) -> dict[str, float]:
    gains = _find_highest_by_document(qrels, cast(Floats, qrels.gain))
    return {name: gain for name, gain in gains.items() if grade[name] >= 0}


# What-if analysis: changes to a ranking in memory

# maximum upper rank and maximum lower rank of exchanges; exchanges further down rarely have a
# larger effect
MAX_UPPER_RANK, MAX_LOWER_RANK = 50, 200
# number of exchanges evaluated at a time, which limits the memory for long rankings
EXCHANGES_PER_BATCH = 2_000
CHANGE_TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """Ranking of a run for one topic, with the judgments of the topic, for what-if analysis.

    The methods `move`, `exchange` and `with_grade` return a changed copy; `values` and `explain`
    evaluate the ranking. A project or file is not changed.
    """

    run: str
    topic: str
    documents: tuple[str, ...]  # ranking, from first to last
    # document, grade and group (subtopic) of each judgment; a document may have several judgments,
    # for different groups
    judgments: tuple[tuple[str, int, int], ...]
    groups: tuple[str, ...]  # names of groups, by code
    policy: Policy  # policy of the evaluation; ties in `documents` are already ordered
    highest: int  # highest grade of the scale
    collection: int | None = None  # number of documents in the collection; None if unknown
    auxiliary_tables: tuple[AuxiliaryTable, ...] = ()  # auxiliary files
    gains: tuple[float, ...] | None = None  # gain of each judgment; None if the qrels have no gains
    highest_gain: float | None = None  # highest gain of all topics; None if the qrels have no gains

    @property
    def grades(self) -> dict[str, int]:
        """Highest grade over groups for each document in the qrels."""
        grades: dict[str, int] = {}
        for document, grade, _ in self.judgments:
            grades[document] = max(grade, grades.get(document, grade))
        return grades

    @property
    def gains_or_grades(self) -> dict[str, float]:
        """Highest gain over groups for each document if the qrels have gains, otherwise its grade."""
        if self.gains is None:
            return {**self.grades}
        gains_or_grades: dict[str, float] = {}
        for (document, grade, _), gain in zip(self.judgments, self.gains, strict=True):
            if grade >= 0:
                gains_or_grades[document] = max(gain, gains_or_grades.get(document, gain))
        return {**self.grades, **gains_or_grades}

    @property
    def ideal(self) -> tuple[tuple[str, int], ...]:
        """Ideal ranking: documents with a gain above 0, each with its grade.

        Ties are in the order of the run; documents that the run did not retrieve are last, by id.
        """
        rank_by_document = {document: rank for rank, document in enumerate(self.documents)}
        gains_or_grades = self.gains_or_grades
        gaining_pairs = [pair for pair in self.grades.items() if gains_or_grades[pair[0]] > 0]
        return tuple(
            sorted(
                gaining_pairs,
                key=lambda pair: (
                    -gains_or_grades[pair[0]],
                    rank_by_document.get(pair[0], len(rank_by_document)),
                    natural_key(pair[0]),
                ),
            )
        )

    def move(self, index: int, new_index: int) -> "Trial":
        """Return the ranking with the document at index `index` moved to index `new_index`."""
        documents = list(self.documents)
        documents.insert(new_index, documents.pop(index))
        return replace(self, documents=tuple(documents))

    def exchange(self, first: int, second: int) -> "Trial":
        """Return the ranking with the documents at two indices exchanged."""
        documents = list(self.documents)
        documents[first], documents[second] = documents[second], documents[first]
        return replace(self, documents=tuple(documents))

    def with_grade(self, document: str, grade: int | None) -> "Trial":
        """Return a trial in which a document has another grade in all groups; None for unjudged.

        If the qrels have gains, the document gets the highest gain for the highest grade. For any
        other grade, its gain is the grade itself, or 0 if the grade is negative.
        """
        other_judgments = tuple(row for row in self.judgments if row[0] != document)
        groups = [row[2] for row in self.judgments if row[0] == document] or [0]
        rows = () if grade is None else tuple((document, grade, group) for group in groups)
        gains = None
        if self.gains is not None:
            gain = float(max(0, grade or 0))
            if grade == self.highest and self.highest_gain is not None:
                gain = self.highest_gain
            pairs = zip(self.judgments, self.gains, strict=True)
            gains = (
                *(old_gain for row, old_gain in pairs if row[0] != document),
                *([gain] * len(rows)),
            )
        return replace(self, judgments=other_judgments + rows, gains=gains)

    def values(self, measures: Sequence[Measure]) -> Scores:
        """Return the value of each measure, shape (M,), as `evaluate_runs` computes it.

        Raises MeasureError if a value cannot be computed.
        """
        options: dict[str, Any] = {
            "highest": self.highest,
            "highest_gain": self.highest_gain,
            "collection": self.collection,
            "tables": self.auxiliary_tables,
        }
        scores = evaluate_runs(
            self.qrels(), [self.ranking()], measures, self._make_policy(), is_part=True, **options
        )
        return scores.runs[0].values[:, 0]

    def explain(self, measure: Measure, titles: Mapping[str, str] | None = None) -> Explanation:
        """Explain the value of a measure; `titles` contains the titles of documents by id.

        Raises MeasureError if the value cannot be computed.
        """
        options: dict[str, Any] = {
            "highest": self.highest,
            "highest_gain": self.highest_gain,
            "collection": self.collection,
            "tables": self.auxiliary_tables,
            "titles": titles,
        }
        return explain_value(
            self.qrels(), self.ranking(), self.topic, measure, self._make_policy(), **options
        )

    def join(self) -> JudgedRun:
        """Return the ranking joined with the judgments."""
        judged = join(
            find_judged_ranks(self.ranking(), self.qrels(), "file"),
            self.qrels(),
            topics="qrels",
            highest=self.highest,
            depth=self.policy.depth,
            collection=self.collection,
        )
        return judged if self.gains is None else replace(judged, highest_gain=self.highest_gain)

    def _make_policy(self) -> Policy:
        """Return the trial's policy, changed so that the order of the ranking is preserved."""
        return replace(self.policy, ties="file", topics="qrels", average="macro")

    def qrels(self) -> Qrels:
        """Return the judgments as qrels of one topic."""
        documents = tuple(dict.fromkeys(row[0] for row in self.judgments))
        code = {document: index for index, document in enumerate(documents)}
        return Qrels(
            topics=(self.topic,),
            starts=np.array([0, len(self.judgments)], dtype=np.int64),
            documents=to_arrow_strings(documents),
            document=np.array([code[row[0]] for row in self.judgments], dtype=np.int32),
            grade=np.array([row[1] for row in self.judgments], dtype=np.int32),
            group=np.array([row[2] for row in self.judgments], dtype=np.int32),
            groups=self.groups,
            gain=None if self.gains is None else np.array(self.gains, dtype=np.float64),
        )

    def ranking(self) -> Run:
        """Return the ranking as a run with one topic, or without topics if the ranking is empty."""
        count = len(self.documents)
        return Run(
            name=self.run,
            topics=(self.topic,) if count else (),
            starts=np.array([0, count] if count else [0], dtype=np.int64),
            document=to_arrow_strings(self.documents),
            score=np.arange(count, 0, -1, dtype=np.float64),
            rank=np.arange(1, count + 1, dtype=np.int32),
            line=np.arange(1, count + 1, dtype=np.int32),
        )


def make_trial(
    qrels: Qrels,
    run: Run,
    topic: str,
    policy: Policy | None = None,
    *,
    highest: int | None = None,
    collection: int | None = None,
    tables: Sequence[AuxiliaryTable] = (),
) -> Trial:
    """Return the ranking of a run for a topic of the qrels as a `Trial`.

    The ranking is empty if the run lacks the topic. For other parameters see
    `evaluate_runs`. Raises ValueError if the qrels lack the topic, and MeasureError if the policy's
    highest grade is less than a grade in the qrels.

    >>> from irjudge.metrics import parse_measure_name
    >>> from irjudge.model import make_qrels, make_run
    >>> run = make_run("a", [("1", "x", 2.0), ("1", "y", 1.0)])
    >>> trial = make_trial(make_qrels([("1", "y", 1)]), run, "1")
    >>> trial.values(parse_measure_name("RR")), trial.move(1, 0).values(parse_measure_name("RR"))
    (array([0.5]), array([1.]))
    """
    policy = policy or Policy()
    topic_index = qrels.topics.index(topic)
    rows = slice(int(qrels.starts[topic_index]), int(qrels.starts[topic_index + 1]))
    names = qrels.documents.take(to_arrow_column(qrels.document[rows])).to_pylist()
    documents = top_documents(
        to_single_precision(run) if policy.single_precision else run,
        topic,
        policy.depth or max(1, len(run)),
        policy.ties,
    )
    return Trial(
        run.name,
        topic,
        tuple(documents),
        tuple(zip(names, qrels.grade[rows].tolist(), qrels.group[rows].tolist(), strict=True)),
        qrels.groups,
        policy,
        find_highest_grade(qrels, policy, highest).grade,
        collection,
        tuple(tables),
        None if qrels.gain is None else tuple(qrels.gain[rows].tolist()),
        find_highest_gain(qrels, policy),
    )


@dataclass(frozen=True, slots=True)
class Exchange:
    """Exchange of the documents at two ranks, with the resulting value of a measure.

    `upper` is the better of the two ranks; ranks are counted from 1.
    """

    upper: int
    lower: int
    value: float


@dataclass(frozen=True, slots=True)
class NextJudgment:
    """Highest-ranked unjudged document, and two possible values of the measure.

    `lowest` is the value if the document gets the lowest grade of the scale; `highest` is the value
    if it gets the highest grade.
    """

    rank: int
    document: str
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True)
class ValueChanges:
    """Possible changes of a value: by an exchange of two documents, and by one more judgment.

    The exchange is the one that improves the value most: it increases the value, or lowers it if
    lower values are better. The upper document is among the top 50, the lower document among the
    top 200. No exchange is tried with judgments of subtopics, or if the measure needs an auxiliary
    file. The judgment gives the highest-ranked unjudged document the lowest or the highest grade.
    """

    value: float  # current value
    # exchange that improves the value most (the first if several tie); None if no exchange does
    exchange: Exchange | None
    tried: int  # number of exchanges tried; documents with equal grades are not exchanged
    judgment: NextJudgment | None  # None if all retrieved documents are judged


def find_value_changes(
    trial: Trial, measure: Measure, progress: Progress = SILENT, *, lowest: int = 0
) -> ValueChanges:
    """Compute the changes of a ranking that have the largest effects on a value.

    The upper document of an exchange is at most at rank `MAX_UPPER_RANK`, the lower document at
    `MAX_LOWER_RANK`. No exchange is tried with subtopics, or if the measure needs an auxiliary
    file. `lowest` is the lowest grade of the scale. Raises MeasureError if the measure cannot be
    computed.
    """
    judged_run = trial.join()
    value = float(trial.values([measure])[0])
    is_exchangeable = not judged_run.subtopics and {*measure.declaration.needs} <= {"subtopics"}
    pairs = list(_iter_exchange_pairs(trial)) if is_exchangeable else []
    best_exchange: Exchange | None = None
    for start in range(0, len(pairs), EXCHANGES_PER_BATCH):
        batch = np.array(pairs[start : start + EXCHANGES_PER_BATCH], dtype=np.int32)
        values = measure.compute(_apply_exchanges(judged_run, batch))
        best_index = int(to_goodness(measure, values).argmax())
        best_value = best_exchange.value if best_exchange else value
        if to_goodness(measure, values[best_index] - best_value) > CHANGE_TOLERANCE:
            best_exchange = Exchange(
                int(batch[best_index, 0]), int(batch[best_index, 1]), float(values[best_index])
            )
        progress.step(start + len(batch), len(pairs), "")
    return ValueChanges(
        value, best_exchange, len(pairs), _find_next_judgment(trial, measure, lowest)
    )


def _iter_exchange_pairs(trial: Trial) -> Iterator[tuple[int, int]]:
    """Yield pairs of ranks, upper first, whose documents have different grades or gains."""
    grades_by_document, gains_or_grades = trial.grades, trial.gains_or_grades
    grades = [
        (grades_by_document.get(document), gains_or_grades.get(document))
        for document in trial.documents[:MAX_LOWER_RANK]
    ]
    for upper_rank in range(1, min(MAX_UPPER_RANK, len(grades)) + 1):
        for lower_rank in range(upper_rank + 1, len(grades) + 1):
            if grades[upper_rank - 1] != grades[lower_rank - 1]:
                yield upper_rank, lower_rank


def _apply_exchanges(
    judged_run: JudgedRun, pairs: "np.ndarray[tuple[int, int], np.dtype[np.int32]]"
) -> JudgedRun:
    """Return copies of the only topic of `judged_run`, one for each pair of exchanged ranks."""
    count, hits = len(pairs), len(judged_run.hit_rank)
    upper_ranks, lower_ranks = pairs[:, :1], pairs[:, 1:]
    rank = np.where(
        judged_run.hit_rank == upper_ranks,
        lower_ranks,
        np.where(judged_run.hit_rank == lower_ranks, upper_ranks, judged_run.hit_rank),
    )
    order = np.argsort(rank, axis=1)
    return JudgedRun(
        topics=tuple(map(str, range(count))),
        hit_topic=np.repeat(np.arange(count, dtype=np.int32), hits),
        hit_rank=np.take_along_axis(rank, order, axis=1).ravel().astype(np.int32),
        hit_grade=judged_run.hit_grade[order].ravel(),
        n_retrieved=np.repeat(judged_run.n_retrieved, count),
        judged_starts=np.arange(count + 1, dtype=np.int64) * len(judged_run.judged_grades),
        judged_grades=np.tile(judged_run.judged_grades, count),
        hit_gain=None if judged_run.hit_gain is None else judged_run.hit_gain[order].ravel(),
        judged_gain=None
        if judged_run.judged_gain is None
        else np.tile(judged_run.judged_gain, count),
        highest_gain=judged_run.highest_gain,
        highest=judged_run.highest,
        collection=judged_run.collection,
    )


def _find_next_judgment(trial: Trial, measure: Measure, lowest: int) -> NextJudgment | None:
    grades_by_document = trial.grades
    for rank, document in enumerate(trial.documents, 1):
        if grades_by_document.get(document, UNJUDGED) == UNJUDGED:
            lowest_value, highest_value = (
                float(trial.with_grade(document, grade).values([measure])[0])
                for grade in (lowest, trial.highest)
            )
            return NextJudgment(rank, document, lowest_value, highest_value)
    return None
