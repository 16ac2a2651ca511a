"""What people take home: workbooks and tables."""
