/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A fake job with something of everything.
 */
#include "target.h"

#include "fake_objects.h"

#include <stdlib.h>
#include <string.h>

static struct fake_job job;
static struct fake_objects objects;
static uint64_t thread;
static uint32_t next_serial = 40;

static struct mpilens_communicator communicator(uint32_t handle, const char *name)
{
    struct mpilens_communicator made = fake_job_communicator(&job, job.world_group, 1, 4, name);
    made.handle = handle;
    made.serial = next_serial++;
    made.function = job.function.split;
    return made;
}

static uint64_t add_communicator(const struct mpilens_communicator *made)
{
    return fake_target_add(job.target, MPILENS_TABLE_COMMUNICATORS, made);
}

static void set_topology(uint64_t record, const struct mpilens_topology *topology)
{
    const uint64_t address = record + job.target->fields[MPILENS_FIELD_communicator_topology].offset;
    struct mpilens_topology placed = *topology;
    placed.values = address + job.target->fields[MPILENS_FIELD_topology_short_values].offset;
    fake_target_put(job.target, MPILENS_STRUCT_topology, address, &placed);
}

static void add_communicators(void)
{
    set_topology(job.split, &(struct mpilens_topology){.kind = MPILENS_TOPOLOGY_CARTESIAN,
                                                       .reordered = 1,
                                                       .value_count = 6,
                                                       .first_count = 2,
                                                       .short_values = {2, 1, 1, 0, 1, 0}});
    struct mpilens_communicator made = communicator(GRAPH, "graph");
    set_topology(add_communicator(&made), &(struct mpilens_topology){.kind = MPILENS_TOPOLOGY_GRAPH,
                                                                     .value_count = 10,
                                                                     .first_count = 4,
                                                                     .second_count = 6,
                                                                     .short_values = {2, 3, 4, 6, 1, 3, 0, 3, 0, 2}});
    made = communicator(DISTRIBUTED, "distributed");
    set_topology(add_communicator(&made), &(struct mpilens_topology){.kind = MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH,
                                                                     .weighted = 1,
                                                                     .value_count = 6,
                                                                     .first_count = 1,
                                                                     .second_count = 2,
                                                                     .short_values = {3, 0, 2, 50, 60, 70}});
    made = communicator(FREED_USED, "still used");
    made.state = MPILENS_OBJECT_FREED;
    made.users = 1;
    made.freed_site = 0x401f00;
    add_communicator(&made);
    made = communicator(FREED, "old");
    made.state = MPILENS_OBJECT_FREED;
    add_communicator(&made);
    made = communicator(FREED, "new");
    add_communicator(&made);
    made = communicator(GONE, "gone");
    made.state = MPILENS_OBJECT_FREED;
    add_communicator(&made);
}

static void add_errhandlers(void)
{
    struct mpilens_errhandler errhandler = {.state = MPILENS_OBJECT_LIVE,
                                            .flags = MPILENS_OBJECT_PREDEFINED,
                                            .handle = ERRORS_RETURN,
                                            .serial = 11,
                                            .name = "MPI_ERRORS_RETURN"};
    fake_target_add(job.target, MPILENS_TABLE_ERRHANDLERS, &errhandler);
    errhandler = (struct mpilens_errhandler){.state = MPILENS_OBJECT_FREED,
                                             .flags = MPILENS_OBJECT_FROM_FORTRAN,
                                             .handle = ERRHANDLER_FREED,
                                             .serial = 12,
                                             .user_function = 0x401e00,
                                             .object_kind = MPILENS_ATTACHABLE_FILE};
    fake_target_add(job.target, MPILENS_TABLE_ERRHANDLERS, &errhandler);
}

static void set_process(void)
{
    struct mpilens_process *process = &job.target->process;
    process->handle_bytes = 4;
    process->request_bytes = 4;
    process->fortran_is_c = 1;
    process->request_null = REQUEST_NULL;
    process->known_nulls = 1u << MPILENS_OBJECT_COMMUNICATOR | 1u << MPILENS_OBJECT_REQUEST |
                           1u << MPILENS_OBJECT_FILE | 1u << MPILENS_OBJECT_ERRHANDLER;
    process->null_handles[MPILENS_OBJECT_COMMUNICATOR] = COMM_NULL;
    process->fortran_null_handles[MPILENS_OBJECT_COMMUNICATOR] = COMM_NULL;
    process->null_handles[MPILENS_OBJECT_REQUEST] = REQUEST_NULL;
    process->fortran_null_handles[MPILENS_OBJECT_REQUEST] = REQUEST_NULL;
    process->null_handles[MPILENS_OBJECT_ERRHANDLER] = ERRHANDLER_NULL;
    process->fortran_null_handles[MPILENS_OBJECT_ERRHANDLER] = ERRHANDLER_NULL;
    process->status_ignore = 1;
    process->statuses_ignore = 1;
    process->status_layout[0] = (struct mpilens_status_layout){
        .bytes = 20, .source = 8, .tag = 12, .error = 16, .encoding = MPILENS_STATUS_PACKED, .count = 0};
}

static uint64_t put_object(uint64_t value)
{
    const uint64_t address = fake_target_reserve(job.target, 16);
    fake_target_put_integer(job.target, address, 8, 0x7f1234567890);
    fake_target_put_integer(job.target, address + 8, 4, value);
    return address;
}

static uint64_t put_status(uint64_t before)
{
    const uint64_t object = fake_target_reserve(job.target, before + 20);
    const uint64_t address = object + before;
    fake_target_put_integer(job.target, address, 4, STATUS_BYTES);
    fake_target_put_integer(job.target, address + 8, 4, STATUS_SOURCE);
    fake_target_put_integer(job.target, address + 12, 4, STATUS_TAG);
    return object;
}

struct target_addresses target_create(bool big_endian)
{
    next_serial = 40;
    fake_job_create(&job, &(struct fake_options){.word_size = 8, .big_endian = big_endian});
    fake_objects_add(&objects, &job);
    add_communicators();
    add_errhandlers();
    set_process();
    fake_job_populate(&job);
    const struct mpilens_thread other = {.state = MPILENS_THREAD_ALIVE, .index = 2, .tid = 4713, .entered = 7000};
    thread = fake_target_add(job.target, MPILENS_TABLE_THREADS, &other);
    const struct target_addresses addresses = {.status = put_status(0),
                                               .status_ignore = 1,
                                               .cxx_comm = put_object(INTER),
                                               .cxx_status = put_status(8),
                                               .cxx_garbage = put_object(0x12345678)};
    fake_target_publish(job.target);
    return addresses;
}

void target_destroy(void)
{
    fake_target_destroy(job.target);
}

void target_set_initialized(bool initialized)
{
    job.target->process.state = initialized ? MPILENS_PROCESS_RUNNING : MPILENS_PROCESS_UNUSED;
    fake_target_publish(job.target);
}

void target_reuse(void)
{
    fake_target_put_field(job.target, job.split, MPILENS_FIELD_communicator_state, MPILENS_OBJECT_FREED);
    struct mpilens_communicator made = communicator(SPLIT, "again");
    made.size = 1;
    made.rank = 0;
    add_communicator(&made);
    fake_target_put_field(job.target, thread, MPILENS_FIELD_thread_entered, 7001);
    fake_target_publish(job.target);
}

int target_read(unsigned long address, int bytes, void *ret_bytes)
{
    if (bytes < 0 || !fake_target_has(job.target, address, (size_t)bytes))
        return 0;
    memcpy(ret_bytes, fake_target_bytes(job.target, address, (size_t)bytes), (size_t)bytes);
    return 1;
}

unsigned long target_symbol(const char *name)
{
    return strcmp(name, MPILENS_PROCESS_SYMBOL) == 0 ? job.target->root : 0;
}
