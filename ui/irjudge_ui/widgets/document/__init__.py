"""A document on the screen."""
