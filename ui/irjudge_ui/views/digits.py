"""The former name of `digit_of`, which `irjudge_ui.views.keyboard` has now."""

from irjudge_ui.views.keyboard import digit_of

__all__ = ["digit_of"]
