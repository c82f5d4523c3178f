/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the model to rows of queues.
 */
#include "render/text/render_text.h"

#include "base/base.h"

static const char *const names[] = {
    [QUEUE_SEND] = "send", [QUEUE_RECEIVE] = "receive", [QUEUE_UNEXPECTED] = "unexpected"};

static void visit_queue(struct queue_row row, enum queue queue, const struct operations *operations,
                        queue_row_visit *visit, void *context)
{
    row.queue = queue;
    row.name = names[queue];
    for (size_t i = 0; i < operations->count; i++) {
        const struct operation *operation = &operations->items[i];
        row.is_first = i == 0;
        row.operation = operation;
        row.tag = operation->tag_wild ? "any" : arena_text("%d", operation->tag);
        row.status = describe_operation_status(operation);
        row.site = describe_site(operation->details->site);
        visit(context, &row);
    }
}

void visit_queue_rows(const struct process *process, const struct communicator_labels *labels, queue_row_visit *visit,
                      void *context)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        const struct queue_row row = {.communicator = communicator, .label = find_label(labels, communicator->id)};
        visit_queue(row, QUEUE_SEND, &communicator->sends, visit, context);
        visit_queue(row, QUEUE_RECEIVE, &communicator->receives, visit, context);
        visit_queue(row, QUEUE_UNEXPECTED, &communicator->unexpected, visit, context);
        if (communicator->unexpected_unknown > 0) {
            const struct queue_row more = {.queue = QUEUE_UNEXPECTED,
                                           .name = names[QUEUE_UNEXPECTED],
                                           .is_first = true,
                                           .unknown = communicator->unexpected_unknown,
                                           .communicator = communicator,
                                           .label = row.label};
            visit(context, &more);
        }
    }
}
