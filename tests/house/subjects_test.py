#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails where the subject of a commit on this branch is long, ends with a dot or is not imperative. Argument: the directory with the sources.

Checks the commits since the merge base with origin. Skips where there is none: no history, no remote, a detached head.
"""
import re
import subprocess
import sys

MOST_CHARACTERS = 72
SKIPPED = 77
PART = re.compile(r"^[\w./, -]+: ")
PAST_OR_GERUND = re.compile(r"^\w+(ed|ing)$")
IMPERATIVE = set("bring embed exceed feed need ping proceed ring seed shed speed string swing".split())
NOT_IMPERATIVE = set(
    "a an the this that these those what who it its no one all every now wip made kept was were had".split()
)
# The check itself is tested with these: a subject, and whether it is refused.
EXAMPLES = {
    "dll: count windows as users of communicators": False,
    "Feed the parser line by line": False,
    "Fixed the parser": True,
    "dll: counting windows": True,
    "The end of a receive has its own way": True,
    "runtime: what lies ends with its test": True,
    "Add a test.": True,
    "Add " + 69 * "x": True,
}


def faults(subject):
    """Yields the reasons to refuse the subject."""
    first = (PART.sub("", subject).split() or [""])[0].lower()
    if len(subject) > MOST_CHARACTERS:
        yield f"has {len(subject)} characters, not at most {MOST_CHARACTERS}"
    if subject.endswith("."):
        yield "ends with a dot"
    if first in NOT_IMPERATIVE or (PAST_OR_GERUND.match(first) and first not in IMPERATIVE):
        yield f'begins with "{first}", which is not imperative'


def git(source, *arguments):
    """Its output, None where it fails."""
    try:
        done = subprocess.run(["git", "-C", source, *arguments], capture_output=True, text=True)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def main(source):
    wrong = [f"{subject!r}: judged wrongly" for subject, bad in EXAMPLES.items() if any(faults(subject)) != bad]
    branch = git(source, "symbolic-ref", "--quiet", "HEAD")
    base = branch and git(source, "merge-base", "HEAD", "origin/HEAD")
    if not base and not wrong:
        print("skipped: no branch here, or no origin/HEAD that it comes from")
        return SKIPPED
    subjects = (base and git(source, "log", "--no-merges", "--format=%s", f"{base}..HEAD") or "").splitlines()
    wrong += [f"{subject!r} {fault}" for subject in subjects for fault in faults(subject)]
    print(f"{len(subjects)} commits since the merge base", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
