/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the calls that MPI has failed.
 */
#include "collect/collect_internal.h"

#include "base/base.h"

#include <stdlib.h>

enum { MOST_FAILED_CALLS = MPILENS_FIRST_FAILED_CALLS + MPILENS_LAST_FAILED_CALLS };

static struct failed_call model_call(const struct collection *collection,
                                     const struct mpilens_failed_call_information *information)
{
    return (struct failed_call){
        .serial = information->serial,
        .count = information->count,
        .age_s = tick_clock_age(&collection->clock, information->last_time),
        .first_age_s = tick_clock_age(&collection->clock, information->first_time),
        .function = text_pool_add(collection->names, information->function),
        .call_class = information->call_class,
        .purpose = information->purpose,
        .site_address = information->site,
        .small_count = text_pool_add(collection->names, information->small_count),
        .request_function = text_pool_add(collection->names, information->request_function),
        .request_site_address = information->request_site,
        .communicator_id = information->communicator_id,
        .collective = information->collective,
        .amount = information->amount,
        .bytes = information->bytes,
        .actual_bytes = information->actual_bytes,
        .datatype = text_pool_add(collection->names, information->datatype),
        .operation = information->operation,
        .has_peer = information->has_peer != 0,
        .has_tag = information->has_tag != 0,
        .tag_wild = information->tag_wild != 0,
        .has_root = information->has_root != 0,
        .peer_local = information->peer_local,
        .peer_world = information->peer_world,
        .tag = information->tag,
        .root = information->root,
        .error = information->error,
        .error_class = text_pool_add(collection->names, information->error_class),
        .text = text_pool_add(collection->names, information->text),
        .is_under_way = information->is_under_way != 0,
        .is_returned = information->outcome == MPILENS_FAILED_RETURNED,
    };
}

int collect_failed_calls(const struct collection *collection, struct process *process)
{
    size_t count = 0;
    struct mpilens_failed_call_information *calls = allocate(MOST_FAILED_CALLS * sizeof *calls);
    calls[0].struct_size = sizeof *calls;
    const int code = collection->dll->mpilens_get_failed_calls(collection->handle, calls, MOST_FAILED_CALLS, &count);
    if (code == mqs_ok && count > 0) {
        process->failed_calls = allocate(count * sizeof *process->failed_calls);
        process->failed_call_count = count;
        for (size_t i = 0; i < count; i++)
            process->failed_calls[i] = model_call(collection, &calls[i]);
    }
    free(calls);
    return code == mqs_ok ? mqs_ok : collection_end(code);
}
