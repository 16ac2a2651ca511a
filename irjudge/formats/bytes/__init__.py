"""Bytes in and out: encodings, archives, packing, blocks of lines, and the one door for files that are written."""
