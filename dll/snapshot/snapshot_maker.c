/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes a snapshot, part by part.
 */
#include "snapshot/snapshot.h"

#include <string.h>

int snapshot_take(struct reading *reading)
{
    memset(&reading->snapshot, 0, sizeof reading->snapshot);
    struct call_requests requests;
    memset(&requests, 0, sizeof requests);
    int code = snapshot_read(reading, &requests);
    if (code == mqs_ok) {
        snapshot_settle_requests(reading);
        code = snapshot_list_communicators(reading);
    }
    if (code == mqs_ok)
        code = snapshot_sort_operations(reading);
    if (code == mqs_ok)
        code = snapshot_sort_traffic(reading);
    if (code == mqs_ok)
        code = snapshot_sort_requests(reading);
    if (code == mqs_ok)
        code = snapshot_sort_objects(reading);
    if (code == mqs_ok)
        code = snapshot_read_partitions(reading);
    if (code == mqs_ok)
        code = snapshot_read_window_locks(reading);
    if (code == mqs_ok)
        code = snapshot_view_threads(reading, &requests);
    call_requests_free(&requests);
    if (code != mqs_ok)
        snapshot_free(&reading->snapshot);
    return code;
}
