"""Tests that files other than qrels and runs are refused with the reason."""

import pytest

from irjudge.errors import FormatError
from irjudge.formats.rankings import read_qrels, read_run


@pytest.mark.parametrize(
    ("name", "line", "count", "named"),
    [
        ("trec_eval/prefs.test", 1, "5", "(prels)"),
        ("trec_eval/prefs.comment.test", 2, "5", "(prels)"),
        ("qrels/prels.web.1-50.head.txt", 1, "5", "(prels)"),
        ("trec_eval/zscores_file", None, "224", "0.0029"),
        ("trec_eval/results.test", 1, "6", "4 (topic, "),
        ("trec_eval/out.test", 1, "3", "4 (topic, "),
        ("classic/cran/cranqrel.readme", 1, "9", "4 (topic, "),
    ],
)
def test_a_file_that_is_not_qrels_is_refused_with_the_reason(data, name, line, count, named):
    with pytest.raises(FormatError) as error:
        read_qrels(data / name)
    assert (error.value.line, error.value.values["count"]) == (line, count)
    assert named in str(error.value)


@pytest.mark.parametrize(
    ("name", "line", "named"),
    [
        ("trec_eval/prefs.rank20", 1, "first being Q0"),
        ("trec_eval/qrels.test", 1, "4 columns; expected 6"),
        ("trec_eval/zscores_file", 1, "4 columns; expected 6"),
        ("trec_eval/out.test", 1, "third 'STANDARD'"),
        ("trec_dl/treceval/p_bm25.treceval", 1432, "third 'p_bm25'"),
    ],
)
def test_a_file_that_is_not_a_run_is_refused_with_the_reason(data, name, line, named):
    with pytest.raises(FormatError) as error:
        read_run(data / name)
    assert error.value.line == line and named in str(error.value)
