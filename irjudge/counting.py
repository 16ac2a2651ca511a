"""Numbers with their nouns, for sentences that are said in English alone."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an s for all numbers but 1.

    Examples
    --------
    >>> counted(1, "topic"), counted(1200, "topic")
    ('1 topic', '1,200 topics')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
