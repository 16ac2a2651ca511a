"""Tests of checksums of converted runs: a changed bit is an error; checksums are optional."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest

import irjudge
from irjudge.cli.main import main
from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.bytes import parse_location
from irjudge.formats.rankings import column_runs as parquet_writer
from irjudge.formats.rankings import convert_runs, read_run
from irjudge.model import make_run

LIST = "_checksums.json"


@pytest.fixture
def qrels(tmp_path: Path) -> Path:
    path = tmp_path / "q.txt"
    path.write_text("".join(f"t{t} 0 d{d} {d % 3}\n" for t in range(4) for d in range(30)))
    return path


def rows(seed: int = 1, prefix: str = "d") -> list[tuple[str, str, float]]:
    random = np.random.default_rng(seed)
    return [
        (f"t{t}", f"{prefix}{d}", 9.0 - index + (index % 20 == 9))
        for t in range(4)
        for index, d in enumerate(random.permutation(60)[:40])
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a converted run with document codes, an order, and several row groups."""
    monkeypatch.setattr(parquet_writer, "ROW_GROUP_SIZE", 50)
    [folder] = convert_runs([make_run("a", rows())], tmp_path / "out")
    names = sorted(each.name.partition("-")[0] for each in folder.iterdir())
    assert names == [LIST, "_documents", "_order.parquet", "part"]
    return folder


def values(qrels: Path, folder: Path | str) -> list[Any]:
    frame = irjudge.evaluate(qrels, str(folder), ["AP", "nDCG", "num_ret"], per_topic=True)
    return frame.to_numpy().tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", [LIST, "_documents", "_order", "part"])
@pytest.mark.parametrize("seed", range(2))
def test_a_changed_bit_is_an_error_or_has_no_effect(
    qrels: Path, folder: Path, name: str, seed: int
) -> None:
    expected, refused = values(qrels, folder), 0
    random = np.random.default_rng(seed)
    for number in range(30):
        copy = Path(shutil.copytree(folder, folder.with_name(f"run={number}")))
        (path,) = copy.glob(f"{name}*")
        data = bytearray(path.read_bytes())
        data[random.integers(len(data))] ^= 1 << int(random.integers(8))
        path.write_bytes(data)
        try:
            assert [row[1:] for row in values(qrels, copy)] == [row[1:] for row in expected]
        except IrjudgeError:
            refused += 1
        try:
            assert read_run(copy).document.equals(read_run(folder).document)
        except IrjudgeError:
            refused += 1
    assert refused > 20


def test_a_changed_score_is_named_by_its_row_group(qrels: Path, folder: Path) -> None:
    path = folder / "part-0.parquet"
    chunk = pyarrow.parquet.read_metadata(path).row_group(2).column(2)
    data = bytearray(path.read_bytes())
    data[chunk.data_page_offset + chunk.total_compressed_size - 1] ^= 64
    path.write_bytes(data)
    with pytest.raises(FormatError, match="row group 3") as raised:
        read_run(folder)
    assert raised.value.path.name == "part-0.parquet"
    assert main(["evaluate", str(qrels), str(folder), "-m", "AP"]) in (0, 2)


def test_a_damaged_list_of_checksums_is_an_error(folder: Path) -> None:
    for text in ("", "{", "[]", '{"files": 1}', "[" * 100_000):
        (folder / LIST).write_text(text)
        with pytest.raises(FormatError):
            read_run(folder)
    listed = {"files": {}, "digest": "0" * 32}
    (folder / LIST).write_text(json.dumps(listed))
    with pytest.raises(FormatError):
        read_run(folder)


@pytest.mark.parametrize("added", ["part-1.parquet", "a.parquet", "more/part-0.parquet"])
def test_a_file_added_to_a_converted_run_is_an_error(
    tmp_path: Path, folder: Path, added: str
) -> None:
    [other] = convert_runs([make_run("b", rows(2))], tmp_path / "other")
    (folder / added).parent.mkdir(exist_ok=True)
    shutil.copy(other / "part-0.parquet", folder / added)
    with pytest.raises(FormatError) as caught:
        read_run(folder)
    assert caught.value.values["problem"].key == "added-to-run"


def test_a_run_converted_without_checksums_is_read_and_reported(qrels: Path, folder: Path) -> None:
    expected = values(qrels, folder)
    sound = read_run(folder)
    (folder / LIST).unlink()
    assert values(qrels, folder) == expected
    run = read_run(folder)
    assert run.document.equals(sound.document)
    (warning,) = set(run.warnings) - set(sound.warnings)
    assert warning.values["file"] == folder.name


def test_runs_of_other_programs_are_not_reported(tmp_path: Path) -> None:
    columns = {"topic": ["1"], "document": ["d"], "score": [1.0]}
    (tmp_path / "run=b").mkdir()
    path = tmp_path / "run=b" / "part-0.parquet"
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
    assert len(read_run(path.parent).warnings) == 1


@pytest.mark.parametrize("stopped", [1, 2, 3])
def test_an_interrupted_conversion_leaves_a_readable_run(
    tmp_path: Path, folder: Path, stopped: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = read_run(folder), make_run("a", rows(2, "e"))
    replaced = 0
    replace = Path.replace

    def replace_or_stop(path: Path, target: Path) -> Any:
        nonlocal replaced
        if not target.name.endswith(".json"):
            replaced += 1
            if replaced == stopped:
                raise KeyboardInterrupt
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", replace_or_stop)
    with pytest.raises(KeyboardInterrupt):
        convert_runs([new], folder.parent)
    run = read_run(folder)
    wanted = old if stopped < 3 else read_run(convert_runs([new], tmp_path / "other")[0])
    assert run.document.equals(wanted.document)
    monkeypatch.undo()
    convert_runs([new], folder.parent)
    assert sorted(read_run(folder).document.to_pylist()) == sorted(new.document.to_pylist())
    listed = json.loads((folder / LIST).read_text())["files"]
    assert {len(each) for each in listed.values()} == {1}
    assert {LIST, *listed} == {each.name for each in folder.iterdir()}


def test_checksums_at_an_address_are_verified(qrels: Path, folder: Path) -> None:
    store = pytest.importorskip("fsspec").filesystem("memory")
    store.put(str(folder), "/checked/run=a", recursive=True)
    address = "memory://checked/run=a"
    assert values(qrels, address) == values(qrels, folder)
    data = bytearray((folder / "part-0.parquet").read_bytes())
    data[100] ^= 1
    store.pipe("/checked/run=a/part-0.parquet", bytes(data))
    with pytest.raises(FormatError):
        read_run(parse_location(address))
    store.rm("/checked", recursive=True)


@pytest.mark.parametrize("seed", range(4))
def test_changed_bits_without_checksums_give_values_or_one_error(
    qrels: Path, folder: Path, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / LIST).unlink()
    random = np.random.default_rng(seed)
    for number in range(20):
        copy = Path(shutil.copytree(folder, folder.with_name(f"run={number}")))
        files = sorted(copy.iterdir())
        path = files[random.integers(len(files))]
        data = bytearray(path.read_bytes())
        for offset in random.integers(0, len(data), random.integers(1, 4)):
            data[offset] ^= 1 << int(random.integers(8))
        path.write_bytes(data)
        assert main(["evaluate", str(qrels), str(copy), "-m", "AP"]) in (0, 2)
        assert "Traceback" not in capsys.readouterr().err
