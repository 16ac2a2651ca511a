"""The documents of any topic: what was judged, skipped and not judged yet, and the way back to any of them."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QDialog, QListView, QVBoxLayout, QWidget

from irjudge.judging.queue import PlaceState, QueuePlace
from irjudge.judging.session import Session
from irjudge_ui.messages import apart, plain
from irjudge_ui.models.tables import QUEUE_ITEM_ROLE, QueueModel
from irjudge_ui.widgets.fields import ChoiceBox
from irjudge_ui.widgets.layout import button, row, text
from irjudge_ui.widgets.table import PlaceDelegate
from irjudge_ui.widgets.theme import SPACE_M, SPACE_XL, dress, zoomed

SIZE = (560, 620)
LEAST_LETTERS = 20  # of a topic's title, however narrow the dialog
KEPT: dict[str, Callable[[PlaceState], bool]] = {
    "all": lambda place: True,
    "unjudged": lambda place: place.state == "unjudged",
    "skipped": lambda place: place.state == "skipped",
    "judged": lambda place: place.state in ("grade", "unjudgeable"),
    "unsure": lambda place: place.unsure,
}
TO_DO: tuple[Callable[[PlaceState], bool], ...] = (
    lambda place: place.state in ("unjudged", "skipped"),
    KEPT["unsure"],
)


class JumpDialog(QDialog):
    """Lists a topic's documents in the assessor's own order. `chosen` comes with the place to open."""

    chosen = Signal(object)

    def __init__(
        self, parent: QWidget, session: Session, topic: str, at: QueuePlace | None
    ) -> None:
        super().__init__(parent)
        dress(self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Documents"))
        room = parent.window().size()
        self.resize(
            *(
                min(zoomed(wish), most)
                for wish, most in zip(SIZE, (room.width(), room.height()), strict=True)
            )
        )
        self._session = session
        self._places: tuple[PlaceState, ...] = ()
        self._model = QueueModel([], {}, session.scale.values)
        self._list = self._new_list()
        self._filter, self._topics = self._new_filter(), self._new_topics()
        self._lay_out()
        self._topics.setCurrentIndex(max(0, self._topics.findData(topic)))
        self._list_topic(at)

    def _new_list(self) -> QListView:
        made = QListView()
        made.setObjectName("places")
        made.setModel(self._model)
        made.setItemDelegate(PlaceDelegate(made))
        made.setUniformItemSizes(True)
        made.setAccessibleName(self.tr("Documents of this topic"))
        made.activated.connect(self._choose)
        return made

    def _new_topics(self) -> ChoiceBox:
        box = ChoiceBox(LEAST_LETTERS)
        box.setObjectName("topics")
        box.setAccessibleName(self.tr("Topic"))
        for topic in self._session.queue.topics:
            count, title = self._session.count(topic), self._session.topic(topic).title or topic
            box.addItem(f"{apart(title)}  {count.judged:,}/{count.assigned:,}", topic)
            box.setItemData(box.count() - 1, plain(title), Qt.ItemDataRole.ToolTipRole)
        box.activated.connect(lambda _place: self._list_topic(None))
        return box

    def _new_filter(self) -> ChoiceBox:
        box = ChoiceBox()
        box.setObjectName("kept")
        box.setAccessibleName(self.tr("Which documents are listed"))
        box.addItems([""] * len(KEPT))
        box.activated.connect(lambda _place: self._show(None))
        return box

    def _name_filters(self) -> None:
        labels = {
            "all": self.tr("All"),
            "unjudged": self.tr("Not judged"),
            "skipped": self.tr("Skipped"),
            "judged": self.tr("Judged"),
            "unsure": self.tr("Unsure"),
        }
        for line, (name, keeps) in enumerate(KEPT.items()):
            self._filter.setItemText(line, f"{labels[name]}  ({sum(map(keeps, self._places)):,})")
            self._filter.setItemData(line, name)

    def _lay_out(self) -> None:
        open_it, close = button(self.tr("Open"), "primary"), button(self.tr("Close"))
        open_it.clicked.connect(lambda: self._choose(self._list.currentIndex()))
        close.clicked.connect(self.reject)
        box = QVBoxLayout(self)
        box.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        box.setSpacing(SPACE_M)
        box.addWidget(self._topics)
        box.addLayout(row(self._filter, None))
        box.addWidget(self._list, 1)
        foot = row(
            text(
                self.tr("Enter opens a document. Press a digit there to give it another grade."),
                "small",
            ),
            close,
            open_it,
        )
        foot.setStretch(0, 1)
        box.addLayout(foot)
        self._list.setFocus()

    def _list_topic(self, at: QueuePlace | None) -> None:
        topic = self._topics.currentData()
        if topic is None:
            return
        self._topics.setToolTip(plain(self._topics.currentData(Qt.ItemDataRole.ToolTipRole)))
        self._places = self._session.places(topic)
        self._model.name(self._session.titles(topic))
        self._name_filters()
        self._filter.setCurrentIndex(0)
        self._show(at or first_to_do(self._places))

    def _show(self, at: QueuePlace | None) -> None:
        keeps = KEPT[self._filter.currentData()]
        self._model.show_places([place for place in self._places if keeps(place)])
        line = next((line for line, place in enumerate(self._model.places) if place.place == at), 0)
        self._list.setCurrentIndex(self._model.index(line))
        self._list.scrollTo(self._list.currentIndex(), QListView.ScrollHint.PositionAtCenter)

    def _choose(self, index: QModelIndex) -> None:
        place = index.data(QUEUE_ITEM_ROLE)
        if place is not None:
            self.accept()
            self.chosen.emit(place.place)


def first_to_do(places: Sequence[PlaceState]) -> QueuePlace | None:
    """Return the first document that is not judged, or else the first unsure one; None when there is neither."""
    return next((state.place for wanted in TO_DO for state in places if wanted(state)), None)
