# SPDX-License-Identifier: BSD-3-Clause
"""Writes wrappers.c: where the functions stand, what is known of each, and the wrappers."""
from exact import define_exact
from facts import describe
from predefined import define_globals, define_predefined
from synchronous import define_synchronous
from wrapper_forms import wrapper_source

# Called instead of the library's function if another tool has one.
FORWARD = """static COLD int forward_{name}({parameters})
{{
    return (thread_is_past_tools() ? mpilens__real.{name} : tools.{name})({passed});
}}

"""

# Stands in for the library's function until that is found; in the static library, the function itself.
REAL = """#ifdef MPILENS_STATIC
int P{name}({parameters});
#define REAL_{name}  P{name}
#define ASKED_{name} P{name}
#else
static int missing_{name}({parameters})
{{
{unused}    resolve_missing(FUNCTION_{name});
}}
static int absent_{name}({parameters})
{{
{unused}    return MPI_ERR_OTHER;
}}
#define REAL_{name}  missing_{name}
#define ASKED_{name} absent_{name}
#endif

"""


def wrapped_of(wrappers):
    return [wrapper for wrapper in wrappers if wrapper.template != "-"]


def write_functions(wrappers, out):
    out.write(
        "/* Generated from the table of MPI functions and mpi.h: the real functions. Another one in the static library. */\n"
        '#include "api/api_internal.h"\n\n'
    )
    define_functions(wrappers, out)
    define_forwards(wrapped_of(wrappers), out)
    write_initializer(
        "void (*const mpilens__synchronous[FUNCTION_COUNT])(void)",
        (
            (f"[FUNCTION_{name}]", f"(void (*)(void))synchronous_{name}")
            for name in define_synchronous(wrapped_of(wrappers), out)
        ),
        out,
    )
    write_initializer(
        "void (*const mpilens__exact[FUNCTION_COUNT])(void)",
        ((f"[FUNCTION_{name}]", f"(void (*)(void))exact_{name}") for name in define_exact(wrapped_of(wrappers), out)),
        out,
    )


def write_source(wrappers, templates, global_names, out):
    wrapped = wrapped_of(wrappers)
    out.write(
        "/* Generated from the table of MPI functions, its templates and mpi.h: the wrappers. */\n"
        '#include "api/api_internal.h"\n\n'
    )
    define_globals(global_names, out)
    describe_functions(wrappers, out)
    define_predefined(out)
    for wrapper in wrapped:
        out.write(wrapper_source(wrapper, templates[wrapper.template]))


def define_functions(wrappers, out):
    for wrapper in wrappers:
        unused = "".join(f"    (void){name};\n" for name in wrapper.names)
        out.write(REAL.format(name=wrapper.name, parameters=wrapper.parameters(), unused=unused))
    for table, first in (("real", "REAL"), ("next", "REAL"), ("asked", "ASKED")):
        write_initializer(
            f"struct mpilens__real mpilens__{table}", ((f".{w.name}", f"{first}_{w.name}") for w in wrappers), out
        )
    out.write("struct mpilens__real mpilens__library;\nstatic struct mpilens__real tools;\n\n")
    for table, owner in (
        ("real", "mpilens__real"),
        ("asked", "mpilens__asked"),
        ("next", "mpilens__next"),
        ("tool", "tools"),
    ):
        write_initializer(
            f"void *const mpilens__{table}_pointers[FUNCTION_COUNT]",
            ((f"[FUNCTION_{w.name}]", f"&{owner}.{w.name}") for w in wrappers),
            out,
        )


def define_forwards(wrapped, out):
    for wrapper in wrapped:
        out.write(FORWARD.format(name=wrapper.name, parameters=wrapper.parameters(), passed=wrapper.passed()))
    write_initializer(
        "void (*const mpilens__forwards[FUNCTION_COUNT])(void)",
        ((f"[FUNCTION_{w.name}]", f"(void (*)(void))forward_{w.name}") for w in wrapped),
        out,
    )


def describe_functions(wrappers, out):
    names = {wrapper.name for wrapper in wrappers}
    write_initializer(
        "const struct mpilens_function mpilens__functions[FUNCTION_COUNT]",
        (
            (f"[FUNCTION_{w.name}]", describe(w, f"FUNCTION_{w.small_count}" if w.small_count in names else "0"))
            for w in wrappers
        ),
        out,
    )


def write_initializer(variable, values, out):
    out.write(f"{variable} = {{\n")
    for designator, value in values:
        out.write(f"    {designator} = {value},\n")
    out.write("};\n\n")
