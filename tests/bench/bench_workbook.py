"""Writing a large workbook, beside XlsxWriter alone."""

ROWS = 200_000

IRJUDGE = """
import sys
from pathlib import Path
from irjudge.evaluation.table import evaluate, parse_measures
from irjudge.model.ranking import make_qrels
from irjudge.report.workbook import write_workbook
rows = ((str(place // 1000), f"document-{place}", place % 4) for place in range(int(sys.argv[2])))
write_workbook(Path(sys.argv[1]), evaluate(make_qrels([]), [], parse_measures(["AP"])), qrels=rows)
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


def test_a_workbook_of_qrels(bench, tmp_path):
    ours, plain = (
        bench.process(IRJUDGE, tmp_path / "ours.xlsx", ROWS, times=2),
        bench.process(PLAIN, tmp_path / "plain.xlsx", ROWS, times=2),
    )
    rows = [(name, cost.seconds, cost.megabytes, cost.seconds / ours.seconds) for name, cost in (("irjudge", ours), ("XlsxWriter", plain))]
    bench.show(f"A workbook with {ROWS:,} qrels", ["program", "seconds", "peak MB", "time ratio"], rows)
