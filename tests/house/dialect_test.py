#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails where the C of runtime/, dll/ or inspect/ and what is generated for them is not in the project's dialect: pointers are compared
with NULL, and sizeof has no parentheses around an expression. Asks clang-query, with the options that the build has for each source.

dialect_test.py SOURCE_ROOT BUILD_ROOT [PATTERN...]: only of sources whose paths match a regular expression
"""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys

from sources import PARTS

SOURCES_OF_ONE_RUN = 20
SKIPPED = 77
# Meanings of the names that the queries bind.
RULES = {
    "not": "! of a pointer: compare it with NULL",
    "condition": "a pointer as condition: compare it with NULL",
    "operand": "a pointer as operand of && or ||: compare it with NULL",
    "bool": "a pointer as bool: compare it with NULL",
    "sizeof": "sizeof with parentheses around an expression",
}
QUERIES = """
set output diag
set bind-root false
let pointer hasType(hasCanonicalType(pointerType()))
let own unless(anyOf(isExpansionInSystemHeader(), isExpansionInFileMatching("include/mpilens/")))
match unaryOperator(hasOperatorName("!"), hasUnaryOperand(expr(pointer)), own).bind("not")
match binaryOperator(hasAnyOperatorName("&&", "||"), hasEitherOperand(expr(pointer)), own).bind("operand")
match implicitCastExpr(hasCastKind("CK_PointerToBoolean"), own).bind("bool")
match unaryExprOrTypeTraitExpr(ofKind("UETT_SizeOf"), has(parenExpr()), own).bind("sizeof")
""" + "".join(
    f'match {kind}(hasCondition(expr(pointer, own).bind("condition")))\n'
    for kind in ("ifStmt", "whileStmt", "doStmt", "forStmt", "conditionalOperator")
)
FOUND = re.compile(r'^(\S[^:]*):(\d+):(\d+): note: "(\w+)" binds here$')
IN_MACRO = re.compile(r"^(\S[^:]*):\d+:\d+: note: expanded from macro ")
BROKEN = re.compile(r"^(\S[^:]*:\d+:\d+: (?:fatal )?error: .*|error: .*|\d+:\d+: (?:Error|Invalid|Unknown).*)")


def compiled_sources(root, build, patterns):
    """Each source of the parts once, and what is generated for them; where there are patterns, those that match one."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    paths = {os.path.normpath(os.path.join(command["directory"], command["file"])) for command in commands}
    wanted = [os.path.join(base, part) + "/" for base in (root, build) for part in PARTS]
    paths = sorted(path for path in paths if path.endswith(".c") and path.startswith(tuple(wanted)))
    return [path for path in paths if not patterns or any(re.search(pattern, path) for pattern in patterns)]


def ask(query, build, queries, paths):
    """Its output."""
    command = [query, "-p", build, "--extra-arg=-Wno-unknown-warning-option", "-f", queries, *paths]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    return done.stdout + done.stderr


def is_written(path, line, column, rule):
    """Whether what was found stands there itself: sizeof in a macro may need its parentheses."""
    if rule != "sizeof":
        return True
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")[line - 1][column - 1 :].startswith("sizeof")


def read_answer(text, root, build):
    """({(path, line, column, rule)}, [error])"""
    found, errors = set(), []
    last = None
    for line in text.split("\n"):
        match, macro, broken = FOUND.match(line), IN_MACRO.match(line), BROKEN.match(line)
        if match and match[4] in RULES:
            last = (os.path.normpath(os.path.join(build, match[1])), int(match[2]), int(match[3]), match[4])
            found.add(last)
        elif macro and last and not os.path.normpath(os.path.join(build, macro[1])).startswith((root, build)):
            found.discard(last)  # of a macro of a library
        elif broken:
            errors.append(broken[1])
    return {one for one in found if is_written(*one)}, errors


def main():
    root, build = (os.path.realpath(path) for path in sys.argv[1:3])
    patterns = sys.argv[3:]
    query = shutil.which("clang-query-14") or shutil.which("clang-query")
    if query is None:
        print("skipped: no clang-query")
        return SKIPPED
    paths = compiled_sources(root, build, patterns)
    queries = os.path.join(build, "dialect.query")
    with open(queries, "w", encoding="utf-8") as file:
        file.write(QUERIES)
    found, errors = set(), set()
    runs = [paths[first : first + SOURCES_OF_ONE_RUN] for first in range(0, len(paths), SOURCES_OF_ONE_RUN)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as executor:
        for answer in executor.map(lambda run: ask(query, build, queries, run), runs):
            of_run, errors_of_run = read_answer(answer, root, build)
            found |= of_run
            errors |= set(errors_of_run)
    for path, line, column, rule in sorted(found):
        print(f"{os.path.relpath(path, root)}:{line}:{column}: {RULES[rule]}")
    for error in sorted(errors):
        print(error)
    print(f"{len(paths)} sources, {len(found)} places, {len(errors)} errors of clang-query")
    return 1 if found or errors or not (paths or patterns) else 0


sys.exit(main())
