/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory of target_program.c, and the answers that every kind of target must give about it.
 */
#ifndef MPILENS_TESTS_UNIT_INSPECT_PUBLISHED_H
#define MPILENS_TESTS_UNIT_INSPECT_PUBLISHED_H

#include <stdint.h>
#include <sys/types.h>

struct target;

struct published {
    char text[16];
    uint64_t return_address;
    uint64_t unmapped;
};

/* Reads it out of the target of the process `pid`. */
void published_expect(struct target *target, pid_t pid, struct published *ret_published);

#endif
