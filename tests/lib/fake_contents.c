/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gives contents to the objects of a fake job.
 */
#include "fake_contents.h"

#include <string.h>

static uint64_t add_bytes(struct fake_target *target, const char *bytes, size_t count)
{
    const uint64_t address = fake_target_reserve(target, count);
    memcpy(fake_target_bytes(target, address, count), bytes, count);
    return address;
}

static void put_nested(struct fake_target *target, uint64_t record, enum mpilens_field field,
                       enum mpilens_struct number, const void *value)
{
    if (target->fields[field].size > 0)
        fake_target_put(target, number, record + target->fields[field].offset, value);
}

static void add_texts(struct fake_job *job, const struct fake_objects *objects)
{
    static const char entries[] = "cb_nodes\0"
                                  "4\0"
                                  "striping_factor\0"
                                  "8";
    static const char sets[] = "mpi://WORLD\0"
                               "mpi://SELF\0"
                               "app://left";
    struct fake_target *target = job->target;
    const uint64_t address = add_bytes(target, entries, sizeof entries);
    const struct mpilens_texts pairs = {address, sizeof entries, 4};
    const struct mpilens_texts names = {add_bytes(target, sets, sizeof sets), sizeof sets, 3};
    put_nested(target, objects->info, MPILENS_FIELD_info_entries, MPILENS_STRUCT_texts, &pairs);
    put_nested(target, objects->file, MPILENS_FIELD_file_hints, MPILENS_STRUCT_texts, &pairs);
    put_nested(target, objects->window, MPILENS_FIELD_window_hints, MPILENS_STRUCT_texts, &pairs);
    put_nested(target, job->split, MPILENS_FIELD_communicator_hints, MPILENS_STRUCT_texts, &pairs);
    put_nested(target, objects->session, MPILENS_FIELD_session_process_sets, MPILENS_STRUCT_texts, &names);
}

static uint64_t add_numbers(struct fake_target *target, size_t bytes, const int64_t *numbers, size_t count)
{
    const uint64_t address = fake_target_reserve(target, count * bytes);
    for (size_t i = 0; i < count; i++)
        fake_target_put_integer(target, address + i * bytes, bytes, (uint64_t)numbers[i]);
    return address;
}

static void add_topologies(struct fake_job *job)
{
    struct fake_target *target = job->target;
    static const int64_t edges[] = {1, 3, 0, 2, 10, 20, 30, 40};
    const struct mpilens_topology graph = {.kind = MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH,
                                           .weighted = 1,
                                           .value_count = 8,
                                           .first_count = 2,
                                           .second_count = 2,
                                           .values = add_numbers(target, 4, edges, 8)};
    struct mpilens_topology cartesian = {.kind = MPILENS_TOPOLOGY_CARTESIAN,
                                         .reordered = 1,
                                         .value_count = 6,
                                         .first_count = 2,
                                         .short_values = {2, 1, 1, 0, 1, 0}};
    cartesian.values = job->split + target->fields[MPILENS_FIELD_communicator_topology].offset +
                       target->fields[MPILENS_FIELD_topology_short_values].offset;
    put_nested(target, job->split, MPILENS_FIELD_communicator_topology, MPILENS_STRUCT_topology, &cartesian);
    put_nested(target, job->self, MPILENS_FIELD_communicator_topology, MPILENS_STRUCT_topology, &graph);
}

static void put_datatype(struct fake_target *target, uint64_t record, enum mpilens_combiner combiner,
                         const int64_t *arguments, uint32_t integers, uint32_t addresses, uint32_t datatypes)
{
    fake_target_put_field(target, record, MPILENS_FIELD_datatype_combiner, combiner);
    fake_target_put_field(target, record, MPILENS_FIELD_datatype_integer_count, integers);
    fake_target_put_field(target, record, MPILENS_FIELD_datatype_address_count, addresses);
    fake_target_put_field(target, record, MPILENS_FIELD_datatype_datatype_count, datatypes);
    fake_target_put_field(target, record, MPILENS_FIELD_datatype_arguments,
                          add_numbers(target, 8, arguments, integers + addresses + datatypes));
}

static void add_datatypes(struct fake_contents *contents, struct fake_job *job)
{
    struct fake_target *target = job->target;
    fake_target_put_field(target, job->int_type, MPILENS_FIELD_datatype_serial, 1);
    fake_target_put_field(target, job->int_type, MPILENS_FIELD_datatype_extent, 4);
    fake_target_put_field(target, job->int_type, MPILENS_FIELD_datatype_true_extent, 4);
    fake_target_put_field(target, job->int_type, MPILENS_FIELD_datatype_combiner, MPILENS_COMBINER_NAMED);
    fake_target_put_field(target, job->vector_type, MPILENS_FIELD_datatype_serial, 2);
    fake_target_put_field(target, job->vector_type, MPILENS_FIELD_datatype_extent, 40);
    fake_target_put_field(target, job->vector_type, MPILENS_FIELD_datatype_true_extent, 40);
    const int64_t vector[] = {3, 2, 4, (int64_t)job->int_type};
    put_datatype(target, job->vector_type, MPILENS_COMBINER_VECTOR, vector, 3, 0, 1);
    const struct mpilens_datatype datatype = {.state = MPILENS_OBJECT_LIVE,
                                              .flags = MPILENS_DATATYPE_COMMITTED,
                                              .handle = 0x8c000003,
                                              .serial = 3,
                                              .references = 1,
                                              .site = 0x401c00,
                                              .size = 32,
                                              .extent = 56,
                                              .true_extent = 56,
                                              .name = "particle"};
    contents->struct_type = fake_target_add(target, MPILENS_TABLE_DATATYPES, &datatype);
    const int64_t members[] = {2, 2, 1, 0, 16, (int64_t)job->int_type, (int64_t)job->vector_type};
    put_datatype(target, contents->struct_type, MPILENS_COMBINER_STRUCT, members, 3, 2, 2);
}

static void add_session(struct fake_contents *contents, struct fake_job *job, const struct fake_objects *objects)
{
    struct fake_target *target = job->target;
    const struct mpilens_range everybody = {0, 1, 4};
    contents->session_group = fake_job_group(job, 1, 4, &everybody, 1);
    fake_target_put_field(target, contents->session_group, MPILENS_FIELD_group_session, objects->session);
    struct mpilens_communicator communicator =
        fake_job_communicator(job, contents->session_group, 1, 4, "of the session");
    communicator.session = objects->session;
    communicator.errhandler = objects->errhandler;
    contents->session_comm = fake_target_add(target, MPILENS_TABLE_COMMUNICATORS, &communicator);
}

/* As of MPICH, but with integers of Fortran that are others. */
static void add_handles(struct fake_contents *contents, struct fake_job *job, const struct fake_objects *objects)
{
    static const int64_t words[] = {12, 0, 3, 42, 0};
    struct fake_target *target = job->target;
    struct mpilens_process *process = &target->process;
    process->handle_bytes = 4;
    process->request_null = FAKE_REQUEST_NULL;
    process->null_handles[MPILENS_OBJECT_COMMUNICATOR] = FAKE_COMM_NULL;
    process->null_handles[MPILENS_OBJECT_DATATYPE] = FAKE_DATATYPE_NULL;
    process->fortran_null_handles[MPILENS_OBJECT_COMMUNICATOR] = 2;
    process->known_nulls = 1u << MPILENS_OBJECT_COMMUNICATOR | 1u << MPILENS_OBJECT_DATATYPE;
    process->status_layout[0] = (struct mpilens_status_layout){
        .bytes = 20, .source = 8, .tag = 12, .error = 16, .encoding = MPILENS_STATUS_PACKED};
    process->status_ignore = 1;
    process->statuses_ignore = 1;
    contents->status = add_numbers(target, 4, words, 5);
    const uint64_t communicators[] = {job->world, job->self, job->split, job->inter};
    for (uint64_t i = 0; i < 4; i++)
        fake_target_put_field(target, communicators[i], MPILENS_FIELD_communicator_serial, i + 1);
    fake_target_put_field(target, objects->pending_communicator, MPILENS_FIELD_communicator_serial, 5);
    fake_target_put_field(target, contents->session_comm, MPILENS_FIELD_communicator_serial, 6);
    fake_target_put_field(target, job->split, MPILENS_FIELD_communicator_fortran_handle, FAKE_FORTRAN_BASE + 3);
    fake_target_put_field(target, job->split, MPILENS_FIELD_communicator_flags, MPILENS_OBJECT_HAS_FORTRAN_HANDLE);
    fake_target_put_field(target, job->split, MPILENS_FIELD_communicator_errhandler, objects->errhandler);
}

void fake_contents_add(struct fake_contents *contents, struct fake_job *job, struct fake_objects *objects)
{
    memset(contents, 0, sizeof *contents);
    add_texts(job, objects);
    add_topologies(job);
    add_datatypes(contents, job);
    add_session(contents, job, objects);
    add_handles(contents, job, objects);
}
