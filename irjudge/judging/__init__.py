"""Judging: sessions, queues, undo and redo, consensus, and appending of events to logs."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
