# SPDX-License-Identifier: BSD-3-Clause
"""A headless Chromium: a page in it, as elements, as values of its script and as pixels.

It is driven by its DevTools protocol over a pair of pipes: messages in JSON, each ended by a zero byte. Every page is
watched: errors of its console, and requests for anything but itself, are complaints.
"""
import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

from lib.elements import Tree
from lib.patience import at_most

BROWSER_SECONDS = at_most(120)
OPTIONS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
]
# Where Chromium reads and writes.
PIPES = 3, 4
FIRST_FREE = 10
ENTER = 13
# Pixels in parts of a picture in PNG format: of each [[red << 16 | green << 8 | blue, count], ...].
COUNT_COLORS = """async (picture, parts) => {
  const bytes = Uint8Array.from(atob(picture), character => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], {type: 'image/png'}));
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', {willReadFrequently: true});
  context.drawImage(bitmap, 0, 0);
  return parts.map(([left, top, width, height]) => {
    const {data} = context.getImageData(left, top, width, height);
    const counts = new Map();
    for (let i = 0; i < data.length; i += 4) {
      const color = data[i] << 16 | data[i + 1] << 8 | data[i + 2];
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
    return [...counts];
  });
}"""


def make_pipe():
    """(end to read, end to write), neither of which has one of the numbers of PIPES."""
    ends = os.pipe()
    moved = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE) for end in ends)
    for end in ends:
        os.close(end)
    return moved


class Browser:
    """Use it in a `with` statement: it has a profile of its own, which it removes."""

    def __init__(self, path):
        self.path = path
        self.received = b""
        self.calls = 0
        self.visits = 0
        self.session = None
        self.address = None
        self.complaints = []
        self.loaded = False

    def __enter__(self):
        self.directory = tempfile.mkdtemp(prefix="mpilens-browser-")
        read_by_browser, self.output = make_pipe()
        self.input, written_by_browser = make_pipe()

        def place_pipes():
            os.dup2(read_by_browser, PIPES[0])
            os.dup2(written_by_browser, PIPES[1])

        self.process = subprocess.Popen(
            [self.path, *OPTIONS, f"--user-data-dir={self.directory}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=dict(os.environ, HOME=self.directory),
            close_fds=False,
            preexec_fn=place_pipes,
        )
        os.close(read_by_browser)
        os.close(written_by_browser)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(self, *unused):
        # It ends when nobody writes to it any more.
        os.close(self.output)
        try:
            self.process.wait(BROWSER_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.input)
        shutil.rmtree(self.directory, ignore_errors=True)

    # --- messages ---

    def receive(self, deadline):
        while b"\0" not in self.received:
            left = deadline - time.monotonic()
            assert left > 0 and select.select([self.input], [], [], left)[0], "the browser does not answer"
            data = os.read(self.input, 1 << 20)
            assert data, "the browser has ended"
            self.received += data
        message, self.received = self.received.split(b"\0", 1)
        return json.loads(message)

    def notice(self, event):
        method, values = event.get("method"), event.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(values["exceptionDetails"])
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(values["args"])
        elif method == "Log.entryAdded":
            self.complaints.append(values["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            address = values["request"]["url"]
            inside = ("about:blank", (self.address or "").partition("#")[0])
            if address not in inside and not address.startswith("data:"):
                self.complaints.append(f"it asks for {address}")

    def call(self, method, **values):
        """The result of a method of the protocol."""
        self.calls += 1
        message = {"id": self.calls, "method": method, "params": values}
        if self.session is not None:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.output, data) :]
        deadline = time.monotonic() + BROWSER_SECONDS
        while True:
            answer = self.receive(deadline)
            if answer.get("id") == self.calls:
                assert "error" not in answer, f"{method}: {answer}"
                return answer["result"]
            self.notice(answer)

    # --- pages ---

    def look(self, width=1280, height=1600, scheme="light", media=""):
        """How all that follows is looked at: the window in CSS pixels, "light" or "dark", "" or "print"."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call(
            "Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}]
        )

    def visit(self, address):
        """Returns when the page of this file has been loaded, anew where it is there already, and its script has run."""
        # An address that differs in its fragment only would not be loaded.
        self.visits += 1
        file, _, fragment = address.partition("#")
        self.address = f"{file}?{self.visits}#{fragment}"
        self.loaded = False
        self.call("Page.navigate", url=self.address)
        deadline = time.monotonic() + BROWSER_SECONDS
        while not self.loaded:
            self.notice(self.receive(deadline))
        self.check_quiet()

    def check_quiet(self):
        assert not self.complaints, f"{self.address}: the page complains: {self.complaints}"

    def evaluate(self, expression):
        """The value of an expression of the page's script, a promise's too."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        self.check_quiet()
        return answer["result"].get("value")

    def document(self):
        """The page as it is now."""
        return Tree(self.evaluate("document.documentElement.outerHTML")).root

    def open(self, address):
        self.visit(address)
        return self.document()

    def type(self, text):
        """Into what has the focus."""
        self.call("Input.insertText", text=text)

    def press_enter(self):
        for kind, text in ("keyDown", "\r"), ("keyUp", ""):
            self.call("Input.dispatchKeyEvent", type=kind, key="Enter", windowsVirtualKeyCode=ENTER, text=text)

    def photograph(self, path=None):
        """The window as a picture in PNG format, also written to a file."""
        picture = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        if path is not None:
            with open(path, "wb") as file:
                file.write(picture)
        return picture

    def box_of(self, selector):
        """(left, top, width, height) in whole pixels of what the window shows of an element."""
        return self.evaluate(
            f"(({{left, top, right, bottom}}) => [left, top, Math.min(right, innerWidth) - left, "
            f"Math.min(bottom, innerHeight) - top].map(Math.floor))"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
        )

    def colors_of(self, picture, *parts):
        """How many pixels have which color, {(red, green, blue): count}, in each part (left, top, width, height) of a
        picture."""
        encoded = base64.b64encode(picture).decode("ascii")
        return [
            {tuple(color.to_bytes(3, "big")): count for color, count in counts}
            for counts in self.evaluate(f'({COUNT_COLORS})("{encoded}", {json.dumps(parts)})')
        ]
