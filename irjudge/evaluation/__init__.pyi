from .notebooks import estimate as estimate
from .notebooks import evaluate as evaluate
from .evaluation_in_parts import evaluate_arrow as evaluate_arrow
