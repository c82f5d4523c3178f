/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of predefined datatypes of MPI 4.1, section 3.2.2.
 */
#include "mpid/mpid_internal.h"

#include <stddef.h>
#include <string.h>

enum {
    C_INT = MPID_TYPE_KIND_INT | MPID_TYPE_LANG_C,
    C_UINT = MPID_TYPE_KIND_UINT | MPID_TYPE_LANG_C,
    C_FLOAT = MPID_TYPE_KIND_FLOAT | MPID_TYPE_LANG_C,
    C_COMPLEX = MPID_TYPE_KIND_COMPLEX | MPID_TYPE_LANG_C,
    FORTRAN_INT = MPID_TYPE_KIND_INT | MPID_TYPE_LANG_FORTRAN,
    FORTRAN_FLOAT = MPID_TYPE_KIND_FLOAT | MPID_TYPE_LANG_FORTRAN,
    FORTRAN_COMPLEX = MPID_TYPE_KIND_COMPLEX | MPID_TYPE_LANG_FORTRAN,
    BOTH_INT = C_INT | MPID_TYPE_LANG_FORTRAN,
    BOTH_OTHER = MPID_TYPE_KIND_NONTRIVIAL | MPID_TYPE_LANG_C | MPID_TYPE_LANG_FORTRAN,
    FORTRAN_OTHER = MPID_TYPE_KIND_NONTRIVIAL | MPID_TYPE_LANG_FORTRAN,
    C_OTHER = MPID_TYPE_KIND_NONTRIVIAL | MPID_TYPE_LANG_C,
};

/* The first that fits counts. `prefix`: digits may follow. */
static const struct {
    const char *name;
    int is_prefix;
    int type;
} types[] = {
    {"MPI_CHAR", 0, C_INT},
    {"MPI_SIGNED_CHAR", 0, C_INT},
    {"MPI_SHORT", 0, C_INT},
    {"MPI_INT", 0, C_INT},
    {"MPI_LONG", 0, C_INT},
    {"MPI_LONG_LONG", 0, C_INT},
    {"MPI_LONG_LONG_INT", 0, C_INT},
    {"MPI_WCHAR", 0, C_INT},
    {"MPI_INT8_T", 0, C_INT},
    {"MPI_INT16_T", 0, C_INT},
    {"MPI_INT32_T", 0, C_INT},
    {"MPI_INT64_T", 0, C_INT},
    {"MPI_AINT", 0, BOTH_INT},
    {"MPI_COUNT", 0, BOTH_INT},
    {"MPI_OFFSET", 0, BOTH_INT},
    {"MPI_UNSIGNED_CHAR", 0, C_UINT},
    {"MPI_UNSIGNED_SHORT", 0, C_UINT},
    {"MPI_UNSIGNED", 0, C_UINT},
    {"MPI_UNSIGNED_LONG", 0, C_UINT},
    {"MPI_UNSIGNED_LONG_LONG", 0, C_UINT},
    {"MPI_UINT8_T", 0, C_UINT},
    {"MPI_UINT16_T", 0, C_UINT},
    {"MPI_UINT32_T", 0, C_UINT},
    {"MPI_UINT64_T", 0, C_UINT},
    {"MPI_C_BOOL", 0, C_UINT},
    {"MPI_CXX_BOOL", 0, C_UINT},
    {"MPI_FLOAT", 0, C_FLOAT},
    {"MPI_DOUBLE", 0, C_FLOAT},
    {"MPI_LONG_DOUBLE", 0, C_FLOAT},
    {"MPI_C_COMPLEX", 0, C_COMPLEX},
    {"MPI_C_FLOAT_COMPLEX", 0, C_COMPLEX},
    {"MPI_C_DOUBLE_COMPLEX", 0, C_COMPLEX},
    {"MPI_C_LONG_DOUBLE_COMPLEX", 0, C_COMPLEX},
    {"MPI_CXX_FLOAT_COMPLEX", 0, C_COMPLEX},
    {"MPI_CXX_DOUBLE_COMPLEX", 0, C_COMPLEX},
    {"MPI_CXX_LONG_DOUBLE_COMPLEX", 0, C_COMPLEX},
    {"MPI_INTEGER", 1, FORTRAN_INT},
    {"MPI_LOGICAL", 1, FORTRAN_INT},
    {"MPI_CHARACTER", 0, FORTRAN_INT},
    {"MPI_DOUBLE_PRECISION", 0, FORTRAN_FLOAT},
    {"MPI_REAL", 1, FORTRAN_FLOAT},
    {"MPI_DOUBLE_COMPLEX", 0, FORTRAN_COMPLEX},
    {"MPI_COMPLEX", 1, FORTRAN_COMPLEX},
    {"MPI_2INTEGER", 0, FORTRAN_OTHER},
    {"MPI_2REAL", 0, FORTRAN_OTHER},
    {"MPI_2DOUBLE_PRECISION", 0, FORTRAN_OTHER},
    {"MPI_2COMPLEX", 0, FORTRAN_OTHER},
    {"MPI_2DOUBLE_COMPLEX", 0, FORTRAN_OTHER},
    {"MPI_BYTE", 0, BOTH_OTHER},
    {"MPI_PACKED", 0, BOTH_OTHER},
};

enum mpid_type_bitmap_t basic_type_of(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const size_t length = strlen(types[i].name);
        if (strncmp(name, types[i].name, length) == 0 &&
            (types[i].is_prefix ? strspn(name + length, "0123456789") : 0) == strlen(name + length))
            return (enum mpid_type_bitmap_t)types[i].type;
    }
    return (enum mpid_type_bitmap_t)C_OTHER;
}
