"""What goes back to a crowd platform, or came from its people: who is to be paid, what was answered, and how a task looks there."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path

from irjudge.formats.bytes.atomic_write import write_whole
from irjudge.formats.rows.cells_without_formulas import neutral, restored
from irjudge.model.scale import Scale
from irjudge.progress import Progress
from irjudge.report.project_exports import Content, Export, ExportWish, compare
from irjudge.store.project import Project

APPROVED = ("WorkerId", "Approve", "Reject")  # the columns that MTurk reads
ANSWERED = ("person", "question", "answer")
FAILED = "The attention checks, which said which key to press, were answered otherwise."
LIST = ".txt"
STUDIO = """<View>
  <Header value="$title"/>
  <Text name="description" value="$description"/>
  <Text name="text" value="$text"/>
  <Choices name="grade" toName="text" choice="single" required="true">
{choices}
  </Choices>
</View>
"""
MTURK = """<!doctype html>
<html>
<head><meta charset="utf-8"><title>Judging</title></head>
<body>
<h1>${{title}}</h1>
<p>${{description}}</p>
<h2>${{document_title}}</h2>
<p style="white-space: pre-wrap">${{text}}</p>
<form name="mturk_form" method="post" action="https://www.mturk.com/mturk/externalSubmit">
<input type="hidden" name="assignmentId" value="">
<fieldset><legend>{question}</legend>
{choices}
</fieldset>
<button>Submit</button>
</form>
</body>
</html>
"""
USUAL_QUESTION = "How relevant is this document?"

Rows = list[tuple[str, ...]]


def approvals(project: Project) -> Rows:
    """Return who came to an end of a submission, by the id of the panel: an x to approve, or a reason to reject."""
    names = {person.id: person.name for person in project.sessions.people()}
    ends = (
        (names.get(id, ""), end.failed)
        for id, end in sorted(project.sessions.completions().items())
    )
    return [(name, "", FAILED) if failed else (name, "x", "") for name, failed in ends if name]


def survey_answers(project: Project) -> Rows:
    """Return what people answered before and after their work, and when they agreed or withdrew."""
    return [
        (id, question, str(said))
        for id, answers in sorted(project.sessions.surveys().items())
        for question, said in answers.items()
    ]


def write_list(path: Path, rows: Rows) -> None:
    """Write the ids of those to approve, a line each, as Prolific takes them."""
    write_whole(path, "".join(f"{name}\n" for name, approve, _ in rows if approve))


def read_list(path: Path) -> Rows:
    """Read such a list."""
    return [(name, "x", "") for name in path.read_text(encoding="utf-8").splitlines()]


def table_writer(columns: Sequence[str]) -> Callable[[Path, Rows], None]:
    """Return what writes rows under a header, as CSV; what begins as a formula has an apostrophe before it."""

    def write(path: Path, rows: Rows) -> None:
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        table.writerow(columns)
        table.writerows([neutral(cell) for cell in row] for row in rows)
        write_whole(path, text.getvalue())

    return write


def read_table_back(path: Path) -> Rows:
    """Read such a table without its header."""
    with path.open(encoding="utf-8", newline="") as file:
        return [tuple(restored(cell) for cell in row) for row in csv.reader(file)][1:]


def layout(scale: Scale, path: Path) -> str:
    """Return how the rows of `export --tasks` look where people judge: the ending tells Label Studio's form from MTurk's."""
    question = escape(str(scale.question) or USUAL_QUESTION)
    if path.suffix.lower() == ".xml":
        lines = [
            f'    <Choice value="{each.value}" hint="{escape(each.help)}" alias="{escape(each.label)}"/>'
            for each in scale.grades
        ]
        return STUDIO.format(choices="\n".join(lines))
    lines = [
        f'<label><input type="radio" name="grade" value="{each.value}" required> {each.value} {escape(each.label)}</label><br>'
        for each in scale.grades
    ]
    return MTURK.format(question=question, choices="\n".join(lines))


# What is written


def _approvals(project: Project, _wish: ExportWish, path: Path, _progress: Progress) -> Content:
    rows = approvals(project)
    if path.suffix.lower() == LIST:
        paid = [row for row in rows if row[1]]
        return Content(
            len(paid),
            lambda to: write_list(to, paid),
            lambda to: compare(to, "people", paid, read_list(to)),
        )
    return _table(rows, APPROVED, "people")


def _surveys(project: Project, _wish: ExportWish, _path: Path, _progress: Progress) -> Content:
    return _table(survey_answers(project), ANSWERED, "answers")


def _table(rows: Rows, columns: Sequence[str], what: str) -> Content:
    write = table_writer(columns)
    return Content(
        len(rows),
        lambda to: write(to, rows),
        lambda to: compare(to, what, rows, read_table_back(to)),
    )


def _layout(project: Project, _wish: ExportWish, path: Path, _progress: Progress) -> Content:
    text = layout(project.scale, path)

    def same(to: Path) -> int:
        compare(to, "lines", text.splitlines(), to.read_text(encoding="utf-8").splitlines())
        return len(project.scale.grades)

    return Content(len(project.scale.grades), lambda to: write_whole(to, text), same)


CROWD: Mapping[str, Export] = {
    "approvals": Export("Approvals", "people", (".csv", LIST), _approvals),
    "surveys": Export("Survey answers", "answers", (".csv",), _surveys),
    "layout": Export("Layouts", "grades", (".xml", ".html"), _layout),
}
