"""How the runs of a project are evaluated: measures and policy, kept in the project and shared by all pages of results."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from irjudge.evaluation.judged_runs import TOPIC_POLICIES
from irjudge.evaluation.table import AVERAGES, Policy, parse_measures
from irjudge.judging.judged_qrels import QrelsChoice, choices, choose_qrels, chosen_name
from irjudge.metrics.names import PROFILES, Measure
from irjudge.model.ranking import TIES
from irjudge.store.project import Project
from irjudge_ui.messages import filled, in_language
from irjudge_ui.settings import Settings

FACT = "policy"
BETWEEN = "|"
PARTS = 8


@dataclass(frozen=True, slots=True)
class EvaluationWish:
    """What is to be computed, as it is typed and chosen."""

    measures: str  # names with spaces between
    # `topics`, `ties`, `rel`, `profile`, `average`: see `Policy`
    topics: str = TOPIC_POLICIES[0]
    ties: str = TIES[0]
    rel: int = 1
    profile: str = PROFILES[0]
    depth: int = 0  # 0 takes whole rankings
    average: str = AVERAGES[0]
    qrels: str = ""  # the name of those that were chosen, which the project keeps for all numbers; empty for those that it offers first

    def policy(self) -> Policy:
        """Return the engine's policy."""
        topics = next(each for each in TOPIC_POLICIES if each == self.topics)
        ties = next(each for each in TIES if each == self.ties)
        profile = next(each for each in PROFILES if each == self.profile)
        average = next(each for each in AVERAGES if each == self.average)
        return Policy(ties, topics, self.rel, profile, self.depth or None, average)

    def parsed(self) -> tuple[Measure, ...]:
        """Return the measures that the names mean."""
        return parse_measures(self.measures.split(), self.rel, self.policy().profile)

    def choice(self, project: Project) -> QrelsChoice | None:
        """Return the qrels of a project that are meant; None when it has none."""
        offered = choices(project)
        return next(
            (each for each in offered if each.name == self.qrels), offered[0] if offered else None
        )

    def words(self) -> str:
        """Return it as the project keeps it; older programs read the first four parts."""
        parts = (
            self.measures,
            self.topics,
            self.ties,
            self.rel,
            self.profile,
            self.depth,
            self.average,
            self.qrels,
        )
        return BETWEEN.join(map(str, parts))


@dataclass(frozen=True, slots=True)
class ValueQuestion:
    """The number that is to be explained: of a run, for a topic, by a measure, under a wish."""

    run: str
    topic: str
    measure: str
    wish: EvaluationWish


def kept_wish(project: Project | None, settings: Settings) -> EvaluationWish:
    """Return what the project keeps; the settings' measures and the usual policy where it keeps nothing that is known."""
    kept = ((project.fact(FACT) if project else None) or "").split(BETWEEN, PARTS - 1)
    measures, topics, ties, rel, profile, depth, average, qrels = kept + [""] * (PARTS - len(kept))
    return EvaluationWish(
        measures or str(settings.get("measures")),
        _known(topics, TOPIC_POLICIES),
        _known(ties, TIES),
        int(rel) if rel.isdecimal() else 1,
        _known(profile, PROFILES),
        int(depth) if depth.isdecimal() else 0,
        _known(average, AVERAGES),
        qrels if project is None or (chosen := chosen_name(project)) is None else chosen,
    )


def _known(word: str, words: tuple[str, ...]) -> str:
    return word if word in words else words[0]


def keep_wish(project: Project, wish: EvaluationWish) -> None:
    """Keep it in the project."""
    if project.writing and kept_words(project) != (wish.words(), wish.qrels):
        with project.transaction():
            project.set_fact(FACT, wish.words())
            choose_qrels(project, wish.qrels)


def kept_words(project: Project) -> tuple[str | None, str]:
    """Return what the project keeps, as it is written there: the policy and the name of the qrels."""
    return project.fact(FACT), chosen_name(project) or ""


def rests_on(source: str) -> str:
    """Return the sentence that says which qrels numbers rest on."""
    return (
        filled(QCoreApplication.translate("Policy", "Qrels: {source}."), source=in_language(source))
        if source
        else ""
    )
