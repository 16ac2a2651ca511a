"""Flags messages that use a term which the glossary replaces: `python .ci/check_terms.py`.

`.ci/terms.tsv` has a regular expression per line and the term to write instead. Messages are the
lines of `tests/golden/messages.txt`. A line that may keep its term is listed in
`.ci/allowed_terms.txt`, verbatim; a line there that no message has any more is an error
too, so the list only shrinks.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TERMS = ROOT / ".ci" / "terms.tsv"
ALLOWED = ROOT / ".ci" / "allowed_terms.txt"
MESSAGES = ROOT / "tests" / "golden" / "messages.txt"

PLACEHOLDER = re.compile(r"\{\w*\}")  # names of values are not shown
Terms = list[tuple[re.Pattern[str], str]]


def read_lines(path: Path) -> list[str]:
    """Return the lines of a file that are not empty."""
    return [line for line in path.read_text(encoding="utf-8").split("\n") if line]


def read_terms(lines: Iterable[str]) -> Terms:
    """Return the patterns and what to write instead; the first line is a header."""
    pairs = (line.split("\t") for line in list(lines)[1:])
    return [(re.compile(pattern), instead) for pattern, instead in pairs]


def find_problems(messages: Iterable[str], terms: Terms, allowed: set[str]) -> Iterator[str]:
    """Yield messages with a replaced term that are not allowed, and allowed lines not found."""
    known = set(messages)
    for message in sorted(known - allowed):
        for pattern, instead in terms:
            if found := pattern.search(PLACEHOLDER.sub("{}", message)):
                yield f'"{found[0]}" (write: {instead}) in: {message}'
    for line in sorted(allowed - known):
        yield f"no message any more, remove it from {ALLOWED.name}: {line}"
    for line in sorted(allowed & known):
        if not any(pattern.search(PLACEHOLDER.sub("{}", line)) for pattern, _ in terms):
            yield f"uses no replaced term, remove it from {ALLOWED.name}: {line}"


def main(arguments: list[str] | None = None) -> int:
    """Print the problems; return 1 if there are any."""
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args(arguments)
    problems = find_problems(
        read_lines(MESSAGES), read_terms(read_lines(TERMS)), {*read_lines(ALLOWED)}
    )
    lines = [*problems]
    sys.stdout.write("".join(f"{each}\n" for each in lines))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
