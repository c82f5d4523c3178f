/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the request handles that threads in completion calls have been given.
 */
#include "call_requests.h"

#include "callbacks.h"
#include "decode.h"

#include <string.h>

static const uint64_t request_limit = 1u << 22;

static bool has_requests(const struct snapshot_maker *maker, const struct mpilens_thread *thread)
{
    uint32_t call_class = function_table_get(maker->functions, thread->function)->call_class;
    return thread->state == MPILENS_THREAD_ALIVE && thread->function != 0 &&
           (call_class == MPILENS_CALL_WAIT || call_class == MPILENS_CALL_TEST) && thread->requests != 0 &&
           thread->request_count > 0;
}

/* Returns MPILENS_ERROR_NO_MEMORY or mqs_ok, with what else is wrong in ret_requests->code. */
static int read_requests(const struct snapshot_maker *maker, const struct mpilens_thread *thread,
                         struct thread_requests *ret_requests)
{
    const size_t size = maker->root->process.request_bytes;
    if (size < 1 || size > sizeof(uint64_t) || thread->request_count > request_limit) {
        ret_requests->code = MPILENS_ERROR_CORRUPT;
        return mqs_ok;
    }
    const size_t count = (size_t)thread->request_count;
    uint8_t *bytes = allocate_array(count, size);
    uint64_t *handles = allocate_array(count, sizeof(*handles));
    int code = MPILENS_ERROR_NO_MEMORY;
    if (bytes && handles)
        code = target_read(maker->target, thread->requests, count * size, bytes);
    for (size_t i = 0; code == mqs_ok && i < count; i++)
        handles[i] = decode_integer(bytes + i * size, size, maker->root->offsets.header.big_endian);
    release(bytes);
    if (code == mqs_ok) {
        ret_requests->handles = handles;
        ret_requests->count = count;
        return mqs_ok;
    }
    release(handles);
    ret_requests->code = code;
    return code == MPILENS_ERROR_NO_MEMORY ? code : mqs_ok;
}

int call_requests_read(const struct snapshot_maker *maker, struct call_requests *ret_requests)
{
    struct call_requests requests;
    memset(&requests, 0, sizeof(requests));
    int code =
        table_copy_take(maker->target, &maker->root->offsets, &maker->root->process.tables[MPILENS_TABLE_THREADS],
                        MPILENS_TABLE_THREADS, &requests.threads);
    if (code != mqs_ok)
        return code;
    const size_t count = requests.threads.record_count;
    requests.requests = allocate_array(count, sizeof(*requests.requests));
    if (!requests.requests)
        code = MPILENS_ERROR_NO_MEMORY;
    for (size_t i = 0; code == mqs_ok && i < count; i++)
        requests.requests[i] = (struct thread_requests){NULL, 0, maker->target->ahead ? mqs_no_information : mqs_ok};
    for (size_t i = 0; !maker->target->ahead && code == mqs_ok && i < count; i++) {
        const struct mpilens_thread *thread = table_copy_record(&requests.threads, i);
        if (has_requests(maker, thread))
            code = read_requests(maker, thread, &requests.requests[i]);
    }
    if (code != mqs_ok) {
        call_requests_free(&requests);
        return code;
    }
    *ret_requests = requests;
    return mqs_ok;
}

void call_requests_free(struct call_requests *requests)
{
    for (size_t i = 0; requests->requests && i < requests->threads.record_count; i++)
        release(requests->requests[i].handles);
    release(requests->requests);
    table_copy_free(&requests->threads);
    memset(requests, 0, sizeof(*requests));
}
