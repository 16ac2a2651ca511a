"""What the start page knows of a project without reading it: how far it was when it was open here last."""

from datetime import datetime

from PySide6.QtCore import QCoreApplication

from irjudge.judging.hand_in import HandInWork, handed_in
from irjudge.judging.judged_qrels import judged_in_pool
from irjudge_ui.desk.words import due_in_words
from irjudge_ui.words import filled

translate = QCoreApplication.translate
BETWEEN = " · "

Facts = dict[str, str]


def facts_of(work: HandInWork, now: datetime) -> Facts:
    """Return how far somebody's work is, to be kept in the user's settings."""
    done, own = handed_in(work.project, work.assessor), work.project.assignments.own()
    judged, assigned = _own_count(work) if own or work.project.belongs_to else judged_in_pool(work.project)
    return {
        "used": f"{now:%Y-%m-%d}",
        "judged": f"{judged:,}",
        "assigned": f"{assigned:,}",
        "owner": work.project.belongs_to or "",
        "deadline": own.deadline if own else "",
        "handed": done.time[:10] if done else "",
        "changed": "yes" if done and done.changed else "",
    }


def _own_count(work: HandInWork) -> tuple[int, int]:
    """Return how much is judged of what one assessor was given; of the organiser's project the whole pool counts, whoever judged."""
    count = work.count()
    return count.judged, count.assigned


def words_of(facts: Facts, today: datetime) -> str:
    """Return what is known in the words of the start page; empty where nothing is.

    Whatever somebody wrote into the settings is shown as it stands or left out.
    """
    known = {name: facts.get(name, "") for name in ("used", "judged", "assigned", "owner", "deadline", "handed", "changed")}
    parts = []
    if known["assigned"]:
        parts.append(filled(translate("LastSeen", "%1 of %2 judged"), known["judged"], known["assigned"]))
    if known["handed"]:
        parts.append(filled(translate("LastSeen", "handed in %1"), known["handed"]))
        parts += [translate("LastSeen", "changed after it was handed in")] if known["changed"] else []
    if known["deadline"] and (not known["handed"] or known["judged"] != known["assigned"]):
        parts.append(due_in_words(known["deadline"], today))
    if known["owner"]:
        parts.append(filled(translate("LastSeen", "for %1"), known["owner"]))
    if known["used"]:
        parts.append(filled(translate("LastSeen", "opened %1"), known["used"]))
    return BETWEEN.join(parts)
