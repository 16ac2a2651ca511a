"""Qrels of a project: consensus, judgments of the owner, of one assessor or model, and imports."""

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from irjudge.errors import ProjectError
from irjudge.judging.consensus import (
    AdjudicatedGrade,
    build_vote_labels,
    compute_consensus_grades,
    grades_by_assessor,
    iter_judgments,
    read_consensus_method,
    read_valid_adjudications,
)
from irjudge.judging.counted_assessors import (
    CHOSEN_SETTING,
    list_counted_assessors,
    model_qrels_names,
)
from irjudge.judging.model_judgments import read_model_judgments
from irjudge.message import Message, format_count
from irjudge.model import (
    CLICK_QRELS_PREFIX,
    UNJUDGEABLE,
    UNJUDGED,
    Pair,
    Pool,
    Qrels,
    UnsampledDocuments,
    index_in,
    make_qrels,
    merge_subtopic_grades,
    top_documents,
    topic_of_each_row,
)
from irjudge.pooling import PoolOptions, build_pool
from irjudge.stats.consensus import Consensus, find_rule
from irjudge.store import Project

Source = Literal["consensus", "judged", "imported", "assessor", "model", "mixed"]
CONSENSUS, JUDGED = Message("consensus"), Message("judged here")
NO_SUBTOPIC = "0"  # column 2 of qrels without subtopics
MIN_CONSENSUS_ASSESSORS = 2  # minimum number of assessors for a consensus
TOP_DEPTH = 10  # number of top ranks for which judged documents are counted if there is no pool


@dataclass(frozen=True, slots=True)
class QrelsChoice:
    """Qrels that the user can choose, for example for an evaluation: name, source and size.

    The qrels are computed from the judgments of assessors, of a model or of both, or were imported.
    The grades are not included; `list_qrels_rows` returns them.
    """

    name: str  # unique name in lists and on the command line
    # source of the grades: `consensus` (of the assessors), `judged` (by the owner), `assessor` (one
    # assessor), `imported`, `model`, or `mixed` (assessors, and a model for the pairs that they did
    # not judge)
    source: Source
    # number of pairs or, for imported qrels, of rows; 0 for a file that is not in a project
    pair_count: int
    # name of the assessor, the model or the imported qrels; empty for `consensus` and `judged`
    origin: str = ""
    rule: str = ""  # title of the consensus rule; empty for other qrels
    # number of adjudicated pairs of the project; 0 unless the source is `consensus`
    adjudicated_count: int = 0

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences with the name, the size and the rule of the qrels."""
        counted_text = Message(
            "Qrels: {name} ({pairs}).", name=self.name, pairs=format_count(self.pair_count, "pair")
        )
        if not self.rule:
            return (counted_text,)
        return counted_text, Message("Consensus rule: {rule}.", rule=Message(self.rule))

    @property
    def description(self) -> str:
        """Short text with name, size and rule, shown next to results computed from the qrels."""
        if self.rule and self.adjudicated_count:
            return Message(
                "{name} (judgments: {count:,}, rule: {rule}, adjudicated: {adjudicated:,})",
                name=self.name,
                count=self.pair_count,
                rule=Message(self.rule),
                adjudicated=self.adjudicated_count,
            )
        if self.rule:
            return Message(
                "{name} (judgments: {count:,}, rule: {rule})",
                name=self.name,
                count=self.pair_count,
                rule=Message(self.rule),
            )
        return Message("{name} (judgments: {count:,})", name=self.name, count=self.pair_count)


def list_judged_rows(
    project: Project, *, include_unjudged: bool = False
) -> list[tuple[str, str, int]]:
    """Return (topic, document, grade) of the owner's judgments, in pool order.

    Unjudgeable documents have the grade -2. With `include_unjudged`, unjudged documents, including
    unsampled ones, have the grade -1; otherwise, they are omitted. Calibration documents are
    included only if they are pooled.
    """
    return _sort_in_pool_order(
        project,
        _read_owner_grades(project, _list_pooled_pairs(project)),
        include_unjudged=include_unjudged,
    )


def list_consensus_rows(project: Project, consensus: Consensus) -> list[tuple[str, str, int]]:
    """Return (topic, document, grade) of a consensus with its adjudications, in pool order."""
    return _sort_in_pool_order(
        project, compute_consensus_grades(project, consensus), include_unjudged=False
    )


def _sort_in_pool_order(
    project: Project, grades: Mapping[Pair, int], *, include_unjudged: bool
) -> list[tuple[str, str, int]]:
    ordered_pairs = dict.fromkeys(
        [
            *_list_pooled_pairs(project),
            *grades,
            *(_list_population_pairs(project) if include_unjudged else ()),
        ]
    )
    return [
        (*pair, grades.get(pair, UNJUDGED))
        for pair in ordered_pairs
        if include_unjudged or pair in grades
    ]


def _list_population_pairs(project: Project) -> dict[Pair, None]:
    """Return the pairs of the newest pool, then the pairs that were not sampled."""
    return _list_pooled_pairs(project) | _list_unsampled_pairs(project)


def _list_pooled_pairs(project: Project) -> dict[tuple[str, str], None]:
    pool = project.rankings.pool()
    return _list_pairs(pool.topics, pool) if pool else {}


def _list_unsampled_pairs(project: Project) -> dict[tuple[str, str], None]:
    pool = project.rankings.pool()
    return _list_pairs(pool.topics, pool.unsampled) if pool else {}


def _list_pairs(
    topics: Sequence[str], rows: Pool | UnsampledDocuments
) -> dict[tuple[str, str], None]:
    topic_names = [topics[code] for code in topic_of_each_row(rows.starts).tolist()]
    return dict.fromkeys(zip(topic_names, rows.document.to_pylist(), strict=True))


def _read_owner_grades(
    project: Project, pooled_pairs: Container[tuple[str, str]]
) -> dict[tuple[str, str], int]:
    """Return the owner's grade of each pair, without unpooled calibration documents.

    Repeated presentations and judgments of another text of the document are omitted.
    """
    calibration = project.calibration
    return {
        pair: int(event.payload["value"]) if event.kind == "grade" else UNJUDGEABLE
        for event, pair, is_current in iter_judgments(project, project.owner)
        if is_current and (pair in pooled_pairs or pair[1] not in calibration.get(pair[0], ()))
    }


def list_qrels_choices(project: Project) -> list[QrelsChoice]:
    """Return the qrels that a project offers, the default first.

    The default qrels are those chosen with `choose_qrels`. If none are chosen, the default qrels
    are those that cover the most pairs of the newest pool or, without a pool, of the top 10 of the
    runs. The other qrels, and qrels that cover equally many pairs, are in this order: the consensus
    (if two or more assessors voted or there are adjudications), the owner's judgments, imported
    qrels, and the judgments of each other assessor. Qrels of a model are included only if chosen.
    Qrels from clicks are the default only if chosen.
    """
    return list(project.compute_cached(_make_choices))


def choose_qrels(project: Project, name: str) -> None:
    """Choose the qrels with a name as the default; an empty name cancels the choice."""
    if (project.get_setting(CHOSEN_SETTING) or "") != name:
        project.set_setting(CHOSEN_SETTING, name)


def count_judged_in_pool(project: Project) -> tuple[int, int]:
    """Return the numbers of judged pairs and of pairs to judge in the newest pool.

    Unjudged pairs whose documents have no text are not counted.
    """
    pooled_pairs = _list_pooled_pairs(project).keys()
    judged_pairs = pooled_pairs & {
        pair for pairs in project.compute_cached(_collect_choices).values() for pair in pairs
    }
    textless_documents = {*project.rankings.pooled_without_text()}
    textless_count = sum(
        document in textless_documents for _topic, document in pooled_pairs - judged_pairs
    )
    return len(judged_pairs), len(pooled_pairs) - textless_count


def list_model_qrels(project: Project) -> tuple[QrelsChoice, ...]:
    """Return the qrels of each model, which a project uses only if they are chosen.

    For each model, there are qrels with its grades alone. If assessors judged, there are also qrels
    with the assessors' grades and, for pairs without such a grade, the model's grades.
    """
    return project.compute_cached(_make_model_qrels)


def _make_model_qrels(project: Project) -> tuple[QrelsChoice, ...]:
    choices: list[QrelsChoice] = []
    for name in project.events.models():
        grades = read_model_judgments(project, name).grades
        model_name, mixed_name = model_qrels_names(name)
        choices.append(QrelsChoice(model_name, "model", len(grades), name))
        if human_grades := read_human_grades(project):
            choices.append(
                QrelsChoice(mixed_name, "mixed", len(grades.keys() | human_grades.keys()), name)
            )
    return tuple(choices)


def read_human_grades(project: Project) -> dict[Pair, int]:
    """Return the grades in the qrels of `find_human_qrels`, by pair; empty without qrels."""
    human_qrels = find_human_qrels(project)
    rows = list_qrels_rows(project, human_qrels) if human_qrels else ()
    return merge_subtopic_grades(row for row in rows if row[2] != UNJUDGED)


def find_human_qrels(project: Project) -> QrelsChoice | None:
    """Return the first qrels that are not made by a model; None if there are none."""
    choices = project.compute_cached(_collect_choices)
    return _sort_choices(project, choices)[0] if choices else None


def _make_choices(project: Project) -> tuple[QrelsChoice, ...]:
    choices = project.compute_cached(_collect_choices)
    chosen_name = project.get_setting(CHOSEN_SETTING)
    chosen_model_choice = (
        next((choice for choice in list_model_qrels(project) if choice.name == chosen_name), None)
        if chosen_name
        else None
    )
    return (
        *((chosen_model_choice,) if chosen_model_choice else ()),
        *_sort_choices(project, choices),
    )


def _sort_choices(
    project: Project, choices: Mapping[QrelsChoice, Collection[Pair]]
) -> tuple[QrelsChoice, ...]:
    chosen_name = project.get_setting(CHOSEN_SETTING)
    first_choice = next(
        (choice for choice in choices if chosen_name and choice.name == chosen_name), None
    )
    # Qrels from clicks are the default only if chosen.
    choices_without_clicks = [
        choice for choice in choices if not choice.origin.startswith(CLICK_QRELS_PREFIX)
    ]
    if first_choice is None and len(choices_without_clicks) == 1:
        first_choice = choices_without_clicks[0]
    elif first_choice is None and len(choices_without_clicks) > 1:
        runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
        pool = project.rankings.pool()
        if pool is None and not runs:
            return tuple(choices)
        pool = pool or build_pool(runs, PoolOptions("depth", TOP_DEPTH))
        pooled_pairs = _list_pairs(pool.topics, pool)
        first_choice = max(
            choices_without_clicks,
            key=lambda choice: _count_covered_pairs(
                project, choice, choices[choice], pool, pooled_pairs
            ),
        )
    return tuple(sorted(choices, key=lambda choice: choice is not first_choice))


def _collect_choices(project: Project) -> dict[QrelsChoice, Collection[Pair]]:
    """Return the available qrels, except those of models, and their judged pairs.

    For imported qrels, no pairs are returned."""
    choices: dict[QrelsChoice, Collection[Pair]] = {}
    consensus_pairs, assessor_grades = _find_consensus_pairs(project)
    if consensus_pairs:
        choices[
            QrelsChoice(
                CONSENSUS,
                "consensus",
                len(consensus_pairs),
                rule=find_rule(read_consensus_method(project)).title,
                adjudicated_count=len(read_valid_adjudications(project)),
            )
        ] = consensus_pairs
    if owner_grades := _read_owner_grades(
        project, _list_pooled_pairs(project) if project.calibration else ()
    ):
        choices[QrelsChoice(JUDGED, "judged", len(owner_grades))] = owner_grades
    reserved_names = {CONSENSUS, JUDGED}
    for qrels_name in project.rankings.qrels_names():
        name = (
            Message("imported {name}", name=qrels_name.name)
            if qrels_name.name in reserved_names
            else qrels_name.name
        )
        choices[QrelsChoice(name, "imported", qrels_name.rows, qrels_name.name)] = ()
    used_names = reserved_names | {choice.name for choice in choices}
    for assessor, grades in assessor_grades.items():
        if assessor != project.owner:
            name = _make_unique_name(Message("assessor {name}", name=assessor), used_names)
            choices[QrelsChoice(name, "assessor", len(grades), assessor)] = grades
    return choices


def _find_consensus_pairs(project: Project) -> tuple[set[Pair], dict[str, dict[Pair, int]]]:
    """Return the pairs with a consensus grade, and the grades of each assessor with a vote.

    The set of pairs is empty if fewer than two assessors voted and nothing is adjudicated. The
    grades are empty, too, if only the owner may vote and nothing is adjudicated.
    """
    adjudicated_pairs = set(read_valid_adjudications(project))
    if not adjudicated_pairs and set(list_counted_assessors(project)) <= {project.owner}:
        return set(), {}
    voter_grades = {
        name: grades
        for name, grades in grades_by_assessor(build_vote_labels(project)).items()
        if grades
    }
    return adjudicated_pairs.union(*voter_grades.values()) if len(
        voter_grades
    ) >= MIN_CONSENSUS_ASSESSORS or adjudicated_pairs else set(), voter_grades


def select_adjudications(
    project: Project, choice: QrelsChoice | None
) -> dict[Pair, AdjudicatedGrade]:
    """Return the adjudications that are part of the given qrels.

    The result is empty unless the qrels are a consensus, or a consensus completed by a model.
    """
    if choice is not None and choice.source == "mixed":
        choice = find_human_qrels(project)
    if choice is None or choice.source != "consensus":
        return {}
    return read_valid_adjudications(project)


def _count_covered_pairs(
    project: Project,
    choice: QrelsChoice,
    judged_pairs: Collection[Pair],
    pool: Pool,
    pooled_pairs: Container[Pair],
) -> int:
    """Return the number of pairs of a pool that are judged in the qrels described by `choice`."""
    if choice.source != "imported":
        return sum(pair in pooled_pairs for pair in judged_pairs)
    qrels = project.rankings.qrels(choice.origin)
    document_codes = index_in(pool.document, qrels.documents)
    topic_codes = {topic: code for code, topic in enumerate(qrels.topics)}
    topic = np.array([topic_codes.get(topic, -1) for topic in pool.topics], dtype=np.int64)[
        pool.topic
    ]
    is_judged, key_width = qrels.grade != UNJUDGED, max(1, len(qrels.documents))
    judged_keys = qrels.topic[is_judged].astype(np.int64) * key_width + qrels.document[is_judged]
    return int(
        np.isin(
            (topic * key_width + document_codes)[(topic >= 0) & (document_codes >= 0)], judged_keys
        ).sum()
    )


def _make_unique_name(name: str, used_names: Container[str]) -> str:
    return _make_unique_name(f"the {name}", used_names) if name in used_names else name


def read_chosen_name(project: Project) -> str | None:
    """Return the name of the chosen qrels, which may no longer exist; None if none were chosen."""
    return project.get_setting(CHOSEN_SETTING)


def select_qrels(project: Project, name: str | None = None) -> QrelsChoice:
    """Return qrels by name, by default the first of `list_qrels_choices`."""
    project_choices = {choice.name: choice for choice in list_qrels_choices(project)}
    all_choices = project_choices | {choice.name: choice for choice in list_model_qrels(project)}
    if name is not None and name in all_choices:
        return all_choices[name]
    if not all_choices:
        raise ProjectError(
            "There are no qrels: nothing has been judged, and no qrels were imported."
        )
    if name is not None:
        raise ProjectError(
            "There are no qrels {name!r}; expected one of {names}.",
            name=name,
            names=", ".join(all_choices),
        )
    if not project_choices:
        raise ProjectError(
            "The project contains only judgments by models, whose labels are unused until "
            "selected as qrels: {names}.",
            key="only-models",
            names=", ".join(all_choices),
        )
    return next(iter(project_choices.values()))


def read_project_qrels(project: Project, choice: QrelsChoice | None = None) -> Qrels:
    """Return the qrels of a project, by default those of `select_qrels`."""
    qrels_choice = choice or select_qrels(project)
    return (
        project.rankings.qrels(qrels_choice.origin)
        if qrels_choice.source == "imported"
        else make_qrels(list_qrels_rows(project, qrels_choice))
    )


def list_qrels_rows(
    project: Project, choice: QrelsChoice | None = None, *, include_unjudged: bool = False
) -> list[tuple[str, str, int]]:
    """Return (topic, document, grade) of the rows of qrels, by default those of `select_qrels`.

    `include_unjudged` is explained in `list_judged_rows`.
    """
    qrels_choice = choice or select_qrels(project)
    if qrels_choice.source != "imported":
        return _compute_rows(project, qrels_choice, include_unjudged=include_unjudged)
    rows = list(project.rankings.qrels(qrels_choice.origin).rows())
    return rows + (_list_unjudged_rows(project, rows) if include_unjudged else [])


def list_rows_and_subtopics(
    project: Project, choice: QrelsChoice | None = None, *, include_unjudged: bool = False
) -> tuple[list[tuple[str, str, float]], list[str]]:
    """Return the rows of qrels as (topic, document, rating), and the subtopic of each row.

    The rating is the gain if imported qrels have gains, otherwise the grade. The subtopic, which is
    written to column 2 of qrels files, is 0 for qrels that are not imported.
    """
    qrels_choice = choice or select_qrels(project)
    if qrels_choice.source != "imported":
        computed_rows = _compute_rows(project, qrels_choice, include_unjudged=include_unjudged)
        return [*computed_rows], [NO_SUBTOPIC] * len(computed_rows)
    imported_qrels = project.rankings.qrels(qrels_choice.origin)
    rows = [*imported_qrels.rated_rows()]
    subtopics = [imported_qrels.groups[code] for code in imported_qrels.group.tolist()]
    unjudged_rows = _list_unjudged_rows(project, rows) if include_unjudged else []
    return rows + unjudged_rows, subtopics + [NO_SUBTOPIC] * len(unjudged_rows)


def _list_unjudged_rows(
    project: Project, rows: Iterable[tuple[str, str, float]]
) -> list[tuple[str, str, int]]:
    """Return rows with the grade `UNJUDGED` for pooled and unsampled pairs without a row."""
    row_pairs = {(topic, document) for topic, document, _ in rows}
    return [(*pair, UNJUDGED) for pair in _list_population_pairs(project) if pair not in row_pairs]


def _compute_rows(
    project: Project, choice: QrelsChoice, *, include_unjudged: bool
) -> list[tuple[str, str, int]]:
    if choice.source == "judged":
        return list_judged_rows(project, include_unjudged=include_unjudged)
    if choice.source in ("model", "mixed"):
        assessor_grades = read_human_grades(project) if choice.source == "mixed" else {}
        return _sort_in_pool_order(
            project,
            read_model_judgments(project, choice.origin).grades | assessor_grades,
            include_unjudged=include_unjudged,
        )
    grades = (
        compute_consensus_grades(project)
        if choice.source == "consensus"
        else grades_by_assessor(build_vote_labels(project)).get(choice.origin, {})
    )
    return _sort_in_pool_order(project, grades, include_unjudged=include_unjudged)


# Counts and rankings with grades of the default qrels


@dataclass(frozen=True, slots=True)
class TopicCounts:
    """Row of the collection page: numbers of pooled, judged and relevant documents of a topic.

    The judgments are those of the project's default qrels; unjudgeable documents count as judged.
    `judged` counts judged documents in the pool, `judged_outside` other judged documents, and
    `relevant` all documents with grade 1 or more. Without a pool, `judged` counts all judged
    documents. `title` is empty if the topic has none.
    """

    id: str
    title: str
    pooled: int
    judged: int
    relevant: int
    judged_outside: int


def count_documents_by_topic(project: Project) -> list[TopicCounts]:
    """Return the numbers of documents of each topic that has a text, pooled documents or judgments.

    Topics without text come last.
    """
    pool = project.rankings.pool()
    pooled = (
        {
            topic: pool.document[start:end]
            for topic, (start, end) in zip(pool.topics, pairwise(pool.starts.tolist()), strict=True)
        }
        if pool
        else {}
    )
    judged: dict[str, dict[str, int]] = {}
    qrels_rows = list_qrels_rows(project) if list_qrels_choices(project) else ()
    merged_grades = merge_subtopic_grades(row for row in qrels_rows if row[2] != UNJUDGED)
    for (topic, document), grade in merged_grades.items():
        judged.setdefault(topic, {})[document] = grade
    titles = project.collection.topic_titles()
    rows = []
    for name in dict.fromkeys([*titles, *pooled, *judged]):
        grades = judged.get(name, {})
        judged_count = len(grades)
        if pool and grades:
            documents = pooled[name].to_pylist() if name in pooled else []
            judged_count = sum(document in grades for document in documents)
        rows.append(
            TopicCounts(
                name,
                titles.get(name, ""),
                len(pooled.get(name, ())),
                judged_count,
                sum(grade > 0 for grade in grades.values()),
                len(grades) - judged_count,
            )
        )
    return rows


@dataclass(frozen=True, slots=True)
class GradedResult:
    """Row of the runs page: document in a run's ranking for a topic, and its grade.

    A row has rank, id, title, score and grade. `grade` is that of the project's default qrels, the
    highest if the document has several; it is -1 for an unjudged and -2 for an unjudgeable
    document. It is None for a document that is not in these qrels. `title` is the title of the
    document or, without a title, its first words; it is empty if there are none.
    """

    rank: int
    id: str
    title: str
    score: float
    grade: int | None


def list_graded_results(
    project: Project, run: str, topic: str, depth: int
) -> tuple[list[GradedResult], int]:
    """Return the first `depth` documents of a run for a topic, and the number of all documents.

    Both are empty or 0 if the project has no run with this name.
    """
    if run not in {other_run.name for other_run in project.rankings.runs()}:
        return [], 0
    ranking = project.rankings.run(run).select_topics({topic})
    ids = top_documents(ranking, topic, depth)
    titles = project.collection.titles(ids)
    scores = dict(zip(ranking.document.to_pylist(), ranking.score.tolist(), strict=True))
    qrels = read_project_qrels(project) if list_qrels_choices(project) else None
    grades = qrels.topic_grades(topic) if qrels else {}
    results = [
        GradedResult(rank, id, titles.get(id, ""), scores[id], grades.get(id))
        for rank, id in enumerate(ids, 1)
    ]
    return results, len(scores)
