# SPDX-License-Identifier: BSD-3-Clause
"""Every member of the structs outside model.def that snapshots have stands in their tables, or below for a reason."""
import re
import sys

# Members that reading a snapshot makes again, that have a table of their own, or that belong to this process.
LEFT_OUT = {"kernel_facts": {"troubled_sockets", "troubled_socket_count", "at_s", "shared_digest"}}


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
        missing = members - fields.get(struct, set()) - LEFT_OUT.get(struct, set())
        for member in sorted(missing):
            wrong += 1
            print(
                f"struct {struct}: {member} is in no snapshot: add FIELD({member}) in inspect/snapshot/snapshot_tables.c, or "
                f"say in {__file__} why not"
            )
    for struct in LEFT_OUT:
        for member in LEFT_OUT[struct] - structs.get(struct, set()):
            wrong += 1
            print(f"struct {struct} has no {member}")
    print(f"{len(structs)} structs, {sum(map(len, fields.values()))} columns")
    return 1 if wrong or len(fields) < 3 else 0


if __name__ == "__main__":
    sys.exit(main())
