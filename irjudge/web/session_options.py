"""Options of a session: as requested by the host, and as validated and stored."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_args

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.exchange import ComparisonOptions as Comparison
from irjudge.exchange import (
    ComparisonRequest,
    GoldFromOption,
    ModeOption,
    SeveralOption,
    TopicsOption,
    ensure_identity,
    parse_candidates,
)
from irjudge.judging import GOLD_FROM, Norming, list_unassigned, read_gold
from irjudge.message import Message
from irjudge.model import Pair, select_topics, utc_now
from irjudge.options import FormField, Option, When, check_choice, decode, encode
from irjudge.store import (
    COMPARISON_RULES,
    DOCUMENTS_PER_PAGE,
    ENDED,
    HOSTED_ELSEWHERE,
    Project,
    Round,
    StoredSession,
    check_documents_per_page,
)
from irjudge.web.participants import (
    ASK,
    CONTINUE,
    PANELS,
    CrowdPanel,
    StartPage,
    load_panel,
    load_start_page,
    read_survey,
)
from irjudge.web.scheduler import DEFAULT_LEASE, ORDERS, Order, SchedulingOptions
from irjudge.web.server_address import DEFAULT_PORTS
from irjudge.web.session_store import ProjectStore, SessionStore
from irjudge.web.session_subject import (
    Subject,
    check_comparison,
    comparison_as_json,
    comparison_from_json,
    make_subject,
)

Join: TypeAlias = Literal["open", "names", "links"]
JOIN_MODES: tuple[Join, ...] = get_args(Join)
# characters of join codes; similar-looking characters are left out
CODE_CHARACTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH = 8


# Options of `irjudge serve` and of the form in the window

STORE_LEASE = 300.0  # lease time in seconds if the session is stored in a database
# maximum values of form fields: judgments per pair, block sizes, documents per topic
MAX_OVERLAP, MAX_EVERY, MAX_LEARNT = 50, 999, 10_000
REQUESTED_ORDERS: tuple[Order, ...] = tuple(order for order in ORDERS if order != "mixed")
WHEN_GRADING = When("mode", ("grade",), enforced=False)
LEARNING = When("order", ("learning",), enforced=False)
WHEN_PANEL = When("panel")
NON_LEARNING_ORDERS = tuple(order for order in REQUESTED_ORDERS if order != "learning")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRequest:
    """Options of a session as requested by the host with `irjudge serve` or in the window.

    The options include the address of the server, which is not stored. `plan_session` converts
    them to the `SessionOptions` for a project.
    """

    host: Annotated[
        str,
        Option(
            "Address to listen on; 0.0.0.0 for all addresses of this computer.",
            stored=False,
            form=FormField("Address of this computer"),
        ),
    ] = "127.0.0.1"
    port: Annotated[
        int | None,
        Option(
            f"Port of the server; 0 for any free port. Default: {DEFAULT_PORTS[0]} or, if it is in use, the next free port.",
            minimum=0,
            maximum=65535,
            stored=False,
            in_form=False,
        ),
    ] = None
    names: Annotated[
        tuple[str, ...],
        Option(
            "Additional host name that browsers use for this computer.",
            flags=("--name",),
            stored=False,
            in_form=False,
        ),
    ] = ()
    public: Annotated[
        tuple[str, ...],
        Option(
            "Address of a proxy that terminates TLS, such as https://judge.example.org.",
            stored=False,
            in_form=False,
        ),
    ] = ()
    proxies: Annotated[
        tuple[str, ...],
        Option(
            "Address of a trusted proxy, or network of trusted proxies. Forwarded client "
            "addresses are accepted only from these.",
            flags=("--trust-proxy",),
            metavar="ADDRESS",
            stored=False,
            in_form=False,
        ),
    ] = ()
    join: Annotated[
        Join,
        Option(
            "Who may join: anyone with the code (open), participants on a list (names), or holders of a personal link (links).",
            form=FormField(
                "Who may join",
                choices=(
                    ("open", "Anyone with the code"),
                    ("names", "Participants on a list"),
                    ("links", "Participants with a personal link"),
                ),
            ),
        ),
    ] = "open"
    people: Annotated[
        str | None,
        Option(
            "With --join names or --join links: the participants who may join, as names "
            'separated by commas, or as a table with a column called "name".',
            when=(When("join", ("names", "links"), enforced=False),),
            stored=False,
            form=FormField("Names", placeholder="ann, bob, cleo, or a file"),
        ),
    ] = None
    overlap: Annotated[
        int,
        Option(
            "Number of judgments to collect for each document.",
            minimum=1,
            form=FormField(
                "Judgments per document",
                unit="(or per comparison)",
                initial=3,
                maximum=MAX_OVERLAP,
            ),
        ),
    ] = 1
    mode: ModeOption = "grade"
    topics: TopicsOption = ()
    compare: ComparisonRequest = field(default_factory=ComparisonRequest)
    gold_every: Annotated[
        int,
        Option(
            "One gold item in every N items of an assessor; 0 for none.",
            minimum=0,
            when=(WHEN_GRADING,),
            form=FormField(
                "Gold item every",
                unit="documents (0 for none)",
                maximum=MAX_EVERY,
                advanced=True,
            ),
        ),
    ] = 0
    gold_from: GoldFromOption = None
    qualification: Annotated[
        int,
        Option(
            "Number of gold items with which every participant starts.",
            minimum=0,
            when=(WHEN_GRADING,),
            form=FormField(
                "Qualification", unit="gold items at the start", maximum=MAX_EVERY, advanced=True
            ),
        ),
    ] = 0
    repeats_every: Annotated[
        int,
        Option(
            "One repeat item in every N items of an assessor; 0 for none.",
            minimum=0,
            form=FormField(
                "Repeat item every",
                unit="items (0 for none)",
                maximum=MAX_EVERY,
                advanced=True,
            ),
        ),
    ] = 0
    order: Annotated[
        Order,
        Option(
            "Order of documents. drawn: by topic, in random order. pool: as in the pool, which "
            "reveals ranks. decisive: beginning with the documents that best separate the "
            "runs. learning: all documents of the collection, beginning with those most likely "
            "to be relevant, as predicted from all grades.",
            choices=REQUESTED_ORDERS,
            when=(WHEN_GRADING,),
            form=FormField(
                "Order",
                choices=(
                    ("drawn", "by topic, random order"),
                    ("decisive", "most decisive documents first"),
                    ("learning", "active learning, whole collection"),
                ),
                advanced=True,
            ),
        ),
    ] = "drawn"
    size: Annotated[
        int,
        Option(
            "With --order learning: number of documents per topic.",
            minimum=1,
            when=(WHEN_GRADING, LEARNING),
            form=FormField("Documents per topic", maximum=MAX_LEARNT, advanced=True),
        ),
    ] = SchedulingOptions().size
    rel: Annotated[
        int,
        Option(
            "With --order learning: minimum grade counted as relevant.",
            minimum=1,
            when=(WHEN_GRADING, LEARNING),
            form=FormField("Lowest relevant grade", maximum=MAX_EVERY, advanced=True),
        ),
    ] = 1
    several: SeveralOption = 0
    search: Annotated[
        bool,
        Option(
            "Let participants search the collection and judge the documents that they find.",
            when=(WHEN_GRADING,),
            form=FormField(
                "Search",
                unit="participants can search",
                tip="Participants search the collection and judge the documents they find.",
                advanced=True,
            ),
        ),
    ] = False
    lease: Annotated[
        float | None,
        Option(
            "Number of seconds for which a document stays reserved for a browser that does not "
            "respond. Default: 60, or 300 with --store.",
            minimum=5,
            in_form=False,
        ),
    ] = None
    panel: Annotated[
        str | None,
        Option(
            f"Source of participants: {', '.join(PANELS)}, or a panel described by a JSON file.",
            kind="name or file",
            metavar="NAME|FILE",
            in_form=False,
        ),
    ] = None
    completion: Annotated[
        str,
        Option(
            "With --panel: completion code of the study, or link that completes a submission.",
            when=(WHEN_PANEL,),
            stored=False,
            in_form=False,
        ),
    ] = ""
    failed: Annotated[
        str,
        Option(
            "With --panel: completion code or link for participants who fail attention checks; "
            "without this option, they continue.",
            when=(WHEN_PANEL,),
            stored=False,
            in_form=False,
        ),
    ] = ""
    each: Annotated[
        int | None,
        Option(
            "With --panel: number of documents per submission.",
            minimum=1,
            when=(WHEN_PANEL,),
            stored=False,
            in_form=False,
        ),
    ] = None
    checks_from: Annotated[
        str,
        Option(
            "With --panel: imported qrels of the attention checks (documents whose text says "
            "which key to press); the grades are these keys.",
            when=(WHEN_PANEL,),
            stored=False,
            in_form=False,
        ),
    ] = ""
    rejoin: Annotated[
        str | None,
        Option(
            "With --panel: what to do if a participant with the same id has already joined. "
            "ask: refer the participant to the session leader. continue: let the participant "
            "judge the remaining documents, without showing earlier work.",
            choices=(ASK, CONTINUE),
            when=(WHEN_PANEL,),
            stored=False,
            in_form=False,
        ),
    ] = None
    consent: Annotated[
        Path | None,
        Option(
            "Consent text (Markdown) shown before judging; participants who do not agree, or "
            "withdraw later, are excluded.",
            stored=False,
            in_form=False,
        ),
    ] = None
    minutes: Annotated[
        int | None,
        Option(
            "Expected duration in minutes, shown to participants before they start.",
            minimum=1,
            stored=False,
            in_form=False,
        ),
    ] = None
    survey: Annotated[
        Path | None,
        Option(
            "Questions to ask before and after judging, as JSON. Default: the questions stored "
            "in the project.",
            stored=False,
            in_form=False,
        ),
    ] = None
    store: Annotated[
        str | None,
        Option(
            "Store the session in a database, which several servers can share.",
            metavar="postgresql://…",
            stored=False,
            in_form=False,
        ),
    ] = None
    unsafe: Annotated[
        bool,
        Option(
            "Allow a database that may lose acknowledged data, for tests only.",
            stored=False,
            in_form=False,
        ),
    ] = False
    output: Annotated[
        Path | None,
        Option(
            "With --join links: write printable cards, each with the name and link of a "
            "participant (HTML).",
            flags=("-o", "--cards"),
            when=(When("join", ("links",)),),
            stored=False,
            in_form=False,
        ),
    ] = None
    norming: Annotated[
        bool,
        Option(
            "Start with norming rounds: all participants judge the same documents "
            "independently, then discuss them. The session leader controls the rounds with the "
            'commands "round", "close", "show" and "pool".',
            when=(When("mode", ("grade",)), When("order", NON_LEARNING_ORDERS)),
            form=FormField(
                "Norming",
                unit="start with norming rounds",
                tip="The participants judge the same documents independently, then discuss them.",
                advanced=True,
            ),
        ),
    ] = False
    named: Annotated[
        bool,
        Option(
            "With --norming: show names with rationales if all participants consent.",
            flags=("--names",),
            when=(WHEN_GRADING, When("norming", enforced=False)),
            stored=False,
            form=FormField(
                "Names in the discussion",
                unit="ask for consent",
                tip="Names are shown with rationales if all participants consent.",
                advanced=True,
            ),
        ),
    ] = False
    again: Annotated[
        bool,
        Option(
            "Also assign documents that are already assigned, to get more judgments of the "
            "same documents.",
            when=(WHEN_GRADING, When("order", NON_LEARNING_ORDERS, enforced=False)),
            form=FormField(
                "Assigned items",
                unit="assign again",
                tip=(
                    "Documents that are already assigned are assigned again, to collect more "
                    "judgments of each."
                ),
            ),
        ),
    ] = False
    new_links: Annotated[
        bool,
        Option(
            "Replace the leader's secret and, without --store, the session code, so that old "
            "links stop working.",
            stored=False,
            in_form=False,
        ),
    ] = False
    new: Annotated[
        bool,
        Option(
            "Start a new session even if the last one has not ended.", stored=False, in_form=False
        ),
    ] = False

    def terms(self) -> SchedulingOptions:
        """Return the options by which the session assigns pairs to participants."""
        return SchedulingOptions(
            self.overlap,
            self.lease or (STORE_LEASE if self.store else DEFAULT_LEASE),
            self.gold_every,
            self.repeats_every,
            self.order,
            qualification=self.qualification,
            size=self.size,
            rel=self.rel,
        )

    def crowd_panel(self) -> CrowdPanel | None:
        """Return the panel that recruits participants, if there is one."""
        if not self.panel:
            return None
        return load_panel(
            self.panel,
            self.completion,
            self.failed,
            each=self.each or 0,
            checks=self.checks_from,
            rejoin=self.rejoin or "",
        )

    def start_page(self) -> StartPage | None:
        """Return the start page that the options define; None if there is none.

        In that case, the start page stored in the project is used.
        """
        if not (self.consent or self.minutes or self.survey):
            return None
        try:
            text = self.consent.read_text(encoding="utf-8-sig") if self.consent else ""
        except (OSError, UnicodeError) as error:
            raise IrjudgeError("Cannot read {file} as UTF-8 text.", file=self.consent) from error
        return replace(
            read_survey(self.survey) if self.survey else StartPage(),
            consent=text,
            minutes=self.minutes or 0,
        )


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """Options of a session in a certain project, as the session uses and stores them.

    They are made from a `SessionRequest` when the session begins, with the names of files and
    topics resolved. They can change later; for example, `norming` contains the norming rounds so
    far. They do not include the state (`open`, `paused` or `ended`), participants or judgments.
    """

    terms: SchedulingOptions = field(default_factory=SchedulingOptions)  # rules for assigning pairs
    topics: tuple[str, ...] = ()  # topics to judge; empty for all, and in a comparison
    # who may join: `open` (anyone with the join code), `names` (participants with listed names) or
    # `links` (participants with a personal link)
    join: Join = "open"
    names: tuple[str, ...] = ()  # names that may join; empty if `join` is `open`
    # name of the gold qrels; None for the first qrels or, if the panel has attention checks, for
    # none besides these
    gold_from: str | None = None
    # side-by-side comparison, whose overlap and repeats are set in `terms` instead; None if
    # documents are graded
    compare: Comparison | None = None
    panel: CrowdPanel | None = None  # recruitment panel; None if no panel recruits participants
    start: StartPage | None = None  # consent and survey of participants; None if there are none
    again: bool = False  # whether to assign pairs that are assigned or judged outside the session
    search: bool = False  # whether participants may search the collection and judge results
    norming: Norming | None = None  # norming rounds at the beginning; None if there are none
    several: int = 0  # documents of a topic per page; 0 if they are shown one at a time
    # the host's request; only those of its options that are not in `PLANNED` are stored
    request: SessionRequest = field(default_factory=SessionRequest)

    @property
    def learns(self) -> bool:
        """Whether active learning selects the documents, so that no pool is needed."""
        return self.terms.order == "learning" and self.compare is None

    @property
    def finds(self) -> bool:
        """Whether documents that search or active learning retrieves can be judged."""
        return self.learns or (self.search and self.compare is None)

    def subject(self, store: SessionStore) -> Subject:
        """Return the subject of the session."""
        return make_subject(store, self.compare, self.topics, self.norming, learns=self.learns)

    def as_json(self) -> dict[str, Any]:
        """Return the options as JSON, to be stored."""
        values = {name: value for name, value in asdict(self).items() if name != "request"}
        if request := encode(self.request, skip=PLANNED):
            values["request"] = request
        return {
            **values,
            "topics": list(self.topics),
            "names": list(self.names),
            "compare": comparison_as_json(self.compare) if self.compare else None,
            "panel": self.panel.as_json() if self.panel else None,
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "SessionOptions":
        """Return options from stored JSON."""
        values = {
            name: data[name]
            for name in ("join", "gold_from", "again", "search", "several")
            if name in data
        }
        values |= {"panel": CrowdPanel.from_json(data["panel"])} if data.get("panel") else {}
        values |= {"start": StartPage.from_json(data["start"])} if data.get("start") else {}
        values |= {"norming": Norming.from_json(data["norming"])} if data.get("norming") else {}
        values["request"] = decode(SessionRequest, data.get("request", {}), "session.request")
        return SessionOptions(
            SchedulingOptions(**data["terms"]),
            tuple(data["topics"]),
            names=tuple(data["names"]),
            compare=comparison_from_json(data["compare"]) if data.get("compare") else None,
            **values,
        )


# options of the request that `SchedulingOptions`, `SessionOptions` or `ComparisonRequest` store
PLANNED = frozenset(
    option_field.name
    for options_class in (SchedulingOptions, SessionOptions, ComparisonRequest)
    for option_field in fields(options_class)
) | {"mode"}


def plan_session(request: SessionRequest) -> Callable[[Project], SessionOptions]:
    """Return a function that makes the options of the requested session for a given project.

    Options that can be checked without a project are checked immediately.
    """
    terms, panel, start_page = request.terms(), request.crowd_panel(), request.start_page()
    names = (
        tuple(candidate.name for candidate in parse_candidates(request.people))
        if request.people
        else ()
    )

    def plan(project: Project) -> SessionOptions:
        topics = select_topics(
            ",".join(request.topics), [topic.id for topic in project.collection.topics()]
        )
        grading = request.mode == "grade"
        return SessionOptions(
            terms,
            topics if grading else (),
            request.join,
            names,
            gold_from=request.gold_from if grading else None,
            compare=None
            if grading
            else request.compare.resolve(project, topics=topics, overlap=request.overlap),
            panel=panel,
            start=start_page or load_start_page(project),
            again=grading and request.again,
            search=grading and request.search,
            norming=Norming(names=request.named) if request.norming else None,
            several=request.several,
            request=request,
        )

    return plan


def begin_session(
    project: Project, options: SessionOptions, *, clock: Callable[[], str] = utc_now
) -> StoredSession:
    """Validate the options; store a new session and its round of assignments in a project."""
    options = validate_options(project, options)
    session_round = Round(
        len(project.assignments.rounds()) + 1,
        secrets.randbits(60),
        build_round_options(project, options),
        clock(),
    )
    with project.transaction():
        ensure_identity(project)  # result files saved by pages contain the project's identity
        project.assignments.add_round(session_round)
        code = project.sessions.add(
            secrets.token_hex(16), session_round.number, options.as_json(), session_round.made
        )
        session = next(session for session in project.sessions.all() if session.code == code)
        if options.join == "links":
            for name in options.names:
                ProjectStore(project, session).add_participant(
                    name, secrets.token_bytes(32), session_round.made
                )
    return session


NOTHING_LEFT = Message(
    "Nothing is left to judge: everything in the pool that can be shown is already assigned. A "
    "session can collect more judgments of the same pairs (`irjudge serve --again`)."
)


def validate_options(project: Project, options: SessionOptions) -> SessionOptions:
    """Return the options to be stored; raise IrjudgeError if they are invalid.

    For a comparison, the order and the topics are replaced, since the comparison determines both.
    """
    check_choice("order", options.terms.order, ORDERS)
    if options.join not in JOIN_MODES:
        raise IrjudgeError(
            "The way to join must be one of {choices}.", choices=", ".join(JOIN_MODES)
        )
    if options.join != "open" and not options.names:
        raise IrjudgeError(
            "Name the participants who may join: names separated by commas, or a file."
        )
    if options.norming is not None and (options.compare or options.panel):
        raise IrjudgeError(
            "Norming rounds, in which participants judge the same documents and then discuss "
            "them, support neither comparisons of runs nor crowd panels."
        )
    if check_documents_per_page(options.several) and (options.compare or options.learns):
        raise IrjudgeError(
            "Several documents can be shown on a page only when a pool is graded; "
            "comparisons and active learning show one question at a time.",
            key="several-for-grading",
        )
    if options.panel and options.panel.checks and not options.terms.gold_every:
        raise IrjudgeError("Set the interval of attention checks with --gold-every.")
    if options.compare:
        check_comparison(project, options.compare)
        options = replace(
            options,
            terms=replace(options.terms, order="drawn" if options.compare.choice else "mixed"),
            topics=(),
        )
    elif options.learns:
        _check_collection(project, options)
    else:
        _check_pool(project, options)
    return options


def _check_collection(project: Project, options: SessionOptions) -> None:
    """Raise `ProjectError` if documents or topics for active learning are missing."""
    topics = {topic.id for topic in project.collection.topics()}
    if not topics or not project.collection.document_count():
        raise ProjectError(
            "Active learning needs documents and topics; the project lacks one or both."
        )
    if unknown_topics := [topic for topic in options.topics if topic not in topics]:
        raise ProjectError("The project has no topic {topic}.", topic=unknown_topics[0])


def _check_pool(project: Project, options: SessionOptions) -> None:
    """Raise `ProjectError` if a requested topic or the whole pool has nothing left to judge."""
    pool, _ = list_unassigned(project, include_assigned=options.again)
    if unknown_topics := [topic for topic in options.topics if topic not in pool]:
        raise ProjectError(
            "Nothing is left to judge for topic {topic}: everything that can be shown is "
            "already assigned, or the topic is not pooled. A session can collect more "
            "judgments of the same pairs (`irjudge serve --again`).",
            topic=unknown_topics[0],
        )
    if not any(pool.values()):
        raise ProjectError(NOTHING_LEFT)


def build_round_options(project: Project, options: SessionOptions) -> dict[str, Any]:
    """Return the options of a session that are stored with its round of assignments."""
    shared_options = {"overlap": options.terms.overlap}
    if options.compare:
        if options.terms.asks_gold:
            raise IrjudgeError(
                "Gold items are documents with known grades; comparisons do not use grades."
            )
        return {
            **comparison_as_json(options.compare),
            **shared_options,
            "mode": "side-by-side",
            COMPARISON_RULES: options.compare.rules.as_json(),
        }
    only_checks = (
        options.panel is not None and bool(options.panel.checks) and options.gold_from is None
    )
    return {
        **shared_options,
        "mode": "grade",
        GOLD_FROM: (
            read_gold(project, options.gold_from)[0]
            if options.terms.asks_gold and not only_checks
            else ""
        ),
        DOCUMENTS_PER_PAGE: options.several,
    }


def find_resumable(project: Project, *, is_hosted_elsewhere: bool = False) -> StoredSession | None:
    """Return the newest unfinished session stored in the project file; None if there is none.

    With `is_hosted_elsewhere`, return the newest unfinished session stored in a database instead.
    """
    return next(
        (
            session
            for session in reversed(project.sessions.all())
            if session.state != ENDED and (HOSTED_ELSEWHERE in session.terms) == is_hosted_elsewhere
        ),
        None,
    )


def make_join_code() -> str:
    """Return a random join code of 39 bits that is easy to read aloud."""
    return "".join(secrets.choice(CODE_CHARACTERS) for _ in range(CODE_LENGTH))


def read_gold_by_topic(
    project: Project, options: SessionOptions
) -> tuple[dict[str, dict[str, int]], dict[Pair, int]]:
    """Return the grades of gold items by topic and document, and the grades of attention checks."""
    if not options.terms.asks_gold:
        return {}, {}
    checks_name = options.panel.checks if options.panel else ""
    checks = read_gold(project, checks_name)[1] if checks_name else {}
    gold = (
        {}
        if checks_name and options.gold_from is None
        else read_gold(project, options.gold_from)[1]
    )
    gold_by_topic = {
        topic: {**gold.get(topic, {}), **checks.get(topic, {})}
        for topic in dict.fromkeys([*gold, *checks])
    }
    return gold_by_topic, {
        (topic, document): grade
        for topic, grades in checks.items()
        for document, grade in grades.items()
    }
