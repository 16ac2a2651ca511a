"""Responses of chat endpoints in the format of the API."""

import json
from typing import Any


def chat_response(
    content: str | None,
    *,
    usage: tuple[int, int] | None = None,
    finish: str = "stop",
    **message: Any,
) -> str:
    """Return the body of a response with one message."""
    reply: dict[str, Any] = {
        "model": "tiny-1",
        "choices": [
            {
                "message": {"role": "assistant", "content": content, **message},
                "finish_reason": finish,
            }
        ],
    }
    if usage:
        reply["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    return json.dumps(reply)
