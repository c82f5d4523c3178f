/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes a snapshot, part by part.
 */
#include "snapshot/snapshot_maker.h"

#include "snapshot/communicator_list.h"
#include "snapshot/object_list.h"
#include "snapshot/operation_queues.h"
#include "snapshot/operation_requests.h"
#include "snapshot/partitions.h"
#include "snapshot/request_list.h"
#include "snapshot/snapshot_read.h"
#include "snapshot/thread_views.h"
#include "snapshot/window_locks.h"

#include <string.h>

int snapshot_take(const struct target *target, struct root *root, const struct function_table *functions,
                  struct snapshot *ret_snapshot)
{
    memset(ret_snapshot, 0, sizeof *ret_snapshot);
    const struct snapshot_maker maker = {target, root, functions, ret_snapshot};
    struct call_requests requests;
    memset(&requests, 0, sizeof requests);
    int code = snapshot_read(&maker, &requests);
    if (code == mqs_ok) {
        snapshot_settle_requests(&maker);
        code = snapshot_list_communicators(&maker);
    }
    if (code == mqs_ok)
        code = snapshot_sort_operations(&maker);
    if (code == mqs_ok)
        code = snapshot_sort_traffic(&maker);
    if (code == mqs_ok)
        code = snapshot_sort_requests(&maker);
    if (code == mqs_ok)
        code = snapshot_sort_objects(&maker);
    if (code == mqs_ok)
        code = snapshot_read_partitions(&maker);
    if (code == mqs_ok)
        code = snapshot_read_window_locks(&maker);
    if (code == mqs_ok)
        code = snapshot_view_threads(&maker, &requests);
    call_requests_free(&requests);
    if (code != mqs_ok)
        snapshot_free(ret_snapshot);
    return code;
}
