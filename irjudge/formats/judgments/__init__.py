"""What several assessors said: judgments, labels, preferences, and tasks for crowds."""
