/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the operation that a request names: by C handle, or for Fortran by the serial in the table of integers.
 */
#include "facts/facts.h"

#include "layout/layout.h"
#include "snapshot/snapshot.h"
#include "target/target.h"

enum {
    MOST_FORTRAN_REQUEST_BYTES = 4096, /* bytes of one entry */
    FORTRAN_REQUESTS_BYTES = 1 << 20,  /* most bytes searched for one request */
};

static bool has_request(const struct mpilens_operation *operation)
{
    return operation->request != 0 &&
           (operation_is_live(operation) || operation->state == MPILENS_OPERATION_PERSISTENT);
}

static bool is_after(const struct snapshot *copy, const struct mpilens_operation *operation,
                     const struct mpilens_operation *than)
{
    const uint64_t time = snapshot_operation_time(copy, operation);
    const uint64_t other_time = snapshot_operation_time(copy, than);
    return time != other_time ? time > other_time : operation->posted > than->posted;
}

/* Active operations go before inactive persistent ones, then the oldest. */
static bool is_better(const struct snapshot *copy, const struct mpilens_operation *operation,
                      const struct mpilens_operation *than)
{
    if (than == NULL)
        return true;
    const bool is_idle = operation->state == MPILENS_OPERATION_PERSISTENT;
    if (is_idle != (than->state == MPILENS_OPERATION_PERSISTENT))
        return !is_idle;
    return is_after(copy, than, operation);
}

static bool is_released(const struct mpilens_operation *operation)
{
    return operation->state == MPILENS_OPERATION_RELEASED;
}

/* The active operation whose request was freed, where no later one is known to have had the same: then it is over. */
static const struct mpilens_operation *find_released(const struct reading *reading, uint64_t handle)
{
    const struct snapshot *copy = &reading->snapshot;
    const struct mpilens_operation *last = NULL;
    struct table_position position = {0};
    for (const struct mpilens_operation *operation;
         (operation = table_copy_next(&copy->tables[MPILENS_TABLE_OPERATIONS], &position)) != NULL;) {
        const uint64_t former = operation_former_request(operation);
        if (former != 0 && handle_is_same(&reading->root.process, MPILENS_OBJECT_REQUEST, former, handle) &&
            (last == NULL || is_after(copy, operation, last)))
            last = operation;
    }
    return last != NULL && is_released(last) ? last : NULL;
}

static int find_by_handle(const struct reading *reading, uint64_t handle,
                          const struct mpilens_operation **ret_operation)
{
    const struct mpilens_process *process = &reading->root.process;
    const struct mpilens_operation *found = NULL;
    struct table_position position = {0};
    for (const struct mpilens_operation *operation;
         (operation = table_copy_next(&reading->snapshot.tables[MPILENS_TABLE_OPERATIONS], &position)) != NULL;)
        if (has_request(operation) && handle_is_same(process, MPILENS_OBJECT_REQUEST, operation->request, handle) &&
            is_better(&reading->snapshot, operation, found))
            found = operation;
    if (found == NULL)
        found = find_released(reading, handle);
    if (found == NULL)
        return mqs_no_information;
    *ret_operation = found;
    return mqs_ok;
}

static int find_by_serial(const struct reading *reading, uint64_t posted,
                          const struct mpilens_operation **ret_operation)
{
    struct table_position position = {0};
    for (const struct mpilens_operation *operation;
         (operation = table_copy_next(&reading->snapshot.tables[MPILENS_TABLE_OPERATIONS], &position)) != NULL;) {
        if (operation->posted != posted || !(has_request(operation) || is_released(operation)))
            continue;
        const struct mpilens_operation *active =
            operation->state == MPILENS_OPERATION_PERSISTENT ? snapshot_partner(&reading->snapshot, operation) : NULL;
        *ret_operation = active != NULL && operation_is_live(active) ? active : operation;
        return mqs_ok;
    }
    return mqs_no_information;
}

/* Bytes of an entry of the table of Fortran's integers; 0: there is no table. */
static size_t fortran_request_bytes(const struct reading *reading)
{
    const size_t size = reading->root.offsets.struct_size[MPILENS_STRUCT_fortran_request];
    return reading->root.process.fortran_request_count != 0 && size <= MOST_FORTRAN_REQUEST_BYTES ? size : 0;
}

/* Where the table is, read after the count of its entries in the root: it has no fewer. */
static int read_fortran_address(const struct reading *reading, uint64_t *ret_address)
{
    const struct field_place *place = &reading->root.offsets.fields[MPILENS_FIELD_process_fortran_requests];
    uint8_t bytes[sizeof *ret_address];
    if (place->size == 0 || place->size > sizeof bytes)
        return MPILENS_ERROR_CORRUPT;
    int code = target_fetch(&reading->target, reading->root.address + place->offset, place->size, bytes);
    if (code == mqs_ok)
        *ret_address = decode_integer(bytes, place->size, reading->root.offsets.header.big_endian);
    return code;
}

static int find_of_fortran(const struct reading *reading, uint64_t integer,
                           const struct mpilens_operation **ret_operation)
{
    const struct mpilens_process *process = &reading->root.process;
    const size_t size = fortran_request_bytes(reading);
    if (size == 0 || integer >= process->fortran_request_count || integer > INT32_MAX)
        return mqs_no_information;
    uint64_t begin = 0;
    int code = read_fortran_address(reading, &begin);
    const uint64_t address = begin + integer * size;
    if (code == mqs_ok && address < begin)
        code = MPILENS_ERROR_CORRUPT;
    uint8_t bytes[MOST_FORTRAN_REQUEST_BYTES];
    struct mpilens_fortran_request record;
    if (code == mqs_ok)
        code = target_read(&reading->target, address, size, bytes);
    if (code != mqs_ok)
        return code;
    decode_struct(&reading->root.offsets, MPILENS_STRUCT_fortran_request, bytes, &record);
    return record.posted != 0 ? find_by_serial(reading, record.posted, ret_operation) : mqs_no_information;
}

bool request_in_fortran(const struct reading *reading, const struct mpilens_operation *operation, int64_t *ret_fortran)
{
    const struct mpilens_process *process = &reading->root.process;
    const size_t size = fortran_request_bytes(reading);
    if (handle_to_fortran(process, MPILENS_OBJECT_REQUEST, operation->request, ret_fortran))
        return true;
    if (size == 0)
        return false;
    const uint64_t most = FORTRAN_REQUESTS_BYTES / size;
    const uint64_t count = process->fortran_request_count < most ? process->fortran_request_count : most;
    uint8_t *bytes = allocate_array(count, size);
    uint64_t begin = 0;
    bool found = false;
    if (bytes != NULL && read_fortran_address(reading, &begin) == mqs_ok &&
        target_read(&reading->target, begin, count * size, bytes) == mqs_ok)
        for (uint64_t i = 0; i < count && !found; i++) {
            struct mpilens_fortran_request record;
            const struct mpilens_operation *named = NULL;
            decode_struct(&reading->root.offsets, MPILENS_STRUCT_fortran_request, bytes + i * size, &record);
            found = record.request == operation->request && record.posted != 0 &&
                    find_by_serial(reading, record.posted, &named) == mqs_ok && named == operation;
            if (found)
                *ret_fortran = (int64_t)i;
        }
    release(bytes);
    return found;
}

uint32_t request_count_sharers(const struct reading *reading, const struct mpilens_operation *shared)
{
    uint32_t count = 0;
    struct table_position position = {0};
    for (const struct mpilens_operation *operation;
         (operation = table_copy_next(&reading->snapshot.tables[MPILENS_TABLE_OPERATIONS], &position)) != NULL;)
        count += operation->request != 0 && operation->request == shared->request && operation_is_live(operation);
    return count;
}

int request_lookup(const struct reading *reading, const struct handle *handle,
                   const struct mpilens_operation **ret_operation)
{
    uint64_t value = 0;
    if (handle_in_c(&reading->root.process, handle, &value))
        return value != 0 ? find_by_handle(reading, value, ret_operation) : mqs_no_information;
    return find_of_fortran(reading, handle->value, ret_operation);
}
