"""Measures of a ranking whose documents have grades."""
