from .crash_dialog import (
    IntegrityWarning as IntegrityWarning,
    CrashDialog as CrashDialog,
    UncountedWarning as UncountedWarning,
)
from .exports import (
    CopyMenu as CopyMenu,
    Exports as Exports,
)
from .progress import (
    BlockingJob as BlockingJob,
    WorkIndicator as WorkIndicator,
)
from .workflow_bar import (
    WorkflowBar as WorkflowBar,
)
