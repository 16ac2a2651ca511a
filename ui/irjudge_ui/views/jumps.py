"""The documents of a topic: what was judged, skipped and not judged yet, and the way back to any of them."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QListView, QVBoxLayout, QWidget

from irjudge.judging.overview import PlaceState
from irjudge.judging.queue import Place
from irjudge.judging.session import Session
from irjudge_ui.models.places import PLACE, PlacesModel
from irjudge_ui.widgets.layout import button, row, text
from irjudge_ui.widgets.place_delegate import PlaceDelegate
from irjudge_ui.widgets.theme import SPACE_M, SPACE_XL, zoomed

SIZE = (560, 620)
KEPT: dict[str, Callable[[PlaceState], bool]] = {
    "all": lambda place: True,
    "unjudged": lambda place: place.state == "unjudged",
    "skipped": lambda place: place.state == "skipped",
    "judged": lambda place: place.state in ("grade", "unjudgeable"),
    "unsure": lambda place: place.unsure,
}


class JumpDialog(QDialog):
    """Lists the topic's documents in the assessor's own order. `chosen` comes with the place to open."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget, session: Session, topic: str, at: Place | None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Documents of this topic"))
        room = parent.window().size()
        self.resize(*(min(zoomed(wish), most) for wish, most in zip(SIZE, (room.width(), room.height()), strict=True)))
        self._places = session.places(topic)
        titles = session.titles(topic)
        self._model = PlacesModel(self._places, titles, session.scale.values)
        self._list = QListView()
        self._list.setObjectName("places")
        self._list.setModel(self._model)
        self._list.setItemDelegate(PlaceDelegate(self._list))
        self._list.setUniformItemSizes(True)
        self._list.setAccessibleName(self.tr("Documents of this topic"))
        self._list.activated.connect(self._choose)
        self._filter = self._new_filter()
        self._lay_out(session.topic(topic).title or topic)
        self._show("all", at)

    def _new_filter(self) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(self.tr("Which documents are listed"))
        labels = {
            "all": self.tr("All"),
            "unjudged": self.tr("Not judged"),
            "skipped": self.tr("Skipped"),
            "judged": self.tr("Judged"),
            "unsure": self.tr("Unsure"),
        }
        for name, keeps in KEPT.items():
            box.addItem(f"{labels[name]}  ({sum(map(keeps, self._places)):,})", name)
        box.activated.connect(lambda _place: self._show(box.currentData(), None))
        return box

    def _lay_out(self, title: str) -> None:
        open_it, close = button(self.tr("Open"), "primary"), button(self.tr("Close"))
        open_it.clicked.connect(lambda: self._choose(self._list.currentIndex()))
        close.clicked.connect(self.reject)
        box = QVBoxLayout(self)
        box.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        box.setSpacing(SPACE_M)
        box.addWidget(text(title, "heading"))
        box.addLayout(row(self._filter, None))
        box.addWidget(self._list, 1)
        foot = row(text(self.tr("Enter opens a document; another grade replaces the one it has."), "small"), close, open_it)
        foot.setStretch(0, 1)
        box.addLayout(foot)
        self._list.setFocus()

    def _show(self, kept: str, at: Place | None) -> None:
        self._model.show_places([place for place in self._places if KEPT[kept](place)])
        line = next((line for line, place in enumerate(self._model.places) if place.place == at), 0)
        self._list.setCurrentIndex(self._model.index(line))
        self._list.scrollTo(self._list.currentIndex(), QListView.ScrollHint.PositionAtCenter)

    def _choose(self, index: QModelIndex) -> None:
        place = index.data(PLACE)
        if place is not None:
            self.accept()
            self.chosen.emit(place.place)
