# SPDX-License-Identifier: BSD-3-Clause
"""Every member of the structs outside model.def that snapshots have stands in their tables."""
import re
import sys


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def members_of_structs(paths):
    """{struct: names of its members}"""
    structs = {}
    for path in paths:
        with open(path) as file:
            text = without_comments(file.read())
        for name, body in re.findall(r"^struct (\w+) \{(.*?)^\}", text, re.DOTALL | re.MULTILINE):
            structs[name] = set(re.findall(r"(\w+)(?:\[[^\]]*\])?;", body))
    return structs


def fields_of_tables(paths):
    """{struct: names of the members that have a column}"""
    fields = {}
    for path in paths:
        with open(path) as file:
            text = file.read()
        for name, body in re.findall(r"#define ROW (\w+)\n(.*?)#undef ROW", text, re.DOTALL):
            fields[name] = set(re.findall(r"\b(?:FIELD\(|COLUMN\(ROW, )(\w+)", body))
    return fields


def main():
    headers = [path for path in sys.argv[1:] if path.endswith(".h")]
    structs = members_of_structs(headers)
    fields = fields_of_tables(path for path in sys.argv[1:] if path.endswith(".c"))
    wrong = 0
    for struct, members in structs.items():
        if struct not in fields:
            continue  # headers of rooms have more
        missing = members - fields.get(struct, set())
        for member in sorted(missing):
            wrong += 1
            print(
                f"struct {struct}: {member} is in no snapshot: add FIELD({member}) in inspect/snapshot/snapshot_tables.c"
            )
    print(f"{len(structs)} structs, {sum(map(len, fields.values()))} columns")
    return 1 if wrong or len(fields) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
