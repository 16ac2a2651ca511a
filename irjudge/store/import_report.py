"""Report of an import, shown to the user and stored in the project."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from irjudge.formats.bytes import protect_files
from irjudge.formats.rankings import find_off_scale
from irjudge.message import Message, format_count, from_data, join_messages, to_data
from irjudge.model import Qrels
from irjudge.store.project import Project

IMPORTS_KEY = "imports"  # key of a setting: import reports
MAX_SAMPLED_DOCUMENTS = 2000  # maximum number of documents of a run whose texts are looked up


@dataclass(slots=True)
class ImportReport:
    """Report of an import: sentences on what was imported, warnings, and names of files.

    The import functions add sentences and warnings. If anything was imported, they store the report
    in the project. A report without sentences and warnings is false in a condition.
    """

    sentences: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    time: str = ""  # time of saving in UTC, ISO 8601; empty if the report is not saved yet

    def __bool__(self) -> bool:
        return bool(self.sentences or self.warnings)


def save_import_report(project: Project, report: ImportReport) -> None:
    """Set the time of a report to now, and save it in the project."""
    report.time = datetime.now(UTC).isoformat(timespec="seconds")
    entry = {
        "time": report.time,
        "files": report.files,
        "done": [*map(to_data, report.sentences)],
        "remarks": [*map(to_data, report.warnings)],
    }
    project.set_setting(
        IMPORTS_KEY, json.dumps([*_read_reports(project), entry], ensure_ascii=False)
    )


def read_import_reports(project: Project) -> list[ImportReport]:
    """Return the reports of all imports into a project, oldest first."""

    def parse_reports(entries: list[dict[str, Any]]) -> list[ImportReport]:
        return [
            ImportReport(
                [*map(from_data, entry["done"])],
                [*map(from_data, entry["remarks"])],
                [*map(str, entry["files"])],
                str(entry["time"]),
            )
            for entry in entries
        ]

    return _read_reports(project, parse_reports)


@contextmanager
def protect_sources(project: Project, folder: Path) -> Iterator[None]:
    """Within the block, prevent irjudge from overwriting the imported files in a folder.

    Imported files are recognised by their names.
    """
    stored_rankings = (*project.rankings.runs(), *project.rankings.qrels_names())
    names = {name for report in read_import_reports(project) for name in report.files} | {
        ranking.source for ranking in stored_rankings
    }
    with protect_files(folder / name for name in names if name):
        yield


def warn_unknown_topics(
    project: Project, topics: Sequence[str], subject: str, report: ImportReport
) -> None:
    """Add a warning about topics that are not in the project, unless the project has no topics."""
    known_topics = {topic.id for topic in project.collection.topics()}
    unknown_topics = [topic for topic in topics if topic not in known_topics]
    if known_topics and unknown_topics:
        report.warnings.append(
            Message(
                "{subject}: topics that are missing from the project: {count:,} (for example "
                "{example}).",
                key="unknown-topics",
                subject=subject,
                count=len(unknown_topics),
                example=unknown_topics[0],
            )
        )


def warn_off_scale(project: Project, name: str, qrels: Qrels, report: ImportReport) -> None:
    """Add a warning about qrels grades that are not on the scale, with a suggested conversion."""
    grades = [grade for grade in np.unique(qrels.grade).tolist() if grade >= 0]
    off_scale_grades = find_off_scale(grades, project.scale.values)
    if off_scale_grades is None:
        return
    placeholders = {
        "name": name,
        "grades": join_messages(map(str, off_scale_grades.grades)),
        "scale": join_messages(map(str, off_scale_grades.values)),
    }
    message = Message(
        "Qrels {name}: grades that are not on the scale ({scale}) are used unchanged: {grades}.",
        key="off-scale-grades",
        **placeholders,
    )
    if off_scale_grades.steps and len(grades) > 1:
        new_grades = sorted(off_scale_grades.values)
        gain = "/".join(
            f"{new_grade}:{grade}"
            for new_grade, grade in zip(new_grades, grades, strict=False)
            if new_grade != grade
        )
        advice = Message(
            "To continue judging with the same grades, read the qrels with --grades “{steps}” "
            "(“Remap grades” in the window); nDCG(gain={gain}) still uses the original grades.",
            key="remap-grades",
            steps=off_scale_grades.steps,
            gain=gain,
        )
        if grades[0] > 0:  # the qrels may contain only relevant documents
            advice = Message(
                "{advice} This mapping is right only if grade {lowest} means not relevant.",
                key="lowest-not-relevant",
                lowest=grades[0],
                advice=advice,
            )
        message = Message(
            "{warning} {advice}", key="off-scale-grades", warning=message, advice=advice
        )
    report.warnings.append(message)


def warn_missing_texts(
    project: Project, documents: Sequence[str], subject: str, report: ImportReport
) -> None:
    """Add a warning about judged documents without a text, unless the project has no texts."""
    if not project.collection.document_count():
        return
    missing_texts = project.collection.without_text(list(dict.fromkeys(documents)))
    if missing_texts:
        count = (
            Message("1 judged document")
            if len(missing_texts) == 1
            else Message("{missing:,} judged documents", missing=len(missing_texts))
        )
        report.warnings.append(
            Message(
                "{subject}: {documents} without a text in the project (for example {example}).",
                subject=subject,
                documents=count,
                example=missing_texts[0],
            )
        )


def warn_unknown_documents(project: Project, name: str, report: ImportReport) -> None:
    """Add a warning if most documents of a run have no text in the project.

    In this case, ids in the run may have another format than document ids in the project.
    """
    if not project.collection.document_count():
        return
    document_ids = project.rankings.run(name).document.unique().to_pylist()
    documents = document_ids[:: max(1, -(-len(document_ids) // MAX_SAMPLED_DOCUMENTS))]
    missing_texts = project.collection.without_text(documents)
    if 2 * len(missing_texts) > len(documents):
        examined_text = format_count(len(documents), "document") + (
            Message(" examined") if len(documents) < len(document_ids) else ""
        )
        message = Message(
            "no text in the project for {count:,} of {total} (for example {example})",
            count=len(missing_texts),
            total=examined_text,
            example=missing_texts[0],
        )
        report.warnings.append(
            Message(
                "Run {name}: {problem}. Do the document ids match?",
                key="documents-without-text",
                name=name,
                problem=message,
            )
        )


def warn_hidden_calibration(
    project: Project, documents: Sequence[str], subject: str, report: ImportReport
) -> None:
    """Add a warning about calibration documents without a text, which cannot be shown."""
    documents_without_text = project.collection.without_text(list(dict.fromkeys(documents)))
    if not documents_without_text:
        return
    count = (
        Message("1 calibration document")
        if len(documents_without_text) == 1
        else Message("{textless:,} calibration documents", textless=len(documents_without_text))
    )
    report.warnings.append(
        Message(
            "{file}: {documents} without a text in the project will not be shown (for example "
            "{example}).",
            file=subject,
            documents=count,
            example=documents_without_text[0],
        )
    )


def warn_gaps(project: Project, name: str, qrels: Qrels, report: ImportReport) -> None:
    """Add warnings about topics without judgments, and about judged documents without a text."""
    judged_topics = set(qrels.topics)
    unjudged_topics = [
        topic.id for topic in project.collection.topics() if topic.id not in judged_topics
    ]
    if unjudged_topics and judged_topics:
        report.warnings.append(
            Message(
                "Qrels {name}: topics without judgments: {count:,} (for example {example}).",
                name=name,
                count=len(unjudged_topics),
                example=unjudged_topics[0],
            )
        )
    warn_missing_texts(
        project, qrels.documents.to_pylist(), Message("Qrels {name}", name=name), report
    )


def _read_reports(project: Project, parse: Callable[[Any], list[Any]] | None = None) -> list[Any]:
    return project.read_json_setting(
        IMPORTS_KEY, [], "Cannot read the list of imports in {file}.", parse
    )
