# SPDX-License-Identifier: BSD-3-Clause
"""The blocks of README and of the pages of doc/, fenced or indented. An invisible comment above each says how a test runs it, or why none does:

<!-- SOURCE as PROGRAM -->            pages_test.py compiles SOURCE and runs the block's commands as they are typed
<!-- SOURCE as PROGRAM, WORDS -->     "slow": with --full only; "needs TOOL"; "openmpi": of this MPI instead of MPICH; "ended": the job has ended;
                                      "columns N": on a terminal so wide
<!-- SOURCE as PROGRAM, gdb RANK -->  they are commands of gdb
<!-- SOURCE as PROGRAM, over hosts --> tests/cluster runs them; ", of Slurm": in a job of srun
<!-- the sources -->                  in a copy of these, with --full only
<!-- not run: REASON -->

C programs need none: documents_test.py compiles them."""
import os
import re
import shlex

NOTE = re.compile(r"<!-- (.*) -->$")
RUN = re.compile(
    r"(?P<source>\S+\.(?:c|py)) as (?P<program>\w+)(?:, (?P<words>.+))?|(?P<sources>the sources)|not run: \S.*"
)
PROMPT = re.compile(r"(?:\$|\(gdb\)) ")
INDENT = "    "
VARIES = [
    (r"\b\d+(\.\d+)? s\b", "1 s"),
    (r"\b(process|pid|gdb \d+|handle) \d+\b", r"\1 1"),
    (r"on \w+: mpilens gdb", "on vm: mpilens gdb"),
    (r"\bmpiexec\.\w+", "mpiexec"),
    (r"unique id +\d+", "unique id 1"),
    (r"mpilens-\d+\.mpilens", "mpilens-1.mpilens"),
    (r"[└├`|]─?-?", "`-"),
    (r"\s+", " "),
]


def plain(line):
    for pattern, replacement in VARIES:
        line = re.sub(pattern, replacement, line)
    return line.strip()


def missing_line(shown, printed):
    """The first line that is not printed after those before it; "..." stands for any."""
    left = iter([plain(line) for line in printed])
    return next((line for line in shown if line != "..." and plain(line) not in left), None)


class Block:
    def __init__(self, page, number, note, lines):
        self.place = f"{page}:{number}"
        self.lines = lines
        found = RUN.fullmatch(note)
        self.is_decided = bool(found) or lines[0].startswith("#include")
        self.source, self.program, words, self.is_of_sources = found.groups() if found else (None, None, None, None)
        self.words = words.split(", ") if words else []

    def is_run(self):
        return bool(self.source or self.is_of_sources)

    def word(self, name):
        """The text behind `name`, such as a tool behind "needs"; None: the note has no such word."""
        found = [
            word.removeprefix(name).strip() for word in self.words if word.split()[: len(name.split())] == name.split()
        ]
        return found[0] if found else None

    def steps(self):
        """[(command, lines that are shown below it)]: behind prompts, or all lines are commands."""
        steps = []
        if not any(PROMPT.match(line) for line in self.lines):
            return [(command, []) for command in whole_commands(self.lines)]
        for line in self.lines:
            if PROMPT.match(line):
                steps.append((PROMPT.sub("", line, count=1), []))
            elif line and steps:
                steps[-1][1].append(line)
        return steps

    def shows_output(self):
        return any(shown for _, shown in self.steps())


def whole_commands(lines):
    """A text in quotes may have several lines."""
    commands, begun = [], ""
    for line in filter(None, lines):
        begun += line
        try:
            shlex.split(begun, comments=True)
        except ValueError:
            begun += "\n"
        else:
            commands.append(begun)
            begun = ""
    return commands


def blocks_of(page, text):
    lines = [*text.splitlines(), ""]
    note, i = "", 0
    while i < len(lines):
        line, begin = lines[i], i
        if line.startswith("```"):
            i = lines.index("```", i + 1)
            yield Block(page, begin + 1, note, lines[begin + 1 : i])
        elif line.startswith(INDENT) and line.strip() and not (i > 0 and lines[i - 1].strip()):
            while lines[i].startswith(INDENT) or (
                not lines[i].strip() and lines[min(i + 1, len(lines) - 1)].startswith(INDENT)
            ):
                i += 1
            yield Block(page, begin + 1, note, [one.removeprefix(INDENT) for one in lines[begin:i]])
        found = NOTE.match(line)
        if line.strip():
            note = found.group(1) if found else ""
        i += 1


def all_blocks(sources):
    names = sorted(name for name in os.listdir(os.path.join(sources, "doc")) if name.endswith(".md"))
    for page in ("README.md", *(f"doc/{name}" for name in names)):
        with open(os.path.join(sources, page), encoding="utf-8") as file:
            yield from blocks_of(page, file.read())
