"""Judgments in tables with a header, spreadsheets and JSON, as qrels."""

import numpy as np

from irjudge.errors import FormatError
from irjudge.formats.bytes.single import OneFile
from irjudge.formats.rankings.json_rankings import json_pairs
from irjudge.formats.rankings.judged_rows import Coded, JudgedRows
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.columns import LONGEST_SHOWN
from irjudge.formats.rows.mapping import Columns
from irjudge.formats.rows.tables import DOCUMENT, GRADE, TOPIC, Part, read_table, whole_number
from irjudge.message import Message

ITERATION = Part("iteration", ("iteration", "iter", "subtopic"), needed=False)
PARTS = (TOPIC, DOCUMENT, Part(GRADE.name, GRADE.known, needed=False), ITERATION)
HEADER = (TOPIC, DOCUMENT, GRADE)


def table_rows(file: OneFile, columns: Columns, encoding: str | None) -> JudgedRows:
    """Read a table of judgments: topic, document and, where it is there, grade."""
    path, remarks = file.path, Remarks()
    table = read_table(file, PARTS, remarks, columns=columns, encoding=encoding)
    values: dict[str, list[str]] = {part: [] for part in table.places}
    grades: list[int] = []
    for line, fields in table.records():
        for part, text in fields.items():
            if not text:
                raise table.empty(part, line)
            values[part].append(text)
        grades.append(whole_number(path, "grade", fields.get("grade", "1"), line))
    if not grades:
        raise FormatError(path, "the table has a header and no rows, expected judgments below it")
    remarks.unread(table.unread)
    group = Coded.of(values["iteration"]) if "iteration" in values else Coded.same("0", len(grades))
    said = (
        Message(
            "{file}: read as {form}: {reading}{rest}.",
            file=path.name,
            form=table.form,
            reading=table.reading(),
            rest="" if "grade" in values else "; each pair counts as grade 1",
        ),
    )
    return JudgedRows(
        Coded.of(values["topic"]),
        group,
        Coded.of(values["document"]),
        np.array(grades, dtype=np.int32),
        said=said + remarks.about(path.name),
    )


def json_rows(file: OneFile) -> JudgedRows:
    """Read JSON of topics, their documents and the grades of these, as ranx and ir_measures have qrels."""
    path, pairs = file.path, json_pairs(file, "grade")
    for topic, document, value in zip(pairs.topics, pairs.documents, pairs.values, strict=True):
        if not abs(value) < 2**31 or value != int(value):
            raise FormatError(
                path,
                Message(
                    "topic {topic}, document {document}: grade {value:g} is not a whole number",
                    topic=topic[:LONGEST_SHOWN],
                    document=document[:LONGEST_SHOWN],
                    value=value,
                ),
            )
    grade = np.array(pairs.values, dtype=np.int64).astype(np.int32)
    said = (
        Message("{file}: read as JSON of topics, documents and grades.", file=path.name),
        *(Message("{file}: {each}", file=path.name, each=each) for each in pairs.remarks),
    )
    return JudgedRows(Coded.of(pairs.topics), Coded.same("0", len(grade)), Coded.of(pairs.documents), grade, said=said)
