"""Settings, keys, and the list of shortcuts."""
