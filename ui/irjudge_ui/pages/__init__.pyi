from .home import (
    facts_of as facts_of,
)
from .open_project import (
    FileDrops as FileDrops,
    Opened as Opened,
    Opening as Opening,
    session_of as session_of,
)
from .registry import (
    BY_ID as BY_ID,
    ENTRIES as ENTRIES,
    PAGES as PAGES,
    Pages as Pages,
    together as together,
)
from .settings import (
    Appearance as Appearance,
    ShortcutsDialog as ShortcutsDialog,
    apply_appearance as apply_appearance,
)
