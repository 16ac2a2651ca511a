"""Judging in a browser: an assignment as one HTML file that needs no network and no installation."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
