"""Small reusable widgets that know no engine types."""
