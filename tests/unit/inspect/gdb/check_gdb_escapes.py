# SPDX-License-Identifier: BSD-3-Clause
"""The gdb scripts escape texts of a process as the command does (test_escaped_text.c).

Argument: the directory of mpilens_gdb.
"""
import importlib.util
import os
import sys

EXPECTED = {
    b"": "",
    "Gitter-R\u00e4nder \u65e5\u672c \U0001f680".encode(): "Gitter-R\u00e4nder \u65e5\u672c \U0001f680",
    b"\x1b[31mred": r"\x1b[31mred",
    b"a\nb\tc\rd\x7f": r"a\nb\tc\x0dd\x7f",
    rb"a \ b \x1b": r"a \ b \x1b",
    b"\xff\xfe": r"\xff\xfe",
    b"caf\xc3": r"caf\xc3",
    b"\xc0\xaf": r"\xc0\xaf",
    b"\xed\xa0\x80": r"\xed\xa0\x80",
    b"\xc2\x9b31m": r"\xc2\x9b31m",
    b"\x9b31m": r"\x9b31m",
    b"\xef\xbf\xbf": r"\xef\xbf\xbf",
    b"\xef\xbf\xbd": "\ufffd",
    "a\u202eb".encode(): r"a\xe2\x80\xaeb",
    "\u2028\u2069\u061c".encode(): r"\xe2\x80\xa8\xe2\x81\xa9\xd8\x9c",
    "\u2013\u2030".encode(): "\u2013\u2030",
}


def main():
    path = os.path.join(sys.argv[1], "mpilens_gdb", "escaped.py")
    specification = importlib.util.spec_from_file_location("escaped", path)
    escaped = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(escaped)
    wrong = [
        f"{given} becomes {escaped.text(given)!r}"
        for given, expected in EXPECTED.items()
        if escaped.text(given) != expected or escaped.string(expected) != expected
    ]
    print(f"{len(EXPECTED)} texts, {len(wrong)} wrong", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
