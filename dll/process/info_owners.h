/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which interfaces a debugger uses on one image or process. What the DLL keeps of those hangs in one place for all of
 * them, may be made and destroyed by each, and goes with the last.
 */
#ifndef MPILENS_DLL_PROCESS_INFO_OWNERS_H
#define MPILENS_DLL_PROCESS_INFO_OWNERS_H

#include "mpilens/extension.h"

#include <stdbool.h>

enum interface { INTERFACE_MQS = 0x1, INTERFACE_MPIDBG = 0x2 };

/* First in every info. */
struct info_owners {
    struct info_owners *next;
    struct info_owners *former; /* which this one stands for now: set up twice; may be gone. NULL: none */
    unsigned interfaces;
    const mqs_basic_callbacks *memory; /* whose allocator it is from */
};

/* A new info, from the allocator of the callbacks in use. `former`: of the same image or process, NULL: none. */
void info_owners_begin(struct info_owners *owners, enum interface interface, struct info_owners *former);

/* Whether such an info exists: what a debugger has kept may be gone. */
bool info_exists(const void *info);

/* The interface has done with it. True: so have all; the caller frees what is in it and then calls info_release. An
 * interface that never had it speaks for all. */
bool info_owners_leave(struct info_owners *owners, enum interface interface);

/* With those that it stands for and that nobody has destroyed. */
void info_release(struct info_owners *owners);

#endif
