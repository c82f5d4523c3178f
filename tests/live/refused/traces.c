/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading the shadow state of the own process.
 */
#include "traces.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The place that the next call takes is not looked at: a call that was refused has had it, and it was the oldest's. */
enum { RECENT = 8, LOOKED_AT = RECENT - 1 };

const struct mpilens_process *traces_root(void)
{
    return dlsym(RTLD_DEFAULT, "mpilens_process");
}

static void visit(const struct mpilens_process *root, enum mpilens_table_kind kind,
                  void (*see)(const void *record, void *context), void *context)
{
    const struct mpilens_table *table = &root->tables[kind];
    const struct mpilens_chunk *chunks = (const struct mpilens_chunk *)(uintptr_t)table->directory;
    for (uint32_t i = 0; i < table->chunk_count; i++)
        for (uint32_t k = 0; chunks[i].in_use > 0 && k < chunks[i].high_water; k++) {
            const char *record = (const char *)(uintptr_t)chunks[i].records + (size_t)k * table->record_bytes;
            if (*(const uint32_t *)(const void *)record != 0)
                see(record, context);
        }
}

static void show_order(FILE *text, uint64_t count, const struct mpilens_collective *recent)
{
    fprintf(text, "%" PRIu64 " calls:", count);
    for (uint64_t serial = count > LOOKED_AT ? count - LOOKED_AT + 1 : 1; serial <= count; serial++) {
        const struct mpilens_collective *call = &recent[(serial - 1) % RECENT];
        fprintf(text, " %" PRIu64 " %" PRIu32 " %" PRIu32, call->serial, call->function, call->active);
    }
    fprintf(text, "\n");
}

static void show_communicator(const void *record, void *text)
{
    const struct mpilens_communicator *communicator = record;
    fprintf(text, "communicator %" PRIx64 ", state %" PRIu32 ", id %" PRIx64 ", %" PRIu32 " made of it;",
            communicator->handle, communicator->state, communicator->unique_id, communicator->children);
    for (size_t i = 0; i < sizeof communicator->collective_states / sizeof communicator->collective_states[0]; i++)
        fprintf(text, " %" PRIu64 "/%" PRIu32, communicator->collective_states[i].count,
                communicator->collective_states[i].active);
    show_order(text, communicator->collective_count, communicator->recent_collectives);
}

static void show_window(const void *record, void *text)
{
    const struct mpilens_window *window = record;
    fprintf(text,
            "window %" PRIx64 ", state %" PRIu32 ", id %" PRIx64 ", users %" PRIu32 ", epochs %" PRIu32 " %" PRIu32
            ", locks %" PRIu32 ", synchronizations %" PRIu64 " %" PRIu32 ", operations %" PRIu64 " %" PRIu64 ";",
            window->handle, window->state, window->unique_id, window->users, window->access_epoch,
            window->exposure_epoch, window->lock_count, window->synchronizations, window->synchronization,
            window->operations, window->operations_since);
    show_order(text, window->collective_count, window->recent_collectives);
}

static void show_file(const void *record, void *text)
{
    const struct mpilens_file *file = record;
    fprintf(text,
            "file %" PRIx64 ", state %" PRIu32 ", id %" PRIx64 ", users %" PRIu32 ", operations %" PRIu64
            ", begun %" PRIu32 ";",
            file->handle, file->state, file->unique_id, file->users, file->operations, file->split_collective);
    show_order(text, file->collective_count, file->recent_collectives);
}

static void show_channel(const void *record, void *text)
{
    const struct mpilens_channel *channel = record;
    if (channel->sent != 0 || channel->received != 0)
        fprintf(text, "channel %" PRIx64 " %" PRId32 ": %" PRIu64 " sent, %" PRIu64 " received\n",
                channel->communicator_id, channel->peer, channel->sent, channel->received);
}

static void show_operation(const void *record, void *text)
{
    const struct mpilens_operation *operation = record;
    if (operation->state != MPILENS_OPERATION_RETIRED && operation->state != MPILENS_OPERATION_ABANDONED)
        fprintf(text, "operation %" PRIu64 ", state %" PRIu32 ", flags %" PRIx32 ", request %" PRIx64 " %" PRIx64 "\n",
                operation->posted, operation->state, operation->flags, operation->request, operation->second);
}

static void show_thread(const void *record, void *text)
{
    const struct mpilens_thread *thread = record;
    fprintf(text, "thread: in call %" PRIu32 ", of %" PRIu64 " requests, second operation %" PRIx64 "\n",
            thread->function, thread->request_count, thread->operation_2);
}

static void count_one(const void *record, void *count)
{
    (void)record;
    ++*(uint64_t *)count;
}

char *traces_text(const struct mpilens_process *root)
{
    static void (*const shows[MPILENS_TABLE_COUNT])(const void *record, void *text) = {
        [MPILENS_TABLE_COMMUNICATORS] = show_communicator,
        [MPILENS_TABLE_WINDOWS] = show_window,
        [MPILENS_TABLE_FILES] = show_file,
        [MPILENS_TABLE_CHANNELS] = show_channel,
        [MPILENS_TABLE_OPERATIONS] = show_operation,
        [MPILENS_TABLE_THREADS] = show_thread,
    };
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    for (int kind = 0; stream && kind < MPILENS_TABLE_COUNT; kind++) {
        uint64_t count = 0;
        if (kind == MPILENS_TABLE_FAILED_CALLS)
            continue; /* they are kept on purpose */
        if (shows[kind])
            visit(root, (enum mpilens_table_kind)kind, shows[kind], stream);
        else
            visit(root, (enum mpilens_table_kind)kind, count_one, &count);
        fprintf(stream, "table %d: %" PRIu64 " others\n", kind, count);
    }
    return stream && fclose(stream) == 0 ? text : NULL;
}

void traces_difference(const char *before, const char *after, char *ret_line, size_t bytes)
{
    size_t start = 0;
    for (size_t i = 0; before[i] != '\0' && before[i] == after[i]; i++)
        if (before[i] == '\n')
            start = i + 1;
    snprintf(ret_line, bytes, "%.*s", (int)strcspn(after + start, "\n"), after + start);
}

static void keep_oldest(const void *record, void *oldest)
{
    const struct mpilens_communicator **best = oldest;
    const struct mpilens_communicator *communicator = record;
    if (!*best || communicator->serial < (*best)->serial)
        *best = communicator;
}

const struct mpilens_communicator *traces_world(const struct mpilens_process *root)
{
    const struct mpilens_communicator *oldest = NULL;
    visit(root, MPILENS_TABLE_COMMUNICATORS, keep_oldest, &oldest);
    return oldest;
}

static void keep_newest(const void *record, void *newest)
{
    const struct mpilens_info **best = newest; /* as any: MPILENS_OBJECT_FIELDS */
    const struct mpilens_info *object = record;
    if (!*best || object->serial > (*best)->serial)
        *best = object;
}

const void *traces_newest(const struct mpilens_process *root, enum mpilens_table_kind kind)
{
    const struct mpilens_info *newest = NULL;
    visit(root, kind, keep_newest, &newest);
    return newest;
}
