# SPDX-License-Identifier: BSD-3-Clause
"""A headless Chromium: what a page becomes in it, as elements, as values of its script and as pixels.

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

from elements import Tree
from patience import at_most
from picture import read_picture

BROWSER_SECONDS = at_most(120)
OPTIONS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--hide-scrollbars',
           '--disable-background-networking', '--disable-component-update', '--disable-sync', '--remote-debugging-pipe']
# Where Chromium reads and writes.
PIPES = 3, 4
FIRST_FREE = 10
ENTER = 13


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
        self.received = b''
        self.calls = 0
        self.session = None
        self.address = None
        self.complaints = []
        self.loaded = False

    def __enter__(self):
        self.directory = tempfile.mkdtemp(prefix='mpilens-browser-')
        read_by_browser, self.output = make_pipe()
        self.input, written_by_browser = make_pipe()

        def place_pipes():
            os.dup2(read_by_browser, PIPES[0])
            os.dup2(written_by_browser, PIPES[1])

        self.process = subprocess.Popen([self.path, *OPTIONS, f'--user-data-dir={self.directory}', 'about:blank'],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env=dict(os.environ, HOME=self.directory), close_fds=False,
                                        preexec_fn=place_pipes)
        os.close(read_by_browser)
        os.close(written_by_browser)
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network', 'Accessibility'):
            self.call(f'{domain}.enable')
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
        while b'\0' not in self.received:
            left = deadline - time.monotonic()
            assert left > 0 and select.select([self.input], [], [], left)[0], 'the browser does not answer'
            data = os.read(self.input, 1 << 20)
            assert data, 'the browser has ended'
            self.received += data
        message, self.received = self.received.split(b'\0', 1)
        return json.loads(message)

    def notice(self, event):
        method, values = event.get('method'), event.get('params', {})
        if method == 'Page.loadEventFired':
            self.loaded = True
        elif method == 'Runtime.exceptionThrown':
            self.complaints.append(values['exceptionDetails'])
        elif method == 'Runtime.consoleAPICalled':
            self.complaints.append(values['args'])
        elif method == 'Log.entryAdded':
            self.complaints.append(values['entry']['text'])
        elif method == 'Network.requestWillBeSent':
            address = values['request']['url']
            if address not in ('about:blank', (self.address or '').partition('#')[0]):
                self.complaints.append(f'it asks for {address}')

    def call(self, method, **values):
        """The result of a method of the protocol."""
        self.calls += 1
        message = {'id': self.calls, 'method': method, 'params': values}
        if self.session is not None:
            message['sessionId'] = self.session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self.output, data):]
        deadline = time.monotonic() + BROWSER_SECONDS
        while True:
            answer = self.receive(deadline)
            if answer.get('id') == self.calls:
                assert 'error' not in answer, f'{method}: {answer}'
                return answer['result']
            self.notice(answer)

    # --- pages ---

    def look(self, width=1280, height=1600, scheme='light', media=''):
        """How all that follows is looked at: the window in CSS pixels, "light" or "dark", "" or "print"."""
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call('Emulation.setEmulatedMedia', media=media,
                  features=[{'name': 'prefers-color-scheme', 'value': scheme}])

    def visit(self, address):
        """Returns when the page has been loaded and its script has run."""
        for each in 'about:blank', address:
            self.address = each
            self.loaded = False
            self.call('Page.navigate', url=each)
            deadline = time.monotonic() + BROWSER_SECONDS
            while not self.loaded:
                self.notice(self.receive(deadline))
        self.check_quiet()

    def check_quiet(self):
        assert not self.complaints, f'{self.address}: the page complains: {self.complaints}'

    def evaluate(self, expression):
        """The value of an expression of the page's script, a promise's too."""
        answer = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        assert 'exceptionDetails' not in answer, answer
        self.check_quiet()
        return answer['result'].get('value')

    def document(self):
        """The page as it is now."""
        return Tree(self.evaluate('document.documentElement.outerHTML')).root

    def open(self, address):
        self.visit(address)
        return self.document()

    def type(self, text):
        """Into what has the focus."""
        self.call('Input.insertText', text=text)

    def press_enter(self):
        for kind, text in ('keyDown', '\r'), ('keyUp', ''):
            self.call('Input.dispatchKeyEvent', type=kind, key='Enter', windowsVirtualKeyCode=ENTER, text=text)

    def capture(self, **options):
        return base64.b64decode(self.call('Page.captureScreenshot', format='png', **options)['data'])

    def photograph(self, path):
        """The window, in a file."""
        with open(path, 'wb') as file:
            file.write(self.capture())

    def photograph_of(self, selector, height=None):
        """Rows of pixels (red, green, blue) of an element, of as many of them from its top."""
        box = self.evaluate(f'(({{left, top, width, height}}) => ({{x: left + scrollX, y: top + scrollY, width, height}}))'
                            f'(document.querySelector({json.dumps(selector)}).getBoundingClientRect())')
        clip = {**box, 'height': min(box['height'], height or box['height']), 'scale': 1}
        return read_picture(self.capture(clip=clip, captureBeyondViewport=True))
