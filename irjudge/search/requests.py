"""Request for a search: the options of `irjudge search`."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from irjudge.formats.collections import TOPIC_IDS, TopicIds
from irjudge.options import OnlyOption, Option
from irjudge.search.collection_search import DEFAULT_DEPTH, FIELDS, SearchOptions
from irjudge.search.rankers import RANKER_REGISTRY


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRunRequest:
    """Options of a new run: its length, name and output."""

    depth: Annotated[int, Option("Documents of each topic at most.", minimum=1)] = DEFAULT_DEPTH
    name: Annotated[
        str, Option("What the run is called. Default: the method with its parameters.")
    ] = ""
    output: Annotated[
        Path | None,
        Option("Write the run to a file; a project then stays as it is.", flags=("-o", "--output")),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """Options of a search of documents."""

    topics_file: Annotated[
        Path | None,
        Option(
            "What to search for, with DOCUMENTS; a project has topics of its own.",
            flags=("--topics",),
        ),
    ] = None
    ranker: Annotated[
        str,
        Option(
            f"How documents are ranked, of `irjudge rankers`: {', '.join(RANKER_REGISTRY)}.",
            metavar="NAME",
        ),
    ] = "bm25"
    given: Annotated[
        tuple[str, ...],
        Option(
            "A parameter of the ranker, such as k1=1.2.",
            flags=("-p", "--parameter"),
            metavar="NAME=VALUE",
        ),
    ] = ()
    feedback: Annotated[
        str,
        Option(
            "Search again, with terms of what was found first: rm3, or rm3(documents=10,terms=20).",
            metavar="rm3",
        ),
    ] = ""
    fields: Annotated[str, Option(f"Which parts of a topic are the query: {','.join(FIELDS)}.")] = (
        "title"
    )
    topic_ids: Annotated[
        TopicIds | None,
        Option(
            "Call topics by their order, 1, 2, 3 …, or as given in the file.", choices=TOPIC_IDS
        ),
    ] = None
    explain: Annotated[
        str | None,
        Option(
            "Print how the score of a document comes about, term by term, for the one --topic.",
            metavar="DOCUMENT",
        ),
    ] = None
    vary: Annotated[
        tuple[str, ...],
        Option(
            "With --compare, several values of a parameter, such as k1=0.5,0.9,1.2.",
            metavar="NAME=VALUE,...",
        ),
    ] = ()
    compare: Annotated[
        bool,
        Option("Print what the run is worth beside those of the project, and keep nothing."),
    ] = False
    only: OnlyOption = ""
    run: NewRunRequest = field(default_factory=NewRunRequest)

    def options(self) -> SearchOptions:
        """Return how documents are ranked, for all topics."""
        return SearchOptions(
            ranker=self.ranker,
            given=self.given,
            fields=tuple(part.strip() for part in self.fields.split(",")),
            depth=self.run.depth,
            feedback=self.feedback,
        )
