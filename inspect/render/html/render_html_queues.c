/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the rows of the page's table: the calls of all threads, queues, requests.
 */
#include "render/html/render_html_internal.h"

#include "base/base.h"
#include "model/model.h"
#include "render/text/render_text.h"
#include "words/words.h"

#include <string.h>

static void begin_row(struct page_rows *rows, size_t *cells, const char *what, const char *function)
{
    for (size_t i = 0; i < PAGE_CELLS; i++)
        cells[i] = page_text(rows, "");
    cells[PAGE_WHAT] = page_text(rows, what);
    cells[PAGE_FUNCTION] = page_text(rows, function);
}

static const char *describe_tag_alone(bool wild, int32_t tag)
{
    return wild ? "any" : arena_text("%d", tag);
}

static void add_call(struct page_rows *rows, const struct process *process, const struct thread *thread,
                     const struct communicator_labels *labels)
{
    size_t cells[PAGE_CELLS];
    begin_row(rows, cells, "call", thread->function);
    cells[PAGE_DETAILS] = page_text(rows, describe_call(process, thread, labels));
    const struct communicator *communicator = NULL;
    const struct operation *operation = thread->waiting_count == 1 && thread->waiting_known == 1
                                            ? find_operation(process, thread->waiting[0], &communicator)
                                            : NULL;
    if (operation != NULL) {
        cells[PAGE_PEER] = page_text(rows, describe_rank(operation->peer_local, operation->peer_world));
        cells[PAGE_TAG] = page_text(rows, describe_tag_alone(operation->tag_wild, operation->tag));
        cells[PAGE_COMMUNICATOR] = page_text(rows, find_label(labels, communicator->id));
    } else if (thread->communicator_id != 0) {
        cells[PAGE_COMMUNICATOR] = page_text(rows, find_label(labels, thread->communicator_id));
    }
    cells[PAGE_STATUS] = page_text(rows, thread->stalled ? "stands still" : "");
    cells[PAGE_PLACE] = page_text(rows, describe_site(thread->site));
    page_rows_add(rows, cells, thread->age_s);
}

/* Adds a thread of a process without the runtime. */
static void add_seen(struct page_rows *rows, const struct seen_thread *thread)
{
    size_t cells[PAGE_CELLS];
    begin_row(rows, cells, "call", thread->function);
    cells[PAGE_DETAILS] = page_text(rows, describe_seen_thread(thread));
    cells[PAGE_PLACE] = page_text(rows, describe_site(thread->site));
    page_rows_add(rows, cells, -1);
}

static void add_calls(struct page_rows *rows, const struct process *process, const struct communicator_labels *labels)
{
    bool in_mpi = false;
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (thread->ended || thread->function[0] == '\0')
            continue;
        add_call(rows, process, thread, labels);
        in_mpi = true;
    }
    for (int i = next_seen_thread(process, -1); i >= 0; i = next_seen_thread(process, i)) {
        add_seen(rows, &process->seen_threads[i]);
        in_mpi = true;
    }
    if (in_mpi)
        return;
    size_t cells[PAGE_CELLS];
    begin_row(rows, cells, "call", "");
    cells[PAGE_DETAILS] = page_text(rows, describe_without_call(process));
    page_rows_add(rows, cells, -1);
}

static void add_queued(void *page, const struct queue_row *queued)
{
    struct page_rows *rows = page;
    const struct operation *operation = queued->operation;
    size_t cells[PAGE_CELLS];
    begin_row(rows, cells, queued->name, operation != NULL ? operation->details->function : "");
    if (operation == NULL) {
        cells[PAGE_DETAILS] = page_text(rows, arena_text("%llu messages under way to here, too old to be known",
                                                         (unsigned long long)queued->unknown));
        cells[PAGE_COMMUNICATOR] = page_text(rows, queued->label);
        page_rows_add(rows, cells, -1);
        return;
    }
    cells[PAGE_DETAILS] = page_text(
        rows, describe_amount(operation->details->count, operation->details->bytes, operation->details->datatype));
    cells[PAGE_PEER] = page_text(rows, describe_rank(operation->peer_local, operation->peer_world));
    cells[PAGE_TAG] = page_text(rows, queued->tag);
    cells[PAGE_COMMUNICATOR] = page_text(rows, queued->label);
    cells[PAGE_STATUS] = page_text(rows, queued->status);
    cells[PAGE_PLACE] = page_text(rows, queued->site);
    page_rows_add(rows, cells, operation->age_s);
}

static void add_request(void *page, const struct request_row *shown)
{
    struct page_rows *rows = page;
    const struct operation *request = shown->request;
    size_t cells[PAGE_CELLS];
    begin_row(rows, cells, shown->name, request->details->function);
    cells[PAGE_DETAILS] = page_text(rows, shown->place);
    cells[PAGE_COMMUNICATOR] = page_text(rows, shown->label);
    if (request->peer_local >= 0)
        cells[PAGE_PEER] = page_text(rows, describe_rank(request->peer_local, request->peer_world));
    cells[PAGE_STATUS] = page_text(rows, shown->status);
    cells[PAGE_PLACE] = page_text(rows, shown->site);
    page_rows_add(rows, cells, request->age_s);
}

static void render_html_queues_add_process(struct page_rows *rows, const struct process *process,
                                           const struct communicator_labels *labels)
{
    add_calls(rows, process, labels);
    visit_queue_rows(process, labels, add_queued, rows);
    visit_request_rows(process, labels, false, add_request, rows);
    page_rows_end(rows, process->rank);
}

void page_write_rows(struct json_stream *data, const struct job *job, const struct communicator_labels *labels,
                     const struct render_options *options)
{
    struct page_rows rows = {.left_out = 0};
    for (size_t i = 0; i < job->process_count; i++)
        if (rank_is_chosen(&options->ranks, job->processes[i].rank))
            render_html_queues_add_process(&rows, &job->processes[i], labels);
    page_rows_finish(&rows, data);
}
