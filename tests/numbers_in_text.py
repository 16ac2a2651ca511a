"""Numbers in a text, so that tests need not quote the wording."""

import re


def find_numbers(text: str) -> list[str]:
    """Return the numbers of a text in their order, as written, without their signs.

    Digits within a name are none.

    >>> find_numbers("bm25: 1,837 judgments of 225 topics, tau = 0.33.")
    ['1,837', '225', '0.33']
    """
    return re.findall(r"(?<!\w)\d+(?:[.,]\d+)*", text)
