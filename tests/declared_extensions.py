"""Declares one extension of each kind and checks every place that must list it.

Each function declares its extension before `yield` and checks after it, when everything is declared
and the program is loaded. Run as `python -m tests.declared_extensions`.
"""

import contextlib
import importlib
import importlib.util
import io
import os
import sys
import tempfile
import traceback
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

FOLDER = Path(tempfile.mkdtemp())


def run_command(*arguments: str) -> str:
    """Return the output of a command that succeeds."""
    from irjudge.cli.main import (
        main,
    )  # imported late, since the help of commands lists declared extensions

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        code = main(arguments)
    assert code == 0, printed.getvalue()
    return " ".join(printed.getvalue().split())


def run_failing_command(*arguments: str) -> str:
    """Return the output of a command that fails."""
    from irjudge.cli.main import main

    printed = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(printed):
        code = main(arguments)
    assert code != 0, arguments
    return " ".join(printed.getvalue().split())


def write_file(name: str, text: str) -> str:
    path = FOLDER / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def make_project(name: str) -> Path:
    """Create a project with two documents and a run, all pooled."""
    documents = write_file("two.jsonl", '{"id": "a", "text": "x"}\n{"id": "b", "text": "y"}\n')
    run, topics = (
        write_file("two.run", "1 Q0 a 1 4 x\n1 Q0 b 2 3 x\n"),
        write_file("one.tsv", "1\ttides\n"),
    )
    run_command(
        "new", str(FOLDER / name), "--documents", documents, "--topics", topics, "--runs", run
    )
    run_command("pool", str(FOLDER / name), "--depth", "9")
    return FOLDER / name


def measure() -> Iterator[None]:
    """Check a measure with bounds and a worked example, wherever measures are listed or computed.

    These are the parser, catalogue, help page, explanation, evaluation, bounds, measure chooser,
    workbook and Python API; a misspelt name is answered with its name.
    """
    import openpyxl

    from irjudge.metrics import ExampleTopic, JudgedRun, OpenRun, Scores, WorkedExample
    from irjudge.metrics import measure as declare
    from irjudge.metrics.measure_bounds import Interval, register_bounds
    from irjudge.metrics.registry import Rel
    from irjudge.metrics.worked_example import explains

    @declare(
        "LastHit",
        title="Last hit",
        formula="1 / rank of the last relevant document",
        aliases=("tail_rank",),
    )
    def last_hit(judged: JudgedRun, *, rel: Rel = 1) -> Scores:
        """Return the reciprocal rank of the last relevant document."""
        last = judged.max_by_topic(judged.relevant_hits(rel).topic, judged.relevant_hits(rel).rank)
        return 1 / last

    @register_bounds("LastHit")
    def last_hit_bounds(run: OpenRun, *, rel: int) -> Interval:
        """Return the interval if only the last document is unjudged."""
        return Interval(
            last_hit(run.assign_grade(run.grades[-1]), rel=rel),
            last_hit(run.assign_grade(0), rel=rel),
        )

    @explains("LastHit")
    def explain_last_hit(board: ExampleTopic, *, rel: int) -> WorkedExample:
        """Explain the value by the last hit."""
        last = board.list_hit_ranks(rel)[-1]
        return WorkedExample((f"LastHit = 1 / {last}",), 1 / last)

    yield
    qrels = write_file("q.qrels", "1 0 a 1\n1 0 b 0\n1 0 c 1\n1 0 d -1\n")
    run = write_file("x.run", "1 Q0 a 1 4 x\n1 Q0 b 2 3 x\n1 Q0 c 3 2 x\n1 Q0 d 4 1 x\n")
    assert "LastHit Last hit" in run_command(
        "measures", "TAIL_RANK"
    ) and "### LastHit" in run_command("measures", "--page")
    assert "LastHit" in run_command("measures")
    assert "0.3333" in run_command("evaluate", qrels, run, "-m", "lasthit", "--format", "csv")[:200]
    assert "LastHit = 1 / 3" in run_command("explain", qrels, run, "-t", "1", "-m", "LastHit")
    assert "0.25" in run_command("bounds", qrels, run, "-m", "LastHit", "--format", "csv")
    run_command("report", qrels, run, "-m", "LastHit", "-o", str(FOLDER / "r.xlsx"))
    book = openpyxl.load_workbook(FOLDER / "r.xlsx")
    assert ("LastHit", "Last hit") in [
        (row[0], row[1]) for row in book["Legend"].iter_rows(values_only=True)
    ]
    assert {"Summary", "Per topic"} <= {
        sheet.title for sheet in book if "LastHit" in [cell.value for cell in sheet[1]]
    }
    assert "LastHit" in run_failing_command("evaluate", qrels, run, "-m", "LastHitt")
    from irjudge.evaluation import evaluate

    assert "LastHit" in evaluate(qrels, run, "LastHit").to_string()
    from irjudge_ui.pages.results.measure_chooser import list_entries

    assert "LastHit" in [each.name for each in list_entries()]


def side() -> Iterator[None]:
    """Check an auxiliary file and a measure that needs it: option, error, value and import."""
    from irjudge.metrics import JudgedRun, Scores
    from irjudge.metrics import measure as declare
    from irjudge.model import AUXILIARY_KINDS, DOCUMENT_COLUMN, AuxiliaryColumn, AuxiliaryKind

    AUXILIARY_KINDS.add(
        AuxiliaryKind(
            "prices",
            title="Prices",
            columns=(DOCUMENT_COLUMN, AuxiliaryColumn("price", kind="number")),
            key_columns=("document",),
        )
    )

    @declare(
        "Bill", title="Bill", formula="Σ of prices", bounds=(0, float("inf")), needs=("prices",)
    )
    def bill(judged: JudgedRun) -> Scores:
        """Return the total price of the retrieved documents."""
        rows = judged.auxiliary_rows("prices")
        return judged.sum_by_topic(rows.topic, rows.columns["price"] * (rows.rank > 0))

    yield
    qrels, run = (
        write_file("q.qrels", "1 0 a 1\n"),
        write_file("x.run", "1 Q0 a 1 4 x\n1 Q0 b 2 3 x\n"),
    )
    prices = write_file("prices.csv", "document,price\na,2\nb,3\n")
    assert "--prices PATH Prices: a table with the columns document, price." in run_command(
        "evaluate", "--help"
    )
    assert "5.0" in run_command(
        "evaluate", qrels, run, "-m", "bill", "--prices", prices, "--format", "csv"
    )
    assert "Bill" in run_command("explain", qrels, run, "-t", "1", "-m", "Bill", "--prices", prices)
    assert "prices" in run_failing_command("evaluate", qrels, run, "-m", "bill")
    assert "prices" in run_command("import", "--help")
    project, topics = str(FOLDER / "p.irjudge"), write_file("topics.tsv", "1\ttides\n")
    documents = write_file(
        "documents.jsonl", '{"id": "a", "text": "x"}\n{"id": "b", "text": "y"}\n'
    )
    run_command(
        "new",
        project,
        "--documents",
        documents,
        "--topics",
        topics,
        "--runs",
        run,
        "--qrels",
        qrels,
    )
    assert "Read Prices from prices.csv (rows: 2)." in run_command(
        "import", project, "--sides", prices
    )
    assert "5.0" in run_command("evaluate", project, "-m", "bill", "--format", "csv")


def statistic() -> Iterator[None]:
    """Check a rank statistic: parser, help, command, page, and figures that use one."""
    from irjudge.stats import RankPair
    from irjudge.stats.correlation import statistic as declare

    @declare(
        "top-same",
        title="Same top",
        formula="1 where both have the same first item",
        bounds=(0, 1),
        opposite=None,
    )
    def top_same(pair: RankPair) -> float:
        """Return whether the first items are equal."""
        return float(pair.first.argmin() == pair.second.argmin())

    yield
    assert "top-same" in run_failing_command("correlate", "a.run", "b.run", "--by", "top-sam")
    one, other = (
        write_file(f"{name}.run", f"1 Q0 a 1 2 {name}\n1 Q0 b 2 1 {name}\n") for name in "xy"
    )
    assert "top-same: Same top" in run_command("correlate", "--help")
    assert "top-same" in run_command("correlate", one, other, "--by", "TOP_SAME")
    from irjudge.stats import list_correlations

    assert "top-same" in [each.name for each in list_correlations()]  # which the page offers
    assert "top-same" in list_offered_statistics("measure-correlation")


def agreement() -> Iterator[None]:
    """Check an agreement statistic: help, command, page, and figures that use one."""
    from irjudge.model import Floats
    from irjudge.stats.agreement import AGREEMENT, LabelView, PairTables
    from irjudge.stats.agreement.coefficients import PairValues

    @AGREEMENT.of_pairs("firm", "Firmness", "1", "nominal", zero_reason="nothing is shared")
    def firm(tables: PairTables, _view: LabelView) -> PairValues:
        """Return 1 for all labels."""
        ones: Floats = tables.items / tables.items
        return PairValues(ones, ones, ones)

    yield
    labels = write_file("pairs.csv", "item,worker,label\nd1,ann,0\nd1,bob,1\nd2,ann,1\nd2,bob,1\n")
    assert "firm" in run_command("agreement", "--help")
    assert "firm" in run_command(
        "agreement", labels, "--statistic", "Firm", "--show", "pairs", "--format", "csv"
    )
    assert "firm" in run_failing_command("agreement", labels, "--statistic", "frim")
    assert "firm" in run_command(
        "figure", "assessor-agreement", labels, "--statistic", "firm", "--format", "csv"
    )
    assert "firm" in list_offered_statistics("assessor-agreement")


def figure() -> Iterator[None]:
    """Check a figure: the list, the command and the page."""
    from irjudge.evaluation import Evaluation
    from irjudge.report.figures import Chart, FigureOptions
    from irjudge.report.figures.chart import FIGURES
    from irjudge.report.figures.chart import figure as declare

    @declare(
        "bare",
        title="Bare values",
        input_kind="values",
        measures=(1, 1),
        default_measures=("P@10",),
    )
    def bare(evaluation: Evaluation, options: FigureOptions) -> Chart:
        """Return the chart of system ranks under another title."""
        return replace(FIGURES["system-ranks"].chart(evaluation, options), title="Bare")

    yield
    assert "bare" in run_command("figure")
    assert "bare" in run_failing_command("figure", "baer")
    qrels, run = write_file("q.qrels", "1 0 a 1\n"), write_file("x.run", "1 Q0 a 1 4 x\n")
    run_command("figure", "bare", qrels, run, "-o", str(FOLDER / "bare.svg"))
    assert "Bare" in (FOLDER / "bare.svg").read_text(encoding="utf-8")
    from irjudge.report.figures import catalogue

    assert "bare" in [each.name for each in catalogue()]  # which the page offers


def rule() -> Iterator[None]:
    """Check a consensus rule: the help, the command, the page for adjudication and the project."""
    from collections.abc import Sequence

    from irjudge.model import Labels, Longs
    from irjudge.stats.consensus import RuleSettings
    from irjudge.stats.consensus.rules import ConsensusGrades, describe_support
    from irjudge.stats.consensus.rules import rule as declare

    def reason(
        scale: Sequence[str], counts: Sequence[int], label: int, _settings: RuleSettings
    ) -> str:
        return describe_support(scale, counts, label)

    @declare("highest", "Highest grade", reason)
    def highest(_labels: Labels, counts: Longs, _settings: RuleSettings) -> ConsensusGrades:
        """Take the highest label that anybody gave."""
        return ConsensusGrades(counts.shape[1] - 1 - (counts[:, ::-1] > 0).argmax(axis=1))

    yield
    labels = write_file("labels.csv", "item,worker,label\nd1,ann,0\nd1,bob,0\nd1,cem,2\n")
    assert "highest: take the highest label that anybody gave" in run_command("consensus", "--help")
    assert "d1,2" in run_command("consensus", labels, "--method", "Highest", "--format", "csv")
    assert "highest" in run_failing_command("consensus", labels, "--method", "hihgest")
    from irjudge.judging import QueueItem, Session, find_disputes, read_consensus_method
    from irjudge.store import open_project

    project = make_project("voted.irjudge")
    with open_project(project) as opened:
        for assessor, grade in (("ann", 0), ("bob", 1)):
            session = Session(opened, assessor)
            session.grade(session.open_item(QueueItem("1", "a")), grade)
        assert "Highest grade" in [
            verdict.rule for verdict in find_disputes(opened)[0].verdicts
        ]  # as the page for adjudication shows it
    run_command("consensus", str(project), "--method", "highest", "--keep")
    with open_project(project, writing=False) as opened:
        assert read_consensus_method(opened) == "highest"


def form() -> Iterator[None]:
    """Check a document format: a project created from a file in it, and the preview of the file."""
    from irjudge.formats import ReaderWarnings
    from irjudge.formats.bytes import ArchiveEntry
    from irjudge.formats.collections import documents
    from irjudge.formats.file_formats import FileFormat
    from irjudge.model import Document

    def read(entry: ArchiveEntry, _remarks: ReaderWarnings) -> Iterator[Document]:
        for line in entry.head.decode().splitlines()[1:]:
            name, _, text = line.partition("|")
            yield Document(name, text.encode())

    documents.FORMS = (
        FileFormat("pipes", lambda look: look.start.startswith(b"%pipes"), read),
        *documents.FORMS,
    )
    yield
    path = write_file("documents.txt", "%pipes\nd1|Tides rise.\nd2|Tides fall.\n")
    topics = write_file("topics.tsv", "1\ttides\n")
    run = write_file("x.run", "1 Q0 d1 1 2 x\n1 Q0 d2 2 1 x\n")
    from irjudge.formats import preview_files

    assert preview_files("documents", [Path(path)]).summaries == ("documents.txt: pipes",)
    run_command(
        "new", str(FOLDER / "pipes.irjudge"), "--documents", path, "--topics", topics, "--runs", run
    )
    from irjudge.store import open_project

    with open_project(FOLDER / "pipes.irjudge") as project:
        assert project.collection.document("d2").text == "Tides fall."


def list_offered_statistics(figure: str) -> list[str]:
    """Return the statistics that the page of figures offers for a figure."""
    from PySide6.QtWidgets import QApplication

    from irjudge.report.figures import find_figure
    from irjudge_ui.pages.figures import FigureChoices

    application = QApplication.instance() or QApplication([])
    choices = FigureChoices()
    choices.show_figure(find_figure(figure), "")
    statistic = choices.boxes["statistic"]
    names = [statistic.itemText(index) for index in range(statistic.count())]
    del application
    return names


def declare_in(name: str, before: str, line: str) -> None:
    """Load a module with a line inserted into its source."""
    spec = importlib.util.find_spec(name)
    assert spec and spec.origin
    source = Path(spec.origin).read_text(encoding="utf-8")
    assert source.count(before) == 1
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    exec(compile(source.replace(before, before + line), spec.origin, "exec"), module.__dict__)


def action() -> Iterator[None]:
    """Check an action: the list of shortcuts, the key editor, and the window that runs it."""
    declare_in(
        "irjudge_ui.actions",
        "ACTIONS = (\n",
        '    Action("wave", QT_TRANSLATE_NOOP("Action", "Wave"), ("Ctrl+Alt+W",)),\n',
    )
    declare_in(
        "irjudge_ui.window",
        '            "open": ActionHandler(self.ask_open),\n',
        '            "wave": ActionHandler(lambda: self.setToolTip("waved")),\n',
    )
    yield
    with window() as shown:
        from PySide6.QtWidgets import QLabel

        from irjudge_ui.pages import ShortcutsDialog

        dialog = ShortcutsDialog(shown)
        assert "Wave" in [each.text() for each in dialog.findChildren(QLabel)]
        from irjudge_ui.pages.settings import KeysEditor

        keys = KeysEditor()
        keys.choose("wave")
        assert keys.chosen == "wave" and keys.change.accessibleName() == "Change the key for Wave"
        made = next(each for each in shown.actions() if each.text() == "Wave")
        made.trigger()
        assert shown.toolTip() == "waved" and made.shortcut().toString() == "Ctrl+Alt+W"


@contextlib.contextmanager
def window() -> Iterator[object]:
    """Open the main window with new settings; close it at the end."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtWidgets import QApplication

    from irjudge_ui.settings import Settings
    from irjudge_ui.window import Window

    application = QApplication.instance() or QApplication([])
    shown = Window(Settings(FOLDER / "settings.ini"))
    try:
        yield shown
    finally:
        shown.close()
        del application


def main() -> None:
    """Declare all extensions, then run the checks; print `found` and a name, or a traceback."""
    checks = [
        (kind.__name__, kind())
        for kind in (measure, side, statistic, agreement, figure, rule, form, action)
    ]
    for _, each in checks:
        next(each)
    for name, each in checks:
        try:
            for _ in each:
                pass
            sys.stdout.write(f"found {name}\n")
        except AssertionError:
            traceback.print_exc()


if __name__ == "__main__":
    main()
