#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails where dll/ or inspect/ tells functions of MPI apart by their names: runtime/api/functions.tsv has the facts about a function, and
they come with its name. Argument: the directory with the sources."""
import os
import re
import sys

from sources import sources

PARTS = ("dll", "inspect")
READ = (".c", ".h", ".inc", ".py", ".js", ".html", ".in")
# Functions of programs and libraries, which no table knows.
SYMBOLS = ("inspect/debug/", "inspect/launch/", "inspect/stack/")
# Names that are written, not compared.
WORDS = {
    ("dll/types/type_constructors.c", "MPI_Type_create_f90_complex"),
    ("dll/types/type_constructors.c", "MPI_Type_create_f90_integer"),
    ("dll/types/type_constructors.c", "MPI_Type_create_f90_real"),
    ("inspect/analysis/faults/fault_lost_message.c", "MPI_Get_count"),
    ("inspect/analysis/faults/fault_window_wait.c", "MPI_Win_fence"),
    ("inspect/analysis/causes/process_evidence.c", "MPI_Win_post"),
    ("inspect/analysis/causes/process_evidence.c", "MPI_Win_start"),
}
# Beginnings of datatypes that have no name of their own.
DATATYPES = {("inspect/analysis/messages/message_fit.c", "MPI_Type_")}
C_COMPARISON = re.compile(
    r"\b(?:str(?:n?case)?n?cmp|strstr|strcasestr|strc?spn|fnmatch|\w*(?:begins|ends|starts)_with|is_among)\s*\("
    r"((?:[^()]|\([^()]*\))*)\)"
)
SCRIPT_COMPARISON = re.compile(
    r"""\bfunction\b[\w.()]*\s*(?:[!=]==?|\bnot in\b|\bin\b|\.(?:startsWith|startswith|endswith|endsWith|includes|indexOf|find)\()"""
    r"""\s*[('"\[{]+[\w]"""
)
TEXT = re.compile(r"""(["'])((?:\\.|(?!\1)[^\\\n])*)\1""")


def read_names(root):
    """The functions of the table."""
    with open(os.path.join(root, "runtime/api/functions.tsv"), encoding="utf-8") as file:
        return {line.split("\t")[0] for line in file if line.strip() and not line.startswith("#")}


def without_comments(text, is_c):
    """Returns the text with the same number of lines."""
    if not is_c:
        return text
    return re.sub(r"/\*.*?\*/|//[^\n]*", lambda match: "\n" * match[0].count("\n"), text, flags=re.DOTALL)


def is_name(text, names):
    """Whether a text is the name of a function, or what several names begin with."""
    plain = text[:-2] if text.endswith("_c") else text
    return plain in names or (
        re.fullmatch(r"MPIX?_\w*_", text) is not None and any(name.startswith(text) for name in names)
    )


def problems(path, text, names):
    """Yields (line, problem)."""

    def line_of(place):
        return text.count("\n", 0, place) + 1

    is_c = path.endswith((".c", ".h", ".inc"))
    text = without_comments(text, is_c)
    for match in TEXT.finditer(text):
        if is_name(match[2], names) and (path, match[2]) not in WORDS | DATATYPES:
            yield line_of(match.start()), f"the name {match[2]}"
    if path.startswith(SYMBOLS):
        return
    for match in (C_COMPARISON if is_c else SCRIPT_COMPARISON).finditer(text):
        if re.search(r"\b\w*function\b", match[0]) and TEXT.search(match[0]):
            yield line_of(match.start()), f'a comparison of a function with a text: {" ".join(match[0].split())}'


def main():
    root = sys.argv[1]
    names = read_names(root)
    complaints, files = set(), 0
    for path in sources(root, PARTS, READ):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = file.read()
        files += 1
        complaints |= {(path, line, problem) for line, problem in problems(path, text, names)}
    for path, line, problem in sorted(complaints):
        print(f"{path}:{line}: {problem}")
    print(f"{files} files, {len(names)} functions")
    return 1 if complaints or files == 0 or len(names) < 300 else 0


sys.exit(main())
