# SPDX-License-Identifier: BSD-3-Clause
"""Takes from the C sources in which order the runtime stores the words of a record, and in which copies the DLL reads
them."""
import os
import re

from explore import BARRIER, RELEASE, STORE

STATEMENT = re.compile(
    r"(?P<barrier>PUBLISH_BARRIER\(\))"
    r"|__atomic_store_n\(\s*(?:&[\w>.\[\]-]*?(?P<atomic>\w+)|(?:\([^()]*\)\s*)+(?P<first>\w+)),"
    r"\s*(?P<given>(?:[^,()]|\([^()]*\)|\((?:[^()]|\([^()]*\))*\))+),\s*__ATOMIC_(?P<order>\w+)\)"
    r"|(?:->|\.)(?P<field>\w+)\s*(?:(?<![=!<>])=(?!=)\s*(?P<value>[^;]*)|(?P<counted>\+\+))\s*;"
    r"|(?P<stamp>clock_stamp|STACK_POINTER_STORE)\(&?[\w>.\[\]-]*?(?P<stamped>\w+)\)"
    r"|\b(?P<called>\w+)\("
)


class Sources:
    def __init__(self, root):
        self.root = root

    def text(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            return re.sub(r"/\*.*?\*/", " ", file.read(), flags=re.DOTALL)

    def body(self, path, function):
        found = re.search(
            rf"^[\w][^;{{}}]*\b{function}\([^;{{]*\)\s*\{{(.*?)^\}}", self.text(path), re.DOTALL | re.MULTILINE
        )
        if found is None:
            raise LookupError(f"{path}: there is no function {function}")
        return found[1]

    def stores(self, path, function, words, inlined=None):
        """The steps of a function, in the order in which they stand, as (kind, word, text of the value): stores to members
        that `words` names, under the name that it gives them; calls of functions that `inlined` has are what that says.
        """
        steps = []
        for found in STATEMENT.finditer(self.body(path, function)):
            if found["barrier"]:
                steps.append((BARRIER,))
            elif found["called"]:
                steps += (inlined or {}).get(found["called"], [])
            else:
                member = found["atomic"] or found["field"] or found["stamped"] or ("*" + (found["first"] or ""))
                if member in words:
                    kind = RELEASE if found["order"] == "RELEASE" else STORE
                    steps.append((kind, words[member], found["given"] or found["value"] or ""))
        return steps

    def copies(self, name):
        """Reads dll/layout/record_order.c: how many copies of the struct are taken, which is the content, and the ordered words
        as (member, copy, use)."""
        text = self.text("dll/layout/record_order.c")
        order = re.search(rf"\[MPILENS_STRUCT_{name}\] = \{{(.*?)\}}", text, re.DOTALL)[1]
        for macro in re.findall(r"#define (OBJECT_ORDER|STATE_FIRST)\(name\)\s+(.*)", text):
            order = order.replace(macro[0], macro[1])
        words = re.search(rf"\b{name}_words\[\] = \{{(.*?)\}};", text, re.DOTALL)[1]
        if "OBJECT_WORDS" in words:
            words += re.search(r"#define OBJECT_WORDS\(name\)((?:.*\\\n)*.*)\n", text)[1].replace("##name##", name)
        return (
            int(re.search(r"\.copies = (\d)", order)[1]),
            int(re.search(r"\.content = (\d)", order)[1]),
            [(m, int(c), u) for m, c, u in re.findall(rf"MPILENS_FIELD_{name}_(\w+), (\d), (\w+)", words)],
        )

    def number(self, path, name):
        return int(re.search(rf"\b{name} = (?:LOADS_ARE_ORDERED \? \d+ : )?(\d+)", self.text(path))[1])
