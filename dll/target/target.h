/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of the target process. Everything that comes from there is untrusted.
 */
#ifndef MPILENS_DLL_TARGET_TARGET_H
#define MPILENS_DLL_TARGET_TARGET_H

#include "mpilens/extension.h"

struct copy_budget;
struct read_ahead;

struct target;

/* How a debugger gives access to a process, whichever interface it has come through. */
struct target_access {
    /* mqs_ok, or anything else: not readable. */
    int (*fetch)(const struct target *target, mqs_taddr_t address, int bytes, void *ret_bytes);
    /* mqs_ok or a code. */
    int (*find_symbol)(const struct target *target, const char *name, mqs_taddr_t *ret_address);
};

struct target {
    const struct target_access *access;
    void *process;                  /* what the debugger knows it as */
    const void *callbacks;          /* of the debugger, as `access` takes them; NULL: it takes none */
    uint32_t word_size;             /* bytes of a pointer of the target: 4 or 8 */
    const struct read_ahead *ahead; /* what target_read takes from it before it asks the debugger; NULL: none */
    struct copy_budget *budget;     /* of the copy that is being taken */
};

/* Whether [address, address + bytes) can exist in the target: not at 0, not past the end of its address space. */
int target_range_is_possible(const struct target *target, uint64_t address, uint64_t bytes);

/* Asks the debugger for `bytes` bytes as they stand in the target. mqs_ok, MPILENS_ERROR_UNREADABLE, or
 * MPILENS_ERROR_CORRUPT where the range is not possible; the buffer is then undefined. */
int target_fetch(const struct target *target, uint64_t address, size_t bytes, void *ret_bytes);

#endif
