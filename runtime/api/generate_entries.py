#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the entries of one MPI: code that runs before wrappers and before the functions of a Fortran binding.

generate_entries.py --summary functions.txt --fortran NAMES --output entries.S --output-objects fortran_objects.c

--summary is generate.py's: which functions are wrapped. --fortran: names that the Fortran binding exports. A name gets an entry if its C
function is wrapped, or if its choice buffer makes the binding call functions on datatypes. Names in lower case without a trailing underscore do
not: libraries in C have functions of such names (mpi_send), and calls meant for them would come here. Calls of such names are seen where the
binding makes them; but for functions that make objects nothing would be seen, so these have all their names.

Entries are assembly, but for the functions that make objects without any C function in some bindings: those are in C (fortran.h).
"""
import argparse
import re

from summary import read_wrapped

HEADER = """/* Generated from the tables of MPI functions: entries before the wrappers and before the Fortran binding. */
#include "api/entries.inc"

"""

FOOTER = """
    .local functions
    .comm functions, 8 * {count}, 8

    .section .rodata
    .globl mpilens__fortran_names
    .hidden mpilens__fortran_names
mpilens__fortran_names:
{names}    .byte 0

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
"""

# Functions that have more than an entry: the types of the parameters of each kind; and the C functions, the objects that they are for, and
# whether attributes are default integers.
OBJECTS = {
    "create_keyval": ("void *", "void *", "MPI_Fint *", "const void *", "MPI_Fint *"),
    "create_errhandler": ("void *", "MPI_Fint *", "MPI_Fint *"),
    "set_attribute": ("const MPI_Fint *", "const MPI_Fint *", "const void *", "MPI_Fint *"),
}
OBJECT_FUNCTIONS = {
    "MPI_Comm_create_keyval": ("create_keyval", "COMMUNICATOR", False),
    "MPI_Type_create_keyval": ("create_keyval", "DATATYPE", False),
    "MPI_Win_create_keyval": ("create_keyval", "WINDOW", False),
    "MPI_Keyval_create": ("create_keyval", "COMMUNICATOR", True),
    "MPI_Comm_create_errhandler": ("create_errhandler", "COMMUNICATOR", False),
    "MPI_Win_create_errhandler": ("create_errhandler", "WINDOW", False),
    "MPI_File_create_errhandler": ("create_errhandler", "FILE", False),
    "MPI_Session_create_errhandler": ("create_errhandler", "SESSION", False),
    "MPI_Errhandler_create": ("create_errhandler", "COMMUNICATOR", False),
    "MPI_Comm_set_attr": ("set_attribute", "COMMUNICATOR", False),
    "MPI_Type_set_attr": ("set_attribute", "DATATYPE", False),
    "MPI_Win_set_attr": ("set_attribute", "WINDOW", False),
    "MPI_Attr_put": ("set_attribute", "COMMUNICATOR", True),
}

# Parts of Fortran names that bindings put around the C function's name in lower case.
PREFIX = re.compile(r"^p")
SUFFIX = re.compile(r"(_cptr)?(_f08(ts)?(_large)?)?_{0,2}$")


def c_name(name, wrapped):
    """The wrapped C function that a Fortran name stands for, or None."""
    return wrapped.get(SUFFIX.sub("", PREFIX.sub("", name.lower())))


def may_be_of_c(name):
    """Whether functions in C have names like this one."""
    return name.islower() and not name.endswith("_")


def write_entries(wrapped, names, out):
    out.write(HEADER)
    out.write("".join(f"pmpi_entry {name}\n" for name in wrapped.values()))
    out.write("".join(f"fortran_entry {name}, {number}\n" for number, name in enumerate(names)))
    out.write(FOOTER.format(count=max(len(names), 1), names="".join(f'    .asciz "{name}"\n' for name in names)))


def write_objects(names, wrapped, out):
    out.write(
        "/* Generated from what the Fortran binding exports: functions that come before those that make objects. */\n"
        '#include "fortran/fortran.h"\n#include "mpi/functions.h"\n#include "api/api_internal.h"\n\n'
        "/* Not an empty file. */\ntypedef int fortran_objects;\n"
    )
    for name in names:
        function = c_name(name, wrapped)
        what, kind, plain = OBJECT_FUNCTIONS[function]
        arguments = [f"argument_{i + 1}" for i in range(len(OBJECTS[what]))]
        parameters = ", ".join(type_ + argument for type_, argument in zip(OBJECTS[what], arguments))
        out.write(
            f"""
EXPORT void {name}({parameters});

EXPORT void {name}({parameters})
{{
    static struct fortran_function function = {{.name = "{name}", .function = FUNCTION_{function},
                                               .kind = MPILENS_ATTACHABLE_{kind}, .plain_integer = {str(plain).lower()}}};
    fortran_{what}(&function, __builtin_return_address(0), {", ".join(arguments)});
}}
"""
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    for option in ("summary", "fortran", "output", "output-objects"):
        parser.add_argument("--" + option, required=True)
    options = parser.parse_args()
    wrapped = {name.lower(): name for name in read_wrapped(options.summary)}
    names = open(options.fortran, encoding="utf-8").read().split()
    objects = [name for name in names if c_name(name, wrapped) in OBJECT_FUNCTIONS]
    entries = [
        name
        for name in names
        if name not in objects and not may_be_of_c(name) and ("_f08ts_" in name or c_name(name, wrapped))
    ]
    with open(options.output, "w", encoding="utf-8") as out:
        write_entries(wrapped, entries, out)
    with open(options.output_objects, "w", encoding="utf-8") as out:
        write_objects(objects, wrapped, out)


if __name__ == "__main__":
    main()
