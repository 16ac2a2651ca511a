"""The commands of judging together: serving, people, and the database behind several servers."""
