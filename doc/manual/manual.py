#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the manual pages, in mdoc(7): of each verb from the command's own tables of options, of findings from what `mpilens explain` says,
and the others from the Markdown in doc/.

    manual.py --mpilens COMMAND --sources DIRECTORY --output DIRECTORY PAGE...

Fails where these are not all pages that there are."""
import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import textwrap

WIDTH = 76
# Markdown that becomes a page: file below doc/, page, section, and what it is, in a line.
DOCUMENTS = [
    ("json.md", "mpilens-json", 5, "the JSON documents that mpilens writes"),
    ("snapshot.md", "mpilens-snapshot", 5, "a job in a file"),
    ("debuggers.md", "mpilens-debuggers", 3, "the interfaces of mpilens for debuggers"),
]


def escape(text):
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")


def inline(text):
    """Markdown in a line: code, bold, links."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    result = []
    for part in re.split(r"(`[^`]+`|\*\*[^*]+\*\*)", text):
        if part.startswith("`") and len(part) > 1:
            result.append("\\fB" + escape(part[1:-1]).replace(" ", "\0") + "\\fR")
        elif part.startswith("**"):
            result.append("\\fB" + escape(part[2:-2]) + "\\fR")
        else:
            result.append(escape(part))
    return "".join(result)


def flow(text):
    """Lines of a paragraph: a sentence begins a line, as mdoc wants it, and no line begins with what troff takes for a request."""
    lines = []
    for sentence in re.split(r"(?<=[.!?])\s+(?=\S)|(?<=[.!?][)\"])\s+(?=\S)", re.sub(r"\s+", " ", text.strip())):
        lines += textwrap.wrap(sentence, WIDTH, break_long_words=False, break_on_hyphens=False)
    return [("\\&" if line[0] in ".'" else "") + line.replace("\0", " ") for line in lines]


class Page:
    def __init__(self, name, section, summary, date):
        self.name, self.section = name, section
        self.lines = [
            '.\\" SPDX-License-Identifier: BSD-3-Clause',
            f".Dd {date}",
            f".Dt {name.upper()} {section}",
            ".Os",
            ".Sh NAME",
            f".Nm {name}",
            f".Nd {escape(summary)}",
        ]

    def heading(self, text, level=2):
        self.lines.append((".Sh " if level == 2 else ".Ss ") + (text.upper() if level == 2 else text))

    def paragraph(self, text, formatted=False):
        if not self.lines[-1].startswith((".Sh", ".Ss", ".It", ".Pp")):
            self.lines.append(".Pp")
        self.lines += flow(text if formatted else escape(text))

    def literal(self, lines):
        self.lines.append(".Bd -literal -offset indent")
        self.lines += [("\\&" if line[:1] in (".", "'") else "") + escape(line) for line in lines]
        self.lines.append(".Ed")

    def prose(self, text):
        """Paragraphs with blank lines between them; lines that begin with a blank are shown as they are."""
        shown = []
        for block in text.split("\n"):
            if block.startswith(" "):
                shown.append(block.strip())
                continue
            if shown:
                self.literal(shown)
                shown = []
            if block:
                self.paragraph(block)
        if shown:
            self.literal(shown)

    def see_also(self, pages):
        self.heading("see also")
        own = (self.name, self.section)
        pages = sorted({page for page in pages if page != own}, key=lambda page: (page[1], page[0]))
        for index, (name, section) in enumerate(pages):
            self.lines.append(f".Xr {name} {section}" + (" ," if index + 1 < len(pages) else ""))

    def write(self, directory):
        with open(os.path.join(directory, f"{self.name}.{self.section}"), "w", encoding="utf-8") as file:
            file.write("\n".join(self.lines) + "\n")


def split_row(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


class Markdown:
    """The Markdown that our documents use, into a page."""

    def __init__(self, page, text):
        self.page = page
        for block in self.blocks(text.splitlines()):
            self.take(block)

    @staticmethod
    def blocks(lines):
        """The text between blank lines; code with the blank lines in it."""
        block = []
        for line in lines + [""]:
            is_code = bool(block) and block[0].startswith("    ")
            if line.strip() == "" and not is_code:
                if block:
                    yield block
                block = []
            elif is_code and line.strip() and not line.startswith("    "):
                yield block
                block = [line]
            else:
                block.append(line)
        if any(line.strip() for line in block):
            yield block

    def take(self, block):
        first = block[0]
        if first.startswith("#"):
            level = len(first) - len(first.lstrip("#"))
            if level > 1:
                self.page.heading(escape(first.strip("# ").replace("`", "")), level)
            if len(block) > 1:
                self.take(block[1:])
        elif first.startswith("    "):
            while block and not block[-1].strip():
                block.pop()
            self.page.literal([line[4:] for line in block])
        elif first.startswith("|"):
            self.table(block)
        elif re.match(r"\* |\d+\. ", first):
            self.list(block)
        else:
            self.page.paragraph(inline(" ".join(block)), formatted=True)

    def table(self, block):
        headings = split_row(block[0])
        self.page.lines.append(".Bl -tag -width Ds")
        for line in block[2:]:
            cells = split_row(line)
            self.page.lines.append(".It " + inline(cells[0]).replace("\0", " "))
            for number, cell in enumerate(cells[1:], start=1):
                if cell:
                    name = f"{headings[number]}: " if len(cells) > 2 and headings[number] and number > 1 else ""
                    self.page.lines += flow(inline(name + cell + ("" if cell[-1] in ".!?" else ".")))
        self.page.lines.append(".El")

    def list(self, block):
        items = []
        for line in block:
            start = re.match(r"(?:\*|\d+\.) +(.*)", line)
            if start:
                items.append(start.group(1))
            else:
                items[-1] += " " + line.strip()
        self.page.lines.append(".Bl -bullet" if block[0].startswith("*") else ".Bl -enum")
        for item in items:
            self.page.lines += [".It", *flow(inline(item))]
        self.page.lines.append(".El")


class Manual:
    def __init__(self, mpilens, sources):
        self.mpilens = mpilens
        self.sources = sources
        newest = re.search(r"^## .*?(\d{4}-\d{2}-\d{2})", self.read("NEWS.md"), flags=re.M).group(1)
        self.date = datetime.date.fromisoformat(newest).strftime("%B %-d, %Y")
        self.verbs = self.ask("tables")
        self.others = [(name, section) for _, name, section, _ in DOCUMENTS] + [("mpilens-findings", 7), ("mpilens", 1)]

    def read(self, *path):
        with open(os.path.join(self.sources, *path), encoding="utf-8") as file:
            return file.read()

    def ask(self, *words):
        return json.loads(subprocess.check_output([self.mpilens, *words]))

    def page(self, name, section, summary):
        return Page(name, section, summary, self.date)

    def verb_page(self, verb):
        facts = self.ask("tables", verb["name"])
        page = self.page("mpilens-" + verb["name"], 1, verb["summary"])
        page.heading("synopsis")
        for words in facts["arguments"].split("\n"):
            page.lines += [".Nm mpilens " + verb["name"], ".Op Ar OPTION ..."] + (
                [".Ar " + escape(words)] if words else []
            )
        page.heading("description")
        page.prose(facts["description"])
        more, _, examples = facts["more"].partition("\n\nExamples:\n")
        texts = [text for text in more.split("\n\n") if not text.startswith("Exit status:")]
        status = [text for text in more.split("\n\n") if text.startswith("Exit status:")]
        page.prose("\n".join(texts))
        page.heading("options")
        page.lines.append(".Bl -tag -width Ds")
        for option in facts["options"]:
            page.lines += [self.option_item(option), *flow(escape(option["text"]) + ".")]
        page.lines += [
            ".It Fl ? , Fl -help",
            "List the options.",
            ".It Fl -usage",
            "Print a summary of the options.",
            ".It Fl V , Fl -version",
            "Print the version.",
            ".El",
        ]
        for text in status:
            page.heading("exit status")
            page.paragraph(text.removeprefix("Exit status: "))
        if examples:
            page.heading("examples")
            page.literal([line.strip() for line in examples.splitlines()])
        page.see_also(self.others + [(f"mpilens-{name}", 1) for name in RELATED.get(verb["name"], [])])
        return page

    @staticmethod
    def option_item(option):
        words = []
        argument = f" Ns = Ns Ar {escape(option['argument'])}" if option["argument"] else ""
        if option["optional"]:
            argument = f" Ns Op = Ns Ar {escape(option['argument'])}"
        if option["letter"]:
            words.append(
                f"Fl {option['letter']}" + (f" Ar {option['argument']}" if argument and not option["optional"] else "")
            )
        words.append("Fl \\-" + escape(option["name"]) + argument)
        return ".It " + " , ".join(words)

    def main_page(self):
        page = self.page("mpilens", 1, "show what the ranks of a running, hung or dead MPI job are doing")
        before, _, after = self.read("doc", "manual", "mpilens.md").partition("VERBS\n")
        Markdown(page, before)
        page.lines.append(".Bl -tag -width mpilens-snapshot")
        for verb in self.verbs:
            page.lines += [f".It Xr mpilens-{verb['name']} 1", *flow(escape(verb["summary"]) + ".")]
        page.lines.append(".El")
        Markdown(page, after)
        page.see_also(self.others + [("gdb", 1)])
        return page

    def findings_page(self):
        page = self.page("mpilens-findings", 7, "the findings of mpilens: what they mean and what to do")
        page.heading("description")
        page.paragraph(
            "mpilens why reports what is wrong with a job as findings, those first that explain the others. "
            "This page has all kinds in that order; 'mpilens explain KIND' prints one of them. "
            "Sections are those of the MPI standard, version 4.1."
        )
        for finding in self.ask("explain", "--json")["kinds"]:
            page.heading(escape(finding["kind"]))
            page.paragraph(finding["summary"][0].upper() + finding["summary"][1:] + ".")
            for text in finding["meaning"].split("\n\n"):
                page.paragraph(text)
            page.literal(finding["example"].split("\n"))
            for text in finding["remedy"].split("\n\n"):
                page.paragraph(text)
            page.paragraph(f"Reported {finding['order']}. MPI: {finding['standard']}.")
        page.see_also(self.others + [("mpilens-explain", 1), ("mpilens-why", 1)])
        return page

    def document_page(self, path, name, section, summary):
        page = self.page(name, section, summary)
        page.heading("description")
        Markdown(page, self.read("doc", path))
        page.see_also(self.others)
        return page

    def write(self, directory):
        os.makedirs(directory, exist_ok=True)
        pages = [self.main_page(), self.findings_page()]
        pages += [self.verb_page(verb) for verb in self.verbs]
        pages += [self.document_page(*document) for document in DOCUMENTS]
        for page in pages:
            page.write(directory)
        return {f"{page.name}.{page.section}" for page in pages}


RELATED = {
    "run": ["guard", "why"],
    "guard": ["run", "why"],
    "why": ["explain", "run", "show"],
    "explain": ["why"],
    "show": ["handle", "why"],
    "list": ["hosts", "why"],
    "hosts": ["list"],
    "watch": ["guard", "show"],
    "leaks": ["run"],
    "report": ["doctor", "snapshot", "why"],
    "snapshot": ["why"],
    "handle": ["show"],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in "--mpilens", "--sources", "--output":
        parser.add_argument(option, required=True)
    parser.add_argument("page", nargs="+")
    arguments = parser.parse_args()
    made = Manual(arguments.mpilens, arguments.sources).write(arguments.output)
    differing = made ^ {os.path.basename(page) for page in arguments.page}
    if differing:
        sys.exit(f"doc/manual/meson.build: not the pages that there are: {', '.join(sorted(differing))}")


if __name__ == "__main__":
    main()
