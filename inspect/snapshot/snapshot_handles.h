/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What may be asked about handles of a snapshot later.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_HANDLES_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_HANDLES_H

#include "collect/collect.h"

/* Reads what may be asked about handles of the process later, so that its target, which records, has the answers. For
 * struct collect_plan, whose context is a struct site_cache that lasts as long. */
void snapshot_ask_handles(const struct collection *collection, const struct process *process, void *context);

#endif
