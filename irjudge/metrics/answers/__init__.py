"""Measures of answers that a system wrote: what they say, and what they prove."""
