"""One grade out of several assessors' labels."""
