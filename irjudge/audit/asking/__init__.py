"""Asking models for grades: prompts, requests, and answers that are kept before they count."""
