/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Maps the predefined datatypes of MPI 4.1, sections 3.2.2, 5.9.4 and 19.1.9, to signatures.
 */
#include "types/types.h"

#include <stdlib.h>
#include <string.h>

enum class { NOT_COMPARABLE, SIGNED, UNSIGNED, FLOATING, COMPLEX, LOGICAL, CHARACTER };

/* Alone, with an int behind it, or two of them. */
enum shape { ALONE, WITH_INDEX, TWICE };

enum { INDEX_BYTES = 4, MOST_BYTES = 255 };

struct basic {
    const char *name; /* without MPI_ */
    enum class class;
    enum shape shape;
};

/* By name. */
static const struct basic basics[] = {
    {"2COMPLEX", COMPLEX, TWICE},
    {"2DOUBLE_COMPLEX", COMPLEX, TWICE},
    {"2DOUBLE_PRECISION", FLOATING, TWICE},
    {"2INT", SIGNED, TWICE},
    {"2INTEGER", SIGNED, TWICE},
    {"2REAL", FLOATING, TWICE},
    {"AINT", SIGNED, ALONE},
    {"CHAR", CHARACTER, ALONE},
    {"CHARACTER", CHARACTER, ALONE},
    {"COMPLEX", COMPLEX, ALONE},
    {"COMPLEX16", COMPLEX, ALONE},
    {"COMPLEX32", COMPLEX, ALONE},
    {"COMPLEX4", COMPLEX, ALONE},
    {"COMPLEX8", COMPLEX, ALONE},
    {"COUNT", SIGNED, ALONE},
    {"CXX_BOOL", LOGICAL, ALONE},
    {"CXX_DOUBLE_COMPLEX", COMPLEX, ALONE},
    {"CXX_FLOAT_COMPLEX", COMPLEX, ALONE},
    {"CXX_LONG_DOUBLE_COMPLEX", COMPLEX, ALONE},
    {"C_BOOL", LOGICAL, ALONE},
    {"C_COMPLEX", COMPLEX, ALONE},
    {"C_DOUBLE_COMPLEX", COMPLEX, ALONE},
    {"C_FLOAT_COMPLEX", COMPLEX, ALONE},
    {"C_LONG_DOUBLE_COMPLEX", COMPLEX, ALONE},
    {"DOUBLE", FLOATING, ALONE},
    {"DOUBLE_COMPLEX", COMPLEX, ALONE},
    {"DOUBLE_INT", FLOATING, WITH_INDEX},
    {"DOUBLE_PRECISION", FLOATING, ALONE},
    {"FLOAT", FLOATING, ALONE},
    {"FLOAT_INT", FLOATING, WITH_INDEX},
    {"INT", SIGNED, ALONE},
    {"INT16_T", SIGNED, ALONE},
    {"INT32_T", SIGNED, ALONE},
    {"INT64_T", SIGNED, ALONE},
    {"INT8_T", SIGNED, ALONE},
    {"INTEGER", SIGNED, ALONE},
    {"INTEGER1", SIGNED, ALONE},
    {"INTEGER16", SIGNED, ALONE},
    {"INTEGER2", SIGNED, ALONE},
    {"INTEGER4", SIGNED, ALONE},
    {"INTEGER8", SIGNED, ALONE},
    {"LOGICAL", LOGICAL, ALONE},
    {"LOGICAL1", LOGICAL, ALONE},
    {"LOGICAL16", LOGICAL, ALONE},
    {"LOGICAL2", LOGICAL, ALONE},
    {"LOGICAL4", LOGICAL, ALONE},
    {"LOGICAL8", LOGICAL, ALONE},
    {"LONG", SIGNED, ALONE},
    {"LONG_DOUBLE", FLOATING, ALONE},
    {"LONG_DOUBLE_INT", FLOATING, WITH_INDEX},
    {"LONG_INT", SIGNED, WITH_INDEX},
    {"LONG_LONG", SIGNED, ALONE},
    {"LONG_LONG_INT", SIGNED, ALONE},
    {"OFFSET", SIGNED, ALONE},
    {"REAL", FLOATING, ALONE},
    {"REAL16", FLOATING, ALONE},
    {"REAL2", FLOATING, ALONE},
    {"REAL4", FLOATING, ALONE},
    {"REAL8", FLOATING, ALONE},
    {"SHORT", SIGNED, ALONE},
    {"SHORT_INT", SIGNED, WITH_INDEX},
    {"SIGNED_CHAR", SIGNED, ALONE},
    {"UINT16_T", UNSIGNED, ALONE},
    {"UINT32_T", UNSIGNED, ALONE},
    {"UINT64_T", UNSIGNED, ALONE},
    {"UINT8_T", UNSIGNED, ALONE},
    {"UNSIGNED", UNSIGNED, ALONE},
    {"UNSIGNED_CHAR", UNSIGNED, ALONE},
    {"UNSIGNED_LONG", UNSIGNED, ALONE},
    {"UNSIGNED_LONG_LONG", UNSIGNED, ALONE},
    {"UNSIGNED_SHORT", UNSIGNED, ALONE},
    {"WCHAR", CHARACTER, ALONE},
};

static int compare_names(const void *name, const void *basic)
{
    return strcmp(name, ((const struct basic *)basic)->name);
}

static struct basic find_basic(const struct mpilens_datatype *datatype)
{
    const struct basic none = {.class = NOT_COMPARABLE};
    switch (datatype_combiner(datatype)) {
    case MPILENS_COMBINER_F90_REAL:
        return (struct basic){.class = FLOATING, .shape = ALONE};
    case MPILENS_COMBINER_F90_COMPLEX:
        return (struct basic){.class = COMPLEX, .shape = ALONE};
    case MPILENS_COMBINER_F90_INTEGER:
        return (struct basic){.class = SIGNED, .shape = ALONE};
    default:
        break;
    }
    if (strncmp(datatype->name, "MPI_", 4) != 0)
        return none;
    const struct basic *found =
        bsearch(datatype->name + 4, basics, sizeof basics / sizeof basics[0], sizeof basics[0], compare_names);
    return found != NULL ? *found : none;
}

static struct type_sequence number_of(enum class class, int64_t bytes)
{
    return type_sequence_of((uint64_t) class << 8 | (uint64_t)bytes);
}

bool basic_signature(const struct mpilens_datatype *datatype, struct type_sequence *ret_sequence)
{
    if (datatype->size == 0) {
        *ret_sequence = type_sequence_empty();
        return true;
    }
    const struct basic basic = find_basic(datatype);
    int64_t bytes = datatype->size;
    if (basic.shape == WITH_INDEX)
        bytes -= INDEX_BYTES;
    else if (basic.shape == TWICE)
        bytes /= 2;
    if (basic.class == NOT_COMPARABLE || bytes < 1 || bytes > MOST_BYTES)
        return false;
    const struct type_sequence value = number_of(basic.class, bytes);
    *ret_sequence = basic.shape == ALONE        ? value
                    : basic.shape == WITH_INDEX ? type_sequence_join(value, number_of(SIGNED, INDEX_BYTES))
                                                : type_sequence_join(value, value);
    return true;
}
