"""Options of `irjudge search`."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from irjudge.formats.collections import TOPIC_IDS, TopicIds
from irjudge.options import OnlyOption, Option
from irjudge.search.collection_search import (
    DEFAULT_DEPTH,
    TOPIC_FIELDS,
    SearchOptions,
    vary_parameters,
)
from irjudge.search.rankers import RANKER_REGISTRY


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRunRequest:
    """Options of a new run, common to search and fusion: its length, name and output file.

    Without an output file, the new run of a project is stored in the project, unless it is only
    compared.
    """

    depth: Annotated[
        int, Option("Maximum number of documents per topic in the new run.", minimum=1)
    ] = DEFAULT_DEPTH
    name: Annotated[str, Option("Name of the run. Default: the method with its parameters.")] = ""
    output: Annotated[
        Path | None,
        Option(
            "Write the run to a file; a project then stays unchanged.", flags=("-o", "--output")
        ),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """Options of `irjudge search`: how to rank documents, and what to do with the run.

    The project or files of documents are separate arguments. With `explain`, no run is made, and
    the score of one document is explained; with `compare`, one or several new runs are
    compared with the project's runs and not stored.
    """

    topics_file: Annotated[
        Path | None,
        Option(
            "With DOCUMENTS: the topics used as queries. A project has its own topics.",
            flags=("--topics",),
        ),
    ] = None
    ranker: Annotated[
        str,
        Option(
            f"Ranker: {', '.join(RANKER_REGISTRY)}. Run `irjudge rankers` for formulas and parameters.",
            metavar="NAME",
        ),
    ] = "bm25"
    given: Annotated[
        tuple[str, ...],
        Option(
            "Parameter of the ranker, such as k1=1.2.",
            flags=("-p", "--parameter"),
            metavar="NAME=VALUE",
        ),
    ] = ()
    feedback: Annotated[
        str,
        Option(
            "Pseudo-relevance feedback: rm3, or rm3(documents=10,terms=20).",
            metavar="rm3",
        ),
    ] = ""
    fields: Annotated[
        str,
        Option(
            "Parts of a topic used as the query, separated by commas, for example "
            f"{','.join(TOPIC_FIELDS)}."
        ),
    ] = "title"
    topic_ids: Annotated[
        TopicIds | None,
        Option(
            "Number the topics in order (1, 2, 3 …), or use the ids in the file.", choices=TOPIC_IDS
        ),
    ] = None
    explain: Annotated[
        str | None,
        Option(
            "Print the calculation of a document's score, term by term, for the topic "
            "given with --topic.",
            metavar="DOCUMENT",
        ),
    ] = None
    vary: Annotated[
        tuple[str, ...],
        Option(
            "With --compare: the values of a parameter to compare, such as k1=0.5,0.9,1.2.",
            metavar="NAME=VALUE,...",
        ),
    ] = ()
    compare: Annotated[
        bool,
        Option("Compare the new run with the runs of the project, without storing it."),
    ] = False
    only: OnlyOption = ""
    run: NewRunRequest = field(default_factory=NewRunRequest)

    def options(self) -> SearchOptions:
        """Return the options for ranking documents; `vary` is ignored."""
        return SearchOptions(
            ranker=self.ranker,
            given=self.given,
            fields=tuple(part.strip() for part in self.fields.split(",")),
            depth=self.run.depth,
            feedback=self.feedback,
        )

    def all_options(self) -> tuple[SearchOptions, ...]:
        """Return the options of each run: one for each combination of values in `vary`."""
        values: dict[str, list[str]] = {}
        for parameter in self.vary:
            name, _, values_text = parameter.partition("=")
            values.setdefault(name.strip(), []).extend(
                filter(None, map(str.strip, values_text.split(",")))
            )
        return vary_parameters(self.options(), values)
