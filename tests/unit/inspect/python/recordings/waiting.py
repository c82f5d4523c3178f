# A thread that waits while it handles an exception, and another one.
import sys
import threading


class NoCell(ValueError):
    pass


def wait():
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()


def find(cell):
    if cell:
        raise NoCell("no cell \u00fc\u4e2d\U0001f600", cell)


def exchange(step):
    try:
        find(
            step,
        )
    except NoCell:
        wait()


def idle(event):
    event.wait()


def solve():
    for step in range(8):
        [exchange(one) for one in (step,)]


threading.Thread(target=idle, args=(threading.Event(),), daemon=True).start()
solve()
