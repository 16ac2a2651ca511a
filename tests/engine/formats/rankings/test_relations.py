"""Files of relevance: which column is the document, and what is said or asked where that can be doubted."""

from pathlib import Path

import pytest

from irjudge.errors import FormatError, Undecided
from irjudge.formats.rankings.judged_rows import parse_grades
from irjudge.formats.rankings.qrels import read_qrels
from irjudge.formats.rows.mapping import parse_columns
from irjudge.model.ranking import Qrels


def read(folder: Path, text: str, **options) -> Qrels:
    path = folder / "a.rel"
    path.write_bytes(text.encode())
    return read_qrels(path, **options)


def said(parts: str):
    return parse_columns(parts, ("topic", "iteration", "document", "grade", "rank", "score"))


def rows(qrels: Qrels) -> list[tuple[str, str, int]]:
    return list(qrels.rows())


NO_GRADES = "the lines have no grades, and each pair counts as grade 1"
SMART = (
    f"a.rel: read in the order of SMART: topic, document, and 0 twice in every line; {NO_GRADES}."
)


def test_trec_lines_say_nothing(tmp_path):
    qrels = read(tmp_path, "1 0 13 1\n1 0 14 1\n")
    assert (rows(qrels), qrels.remarks) == ([("1", "13", 1), ("1", "14", 1)], ())


@pytest.mark.parametrize(
    "text",
    [
        "1  13 0 0.000000\r\n1 14\t0\t0.000000 \r\n",
        "1 13 0 0\n1 14 0 0\n",
        "1 13 0 0.0\n1 14 0 0\n",
    ],
)
def test_smarts_order_is_told_from_zeros_that_never_change(tmp_path, text):
    qrels = read(tmp_path, text)
    assert (rows(qrels), qrels.remarks) == ([("1", "13", 1), ("1", "14", 1)], (SMART,))


def test_zeros_in_front_of_smarts_ids_go_and_that_is_said(tmp_path):
    qrels = read(tmp_path, "01 5  0 0\n01 9  0 0\n1 6  0 0\n10 07  0 0\n00 8 0 0\n")
    assert rows(qrels) == [
        ("1", "5", 1),
        ("1", "9", 1),
        ("1", "6", 1),
        ("10", "7", 1),
        ("0", "8", 1),
    ]
    assert qrels.remarks == (
        SMART,
        "a.rel: ids are written without zeros in front, as SMART's records are numbered (01 is 1; 07 is 7).",
    )


@pytest.mark.parametrize("text", ["1 0 0 0\n2 0 0 0\n", "1 Q0 0 0\n"])
def test_a_document_called_0_of_grade_0_is_trecs_where_the_second_column_is_0(tmp_path, text):
    assert {(document, grade) for _, document, grade in rows(read(tmp_path, text))} == {("0", 0)}


def test_what_may_be_either_order_is_refused_and_can_be_said(tmp_path):
    text = "1 5 0 0\n2 6 0 0\n"
    with pytest.raises(Undecided) as caught:
        read(tmp_path, text)
    assert caught.value.options == ("columns",)
    smart, trec = "topic=1,document=2", "topic=1,iteration=2,document=3,grade=4"
    sentence = "a.rel: columns 3 and 4 are 0 in every line, so the document may be column 2 or 3; say with --columns "
    assert (
        str(caught.value)
        == f'{sentence}"{smart}" (as SMART has it, without grades) or "{trec}" (as TREC has it).'
    )
    assert rows(read(tmp_path, text, columns=said(smart))) == [("1", "5", 1), ("2", "6", 1)]
    assert rows(read(tmp_path, text, columns=said(trec))) == [("1", "0", 0), ("2", "0", 0)]


def test_columns_that_were_said_are_among_the_remarks(tmp_path):
    qrels = read(tmp_path, "d7 1 x 3\n", columns=said("document=1,topic=2,grade=4"))
    assert (rows(qrels), qrels.remarks) == (
        [("1", "d7", 3)],
        ("a.rel: read as was said: document=1,topic=2,grade=4.",),
    )
    assert read(tmp_path, "d7 1\n", columns=said("document=1,topic=2")).remarks == (
        f"a.rel: read as was said: document=1,topic=2; {NO_GRADES}.",
    )


@pytest.mark.parametrize(
    ("text", "said_so"),
    [("1 0 d 2\n1 0 e 0\n", "topic=1,document=3"), ("d 1 0 0\ne 1 0 2\n", "topic=2,document=1")],
)
def test_grades_that_nobody_named_are_not_grade_1(tmp_path, text, said_so):
    with pytest.raises(Undecided) as caught:
        read(tmp_path, text, columns=said(said_so))
    choice = f"{said_so},grade=4"
    assert str(caught.value) == (
        f'a.rel: no column is understood as the grade, and column 4 holds something; say which is with --columns "{choice}".'
    )
    assert {grade for _, _, grade in rows(read(tmp_path, text, columns=said(choice)))} == {0, 2}


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        (
            "topic=qid,document=2",
            'line 1: the lines have no header.*"topic=1,document=3"',
        ),
        ("topic=1,grade=2", "line 1: --columns says topic=1,grade=2, expected topic and document"),
        (
            "topic=1,document=2,score=3",
            "line 1: --columns says .*expected topic and document, and of these .*iteration, document, grade",
        ),
        (
            "topic=1,document=5",
            "line 1: the line has 4 columns, and --columns says topic=1,document=5",
        ),
    ],
)
def test_columns_that_cannot_be_are_refused(tmp_path, columns, sentence):
    with pytest.raises(FormatError, match=f"a.rel, {sentence}"):
        read(tmp_path, "1 0 d 1\n", columns=said(columns))


def test_pairs_alone_count_as_grade_1(tmp_path):
    qrels = read(tmp_path, "1 d\n2 e\n")
    assert (rows(qrels), qrels.remarks) == (
        [("1", "d", 1), ("2", "e", 1)],
        (f"a.rel: read as topic and document; {NO_GRADES}.",),
    )


def test_three_columns_are_topic_document_and_grade(tmp_path):
    qrels = read(tmp_path, "1 184 2 \n1 29 0\n")
    assert (rows(qrels), qrels.remarks) == (
        [("1", "184", 2), ("1", "29", 0)],
        ("a.rel: read as topic, document, grade.",),
    )


def test_grades_without_0_may_count_from_the_best_and_that_is_said(tmp_path):
    remarks = read(tmp_path, "1 a 1\n1 b 2\n1 c 4\n").remarks
    assert remarks[1:] == (
        "a.rel: the grades are 1, 2, 4 and none is 0; they are kept, so that 4 is the best. "
        'Where 1 is the best, turn them round with --grades "1:4,2:2,4:1".',
    )
    assert len(read(tmp_path, "1 a 1\n1 b 1\n").remarks) == 1


INVERTED = "1 a 1\n1 b 2\n1 c -1\n"


def test_negative_grades_of_three_columns_are_the_users_to_decide(tmp_path):
    with pytest.raises(Undecided) as caught:
        read(tmp_path, INVERTED)
    assert caught.value.options == ("negative", "grades")
    assert str(caught.value) == (
        "a.rel: 1 grades are negative (grades: -1, 1, 2), which lines of three columns leave open; say with --negative what they mean "
        '(unjudged, unjudgeable, 0), or turn grades into others with --grades, such as "1:2,2:1,-1:0" where 1 is the best.'
    )


def test_grades_are_turned_as_was_said_and_that_is_a_remark(tmp_path):
    qrels = read(tmp_path, INVERTED, grades=parse_grades("1:2,2:1,-1:0"))
    assert qrels.grade.tolist() == [2, 1, 0]
    assert qrels.remarks[1:] == (
        "a.rel: grades were turned as was said: 1 of -1 became 0, 1 of 1 became 2, 1 of 2 became 1.",
    )


def test_negative_grades_can_be_decided_apart_from_the_others(tmp_path):
    qrels = read(tmp_path, INVERTED, grades=parse_grades("1:2,2:1"), negative="unjudgeable")
    assert qrels.grade.tolist() == [2, 1, -2]
    assert qrels.remarks[-1] == "a.rel: 1 of grade -1 count as unjudgeable."


def test_a_grade_nobody_spoke_of_is_refused(tmp_path):
    with pytest.raises(
        FormatError,
        match=r"a.rel: 1 grades are -1, and --grades does not say what -1 becomes; expected .* each of -1, 1, 2",
    ):
        read(tmp_path, INVERTED, grades=parse_grades("1:2,2:1"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 13 0 0.0\n1 14 0 0.5\n", "line 2: 0.5 where the lines before have 0"),
        ("1 13 0 0.0\n1 14 2 0.0\n", "line 2: 2 where the lines before have 0"),
        ("1 d 1\n1 d 0 1\n", "line 2: 4 columns, expected 3 as in the first line"),
        ("1 d 1\n1 e 1.5\n1 f\n", "line 3: 2 columns, expected 3 as in the first line"),
        ("1 d\n1\n", "line 2: 1 column, expected 2 as in the first line"),
    ],
)
def test_a_line_that_does_not_fit_is_named(tmp_path, text, sentence):
    with pytest.raises(FormatError, match=f"a.rel, {sentence}"):
        read(tmp_path, text)
