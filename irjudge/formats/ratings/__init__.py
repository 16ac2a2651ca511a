"""Ratings as search teams keep them: by the text of a query, in the forms of their tools."""
