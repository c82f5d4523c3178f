/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stores the arguments of datatype constructors.
 */

#include "memory/memory.h"
#include "objects/objects_internal.h"

#include <string.h>

static size_t count_all(const struct datatype_values *values, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length && values[i].bytes > 0; i++)
        count += values[i].count;
    return count;
}

/* Returns where the next one goes. */
static int64_t *copy_all(int64_t *to, const struct datatype_values *values, size_t length)
{
    for (size_t i = 0; i < length && values[i].bytes > 0; i++) {
        const int32_t *narrow = values[i].first;
        const int64_t *wide = values[i].first;
        for (size_t k = 0; k < values[i].count; k++)
            *to++ = values[i].bytes == sizeof *narrow ? narrow[k] : wide[k];
    }
    return to;
}

static uint64_t *components_of(const struct mpilens_datatype *record)
{
    return record->arguments ? (uint64_t *)(uintptr_t)record->arguments + record->integer_count + record->address_count
                             : NULL;
}

static size_t value_count(const struct mpilens_datatype *record)
{
    return (size_t)record->integer_count + record->address_count + record->datatype_count;
}

/* Room for what the counts say. NULL: nothing, too much, or no memory. */
static int64_t *take_arguments(struct mpilens_datatype *record)
{
    size_t count = value_count(record);
    return count > 0 && count <= DATATYPE_VALUES_KEPT ? block_take(count * sizeof(int64_t)) : NULL;
}

/* Predefined ones stay anyway. */
static uint64_t hold(struct mpilens_datatype *component)
{
    if (component != NULL && !(component->flags & MPILENS_OBJECT_PREDEFINED))
        reclaim_hold(component);
    return (uint64_t)(uintptr_t)component;
}

static int64_t order_of(int64_t order)
{
    return order == MPI_ORDER_FORTRAN ? MPILENS_ORDER_FORTRAN : MPILENS_ORDER_C;
}

static int64_t distribution_of(int64_t distribution)
{
    return distribution == MPI_DISTRIBUTE_BLOCK    ? MPILENS_DISTRIBUTE_BLOCK
           : distribution == MPI_DISTRIBUTE_CYCLIC ? MPILENS_DISTRIBUTE_CYCLIC
                                                   : MPILENS_DISTRIBUTE_NONE;
}

/* Puts our own constants in the place of the library's. */
static void translate(enum mpilens_combiner combiner, int64_t *integers, size_t count)
{
    if (combiner == MPILENS_COMBINER_SUBARRAY && count > 0)
        integers[count - 1] = order_of(integers[count - 1]);
    if (combiner != MPILENS_COMBINER_DARRAY || count < 4)
        return;
    size_t dimensions = (count - 4) / 4; /* size, rank, dimensions, four arrays of them, order */
    int64_t *distributions = integers + 3 + dimensions;
    int64_t *arguments = distributions + dimensions;
    for (size_t i = 0; i < dimensions; i++) {
        distributions[i] = distribution_of(distributions[i]);
        if (arguments[i] == MPI_DISTRIBUTE_DFLT_DARG)
            arguments[i] = MPILENS_DISTRIBUTE_DFLT_DARG;
    }
    integers[count - 1] = order_of(integers[count - 1]);
}

void datatype_contents_set(struct mpilens_datatype *record, const struct datatype_contents *contents)
{
    record->combiner = contents->combiner;
    record->integer_count = (uint32_t)count_all(contents->integers, DATATYPE_INTEGERS);
    record->address_count = (uint32_t)count_all(contents->addresses, DATATYPE_ADDRESSES);
    record->datatype_count = (uint32_t)contents->datatype_count;
    int64_t *arguments = take_arguments(record);
    if (arguments == NULL)
        return;
    int64_t *end = copy_all(arguments, contents->integers, DATATYPE_INTEGERS);
    translate(contents->combiner, arguments, record->integer_count);
    end = copy_all(end, contents->addresses, DATATYPE_ADDRESSES);
    for (size_t i = 0; i < contents->datatype_count; i++)
        ((uint64_t *)end)[i] = hold(datatype_of_handle(HANDLE_VALUE(contents->datatypes[i])));
    record->arguments = (uint64_t)(uintptr_t)arguments;
}

void datatype_contents_copy(struct mpilens_datatype *record, const struct mpilens_datatype *original)
{
    record->combiner = original->combiner;
    record->integer_count = original->integer_count;
    record->address_count = original->address_count;
    record->datatype_count = original->datatype_count;
    int64_t *arguments = original->arguments ? take_arguments(record) : NULL;
    if (arguments == NULL)
        return;
    memcpy(arguments, (const void *)(uintptr_t)original->arguments, value_count(record) * sizeof *arguments);
    record->arguments = (uint64_t)(uintptr_t)arguments;
    for (size_t i = 0; i < record->datatype_count; i++)
        hold(datatype_contents_component(record, i));
}

struct mpilens_datatype *datatype_contents_component(const struct mpilens_datatype *record, size_t n)
{
    const uint64_t *components = components_of(record);
    return components != NULL && n < record->datatype_count ? (struct mpilens_datatype *)(uintptr_t)components[n]
                                                            : NULL;
}

void datatype_contents_set_component(struct mpilens_datatype *record, size_t n, struct mpilens_datatype *component)
{
    uint64_t *components = components_of(record);
    if (components != NULL && n < record->datatype_count)
        components[n] = hold(component);
}

void datatype_contents_give_back(void *given)
{
    struct mpilens_datatype *record = given;
    for (size_t i = 0; record->arguments && i < record->datatype_count; i++) {
        struct mpilens_datatype *component = datatype_contents_component(record, i);
        if (component != NULL && !(component->flags & MPILENS_OBJECT_PREDEFINED))
            reclaim_release(component);
    }
    void *arguments = (void *)(uintptr_t)record->arguments;
    __atomic_store_n(&record->arguments, 0, __ATOMIC_RELEASE);
    block_give_back(arguments, value_count(record) * sizeof(int64_t));
}
