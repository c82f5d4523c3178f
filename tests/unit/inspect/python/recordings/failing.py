# An exception that nothing catches, and something that holds the end up.
import atexit
import sys


@atexit.register
def clean_up():
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()


def exchange(step):
    raise KeyError(step)


exchange("north")
