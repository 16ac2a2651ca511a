"""Tests of reading in threads: pieces run in parallel, nested work stays in its thread."""

import threading
from functools import partial

import pyarrow as pa
import pytest

from irjudge.formats.rows import IrregularFile, map_in_parallel, map_parts_in_parallel


def test_nested_work_stays_in_its_thread() -> None:
    def inner(number: int) -> tuple[int, threading.Thread]:
        return number, threading.current_thread()

    def outer(number: int) -> tuple[threading.Thread, list[tuple[int, threading.Thread]]]:
        return threading.current_thread(), list(
            map_in_parallel(inner, iter(range(number, number + 3)))
        )

    result = list(map_in_parallel(outer, iter(range(8))))
    assert [[number for number, _ in made] for _, made in result] == [
        [number, number + 1, number + 2] for number in range(8)
    ]
    assert all(thread is own for own, made in result for _, thread in made)
    assert threading.current_thread() not in {thread for thread, _ in result}
    alone = {thread for _, thread in map_in_parallel(inner, iter(range(8)))}
    assert threading.current_thread() not in alone, "outside of a piece it has threads of its own"


def parts(number: int) -> list[partial[str]]:
    return [partial(str, 10 * number), partial(str, 10 * number + 1)] if number % 3 else []


@pytest.mark.parametrize("pieces", [0, 1, 2, 9])
def test_results_are_in_the_order_of_the_pieces(pieces: int) -> None:
    wanted = [(-number, [part() for part in parts(-number)]) for number in range(pieces)]
    assert list(map_parts_in_parallel(lambda number: -number, parts, iter(range(pieces)))) == wanted
    inside = list(
        map_in_parallel(
            lambda _: list(
                map_parts_in_parallel(lambda number: -number, parts, iter(range(pieces)))
            ),
            iter(range(3)),
        )
    )
    assert inside == [wanted] * 3, "in one thread too"


@pytest.mark.skipif(pa.cpu_count() < 2, reason="one core has one thread")
def test_parts_of_one_piece_run_in_parallel() -> None:
    barrier = threading.Barrier(2, timeout=60)
    assert [
        sorted(made)
        for _, made in map_parts_in_parallel(
            str, lambda _: [barrier.wait, barrier.wait], iter(range(2))
        )
    ] == [[0, 1]] * 2


@pytest.mark.parametrize("invalid", ["read", "make"])
def test_an_irregular_piece_ends_all_reading(invalid: str) -> None:
    def fail(number: int) -> int:
        if number == 3:
            raise IrregularFile
        return number

    read, make = (fail, int) if invalid == "read" else (int, fail)
    begun: list[int] = []
    pieces = (begun.append(number) or number for number in range(100))
    with pytest.raises(IrregularFile):
        list(map_parts_in_parallel(read, lambda number: [partial(make, number)], pieces))
    assert len(begun) < 20, "few are read in vain"
