"""Projects for judging answers of several systems: citations, nuggets or whole answers.

Each item to judge is stored as a document of the project, so that it can be assigned, judged,
merged and evaluated like a document. The system of an answer is stored only in the project, never
in data that are shown or assigned.
"""

import hashlib
import html
import json
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.judging.judged_qrels import QrelsChoice, list_qrels_choices, read_project_qrels
from irjudge.message import Message
from irjudge.model import (
    CITATION_SUPPORT,
    FIXED_ORDER,
    NUGGET_IMPORTANCE,
    NUGGET_SUPPORT,
    CitedAnswer,
    Document,
    Nugget,
    Pool,
    Run,
    Scale,
    Topic,
    UnsampledDocuments,
    make_run,
    row_offsets,
    to_arrow_strings,
)
from irjudge.store import INSTRUCTIONS, OWNER_KEY, Project, create_project
from irjudge.text import title_and_body

Row: TypeAlias = dict[str, Any]
# Columns of the tables that `build_answer_table` returns
CITATION_COLUMNS = ("run", "topic", "sentence", "citation", "support")
NUGGET_COLUMNS = ("run", "topic", "nugget", "importance", "support")
IMPORTANCE_COLUMNS = ("topic", "nugget", "importance")
WHOLE_COLUMNS = ("run", "topic", "answer", "grade")
SUPPORT_WORDS = ("none", "partial", "full")
NUGGET_WORDS = ("not_support", "partial_support", "support")
IMPORTANCE_WORDS = ("okay", "vital")
SETTING = "answers"  # key of the setting that stores the systems and citations of the answers
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MAX_SHOWN_CHARACTERS = 50_000_000  # of an answer, in all documents that show it


@dataclass(frozen=True, slots=True)
class AnswerMaterial:
    """Input for making items from answers: cited documents and nuggets.

    An answer is a text that a system generated for a topic. The answers themselves are not
    included.
    """

    passages: Mapping[str, Document] = field(default_factory=dict)  # cited documents, by id
    nuggets: Mapping[str, tuple[Nugget, ...]] = field(default_factory=dict)  # by topic id


@dataclass(frozen=True, slots=True)
class AnswerItem:
    """Item to judge about an answer: a citation, a nugget or the whole answer.

    A project for judging answers is created from the items.
    """

    topic: str
    document: Document  # document made for the item, which shows the answer, citation or nugget
    run: str = ""  # system of the answer; empty if the item is a nugget without an answer
    sentence: int = 0  # number of the citing sentence, from 1; 0 if the item is no citation
    subject: str = ""  # id of the cited document, or text of the nugget; empty for whole answers
    importance: str = ""  # importance of the nugget, if known


@dataclass(frozen=True, slots=True)
class LetteredAnswer:
    """Answer, with the letter that replaces the name of its system for assessors."""

    letter: str  # A to Z, then AA, AB …; unique in the topic
    answer: CitedAnswer

    @property
    def id(self) -> str:
        """Id of the answer, which does not reveal the system."""
        return f"{self.answer.topic}.{self.letter}"


ItemLister = Callable[[Sequence[LetteredAnswer], AnswerMaterial], Iterator[AnswerItem]]


@dataclass(frozen=True, slots=True)
class AnswerTask:
    """Kind of task of judging answers, such as citation support: scale, instructions and items."""

    scale: Scale
    instructions: str  # question to the assessor, in Markdown
    list_items: ItemLister  # yields the items to judge for the answers of one topic
    # name of the command-line option that the task requires: `documents`, `nuggets`, or empty
    required_option: str = ""


def _check_total_size(answer: LetteredAnswer, items: int) -> None:
    """Raise IrjudgeError if the answer, which each of its items shows, is too long for them."""
    characters = sum(len(sentence.text) for sentence in answer.answer.sentences)
    if characters * items > MAX_SHOWN_CHARACTERS:
        raise IrjudgeError(
            "The answer of {run} to topic {topic} has {characters:,} characters, which would be "
            "shown {items:,} times; shorten it.",
            key="long-answer",
            run=answer.answer.run,
            topic=answer.answer.topic,
            characters=characters,
            items=items,
        )


def _list_citations(
    answers: Sequence[LetteredAnswer], material: AnswerMaterial
) -> Iterator[AnswerItem]:
    """Yield an item for each citation whose passage is in `material`.

    The item shows the answer, with the citing sentence in bold, and the passage.
    """
    for answer in answers:
        citations = sum(len(sentence.citations) for sentence in answer.answer.sentences)
        _check_total_size(answer, citations)
        for number, sentence in enumerate(answer.answer.sentences, 1):
            for position, cited_id in enumerate(sentence.citations, 1):
                if passage := material.passages.get(cited_id):
                    title = f"Answer {answer.letter}, sentence {number}, citation {position} of {len(sentence.citations)}"
                    body = (
                        f"{_render_answer(answer.answer, number)}\n<hr>\n{_render_passage(passage)}"
                    )
                    shown_document = Document(
                        f"{answer.id}.{number}.{position}", body.encode(), title, "html"
                    )
                    yield AnswerItem(
                        answer.answer.topic,
                        shown_document,
                        answer.answer.run,
                        number,
                        subject=cited_id,
                    )


def _list_nuggets(
    answers: Sequence[LetteredAnswer], material: AnswerMaterial
) -> Iterator[AnswerItem]:
    """Yield an item for each pair of a nugget and an answer of its topic."""
    for answer in answers:
        nuggets = material.nuggets.get(answer.answer.topic, ())
        _check_total_size(answer, len(nuggets))
        for number, nugget in enumerate(nuggets, 1):
            title = f"Answer {answer.letter}, nugget {number} of {len(nuggets)}"
            body = f"<p><b>{_escape(nugget.text)}</b></p>\n<hr>\n{_render_answer(answer.answer)}"
            shown_document = Document(f"{answer.id}.n{number}", body.encode(), title, "html")
            yield AnswerItem(
                answer.answer.topic,
                shown_document,
                answer.answer.run,
                subject=nugget.text,
                importance=nugget.importance,
            )


def _list_nugget_importance(
    answers: Sequence[LetteredAnswer], material: AnswerMaterial
) -> Iterator[AnswerItem]:
    topic = answers[0].answer.topic
    nuggets = material.nuggets.get(topic, ())
    for number, nugget in enumerate(nuggets, 1):
        shown_document = Document(
            f"{topic}.n{number}",
            f"<p>{_escape(nugget.text)}</p>".encode(),
            f"Nugget {number} of {len(nuggets)}",
            "html",
        )
        yield AnswerItem(topic, shown_document, subject=nugget.text, importance=nugget.importance)


def _list_answers(
    answers: Sequence[LetteredAnswer], _material: AnswerMaterial
) -> Iterator[AnswerItem]:
    for answer in answers:
        yield AnswerItem(
            answer.answer.topic,
            Document(
                answer.id, _render_answer(answer.answer).encode(), f"Answer {answer.letter}", "html"
            ),
            answer.answer.run,
        )


TASKS: dict[str, AnswerTask] = {
    "support": AnswerTask(
        CITATION_SUPPORT,
        "Does the passage below the line support the **sentence in bold**? The rest of the answer is only context.\n",
        _list_citations,
        "documents",
    ),
    "nuggets": AnswerTask(
        NUGGET_SUPPORT,
        "Does the answer below the line state the text **in bold**?\n",
        _list_nuggets,
        "nuggets",
    ),
    "importance": AnswerTask(
        NUGGET_IMPORTANCE,
        "Must a good answer to the topic state this?\n",
        _list_nugget_importance,
        "nuggets",
    ),
    "whole": AnswerTask(
        Scale.parse("0-3"),
        "How well does the answer help someone who asked this?\n",
        _list_answers,
    ),
}


@dataclass(frozen=True, slots=True)
class AnswerReport:
    """Report of `create_answer_project`: numbers of answers, topics and items, and warnings."""

    answers: int
    topics: int
    items: int  # number of items to judge, each of which is a document of the project
    warnings: tuple[str, ...]


def create_answer_project(
    path: Path,
    task: str,
    answers: Sequence[CitedAnswer],
    material: AnswerMaterial,
    *,
    owner: str = OWNER_KEY,
) -> AnswerReport:
    """Create a project in which answers are judged."""
    answer_task = TASKS[task]
    answers_by_topic = _assign_letters(answers)
    items = [
        item
        for lettered_answers in answers_by_topic.values()
        for item in answer_task.list_items(lettered_answers, material)
    ]
    if not items:
        raise IrjudgeError(
            "Nothing to judge: no answer contains anything for --task {task}.",
            key="nothing-to-judge",
            task=task,
        )
    with create_project(path, scale=answer_task.scale, title=path.stem, owner=owner) as project:
        project.set_setting(INSTRUCTIONS, answer_task.instructions)
        project.set_setting(
            SETTING,
            json.dumps(
                {
                    "task": task,
                    "answers": [
                        {
                            "run": answer.run,
                            "topic": answer.topic,
                            "sentences": [sentence.citations for sentence in answer.sentences],
                        }
                        for answer in answers
                    ],
                    "asked": [_to_row(item) for item in items],
                }
            ),
        )
        project.collection.add_topics(
            Topic(topic, _find_question(lettered_answers) or topic)
            for topic, lettered_answers in answers_by_topic.items()
        )
        project.collection.add_documents(item.document for item in items)
        items_by_run: dict[str, list[AnswerItem]] = {}
        for item in items:
            if item.run:
                items_by_run.setdefault(item.run, []).append(item)
        for name, items_of_run in items_by_run.items():
            project.rankings.add_run(_make_item_run(name, items_of_run))
        project.rankings.add_pool(_build_pool(items))
    return AnswerReport(
        len(answers), len(answers_by_topic), len(items), _list_warnings(task, answers, material)
    )


def build_answer_table(
    project: Project, choice: QrelsChoice | None = None
) -> tuple[tuple[str, ...], list[tuple[str | int, ...]]]:
    """Return the column names and the rows of the table of judged answers, in input order.

    A table of citations contains all citations, with empty support if unjudged, and one row for
    each sentence without citations. A table of whole answers contains all answers. Tables of
    nuggets and of their importance omit unjudged rows. `irjudge evaluate` reads tables of citations
    and nuggets as auxiliary files.
    """
    stored_answers = _read_answers(project)
    # if answers were compared instead of graded, the table has their systems but no grades
    was_compared = stored_answers["task"] == "whole" and not list_qrels_choices(project)
    grades = (
        {}
        if was_compared
        else {document: grade for _, document, grade in read_project_qrels(project, choice).rows()}
    )
    graded_rows = [(row, grades.get(row["id"])) for row in stored_answers["asked"]]
    if stored_answers["task"] != "whole":  # the other grades become words
        _check_on_scale(project, graded_rows)
    if stored_answers["task"] == "support":
        return CITATION_COLUMNS, list(_iter_citation_rows(stored_answers["answers"], graded_rows))
    judged_rows = [(row, grade) for row, grade in graded_rows if grade is not None and grade >= 0]
    if stored_answers["task"] == "nuggets":
        return NUGGET_COLUMNS, [
            (row["run"], row["topic"], row["about"], row["importance"], NUGGET_WORDS[grade])
            for row, grade in judged_rows
        ]
    if stored_answers["task"] == "importance":
        return IMPORTANCE_COLUMNS, [
            (row["topic"], row["about"], IMPORTANCE_WORDS[grade]) for row, grade in judged_rows
        ]
    return WHOLE_COLUMNS, [
        (row["run"], row["topic"], row["id"], "" if grade is None else grade)
        for row, grade in graded_rows
    ]


def _check_on_scale(project: Project, graded_rows: Sequence[tuple[Row, int | None]]) -> None:
    """Raise IrjudgeError if a grade, such as one from imported qrels, is not on the scale."""
    for row, grade in graded_rows:
        if grade is not None and grade >= 0 and grade not in project.scale.values:
            raise IrjudgeError(
                "The grade of {item} is {grade}, which is not on the scale {scale}. Choose other "
                "qrels, or import them with --grades.",
                key="off-scale-answer",
                item=row["id"],
                grade=grade,
                scale=", ".join(map(str, project.scale.values)),
            )


def _iter_citation_rows(
    answers: Sequence[Row], graded_rows: Sequence[tuple[Row, int | None]]
) -> Iterator[tuple[str | int, ...]]:
    # a sentence can cite a document several times; each citation is an item with its own grade
    grades_of_citations = defaultdict[tuple[str, str, int, str], deque[int | None]](deque)
    for row, grade in graded_rows:
        key = (row["run"], row["topic"], row["sentence"], row["about"])
        grades_of_citations[key].append(grade)
    for answer in answers:
        run, topic = answer["run"], answer["topic"]
        for number, cited_ids in enumerate(answer["sentences"], 1):
            for document in cited_ids or ("",):
                grades = grades_of_citations[run, topic, number, document]
                grade = grades.popleft() if grades else None
                yield (
                    run,
                    topic,
                    number,
                    document,
                    "" if grade is None or grade < 0 else SUPPORT_WORDS[grade],
                )


# Rendering of answers


def _render_answer(answer: CitedAnswer, bold: int = 0) -> str:
    """Return the sentences of an answer as HTML, with the sentence number `bold` in bold."""
    texts = (_escape(sentence.text) for sentence in answer.sentences)
    return (
        "<p>"
        + " ".join(
            f"<b>{text}</b>" if number == bold else text for number, text in enumerate(texts, 1)
        )
        + "</p>"
    )


def _render_passage(passage: Document) -> str:
    title, body = title_and_body(passage)
    return f"<p><b>{_escape(title)}</b></p>\n{body}" if title else body


def _escape(text: str) -> str:
    return html.escape(text, quote=False)


# Letters of answers


def _assign_letters(answers: Sequence[CitedAnswer]) -> dict[str, list[LetteredAnswer]]:
    """Return the answers of each topic with letters, in an order that does not reveal systems."""
    answers_by_topic: dict[str, dict[str, CitedAnswer]] = {}  # by topic and run
    for answer in answers:
        answers_of_topic = answers_by_topic.setdefault(answer.topic, {})
        if answer.run in answers_of_topic:
            raise IrjudgeError(
                "{run} answers topic {topic} twice; expected one answer.",
                run=answer.run,
                topic=answer.topic,
            )
        answers_of_topic[answer.run] = answer
    return {
        topic: [
            LetteredAnswer(_format_letters(index), answer)
            for index, answer in enumerate(sorted(answers_of_topic.values(), key=_get_sort_key))
        ]
        for topic, answers_of_topic in answers_by_topic.items()
    }


def _get_sort_key(answer: CitedAnswer) -> tuple[bytes, str]:
    return hashlib.sha256(f"{answer.topic}\n{answer.text}".encode()).digest(), answer.run


def _format_letters(index: int) -> str:
    """Return the letters for the answer at an index: A to Z, then AA, AB …"""
    quotient, letter_index = divmod(index, len(LETTERS))
    return (_format_letters(quotient - 1) if quotient else "") + LETTERS[letter_index]


def _find_question(answers: Sequence[LetteredAnswer]) -> str:
    return next((answer.answer.question for answer in answers if answer.answer.question), "")


# Storage of answers in a project


def _to_row(item: AnswerItem) -> Row:
    row = {"run": item.run, "topic": item.topic, "id": item.document.id, "about": item.subject}
    return row | {"sentence": item.sentence, "importance": item.importance}


def _make_item_run(name: str, items: Sequence[AnswerItem]) -> Run:
    return make_run(
        name, [(item.topic, item.document.id, -float(index)) for index, item in enumerate(items)]
    )


def _build_pool(items: Sequence[AnswerItem]) -> Pool:
    """Return a pool of all items to judge, in input order."""
    topics = tuple(dict.fromkeys(item.topic for item in items))
    topic_codes = {topic: index for index, topic in enumerate(topics)}
    runs = tuple(dict.fromkeys(item.run for item in items if item.run))
    code_of_run = {run: code for code, run in enumerate(runs)}
    ranks = defaultdict[tuple[str, str], Iterator[int]](lambda: count(1))  # by run and topic
    empty_codes = np.empty(0, dtype=np.int32)
    return Pool(
        topics=topics,
        starts=row_offsets(
            np.array([topic_codes[item.topic] for item in items], dtype=np.int32), len(topics)
        ),
        document=to_arrow_strings([item.document.id for item in items]),
        strategy=FIXED_ORDER,
        parameters={},
        runs=runs,
        contribution_starts=np.concatenate(
            ([0], np.cumsum([bool(item.run) for item in items]))
        ).astype(np.int64),
        contribution_run=np.array(
            [code_of_run[item.run] for item in items if item.run], dtype=np.int32
        ),
        contribution_rank=np.array(
            [next(ranks[item.run, item.topic]) for item in items if item.run], dtype=np.int32
        ),
        stratum=np.zeros(len(items), dtype=np.int32),
        probability=np.ones(len(items)),
        unsampled=UnsampledDocuments(
            np.zeros(len(topics) + 1, dtype=np.int64),
            to_arrow_strings([]),
            empty_codes,
            np.empty(0),
        ),
    )


def _list_warnings(
    task: str, answers: Sequence[CitedAnswer], material: AnswerMaterial
) -> tuple[str, ...]:
    """Return warnings about cited documents that are missing, or topics without nuggets."""
    if task == "support":
        cited_passages = [
            citation
            for answer in answers
            for sentence in answer.sentences
            for citation in sentence.citations
        ]
        missing_passages = [
            passage for passage in cited_passages if passage not in material.passages
        ]
        if missing_passages:
            template = "{count:,} citations refer to missing documents (for example {first})."
            return (Message(template, count=len(missing_passages), first=missing_passages[0]),)
    elif TASKS[task].required_option == "nuggets":
        topics_without_nuggets = [
            topic
            for topic in dict.fromkeys(answer.topic for answer in answers)
            if topic not in material.nuggets
        ]
        if topics_without_nuggets:
            return (
                Message(
                    "Topics without nuggets: {count:,} (for example {example}).",
                    count=len(topics_without_nuggets),
                    example=topics_without_nuggets[0],
                ),
            )
    return ()


def _read_answers(project: Project) -> dict[str, Any]:
    stored_answers: dict[str, Any] = project.read_json_setting(
        SETTING, {}, "Cannot read the answers stored in {file}."
    )
    if not stored_answers:
        raise IrjudgeError(
            "{project} is not a project of answers; create such a project with `irjudge answers`.",
            key="not-of-answers",
            project=project.path.name,
        )
    return stored_answers
