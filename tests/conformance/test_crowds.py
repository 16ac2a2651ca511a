"""Tests with published crowd data: known results are reproduced, and every data set is read."""

from pathlib import Path

import numpy as np
import pytest

from irjudge.cli.main import main
from irjudge.formats.judgments import read_gold_labels, read_labels
from irjudge.model import Labels
from irjudge.stats.agreement import agreement
from irjudge.stats.consensus import FitOptions, consensus_by_methods, dawid_skene
from irjudge.stats.consensus.annotator_models import one_coin
from tests.numbers_in_text import find_numbers


@pytest.fixture
def crowd(data: Path):
    def read(name: str) -> Labels:
        folder = data / "crowd" / name
        labels = read_labels(folder / "label.csv")
        return labels.with_gold(read_gold_labels(folder / "truth.csv"))

    return read


def test_the_web_search_crowd_has_its_published_sizes(crowd) -> None:
    labels = crowd("web")
    assert (len(labels), len(labels.items), len(labels.workers), labels.scale) == (
        15_567,
        2_665,
        177,
        ("0", "1", "2", "3", "4"),
    )
    assert int((labels.gold >= 0).sum()) == 2_653


def test_majority_and_median_have_the_known_accuracy(
    crowd, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Majority with ties to the lower grade .776, lower median .789, of the items with gold."""
    folder = data / "crowd" / "web"
    assert (
        main(
            [
                "consensus",
                str(folder / "label.csv"),
                "--method",
                "majority",
                "--truth",
                str(folder / "truth.csv"),
                "--format",
                "csv",
            ]
        )
        == 0
    )
    captured = capsys.readouterr()
    right = {line.partition(":")[0]: find_numbers(line) for line in captured.err.splitlines()}
    assert right["Majority"] == ["0.776", "2,060", "2,653"]
    assert right["Lower median"] == ["0.789", "2,093", "2,653"]
    assert "Dawid-Skene model: " in captured.err
    assert captured.out.count("\n") == 2_666


def test_a_worker_model_beats_the_majority_if_there_are_many_labels(crowd) -> None:
    for name in ("web", "bluebird", "rte"):
        labels = crowd(name)
        majority, model = consensus_by_methods(
            Labels(*(getattr(labels, field) for field in FIELDS)), ("majority", "dawid-skene")
        )
        right = [int((each.label == labels.gold).sum()) for each in (majority, model)]
        assert right[1] > right[0], name


def test_the_one_coin_model_has_a_higher_likelihood_than_crowd_kits(crowd) -> None:
    """crowd-kit 1.4.2 stops at -22,229.21 with 1,986 correct; further rounds lead here."""
    labels = crowd("web")
    model = one_coin(Labels(*(getattr(labels, field) for field in FIELDS)), FitOptions(smoothing=0))
    known = labels.gold >= 0
    assert model.log_likelihood == pytest.approx(-22_204.373, abs=5e-3)
    assert int((model.probabilities.argmax(axis=1) == labels.gold)[known].sum()) == 2_143


FIELDS = ("items", "workers", "scale", "values", "item", "worker", "label")


@pytest.mark.parametrize("name", ["web", "bluebird", "rte"])
def test_agreement_is_computed_for_every_crowd(
    data: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert (
        main(
            [
                "agreement",
                str(data / "crowd" / name / "label.csv"),
                "--samples",
                "50",
                "--format",
                "csv",
            ]
        )
        == 0
    )
    assert capsys.readouterr().out.startswith(
        "statistic,scale,used,total,value,reason,low,high\nraw-agreement,nominal,"
    )


def test_a_complete_crowd_has_fleiss_kappa_consistent_with_alpha(crowd) -> None:
    fleiss, alpha = agreement(crowd("bluebird"), ["fleiss-kappa", "alpha-nominal"])
    assert fleiss.used == 108
    # With N items of m labels: alpha = 1 - (1 - kappa)(Nm - 1)/Nm.
    assert alpha.value == pytest.approx(1 - (1 - fleiss.value) * (108 * 39 - 1) / (108 * 39))


def test_repeated_labels_are_one_observer_for_agreement_and_three_readings_for_the_model(
    data: Path,
) -> None:
    labels = read_labels(data / "crowd" / "anaesthetists" / "anaesthetists.csv")
    assert (len(labels), len(labels.workers), len(labels.latest())) == (315, 5, 225)
    [fleiss] = agreement(labels, ["fleiss-kappa"])
    assert fleiss.value is not None and fleiss.used == 45
    prior = dawid_skene(labels, FitOptions(smoothing=0, tolerance=1e-12)).prior
    assert prior == pytest.approx(np.array([0.3996, 0.4220, 0.1118, 0.0667]), abs=5e-5)
