"""A server on localhost with the endpoints of W&B that its client calls: runs, resuming, the file stream and files."""

import gzip
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

import pytest
import wandb

KEY = "planted0" * 5
"""The API key of the account, which may appear nowhere."""


class FakeServer(ThreadingHTTPServer):
    """A server that keeps what it is sent, and fails as `failing` says: with a status, or with no answer for 0."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.runs: dict[str, dict[str, Any]] = {}
        """Id -> the fields of the run, and `rows`: its curve by the number of the row."""
        self.bodies: list[bytes] = []
        """Every body that arrived."""
        self.failing: int | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing when a client hangs up."""

    def curve(self, identity: str) -> list[dict[str, Any]]:
        """Return the rows of a run in the order of their numbers."""
        return [json.loads(row) for _, row in sorted(self.runs[identity]["rows"].items())]

    def config(self, identity: str) -> dict[str, Any]:
        """Return the config of a run."""
        return {key: item["value"] for key, item in json.loads(self.runs[identity]["config"]).items()}

    def answer(self, query: str, given: dict[str, Any]) -> dict[str, Any]:
        """Return the data with which a query of GraphQL is answered."""
        if "upsertBucket" in query:
            new = given["name"] not in self.runs
            run = self.runs.setdefault(given["name"], {"rows": {}, "config": "{}"})
            run.update({key: value for key, value in given.items() if value is not None})
            return {"upsertBucket": {"bucket": self.bucket(given["name"]), "inserted": new}}
        if "RunResumeStatus" in query:
            bucket = self.bucket(given["name"]) if given["name"] in self.runs else None
            return {"model": bucket and {**bucket["project"], "bucket": bucket}}
        if "createRunFiles" in query:
            files = [{"name": name, "uploadUrl": f"{self.url}/upload/{name}"} for name in given["files"]]
            return {"createRunFiles": {"runID": "run", "uploadHeaders": [], "files": files}}
        return {}

    def bucket(self, identity: str) -> dict[str, Any]:
        """Return a run as the client asks for it."""
        run = self.runs[identity]
        return {
            "id": f"bucket-{identity}",
            "name": identity,
            "displayName": run.get("displayName"),
            "config": run["config"],
            "summaryMetrics": run.get("summary", "{}"),
            "tags": run.get("tags"),
            "notes": run.get("notes"),
            "historyLineCount": len(run["rows"]),
            "historyTail": json.dumps([run["rows"][max(run["rows"])]] if run["rows"] else []),
            "logLineCount": 0,
            "eventsLineCount": 0,
            "eventsTail": "[]",
            "wandbConfig": json.dumps({"t": 1}),
            "project": {"id": "project", "name": run["project"], "entity": {"id": "entity", "name": "me"}},
        }

    def stream(self, identity: str, data: dict[str, Any]) -> None:
        """Keep the rows and the summary that the client streams."""
        run = self.runs[identity]
        for name, chunk in data.get("files", {}).items():
            if name == "wandb-history.jsonl":
                run["rows"].update(enumerate(chunk["content"], chunk["offset"]))
            elif name == "wandb-summary.json":
                run["summary"] = chunk["content"][-1]
        run.update({key: data[key] for key in ("complete", "exitcode") if key in data})


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *arguments: Any) -> None: ...  # noqa: A002

    def do_POST(self) -> None:
        server = cast(FakeServer, self.server)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body
        server.bodies.append(body)
        answer: dict[str, Any] = {}
        if server.failing == 0:
            time.sleep(3)
        elif server.failing is None and self.path == "/graphql":
            request = json.loads(body)
            answer = {"data": server.answer(request["query"], request.get("variables", {}))}
        elif server.failing is None and self.path.endswith("/file_stream"):
            server.stream(self.path.split("/")[4], json.loads(body))
        data = json.dumps(answer).encode()
        self.send_response(server.failing or 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_PUT = do_POST


@contextmanager
def fake_account(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    """Yield a running server, of which W&B's client has an API key."""
    with FakeServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        monkeypatch.setenv("WANDB_BASE_URL", server.url)
        monkeypatch.setenv("WANDB_API_KEY", KEY)
        wandb.teardown()  # the client keeps the URL that it has read first
        yield server
        wandb.teardown()
        server.shutdown()
        thread.join()
