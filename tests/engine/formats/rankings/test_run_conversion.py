"""Tests of `irjudge convert`: same values afterwards, and no loss if the disk fails."""

import numpy as np
import pyarrow.parquet
import pytest

from irjudge.cli.main import main
from irjudge.errors import FormatError, IrjudgeError
from irjudge.evaluation import Policy, evaluate_runs, parse_measures, read_ranking
from irjudge.formats.rankings import column_runs as ordered_runs
from irjudge.formats.rankings import column_runs as parquet_writer
from irjudge.formats.rankings import convert_runs, read_qrels, read_run
from irjudge.model import make_run

MEASURES = parse_measures("AP nDCG@5 RR bpref".split())


def make_sample_run(prefix: str = "d", name: str = "a", *, ordered: bool = False):
    """Return a run with ties, whose rows are ordered, mostly ordered, or unordered by score."""
    random = np.random.default_rng(3)
    rows = [
        (f"t{t}", f"{prefix}{d}", round(float(random.normal()), 0 if ordered else 1))
        for t in (3, 1, 10, 2)
        for d in random.choice(50, 9, replace=False)
    ]
    return make_run(name, sorted(rows, key=lambda row: -row[2]) if ordered else rows)


@pytest.mark.parametrize(
    ("prefix", "ordered"),
    [("d", False), ("", False), ("0", True), ("é", False), ("d", True), ("", True)],
)
@pytest.mark.parametrize("ties", ["trec", "file", "docno"])
def test_converted_runs_give_the_same_bits(tmp_path, prefix, ordered, ties, monkeypatch):
    monkeypatch.setattr(parquet_writer, "ROW_GROUP_SIZE", 7)
    monkeypatch.setattr(ordered_runs, "MIN_ROWS_PER_MOVED_ROW", 1 if ordered else 4)
    run = make_sample_run(prefix, ordered=ordered)
    (tmp_path / "q").write_text(
        "".join(f"t{t} 0 {prefix}{d} {d % 4}\n" for t in (1, 2, 3, 10) for d in range(40)),
        encoding="utf-8",
    )
    [folder] = convert_runs([run], tmp_path / "out")
    qrels, policy = read_qrels(tmp_path / "q"), Policy(ties=ties)
    rows = [
        evaluate_runs(qrels, [each], MEASURES, policy).runs[0]
        for each in (run, read_ranking(folder, qrels, policy))
    ]
    assert rows[0].values.tobytes() == rows[1].values.tobytes()
    assert rows[0].summary.tobytes() == rows[1].summary.tobytes()
    assert rows[0].coverage == rows[1].coverage
    assert folder.name == "run=a"
    assert (folder / "_order.parquet").exists() == ordered
    part = folder / "part-0.parquet"
    # by another program, which keeps the metadata
    pyarrow.parquet.write_table(pyarrow.parquet.read_table(part).slice(2), part)
    with pytest.raises(FormatError):
        read_ranking(folder, qrels, policy)
    (folder / "_checksums.json").unlink()
    fewer = [
        evaluate_runs(qrels, [each], MEASURES, policy).runs[0]
        for each in (read_run(part, "a"), read_ranking(folder, qrels, policy))
    ]
    assert fewer[0].values.tobytes() == fewer[1].values.tobytes() != rows[0].values.tobytes()


def test_documents_are_integers_and_rows_are_ordered_by_topic(tmp_path):
    [coded], [plain] = (
        convert_runs([make_sample_run(prefix, name)], tmp_path)
        for prefix, name in (("d", "coded"), ("", "plain"))
    )
    for folder in (coded, plain):
        table = pyarrow.parquet.read_table(folder / "part-0.parquet")
        assert str(table.schema.field("document").type) == "int32"
        topics = table["topic"].to_pylist()
        assert topics == sorted(topics)
    assert {each.name for each in plain.iterdir()} <= {
        "_checksums.json",
        "_order.parquet",
        "part-0.parquet",
    }
    assert read_run(coded).document.to_pylist() == [
        f"d{each}" for each in read_run(plain).document.to_pylist()
    ]


def test_a_run_converted_again_is_replaced_and_other_folders_are_not(tmp_path):
    convert_runs([make_sample_run()], tmp_path)
    convert_runs([make_run("a", [("1", "x", 1.0)])], tmp_path)
    assert read_run(tmp_path / "run=a").document.to_pylist() == ["x"]
    assert len([*(tmp_path / "run=a").glob("_documents*")]) == 1
    (tmp_path / "run=b").mkdir()
    (tmp_path / "run=b" / "thesis.parquet").write_text("mine")
    with pytest.raises(IrjudgeError) as refused:
        convert_runs([make_sample_run(name="b")], tmp_path)
    assert (refused.value.key, refused.value.values["target"]) == ("other-folder", "run=b")
    assert (tmp_path / "run=b" / "thesis.parquet").read_text() == "mine"


def test_runs_of_several_folders_are_converted_into_distinct_folders(tmp_path):
    for folder, document in (("bm25", "d1"), ("dense", "d2")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "r.run").write_text(f"1 Q0 {document} 1 2.0 tag\n")
    files = [str(tmp_path / folder / "r.run") for folder in ("bm25", "dense")]
    assert main(["convert", *files, "-o", str(tmp_path / "out")]) == 0
    assert read_run(tmp_path / "out" / "run=bm25_r").document.to_pylist() == ["d1"]
    assert read_run(tmp_path / "out" / "run=dense_r").document.to_pylist() == ["d2"]


def test_two_runs_of_one_folder_name_are_refused(tmp_path):
    with pytest.raises(IrjudgeError) as refused:
        convert_runs([make_sample_run(name="a_b"), make_sample_run(name="a/b")], tmp_path)
    assert (refused.value.key, refused.value.values["target"]) == ("same-folder", "run=a_b")


def test_a_failed_read_back_replaces_nothing(tmp_path, monkeypatch):
    convert_runs([make_sample_run()], tmp_path)
    before = read_run(tmp_path / "run=a").document.to_pylist()
    write = pyarrow.parquet.write_table
    monkeypatch.setattr(
        pyarrow.parquet,
        "write_table",
        lambda table, *more, **how: write(table.slice(0, table.num_rows - 1), *more, **how),
    )
    with pytest.raises(IrjudgeError) as refused:
        convert_runs([make_sample_run(prefix="")], tmp_path)
    assert refused.value.key == "not-as-written"
    assert read_run(tmp_path / "run=a").document.to_pylist() == before
    assert not [each for each in (tmp_path / "run=a").iterdir() if each.suffix == ".part"]


def test_a_number_of_nineteen_digits_is_found(tmp_path):
    ids = ["9223372036854775807", "1234567890123456789", "99999999999999999999"]
    for each in ids:
        (tmp_path / "q").write_text(f"1 0 {each} 1\n1 0 99999999999999999998 1\n")
        [folder] = convert_runs([make_run("a", [("1", each, 2.0), ("1", "5", 1.0)])], tmp_path)
        qrels = read_qrels(tmp_path / "q")
        assert evaluate_runs(
            qrels, [read_ranking(folder, qrels, Policy())], parse_measures(["RR"])
        ).runs[0].summary.tolist() == [1.0]
