/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The message queues of a process without the runtime, by the debugger library of its MPI's vendor, as far as that
 * finds the debug information of the MPI that it needs.
 */
#ifndef MPILENS_INSPECT_COLLECT_VENDOR_DLL_H
#define MPILENS_INSPECT_COLLECT_VENDOR_DLL_H

#include "base/reason.h"
#include "model/model.h"

struct vendor_dll;

/* Loads the library that the user has named; it runs in this process. 0 and a library to be closed, or -1 and a reason:
 * it is none of the message-queue interface. */
int vendor_dll_open(const char *path, struct vendor_dll **ret_dll, struct reason *ret_reason);
void vendor_dll_close(struct vendor_dll *dll); /* NULL is fine */

/* Fills the communicators of the process, which lacks tables, with their queues. 0, or -1 and a reason, in words of the
 * library; then the process is as it was. */
int vendor_dll_collect(const struct vendor_dll *dll, struct job *job, struct process *process,
                       struct reason *ret_reason);
/* The same for all processes of the job that lack tables and live or have cores here, with the library of `path`. 0, or
 * -1 and a reason: it is no such library, or can read none of them; which then still have what else is known. */
int vendor_dll_collect_job(const char *path, struct job *job, struct reason *ret_reason);

#endif
