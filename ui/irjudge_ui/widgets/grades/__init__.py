"""Grades on the screen."""
