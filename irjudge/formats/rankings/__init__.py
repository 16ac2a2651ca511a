"""Runs, qrels and pools."""
