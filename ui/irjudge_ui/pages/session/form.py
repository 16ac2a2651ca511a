"""What whoever leads asks for when a session begins."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QWidget

from irjudge.exchange.people import candidates_of
from irjudge.web.dispatch import Terms
from irjudge.web.server import own_addresses
from irjudge.web.session import Join, Wish
from irjudge_ui.widgets.layout import offer, text
from irjudge_ui.widgets.number_field import NumberField
from irjudge_ui.widgets.theme import SPACE_S

MOST_OVERLAP, MOST_EVERY = 50, 999
HERE = "127.0.0.1"
translate = QCoreApplication.translate


class SessionForm(QWidget):
    """How often a document is judged, what is planted, who may join, and on which address."""

    def __init__(self) -> None:
        super().__init__()
        self.overlap = NumberField(1, MOST_OVERLAP, 3, self.tr("Judgments of each document"))
        self.gold = NumberField(0, MOST_EVERY, 0, self.tr("A known answer every"))
        self.repeats = NumberField(0, MOST_EVERY, 0, self.tr("A document shown again every"))
        self.join, self.address, self.names = QComboBox(), QComboBox(), QLineEdit()
        offer(
            self.join,
            [
                (self.tr("Anyone with the code"), "open"),
                (self.tr("Names on a list"), "names"),
                (self.tr("One link each"), "links"),
            ],
        )
        self.names.setPlaceholderText(self.tr("ann, bob, cleo, or a file"))
        self.join.currentIndexChanged.connect(lambda _place: self._show_names())
        self._lay_out()
        self._show_names()

    def _lay_out(self) -> None:
        box = QGridLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setVerticalSpacing(SPACE_S)
        fields = (
            (self.tr("Judgments of each document"), self.overlap),
            (self.tr("A known answer every"), self.gold),
            (self.tr("A document shown again every"), self.repeats),
            (self.tr("Who may join"), self.join),
            (self.tr("Names"), self.names),
            (self.tr("Address of this machine"), self.address),
        )
        for place, (words, field) in enumerate(fields):
            label = text(words, "quiet", wrap=False)
            field.setAccessibleName(words)
            box.addWidget(label, place, 0)
            box.addWidget(field, place, 1)
            if field in (self.gold, self.repeats):
                box.addWidget(text(self.tr("documents; 0 for none"), "quiet", wrap=False), place, 2)
            if field is self.names:
                self._names_label = label
        box.setColumnStretch(3, 1)

    def _show_names(self) -> None:
        listed = self.join.currentData() != "open"
        self.names.setVisible(listed)
        self._names_label.setVisible(listed)

    def refresh(self) -> None:
        """Offer the addresses that this machine has now."""
        offer(self.address, [(each, each) for each in dict.fromkeys([*own_addresses(), HERE])])

    @property
    def host(self) -> str:
        """The address to listen on."""
        return str(self.address.currentData() or HERE)

    def wish(self) -> Wish:
        """Return what is asked for.

        Raises
        ------
        IrjudgeError
            When numbers or names cannot be used.
        """
        join: Join = self.join.currentData()
        names = tuple(person.name for person in candidates_of(self.names.text())) if join != "open" else ()
        terms = Terms(self.overlap.value(), gold_every=self.gold.value(), repeats_every=self.repeats.value())
        return Wish(terms, join=join, names=names)
