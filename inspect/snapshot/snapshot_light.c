/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Leaves out of a job what its verdict hardly needs.
 */
#include "snapshot/snapshot_internal.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* On one communicator with one peer, and from any source; and of one process. */
enum { KEPT_SENDS = 8, KEPT_RECEIVES = 2, KEPT_FROM_ANY = 8, MOST_KEPT = 64 };

/* Exact in binary, so that most of the bits are zero. */
static const double millisecond = 1.0 / 1024;

static double round_seconds(double seconds)
{
    if (!(seconds >= 0) || seconds > 1e12)
        return seconds;
    return (double)(int64_t)(seconds / millisecond + 0.5) * millisecond;
}

static int round_row(void *context, void *row, int64_t number, int64_t parent_number)
{
    const struct snapshot_table *table = context;
    (void)number;
    (void)parent_number;
    for (size_t i = 0; i < table->field_count; i++) {
        double seconds;
        if (table->fields[i].type != SNAPSHOT_SECONDS)
            continue;
        memcpy(&seconds, (char *)row + table->fields[i].offset, sizeof seconds);
        seconds = round_seconds(seconds);
        memcpy((char *)row + table->fields[i].offset, &seconds, sizeof seconds);
    }
    return 0;
}

/* How many newer ones there are on the same channel in the same direction. */
struct seen {
    int32_t peer;
    uint32_t sends, receives;
};

static struct seen *find_seen(struct seen **seen, size_t *count, int32_t peer)
{
    for (size_t i = 0; i < *count; i++)
        if ((*seen)[i].peer == peer)
            return &(*seen)[i];
    *seen = array_append(*seen, count, sizeof **seen);
    (*seen)[*count - 1].peer = peer;
    return &(*seen)[*count - 1];
}

static uint32_t most_kept(const struct operation *operation)
{
    if ((operation->flags & MPILENS_OPERATION_SEND) != 0)
        return KEPT_SENDS;
    return operation->peer_local < 0 ? KEPT_FROM_ANY : KEPT_RECEIVES;
}

/* The newest stand last. `room`: how many the process may still keep. */
static void keep_newest(struct operations *completed, size_t *room)
{
    struct seen *seen = NULL;
    size_t seen_count = 0, first = completed->count;
    for (size_t i = completed->count; i > 0 && *room > 0; i--) {
        struct operation *operation = &completed->items[i - 1];
        const bool is_send = (operation->flags & MPILENS_OPERATION_SEND) != 0;
        struct seen *channel = find_seen(&seen, &seen_count, operation->peer_local);
        uint32_t *newer = is_send ? &channel->sends : &channel->receives;
        if ((*newer)++ >= most_kept(operation))
            continue;
        (*room)--;
        operation->buffer = 0;
        completed->items[--first] = *operation;
    }
    if (first > 0 && completed->count > first)
        memmove(completed->items, completed->items + first, (completed->count - first) * sizeof *completed->items);
    completed->count -= first;
    free(seen);
}

static void lighten_process(struct process *process)
{
    size_t room = MOST_KEPT;
    for (size_t i = 0; i < process->communicator_count; i++)
        keep_newest(&process->communicators[i].completed, &room);
}

void job_lighten(struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        lighten_process(&job->processes[i]);
    for (size_t i = 0; i < snapshot_table_count; i++)
        snapshot_for_each_row(job, snapshot_tables[i], round_row, (void *)(uintptr_t)snapshot_tables[i]);
}
