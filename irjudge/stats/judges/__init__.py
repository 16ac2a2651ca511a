"""A judge that is a model against people: agreement, leniency, and whether it may stand for one of them."""
