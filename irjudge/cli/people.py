"""The command about people of sessions: who an opaque id is, another name, and no name at all."""

from pathlib import Path

import click

from irjudge.cli.shared.output import format_option, say, show
from irjudge.errors import IrjudgeError
from irjudge.judging.ledger import ledger_of
from irjudge.store.project import Project, open_project
from irjudge.store.sessions import Participant

FILE = click.Path(path_type=Path)
COLUMNS = ("id", "name", "session", "joined", "judged", "set_aside")


@click.command("person")
@click.argument("project", type=FILE)
@click.argument("person", required=False)
@click.option("--rename", metavar="NAME", help="Give the person another name.")
@click.option("--forget", is_flag=True, help="Take the person's name out of the project; what they judged stays under the opaque id.")
@format_option()
def person_command(project: Path, person: str | None, rename: str | None, form: str, *, forget: bool) -> None:
    """Show who took part in the sessions of a PROJECT, or change what is known of a PERSON (an id or a name).

    Judgments name an opaque id alone, so that a name can be changed or forgotten without touching them.
    """
    if rename is None and not forget:
        with open_project(project, writing=False) as opened:
            found = [_named(opened, person)] if person else opened.sessions.people()
            show(COLUMNS, (_row(opened, each) for each in found), form)
        return
    if person is None:
        raise IrjudgeError("Name the person: an id, or a name that only one has.")
    if forget == (rename is not None) or (rename is not None and not rename.strip()):
        raise IrjudgeError("Give either --rename NAME or --forget.")
    with open_project(project) as opened:
        known = _named(opened, person)
        opened.sessions.name_person(known.id, " ".join((rename or "").split()))
    if forget:
        say(f"Forgotten: {known.id} has no name in {project.name} any more. Copies and backups of the project may hold it still.")
    else:
        say(f"{known.id} is called {' '.join((rename or '').split())} now.")


def _named(project: Project, person: str) -> Participant:
    """Return who has an id or a name."""
    found = [each for each in project.sessions.people() if person == each.id or person.casefold() == each.name.casefold()]
    if not found:
        raise IrjudgeError(f"{project.path.name} knows nobody called {person}.")
    if len(found) > 1:
        raise IrjudgeError(f"{len(found)} people are called {person}: {', '.join(each.id for each in found)}. Give the id.")
    return found[0]


def _row(project: Project, person: Participant) -> tuple[str | int, ...]:
    judged = sum(1 for _ in ledger_of(project, person.id).judgments())
    aside = next((each.set_aside for each in project.assignments.people() if each.name == person.id), None)
    return person.id, person.name, person.session, person.joined, judged, aside or ""
