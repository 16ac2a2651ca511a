"""The Excel workbook, a module for each kind of sheet."""
