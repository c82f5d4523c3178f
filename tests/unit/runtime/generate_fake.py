#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the PMPI_ functions of the fake MPI library, and a way to call every MPI_ function, from the runtime's own table and mpi.h.

PYTHONPATH=.../runtime/api generate_fake.py --table functions.tsv --templates templates/*.txt --header PREPROCESSED_MPI_H
                 --removed removed_functions.h --exported NAMES --own fake_queries.c --output-functions fake_functions.c --output-callers callers.c
"""
import argparse
import re

from inputs import Inputs, add_options

# Members of struct fake_call by the type of a parameter ...
BY_TYPE = {
    "MPI_Request *@": "requests",
    "MPI_Status *@": "statuses",
    "MPI_Message *@": "message",
    "MPI_Group *@": "object",
    "MPI_Op *@": "object",
    "MPI_Errhandler *@": "object",
    "MPI_Info *@": "object",
    "MPI_Comm *@": "communicator",
    "MPI_Datatype *@": "datatype",
    "MPI_Win *@": "window",
    "MPI_File *@": "file",
}
# ... and by its role.
BY_ROLE = {
    "flag": "flag",
    "index": "indices",
    "indices": "indices",
    "outcount": "outcount",
    "array_count": "count",
    "base_result": "base",
}

# MPICH 5.0's library of the standard ABI exports these as MPI_x only.
UNPROFILED = {"MPI_File_close"}


def is_pointer(type_):
    return "*" in type_


def members(wrapper):
    found = {}
    for type_, name in zip(wrapper.prototype.types, wrapper.names):
        plain = type_.replace("* @", "*@")
        if plain in BY_TYPE:
            found[BY_TYPE[plain]] = name
    for role, member in BY_ROLE.items():
        if role in wrapper.roles:
            found[member] = wrapper.roles[role]
    if wrapper.template in ("keyval", "keyval_free"):
        found["object"] = wrapper.roles.get("result") or wrapper.roles["handle"]
    if wrapper.name == "MPI_Init_thread":
        found["flag"] = wrapper.names[3]
    return "".join(f", .{member} = {name}" for member, name in found.items())


def fake_function(wrapper):
    values = [
        f"(uint64_t){'(uintptr_t)' if is_pointer(t) else ''}{n}" for t, n in zip(wrapper.prototype.types, wrapper.names)
    ]
    prefix = "" if wrapper.name in UNPROFILED else "P"
    return (
        f"int {prefix}{wrapper.name}({wrapper.prototype.declaration(wrapper.names)})\n{{\n"
        f"    const uint64_t arguments[] = {{{', '.join(values) or 0}}};\n"
        f'    struct fake_call call = {{.name = "{wrapper.name}", .kind = "{wrapper.template}", .arguments = arguments, '
        f".argument_count = {len(values)}{members(wrapper)}}};\n"
        f"    return fake_mpi_call(&call);\n}}\n"
    )


def caller(wrapper, prefix):
    values = [
        f"({t.replace('@', '')}){'(uintptr_t)' if is_pointer(t) else ''}arguments[{i}]"
        for i, t in enumerate(wrapper.prototype.types)
    ]
    return (
        f"static int call_{prefix}{wrapper.name}(const uint64_t *arguments)\n{{\n    (void)arguments;\n"
        f"    return {prefix}{wrapper.name}({', '.join(values)});\n}}\n"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    add_options(parser)
    for option in ("own", "output-functions", "output-callers"):
        parser.add_argument("--" + option, required=True)
    options = parser.parse_args()
    own = set(re.findall(r"^int P(MPI_\w+)\(", open(options.own, encoding="utf-8").read(), flags=re.M))
    wrappers = [w for w in Inputs(options).wrappers if w.template != "-" and w.name not in own]
    with open(options.output_functions, "w", encoding="utf-8") as out:
        out.write('#include "fake_mpi.h"\n\n')
        for wrapper in wrappers:
            out.write(fake_function(wrapper) + "\n")
    with open(options.output_callers, "w", encoding="utf-8") as out:
        out.write('#include "callers.h"\n\n#include <mpi.h>\n\n')
        for wrapper in wrappers:
            out.write(caller(wrapper, "") + "\n" + caller(wrapper, "P") + "\n")
        out.write("const struct caller callers[] = {\n")
        for wrapper in wrappers:
            pointers = sum(1 << i for i, t in enumerate(wrapper.prototype.types) if is_pointer(t))
            out.write(
                f'    {{"{wrapper.name}", "{wrapper.template}", {len(wrapper.names)}, {pointers:#x}, call_{wrapper.name}, '
                f"call_P{wrapper.name}}},\n"
            )
        out.write("};\n\nconst size_t caller_count = sizeof callers / sizeof callers[0];\n")


if __name__ == "__main__":
    main()
