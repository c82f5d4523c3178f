/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tells by the threads whether a snapshot is still what the process is.
 */
#include "process_refresh.h"

#include "snapshot_maker.h"

static bool is_current(mqs_process_info *info)
{
    const enum mpilens_process_state state = info->root.process.state;
    struct table_copy threads;
    const struct table_copy *before = &info->snapshot.tables[MPILENS_TABLE_THREADS];
    if (!info->copied || info->snapshot_code != mqs_ok || !info->snapshot.still || before->record_count == 0 ||
        process_info_attach(info) != mqs_ok || info->root.process.state != state ||
        table_copy_take(&info->target, &info->root.offsets, &info->root.process.tables[MPILENS_TABLE_THREADS],
                        MPILENS_TABLE_THREADS, &threads) != mqs_ok)
        return false;
    const bool moved = snapshot_threads_have_moved(before, &threads);
    table_copy_free(&threads);
    return !moved;
}

int process_info_refresh(mqs_process_info *info)
{
    return is_current(info) ? mqs_ok : process_info_copy(info);
}
