"""Texts of the page for browsers in other languages, from the catalogues of translations."""

import json
import re
from collections.abc import Iterable
from functools import cache

from irjudge.model.judging_keys import JUDGING_KEYS
from irjudge.shipped import shipped
from irjudge.translations import languages, load_catalogue

PAGE = "page"  # meaning of an entry that only the page for browsers uses
TRANSLATED = re.compile(r'\btr\(\s*("(?:[^"\\]|\\.)*")\s*,?\s*\)')


@cache
def page_texts() -> frozenset[str]:
    """Return the texts that the modules of the page translate: the literals given to `tr`."""
    modules = sorted((shipped("resources") / "web").glob("*.js"))
    calls = (TRANSLATED.findall(path.read_text(encoding="utf-8")) for path in modules)
    return frozenset(json.loads(text) for texts in calls for text in texts)


def page_translations(task_texts: Iterable[str] = ()) -> dict[str, dict[str, str]]:
    """Return by language the translations of the page's texts and keys and of a task's texts.

    A text without a translation is left out; the page shows the English one then.
    """
    keys = (key.text for key in JUDGING_KEYS.values())
    wanted = sorted({*task_texts, *keys, *page_texts()})
    found = {}
    for language in languages():
        entries = load_catalogue(language).entries
        pairs = ((each, entries.get((each, PAGE)) or entries.get((each, ""))) for each in wanted)
        found[language] = {text: translation for text, translation in pairs if translation}
    return found
