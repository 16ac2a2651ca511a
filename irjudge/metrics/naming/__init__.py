"""How measures are declared, named and given parameters."""
