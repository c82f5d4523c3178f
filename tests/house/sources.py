# SPDX-License-Identifier: BSD-3-Clause
"""The files of the three parts, and what ctags says of them."""
import os
import shutil
import subprocess

PARTS = ("runtime", "dll", "inspect")


def sources(root, parts=PARTS, endings=(".c", ".h")):
    """Paths below the root, in order."""
    return sorted(
        os.path.relpath(os.path.join(directory, name), root)
        for part in parts
        for directory, _, names in os.walk(os.path.join(root, part))
        for name in names
        if name.endswith(endings)
    )


def has_ctags():
    return shutil.which("ctags") is not None and "Universal" in subprocess.getoutput("ctags --version")


def tags(root, paths, kinds, fields):
    """A list of fields for each thing of these kinds (letters of ctags) that the files have."""
    command = ["ctags", "-x", "--language-force=C", f"--kinds-C={kinds}", "-D", "INLINE=static inline", "-D", "COLD="]
    command += ["--_xformat=" + "\t".join(f"%{{{field}}}" for field in fields), "-L", "-"]
    listed = subprocess.run(command, cwd=root, input="\n".join(paths), capture_output=True, text=True, check=True)
    return [line.split("\t") for line in listed.stdout.splitlines()]
