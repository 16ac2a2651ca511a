"""Which qrels of a project a command uses, and the sentence that says so."""

from irjudge.cli.shared.output import say
from irjudge.counting import counted
from irjudge.judging.judged_qrels import QrelsChoice, chosen_qrels
from irjudge.store.project import Project


def said_qrels(project: Project, which: str | None) -> QrelsChoice:
    """Return the qrels that are asked for, by default the first there are, and say which on stderr."""
    chosen = chosen_qrels(project, which)
    say(f"Qrels: {chosen.name} ({counted(chosen.rows, 'pair')}).", *([f"Rule of consensus: {chosen.rule.lower()}."] if chosen.rule else []))
    return chosen
