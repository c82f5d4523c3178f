/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The current call of a thread in words.
 */
#include "allocation.h"
#include "describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Operations that are written out; of more there are only the numbers. */
enum { MOST_WRITTEN_OUT = 2 };

static void write_amount(FILE *stream, int64_t count, int64_t bytes, const char *datatype)
{
    if (count >= 0 && datatype[0] != '\0')
        fprintf(stream, "%lld x %s", (long long)count, datatype);
    else if (bytes >= 0)
        fprintf(stream, "%lld bytes", (long long)bytes);
}

static void write_tag(FILE *stream, bool wild, int32_t tag)
{
    if (wild)
        fputs("any tag", stream);
    else
        fprintf(stream, "tag %d", tag);
}

static void write_operation(FILE *stream, const struct operation *operation)
{
    char *peer = describe_rank(operation->peer_local, operation->peer_world);
    write_amount(stream, operation->count, operation->bytes, operation->datatype);
    fprintf(stream, " %s %s, ", (operation->flags & MPILENS_OPERATION_SEND) != 0 ? "->" : "<-", peer);
    write_tag(stream, operation->tag_wild, operation->tag);
    free(peer);
}

static void count_directions(const struct process *process, const struct thread *thread, size_t *ret_sends,
                             size_t *ret_receives)
{
    const struct communicator *communicator;
    *ret_sends = *ret_receives = 0;
    for (size_t i = 0; i < thread->waiting_known; i++) {
        const struct operation *operation = find_operation(process, thread->waiting[i], &communicator);
        if (operation != NULL)
            ++*((operation->flags & MPILENS_OPERATION_SEND) != 0 ? ret_sends : ret_receives);
    }
}

static void write_numbers(FILE *stream, const struct process *process, const struct thread *thread)
{
    size_t sends = 0, receives = 0;
    if (thread->waiting_count <= 1000) /* looking them up takes time */
        count_directions(process, thread, &sends, &receives);
    if (sends + receives < thread->waiting_count)
        fprintf(stream, "%llu operations", (unsigned long long)thread->waiting_count);
    else if (sends == 0 || receives == 0)
        fprintf(stream, "%zu %s", sends + receives, sends > 0 ? "sends" : "receives");
    else
        fprintf(stream, "%zu send%s, %zu receive%s", sends, sends > 1 ? "s" : "", receives, receives > 1 ? "s" : "");
}

static void write_waiting(FILE *stream, const struct process *process, const struct thread *thread,
                          const struct communicator_labels *labels)
{
    const struct operation *operations[MOST_WRITTEN_OUT];
    const struct communicator *communicators[MOST_WRITTEN_OUT];
    size_t count = 0;
    for (size_t i = 0; i < thread->waiting_known && thread->waiting_count <= MOST_WRITTEN_OUT; i++) {
        operations[count] = find_operation(process, thread->waiting[i], &communicators[count]);
        count += operations[count] != NULL;
    }
    if (count < thread->waiting_count) {
        write_numbers(stream, process, thread);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        write_operation(stream, operations[i]);
        const bool last = i + 1 == count;
        if (last || communicators[i] != communicators[i + 1])
            fprintf(stream, ", %s", find_label(labels, communicators[i]->id));
        if (!last)
            fputs("; ", stream);
    }
}

static void write_collective(FILE *stream, const struct process *process, const struct thread *thread)
{
    const struct communicator *communicator = find_communicator(process, thread->communicator_id);
    for (size_t i = 0; communicator != NULL && i < communicator->collective_call_count; i++) {
        const struct collective_call *call = &communicator->collectives[i];
        if (!call->active || strcmp(call->function, thread->function) != 0)
            continue;
        if (call->count >= 0) {
            write_amount(stream, call->count, call->bytes, call->datatype);
            fputs(", ", stream);
        }
        if (call->has_root && call->root >= 0)
            fprintf(stream, "root %d, ", call->root);
        fprintf(stream, "call %llu on ", (unsigned long long)call->serial);
        return;
    }
}

static void write_probe(FILE *stream, const struct thread *thread)
{
    char *peer = describe_rank(thread->peer_local, thread->peer_world);
    fprintf(stream, "<- %s, ", peer);
    write_tag(stream, thread->tag_wild, thread->tag);
    fputs(", ", stream);
    free(peer);
}

char *describe_call(const struct process *process, const struct thread *thread,
                    const struct communicator_labels *labels)
{
    if (thread->function[0] == '\0')
        return copy_text("not in MPI");
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    if (stream == NULL)
        return copy_text(thread->function);
    fprintf(stream, "%s%s(", thread->polling ? "polls " : "", thread->function);
    if (thread->waiting_count > 0) {
        write_waiting(stream, process, thread, labels);
    } else if (thread->communicator_id != 0) {
        if (thread->call_class == MPILENS_CALL_COLLECTIVE)
            write_collective(stream, process, thread);
        else if (thread->call_class == MPILENS_CALL_PROBE || thread->call_class == MPILENS_CALL_IPROBE)
            write_probe(stream, thread);
        fputs(find_label(labels, thread->communicator_id), stream);
    }
    fputc(')', stream);
    fclose(stream);
    return text;
}
