"""Request for labels of a model: the options of `irjudge ask`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from irjudge.audit.judge_prompts import AskOptions, find_prompt, list_shipped_prompts
from irjudge.audit.model_requests import RequestLimits
from irjudge.options import OnlyOption, Option


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRequest:
    """Options of asking a model, and of what is done with its answers."""

    allowed: Annotated[
        bool | None,
        Option(
            "Whether texts of this PROJECT may be sent to models; alone. At first not.",
            flags=("--allow/--forbid",),
        ),
    ] = None
    url: Annotated[
        str | None,
        Option(
            "Where the model answers, such as http://localhost:8080/v1.",
            flags=("--endpoint",),
            metavar="URL",
        ),
    ] = None
    model: Annotated[str | None, Option("The model, as the endpoint knows it.", metavar="NAME")] = (
        None
    )
    name: Annotated[
        str, Option("What the assessor is called that its labels become. Default: the model.")
    ] = ""
    prompt: Annotated[
        str,
        Option(
            f"{' or '.join(list_shipped_prompts())}, or a file of yours.",
            kind="name or file",
            metavar="NAME|FILE",
        ),
    ] = "graded"
    key_from: Annotated[
        str | None,
        Option(
            "The environment variable that holds the key, or keyring for the system's (`keyring set"
            " irjudge HOST`); it is written nowhere.",
            metavar="VARIABLE|keyring",
        ),
    ] = None
    send: Annotated[bool, Option("Ask. Without it, it is only said what would be sent where.")] = (
        False
    )
    limit: Annotated[int | None, Option("Send at most so many requests now.", minimum=1)] = None
    budget: Annotated[
        float | None,
        Option("Stop before all answers of the PROJECT cost more, by --price.", minimum=0),
    ] = None
    price: Annotated[
        tuple[float, float] | None,
        Option("Of a million tokens sent and written.", minimum=0, metavar="IN OUT"),
    ] = None
    repeats: Annotated[
        int, Option("How often each document is asked about.", minimum=1, maximum=20)
    ] = 1
    at_once: Annotated[
        int, Option("How many requests are under way at a time.", minimum=1, maximum=32)
    ] = 1
    timeout: Annotated[float, Option("Seconds that a reply may take.", minimum=1, maximum=3600)] = (
        120.0
    )
    temperature: Annotated[
        float,
        Option("Of the model; 0 varies least.", minimum=0, maximum=2, show_default=True),
    ] = 0.0
    answer_tokens: Annotated[int, Option("How long an answer may be.", minimum=1)] = 300
    longest: Annotated[int, Option("How many letters of a document are sent.", minimum=100)] = (
        12_000
    )
    schema: Annotated[
        bool,
        Option(
            "Whether a JSON schema asks for the answer; some servers know none.",
            flags=("--schema/--no-schema",),
        ),
    ] = True
    logprobs: Annotated[
        bool,
        Option("Ask for probabilities of grades too, and keep them; some servers have none."),
    ] = False
    output: Annotated[
        Path | None,
        Option(
            "Write the requests to files instead; nothing is sent.",
            flags=("-o", "--write-prompts"),
            metavar="FOLDER",
        ),
    ] = None
    answered: Annotated[
        Path | None,
        Option(
            "Read the answers to these requests from the same folder.",
            flags=("--read-answers",),
            metavar="FOLDER",
        ),
    ] = None
    only: OnlyOption = ""

    def options(self, model: str, *, address: str = "") -> AskOptions:
        """Return what a model is asked; `address` is that of the endpoint."""
        return AskOptions(
            model,
            find_prompt(self.prompt),
            name=self.name,
            repeats=self.repeats,
            topics=self.only,
            longest=self.longest,
            temperature=self.temperature,
            answer_tokens=self.answer_tokens,
            schema=self.schema,
            logprobs=self.logprobs,
            address=address,
        )

    def limits(self) -> RequestLimits:
        """Return the limits of the requests."""
        return RequestLimits(
            self.limit, self.budget, self.price or (0.0, 0.0), self.at_once, self.timeout
        )
