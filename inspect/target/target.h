/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A process to be read: alive, as a core file, or out of a snapshot. Reading never stops it.
 */
#ifndef MPILENS_INSPECT_TARGET_TARGET_H
#define MPILENS_INSPECT_TARGET_TARGET_H

#include "base/reason.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct target;
struct target_recording;
struct tick_clock;

void target_close(struct target *target); /* NULL is fine */

/* Copies memory of the target. 0, or an errno: EFAULT not mapped, ESRCH gone, EPERM not allowed. On failure the content
 * of `ret_bytes` is undefined. */
int target_read(struct target *target, uint64_t address, void *ret_bytes, size_t count);
/* The same where there may be nothing: to fail tells nothing about the target, but that it is gone. */
bool target_peek(struct target *target, uint64_t address, void *ret_bytes, size_t count);
/* The same, but no snapshot gets it: to look whether there is what is worth that. */
bool target_glance(struct target *target, uint64_t address, void *ret_bytes, size_t count);
/* The worst that target_read has met so far, ESRCH before EPERM before EFAULT; 0: nothing. */
int target_read_error(const struct target *target);

/* What an address is. Text is valid until the target is closed; unknown parts are NULL or 0. False: in no module. */
struct target_place {
    const char *module;
    uint64_t offset;      /* of the address from where the module is loaded */
    uint64_t file_offset; /* of the address in the module's file, as addr2line takes it */
    const char *function;
    const char *path; /* of the source file */
    int line;
    const char *hint; /* what to do to get a line; only of target_find_source and target_find_functions */
};
bool target_find_module(struct target *target, uint64_t address, struct target_place *ret_place);

int target_pointer_bytes(const struct target *target);
bool target_is_other_byte_order(const struct target *target);
pid_t target_pid(const struct target *target);              /* 0: not known */
const char *target_executable(const struct target *target); /* NULL: not known */
const char *target_core_path(const struct target *target);  /* NULL: alive */
/* When the core was written; 0: not known. */
struct timespec target_core_time(const struct target *target);
bool target_is_live(const struct target *target);
/* How ticks became ages when the snapshot was taken; NULL: not a target of a snapshot. */
const struct tick_clock *target_snapshot_clock(const struct target *target);

/* From now on, all that is asked of the target and answered is kept; NULL until then. */
void target_record(struct target *target);
struct target_recording *target_recording(const struct target *target);

/* A file that is mapped. Text is valid until `visit` returns. */
struct target_module {
    uint64_t start, end;
    const char *path;
    const unsigned char *build_id;
    size_t build_id_bytes; /* 0: not known */
};

#endif
