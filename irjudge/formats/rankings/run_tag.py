"""The tag of a TREC run, which trec_eval prints as its name."""

from pathlib import Path

from irjudge.formats.bytes.single import open_plain
from irjudge.formats.bytes.utf8 import numbered_lines

TAG = 6


def read_tag(path: Path) -> str | None:
    """Return the tag in a run's first line; None where the line has no sixth column, and for a pipe, which is read only once.

    Raises
    ------
    FormatError
        When the file cannot be opened, or its beginning is no UTF-8.
    """
    if not path.is_file():
        return None
    with open_plain(path) as file:
        for _, line in numbered_lines(file, path):
            fields = line.split()
            if fields and not fields[0].startswith("#"):
                return fields[TAG - 1] if len(fields) >= TAG else None
    return None
