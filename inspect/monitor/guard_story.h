/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The story of a job that a rank has ended by ending itself: who that was, how it ended, and what all were doing.
 */
#ifndef MPILENS_INSPECT_MONITOR_GUARD_STORY_H
#define MPILENS_INSPECT_MONITOR_GUARD_STORY_H

#include "monitor/guard_watch.h"

/* Writes it as a finding. `first`: see guard_deaths_find_first(); `before`, `after`: what was seen last before the
 * first end that was noticed, and directly after. Resolves places in both. */
void guard_story_tell(FILE *stream, const struct guard_deaths *deaths, const struct guard_death *first,
                      struct guard_look *before, struct guard_look *after);

#endif
