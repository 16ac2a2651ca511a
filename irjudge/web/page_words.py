"""What the page for browsers says in other languages: its words stand among the translations of the window."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import parse

from irjudge.model.judging_keys import JUDGING_KEYS
from irjudge.shipped import shipped

WEB, ENGINE = (
    "Web",
    "Engine",
)  # contexts of the window's translations, which hold the words of the page too
TRANSLATIONS = "irjudge_"


def words_of(spoken: Iterable[str] = ()) -> dict[str, dict[str, str]]:
    """Return by language what the page's words are called there; of its keys and `spoken`, what a task says, those with a translation.

    A word without a translation is left out; the page shows the English one then.
    """
    wanted = sorted({*spoken, *(key.text for key in JUDGING_KEYS.values())})
    found = {}
    for path in sorted((shipped("resources") / "translations").glob(f"{TRANSLATIONS}*.ts")):
        contexts = _contexts(path)
        everywhere = {
            source: words
            for context in reversed(contexts.values())
            for source, words in context.items()
        }
        known = everywhere | contexts.get(ENGINE, {})
        found[path.stem.removeprefix(TRANSLATIONS)] = {
            each: known[each] for each in wanted if each in known
        } | contexts.get(WEB, {})
    return found


@cache
def _contexts(path: Path) -> dict[str, dict[str, str]]:
    """Return what a file of translations says, by context."""
    return {
        str(context.findtext("name")): _messages(context)
        for context in parse(path).getroot().iter("context")
    }


def _messages(context: Element) -> dict[str, str]:
    pairs = (
        (each.findtext("source"), each.findtext("translation")) for each in context.iter("message")
    )
    return {source: translation for source, translation in pairs if source and translation}
