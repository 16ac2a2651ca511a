"""Words in folded text: detection of their language, their stems, and stop words."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from Stemmer import Stemmer

from irjudge.model import normalise_unicode
from irjudge.text.folding import casefold_text

HAN: Final = (
    "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
)
HIRAGANA: Final = "\u3041-\u309f"
KATAKANA: Final = "\u30a1-\u30ff\u31f0-\u31ff"
KANA: Final = HIRAGANA + KATAKANA
SOUTHEAST: Final = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecf\u0edc-\u0edf\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u17d7\u17dc\u17dd"
HANGUL: Final = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7af"
MAX_STEMMED_LENGTH = 64  # maximum number of characters; a longer string is not a word


def _list_combining_marks() -> str:
    """Return the combining marks, for use in a character class of a pattern.

    Words, for example in Hindi, contain combining marks, but `\\w` does not match them.
    """
    spaceless_pattern = re.compile(f"[{SOUTHEAST}]")
    codes = [*range(0x300, 0x3100), *range(0xA66F, 0xABF0), *range(0xFE20, 0xFE30)]
    marks = [
        chr(code)
        for code in codes
        if unicodedata.category(chr(code))[0] == "M" and not spaceless_pattern.match(chr(code))
    ]
    return "".join(marks)


MARKS: Final = _list_combining_marks()
SOUTHEAST_MARKS: Final = "\u0e31\u0e33-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb3-\u0ebc\u0ec8-\u0ecf\u102b-\u103e\u1056-\u1059\u17b6-\u17d3\u17dd"
LETTER: Final = rf"[^\W_{HAN}{KANA}{SOUTHEAST}{HANGUL}]"
WORD = re.compile(rf"[{HANGUL}]++|{LETTER}++(?:[{MARKS}]++{LETTER}*+|'{LETTER}++)*+")
# pattern of words in a folded ASCII text, which is twice as fast as the general pattern
ASCII_WORD = re.compile("[a-z0-9]++(?:'[a-z0-9]++)*+")
SPACELESS_TEXT = re.compile(rf"[{HAN}{KANA}{SOUTHEAST}]+")
ELISION = re.compile(
    r"(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|un|(?:[dns]|qu)?ell|d?all|sull|quest)'(?=\w\w)"
)
POSSESSIVE = re.compile(r"'s?\Z")

ARABIC_LETTERS = str.maketrans("یک", "يك")
NASAL = re.compile("[ङञणनम]्(?=[क-ह])")  # हिन्दी may also be written as हिंदी
SCRIPTS = {
    "ARABIC": "arabic",
    "ARMENIAN": "armenian",
    "CYRILLIC": "russian",
    "DEVANAGARI": "hindi",
    "GREEK": "greek",
    "TAMIL": "tamil",
}
VOWEL = re.compile("[aeiouy]")
LATIN_LANGUAGES = (
    "english",
    "german",
    "french",
    "spanish",
    "italian",
    "portuguese",
    "dutch",
    "swedish",
    "finnish",
)
DISTINCTIVE_SEQUENCES: dict[str, Sequence[str]] = {
    "german": "äöüß",
    "french": "çèêëîïûœ",
    "spanish": "ñ¿¡",
    "portuguese": "ãõ",
    "swedish": "å",
    "finnish": ("yö", "ää"),
}
LANGUAGE_CODES = {
    "english": "en",
    "german": "de",
    "french": "fr",
    "spanish": "es",
    "italian": "it",
    "portuguese": "pt",
    "dutch": "nl",
}
LANGUAGE_CODES |= {"swedish": "sv", "finnish": "fi", "arabic": "ar", "persian": "fa"}
# Characters of the script of each language. The language of a text is that of its most frequent
# script. Japanese precedes Chinese, because it uses kana and Chinese characters.
SCRIPT_OF_LANGUAGE = {
    "ja": re.compile(f"[{KANA}]"),
    "zh": re.compile(f"[{HAN}]"),
    "ko": re.compile(f"[{HANGUL}]"),
    "th": re.compile("[\u0e01-\u0e5b]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "el": re.compile("[\u0370-\u03ff]"),
    "hi": re.compile("[\u0900-\u097f]"),
    "ta": re.compile("[\u0b80-\u0bff]"),
    "hy": re.compile("[\u0530-\u058f]"),
    "ru": re.compile("[\u0400-\u04ff]"),
    "ar": re.compile("[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc]"),
    "en": re.compile("[A-Za-z\u00c0-\u024f]"),
}
KANA_SHARE = 0.1  # minimum share of kana in a Japanese text
LANGUAGE_SAMPLE_LENGTH = 2000  # number of characters from which the language of a text is detected
UKRAINIAN = re.compile("[іїєґ]")
PERSIAN = re.compile("[پچژگکی]")
URDU = re.compile("[ٹڈڑںے]")


def guess_languages(text: str) -> dict[str, str]:
    """Return the most likely language of a text for each script; for Latin, English is the default.

    Keys are the names of scripts in Unicode, such as `LATIN` or `ARABIC`. Scripts without a stemmer
    are omitted.

    >>> guess_languages("Warum gibt es an der Nordsee Gezeiten?")["LATIN"]
    'german'
    """
    languages = {**SCRIPTS, "LATIN": _guess_latin_language(text)[0]}
    if URDU.search(text):
        del languages["ARABIC"]
    elif PERSIAN.search(text):
        languages["ARABIC"] = "persian"
    return languages


def _guess_latin_language(text: str) -> tuple[str, int]:
    """Return the most likely language of words in Latin script, and its score.

    The score is the number of stop words in the text, plus the number of character sequences in the
    text that are distinctive for the language.
    """
    is_ascii = text.isascii()
    word_counts = Counter(
        ASCII_WORD.findall(text.lower()) if is_ascii else WORD.findall(casefold_text(text))
    )
    scores = {
        language: sum(word_counts[word] for word in word_counts.keys() & STOP_WORDS[language])
        for language in LATIN_LANGUAGES
    }
    if not is_ascii:
        folded_text = text.casefold()
        for language, sequences in DISTINCTIVE_SEQUENCES.items():
            scores[language] += sum(sequence in folded_text for sequence in sequences)
    best_language = max(LATIN_LANGUAGES, key=lambda language: scores[language])
    detected_language = (
        best_language if scores[best_language] > max(1, scores["english"]) else "english"
    )
    return detected_language, scores[detected_language]


def detect_language(text: str) -> str:
    """Return the language of a text as a BCP 47 code; empty if uncertain.

    >>> [detect_language(text) for text in ("Warum gibt es an der Nordsee Gezeiten?", "لماذا يحدث المد", "潮汐はなぜ起こる", "d17")]
    ['de', 'ar', 'ja', '']
    """
    sample = text[:LANGUAGE_SAMPLE_LENGTH]
    if sample.isascii():
        return _guess_latin_code(sample)
    letter_counts = {
        code: len(pattern.findall(sample)) for code, pattern in SCRIPT_OF_LANGUAGE.items()
    }
    if letter_counts["ja"] > KANA_SHARE * (letter_counts["zh"] + letter_counts["ja"]):
        letter_counts["ja"] += letter_counts["zh"]
    most_frequent_code = max(letter_counts, key=lambda code: letter_counts[code])
    if most_frequent_code == "ru":
        return "uk" if UKRAINIAN.search(sample) else "ru"
    if most_frequent_code == "ar":
        return LANGUAGE_CODES.get(guess_languages(sample).get("ARABIC", ""), "ur")
    if most_frequent_code != "en":
        return most_frequent_code if letter_counts[most_frequent_code] else ""
    return _guess_latin_code(sample)


def _guess_latin_code(text: str) -> str:
    language, stop_word_count = _guess_latin_language(text)
    return LANGUAGE_CODES[language] if language != "english" or stop_word_count > 1 else ""


@lru_cache(maxsize=4096)
def get_letter_script(letter: str) -> str:
    """Return the script of a letter, such as `LATIN`; empty for other characters."""
    return unicodedata.name(letter, "").partition(" ")[0]


def find_word_bounds(word: str) -> tuple[int, int]:
    """Return the span of a word, excluding an elided article and a possessive ending.

    >>> find_word_bounds("l'océan"), find_word_bounds("moon's"), find_word_bounds("o'clock")
    ((2, 7), (0, 4), (0, 7))
    """
    if "'" not in word:
        return 0, len(word)
    elision, possessive = ELISION.match(word), POSSESSIVE.search(word)
    return (elision.end() if elision else 0), (possessive.start() if possessive else len(word))


@lru_cache(maxsize=100_000)
def stem(word: str, language: str) -> str:
    """Return the stem of a folded word, without accents on Latin letters.

    If `language` is empty, only accents are removed. A word of more than 64 characters is returned
    unchanged.
    """
    if len(word) > MAX_STEMMED_LENGTH:
        return word  # removing a million accents from one letter would take quadratic time
    if not language:
        return strip_accents(word)
    if language == "arabic":
        word = word.translate(ARABIC_LETTERS)
    elif language == "english":
        word = strip_accents(word)
    elif language == "hindi":
        word = NASAL.sub("ं", word)
    # A new stemmer is created each time, because stemmers have state and are not thread-safe.
    return strip_accents(Stemmer(language).stemWord(word))


def make_inflection_key(word: str, language: str) -> str:
    """Return a key of a folded word that is the same for all of its inflected forms.

    The key is the stem. For English, it is the stem and the word without inflectional endings,
    since words that are derived from each other can have the same stem.

    >>> keys = [make_inflection_key(word, "english") for word in ("use", "uses", "using", "useful")]
    >>> len({*keys[:3]}), keys[3] in keys[:3]
    (1, False)
    """
    word_stem = stem(word, language)
    if language != "english" or len(word) > MAX_STEMMED_LENGTH:
        return word_stem
    return f"{word_stem} {_strip_english_inflection(strip_accents(word))}"


def _strip_english_inflection(word: str) -> str:
    """Return a word without -s, -es, -e, -ed, -ing and a doubled last letter, and with i for y.

    Words with different stems may have the same result. As in Porter's stemmer, -ed and -ing are
    removed only if the rest of the word contains a vowel, and -eed is tested before -ed: *need* and
    *thing* are therefore unchanged.

    >>> [_strip_english_inflection(word) for word in ("buildings", "needs", "agreed", "stopped")]
    ['build', 'need', 'agr', 'stop']
    """
    prefix = ""
    while word != prefix:
        prefix = word
        word = word.rstrip("es") or "s"
        suffix = next((ending for ending in ("eed", "ed", "ing") if word.endswith(ending)), "")
        if suffix and VOWEL.search(word, 0, len(word) - len(suffix)):
            word = word[: -len(suffix)]
        word = f"{word[:-1]}i" if word.endswith("y") else word
        word = word[:-1] if word[-2:-1] == word[-1:] else word
    return word


def strip_accents(word: str) -> str:
    """Return a word in Latin script without accents; a word in another script is unchanged."""
    if word.isascii() or get_letter_script(normalise_unicode("NFD", word[0])[0]) != "LATIN":
        return word
    return "".join(
        character
        for character in normalise_unicode("NFD", word)
        if not unicodedata.combining(character)
    )


@lru_cache(maxsize=16)
def load_stop_words(languages: frozenset[str]) -> frozenset[str]:
    """Return the stop words of several languages in folded form."""
    word_lists = (
        words.get(language, frozenset())
        for language in languages
        for words in (STOP_WORDS, UNTYPICAL_WORDS)
    )
    return frozenset(casefold_text(word) for words in word_lists for word in words)


STOP_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "english": "a an and are as at be been by can did do does for from has have how in is it its not of on or that the there "
        "this to was were what when where which who why will with",
        "german": "aber am an auf aus bei das dem den der des die ein eine einem einen einer es für hat im in ist man mit nach "
        "nicht oder sich sind über um und von warum was welche wer wie wo zu zum zur",
        "french": "a au aux avec ce ces comment dans de des du elle en est et il la le les leur ne ou où par pas pour pourquoi "
        "quand que quel quelle quelles quels qui se son sont sur un une",
        "spanish": "a al como cómo con cuál cuándo de del dónde el en entre es está esta fue ha hay la las lo los más no o para pero "
        "por qué que quién se son su sus un una y",
        "italian": "a al alla che chi come con cosa da dal degli dei del della delle di dove e è gli i il in la le lo nel nella non "
        "per perché più qual quali quando si sono su tra un una",
        "portuguese": "a ao as como com da das de do dos e é em entre foi há mais na não nas no nos o onde os ou para pela pelo por "
        "qual quais quando que quem se são um uma",
        "dutch": "aan als bij dat de den deze die dit door een en er het hoe in is met na naar niet of om onder ook op over te tot "
        "uit van voor waar waarom wat welke werd wie wordt worden zijn",
        "swedish": "att av de den det där efter eller en ett från för har hur hos i inte kan med men mellan mot när och om på som så "
        "till under vad var varför vem vid vilka vilken är över",
        "finnish": "ei että he hän ja jos joka jotka kanssa kun kuin koska kuka me mikä miksi millainen minkä missä mitkä mitä miten "
        "mukaan mutta ne niin nyt oli olla on ovat se sekä tai vai voi",
        "russian": "а без был была были было в во где для до же за и из или к как какая какие какой когда кто ли на не о об от по "
        "почему при с со у что чем это",
        "arabic": "أن أو أين إلى التي الذي ان او الى بين عن على عند في قد كان كانت كل كم كيف لا لم لماذا ما ماذا متى من منذ هذا هذه "
        "هل هو هي و وما",
        "persian": "از است آن این با برای بر به بود تا چرا چگونه چند چه چیست در را شد شده شود که کجا کدام کرد کی کیست می و هر هم یا یک",
        "hindi": "और इस उस एक ऐसा क्या क्यों कब कहाँ का कि किस की के को कौन कौनसा था थी थे द्वारा ने पर में यह या वह से हुआ हुई हुए है हैं हो कैसे तथा",
    }.items()
}

# Other frequent words, which are not used to identify the language of a text
UNTYPICAL_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "english": "about above across after again against ain't all almost along already also "
        "although always am among any anybody anyone anything aren't around because become "
        "becomes before behind being below between both but can't cannot could couldn't didn't "
        "doesn't doing don't done down during each either else etc ever every everyone "
        "everything few further get gets getting give given had hadn't hasn't haven't having he "
        "he'd he'll he's hence her here here's hers herself him himself his how's however i i'd "
        "i'll i'm i've if instead interested into isn't it'd it'll it's itself just least less "
        "let let's like made make many maybe me more most much must mustn't my myself neither "
        "never nevertheless no nobody none nor nothing now off often once only other others "
        "otherwise our ours ourselves out over own per perhaps please quite rather really same "
        "shall she she'd she'll she's should shouldn't since so some somebody someone something "
        "sometimes still such than that'd that'll that's their theirs them themselves then "
        "there's these they they'd they'll they're they've those though through thus together "
        "too toward towards under unless until up upon very wasn't we we'd we'll we're we've "
        "were weren't what's whatever when's whenever where's wherever whether whichever while "
        "who'd who'll who's whoever whom whose why's within without won't would wouldn't yet you "
        "you'd you'll you're you've your yours yourself yourselves",
        "german": "alle allem allen aller alles als also andere anderen anderer anderes auch bin bis bist da daher dann dass "
        "deine denen denn deren dessen dich dies diese diesem diesen dieser dieses dir doch dort du durch einige "
        "einiger einiges er etwas euch euer ganz gegen gibt habe haben hatte hatten her hier hin ich ihm ihn ihnen ihr "
        "ihre ihrem ihren ihrer ins ja jede jedem jeden jeder jedes jetzt kann kein keine keinem keinen keiner können "
        "konnte machen mehr mein meine mich mir muss müssen nach nein noch nun nur ob ohne sehr sein seine seinem "
        "seinen seiner sie so solche soll sollen sonst unser unsere unter vom vor war waren was weil welchem welchen "
        "welcher welches wenn werde werden wird wir wurde wurden während würde zwischen",
        "french": "ai alors après as aussi autre autres avait avant avez avoir avons car cela celle celles celui cette ceux "
        "chaque chez contre depuis donc dont elles entre être fait ils je jusque leurs lui ma mais même mes moi mon nos "
        "notre nous ont peut plus plusieurs quels sa sans selon ses si soi sous ta te tes toi ton tous tout toute "
        "toutes très tu une vers vos votre vous était étaient",
        "spanish": "algo algunas algunos ante antes aquel así aunque bajo cada casi contra cual cualquier cuando desde donde dos "
        "durante ella ellas ellos era eran eres esa esas ese eso esos estaba estado están estar estas este esto estos "
        "fueron haber había hacer hasta le les me mi mientras mis mismo mucho muchos muy nada ni nos nosotros otra "
        "otras otro otros poco porque puede pueden pues qué sea según ser si sido sin sobre solo también tan tanto te "
        "tiene tienen todo todos tu tus unas unos usted ya yo",
        "russian": "бы вам вас вот всё все всего всех вы да даже её ему если есть ещё её здесь из-за им их который которая которое "
        "которые которых лишь между меня мне может можно мой мы над надо нас наш нет него неё нее ней нём нет ни ним "
        "них но ну однако он она они оно очень перед под после потом потому почти разве сам себе себя сейчас так также "
        "такой там тебя тем теперь то тогда того тоже только том тот ту ты тут уже хотя чего чей чтобы эта эти этого "
        "этой этом этот я",
    }.items()
}

# Stop words in scripts without spaces; a text is divided into words at them
CHINESE = (
    "为什么 什么时候 有哪些 什么 时候 怎么样 怎么 怎样 如何 为何 哪些 哪个 哪里 哪儿 多少 是谁 是否 谁 哪 几 的 是 了 在 和 "
    "与 及 吗 呢 之 被 把 有"
).split()
JAPANESE = (
    "なぜですか について によって における とは という として ですか でしょうか ですが ました ます です でした される されて "
    "された している していた した して する から まで より なぜ どう いつ どこ どの どれ だれ 誰 何 の は が を に で と も "
    "へ や か"
).split()
THAI = ("อย่างไร เมื่อไหร่ เมื่อไร ที่ไหน เท่าไหร่ เท่าไร ทำไม อะไร ใคร หรือไม่ หรือ และ ของ คือ เป็น จาก").split()
# Words that contain a stop word, but are not divided there
CHINESE_WORDS = (
    "目的 的士 存在 现在 正在 在线 了解 为了 和平 共和 温和 和谐 参与 与会 之间 之前 之后 几何 几乎 有机 有限 所有 拥有 有效 是非 及格"
).split()
KOREAN_ENDINGS = (
    "에서는 에서 에게 으로 까지 부터 이란 란 처럼 보다 은 는 이 가 을 를 의 에 로 와 과 도 만"
).split()
KOREAN = frozenset(
    "왜 언제 어디 어디에서 어떻게 무엇 무엇인가 누구 누가 어떤 몇 그 이 저 및 등 수 것 있는 있나요 하는 무슨".split()
)
