"""Figures of results: what each shows as plain data, and how it is drawn for paper and screen."""
