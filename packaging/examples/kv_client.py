#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A harness's side of kv-persist: begin, completion, end. Without a daemon everything goes on, only colder.

Usage: kv_client.py SESSION PROVIDER SERVER_URL PROMPT
"""
import json, os, socket, sys, urllib.request  # noqa: E401


class KvPersist:
    def __init__(self):
        self.next_id = 0
        runtime = os.environ.get("XDG_RUNTIME_DIR", "")
        path = os.environ.get("KV_PERSIST_SOCKET") or os.path.join(runtime, "kv-persist/api.sock")
        try:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(path)
            self.lines = self.socket.makefile()
        except OSError:
            self.socket = None  # fail open

    def call(self, method, **params):
        """The result, or {} when there is no daemon or it goes away; a strict error is raised."""
        try:
            self.next_id += 1
            request = {"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params}
            self.socket.sendall(json.dumps(request).encode() + b"\n")
            for line in self.lines:
                answer = json.loads(line)
                if answer.get("id") == self.next_id:
                    if answer.get("error", {}).get("data", {}).get("strict"):
                        raise RuntimeError(answer["error"]["message"])
                    return answer.get("result", {})
        except (OSError, AttributeError, ValueError):
            self.socket = None
        return {}


def chat(kv, session, provider, url, prompt):
    begun = kv.call("request.begin", session=session, provider=provider, model="default")
    lease, end = begun.get("lease"), {"outcome": "error"}
    try:
        body = {"prompt": prompt, "n_predict": 16, "temperature": 0, **(begun.get("transport") or {})}
        request = urllib.request.Request(url + "/completion", json.dumps(body).encode(), {"Content-Type": "application/json"})
        answer = json.load(urllib.request.urlopen(request))
        times = answer["timings"]
        usage = {"promptTokens": times["cache_n"] + times["prompt_n"], "completionTokens": times["predicted_n"],
                 "cachedTokens": times["cache_n"]}
        end = {"outcome": "ok", "more": False, "usage": usage, "timings": {"promptMs": times["prompt_ms"]}}
        return {"kv": begun.get("outcome", "no daemon"), "usage": usage, "text": answer["content"]}
    finally:
        if lease is not None:
            kv.call("request.end", lease=lease, **end)


if __name__ == "__main__":
    print(json.dumps(chat(KvPersist(), *sys.argv[1:5])))
