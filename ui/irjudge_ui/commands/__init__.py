"""Undoable changes to a project, one class each."""
