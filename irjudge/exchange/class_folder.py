"""Creation of a project for a class, from one folder with documents, topics, runs, pool,
accounts and labels.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from irjudge.errors import FormatError, IrjudgeError
from irjudge.exchange.assignment_plan import Candidate, check_candidates
from irjudge.exchange.assignments import (
    AssignmentReport,
    AssignmentRound,
    default_round_seed,
    resolve_assessors,
    write_round,
)
from irjudge.formats import PreviewKind, ReaderWarnings, classify_files
from irjudge.formats.bytes import (
    InputFile,
    decode_text,
    is_hidden,
    open_input,
    read_limited,
    replace_surrogates,
)
from irjudge.formats.collections import read_topics, recognise_document_format
from irjudge.formats.rankings import make_listed_pool
from irjudge.formats.rows import parse_id
from irjudge.message import Message
from irjudge.model import AssignedItem, Grade, OrganiserNote, Scale
from irjudge.progress import SILENT, Progress
from irjudge.stats import HashOrder
from irjudge.store import OWNER_KEY, ImportReport, Project, Sources, create_project, import_sources

MAX_SPECIAL_BYTES = (
    64 * 1024 * 1024
)  # maximum size in bytes of a file with a pool, accounts or labels
MAX_FILES = 10_000
# maximum number of entries of a dropped folder that is read as a class folder
MAX_DROPPED_ENTRIES = 100
RUN_FOLDERS = frozenset({"runs", "run", "submissions"})
DOCUMENT_FOLDERS = frozenset({"documents", "docs", "corpus"})
IGNORED_NAME = re.compile(r"readme|license|licence|makefile", re.IGNORECASE)
TEXT_FORMATS = frozenset({"plain text", "Markdown", "HTML"})
GRADED_LABEL = re.compile(r"(.*)\((-?\d{1,3})\)\s*+")


@dataclass(slots=True)
class ClassFolder:
    """Content of a class folder: pool, accounts, scale, and paths of the other files.

    A class folder contains the files that a teacher prepared for a class. Each student has an
    account, with the topics that the student judges. Pool, accounts and scale have been read from
    the folder; the other files are read when they are imported. `unrecognised_files`
    contains the files and folders that were not recognised.
    """

    documents: list[Path] = field(default_factory=list)
    topics: list[Path] = field(default_factory=list)
    runs: list[Path] = field(default_factory=list)
    qrels: list[Path] = field(default_factory=list)
    pool: dict[str, list[str]] = field(default_factory=dict)  # ids of documents by topic
    accounts: dict[str, list[str]] = field(default_factory=dict)  # ids of topics by account
    # scale defined by labels such as `Related (1)`; None without such labels
    scale: Scale | None = None
    unrecognised_files: list[Path] = field(default_factory=list)

    @property
    def pool_size(self) -> int:
        """Number of (topic, document) pairs in the pool."""
        return sum(len({*documents}) for documents in self.pool.values())

    @property
    def sources(self) -> Sources:
        """Files to import."""
        return Sources(
            tuple(self.documents), tuple(self.topics), tuple(self.runs), tuple(self.qrels)
        )


def read_class_folder(folder: Path, progress: Progress = SILENT) -> ClassFolder:
    """Classify the files in a class folder by content, and its subfolders by name.

    Each file or folder in `runs` is a run; `documents` and `corpus` contain documents; other
    folders are ignored. A pool is JSON with topics and documents. Accounts are JSON lines with
    `account` and `topics`. Labels are a doccano configuration.
    """
    if not folder.is_dir():
        raise FormatError(
            folder,
            Message(
                "it is not a folder; expected a folder with the files of a class, "
                "such as documents, topics and runs",
                key="no-folder",
            ),
        )
    contents, other_files = ClassFolder(), list[Path]()
    entries = sorted(path for path in folder.iterdir() if not is_hidden(path.name))
    if len(entries) > MAX_FILES:
        raise FormatError(
            folder,
            Message(
                "the folder has more than {limit:,} files; expected a folder with the files of "
                "a class, such as documents, topics and runs",
                key="too-many-files",
                limit=MAX_FILES,
            ),
        )
    for path in entries:
        if path.is_dir() and path.name.lower() in RUN_FOLDERS:
            contents.runs += sorted(file for file in path.iterdir() if not is_hidden(file.name))
        elif path.is_dir() and path.name.lower() in DOCUMENT_FOLDERS:
            contents.documents.append(path)
        elif not path.is_file() or IGNORED_NAME.match(path.name):
            contents.unrecognised_files.append(path)
        elif not _read_special_file(path, contents):
            other_files.append(path)
    kinds = classify_files(other_files, progress) if other_files else {}
    contents.runs += kinds.get("runs", ())
    contents.qrels += kinds.get("qrels", ())
    contents.topics += sorted(kinds.get("topics", ()), key=_count_topic_characters, reverse=True)
    for path in kinds.get("documents", ()):
        (contents.unrecognised_files if _is_text(path) else contents.documents).append(path)
    if not contents.sources:
        raise FormatError(
            folder,
            Message(
                "no documents, topics, runs or judgments were found in the folder",
                key="empty-folder",
            ),
        )
    return contents


@dataclass(frozen=True, slots=True)
class DroppedFiles:
    """Files that the user dropped on the page for a new project, by kind.

    `class_folder` is the content of a dropped class folder, whose files are those in `kinds`; None
    if none was dropped.
    """

    kinds: Mapping[PreviewKind, tuple[Path, ...]]
    class_folder: ClassFolder | None = None


def classify_dropped_files(paths: Sequence[Path], progress: Progress = SILENT) -> DroppedFiles:
    """Classify files for a new project by kind.

    If the only path is that of a class folder, the files in the folder are classified.
    """
    if len(paths) == 1 and paths[0].is_dir() and len([*paths[0].iterdir()]) <= MAX_DROPPED_ENTRIES:
        try:
            contents = read_class_folder(paths[0], progress)
        except IrjudgeError:  # not a class folder, but a folder of documents or of one run
            return DroppedFiles(classify_files(paths, progress))
        if contents.topics and (contents.runs or contents.qrels or contents.pool):
            kinds: dict[PreviewKind, list[Path]] = {
                "topics": contents.topics,
                "documents": contents.documents,
                "runs": contents.runs,
                "qrels": contents.qrels,
            }
            files_by_kind = {kind: tuple(files) for kind, files in kinds.items() if files}
            return DroppedFiles(files_by_kind, contents)
    return DroppedFiles(classify_files(paths, progress))


def _count_topic_characters(path: Path) -> int:
    """Return the number of characters of all topics in a file.

    If there are several files of topics, the file with the most characters is imported first.
    """
    topics = read_topics(path).topics
    return sum(len(topic.title + topic.description + topic.narrative) for topic in topics)


def _is_text(path: Path) -> bool:
    try:
        return recognise_document_format(path) in TEXT_FORMATS
    except IrjudgeError:
        return True


def _read_special_file(path: Path, contents: ClassFolder) -> bool:
    """Read a pool, accounts or labels from a file; return whether it is one of these."""
    with open_input(path) as file:
        values = _read_json_values(file)
    if not values:
        return False
    is_single_object = len(values) == 1 and isinstance(values[0], dict)
    labels = values[0] if len(values) == 1 and isinstance(values[0], list) else []
    if is_single_object and _is_pool(values[0]):
        _check_characters(path, values)
        for topic, documents in values[0].items():
            ids = (parse_id(document, path, None, ReaderWarnings()) for document in documents)
            contents.pool.setdefault(topic, []).extend(ids)
    elif all(isinstance(value, dict) and {"account", "topics"} <= value.keys() for value in values):
        _check_characters(path, values)
        for value in values:
            name, topics = _parse_account(path, value)
            account_topics = contents.accounts.setdefault(name, [])
            account_topics[:] = dict.fromkeys([*account_topics, *topics])
    elif labels and all(
        isinstance(label, dict) and label.keys() >= _LABEL_KEYS for label in labels
    ):
        _check_characters(path, values)
        contents.scale = _derive_scale(labels) or contents.scale
    else:
        return False
    return True


def _check_characters(path: Path, values: Sequence[Any]) -> None:
    """Raise FormatError if a text contains half of a surrogate pair, which cannot be stored."""
    text = json.dumps(values, ensure_ascii=False)
    if replace_surrogates(text) != text:
        raise FormatError(path, Message("a text contains half of a surrogate pair"))


_LABEL_KEYS = {"text", "backgroundColor"}


def _read_json_values(file: InputFile) -> list[Any]:
    """Return the JSON value of a file, or the value of each line; empty for other files."""
    try:
        entry = file.text(ReaderWarnings())
        if not entry.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
            return []
        text = decode_text(read_limited(entry.stream, file.path, MAX_SPECIAL_BYTES), file.path)
    except FormatError:
        return []  # not a special file; the import reports the error if the file is damaged
    try:
        return [json.loads(text)]
    except (ValueError, RecursionError):
        pass
    try:
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    except (ValueError, RecursionError):
        return []


def _is_pool(value: Mapping[str, Any]) -> bool:
    return bool(value) and all(
        isinstance(documents, list) and all(isinstance(document, str) for document in documents)
        for documents in value.values()
    )


def _parse_account(path: Path, value: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the name and the topic ids in an entry of an accounts file."""
    name, topics = value["account"], value["topics"]
    if (
        not isinstance(name, str)
        or not name.strip()
        or not isinstance(topics, list)
        or not all(isinstance(topic, str | int) for topic in topics)
    ):
        raise FormatError(
            path,
            Message(
                'an account is {value!r:.60}; expected {{"account": NAME, "topics": [IDS]}}',
                key="not-an-account",
                value=dict(value),
            ),
        )
    return name.strip(), [str(topic) for topic in topics]


def _derive_scale(labels: Sequence[Mapping[str, Any]]) -> Scale | None:
    """Return the scale defined by labels such as `Related (1)`.

    Return None if fewer than two labels have a grade of at least 0.
    """
    label_of_grade = {}
    for label in labels:
        match = GRADED_LABEL.fullmatch(label["text"]) if isinstance(label["text"], str) else None
        if match and int(match[2]) >= 0:
            label_of_grade[int(match[2])] = match[1].strip()
    try:
        return Scale(
            "labels", tuple(Grade(value, label) for value, label in sorted(label_of_grade.items()))
        )
    except IrjudgeError:
        return None


@dataclass(frozen=True, slots=True)
class ClassReport:
    """Report on the creation of a class project: import, and assignments to accounts.

    `assignment_report` is empty unless the class has both accounts and a pool.
    """

    import_report: ImportReport
    assignment_report: AssignmentReport


def create_class_project(
    path: Path,
    folder: Path,
    *,
    scale: Scale | None = None,
    owner: str = OWNER_KEY,
    assignments: Path | None = None,
    progress: Progress = SILENT,
) -> ClassReport:
    """Create a project from a class folder, with its pool and an assignment for each account.

    The assignment files are written to the folder `assignments`; by default, this folder is next to
    the project. After an error, no project is left.
    """
    contents = read_class_folder(folder, progress)
    return create_project_of_class(
        path,
        contents,
        contents.sources,
        scale=scale or contents.scale or Scale.parse("0-3"),
        title=folder.name,
        owner=owner,
        assignments=assignments,
        progress=progress,
    )


def assignments_folder(path: Path) -> Path:
    """Return the default folder for the assignment files of a class, next to the project."""
    return path.with_name(f"{path.stem}-assignments")


def create_project_of_class(
    path: Path,
    contents: ClassFolder,
    sources: Sources,
    *,
    scale: Scale,
    title: str = "",
    owner: str = OWNER_KEY,
    assignments: Path | None = None,
    off_scale: bool = True,
    progress: Progress = SILENT,
) -> ClassReport:
    """Create a project from sources, with the pool and the accounts of a class folder.

    Each account gets an assignment. Its file is written to the folder `assignments`; by default,
    the folder is next to the project.
    """
    target = assignments or assignments_folder(path)
    with create_project(path, scale=scale, title=title, owner=owner) as project:
        report = import_sources(project, sources, progress, off_scale=off_scale)
        if contents.unrecognised_files:
            report.warnings.append(
                Message(
                    "Skipped files that contain neither documents, topics, runs nor judgments: "
                    "{files}.",
                    key="left-out",
                    files=", ".join(file.name for file in contents.unrecognised_files),
                )
            )
        assignment_report = AssignmentReport()
        if contents.pool:
            _check_topics(path, project, contents)
            project.rankings.add_pool(make_listed_pool(contents.pool))
            report.sentences.append(
                Message(
                    "Pooled documents: {documents:,}; topics: {topics:,}.",
                    documents=contents.pool_size,
                    topics=len(contents.pool),
                )
            )
        if contents.accounts and contents.pool:
            assignment_report = _assign_accounts(project, contents, target, progress)
            report.sentences.append(
                Message(
                    "Assignment files created in {folder}: {count:,}.",
                    count=len(assignment_report.files),
                    folder=target.name,
                )
            )
    report.warnings += _warn_of_idle_accounts(contents, assignment_report)
    return ClassReport(report, assignment_report)


def _warn_of_idle_accounts(
    contents: ClassFolder, assignment_report: AssignmentReport
) -> list[Message]:
    assigned_names = {file.assessor for file in assignment_report.files}
    idle_names = [name for name in contents.accounts if name not in assigned_names]
    if not idle_names:
        return []
    return [
        Message(
            "Accounts without an assignment file, because no pooled document of their topics has "
            "a text: {accounts}.",
            key="idle-accounts",
            accounts=", ".join(idle_names),
        )
    ]


def _check_topics(path: Path, project: Project, contents: ClassFolder) -> None:
    """Raise an error if a topic of the pool or of an account is not in the project."""
    topic_ids = {*project.collection.topic_titles()}
    topics_and_sources = [(topic, Message("the pool")) for topic in contents.pool] + [
        (topic, Message("account {account}", account=account))
        for account, topics in contents.accounts.items()
        for topic in topics
    ]
    for topic, source in topics_and_sources:
        if topic not in topic_ids:
            raise FormatError(
                path,
                Message(
                    "{source} refers to topic {topic}, which is not in any topic file",
                    key="unknown-topic",
                    source=source,
                    topic=topic[:60],
                ),
            )


def _assign_accounts(
    project: Project, contents: ClassFolder, folder: Path, progress: Progress
) -> AssignmentReport:
    """Assign to each account the pooled documents of its topics.

    Each account has its own random order. IrjudgeError is raised if an account has an invalid name
    or the name of the owner.
    """
    accounts = [Candidate(account) for account in contents.accounts]
    resolve_assessors(project, check_candidates(accounts, Message("The list of accounts")))
    documents = [document for documents in contents.pool.values() for document in documents]
    textless_documents = {*project.collection.without_text(documents)}
    seed = default_round_seed(project, 1)
    draw = HashOrder(seed)
    shares = {
        account: [
            (AssignedItem(topic, ((document,),)), OrganiserNote())
            for topic in topics
            for document in draw.shuffle(
                [
                    document
                    for document in dict.fromkeys(contents.pool.get(topic, ()))
                    if document not in textless_documents
                ],
                "order",
                account,
                topic,
            )
        ]
        for account, topics in contents.accounts.items()
    }
    shares = {account: items for account, items in shares.items() if items}
    if not shares:
        return AssignmentReport()
    written_files = write_round(
        project, AssignmentRound(shares, seed, {"mode": "grade"}), folder, progress
    )
    if not textless_documents:
        return written_files
    warning = Message(
        "Pooled documents that are not assigned because they have no text: {count:,}.",
        key="without-text",
        count=len(textless_documents),
    )
    return replace(written_files, warnings=(*written_files.warnings, warning))
