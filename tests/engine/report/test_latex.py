"""Tests of LaTeX tables: structure, marks of best and significant values, and escaped ids."""

import re

from hypothesis import given
from hypothesis import strategies as st

from irjudge.report import PrintedTable, build_report
from irjudge.report.contents import summary_table
from irjudge.report.writers import LATEX_ESCAPES, escape_latex, latex_lines, tabular
from tests.engine.report.three_runs import evaluate_hostile_names, evaluate_three_runs

# LaTeX tokens: commands, maths, groups, and literal characters.
TOKEN = re.compile(r"\\char\d+\{\}|\\[A-Za-z]+\{\}|\\[A-Za-z]+|\\.|\$[^$]*\$|[{}]|.", re.DOTALL)
PLAIN = {
    made: sign for sign, made in LATEX_ESCAPES.items() if made not in ("--", "{[}", "{]}", "{*}")
}
SPECIAL = set("$&#%_^~\\")
WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)


def read(text: str) -> str:
    """Return the text that LaTeX would print; fail on commands other than the expected ones."""
    printed, depth = "", 0
    for token in TOKEN.findall(text):
        depth += {"{": 1, "}": -1}.get(token, 0)
        assert depth >= 0, "a group ends that never began"
        if token in "{}":
            continue
        assert token in PLAIN or token not in SPECIAL, f"{token!r} means something to LaTeX"
        assert token in PLAIN or not token.startswith("\\"), f"{token!r} is not a command used here"
        printed += PLAIN.get(token, token)
    assert depth == 0, "a group does not end"
    return printed


@given(WORDS)
def test_any_text_is_escaped_to_itself(text: str) -> None:
    assert read(escape_latex(text)) == text.replace("–", "--")


@given(st.one_of(WORDS, st.text("-,[*")))
def test_no_ligatures_form_and_no_bracket_or_star_follows_a_line_end(text: str) -> None:
    made = escape_latex(text)
    assert "--" not in made.replace("--", "", text.count("–")) and ",," not in made
    assert not made.startswith(("[", "*"))


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5))
def test_every_row_has_its_cells_and_its_end(rows: list[tuple[str, str]]) -> None:
    lines = list(tabular(PrintedTable(("a & b", "c"), (False, True), tuple(rows))))
    assert lines[0] == r"\begin{tabular}{lr}" and lines[-1] == r"\end{tabular}"
    assert [lines[1], lines[3], lines[-2]] == [r"\toprule", r"\midrule", r"\bottomrule"]
    assert len(lines) == len(rows) + 6
    for line in [lines[2], *lines[4:-2]]:
        assert line.endswith(r" \\") and len(re.findall(r"(?<!\\)&", line)) == 1


def test_best_values_are_bold_and_significant_ones_have_a_dagger():
    lines = "\n".join(latex_lines(build_report(evaluate_three_runs("AP"))))
    table = summary_table(evaluate_three_runs("AP")).format_rows()
    assert rf"good & \textbf{{{table.rows[0][1]}}} \\" in lines
    assert rf"poor & {table.rows[1][1]}$^{{\dagger}}$ \\" in lines
    assert re.search(
        r"\\footnotesize \$\^\{\\dagger\}\$ differs significantly .*\$\\alpha\$ = 0\.05\.", lines
    )


def test_negative_numbers_have_a_minus_sign():
    assert r"a & $-$0.5000 \\" in list(
        tabular(PrintedTable(("run", "value"), (False, True), (("a", "-0.5000"),)))
    )


def test_environments_are_nested_correctly_for_any_run_names():
    open_ones: list[str] = []
    for line in latex_lines(build_report(evaluate_hostile_names())):
        for end, name in re.findall(r"^\\(begin|end)\{(\w+)\}", line):
            if end == "begin":
                open_ones.append(name)
            else:
                assert open_ones.pop() == name
    assert open_ones == []


def test_values_by_topic_are_omitted_and_the_legend_is_a_list():
    lines = "\n".join(latex_lines(build_report(evaluate_three_runs("AP P@5"))))
    assert "by topic" not in lines
    assert r"\item[AP] Average precision." in lines and r"\item[Runs] 3." in lines
