"""Tests of qrels and runs in notebooks: from files, dicts and tables, to every format."""

from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import irjudge
from irjudge.errors import IrjudgeError
from irjudge.formats.judgments import WRITERS

ROWS = {"query_id": ["1", "1", "2"], "doc_id": ["d1", "d2", "d1"], "relevance": [2, 0, 1]}
SCORED = {"query_id": ["1", "1", "2"], "doc_id": ["d2", "d1", "d1"], "score": [2.0, 1.0, 3.0]}


ROWS_BY_TOPIC = {"1": {"d1": 2, "d2": 0}, "2": {"d1": 1}}


class Stream:
    """Table that only exports itself as an Arrow stream, as polars does."""

    def __init__(self, rows: dict[str, list[Any]]) -> None:
        self._table = pa.table(rows)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("kind", [pd.DataFrame, pa.table, Stream])
def test_tables_of_every_kind_are_qrels_and_runs(kind: Any) -> None:
    qrels, run = irjudge.read_qrels(kind(ROWS)), irjudge.read_run(kind(SCORED), "mine")
    assert [*qrels.rows()] == [
        ("1", "d1", 2),
        ("1", "d2", 0),
        ("2", "d1", 1),
    ] and run.name == "mine"
    values = irjudge.evaluate(kind(ROWS), kind(SCORED), "RR").value.tolist()
    assert values == irjudge.evaluate(qrels, run, "RR").value.tolist() == [0.75]


def test_qrels_and_runs_can_be_converted_to_tables() -> None:
    qrels, run = irjudge.read_qrels(pd.DataFrame(ROWS)), irjudge.read_run(pd.DataFrame(SCORED))
    assert (
        pa.table(qrels).select([*ROWS]).to_pydict()
        == ROWS
        == qrels.to_pandas()[[*ROWS]].to_dict("list")
    )
    assert (
        pa.table(run).select([*SCORED]).to_pydict()
        == SCORED
        == run.to_pandas()[[*SCORED]].to_dict("list")
    )
    assert irjudge.read_qrels(qrels) is qrels and irjudge.read_run(run) is run


@pytest.mark.parametrize("form", ["trec", *WRITERS])
def test_every_format_is_written_and_read_back(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"a{WRITERS[form].suffix if form in WRITERS else '.qrels'}"
    assert irjudge.write_qrels(path, Stream(ROWS), form=form) == 3
    back = irjudge.read_qrels(str(path))
    titles = dict(zip(back.topics, back.titles or back.topics, strict=True))
    assert [(titles[topic], document, grade) for topic, document, grade in back.rows()] == [
        ("1", "d1", 2),
        ("1", "d2", 0),
        ("2", "d1", 1),
    ]


def test_a_topic_with_a_blank_is_renamed_in_trec_format_with_a_warning(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="q1 for “jazz bass”"):
        irjudge.write_qrels(tmp_path / "a.qrels", {"jazz bass": {"d1": 2}})
    assert (tmp_path / "a.qrels").read_text() == "q1 0 d1 2\n"


def test_errors_are_reported(tmp_path: Path) -> None:
    with pytest.raises(IrjudgeError) as refused:
        irjudge.read_qrels(pa.table({**ROWS, "query_id": ["1", None, "2"]}))
    assert (refused.value.key, refused.value.values["column"]) == ("no-id", "topic")
    with pytest.raises(IrjudgeError) as refused:
        irjudge.read_run(pa.table(ROWS))
    values = refused.value.values
    assert (refused.value.key, values["names"]) == ("no-column", "score")
    assert values["columns"] == "query_id, doc_id, relevance"
    with pytest.raises(IrjudgeError) as refused:
        irjudge.write_qrels(tmp_path / "a", {"1": {"d": 1}}, form="xml")
    assert (refused.value.key, refused.value.values["name"]) == ("unknown-name", "'xml'")
    assert refused.value.values["names"].startswith("quepid")


@pytest.mark.slow  # Polars is not among the test dependencies
def test_polars_tables_are_read_and_written(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    table, scored = polars.DataFrame(ROWS), polars.DataFrame(SCORED)
    expected = [("1", "d1", 2), ("1", "d2", 0), ("2", "d1", 1)]
    for given in (
        table,
        table.lazy(),
        table.with_columns(
            polars.col("doc_id").cast(polars.Categorical), polars.col("query_id").cast(int)
        ),
    ):
        assert [*irjudge.read_qrels(given).rows()] == expected
    assert (
        polars.DataFrame(irjudge.read_qrels(table)).select([*ROWS]).to_dict(as_series=False) == ROWS
    )
    assert polars.DataFrame(irjudge.read_run(scored)).select([*SCORED]).equals(scored)
    assert irjudge.evaluate(table.lazy(), scored, "RR").value.tolist() == [0.75]
    table.write_parquet(tmp_path / "a.parquet")
    table.write_ipc(tmp_path / "a.arrow")
    for path in (tmp_path / "a.parquet", tmp_path / "a.arrow"):
        assert [*irjudge.read_qrels(path).rows()] == expected
    with pytest.raises(IrjudgeError, match="None"):
        irjudge.read_qrels(table.with_columns(polars.lit(None).alias("relevance")))


class Lazy(Stream):
    """Lazy table that must be collected first."""

    __arrow_c_stream__ = property()
    columns = ("not looked at",)

    def collect(self) -> pa.Table:
        return self._table


class NoTable:
    """Object with columns that is not a table."""

    columns = ("query_id", "doc_id", "relevance")


def test_a_lazy_table_is_collected_and_other_objects_are_refused() -> None:
    assert [*irjudge.read_qrels(Lazy(ROWS)).rows()] == [*irjudge.read_qrels(ROWS_BY_TOPIC).rows()]
    with pytest.raises(IrjudgeError) as refused:
        irjudge.read_qrels(NoTable())
    assert (refused.value.key, refused.value.values["table"]) == ("not-a-table", "NoTable")


@pytest.mark.parametrize(
    ("read", "number"), [(irjudge.read_qrels, "relevance"), (irjudge.read_run, "score")]
)
@pytest.mark.parametrize("other_id", [5.0, 1.5])
def test_floats_are_ids_without_a_decimal_point_if_they_are_whole(
    read: Any, number: str, other_id: float
) -> None:
    documents = [7.0, other_id]
    table = pd.DataFrame({"query_id": [1.0, 1.0], "doc_id": documents, number: [2, 1]})
    expected = ["7", f"{other_id:g}"]
    assert sorted(read(table).to_pandas().doc_id) == sorted(expected)
    assert {*read(table).to_pandas().query_id} == {"1"}
    nested = {1.0: dict(zip(documents, [2, 1], strict=True))}
    assert sorted(read(nested).to_pandas().doc_id) == sorted(expected)


@pytest.mark.parametrize(
    ("read", "number"), [(irjudge.read_qrels, "relevance"), (irjudge.read_run, "score")]
)
@pytest.mark.parametrize(
    ("id", "key"),
    [(1e15, "changed-id"), (12345678901234567.0, "changed-id"), (float("nan"), "no-id")],
)
def test_floats_that_may_be_rounded_or_missing_ids_are_refused(
    read: Any, number: str, id: float, key: str
) -> None:
    table = pd.DataFrame({"query_id": ["1"], "doc_id": [id], number: [1]})
    for data in (table, {"1": {id: 1}}, {id: {"d": 1}}):
        with pytest.raises(IrjudgeError) as refused:
            read(data)
        assert refused.value.key == key


@pytest.mark.parametrize("kind", ["string", "Int64", "object", "float64"])
def test_a_missing_id_in_a_table_of_pandas_is_an_error(kind: str) -> None:
    table = pd.DataFrame({"query_id": "1", "doc_id": [1, None], "score": [2.0, 1.0]})
    with pytest.raises(IrjudgeError) as refused:
        irjudge.read_run(table.astype({"doc_id": kind}))
    assert refused.value.key == "no-id"


def test_words_in_tables_are_mapped_to_grades() -> None:
    grades = {"Yes": 1, "no": 0, 2: 2}
    for relevance in (["yes", "no"], ["yes", 2]):
        table = pd.DataFrame({"query_id": ["1", "1"], "doc_id": ["a", "b"], "relevance": relevance})
        assert irjudge.read_qrels(table, grades=grades).grade.tolist() == [
            grades.get(value, 1) for value in relevance
        ]
    with pytest.raises(IrjudgeError):
        irjudge.read_qrels({"1": {"a": "maybe"}}, grades=grades)
