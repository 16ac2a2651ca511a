from .comparison import (
    ComparisonView as ComparisonView,
)
from .conclusions import (
    format_p as format_p,
)
