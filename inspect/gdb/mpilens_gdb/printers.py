# SPDX-License-Identifier: BSD-3-Clause
"""Pretty printers of handles: a variable of the program is printed as one sentence about what it names.

Values that these scripts make themselves have types that no value of a program has: handles that are to be printed briefly are volatile
and stand in no memory, texts are vectors of an odd number of volatile bytes.
"""
import gdb
import gdb.printing

from . import handles, page, vocabulary
from .errors import MpiError


def _text_type(size):
    return gdb.selected_inferior().architecture().integer_type(8, False).volatile().vector(size - 1)


def _text_value(text):
    """A value that is printed as this text; of a str, gdb/MI shows the number of characters."""
    data = text.encode("utf-8", "surrogateescape")
    data += bytes(1 + len(data) % 2)
    return gdb.Value(data, _text_type(len(data)))


def _text_of_value(value):
    """The text; None: it is another value."""
    size = value.type.sizeof
    if size % 2 == 0 or value.type != _text_type(size):
        return None
    return bytes(int(value[place]) for place in range(size)).rstrip(b"\0").decode("utf-8", "surrogateescape")


def brief(value):
    """The same handle, to be printed as its name and number. None: the value is no handle, or one that has nothing else."""
    handle = handles.from_value(value)
    if handle is None or handle.kind == vocabulary.STATUS:
        return None
    kind = handles.without_reference(value).type
    return gdb.Value(handle.bytes(kind.sizeof), kind.volatile())


class Text:
    def __init__(self, text):
        self.text = text

    def to_string(self):
        return self.text


class Object(Text):
    """It can be unfolded in IDEs. `print` shows the sentence only, and nothing else in gdb asks for the hint first."""

    def __init__(self, process, named):
        super().__init__(named.sentence)
        self.process = process
        self.named = named
        self.is_printed = None

    def _is_asked(self, for_hint=False):
        if self.is_printed is None:
            self.is_printed = for_hint

    def display_hint(self):
        self._is_asked(for_hint=True)

    def to_string(self):
        self._is_asked()
        return super().to_string()

    def children(self):
        self._is_asked()
        if not self.is_printed:
            yield from ((name, _text_value(text)) for name, text in self._fields())

    def _fields(self):
        yield "summary", self.text
        try:
            if handles.make_current(self.process, self.named):
                yield from page.fields(self.process, self.named)
        except (MpiError, gdb.error):
            return


class HandlePrinters(gdb.printing.PrettyPrinter):
    """Where nothing can be said (no process, no runtime, no type of MPI), gdb prints the value as always."""

    def __init__(self, processes):
        super().__init__("mpilens-handles")
        self.processes = processes

    def __call__(self, value):
        kind = value.type
        if kind.code == gdb.TYPE_CODE_ARRAY:
            text = _text_of_value(value)
            return Text(text) if text is not None else None
        try:
            handle = handles.from_value(value)
            if handle is None:
                return None
            process = self.processes.selected()
            found = handles.find(process, handle)
        except (MpiError, gdb.error):
            return None
        if kind == kind.volatile() and value.address is None:
            return Text(found.brief if found is not None else f"{handle}")
        if found is None:
            return Text(handles.not_found(handle))
        return Object(process, found) if found.is_object else Text(found.sentence)
