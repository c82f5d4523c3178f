/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpid_* entry point about the type map.
 */
#include "mpid_call.h"

int mpid_type_query_map(mpid_type_handle_t *handle, int64_t limit, int64_t *num_entries,
                        mpid_type_map_entry_t **entries, int *complete)
{
    (void)num_entries;
    (void)entries;
    (void)complete;
    return handle && limit >= 0 ? mpid_rc_unavailable : mpid_rc_bad_input;
}
