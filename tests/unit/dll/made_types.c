/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes datatypes and their arguments into the fake target.
 */
#include "made_types.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static uint32_t serial = 100;

uint64_t make_type(const struct made_type *made)
{
    struct fake_target *target = opened.job.target;
    const size_t count = made->integer_count + made->address_count + made->datatype_count;
    struct mpilens_datatype record = {.state = MPILENS_OBJECT_LIVE,
                                      .handle = 0x8c100000 + serial,
                                      .serial = serial,
                                      .size = made->size,
                                      .extent = made->extent,
                                      .true_extent = made->extent,
                                      .combiner = made->combiner,
                                      .integer_count = made->integer_count,
                                      .address_count = made->address_count,
                                      .datatype_count = made->datatype_count};
    serial++;
    if (count > 0)
        record.arguments = fake_target_reserve(target, count * 8);
    uint64_t at = record.arguments;
    for (uint32_t i = 0; i < made->integer_count; i++, at += 8)
        fake_target_put_integer(target, at, 8, (uint64_t)made->integers[i]);
    for (uint32_t i = 0; i < made->address_count; i++, at += 8)
        fake_target_put_integer(target, at, 8, (uint64_t)made->addresses[i]);
    for (uint32_t i = 0; i < made->datatype_count; i++, at += 8)
        fake_target_put_integer(target, at, 8, made->datatypes[i]);
    return fake_target_add(target, MPILENS_TABLE_DATATYPES, &record);
}

uint64_t make_basic(const char *name, int64_t size, int64_t extent)
{
    struct mpilens_datatype record = {.state = MPILENS_OBJECT_LIVE,
                                      .flags = MPILENS_OBJECT_PREDEFINED,
                                      .handle = 0x4c000000 + serial,
                                      .serial = serial,
                                      .size = size,
                                      .extent = extent,
                                      .combiner = MPILENS_COMBINER_NAMED};
    serial++;
    snprintf(record.name, sizeof record.name, "%s", name);
    return fake_target_add(opened.job.target, MPILENS_TABLE_DATATYPES, &record);
}

void name_top(uint64_t record)
{
    put_field(record, MPILENS_FIELD_datatype_handle, TOP_HANDLE);
}

const char *map_of_top(size_t limit)
{
    static char text[4096];
    size_t used = 0;
    struct mpilens_type_map_entry entry = {.struct_size = sizeof entry};
    int code = mqs_ok;
    text[0] = '\0';
    find_object(MPILENS_OBJECT_DATATYPE, TOP_HANDLE);
    cr_assert_eq(mpilens_setup_type_map_iterator(opened.process), mqs_ok);
    for (size_t i = 0; i < limit && (code = mpilens_next_type_map_entry(opened.process, &entry)) == mqs_ok; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s@%ld", i > 0 ? "; " : "", entry.basic,
                                 (long)entry.displacement);
        if (entry.count != 1)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, " x%ld/%ld", (long)entry.count, (long)entry.stride);
        if (entry.repeat != 1)
            used += (size_t)snprintf(text + used, sizeof text - used, " x%ld/%ld", (long)entry.repeat,
                                     (long)entry.repeat_stride);
        cr_assert_lt(used, sizeof text);
    }
    if (code != mqs_ok && code != mqs_end_of_list)
        snprintf(text + used, sizeof text - used, "!%d", code);
    return text;
}

uint64_t signature_of(int64_t count, uint64_t type)
{
    const uint64_t call =
        opened.job.world + opened.job.target->fields[MPILENS_FIELD_communicator_recent_collectives].offset;
    put_field(opened.job.world, MPILENS_FIELD_communicator_collective_count, 1);
    put_field(call, MPILENS_FIELD_collective_serial, 1);
    put_field(call, MPILENS_FIELD_collective_count, (uint64_t)count);
    put_field(call, MPILENS_FIELD_collective_datatype, type);
    if (opened.debugger.reads > 0)
        copy_again();
    else
        open_job();
    cr_assert(opened_job_go_to(&opened, "MPI_COMM_WORLD"));
    struct mpilens_collective_information got = {.struct_size = sizeof got};
    cr_assert_eq(mpilens_setup_collective_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_collective(opened.process, &got), mqs_ok);
    cr_assert_eq(got.count, count);
    return got.signature;
}

void put_argument(uint64_t record, size_t number, uint64_t value)
{
    uint64_t address = 0;
    memcpy(&address,
           fake_target_bytes(opened.job.target,
                             record + opened.job.target->fields[MPILENS_FIELD_datatype_arguments].offset, 8),
           8);
    fake_target_put_integer(opened.job.target, address + number * 8, 8, value);
}
