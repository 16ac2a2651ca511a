"""Rows of files: columns, tables, records, workbooks, and which column holds what."""
