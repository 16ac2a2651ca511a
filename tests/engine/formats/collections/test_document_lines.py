"""Documents that are written read back equal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import Cancelled
from irjudge.formats.bytes.utf8 import folded
from irjudge.formats.collections.document_lines import write_documents
from irjudge.formats.collections.documents import read_documents
from irjudge.model.document import KINDS, Document
from irjudge.progress import Progress

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).filter(lambda name: name == name.strip())
BODIES = st.one_of(TEXT.map(str.encode), st.binary())
DOCUMENTS = st.lists(st.builds(Document, IDS, BODIES, TEXT.map(folded), st.sampled_from(KINDS)), unique_by=lambda each: each.id, min_size=1)


@given(DOCUMENTS)
def test_documents_of_all_kinds_read_back_equal(tmp_path_factory, documents):
    path = tmp_path_factory.mktemp("out") / "docs.jsonl"
    assert write_documents(path, documents) == len(documents)
    assert list(read_documents([path], remarks=[])) == documents


def test_a_line_is_what_others_read(tmp_path):
    path = tmp_path / "docs.jsonl"
    write_documents(
        path, [Document("1", "é\u2028".encode(), "t"), Document("2", b"\x89PNG", "", "image"), Document("3", b"<p>", "", "html")]
    )
    assert path.read_text(encoding="utf-8").split("\n") == [
        '{"id": "1", "title": "t", "text": "é\u2028"}',
        '{"id": "2", "kind": "image", "base64": "iVBORw=="}',
        '{"id": "3", "kind": "html", "text": "<p>"}',
        "",
    ]


def test_what_was_there_stays_when_writing_is_cancelled(tmp_path):
    path = tmp_path / "docs.jsonl"
    path.write_bytes(b"before")
    with pytest.raises(Cancelled):
        write_documents(path, (Document(str(number), b"x") for number in range(1000)), Progress(cancelled=lambda: True))
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"before"]
