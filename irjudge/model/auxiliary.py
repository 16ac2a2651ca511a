"""Auxiliary tables, which some measures need in addition to qrels and run."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from irjudge.catalogue import Catalogue
from irjudge.message import Message
from irjudge.model.documents import DOCUMENT_NAMES, TOPIC_NAMES

Kind: TypeAlias = Literal["text", "number", "choice"]


@dataclass(frozen=True, slots=True)
class AuxiliaryColumn:
    """Declaration of a column of auxiliary files: its names, type and default value.

    A column is recognised by any of its names. Its cells are texts, numbers of 0 or more, or
    choices, which are texts that represent numbers. A column without a default value is required.
    """

    # name in measures and messages; the columns `run`, `topic` and `document` identify a row
    name: str
    column_names: tuple[str, ...] = ()  # other names of the column in files
    kind: Kind = "text"  # type: text, a number of 0 or more, or one of `choices`
    # possible texts and the number that each means, including texts that other programs use
    choices: tuple[tuple[str, float], ...] = ()
    # value of an empty cell or a missing column; None if the column is required
    default: str | float | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All names of the column in files, including `name`, in order of preference."""
        return (
            self.column_names if self.name in self.column_names else (self.name, *self.column_names)
        )


RUN_COLUMN = AuxiliaryColumn("run", ("run_id", "runid", "system", "tag"), default="")
TOPIC_COLUMN = AuxiliaryColumn("topic", TOPIC_NAMES)
DOCUMENT_COLUMN = AuxiliaryColumn("document", DOCUMENT_NAMES)
KEY_COLUMNS = ("run", "topic", "document")


@dataclass(frozen=True, slots=True)
class AuxiliaryKind:
    """Registry entry of a kind of auxiliary file, such as document lengths: names, columns.

    Auxiliary files contain data for certain measures, in addition to qrels and runs: lengths or
    groups of documents, sessions, and cited documents or nuggets of answers.
    """

    name: str  # name of the command-line option, such as `lengths`
    title: str  # displayed title
    columns: tuple[AuxiliaryColumn, ...]  # in the order in which messages list them
    needs_all_documents: bool = False  # whether the file must contain each retrieved document
    key_columns: tuple[str, ...] = ()  # columns that together identify a row

    @property
    def by_document(self) -> bool:
        """Whether each row describes a document."""
        return any(column.name == "document" for column in self.columns)

    @property
    def column_description(self) -> str:
        """Description of the required and optional columns, for messages."""
        required_columns = [column.name for column in self.columns if column.default is None]
        optional_columns = [column.name for column in self.columns if column.default is not None]
        message = Message("a table with the columns {columns}", columns=", ".join(required_columns))
        return (
            message + Message(", and optionally {optional}", optional=", ".join(optional_columns))
            if optional_columns
            else message
        )


AUXILIARY_KINDS: Catalogue[AuxiliaryKind] = Catalogue(
    Message("Auxiliary file"),
    sort_key=lambda kind: kind.name,
)


FULL_SUPPORT, PARTIAL_SUPPORT = 2, 1

AUXILIARY_KINDS.add(
    AuxiliaryKind(
        "citations",
        title=Message("Answer citations"),
        columns=(
            RUN_COLUMN,
            TOPIC_COLUMN,
            AuxiliaryColumn("sentence", ("sentence_id", "statement", "statement_id")),
            AuxiliaryColumn(
                "citation", ("cited", "cited_document", "docid", "doc_id", "document"), default=""
            ),
            AuxiliaryColumn(
                "support",
                ("label", "grade"),
                "choice",
                (
                    ("full", FULL_SUPPORT),
                    ("partial", PARTIAL_SUPPORT),
                    ("none", 0),
                    ("full_support", FULL_SUPPORT),
                    ("partial_support", PARTIAL_SUPPORT),
                    ("no_support", 0),
                    ("2", FULL_SUPPORT),
                    ("1", PARTIAL_SUPPORT),
                    ("0", 0),
                ),
                default=0,
            ),
        ),
        key_columns=("run", "topic", "sentence", "citation"),
    )
)
AUXILIARY_KINDS.add(
    AuxiliaryKind(
        "nuggets",
        title=Message("Nuggets supported by answers"),
        columns=(
            RUN_COLUMN,
            TOPIC_COLUMN,
            AuxiliaryColumn("nugget", ("text", "nugget_text", "nugget_id", "question")),
            AuxiliaryColumn(
                "importance",
                (),
                "choice",
                (("vital", 1), ("okay", 0), ("ok", 0), ("failed", 0)),
                default=0,
            ),
            AuxiliaryColumn(
                "support",
                ("assignment", "label"),
                "choice",
                (
                    ("support", 2),
                    ("partial_support", 1),
                    ("not_support", 0),
                    ("partial", 1),
                    ("none", 0),
                    ("failed", 0),
                ),
            ),
        ),
        key_columns=("run", "topic", "nugget"),
    )
)
AUXILIARY_KINDS.add(
    AuxiliaryKind(
        "groups",
        title=Message("Groups of documents"),
        columns=(
            DOCUMENT_COLUMN,
            AuxiliaryColumn("group", ("groups", "group_id", "attribute", "category")),
            AuxiliaryColumn("weight", ("share", "membership"), "number", default=1.0),
        ),
        key_columns=("document", "group"),
    )
)
AUXILIARY_KINDS.add(
    AuxiliaryKind(
        "lengths",
        title=Message("Document lengths"),
        columns=(
            DOCUMENT_COLUMN,
            AuxiliaryColumn("characters", ("chars", "length", "len"), "number", default=math.nan),
            AuxiliaryColumn("words", ("tokens", "terms"), "number", default=math.nan),
        ),
        needs_all_documents=True,
        key_columns=("document",),
    )
)
AUXILIARY_KINDS.add(
    AuxiliaryKind(
        "sessions",
        title=Message("Sessions"),
        columns=(
            TOPIC_COLUMN,
            AuxiliaryColumn("session", ("session_id", "sessionid")),
            AuxiliaryColumn(
                "position", ("number", "query_number", "order", "turn", "place"), "number"
            ),
        ),
        key_columns=("topic",),
    )
)


@dataclass(frozen=True, slots=True, eq=False)
class AuxiliaryTable:
    """Table read from an auxiliary file, such as document lengths, for the measures that need it.

    The columns are those that its `AuxiliaryKind` declares; missing optional values have been
    replaced by the default. Choices are already converted to numbers. In a table read from a study,
    all numbers are texts.
    """

    kind: str  # name of the `AuxiliaryKind`
    # values of each column, by name: a text or number per row
    columns: Mapping[str, Sequence[str | float]]
    source: str = ""  # name of the file
    warnings: tuple[str, ...] = ()  # warnings from reading the file

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))
