"""How far several assessors agree."""

from importlib import import_module

STATISTICS = ("raw_and_fleiss", "krippendorff_alpha", "gwet_ac", "cohen_kappa")

for _name in STATISTICS:  # the catalogue lists them in the order in which they are declared
    import_module(f"{__name__}.{_name}")
