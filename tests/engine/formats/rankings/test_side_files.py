"""Side files: no number stands for one that is in a column that nobody understood."""

import pytest

from irjudge.errors import FormatError
from irjudge.formats.rankings.side_files import read_side


@pytest.mark.parametrize(
    ("name", "text", "lacking"),
    [
        (
            "citations",
            "topic,sentence,citation,verdict\n1,s1,d1,full\n1,s1,d2,none\n",
            "support, and verdict",
        ),
        (
            "citations",
            "topic,sentence,citation,verdict\n1,s1,d1,2\n1,s1,d2,0\n",
            "support, and verdict",
        ),
        ("groups", "document,group,percent\nd1,eu,50\nd1,us,50\n", "weight, and percent"),
        ("nuggets", "topic,nugget,value,run,support\n1,n1,vital,r,2\n", "importance, and value"),
    ],
)
def test_a_default_stands_for_no_column_that_may_be_it(tmp_path, name, text, lacking):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(
        FormatError, match=f"a.csv, line 1: no column is called {lacking} may be it; expected "
    ):
        read_side(tmp_path / "a.csv", name)


def test_texts_beside_are_named_and_left(tmp_path):
    (tmp_path / "a.csv").write_text("document,group,note\nd1,eu,hm\n")
    side = read_side(tmp_path / "a.csv", "groups")
    assert (side.columns["weight"], side.remarks) == (
        [1.0],
        ("a.csv: Fields that are not read: note.",),
    )
