"""Assignments out, returned files in: who judges what, one file each, and the union of what comes back."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
