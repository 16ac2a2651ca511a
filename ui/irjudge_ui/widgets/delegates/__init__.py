"""What is drawn in the cells of tables and lists."""
