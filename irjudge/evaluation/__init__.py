"""Runs x topics x measures as one table."""
