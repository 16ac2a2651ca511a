from .crash_dialog import (
    Soundness as Soundness,
    TroubleDialog as TroubleDialog,
    Uncounted as Uncounted,
)
from .exports import (
    Copying as Copying,
    Exports as Exports,
)
from .progress import (
    CoverJob as CoverJob,
    WorkIndicator as WorkIndicator,
)
from .workflow_bar import (
    WorkflowBar as WorkflowBar,
)
