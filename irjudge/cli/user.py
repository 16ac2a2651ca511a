"""The command for measures of one user: what was known before, wanted, and looked at."""

from collections.abc import Iterator
from pathlib import Path

import click

from irjudge.cli.evaluate import FILE
from irjudge.cli.shared.columns import FileColumns, columns_option
from irjudge.cli.shared.output import format_option, negative_option, say, show
from irjudge.cli.shared.topics import topic_option
from irjudge.errors import IrjudgeError
from irjudge.evaluation.join import join
from irjudge.evaluation.table import ALL
from irjudge.formats.rankings.qrels import Negative, read_qrels
from irjudge.formats.rankings.runs import names_apart, read_run
from irjudge.metrics.users.user import coverage, novelty, recall_effort, relative_recall
from irjudge.model.ranking import Qrels, Run, make_qrels
from irjudge.model.topic import chosen_topics

Row = tuple[str, str, str, float]


@click.command("user")
@click.argument("qrels", type=FILE)
@click.argument("runs", type=FILE, nargs=-1, required=True)
@click.option("--known", type=FILE, required=True, help="Qrels of the documents the user knew to be relevant before the search.")
@click.option("--wanted", type=click.IntRange(1), help="How many relevant documents the user wants: relative recall and recall effort.")
@click.option("--depth", type=click.IntRange(1), help="Only the top DEPTH documents of each ranking count.")
@click.option("--rel", type=click.IntRange(1), default=1, show_default=True, help="The lowest grade that is relevant.")
@topic_option()
@negative_option()
@columns_option()
@format_option()
def user_command(
    qrels: Path,
    runs: tuple[Path, ...],
    known: Path,
    wanted: int | None,
    depth: int | None,
    rel: int,
    only: str,
    negative: Negative | None,
    columns: FileColumns,
    form: str,
) -> None:
    """Measure RUNS for a user who knew some relevant documents before: coverage, novelty, relative recall, recall effort."""
    judged, before = (read_qrels(path, negative, columns=columns.qrels) for path in (qrels, known))
    say(*judged.remarks, *before.remarks)
    topics = [topic for topic in judged.topics if topic in set(before.topics)]
    if not topics:
        raise IrjudgeError(f"{qrels.name} and {known.name} have no topic in common.")
    topics = list(chosen_topics(only, topics)) or topics
    judged, before = (_only(each, topics) for each in (judged, before))
    rows: list[Row] = []
    for path, name in zip(runs, names_apart(runs), strict=True):
        run = read_run(path, name, columns=columns.runs)
        say(*run.remarks)
        rows += _rows(run, judged, before, wanted, depth, rel)
    show(("run", "measure", "topic", "value"), rows, form)
    if only:
        say(f"Averaged: only topics {only}.")


def _only(qrels: Qrels, topics: list[str]) -> Qrels:
    """Return the judgments of some topics, topic by topic in the order given: both files are looked at side by side."""
    place = {topic: number for number, topic in enumerate(topics)}
    rows = [row for row in qrels.rows() if row[0] in place]
    return make_qrels(sorted(rows, key=lambda row: place[row[0]]))


def _rows(run: Run, qrels: Qrels, known: Qrels, wanted: int | None, depth: int | None, rel: int) -> Iterator[Row]:
    """Yield the value of each topic, then the mean."""
    judged, before = (join(run, each, topics="qrels", rel=rel) for each in (qrels, known))
    values = {
        "coverage": coverage(before, rel=rel, cutoff=depth),
        "novelty": novelty(judged, before, rel=rel, cutoff=depth),
    }
    if wanted:
        values |= {
            "relative_recall": relative_recall(judged, wanted=wanted, rel=rel, cutoff=depth),
            "recall_effort": recall_effort(judged, wanted=wanted, rel=rel, cutoff=depth),
        }
    for measure, scores in values.items():
        yield from ((run.name, measure, topic, float(score)) for topic, score in zip(judged.topics, scores, strict=True))
        yield run.name, measure, ALL, float(scores.mean())
