"""Tests of differences between runs, intervals, and corrections for many comparisons."""
