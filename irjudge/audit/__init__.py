"""Models that judge, held against people: the audit, and what few judgments of people make of a model's labels."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
