# SPDX-License-Identifier: BSD-3-Clause
"""The functions of MPI that the runtime calls on its own account are those that doc/ARCHITECTURE.md lists.

    questions_test.py ROOT"""
import pathlib
import re
import sys

CALL = re.compile(r"\b(?:mpilens__asked|MPI)\.(MPI_\w+)")
CONVERSION = re.compile(r"\{\"(\w+)\", convert_MPI_")
SECTION = re.compile(r"\*\*Questions to MPI\.\*\*.*?\n\n(\|.*?)\n\n", re.DOTALL)


def called(root):
    """Forwarding the program's own call is in generated files only."""
    texts = [path.read_text(encoding="utf-8") for path in (root / "runtime").rglob("*.[ch]")]
    conversions = {f"MPI_{name}_c2f" for text in texts for name in CONVERSION.findall(text)}
    return conversions | {name for text in texts for name in CALL.findall(text)}


def listed(root):
    table = SECTION.search((root / "doc" / "ARCHITECTURE.md").read_text(encoding="utf-8")).group(1)
    names = set()
    for row in table.splitlines():
        functions = row.split("|")[2]
        names.update(re.findall(r"`(MPI_\w+)`", functions))
        names.update(f"{name}_c" for name in re.findall(r"`(MPI_\w+)` and `_c`", functions))
    return names


def main():
    root = pathlib.Path(sys.argv[1])
    calls, names = called(root), listed(root)
    for name in sorted(calls - names):
        print(f"{name} is called in runtime/ and not listed in doc/ARCHITECTURE.md, Questions to MPI")
    for name in sorted(names - calls):
        print(f"{name} is listed in doc/ARCHITECTURE.md, Questions to MPI, and not called")
    return 1 if calls != names or not calls else 0


if __name__ == "__main__":
    sys.exit(main())
