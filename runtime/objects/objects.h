/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators, groups, datatypes, windows, files, ...: birth, use and end of their records.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_OBJECTS_H
#define MPILENS_RUNTIME_OBJECTS_OBJECTS_H

#include "memory/memory.h"
#include "mpi/functions.h"
#include "mpi/mpi_traits.h"
#include "mpilens/layout.h"
#include "mpilens/object_layout.h"
#include "thread/thread.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* -- attachable.c -- Objects that have attributes and error handlers.
 */

/* The record of the object that a handle names now, or NULL. */
void *attachable_find(struct thread *thread, enum mpilens_attachable kind, uint64_t handle);

/* The communicator that a call on this object works on: its record, or NULL. */
INLINE const struct mpilens_communicator *attachable_communicator(enum mpilens_attachable kind, const void *object)
{
    return kind == MPILENS_ATTACHABLE_COMMUNICATOR ? object : NULL;
}

/* After MPI_Finalize: deletes what the application set on MPI_COMM_SELF and MPI_COMM_WORLD. */
void attachable_finalized(void);

/* -- keyval.c --
 * Keys of attributes. A freed one stays known while attributes are set with it: their callbacks still run.
 */

/* Records of the predefined ones. At initialization, as often as one likes. */
void keyvals_initialize(void);

/* Arguments of a constructor; functions as addresses. */
struct keyval_arguments {
    uint64_t copy_function;
    uint64_t delete_function;
    uint64_t extra_state;
    enum mpilens_attachable kind;
};

void keyval_created(uint32_t function, uint64_t site, int keyval, const struct keyval_arguments *arguments);

/* The record that a handle (HANDLE_VALUE of the int) names now, or NULL. */
struct mpilens_keyval *keyval_find(uint64_t handle);

/* As keyval_find, for an attribute that was set with it; makes a record if the key's creation was not seen. NULL: no
 * memory. */
struct mpilens_keyval *keyval_discover(int keyval, enum mpilens_attachable kind);

/* After a call that frees it; `record` and `handle` as they were before. NULL is fine. */
void keyval_freed(uint32_t function, uint64_t site, struct mpilens_keyval *record, uint64_t handle);

/* An attribute is set with it from now on, or no more. NULL is fine. */
struct mpilens_keyval *keyval_use(struct mpilens_keyval *record);
void keyval_unuse(struct mpilens_keyval *record);

/* -- attribute.c --
 * Attributes that the application sets on communicators, datatypes and windows. Programs that set none pay for nothing.
 */

/* How many there are. */
extern uint64_t mpilens__attribute_count __attribute__((visibility("hidden")));

/* `value` is set on `object` with `keyval`, whose record was `record` before the call; one that was set before is
 * replaced. NULL is fine. */
void attribute_set(enum mpilens_attachable kind, const void *object, struct mpilens_keyval *record, int keyval,
                   uint64_t value, uint64_t site);

/* After a call that deletes it. NULL is fine. */
void attribute_deleted(const void *object, const struct mpilens_keyval *keyval);

void attributes_drop(const void *object) COLD;
void attributes_copy(enum mpilens_attachable kind, const void *from, const void *to, uint64_t handle,
                     bool may_ask) COLD;

/* The application has freed the object with this record: its attributes went first. */
INLINE void attributes_object_freed(const void *object)
{
    if (unlikely(__atomic_load_n(&mpilens__attribute_count, __ATOMIC_RELAXED) != 0))
        attributes_drop(object);
}

/* `to`, the record of what `handle` names, is a duplicate of `from`: it has those attributes that were copied. Copy
 * functions may decline, so MPI is asked, unless nothing may be asked of `handle` yet. NULL is fine. */
INLINE void attributes_copied(enum mpilens_attachable kind, const void *from, const void *to, uint64_t handle,
                              bool may_ask)
{
    if (unlikely(__atomic_load_n(&mpilens__attribute_count, __ATOMIC_RELAXED) != 0) && from != NULL && to != NULL)
        attributes_copy(kind, from, to, handle, may_ask);
}

/* -- collective_order.c --
 * The order of collective calls: all members of a communicator, window or file make them in the same one, so that calls
 * with the same ordinal belong together.
 */

enum {
    RECENT_COLLECTIVES =
        sizeof((struct mpilens_communicator *)0)->recent_collectives / sizeof(struct mpilens_collective),
    NO_ROOT = INT32_MIN
};

/* Where the arrays of counts of a call are: see mpilens_collective. */
struct count_arrays {
    uint64_t send_counts;
    uint64_t send_datatypes;
    uint64_t receive_counts;
    uint64_t receive_datatypes;
    uint64_t count_bytes; /* of one count */
};

/* The next place of an order, hidden from readers until collective_fill_place. */
INLINE struct mpilens_collective *collective_open_place(uint64_t *count, struct mpilens_collective *recent,
                                                        uint64_t *ret_serial)
{
    uint64_t serial = ++*count;
    struct mpilens_collective *call = &recent[(serial - 1) % RECENT_COLLECTIVES];
    __asm__("" : "+r"(call)); /* one register, instead of computing the address for each member */
    call->serial = 0;
    PUBLISH_BARRIER();
    *ret_serial = serial;
    return call;
}

INLINE void collective_place_arrays(struct mpilens_collective *call, const struct count_arrays *arrays)
{
    call->send_counts = arrays->send_counts;
    call->send_datatypes = arrays->send_datatypes;
    call->receive_counts = arrays->receive_counts;
    call->receive_datatypes = arrays->receive_datatypes;
}

/* `serial` and `active` of `described` mean nothing, nor do arrays, which come apart. NULL: the function has none. */
INLINE void collective_fill_place(struct mpilens_collective *call, uint64_t serial,
                                  const struct mpilens_collective described, const struct count_arrays *arrays)
{
    call->entered = described.entered;
    call->site = described.site;
    call->function = described.function;
    call->active = 1;
    call->root = described.root;
    call->has_root = described.has_root;
    call->count = described.count;
    call->datatype = described.datatype;
    call->op = described.op;
    call->buffer = described.buffer;
    if (arrays != NULL)
        collective_place_arrays(call, arrays);
    PUBLISH_BARRIER();
    call->serial = serial;
}

/* The call that the thread is in, which moves no data of the communicator, takes its place. `root`, or NO_ROOT. The
 * place, for collective_leave: one that nobody sees where the object is not known (NULL). */
struct mpilens_collective *collective_enter_communicator(const struct thread *thread,
                                                         struct mpilens_communicator *communicator, int32_t root);
struct mpilens_collective *collective_enter_window(const struct thread *thread, struct mpilens_window *window);
struct mpilens_collective *collective_enter_file(const struct thread *thread, struct mpilens_file *file);

/* The call that the thread is in has failed. If MPI has refused it, it gives back its place `call`, unless others have
 * come after it. */
void collective_failed(const struct thread *thread, struct mpilens_collective *call, int error) COLD;

/* It has returned `error`, and the object is there still. */
INLINE void collective_leave(const struct thread *thread, struct mpilens_collective *call, int error)
{
    call->active = 0;
    if (unlikely(error != MPI_SUCCESS))
        collective_failed(thread, call, error);
}

/* The thread's current call, if it has a place, will never end normally. */
void collective_order_abandon(const struct thread *thread);

/* -- collective_arguments.c -- Arguments that must agree at all members of a collective call that makes or changes an
 * object: struct mpilens_collective_arguments of layout.def.
 */

/* One of them: a list, a text, or a number. */
struct agreed_argument {
    char name[16];
    size_t name_length;
    const int *list; /* NULL: none */
    int64_t length;  /* of the list, as the caller says: perhaps wrong */
    const char *text;
    int64_t value;     /* MPI_UNDEFINED: the caller takes no part, and nothing is said */
    bool is_condition; /* the number, or the numbers of the list, only matter as 0 or not */
    bool may_differ;   /* from here on, each may give its own, or other texts mean the same */
};

/* Its name, a literal. */
#define AGREED_NAME(words) .name = {words}, .name_length = sizeof(words) - 1

/* The call that has taken the place `call`. `arguments`: the field of its communicator or file; NULL: that is not
 * known. */
void collective_agree(uint64_t *arguments, const struct mpilens_collective *call, const struct agreed_argument *agreed,
                      size_t count);

/* The number of edges of a graph, as the last of its `nodes` indices says; 0: that cannot be. */
int64_t collective_edge_count(const int *index, int nodes);

/* The dimensions of a Cartesian communicator; 0: it is none. NULL is fine. */
int64_t collective_dimensions(const struct mpilens_communicator *communicator);

/* Whether the weights of edges are some (1) or MPI_UNWEIGHTED (0); MPI_UNDEFINED: not known. */
int64_t collective_has_weights(const int *weights);

/* There are none any more. */
void collective_arguments_give_back(uint64_t *arguments);

/* -- count_copies.c --
 * Copies of short arrays of counts, which a black box keeps.
 */

enum {
    COPIED_ARRAYS = 4,
    COPIED_BYTES = sizeof(uint64_t), /* at most, of an element */
    COPY_BLOCK = 16,
    LEAST_ROOM = 8, /* a process may have more neighbours than its communicator has members */
    LEAST_STRIDE = LEAST_ROOM * COPIED_BYTES
};

/* How many elements the arrays of a call have, 0: MPI gives them no meaning in this process, SIZE_MAX: not known. */
struct count_lengths {
    size_t sent, received;
};

struct count_lengths count_lengths_between_neighbours(const struct mpilens_communicator *record);

INLINE struct count_lengths count_lengths(const struct mpilens_communicator *record, uint32_t collective_class,
                                          int32_t root)
{
    const size_t size = (size_t)record->size; /* -1: not known */
    const size_t peers = record->remote_size != 0 ? (size_t)record->remote_size : size;
    const bool is_root = record->remote_size != 0 ? root == MPI_ROOT : root == record->rank;
    switch (collective_class) {
    case MPILENS_COLLECTIVE_GATHERV:
        return (struct count_lengths){.received = is_root ? peers : 0};
    case MPILENS_COLLECTIVE_SCATTERV:
        return (struct count_lengths){.sent = is_root ? peers : 0};
    case MPILENS_COLLECTIVE_ALLGATHERV:
        return (struct count_lengths){.received = peers};
    case MPILENS_COLLECTIVE_REDUCE_SCATTER:
        return (struct count_lengths){.received = size};
    case MPILENS_COLLECTIVE_ALLTOALLV:
    case MPILENS_COLLECTIVE_ALLTOALLW:
        return (struct count_lengths){peers, peers};
    case MPILENS_COLLECTIVE_NEIGHBOR_ALLGATHERV:
        return (struct count_lengths){.received = count_lengths_between_neighbours(record).received};
    case MPILENS_COLLECTIVE_NEIGHBOR_ALLTOALLV:
    case MPILENS_COLLECTIVE_NEIGHBOR_ALLTOALLW:
        return count_lengths_between_neighbours(record);
    default:
        return (struct count_lengths){.sent = 0};
    }
}

/* Makes room for arrays of `length` elements. False: there is none. */
bool count_copies_make_room(struct mpilens_communicator *record, size_t length) COLD;

/* Copies four bytes or more, inline: a call would cost more than most arrays. Blocks may overlap, so that none reaches
 * beyond the array. */
INLINE void count_copies_move(char *to, const char *from, size_t bytes)
{
    if (likely(bytes >= COPY_BLOCK)) {
        const size_t last = bytes - COPY_BLOCK;
        for (size_t at = 0; at < last; at += COPY_BLOCK)
            memcpy(to + at, from + at, COPY_BLOCK);
        memcpy(to + last, from + last, COPY_BLOCK);
    } else if (bytes >= sizeof(uint64_t)) {
        memcpy(to, from, sizeof(uint64_t));
        memcpy(to + bytes - sizeof(uint64_t), from + bytes - sizeof(uint64_t), sizeof(uint64_t));
    } else {
        memcpy(to, from, sizeof(uint32_t));
    }
}

/* An array of no elements is none: where MPI gives it no meaning, its address may be any. */
INLINE uint64_t count_copies_take(uint64_t array, char *to, size_t bytes)
{
    if (array == 0 || bytes == 0)
        return 0;
    count_copies_move(to, (const char *)(uintptr_t)array, bytes);
    return (uint64_t)(uintptr_t)to;
}

INLINE bool count_copies_are_zero(uint64_t counts, size_t bytes)
{
    const char *at = (const char *)(uintptr_t)counts;
    for (uint32_t word; bytes > 0; at += sizeof word, bytes -= sizeof word) {
        memcpy(&word, at, sizeof word);
        if (likely(word != 0))
            return false;
    }
    return true;
}

/* Nobody looks at the types of nothing, and where MPI needs none there may be none. `counts`: the copy of the counts,
 * of `count_bytes` each. */
INLINE uint64_t count_copies_take_datatypes(uint64_t array, char *to, uint64_t counts, size_t count_bytes,
                                            size_t length)
{
    if (array == 0 || counts == 0)
        return 0;
    if (!count_copies_are_zero(counts, length * count_bytes))
        count_copies_move(to, (const char *)(uintptr_t)array, length * sizeof(MPI_Datatype));
    return (uint64_t)(uintptr_t)to;
}

/* Copies arrays of these lengths to `to`, which has `stride` bytes for each. Returns where they are to be found: of
 * those to which MPI gives a meaning. */
INLINE struct count_arrays count_copies_write(char *to, size_t stride, uint32_t collective_class,
                                              const struct count_lengths lengths, const struct count_arrays *arrays)
{
    struct count_arrays copies = *arrays;
    copies.send_counts = count_copies_take(arrays->send_counts, to, lengths.sent * arrays->count_bytes);
    copies.receive_counts =
        count_copies_take(arrays->receive_counts, to + stride, lengths.received * arrays->count_bytes);
    if (collective_class == MPILENS_COLLECTIVE_ALLTOALLW || collective_class == MPILENS_COLLECTIVE_NEIGHBOR_ALLTOALLW) {
        copies.send_datatypes = count_copies_take_datatypes(arrays->send_datatypes, to + 2 * stride, copies.send_counts,
                                                            arrays->count_bytes, lengths.sent);
        copies.receive_datatypes = count_copies_take_datatypes(
            arrays->receive_datatypes, to + 3 * stride, copies.receive_counts, arrays->count_bytes, lengths.received);
    }
    return copies;
}

INLINE size_t count_lengths_longest(const struct count_lengths lengths)
{
    return lengths.sent > lengths.received ? lengths.sent : lengths.received;
}

/* Where the arrays of a call on the communicator are to be found whose place is open: in copies, if they are short
 * enough; else at `others`. Copies stay until the place is taken again: by then the call has ended, unless more calls
 * go on at once than are remembered. */
INLINE struct count_arrays count_copies_make(struct mpilens_communicator *record, uint64_t serial,
                                             uint32_t collective_class, const struct count_lengths lengths,
                                             const struct count_arrays *arrays, const struct count_arrays *others)
{
    const size_t longest = count_lengths_longest(lengths);
    if (unlikely(longest > record->copied_counts) &&
        (longest > MPILENS_MOST_COPIED_COUNTS || !count_copies_make_room(record, longest)))
        return *others;
    const size_t stride = record->copied_counts * COPIED_BYTES;
    const size_t place = (serial - 1) % RECENT_COLLECTIVES * COPIED_ARRAYS;
    return count_copies_write((char *)(uintptr_t)record->count_copies + place * stride, stride, collective_class,
                              lengths, arrays);
}

/* Copies between one block and two, inline: a call would cost more. The second ends where the array ends. */
INLINE uint64_t count_copies_take_few(uint64_t array, char *to, size_t bytes, size_t block)
{
    if (unlikely(array == 0))
        return 0;
    const char *from = (const char *)(uintptr_t)array;
    memcpy(to, from, block);
    memcpy(to + bytes - block, from + bytes - block, block);
    return (uint64_t)(uintptr_t)to;
}

INLINE bool count_copies_begin_with_any(uint64_t counts)
{
    return counts != 0 && *(const int32_t *)(uintptr_t)counts != 0;
}

/* Whether arrays of the class, a constant, have an int for each member. Nobody looks at the types of nothing, and where
 * MPI needs none there may be none. */
INLINE bool count_copies_may_be_few(uint32_t collective_class, const struct count_arrays *arrays)
{
    switch (collective_class) {
    case MPILENS_COLLECTIVE_GATHERV:
    case MPILENS_COLLECTIVE_SCATTERV:
    case MPILENS_COLLECTIVE_ALLGATHERV:
    case MPILENS_COLLECTIVE_REDUCE_SCATTER:
    case MPILENS_COLLECTIVE_ALLTOALLV:
        return arrays->count_bytes == sizeof(int32_t);
    case MPILENS_COLLECTIVE_ALLTOALLW:
        return arrays->count_bytes == sizeof(int32_t) && count_copies_begin_with_any(arrays->send_counts) &&
               count_copies_begin_with_any(arrays->receive_counts);
    default:
        return false;
    }
}

/* As count_copies_place, of any arrays. */
INLINE void count_copies_place_many(struct mpilens_communicator *record, struct mpilens_collective *call,
                                    uint64_t serial, uint32_t collective_class, int32_t root,
                                    const struct count_arrays *arrays)
{
    const struct count_lengths lengths = count_lengths(record, collective_class, root);
    const struct count_arrays copies = count_copies_make(record, serial, collective_class, lengths, arrays, arrays);
    collective_place_arrays(call, &copies);
}

/* As count_copies_place, on a communicator with few_bytes. */
INLINE void count_copies_place_few(struct mpilens_communicator *record, struct mpilens_collective *call,
                                   uint64_t serial, uint32_t collective_class, const struct count_arrays *arrays)
{
    enum { TYPES = sizeof(MPI_Datatype) / sizeof(int32_t), OF_A_CALL = COPIED_ARRAYS * LEAST_STRIDE };
    const size_t bytes = record->few_bytes;
    char *to = (char *)(uintptr_t)record->count_copies + (serial - 1) % RECENT_COLLECTIVES * OF_A_CALL;
    struct count_arrays copies = *arrays;
    copies.send_counts = count_copies_take_few(arrays->send_counts, to, bytes, COPY_BLOCK);
    copies.receive_counts = count_copies_take_few(arrays->receive_counts, to + LEAST_STRIDE, bytes, COPY_BLOCK);
    if (collective_class == MPILENS_COLLECTIVE_ALLTOALLW) {
        copies.send_datatypes = count_copies_take_few(arrays->send_datatypes, to + (size_t)2 * LEAST_STRIDE,
                                                      TYPES * bytes, TYPES * (size_t)COPY_BLOCK);
        copies.receive_datatypes = count_copies_take_few(arrays->receive_datatypes, to + (size_t)3 * LEAST_STRIDE,
                                                         TYPES * bytes, TYPES * (size_t)COPY_BLOCK);
    }
    collective_place_arrays(call, &copies);
}

/* Copies arrays that a call has just got, whose place is open. */
INLINE void count_copies_place(struct mpilens_communicator *record, struct mpilens_collective *call, uint64_t serial,
                               uint32_t collective_class, int32_t root, const struct count_arrays *arrays)
{
    const bool has_root =
        collective_class == MPILENS_COLLECTIVE_GATHERV || collective_class == MPILENS_COLLECTIVE_SCATTERV;
    if (has_root && root != record->rank && record->remote_size == 0)
        collective_place_arrays(call, &(struct count_arrays){.send_datatypes = arrays->send_datatypes,
                                                             .receive_datatypes = arrays->receive_datatypes});
    else if (likely(record->few_bytes != 0) && likely(count_copies_may_be_few(collective_class, arrays)))
        count_copies_place_few(record, call, serial, collective_class, arrays);
    else
        count_copies_place_many(record, call, serial, collective_class, root, arrays);
}

/* There are none any more. */
void count_copies_give_back(struct mpilens_communicator *record);

/* -- communicator.c --
 * Communicators: how they come to be known, what they are derived from, and how their records end.
 */

/* Records of MPI_COMM_WORLD and MPI_COMM_SELF. At MPI_Init. */
void communicators_initialize(void);

/* Then: which error handlers they have. */
void communicators_learn_errhandlers(void);

/* The record that a handle names now, or NULL. */
struct mpilens_communicator *communicator_find(uint64_t handle);

/* A constructor call. The unique_id of what it makes is a hash of things that all members know without asking: the
 * parent and the ordinal of the call on it, or a key that the call itself carries; and of the new groups. */
struct communicator_derivation {
    struct mpilens_communicator *parent; /* NULL: none, or not known */
    uint64_t parent_handle;              /* 0: none */
    uint64_t key;                        /* distinguishes the call from others on the parent */
    uint32_t function;
    bool by_key;      /* only some members of the parent call, or there is none: count calls with this key */
    uint64_t session; /* address of the record of the session that the groups come from, 0: none, or the parent's */
    bool meets;       /* MPI_Comm_accept, _connect, _join: the groups have no communicator in common */
    bool reordered;   /* the constructor of a topology may give the processes other ranks */
    MPI_Info info;    /* with which it is made, or MPI_INFO_NULL */
    uint64_t site;
};

/* Before the real call of a constructor that all members of `parent` call. */
struct communicator_derivation communicator_derive(struct thread *thread, uint32_t function, uint64_t site,
                                                   MPI_Comm parent);

/* Before the real call of a constructor whose members agree on `key` (a tag, a name, ...). `parent` may be
 * MPI_COMM_NULL. */
struct communicator_derivation communicator_derive_by_key(struct thread *thread, uint32_t function, uint64_t site,
                                                          MPI_Comm parent, uint64_t key);

/* Before MPI_Intercomm_create: notes the local leader's partner, if this process is the local leader. */
void communicator_note_leaders(struct thread *thread, const struct mpilens_communicator *local, int32_t local_leader,
                               uint64_t peer_communicator, int32_t remote_leader, int32_t tag);

/* Before MPI_Comm_create_group. */
void communicator_note_group(struct thread *thread, uint64_t group, int32_t tag);

/* After it, where it has failed: if MPI has refused it, it does not count among the constructors on the parent. */
void communicator_not_created(const struct communicator_derivation *derivation, int error);

/* After it: `handle` is what it gave, MPI_COMM_NULL included. `pending`: MPI_Comm_idup. Returns the record, or NULL. */
struct mpilens_communicator *communicator_created(const struct communicator_derivation *derivation, MPI_Comm handle,
                                                  bool pending);

/* MPI_Comm_get_parent gives the same one each time: known from the first on. */
void communicator_seen(const struct communicator_derivation *derivation, MPI_Comm handle);

/* Before MPI_Comm_free or MPI_Comm_disconnect: the record, or NULL. It stays, and is found, while the call lasts. */
struct mpilens_communicator *communicator_freeing(uint64_t handle);

/* After it; `record` and `handle` as they were before. NULL is fine. */
void communicator_freed(uint32_t function, uint64_t site, struct mpilens_communicator *record, uint64_t handle,
                        bool succeeded);

/* The last session is over, and with it all communicators that come from sessions. */
void communicators_of_sessions_end(void);

/* MPI_Comm_set_name. */
void communicator_named(uint64_t handle, const char *name);

/* MPI_Comm_idup has completed: seen, or to be concluded from a use of the communicator. */
void communicator_used(struct mpilens_communicator *record);

struct mpilens_communicator *communicator_find_slowly(struct thread *thread, uint64_t handle) COLD;

/* Where the entry for `handle` is in the thread's cache, if it is there. */
INLINE const struct handle_cache_entry *communicator_cache_place(struct thread *thread, uint64_t handle)
{
    return handle_cache_place(thread->communicator_cache, COMMUNICATOR_CACHE_ENTRIES, handle);
}

/* As communicator_find, for calls that are frequent. */
INLINE struct mpilens_communicator *communicator_find_fast(struct thread *thread, uint64_t handle)
{
    const struct handle_cache_entry *entry = communicator_cache_place(thread, handle);
    if (handle_cache_hit(entry, handle))
        return handle_cache_record(entry);
    return communicator_find_slowly(thread, handle);
}

/* -- communicator_id.c --
 * The numbers of communicators, windows and files that all members derive without asking each other.
 */

enum { COMMUNICATOR_ID_WORLD = 1, COMMUNICATOR_ID_SELF = 2 };

/* The id of a new communicator whose groups stand in `record`: in (COMMUNICATOR_ID_SELF, 2^63). Counts the call. */
uint64_t communicator_id(const struct communicator_derivation *derivation, const struct mpilens_communicator *record);

/* The unique_id of the window or file that a call on a communicator has made: from the communicator's and the ordinal
 * of the call on it, which are the same at all members. 0: the communicator is not known. */
uint64_t object_unique_id(enum mpilens_table_kind kind, const struct communicator_derivation *derivation);

/* A key of text. */
uint64_t communicator_text_key(const char *text);

/* A key of a connected socket, the same at both ends. 0: it has no addresses. */
uint64_t communicator_socket_key(int socket_descriptor);

/* Every process has its own MPI_COMM_SELF: numbers that nobody shares. */
uint64_t communicator_id_of_self(int world_rank);

/* -- datatype_contents.c -- The contents of datatypes: the arguments of their constructors. A record of a datatype that
 * is one of the arguments stays as long as the record of the datatype that was made of it.
 */

enum {
    DATATYPE_VALUES_KEPT = 1 << 16, /* of one datatype; of one with more, only the counts */
    DATATYPE_INTEGERS = 8,
    DATATYPE_ADDRESSES = 2,
};

/* `count` signed integers of `bytes` each. bytes 0: none, and none behind. */
struct datatype_values {
    const void *first;
    size_t count;
    size_t bytes;
};

/* Arguments of a constructor, in the order in which MPI_Type_get_contents gives them. */
struct datatype_contents {
    enum mpilens_combiner combiner;
    struct datatype_values integers[DATATYPE_INTEGERS];
    struct datatype_values addresses[DATATYPE_ADDRESSES];
    const MPI_Datatype *datatypes;
    size_t datatype_count;
};

/* Sets the contents of a new record. */
void datatype_contents_set(struct mpilens_datatype *record, const struct datatype_contents *contents);

/* Gives a new record the contents of the one that it was copied from. */
void datatype_contents_copy(struct mpilens_datatype *record, const struct mpilens_datatype *original);

/* The record of its n-th argument that is a datatype, or NULL: there is none, or it is not known. */
struct mpilens_datatype *datatype_contents_component(const struct mpilens_datatype *record, size_t n);

/* The n-th one, not known so far, is this record. */
void datatype_contents_set_component(struct mpilens_datatype *record, size_t n, struct mpilens_datatype *component);

/* Nobody will see the datatype's record again. */
void datatype_contents_give_back(void *given);

/* -- datatype_record.c --
 * Records of datatypes: how they begin, and which one a handle names.
 */

/* The record that a handle names now, or NULL. */
struct mpilens_datatype *datatype_of_handle(uint64_t handle);

/* Its handle names the record from now on. False: no memory. */
bool datatype_record_set_handle(struct mpilens_datatype *record);

/* `handle` names it no more. */
void datatype_record_remove_handle(const struct mpilens_datatype *record, uint64_t handle);

/* Its size in bytes according to MPI, -1: MPI gives none. */
int64_t datatype_size_of(MPI_Datatype handle);

/* A new record, of which the contents are not known; as object_take. Its handle does not name it yet. NULL: no memory.
 */
struct mpilens_datatype *datatype_record_take(MPI_Datatype handle, uint32_t flags, uint32_t function, uint64_t site);

/* -- datatype.c --
 * Datatypes: from a handle to its record. The size is asked for once, when a type is made or first seen.
 */

/* Records of the predefined datatypes; of those that every library has only where an error would not be `quiet`. At
 * MPI_Init or the first MPI_Session_init. */
void datatypes_initialize(bool quiet);

/* A constructor has returned `handle`. */
void datatype_created(uint32_t function, uint64_t site, MPI_Datatype handle, const struct datatype_contents *contents);

/* MPI_Type_dup has made `handle` of `original`, NULL: not known. After datatype_created. */
void datatype_duplicated(const struct mpilens_datatype *original, uint64_t handle);

/* A call has succeeded and given a datatype that exists already or is a copy of one (MPI_Type_get_contents,
 * MPI_File_get_view): the application must free it once more, unless it is predefined. */
void datatype_given(uint32_t function, uint64_t site, MPI_Datatype handle);

/* MPI_Type_get_contents of `datatype` has succeeded and given these. */
void datatype_contents_given(uint32_t function, uint64_t site, MPI_Datatype datatype, const MPI_Datatype *given);

/* MPI_Type_commit. */
void datatype_committed(uint64_t handle);

/* Before MPI_Type_free: the record, or NULL. It stays while the call lasts. */
struct mpilens_datatype *datatype_freeing(uint64_t handle);

/* After it: the record is withdrawn when the application has freed it as often as it got it, and nothing can refer to
 * it. `record` and `handle` as they were before the call. NULL is fine. */
void datatype_freed(uint32_t function, uint64_t site, struct mpilens_datatype *record, uint64_t handle, bool succeeded);

/* MPI_Type_set_name. */
void datatype_named(uint64_t handle, const char *name);

struct mpilens_datatype *datatype_find_slowly(struct thread *thread, uint64_t handle, bool of_operation) COLD;

/* NULL: not known. `of_operation`: of an operation that is about to begin, and
 * with which MPI looks at its arguments: not with MPI_PROC_NULL. */
INLINE struct mpilens_datatype *datatype_find(struct thread *thread, uint64_t handle, bool of_operation)
{
    const struct handle_cache_entry *entry = handle_cache_place(thread->datatype_cache, DATATYPE_CACHE_ENTRIES, handle);
    if (handle_cache_hit(entry, handle))
        return handle_cache_record(entry);
    return datatype_find_slowly(thread, handle, of_operation);
}

/* -- errhandler.c --
 * Error handlers. One lives while an object has it, also after the application has freed it; asking an object for its
 * error handler gives the same handle again, which must be freed once more.
 */

/* Records of the predefined ones. At initialization, as often as one likes. */
void errhandlers_initialize(void);

/* After a constructor; `user_function`: its address. */
void errhandler_created(uint32_t function, uint64_t site, MPI_Errhandler handle, uint64_t user_function,
                        enum mpilens_attachable kind);

/* The record that a handle names now, or NULL. */
struct mpilens_errhandler *errhandler_find(uint64_t handle);

/* After MPI_Errhandler_free; `record` and `handle` as they were before. NULL is fine. */
void errhandler_freed(uint32_t function, uint64_t site, struct mpilens_errhandler *record, uint64_t handle);

/* Where an object keeps the address of its error handler's record: the member `errhandler` of `object`, the record of
 * what `handle` names. MPI_FILE_NULL has the one that files begin with. NULL: not known. */
uint64_t *errhandler_place(enum mpilens_attachable kind, void *object, uint64_t handle);

/* The object at `place` has this error handler from now on. NULL `place` is fine. */
void errhandler_attach(uint64_t *place, MPI_Errhandler handle, enum mpilens_attachable kind);

/* The object at `place` was asked for its error handler: that is `handle`. NULL `place` is fine. */
void errhandler_given(uint32_t function, uint64_t site, MPI_Errhandler handle, uint64_t *place,
                      enum mpilens_attachable kind);

/* A new communicator begins with its parent's. NULL `parent`: not known. */
void errhandler_inherit(struct mpilens_communicator *record, const struct mpilens_communicator *parent);

/* A new file begins with the error handler of MPI_FILE_NULL, a new window with MPI_ERRORS_ARE_FATAL. */
void errhandler_begin_file(struct mpilens_file *record);
void errhandler_begin_window(struct mpilens_window *record);

/* The object at `place` was freed. */
void errhandler_detach(uint64_t *place);

/* -- file.c --
 * Files: how they come to be known, what is done with them, and how their records end.
 */

enum { FILE_NO_OFFSET = -1 }; /* of an operation: at the file pointer */

/* In MPI_File_open and MPI_File_set_view: notes what all members must give alike. NULL communicators and files are
 * fine.
 */
void file_agree(struct mpilens_communicator *communicator, const struct mpilens_collective *call, const char *name,
                int mode);
void file_agree_on_view(struct thread *thread, struct mpilens_file *file, const struct mpilens_collective *call,
                        MPI_Datatype etype, const char *representation);

/* After MPI_File_open; `handle` is what it gave, `mode` MPI_MODE_*. */
void file_opened(struct thread *thread, const struct communicator_derivation *derivation, MPI_File handle,
                 const char *name, int mode);

/* After MPI_File_close; `record` and `handle` as they were before. NULL is fine. */
void file_closed(uint32_t function, uint64_t site, struct mpilens_file *record, uint64_t handle);

/* The record that a handle names now, or NULL. */
struct mpilens_file *file_find(uint64_t handle);

/* MPI_File_set_view has succeeded. The datatypes' records are kept while the file refers to them. NULL `file` is fine.
 */
void file_viewed(struct thread *thread, struct mpilens_file *file, MPI_Offset displacement, MPI_Datatype etype,
                 MPI_Datatype filetype, const char *representation);

/* A nonblocking operation on the file is over. NULL is fine. */
void file_operation_over(struct mpilens_file *record);

/* A read or write begins on `file`. NULL is fine. Threads may do so at the same time. */
INLINE void file_count_operation(struct mpilens_file *file)
{
    if (file != NULL)
        __atomic_fetch_add(&file->operations, 1, __ATOMIC_RELAXED);
}

/* It has returned `error`. If MPI has refused it, it does not count. */
INLINE void file_operation_returned(struct mpilens_file *file, int error)
{
    if (error_is_refusal(error) && file != NULL)
        __atomic_fetch_sub(&file->operations, 1, __ATOMIC_RELAXED);
}

/* -- group.c --
 * Groups as world ranks in compressed form. A record is one side of communicators, or what the application has a handle
 * of, or both: libraries give the same handle each time that they are asked for the group of a communicator.
 */

/* Ranks first, first + 1, ... first + size - 1 of MPI_COMM_WORLD; `rank` is this process's, -1: none. NULL: no memory.
 */
struct mpilens_group *group_of_range(int32_t first, int32_t size, int32_t rank);

/* Asks MPI for the members of `handle`; the handle stays the caller's. NULL: no memory, or MPI would not say. */
struct mpilens_group *group_of_handle(MPI_Group handle);

/* The record of MPI_GROUP_EMPTY. At initialization, as often as one likes. */
void groups_initialize(void);

/* A call has given the application `handle`. `holder`: the record of the communicator's side whose group it is; NULL:
 * not known, or not of a communicator. `session`: address of the record of the session that it comes from, 0: the
 * world's. */
void group_given(uint32_t function, uint64_t site, MPI_Group handle, struct mpilens_group *holder, uint64_t session);

/* Address of the record of the session that two groups, or one and MPI_GROUP_NULL, come from; 0: the world's. */
uint64_t group_session(MPI_Group one, MPI_Group other);

/* A side of a communicator comes from this session (0: the world's). NULL is fine. */
void group_set_session(struct mpilens_group *group, uint64_t session);

/* The record that a handle of the application names now, or NULL. */
struct mpilens_group *group_find(uint64_t handle);

/* After MPI_Group_free; `record` and `handle` as they were before. NULL is fine. */
void group_freed(uint32_t function, uint64_t site, struct mpilens_group *record, uint64_t handle);

enum group_side { GROUP_LOCAL, GROUP_REMOTE };

/* NULL: not known. */
struct mpilens_group *group_of_side(const struct mpilens_communicator *communicator, enum group_side side);

/* Somebody of the runtime has the group too. */
struct mpilens_group *group_retain(struct mpilens_group *group);

/* NULL is fine. */
void group_release(struct mpilens_group *group);

/* Both sides' groups of `communicator`. */
void group_release_sides(const struct mpilens_communicator *communicator);

/* Compresses world ranks [count] into at most `capacity` ranges; returns how many it takes, also when that is more. */
size_t group_compress(const int *world_ranks, size_t count, struct mpilens_range *ret_ranges, size_t capacity);

/* A number for a sequence of members, the same in every process, never 0. */
uint64_t group_hash(const struct mpilens_range *ranges, size_t count);

/* Mixes a value into a hash. */
uint64_t hash_mix(uint64_t hash, uint64_t value);

/* -- info.c --
 * Info objects, what stands in them, and what of that other objects were given. They may be made before MPI_Init and
 * freed after MPI_Finalize.
 */

/* The record of MPI_INFO_ENV. At initialization, as often as one likes. */
void infos_initialize(void);

/* MPI_INFO_ENV can be asked: MPI_Init has been called. */
void infos_of_world_initialize(void);

/* A call has made `handle`, empty or not. */
void info_created(uint32_t function, uint64_t site, MPI_Info handle);

/* MPI_Info_dup has made `handle`. */
void info_duplicated(uint32_t function, uint64_t site, MPI_Info original, MPI_Info handle);

/* The record that a handle names now, or NULL. */
struct mpilens_info *info_find(uint64_t handle);

/* MPI_Info_set, MPI_Info_delete. */
void info_set(MPI_Info handle, const char *key, const char *value);
void info_deleted(MPI_Info handle, const char *key);

/* After MPI_Info_free; `record` and `handle` as they were before. NULL is fine. */
void info_freed(uint32_t function, uint64_t site, struct mpilens_info *record, uint64_t handle);

/* An object was made with `handle`, or a call has given it to one, and has succeeded: its pairs come on top of those in
 * `hints`, and *serial becomes its serial. MPI_INFO_NULL changes nothing. */
void info_give_hints(MPI_Info handle, struct mpilens_texts *hints, uint32_t *serial);

/* -- message.c --
 * Messages between a matched probe and the receive that takes them.
 */

/* MPI_Mprobe or MPI_Improbe has found one. */
void message_matched(uint32_t function, uint64_t site, MPI_Comm communicator, MPI_Message handle,
                     const MPI_Status *status);

/* The message that MPI_Mrecv or MPI_Imrecv is about to receive: a copy, and the record; state 0 and NULL if not
 * known. */
struct mpilens_message message_find(MPI_Message handle, struct mpilens_message **ret_record);

/* It has received it. `handle` as it was before: it may name another message by now. NULL is fine. */
void message_received(struct mpilens_message *record, uint64_t handle);

/* -- object.c -- The common part of objects that a handle names: finding the record of a handle, counting how often the
 * application must free it, and keeping the record after that.
 *
 * A handle may be given for the same object several times (groups, error handlers); each time it must be freed once. A
 * record is withdrawn when the application has freed its object and nothing of the runtime refers to it; the last few
 * records stay a while, to explain stale handles.
 *
 * Some objects live while another has them, even without a handle of the application: the group of a communicator, the
 * error handler of a window. The application may get a handle of them later, and again.
 */

enum { OBJECTS_KEPT = 32 }; /* freed ones that stay readable */

/* All objects of one kind. */
struct object_kind {
    enum mpilens_table_kind table;
    void (*give_back)(void *record); /* frees what the record owns; NULL: it owns nothing */
    struct handle_map handles;
    uint32_t count;
    void *freed[OBJECTS_KEPT]; /* a ring */
    uint32_t freed_count;
};

#define OBJECT_KIND(table_kind, give_back_function)                                                                    \
    {                                                                                                                  \
        .table = (table_kind), .give_back = (give_back_function), .handles = HANDLE_MAP_INITIALIZER                    \
    }

/* A function of the program, and the function of MPI that it was given to. */
struct user_function {
    uint64_t address;
    uint32_t given_to;
};

/* `state`: of a call of MPIX_Op_create_x and the like (MPICH 5.0), else NULL. MPICH's Fortran binding makes these calls
 * where the program calls MPI_Op_create and the like, which are `plain`: with a function of the binding, and a state
 * that begins with the address of the program's. */
struct user_function user_function_of(uint64_t address, const void *state, uint32_t given_to, uint32_t plain);

/* The record that a handle names now, or NULL. */
void *object_find(struct object_kind *kind, uint64_t handle);

/* A record for what a call has given as `handle`: its common fields stand, references is 1, users 0; the rest is the
 * caller's to set. Readers do not see it before object_publish. NULL: no memory, counted in the table's `untracked`.
 * `function` 0: predefined or not seen being made. May ask the library for the handle's integer of Fortran: outside of
 * locks. */
void *object_take(struct object_kind *kind, uint64_t handle, uint32_t function, uint64_t site, uint32_t flags);

/* Shows it to readers and makes its handle name it; the handle's previous object was freed by a call that was not
 * seen. False: no memory, the record is gone. */
bool object_publish(struct object_kind *kind, void *record);

/* As object_publish; but a live record that the handle names already and that is `same` has been given once more, and
 * `record` is gone. `same` NULL: whatever the handle names is. Returns the record that the handle names, or NULL. */
void *object_publish_or_reference(struct object_kind *kind, void *record,
                                  bool (*same)(const void *known, const void *record));

/* `record`, which something uses, was given to the application as `handle`: once more, for the first time, or for the
 * first time since it was freed. False: it has another handle. */
bool object_give(struct object_kind *kind, void *record, uint64_t handle, uint32_t function, uint64_t site);

/* MPI gave the handle's object once more. NULL: the handle names nothing. */
void *object_reference(struct object_kind *kind, uint64_t handle);

/* After the application has freed it once, by a call of `function` (0: not seen) at `site`; `record` and `handle` as
 * they were before the call. Predefined objects stay. NULL is fine. */
void object_released(struct object_kind *kind, void *record, uint64_t handle, uint32_t function, uint64_t site);

/* As object_released, for kinds that end in their own way: notes the call that freed the object for the last time. */
void object_note_freed(void *record, uint32_t function, uint64_t site);

/* Something of the runtime refers to the record from now on, or no more. NULL is fine. Predefined ones do not count. */
void *object_use(void *record);
void *object_use_named(struct object_kind *kind, uint64_t handle);
void object_unuse(struct object_kind *kind, void *record);

/* The same from `give_back` functions, which are called under the lock. */
void object_unuse_locked(struct object_kind *kind, void *record);

/* Fills the common fields of a new record: as object_take. `handle` 0: it has none. */
void object_begin(enum mpilens_table_kind kind, struct mpilens_object *object, uint64_t handle, uint32_t function,
                  uint64_t site, uint32_t flags, uint32_t *count);

/* -- op.c --
 * Reduction operations: predefined and the application's own.
 */

/* Records of the predefined ones. At initialization, as often as one likes. */
void ops_initialize(void);

/* After MPI_Op_create. `user_function`: its address. */
void op_created(uint32_t function, uint64_t site, MPI_Op handle, uint64_t user_function, int commutative);

/* The record that a handle names now, or NULL. */
struct mpilens_op *op_find(uint64_t handle);

/* After MPI_Op_free, which may come before the end of the operations that use it; `record` and `handle` as they were
 * before. NULL is fine. */
void op_freed(uint32_t function, uint64_t site, struct mpilens_op *record, uint64_t handle);

/* -- session.c --
 * Sessions (MPI-4). A program may have several at a time, and need not call MPI_Init.
 */

/* The record that a handle names now, or NULL. */
struct mpilens_session *session_find(uint64_t handle);

/* Something of the runtime that comes from the session refers to its record (by address, 0: none) from now on, or no
 * more; the latter also under the lock of give_back functions (object.c). The first returns its argument. */
uint64_t session_retain(uint64_t session);
void session_release(uint64_t session);
void session_release_locked(uint64_t session);

/* That of a communicator's record (by address, 0: none). */
uint64_t session_of_communicator(uint64_t communicator);

/* The group of mpi://WORLD, from any session that is up; the caller frees it. False: there is none, or MPI would not
 * say. */
bool session_world_group(MPI_Group *ret_group);

/* Whether the threads of a program with the sessions that it has had may be in MPI at the same time. */
bool session_threads_multiple(void);

/* MPI_Session_init is about to be called. */
void session_initializing(void);

#ifdef HAS_MPI_Session_init

/* It has returned `handle`, which may be asked from now on. Returns the level of thread support (0 single ... 3
 * multiple, -1: not known). */
int32_t session_ask(MPI_Session handle);

/* Then, once the process knows of it: its record, with this level. */
void session_initialized(uint32_t function, uint64_t site, MPI_Errhandler errhandler, MPI_Session handle,
                         int32_t level);

/* MPI_Session_finalize is about to be called: nobody asks the session any more. Returns its record, or NULL. */
struct mpilens_session *session_finalizing(MPI_Session handle);

/* It has returned; `record` and `handle` as they were before. `over`: the session is. */
void session_finalized(uint32_t function, uint64_t site, struct mpilens_session *record, MPI_Session handle, bool over);

#endif

/* -- window.c --
 * Windows for one-sided communication: how they come to be known, what is begun on them, and how their records end.
 */

/* The result of a constructor call. */
struct window_creation {
    uint64_t base; /* address of the local memory, 0: none */
    uint64_t bytes;
    int32_t displacement_unit;
    enum mpilens_window_flavor flavor;
};

/* After a constructor call; `handle` is what it gave. */
void window_created(const struct communicator_derivation *derivation, MPI_Win handle,
                    const struct window_creation *creation);

/* After MPI_Win_free; `record` and `handle` as they were before. NULL is fine. */
void window_freed(uint32_t function, uint64_t site, struct mpilens_window *record, uint64_t handle);

/* MPI_Win_set_name. Default names differ between libraries; they are not asked for. */
void window_named(struct mpilens_window *record, const char *name);

/* A request-based operation on the window is over. NULL is fine. */
void window_operation_over(struct mpilens_window *record);

struct mpilens_window *window_find_slowly(struct thread *thread, uint64_t handle) COLD;

/* The record that a handle names now, or NULL. */
INLINE struct mpilens_window *window_find(struct thread *thread, uint64_t handle)
{
    const struct handle_cache_entry *entry = handle_cache_place(thread->window_cache, WINDOW_CACHE_ENTRIES, handle);
    if (handle_cache_hit(entry, handle))
        return handle_cache_record(entry);
    return window_find_slowly(thread, handle);
}

/* A one-sided operation begins on `window`. NULL is fine. */
INLINE void window_count_operation(const struct thread *thread, struct mpilens_window *window)
{
    if (unlikely(window == NULL))
        return;
    if (unlikely(thread->requests.shared)) { /* others may count on it at the same time */
        __atomic_fetch_add(&window->operations, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&window->operations_since, 1, __ATOMIC_RELAXED);
        return;
    }
    window->operations++;
    window->operations_since++;
}

/* One that the thread was in has failed with `error`. If MPI has refused it, it does not count. Returns `error`. */
int window_operation_failed(const struct thread *thread, int error) COLD;

/* One that the thread was in has returned `error`, as this does. */
INLINE int window_operation_returned(const struct thread *thread, int error)
{
    return likely(error == MPI_SUCCESS) ? MPI_SUCCESS : window_operation_failed(thread, error);
}

/* -- window_epoch.c --
 * Synchronization of windows: which epochs are open, which locks this process has called for and not unlocked, and what
 * was called last. That a lock has been granted does not follow from it: MPI_Win_lock may return at once, and the epoch
 * begin later.
 *
 * These come after the real call, and only where it has succeeded, if nothing else is said; `window` is not NULL.
 */

/* MPI_Win_fence: the next epochs are open, unless `assertion` says that none follows. */
void window_fenced(struct thread *thread, struct mpilens_window *window, int assertion);

/* Before MPI_Win_start, which may wait for the group: it is on record for readers where it is known. */
void window_starting(struct mpilens_window *window, MPI_Group group);

/* MPI_Win_start has failed. */
void window_not_started(struct mpilens_window *window);

/* MPI_Win_start, MPI_Win_post: `group` is given as the caller gave it; its record is kept until the epoch ends. */
void window_started(struct thread *thread, struct mpilens_window *window, MPI_Group group);
void window_completed(struct thread *thread, struct mpilens_window *window);
void window_posted(struct thread *thread, struct mpilens_window *window, MPI_Group group);

/* MPI_Win_wait, or MPI_Win_test that says so. */
void window_exposure_ended(struct thread *thread, struct mpilens_window *window);

/* MPI_Win_lock. `type`: MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE. */
void window_locked(struct thread *thread, struct mpilens_window *window, int32_t target, int type);
void window_unlocked(struct thread *thread, struct mpilens_window *window, int32_t target);
void window_locked_all(struct thread *thread, struct mpilens_window *window);
void window_unlocked_all(struct thread *thread, struct mpilens_window *window);

/* MPI_Win_flush. Where other targets may have operations under way, operations_since goes on counting. */
void window_flushed(struct thread *thread, struct mpilens_window *window, int32_t target);

/* MPI_Win_flush_all. */
void window_flushed_all(struct thread *thread, struct mpilens_window *window);

/* MPI_Win_sync, MPI_Win_flush_local, MPI_Win_flush_local_all: no operation is known to be complete at its target. */
void window_synchronized(struct thread *thread, struct mpilens_window *window);

/* No epoch is open and nothing is locked; gives back what the record holds for them. */
void window_epochs_clear(struct mpilens_window *window);

/* The lock that an MPI_Win_lock is waiting for, as readers know it. */
static inline uint32_t window_lock_type(int type)
{
    return type == MPI_LOCK_EXCLUSIVE ? MPILENS_LOCK_EXCLUSIVE : MPILENS_LOCK_SHARED;
}

#endif
