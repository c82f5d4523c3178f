/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks whose core files say that they have crashed: the signal, the thread that it came for, its stack.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CRASH_H
#define MPILENS_INSPECT_ANALYSIS_CRASH_H

#include "analysis/findings/finding.h"
#include "model/model.h"
#include "target/target_crash.h"

#include <stdbool.h>
#include <stdio.h>

/* Whether it was read from the core file of a crash. */
bool process_find_crash(const struct process *process, struct crash *ret_crash);

/* A finding for each crash, to stand before all others: what happened where, and what the other ranks were in. Reads
 * the stacks from the cores. */
struct findings find_crashes(const struct job *job);

/* The sentence of each crash, a line each. */
void say_crashes(FILE *stream, const struct job *job);

#endif
