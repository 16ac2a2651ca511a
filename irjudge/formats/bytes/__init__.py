"""Bytes in and out: encodings, archives, packing, blocks of lines, and the one door for files that are written."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
