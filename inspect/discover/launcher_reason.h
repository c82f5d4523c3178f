/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A launcher that has no rank on this host: where its ranks are.
 */
#ifndef MPILENS_INSPECT_DISCOVER_LAUNCHER_REASON_H
#define MPILENS_INSPECT_DISCOVER_LAUNCHER_REASON_H

#include "base/reason.h"
#include "discover/launcher_table.h"

/* Says why nothing can be read below the launcher, and what to do. `table`: what it says of its processes, NULL:
 * nothing. `host` is this one. */
int launcher_reason(pid_t launcher, const char *name, const struct launcher_table *table, const char *host,
                    struct reason *ret_reason);

/* The same of a process of this host, whose table is read. */
int launcher_reason_of(pid_t launcher, const char *name, struct reason *ret_reason);

#endif
