"""Exercises for a class: what a student computes is checked, and exercises with choices are drawn."""
