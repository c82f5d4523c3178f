/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpid_* entry point about the type map.
 */
#include "mpid/mpid_internal.h"
#include "replies/replies.h"
#include "target/target.h"

static int collect_map(const struct mpid_call *call, int64_t limit, struct answer_list *ret_entries, bool *ret_complete)
{
    struct mpilens_type_map_entry run = {.struct_size = sizeof run};
    *ret_entries = (struct answer_list){.item_bytes = sizeof(mpid_type_map_entry_t)};
    int code = reply_setup_type_map_iterator(call->info);
    while (code == mqs_ok && (code = reply_next_type_map_entry(call->info, &run)) == mqs_ok) {
        if ((int64_t)ret_entries->count >= limit)
            return mqs_ok;
        const mpid_type_map_entry_t entry = {result_text(run.basic, false, &code),
                                             run.displacement,
                                             run.count,
                                             run.stride,
                                             run.repeat,
                                             run.repeat_stride};
        if (code == mqs_ok)
            code = answer_list_add(ret_entries, &entry);
        if (code != mqs_ok) {
            release(entry.basic);
            return code;
        }
    }
    *ret_complete = true;
    return code == mqs_end_of_list ? mqs_ok : code;
}

int mpid_type_query_map(mpid_type_handle_t *handle, int64_t limit, int64_t *num_entries,
                        mpid_type_map_entry_t **entries, int *complete)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    struct answer_list list;
    bool is_complete = false;
    if (limit < 0)
        return mpid_rc_bad_input;
    mpid_rc_t result = call_begin(handle, MPILENS_OBJECT_DATATYPE, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    int code = collect_map(&call, limit, &list, &is_complete);
    if (code == mqs_ok) {
        MPID_GIVE(num_entries, (int64_t)list.count);
        MPID_GIVE(complete, is_complete);
    }
    if (code != mqs_ok || entries == NULL)
        for (size_t i = 0; i < list.count; i++)
            release(((mpid_type_map_entry_t *)list.items)[i].basic);
    result_give_list(&list, code, NULL, entries);
    return call_end(&call, code);
}
