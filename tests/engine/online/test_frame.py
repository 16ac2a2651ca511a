"""Tests of log measures as data frames."""

from pathlib import Path

from irjudge.logs import measure_log


def test_the_table_has_the_values_of_the_command(tmp_path: Path) -> None:
    (log := tmp_path / "log.csv").write_text("session,results,clicks\na,2,1 9\nb,2,\n")
    table = measure_log(str(log), rank=1).set_index("measure")
    assert table.columns.tolist() == ["value", "count", "total", "low", "high", "definition"]
    assert table.loc["CTR", ["value", "count", "total", "definition"]].tolist() == [
        0.25,
        1,
        4,
        "clicked results / shown results",
    ]
    assert table.attrs["remarks"][0].startswith("1 click ")


def test_several_files_are_one_log(tmp_path: Path) -> None:
    for name, session in (("1", "a"), ("2", "b"), ("3", "a")):
        (tmp_path / name).write_text(f"session\n{session}\n")
    table = measure_log([tmp_path / name for name in "123"]).set_index("measure")
    assert (table.value["NumSessions"], table.value["NumQueries"]) == (2, 3)
