"""Pages of results: values of runs, explanations of values, and possible values."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
