"""Figures for papers."""
