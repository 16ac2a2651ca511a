"""Tests of near-duplicates: texts that share enough shingles, ignoring case and markup."""

from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.model import Document
from irjudge.progress import Progress
from irjudge.search import (
    NearDuplicateGroups,
    OverlapMeter,
    cache_groups,
    duplicates,
    find_near_duplicates,
    load_cached_groups,
)

WORDS = [f"w{index}" for index in range(400)]


def groups_of(texts: Iterable[str], overlap: float = 0.8) -> list[list[str]]:
    documents = [Document(f"d{number}", text.encode()) for number, text in enumerate(texts)]
    return [
        [each.id for each in group]
        for group in find_near_duplicates(lambda: documents, overlap=overlap).groups
    ]


def overlap_of(one: str, other: str) -> float:
    first, second = (
        {tuple(words[number : number + 3]) for number in range(len(words) - 2)}
        for words in (one.split(), other.split())
    )
    return len(first & second) / len(first | second)


@pytest.mark.slow
def test_groups_are_those_of_pairwise_comparison() -> None:
    """Texts of 40 to 80 words, and copies with one to five changed words: compared pair by pair."""
    random = Random(7)
    texts = [" ".join(random.choices(WORDS, k=random.randint(40, 80))) for _ in range(150)]
    for index in range(60):
        words = texts[index].split()
        for _ in range(1 + index % 5):
            words[random.randrange(len(words))] = random.choice(WORDS)
        texts.append(" ".join(words))
    near_duplicates = [
        (a, b)
        for a, b in combinations(range(len(texts)), 2)
        if overlap_of(texts[a], texts[b]) >= 0.8
    ]
    assert 10 < len(near_duplicates) < 55  # some of the copies share too little
    assert {tuple(group) for group in groups_of(texts)} == {
        (f"d{a}", f"d{b}") for a, b in near_duplicates
    }


def test_texts_with_the_same_shingles_have_overlap_1() -> None:
    once, more, other = "a b c a b", "a b c a b c a b c", "a b c d"
    assert groups_of([once, more, other], 1.0) == [["d0", "d1"]]


def test_case_marks_markup_and_punctuation_do_not_count() -> None:
    page = Document("page", b"<p>The <b>tide</b> is HIGH.</p>", kind="html")
    texts = [
        Document("a", b"The tide is high"),
        page,
        Document("c", b"the tide -- is high!"),
        Document("d", b"the tide was high"),
    ]
    assert [
        [each.id for each in group] for group in find_near_duplicates(lambda: texts).groups
    ] == [["a", "page", "c"]]


def test_texts_without_spaces_are_compared() -> None:
    text = "潮汐是由月亮和太阳的引力引起的海水周期性涨落现象每天两次"
    assert groups_of([text, text + "。", "绿茶的功效与作用以及禁忌"]) == [["d0", "d1"]]


def test_empty_texts_have_no_duplicates_and_images_need_equal_bytes() -> None:
    images = [
        Document(f"i{number}", body, kind="image") for number, body in enumerate((b"x", b"y", b"x"))
    ]
    documents = [Document("a", b""), Document("b", b"..."), *images]
    assert [
        [each.id for each in group] for group in find_near_duplicates(lambda: documents).groups
    ] == [["i0", "i2"]]


def test_texts_without_words_have_overlap_0() -> None:
    documents = {id: Document(id, body) for id, body in (("a", b""), ("b", b"-"), ("c", b"tide"))}
    meter = OverlapMeter(documents.__getitem__)
    assert [meter.measure("a", id) for id in documents] == [0, 0, 0]


def test_images_with_equal_titles_are_not_duplicates() -> None:
    documents = {
        "i1": Document("i1", b"AAA", "Sunset at the sea", "image"),
        "i2": Document("i2", b"BBB", "Sunset at the sea", "image"),
        "i3": Document("i3", b"AAA", "Another title", "image"),
        "i4": Document("i4", b"", "Empty", "image"),
        "i5": Document("i5", b"", "Empty", "image"),
        "t1": Document("t1", b"", "Sunset at the sea"),
    }
    groups = find_near_duplicates(documents.values).groups
    assert [[each.id for each in group] for group in groups] == [["i1", "i3"]]
    meter = OverlapMeter(documents.__getitem__)
    assert (meter.measure("i1", "i2"), meter.measure("i1", "i3")) == (0, 1)


def test_exact_duplicates_can_be_requested() -> None:
    long = " ".join(WORDS[:100])
    assert groups_of([long, f"{long} more", long.upper()], 1.0) == [["d0", "d2"]]
    assert groups_of([long, f"{long} more", long.upper()]) == [["d0", "d1", "d2"]]


def test_a_document_lists_its_group_with_overlaps() -> None:
    long = " ".join(WORDS[:100])
    texts = [
        Document(id, text.encode())
        for id, text in (("a", long), ("b", f"{long} more"), ("c", "tide"))
    ]
    near_duplicates = find_near_duplicates(lambda: texts)
    assert [(each.id, each.overlap) for each in near_duplicates.list_others("a")] == [
        ("b", pytest.approx(98 / 99))
    ]
    assert (
        near_duplicates.find_first("b"),
        near_duplicates.find_first("c"),
        near_duplicates.list_others("c"),
        near_duplicates.list_others("nowhere"),
    ) == (
        "a",
        "c",
        (),
        (),
    )


def test_text_shared_by_all_does_not_cause_pairwise_comparison(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A long header precedes different texts: half of each text is the same."""
    compared, shared = [0], duplicates.jaccard_similarity

    def count_call(*both):
        compared[0] += 1
        return shared(*both)

    monkeypatch.setattr(duplicates, "jaccard_similarity", count_call)
    random, heading = Random(1), " ".join(WORDS[:60])
    texts = [f"{heading} {' '.join(random.choices(WORDS, k=60))}" for _ in range(400)]
    assert groups_of(texts) == [] and compared[0] < 400 * 25


@pytest.mark.parametrize("overlap", [0.4, 1.1])
def test_an_invalid_overlap_is_refused(overlap: float) -> None:
    with pytest.raises(IrjudgeError, match=r"between 0\.5 and 1"):
        groups_of(["a"], overlap)


def test_detection_can_be_cancelled() -> None:
    with pytest.raises(Cancelled):
        find_near_duplicates(
            lambda: [Document("a", b"tide")], progress=Progress(cancelled=lambda: True)
        )


def test_groups_are_read_from_the_cache(tmp_path: Path) -> None:
    near_duplicates = find_near_duplicates(
        lambda: [Document(id, b"tide") for id in "ab"], overlap=0.9
    )
    path = tmp_path / "made" / "a.json"
    assert load_cached_groups(path) is None
    cache_groups(near_duplicates, path)
    assert (
        load_cached_groups(path)
        == near_duplicates
        == NearDuplicateGroups(near_duplicates.groups, 0.9)
    )
    path.write_bytes(path.read_bytes()[:-3])
    assert load_cached_groups(path) is None


def test_a_changed_bit_of_the_cache_is_detected(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    cache_groups(find_near_duplicates(lambda: [Document(id, b"tide") for id in "ab"]), path)
    content = path.read_bytes()
    for position in range(len(content)):
        for bit in range(8):
            changed = bytearray(content)
            changed[position] ^= 1 << bit
            path.write_bytes(changed)
            assert load_cached_groups(path) is None
