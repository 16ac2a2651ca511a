"""Draws words in a table as they are written: from right to left too, with the dots of what has no room where they end."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from irjudge_ui.words import apart

Index = QModelIndex | QPersistentModelIndex


class WrittenDelegate(QStyledItemDelegate):
    """Draws cells as every table does; words stand where the column begins, and run as their own letters do."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Keep the words' own way of running."""
        super().initStyleOption(option, index)
        words = option.text
        if words and (kept := apart(words)) != words:
            option.text = kept
