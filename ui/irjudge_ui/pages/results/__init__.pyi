from .evaluate import (
    EvaluateView as EvaluateView,
)
from .evaluate_files import (
    FilesView as FilesView,
)
