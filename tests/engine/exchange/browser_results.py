"""Result files as the browser page writes them; a second implementation of the format."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from irjudge.store import open_project
from tests.engine.web.page_parser import make_task_of

Name: TypeAlias = tuple[str, int]
FIRST, SECOND, THIRD = "a1" * 16, "b2" * 16, "c3" * 16  # ids of clients


class Browser:
    """An open page, or the same page resumed elsewhere from the actions of a result file."""

    def __init__(
        self,
        task: dict[str, Any],
        client: str = FIRST,
        saved: "Browser | None" = None,
        minute: int = 0,
    ) -> None:
        self.task, self.client, self.number, self.minute = task, client, 0, minute
        self.texts = list(saved.texts) if saved else []
        self.handed_in = ""

    @property
    def items(self) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self.task["items"]
        return items

    def act(
        self,
        kind: str,
        index: int,
        payload: dict[str, Any],
        target: Name | None = None,
        /,
        **fields: Any,
    ) -> Name:
        self.number += 1
        second = self.minute * 60 + self.number
        action = {
            "client": self.client,
            "number": self.number,
            "kind": kind,
            "item": self.items[index]["about"],
            "time": f"2026-03-02T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.000Z",
            "payload": payload,
            "target": {"client": target[0], "number": target[1]} if target else None,
        }
        self.texts.append(json.dumps(action | fields, ensure_ascii=False, separators=(",", ":")))
        return self.client, self.number

    def grade(self, index: int, value: int) -> Name:
        return self.act(
            "grade",
            index,
            {"value": value, "scale": self.task["scale"]["version"], "active_ms": 900 + index},
        )

    def undo(self, index: int, target: Name, kind: str = "undo") -> Name:
        return self.act(kind, index, {}, target)

    def checksums(self) -> list[str]:
        events, before = [], self.task["assignment"]
        for text in self.texts:
            before = sha256(f"{before}\n{text}".encode()).hexdigest()
            events.append(before)
        return events

    def header(self) -> dict[str, Any]:
        header = {name: self.task[name] for name in ("assignment", "code", "assessor", "title")}
        more = {
            "saved": "2026-03-02T10:00:00.000Z",
            "handed_in": self.handed_in,
            "origin": self.task["origin"],
        }
        return {"irjudge": "result", "version": 2, **header, **more}

    def result(self) -> str:
        sums = self.checksums()
        lines = [to_json([total, text]) for total, text in zip(sums, self.texts, strict=True)]
        head = to_json(self.header())
        receipt = to_json(
            {
                "count": len(sums),
                "last": sums[-1] if sums else "",
                "head": sha256(head.encode()).hexdigest(),
            }
        )
        return (
            head[:-1]
            + ',"actions":[\n'
            + ",\n".join(lines)
            + ("\n" if lines else "")
            + f'],"receipt":{receipt}}}\n'
        )

    def save(self, path: Path) -> Path:
        path.write_text(self.result(), encoding="utf-8")
        return path


def to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def open_page(
    path: Path, client: str = FIRST, saved: Browser | None = None, minute: int = 0
) -> Browser:
    """Open the page of an assessor's file."""
    with open_project(path, writing=False) as project:
        return Browser(make_task_of(project), client, saved, minute)
