#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails where a manual page of a verb does not have the options that --help has, where mandoc finds fault with a page, or where a page refers
to one that is not there. Arguments: the command, and the directory of the pages."""
import os
import re
import shutil
import subprocess
import sys

OTHERS = {("gdb", "1")}  # pages of others that ours refer to


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def options_of_help(mpilens, verb):
    text = subprocess.run([mpilens, verb, "--help"], check=True, capture_output=True, text=True).stdout
    heads = re.findall(r"^ {2,6}(-.*?)(?:  |$)", text, flags=re.M)
    return set(re.findall(r"--[a-z-]+|(?<![\w-])-[a-zA-Z?]\b|-\?", "\n".join(heads)))


def options_of_page(text):
    items = " ".join(line for line in text.splitlines() if line.startswith(".It Fl "))
    flags = [flag.replace("\\-", "-").removeprefix("-") for flag in re.findall(r"Fl (\S+)", items)]
    return {("-" if len(flag) == 1 else "--") + flag for flag in flags}


def main(mpilens, directory):
    pages = sorted(name for name in os.listdir(directory) if re.fullmatch(r"[a-z-]+\.\d", name))
    there = {tuple(name.rsplit(".", 1)) for name in pages} | OTHERS
    wrong = []
    for name in pages:
        text = read(os.path.join(directory, name))
        wrong += [
            f"{name}: refers to {page}({section})"
            for page, section in re.findall(r"^\.Xr (\S+) (\d)", text, flags=re.M)
            if (page, section) not in there
        ]
        verb = re.fullmatch(r"mpilens-([a-z]+)\.1", name)
        if verb:
            wrong += [
                f"{name}: {option}"
                for option in sorted(options_of_help(mpilens, verb.group(1)) ^ options_of_page(text))
            ]
        if shutil.which("mandoc"):
            said = subprocess.run(
                ["mandoc", "-Tlint", os.path.join(directory, name)], capture_output=True, text=True, check=False
            ).stdout
            wrong += [line for line in said.splitlines() if "referenced manual not found" not in line]
    print(f"{len(pages)} pages read{'' if shutil.which('mandoc') else ', mandoc is not installed'}", *wrong, sep="\n")
    return 1 if wrong or len(pages) < 10 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
