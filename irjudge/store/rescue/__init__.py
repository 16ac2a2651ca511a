"""What can be saved of a damaged project."""
