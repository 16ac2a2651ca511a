"""What comes from elsewhere: the items of task files for crowds, and what models answered."""
