"""A server on localhost with the endpoints of W&B that its client calls: runs, resuming, views, artifacts and files."""

import gzip
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import pytest
import wandb

from attest.runs.wandb.segments import segment_items

KEY = "planted0" * 5  # the API key of the account, which may appear nowhere
PROJECT = {"id": "p", "internalId": "p", "name": "attest", "entityName": "me", "entity": {"id": "e", "name": "me"},
           "artifact": None, "__typename": "Project", "createdAt": "", "isBenchmark": False, "user": None}  # fmt: skip
ARTIFACT = {"id": "a", "artifactSequence": {"latestArtifact": None, "name": "w", "project": PROJECT}, "size": 1,
            "versionIndex": 0, "artifactType": {"name": "model"}, "description": None, "metadata": "{}", "tags": [],
            "ttlDurationSeconds": 0, "ttlIsInherited": True, "historyStep": None, "digest": "d", "state": "PENDING",
            "commitHash": None, "fileCount": 1, "createdAt": "", "updatedAt": None}  # fmt: skip


class FakeServer(ThreadingHTTPServer):
    """A server that keeps what it is sent, and fails as `failing` says: with a status, or with no answer for 0."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.runs: dict[str, dict[str, Any]] = {}  # id -> fields, and `rows`: the curve by the number of the row
        self.views: dict[str, dict[str, Any]] = {}  # id -> the fields of a workspace or report
        self.uploads: dict[str, bytes] = {}  # path -> the content of a file
        self.bodies: list[bytes] = []  # all that arrived
        self.failing: int | None = None
        self.url = f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None: ...  # a client that hangs up is no news

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
            return {"model": {**PROJECT, "bucket": self.bucket(given["name"])} if given["name"] in self.runs else None}
        if "query Run(" in query:
            return {"project": {"run": self.bucket(given["name"]) if given["name"] in self.runs else None}}
        if "createRunFiles" in query:
            return {"createRunFiles": {"runID": "r", "uploadHeaders": [], "files": [*map(self.file, given["files"])]}}
        if "upsertView" in query:
            identity = given.get("id") or f"view{len(self.views)}"
            self.views[identity] = {**given, "id": identity, "project": PROJECT}
            return {"upsertView": {"view": self.views[identity], "inserted": not given.get("id")}}
        if "allViews" in query:
            name, kind = given.get("viewName"), given.get("viewType", "runs")
            found = [view for view in self.views.values() if view["type"] == kind and name in (None, view["name"])]
            return {"project": {"allViews": page(found)}}
        if "createArtifactFiles" in query:
            return {
                "createArtifactFiles": {"files": page([self.file(f["name"]) for f in given["input"]["artifactFiles"]])}
            }
        manifest = {"artifactManifest": {"id": "m", "file": self.file("manifest")}}
        viewer = {"id": "me", "entity": "me", "username": "me", "flags": "{}", "teams": {"edges": []}}
        return {"viewer": viewer, "project": PROJECT, "models": page([PROJECT]), "artifact": ARTIFACT,
                "createArtifact": {"artifact": ARTIFACT}, "commitArtifact": {"artifact": ARTIFACT},
                "createArtifactManifest": manifest, "updateArtifactManifest": manifest}  # fmt: skip

    def file(self, name: str) -> dict[str, Any]:
        """Return a file that the client is to upload, as it asks for it."""
        return {"id": name, "name": name, "storagePath": name, "uploadUrl": f"{self.url}/upload/{name}",
                "uploadHeaders": [], "uploadMultipartUrls": None, "artifact": {"id": "a"}}  # fmt: skip

    def bucket(self, identity: str) -> dict[str, Any]:
        """Return a run as the client asks for it."""
        run = self.runs[identity]
        tail = json.dumps([run["rows"][max(run["rows"])]] if run["rows"] else [])
        return {"id": f"bucket-{identity}", "name": identity, "displayName": run.get("displayName"),
                "config": run["config"], "summaryMetrics": run.get("summary", "{}"), "tags": run.get("tags"),
                "notes": run.get("notes"), "historyLineCount": len(run["rows"]), "historyTail": tail, "logLineCount": 0,
                "eventsLineCount": 0, "eventsTail": "[]", "wandbConfig": '{"t": 1}', "project": PROJECT,
                "state": "finished"}  # fmt: skip

    def stream(self, identity: str, data: dict[str, Any]) -> None:
        """Keep the rows and the summary that the client streams."""
        run = self.runs[identity]
        for name, chunk in data.get("files", {}).items():
            if name == "wandb-history.jsonl":
                run["rows"].update(enumerate(chunk["content"], chunk["offset"]))
            elif name == "wandb-summary.json":
                run["summary"] = chunk["content"][-1]
        run.update({key: data[key] for key in ("complete", "exitcode") if key in data})


def page(nodes: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the first and only page of a list."""
    return {"edges": [{"node": node, "cursor": ""} for node in nodes],
            "pageInfo": {"__typename": "PageInfo", "endCursor": "", "hasNextPage": False}}  # fmt: skip


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
            self.close_connection = True
            return time.sleep(3)  # longer than tests let the client wait
        if server.failing is None and self.path == "/graphql":
            request = json.loads(body)
            answer = {"data": server.answer(request["query"], request.get("variables", {}))}
        elif server.failing is None and self.path.endswith("/file_stream"):
            server.stream(self.path.split("/")[4], json.loads(body))
        elif server.failing is None:
            server.uploads[self.path.removeprefix("/upload/")] = body
        self.send_response(server.failing or 200)
        self.send_header("Content-Length", str(len(data := json.dumps(answer).encode())))
        self.end_headers()
        return cast(None, self.wfile.write(data))

    do_PUT = do_POST


def put_aside(home: Path, number: int) -> Path:
    """Rename the newest offline part of a run, when it is whole, as one of another second; return its folder.

    W&B names these folders by the second in which they begin, so that two quick parts would share one.
    """
    newest = max((home / "runs/wandb").glob("offline-run-*"))
    (path,) = newest.glob("*.wandb")
    while [entry["type"] for entry in segment_items(path)][-1:] != ["exit"]:
        time.sleep(0.02)
    return newest.rename(newest.with_name(f"offline-run-20200101_{number:06}-{newest.name.rpartition('-')[2]}"))


@contextmanager
def fake_account(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    """Yield a running server, of which W&B's client has an API key."""
    with FakeServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        monkeypatch.setenv("WANDB_BASE_URL", server.url)
        monkeypatch.setenv("WANDB_API_KEY", KEY)
        wandb.teardown()  # the client keeps the URL that it has read first
        yield server
        wandb.teardown()
        server.shutdown()
        thread.join()
