"""Runs against each other."""
