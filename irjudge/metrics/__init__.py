"""Measures: what a ranking is worth, with numpy alone."""
