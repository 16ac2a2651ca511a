"""Creates recall_levels.json: recall levels at which doubles differ from exact decimals. Run: python make_recall_levels.py.

The rules are those of trec_eval 9.0.8 and 10.0 (m_iprec_at_recall.c, m_11pt_avg.c, m_Rprec_mult.c of github.com/usnistgov/trec_eval);
the program below was written from them, and gcc must give the same table with every optimisation.
"""

import json
import platform
import subprocess
import tempfile
from fractions import Fraction
from math import floor
from pathlib import Path

HIGHEST = 2000
LEVELS = [f"{level / 100:.2f}" for level in range(0, 105, 5)]
MULTIPLES = [f"{level / 10:.1f}" for level in range(1, 31)]
PROGRAM = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words) {
    for (int i = 1; i < count; i++) {
        double level = atof(words[i]);
        for (long relevant = 0; relevant <= %d; relevant++)
            printf("%%s %%ld %%ld %%ld\\n", words[i], relevant, (long)(level * relevant + 0.9), lround(level * relevant));
    }
    return 0;
}
"""


def table(optimisation: str, folder: Path) -> str:
    """Compile the program and return what it prints."""
    source, program = folder / "levels.c", folder / "levels"
    source.write_text(PROGRAM % HIGHEST)
    subprocess.run(["gcc", optimisation, str(source), "-lm", "-o", str(program)], check=True)
    return subprocess.run(
        [str(program), *sorted({*LEVELS, *MULTIPLES})], check=True, capture_output=True, text=True
    ).stdout


def main() -> None:
    """Write [level, R, k] where floor(x·R + 0.9) or x·R rounded differs from the exact decimals."""
    with tempfile.TemporaryDirectory() as name:
        tables = {table(optimisation, Path(name)) for optimisation in ("-O0", "-O1", "-O2", "-O3")}
    (lines,) = tables
    differing: dict[str, list[tuple[str, int, int]]] = {"trec9": [], "trec10": []}
    for line in lines.splitlines():
        level, relevant, nine, ten = line.split()
        reached = Fraction(level) * int(relevant)
        for rule, found, more in (
            ("trec9", nine, Fraction(9, 10)),
            ("trec10", ten, Fraction(1, 2)),
        ):
            if int(found) != floor(reached + more):
                differing[rule].append((level, int(relevant), int(found)))
    compiler = subprocess.run(
        ["gcc", "--version"], check=True, capture_output=True, text=True
    ).stdout.splitlines()[0]
    made = {
        "tool": compiler,
        "machine": platform.machine(),
        "highest": HIGHEST,
        "levels": LEVELS,
        "multiples": MULTIPLES,
        **differing,
    }
    Path(__file__).with_name("recall_levels.json").write_text(
        json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
