/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the current call of a thread in words.
 */
#include "words/words.h"

#include "base/base.h"
#include "model/model.h"

#include <stdio.h>
#include <string.h>

/* Operations that are written out; of more there are only the numbers, and of more than can be looked up in good time
 * only their sum. */
enum { MOST_WRITTEN_OUT = 2, MOST_COUNTED = 1000 };

/* The bytes only where there is no number of elements. Empty: not known. */
static const char *describe_elements(int64_t count, int64_t bytes, const char *datatype)
{
    return describe_amount(count, count >= 0 && datatype[0] != '\0' ? -1 : bytes, datatype);
}

static void write_elements(FILE *stream, int64_t count, int64_t bytes, const char *datatype)
{
    fputs(describe_elements(count, bytes, datatype), stream);
}

/* The number of a peer, or where it is to be left open, PEER_MARK. */
static const char *describe_peer(int32_t local, int32_t world, const struct communicator *communicator,
                                 struct open_call *open)
{
    if (open == NULL || open->peer_count == MOST_OPEN_PEERS ||
        !open_peer_of(local, world, communicator, &open->peers[open->peer_count]))
        return describe_rank(local, world);
    open->peer_count++;
    return arena_copy(PEER_MARK);
}

/* "10 x MPI_INT <- 0, tag 7". Not by a stream: there are as many of these as operations. */
static const char *describe_message(const struct operation *operation, const struct communicator *communicator,
                                    struct open_call *open)
{
    const char *elements =
        describe_elements(operation->details->count, operation->details->bytes, operation->details->datatype);
    const char *tag = describe_tag(operation->tag_wild, operation->tag);
    return arena_text("%s %s %s, %s", elements, (operation->flags & MPILENS_OPERATION_SEND) != 0 ? "->" : "<-",
                      describe_peer(operation->peer_local, operation->peer_world, communicator, open), tag);
}

static const char *write_operation(const struct operation *operation, const struct communicator *communicator,
                                   const struct communicator_labels *labels, struct open_call *open)
{
    return arena_text("%s(%s, %s)", operation->details->function, describe_message(operation, communicator, open),
                      find_label(labels, communicator->id));
}

const char *describe_operation(const struct operation *operation, const struct communicator *communicator,
                               const struct communicator_labels *labels)
{
    return write_operation(operation, communicator, labels, NULL);
}

/* Names that the application has chosen may have the mark in them. */
static bool has_only_own_marks(const struct open_call *open)
{
    size_t count = 0;
    for (const char *next = open->text; (next = strstr(next, PEER_MARK)) != NULL; next += strlen(PEER_MARK))
        count++;
    return count == open->peer_count;
}

struct open_call describe_open_operation(const struct operation *operation, const struct communicator *communicator,
                                         const struct communicator_labels *labels)
{
    struct open_call open = {.peer_count = 0};
    open.text = write_operation(operation, communicator, labels, &open);
    if (has_only_own_marks(&open))
        return open;
    return (struct open_call){.text = write_operation(operation, communicator, labels, NULL)};
}

bool operations_read_alike(const struct operation *left, const struct operation *right)
{
    return left->tag == right->tag && left->tag_wild == right->tag_wild &&
           (left->flags & MPILENS_OPERATION_SEND) == (right->flags & MPILENS_OPERATION_SEND) &&
           left->details->count == right->details->count && left->details->bytes == right->details->bytes &&
           strcmp(left->details->datatype, right->details->datatype) == 0 &&
           strcmp(left->details->function, right->details->function) == 0;
}

/* The operation that a call waits for: a send or receive, else another request; both NULL: not known. */
struct awaited {
    const struct operation *operation;
    const struct communicator *communicator; /* of the operation */
    const struct operation *request;
};

static struct awaited find_awaited(const struct process *process, uint64_t serial)
{
    struct awaited awaited = {0};
    awaited.operation = find_operation(process, serial, &awaited.communicator);
    if (awaited.operation == NULL)
        awaited.request = find_request(process, serial);
    return awaited;
}

static void write_count(FILE *stream, bool *first, size_t count, const char *noun)
{
    if (count == 0)
        return;
    fprintf(stream, "%s%zu %s%s", *first ? "" : ", ", count, noun, count > 1 ? "s" : "");
    *first = false;
}

static void write_numbers(FILE *stream, const struct process *process, const struct thread *thread)
{
    size_t sends = 0, receives = 0, requests = 0;
    for (size_t i = 0; i < thread->waiting_known && thread->waiting_count <= MOST_COUNTED; i++) {
        const struct awaited awaited = find_awaited(process, thread->waiting[i]);
        requests += awaited.request != NULL;
        if (awaited.operation != NULL)
            ++*((awaited.operation->flags & MPILENS_OPERATION_SEND) != 0 ? &sends : &receives);
    }
    if (sends + receives + requests < thread->waiting_count) {
        fprintf(stream, "%llu operations", (unsigned long long)thread->waiting_count);
        return;
    }
    bool first = true;
    write_count(stream, &first, sends, "send");
    write_count(stream, &first, receives, "receive");
    write_count(stream, &first, requests, "request");
}

const char *describe_call_numbers(const struct process *process, const struct thread *thread)
{
    FILE *stream = arena_open();
    fprintf(stream, "%s(", thread->function);
    write_numbers(stream, process, thread);
    fputs(")", stream);
    return arena_close(stream);
}

static void write_waiting(FILE *stream, const struct process *process, const struct thread *thread,
                          const struct communicator_labels *labels, struct open_call *open)
{
    struct awaited awaited[MOST_WRITTEN_OUT];
    size_t count = 0;
    for (size_t i = 0; i < thread->waiting_known && thread->waiting_known <= MOST_WRITTEN_OUT; i++) {
        awaited[count] = find_awaited(process, thread->waiting[i]);
        count += awaited[count].operation != NULL || awaited[count].request != NULL;
    }
    if (count < thread->waiting_count) {
        write_numbers(stream, process, thread);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const bool last = i + 1 == count;
        if (awaited[i].request != NULL) {
            fputs(describe_request(process, awaited[i].request, labels), stream);
        } else {
            fputs(describe_message(awaited[i].operation, awaited[i].communicator, open), stream);
            if (last || awaited[i].communicator != awaited[i + 1].communicator)
                fprintf(stream, ", %s", find_label(labels, awaited[i].communicator->id));
        }
        if (!last)
            fputs("; ", stream);
    }
}

static void write_collective(FILE *stream, const struct process *process, const struct thread *thread)
{
    const struct object *object;
    const struct collective_call *call = find_current_collective(process, thread, &object);
    if (call == NULL)
        return;
    if (call->count >= 0) {
        write_elements(stream, call->count, call->bytes, call->datatype);
        fputs(", ", stream);
    }
    if (call->has_root && call->root >= 0)
        fprintf(stream, "%s %d, ", call->purpose == MPILENS_PURPOSE_LEADERS ? "leader" : "root", call->root);
    fprintf(stream, "call %llu on ", (unsigned long long)call->serial);
}

static void write_probe(FILE *stream, const struct process *process, const struct thread *thread,
                        struct open_call *open)
{
    const char *peer = describe_peer(thread->peer_local, thread->peer_world,
                                     find_communicator(process, thread->communicator_id), open);
    const char *tag = describe_tag(thread->tag_wild, thread->tag);
    fprintf(stream, "<- %s, %s, ", peer, tag);
}

/* "ranks [0-2], tag 7, ": the members in the order of the group. */
static void write_group(FILE *stream, const struct thread *thread)
{
    enum { MOST_RANGES = 8 };
    const struct group *group = thread->group;
    fputs("ranks [", stream);
    for (size_t i = 0; i < group->range_count && i < MOST_RANGES; i++) {
        const struct group_range *range = &group->ranges[i];
        fprintf(stream, "%s%d", i > 0 ? "," : "", range->first);
        if (range->count > 1)
            fprintf(stream, "%s%d", range->stride == 1 ? "-" : ",", range->first + (range->count - 1) * range->stride);
        if (range->count > 2 && range->stride != 1)
            fprintf(stream, " by %d", range->stride);
    }
    fprintf(stream, "%s], tag %d, ", group->range_count > MOST_RANGES ? ",..." : "", thread->tag);
}

/* ", with rank 2 of MPI_COMM_WORLD, tag 10". */
static void write_other_leader(FILE *stream, const struct process *process, const struct thread *thread,
                               const struct communicator_labels *labels, struct open_call *open)
{
    const char *peer = describe_peer(thread->peer_local, thread->peer_world,
                                     find_communicator(process, thread->peer_communicator_id), open);
    fprintf(stream, ", with rank %s of %s, tag %d", peer, find_label(labels, thread->peer_communicator_id),
            thread->tag);
}

static void write_object_call(FILE *stream, const struct process *process, const struct thread *thread,
                              const struct communicator_labels *labels, struct open_call *open)
{
    if (thread->lock_type != 0)
        fprintf(stream, "%s, ", describe_lock(thread->lock_type));
    if (thread->peer_local >= 0) {
        const char *target = describe_peer(thread->peer_local, thread->peer_world,
                                           find_communicator(process, thread->communicator_id), open);
        fprintf(stream, "target %s, ", target);
    }
    write_collective(stream, process, thread);
    fputs(describe_object(process, thread->object_kind, thread->object_serial, labels), stream);
}

static const char *write_call(const struct process *process, const struct thread *thread,
                              const struct communicator_labels *labels, struct open_call *open)
{
    FILE *stream = arena_open();
    fprintf(stream, "%s(", thread->function);
    if (thread->waiting_count > 0) {
        write_waiting(stream, process, thread, labels, open);
    } else if (thread->object_kind != MPILENS_OBJECT_NONE) {
        write_object_call(stream, process, thread, labels, open);
    } else if (thread->communicator_id != 0) {
        if (thread->call_class == MPILENS_CALL_PROBE || thread->call_class == MPILENS_CALL_IPROBE)
            write_probe(stream, process, thread, open);
        else
            write_collective(stream, process, thread);
        if (thread->group != NULL)
            write_group(stream, thread);
        fputs(find_label(labels, thread->communicator_id), stream);
        if (thread->peer_communicator_id != 0)
            write_other_leader(stream, process, thread, labels, open);
    }
    fputc(')', stream);
    return arena_close(stream);
}

struct open_call describe_open_call(const struct process *process, const struct thread *thread,
                                    const struct communicator_labels *labels)
{
    struct open_call open = {.peer_count = 0};
    open.text = write_call(process, thread, labels, &open);
    if (has_only_own_marks(&open))
        return open;
    return (struct open_call){.text = write_call(process, thread, labels, NULL)};
}

const char *describe_poll_separator(const struct thread *thread, size_t number)
{
    if (number == 0)
        return "";
    return number == thread->other_poll_count && !thread->more_polls ? " and " : ", ";
}

struct open_call describe_open_calls(const struct process *process, const struct thread *thread,
                                     const struct communicator_labels *labels)
{
    if (thread->function[0] == '\0')
        return (struct open_call){.text = "not in MPI"};
    if (!thread->polling)
        return describe_open_call(process, thread, labels);
    struct open_call polls = {.peer_count = 0};
    FILE *stream = arena_open();
    fputs("polling ", stream);
    for (size_t i = 0; i <= thread->other_poll_count; i++) {
        fputs(describe_poll_separator(thread, i), stream);
        append_open_call(stream, &polls, describe_open_call(process, find_poll(thread, i), labels));
    }
    if (thread->more_polls)
        fputs(" and others", stream);
    polls.text = arena_close(stream);
    return polls;
}

const char *describe_call(const struct process *process, const struct thread *thread,
                          const struct communicator_labels *labels)
{
    return fill_open_call(describe_open_calls(process, thread, labels));
}
