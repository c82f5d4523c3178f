# SPDX-License-Identifier: BSD-3-Clause
"""The elements of a page, from its text."""
import html.parser

EMPTY = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


class Element:
    def __init__(self, name, attributes, parent):
        self.name = name
        self.attributes = dict(attributes)
        self.parent = parent
        self.children = []  # elements and texts

    def text(self):
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)

    def walk(self):
        yield self
        for child in self.children:
            if not isinstance(child, str):
                yield from child.walk()

    def find_all(self, name):
        return [element for element in self.walk() if element.name == name]

    def by_id(self, identifier):
        """The element, None where there is none."""
        return next((element for element in self.walk() if element.attributes.get("id") == identifier), None)


class Tree(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.root = self.current = Element("", [], None)
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
