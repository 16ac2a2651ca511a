"""Where one begins: recent projects, samples, and opening."""
