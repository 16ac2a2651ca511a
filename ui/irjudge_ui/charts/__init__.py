"""Charts that are drawn live."""
