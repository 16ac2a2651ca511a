"""Evaluations over time: kept, compared with, and what pipelines ask of them."""
