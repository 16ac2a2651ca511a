"""Statistics: how alike two rankings are, and whether one system is better than another by more than chance."""
