"""Which documents to judge, and in what order."""
