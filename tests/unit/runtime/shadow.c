/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading the shadow state.
 */
#include "shadow.h"

#include "mpi/mpi_traits.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Calls `see` with each record of a kind with this state until it returns true, and returns that record; or NULL. */
static void *find_record(enum mpilens_table_kind kind, uint32_t state, bool (*see)(void *record, void *context),
                         void *context)
{
    const struct mpilens_table *table = &mpilens_process.tables[kind];
    const struct mpilens_chunk *chunks = (const struct mpilens_chunk *)(uintptr_t)table->directory;
    for (uint32_t i = 0; i < table->chunk_count; i++)
        for (uint32_t k = 0; chunks[i].in_use > 0 && k < chunks[i].high_water; k++) {
            char *record = (char *)(uintptr_t)chunks[i].records + (size_t)k * table->record_bytes;
            uint32_t found = *(uint32_t *)(void *)record;
            if (found != 0 && (state == 0 || found == state) && see(record, context))
                return record;
        }
    return NULL;
}

static bool is_last_of(void *record, void *context)
{
    size_t *left = context;
    (void)record;
    return (*left)-- == 0;
}

void *shadow_record(enum mpilens_table_kind kind, uint32_t state, size_t n)
{
    return find_record(kind, state, is_last_of, &n);
}

static bool count_record(void *record, void *context)
{
    size_t *count = context;
    (void)record;
    (*count)++;
    return false;
}

size_t shadow_count(enum mpilens_table_kind kind, uint32_t state)
{
    size_t count = 0;
    find_record(kind, state, count_record, &count);
    return count;
}

static bool add_operation(void *record, void *context)
{
    struct mpilens_operation ***next = context;
    *(*next)++ = record;
    return false;
}

static int compare_posted(const void *left, const void *right)
{
    const struct mpilens_operation *const *one = left, *const *other = right;
    return ((*one)->posted > (*other)->posted) - ((*one)->posted < (*other)->posted);
}

struct mpilens_operation *shadow_operation(enum mpilens_operation_state state, size_t n)
{
    const size_t count = shadow_count(MPILENS_TABLE_OPERATIONS, state);
    if (n >= count)
        return NULL;
    struct mpilens_operation **operations = calloc(count, sizeof *operations), **next = operations;
    if (operations == NULL)
        abort();
    find_record(MPILENS_TABLE_OPERATIONS, state, add_operation, &next);
    qsort(operations, count, sizeof *operations, compare_posted);
    struct mpilens_operation *found = operations[n];
    free(operations);
    return found;
}

size_t shadow_live_operations(void)
{
    return shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_PENDING) +
           shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_MATCHED) +
           shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_COMPLETE) +
           shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_RELEASED);
}

uint64_t address_of(const void *object)
{
    return (uint64_t)(uintptr_t)object;
}

static void *live_object(enum mpilens_table_kind kind, uint64_t handle)
{
    const struct mpilens_info *record; /* as any: MPILENS_OBJECT_FIELDS */
    for (size_t i = 0; (record = shadow_record(kind, MPILENS_OBJECT_LIVE, i)); i++)
        if (record->handle == handle)
            return (void *)(uintptr_t)record;
    return NULL;
}

struct mpilens_communicator *shadow_communicator(MPI_Comm handle)
{
    return live_object(MPILENS_TABLE_COMMUNICATORS, HANDLE_VALUE(handle));
}

struct mpilens_group *shadow_group(MPI_Group handle)
{
    return live_object(MPILENS_TABLE_GROUPS, HANDLE_VALUE(handle));
}

struct mpilens_datatype *shadow_datatype(MPI_Datatype handle)
{
    return live_object(MPILENS_TABLE_DATATYPES, HANDLE_VALUE(handle));
}

struct mpilens_op *shadow_op(MPI_Op handle)
{
    return live_object(MPILENS_TABLE_OPS, HANDLE_VALUE(handle));
}

struct mpilens_errhandler *shadow_errhandler(MPI_Errhandler handle)
{
    return live_object(MPILENS_TABLE_ERRHANDLERS, HANDLE_VALUE(handle));
}

struct mpilens_info *shadow_info(MPI_Info handle)
{
    return live_object(MPILENS_TABLE_INFOS, HANDLE_VALUE(handle));
}

struct mpilens_keyval *shadow_keyval(int handle)
{
    return live_object(MPILENS_TABLE_KEYVALS, HANDLE_VALUE(handle));
}

struct mpilens_window *shadow_window(MPI_Win handle)
{
    return live_object(MPILENS_TABLE_WINDOWS, HANDLE_VALUE(handle));
}

struct mpilens_file *shadow_file(MPI_File handle)
{
    return live_object(MPILENS_TABLE_FILES, (uint64_t)(uintptr_t)handle);
}

void *shadow_live_object(enum mpilens_table_kind kind, size_t n)
{
    const struct mpilens_info *record; /* as any: MPILENS_OBJECT_FIELDS */
    for (size_t i = 0; (record = shadow_record(kind, MPILENS_OBJECT_LIVE, i)); i++) {
        bool counts = kind == MPILENS_TABLE_ATTRIBUTES ||
                      (!(record->flags & MPILENS_OBJECT_PREDEFINED) &&
                       (record->references > 0 || (kind != MPILENS_TABLE_GROUPS && kind != MPILENS_TABLE_ERRHANDLERS)));
        if (counts && n-- == 0)
            return (void *)(uintptr_t)record;
    }
    return NULL;
}

size_t shadow_live_objects(enum mpilens_table_kind kind)
{
    size_t count = 0;
    while (shadow_live_object(kind, count) != NULL)
        count++;
    return count;
}

/* The sum over all threads. */
struct channel_sum {
    const struct mpilens_communicator *communicator;
    int peer;
    uint64_t sent, received;
};

static bool add_channel(void *record, void *context)
{
    const struct mpilens_channel *channel = record;
    struct channel_sum *sum = context;
    if (channel->communicator == (uint64_t)(uintptr_t)sum->communicator &&
        channel->communicator_id == sum->communicator->unique_id && channel->peer == sum->peer) {
        sum->sent += channel->sent;
        sum->received += channel->received;
    }
    return false;
}

static struct channel_sum channel_sum(MPI_Comm communicator, int peer)
{
    struct channel_sum sum = {.communicator = shadow_communicator(communicator), .peer = peer};
    if (sum.communicator != NULL)
        find_record(MPILENS_TABLE_CHANNELS, 0, add_channel, &sum);
    return sum;
}

uint64_t shadow_sent(MPI_Comm communicator, int peer)
{
    return channel_sum(communicator, peer).sent;
}

uint64_t shadow_received(MPI_Comm communicator, int peer)
{
    return channel_sum(communicator, peer).received;
}

struct mpilens_thread *shadow_thread(void)
{
    struct mpilens_thread *thread;
    for (size_t i = 0; (thread = shadow_record(MPILENS_TABLE_THREADS, MPILENS_THREAD_ALIVE, i)); i++)
        if (thread->tid == (uint32_t)syscall(SYS_gettid))
            return thread;
    return NULL;
}

const char *shadow_function_name(uint32_t function)
{
    const struct mpilens_function *functions = (const struct mpilens_function *)(uintptr_t)mpilens_process.functions;
    return function < mpilens_process.function_count ? functions[function].name : "?";
}

const char *shadow_leftover(void)
{
    if (shadow_live_operations() > 0)
        return "an operation is live";
    if (shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_PERSISTENT) > 0)
        return "a persistent request is left";
    if (shadow_count(MPILENS_TABLE_MESSAGES, 0) > 0)
        return "a message is left";
    if (shadow_count(MPILENS_TABLE_PARTITIONS, 0) > 0)
        return "partitions are left";
    const struct mpilens_thread *thread;
    for (size_t i = 0; (thread = shadow_record(MPILENS_TABLE_THREADS, 0, i)); i++)
        if (thread->function != 0 || thread->request_count != 0 || thread->operation_2 != 0)
            return "a thread is in a call";
    const struct mpilens_communicator *communicator;
    for (size_t i = 0; (communicator = shadow_record(MPILENS_TABLE_COMMUNICATORS, MPILENS_OBJECT_LIVE, i)); i++) {
        if (!(communicator->flags & MPILENS_OBJECT_PREDEFINED))
            return "a communicator is live";
        for (size_t k = 0; k < sizeof communicator->collective_states / sizeof communicator->collective_states[0]; k++)
            if (communicator->collective_states[k].active != 0)
                return "a collective call is active";
    }
    const struct mpilens_datatype *datatype;
    for (size_t i = 0; (datatype = shadow_record(MPILENS_TABLE_DATATYPES, MPILENS_OBJECT_LIVE, i)); i++)
        if (!(datatype->flags & MPILENS_OBJECT_PREDEFINED))
            return "a datatype is live";
    if (shadow_record(MPILENS_TABLE_WINDOWS, MPILENS_OBJECT_LIVE, 0) != NULL)
        return "a window is live";
    if (shadow_record(MPILENS_TABLE_FILES, MPILENS_OBJECT_LIVE, 0) != NULL)
        return "a file is open";
    static const struct {
        enum mpilens_table_kind kind;
        const char *leftover;
    } others[] = {{MPILENS_TABLE_GROUPS, "a group is live"},
                  {MPILENS_TABLE_OPS, "an op is live"},
                  {MPILENS_TABLE_ERRHANDLERS, "an error handler is live"},
                  {MPILENS_TABLE_INFOS, "an info object is live"},
                  {MPILENS_TABLE_KEYVALS, "a keyval is live"},
                  {MPILENS_TABLE_SESSIONS, "a session is up"},
                  {MPILENS_TABLE_ATTRIBUTES, "an attribute is set"}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (shadow_live_objects(others[i].kind) > 0)
            return others[i].leftover;
    return NULL;
}
