"""Ratings of search teams' tools, whichever form they have."""

from irjudge.formats.bytes.single import Given, one_file
from irjudge.formats.ratings.json_forms import json_ratings
from irjudge.formats.ratings.rows import RatingsFile
from irjudge.formats.ratings.text_forms import text_ratings


def read_ratings(given: Given) -> RatingsFile | None:
    """Read ratings in a form of search teams' tools; None where the file has none of them."""
    with one_file(given) as file:
        if not file.path.is_file() or file.is_zip():
            return None
        return json_ratings(file) or text_ratings(file)
