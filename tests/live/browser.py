# SPDX-License-Identifier: BSD-3-Clause
"""A headless browser: what a page becomes in it, as elements and as pixels."""
import html.parser
import os
import shutil
import struct
import subprocess
import tempfile
import zlib

BROWSER_SECONDS = 120
OPTIONS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
           '--disable-background-networking', '--disable-component-update', '--disable-sync', '--enable-logging=stderr']
EMPTY = {'area', 'base', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'}


class Element:
    def __init__(self, name, attributes, parent):
        self.name = name
        self.attributes = dict(attributes)
        self.parent = parent
        self.children = []  # elements and texts

    def text(self):
        return ''.join(child if isinstance(child, str) else child.text() for child in self.children)

    def walk(self):
        yield self
        for child in self.children:
            if not isinstance(child, str):
                yield from child.walk()

    def find_all(self, name):
        return [element for element in self.walk() if element.name == name]

    def by_id(self, identifier):
        """The element, None where there is none."""
        return next((element for element in self.walk() if element.attributes.get('id') == identifier), None)


class Tree(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.root = self.current = Element('', [], None)
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        element = Element(tag, attrs, self.current)
        self.current.children.append(element)
        if tag not in EMPTY:
            self.current = element

    def handle_startendtag(self, tag, attrs):
        self.current.children.append(Element(tag, attrs, self.current))

    def handle_endtag(self, tag):
        element = self.current
        while element is not None and element.name != tag:
            element = element.parent
        if element is not None and element.parent is not None:
            self.current = element.parent

    def handle_data(self, data):
        self.current.children.append(data)


class Browser:
    """Use it in a `with` statement: it has a profile of its own, which it removes."""

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        self.directory = tempfile.mkdtemp(prefix='mpilens-browser-')
        return self

    def __exit__(self, *unused):
        shutil.rmtree(self.directory, ignore_errors=True)

    def run(self, address, *options):
        completed = subprocess.run([self.path, *OPTIONS, f'--user-data-dir={self.directory}', *options, address],
                                   stdin=subprocess.DEVNULL, capture_output=True, timeout=BROWSER_SECONDS, check=True,
                                   env=dict(os.environ, HOME=self.directory))
        complaints = [line for line in completed.stderr.decode(errors='replace').split('\n') if ':CONSOLE' in line]
        assert not complaints, f'{address}: the page has errors: {complaints}'
        return completed.stdout.decode()

    def open(self, address):
        """The page after its script has run."""
        return Tree(self.run(address, '--dump-dom')).root

    def photograph(self, address, path, width=1280, height=1600):
        """Rows of pixels (red, green, blue), also in the file."""
        self.run(address, f'--window-size={width},{height}', f'--screenshot={path}')
        return read_picture(path)


def unfilter(kind, line, above, size):
    """One line of a PNG file, as its bytes were: section 9 of the standard."""
    for i in range(len(line)):
        left = line[i - size] if i >= size else 0
        up = above[i]
        corner = above[i - size] if i >= size else 0
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        elif kind == 4:
            estimate = left + up - corner
            guess = min((left, up, corner), key=lambda byte: abs(estimate - byte))
        else:
            guess = 0
        line[i] = (line[i] + guess) & 255
    return line


def read_picture(path):
    with open(path, 'rb') as file:
        data = file.read()
    assert data[:8] == b'\x89PNG\r\n\x1a\n', f'{path} is no PNG file'
    place, packed = 8, b''
    while place < len(data):
        length, kind = struct.unpack_from('>I4s', data, place)
        content = data[place + 8:place + 8 + length]
        if kind == b'IHDR':
            width, height, depth, color = struct.unpack_from('>IIBB', content)
            assert depth == 8 and color in (2, 6), f'{path}: depth {depth}, color {color}'
            size = 3 if color == 2 else 4
        elif kind == b'IDAT':
            packed += content
        place += 12 + length
    raw = zlib.decompress(packed)
    rows, above = [], bytearray(width * size)
    for y in range(height):
        start = y * (width * size + 1)
        above = unfilter(raw[start], bytearray(raw[start + 1:start + 1 + width * size]), above, size)
        rows.append([tuple(above[x:x + 3]) for x in range(0, width * size, size)])
    return rows
