from .comparison import (
    PanelsView as PanelsView,
)
from .conclusions import (
    p_words as p_words,
)
