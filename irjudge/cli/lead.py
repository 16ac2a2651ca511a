"""Command lead, and commands that the host of a session types to control the session."""

import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any, Protocol, TypeAlias
from urllib.parse import urlsplit

import click
import segno

from irjudge.cli.options import FILE
from irjudge.cli.streams import tell
from irjudge.errors import IrjudgeError
from irjudge.formats.bytes import describe_os_error
from irjudge.http_client import NoResponseError, check_secret, is_host, post
from irjudge.message import Message
from irjudge.model import is_nested_deeper
from irjudge.store import ENDED, OPEN, PAUSED

Json: TypeAlias = dict[str, Any]
SECRET_VARIABLE = "IRJUDGE_LEADER"  # environment variable with the host's secret
RESPONSE_TIMEOUT = 20.0  # maximum time until the server responds, in seconds
MAX_PROBLEM_CHARACTERS = 1000  # maximum length of an error message of the server
# maximum number of characters read from the file of --secret; valid secrets are much shorter
MAX_SECRET_FILE_CHARACTERS = 1 << 16
MAX_DIGITS = 9  # maximum number of digits of a number in a command
# maximum nesting depth of lists and objects in the state of a session; each level adds a space to
# every line of --json
MAX_STATE_NESTING = 10
PARSE_ERRORS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
PROTOCOL = 1
_NUMBER_OR_NONE = (int, float, type(None))
# types of the fields of responses that commands print, wherever they occur in a response
FIELD_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("id", "name", "same", "title", "token", "topic", "what"), (str,)),
    **dict.fromkeys(("asked", "count", "documents", "judged", "met", "number", "wanted"), (int,)),
    **dict.fromkeys(("high", "low", "seconds", "value"), _NUMBER_OR_NONE),
    "completed": (list, type(None)),
    "people": (list, int),  # the participants, or their number in a round
}
COMMANDS_HELP = """people            list the participants, with their progress and speed
topics            show the progress of each topic
pause, go on      stop assigning documents, and resume
say WORDS         show a message on every participant's page; say alone removes it
more NUMBER       raise the number of judgments per document, also for documents already assigned or done
release NAME      assign the unfinished documents of a participant to others
aside NAME        exclude a participant: their judgments are not used
back NAME         include an excluded participant again
same NAME = NAME  merge two names of one participant, who joined twice
let NAME          create a new link for a participant who lost theirs; the old link stops working
revoke NAME       revoke the link of a participant
free NAME         free a name for another participant, if no judgments made under it are used
free              free all names without judgments whose participants have left
round new NUMBER  open a norming round with NUMBER new documents; a topic may follow
round same        repeat the documents of the last round; round split repeats only the disputed ones
round last NUMBER open the qualifying round, with the same arguments as round new
close             close the round for all, and show its first document on every participant's page; close now: even if judgments are missing
reopen            reopen the last round, even after pool
show NUMBER       show another document of the round on every participant's page; show alone removes it
rounds            show the agreement and the disputed documents of each round
pool              end the rounds and assign the rest of the pool; pool now: even if a round is open
late              list the judgments that arrived too late to be used
take WORDS        use a late judgment; write WORDS as in the list printed by late
end               end the session"""
STATES = {
    "pause": (PAUSED, "Paused: no new documents are assigned."),
    "go": (OPEN, "Session resumed."),
    "end": (ENDED, "The session has ended. All judgments are in the project."),
}


class HostInterface(Protocol):
    """Interface for the host of a session, implemented by a local and a remote server.

    The commands are those of `irjudge lead`. The local server is a `web.Server` in this process;
    `RemoteServer` is used for another process or machine.
    """

    def ask(self, command: str, **values: Any) -> Json:
        """Execute a command of the host and return the response."""


class RemoteServer:
    """Client of a server that another process runs, for sending the host's commands over HTTP.

    The address and the host's secret are those of the session that the server runs.
    """

    def __init__(self, address: str, secret: str) -> None:
        try:
            parts = urlsplit(address)
            self._port = parts.port
        except ValueError:
            raise _make_address_error() from None  # the original error may contain a password
        # if a password contains a slash, `urlsplit` assigns the rest of the password to the path
        if parts.username is not None or parts.password is not None or "@" in parts.path:
            raise IrjudgeError(
                "The address contains a user name or a password, which others on this computer "
                "can read; expected http://HOST:PORT or https://HOST."
            )
        host = parts.hostname or ""
        # a path, query or fragment would be ignored, and may contain the secret
        is_origin = parts.path in ("", "/", "/lead") and not parts.query and not parts.fragment
        if parts.scheme not in ("http", "https") or not is_host(host) or not is_origin:
            raise _make_address_error()
        self._scheme, self._host, self._read_secret = parts.scheme, host, secret
        displayed_host = f"[{host}]" if ":" in host else host
        self.address = f"{parts.scheme}://{displayed_host}{f':{self._port}' if self._port else ''}"

    def ask(self, command: str, **values: Any) -> Json:
        """Send a command of the host to the server, and return the response."""
        try:
            response = post(
                self._scheme,
                self._host,
                self._port,
                "/lead",
                body=json.dumps({"protocol": PROTOCOL, "wish": command, "values": values}),
                headers={"Origin": self.address},
                secret=self._read_secret,
                timeout=RESPONSE_TIMEOUT,
            )
        except NoResponseError as error:
            raise IrjudgeError(
                "{address} does not respond like an irjudge server: {error}.",
                key="no-session-server",
                address=self.address,
                error=error.args[0],
            ) from error
        try:
            response_data = json.loads(response.text)
        except (ValueError, RecursionError):
            response_data = None
        if not isinstance(response_data, dict):
            raise self.response_error(response.status)
        if response.status != HTTPStatus.OK:
            problem = response_data.get("problem")
            if not isinstance(problem, str) or not problem:
                raise self.response_error(response.status)
            raise IrjudgeError("{problem}", problem=problem[:MAX_PROBLEM_CHARACTERS])
        if not _has_expected_types(response_data):
            raise self.response_error()
        return response_data

    def response_error(self, status: int = HTTPStatus.OK) -> IrjudgeError:
        """Return the error for a response that is not from an irjudge server of this version."""
        return IrjudgeError(
            "{address} does not respond like an irjudge server of this version (status {status}).",
            address=self.address,
            status=int(status),
        )


def _has_expected_types(response_data: Json) -> bool:
    """Return whether the fields of a response have the types in `FIELD_TYPES`."""
    values: list[Any] = [response_data]
    while values:
        value = values.pop()
        if isinstance(value, dict):
            if any(
                type(item) not in FIELD_TYPES.get(name, (type(item),))
                for name, item in value.items()
            ):
                return False
            values += value.values()
        elif isinstance(value, list):
            values += value
    return True


def _make_address_error() -> IrjudgeError:
    """Return the error for an invalid address; omit the address, which may contain a password."""
    return IrjudgeError("Invalid server address; expected http://HOST:PORT or https://HOST.")


@click.command("lead")
@click.argument("address")
@click.argument("words", nargs=-1)
@click.option(
    "--secret",
    type=FILE,
    help="File with the secret of the leader's link. Default: the environment variable "
    f"{SECRET_VARIABLE}, or a prompt.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the state of the session as JSON.")
def lead_command(
    address: str, words: tuple[str, ...], secret: Path | None, *, as_json: bool
) -> None:
    """Lead the session of a server at ADDRESS with commands such as "people", "pause", "say" and
    "end"; the command "help" lists all commands. The secret is the part after the # in the
    leader's link printed by `irjudge serve`. It is read from a file or the environment, because
    others on this computer can read command lines.
    """
    if "#" in address:
        raise IrjudgeError(
            "Give the address without the part after the #, which others on this computer "
            "could read. Put that part into the environment variable {name}.",
            key="secret-in-address",
            name=SECRET_VARIABLE,
        )
    server = RemoteServer(address, _read_secret(secret))
    try:
        if as_json:
            state = server.ask("standing")
            if is_nested_deeper(state, MAX_STATE_NESTING):
                raise server.response_error()
            tell(*json.dumps(state, indent=1).split("\n"))
            return
        for line in lead(server, words or ["people"], server.address):
            tell(line)
    except PARSE_ERRORS as error:  # the response is JSON, but not from an irjudge server
        raise server.response_error() from error


def _read_secret(file: Path | None) -> str:
    if file is not None:
        location = Message("the file {file}", file=file.name)
        try:
            with file.open(encoding="utf-8-sig") as stream:
                return check_secret(stream.read(MAX_SECRET_FILE_CHARACTERS), location)
        except UnicodeDecodeError:
            raise IrjudgeError(
                "Cannot read the secret: {source} is not text in UTF-8.", source=location
            ) from None
        except OSError as error:
            raise IrjudgeError(
                # the message omits the file name, since the user may have given the secret instead
                "Cannot read the file given with --secret ({error}).",
                error=describe_os_error(error),
            ) from None
    secret = os.environ.get(SECRET_VARIABLE, "")
    if secret.strip():
        return check_secret(
            secret, Message("the environment variable {name}", name=SECRET_VARIABLE)
        )
    if not sys.stdin.isatty():
        raise IrjudgeError(
            "The secret of the leader's link is missing. Set the environment variable {name}, "
            "or use --secret to name a file that contains the secret.",
            name=SECRET_VARIABLE,
        )
    typed_secret = click.prompt("Secret of the leader's link", hide_input=True, err=True)
    return check_secret(str(typed_secret), Message("the input field"))


def lead(server: HostInterface, command: Sequence[str], address: str = "") -> Iterator[str]:
    """Execute a typed command of the host, and yield lines to print.

    Printed links begin with `address`. For an unknown command, the lines list all commands.
    """
    match command:
        case [] | [""]:
            return
        case ["people"]:
            yield from _iter_participants(server)
        case ["topics"]:
            for topic in server.ask("standing")["topics"]:
                title = f" {topic['title']}" if topic["title"] else ""
                yield f"{topic['id']}{title}: {topic['judged']} of {topic['wanted']}"
        case ["late"]:
            yield from [
                _describe_late_judgment(late_judgment)
                for late_judgment in server.ask("standing")["late"]
            ] or ["No late judgments."]
        case ["rounds"]:
            yield from list(_iter_rounds(server)) or ["No rounds yet."]
        case ["let", *name] if name:
            link = personal_link(address, server.ask("let", person=" ".join(name))["token"])
            yield from make_qr_code(link)
            yield link
        case [command_name, *argument_words] if command_name in MESSAGE_COMMANDS and (
            message := MESSAGE_COMMANDS[command_name](server, " ".join(argument_words))
        ):
            yield message
        case _:
            yield from COMMANDS_HELP.split("\n")


def _make_state_command(state_word: str) -> Callable[[HostInterface, str], str]:
    """Return a function that executes the command `state_word`, a key of `STATES`."""
    state, message = STATES[state_word]

    def set_state(server: HostInterface, _argument: str) -> str:
        server.ask("state", state=state)
        return message

    return set_state


def _show_message(server: HostInterface, message: str) -> str:
    server.ask("say", words=message)
    return (
        "The message is now shown on every participant's page."
        if message
        else "The message was removed from all participants' pages."
    )


def _is_number(text: str) -> bool:
    """Return whether a word is a whole number that may be sent to the server.

    >>> [_is_number(text) for text in ("12", "²", "9" * 5000)]
    [True, False, False]
    """
    return text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS


def _set_overlap(server: HostInterface, text: str) -> str:
    if not _is_number(text):
        return ""
    server.ask("more", overlap=int(text))
    return f"Each document or comparison now gets {int(text)} judgments."


def _release_documents(server: HostInterface, name: str) -> str:
    return f"Released: {server.ask('release', person=name)['count']}." if name else ""


def _free_names(server: HostInterface, name: str) -> str:
    return (
        _make_participant_command("free")(server, name)
        if name
        else f"Seats freed: {server.ask('free-empty')['count']}."
    )


def _make_participant_command(command: str) -> Callable[[HostInterface, str], str]:
    """Return a function that executes a command for the participant with a typed name.

    The function returns a message. Without a name, it does nothing and returns an empty string.
    """

    def run_command(server: HostInterface, name: str) -> str:
        if not name:
            return ""
        server.ask(command, person=name)
        return "Done."

    return run_command


def make_qr_code(link: str) -> list[str]:
    """Return the lines of the QR code of a link.

    If standard error is not a terminal, return one empty line.
    """
    output = io.StringIO()
    if sys.stderr.isatty():
        segno.make(link, micro=False).terminal(output, compact=True)
    return output.getvalue().split("\n")


def personal_link(address: str, token: str) -> str:
    """Return a participant's personal link: the server's address with the participant's token."""
    return f"{address.rstrip('/')}/#t={token}"


def _iter_participants(server: HostInterface) -> Iterator[str]:
    status = server.ask("standing")
    for participant in status["people"]:
        state = "online" if participant["here"] else "offline"
        if participant["revoked"]:
            state = "access revoked"
        if participant["aside"]:
            state = "withdrew" if participant["withdrawn"] else "excluded"
        pace_text = f", {participant['seconds']:.0f} s each" if participant["seconds"] else ""
        merged_text = f" (= {participant['same']})" if participant["same"] else ""
        completion = (
            f", shown the {participant['completed'][1]} at {participant['completed'][0]}"
            if participant["completed"]
            else ""
        )
        yield f"{participant['name'] or participant['id']}{merged_text}: {participant['judged']} judged{pace_text}, {state}{completion}"
    yield f"{status['judged']} of {status['wanted']} judgments."


def _describe_late_judgment(late_judgment: Mapping[str, Any]) -> str:
    return f"{late_judgment['name']} {late_judgment['topic']} {late_judgment['what']}"


def _accept_late_judgment(server: HostInterface, description: str) -> str:
    if not description:
        return ""
    judgment = next(
        (
            late_judgment
            for late_judgment in server.ask("standing")["late"]
            if _describe_late_judgment(late_judgment).casefold() == description.casefold()
        ),
        None,
    )
    if (
        judgment is None
        or not server.ask(
            "take", person=judgment["person"], topic=judgment["topic"], pair=judgment["pair"]
        )["taken"]
    ):
        return "There is no such late judgment. Type 'late' to list them."
    return "The judgment is now included."


def _merge_participants(server: HostInterface, names: str) -> str:
    """Merge the two participants in a text such as `Ann = Anne`; return a message.

    The message is empty if the text is malformed.
    """
    name, separator, other_name = (part.strip() for part in names.partition("="))
    if not separator:
        return ""
    server.ask("same", person=name, other=other_name)
    return f"{name} and {other_name} now count as one participant. No judgment was changed."


def _open_round(server: HostInterface, argument: str) -> str:
    """Open the norming round that a command's argument describes; return a message.

    The message is empty if the argument is invalid.
    """
    kind, *parameters = argument.strip().split(maxsplit=2) or [""]
    if kind in ("same", "split"):
        response = server.ask("round", documents=kind)
    elif kind in ("new", "last") and parameters and _is_number(parameters[0]):
        response = server.ask(
            "round",
            documents="new",
            count=int(parameters[0]),
            topic="".join(parameters[1:]),
            qualifies=kind == "last",
        )
    else:
        return ""
    return (
        f"Round {response['number']} is open. Documents to be judged by everyone: "
        f"{response['documents']}."
    )


def _close_round(server: HostInterface, argument: str) -> str:
    status = server.ask("standing")
    norming = status["norming"]
    if argument != "now" and norming and norming["open"]:
        judged_count, required_count = status["judged"], status["wanted"]
        if judged_count < required_count or not judged_count:
            return f"{_describe_open_round(status)} Closing the round shows its results to everyone. Type 'close now' to close it anyway."
    return (
        f"Round {server.ask('close')['number']} is closed. Every participant's page "
        "now shows the first document of the round. Type 'show 2' to show the second."
    )


def _show_document(server: HostInterface, argument: str) -> str:
    if argument and not _is_number(argument):
        return ""
    server.ask("show", place=int(argument) - 1 if argument else None)
    return (
        f"Document {argument} is now shown on every participant's page."
        if argument
        else "The document was removed from all participants' pages."
    )


def _describe_open_round(status: Json) -> str:
    round_number = len(status["norming"]["rounds"])
    return f"Round {round_number} is open: {status['judged']} of {status['wanted']} judgments."


def _reopen_round(server: HostInterface, _argument: str) -> str:
    response = server.ask("reopen")
    return f"Round {response['number']} is open again. Documents: {response['documents']}."


def _end_rounds(server: HostInterface, argument: str) -> str:
    status = server.ask("standing")
    if argument != "now" and status["norming"] and status["norming"]["open"]:
        return f"{_describe_open_round(status)} Ending the rounds closes this round. Type 'pool now' to end the rounds anyway."
    server.ask("pool")
    return "The rounds are finished; the rest of the pool is being assigned."


def _iter_rounds(server: HostInterface) -> Iterator[str]:
    norming = server.ask("standing")["norming"]
    for norming_round in norming["rounds"] if norming else ():
        if not norming_round["closed"]:
            yield f"Round {norming_round['number']}: open, documents: {norming_round['documents']}."
            continue
        (alpha,) = [
            estimate
            for estimate in norming_round["estimates"]
            if (estimate["statistic"], estimate["scale"], estimate["of"])
            == ("alpha", "ordinal", "")
        ]
        agreement_text = (
            f"{alpha['value']:.2f} ({alpha['low']:.2f} to {alpha['high']:.2f})"
            if alpha["low"] is not None
            else f"{alpha['value']:.2f}"
            if alpha["value"] is not None
            else "undefined"
        )
        split_names = (
            ", ".join(document["name"] for document in norming_round["list"] if document["split"])
            or "none"
        )
        yield f"Round {norming_round['number']}: participants {norming_round['people']}, α {agreement_text}; disputed documents: {split_names}."
        yield from (
            f"  {assessor['name']}: {assessor['met']} of {assessor['asked']} answers correct"
            for assessor in norming_round["qualified"]
        )


MESSAGE_COMMANDS: dict[str, Callable[[HostInterface, str], str]] = {
    **{state_word: _make_state_command(state_word) for state_word in STATES},
    "say": _show_message,
    "more": _set_overlap,
    "round": _open_round,
    "close": _close_round,
    "reopen": _reopen_round,
    "show": _show_document,
    "pool": _end_rounds,
    "take": _accept_late_judgment,
    "same": _merge_participants,
    "release": _release_documents,
    "free": _free_names,
    **{
        command_name: _make_participant_command(command_name)
        for command_name in ("aside", "back", "revoke")
    },
}
