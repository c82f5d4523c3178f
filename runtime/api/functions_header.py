# SPDX-License-Identifier: BSD-3-Clause
"""Writes functions.h: the numbers of the functions, and where the real ones stand."""
from predefined import declare_predefined


def write_header(wrappers, removed, out):
    out.write(
        "/* Generated from the table of MPI functions: numbers and the real functions. */\n"
        "#ifndef MPILENS_RUNTIME_GENERATED_FUNCTIONS_H\n#define MPILENS_RUNTIME_GENERATED_FUNCTIONS_H\n\n"
        '#include "mpi/mpi_traits.h"\n\n#include <stddef.h>\n#include <stdint.h>\n\n'
        "/* Where mpi.h has a message for whoever uses a removed function. */\n"
    )
    for name in removed:
        out.write(f"#undef {name}\n")
    out.write(
        "\n/* HAS_x: the MPI library has the function x. */\nenum mpilens__function_number {\n    FUNCTION_NONE,\n"
    )
    for wrapper in wrappers:
        out.write(f"    FUNCTION_{wrapper.name},\n#define HAS_{wrapper.name} 1\n")
    out.write("    FUNCTION_COUNT\n};\n\n/* What functions there are. */\nstruct mpilens__real {\n")
    for wrapper in wrappers:
        out.write(f"    int (*{wrapper.name})({wrapper.prototype.declaration([''] * len(wrapper.names))});\n")
    out.write(
        "};\n\n/* The functions of the MPI library itself. Never NULL. */\n"
        'extern struct mpilens__real mpilens__real __attribute__((visibility("hidden")));\n\n'
        "/* What the runtime asks on its own account: the same, but one that the library lacks refuses every call. */\n"
        'extern struct mpilens__real mpilens__asked __attribute__((visibility("hidden")));\n\n'
        "/* What wrappers call: the same, but where another tool comes after this one its turn is next. */\n"
        'extern struct mpilens__real mpilens__next __attribute__((visibility("hidden")));\n\n'
        "/* Where each of them stands, by number; and where those of other tools stand, which are NULL where they have none. */\n"
        'extern void *const mpilens__real_pointers[FUNCTION_COUNT] __attribute__((visibility("hidden")));\n'
        'extern void *const mpilens__asked_pointers[FUNCTION_COUNT] __attribute__((visibility("hidden")));\n'
        'extern void *const mpilens__next_pointers[FUNCTION_COUNT] __attribute__((visibility("hidden")));\n'
        'extern void *const mpilens__tool_pointers[FUNCTION_COUNT] __attribute__((visibility("hidden")));\n\n'
        "/* What stands for another tool's function: calls that, or the library's where the call was for the library. NULL: not\n"
        " * wrapped. */\n"
        'extern void (*const mpilens__forwards[FUNCTION_COUNT])(void) __attribute__((visibility("hidden")));\n\n'
        "/* What does the same with synchronous sends, by the next functions. NULL: no standard send, or it has no such form. */\n"
        'extern void (*const mpilens__synchronous[FUNCTION_COUNT])(void) __attribute__((visibility("hidden")));\n\n'
        "/* What looks first at messages that were taken out before. NULL: the library's does. Then mpilens__library has the library's\n"
        " * own functions, and mpilens__real these. */\n"
        'extern void (*const mpilens__exact[FUNCTION_COUNT])(void) __attribute__((visibility("hidden")));\n'
        'extern struct mpilens__real mpilens__library __attribute__((visibility("hidden")));\n\n'
        "/* A data symbol of the MPI library and where its address is to be stored; ends with a NULL symbol. */\n"
        "struct predefined_global {\n    const char *symbol;\n    void **address;\n};\n\n"
        'extern const struct predefined_global mpilens__predefined_globals[] __attribute__((visibility("hidden")));\n\n'
    )
    declare_predefined(out)
    out.write(
        "/* Says which function the MPI library lacks, and aborts. */\n"
        "_Noreturn void resolve_missing(uint32_t function);\n\n#endif\n"
    )
