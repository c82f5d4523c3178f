# SPDX-License-Identifier: BSD-3-Clause
"""Writes what finds the predefined handles: those that mpi.h names, and the data symbols whose addresses are handles of some MPIs."""

PREDEFINED_DATATYPES = """
CHAR SHORT INT LONG LONG_LONG_INT LONG_LONG SIGNED_CHAR UNSIGNED_CHAR UNSIGNED_SHORT UNSIGNED UNSIGNED_LONG UNSIGNED_LONG_LONG FLOAT DOUBLE
LONG_DOUBLE WCHAR C_BOOL INT8_T INT16_T INT32_T INT64_T UINT8_T UINT16_T UINT32_T UINT64_T AINT COUNT OFFSET C_COMPLEX
C_FLOAT_COMPLEX C_DOUBLE_COMPLEX C_LONG_DOUBLE_COMPLEX BYTE PACKED CXX_BOOL CXX_FLOAT_COMPLEX CXX_DOUBLE_COMPLEX
CXX_LONG_DOUBLE_COMPLEX INTEGER REAL DOUBLE_PRECISION COMPLEX DOUBLE_COMPLEX LOGICAL CHARACTER INTEGER1 INTEGER2 INTEGER4 INTEGER8
INTEGER16 REAL2 REAL4 REAL8 REAL16 COMPLEX4 COMPLEX8 COMPLEX16 COMPLEX32 LOGICAL1 LOGICAL2 LOGICAL4 LOGICAL8 LOGICAL16 FLOAT_INT DOUBLE_INT
LONG_INT SHORT_INT 2INT LONG_DOUBLE_INT 2REAL 2DOUBLE_PRECISION 2INTEGER 2COMPLEX 2DOUBLE_COMPLEX
""".split()

# Predefined handles by kind of object: the type, the null handle, and those that some mpi.h have, by name without MPI_.
PREDEFINED = {
    "datatype": ("MPI_Datatype", "MPI_DATATYPE_NULL", PREDEFINED_DATATYPES),
    "op": ("MPI_Op", "MPI_OP_NULL", "MAX MIN SUM PROD LAND BAND LOR BOR LXOR BXOR MINLOC MAXLOC REPLACE NO_OP".split()),
    "errhandler": ("MPI_Errhandler", "MPI_ERRHANDLER_NULL", "ERRORS_ARE_FATAL ERRORS_RETURN ERRORS_ABORT".split()),
}


def declare_predefined(out):
    for kind, (type_, _, _) in PREDEFINED.items():
        out.write(
            f"struct predefined_{kind} {{\n    {type_} handle;\n    const char *name;\n}};\n\n"
            f"size_t predefined_{kind}_count(void);\nstruct predefined_{kind} predefined_{kind}_get(size_t index);\n\n"
        )


def define_predefined(out):
    for kind, (_, null, names) in PREDEFINED.items():
        out.write(f"size_t predefined_{kind}_count(void)\n{{\n    size_t count = 0;\n")
        for name in names:
            out.write(f"#ifdef MPI_{name}\n    count++;\n#endif\n")
        out.write(f"    return count;\n}}\n\nstruct predefined_{kind} predefined_{kind}_get(size_t index)\n{{\n")
        for name in names:
            out.write(
                f'#ifdef MPI_{name}\n    if (index-- == 0)\n        return (struct predefined_{kind}){{MPI_{name}, "MPI_{name}"}};\n#endif\n'
            )
        out.write(f'    return (struct predefined_{kind}){{{null}, ""}};\n}}\n\n')


def write_globals_header(global_names, out):
    out.write(
        "/* Generated from mpi.h: where the objects are whose addresses are predefined handles. None where these are numbers. */\n"
        "#ifndef MPILENS_RUNTIME_PREDEFINED_GLOBALS_H\n#define MPILENS_RUNTIME_PREDEFINED_GLOBALS_H\n\n"
    )
    for name in global_names:
        out.write(f'extern void *mpilens__address_of_{name} __attribute__((visibility("hidden")));\n')
    out.write("\n#endif\n")


def define_globals(global_names, out):
    for name in global_names:
        out.write(f"void *mpilens__address_of_{name};\n")
    out.write("\nconst struct predefined_global mpilens__predefined_globals[] = {\n")
    for name in global_names:
        out.write(f'    {{"{name}", &mpilens__address_of_{name}}},\n')
    out.write("    {NULL, NULL},\n};\n\n")
