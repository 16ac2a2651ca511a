"""The qrels of a project: settled among its assessors, judged by its owner or by one assessor, or imported."""

from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from irjudge.errors import ProjectError
from irjudge.judging.consensus import (
    AdjudicatedGrade,
    build_vote_labels,
    compute_consensus_grades,
    grades_by_assessor,
    read_consensus_method,
    read_valid_adjudications,
)
from irjudge.judging.counted_assessors import list_counted_assessors
from irjudge.judging.ledger import list_grades_in_force
from irjudge.judging.model_judgments import read_model_judgments
from irjudge.message import Message
from irjudge.model import (
    CLICKS,
    UNJUDGEABLE,
    UNJUDGED,
    Pool,
    Qrels,
    UnsampledDocuments,
    index_in,
    make_qrels,
    topic_of_each_row,
)
from irjudge.pooling import PoolOptions, build_pool
from irjudge.stats.consensus import Consensus, find_rule
from irjudge.store import Project

Pair = tuple[str, str]
Source = Literal["consensus", "judged", "imported", "assessor", "model", "mixed"]
CONSENSUS, JUDGED = "consensus", Message("judged here")
NO_SUBTOPIC = "0"  # column 2 of qrels without subtopics
MIN_CONSENSUS_ASSESSORS = 2  # assessors, of whom there can be a consensus
CHOSEN_FACT = "qrels"  # fact: the name of those that somebody chose
TOP_DEPTH = 10  # of each run: what qrels are to cover where there is no pool


@dataclass(frozen=True, slots=True)
class QrelsChoice:
    """Qrels a project can offer."""

    name: str  # what it is called in lists and on the command line; no two are called the same
    # `consensus` of the assessors, `judged` by the owner, by one `assessor`, or `imported`; a `model` answered them, or a model answered
    # what people did not judge (`mixed`)
    source: Source
    rows: int  # how many documents of topics they hold
    of: str = ""  # the name of the assessor or model, or the name under which they were imported
    rule: str = ""  # the title of the rule that settles a consensus; empty for others
    adjudicated: int = 0  # how many of these pairs were adjudicated

    @property
    def words(self) -> str:
        """What stands beside numbers that rest on them."""
        if self.rule and self.adjudicated:
            return Message(
                "{chosen} (pairs: {rows:,}, rule: {rule}, adjudicated: {adjudicated:,})",
                chosen=self.name,
                rows=self.rows,
                rule=self.rule,
                adjudicated=self.adjudicated,
            )
        if self.rule:
            return Message(
                "{chosen} (pairs: {rows:,}, rule: {rule})",
                chosen=self.name,
                rows=self.rows,
                rule=self.rule,
            )
        return Message("{chosen} (pairs: {rows:,})", chosen=self.name, rows=self.rows)


def list_judged_rows(project: Project, *, unjudged: bool = False) -> list[tuple[str, str, int]]:
    """Return (topic, document, grade) of the owner's judgments, in pool order.

    Unjudgeable documents are -2. With `unjudged`, pooled documents that wait for a judgment are there too, as -1, and so are those
    that a sampled pool left out by chance; otherwise they are left out: unjudged is never 0. A calibration document counts where it
    is pooled too.
    """
    return _sort_in_pool_order(
        project, _read_owner_grades(project, _list_pooled_pairs(project)), unjudged=unjudged
    )


def list_consensus_rows(project: Project, found: Consensus) -> list[tuple[str, str, int]]:
    """Return (topic, document, grade) of a consensus with the organiser's decisions in it, in pool order."""
    return _sort_in_pool_order(project, compute_consensus_grades(project, found), unjudged=False)


def _sort_in_pool_order(
    project: Project, grade: Mapping[Pair, int], *, unjudged: bool
) -> list[tuple[str, str, int]]:
    order = dict.fromkeys(
        [
            *_list_pooled_pairs(project),
            *grade,
            *(_list_population_pairs(project) if unjudged else ()),
        ]
    )
    return [(*pair, grade.get(pair, UNJUDGED)) for pair in order if unjudged or pair in grade]


def _list_population_pairs(project: Project) -> dict[Pair, None]:
    """Return the pairs of the newest pool, and those that chance kept out of it."""
    return _list_pooled_pairs(project) | _list_unsampled_pairs(project)


def _list_pooled_pairs(project: Project) -> dict[tuple[str, str], None]:
    """Return the pairs of the newest pool, in its order."""
    pool = project.rankings.pool()
    return _list_pairs(pool.topics, pool) if pool else {}


def _list_unsampled_pairs(project: Project) -> dict[tuple[str, str], None]:
    """Return the pairs that chance kept out of the newest pool."""
    pool = project.rankings.pool()
    return _list_pairs(pool.topics, pool.undrawn) if pool else {}


def _list_pairs(
    topics: Sequence[str], rows: Pool | UnsampledDocuments
) -> dict[tuple[str, str], None]:
    names = [topics[code] for code in topic_of_each_row(rows.starts).tolist()]
    return dict.fromkeys(zip(names, rows.document.to_pylist(), strict=True))


def _read_owner_grades(
    project: Project, pooled: Container[tuple[str, str]]
) -> dict[tuple[str, str], int]:
    """Return the owner's grade of each pair; a document judged only to calibrate the assessor is none of the result."""
    calibration = project.calibration
    grade = {}
    for event in list_grades_in_force(project):
        topic, document = event.item.topic, event.item.documents[0]
        if (topic, document) in pooled or document not in calibration.get(topic, ()):
            grade[topic, document] = (
                int(event.payload["value"]) if event.kind == "grade" else UNJUDGEABLE
            )
    return grade


def list_qrels_choices(project: Project) -> list[QrelsChoice]:
    """Return the qrels a project can offer, the one that numbers rest on by default first.

    That is the one that was chosen (`choose_qrels`); where none was, the one that covers most pairs of the newest pool, or without a
    pool of the top 10 of the runs. Where several cover as many, and after it, the consensus comes first, where two assessors or more
    have judgments that count or something was decided; then what was judged here, what was imported, and the judgments of each
    assessor but the owner.
    """
    return list(project.derived(_make_choices))


def choose_qrels(project: Project, name: str) -> None:
    """Let numbers rest on the qrels of a name from now on; an empty one takes the choice back."""
    if (project.fact(CHOSEN_FACT) or "") != name:
        project.set_fact(CHOSEN_FACT, name)


def count_judged_in_pool(project: Project) -> tuple[int, int]:
    """Return how many pairs of the newest pool somebody judged here, whoever it was, and how many it has."""
    pooled = _list_pooled_pairs(project)
    return len(
        pooled.keys()
        & {pair for made in project.derived(_collect_choices).values() for pair in made}
    ), len(pooled)


def list_model_qrels(project: Project) -> tuple[QrelsChoice, ...]:
    """Return the qrels that models make: of each its own, and where people judged something theirs with the model's for the rest.

    Numbers never rest on them unless somebody names them, or chose them for the project.
    """
    return project.derived(_make_model_qrels)


def _make_model_qrels(project: Project) -> tuple[QrelsChoice, ...]:
    found: list[QrelsChoice] = []
    for name in project.events.models():
        grades = read_model_judgments(project, name).grades
        found.append(QrelsChoice(Message("model {name}", name=name), "model", len(grades), name))
        if people := _read_human_grades(project):
            found.append(
                QrelsChoice(f"mixed:{name}", "mixed", len(grades.keys() | people.keys()), name)
            )
    return tuple(found)


def _read_human_grades(project: Project) -> dict[Pair, int]:
    """Return the grades of people, as the qrels have them that numbers rest on where none are chosen that a model made."""
    chosen = find_human_qrels(project)
    return (
        {
            (topic, document): grade
            for topic, document, grade in list_qrels_rows(project, chosen)
            if grade != UNJUDGED
        }
        if chosen
        else {}
    )


def find_human_qrels(project: Project) -> QrelsChoice | None:
    """Return the qrels that numbers rest on where none are chosen that a model made; None where people judged nothing."""
    found = project.derived(_collect_choices)
    return _sort_choices(project, found)[0] if found else None


def _make_choices(project: Project) -> tuple[QrelsChoice, ...]:
    found, chosen = project.derived(_collect_choices), project.fact(CHOSEN_FACT)
    named = (
        next((each for each in list_model_qrels(project) if each.name == chosen), None)
        if chosen
        else None
    )
    return (*((named,) if named else ()), *_sort_choices(project, found))


def _sort_choices(
    project: Project, found: Mapping[QrelsChoice, Collection[Pair]]
) -> tuple[QrelsChoice, ...]:
    chosen = project.fact(CHOSEN_FACT)
    first = next((each for each in found if chosen and each.name == chosen), None)
    people = [
        each for each in found if not each.of.startswith(CLICKS)
    ]  # numbers rest on clicks where somebody says so
    if first is None and len(people) == 1:
        first = people[0]
    elif first is None and len(people) > 1:
        pool = project.rankings.pool() or _pool_top_documents(project)
        pooled = _list_pairs(pool.topics, pool)
        first = max(
            people, key=lambda each: _count_covered(project, each, found[each], pool, pooled)
        )
    return tuple(sorted(found, key=lambda each: each is not first))


def _collect_choices(project: Project) -> dict[QrelsChoice, Collection[Pair]]:
    """Return what there is, with the pairs of what was made here; imported qrels may be large and are not read."""
    found: dict[QrelsChoice, Collection[Pair]] = {}
    settled, by_assessor = _consensus_pairs(project)
    if settled:
        found[
            QrelsChoice(
                CONSENSUS,
                "consensus",
                len(settled),
                rule=find_rule(read_consensus_method(project)).title,
                adjudicated=len(read_valid_adjudications(project)),
            )
        ] = settled
    if judged := _read_owner_grades(
        project, _list_pooled_pairs(project) if project.calibration else ()
    ):
        found[QrelsChoice(JUDGED, "judged", len(judged))] = judged
    ours = {CONSENSUS, JUDGED}
    for stored in project.rankings.qrels_names():
        name = (
            Message("imported {stored}", stored=stored.name) if stored.name in ours else stored.name
        )
        found[QrelsChoice(name, "imported", stored.rows, stored.name)] = ()
    taken = ours | {choice.name for choice in found}
    for assessor, grades in by_assessor.items():
        if assessor != project.owner:
            name = _make_unique_name(Message("assessor {name}", name=assessor), taken)
            found[QrelsChoice(name, "assessor", len(grades), assessor)] = grades
    return found


def _consensus_pairs(project: Project) -> tuple[set[Pair], dict[str, dict[Pair, int]]]:
    """Return the pairs that a consensus has, none where there can be no consensus, and the grades of each assessor."""
    decided = set(read_valid_adjudications(project))
    if not decided and set(list_counted_assessors(project)) <= {project.owner}:
        return set(), {}
    judged = {
        name: grades
        for name, grades in grades_by_assessor(build_vote_labels(project)).items()
        if grades
    }
    return decided.union(*judged.values()) if len(
        judged
    ) >= MIN_CONSENSUS_ASSESSORS or decided else set(), judged


def select_adjudications(
    project: Project, choice: QrelsChoice | None
) -> dict[Pair, AdjudicatedGrade]:
    """Return the adjudicated pairs among some qrels of a project.

    Adjudication makes grades of a consensus, and of the qrels of a model that fills the gaps of a
    consensus; other qrels, and None, have none.
    """
    if choice is not None and choice.source == "mixed":
        choice = find_human_qrels(project)
    if choice is None or choice.source != "consensus":
        return {}
    return read_valid_adjudications(project)


def _pool_top_documents(project: Project) -> Pool:
    """Return the top of each run, which stands for a pool where there is none."""
    return build_pool(
        [project.rankings.run(run.name) for run in project.rankings.runs()],
        PoolOptions("depth", TOP_DEPTH),
    )


def _count_covered(
    project: Project,
    choice: QrelsChoice,
    made: Collection[Pair],
    pool: Pool,
    pooled: Container[Pair],
) -> int:
    """Return how many pairs of a pool have a judgment in qrels."""
    if choice.source != "imported":
        return sum(pair in pooled for pair in made)
    qrels = project.rankings.qrels(choice.of)
    document = index_in(pool.document, qrels.documents)
    place = {topic: at for at, topic in enumerate(qrels.topics)}
    topic = np.array([place.get(each, -1) for each in pool.topics], dtype=np.int64)[pool.topic]
    judged, wide = qrels.grade != UNJUDGED, max(1, len(qrels.documents))
    named = qrels.topic[judged].astype(np.int64) * wide + qrels.document[judged]
    return int(np.isin((topic * wide + document)[(topic >= 0) & (document >= 0)], named).sum())


def _make_unique_name(name: str, taken: Container[str]) -> str:
    return _make_unique_name(f"the {name}", taken) if name in taken else name


def read_chosen_name(project: Project) -> str | None:
    """Return the name of the qrels that somebody chose, whether they are there still or not; None where nobody ever did."""
    return project.fact(CHOSEN_FACT)


def select_qrels(project: Project, name: str | None = None) -> QrelsChoice:
    """Return the qrels of a name, by default those that `list_qrels_choices` has first."""
    offered = {choice.name: choice for choice in list_qrels_choices(project)}
    named = offered | {choice.name: choice for choice in list_model_qrels(project)}
    if name is not None and name in named:
        return named[name]
    if not named:
        raise ProjectError("There are no qrels: nothing is judged yet and no qrels were imported.")
    if name is not None:
        raise ProjectError(
            "There are no qrels called {name!r}; choose {offered}.",
            name=name,
            offered=", ".join(named),
        )
    if not offered:
        raise ProjectError(
            "Only models judged here, and their labels count where a source names them: {named}.",
            key="only-models",
            named=", ".join(named),
        )
    return next(iter(offered.values()))


def read_project_qrels(project: Project, choice: QrelsChoice | None = None) -> Qrels:
    """Return the qrels of a project, by default those of `select_qrels`."""
    chosen = choice or select_qrels(project)
    return (
        project.rankings.qrels(chosen.of)
        if chosen.source == "imported"
        else make_qrels(list_qrels_rows(project, chosen))
    )


def list_qrels_rows(
    project: Project, choice: QrelsChoice | None = None, *, unjudged: bool = False
) -> list[tuple[str, str, int]]:
    """Return (topic, document, grade) of the qrels of a project, for writing; `unjudged` as for `list_judged_rows`."""
    return list_rows_and_subtopics(project, choice, unjudged=unjudged)[0]


def list_rows_and_subtopics(
    project: Project, choice: QrelsChoice | None = None, *, unjudged: bool = False
) -> tuple[list[tuple[str, str, int]], list[str]]:
    """Return the rows of `list_qrels_rows`, and beside each what its column 2 says: the subtopic in imported qrels, otherwise 0."""
    chosen = choice or select_qrels(project)
    if chosen.source != "imported":
        rows = _compute_rows(project, chosen, unjudged=unjudged)
        return rows, [NO_SUBTOPIC] * len(rows)
    stored = project.rankings.qrels(chosen.of)
    rows, groups = list(stored.rows()), [stored.groups[code] for code in stored.group.tolist()]
    named = {(topic, document) for topic, document, _ in rows}
    waiting = (
        [(*pair, UNJUDGED) for pair in _list_population_pairs(project) if pair not in named]
        if unjudged
        else []
    )
    return rows + waiting, groups + [NO_SUBTOPIC] * len(waiting)


def _compute_rows(
    project: Project, chosen: QrelsChoice, *, unjudged: bool
) -> list[tuple[str, str, int]]:
    if chosen.source == "judged":
        return list_judged_rows(project, unjudged=unjudged)
    if chosen.source in ("model", "mixed"):
        people = _read_human_grades(project) if chosen.source == "mixed" else {}
        return _sort_in_pool_order(
            project, read_model_judgments(project, chosen.of).grades | people, unjudged=unjudged
        )
    grades = (
        compute_consensus_grades(project)
        if chosen.source == "consensus"
        else grades_by_assessor(build_vote_labels(project)).get(chosen.of, {})
    )
    return _sort_in_pool_order(project, grades, unjudged=unjudged)
