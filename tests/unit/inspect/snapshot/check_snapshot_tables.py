# SPDX-License-Identifier: BSD-3-Clause
"""Every member of the structs of the model stands in the tables of a snapshot, or below for a reason."""
import re
import sys

# Members that reading a snapshot makes again, that have a table of their own, or that belong to this process.
LEFT_OUT = {
    "job": {
        "processes",
        "process_count",
        "snapshot",
        "names",
        "groups",
        "details",
        "sites",
        "parts",
        "part_count",
        "notes",
        "note_count",
        "absent",
        "memory_taken",
    },
    "process": {
        "threads",
        "thread_count",
        "communicators",
        "communicator_count",
        "requests",
        "request_count",
        "failed_calls",
        "failed_call_count",
        "objects",
        "object_count",
        "freed_objects",
        "freed_object_count",
        "thread_places",
        "thread_place_count",
        "seen_threads",
        "seen_thread_count",
        "call_stacks",
        "call_stack_count",
        "kernel",
        "target",
        "is_named",
        "part",
        "is_saved",
        "is_identified_only",
        "index",
        "read_at_s",
    },
    "collective_call": {"amounts", "amount_count"},
    "call_stack": {"lines", "line_count"},
    "kernel_facts": {"troubled_sockets", "troubled_socket_count", "at_s", "shared_digest"},
    "thread": {"python_site", "waiting", "waiting_known", "other_polls", "other_poll_count"},
    "communicator": {
        "sends",
        "receives",
        "unexpected",
        "completed",
        "unexpected_unknown",
        "messages",
        "message_count",
        "channels",
        "channel_count",
        "classes",
        "class_count",
        "collectives",
        "collective_call_count",
        "marks",
        "mark_count",
    },
    "operation": {
        "details",
        "exact",
        "inferred",
        "received",
        "match_is_possible",
        "match_rank",
        "match_serial",
        "unexpected_at",
        "unexpected_place",
        "found_arrived",
    },
    "object": {"window", "file", "collectives", "collective_call_count"},
    "window": {"locks", "lock_count"},
}
NOT_ROWS = {"operations", "operation_details_pool", "site_cache", "snapshot", "job_part"}


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
            fields[name] = set(re.findall(r"\b(?:FIELD|SHARED_FIELD|ENUMERATION|RANKS)\((\w+)", body))
    return fields


def main():
    headers = [path for path in sys.argv[1:] if path.endswith(".h")]
    structs = members_of_structs(headers)
    fields = fields_of_tables(path for path in sys.argv[1:] if path.endswith(".c"))
    wrong = 0
    for struct, members in structs.items():
        if struct in NOT_ROWS or struct not in fields.keys() | LEFT_OUT.keys():
            continue  # headers of rooms have more than the model
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
    return 1 if wrong or len(fields) < 13 else 0


if __name__ == "__main__":
    sys.exit(main())
