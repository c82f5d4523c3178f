# SPDX-License-Identifier: BSD-3-Clause
"""Texts of the process on their way to gdb's terminal: the same rules as inspect/text/text.h.

Characters of UTF-8 stay as they are; control characters, bytes that are part of no character, and characters that break lines or turn the
direction of writing are shown. Escaping twice changes nothing.
"""
import re

_SHORT = {"\n": "\\n", "\t": "\\t"}
_OBEYED = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff\udc80-\udcff]")


def _show(match):
    character = match[0]
    shown = "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))
    return _SHORT.get(character, shown)


def string(value):
    """Escapes a str, in which bytes that are part of no character stand as os.fsdecode() has them."""
    return _OBEYED.sub(_show, value)


def text(value):
    """Escapes bytes, such as a C string."""
    return string(value.decode("utf-8", "surrogateescape"))
