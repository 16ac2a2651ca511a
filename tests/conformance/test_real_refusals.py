"""Files of the test collections that are no qrels and no runs: each is refused with a sentence that says why."""

import pytest

from irjudge.errors import FormatError
from irjudge.formats.rankings.qrels import read_qrels
from irjudge.formats.rankings.runs import read_run


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "trec_eval/prefs.test",
            "line 1: 5 columns, expected 4 .* a file of preferences or sampled judgments .prels. is not qrels",
        ),
        ("trec_eval/prefs.comment.test", "line 2: 5 columns, expected 4 .* a file of preferences"),
        (
            "qrels/prels.web.1-50.head.txt",
            "line 1: 5 columns, expected 4 .* sampled judgments .prels. is not qrels",
        ),
        (
            "trec_eval/zscores_file",
            "it holds [0-9]+ different numbers with fractions, such as 0.0029, as scores and values are",
        ),
        ("trec_eval/results.test", "line 1: 6 columns, expected 4"),
        ("trec_eval/out.test", "line 1: 3 columns, expected 4"),
        ("classic/cran/cranqrel.readme", "line 1: 9 columns, expected 4"),
    ],
)
def test_what_is_no_qrels_says_why(data, name, sentence):
    with pytest.raises(FormatError, match=sentence):
        read_qrels(data / name)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "trec_eval/prefs.rank20",
            "line 1: 5 columns, and the first is Q0 where the topic should be",
        ),
        ("trec_eval/qrels.test", "line 1: 4 columns, expected 6"),
        ("trec_eval/zscores_file", "line 1: 4 columns, expected 6"),
        ("trec_eval/out.test", "line 1: third 'STANDARD' is not a number"),
        ("trec_dl/treceval/p_bm25.treceval", "line 1432: third 'p_bm25' is not a number"),
    ],
)
def test_what_is_no_run_says_why(data, name, sentence):
    with pytest.raises(FormatError, match=sentence):
        read_run(data / name)
