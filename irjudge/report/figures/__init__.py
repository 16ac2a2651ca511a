"""Figures of results: their content as data, and their drawing for paper and screen."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
