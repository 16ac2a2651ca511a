"""Tests of metadata in comments at the start of a run: kept, and written again.

The marks are those of `repro_eval` (irgroup/repro_eval, repro_eval/metadata.py, commit af2d009),
whose `MetadataHandler` writes them.
"""

from pathlib import Path

import pytest

from irjudge.evaluation import find_judged_ranks
from irjudge.evaluation.judged_runs import read_judged_ranks
from irjudge.formats.rankings import read_run, write_run
from irjudge.model import make_qrels, make_run
from tests.messages import keys_and_values

YAML = "tag: bm25\nactor:\n  team: 'ℓ lab'\n\nmethod:\n  retrieval:\n    - name: bm25"
HEAD = (
    "# ir_metadata.start\n"
    + "".join(f"# {line}".rstrip() + "\n" for line in YAML.split("\n"))
    + "# ir_metadata.end\n"
)
ROWS = "1 Q0 b 1 9.5 t\n1 Q0 a 2 8 t\n2 Q0 a 1 3 t\n"
QRELS = make_qrels([("1", "a", 2), ("2", "a", 1), ("2", "c", 1)])


def write_run_file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "r.run"
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        HEAD + ROWS,
        "\ufeff# by us\n\n" + HEAD + "# and more\n" + ROWS,
        (HEAD + ROWS).replace("\n", "\r\n"),
        HEAD + ROWS.rstrip("\n"),
        "# " + "x" * 300_000 + "\n" + HEAD + ROWS,
    ],
)
def test_metadata_is_kept_and_does_not_change_the_ranking(tmp_path: Path, text: str) -> None:
    run = read_run(write_run_file(tmp_path, text))
    assert run.metadata == YAML and not run.warnings
    assert run.document.to_pylist() == ["b", "a", "a"] and run.score.tolist() == [9.5, 8, 3]


def test_metadata_is_written_before_the_lines(tmp_path: Path) -> None:
    run = read_run(write_run_file(tmp_path, HEAD + ROWS))
    write_run(tmp_path / "again.run", run)
    assert (tmp_path / "again.run").read_text("utf-8").startswith(HEAD + "1 Q0 b 1 9.5 ")
    assert read_run(tmp_path / "again.run").metadata == YAML == run.select_topics(["2"]).metadata
    write_run(tmp_path / "none.run", make_run("a", [("1", "d", 1.0)]))
    assert (tmp_path / "none.run").read_text() == "1 Q0 d 1 1.0 a\n"


@pytest.mark.parametrize(
    "head", [HEAD, "# one comment\n", "\n  # indented\n\n", "# " + "x" * 300_000 + "\n"]
)
def test_comments_at_the_start_do_not_slow_down_a_regular_run(tmp_path: Path, head: str) -> None:
    path = write_run_file(tmp_path, head + ROWS)
    fast = read_judged_ranks(path, QRELS)
    assert fast is not None
    slow = find_judged_ranks(read_run(path), QRELS)
    assert fast.topics == slow.topics
    assert all(
        (getattr(fast, name) == getattr(slow, name)).all()
        for name in ("sizes", "topic", "rank", "document")
    )


@pytest.mark.parametrize(
    "text", [ROWS[:15] + "# late\n" + ROWS[15:], "# " + "x" * (2 << 20) + "\n" + ROWS]
)
def test_other_comments_are_left_to_the_full_reader(tmp_path: Path, text: str) -> None:
    assert read_judged_ranks(write_run_file(tmp_path, text), QRELS) is None


def test_an_unterminated_or_invalid_block_is_ignored_with_a_warning(tmp_path: Path) -> None:
    run = read_run(write_run_file(tmp_path, HEAD.replace("# ir_metadata.end\n", "") + ROWS))
    assert run.metadata == "" and len(run) == 3
    assert keys_and_values(run.warnings)[0] == ("metadata-without-end",)
    path = tmp_path / "latin.run"
    path.write_bytes((HEAD.replace("ℓ", "é") + ROWS).encode("latin-1"))
    run = read_run(path)
    assert run.metadata == "" and len(run) == 3
    assert keys_and_values(run.warnings)[0] == ("metadata-not-utf8",)


def test_metadata_of_a_run_with_short_lines_is_kept_too(tmp_path: Path) -> None:
    run = read_run(write_run_file(tmp_path, HEAD + "1\ta\t1\n1\tb\t2\n"))
    assert run.metadata == YAML and run.document.to_pylist() == ["a", "b"]
