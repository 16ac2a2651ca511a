"""Models as assessors: prompts, requests, audits, and estimates from labels by models."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
