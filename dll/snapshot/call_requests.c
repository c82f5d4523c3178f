/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the request handles that threads in completion calls have been given.
 */
#include "snapshot/snapshot.h"

#include "layout/layout.h"
#include "target/target.h"

#include <string.h>

static const uint64_t request_limit = 1u << 22;
enum { PIECE_HANDLES = 1 << 16 }; /* so that memory that nobody has written is found out soon */

/* Where handles of a call are. */
struct handle_array {
    uint64_t address; /* 0: there is none */
    uint64_t count;
};

static struct handle_array array_of_call(struct reading *reading, const struct mpilens_thread *thread)
{
    uint32_t call_class = function_table_get(&reading->functions, thread->function)->call_class;
    if (thread->function != 0 && (call_class == MPILENS_CALL_WAIT || call_class == MPILENS_CALL_TEST))
        return (struct handle_array){thread->requests, thread->request_count};
    return (struct handle_array){0, 0};
}

static struct handle_array array_of_poll(const struct mpilens_thread *thread, size_t number)
{
    const struct thread_poll poll = thread_poll_get(thread, number);
    return (struct handle_array){poll.requests, poll.request_count};
}

static int read_pieces(struct reading *reading, uint64_t address, size_t count, uint8_t *bytes, uint64_t *ret_handles)
{
    const size_t size = reading->root.process.request_bytes;
    for (size_t done = 0, piece; done < count; done += piece) {
        piece = count - done < PIECE_HANDLES ? count - done : PIECE_HANDLES;
        int code = target_copy(&reading->target, address + done * size, piece * size, bytes);
        if (code == mqs_ok)
            code = copy_budget_note(reading->target.budget, bytes, piece * size);
        if (code != mqs_ok)
            return code;
        for (size_t i = 0; i < piece; i++)
            ret_handles[done + i] = decode_integer(bytes + i * size, size, reading->root.offsets.header.big_endian);
    }
    return mqs_ok;
}

/* Returns MPILENS_ERROR_NO_MEMORY or mqs_ok, with what else is wrong in ret_requests->code. */
static int read_requests(struct reading *reading, struct handle_array array, struct thread_requests *ret_requests)
{
    const size_t size = reading->root.process.request_bytes;
    if (array.address == 0 || array.count == 0)
        return mqs_ok;
    if (size < 1 || size > sizeof(uint64_t) || array.count > request_limit) {
        ret_requests->code = MPILENS_ERROR_CORRUPT;
        return mqs_ok;
    }
    const size_t count = (size_t)array.count;
    uint8_t *bytes = allocate_array(count < PIECE_HANDLES ? count : PIECE_HANDLES, size);
    uint64_t *handles = allocate_array(count, sizeof *handles);
    int code = MPILENS_ERROR_NO_MEMORY;
    if (bytes != NULL && handles != NULL)
        code = read_pieces(reading, array.address, count, bytes, handles);
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

/* As read_requests, for all calls of a thread. */
static int read_thread(struct reading *reading, const struct mpilens_thread *thread, struct thread_calls *ret_calls)
{
    if (thread->state != MPILENS_THREAD_ALIVE)
        return mqs_ok;
    if (!thread_is_polling(&reading->functions, thread))
        return read_requests(reading, array_of_call(reading, thread), &ret_calls->calls[0]);
    int code = mqs_ok;
    for (size_t i = 0; code == mqs_ok && i < thread_poll_count(thread); i++)
        code = read_requests(reading, array_of_poll(thread, i), &ret_calls->calls[i]);
    return code;
}

bool threads_have_moved(const struct table_copy *before, const struct table_copy *after)
{
    if (before->record_count != after->record_count)
        return true;
    for (size_t i = 0; i < after->record_count; i++)
        if (table_copy_address(before, i) != table_copy_address(after, i) ||
            memcmp(table_copy_record(before, i), table_copy_record(after, i), after->record_size) != 0)
            return true;
    return false;
}

static int take_threads(struct reading *reading, struct table_copy *ret_threads)
{
    return table_copy_take(&reading->target, &reading->root.offsets,
                           &reading->root.process.tables[MPILENS_TABLE_THREADS], MPILENS_TABLE_THREADS, ret_threads);
}

static bool is_confirmed(const struct reading *reading, const struct table_copy *threads, size_t number,
                         const struct table_copy *again)
{
    const size_t found = table_copy_find(again, table_copy_address(threads, number));
    return found != no_record &&
           thread_stays(&reading->functions, table_copy_record(threads, number), table_copy_record(again, found));
}

int call_requests_confirm(struct reading *reading, const struct table_copy *threads, struct call_requests *requests)
{
    struct table_copy again;
    int code = take_threads(reading, &again);
    if (code != mqs_ok)
        return code;
    requests->have_moved = requests->have_moved || threads_have_moved(threads, &again);
    for (size_t i = 0; i < threads->record_count; i++) {
        const size_t number = table_copy_find(&requests->threads, table_copy_address(threads, i));
        if (number != no_record && !is_confirmed(reading, threads, i, &again))
            memset(table_copy_record(&requests->threads, number), 0, requests->threads.record_size);
    }
    table_copy_free(&again);
    return mqs_ok;
}

int call_requests_read(struct reading *reading, struct call_requests *ret_requests)
{
    struct call_requests requests;
    memset(&requests, 0, sizeof requests);
    int code = take_threads(reading, &requests.threads);
    if (code == mqs_ok && !LOADS_ARE_ORDERED)
        code = call_requests_confirm(reading, &requests.threads, &requests);
    if (code != mqs_ok) {
        call_requests_free(&requests);
        return code;
    }
    const size_t count = requests.threads.record_count;
    requests.of_threads = allocate_array(count, sizeof *requests.of_threads);
    if (requests.of_threads == NULL)
        code = MPILENS_ERROR_NO_MEMORY;
    for (size_t i = 0; code == mqs_ok && i < count; i++)
        for (size_t j = 0; j < MOST_POLLS; j++)
            requests.of_threads[i].calls[j] =
                (struct thread_requests){NULL, 0, reading->target.ahead != NULL ? mqs_no_information : mqs_ok};
    for (size_t i = 0; reading->target.ahead == NULL && code == mqs_ok && i < count; i++)
        code = read_thread(reading, table_copy_record(&requests.threads, i), &requests.of_threads[i]);
    if (code != mqs_ok) {
        call_requests_free(&requests);
        return code;
    }
    *ret_requests = requests;
    return mqs_ok;
}

void call_requests_free(struct call_requests *requests)
{
    for (size_t i = 0; requests->of_threads != NULL && i < requests->threads.record_count; i++)
        for (size_t j = 0; j < MOST_POLLS; j++)
            release(requests->of_threads[i].calls[j].handles);
    release(requests->of_threads);
    table_copy_free(&requests->threads);
    memset(requests, 0, sizeof *requests);
}
