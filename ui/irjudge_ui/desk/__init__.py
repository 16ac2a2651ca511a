"""What judging, comparing and adjudicating share."""
