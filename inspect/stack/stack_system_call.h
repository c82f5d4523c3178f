/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The system call that a thread is in.
 */
#ifndef MPILENS_INSPECT_STACK_STACK_SYSTEM_CALL_H
#define MPILENS_INSPECT_STACK_STACK_SYSTEM_CALL_H

#include "target/target.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct system_call {
    bool is_known;
    int64_t number; /* of this machine; -1: in none */
    uint64_t arguments[6];
};

/* Of a thread of a living process (`proc` is "/proc" but in tests), or in a core file. Not known: running, not to be
 * read, or of another machine. */
struct system_call system_call_of_thread(const char *proc, const struct target *target, pid_t thread);
struct system_call system_call_in_core(struct target *target, pid_t thread);

/* Whether it is a wait for a futex without a time limit, and whether only threads of the process can end that. */
bool is_endless_futex_wait(const struct system_call *system_call);
bool is_private_futex(const struct system_call *system_call);

#endif
