"""Fixtures of the tests of figures: three runs, four topics, graded judgments, three assessors."""

from collections.abc import Callable

import pytest

from irjudge.audit import audit_judge, make_audit_material
from irjudge.evaluation import Evaluation, evaluate_runs, parse_measures
from irjudge.judging import ModelJudgments
from irjudge.model import Labels, ModelJudge, Qrels, Run, make_labels, make_qrels, make_run
from irjudge.report.figures import (
    Chart,
    FigureOptions,
    JudgeAudits,
    JudgedRankings,
    catalogue,
    find_figure,
    judge_rankings,
)
from irjudge.stats import Sampling

TOPICS = ("1", "2", "3", "4")
# The grade at each rank; "." is a document that the qrels do not name.
RANKED = {
    "alpha": ("2101.00", "1.2000", "011002", "0000.1"),
    "beta": ("1.02010", "210.00", "000112", "1.0000"),
    "gamma": ("000.1", "0.001", "1.0", "0.010"),
}
MISSED = (2, 1, 0)  # grades of documents that no run retrieved


def qrels_and_runs() -> tuple[Qrels, list[Run]]:
    judged, runs = [], []
    for name, topics in RANKED.items():
        lines = []
        for topic, grades in zip(TOPICS, topics, strict=True):
            for rank, grade in enumerate(grades):
                document = f"{name}-{rank}"
                lines.append((topic, document, float(-rank)))
                judged += [(topic, document, int(grade))] if grade != "." else []
        runs.append(make_run(name, lines))
    return make_qrels(
        judged + [(topic, f"missed-{grade}", grade) for topic in TOPICS for grade in MISSED]
    ), runs


@pytest.fixture(scope="session")
def example() -> tuple[Qrels, list[Run]]:
    return qrels_and_runs()


@pytest.fixture(scope="session")
def joined_rankings(example: tuple[Qrels, list[Run]]) -> JudgedRankings:
    return judge_rankings(*example, source="made up")


@pytest.fixture(scope="session")
def evaluate_example(example: tuple[Qrels, list[Run]]) -> Callable[..., Evaluation]:
    return lambda *measures: evaluate_runs(*example, parse_measures(measures), source="made up")


@pytest.fixture(scope="session")
def labels() -> Labels:
    grades = {"ann": "0011220", "bob": "0012220", "cem": "0110221"}
    return make_labels(
        [
            (f"d{at}", name, int(each))
            for name, given in grades.items()
            for at, each in enumerate(given)
        ]
    )


@pytest.fixture(scope="session")
def audits(example: tuple[Qrels, list[Run]]) -> JudgeAudits:
    """Return audits of a model whose grades are one higher than people's, up to the maximum."""
    qrels, runs = example
    (measure,) = parse_measures(["nDCG@10"])
    material = make_audit_material(qrels, "made up", measure, runs=runs)
    answers = ModelJudgments(
        ModelJudge("kind"),
        {pair: min(2, grade + 1) for pair, grade in material.assessor_grades.items()},
        {},
        {},
    )
    return JudgeAudits((audit_judge(material, answers, sampling=Sampling(samples=5)),))


@pytest.fixture(scope="session")
def charts(
    evaluate_example: Callable[..., Evaluation],
    joined_rankings: JudgedRankings,
    labels: Labels,
    audits: JudgeAudits,
) -> dict[str, Chart]:
    """Return every figure of the example data by name; some have a second variant."""
    results, others = {}, {"rankings": joined_rankings, "labels": labels, "models": audits}
    for figure in catalogue():
        material = (
            evaluate_example(*figure.default_measures)
            if figure.input_kind == "values"
            else others[figure.input_kind]
        )
        results[figure.name] = figure.chart(
            material, FigureOptions(runs=("alpha",) if figure.name == "topic-spread" else ())
        )
    curves = find_figure("precision-recall-raw")
    results["precision-recall-raw-topic"] = curves.chart(
        joined_rankings, FigureOptions(topic="1", runs=("alpha", "beta"))
    )
    results["gain-dcg"] = find_figure("gain").chart(joined_rankings, FigureOptions(curve="dcg"))
    return results
