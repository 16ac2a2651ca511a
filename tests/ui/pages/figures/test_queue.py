"""Work that must not overlap: it runs one after another, and only what was asked last of a kind is answered."""

from collections.abc import Callable
from typing import Any

from irjudge.errors import IrjudgeError
from irjudge.progress import Progress
from irjudge_ui.pages.figures.queue import OneByOne


class Told:
    """Writes down what was answered, and how much ran at once."""

    def __init__(self) -> None:
        self.answers: list[Any] = []
        self.running = self.most = 0

    def work(self, answer: Any) -> Callable[[Progress], Any]:
        def function(progress: Progress) -> Any:
            self.running += 1
            self.most = max(self.most, self.running)
            self.running -= 1
            if isinstance(answer, Exception):
                raise answer
            return answer

        return function

    def ask(self, works: OneByOne, kind: str, answer: Any) -> None:
        works.ask(kind, self.work(answer), self.answers.append, lambda fault, trace: self.answers.append((str(fault), bool(trace))))


def test_of_one_kind_only_the_last_is_answered_and_others_all(qtbot: Any, idle: Callable[[], None]) -> None:
    works, told = OneByOne(), Told()
    for kind, answer in (("show", 1), ("save", 2), ("show", 3), ("show", 4), ("copy", 5)):
        told.ask(works, kind, answer)
    idle()
    assert sorted(told.answers) == [2, 4, 5] and told.most == 1


def test_a_fault_is_told_and_the_next_work_goes_on(qtbot: Any, idle: Callable[[], None]) -> None:
    works, told = OneByOne(), Told()
    told.ask(works, "show", IrjudgeError("There are no qrels."))
    told.ask(works, "save", 7)
    idle()
    assert told.answers == [("There are no qrels.", False), 7]


def test_nobody_hears_of_work_that_was_dropped(qtbot: Any, idle: Callable[[], None]) -> None:
    works, told = OneByOne(), Told()
    told.ask(works, "show", 1)
    told.ask(works, "save", 2)
    works.drop()
    told.ask(works, "copy", 3)
    idle()
    assert told.answers == [3]
