#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails where a reader could take for whole what never was, on a processor that keeps neither stores nor loads in order.
Each protocol of doc/ARCHITECTURE.md, section 4, is a Protocol below: the writer's stores, in the order of the runtime's source, and the
reader's copies, by the DLL's source. Each must also be found torn with less than that (Weaker):
a protocol that nothing breaks would prove nothing. Argument: the directory with the sources."""
import dataclasses
import sys
import time
import typing

from explore import BARRIER, RELEASE, STORE, find_torn
from source import Sources

OPERATION, THREAD, ENTER = "runtime/operations/operations.h", "runtime/thread/thread.h", "runtime/api/enter.c"
RECORD, CALL, TABLE = "runtime/thread/thread.h", "runtime/operations/operations.h", "runtime/memory/table.c"
OBJECT, ORDER = "runtime/objects/object.c", "runtime/objects/objects.h"
EPOCH, FORTRAN, TEXTS = "runtime/objects/window_epoch.c", "runtime/fortran/fortran_request.c", "runtime/memory/texts.c"


@dataclasses.dataclass
class Protocol:
    name: str
    steps: list  # of the writer
    at_first: dict
    copies: list  # of the reader: the words that count in each
    verdict: typing.Callable
    is_whole: typing.Callable


def with_values(steps, **values):
    """The steps, each store with the value of its word."""
    return [step if step[0] == BARRIER else (step[0], step[1], values[step[1]]) for step in steps]


def without(steps, *removed):
    """Without the steps that stand at these numbers."""
    return [step for number, step in enumerate(steps) if number not in removed]


def barriers(steps):
    return [number for number, step in enumerate(steps) if step[0] == BARRIER]


def at_end(copies, verdict):
    """Decides when all was read."""
    return lambda read: verdict(read) if len(read) == len(copies) else None


# Operations: a record that is in use, finished, and used twice more. `end` says by which serial a value was stored.


def operation_steps(source):
    words = {"state": "state", "posted": "posted", "posted_check": "check", "tag": "field", "actual_bytes": "actual"}
    opened = source.stores(OPERATION, "operation_open", words)
    published = source.stores(OPERATION, "operation_publish", words)
    begun = source.stores(
        OPERATION, "operation_begin_at", words, {"operation_open": opened, "operation_publish": published}
    )
    ended = source.stores(OPERATION, "operation_set_actual", words)
    ended += source.stores(RECORD, "operation_retire_borrowed", words)
    steps = []
    for serial in (2, 3):
        for kind, *what in begun:
            if what and what[0] == "state":
                steps.append((kind, "state", 0 if what[1] == "0" else ("pending", serial)))
            elif what:
                steps.append((kind, what[0], ("kept", serial) if what[0] == "actual" else serial))
            else:
                steps.append((kind,))
        steps += with_values(ended, actual=("got", serial), state=("retired", serial))
    return steps


def operation(name, source, copies=None):
    at_first = {"state": ("retired", 1), "posted": 1, "check": 1, "field": 1, "actual": ("got", 1)}
    count, content, words = source.copies("operation")
    model = {"state": "state", "posted": "posted", "posted_check": "check"}
    if copies is None:
        copies = [[] for _ in range(count)]
        copies[content] = ["field", "actual"]
        for member, copy, _ in words:
            copies[copy] = copies[copy] + [model[member]]

    def joined(read):
        return {word: value for copy in read for word, value in copy.items()}

    def believes(read):
        record = joined(read)
        return record["posted"] == record["check"] and record["state"] != 0

    def is_whole(read):
        record = joined(read)
        kind, serial = record["state"]
        return serial == record["posted"] == record["field"] and (
            kind != "retired" or record["actual"] == ("got", serial)
        )

    return Protocol(name, operation_steps(source), at_first, copies, at_end(copies, believes), is_whole)


# Objects: freed, given back, and made anew in the same place, twice.


def object_steps(source):
    words = {"state": "state", "serial": "serial", "handle": "field", "next": "field", "*record": "state"}
    given_back = source.stores(TABLE, "table_give_back", words)
    begun = source.stores(OBJECT, "object_begin", words)
    published = source.stores(OBJECT, "publish", words)
    steps = []
    for serial in (2, 3):
        steps += with_values(given_back, state=0, field="link")
        steps += with_values(begun, serial=serial, field=serial) + with_values(published, state=("live", serial))
    return steps


def object_(name, source, steps=None, copies=None):
    count, content, words = source.copies("communicator")
    if copies is None:
        copies = [[] for _ in range(count)]
        copies[content] = ["field", "serial"]
        for member, copy, _ in words:
            copies[copy] = copies[copy] + [member]

    def believes(read):
        serials = {copy["serial"] for copy in read if "serial" in copy}
        states = [copy["state"] for copy in read if "state" in copy]
        return len(serials) == 1 and 0 not in states

    def is_whole(read):
        record = {word: value for copy in read for word, value in copy.items()}
        return record["field"] == record["serial"]

    at_first = {"state": ("live", 1), "serial": 1, "field": 1}
    steps = object_steps(source) if steps is None else steps
    return Protocol(name, steps, at_first, copies, at_end(copies, believes), is_whole)


# Places of collective calls and of marks: the serial is 0 while the rest is written.

COLLECTIVE_PLACE = ["collective_open_place", "collective_fill_place"]


def place(name, source, path, functions, copies=None, steps=None):
    words = {"serial": "serial", "site": "field"}
    written = [step for function in functions for step in source.stores(path, function, words)]
    if steps is None:
        steps = []
        for serial in (2, 3):
            for kind, *what in written:
                value = [] if not what else [what[0], 0 if what[1] == "0" else serial]
                steps.append((kind, *value))
    copies = copies or [["serial"], ["serial", "field"], ["serial"]]

    def believes(read):
        serials = {copy["serial"] for copy in read if "serial" in copy}
        return len(serials) == 1 and 0 not in serials

    def is_whole(read):
        record = {word: value for copy in read for word, value in copy.items()}
        return record["field"] == record["serial"]

    return Protocol(name, steps, {"serial": 1, "field": 1}, copies, at_end(copies, believes), is_whole)


# Threads: three calls of one function, of which the first and the third are described alike. `counts`: each counts up
# the thread's operations, as a send does; else it is told from others by when it began, as a collective call.


def thread_steps(source, counts):
    words = {"function": "function", "site": "site", "operation": "site", "entered": "entered", "operations": "count"}
    begun = source.stores(THREAD, "call_begin", {"function": "function"})
    if counts:
        begun = source.stores(OPERATION, "operation_open", {"operations": "count"}) + source.stores(
            CALL, "call_begin_operation", words, {"call_begin": begun}
        )
    else:
        begun = source.stores(CALL, "call_begin_asking", words, {"call_begin": begun})
    ended = source.stores(THREAD, "call_end", words)
    steps = with_values(ended, function=0)
    for number in (2, 3):
        steps += with_values(begun, function="f", count=number, entered=number, site="ab"[number % 2])
        steps += with_values(ended, function=0)
    return steps


def thread(name, source, counts, copies=None, steps=None):
    number = "count" if counts else "entered"
    words = ["function", "site", number]
    if copies is None:
        again = source.number("dll/snapshot/snapshot_read.c", "CONFIRMATIONS")
        first = source.body("dll/snapshot/call_requests.c", "call_requests_read")
        copies = [words] * (first.count("take_threads") + first.count("call_requests_confirm") + 1 + again)

    def verdict(read):
        if read[-1] != read[0] or read[0]["function"] == 0:
            return False
        return True if len(read) == len(copies) else None

    def is_whole(read):
        return read[0]["site"] == "ab"[read[0][number] % 2]

    steps = thread_steps(source, counts) if steps is None else steps
    at_first = {"function": "f", "site": "b", number: 1}
    return Protocol(name, steps, at_first, copies, verdict, is_whole)


def left_call(name, source, steps=None):
    """The outer call comes back, after a jump out of the inner one, which readers may see still."""
    ended = source.stores(THREAD, "call_end", {"function": "function"})
    back = source.stores(ENTER, "leave_inner", {"function": "function", "site": "site"}, {"call_end": ended})
    if steps is None:
        steps = [(kind, *([] if not what else [what[0], 0 if what[1] == "0" else "outer"])) for kind, *what in back]
    copies = [["function"], ["site"], ["function"]]

    def believes(read):
        return read[0]["function"] == read[2]["function"] != 0

    def is_whole(read):
        return read[0]["function"] == read[1]["site"]

    at_first = {"function": "inner", "site": "inner"}
    return Protocol(name, steps, at_first, copies, at_end(copies, believes), is_whole)


# Pairs of an address and a count: the array grows, and what is new is counted.


def pair(name, grown, counted, copies):
    """The short array has one element, the long one two. `copies`: the reads of address and count."""
    steps = with_values(grown, address="long", count=2) + with_values(counted, address="long", count=2)

    def believes(_):
        return True

    def is_whole(read):
        record = {word: value for copy in read for word, value in copy.items()}
        return record["count"] <= (2 if record["address"] == "long" else 1)

    return Protocol(name, steps, {"address": "short", "count": 1}, copies, at_end(copies, believes), is_whole)


def pairs(source, copies):
    lock = {"locks": "address", "lock_count": "count"}
    request = {"fortran_requests": "address", "fortran_request_count": "count"}
    grown = source.stores(EPOCH, "reserve", lock)
    yield pair("locks of a window", grown, source.stores(EPOCH, "add_lock", lock), copies)
    yield pair("requests of Fortran", source.stores(FORTRAN, "reserve", request), [], copies)
    grown = source.stores(TEXTS, "reserve", {"address": "address"})
    yield pair("texts", grown, source.stores(TEXTS, "put", {"bytes": "count"}), copies)


def protocols(source):
    yield operation("operation", source)
    yield object_("object", source)
    yield place("collective call", source, ORDER, COLLECTIVE_PLACE)
    yield place("mark", source, "runtime/operations/collective.c", ["write_mark"])
    yield thread("thread that counts", source, True)
    yield thread("thread that does not count", source, False)
    yield left_call("call that a jump has left", source)
    yield from pairs(source, [["count"], ["address"]])


def weaker(source):
    """Weakened protocols that must be found torn: one copy of everything, and each named barrier removed."""
    yield operation("operation in one copy", source, [["state", "posted", "check", "field", "actual"]])
    yield operation(
        "operation whose state is in the copy of the rest",
        source,
        [["posted"], ["state", "field", "actual"], ["check"]],
    )
    yield object_("object in one copy", source, copies=[["state", "serial", "field"]])
    steps = object_steps(source)
    yield object_("object whose link may be seen before its state", source, without(steps, *barriers(steps)))
    for copies in ([["serial", "field"]], [["serial"], ["serial", "field"]]):
        yield place("collective call in fewer copies", source, ORDER, COLLECTIVE_PLACE, copies)
    for counts, fewer in ((True, 3), (False, 4)):
        number = "count" if counts else "entered"
        yield thread("thread in fewer copies", source, counts, [["function", "site", number]] * fewer)
        steps = thread_steps(source, counts)
        yield thread(
            "thread whose end of a call orders nothing", source, counts, steps=without(steps, barriers(steps)[0])
        )
    back = source.stores(ENTER, "leave_inner", {"function": "function", "site": "site"})
    steps = with_values(back, function="outer", site="outer")
    yield left_call("call that is seen while it comes back", source, steps)
    yield from pairs(source, [["address", "count"]])


def explore(protocol):
    return find_torn(protocol.steps, protocol.at_first, protocol.copies, protocol.verdict, protocol.is_whole)


def main():
    source = Sources(sys.argv[1])
    wrong = False
    for kind, wanted in ((protocols, False), (weaker, True)):
        for protocol in kind(source):
            begin = time.monotonic()
            torn, states = explore(protocol)
            is_right = (torn is not None) == wanted
            wrong = wrong or not is_right
            seen = "whole" if torn is None else f"torn: {torn}"
            print(
                f"{'' if is_right else 'WRONG: '}{protocol.name}: {seen} ({states} states, {time.monotonic() - begin:.1f} s)"
            )
            if not any(step[0] in (STORE, RELEASE) for step in protocol.steps):
                print(f"{protocol.name}: no store of it was found in the source")
                wrong = True
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
