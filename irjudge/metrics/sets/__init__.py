"""Measures of the retrieved documents as a set."""
