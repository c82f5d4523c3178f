/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks the DLL for everything that there is, as the most curious of debuggers.
 */
#ifndef MPILENS_WALK_H
#define MPILENS_WALK_H

#include "mpilens/extension.h"

struct walk_result {
    int update;             /* result of mqs_update_communicator_list */
    int setup;              /* result of mqs_setup_communicator_iterator */
    uint64_t communicators; /* how many of each came */
    uint64_t operations;
    uint64_t completed;
    uint64_t threads;
    uint64_t requests;
    uint64_t objects;
    uint64_t items; /* of all kinds */
    uint64_t wrong; /* answers that no target may cause: unknown codes, text without end, ranks out of the world */
};

/* Takes a copy and walks through all of it. `world_size`: the target's true size, or 0. */
struct walk_result walk_everything(mqs_process *process, int world_size);

#endif
