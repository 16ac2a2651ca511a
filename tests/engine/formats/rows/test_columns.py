"""Tests of column files against a slow reader, with all block boundaries and any bytes."""

import gzip
import io
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from irjudge.errors import FormatError
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.formats.rows import columns as blocks
from irjudge.model import Qrels, Run
from tests.lengths import example_count
from tests.messages import keys_and_values

NUMBER = re.compile(
    r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf(inity)?", re.IGNORECASE | re.ASCII
)
WHOLE = re.compile(r"[+-]?\d+", re.ASCII)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("columns")


@pytest.fixture
def block() -> Iterator[Callable[[int], None]]:
    """Return a function that sets the size of a block."""
    with pytest.MonkeyPatch.context() as patch:
        yield lambda size: patch.setattr(blocks, "BLOCK_BYTES", size)


# The slow reader


class WrongLine(Exception):
    pass


def filled_lines(data: bytes) -> list[tuple[int, list[str]]]:
    text = data.removeprefix(b"\xef\xbb\xbf").decode().replace("\r\n", "\n").replace("\r", "\n")
    split = [
        (number, [field for field in re.split("[ \t]", line) if field])
        for number, line in enumerate(text.split("\n"), 1)
    ]
    return [
        (number, fields) for number, fields in split if fields and not fields[0].startswith("#")
    ]


def whole(text: str) -> int:
    if not WHOLE.fullmatch(text) or not -(2**31) <= int(text) < 2**31:
        raise ValueError
    return int(text)


def parse_rank(text: str) -> int:
    """Return a rank; an invalid one counts as missing, since nothing needs it."""
    return whole(text) if WHOLE.fullmatch(text) else -1


def number_of(text: str) -> float:
    if not NUMBER.fullmatch(text):
        raise ValueError
    return float(text)


def run_fields(first: list[str]) -> Callable[[list[str]], tuple]:
    """Return a parser of lines like the first one: (topic, document, rank, score)."""
    if len(first) == 5 and WHOLE.fullmatch(first[3]) and NUMBER.fullmatch(first[4]):
        return lambda line: (
            (line[0], line[2], parse_rank(line[3]), number_of(line[4]))
            if len(line) == 5
            else raise_error()
        )
    if len(first) == 5 and NUMBER.fullmatch(first[3]):
        return lambda line: (
            (line[0], line[2], -1, number_of(line[3])) if len(line) == 5 else raise_error()
        )
    rank = parse_rank if WHOLE.fullmatch(first[3 if len(first) > 3 else 0]) else lambda text: -1
    return lambda line: (
        (line[0], line[2], rank(line[3]), number_of(line[4]))
        if 6 <= len(line) <= 9
        else raise_error()
    )


def qrels_fields(first: list[str]) -> Callable[[list[str]], tuple]:
    """Return a parser of lines like the first one: (topic, document, iteration, grade)."""
    if len(first) == 3 and WHOLE.fullmatch(first[2]):
        return lambda line: (
            (line[0], "0", line[1], whole(line[2])) if len(line) == 3 else raise_error()
        )
    return lambda line: (
        (line[0], line[1], line[2], whole(line[3])) if len(line) == 4 else raise_error()
    )


def check_negative_grades(rows: list[tuple], three: bool) -> list[tuple]:
    """Check negative grades: those without a meaning are refused, or unjudged in three columns."""
    if any(row[3] < (0 if three else -2) for row in rows):
        raise WrongLine(None)
    return rows


def raise_error() -> Any:
    raise ValueError


def slow_rows(
    data: bytes, fields: Callable[[list[str]], Callable[[list[str]], tuple]]
) -> list[tuple]:
    """Read rows and their line numbers one by one; WrongLine names the first invalid line."""
    lines = filled_lines(data)
    if not lines:
        raise WrongLine(None)
    read = fields(lines[0][1])
    rows = []
    for number, line in lines:
        try:
            rows.append((*read(line), number))
        except (ValueError, IndexError) as error:
            raise WrongLine(number) from error
    return rows


def group_rows(rows: list[tuple], key: Callable[[tuple], tuple]) -> list[tuple]:
    """Order by the first occurrence of each topic, and omit later rows of the same key."""
    topics = list(dict.fromkeys(row[0] for row in rows))
    first = {key(row): row for row in reversed(rows)}
    unique = [row for row in rows if first[key(row)] is row]
    return sorted(unique, key=lambda row: topics.index(row[0]))


def run_rows(run: Run) -> list[tuple]:
    topics = [run.topics[code] for code in run.topic]
    return list(
        zip(
            topics,
            run.document.to_pylist(),
            run.rank.tolist(),
            run.score.tolist(),
            run.line.tolist(),
            strict=True,
        )
    )


def qrels_rows(qrels: Qrels) -> list[tuple]:
    names = qrels.documents.to_pylist()
    columns_ = zip(qrels.topic, qrels.group, qrels.document, qrels.grade.tolist(), strict=True)
    return [
        (qrels.topics[topic], qrels.groups[group], names[document], grade)
        for topic, group, document, grade in columns_
    ]


# Messy files

IDS = st.sampled_from(
    [
        "051",
        "7",
        "007",
        "NA",
        '"a',
        '"b"',
        "a#b",
        "'",
        "null",
        "ä",
        "文",
        "😀",
        "d1",
        "d2",
        "d3",
        "-",
        "1e5",
        "0x1f",
        "a,b",
        "\\",
    ]
)
TOPICS = st.sampled_from(["1", "2", "01", "NA", "x#"])
WHOLES = st.sampled_from(["0", "1", "2", "3", "17", "-1", "+2", "007"])
SCORES = st.sampled_from(
    [
        "1",
        "0.5",
        "-3.25",
        "1e3",
        "2.5E-3",
        ".5",
        "5.",
        "+1.5",
        "inf",
        "-Infinity",
        "-0",
        "0",
        "12.125",
    ]
)
BAD = st.sampled_from(
    ["x", "0x10", "1_0", "nan", "--1", "1e", "4000000000", "1,5", "١", "", "1 1 1 1 1 1", "1\v"]
)
GAPS = st.sampled_from([" ", "\t", "  ", "\t\t", " \t "])
EDGES = st.sampled_from(["", "", "", " ", "\t", " \t"])
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])
NOTHING = st.sampled_from(["", " ", "\t \t", "#", "# a b c d", " # indented", "#NA 0 d1 1"])


@st.composite
def messy_file(draw: st.DrawFn, lines: st.SearchStrategy[list[str]], wrongs: bool) -> bytes:
    gap = draw(st.sampled_from([st.just(" "), st.just("\t"), GAPS]))
    end = draw(st.sampled_from([st.just("\n"), ENDS]))
    text = draw(st.sampled_from(["", "", "\ufeff"]))
    for fields in draw(st.lists(lines, min_size=1, max_size=12)):
        while draw(st.integers(0, 5)) == 5:
            text += draw(NOTHING) + draw(end)
        if wrongs and draw(st.integers(0, 9)) == 9:
            fields[draw(st.integers(0, len(fields) - 1))] = draw(BAD)
        text += (
            draw(EDGES)
            + "".join(field + draw(gap) for field in fields[:-1])
            + fields[-1]
            + draw(EDGES)
            + draw(end)
        )
    return (text if draw(st.booleans()) else text.rstrip("\r\n")).encode()


def fields_of(*strategies: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    return st.tuples(*strategies).map(list)


Q0, TAG = st.sampled_from(["Q0", "0", "ITER"]), st.sampled_from(["tag", "other", "7"])
FULL = fields_of(TOPICS, Q0, IDS, WHOLES, SCORES, TAG)
LONGER = st.builds(lambda line, more: line + more, FULL, st.lists(TAG, max_size=4))
RUNS = (
    FULL,
    LONGER,
    fields_of(TOPICS, Q0, IDS, SCORES, SCORES, TAG),
    fields_of(TOPICS, Q0, IDS, WHOLES, SCORES),
    # otherwise it is the document
    fields_of(TOPICS, st.sampled_from(["Q0", "0"]), IDS, SCORES, TAG),
)
RUN_FILES = st.one_of(*(messy_file(lines, wrongs) for lines in RUNS for wrongs in (False, True)))
QRELS_FILES = st.booleans().flatmap(
    lambda wrongs: messy_file(
        fields_of(TOPICS, st.sampled_from(["0", "1", "2"]), IDS, WHOLES), wrongs
    )
)
BLOCKS = st.sampled_from([4, 5, 7, 16, 33, 64, 1 << 20])


def check(
    read: Callable[[Path], Any],
    rows: Callable[[Any], list[tuple]],
    path: Path,
    data: bytes,
    size: int,
    expect: Callable[[], list],
) -> None:
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BLOCK_BYTES", size)
        try:
            expected = expect()
        except WrongLine as error:
            with pytest.raises(FormatError) as error_info:
                read(path)
            assert error_info.value.line == error.args[0]
        else:
            assert rows(read(path)) == expected


@pytest.mark.slow
@settings(max_examples=example_count(250), deadline=None)
@given(RUN_FILES, BLOCKS)
@example(b"1 Q0 d1 1 2.0 t\n1  d2 1 2.0 t\n", 1 << 20)
@example(b"1 Q0 d1 x 2.0 t\n1 Q0 d2  2.0 t\n", 1 << 20)
@example(
    b"1 Q0 d1 1 2.0 t\n1 Q0 d2 0x10 2.0 t\n1 Q0 d3 1.5 2.0 t\n1 Q0 d4 9999999999 2.0 t\n", 1 << 20
)
@example(b"1 Q0 d1 1 2.0 t\r\r\n1 Q0 d2 1 x t\r\n", 1 << 20)
@example(b"1 Q0 d1 1 2.0 t\r1 Q0 d2 1 1 t\n1 Q0 d3 1 x t\n", 16)
def test_a_run_reads_as_the_slow_reader_reads_it(folder: Path, data: bytes, size: int) -> None:
    first = next((fields for _, fields in filled_lines(data)), [])
    assume(len(first) not in (4, 5))  # without Q0 and tag

    def expect() -> list[tuple]:
        return group_rows(slow_rows(data, run_fields), lambda row: row[:2])

    check(read_run, run_rows, folder / "a.run", data, size, expect)


@pytest.mark.slow
@settings(max_examples=example_count(250), deadline=None)
@given(QRELS_FILES, BLOCKS)
@example(b"1 0 d1 0x1\n", 1 << 20)
@example(b"1 0 051 0\n1 1 1 1 1 1 0 051 0\n", 4)  # not a query and its documents
@example(b"1 0 d1 000000000000001\n1 0 d2 +1\n", 1 << 20)
@example(b"1 0 d1 -2147483648\n1 0 d2 +1\n", 1 << 20)
@example(b" 0 051 0\n", 1 << 20)
@example(b"0 051 -1\n", 1 << 20)
@example(b"0 051 1\n1 0 d1 1\n", 1 << 20)
def test_qrels_read_as_the_slow_reader_reads_them(folder: Path, data: bytes, size: int) -> None:
    first = next((fields for _, fields in filled_lines(data)), [])
    assume(len(first) != 2)  # topic and document only: no grades to read

    def expect() -> list[tuple]:
        return check_negative_grades(
            [row[:-1] for row in group_rows(slow_rows(data, qrels_fields), lambda row: row[:3])],
            len(first) == 3,
        )

    check(read_qrels, qrels_rows, folder / "a.qrels", data, size, expect)


@settings(max_examples=example_count(150), deadline=None)
@given(RUN_FILES, st.sampled_from([4, 9, 1 << 20]))
def test_missing_columns_are_counted(folder: Path, data: bytes, size: int) -> None:
    path = folder / "b.run"
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BLOCK_BYTES", size)
        try:
            warnings = read_run(path).warnings
        except FormatError:
            return
    longer = sum(len(fields) > 6 for _, fields in filled_lines(data))
    messages = [
        each[1:] for each in keys_and_values(warnings, "file", "longer") if each[0] == "long-lines"
    ]
    assert messages == ([("b.run", f"{longer:,}")] if longer else [])


# Arbitrary bytes

VALID = b"1 Q0 d1 1 2.5 tag\n1\tQ0\td2\t2\t2.5\ttag extra\r\n# note\n\n2 Q0 d#3 0 -1e3 tag\n"
MAGIC = b"\x1f\x8b\x08\x00"
BYTES = st.one_of(
    st.binary(max_size=200),
    st.binary(max_size=60).map(MAGIC.__add__),
    st.text("1 \t\nQ0d.#\r\0é", max_size=80).map(str.encode),
)


@st.composite
def damaged_bytes(draw: st.DrawFn, data: bytes) -> bytes:
    """Return the data truncated, or with some bytes changed or inserted."""
    result = bytearray(data[: draw(st.integers(0, len(data)))] if draw(st.booleans()) else data)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(result)))
        result[at : at + draw(st.integers(0, 2))] = draw(st.binary(max_size=3))
    return bytes(result)


@settings(max_examples=example_count(600), deadline=None)
@given(
    st.one_of(BYTES, damaged_bytes(VALID), damaged_bytes(gzip.compress(VALID, mtime=0))),
    st.sampled_from([read_run, read_qrels]),
    BLOCKS,
)
def test_no_bytes_make_a_reader_crash(
    folder: Path, data: bytes, read: Callable[[Path], Any], size: int
) -> None:
    path = folder / "c"
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BLOCK_BYTES", size)
        try:
            read(path)
        except FormatError as error:
            assert str(error).startswith("c") and str(error).endswith(".")


# Positions in messages


@pytest.mark.parametrize("size", [4, 11, 64, 1 << 20])
@pytest.mark.parametrize("before", [0, 1, 2, 7, 40])
def test_an_error_names_its_line_across_blocks_blank_lines_and_comments(
    tmp_path: Path, block: Callable, size: int, before: int
) -> None:
    block(size)
    path = tmp_path / "q"
    path.write_text("# head\r\n\r\n" + "1 0 d 1\n# between\n\n" * before + "1 0 e 4u\n")
    with pytest.raises(FormatError) as refused:
        read_qrels(path)
    assert (refused.value.key, refused.value.line) == ("not-whole", 3 * before + 3)
    assert refused.value.path.name == "q" and "grade '4u'" in refused.value.problem


def test_an_error_counts_further_invalid_lines(tmp_path: Path) -> None:
    path = tmp_path / "q"
    path.write_text("1 0 d 1\n1 0 e\n1 0 f\n1 0 g h i\n")
    with pytest.raises(FormatError) as refused:
        read_qrels(path)
    values = refused.value.values
    assert (refused.value.key, refused.value.line) == ("column-count", 2)
    assert (values["count"], values["wrong"]) == ("3", "2")
    assert values["expected"] == "4 (topic, iteration, document, grade)"


def test_quoted_input_is_shortened_to_a_line(tmp_path: Path) -> None:
    path = tmp_path / "q"
    path.write_text("1 0 d " + "x" * 100_000 + "\n")
    with pytest.raises(FormatError) as error:
        read_qrels(path)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "the file has no lines to read"),
        (b"\xef\xbb\xbf\n# only\n \t\n", "the file has no lines to read"),
        (b"1 0 a 1\n1 0 \xff 1\n", r", line 2: document '.' is not UTF-8"),
        (b"1 0 a 1\n1 0 b\0 1\n", ", line 2: contains a zero byte"),
        (b"1 0 a 1\n\n1 0 b 9999999999\n", ", line 3: grade '9999999999' is too large"),
        (MAGIC, "cannot be read completely"),
        (MAGIC + b"\0\0\0\0\0\0" + b"\xff" * 20, "damaged"),
        (gzip.compress(b"1 0 a 1\n", mtime=0)[:-3], "cannot be read completely"),
        (gzip.compress(b"1 0 a 1\n", mtime=0)[:-5] + b"abcde", "cannot be read completely"),
    ],
)
def test_a_file_that_is_not_text_is_explained(tmp_path: Path, data: bytes, sentence: str) -> None:
    path = tmp_path / "q"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=f"^q.*{sentence}"):
        read_qrels(path)


@pytest.mark.parametrize("name", ["missing", "folder"])
def test_a_path_that_is_not_a_file_is_explained(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(FormatError, match=f"{name}: cannot be read"):
        read_qrels(tmp_path / name)


# Size and speed


@pytest.mark.parametrize("size", [16, 64, 1 << 20])
@pytest.mark.parametrize("length", [1024, 1025])
def test_an_overlong_line_is_refused_at_any_block_boundary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, length: int
) -> None:
    monkeypatch.setattr(blocks, "BLOCK_BYTES", size)
    monkeypatch.setattr(blocks, "MAX_LINE_BYTES", 1024)
    path = tmp_path / "q"
    path.write_text("1 0 a 1\n1 0 " + "d" * (length - 6) + " 1\n" + "1 0 b 1\n" * 300)
    if length <= 1024:
        assert len(read_qrels(path)) == 3
    else:
        with pytest.raises(FormatError) as refused:
            read_qrels(path)
        assert (refused.value.key, refused.value.line) == ("long-line", 2)
        assert refused.value.values["limit"] == "1,024"


def many_lines(form: str, count: int = 6_000) -> bytes:
    return "".join(
        form.format(
            topic=index // 1000,
            document=f"doc{index}",
            rank=index % 1000,
            score=1000 - index % 1000,
        )
        for index in range(count)
    ).encode()


FORMS = {
    "regular": "{topic} Q0 {document} {rank} {score}.5 tag\n",
    "tabs": "{topic}\tQ0\t{document}\t{rank}\t{score}.5\ttag\n",
    "mixed": " {topic} \tQ0  {document}\t{rank} {score}.5 tag\r\n",
    "longer": "{topic} Q0 {document} {rank} {score}.5 tag more columns\n",
    "hash": "{topic} Q0 #{document} {rank} {score}.5 tag\n",
    "blank": "{topic} Q0 {document} {rank} {score}.5 tag\n\n",
    "comments": "{topic} Q0 {document} {rank} {score}.5 tag\n# note\n",
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_no_object_is_created_per_line_of_a_run(
    tmp_path: Path, count_most_objects: Callable, form: str
) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(many_lines(form))
    read_run(path)
    assert count_most_objects(lambda: read_run(path)) < 5_000


@pytest.mark.parametrize("end", ["\n", "\n\n"])
def test_no_object_is_created_per_line_of_qrels(
    tmp_path: Path, count_most_objects: Callable, end: str
) -> None:
    path = tmp_path / "a.qrels"
    path.write_bytes(many_lines("{topic} 0 {document} 1" + end))
    read_qrels(path)
    assert count_most_objects(lambda: read_qrels(path)) < 5_000


READ_IN_LITTLE_MEMORY = r"""
import re, sys
from pathlib import Path
from irjudge.errors import FormatError
from irjudge.formats.rows import columns as blocks
from irjudge.formats.rankings.qrels import read_qrels
blocks.BLOCK_BYTES = 1 << 20
def highest():
    return int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1])
before = highest()
try:
    print(len(read_qrels(Path(sys.argv[1]))))
except FormatError as error:
    print(error)
print(highest() - before, "kB")
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux how much memory was used")
@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"# %016x a comment of some length that says little\n", "1\n"),
        (b"x" * 50, "a line is longer than"),
    ],
)
def test_memory_depends_on_content_not_on_decompressed_size(
    tmp_path: Path, line: bytes, answer: str
) -> None:
    path = tmp_path / "q.gz"
    part = b"".join(
        line % (number * 2654435761 % 2**64) if b"%" in line else line for number in range(50_000)
    )
    path.write_bytes(gzip.compress(b"1 0 d 1\n") + 30 * gzip.compress(part, 1))
    answered = subprocess.run(
        [sys.executable, "-c", READ_IN_LITTLE_MEMORY, path],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert answer in answered
    assert int(answered.split()[-2]) < 60_000, answered


READ_STANDARD_INPUT = """
from pathlib import Path
from irjudge.formats.rankings.qrels import read_qrels
print(read_qrels(Path("/dev/stdin")).grade.tolist())
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="standard input has no path here")
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_pipe_is_read_from_its_first_byte(pack: Callable[[bytes], bytes]) -> None:
    given = pack(b"1 0 d1 1\n1 0 d2 0\n")
    answer = subprocess.run(
        [sys.executable, "-c", READ_STANDARD_INPUT],
        input=given,
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert answer.stdout == b"[1, 0]\n"


@pytest.mark.slow
class KeepingReader(io.BytesIO):
    """File that stores the buffers it filled, as a profiler that keeps the frame does."""

    kept: memoryview

    def readinto(self, target: Any) -> int:
        self.kept = memoryview(target)
        return super().readinto(target)


def test_a_file_is_read_while_its_buffer_is_referenced() -> None:
    text = b"".join(b"%d 0 d%d 1\n" % (number % 7, number) for number in range(1000))
    read = [bytes(block.data) for block in blocks.iter_blocks(Path("q"), KeepingReader(text))]
    assert b"".join(read) == text


@pytest.mark.parametrize("width", [7, 8, 10])  # blocks of 10 and 5 lines, or parts of lines
def test_blocks_that_are_still_used_are_not_overwritten(
    monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    """Arrow's threads may use the memory of a block for a while after the block was parsed."""
    monkeypatch.setattr(blocks, "FIRST_BLOCK_BYTES", 80)
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 80)
    lines = [b"%d 0 %d\n" % (number % 10, number) for number in range(1000)]
    text = b"".join(line.rstrip().ljust(width - 1, b"x") + b"\n" for line in lines)
    read = [memoryview(block.data) for block in blocks.iter_blocks(Path("q"), io.BytesIO(text))]
    assert b"".join(read) == text


def test_a_small_file_takes_little_memory(folder: Path) -> None:
    path = folder / "small.run"
    path.write_bytes(b"7 Q0 d1 1 2.0 bm25\n")
    read_run(path)  # imports the modules that reading needs
    tracemalloc.start()
    try:
        read_run(path)
        assert tracemalloc.get_traced_memory()[1] < blocks.BLOCK_BYTES // 8
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("comment", ["#", " \t# a b", "", " \t", "#\tQ0"])
def test_the_first_row_follows_any_number_of_comments_and_blank_lines(tmp_path, comment):
    path = tmp_path / "a.qrels"
    path.write_text(f"{comment}\n" * 5000 + " 1\t0 a 1\n")
    assert list(read_qrels(path).rows()) == [("1", "a", 1)]
    path.write_text(f"{comment}\n" * 5000 + "1 0 a 1 2 3 4\n")
    with pytest.raises(FormatError) as error:
        read_qrels(path)
    assert error.value.line == 5001
