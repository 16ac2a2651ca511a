"""Tests of evaluation options stored in a project: round trip, older versions, invalid values."""

from pathlib import Path

import pytest

from irjudge.evaluation import AVERAGES, TOPIC_POLICIES, Policy
from irjudge.metrics import PROFILES
from irjudge.model import TIES
from irjudge.store import Project, open_project
from irjudge_ui.pages.shared import EvaluationOptions, store_options, stored_options
from irjudge_ui.pages.shared.policy import SETTING_KEY
from irjudge_ui.settings import Settings

OPTIONS = [
    EvaluationOptions("AP P@5"),
    EvaluationOptions("RR", TOPIC_POLICIES[1], TIES[2], 2, PROFILES[1], 20, AVERAGES[2], "a|b"),
]


@pytest.mark.parametrize("options", OPTIONS, ids=["usual", "unusual"])
def test_options_are_read_as_they_were_stored(
    project: Project, settings: Settings, options: EvaluationOptions
) -> None:
    store_options(project, options)
    assert stored_options(project, settings) == options


def test_options_stored_by_older_versions_are_read(project: Project, settings: Settings) -> None:
    project.set_setting(SETTING_KEY, "AP RR|qrels|docno|2")
    assert stored_options(project, settings) == EvaluationOptions("AP RR", "qrels", "docno", 2)


def test_older_versions_find_their_four_parts_first() -> None:
    assert OPTIONS[1].stored_text().split("|")[:4] == ["RR", TOPIC_POLICIES[1], TIES[2], "2"]


@pytest.mark.parametrize(
    "stored", ["", "|", "AP P@10 nDCG@10 RR|sometimes|maybe|few|mine|deep|mode", "|||||"]
)
def test_unknown_values_are_replaced_by_defaults(
    project: Project, settings: Settings, stored: str
) -> None:
    project.set_setting(SETTING_KEY, stored)
    assert stored_options(project, settings) == EvaluationOptions("AP P@10 nDCG@10 RR")


def test_without_a_project_the_settings_provide_the_measures(settings: Settings) -> None:
    settings.set("measures", "RBP(p=0.8)")
    assert stored_options(None, settings) == EvaluationOptions("RBP(p=0.8)")


def test_options_are_converted_to_the_policy_of_the_engine() -> None:
    assert OPTIONS[0].policy() == Policy()
    assert OPTIONS[1].policy() == Policy(
        TIES[2], TOPIC_POLICIES[1], 2, PROFILES[1], 20, AVERAGES[2]
    )


def test_the_profile_and_the_threshold_reach_the_measures() -> None:
    (level,) = EvaluationOptions("IPrec@0.7", rel=2, profile="trec_eval-9").parse()
    assert level.values["rule"] == "trec9" and level.values["rel"] == 2


def test_the_chosen_qrels_are_used_or_else_those_offered_first(project: Project) -> None:
    assert [
        EvaluationOptions("AP", qrels=name).choice(project).name for name in ("", "qrels", "gone")
    ] == ["qrels"] * 3


def test_a_read_only_project_stores_nothing(project_path: Path, settings: Settings) -> None:
    with open_project(project_path, writing=False) as reading:
        store_options(reading, OPTIONS[1])
        assert stored_options(reading, settings) == EvaluationOptions("AP P@10 nDCG@10 RR")
