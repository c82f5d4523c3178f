# SPDX-License-Identifier: BSD-3-Clause
"""The page of a handle: the lines that the DLL makes (mpilens/extension_pages.h), with places and names of functions."""
import ctypes

from . import escaped, target, vocabulary

_MOST_LISTED = 32  # lines below one at the margin


def _text(line):
    """The text behind the label: "MPI_Win_lock at app.c:40 main", "handle_error (0x401800)"."""
    if line.function:
        name = target.describe_function(line.function)
        return f"{name} ({line.function:#x})" if name != "?" else f"{line.function:#x}"
    place = target.describe_site(line.site)
    return escaped.text(line.text) + (f" at {place}" if place else "")


def _setup(named):
    """The function that makes the page, and its arguments; None: there is nothing to say."""
    if named.handle.kind == vocabulary.STATUS:
        return "mpilens_setup_status_page", ctypes.byref(named.answer)
    if named.handle.kind == vocabulary.REQUEST:
        return "mpilens_setup_request_page", ctypes.byref(named.answer)
    return ("mpilens_setup_object_page",) if named.is_object else None


def _of(process, named):
    """(depth, label, text) of each line. A named object is the current one."""
    setup = _setup(named)
    below = 0
    for line in process.page(*setup) if setup is not None else ():
        below = below + 1 if line.depth else 0
        if below <= _MOST_LISTED:
            yield line.depth, escaped.text(line.label), _text(line)
        elif below == _MOST_LISTED + 1:
            yield 1, "...", "and more"


def fields(process, named):
    """[(label, text)] of the lines at the margin; the text includes the lines below them."""
    found = []
    for depth, label, text in _of(process, named):
        if depth == 0:
            found.append((label, text, []))
        else:
            found[-1][2].append(f"{label} {text}")
    return [(label, ": ".join(one for one in (text, "; ".join(below)) if one)) for label, text, below in found]


def lines_of(process, named):
    """The page as lines of text."""
    lines = [named.sentence]
    for depth, label, text in _of(process, named):
        lines.append(f"{'  ' * (depth + 1)}{label + ':':<{max(18 - 2 * depth, 0)}} {text}".rstrip())
    return lines
