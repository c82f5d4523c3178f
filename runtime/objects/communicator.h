/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators: how they come to be known, what they are derived from, and how their records end.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_COMMUNICATOR_H
#define MPILENS_RUNTIME_OBJECTS_COMMUNICATOR_H

#include "thread/handle_cache.h"

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
    uint64_t key;                        /* what tells the call apart from others on the parent */
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

/* Before MPI_Intercomm_create: what the local leader looks for, if this process is that. */
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

#endif
