"""Pieces are made in several threads, and what is made inside of one of them in that thread alone."""

import threading

from irjudge.formats.rows.read_in_threads import side_by_side


def test_what_is_made_inside_of_a_piece_is_made_in_its_thread() -> None:
    def inner(number: int) -> tuple[int, threading.Thread]:
        return number, threading.current_thread()

    def outer(number: int) -> tuple[threading.Thread, list[tuple[int, threading.Thread]]]:
        return threading.current_thread(), list(side_by_side(inner, iter(range(number, number + 3))))

    found = list(side_by_side(outer, iter(range(8))))
    assert [[number for number, _ in made] for _, made in found] == [[number, number + 1, number + 2] for number in range(8)]
    assert all(thread is own for own, made in found for _, thread in made)
    assert threading.current_thread() not in {thread for thread, _ in found}
    alone = {thread for _, thread in side_by_side(inner, iter(range(8)))}
    assert threading.current_thread() not in alone, "outside of a piece it has threads of its own"
