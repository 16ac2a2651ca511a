"""The page about models that judge."""
