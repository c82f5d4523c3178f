/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the calls that MPI has failed.
 */
#include "collect/collect_internal.h"

#include "base/base.h"

#include <stdlib.h>

enum { MOST_FAILED_CALLS = MPILENS_FIRST_FAILED_CALLS + MPILENS_LAST_FAILED_CALLS };

int collect_failed_calls(const struct collection *collection, struct process *process)
{
    size_t count = 0;
    struct mpilens_failed_call_information *calls = allocate(MOST_FAILED_CALLS * sizeof *calls);
    calls[0].struct_size = sizeof *calls;
    const int code = collection->dll->mpilens_get_failed_calls(collection->handle, calls, MOST_FAILED_CALLS, &count);
    if (code == mqs_ok && count > 0) {
        process->failed_calls = allocate(count * sizeof *process->failed_calls);
        process->failed_call_count = count;
        for (size_t i = 0; i < count; i++) {
            process->failed_calls[i] = model_failed_call(collection, &calls[i]);
            process->failed_calls[i].returned = calls[i].outcome == MPILENS_FAILED_RETURNED;
        }
    }
    free(calls);
    return code == mqs_ok ? mqs_ok : collection_end(code);
}
