"""Writing large workbooks: qrels compared with XlsxWriter, and complete reports with progress."""

from pathlib import Path

ROWS = 200_000

IRJUDGE = """
import sys
from pathlib import Path
from irjudge.evaluation.table import evaluate_runs as evaluate, parse_measures
from irjudge.model.ranking import make_qrels
from irjudge.report.workbook.book import WorkbookContents, write_workbook
rows = ((str(place // 1000), f"document-{place}", place % 4) for place in range(int(sys.argv[2])))
write_workbook(Path(sys.argv[1]), evaluate(make_qrels([]), [], parse_measures(["AP"])), WorkbookContents(qrels=rows))
"""
PLAIN = """
import sys
import xlsxwriter
with xlsxwriter.Workbook(sys.argv[1], {"constant_memory": True}) as workbook:
    sheet = workbook.add_worksheet("Qrels")
    for place in range(int(sys.argv[2])):
        sheet.write_string(place, 0, str(place // 1000))
        sheet.write_string(place, 1, f"document-{place}")
        sheet.write_number(place, 2, place % 4)
"""
REPORT = """
import sys, time
from pathlib import Path
from irjudge.progress import Progress
from irjudge.report.contents import compare_all_runs, correlate_measures
from irjudge.report.workbook.book import WorkbookContents, write_workbook

times = [time.perf_counter()]
progress = Progress(lambda done, total, what: times.append(time.perf_counter()))
comparison, _ = compare_all_runs(table, progress)
more = WorkbookContents(curves=curves, comparison=comparison, correlations=correlate_measures(table), qrels=table.qrels.rows())
write_workbook(Path(sys.argv[1]), table, more, progress=progress)
print(times[-1] - times[0], max(after - before for before, after in zip(times, times[1:])))
"""
SYSTEMS = """
import sys
import numpy as np
from irjudge.evaluation.table import Coverage, Evaluation, Policy, RunScores, parse_measures
from irjudge.model.ranking import make_qrels
values = np.stack([np.loadtxt(f"{sys.argv[2]}/adhoc8_{name}.csv", delimiter=",", skiprows=1).T for name in ("ap", "p10")], axis=1)
topics = tuple(map(str, range(401, 451)))
runs = tuple(RunScores(f"run{at}", topics, each, each.mean(axis=1), Coverage(50, 0, 0, 0, 0.0, 0)) for at, each in enumerate(values, 1))
table, curves = Evaluation(parse_measures(("AP", "P@10")), Policy(), runs, make_qrels([])), None
"""
# 100 runs x 250 topics x 30 measures, with curves.
RUNS = """
import numpy as np
from irjudge.evaluation.table import Policy, evaluate_runs as evaluate, parse_measures
from irjudge.model.ranking import make_qrels, make_run
from irjudge.report.workbook.sheets import curve_measures
drawn = np.random.default_rng(1)
grades = drawn.choice([0, 0, 0, 1, 2], (250, 60)).tolist()
qrels = make_qrels([(f"t{topic}", f"d{each}", grade) for topic, row in enumerate(grades) for each, grade in enumerate(row)])
def runs():
    for name in range(100):
        order = drawn.permuted(np.tile(np.arange(80), (250, 1)), axis=1)[:, :50].tolist()
        rows = [(f"t{topic}", f"d{each}", -float(at)) for topic, row in enumerate(order) for at, each in enumerate(row)]
        yield make_run(f"run{name}", rows)
at_ranks = [f"{name}@{rank}" for name in ("P", "nDCG") for rank in range(1, 12)]
names = ["AP", "RR", "Rprec", "bpref", "RBP", "ERR", "NumRet", "NumRelRet", *at_ranks]
measures = parse_measures(names)
both = evaluate(qrels, runs(), [*measures, *(each for each in curve_measures(Policy()) if each not in measures)])
table, curves = both.select_measures(measures), both.select_measures(curve_measures(both.policy))
"""


def test_a_workbook_of_qrels_is_almost_as_fast_as_with_xlsxwriter(bench, tmp_path):
    ours = bench.process(IRJUDGE, tmp_path / "ours.xlsx", ROWS, times=2)
    plain = bench.process(PLAIN, tmp_path / "plain.xlsx", ROWS, times=2)
    rows = [
        (name, cost.seconds, cost.megabytes, cost.seconds / ours.seconds)
        for name, cost in (("irjudge", ours), ("XlsxWriter", plain))
    ]
    bench.show(
        f"A workbook with {ROWS:,} qrels", ["program", "seconds", "peak MB", "time ratio"], rows
    )


def test_large_reports_are_written_in_time_and_can_be_cancelled(bench, data, tmp_path):
    """Within 60 s and 1 GB; it can be cancelled at progress reports every few seconds."""
    rows = []
    for name, program, arguments in (
        ("129 x 50 x 2", SYSTEMS, [data / "system_scores"]),
        ("100 x 250 x 30", RUNS, []),
    ):
        path = tmp_path / "report.xlsx"
        cost = bench.process(program + REPORT, path, *arguments, times=1)
        seconds, max_block = map(float, cost.printed.split())
        rows.append((name, seconds, max_block, cost.megabytes, Path(path).stat().st_size / 1e6))
    bench.show(
        "Reports: runs x topics x measures",
        ["report", "seconds", "longest step", "peak MB", "file MB"],
        rows,
    )
    assert all(seconds < 60 and megabytes < 1000 for _, seconds, _, megabytes, _ in rows)
