# SPDX-License-Identifier: BSD-3-Clause
"""The gdb scripts load the DLL beside them and nothing that a process names, whoever may own that.

Argument: the directory of mpilens_gdb.
"""
import importlib
import os
import sys
import tempfile
import types
import unittest.mock


def load(directory, *names):
    """Modules of mpilens_gdb without gdb."""
    sys.modules["gdb"] = unittest.mock.MagicMock(GdbError=Exception, MemoryError=MemoryError, error=RuntimeError)
    package = types.ModuleType("mpilens_gdb")
    package.__path__ = [os.path.join(directory, "mpilens_gdb")]
    sys.modules["mpilens_gdb"] = package
    return [importlib.import_module(f"mpilens_gdb.{name}") for name in names]


def make(*parts):
    path = os.path.join(*parts)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8"):
        pass
    os.chmod(path, 0o600)
    return path


def main():
    dll, errors = load(sys.argv[1], "dll", "errors")
    wrong = []
    with tempfile.TemporaryDirectory(prefix="mpilens-gdb-") as directory:
        scripts = os.path.join(directory, "lib", "mpilens", "gdb")
        theirs = make(directory, "theirs", dll.FILE_NAME)
        os.chdir(os.path.dirname(theirs))
        for named in ([], [theirs], [f"./{dll.FILE_NAME}"], [theirs + "\033[31m/" + dll.FILE_NAME]):
            dll.named_by_target = lambda named=named: named
            try:
                wrong.append(f"nothing of ours is there; found: {dll.find(scripts)}")
            except errors.MpiError as error:
                if (named[:1] == [theirs]) != (f"names {theirs}" in str(error)) or "\033" in str(error):
                    wrong.append(f"{named}: {error}")
        ours = make(scripts, "..", dll.FILE_NAME)
        for named in ([], [theirs], [f"./{dll.FILE_NAME}"]):
            dll.named_by_target = lambda named=named: named
            if dll.find(scripts) != os.path.normpath(ours):
                wrong.append(f"{named}: found {dll.find(scripts)}")
        os.chdir("/")
    print(f"{len(wrong)} wrong", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
