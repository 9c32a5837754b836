"""A model server on the loopback: it keeps every request and answers as the four families of models do.

    Anthropic Messages        POST /v1/messages, /v1/messages/count_tokens
    OpenAI Responses          POST /v1/responses, GET /v1/models
    OpenAI Chat Completions   POST /v1/chat/completions
    Gemini                    POST /v1beta/models/M:generateContent, :streamGenerateContent, :countTokens

The answer is the text FAKE-REPLY. Where words of the user hold `CALLTOOL name {"json": "arguments"}`, the newest such
call is the answer, once for each call, if the request brings tools.
"""

from __future__ import annotations

import gzip
import json
import re
import threading
import time
import zlib
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple

REPLY = "FAKE-REPLY"
_CALL = re.compile(r"CALLTOOL\s+([\w.\-:]+)\s+(\{.*?\})(?=\s|$|<)", re.DOTALL)
_USED = 15
"""How many tokens each answer says that it took."""


class Request(NamedTuple):
    """One request to the model as it came."""

    path: str
    body: Any

    def text(self) -> str:
        """The whole body as one text, letters as they are."""
        return json.dumps(self.body, ensure_ascii=False)

    def said(self) -> list[str]:
        """Each text that the model is given: instructions, messages of all roles, results of tools. Not the tools."""
        if not isinstance(self.body, dict):
            return []
        kept = ("system", "instructions", "messages", "input", "contents", "systemInstruction", "system_instruction")
        return [text for name in kept for text in _strings(self.body.get(name))]

    def items(self) -> list[Any]:
        """The messages, in the client's own form."""
        if not isinstance(self.body, dict):
            return []
        found = self.body.get("messages") or self.body.get("input") or self.body.get("contents") or []
        return found if isinstance(found, list) else [{"role": "user", "content": found}]

    def has_tools(self) -> bool:
        """Whether it is a turn of the agent, and not a title or a summary."""
        return bool(isinstance(self.body, dict) and self.body.get("tools"))


class Call(NamedTuple):
    """A call of a tool that the model wants; `arguments` are JSON."""

    name: str
    arguments: str


class ModelServer:
    """The server, for a `with` statement. `requests` are the POST requests with what the client says, oldest first."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._called: set[Call] = set()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def url(self) -> str:
        """Where it listens, without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def keep(self, path: str, body: Any) -> tuple[int, Call | None]:
        """Keep a request; its number, from 1, and the call that is to be the answer."""
        request = Request(path, body)
        call = _asked(request.items()) if request.has_tools() else None
        with self._lock:
            self.requests.append(request)
            if call in self._called:
                call = None
            elif call is not None:
                self._called.add(call)
            return len(self.requests), call


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(_Handler):
        keep = staticmethod(server.keep)

    return Handler


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    keep: Any

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        if self.path.split("?")[0].endswith("/models"):
            self._send({"object": "list", "data": [{"id": "fake-model", "object": "model"}], "models": []})
        else:
            self._send({}, 404)

    def do_POST(self) -> None:
        data = self._data()
        try:
            body = json.loads(data or b"{}")
        except ValueError:
            body = data.decode("utf-8", "replace")
        path = self.path.split("?")[0]
        if path.endswith("/count_tokens"):
            self._send({"input_tokens": len(data) // 4})
        elif ":countTokens" in path:
            self._send({"totalTokens": len(data) // 4})
        elif path.endswith("/messages"):
            self._answer(_anthropic(body, *self.keep(path, body)), body.get("stream"))
        elif path.endswith("/responses"):
            self._answer(_responses(body, *self.keep(path, body)), body.get("stream"))
        elif path.endswith("/chat/completions"):
            self._answer(_chat(body, *self.keep(path, body)), body.get("stream"), named=False)
        elif path.endswith(("generateContent", "GenerateContent")):
            self._answer(_gemini(body, *self.keep(path, body)), "stream" in path, named=False)
        else:
            self._send({}, 404)

    def _data(self) -> bytes:
        if self.headers.get("transfer-encoding", "").lower() == "chunked":
            parts = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            data = b"".join(parts)
        else:
            data = self.rfile.read(int(self.headers.get("content-length") or 0))
        match self.headers.get("content-encoding", ""):
            case "gzip":
                return gzip.decompress(data)
            case "deflate":
                return zlib.decompress(data)
            case _:
                return data

    def _answer(self, answer: tuple[Any, Iterable[Any]], is_stream: Any, *, named: bool = True) -> None:
        whole, events = answer
        if not is_stream:
            self._send(whole)
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for event in events:
            name = f"event: {event['type']}\n" if named else ""
            data = event if isinstance(event, str) else json.dumps(event)
            self.wfile.write(f"{name}data: {data}\n\n".encode())
        self.close_connection = True

    def _send(self, document: Any, code: int = 200) -> None:
        data = json.dumps(document).encode()
        self.send_response(code)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _strings(value: Any) -> list[str]:
    """All texts within a message, whatever it is made of, but for the names of roles, types and ids."""
    match value:
        case str():
            return [value]
        case list():
            return [text for part in value for text in _strings(part)]
        case dict():
            skipped = ("role", "type", "id", "status", "name", "cache_control")
            return [text for name, part in value.items() if name not in skipped for text in _strings(part)]
        case _:
            return []


def _asked(items: Iterable[Any]) -> Call | None:
    """The newest call that the words of the user ask for."""
    texts = [item.get("content") or item.get("parts") for item in items if item.get("role") == "user"]
    found = _CALL.findall("\n".join("\n".join(_strings(text)) for text in texts))
    return Call(found[-1][0], found[-1][1]) if found else None


def _anthropic(body: Any, number: int, call: Call | None) -> tuple[Any, list[Any]]:
    usage = {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    if call is None:
        block: dict[str, Any] = {"type": "text", "text": REPLY}
        start, delta = {**block, "text": ""}, {"type": "text_delta", "text": REPLY}
    else:
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": call.name, "input": json.loads(call.arguments)}
        start, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": call.arguments}
    stop = "end_turn" if call is None else "tool_use"
    head = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": body.get("model")}
    whole = {**head, "content": [block], "stop_reason": stop, "stop_sequence": None, "usage": usage}
    return whole, [
        {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": stop, "stop_sequence": None},
            "usage": {"output_tokens": usage["output_tokens"]},
        },
        {"type": "message_stop"},
    ]


def _responses(body: Any, number: int, call: Call | None) -> tuple[Any, list[Any]]:
    part = {"type": "output_text", "text": REPLY, "annotations": []}
    if call is None:
        item: dict[str, Any] = {
            "type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed", "content": [part],
        }  # fmt: skip
    else:
        item = {
            "type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": call.name,
            "arguments": call.arguments, "status": "completed",
        }  # fmt: skip
    usage = {
        "input_tokens": 10, "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 5, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": _USED,
    }  # fmt: skip
    head = {"id": f"resp_{number}", "object": "response", "created_at": int(time.time()), "model": body.get("model")}
    whole = {**head, "status": "completed", "output": [item], "usage": usage}
    start = {**item, "status": "in_progress", **({"content": []} if call is None else {})}
    at = {"item_id": item["id"], "output_index": 0, "content_index": 0}
    text = [
        {"type": "response.content_part.added", **at, "part": {**part, "text": ""}},
        {"type": "response.output_text.delta", **at, "delta": REPLY},
        {"type": "response.output_text.done", **at, "text": REPLY},
    ]
    return whole, [
        {"type": "response.created", "response": {**head, "status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": start},
        *(text if call is None else []),
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]


def _chat(body: Any, number: int, call: Call | None) -> tuple[Any, list[Any]]:
    head = {"id": f"cc_{number}", "created": int(time.time()), "model": body.get("model")}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": _USED}
    finish = "stop" if call is None else "tool_calls"
    message: dict[str, Any] = {"role": "assistant", "content": REPLY if call is None else ""}
    if call is not None:
        function = {"name": call.name, "arguments": call.arguments}
        message["tool_calls"] = [{"index": 0, "id": f"call_{number}", "type": "function", "function": function}]

    def chunk(choices: list[Any], **more: Any) -> dict[str, Any]:
        return {**head, "object": "chat.completion.chunk", "choices": choices, **more}

    whole = {**head, "object": "chat.completion", "usage": usage}
    return {**whole, "choices": [{"index": 0, "finish_reason": finish, "message": message}]}, [
        chunk([{"index": 0, "delta": message, "finish_reason": None}]),
        chunk([{"index": 0, "delta": {}, "finish_reason": finish}]),
        chunk([], usage=usage),
        "[DONE]",
    ]


def _gemini(body: Any, number: int, call: Call | None) -> tuple[Any, list[Any]]:
    if call is not None:
        part: dict[str, Any] = {"functionCall": {"name": call.name, "args": json.loads(call.arguments)}}
    elif (body.get("generationConfig") or {}).get("responseMimeType") == "application/json":
        part = {"text": json.dumps({"reasoning": "none", "next_speaker": "user"})}
    else:
        part = {"text": REPLY}
    whole = {
        "candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": _USED},
        "modelVersion": "fake",
        "responseId": f"r{number}",
    }
    return whole, [whole]
