"""Measures of a ranking whose documents are relevant or not."""
