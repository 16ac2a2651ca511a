from .assessors import (
    AssessorsView as AssessorsView,
)
