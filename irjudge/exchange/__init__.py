"""Assignment of work: plans, files for assessors, merging of returned files, workflow stages."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
