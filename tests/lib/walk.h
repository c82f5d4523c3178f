/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks the DLL for everything that there is, as the most curious of debuggers.
 */
#ifndef MPILENS_WALK_H
#define MPILENS_WALK_H

#include "mpilens/extension.h"

struct walk_result {
    int update;             /* what mqs_update_communicator_list said */
    int setup;              /* what mqs_setup_communicator_iterator said */
    uint64_t communicators; /* how many of each came */
    uint64_t operations;
    uint64_t completed;
    uint64_t threads;
    uint64_t requests;
    uint64_t objects;
    uint64_t items; /* of all kinds */
    uint64_t wrong; /* answers that no target may cause: unknown codes, text without end, ranks out of the world */
};

/* Takes a copy and walks through all of it. `world_size`: what the target has said truthfully, or 0. */
struct walk_result walk_everything(mqs_process *process, int world_size);

#endif
