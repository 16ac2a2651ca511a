"""Declarations of all settings (name, type, default and help), and their storage."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs
from PySide6.QtCore import QT_TRANSLATE_NOOP, QByteArray, QLocale, QObject, QSettings, Signal

from irjudge.errors import ProjectError
from irjudge.judging import DEFAULT_GUARD_MS, DEFAULT_IDLE_MS
from irjudge.palette import MARKS, PALETTES
from irjudge.shipped import cache_folder


@dataclass(frozen=True, slots=True)
class Setting:
    """Declaration of a setting: name, default value, help, and valid values.

    The current value is stored by `Settings`.

    `choices` are the valid values and `labels` their texts; `span` is the minimum and maximum.
    Without these, any value of the default's type is valid. `title` is the name of the setting on
    the settings page, and `card` the card on which it is shown; a setting without a title is
    internal. A dict is stored as a group with one line per entry.
    """

    name: str
    default: Any
    help: object  # `object` is the type that PySide declares for QT_TRANSLATE_NOOP
    title: object = ""
    card: str = ""
    choices: tuple[str, ...] = ()
    labels: tuple[object, ...] = ()
    span: tuple[float, float] | None = None


CARDS = {
    "looks": QT_TRANSLATE_NOOP("Setting", "Appearance"),
    "judging": QT_TRANSLATE_NOOP("Setting", "Judging"),
    "evaluation": QT_TRANSLATE_NOOP("Setting", "Evaluation"),
    "keys": QT_TRANSLATE_NOOP("Setting", "Keys"),
}
SETTINGS = (
    Setting(
        "guard_ms",
        DEFAULT_GUARD_MS,
        QT_TRANSLATE_NOOP(
            "Setting",
            "A grade key pressed within this time after a document appears is ignored, "
            "because it was probably meant for the previous document.",
        ),
        QT_TRANSLATE_NOOP("Setting", "Guard time in milliseconds"),
        "judging",
        span=(0, 5000),
    ),
    Setting(
        "idle_s",
        DEFAULT_IDLE_MS // 1000,
        QT_TRANSLATE_NOOP(
            "Setting", "Pauses longer than this limit do not count as time spent on a document."
        ),
        QT_TRANSLATE_NOOP("Setting", "Idle limit in seconds"),
        "judging",
        span=(1, 86_400),
    ),
    Setting(
        "best_passage",
        False,
        QT_TRANSLATE_NOOP(
            "Setting",
            "Documents open at the passage with the most topic terms, not at the beginning.",
        ),
        QT_TRANSLATE_NOOP("Setting", "Start at the best passage"),
        "judging",
    ),
    Setting(
        "several",
        "asked",
        QT_TRANSLATE_NOOP(
            "Setting",
            "Several short texts or products can be listed on one page; keys apply to the "
            "highlighted document.",
        ),
        QT_TRANSLATE_NOOP("Setting", "Documents per page"),
        "judging",
        choices=("asked", "one", "several"),
        labels=(
            QT_TRANSLATE_NOOP("Setting", "As specified by the task"),
            QT_TRANSLATE_NOOP("Setting", "One document at a time"),
            QT_TRANSLATE_NOOP("Setting", "Several documents at a time"),
        ),
    ),
    Setting(
        "theme",
        "system",
        QT_TRANSLATE_NOOP(
            "Setting",
            "Colours of the whole window. High contrast uses black, white and thick lines.",
        ),
        QT_TRANSLATE_NOOP("Setting", "Theme"),
        "looks",
        choices=("system", *(palette.name for palette in PALETTES)),
        labels=(
            QT_TRANSLATE_NOOP("Setting", "Follow system"),
            QT_TRANSLATE_NOOP("Setting", "Light"),
            QT_TRANSLATE_NOOP("Setting", "Dark"),
            QT_TRANSLATE_NOOP("Setting", "High contrast, light"),
            QT_TRANSLATE_NOOP("Setting", "High contrast, dark"),
        ),
    ),
    Setting(
        "zoom",
        1.0,
        QT_TRANSLATE_NOOP("Setting", "Size of all text; 1.0 is the normal size."),
        QT_TRANSLATE_NOOP("Setting", "Text size"),
        "looks",
        span=(0.7, 3.0),
    ),
    Setting(
        "font",
        "system",
        QT_TRANSLATE_NOOP("Setting", "For documents only; everything else uses the system font."),
        QT_TRANSLATE_NOOP("Setting", "Document font"),
        "looks",
    ),
    Setting(
        "highlight",
        "amber",
        QT_TRANSLATE_NOOP("Setting", "How topic terms are marked in documents."),
        QT_TRANSLATE_NOOP("Setting", "Highlight"),
        "looks",
        choices=tuple(MARKS),
        labels=(
            QT_TRANSLATE_NOOP("Setting", "Amber"),
            QT_TRANSLATE_NOOP("Setting", "Green"),
            QT_TRANSLATE_NOOP("Setting", "Blue"),
            QT_TRANSLATE_NOOP("Setting", "Pink"),
            QT_TRANSLATE_NOOP("Setting", "Underline only"),
        ),
    ),
    Setting(
        "language",
        "system",
        QT_TRANSLATE_NOOP(
            "Setting", "Language of the window. Documents and topics are unaffected."
        ),
        QT_TRANSLATE_NOOP("Setting", "Language"),
        "looks",
        choices=("system", "en", "zh_CN"),
        # each language is named in that language, so that its speakers recognise the name
        labels=("System", "English", "简体中文"),
    ),
    Setting(
        "decimals",
        4,
        QT_TRANSLATE_NOOP("Setting", "Number of decimals shown."),
        QT_TRANSLATE_NOOP("Setting", "Decimals"),
        "evaluation",
        span=(0, 12),
    ),
    Setting(
        "measures",
        "AP P@10 nDCG@10 RR",
        QT_TRANSLATE_NOOP(
            "Setting",
            "Default measures of the Evaluate page in new projects. Separate the names with "
            "spaces.",
        ),
        QT_TRANSLATE_NOOP("Setting", "Measures"),
        "evaluation",
    ),
    Setting(
        "cluster",
        "",
        QT_TRANSLATE_NOOP(
            "Setting",
            "Where evaluations, comparisons and correlations are computed. “local” uses all "
            "cores of this computer; an address such as tls://host:8786 uses a Dask scheduler. "
            "With tcp://, anyone who can reach the scheduler can run code as you. Leave empty "
            "to compute in this process. The results do not depend on this setting.",
        ),
        QT_TRANSLATE_NOOP("Setting", "Cluster"),
        "evaluation",
    ),
    Setting(
        "hand",
        "both",
        QT_TRANSLATE_NOOP(
            "Setting",
            "Left hand only: all keys of the judging page are in the left half of the keyboard.",
        ),
        QT_TRANSLATE_NOOP("Setting", "Hands used"),
        "keys",
        choices=("both", "left"),
        labels=(
            QT_TRANSLATE_NOOP("Setting", "Both hands"),
            QT_TRANSLATE_NOOP("Setting", "Left hand only"),
        ),
    ),
    Setting(
        "grade_keys",
        {},
        QT_TRANSLATE_NOOP(
            "Setting", "Keys that replace the digits of grades, written as digit=key."
        ),
        QT_TRANSLATE_NOOP("Setting", "Grade keys"),
        "keys",
    ),
    Setting(
        "keys",
        {},
        QT_TRANSLATE_NOOP(
            "Setting", "Action keys that differ from the default, written as action=key."
        ),
        QT_TRANSLATE_NOOP("Setting", "Action keys"),
        "keys",
    ),
    Setting("recent", "", "The projects opened last."),
    Setting("used_pages", "", "The rarely needed pages that were opened; they have a tab."),
    Setting("last_seen", "", "How far the projects opened last were."),
    Setting(
        "samples",
        "",
        "The folder where copies of the samples are kept; empty for irjudge in your documents.",
    ),
    Setting("names", "", "The names in whose files the user judges."),
    Setting(
        "own_words",
        "",
        "The user's own highlighted words, by project and topic.",
    ),
    Setting("places", "", "Where the user went last without judging there yet, by project."),
    Setting(
        "folders",
        "",
        "The last used folders, by kind of file.",
    ),
    Setting("geometry", "", "Where the window was."),
    Setting(
        "table_colours", True, "Whether numbers of the evaluation page are coloured by their size."
    ),
    Setting(
        "table_intervals", False, "Whether the evaluation page shows the interval of each mean."
    ),
    Setting(
        "table_coverage", False, "Whether the evaluation page shows all that the means rest on."
    ),
)
BOOLEAN_VALUES = {"true": True, "1": True, "false": False, "0": False}
MAX_RECENT_PROJECTS = 8
MAX_TOPICS_WITH_TERMS = 20


class Settings(QObject):
    """Settings of a user, which are stored in an ini file.

    `get` returns the default if the stored value is missing or invalid; `set` converts a value to
    the type of the default, but does not check whether it is one of the valid values. Further
    methods read and store internal settings, such as recent projects and the names under which the
    user judges. `changed` is emitted with the name of a setting after each call of `set`, also for
    internal settings.
    """

    changed = Signal(str)

    def __init__(self, path: Path | None = None) -> None:
        super().__init__()
        self._file = (
            path or Path(platformdirs.user_config_dir("irjudge", appauthor=False)) / "irjudge.ini"
        )
        self._has_custom_path = path is not None
        self._store = QSettings(str(self._file), QSettings.Format.IniFormat)
        self._settings_by_name = {setting.name: setting for setting in SETTINGS}

    def get(self, name: str) -> Any:
        """Return the value of a setting; the default if the stored value is invalid or missing."""
        default = self._settings_by_name[name].default
        if isinstance(default, dict):
            return self._group(name)
        value = self._store.value(name, default)
        return self._parse_value(name, value) if self.accepts(name, value) else default

    def _group(self, name: str) -> dict[str, str]:
        self._store.beginGroup(name)
        group = {entry: self._store.value(entry) for entry in self._store.childKeys() if entry}
        self._store.endGroup()
        return {entry: value for entry, value in group.items() if isinstance(value, str)}

    def accepts(self, name: str, value: object) -> bool:
        """Return whether a value has the type of a setting and is one of its valid values."""
        setting = self._settings_by_name[name]
        try:
            parsed_value = self._parse_value(name, value)
        except (ValueError, OverflowError, TypeError):
            return False
        return (not setting.choices or parsed_value in setting.choices) and (
            not setting.span or setting.span[0] <= parsed_value <= setting.span[1]
        )

    def _parse_value(self, name: str, value: object) -> Any:
        if not isinstance(value, (str, int, float)):
            raise TypeError(f"{name} cannot be {value!r}")
        if isinstance(self._settings_by_name[name].default, bool):
            return _parse_truth(value)
        return type(self._settings_by_name[name].default)(value)

    def set(self, name: str, value: Any) -> None:
        if isinstance(value, dict):
            self._store.remove(name)
            for entry, entry_value in value.items():
                self._store.setValue(f"{name}/{entry}", str(entry_value))
        else:
            self._store.setValue(name, type(self._settings_by_name[name].default)(value))
        self.changed.emit(name)

    def recent(self) -> list[Path]:
        """Return the paths of recently opened projects, the last opened one first.

        Whether the files exist is not checked, since a check could block on a lost network share.
        """
        return [Path(line) for line in str(self.get("recent")).split("\n") if line]

    def add_recent(self, path: Path) -> None:
        """Store a project as the last opened one."""
        other_paths = [recent_path for recent_path in self.recent() if recent_path != path]
        self.set(
            "recent",
            "\n".join(
                str(recent_path) for recent_path in [path, *other_paths][:MAX_RECENT_PROJECTS]
            ),
        )

    def forget_recent(self, path: Path) -> None:
        self.set(
            "recent",
            "\n".join(str(recent_path) for recent_path in self.recent() if recent_path != path),
        )

    def used_pages(self) -> list[str]:
        """Return the ids of those rarely needed pages that have been opened."""
        return str(self.get("used_pages")).split()

    def add_used_page(self, id: str) -> None:
        """Record that a rarely needed page has been opened."""
        if id not in self.used_pages():
            self.set("used_pages", " ".join([*self.used_pages(), id]))

    def last_seen(self) -> dict[str, dict[str, str]]:
        """Return the last known progress of each project as properties, by path of the project."""
        try:
            return {
                str(path): {str(name): str(value) for name, value in properties.items()}
                for path, properties in json.loads(str(self.get("last_seen"))).items()
            }
        except (ValueError, TypeError, AttributeError, RecursionError):
            return {}

    def keep_last_seen(self, path: Path, properties: dict[str, str]) -> None:
        """Store the progress of a project; delete the progress of projects that are not recent."""
        recent = {str(path) for path in self.recent()}
        stored_values = {
            path: values for path, values in self.last_seen().items() if path in recent
        } | {str(path): properties}
        self.set("last_seen", json.dumps(stored_values, ensure_ascii=False))

    def folders(self) -> dict[str, str]:
        """Return the folders last used for saving, by project folder.

        The folder last used for opening files has an empty key.
        """
        try:
            return {
                str(source): str(folder)
                for source, folder in json.loads(str(self.get("folders"))).items()
            }
        except (ValueError, TypeError, AttributeError, RecursionError):
            return {}

    def keep_folder(self, source: str, folder: str) -> None:
        """Store the folder last used for `source`, and drop the oldest entries; see `folders`."""
        other_folders = {path: chosen for path, chosen in self.folders().items() if path != source}
        self.set(
            "folders",
            json.dumps(
                dict([(source, folder), *other_folders.items()][:MAX_RECENT_PROJECTS]),
                ensure_ascii=False,
            ),
        )

    def names(self) -> list[str]:
        """Return the assessor names under which this user has judged."""
        return [name for name in str(self.get("names")).split("\n") if name]

    def add_name(self, name: str) -> None:
        self.set("names", "\n".join(dict.fromkeys([*self.names(), name])))

    def own_terms(self, project: Path) -> dict[str, tuple[str, ...]]:
        """Return the terms that the user highlighted in a project, by topic."""
        return {
            topic: terms for path, topic, terms in self._own_term_entries() if path == str(project)
        }

    def store_own_terms(self, project: Path, topic: str, terms: Sequence[str]) -> None:
        """Store the terms that the user highlighted in a topic, and drop the oldest entries."""
        other_entries = [
            entry for entry in self._own_term_entries() if entry[:2] != (str(project), topic)
        ]
        entries = [(str(project), topic, tuple(terms)), *other_entries] if terms else other_entries
        self.set("own_words", json.dumps(entries[:MAX_TOPICS_WITH_TERMS], ensure_ascii=False))

    def _own_term_entries(self) -> list[tuple[str, str, tuple[str, ...]]]:
        try:
            return [
                (str(path), str(topic), tuple(map(str, terms)))
                for path, topic, terms in json.loads(str(self.get("own_words")))
            ]
        except (ValueError, TypeError, RecursionError):
            return []

    def last_item(self, project: Path) -> tuple[str, tuple[str, str, int]] | None:
        """Return the item to which the user last jumped in a project; None if there was no jump.

        The result is the digest of the last event in the log at the time of the jump, and the item:
        topic, document and number of the presentation.
        """
        return next(
            (
                (head, position)
                for path, head, position in self._last_items()
                if path == str(project)
            ),
            None,
        )

    def store_last_item(self, project: Path, head: str, item: tuple[str, str, int]) -> None:
        """Store the item to which the user jumped, and the digest of the log's last event."""
        other_items = [
            last_item for last_item in self._last_items() if last_item[0] != str(project)
        ]
        self.set(
            "places",
            json.dumps(
                [(str(project), head, item), *other_items][:MAX_RECENT_PROJECTS], ensure_ascii=False
            ),
        )

    def _last_items(self) -> list[tuple[str, str, tuple[str, str, int]]]:
        try:
            return [
                (str(path), str(head), (str(topic), str(document), int(time)))
                for path, head, (topic, document, time) in json.loads(str(self.get("places")))
            ]
        except (ValueError, TypeError, OverflowError, RecursionError):
            return []

    @property
    def cache(self) -> Path:
        """Cache folder; if the settings file has a custom path, the folder is next to it."""
        return self._file.parent / "cache" if self._has_custom_path else cache_folder()

    def sample_path(self, name: str) -> Path:
        """Return the path of the user's copy of a sample; create the folder if necessary."""
        folder = Path(
            str(self.get("samples")) or Path(platformdirs.user_documents_dir()) / "irjudge"
        )
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:  # ValueError: the path contains NUL
            raise ProjectError(
                "Cannot create the folder {folder} ({error}).",
                folder=folder,
                error=getattr(error, "strerror", None) or error,
            ) from error
        return folder / f"{name}.irjudge"

    def geometry(self) -> QByteArray:
        return QByteArray.fromBase64(str(self.get("geometry")).encode())

    def set_geometry(self, geometry: QByteArray) -> None:
        self.set("geometry", bytes(geometry.toBase64().data()).decode())


def locale_of(choice: str) -> QLocale:
    """Return the locale for a value of the setting `language`.

    For `system`, it is the locale of the desktop.
    """
    return QLocale() if choice == "system" else QLocale(choice)


def _parse_truth(value: str | float) -> bool:
    try:
        return BOOLEAN_VALUES[str(value).lower()]
    except KeyError:
        raise ValueError(f"{value!r} is neither true nor false") from None
