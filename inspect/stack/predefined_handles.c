/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The predefined handles of MPIs by their values: the integers that are part of the ABI of MPICH, those that Open MPI
 * has in Fortran, and the symbols of its objects.
 */
#include "stack/stack_internal.h"

#include "base/base.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    uint32_t value;
    const char *name;
} integers[] = {
    {0x04000000, "MPI_COMM_NULL"},
    {0x08000000, "MPI_GROUP_NULL"},
    {0x0c000000, "MPI_DATATYPE_NULL"},
    {0x18000000, "MPI_OP_NULL"},
    {0x20000000, "MPI_WIN_NULL"},
    {0x44000000, "MPI_COMM_WORLD"},
    {0x44000001, "MPI_COMM_SELF"},
    {0x48000000, "MPI_GROUP_EMPTY"},
    {0x4c000010, "MPI_LB"},
    {0x4c000011, "MPI_UB"},
    {0x4c000101, "MPI_CHAR"},
    {0x4c000102, "MPI_UNSIGNED_CHAR"},
    {0x4c00010d, "MPI_BYTE"},
    {0x4c00010f, "MPI_PACKED"},
    {0x4c000118, "MPI_SIGNED_CHAR"},
    {0x4c00011a, "MPI_CHARACTER"},
    {0x4c00012d, "MPI_INTEGER1"},
    {0x4c000133, "MPI_CXX_BOOL"},
    {0x4c000137, "MPI_INT8_T"},
    {0x4c00013b, "MPI_UINT8_T"},
    {0x4c00013f, "MPI_C_BOOL"},
    {0x4c000203, "MPI_SHORT"},
    {0x4c000204, "MPI_UNSIGNED_SHORT"},
    {0x4c00022f, "MPI_INTEGER2"},
    {0x4c000238, "MPI_INT16_T"},
    {0x4c00023c, "MPI_UINT16_T"},
    {0x4c000405, "MPI_INT"},
    {0x4c000406, "MPI_UNSIGNED"},
    {0x4c00040a, "MPI_FLOAT"},
    {0x4c00040e, "MPI_WCHAR"},
    {0x4c00041b, "MPI_INTEGER"},
    {0x4c00041c, "MPI_REAL"},
    {0x4c00041d, "MPI_LOGICAL"},
    {0x4c000427, "MPI_REAL4"},
    {0x4c000430, "MPI_INTEGER4"},
    {0x4c000439, "MPI_INT32_T"},
    {0x4c00043d, "MPI_UINT32_T"},
    {0x4c000807, "MPI_LONG"},
    {0x4c000808, "MPI_UNSIGNED_LONG"},
    {0x4c000809, "MPI_LONG_LONG_INT"},
    {0x4c00080b, "MPI_DOUBLE"},
    {0x4c000816, "MPI_2INT"},
    {0x4c000819, "MPI_UNSIGNED_LONG_LONG"},
    {0x4c00081e, "MPI_COMPLEX"},
    {0x4c00081f, "MPI_DOUBLE_PRECISION"},
    {0x4c000820, "MPI_2INTEGER"},
    {0x4c000821, "MPI_2REAL"},
    {0x4c000828, "MPI_COMPLEX8"},
    {0x4c000829, "MPI_REAL8"},
    {0x4c000831, "MPI_INTEGER8"},
    {0x4c000834, "MPI_CXX_FLOAT_COMPLEX"},
    {0x4c00083a, "MPI_INT64_T"},
    {0x4c00083e, "MPI_UINT64_T"},
    {0x4c000840, "MPI_C_FLOAT_COMPLEX"},
    {0x4c000843, "MPI_AINT"},
    {0x4c000844, "MPI_OFFSET"},
    {0x4c000845, "MPI_COUNT"},
    {0x4c00100c, "MPI_LONG_DOUBLE"},
    {0x4c001022, "MPI_DOUBLE_COMPLEX"},
    {0x4c001023, "MPI_2DOUBLE_PRECISION"},
    {0x4c00102a, "MPI_COMPLEX16"},
    {0x4c00102b, "MPI_REAL16"},
    {0x4c001035, "MPI_CXX_DOUBLE_COMPLEX"},
    {0x4c001041, "MPI_C_DOUBLE_COMPLEX"},
    {0x4c00202c, "MPI_COMPLEX32"},
    {0x4c002036, "MPI_CXX_LONG_DOUBLE_COMPLEX"},
    {0x4c002042, "MPI_C_LONG_DOUBLE_COMPLEX"},
    {0x58000001, "MPI_MAX"},
    {0x58000002, "MPI_MIN"},
    {0x58000003, "MPI_SUM"},
    {0x58000004, "MPI_PROD"},
    {0x58000005, "MPI_LAND"},
    {0x58000006, "MPI_BAND"},
    {0x58000007, "MPI_LOR"},
    {0x58000008, "MPI_BOR"},
    {0x58000009, "MPI_LXOR"},
    {0x5800000a, "MPI_BXOR"},
    {0x5800000b, "MPI_MINLOC"},
    {0x5800000c, "MPI_MAXLOC"},
    {0x5800000d, "MPI_REPLACE"},
    {0x5800000e, "MPI_NO_OP"},
    {0x8c000000, "MPI_FLOAT_INT"},
    {0x8c000001, "MPI_DOUBLE_INT"},
    {0x8c000002, "MPI_LONG_INT"},
    {0x8c000003, "MPI_SHORT_INT"},
    {0x8c000004, "MPI_LONG_DOUBLE_INT"},
};

const char *predefined_handle_of_integer(uint64_t value)
{
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        if (integers[i].value == (uint32_t)value && (value >> 32 == 0 || (int64_t)value == (int32_t)value))
            return integers[i].name;
    return NULL;
}

/* The integers of Open MPI's mpif.h, by kind. */
static const char *const communicators_of_fortran[] = {"MPI_COMM_WORLD", "MPI_COMM_SELF", "MPI_COMM_NULL"};
static const char *const groups_of_fortran[] = {"MPI_GROUP_NULL", "MPI_GROUP_EMPTY"};
static const char *const ops_of_fortran[] = {"MPI_OP_NULL", "MPI_MAX",    "MPI_MIN",    "MPI_SUM",     "MPI_PROD",
                                             "MPI_LAND",    "MPI_BAND",   "MPI_LOR",    "MPI_BOR",     "MPI_LXOR",
                                             "MPI_BXOR",    "MPI_MAXLOC", "MPI_MINLOC", "MPI_REPLACE", "MPI_NO_OP"};
static const char *const datatypes_of_fortran[] = {"MPI_DATATYPE_NULL",
                                                   "MPI_BYTE",
                                                   "MPI_PACKED",
                                                   "MPI_UB",
                                                   "MPI_LB",
                                                   "MPI_CHARACTER",
                                                   "MPI_LOGICAL",
                                                   "MPI_INTEGER",
                                                   "MPI_INTEGER1",
                                                   "MPI_INTEGER2",
                                                   "MPI_INTEGER4",
                                                   "MPI_INTEGER8",
                                                   "MPI_INTEGER16",
                                                   "MPI_REAL",
                                                   "MPI_REAL4",
                                                   "MPI_REAL8",
                                                   "MPI_REAL16",
                                                   "MPI_DOUBLE_PRECISION",
                                                   "MPI_COMPLEX",
                                                   "MPI_COMPLEX8",
                                                   "MPI_COMPLEX16",
                                                   "MPI_COMPLEX32",
                                                   "MPI_DOUBLE_COMPLEX",
                                                   "MPI_2REAL",
                                                   "MPI_2DOUBLE_PRECISION",
                                                   "MPI_2INTEGER",
                                                   "MPI_2COMPLEX",
                                                   "MPI_2DOUBLE_COMPLEX",
                                                   "MPI_REAL2",
                                                   "MPI_LOGICAL1",
                                                   "MPI_LOGICAL2",
                                                   "MPI_LOGICAL4",
                                                   "MPI_LOGICAL8",
                                                   "MPI_WCHAR",
                                                   "MPI_CHAR",
                                                   "MPI_UNSIGNED_CHAR",
                                                   "MPI_SIGNED_CHAR",
                                                   "MPI_SHORT",
                                                   "MPI_UNSIGNED_SHORT",
                                                   "MPI_INT",
                                                   "MPI_UNSIGNED",
                                                   "MPI_LONG",
                                                   "MPI_UNSIGNED_LONG",
                                                   "MPI_LONG_LONG",
                                                   "MPI_UNSIGNED_LONG_LONG",
                                                   "MPI_FLOAT",
                                                   "MPI_DOUBLE",
                                                   "MPI_LONG_DOUBLE",
                                                   "MPI_FLOAT_INT",
                                                   "MPI_DOUBLE_INT",
                                                   "MPI_LONG_DOUBLE_INT",
                                                   "MPI_LONG_INT",
                                                   "MPI_2INT",
                                                   "MPI_SHORT_INT",
                                                   "MPI_CXX_BOOL",
                                                   "MPI_CXX_COMPLEX",
                                                   "MPI_CXX_DOUBLE_COMPLEX",
                                                   "MPI_CXX_LONG_DOUBLE_COMPLEX",
                                                   "MPI_INT8_T",
                                                   "MPI_UINT8_T",
                                                   "MPI_INT16_T",
                                                   "MPI_UINT16_T",
                                                   "MPI_INT32_T",
                                                   "MPI_UINT32_T",
                                                   "MPI_INT64_T",
                                                   "MPI_UINT64_T",
                                                   "MPI_AINT",
                                                   "MPI_OFFSET",
                                                   "MPI_C_BOOL",
                                                   "MPI_C_COMPLEX",
                                                   "MPI_C_DOUBLE_COMPLEX",
                                                   "MPI_C_LONG_DOUBLE_COMPLEX",
                                                   "MPI_COUNT"};

static const struct {
    const char *ending; /* of the argument's role */
    const char *const *names;
    size_t count;
} kinds_of_fortran[] = {
    {"communicator", communicators_of_fortran, sizeof communicators_of_fortran / sizeof *communicators_of_fortran},
    {"group", groups_of_fortran, sizeof groups_of_fortran / sizeof *groups_of_fortran},
    {"op", ops_of_fortran, sizeof ops_of_fortran / sizeof *ops_of_fortran},
    {"datatype", datatypes_of_fortran, sizeof datatypes_of_fortran / sizeof *datatypes_of_fortran},
};

const char *predefined_handle_of_fortran(const char *role, size_t length, uint64_t value, bool is_of_open_mpi)
{
    for (size_t i = 0; is_of_open_mpi && i < sizeof kinds_of_fortran / sizeof *kinds_of_fortran; i++) {
        const size_t ending = strlen(kinds_of_fortran[i].ending);
        if (length >= ending && strncmp(role + length - ending, kinds_of_fortran[i].ending, ending) == 0 &&
            value < kinds_of_fortran[i].count)
            return kinds_of_fortran[i].names[value];
    }
    return predefined_handle_of_integer(value);
}

/* Others are the name in MPI, in small letters. */
static const struct {
    const char *symbol, *name;
} odd_symbols[] = {
    {"dblprec", "DOUBLE_PRECISION"},
    {"2dblprec", "2DOUBLE_PRECISION"},
    {"cplex", "COMPLEX"},
    {"dblcplex", "DOUBLE_COMPLEX"},
    {"2cplex", "2COMPLEX"},
    {"2dblcplex", "2DOUBLE_COMPLEX"},
    {"longdbl_int", "LONG_DOUBLE_INT"},
    {"cxx_cplex", "CXX_FLOAT_COMPLEX"},
    {"cxx_dblcplex", "CXX_DOUBLE_COMPLEX"},
    {"cxx_ldblcplex", "CXX_LONG_DOUBLE_COMPLEX"},
};

char *predefined_handle_of_symbol(const char *symbol)
{
    static const char prefix[] = "ompi_mpi_", of_op[] = "op_";
    if (strncmp(symbol, prefix, sizeof prefix - 1) != 0)
        return NULL;
    symbol += sizeof prefix - 1;
    for (size_t i = 0; i < sizeof odd_symbols / sizeof *odd_symbols; i++)
        if (strcmp(symbol, odd_symbols[i].symbol) == 0)
            return format_text("MPI_%s", odd_symbols[i].name);
    if (strncmp(symbol, of_op, sizeof of_op - 1) == 0 && strcmp(symbol, "op_null") != 0)
        symbol += sizeof of_op - 1;
    char *name = format_text("MPI_%s", symbol);
    for (char *letter = name; *letter != '\0'; letter++)
        *letter = (char)toupper((unsigned char)*letter);
    return name;
}
