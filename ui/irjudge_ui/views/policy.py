"""How the runs of a project are evaluated: measures and policy, kept in the project and shared by all pages of results."""

from dataclasses import dataclass

from irjudge.evaluation.join import TOPIC_POLICIES
from irjudge.evaluation.table import Policy, parse_measures
from irjudge.metrics.names import Measure
from irjudge.model.order import TIES
from irjudge.store.project import Project
from irjudge_ui.settings import Settings

FACT = "policy"


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be computed, as it is typed and chosen."""

    measures: str
    topics: str = TOPIC_POLICIES[0]
    ties: str = TIES[0]
    rel: int = 1

    def policy(self) -> Policy:
        """Return the engine's policy."""
        topics = next(each for each in TOPIC_POLICIES if each == self.topics)
        ties = next(each for each in TIES if each == self.ties)
        return Policy(ties, topics, self.rel)

    def parsed(self) -> tuple[Measure, ...]:
        """Return the measures that the names mean.

        Raises
        ------
        IrjudgeError
            When a name is not known.
        """
        return tuple(parse_measures(self.measures.split(), self.rel))

    def words(self) -> str:
        """Return it as the project keeps it."""
        return "|".join((self.measures, self.topics, self.ties, str(self.rel)))


def kept_wish(project: Project | None, settings: Settings) -> Wish:
    """Return what the project keeps; the settings' measures and the usual policy where it keeps nothing that is known."""
    kept = (project.fact(FACT) if project else None) or ""
    measures, topics, ties, rel = (kept.split("|") + [""] * 4)[:4]
    return Wish(
        measures or str(settings.get("measures")),
        topics if topics in TOPIC_POLICIES else TOPIC_POLICIES[0],
        ties if ties in TIES else TIES[0],
        int(rel) if rel.isdecimal() else 1,
    )


def keep_wish(project: Project, wish: Wish) -> None:
    """Keep it in the project.

    Raises
    ------
    IrjudgeError
        When the project cannot be written.
    """
    if project.writing and project.fact(FACT) != wish.words():
        project.set_fact(FACT, wish.words())
