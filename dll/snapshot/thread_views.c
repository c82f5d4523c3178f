/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Works out what each thread is doing: its current call, the operations of it and those that it waits for.
 */
#include "snapshot/snapshot.h"

#include "target/target.h"

#include <string.h>

/* A call and its operations, where no array of requests says more: two, each with a partner. */
enum { OPERATIONS_OF_ONE_CALL = 4 };

/* An operation of a persistent request stands for what was started last with it. */
static const struct mpilens_operation *started(const struct snapshot *snapshot,
                                               const struct mpilens_operation *operation)
{
    if (operation != NULL && operation->state == MPILENS_OPERATION_PERSISTENT)
        return snapshot_partner(snapshot, operation);
    return operation;
}

static void add_with_partner(struct reading *reading, struct awaited *awaited,
                             const struct mpilens_operation *operation)
{
    const struct mpilens_operation *current = started(&reading->snapshot, operation);
    if (current == NULL)
        return;
    waiting_add(reading, awaited, current);
    waiting_add(reading, awaited, snapshot_partner(&reading->snapshot, current));
}

/* The operations that the thread's call is about. */
static void add_operations_of_call(struct reading *reading, const struct thread_view *view, struct awaited *awaited)
{
    const struct mpilens_thread *thread = view->record;
    const uint32_t call_class = function_table_get(&reading->functions, thread->function)->call_class;
    if (thread->function == 0 || call_class == MPILENS_CALL_IPROBE)
        return;
    if (call_class == MPILENS_CALL_WAIT || call_class == MPILENS_CALL_TEST) {
        add_with_partner(reading, awaited, view->operation);
        return;
    }
    const struct mpilens_operation *own[] = {view->operation, view->operation_2};
    for (size_t i = 0; i < 2; i++)
        if (own[i] != NULL && (own[i]->flags & MPILENS_OPERATION_BLOCKING))
            waiting_add(reading, awaited, own[i]);
}

/* The requests that the thread was given to wait for, read before everything else: valid if the thread has not moved
 * since, or loops over the same calls. */
static const struct thread_calls *calls_of(struct reading *reading, const struct call_requests *requests, size_t number)
{
    const struct table_copy *threads = &reading->snapshot.tables[MPILENS_TABLE_THREADS];
    const size_t before = table_copy_find(&requests->threads, table_copy_address(threads, number));
    if (before == no_record)
        return NULL;
    return thread_stays(&reading->functions, table_copy_record(&requests->threads, before),
                        table_copy_record(threads, number))
               ? &requests->of_threads[before]
               : NULL;
}

/* `number`: of a poll; 0 also where the thread does not poll. */
static int view_call(struct reading *reading, const struct thread_requests *requests, struct request_index *index,
                     struct thread_view *view, size_t number)
{
    struct awaited *awaited = &view->awaited[number];
    awaited->serials = allocate_array(2 * requests->count + OPERATIONS_OF_ONE_CALL, sizeof *awaited->serials);
    if (awaited->serials == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    awaited->code = requests->code;
    if (requests->handles != NULL) {
        int code = index->operations != NULL ? mqs_ok : request_index_create(&reading->snapshot, index);
        if (code == mqs_ok)
            request_index_collect(reading, index, requests, awaited);
        return code;
    }
    if (thread_is_polling(&reading->functions, view->record))
        add_with_partner(reading, awaited,
                         snapshot_operation(&reading->snapshot, thread_poll_get(view->record, number).operation));
    else
        add_operations_of_call(reading, view, awaited);
    return mqs_ok;
}

/* `calls` NULL: they are changing. */
static int make_view(struct reading *reading, const struct thread_calls *calls, struct request_index *index,
                     struct thread_view *view)
{
    static const struct thread_requests changing = {NULL, 0, MPILENS_ERROR_INCONSISTENT};
    const size_t count = thread_is_polling(&reading->functions, view->record) ? thread_poll_count(view->record) : 1;
    view->operation = snapshot_operation(&reading->snapshot, view->record->operation);
    view->operation_2 = snapshot_operation(&reading->snapshot, view->record->operation_2);
    int code = mqs_ok;
    for (size_t i = 0; code == mqs_ok && i < count; i++)
        code = view_call(reading, calls != NULL ? &calls->calls[i] : &changing, index, view, i);
    return code;
}

int snapshot_view_threads(struct reading *reading, const struct call_requests *requests)
{
    struct snapshot *snapshot = &reading->snapshot;
    const struct table_copy *copy = &snapshot->tables[MPILENS_TABLE_THREADS];
    struct sort_entry *order = allocate_array(copy->record_count, sizeof *order);
    snapshot->threads = allocate_array(copy->record_count, sizeof *snapshot->threads);
    int code = order != NULL && snapshot->threads != NULL ? mqs_ok : MPILENS_ERROR_NO_MEMORY;
    size_t count = 0;
    for (size_t i = 0; code == mqs_ok && i < copy->record_count; i++) {
        const struct mpilens_thread *thread = table_copy_record(copy, i);
        if (thread->state == MPILENS_THREAD_ALIVE || thread->state == MPILENS_THREAD_ENDED)
            order[count++] = (struct sort_entry){thread->index, i, 0, thread};
    }
    if (code == mqs_ok)
        code = sort_entries(order, count);
    struct request_index index;
    memset(&index, 0, sizeof index);
    for (size_t i = 0; code == mqs_ok && i < count; i++) {
        struct thread_view *view = &snapshot->threads[snapshot->thread_count];
        memset(view, 0, sizeof *view);
        view->record = order[i].item;
        snapshot->thread_count++;
        code = make_view(reading, calls_of(reading, requests, (size_t)order[i].middle), &index, view);
    }
    request_index_free(&index);
    release(order);
    return code;
}
