/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A record of the questions to a target and its answers: memory, symbols, places. Enough to answer the same questions
 * again without it.
 */
#ifndef MPILENS_INSPECT_TARGET_TARGET_RECORDING_H
#define MPILENS_INSPECT_TARGET_TARGET_RECORDING_H

#include "target/tick_clock.h"

#include <stddef.h>
#include <stdint.h>

struct target_recording;

struct target_recording *target_recording_create(void);
void target_recording_destroy(struct target_recording *recording); /* NULL is fine */

/* What was read last at an address counts. */
void target_recording_add_memory(struct target_recording *recording, uint64_t address, const void *bytes, size_t count);
void target_recording_add_symbol(struct target_recording *recording, const char *name, uint64_t address);
void target_recording_add_place(struct target_recording *recording, uint64_t address);
/* How ticks of the process became ages. */
void target_recording_set_clock(struct target_recording *recording, const struct tick_clock *clock);
const struct tick_clock *target_recording_clock(const struct target_recording *recording);

/* These call `visit` for all until it returns another value than 0, and return that. Memory comes by address in ranges
 * that do not overlap, of at most TARGET_RECORDING_RANGE bytes. */
enum { TARGET_RECORDING_RANGE = 1 << 20 };
int target_recording_for_each_range(struct target_recording *recording,
                                    int (*visit)(void *context, uint64_t address, const void *bytes, size_t count),
                                    void *context);
int target_recording_for_each_symbol(const struct target_recording *recording,
                                     int (*visit)(void *context, const char *name, uint64_t address), void *context);
int target_recording_for_each_place(const struct target_recording *recording,
                                    int (*visit)(void *context, uint64_t address), void *context);

#endif
