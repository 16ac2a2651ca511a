from .judge import (
    JudgeView as JudgeView,
)
