/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Taking a snapshot.
 */
#ifndef MPILENS_DLL_SNAPSHOT_SNAPSHOT_MAKER_H
#define MPILENS_DLL_SNAPSHOT_SNAPSHOT_MAKER_H

#include "snapshot/snapshot.h"

/* What the parts of the snapshot are made with. */
struct snapshot_maker {
    const struct target *target;
    struct root *root;
    const struct function_table *functions;
    struct snapshot *snapshot;
};

/* Takes a copy. `root` was just read. On anything but mqs_ok, *ret_snapshot is empty. */
int snapshot_take(const struct target *target, struct root *root, const struct function_table *functions,
                  struct snapshot *ret_snapshot);

#endif
