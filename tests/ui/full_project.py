"""A project in which every page has content: judgments, preferences, assignments and snapshots."""

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

from irjudge.evaluation import evaluate_project, parse_measures
from irjudge.exchange import (
    AssignmentOptions,
    Candidate,
    ComparisonOptions,
    assign_comparison_to_owner,
    assign_pool,
)
from irjudge.formats import ReadingOptions
from irjudge.judging import (
    create_sample_project,
    get_ledger,
    import_judgments,
    list_comparison_items,
)
from irjudge.model import (
    AssignedItem,
    Assignment,
    Event,
    Item,
    ModelJudge,
    OrganiserNote,
    preference_payload,
    utc_now,
)
from irjudge.report import make_stored_project_evaluation, store_in_project
from irjudge.shipped import sample_folders
from irjudge.store import Project, open_project

RUNS = ("bm25", "ql", "title")
TOP_RANKS = 3
LEFT, TIE = "left", "tie"
MEASURES = ("AP", "nDCG@10", "P@10")


def make_full_project(path: Path) -> Path:
    """Create the project."""
    create_sample_project(path, "harbour")
    with open_project(path) as project:
        runs = tuple(run.name for run in project.rankings.runs())[:3]
        import_judgments(
            project,
            sample_folders()["harbour"] / "model_labels.txt",
            ReadingOptions(judge=ModelJudge("invented")),
        )
        assign_pool(
            project,
            [Candidate("dora"), Candidate("emil")],
            AssignmentOptions(),
            path.parent / "handed",
        )
        compare_runs(project, ("dora", "emil"), lambda one, two, _place: min(one, two), runs=runs)
        assign_comparison_to_owner(project, ComparisonOptions((runs[:2],)))
        for name, measures in (("April", MEASURES), ("May", MEASURES[:2])):
            store_in_project(
                project,
                make_stored_project_evaluation(
                    project,
                    evaluate_project(project, parse_measures(measures)),
                    name,
                    program="irjudge",
                ),
            )
    return path


def record_preference(
    project: Project, assessor: str, item: Item, winner: str, **more: object
) -> None:
    event = Event(
        assessor,
        "preference",
        item,
        utc_now(),
        preference_payload(winner, **more),
        None,
        get_ledger(project, assessor).head,
    )
    project.events.append(event)


def top_results(project: Project, run: str, topic: str) -> tuple[str, ...]:
    stored_run = project.rankings.run(run)
    code = stored_run.topics.index(topic)
    return tuple(stored_run.document[int(stored_run.starts[code]) :].to_pylist()[:TOP_RANKS])


def compare_runs(
    project: Project,
    assessors: tuple[str, ...],
    better: Callable[[str, str, int], str],
    *,
    runs: tuple[str, ...] = RUNS,
) -> None:
    """Let assessors compare every two runs on every topic.

    `better` returns the run that an assessor prefers, or an empty string for a tie.
    """
    topics = [topic.id for topic in project.collection.topics()]
    for number, assessor in enumerate(assessors):
        items, secrets, answers = [], [], []
        for index, topic in enumerate(topics):
            for one, two in combinations(runs, 2):
                left, right = (one, two) if (index + number) % 2 else (two, one)
                sides = tuple(f"{assessor}-{topic}-{one}-{two}-{side}" for side in ("a", "b"))
                lists = (top_results(project, left, topic), top_results(project, right, topic))
                items.append(AssignedItem(topic, lists, "panel", sides))
                secrets.append(OrganiserNote(left_run=left, right_run=right))
                preferred = better(one, two, index)
                answers.append(
                    LEFT if preferred == left else "right" if preferred == right else TIE
                )
        project.assignments.add(
            Assignment(0, f"work of {assessor}", assessor, "side-by-side", 1), items, secrets
        )
        with project.transaction():  # one commit, because each takes milliseconds
            for item, winner in zip(list_comparison_items(items), answers, strict=True):
                shown = Item(
                    item.topic,
                    item.documents,
                    ("",) * len(item.documents),
                    "panel",
                    item.occurrence,
                )
                record_preference(
                    project,
                    assessor,
                    shown,
                    winner,
                    sides=list(item.sides),
                    sizes=[TOP_RANKS, TOP_RANKS],
                    active_ms=4000,
                )
