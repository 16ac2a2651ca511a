"""Judging in a browser, in a single HTML file that works offline or in a session on a server."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
