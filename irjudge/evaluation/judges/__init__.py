"""What those who judge do to an evaluation: assessors against each other, and models against people."""
