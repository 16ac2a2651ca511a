"""Options of a session, their checks and their storage."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, TypeAlias, get_args

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.exchange import ComparisonOptions as Comparison
from irjudge.exchange import Pair, ensure_identity
from irjudge.judging import GOLD_FROM, Norming, list_unassigned, read_gold
from irjudge.model import utc_now
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
from irjudge.web.participants import CrowdPanel, StartPage
from irjudge.web.scheduler import ORDERS, Terms
from irjudge.web.session_store import ProjectStore, SessionStore
from irjudge.web.session_subject import (
    Subject,
    check_comparison,
    comparison_as_json,
    comparison_from_json,
    make_subject,
)

Join: TypeAlias = Literal["open", "names", "links"]
JOINS: tuple[Join, ...] = get_args(Join)
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none of them looks like another
CODE_LENGTH = 8


@dataclass(frozen=True, slots=True)
class SessionWish:
    """What whoever leads asks for."""

    terms: Terms = field(default_factory=Terms)  # how pairs are shared out
    topics: tuple[str, ...] = ()  # those to judge; none means all
    # who may take part: `open`, anyone with the code gives a name; `names`, those on the list; `links`, each by a link of their own
    join: Join = "open"
    names: tuple[str, ...] = ()  # the list
    gold_from: str | None = None  # the qrels with the known answers; None takes the first
    # what is compared side by side; None grades documents of the pool. Its own overlap and repeats are not used.
    compare: Comparison | None = None
    panel: CrowdPanel | None = (
        None  # who sends the people, and where they go when they are done; None where they come by themselves
    )
    start: StartPage | None = None  # what people read and answer before and after; None for nothing
    again: bool = (
        False  # give out once more what is in somebody's hands already, or was judged there
    )
    search: bool = False  # whether people may search the collection, and judge what they find
    norming: Norming | None = None  # the rounds with which it begins; None for none
    several: int = 0  # how many documents of a topic stand on one page; 0 shows one at a time

    @property
    def learns(self) -> bool:
        """Whether learning finds what is judged; then no pool is needed."""
        return self.terms.order == "learning" and self.compare is None

    @property
    def finds(self) -> bool:
        """Whether documents are judged that no pool has."""
        return self.learns or (self.search and self.compare is None)

    def subject(self, store: SessionStore) -> Subject:
        """Return what the session asks about."""
        return make_subject(store, self.compare, self.topics, self.norming, learns=self.learns)

    def as_json(self) -> dict[str, Any]:
        """Return it as the project keeps it."""
        compare = comparison_as_json(self.compare) if self.compare else None
        panel = self.panel.as_json() if self.panel else None
        return {
            **asdict(self),
            "topics": list(self.topics),
            "names": list(self.names),
            "compare": compare,
            "panel": panel,
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "SessionWish":
        """Return what was kept."""
        kept = {
            name: data[name]
            for name in ("join", "gold_from", "again", "search", "several")
            if name in data
        }
        compare = comparison_from_json(data["compare"]) if data.get("compare") else None
        kept |= {"panel": CrowdPanel.from_json(data["panel"])} if data.get("panel") else {}
        kept |= {"start": StartPage.from_json(data["start"])} if data.get("start") else {}
        kept |= {"norming": Norming.from_json(data["norming"])} if data.get("norming") else {}
        return SessionWish(
            Terms(**data["terms"]),
            tuple(data["topics"]),
            names=tuple(data["names"]),
            compare=compare,
            **kept,
        )


def begin_session(
    project: Project, wish: SessionWish, *, clock: Callable[[], str] = utc_now
) -> StoredSession:
    """Begin a session in a project."""
    wish = checked(project, wish)
    made = Round(
        len(project.assignments.rounds()) + 1,
        secrets.randbits(60),
        round_wishes(project, wish),
        clock(),
    )
    with project.transaction():
        ensure_identity(project)  # by which a file that a page saves is known
        project.assignments.add_round(made)
        code = project.sessions.add(secrets.token_hex(16), made.number, wish.as_json(), made.made)
        kept = next(each for each in project.sessions.all() if each.code == code)
        if wish.join == "links":
            for name in wish.names:
                ProjectStore(project, kept).seat(name, secrets.token_bytes(32), made.made)
    return kept


def checked(project: Project, wish: SessionWish) -> SessionWish:
    """Return a wish as it is kept."""
    if wish.join not in JOINS or wish.terms.order not in ORDERS:
        raise IrjudgeError("People join a session by one of {joins}.", joins=", ".join(JOINS))
    if wish.join != "open" and not wish.names:
        raise IrjudgeError("Name those who may join: names with commas between them, or a file.")
    if wish.norming is not None and (wish.compare or wish.panel):
        raise IrjudgeError(
            "Norming rounds are for people who grade documents together; they compare nothing, and no panel sends them."
        )
    if check_documents_per_page(wish.several) and (wish.compare or wish.learns):
        raise IrjudgeError(
            "Several documents on a page are for grading a pool: comparing and learning show what is answered next alone.",
            key="several-for-grading",
        )
    if wish.panel and wish.panel.checks and not wish.terms.gold_every:
        raise IrjudgeError("Say with --gold-every how often an attention check comes.")
    if wish.compare:
        check_comparison(project, wish.compare)
        wish = replace(
            wish,
            terms=replace(wish.terms, order="drawn" if wish.compare.choice else "mixed"),
            topics=(),
        )
    elif wish.learns:
        _check_collection(project, wish)
    else:
        _check_pool(project, wish)
    return wish


def _check_collection(project: Project, wish: SessionWish) -> None:
    """Raise a `ProjectError` when there is nothing to learn from."""
    topics = {topic.id for topic in project.collection.topics()}
    if not topics or not project.collection.document_count():
        raise ProjectError("Learning needs documents and topics; the project lacks them.")
    if unknown := [topic for topic in wish.topics if topic not in topics]:
        raise ProjectError("The project has no topic {topic}.", topic=unknown[0])


def _check_pool(project: Project, wish: SessionWish) -> None:
    """Raise a `ProjectError` when nothing of what is wished is to be judged."""
    pool, _ = list_unassigned(project, again=wish.again)
    unknown = [topic for topic in wish.topics if topic not in pool]
    if unknown:
        raise ProjectError(
            "There is nothing left to judge for topic {topic}: all that can be shown of it was handed out already, or it is not pooled. "
            "A session can ask for more judgments of the same pairs (`irjudge serve --again`).",
            topic=unknown[0],
        )
    if not any(pool.values()):
        raise ProjectError(
            "There is nothing left to judge: all that can be shown of the pool was handed out already. "
            "A session can ask for more judgments of the same pairs (`irjudge serve --again`)."
        )


def round_wishes(project: Project, wish: SessionWish) -> dict[str, Any]:
    """Return what is kept of a session among the rounds of assignments."""
    common = {"overlap": wish.terms.overlap}
    if wish.compare:
        if wish.terms.asks_gold:
            raise IrjudgeError("Known answers are grades of documents; a comparison has none.")
        return {
            **comparison_as_json(wish.compare),
            **common,
            "mode": "side-by-side",
            COMPARISON_RULES: wish.compare.rules.as_json(),
        }
    only_checks = wish.panel is not None and bool(wish.panel.checks) and wish.gold_from is None
    gold_name = (
        read_gold(project, wish.gold_from)[0] if wish.terms.asks_gold and not only_checks else ""
    )
    return {**common, "mode": "grade", GOLD_FROM: gold_name, DOCUMENTS_PER_PAGE: wish.several}


def resumable(project: Project) -> StoredSession | None:
    """Return the newest session that has not ended; None where there is none. One that is kept elsewhere goes on there."""
    sessions = (
        each
        for each in reversed(project.sessions.all())
        if each.state != ENDED and HOSTED_ELSEWHERE not in each.terms
    )
    return next(sessions, None)


def new_code() -> str:
    """Return a code to join by, to be read aloud: 39 bits."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def planted(
    project: Project, wish: SessionWish
) -> tuple[dict[str, dict[str, int]], dict[Pair, int]]:
    """Return the documents of known answer, by topic, and those among them that say which key to press."""
    if not wish.terms.asks_gold:
        return {}, {}
    named = wish.panel.checks if wish.panel else ""
    checks = read_gold(project, named)[1] if named else {}
    gold = {} if named and wish.gold_from is None else read_gold(project, wish.gold_from)[1]
    planted = {
        topic: {**gold.get(topic, {}), **checks.get(topic, {})}
        for topic in dict.fromkeys([*gold, *checks])
    }
    return planted, {
        (topic, document): grade
        for topic, grades in checks.items()
        for document, grade in grades.items()
    }
