/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What belongs to communicators: their groups, their topologies and the hints that they were given.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_COMMUNICATOR_CONTENTS_H
#define MPILENS_RUNTIME_OBJECTS_COMMUNICATOR_CONTENTS_H

#include "objects/communicator.h"

/* Whether a call makes a communicator with the groups, the topology and the attributes of the one it was made from. */
bool communicator_is_duplicate(const struct communicator_derivation *derivation, bool pending);

/* Of a new record, which has a handle and nothing else. */
void communicator_contents_set(struct mpilens_communicator *record, const struct communicator_derivation *derivation,
                               bool pending);

/* Sizes and rank as the groups say. */
void communicator_contents_note_sizes(struct mpilens_communicator *record);

/* Of one that was pending when it was made, and made from one that is not known: it has completed since. */
void communicator_contents_learn_late(struct mpilens_communicator *record);

/* Nobody will see the communicator's record again. */
void communicator_contents_give_back(void *given);

#endif
