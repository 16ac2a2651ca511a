"""Workspace: what judging, comparing and adjudicating share."""
