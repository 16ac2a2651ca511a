"""Models that judge, held against people: the audit, and what few judgments of people make of a model's labels."""
