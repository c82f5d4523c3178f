#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compiles the C programs in doc/*.md: indented blocks whose first line is an #include. Warnings are errors. Arguments: the directory with
the sources, and the compiler with its options."""
import glob
import os
import subprocess
import sys
import tempfile

INDENT = "    "


def programs(path):
    """Yields (line, text) of each program in the document."""
    block, first = [], 0
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines() + ["end"]
    for number, line in enumerate(lines, start=1):
        if line.startswith(INDENT) or (block and not line):
            first = first if block else number
            block.append(line.removeprefix(INDENT))
            continue
        if block and block[0].startswith("#include"):
            yield first, "\n".join(block) + "\n"
        block = []


def compile_program(text, sources, compiler):
    """The compiler's complaints, "": none."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "program.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        options = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
        command = [*compiler, *options, "-I", os.path.join(sources, "include"), path]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return result.stderr if result.returncode != 0 else ""


def main(sources, *compiler):
    count, wrong = 0, []
    for path in sorted(glob.glob(os.path.join(sources, "doc", "*.md"))):
        for line, text in programs(path):
            count += 1
            said = compile_program(text, sources, compiler)
            if said:
                wrong.append(f"{path}:{line}: does not compile:\n{said}")
    print(*wrong, f"{count} programs in doc/", sep="\n")
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
