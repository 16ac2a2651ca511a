"""Answers of several systems as a project to judge: each citation, each nugget or each answer is one thing on screen and one key.

What is judged is a document of the project, so that everything else works as for documents: windows, browsers, sessions, files,
overlap, merging and agreement. Whose answer it is stands in the project alone, never in what is shown or handed out.
"""

import hashlib
import html
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
    Scale,
    Topic,
    UnsampledDocuments,
    make_run,
    row_offsets,
    to_arrow_strings,
)
from irjudge.store import INSTRUCTIONS, OWNER, Project, create_project
from irjudge.text import title_and_body

Row: TypeAlias = dict[str, Any]
# As the side files of measures have them.
CITATION_COLUMNS = ("run", "topic", "sentence", "citation", "support")
NUGGET_COLUMNS = ("run", "topic", "nugget", "importance", "support")
IMPORTANCE_COLUMNS = ("topic", "nugget", "importance")
WHOLE_COLUMNS = ("run", "topic", "answer", "grade")
SUPPORT_WORDS = ("none", "partial", "full")
NUGGET_WORDS = ("not_support", "partial_support", "support")
IMPORTANCE_WORDS = ("okay", "vital")
FACT = "answers"  # whose answer each is, and what is known of it
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class AnswerMaterial:
    """What answers are judged by: the texts of cited documents, and the nuggets of each topic."""

    passages: Mapping[str, Document] = field(default_factory=dict)
    nuggets: Mapping[str, tuple[Nugget, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AnswerToJudge:
    """One thing to judge: what is shown, whose it is (nobody's where it belongs to the topic alone), and where it stands.

    `sentence` counts from 1; `about` is the cited document's id or the nugget's text.
    """

    topic: str
    shown: Document
    run: str = ""
    sentence: int = 0
    about: str = ""
    importance: str = ""


@dataclass(frozen=True, slots=True)
class LetteredAnswer:
    """An answer, and the letter it has among those of its topic."""

    letter: str
    answer: CitedAnswer

    @property
    def id(self) -> str:
        """What it is called where nobody may know whose it is."""
        return f"{self.answer.topic}.{self.letter}"


ItemLister = Callable[[Sequence[LetteredAnswer], AnswerMaterial], Iterator[AnswerToJudge]]


@dataclass(frozen=True, slots=True)
class AnswerTask:
    """One way to judge answers: the scale, what assessors are told, and what is shown of the answers to one topic."""

    scale: Scale
    instructions: str
    asking: ItemLister
    needs: str = ""  # the option that brings what it is judged by


def _list_citations(
    answers: Sequence[LetteredAnswer], material: AnswerMaterial
) -> Iterator[AnswerToJudge]:
    """Yield each citation of each sentence: the sentence in its answer, and below it the cited passage."""
    for each in answers:
        for number, sentence in enumerate(each.answer.sentences, 1):
            for place, cited in enumerate(sentence.citations, 1):
                if passage := material.passages.get(cited):
                    title = f"Answer {each.letter}, sentence {number}, citation {place} of {len(sentence.citations)}"
                    body = (
                        f"{_render_answer(each.answer, number)}\n<hr>\n{_render_passage(passage)}"
                    )
                    shown = Document(f"{each.id}.{number}.{place}", body.encode(), title, "html")
                    yield AnswerToJudge(
                        each.answer.topic, shown, each.answer.run, number, about=cited
                    )


def _list_nuggets(
    answers: Sequence[LetteredAnswer], material: AnswerMaterial
) -> Iterator[AnswerToJudge]:
    """Yield each nugget of the topic with each answer: the nugget, and below it the answer."""
    for each in answers:
        nuggets = material.nuggets.get(each.answer.topic, ())
        for number, nugget in enumerate(nuggets, 1):
            title = f"Answer {each.letter}, nugget {number} of {len(nuggets)}"
            body = f"<p><b>{_escape(nugget.text)}</b></p>\n<hr>\n{_render_answer(each.answer)}"
            shown = Document(f"{each.id}.n{number}", body.encode(), title, "html")
            yield AnswerToJudge(
                each.answer.topic,
                shown,
                each.answer.run,
                about=nugget.text,
                importance=nugget.importance,
            )


def _list_nugget_importance(
    answers: Sequence[LetteredAnswer], material: AnswerMaterial
) -> Iterator[AnswerToJudge]:
    """Yield each nugget of the topic alone."""
    topic = answers[0].answer.topic
    nuggets = material.nuggets.get(topic, ())
    for number, nugget in enumerate(nuggets, 1):
        shown = Document(
            f"{topic}.n{number}",
            f"<p>{_escape(nugget.text)}</p>".encode(),
            f"Nugget {number} of {len(nuggets)}",
            "html",
        )
        yield AnswerToJudge(topic, shown, about=nugget.text, importance=nugget.importance)


def _list_answers(
    answers: Sequence[LetteredAnswer], _material: AnswerMaterial
) -> Iterator[AnswerToJudge]:
    """Yield each answer, which can be graded, or compared with another side by side."""
    for each in answers:
        yield AnswerToJudge(
            each.answer.topic,
            Document(
                each.id, _render_answer(each.answer).encode(), f"Answer {each.letter}", "html"
            ),
            each.answer.run,
        )


# A new way to judge answers is one more entry here.
TASKS: dict[str, AnswerTask] = {
    "support": AnswerTask(
        CITATION_SUPPORT,
        "Does the passage below the line support the **sentence in bold**? The rest of the answer only shows what it is about.\n",
        _list_citations,
        "documents",
    ),
    "nuggets": AnswerTask(
        NUGGET_SUPPORT,
        "Does the answer below the line say what stands **in bold**?\n",
        _list_nuggets,
        "nuggets",
    ),
    "importance": AnswerTask(
        NUGGET_IMPORTANCE,
        "Must a good answer to the topic say this?\n",
        _list_nugget_importance,
        "nuggets",
    ),
    "whole": AnswerTask(
        Scale.parse("0-3"),
        "How well does the answer help somebody who asked this?\n",
        _list_answers,
    ),
}


@dataclass(frozen=True, slots=True)
class AnswerReport:
    """What became of answers: how many there were, how many things to judge, and what was left out, a sentence each."""

    answers: int
    topics: int
    items: int
    remarks: tuple[str, ...]


def create_answer_project(
    path: Path,
    task: str,
    answers: Sequence[CitedAnswer],
    material: AnswerMaterial,
    *,
    owner: str = OWNER,
) -> AnswerReport:
    """Make a project in which answers are judged."""
    chosen = TASKS[task]
    by_topic = _letter_by_topic(answers)
    asked = [each for lettered in by_topic.values() for each in chosen.asking(lettered, material)]
    if not asked:
        raise IrjudgeError(
            "Nothing is to be judged: no answer has what --task {task} asks about.",
            key="nothing-to-judge",
            task=task,
        )
    with create_project(path, scale=chosen.scale, title=path.stem, owner=owner) as project:
        project.set_fact(INSTRUCTIONS, chosen.instructions)
        project.set_fact(
            FACT,
            json.dumps(
                {
                    "task": task,
                    "answers": _citation_lists(answers),
                    "asked": [_to_row(each) for each in asked],
                }
            ),
        )
        project.collection.add_topics(
            Topic(topic, _first_question(lettered) or topic) for topic, lettered in by_topic.items()
        )
        project.collection.add_documents(each.shown for each in asked)
        for run in dict.fromkeys(each.run for each in asked if each.run):
            own = [each for each in asked if each.run == run]
            project.rankings.add_run(
                make_run(
                    run,
                    [(each.topic, each.shown.id, -float(place)) for place, each in enumerate(own)],
                )
            )
        project.rankings.add_pool(_build_pool(asked))
    return AnswerReport(
        len(answers), len(by_topic), len(asked), _list_warnings(task, answers, material)
    )


def build_answer_table(
    project: Project, choice: QrelsChoice | None = None
) -> tuple[tuple[str, ...], list[tuple[str | int, ...]]]:
    """Return what was judged in a project of answers as a table: its columns, and its rows in the order in which answers are read.

    Of citations all are there, and a row without citation for each sentence that cites nothing; what nobody judged has an empty support.
    Of whole answers all are there too. Of nuggets and their importance, what nobody judged is left out. `irjudge evaluate` takes the
    tables of citations and nuggets beside runs.
    """
    said = _read_answers(project)
    compared = said["task"] == "whole" and not list_qrels_choices(
        project
    )  # side by side, and nothing graded: whose an answer is can still be asked
    grades = (
        {}
        if compared
        else {document: grade for _, document, grade in read_project_qrels(project, choice).rows()}
    )
    asked = [(row, grades.get(row["id"])) for row in said["asked"]]
    if said["task"] == "support":
        return CITATION_COLUMNS, list(_citation_rows(said["answers"], asked))
    judged = [(row, grade) for row, grade in asked if grade is not None and grade >= 0]
    if said["task"] == "nuggets":
        return NUGGET_COLUMNS, [
            (row["run"], row["topic"], row["about"], row["importance"], NUGGET_WORDS[grade])
            for row, grade in judged
        ]
    if said["task"] == "importance":
        return IMPORTANCE_COLUMNS, [
            (row["topic"], row["about"], IMPORTANCE_WORDS[grade]) for row, grade in judged
        ]
    return WHOLE_COLUMNS, [
        (row["run"], row["topic"], row["id"], "" if grade is None else grade)
        for row, grade in asked
    ]


def _citation_rows(
    answers: Sequence[Row], asked: Sequence[tuple[Row, int | None]]
) -> Iterator[tuple[str | int, ...]]:
    found = {
        (row["run"], row["topic"], row["sentence"], row["about"]): grade for row, grade in asked
    }
    for answer in answers:
        run, topic = answer["run"], answer["topic"]
        for number, cited in enumerate(answer["sentences"], 1):
            for document in cited or ("",):
                grade = found.get((run, topic, number, document))
                yield (
                    run,
                    topic,
                    number,
                    document,
                    "" if grade is None or grade < 0 else SUPPORT_WORDS[grade],
                )


# What is shown


def _render_answer(answer: CitedAnswer, bold: int = 0) -> str:
    """Return the sentences of an answer, one of them bold."""
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


# Whose answer it is


def _letter_by_topic(answers: Sequence[CitedAnswer]) -> dict[str, list[LetteredAnswer]]:
    """Return the answers of each topic with their letters, in an order that says nothing of their systems."""
    found: dict[str, list[CitedAnswer]] = {}
    for answer in answers:
        others = found.setdefault(answer.topic, [])
        if any(other.run == answer.run for other in others):
            raise IrjudgeError(
                "{run} answers topic {topic} twice, expected one answer.",
                run=answer.run,
                topic=answer.topic,
            )
        others.append(answer)
    return {
        topic: [
            LetteredAnswer(_letter_label(place), answer)
            for place, answer in enumerate(sorted(others, key=_text_order))
        ]
        for topic, others in found.items()
    }


def _text_order(answer: CitedAnswer) -> tuple[bytes, str]:
    return hashlib.sha256(f"{answer.topic}\n{answer.text}".encode()).digest(), answer.run


def _letter_label(place: int) -> str:
    """Return A to Z, then AA, AB …"""
    rest, letter = divmod(place, len(LETTERS))
    return (_letter_label(rest - 1) if rest else "") + LETTERS[letter]


def _first_question(answers: Sequence[LetteredAnswer]) -> str:
    return next((each.answer.question for each in answers if each.answer.question), "")


# What is kept


def _to_row(asked: AnswerToJudge) -> Row:
    row = {"run": asked.run, "topic": asked.topic, "id": asked.shown.id, "about": asked.about}
    return row | {"sentence": asked.sentence, "importance": asked.importance}


def _citation_lists(answers: Iterable[CitedAnswer]) -> list[Row]:
    """Return what each sentence cites, nothing and what has no text included: measures of citations count them."""
    return [
        {
            "run": each.run,
            "topic": each.topic,
            "sentences": [sentence.citations for sentence in each.sentences],
        }
        for each in answers
    ]


def _build_pool(asked: Sequence[AnswerToJudge]) -> Pool:
    """Return a pool of everything, in the order in which answers are read."""
    topics = tuple(dict.fromkeys(each.topic for each in asked))
    code = {topic: place for place, topic in enumerate(topics)}
    runs = tuple(dict.fromkeys(each.run for each in asked if each.run))
    brought = [runs.index(each.run) for each in asked if each.run]
    ranks = {run: iter(range(1, len(asked) + 1)) for run in runs}
    none = np.empty(0, dtype=np.int32)
    return Pool(
        topics=topics,
        starts=row_offsets(
            np.array([code[each.topic] for each in asked], dtype=np.int32), len(topics)
        ),
        document=to_arrow_strings([each.shown.id for each in asked]),
        strategy=FIXED_ORDER,
        parameters={},
        runs=runs,
        contribution_starts=np.concatenate(
            ([0], np.cumsum([bool(each.run) for each in asked]))
        ).astype(np.int64),
        contribution_run=np.array(brought, dtype=np.int32),
        contribution_rank=np.array(
            [next(ranks[each.run]) for each in asked if each.run], dtype=np.int32
        ),
        stratum=np.zeros(len(asked), dtype=np.int32),
        probability=np.ones(len(asked)),
        undrawn=UnsampledDocuments(
            np.zeros(len(topics) + 1, dtype=np.int64), to_arrow_strings([]), none, np.empty(0)
        ),
    )


def _list_warnings(
    task: str, answers: Sequence[CitedAnswer], material: AnswerMaterial
) -> tuple[str, ...]:
    """Return what cannot be judged: citations whose passage is not there, and topics without nuggets."""
    if task == "support":
        cited = [
            each
            for answer in answers
            for sentence in answer.sentences
            for each in sentence.citations
        ]
        missing = [each for each in cited if each not in material.passages]
        if missing:
            words = "{count:,} citations are of documents that are not there (for example {first})."
            return (Message(words, count=len(missing), first=missing[0]),)
    elif TASKS[task].needs == "nuggets":
        bare = [
            topic
            for topic in dict.fromkeys(answer.topic for answer in answers)
            if topic not in material.nuggets
        ]
        if bare:
            return (
                Message(
                    "{count:,} topics have no nuggets (for example {first}).",
                    count=len(bare),
                    first=bare[0],
                ),
            )
    return ()


def _read_answers(project: Project) -> dict[str, Any]:
    said: dict[str, Any] = project.kept_fact(
        FACT, {}, "{file} does not say in a readable way which answers were asked about."
    )
    if not said:
        raise IrjudgeError(
            "{project} is no project of answers; irjudge answers makes one.",
            key="not-of-answers",
            project=project.path.name,
        )
    return said
