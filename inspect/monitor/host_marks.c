/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps account of marks.
 */
#include "monitor/monitor_internal.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct marked_host *find_or_add(struct host_marks *marks, const char *name)
{
    for (size_t i = 0; i < marks->count; i++)
        if (strcmp(marks->items[i].name, name) == 0)
            return &marks->items[i];
    marks->items = array_append(marks->items, &marks->count, sizeof *marks->items);
    marks->items[marks->count - 1] = (struct marked_host){.name = copy_text(name)};
    return &marks->items[marks->count - 1];
}

static void take_of_host(struct marked_host *host, const struct host_message *message)
{
    if (message->kind == HOST_ASKED)
        return;
    host->is_over = message->kind == HOST_OVER;
    host->is_lost = message->kind == HOST_LOST;
    free(host->reason);
    host->reason = host->is_lost ? copy_text(message->text) : NULL;
    if (message->kind == HOST_LOST) /* its last mark stays valid */
        return;
    if (message->kind == HOST_MARK && message->ranks > 0)
        host->since_s = message->at_s - message->quiet_s;
    else if (host->ranks > 0) /* that ranks end, or can no longer be read, is progress */
        host->since_s = message->at_s;
    host->was_read = host->was_read || message->ranks > 0;
    host->has_answered = host->has_answered || message->kind == HOST_MARK;
    host->at_s = message->at_s;
    host->ranks = message->kind == HOST_MARK ? message->ranks : 0;
}

void host_marks_take(struct host_marks *marks, const struct host_message *message)
{
    if (message->kind == HOST_ALL_NAMED)
        marks->is_named = true;
    else
        take_of_host(find_or_add(marks, message->host), message);
}

void host_marks_clear(struct host_marks *marks)
{
    for (size_t i = 0; i < marks->count; i++) {
        free(marks->items[i].name);
        free(marks->items[i].reason);
    }
    free(marks->items);
    *marks = (struct host_marks){.count = 0};
}

static bool is_read(const struct marked_host *host)
{
    return host->has_answered && !host->is_over && !host->is_lost && host->ranks > 0;
}

size_t host_marks_count_ranks(const struct host_marks *marks)
{
    size_t count = 0;
    for (size_t i = 0; i < marks->count; i++)
        count += is_read(&marks->items[i]) ? marks->items[i].ranks : 0;
    return count;
}

bool host_marks_has_lost(const struct host_marks *marks)
{
    for (size_t i = 0; i < marks->count; i++)
        if (marks->items[i].is_lost)
            return true;
    return false;
}

bool host_marks_is_waiting(const struct host_marks *marks)
{
    for (size_t i = 0; i < marks->count; i++) {
        const struct marked_host *host = &marks->items[i];
        if (!host->has_answered && !host->is_over && !host->is_lost)
            return true;
    }
    return !marks->is_named;
}

bool host_marks_is_over(const struct host_marks *marks)
{
    for (size_t i = 0; i < marks->count; i++)
        if (!marks->items[i].is_over && !marks->items[i].is_lost)
            return false;
    return true;
}

void host_marks_narrow(const struct host_marks *marks, struct quiet_span *span)
{
    for (size_t i = 0; i < marks->count; i++) {
        const struct marked_host *host = &marks->items[i];
        if (!host->was_read)
            continue;
        span->since_s = fmax(span->since_s, host->since_s);
        if (is_read(host))
            span->until_s = fmin(span->until_s, host->at_s);
    }
}
