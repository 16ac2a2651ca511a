"""Statistics: how alike two rankings are, and whether one system is better than another by more than chance."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
