from .evaluate import (
    EvaluateView as EvaluateView,
)
from .evaluate_files import (
    FilesView as FilesView,
)
from .measure_chooser import (
    list_entries as list_entries,
)
