# SPDX-License-Identifier: BSD-3-Clause
"""gdb as an adapter of the Debug Adapter Protocol, and a client of it that reads variables as an IDE does."""
import json
import re
import subprocess

from lib.patience import at_most

SECONDS = at_most(120)
FIRST_GDB = 14


def is_served():
    """Whether the gdb that is installed is an adapter."""
    version = subprocess.run(
        ["gdb", "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    ).stdout
    return int(re.search(r"(\d+)\.\d+", version.splitlines()[0])[1]) >= FIRST_GDB


class Adapter:
    """A session; gdb ends with it, and leaves the process alone that it was attached to."""

    def __init__(self, options, pid):
        self.line = ["timeout", "--kill-after=5", str(SECONDS), "gdb", "-q", "-nx", "-i", "dap", *options]
        self.pid = pid
        self.asked = 0
        self.process = None

    def __enter__(self):
        self.process = subprocess.Popen(
            self.line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.ask("initialize", adapterID="gdb", supportsVariableType=True)
        self._send("attach", pid=self.pid)
        self.ask("configurationDone")
        self._read(lambda message: message.get("event") == "stopped")
        return self

    def __exit__(self, *_exception):
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.wait()

    def _send(self, command, **arguments):
        self.asked += 1
        request = {"seq": self.asked, "type": "request", "command": command, "arguments": arguments}
        body = json.dumps(request).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()
        return self.asked

    def _read(self, is_wanted):
        while True:
            length = None
            while line := self.process.stdout.readline().strip():
                name, _colon, value = line.partition(b":")
                if name == b"Content-Length":
                    length = int(value)
            if length is None:
                raise SystemExit("gdb has ended the session of the Debug Adapter Protocol")
            message = json.loads(self.process.stdout.read(length))
            if is_wanted(message):
                return message

    def ask(self, command, **arguments):
        """The body of the answer."""
        number = self._send(command, **arguments)
        answer = self._read(lambda message: message.get("request_seq") == number)
        if not answer["success"]:
            raise SystemExit(f"{command}: {answer}")
        return answer.get("body", {})

    def variables(self, function):
        """{name: variable} of the arguments and locals of the innermost frame of a function, in whichever thread."""
        threads = [one["id"] for one in self.ask("threads")["threads"]]
        frames = [one for thread in threads for one in self.ask("stackTrace", threadId=thread)["stackFrames"]]
        frame = next(one["id"] for one in frames if one["name"] == function)
        scopes = self.ask("scopes", frameId=frame)["scopes"]
        return {
            one["name"]: one
            for scope in scopes
            if scope["presentationHint"] in ("arguments", "locals")
            for one in self._children(scope)
        }

    def _children(self, variable):
        return self.ask("variables", variablesReference=variable["variablesReference"])["variables"]

    def unfold(self, variable):
        """{name: value} of what a variable has below it, as text."""
        return {one["name"]: one["value"] for one in self._children(variable)} if variable["variablesReference"] else {}
