# An exception of a module, which nothing catches, and something that holds the end up.
import atexit
import subprocess
import sys


@atexit.register
def clean_up():
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()


raise subprocess.SubprocessError("north")
