"""Judging in a browser, either in a single HTML file without network or in a session with a server."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
