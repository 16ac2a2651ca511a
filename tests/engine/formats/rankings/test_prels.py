"""Tests of TREC's judged samples of five columns, and of NIST's estimates from them."""

import json
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import FormatError
from irjudge.evaluation import estimate_runs
from irjudge.formats.rankings import read_prels
from irjudge.model import make_run

GOLDEN = json.loads(
    (Path(__file__).parents[3] / "golden" / "sample_eval.json").read_text(encoding="utf-8")
)


def write_sample(path: Path, lines: list[list[object]]) -> Path:
    path.write_text("".join(" ".join(map(str, line)) + "\n" for line in lines))
    return path


def test_nists_estimates_are_those_of_its_script(tmp_path: Path) -> None:
    sample = read_prels(write_sample(tmp_path / "prels", GOLDEN["prels"]))
    assert sample is not None and sample.dialect == "strata"
    rows = [
        (topic, name, -float(at))
        for topic, names in GOLDEN["rankings"].items()
        for at, name in enumerate(names)
    ]
    estimates = estimate_runs(
        sample.pool, sample.qrels, [make_run("r", rows)], ["xinfAP(nist)", "infNDCG(nist)"]
    )
    values = dict(zip(estimates.topics, estimates.values[0].T.tolist(), strict=True))
    assert values == {
        topic: pytest.approx(value, abs=1e-12) for topic, value in GOLDEN["values"].items()
    }
    own = (
        estimate_runs(sample.pool, sample.qrels, [make_run("r", rows)], ["xinfAP", "infNDCG"])
        .values[0]
        .T
    )
    assert (abs(own[:3] - estimates.values[0].T[:3]) > 1e-7).all()


def test_the_command_accepts_a_sample_without_a_pool(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prels = write_sample(tmp_path / "prels", GOLDEN["prels"])
    lines = [
        [topic, "Q0", name, at, -at, "t"]
        for topic, names in GOLDEN["rankings"].items()
        for at, name in enumerate(names)
    ]
    run = write_sample(tmp_path / "run", lines)
    assert main(["estimate", str(prels), str(run), "-m", "xinfAP(nist)", "--format", "csv"]) == 0
    mean = sum(value[0] for value in GOLDEN["values"].values()) / 4
    assert float(capsys.readouterr().out.splitlines()[1].split(",")[3]) == pytest.approx(mean)


def test_the_million_query_format_has_probabilities(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [
        ["1", "d-1", 1, 1, 0.5],
        ["1", "d-2", 0, 3, 1],
        ["1", "d-3", 2, 0, 0],
        ["2", "d-1", -1, 1, 0.25],
    ]
    path = write_sample(tmp_path / "prels", lines)
    sample = read_prels(path)
    assert sample is not None and sample.dialect == "probabilities"
    assert sample.pool.probability.tolist() == [
        0.5,
        1,
        1,
        0.25,
    ] and sample.pool.document.to_pylist() == ["d-1", "d-2", "d-3", "d-1"]
    assert [row[:3] for row in sample.qrels.rows()] == [
        ("1", "d-1", 1),
        ("1", "d-2", 0),
        ("1", "d-3", 2),
    ]
    run = write_sample(tmp_path / "run", [["1", "Q0", "d-1", 1, 2, "t"]])
    assert main(["estimate", str(path), str(run), "-m", "htP@10", "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1].endswith(",all,0.2")
    assert main(["estimate", str(path), str(run), "-m", "xinfAP"]) == 2
    complaint = capsys.readouterr().err
    assert "xinfAP" in complaint and "statAP, htAP, htP@10" in complaint
    assert main(["estimate", str(path), str(run), "--format", "csv"]) == 0
    assert "\nrun,statAP,all," in capsys.readouterr().out


MQ = [["1", "a", 1, 2, 0.25], ["1", "b", 0, 1, 0.5], ["1", "c", 1, 1, 0.5]]


@pytest.mark.parametrize(
    ("more", "value"),
    [
        # R = 1 + 2; at a 1/1, at c (1 + 1)/3 twice: (1 + 4/3)/3
        ([], 7 / 9),
        # skipped: not used at all, neither in R nor as judged
        ([["1", "d", 1, 1, "NA"], ["1", "e", 1, 0, "NA"]], 7 / 9),
        # MTC's document has probability 1 in any case: R = 4, at d (1 + 1 + 2)/4
        ([["1", "d", 1, 0, 0]], (1 + 4 / 3 + 1) / 4),
    ],
)
def test_additionally_judged_documents_have_probability_1(
    tmp_path: Path, more: list[list[object]], value: float
) -> None:
    sample = read_prels(write_sample(tmp_path / "prels", [*MQ, *more]))
    assert sample is not None and sample.skipped_count == sum(line[4] == "NA" for line in more)
    run = make_run("r", [("1", name, -float(at)) for at, name in enumerate("abcde")])
    estimates = estimate_runs(sample.pool, sample.qrels, [run], ["statAP"])
    assert estimates.values[0, 0, 0] == pytest.approx(value)


def test_skipped_lines_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_sample(tmp_path / "prels", [*MQ, ["2", "x", 1, 1, "NA"]])
    run = write_sample(tmp_path / "run", [["1", "Q0", "a", 1, 2, "t"], ["2", "Q0", "x", 1, 2, "t"]])
    assert main(["estimate", str(path), str(run), "--format", "csv"]) == 0
    out, err = capsys.readouterr()
    assert "(NA): 1" in err and float(out.splitlines()[1].split(",")[3]) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("lines", "key", "line", "value"),
    [
        ([["1", 0, "a", 1, 1], ["1", 0, "a", 1, 0]], "same-document", 2, "document a"),
        ([["1", 0, "a", 1, 1], ["1", 0, "b", 1]], "column-count", 2, "stratum"),
        ([["1", 0, "a", "x", 1]], "not-a-stratum", 1, "'x'"),
        ([["1", "a", 1, 1, 1.5]], "not-a-probability", 1, "'1.5'"),
        ([["1", "a", 1, 1, "x"]], "not-a-probability", 1, "'x'"),
        ([["1", "a", 1, 1, "0_1"]], "not-a-probability", 1, "'0_1'"),
        ([["1", 0, "a", 0, 1], ["1", 0, "b", 0, 99_999_999_999]], "large-number", 2, "grade"),
        ([["1", 0, "a", 0, "9" * 5000]], "large-number", 1, "grade"),
    ],
)
def test_invalid_lines_are_reported_with_their_number(
    tmp_path: Path, lines: list[list[object]], key: str, line: int, value: str
) -> None:
    with pytest.raises(FormatError) as refused:
        read_prels(write_sample(tmp_path / "prels", lines))
    assert (refused.value.key, refused.value.line) == (key, line)
    assert value in str(refused.value)


def test_other_files_are_not_samples(tmp_path: Path) -> None:
    assert read_prels(write_sample(tmp_path / "qrels", [["1", 0, "a", 1]])) is None
