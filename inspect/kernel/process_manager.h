/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether a rank is connected with what has started it, by which ranks find each other (PMI, PMIx).
 */
#ifndef MPILENS_INSPECT_KERNEL_PROCESS_MANAGER_H
#define MPILENS_INSPECT_KERNEL_PROCESS_MANAGER_H

#include "kernel/open_sockets.h"
#include "kernel/thread_state.h"

enum { MOST_MANAGER_TEXT = 160 };

/* Writes "is connected with its PMIx server at 127.0.0.1:41234", "waits for an answer of its PMI server", "has no
 * connection with its PMIx server at ...", by what the launcher has put into the environment; "": that says nothing.
 * `thread`: of the process, what it does. */
void process_manager_describe(const char *proc, pid_t pid, const struct open_sockets *sockets,
                              const struct thread_state *thread, char ret_text[MOST_MANAGER_TEXT]);

#endif
