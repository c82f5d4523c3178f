/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts collective calls, and finds their places among the recent ones again.
 */
#include "operations/operations.h"

#include "memory/memory.h"
#include "mpi/functions.h"

static uint32_t class_of(uint32_t function)
{
    return (uint32_t)mpilens__functions[function].collective_class;
}

static struct mpilens_communicator *communicator_of(const struct mpilens_operation *operation)
{
    return (struct mpilens_communicator *)(uintptr_t)operation->communicator;
}

/* The call's entry among the recent ones, if it is there still. */
static struct mpilens_collective *entry_of(const struct mpilens_operation *operation)
{
    uint64_t serial = operation->collective;
    if (serial == 0)
        return NULL;
    struct mpilens_collective *call =
        &communicator_of(operation)->recent_collectives[(serial - 1) % RECENT_COLLECTIVES];
    return __atomic_load_n(&call->serial, __ATOMIC_RELAXED) == serial ? call : NULL;
}

enum { FIRST_DISTANCE = 32, REGULAR_MARKS = MPILENS_MARK_COUNT - MPILENS_DOUBLING_MARKS };

static struct mpilens_collective_mark *marks_of(const struct mpilens_communicator *record)
{
    return (struct mpilens_collective_mark *)(uintptr_t)record->marks;
}

static void write_mark(struct mpilens_collective_mark *mark, const struct mpilens_collective_mark value)
{
    __atomic_store_n(&mark->serial, 0, __ATOMIC_RELAXED);
    PUBLISH_BARRIER();
    mark->site = value.site;
    mark->function = value.function;
    mark->root = value.root;
    mark->begun = value.begun;
    mark->root_sum = value.root_sum;
    PUBLISH_BARRIER();
    __atomic_store_n(&mark->serial, value.serial, __ATOMIC_RELAXED);
}

/* Keeps every second of the regular marks. */
static void thin_out(struct mpilens_communicator *record)
{
    struct mpilens_collective_mark *marks = marks_of(record) + MPILENS_DOUBLING_MARKS;
    for (size_t i = 0; i < REGULAR_MARKS; i++)
        write_mark(&marks[i], i < REGULAR_MARKS / 2 ? marks[2 * i + 1] : (struct mpilens_collective_mark){0});
    record->mark_mask = 2 * record->mark_mask + 1;
}

static void make_marks(struct mpilens_communicator *record)
{
    struct mpilens_collective_mark *marks = block_take(MPILENS_MARK_COUNT * sizeof *marks);
    for (size_t i = 0; marks != NULL && i < MPILENS_MARK_COUNT; i++)
        marks[i] = (struct mpilens_collective_mark){0};
    __atomic_store_n(&record->marks, (uint64_t)(uintptr_t)marks, __ATOMIC_RELEASE);
}

/* The last of the doubling ones also serves calls that are beyond all counting. */
static size_t place_of_mark(uint64_t serial, uint64_t distance)
{
    if ((serial & (serial - 1)) != 0)
        return MPILENS_DOUBLING_MARKS + serial / distance - 1;
    const size_t doublings = (size_t)__builtin_ctzll(serial / FIRST_DISTANCE);
    return doublings < MPILENS_DOUBLING_MARKS ? doublings : MPILENS_DOUBLING_MARKS - 1;
}

static void make_mark(struct mpilens_communicator *record, const struct mpilens_collective_mark *mark)
{
    if (record->mark_mask == 0) {
        record->mark_mask = FIRST_DISTANCE - 1;
        return;
    }
    if (record->marks == 0)
        make_marks(record);
    if (record->marks == 0) {
        record->mark_mask = UINT64_MAX; /* there is no memory: none is ever due */
        return;
    }
    /* Calls that were due may have been missed. */
    while (mark->serial / (record->mark_mask + 1) > REGULAR_MARKS)
        thin_out(record);
    if ((mark->serial & record->mark_mask) == 0)
        write_mark(&marks_of(record)[place_of_mark(mark->serial, record->mark_mask + 1)], *mark);
}

void collective_mark(struct mpilens_communicator *record, const struct mpilens_collective *call)
{
    static bool is_marking;
    const struct mpilens_collective_mark mark = {.serial = __atomic_load_n(&call->serial, __ATOMIC_ACQUIRE),
                                                 .site = call->site,
                                                 .function = call->function,
                                                 .root = call->has_root ? call->root : -1,
                                                 .begun = record->collective_count,
                                                 .root_sum = record->root_sum};
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    /* Other threads may give the place of the call to another, or mark one. A mark less does no harm. */
    if (mark.serial == 0 || mark.serial != __atomic_load_n(&call->serial, __ATOMIC_RELAXED) ||
        __atomic_exchange_n(&is_marking, true, __ATOMIC_ACQUIRE))
        return;
    make_mark(record, &mark);
    __atomic_store_n(&is_marking, false, __ATOMIC_RELEASE);
}

/* The arrays of a persistent collective. Those of the program must stay as they are, but a language binding may have
 * given temporary ones: a start reads nothing but the copies. */
struct kept_arrays {
    size_t bytes; /* of this and the copies, which follow */
    struct count_lengths lengths;
    struct count_arrays given;
    struct count_arrays copies; /* if the lengths are short enough */
};

static bool are_copied(const struct count_lengths lengths)
{
    return count_lengths_longest(lengths) <= MPILENS_MOST_COPIED_COUNTS;
}

/* Its address stands in place of the op that calls of its class have not. */
static struct kept_arrays *kept_arrays(const struct mpilens_operation *persistent)
{
    if (persistent->state != MPILENS_OPERATION_PERSISTENT || !(persistent->flags & MPILENS_OPERATION_COLLECTIVE))
        return NULL;
    switch (class_of(persistent->function)) {
    case MPILENS_COLLECTIVE_GATHERV:
    case MPILENS_COLLECTIVE_SCATTERV:
    case MPILENS_COLLECTIVE_ALLGATHERV:
    case MPILENS_COLLECTIVE_ALLTOALLV:
    case MPILENS_COLLECTIVE_ALLTOALLW:
    case MPILENS_COLLECTIVE_NEIGHBOR_ALLGATHERV:
    case MPILENS_COLLECTIVE_NEIGHBOR_ALLTOALLV:
    case MPILENS_COLLECTIVE_NEIGHBOR_ALLTOALLW:
        return (struct kept_arrays *)(uintptr_t)persistent->own;
    default:
        return NULL;
    }
}

void collective_keep_arrays(struct mpilens_operation *persistent, const struct collective_arguments *arguments)
{
    const struct mpilens_communicator *record = communicator_of(persistent);
    if (persistent->own != 0 || record == NULL)
        return;
    const struct count_lengths lengths = count_lengths(record, arguments->collective_class, arguments->root);
    const size_t stride = are_copied(lengths) ? count_lengths_longest(lengths) * COPIED_BYTES : 0;
    const size_t bytes = sizeof(struct kept_arrays) + COPIED_ARRAYS * stride;
    struct kept_arrays *kept = block_take(bytes);
    if (kept == NULL)
        return;
    *kept = (struct kept_arrays){.bytes = bytes, .lengths = lengths, .given = *arguments->arrays};
    if (are_copied(lengths))
        kept->copies =
            count_copies_write((char *)(kept + 1), stride, arguments->collective_class, lengths, &kept->given);
    persistent->own = (uint64_t)(uintptr_t)kept;
}

void collective_forget_arrays(struct mpilens_operation *persistent)
{
    struct kept_arrays *kept = kept_arrays(persistent);
    if (kept == NULL)
        return;
    persistent->own = 0;
    block_give_back(kept, kept->bytes);
}

INLINE struct mpilens_collective describe_start(const struct thread *thread, const struct mpilens_operation *persistent,
                                                uint64_t op)
{
    return (struct mpilens_collective){.entered = thread->published.entered,
                                       .site = thread->published.site,
                                       .function = persistent->function,
                                       .root = persistent->has_root ? persistent->root : 0,
                                       .has_root = (uint32_t)persistent->has_root,
                                       .count = persistent->has_count ? (int64_t)persistent->count : -1,
                                       .datatype = persistent->datatype,
                                       .op = op,
                                       .buffer = persistent->buffer};
}

/* By now the communicator may be known better: it is the copies' own lengths that tell what there is. */
static struct count_arrays copy_again(struct mpilens_communicator *record, uint64_t serial, uint32_t collective_class,
                                      const struct kept_arrays *kept)
{
    return are_copied(kept->lengths)
               ? count_copies_make(record, serial, collective_class, kept->lengths, &kept->copies, &kept->given)
               : kept->given;
}

/* Copies are made for the call, as it is remembered longer than the request. */
static __attribute__((noinline)) struct mpilens_collective *note_with_arrays(const struct thread *thread,
                                                                             const struct mpilens_operation *persistent,
                                                                             const struct kept_arrays *kept)
{
    struct mpilens_communicator *record = communicator_of(persistent);
    const uint32_t collective_class = class_of(persistent->function);
    const struct mpilens_collective described = describe_start(thread, persistent, 0);
    uint64_t serial;
    struct mpilens_collective *call =
        collective_open_place(&record->collective_count, record->recent_collectives, &serial);
    const struct count_arrays arrays = copy_again(record, serial, collective_class, kept);
    collective_fill_place(call, serial, described, &arrays);
    collective_count(thread, record, collective_class, described.root);
    return call;
}

uint64_t collective_restart(struct thread *thread, const struct mpilens_operation *persistent)
{
    static const struct count_arrays none; /* the place must not tell of another call's */
    struct mpilens_communicator *record = communicator_of(persistent);
    if (record == NULL)
        return 0;
    const struct kept_arrays *kept = kept_arrays(persistent);
    const struct mpilens_collective *call =
        kept != NULL ? note_with_arrays(thread, persistent, kept)
                     : collective_note(thread, record, class_of(persistent->function),
                                       describe_start(thread, persistent, persistent->op), &none);
    return call->serial;
}

INLINE void count_over(struct mpilens_communicator *record, const struct mpilens_operation *operation)
{
    const struct thread *any_thread = __atomic_load_n(&mpilens__threads, __ATOMIC_ACQUIRE);
    collective_count_active(any_thread, &record->collective_states[class_of(operation->function)], -1);
}

/* MPI_Comm_idup, which has no class, or others have come to the place of the call. */
static COLD void over_unusually(struct mpilens_communicator *record, const struct mpilens_operation *operation,
                                struct mpilens_collective *call)
{
    if (operation->flags & MPILENS_OPERATION_COLLECTIVE)
        count_over(record, operation);
    if (call != NULL)
        __atomic_store_n(&call->active, 0, __ATOMIC_RELAXED);
}

void collective_over(const struct mpilens_operation *operation)
{
    struct mpilens_communicator *record = communicator_of(operation);
    if (record == NULL)
        return;
    const uint64_t serial = operation->actual_bytes;
    struct mpilens_collective *call = entry_of(operation);
    if (unlikely(call == NULL || !(operation->flags & MPILENS_OPERATION_COLLECTIVE))) {
        over_unusually(record, operation, call);
        return;
    }
    count_over(record, operation);
    __atomic_store_n(&call->active, 0, __ATOMIC_RELAXED);
    collective_mark_if_due(record, call, serial);
}

void collective_never_was(const struct mpilens_operation *operation)
{
    struct mpilens_communicator *record = communicator_of(operation);
    if (record == NULL || operation->collective == 0 || record->collective_count != operation->collective)
        return;
    struct mpilens_collective *call = entry_of(operation);
    if (call != NULL) /* unless other threads are in collective calls on it, which must not be */
        call->serial = 0;
    record->collective_count--;
    record->root_sum -= (uint64_t)(int64_t)(operation->has_root ? operation->root : 0);
    record->collective_states[class_of(operation->function)].count--;
}

void collective_end_slowly(const struct thread *thread, struct mpilens_collective *call, uint32_t collective_class,
                           int error)
{
    struct mpilens_communicator *record = (struct mpilens_communicator *)(uintptr_t)thread->published.communicator;
    if (error != MPI_SUCCESS)
        failed_call_returned(thread, error);
    collective_note_end(thread, record, collective_class, call);
    if (error == MPI_SUCCESS)
        collective_mark_if_due(record, call, call->serial);
    else
        collective_failed(thread, call, error);
}

void collective_abandon(struct thread *thread)
{
    collective_order_abandon(thread);
    const struct mpilens_function *function = &mpilens__functions[thread->published.function];
    struct mpilens_communicator *record = (struct mpilens_communicator *)(uintptr_t)thread->published.communicator;
    if (function->call_class != MPILENS_CALL_COLLECTIVE || record == NULL)
        return;
    collective_count_active(thread, &record->collective_states[function->collective_class], -1);
}
