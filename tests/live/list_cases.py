#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Lists the programs of a directory whose heads say of how many ranks their jobs are, for Meson: list_cases.py DIRECTORY

One line for each, of columns between bars: file, MPIs with which ./check runs it, "all forms" or nothing, what it needs,
the only MPI it is for, "synchronous" where it is a correct program that does not rely on MPI buffering messages, its ranks,
MPIs with which ./check asks about it when it runs without the runtime."""
import os
import re
import sys

from lib.head import ALL_FORMS, Head

SOURCES = (".c", ".cc", ".f90", ".F90", ".py")


def main():
    directory = sys.argv[1]
    for name in sorted(os.listdir(directory)):
        if not name.endswith(SOURCES):
            continue
        head = Head(os.path.join(directory, name))
        if head.ranks == 0:
            with open(head.path, encoding="utf-8") as file:
                if re.search(r"\bRANKS [0-9]", file.read()):
                    sys.exit(f"{head.path}: RANKS is not where lib/head.py looks for it")
            continue
        if not head.mpis:
            sys.exit(f"{head.path}: no CHECK")
        with open(head.path, encoding="utf-8") as file:
            is_correct = re.search(r"^(?: \*|!|#|//) EXPECT none$", file.read(), re.M)
        synchronous = "synchronous" if is_correct and "synchronous" not in head.without else ""
        forms = ALL_FORMS if head.all_forms else ""
        print(
            name,
            " ".join(head.mpis),
            forms,
            head.needs,
            head.only,
            synchronous,
            head.ranks,
            " ".join(head.unprepared),
            sep="|",
        )


if __name__ == "__main__":
    main()
