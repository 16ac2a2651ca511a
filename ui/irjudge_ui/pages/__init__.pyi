from .guides import (
    GuideRequest as GuideRequest,
    list_guide_headings as list_guide_headings,
    list_guides as list_guides,
)
from .home import (
    summarize_work as summarize_work,
)
from .open_project import (
    FileDrops as FileDrops,
    OpenedProject as OpenedProject,
    ProjectOpener as ProjectOpener,
    create_session as create_session,
)
from .registry import (
    BY_ID as BY_ID,
    ENTRIES as ENTRIES,
    PAGES as PAGES,
    Pages as Pages,
    sibling_pages as sibling_pages,
)
from .settings import (
    Appearance as Appearance,
    ShortcutsDialog as ShortcutsDialog,
    apply_appearance as apply_appearance,
)
