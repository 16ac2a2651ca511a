"""The forms of judgments that are neither lines of TREC's nor tables, and how each is known by its first lines."""

from pathlib import Path

import numpy as np

from irjudge.errors import FormatError
from irjudge.formats.bytes.single import OneFile
from irjudge.formats.forms import FormOfFiles, look_at
from irjudge.formats.rankings.judged_rows import Coded, JudgedRows
from irjudge.formats.rankings.plain_judgments import (
    PlainJudgment,
    counted_list,
    document_list,
    is_counted_list,
    is_document_list,
    is_lisa_judgments,
    is_npl_judgments,
    is_ntcir,
    lisa_judgments,
    npl_judgments,
    ntcir_judgments,
)
from irjudge.formats.remarks import Remarks
from irjudge.message import Message

# The first form that fits is taken. A new form is one more line here.
FORMS: tuple[FormOfFiles[PlainJudgment], ...] = (
    FormOfFiles(Message("NTCIR qrels, where L2 is grade 2"), is_ntcir, ntcir_judgments),
    FormOfFiles(Message("NPL's lists of relevant documents"), is_npl_judgments, npl_judgments),
    FormOfFiles(Message("LISA's lists of relevant documents"), is_lisa_judgments, lisa_judgments),
    FormOfFiles(Message("a query, a count, and that many relevant documents"), is_counted_list, counted_list),
    FormOfFiles(Message("a query and its relevant documents on each line"), is_document_list, document_list),
)


def listed_rows(file: OneFile) -> JudgedRows | None:
    """Read judgments in one of these forms; None where none fits."""
    if not file.path.is_file():
        return None
    remarks = Remarks()
    entry = file.text(remarks)
    look = look_at(entry)
    form = next((form for form in FORMS if form.fits(look)), None)
    return _rows(file.path, form.name, list(form.read(entry, remarks)), remarks) if form else None


def _rows(path: Path, form: str, judged: list[PlainJudgment], remarks: Remarks) -> JudgedRows:
    if not judged:
        raise FormatError(path, Message("no judgment was found, expected {form}", form=form))
    topics, documents, grades = zip(*judged, strict=True)
    said = Message("{file}: read as {form}.", file=path.name, form=form)
    group = Coded.same("0", len(grades))
    grade = np.array(grades, dtype=np.int32)
    return JudgedRows(Coded.of(topics), group, Coded.of(documents), grade, said=(said, *remarks.about(path.name)))
