"""Ratings of search teams' tools, whichever form they have."""

from irjudge.formats.bytes.one_file import Given, one_file
from irjudge.formats.ratings.json_forms import json_ratings
from irjudge.formats.ratings.rows import RatingsFile
from irjudge.formats.ratings.text_forms import book_table, text_ratings


def read_ratings(given: Given) -> RatingsFile | None:
    """Read ratings in a form of search teams' tools; None where the file has none of them."""
    with one_file(given) as file:
        if not file.path.is_file() or file.is_zip():
            return None
        return json_ratings(file) or text_ratings(file)


def read_book(given: Given) -> RatingsFile | None:
    """Read ratings that say of each whose it is, as Quepid's books do; None where the file has none."""
    with one_file(given) as file:
        if not file.path.is_file() or file.is_zip():
            return None
        book = json_ratings(file) or book_table(file)
        return book if book and book.is_signed else None


def read_answer(given: Given) -> RatingsFile | None:
    """Read what an engine ranked and how it was rated, as rank_eval answers; None where the file is no such answer."""
    with one_file(given) as file:
        if not file.path.is_file() or file.is_zip():
            return None
        answer = json_ratings(file)
        return answer if answer and answer.ranking else None
