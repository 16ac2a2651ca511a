"""Options of `irjudge ask`, which requests labels from a model."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from irjudge.audit.judge_prompts import AskOptions, find_prompt, list_shipped_prompts
from irjudge.audit.model_requests import RequestLimits
from irjudge.options import OnlyOption, Option


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRequest:
    """Options of `irjudge ask`, which asks a model to grade the pool of a project.

    The project is a separate argument. By default the command only describes the requests; they are
    sent if `send` is set. If `output` is set, they are not sent but written to files, and a later
    command imports the answers (`answered`). `allowed` only stores whether texts of the project may
    be sent.
    """

    allowed: Annotated[
        bool | None,
        Option(
            "Allow or forbid sending texts of this PROJECT to models. This option cannot be "
            "combined with others. Default: forbidden.",
            flags=("--allow/--forbid",),
        ),
    ] = None
    url: Annotated[
        str | None,
        Option(
            "Address of the model server, such as http://localhost:8080/v1.",
            flags=("--endpoint",),
            metavar="URL",
        ),
    ] = None
    model: Annotated[
        str | None, Option("Name of the model, as used by the endpoint.", metavar="NAME")
    ] = None
    name: Annotated[
        str,
        Option(
            "Assessor name under which the model's labels are stored. Default: the model's name."
        ),
    ] = ""
    prompt: Annotated[
        str,
        Option(
            f"Prompt: {', '.join(list_shipped_prompts())}, or a file of your own.",
            kind="name or file",
            metavar="NAME|FILE",
        ),
    ] = "graded"
    key_from: Annotated[
        str | None,
        Option(
            'Environment variable that contains the API key of the model server, or "keyring" '
            "for the system keyring (`keyring set irjudge HOST`); the key is never written to "
            "a file.",
            metavar="VARIABLE|keyring",
        ),
    ] = None
    send: Annotated[
        bool,
        Option(
            "Send the requests. Without this option, only show what would be sent, "
            "and to which address."
        ),
    ] = False
    limit: Annotated[
        int | None, Option("Maximum number of requests to send with this command.", minimum=1)
    ] = None
    budget: Annotated[
        float | None,
        Option(
            "Stop before the total cost of all answers of the PROJECT exceeds this amount; the "
            "cost is computed from --price.",
            minimum=0,
        ),
    ] = None
    price: Annotated[
        tuple[float, float] | None,
        Option(
            "Price per million input tokens, and price per million output tokens.",
            minimum=0,
            metavar="IN OUT",
        ),
    ] = None
    repeats: Annotated[
        int,
        Option("Number of times the model is asked about each document.", minimum=1, maximum=20),
    ] = 1
    at_once: Annotated[int, Option("Number of concurrent requests.", minimum=1, maximum=32)] = 1
    timeout: Annotated[float, Option("Request timeout in seconds.", minimum=1, maximum=3600)] = (
        120.0
    )
    temperature: Annotated[
        float,
        Option(
            "Temperature of the model; 0 gives the least variation.",
            minimum=0,
            maximum=2,
            show_default=True,
        ),
    ] = 0.0
    answer_tokens: Annotated[
        int, Option("Maximum length of the model's answer, in tokens.", minimum=1)
    ] = 300
    longest: Annotated[
        int,
        Option(
            "Maximum number of characters of a document that are sent to the model.", minimum=100
        ),
    ] = 12_000
    schema: Annotated[
        bool,
        Option(
            "Request answers that follow a JSON schema; some servers do not support this.",
            flags=("--schema/--no-schema",),
        ),
    ] = True
    logprobs: Annotated[
        bool,
        Option(
            "Also ask for probabilities of grades, and store them; some servers do not "
            "support this."
        ),
    ] = False
    output: Annotated[
        Path | None,
        Option(
            "Write the requests to files instead of sending them.",
            flags=("-o", "--write-prompts"),
            metavar="FOLDER",
        ),
    ] = None
    answered: Annotated[
        Path | None,
        Option(
            "Read the answers stored next to the requests in this folder.",
            flags=("--read-answers",),
            metavar="FOLDER",
        ),
    ] = None
    only: OnlyOption = ""

    def options(self, model: str, *, address: str = "") -> AskOptions:
        """Return the options for asking a model; `address` is the address of the endpoint."""
        return AskOptions(
            model,
            find_prompt(self.prompt),
            name=self.name,
            repeats=self.repeats,
            topics=self.only,
            max_document_characters=self.longest,
            temperature=self.temperature,
            answer_tokens=self.answer_tokens,
            schema=self.schema,
            logprobs=self.logprobs,
            address=address,
        )

    def limits(self) -> RequestLimits:
        """Return the limits of the requests to the model."""
        return RequestLimits(
            self.limit, self.budget, self.price or (0.0, 0.0), self.at_once, self.timeout
        )
