"""Evaluation of runs: values by run, topic and measure, comparisons, estimates and bounds."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
