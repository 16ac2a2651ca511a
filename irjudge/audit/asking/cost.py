"""What asking a model takes: requests, tokens and money, foreseen before anything is sent and counted while it goes."""

from dataclasses import dataclass, field
from threading import Lock

from irjudge.audit.asking.answers import AnswerFile
from irjudge.audit.asking.chat import ChatEndpoint
from irjudge.audit.asking.questions import AskWish, questions
from irjudge.message import Message
from irjudge.progress import SILENT, Progress
from irjudge.store.project import Project

FLAGGED = 5  # documents that speak to a model, named


@dataclass(frozen=True, slots=True)
class AskingLimits:
    """What asking may take."""

    requests: int | None = None  # of this call; None for as many as there are
    budget: float | None = None  # of all calls that the project's answers came from
    prices: tuple[float, float] = (0.0, 0.0)  # of a million tokens, sent and written
    at_once: int = 1
    seconds: float = 120.0  # that a reply may take


@dataclass(slots=True)
class AskingForecast:
    """What asking takes, before anything is sent."""

    answered: int = 0
    requests: int = 0  # if each is answered with a grade at once
    sent: int = 0  # tokens, about
    written: int = 0  # tokens, at most
    cut: int = 0  # documents of which a part is sent
    planted: dict[str, str] = field(
        default_factory=dict
    )  # documents that speak to a model, with the words that do

    def cost(self, prices: tuple[float, float]) -> float:
        """Return what it costs at most, by prices of a million tokens sent and written."""
        return cost_of((self.sent, self.written), prices)


def cost_of(tokens: tuple[int, int], prices: tuple[float, float]) -> float:
    """Return what tokens cost, sent and written, by the prices of a million."""
    return sum(count * price for count, price in zip(tokens, prices, strict=True)) / 1e6


def asking_forecast(
    project: Project,
    wish: AskWish,
    answers: AnswerFile,
    limit: int | None = None,
    progress: Progress = SILENT,
) -> AskingForecast:
    """Return what asking would take; nothing is sent."""
    found = AskingForecast()
    for each in progress.through(questions(project, wish), Message("Reading documents")):
        if answers.is_settled(each.question.key):
            found.answered += 1
        elif limit is None or found.requests < limit:
            found.requests += 1
            found.sent += each.tokens
            found.written += wish.answer_tokens
            found.cut += each.cut
        if each.planted:
            found.planted[each.question.document] = each.planted
    return found


def forecast_sentences(
    found: AskingForecast, endpoint: ChatEndpoint, wish: AskWish, limits: AskingLimits
) -> list[str]:
    """Return what would be sent where, and what that takes."""
    said: list[str] = [
        Message(
            "To {address}, model {model}: topics and texts of documents, with the prompt {prompt}, version {version} ({digest}).",
            address=endpoint.address,
            model=wish.model,
            prompt=wish.prompt.name,
            version=wish.prompt.version,
            digest=wish.prompt.digest[:12],
        )
    ]
    if endpoint.is_open:
        said.append(
            Message("The network can read it: the address is plain http, to another machine.")
        )
    said += (
        _costs(found, limits)
        if found.requests
        else [
            Message("Nothing is open: questions answered before: {count:,}.", count=found.answered)
        ]
    )
    if found.cut:
        said.append(
            Message(
                "Documents longer than {longest:,} letters: {cut:,}; the rest is not sent.",
                longest=wish.longest,
                cut=found.cut,
            )
        )
    if found.planted:
        some = "; ".join(
            f"{document}: {words}" for document, words in list(found.planted.items())[:FLAGGED]
        )
        flagged = Message(
            "Documents that may speak to the model: {count:,}; look at what it says of them: {some}",
            count=len(found.planted),
            some=some,
        )
        said.append(flagged)
    return said


def _costs(found: AskingForecast, limits: AskingLimits) -> list[str]:
    """Return how much is sent, and what that costs where prices are known."""
    requests = Message(
        "Requests: {requests:,}, about {sent:,} tokens sent and at most {written:,} written, if each is answered at once. "
        "Answered before: {answered:,}.",
        requests=found.requests,
        sent=found.sent,
        written=found.written,
        answered=found.answered,
    )
    cost = found.cost(limits.prices)
    if not any(limits.prices):
        return [requests]
    if limits.budget is None:
        return [requests, Message("Cost: at most {cost:.4f}.", cost=cost)]
    return [
        requests,
        Message(
            "Cost: at most {cost:.4f}, of a budget of {budget:g}.", cost=cost, budget=limits.budget
        ),
    ]


class Purse:
    """Counts what requests take, before they are sent."""

    def __init__(self, limits: AskingLimits, tokens: tuple[int, int]) -> None:
        self._limits, self._lock = limits, Lock()
        self._spent, self.requests = cost_of(tokens, limits.prices), 0

    def take(self, tokens: tuple[int, int]) -> str:
        """Reserve what a request may cost; return why it must not be sent, or nothing."""
        cost = cost_of(tokens, self._limits.prices)
        with self._lock:
            if self._limits.requests is not None and self.requests >= self._limits.requests:
                return Message(
                    "The limit of {count:,} requests is reached.",
                    key="request-limit",
                    count=self._limits.requests,
                )
            if self._limits.budget is not None and self._spent + cost > self._limits.budget:
                return Message(
                    "The budget of {budget:g} is reached: {spent:.4f} spent.",
                    key="budget",
                    budget=self._limits.budget,
                    spent=self._spent,
                )
            self.requests += 1
            self._spent += cost
        return ""

    def settle(self, reserved: tuple[int, int], used: tuple[int, int]) -> None:
        """Put what was really used in the place of what was reserved."""
        with self._lock:
            self._spent += cost_of(used, self._limits.prices) - cost_of(
                reserved, self._limits.prices
            )
