"""How far several assessors agree."""
