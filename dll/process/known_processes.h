/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The processes that the debugger has set up for message queues and not destroyed, in the order of setting up.
 */
#ifndef MPILENS_DLL_PROCESS_KNOWN_PROCESSES_H
#define MPILENS_DLL_PROCESS_KNOWN_PROCESSES_H

#include "mpilens/message_queue.h"

#include <stdint.h>

/* First in what is kept for a process, behind its owners. */
struct known_process {
    mqs_process_info *before;
    mqs_process_info *after;
    int is_listed;
};

/* What was set up before for the same process is known no longer: the debugger has forgotten it. */
void known_processes_add(mqs_process_info *info);
/* Takes one that is not listed, too. */
void known_processes_remove(mqs_process_info *info);

/* NULL: there are no more. */
mqs_process_info *known_processes_first(void);
mqs_process_info *known_processes_after(const mqs_process_info *info);

/* Changes with every process that becomes known. */
uint64_t known_processes_version(void);

#endif
