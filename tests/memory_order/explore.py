# SPDX-License-Identifier: BSD-3-Clause
"""Explores what a reader may see of a writer on a weakly ordered processor (as ARMv8: stores become visible to all others
at one time, in any order that barriers, store-releases and coherence allow; loads between two fences are done in any
order).

A writer is a list of STORE, RELEASE (word, value) and BARRIER. A reader is a list of copies, each a list of the words that
count in it; between two copies is a fence. `verdict`, asked as early as a copy is complete, says of the copies so far (a
tuple of dictionaries) None: go on, False: the reader does not believe them, or, of all copies, True: it does. `is_whole`
says whether what it believes ever was."""
STORE, RELEASE, BARRIER = "store", "release", "barrier"


class Writer:
    """Which stores must be visible before which others."""

    def __init__(self, steps):
        self.stores = []  # (word, value)
        self.needs = []  # for each the set, as bits, of stores that are seen before it
        fenced, before, last = 0, 0, {}
        for kind, *what in steps:
            if kind == BARRIER:
                fenced = before
                continue
            word, value = what
            needed = fenced | last.get(word, 0)
            if kind == RELEASE:
                needed |= before
            bit = 1 << len(self.stores)
            self.stores.append((word, value))
            self.needs.append(needed)
            last[word] = last.get(word, 0) | bit
            before |= bit

    def next_stores(self, seen):
        """Those that may become visible now."""
        for number, needed in enumerate(self.needs):
            if not seen >> number & 1 and needed & ~seen == 0:
                yield number

    def value(self, seen, word, at_first):
        for number in reversed(range(len(self.stores))):
            if seen >> number & 1 and self.stores[number][0] == word:
                return self.stores[number][1]
        return at_first[word]


def find_torn(steps, at_first, copies, verdict, is_whole):
    """A state that a reader accepts although it never was, as a tuple of dictionaries; None: none. Also the number of
    states that were looked at."""
    writer = Writer(steps)
    known = set()
    waiting = [(0, (), frozenset())]
    while waiting:
        state = waiting.pop()
        if state in known:
            continue
        known.add(state)
        seen, done, loaded = state
        if len(done) == len(copies):
            continue
        for number in writer.next_stores(seen):
            waiting.append((seen | 1 << number, done, loaded))
        have = {word for word, _ in loaded}
        for word in copies[len(done)]:
            if word in have:
                continue
            now = loaded | {(word, writer.value(seen, word, at_first))}
            if len(now) < len(copies[len(done)]):
                waiting.append((seen, done, now))
                continue
            complete = done + (now,)
            read = tuple(dict(copy) for copy in complete)
            believed = verdict(read)
            if believed and not is_whole(read):
                return read, len(known)
            if believed is None:
                waiting.append((seen, complete, frozenset()))
    return None, len(known)
