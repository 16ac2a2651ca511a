"""Tests of published model labels: every line is accounted for, and audits give known values."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from irjudge.audit import JudgeAudit, audit_judge, make_audit_material, read_model_file
from irjudge.evaluation import Policy, parse_measures
from irjudge.formats.judgments import read_model_labels
from irjudge.formats.judgments.labels import ModelLabelFile
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.stats import GradeConfusion, Sampling, error_correlation, judge_statistics
from tests.numbers_in_text import find_numbers

SCALE = (0, 1, 2, 3)
FEW = Sampling(samples=10)


@pytest.fixture(scope="module")
def dl21(data: Path) -> dict[str, JudgeAudit]:
    folder = data / "model_judges" / "dl21"
    runs = [
        read_run(path, path.name.removesuffix(".run.gz"))
        for path in sorted((folder / "runs").iterdir())
    ]
    policy = Policy(profile="trec_eval-9")  # the values were computed in single precision
    (measure,) = parse_measures(["nDCG@10"])

    material = replace(
        make_audit_material(
            read_qrels(folder / "people.qrels"), "people.qrels", measure, policy, runs
        ),
        rerank="p_bm25",
    )
    return {
        name: audit_judge(
            material, read_model_file(folder / f"{name}-umbrela.qrels", SCALE)[0], sampling=FEW
        )
        for name in ("gpt-4o", "gpt-4", "llama3.2")
    }


@cache
def label_files(data: Path) -> dict[str, ModelLabelFile]:
    folder = data / "model_judges" / "llmjudge" / "labels"
    return {path.stem: read_model_labels(path, SCALE) for path in sorted(folder.iterdir())}


@cache
def labels(data: Path) -> dict[str, dict[tuple[str, str], int]]:
    return {name: file.last() for name, file in label_files(data).items()}


@cache
def human_qrels(data: Path) -> dict[tuple[str, str], int]:
    rows = read_qrels(data / "model_judges" / "llmjudge" / "llmjudge_test_qrel_idx.txt").rows()
    return {(topic, document): grade for topic, document, grade in rows}


def values(data: Path, name: str) -> dict[str, float | None]:
    statistics = judge_statistics(
        GradeConfusion.from_grades(human_qrels(data), labels(data)[name], SCALE), FEW
    )
    return {each.name: None if each.value is None else round(each.value, 4) for each in statistics}


def test_every_line_of_llmjudge_is_accounted_for(data: Path) -> None:
    files = [*label_files(data).values()]
    assert (len(files), {len(file.labels) for file in files}) == (33, {4423})
    two, one = [file.warnings[0] for file in files if file.warnings]
    # Number, whether they count as grade 0, line, grade, scale.
    assert two.startswith("RMITIR-llama70B.txt: ")
    assert find_numbers(two.partition(": ")[2]) == ["2", "0", "2449", "5", "0", "1", "2", "3"]
    assert one.startswith("h2oloo-zeroshot2.txt: ")
    assert find_numbers(one.partition(": ")[2]) == ["1", "0", "3187", "10", "0", "1", "2", "3"]
    assert sum(label.grade is None for file in files for label in file.labels) == 3


def test_llmjudge_has_the_known_agreement(data: Path) -> None:
    best, few = values(data, "willia-umbrela1"), values(data, "h2oloo-fewself")
    assert best["kappa"] == 0.2863
    assert (few["kappa"], few["kappa>=2"], few["alpha-ordinal"]) == (0.2774, 0.4280, 0.4958)
    confusion = GradeConfusion.from_grades(human_qrels(data), labels(data)["h2oloo-fewself"], SCALE)
    assert confusion.total.tolist() == [
        [1586, 229, 98, 92],
        [602, 302, 183, 146],
        [225, 143, 212, 228],
        [57, 58, 64, 198],
    ]
    assert confusion.pairs == 4423


def test_the_best_systems_under_llmjudge_are_the_best_overall(data: Path) -> None:
    result = {
        name: {
            each.name: each.value or 0
            for each in judge_statistics(
                GradeConfusion.from_grades(human_qrels(data), grades, SCALE), FEW
            )
        }
        for name, grades in labels(data).items()
    }
    assert max(result, key=lambda name: result[name]["kappa"]) == "willia-umbrela1"
    assert max(result, key=lambda name: result[name]["kappa>=2"]) == "h2oloo-fewself"


def test_many_models_do_not_count_as_many_votes(data: Path) -> None:
    every, truth = labels(data), human_qrels(data)
    assert round(error_correlation(truth, list(every.values())), 2) == 0.66
    given = np.array([[grades.get(pair, -1) for pair in truth] for grades in every.values()])
    votes = np.stack([(given == grade).sum(axis=0) for grade in SCALE])
    majority = dict(zip(truth, votes.argmax(axis=0).tolist(), strict=True))
    result = {
        each.name: each.value
        for each in judge_statistics(GradeConfusion.from_grades(truth, majority, SCALE), FEW)
    }
    assert round(result["kappa"] or 0, 4) == 0.2735


@pytest.mark.parametrize(
    ("model", "kappa", "tau", "tau_ap", "top", "by_topic"),
    [
        ("gpt-4o", 0.3712, 0.9395, 0.8627, 0.914, 0.641),
        ("gpt-4", None, 0.9241, 0.8504, 0.904, 0.606),
        ("llama3.2", 0.0871, 0.7518, None, None, None),
    ],
)
def test_dl_2021_has_the_known_system_orders(
    dl21: dict[str, JudgeAudit],
    model: str,
    kappa: float | None,
    tau: float,
    tau_ap: float | None,
    top: float | None,
    by_topic: float | None,
) -> None:
    audit = dl21[model]
    orders = audit.orderings
    assert orders is not None and audit.confusion.pairs == 10_828
    assert kappa is None or round(audit.find_statistic("kappa").value or 0, 4) == kappa
    assert round(orders.find_correlation("tau-b"), 4) == tau
    assert tau_ap is None or round(orders.find_correlation("tau-ap(tied=wrong)"), 4) == tau_ap
    assert top is None or round(orders.top_tau, 3) == top
    assert by_topic is None or round(orders.mean_topic_tau, 3) == by_topic


def test_gpt_4o_has_the_known_grades(dl21: dict[str, JudgeAudit]) -> None:
    result = {each.name: each.value or 0 for each in dl21["gpt-4o"].statistics}
    assert (round(result["kappa-quadratic"], 4), round(result["kappa>=2"], 4)) == (0.6499, 0.5000)
    assert (round(result["mean-people"], 3), round(result["mean-model"], 3)) == (1.016, 1.219)


def test_a_run_reranked_by_the_judge_wins_only_under_the_judge(
    dl21: dict[str, JudgeAudit],
) -> None:
    orders = dl21["gpt-4o"].orderings
    assert orders is not None and orders.circularity is not None
    circularity = orders.circularity
    assert (circularity.run, circularity.model_rank, circularity.people_rank) == ("p_bm25", 1, 10)


def test_the_verdicts_on_dl_2021_are_as_known(dl21: dict[str, JudgeAudit]) -> None:
    assert [audit.verdict.state for audit in dl21.values()] == [
        "orders systems",
        "orders systems",
        "unproven",
    ]
    assert dl21["gpt-4o"].self_agreement is None
    llama = dl21["llama3.2"]
    assert (llama.repeated_count, round(llama.self_agreement or 0, 4)) == (10_828, 0.3941)
