/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members of groups and communicators, and topologies.
 */
#include "tested_job.h"

#include <criterion/criterion.h>

TestSuite(members, .init = create_job_with_objects, .fini = close_job);

static void check_members(int remote, const struct mpilens_rank_range *ranges, size_t count)
{
    struct mpilens_rank_range answers[4];
    size_t given = 99;
    memset(answers, 0x77, sizeof answers);
    cr_assert_eq(mpilens_get_members(opened.process, remote, answers, 4, &given), mqs_ok);
    cr_assert_eq(given, count);
    cr_assert_arr_eq(answers, ranges, count * sizeof *ranges);
}

Test(members, members)
{
    const struct mpilens_range three[] = {{0, 1, 1}, {2, 1, 1}, {-1, 0, 1}};
    put_field(fake_job_group(&opened.job, -1, 3, three, 3), MPILENS_FIELD_group_handle, 0x88000009);
    open_job();
    find_object(MPILENS_OBJECT_COMMUNICATOR, 0x84000002);
    check_members(0, &(struct mpilens_rank_range){3, -2, 2}, 1);
    struct mpilens_rank_range range = {77, 77, 77};
    size_t count = 99;
    cr_assert_eq(mpilens_get_members(opened.process, 1, &range, 1, &count), mqs_no_information);
    cr_assert_eq(count, 99);
    find_object(MPILENS_OBJECT_COMMUNICATOR, 0x84000003);
    check_members(0, &(struct mpilens_rank_range){0, 1, 2}, 1);
    check_members(1, (struct mpilens_rank_range[]){{2, 1, 1}, {3, 1, 1}}, 2);
    find_object(MPILENS_OBJECT_GROUP, 0x88000001);
    check_members(0, (struct mpilens_rank_range[]){{0, 0, 0}}, 0);
    find_object(MPILENS_OBJECT_GROUP, 0x88000009);
    check_members(0, (struct mpilens_rank_range[]){{0, 1, 1}, {2, 1, 1}, {-1, 0, 1}}, 3);
    cr_assert_eq(mpilens_get_members(opened.process, 0, &range, 1, &count), mqs_ok);
    cr_assert_eq(count, 3, "that many there are");
    cr_assert_eq(range.first, 0);
    cr_assert_eq(mpilens_get_members(opened.process, 1, &range, 1, &count), mqs_no_information);
    find_object(MPILENS_OBJECT_INFO, 0x9c000001);
    cr_assert_eq(mpilens_get_members(opened.process, 0, &range, 1, &count), MPILENS_ERROR_NO_CURRENT);
}

Test(members, members_that_cannot_be)
{
    struct mpilens_rank_range range = {77, 77, 77};
    size_t count = 99;
    put_field(objects.group, MPILENS_FIELD_group_size, 5);
    put_field(objects.group, MPILENS_FIELD_group_ranges, UINT64_MAX - 3);
    open_job();
    const uint32_t counts[] = {1, 6, UINT32_MAX};
    for (size_t i = 0; i < 3; i++) {
        put_field(objects.group, MPILENS_FIELD_group_range_count, counts[i]);
        copy_again();
        find_object(MPILENS_OBJECT_GROUP, 0x88000001);
        cr_assert_geq(mpilens_get_members(opened.process, 0, &range, 1, &count), mqs_first_user_code);
    }
    put_field(opened.job.split, MPILENS_FIELD_communicator_group, objects.file);
    copy_again();
    find_object(MPILENS_OBJECT_COMMUNICATOR, 0x84000002);
    cr_assert_eq(mpilens_get_members(opened.process, 0, &range, 1, &count), mqs_no_information);
    cr_assert_eq(range.first, 77);
    cr_assert_eq(count, 99);
}

/* A topology on the communicator 0x84000002. Short values are those in the record. */
static void set_topology(struct mpilens_topology topology, const int32_t *values)
{
    const uint64_t address = opened.job.split + opened.job.target->fields[MPILENS_FIELD_communicator_topology].offset;
    const bool is_short = topology.value_count <= 12;
    if (is_short) {
        memcpy(topology.short_values, values, topology.value_count * sizeof *values);
        topology.values = address + opened.job.target->fields[MPILENS_FIELD_topology_short_values].offset;
    } else {
        topology.values = fake_target_reserve(opened.job.target, topology.value_count * sizeof *values);
        for (uint32_t i = 0; i < topology.value_count; i++)
            fake_target_put_integer(opened.job.target, topology.values + i * sizeof *values, sizeof *values,
                                    (uint32_t)values[i]);
    }
    fake_target_put(opened.job.target, MPILENS_STRUCT_topology, address, &topology);
}

static int get_topology(struct mpilens_topology_information *ret_topology)
{
    memset(ret_topology, 0x77, sizeof *ret_topology);
    ret_topology->struct_size = sizeof *ret_topology;
    return mpilens_get_topology(opened.process, ret_topology);
}

Test(members, topologies)
{
    const int32_t cartesian[] = {2, 1, 1, 0, 0, 0};
    const int32_t graph[] = {1, 2, 4, 6, 1, 0, 3, 2, 1, -7, 5, 6, 7, 8};
    struct mpilens_topology_information topology;
    int32_t values[20];
    size_t count = 99;
    set_topology(
        (struct mpilens_topology){
            .kind = MPILENS_TOPOLOGY_CARTESIAN, .reordered = 1, .value_count = 6, .first_count = 2},
        cartesian);
    open_job();
    find_object(MPILENS_OBJECT_COMMUNICATOR, 0x44000000);
    cr_assert_eq(get_topology(&topology), mqs_ok);
    cr_assert_eq(topology.kind, MPILENS_TOPOLOGY_NONE);
    cr_assert_eq(mpilens_get_topology_values(opened.process, values, 20, &count), mqs_no_information);
    find_object(MPILENS_OBJECT_COMMUNICATOR, 0x84000002);
    cr_assert_eq(get_topology(&topology), mqs_ok);
    cr_assert_eq(topology.kind, MPILENS_TOPOLOGY_CARTESIAN);
    cr_assert_eq(topology.reordered, 1);
    cr_assert_eq(topology.first_count, 2);
    cr_assert_eq(topology.value_count, 6);
    const uint64_t reads = opened.debugger.reads;
    cr_assert_eq(mpilens_get_topology_values(opened.process, values, 20, &count), mqs_ok);
    cr_assert_eq(opened.debugger.reads, reads, "short ones are in the copy");
    cr_assert_eq(count, 6);
    cr_assert_arr_eq(values, cartesian, sizeof cartesian);

    set_topology((struct mpilens_topology){.kind = MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH,
                                           .weighted = 1,
                                           .value_count = 14,
                                           .first_count = 3,
                                           .second_count = 4},
                 graph);
    copy_again();
    find_object(MPILENS_OBJECT_COMMUNICATOR, 0x84000002);
    cr_assert_eq(mpilens_get_topology_values(opened.process, values, 20, &count), mqs_ok);
    cr_assert_eq(count, 14);
    cr_assert_arr_eq(values, graph, sizeof graph);
    cr_assert_eq(mpilens_get_topology_values(opened.process, values, 3, &count), mqs_ok);
    cr_assert_eq(count, 3);
}

Test(members, topologies_that_cannot_be)
{
    static const struct mpilens_topology hostile[] = {
        {.kind = MPILENS_TOPOLOGY_CARTESIAN, .value_count = 7, .first_count = 2},
        {.kind = MPILENS_TOPOLOGY_CARTESIAN, .value_count = UINT32_MAX, .first_count = 0x55555555},
        {.kind = MPILENS_TOPOLOGY_GRAPH,
         .value_count = 0x7ffffffe,
         .first_count = 0x3fffffff,
         .second_count = 0x3fffffff},
        {.kind = MPILENS_TOPOLOGY_GRAPH, .value_count = 1, .first_count = 2, .second_count = -1},
        {.kind = MPILENS_TOPOLOGY_CARTESIAN, .value_count = 15, .first_count = 5},
    };
    const uint64_t address = opened.job.split + opened.job.target->fields[MPILENS_FIELD_communicator_topology].offset;
    struct mpilens_topology_information topology;
    int32_t value = 77;
    size_t count = 99;
    open_job();
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        struct mpilens_topology lie = hostile[i];
        /* In the record, which has no room for them; or nowhere. */
        lie.values = i % 2 == 0 ? address + opened.job.target->fields[MPILENS_FIELD_topology_short_values].offset : 16;
        fake_target_put(opened.job.target, MPILENS_STRUCT_topology, address, &lie);
        copy_again();
        find_object(MPILENS_OBJECT_COMMUNICATOR, 0x84000002);
        int code = get_topology(&topology);
        cr_assert(code == mqs_ok || code == MPILENS_ERROR_CORRUPT);
        cr_assert_geq(mpilens_get_topology_values(opened.process, &value, 1, &count), mqs_first_user_code, "%zu", i);
    }
    const struct mpilens_topology unknown = {.kind = MPILENS_TOPOLOGY_CARTESIAN, .first_count = 2};
    fake_target_put(opened.job.target, MPILENS_STRUCT_topology, address, &unknown);
    copy_again();
    find_object(MPILENS_OBJECT_COMMUNICATOR, 0x84000002);
    cr_assert_eq(get_topology(&topology), mqs_ok);
    cr_assert_eq(mpilens_get_topology_values(opened.process, &value, 1, &count), mqs_no_information);
    cr_assert_eq(value, 77);
    cr_assert_eq(count, 99);
}
