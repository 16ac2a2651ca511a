"""Documents for the screen."""
