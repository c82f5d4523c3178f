/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by tests of the contents of datatypes.
 */
#ifndef TESTS_RUNTIME_CONTENTS_H
#define TESTS_RUNTIME_CONTENTS_H

#include "inside.h"

#include <criterion/criterion.h>

/* Handles that the fake library gives. */
enum { DERIVED = (int)0xcc000001, COMPONENT = (int)0xcc000002, OTHER = (int)0xcc000003 };

static inline int64_t argument(const struct mpilens_datatype *record, size_t n)
{
    return ((const int64_t *)(uintptr_t)record->arguments)[n];
}

static inline uint64_t component(const struct mpilens_datatype *record, size_t n)
{
    return (uint64_t)argument(record, record->integer_count + record->address_count + n);
}

/* The record says that it was made of these values and one datatype. */
static inline void check(const struct mpilens_datatype *record, enum mpilens_combiner combiner, uint32_t integer_count,
                         uint32_t address_count, const int64_t *values, MPI_Datatype element)
{
    cr_assert_eq(record->combiner, combiner);
    cr_assert_eq(record->integer_count, integer_count);
    cr_assert_eq(record->address_count, address_count);
    cr_assert_arr_eq((const void *)(uintptr_t)record->arguments, values,
                     (integer_count + address_count) * sizeof *values);
    cr_assert_eq(record->datatype_count, 1);
    cr_assert_eq(component(record, 0), address_of(shadow_datatype(element)));
}

static inline MPI_Datatype contiguous_as(int handle, int count, MPI_Datatype element)
{
    MPI_Datatype datatype;
    fake.datatype = (MPI_Datatype)handle;
    MPI_Type_contiguous(count, element, &datatype);
    return datatype;
}

#endif
