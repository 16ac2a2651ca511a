"""Reports as files: every form is written whole or not at all, and tables are copied in each form."""

import csv
import io
from pathlib import Path

import pytest

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.progress import Progress
from irjudge.report.forms import PRINTED, TABLE_FORMS, gathered, table_as, write_report
from irjudge.report.printed import Printed
from tests.engine.report.three_runs import evaluated

ENDINGS = [*PRINTED, ".csv"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_form_says_the_mean_of_every_run(ending: str, tmp_path: Path) -> None:
    table, path = evaluated("AP P@5"), tmp_path / f"report{ending}"
    write_report(path, table, gathered(table, {}, {"Qrels": "judged.txt"}))
    text = path.read_text(encoding="utf-8")
    for run in table.runs:
        assert run.run in text and (str(run.summary[0]) if ending == ".csv" else f"{run.summary[0]:.4f}") in text
    assert ending == ".csv" or "judged.txt" in text
    assert not text.startswith("\ufeff")


@pytest.mark.parametrize("ending", ENDINGS)
def test_cancelling_at_any_step_leaves_what_was_there(ending: str, tmp_path: Path) -> None:
    table, path = evaluated("AP"), tmp_path / f"report{ending}"
    steps: list[str] = []
    write_report(path, table, progress=Progress(lambda done, total, what: steps.append(what)))
    path.write_text("before")
    asked = iter(range(len(steps) + 1))
    with pytest.raises(Cancelled):
        write_report(path, table, progress=Progress(cancelled=lambda: next(asked) == len(steps) - 1))
    assert path.read_text() == "before" and [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_folder_that_is_not_there_is_said(tmp_path):
    with pytest.raises(IrjudgeError, match=r"the folder .* does not exist"):
        write_report(tmp_path / "none" / "r.md", evaluated("AP"))


TABLE = Printed(("run", "AP"), (False, True), (("a|b & <c>", "-0.5000"), ("tab\\t", "0.2500")), frozenset({(1, 1)}))


def test_a_copied_table_reads_back_from_text_and_csv():
    for form, between in (("text", "\t"), ("csv", ",")):
        assert list(csv.reader(io.StringIO(table_as(TABLE, form)), delimiter=between)) == [["run", "AP"], *map(list, TABLE.rows)]


def test_a_copied_table_is_escaped_as_its_form_asks():
    copied = {form: table_as(TABLE, form) for form in TABLE_FORMS}
    assert r"| a\|b \& \<c\> | -0.5000 |" in copied["markdown"] and "**0.2500**" in copied["markdown"]
    assert r"a\textbar{}b \& \textless{}c\textgreater{} & $-$0.5000 \\" in copied["latex"] and r"\textbf{0.2500}" in copied["latex"]
    assert "<td>a|b &amp; &lt;c&gt;</td>" in copied["html"] and 'class="n best"' in copied["html"]
