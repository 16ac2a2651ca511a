"""Judgments, labels and preferences of several assessors, and tasks for crowd platforms."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
