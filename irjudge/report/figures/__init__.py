"""Figures of results: charts as data, and drawing of charts for paper and screen."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
