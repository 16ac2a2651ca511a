"""Tests of highlighting: marked words in each script, exact positions, and linear time."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.text import (
    WORD,
    Term,
    TermHit,
    casefold_text,
    count_hits,
    find_terms,
    find_word_bounds,
    get_letter_script,
    guess_languages,
    query_terms,
    stem,
    to_utf16_positions,
)
from irjudge.text.folding import fold_text
from irjudge.text.highlight import iter_word_parts
from tests.lengths import example_count, is_linear, measure_seconds, takes_less_than

TITLES = (
    "why are there two tides a day",
    "Warum gibt es Häuser an der Straße?",
    "l'océan et les marées",
    "приливы и отливы",
    "كتب عن المدارس في مصر",
    "کتابخانه‌های ایران",
    "हिन्दी किताबें और लड़कों की शिक्षा",
    "二战是什么时候开始的",
    "日本で一番高い山は何ですか",
    "น้ำขึ้นน้ำลงเกิดจากอะไร",
    "조수는 왜 하루에 일어나는가",
)
SAID = [
    *"tide Tides TIDAL two day's Häuser Haus Strasse STRAßE océan marées приливами كـــتب المَدَارِس کتابخانه".split(),
    *"हिंदी किताब लड़का 二战 开始 世界 山 日本 น้ำขึ้น น้ำลง 조수가 하루 ﬁsh ½ … ｺﾝﾋﾟｭｰﾀ 🌙 İ ß ’s ' ’".split(),
    *(
        "e\u0301",
        "\u200d",
        "\u200b",
        "\u00ad",
        "\u00a0",
        "\n",
        "\n\n",
        "\u0301",
        "\u0e33",
        "\u0e4d\u0e32",
        "\u1112\u1161\u11ab",
    ),
]
TEXTS = (
    st.lists(st.sampled_from([*SAID, *TITLES, " ", ""]) | st.text(max_size=8), max_size=20).map(
        "".join
    )
    | st.text()
)
NOISE = st.lists(st.sampled_from([*SAID, *TITLES]), max_size=20).map(" ".join)


def find_marked(title: str, text: str, *own: str) -> list[str]:
    terms = query_terms(title) + tuple(Term(each, is_own=True) for each in own)
    return [text[hit.begin : hit.end] for hit in find_terms(text, terms)]


def list_terms(title: str, context: str = "") -> list[str]:
    return [term.text for term in query_terms(title, context=context)]


def test_stop_words_and_repeated_stems_are_left_out() -> None:
    assert list_terms("why are there two tides a day: the tide of Days") == ["two", "tides", "day"]


def test_uninformative_words_are_left_out_in_each_language() -> None:
    assert list_terms("what other moons than ours don't you know") == ["moons", "know"]
    assert list_terms("Welche anderen Häfen gibt es zwischen den Inseln?") == ["Häfen", "Inseln"]
    assert list_terms("May and Will alone, one second", "why is it so in May") == [
        "May",
        "alone",
        "one",
        "second",
    ]


def test_uninformative_words_do_not_determine_the_language() -> None:
    assert guess_languages("so am Hafen oder on the so over")["LATIN"] == "english"
    assert guess_languages("Er kam so alle die Tage und war also am Kai")["LATIN"] == "german"


def test_stop_words_stay_when_nothing_else_is_left() -> None:
    assert list_terms("To be or not to be") == ["To", "be", "or", "not"]


def test_a_title_without_words_has_no_terms() -> None:
    assert query_terms(" …!") == ()
    assert find_terms("anything", ()) == []


def test_english_forms_share_their_stem_but_tidal_is_another_word_for_the_stemmer() -> None:
    assert find_marked(
        "why are there two tides a day", "Tide, tides, TIDES; tidal; today; a day's, Days"
    ) == [
        "Tide",
        "tides",
        "TIDES",
        "day",
        "Days",
    ]


def test_a_possessive_ending_is_not_marked() -> None:
    assert find_marked("moon", "The Moon's and the Moon’s pull") == ["Moon", "Moon"]


def test_accents_do_not_count_in_latin_words() -> None:
    assert find_marked("resume", "my résumé, re\u0301sume\u0301s") == [
        "résumé",
        "re\u0301sume\u0301s",
    ]


def test_german_umlauts_and_sharp_s_are_written_in_many_ways() -> None:
    text = "Das Haus, die Haeuser, des Hauses; STRASSE, Straßen; Mu\u0308nchen, Muenchen; Hausen"
    assert find_marked("Welche Häuser sind an der Straße in München?", text) == [
        "Haus",
        "Haeuser",
        "Hauses",
        "STRASSE",
        "Straßen",
        "Mu\u0308nchen",
        "Muenchen",
        "Hausen",
    ]


def test_german_vowels_may_be_written_with_an_e() -> None:
    assert find_marked("Mädchen, Köche und Brücken", "Maedchen Koeche Bruecken Mode") == [
        "Maedchen",
        "Koeche",
        "Bruecken",
    ]


def test_articles_before_an_apostrophe_are_not_marked() -> None:
    assert find_marked("l'océan et les marées", "d’Océan, les océans, la marée") == [
        "Océan",
        "océans",
        "marée",
    ]


def test_russian_forms_are_found() -> None:
    assert find_marked("книги о море", "Книга, книгами, книг; кит") == ["Книга", "книгами", "книг"]


def test_arabic_is_found_with_article_vowel_signs_and_tatweel() -> None:
    assert find_marked("كتب عن المدارس في مصر", "الكتب؛ المَدَارِس، مدارس كـــتب في مصر") == [
        "الكتب",
        "المَدَارِس",
        "مدارس",
        "كـــتب",
        "مصر",
    ]


def test_arabic_endings_are_removed_with_either_yeh() -> None:
    assert find_marked("معلم", "المعلمين المعلمین") == ["المعلمين", "المعلمین"]


def test_persian_is_found_with_and_without_joiners_and_with_arabic_letters() -> None:
    assert find_marked("تاریخ کتابخانه‌های ایران چیست", "كتابخانه‌ها، کتابخانه، تاريخ ايران") == [
        "كتابخانه‌ها",
        "کتابخانه",
        "تاريخ",
        "ايران",
    ]


def test_hindi_is_found_with_and_without_nukta_and_with_either_nasal() -> None:
    assert find_marked("हिन्दी में लड़कों की किताबें", "हिंदी की किताब; लडके, लड\u093cका; कला") == [
        "हिंदी",
        "किताब",
        "लडके",
        "लड\u093cका",
    ]


def test_hindi_nasals_may_differ_in_the_first_letters() -> None:
    assert find_marked("पैगम्बर केन्द्रों", "पैगंबर केंद्र") == ["पैगंबर", "केंद्र"]


def test_chinese_marks_words_and_no_function_characters() -> None:
    assert list_terms("二战是什么时候开始的") == ["二战", "开始"]
    assert find_marked("二战是什么时候开始的", "第二次世界大战（二战）是1939年开始的战争") == [
        "二战",
        "开始",
    ]


def test_chinese_marks_the_longest_part_of_a_long_word() -> None:
    assert find_marked("世界大战", "世界上的大战，第一次世界大战，界") == [
        "世界",
        "大战",
        "世界大战",
    ]


def test_japanese_marks_chinese_letters_and_whole_katakana_words() -> None:
    assert find_marked("コンピュータの歴史", "ｺﾝﾋﾟｭｰﾀの歴史とモーター、スーパーコンピューター") == [
        "ｺﾝﾋﾟｭｰﾀ",
        "歴史",
        "コンピュータ",
    ]
    assert find_marked("コンピューター", "コンピュータ、コンピューター") == [
        "コンピュータ",
        "コンピューター",
    ]
    assert find_marked("日本で一番高い山は何ですか", "富士山は何が高い？") == ["山"]


def test_thai_marks_syllables_of_the_query_and_cuts_none() -> None:
    assert find_marked("น้ำขึ้นน้ำลงเกิดจากอะไร", "เพราะน้ำขึ้นน้ำลง ลง") == ["น้ำขึ้นน้ำลง"]
    assert find_marked("น้ำขึ้น", "น้ำขึ\u0e49นๆ") == ["น้ำขึ้น"]


def test_korean_marks_the_word_before_its_particle() -> None:
    assert list_terms("조수는 왜 하루에 일어나는가")[:2] == ["조수", "하루"]
    assert find_marked("조수는 달 힘", "조수가, 조수의; 달은 달리 제조수") == ["조수", "조수", "달"]
    assert find_marked("조수는", "조수간만") == ["조수"]
    assert find_marked("조수는", unicodedata.normalize("NFD", "조수가")) == [
        unicodedata.normalize("NFD", "조수")
    ]


def test_scripts_side_by_side_are_separate_words() -> None:
    assert find_marked("Python 历史", "使用Python语言的历史，AI는Python") == [
        "Python",
        "历史",
        "Python",
    ]


def test_break_opportunities_inside_a_word_do_not_hide_it() -> None:
    assert find_marked("tides", "ti\u200bdes ti\u00addes") == ["ti\u200bdes", "ti\u00addes"]


def test_own_terms_are_words_and_beginnings_of_words_as_typed_in_any_case() -> None:
    assert find_marked("", "Distribution, redistribution; DISTRIBUTED", "distrib") == [
        "Distrib",
        "DISTRIB",
    ]
    assert find_marked("", "Tide tides riptide TIDE-table", "tide") == ["Tide", "tide", "TIDE"]
    assert find_marked("", "Art, article, part", "art") == ["Art"], (
        "so few letters begin too many words"
    )
    assert find_marked("", "low tides, a low tide", "low tide") == ["low tide"], (
        "a phrase matches whole words"
    )
    assert find_marked("", "C++, c++; C", "c++") == ["C++", "c++"]
    assert find_marked("", "世界大战", "界大") == ["界大"]


def test_a_phrase_may_span_a_line_end_but_not_an_empty_line() -> None:
    assert find_marked("", "spring  Tides; spring\n tides; spring\n\ntides", "spring tides") == [
        "spring  Tides",
        "spring\n tides",
    ]


def test_an_own_phrase_takes_precedence_over_the_words_in_it() -> None:
    text = "the spring tides and the tides"
    terms = (*query_terms("tides"), Term("spring tides", is_own=True))
    assert find_terms(text, terms) == [TermHit(4, 16, 1), TermHit(25, 30, 0)]
    assert count_hits(find_terms(text, terms), terms) == [1, 1]


def test_the_longer_of_overlapping_hits_is_kept() -> None:
    assert find_marked("", "a bb ccc d", "a bb", "bb ccc", "ccc d") == ["bb ccc"]


def test_an_empty_own_term_is_never_found() -> None:
    assert find_marked("", "a b", "", " ", "\u200b") == []


def test_a_hit_never_ends_inside_a_character() -> None:
    assert find_marked("", "1½ ﬁ", "1", "f", "11") == []


def test_more_text_helps_to_guess_the_language() -> None:
    assert query_terms("Gezeiten Nordsee")[0].language == "english"
    assert (
        query_terms("Gezeiten Nordsee", context="Warum gibt es sie an der Küste?")[0].language
        == "german"
    )


@pytest.mark.parametrize(
    ("text", "script", "language"),
    [
        ("die hard movie", "LATIN", "english"),
        ("¿Qué es la marea?", "LATIN", "spanish"),
        ("Che cosa sono le maree e perché", "LATIN", "italian"),
        ("O que são as marés e como", "LATIN", "portuguese"),
        ("Waarom is het getij niet overal", "LATIN", "dutch"),
        ("Varför är det tidvatten på en strand", "LATIN", "swedish"),
        ("Mitä vuorovesi on ja miksi se on", "LATIN", "finnish"),
        ("کتابخانه چیست", "ARABIC", "persian"),
        ("ما هو المد", "ARABIC", "arabic"),
    ],
)
def test_languages_are_distinguished(text: str, script: str, language: str) -> None:
    assert guess_languages(text)[script] == language


def test_positions_for_qt_count_astral_characters_twice() -> None:
    text = "🌙 tide 🌊 tide"
    assert to_utf16_positions(text, [2, 6, 9, 13]) == [
        len(text[:offset].encode("utf-16-le")) // 2 for offset in (2, 6, 9, 13)
    ]


@given(TEXTS)
def test_folding_keeps_original_positions(text: str) -> None:
    folded = fold_text(text)
    assert folded.begins[-1] == len(folded.text)
    assert folded.sources[-1] == len(text)
    for word in WORD.finditer(folded.text):
        source = folded.source(*word.span())
        if source:
            assert casefold_text(text[slice(*source)]) == word[0]


@settings(max_examples=example_count(300))
@given(TEXTS, st.sampled_from(TITLES) | TEXTS, st.lists(TEXTS, max_size=2))
def test_hits_are_ascending_disjoint_and_match_a_term(
    text: str, title: str, own: list[str]
) -> None:
    terms = query_terms(title) + tuple(Term(each, is_own=True) for each in own)
    at = 0
    for hit in find_terms(text, terms):
        assert at <= hit.begin < hit.end <= len(text)
        at = hit.end
        assert is_match(casefold_text(text[hit.begin : hit.end]), terms[hit.term])
    assert sum(count_hits(find_terms(text, terms), terms)) == len(find_terms(text, terms))


def is_match(word: str, term: Term) -> bool:
    """Return whether a folded word matches a term by stem, as a part, or as an own term."""
    wanted = casefold_text(term.text)
    if term.is_own:
        return word.split() == wanted.split()
    stems = {
        stem(each[slice(*find_word_bounds(each))], term.language) for each in WORD.findall(wanted)
    }
    return (
        stem(word, term.language if get_letter_script(word[0]) != "HANGUL" else "") in stems
        or word in iter_word_parts(wanted)
        or (get_letter_script(word[0]) == "HANGUL" and wanted.startswith(word))
    )


@given(st.lists(NOISE, max_size=6), st.sampled_from(TITLES))
def test_slices_give_the_hits_of_the_whole(slices: list[str], title: str) -> None:
    terms = (*query_terms(title), Term("tide tides", is_own=True))
    marks, at = [], 0
    for each in slices:
        marks += [
            TermHit(hit.begin + at, hit.end + at, hit.term) for hit in find_terms(each, terms)
        ]
        at += len(each) + 2
    assert find_terms("\n\n".join(slices), terms) == marks


@pytest.mark.slow
def test_ten_megabytes_take_two_seconds(full: bool) -> None:
    """The short form compares the time for a megabyte with the time to find its words."""
    sentence = "Twice a day the sea rises and falls along most coasts, and the tides’ pull is a little stronger on one side.\n"
    text = (sentence * 100_000)[: 10_000_000 if full else 1_000_000]
    terms = (*query_terms("why are there two tides a day"), Term("little stronger", is_own=True))
    limit = (
        2
        if full
        else 5
        * min(
            measure_seconds(lambda: [each.span() for each in WORD.finditer(text)]) for _ in range(3)
        )
    )
    assert takes_less_than(limit, lambda: find_terms(text, terms))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "line"),
    [
        ("tides", "a"),
        ("tides", "tides"),
        ("tides", "a'"),
        ("tides", "\u0301\u0316"),
        ("tides", "\u200d"),
        ("fish", "ﬁsh"),
        ("a", " "),
        ("阿波阿", "阿波"),
        ("二战是什么时候开始的", "第二次世界大战开始了"),
        ("コンピュータ", "コンピューター"),
        ("น้ำขึ้นน้ำลง", "น้ำขึ้นน้ำลงเกิด"),
        ("조수는", "조수가"),
        ("المدارس", "المَدَارِس"),
        ("हिन्दी", "हिन्दी"),
    ],
)
def test_a_line_without_spaces_takes_linear_time(title: str, line: str, full: bool) -> None:
    terms = (
        *query_terms(title),
        Term("aaaa", is_own=True),
        Term("a a", is_own=True),
        Term("a", is_own=True),
    )
    text = line * ((1_000_000 if full else 100_000) // len(line))
    assert is_linear(
        lambda: find_terms(text[: len(text) // 8], terms), lambda: find_terms(text, terms)
    )


def test_korean_words_are_compared_with_the_terms_of_their_lengths() -> None:
    """3,300 Korean words in a title took 9 s in a text of 300,000 characters."""
    syllables = [chr(0xAC00 + 4 * index) for index in range(58)]
    terms = query_terms(" ".join(a + b for a in syllables for b in syllables)[:9_900])
    words = [first + a + b for first in "깋낗닣딯" for a in syllables for b in syllables]
    text = " ".join([*words, "가가"])
    assert takes_less_than(0.5, lambda: find_terms(text, terms))
    assert [text[begin:end] for begin, end, _ in find_terms(text, terms)][-1] == "가가"


def test_only_the_beginning_of_a_long_title_is_used() -> None:
    """The words of a title of 1.3 MB took 3 s."""
    title = " ".join(f"w{number}" for number in range(200_000))
    terms = query_terms(title)
    assert 1000 < len(terms) < 3000 and terms[0].text == "w0"
    assert takes_less_than(0.3, lambda: find_terms("w1 tides", query_terms(title)))
    german = "warum gibt es an der nordsee gezeiten"
    languages = [
        query_terms("w", context=" " * blanks + german)[0].language for blanks in (0, 10_000)
    ]
    assert languages == ["german", "english"]


@pytest.mark.slow
def test_a_million_accents_on_one_letter_take_no_time() -> None:
    assert takes_less_than(
        3, lambda: find_terms("t" + "\u0301\u0316" * 500_000, query_terms("tides"))
    )


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("useful", "using useful uses usefully", ["useful"]),
        ("distribution", "distributed distributions distribute", ["distributions"]),
        ("distribute", "distributed, distributing distributes", 3),
        ("general", "generation generally generals", ["generals"]),
        ("study", "studies studied studying study", 4),
        ("stopped", "stop stopping stops stopper", 3),
        ("boxes", "box boxed boxing", 3),
        ("making", "make makes made maker", ["make", "makes"]),
        ("universities", "university universe universal", ["university"]),
        ("glasses", "glass Glasses", 2),
        ("tide's", "tides' tide", 2),
        ("building", "buildings builds builder", ["buildings", "builds"]),
        ("need", "needs needed needing needy", ["needs", "needed", "needing"]),
        ("things", "thing", 1),
        ("spring", "springs", 1),
        ("speed", "speeds speeding", 2),
        ("house", "houses housed housing", 3),
        ("agree", "agrees agreed agreeing agreement", ["agrees", "agreed", "agreeing"]),
        ("control", "controls controlled controlling controller", 3),
        ("proceed", "proceeds proceeding proceeded", 3),
        ("see", "sees seeing", 2),
    ],
)
def test_english_marks_inflected_forms_and_no_derived_words(
    title: str, text: str, expected: int | list[str]
) -> None:
    marks = find_marked(title, text)
    assert (marks if isinstance(expected, list) else len(marks)) == expected


def test_contractions_and_words_of_a_request_are_not_terms() -> None:
    assert list_terms("I'd be interested in tides, moons etc.; we'll see why they're high") == [
        "tides",
        "moons",
        "see",
        "high",
    ]
