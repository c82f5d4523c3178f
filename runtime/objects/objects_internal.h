/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of objects/ only.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_OBJECTS_INTERNAL_H
#define MPILENS_RUNTIME_OBJECTS_OBJECTS_INTERNAL_H

#include "mpi/mpi_traits.h"
#include "mpilens/layout.h"
#include "mpilens/object_kind.h"
#include "objects/objects.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- communicator_contents.c -- The contents of communicators: their groups, topologies and hints.
 */

/* Whether a call makes a communicator with the groups, the topology and the attributes of the one it was made from. */
bool communicator_is_duplicate(const struct communicator_derivation *derivation, bool pending);

/* Fills a new record, which has a handle and nothing else. */
void communicator_contents_set(struct mpilens_communicator *record, const struct communicator_derivation *derivation,
                               bool pending);

/* Sizes and rank as the groups say. */
void communicator_contents_note_sizes(struct mpilens_communicator *record);

/* Fills the record of a communicator that was pending, and whose parent is not known: it has completed since. */
void communicator_contents_learn_late(struct mpilens_communicator *record);

/* Nobody will see the communicator's record again. */
void communicator_contents_give_back(void *given);

/* -- datatype_envelope.c --
 * Asking MPI how a datatype was made that nobody was seen to make.
 */

/* The answer of MPI_Type_get_envelope. */
struct datatype_envelope {
    enum mpilens_combiner combiner;
    bool fixed; /* named, or one that MPI_Type_create_f90_* always gives: not to be freed */
    size_t integer_count;
    size_t address_count;
    size_t large_count; /* values of MPI_Count */
    size_t datatype_count;
};

/* Asks about a datatype that is certainly valid. False: MPI would not say. */
bool datatype_envelope_ask(MPI_Datatype handle, struct datatype_envelope *ret_envelope);

/* Fills in the contents of a new record. `handle` is a datatype that is certainly valid. Of the datatypes that it was
 * made of, those that no record names get records of their own, without a handle; up to a limit. */
void datatype_envelope_describe(struct mpilens_datatype *record, MPI_Datatype handle);

/* -- collective_order.c --
 */

/* Clears the places [RECENT_COLLECTIVES] of a new object: other fields mean nothing without these. */
INLINE void collectives_clear(struct mpilens_collective *recent)
{
    for (size_t i = 0; i < RECENT_COLLECTIVES; i++) {
        recent[i].serial = 0;
        recent[i].active = 0;
        recent[i].datatype = 0;
    }
}

/* -- freed_objects.c --
 * The last communicators, windows and files that the process has freed: struct mpilens_freed_object of layout.def.
 */

struct freed_object {
    uint32_t kind; /* enum mpilens_object_kind */
    uint64_t unique_id;
    uint64_t collective_count;
    const struct mpilens_collective *recent; /* its last calls */
    uint32_t function;                       /* that has freed it, 0: not seen */
    uint64_t site;
};

/* The remains of a communicator, window or file, which have these members alike. */
#define FREED_OBJECT(of_kind, record, freed_by, freed_at)                                                              \
    ((const struct freed_object){.kind = (of_kind),                                                                    \
                                 .unique_id = (record)->unique_id,                                                     \
                                 .collective_count = (record)->collective_count,                                       \
                                 .recent = (record)->recent_collectives,                                               \
                                 .function = (freed_by),                                                               \
                                 .site = (freed_at)})

/* An object that the process shared with others. */
void freed_objects_note_shared(const struct freed_object *object);

/* Any; `communicator`: the one that it is or was made from. */
INLINE void freed_objects_note(const struct mpilens_communicator *communicator, const struct freed_object object)
{
    if (communicator == NULL || communicator->size + communicator->remote_size < 2 || object.unique_id == 0)
        return;
    const struct freed_object shared = object; /* in memory only here */
    freed_objects_note_shared(&shared);
}

/* -- group_members.c --
 * The members of a group as MPI tells them.
 */

/* Asks for the ranks in `world` of the members of `group` [size], -1: not in it. Where the library looks for each rank
 * in turn, this takes time in proportion to the members of both groups, unless the ranks neither ascend nor have equal
 * distances. False: MPI would not say. */
bool group_members_ask(MPI_Group group, int size, MPI_Group world, int *ret_world_ranks);

/* -- key_count.c --
 * How often constructors of communicators that only some processes call were called with a key.
 *
 * Nothing tells all members at one moment that a count is over, so counts are not dropped with communicators. So that
 * they do not grow for ever, a key that was not used while very many others were is forgotten, and begins at 1 again.
 * Members that have used different numbers of other keys disagree about it from then on.
 */

/* How many other keys may come without one being forgotten. Twice as many are kept at most, in 32 MB. */
enum { KEY_COUNTS_KEPT = (1 << 19) - 1 /* with one more, a handle map takes twice the memory */ };

/* The number of calls with `key`, this one included. */
uint64_t key_count(uint64_t key);

/* -- reclaim.c --
 * Records of freed communicators and datatypes stay while live operations, messages, windows, files or calls
 * refer to them, and some longer, for the flight recorder's sake.
 */

/* The application has freed communicator or datatype `record`: its state becomes MPILENS_OBJECT_FREED. False: it is
 * predefined, NULL, or another thread, which may have got its handle for a new object already, has come here first. */
bool reclaim_set_freed(void *record);

/* The record is not given back while a call needs it. NULL is fine. */
void *reclaim_hold(void *record);
void reclaim_release(void *record);

/* Gives back what a record holds beside itself. The same one for all records of a kind. */
typedef void give_back_contents(void *record);

/* Communicator or datatype `record`, state MPILENS_OBJECT_FREED, is to be given back when nothing live refers to it. */
void reclaim_later(enum mpilens_table_kind kind, void *record, give_back_contents *give_back);

/* -- topology.c --
 * Topologies of communicators: struct mpilens_topology of layout.def. The struct is zeroed at first; the values behind
 * it are its own.
 */

/* Asks MPI for the topology of a valid intracommunicator. `reordered`: as its constructor was asked. */
void topology_ask(struct mpilens_topology *topology, MPI_Comm handle, bool reordered);

/* That of a duplicate. */
void topology_copy(struct mpilens_topology *topology, const struct mpilens_topology *original);

/* There is none any more. */
void topology_give_back(struct mpilens_topology *topology);

/* -- world_group.c --
 * The group of all processes of the world, whether the program has an MPI_COMM_WORLD or only sessions.
 */

/* `*ret_must_free`: the caller frees the group with the real MPI_Group_free. False: there is neither a world nor a
 * session now, or MPI would not say. */
bool world_group_get(MPI_Group *ret_group, bool *ret_must_free);

#endif
