/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies short arrays of counts, so that a black box tells them when the process is gone, and its memory with it.
 */
#include "objects/objects.h"

#include "memory/memory.h"
#include "mpi/functions.h"

#include <string.h>

enum {
    LEAST_ROOM = 8, /* a process may have more neighbours than its communicator has members */
    ELEMENT_BYTES = sizeof(uint64_t),
    ARRAYS = sizeof(struct count_arrays) / sizeof(uint64_t)
};

/* The members of the other side, or of the only one. */
static size_t peers_of(const struct mpilens_communicator *record)
{
    const int32_t peers = record->remote_size != 0 ? record->remote_size : record->size;
    return peers > 0 ? (size_t)peers : 0;
}

static size_t bytes_for(size_t room)
{
    return room * RECENT_COLLECTIVES * ARRAYS * ELEMENT_BYTES;
}

/* How many elements of each array can be copied; 0: there is no memory. */
static COLD size_t make_room(struct mpilens_communicator *record)
{
    const size_t peers = peers_of(record), most = MPILENS_MOST_COPIED_COUNTS;
    const size_t room = peers < LEAST_ROOM ? LEAST_ROOM : peers < most ? peers : most;
    record->count_copies = (uint64_t)(uintptr_t)block_take(bytes_for(room));
    record->copied_counts = record->count_copies != 0 ? room : 0;
    return record->copied_counts;
}

/* How many elements the arrays of a call have. */
struct lengths {
    size_t sent, received;
};

static struct lengths lengths_between_neighbours(const struct mpilens_communicator *record)
{
    const struct mpilens_topology *topology = record->topology;
    const int32_t *values = (const int32_t *)(uintptr_t)topology->values;
    size_t edges = 0;
    switch (topology->kind) {
    case MPILENS_TOPOLOGY_CARTESIAN:
        edges = 2 * (size_t)topology->first_count;
        break;
    case MPILENS_TOPOLOGY_GRAPH: /* the ends of each node's edges come first */
        if (record->rank >= 0 && record->rank < topology->first_count)
            edges = (size_t)(values[record->rank] - (record->rank > 0 ? values[record->rank - 1] : 0));
        break;
    case MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH:
        return (struct lengths){.received = (size_t)topology->first_count, .sent = (size_t)topology->second_count};
    }
    return (struct lengths){edges, edges};
}

static bool is_root(const struct mpilens_communicator *record, int32_t root)
{
    return record->remote_size != 0 ? root == MPI_ROOT : root == record->rank;
}

/* Of arrays to which MPI gives no meaning in this process: 0. */
static struct lengths lengths_of(const struct mpilens_communicator *record, uint32_t collective_class, int32_t root)
{
    const size_t peers = peers_of(record);
    switch (collective_class) {
    case MPILENS_COLLECTIVE_GATHERV:
        return (struct lengths){.received = is_root(record, root) ? peers : 0};
    case MPILENS_COLLECTIVE_SCATTERV:
        return (struct lengths){.sent = is_root(record, root) ? peers : 0};
    case MPILENS_COLLECTIVE_ALLGATHERV:
        return (struct lengths){.received = peers};
    case MPILENS_COLLECTIVE_REDUCE_SCATTER:
        return (struct lengths){.received = record->size > 0 ? (size_t)record->size : 0};
    case MPILENS_COLLECTIVE_ALLTOALLV:
    case MPILENS_COLLECTIVE_ALLTOALLW:
        return (struct lengths){peers, peers};
    case MPILENS_COLLECTIVE_NEIGHBOR_ALLGATHERV:
        return (struct lengths){.received = lengths_between_neighbours(record).received};
    case MPILENS_COLLECTIVE_NEIGHBOR_ALLTOALLV:
    case MPILENS_COLLECTIVE_NEIGHBOR_ALLTOALLW:
        return lengths_between_neighbours(record);
    default:
        return (struct lengths){.sent = 0};
    }
}

static bool are_lengths_known(const struct mpilens_communicator *record, uint32_t collective_class)
{
    switch (collective_class) {
    case MPILENS_COLLECTIVE_NEIGHBOR_ALLGATHERV:
    case MPILENS_COLLECTIVE_NEIGHBOR_ALLTOALLV:
    case MPILENS_COLLECTIVE_NEIGHBOR_ALLTOALLW:
        return record->topology->kind != MPILENS_TOPOLOGY_NONE &&
               (record->topology->kind != MPILENS_TOPOLOGY_GRAPH || record->topology->value_count != 0);
    default:
        return peers_of(record) > 0;
    }
}

/* The call whose arrays are there has ended, unless more calls go on at once than are remembered. */
static char *next_place(struct mpilens_communicator *record, size_t room)
{
    const size_t place = record->collective_count % RECENT_COLLECTIVES;
    __atomic_store_n(&record->recent_collectives[place].serial, 0, __ATOMIC_RELAXED);
    PUBLISH_BARRIER();
    return (char *)(uintptr_t)record->count_copies + place * ARRAYS * room * ELEMENT_BYTES;
}

/* An array of no elements is none: where MPI gives it no meaning, its address may be any. */
INLINE uint64_t copy(uint64_t array, char *to, size_t bytes)
{
    if (array == 0 || bytes == 0)
        return 0;
    memcpy(to, (const void *)(uintptr_t)array, bytes);
    return (uint64_t)(uintptr_t)to;
}

/* Of the elements whose count, in the copy, is not 0: nobody looks at others. */
static uint64_t copy_datatypes(uint64_t array, char *to, uint64_t counts, size_t count_bytes, size_t length)
{
    const MPI_Datatype *from = (const MPI_Datatype *)(uintptr_t)array;
    if (array == 0 || counts == 0)
        return 0;
    for (size_t i = 0; i < length; i++) {
        const char *count = (const char *)(uintptr_t)counts + i * count_bytes;
        const bool has_any = count_bytes == sizeof(int) ? *(const int *)count != 0 : *(const MPI_Count *)count != 0;
        ((MPI_Datatype *)to)[i] = has_any ? from[i] : MPI_DATATYPE_NULL;
    }
    return (uint64_t)(uintptr_t)to;
}

const struct count_arrays *count_copies_make(struct mpilens_communicator *record, uint32_t collective_class,
                                             uint32_t function, int32_t root, const struct count_arrays *arrays,
                                             struct count_arrays *copies)
{
    if ((arrays->send_counts | arrays->receive_counts) == 0 || !are_lengths_known(record, collective_class))
        return arrays;
    const struct lengths lengths = lengths_of(record, collective_class, root);
    const size_t room = likely(record->copied_counts != 0) ? record->copied_counts : make_room(record);
    if (lengths.sent > room || lengths.received > room)
        return arrays;
    char *const place = next_place(record, room);
    const size_t stride = room * ELEMENT_BYTES;
    const size_t count_bytes = mpilens__functions[function].small_count != 0 ? sizeof(MPI_Count) : sizeof(int);
    copies->send_counts = copy(arrays->send_counts, place, lengths.sent * count_bytes);
    copies->receive_counts = copy(arrays->receive_counts, place + stride, lengths.received * count_bytes);
    copies->send_datatypes = arrays->send_datatypes;
    copies->receive_datatypes = arrays->receive_datatypes;
    if (collective_class == MPILENS_COLLECTIVE_ALLTOALLW || collective_class == MPILENS_COLLECTIVE_NEIGHBOR_ALLTOALLW) {
        copies->send_datatypes =
            copy_datatypes(arrays->send_datatypes, place + 2 * stride, copies->send_counts, count_bytes, lengths.sent);
        copies->receive_datatypes = copy_datatypes(arrays->receive_datatypes, place + 3 * stride,
                                                   copies->receive_counts, count_bytes, lengths.received);
    }
    return copies;
}

void count_copies_give_back(struct mpilens_communicator *record)
{
    block_give_back((void *)(uintptr_t)record->count_copies, bytes_for(record->copied_counts));
    record->count_copies = 0;
    record->copied_counts = 0;
}
