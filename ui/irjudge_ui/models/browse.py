"""What the page that looks into a collection lists: documents, topics, the ranking of a run."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from irjudge_ui.models.tables import Column

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A topic: its texts, and how many of its documents are pooled, judged and relevant."""

    id: str
    title: str
    description: str
    pooled: int
    judged: int
    relevant: int


@dataclass(frozen=True, slots=True)
class RankRow:
    """A rank of a run: the document, its title, its score, and its grade in the qrels; None where it has none."""

    rank: int
    id: str
    title: str
    score: float
    grade: int | None


def document_columns() -> list[Column]:
    """Return id, title and text."""
    return [
        Column(translate("BrowseView", "Document"), lambda row: row.id),
        Column(translate("BrowseView", "Title"), lambda row: row.title),
        Column(translate("BrowseView", "Text"), lambda row: row.text),
    ]


def topic_columns() -> list[Column]:
    """Return the texts of a topic, then how far it is judged."""
    return [
        Column(translate("BrowseView", "Topic"), lambda row: row.id),
        Column(translate("BrowseView", "Title"), lambda row: row.title),
        Column(translate("BrowseView", "Description"), lambda row: row.description),
        Column(translate("BrowseView", "Pooled"), lambda row: row.pooled, lambda count: f"{count:,}", number=True),
        Column(translate("BrowseView", "Judged"), lambda row: row.judged, lambda count: f"{count:,}", number=True),
        Column(translate("BrowseView", "Relevant"), lambda row: row.relevant, lambda count: f"{count:,}", number=True),
    ]


def rank_columns() -> list[Column]:
    """Return rank, document, score and grade."""
    return [
        Column(translate("BrowseView", "Rank"), lambda row: row.rank, lambda rank: f"{rank:,}", number=True),
        Column(translate("BrowseView", "Document"), lambda row: row.id),
        Column(translate("BrowseView", "Title"), lambda row: row.title),
        Column(translate("BrowseView", "Score"), lambda row: row.score, lambda score: f"{score:.4f}", number=True),
        Column(
            translate("BrowseView", "Grade"),
            lambda row: -99 if row.grade is None else row.grade,
            lambda grade: "–" if grade == -99 else "✕" if grade == -2 else str(grade),
            number=True,
        ),
    ]
