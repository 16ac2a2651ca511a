"""Replies of chat endpoints, as they are written."""

import json
from typing import Any


def chat(
    content: str | None,
    *,
    usage: tuple[int, int] | None = None,
    finish: str = "stop",
    **message: Any,
) -> str:
    """The body of a reply with one message."""
    said: dict[str, Any] = {
        "model": "tiny-1",
        "choices": [
            {
                "message": {"role": "assistant", "content": content, **message},
                "finish_reason": finish,
            }
        ],
    }
    if usage:
        said["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    return json.dumps(said)
