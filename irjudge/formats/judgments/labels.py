"""Readers of label files of assessors and models."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from irjudge.errors import FormatError
from irjudge.formats.bytes import InputFile, iter_nonblank_lines, open_input
from irjudge.formats.judgments.crowd_platforms import read_crowd_table
from irjudge.formats.judgments.ratings import RatingsFile, read_ratings
from irjudge.formats.rankings import (
    NO_RULES,
    GradeRules,
    convert_label,
    fold_word,
    format_rating,
    is_rating,
    is_word,
    make_unknown_words_error,
    read_qrels,
    resolve_grades,
    to_grade_column,
)
from irjudge.formats.reader_warnings import ReaderWarnings, WarningKind
from irjudge.formats.rows import (
    AS_RECOGNISED,
    DOCUMENT,
    GRADE,
    JSON,
    TOPIC,
    ColumnKind,
    ColumnMapping,
    ReadTable,
    Record,
    describe_columns,
    detect_table_format,
    is_integer,
    iter_json_lines,
    parse_columns,
    parse_id,
    read_table,
    to_storable,
    unescape_table,
)
from irjudge.message import Message
from irjudge.model import (
    UNJUDGEABLE,
    UNJUDGED,
    Labels,
    NameCoder,
    infer_scale,
    merge_subtopic_grades,
)
from irjudge.progress import SILENT, Progress

# Label files: tables with an item, a worker and a label in each row

ITEM = ColumnKind(
    "item",
    tuple("item item_id itemid task task_id unit unit_id example example_id hit_id id".split()),
    needed=False,
    suggested=True,
)
TOPIC_OF_ITEM = ColumnKind("topic", TOPIC.column_names, needed=False)
DOCUMENT_OF_ITEM = ColumnKind("document", DOCUMENT.column_names, needed=False)
WORKER = ColumnKind(
    "worker",
    tuple(
        "worker worker_id workerid assessor judge annotator rater observer performer user"
        " username user_id userid user_name annotator_id annotated_by assessor_id rater_id judge_id"
        " labeler labeller labeled_by labelled_by participant_id".split()
    ),
)
LABEL = ColumnKind(
    "label",
    tuple(
        "label grade answer response relevance rel relevancy relevance_label rating judgment judgement".split()
    ),
)
GOLD = ColumnKind("gold", tuple("gold gold_label truth".split()), needed=False)
SECONDS = ColumnKind(
    "seconds", tuple("seconds work_time worktimeinseconds duration".split()), needed=False
)
PARTS = (ITEM, TOPIC_OF_ITEM, DOCUMENT_OF_ITEM, WORKER, LABEL, GOLD, SECONDS)
GOLD_PARTS = (
    ITEM,
    TOPIC_OF_ITEM,
    DOCUMENT_OF_ITEM,
    ColumnKind("gold", (*GOLD.column_names, *LABEL.column_names)),
)
# accepted names of the parts of a label file, including those used for qrels
PART_BY_NAME = {
    **{part.name: part.name for part in PARTS},
    "assessor": "worker",
    "grade": "label",
    "truth": "gold",
}
UNJUDGEABLE_LABELS = frozenset({"unjudgeable", "unjudgable"})
GoldLabels = Mapping[str, str] | Mapping[tuple[str, str], str]

NO_LABEL = WarningKind(
    "Skipped 1 row without a label: {first}.",
    "Skipped {count} rows without a label. First: {first}.",
    key="no-label",
)
NOT_JUDGED = WarningKind(
    "Skipped 1 row with label -1 (unjudged): {first}.",
    "Skipped {count} rows with label -1 (unjudged). First: {first}.",
    key="not-judged",
)


def parse_label_columns(text: str) -> ColumnMapping:
    """Return the column mapping in a text such as `item=Input.id,worker=WorkerId,label=Answer`.

    `assessor`, `grade` and `truth` are accepted for `worker`, `label` and `gold`.

    >>> parse_label_columns("item=HIT,assessor=WorkerId").named
    (('item', 'HIT'), ('worker', 'WorkerId'))
    """
    return ColumnMapping(
        tuple(
            (PART_BY_NAME[part], column)
            for part, column in parse_columns(text, tuple(PART_BY_NAME)).named
        )
    )


def read_labels(
    path: Path,
    *,
    columns: ColumnMapping = AS_RECOGNISED,
    encoding: str | None = None,
    rules: GradeRules | None = None,
    progress: Progress = SILENT,
) -> Labels:
    """Read a label file; `rules` convert its labels to grades."""
    warnings = ReaderWarnings()
    table = read_crowd_table(path, PARTS, warnings, columns=columns, encoding=encoding)
    table.report_ignored_ids(warnings)
    table.report_other_columns(LABEL, warnings)
    rows = _LabelRows(
        path, _find_item_parts(table, ("item", "worker", "label")), warnings, rules or NO_RULES
    )
    for line, fields in progress.track(
        table.records(), Message("Reading {file}", file=path.name), every=4096
    ):
        rows.add(line, fields)
    return rows.labels()


def read_gold_labels(
    path: Path,
    *,
    columns: ColumnMapping = AS_RECOGNISED,
    encoding: str | None = None,
    rules: GradeRules = NO_RULES,
) -> GoldLabels:
    """Read a table of gold labels, or TREC qrels as gold labels.

    The columns of a table are `item` (or `topic` and `document`), and `truth`, `gold`, `label` or
    `grade`. `rules` convert the labels to grades.
    """
    try:
        table = unescape_table(
            read_table(
                path,
                GOLD_PARTS,
                ReaderWarnings(),
                columns=columns,
                encoding=encoding,
            ),
            ReaderWarnings(),
        )
    except FormatError as error:
        return _read_gold_qrels(path, encoding, rules, error)
    parts = _find_item_parts(table, ("item", "gold"))
    gold_labels: dict[tuple[str, ...], str] = {}
    for line, fields in table.records():
        item = _require_cells(path, line, fields, parts)
        gold = _parse_gold(path, line, fields["gold"], rules, is_pair=parts == PAIR_PARTS)
        _add_gold(path, line, gold_labels, item, gold)
    if parts == TOPIC_AND_ITEM and len({item[1] for item in gold_labels}) == len(gold_labels):
        parts, gold_labels = ITEM_PARTS, {item[1:]: gold for item, gold in gold_labels.items()}
    return _index_gold_labels(gold_labels, parts)


def _read_gold_qrels(
    path: Path, encoding: str | None, rules: GradeRules, error: FormatError
) -> GoldLabels:
    """Return the grades in a file of qrels as gold labels.

    If the file is not qrels, `error` is raised, which is the error of the reader of tables. If the
    grades are unknown words, the error of the reader of qrels is raised.
    """
    try:
        qrels = read_qrels(path, grades=None if rules == NO_RULES else rules, encoding=encoding)
    except FormatError as problem:
        raise (problem if problem.key == "words" else error) from None
    grades = merge_subtopic_grades(row for row in qrels.rows() if row[2] >= 0)
    return {pair: str(grade) for pair, grade in grades.items()}


@dataclass(slots=True)
class _LabelRows:
    """Accumulator that stores the rows of a label file as codes of items, workers and labels."""

    path: Path
    parts: tuple[str, ...]
    warnings: ReaderWarnings
    rules: GradeRules
    items: NameCoder = field(default_factory=NameCoder)
    workers: NameCoder = field(default_factory=NameCoder)
    words: NameCoder = field(default_factory=NameCoder)
    item: list[int] = field(default_factory=list)
    worker: list[int] = field(default_factory=list)
    label: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    gold: dict[tuple[str, ...], str] = field(default_factory=dict)

    def add(self, line: int, fields: Mapping[str, str]) -> None:
        """Store the gold label and the label of a row; warn if the row has no label."""
        item_cells = _require_cells(self.path, line, fields, self.parts)
        label_word, is_pair = fields["label"], self.parts == PAIR_PARTS
        gold = _parse_gold(self.path, line, fields.get("gold", ""), self.rules, is_pair=is_pair)
        _add_gold(self.path, line, self.gold, item_cells, gold)
        if not label_word or (is_pair and _is_grade(label_word, UNJUDGED)):
            self.warnings.add(
                NOT_JUDGED if label_word else NO_LABEL, Message("line {line}", line=line)
            )
            return
        if not fields["worker"]:
            raise FormatError(
                self.path, Message("the worker field is empty", key="empty-cell"), line
            )
        is_refused = label_word.lower() in UNJUDGEABLE_LABELS or (
            is_pair and _is_grade(label_word, UNJUDGEABLE)
        )
        original_word = label_word
        label_word = (
            label_word if is_refused else convert_label(self.path, line, label_word, self.rules)
        )
        is_refused = is_refused or (label_word != original_word and label_word == str(UNJUDGEABLE))
        if label_word != original_word and label_word == str(UNJUDGED):
            self.warnings.add(NOT_JUDGED, Message("line {line}", line=line))
            return
        self.item.append(self.items("\t".join(item_cells)))
        self.worker.append(self.workers(fields["worker"]))
        self.label.append(UNJUDGEABLE if is_refused else self.words(label_word))
        if "seconds" in fields:
            self.seconds.append(parse_seconds(self.path, line, fields["seconds"]))

    def _drop_redundant_topics(self) -> None:
        """Identify items by the item column alone if no item occurs with two topics."""
        names = [name.partition("\t")[2] for name in self.items.names]
        if self.parts == TOPIC_AND_ITEM and len({*names}) == len(names):
            self.parts, self.items = ITEM_PARTS, NameCoder()
            for name in names:
                self.items(name)
            self.gold = {item[1:]: answer for item, answer in self.gold.items()}

    def labels(self) -> Labels:
        """Return all labels, with a scale inferred from the labels that occur."""
        if not self.label:
            raise FormatError(
                self.path,
                Message("the file has no labels; expected rows below the header", key="no-label"),
            )
        if not self.words.names:
            raise FormatError(
                self.path,
                Message(
                    "all labels mean that the document is unjudgeable; expected a grade",
                    key="no-grade",
                ),
            )
        self._drop_redundant_topics()
        names = [tuple(name.split("\t")) for name in self.items.names]
        labels = Labels(
            items=tuple(map(" ".join, names)),
            workers=self.workers.names,
            scale=self.words.names,
            values=None,
            item=np.array(self.item, dtype=np.int32),
            worker=np.array(self.worker, dtype=np.int32),
            label=np.array(self.label, dtype=np.int32),
            pairs=tuple((topic, document) for topic, document in names)
            if len(self.parts) > 1
            else None,
            seconds=np.array(self.seconds) if self.seconds else None,
            warnings=self.warnings.format_for(self.path.name),
        ).with_scale(infer_scale([*self.words.names, *self.gold.values()]))
        return labels.with_gold(_index_gold_labels(self.gold, self.parts)) if self.gold else labels


def _parse_gold(path: Path, line: int, text: str, rules: GradeRules, *, is_pair: bool) -> str:
    """Return a gold label; empty if the cell is empty, unjudged or unjudgeable."""
    if not text or text.lower() in UNJUDGEABLE_LABELS:
        return ""
    if is_pair and (_is_grade(text, UNJUDGED) or _is_grade(text, UNJUDGEABLE)):
        return ""
    return convert_label(path, line, text, rules)


def _is_grade(text: str, grade: int) -> bool:
    """Return whether a label is a grade; a program may have written -1 as `-1.0`."""
    return is_integer(text) and float(text) == grade


PAIR_PARTS, TOPIC_AND_ITEM, ITEM_PARTS = ("topic", "document"), ("topic", "item"), ("item",)


def _find_item_parts(table: ReadTable, required_parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the parts that identify an item.

    They are topic and document, or else topic and item, or the item alone.
    """
    if {*PAIR_PARTS} <= set(table.index_of_part):
        return PAIR_PARTS
    if "item" not in table.index_of_part:
        raise FormatError(
            table.path,
            Message(
                "the header has neither the column item nor the columns topic and document; "
                "{columns}",
                key="no-column",
                columns=describe_columns(
                    table.candidates(), required_parts, known_columns=table.columns()
                ),
            ),
            1,
        )
    return TOPIC_AND_ITEM if "topic" in table.index_of_part else ITEM_PARTS


def _index_gold_labels(
    gold_labels: Mapping[tuple[str, ...], str], parts: tuple[str, ...]
) -> GoldLabels:
    """Return the gold label of each item; the keys are topic and document if items are pairs."""
    if len(parts) > 1:
        return {(item[0], item[1]): answer for item, answer in gold_labels.items()}
    return {item[0]: answer for item, answer in gold_labels.items()}


def _require_cells(
    path: Path, line: int, fields: Mapping[str, str], parts: tuple[str, ...]
) -> tuple[str, ...]:
    for part in parts:
        if not fields[part] and not (part == "topic" and parts == TOPIC_AND_ITEM):
            raise FormatError(
                path, Message("the {part} is empty", key="empty-cell", part=part), line
            )
    return tuple(fields[part].replace("\t", " ") for part in parts)


def _add_gold(
    path: Path,
    line: int,
    gold_labels: dict[tuple[str, ...], str],
    item: tuple[str, ...],
    answer: str,
) -> None:
    """Store the gold label of an item; raise FormatError if the item has a different gold label."""
    if answer and gold_labels.setdefault(item, answer) != answer:
        raise FormatError(
            path,
            Message(
                "the gold label of {item} is {grade!r}, but {previous!r} in an earlier row",
                key="two-known-answers",
                item=" ".join(item),
                grade=answer,
                previous=gold_labels[item],
            ),
            line,
        )


def parse_seconds(path: Path, line: int, cell: str) -> float:
    """Return the seconds in a cell; NaN for an empty cell."""
    try:
        seconds = float(cell or "nan")
    except ValueError:
        seconds = -1.0
    if seconds < 0 or seconds == float("inf"):
        raise FormatError(
            path, Message("{cell!r} is not a time in seconds", key="not-a-time", cell=cell), line
        )
    return seconds


# Labels by a model: qrels, tables with probabilities, and JSON lines of labelling programs

MAX_UNKNOWN_WORDS = 100
MAX_PROBABILITY_COLUMNS = 20  # maximum number of columns `probability_0` and so on
PROBABILITY_COLUMNS = tuple(
    ColumnKind(name, (name,), needed=False)
    for name in (f"probability_{grade}" for grade in range(MAX_PROBABILITY_COLUMNS))
)
MODEL_LABEL_COLUMNS = (
    ColumnKind("topic", (*TOPIC.column_names, "qidx")),
    ColumnKind("document", (*DOCUMENT.column_names, "docidx", "passage_id")),
    ColumnKind(
        "grade", tuple(dict.fromkeys((*LABEL.column_names, *GRADE.column_names))), needed=False
    ),
    *PROBABILITY_COLUMNS,
)
TOPIC_FIELDS, DOCUMENT_FIELDS = (
    MODEL_LABEL_COLUMNS[0].column_names,
    MODEL_LABEL_COLUMNS[1].column_names,
)
GRADE_FIELDS = ("judgment", *MODEL_LABEL_COLUMNS[2].column_names)
ANSWER_FIELDS = ("prediction", "answer", "response", "raw")
VERSION_FIELDS = ("model", "model_version")
FAILED_STATUSES = frozenset({"0", "false", "no", "failed", "error"})
MAX_SUM_DEVIATION = 0.02  # maximum difference between 1 and the sum of rounded probabilities
QRELS_WIDTH = 4  # number of columns of a qrels line
MAX_GRADE_CHARACTERS = 12  # maximum characters of a grade

NO_GRADE = WarningKind(
    "1 line has no valid grade and is treated as unjudged, not as 0: {first}.",
    "{count} lines have no valid grade and are treated as unjudged, not as 0. First: {first}.",
    key="no-grade",
)
REPEATED_PAIR = WarningKind(
    "1 topic–document pair was answered more than once; the last answer with a valid grade is "
    "used: {first}.",
    "{count} topic–document pairs were answered more than once; for each pair, the last answer "
    "with a valid grade is used. First: {first}.",
    key="answered-again",
)


@dataclass(frozen=True, slots=True)
class ModelLabel:
    """Label that a model assigned to one topic and document, with the model's response if stored.

    It is read from a file of labels or of stored answers, to import it as a judgment of the model
    or to compare it with other judgments. A file may have several labels of a pair.
    """

    line: int  # line in the file or, in a file of ratings, number of the rating
    # topic id or, in a file of ratings, text of the query; empty if a file in JSON lines contains
    # only the text of the topic or of the document
    topic: str
    document: str  # document id; empty if `topic` is empty
    grade: int | None  # grade; None if the response contains no valid grade
    missing_reason: str = ""  # reason why there is no grade; empty if there is a grade
    # probabilities of grades 0, 1, 2 …; empty if the file contains none
    probabilities: tuple[float, ...] = ()
    answer: str = ""  # text of the model's response; empty if the file has only labels
    version: str = ""  # model version according to the file
    query: str = ""  # text of the topic, which identifies a topic without an id
    passage: str = ""  # text of the document, which identifies a document without an id

    @property
    def pair(self) -> tuple[str, str]:
        """Topic and document."""
        return self.topic, self.document


@dataclass(frozen=True, slots=True)
class ModelLabelFile:
    """Content of a file of labels by a model: the labels in file order, and warnings."""

    labels: tuple[ModelLabel, ...]
    warnings: tuple[str, ...]

    def last(self) -> dict[tuple[str, str], int]:
        """Return the last valid grade of each topic and document."""
        return {label.pair: label.grade for label in self.labels if label.grade is not None}


def read_model_labels(
    path: Path,
    scale: Collection[int] | None = None,
    *,
    columns: ColumnMapping = AS_RECOGNISED,
    encoding: str | None = None,
    rules: GradeRules | None = None,
    needs_ids: bool = False,
) -> ModelLabelFile:
    """Read a file of labels by a model.

    Formats: `topic 0 document grade`, as in qrels, LLMJudge and AutoJudge; a table with `grade` or
    with `probability_0`, `probability_1` …, from which the most likely grade is used (the lower
    grade in a tie); JSON lines with a `judgment`, as umbrela writes them; or OpenSearch's LLM
    judgments. A label without a valid grade has the grade None and a reason: the grade is not an
    integer, is not on the scale, or replaces an answer that umbrela could not parse
    (`result_status` 0). If `scale` is None, any grade of 0 or more is valid. `encoding` is the
    encoding of a text table; if it is None, the encoding is detected. `rules` convert words and
    ratings to grades.

    Raises Undecided if all labels are words and the rules do not contain them, and FormatError if
    `needs_ids` and a label has the texts of a topic and a document instead of their ids.
    """
    grades = _GradeParser(path, rules or NO_RULES)
    warnings = ReaderWarnings()
    rated_labels = read_llm_judgments(path)
    if rated_labels is not None:
        labels = list(_iter_rating_labels(path, rated_labels, rules or NO_RULES))
    else:
        with open_input(path) as file:
            labels = list(_iter_labels(file, columns, encoding, grades, warnings))
    labels = [_check_on_scale(label, scale) for label in labels]
    if grades.unknown and not grades.parsed_count:
        raise make_unknown_words_error(path, list(grades.unknown))
    if not labels:
        raise FormatError(
            path,
            Message("the file contains no labels; expected lines of topic, 0, document and grade"),
        )
    for label in labels:
        if needs_ids and not label.document:
            raise FormatError(
                path,
                Message(
                    "the label has the texts of a topic and a document, but not their ids; "
                    "irjudge import --judgments finds the ids of texts in a project",
                    key="label-without-ids",
                ),
                label.line,
            )
        if label.grade is None:
            warnings.add(
                NO_GRADE,
                Message("line {line} ({reason})", line=label.line, reason=label.missing_reason),
            )
    for pair, count in Counter(label.pair for label in labels if label.topic).items():
        if count > 1:
            warnings.add(
                REPEATED_PAIR,
                Message(
                    "{topic} {document} ({times:,} answers)",
                    topic=pair[0],
                    document=pair[1],
                    times=count,
                ),
            )
    return ModelLabelFile(tuple(labels), warnings.format_for(path.name))


def read_llm_judgments(path: Path) -> RatingsFile | None:
    """Return the ratings in a file of LLM judgments by OpenSearch; None for other files."""
    with path.open("rb") as file:
        if not file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
            return None
    try:
        ratings_file = read_ratings(path)
    except FormatError:
        return None
    return ratings_file if ratings_file and ratings_file.model else None


def _iter_rating_labels(path: Path, file: RatingsFile, rules: GradeRules) -> Iterator[ModelLabel]:
    """Yield the ratings as labels by a model; the topic of a label is the text of its query."""
    rated_values = [rating.value for rating in file.ratings if rating.value is not None]
    labels = list(dict.fromkeys(rating.word for rating in file.ratings if rating.word))
    grade_of_label = dict(zip(labels, resolve_grades(path, labels, rules).tolist(), strict=True))
    if rules.is_numeric:
        values = rules.cut(np.maximum(np.array(rated_values, dtype=np.float64), 0)).tolist()
    elif rules.numbers is not None:
        values = resolve_grades(
            path, [format_rating(value) for value in rated_values], rules
        ).tolist()
    else:
        values = to_grade_column(path, rated_values, None)[0].tolist()
    grades = dict(zip(rated_values, values, strict=True))
    for number, file_rating in enumerate(file.ratings, 1):
        grade = (
            grade_of_label[file_rating.word]
            if file_rating.word
            else None
            if file_rating.value is None
            else grades[file_rating.value]
        )
        reason = "" if grade is not None else file_rating.note or Message("no grade")
        query = file.queries[file_rating.topic].text
        yield ModelLabel(number, query, file_rating.document, grade, reason, query=query)


def is_model_label_file(path: Path) -> bool:
    """Return whether a file has labels by one unnamed model, in plain lines or JSON lines."""
    return detect_table_format(path, MODEL_LABEL_COLUMNS) in ("", JSON)


def _iter_labels(
    file: InputFile,
    columns: ColumnMapping,
    encoding: str | None,
    grades: "_GradeParser",
    warnings: ReaderWarnings,
) -> Iterator[ModelLabel]:
    format_name = detect_table_format(file, MODEL_LABEL_COLUMNS, encoding=encoding)
    if format_name == JSON:
        return (
            _make_label(record, grades, warnings)
            for record in iter_json_lines(file.text(warnings, encoding=encoding))
        )
    if format_name:
        return _iter_table_labels(file, columns, encoding, grades, warnings)
    return _iter_line_labels(file, grades, warnings)


def _check_on_scale(label: ModelLabel, scale: Collection[int] | None) -> ModelLabel:
    if label.grade is None or (label.grade in scale if scale is not None else label.grade >= 0):
        return label
    return replace(
        label,
        grade=None,
        missing_reason=Message(
            "grade {grade} is not on the scale {scale}",
            grade=label.grade,
            scale=", ".join(map(str, sorted(scale))) if scale is not None else Message("0 or more"),
        ),
    )


# Labels by a model in plain lines


def _iter_line_labels(
    file: InputFile, grades: "_GradeParser", warnings: ReaderWarnings
) -> Iterator[ModelLabel]:
    entry = file.text(warnings)
    for number, line in iter_nonblank_lines(entry.stream, entry.where):
        parts = line.split()
        if parts[0].startswith("#"):
            continue
        if len(parts) != QRELS_WIDTH:
            raise FormatError(
                file.path,
                Message(
                    "number of columns: {count}; expected 4: topic, 0, document and grade",
                    count=len(parts),
                ),
                number,
            )
        topic, document = (
            parse_id(parts[column], file.path, number, warnings) for column in (0, 2)
        )
        yield ModelLabel(number, topic, document, *grades.parse(parts[3], number))


@dataclass(slots=True)
class _GradeParser:
    """Parser of the grades in a file; it collects the words for which the rules have no grade."""

    path: Path
    rules: GradeRules
    parsed_count: int = 0
    unknown: dict[str, None] = field(default_factory=dict)

    def parse(self, text: str, line: int) -> tuple[int | None, str]:
        """Return the grade in a text and "", or None and the reason why there is no grade."""
        word = text.strip()
        if not word:
            return None, Message("no grade")
        if is_rating(word) or fold_word(word) in self.rules.words:
            text = convert_label(self.path, line, word, self.rules)
            if is_integer(text) and len(text) <= MAX_GRADE_CHARACTERS:
                self.parsed_count += 1
                return int(float(text)), ""
        elif is_word(word) and len(self.unknown) < MAX_UNKNOWN_WORDS:
            self.unknown[word] = None
        return None, Message("{text!r} is not a whole number", text=word[:MAX_GRADE_CHARACTERS])


# Labels by a model in tables


def _iter_table_labels(
    file: InputFile,
    columns: ColumnMapping,
    encoding: str | None,
    grades: _GradeParser,
    warnings: ReaderWarnings,
) -> Iterator[ModelLabel]:
    table = unescape_table(
        read_table(file, MODEL_LABEL_COLUMNS, warnings, columns=columns, encoding=encoding),
        warnings,
    )
    names = [part.name for part in PROBABILITY_COLUMNS if part.name in table.index_of_part]
    if not names and "grade" not in table.index_of_part:
        raise FormatError(
            table.path,
            Message("the header has neither grade nor probability_0, probability_1, …"),
            1,
        )
    table.report_unread(warnings)
    for line, fields in table.records():
        topic, document = (
            parse_id(fields[part], table.path, line, warnings) for part in ("topic", "document")
        )
        probabilities, reason = _parse_probabilities([fields[name] for name in names])
        grade = None
        if fields.get("grade") or not names:
            grade, reason = grades.parse(fields.get("grade", ""), line)
        elif probabilities:
            grade = max(range(len(probabilities)), key=probabilities.__getitem__)
        yield ModelLabel(line, topic, document, grade, reason, probabilities)


def _parse_probabilities(texts: list[str]) -> tuple[tuple[float, ...], str]:
    """Return the probabilities of the grades and "", or () and the reason why they are invalid."""
    try:
        values = tuple(float(text) for text in texts)
    except ValueError:
        return (), Message("a probability is not a number")
    if not all(0 <= value <= 1 for value in values) or (
        values and abs(math.fsum(values) - 1) > MAX_SUM_DEVIATION
    ):
        return (), Message("the probabilities do not add up to 1")
    return values, ""


# Labels by a model in JSON lines


def _make_label(record: Record, grades: _GradeParser, warnings: ReaderWarnings) -> ModelLabel:
    fields = record.fields
    query, passage = (
        _read_inner_text(fields.get(name), "text", "segment", "contents")
        for name in ("query", "passage")
    )
    topic = _find_first_text(fields, TOPIC_FIELDS, excluded_name="query") or _read_inner_text(
        fields.get("query"), "qid", "id", allow_value=False
    )
    document = _find_first_text(fields, DOCUMENT_FIELDS) or _read_inner_text(
        fields.get("passage"), "docid", "id", allow_value=False
    )
    if not (topic and document) and not (query and passage):
        raise FormatError(
            record.where,
            Message(
                "the record does not name a topic and a document; expected qid and docid, or "
                "query and passage"
            ),
            record.line,
        )
    location = f"{record.where.name}, line {record.line}"
    grade, reason = grades.parse(_find_first_text(fields, GRADE_FIELDS), record.line)
    if _to_text(fields.get("result_status", "1")).casefold() in FAILED_STATUSES:
        grade, reason = (
            None,
            Message("the answer could not be parsed, according to the field result_status"),
        )
    if topic and document:
        topic, document = (
            parse_id(id, record.where, record.line, warnings) for id in (topic, document)
        )
    else:
        topic = document = ""
    answer, version, query, passage = (
        to_storable(text, location, warnings)
        for text in (
            _find_first_text(fields, ANSWER_FIELDS),
            _find_first_text(fields, VERSION_FIELDS),
            query,
            passage,
        )
    )
    return ModelLabel(
        record.line, topic, document, grade, reason, (), answer, version, query, passage
    )


def _to_text(value: object) -> str:
    return (
        value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else ""
    )


def _find_first_text(
    fields: Mapping[str, object], names: Collection[str], *, excluded_name: str = ""
) -> str:
    """Return the text of the first non-empty field in the order of `names`, or an empty text."""
    return next(
        (text for name in names if name != excluded_name and (text := _to_text(fields.get(name)))),
        "",
    )


def _read_inner_text(value: object, *names: str, allow_value: bool = True) -> str:
    """Return a value as text; for an object, its first non-empty member in `names`.

    If `allow_value` is False, the result for a value other than an object is empty.
    """
    if isinstance(value, Mapping):
        return _find_first_text(value, names)
    return _to_text(value) if allow_value else ""


# Names of models


MODEL_NAME = re.compile(
    r"(?:^|[^a-z])(?:gpt|chatgpt|claude|gemini|gemma|llama|qwen|mistral|mixtral|deepseek|umbrela|llm)",
    re.IGNORECASE,
)


def looks_like_model(name: str) -> bool:
    """Return whether an assessor's name looks like that of a model; the user must confirm it.

    >>> [name for name in ("ann", "gpt-4o", "my_llm", "Galliano") if looks_like_model(name)]
    ['gpt-4o', 'my_llm']
    """
    return MODEL_NAME.search(name) is not None
