/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes calls, waits and nodes in a few words.
 */
#include "render/graph/render_graph.h"

#include "analysis/messages/messages.h"
#include "base/base.h"
#include "model/model.h"
#include "words/words.h"

#include <stdlib.h>
#include <string.h>

/* Characters of the ranks of one node. */
enum { MOST_RANK_TEXT = 48 };

/* Operations of one call that are looked through. */
enum { MOST_LOOKED_AT = 1000 };

static bool is_probe(const struct thread *thread)
{
    return thread->call_class == MPILENS_CALL_PROBE || thread->call_class == MPILENS_CALL_IPROBE;
}

const char *describe_call_pattern(const struct process *process, const struct thread *thread,
                                  const struct communicator_labels *labels)
{
    const char *polls = thread->polling ? "polling " : "";
    const struct communicator *communicator = NULL;
    const struct operation *operation =
        thread->waiting_known > 0 ? find_operation(process, thread->waiting[0], &communicator) : NULL;
    if (operation == NULL && !is_probe(thread))
        return describe_call(process, thread, labels);
    const char *tag = operation != NULL ? describe_tag(operation->tag_wild, operation->tag)
                                        : describe_tag(thread->tag_wild, thread->tag);
    const char *label = find_label(labels, operation != NULL ? communicator->id : thread->communicator_id);
    const bool is_send = operation != NULL && (operation->flags & MPILENS_OPERATION_SEND) != 0;
    const bool any = operation != NULL ? operation->peer_local < 0 : thread->peer_local < 0;
    const char *more =
        thread->waiting_count > 1 ? arena_text("; %llu in all", (unsigned long long)thread->waiting_count) : "";
    return arena_text("%s%s(%s %s, %s, %s%s)", polls, thread->function, is_send ? "->" : "<-", any ? "any" : "...", tag,
                      label, more);
}

/* The first call of the rank, with its peers left open; no text: there is none. */
static struct open_call first_call(const struct job *job, int rank, const struct communicator_labels *labels)
{
    const struct process *process = find_process(job, rank);
    for (size_t i = 0; process != NULL && i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (!thread->ended && thread->function[0] != '\0')
            return describe_open_calls(process, thread, labels);
    }
    return (struct open_call){.text = NULL};
}

/* The text with the rules that all calls follow, which differ only in their peers; NULL: they follow none.
 */
static const char *fill_common_call(const struct open_call *calls, size_t count)
{
    const char *peers[MOST_OPEN_PEERS] = {NULL};
    struct open_peer *all = allocate(count * sizeof *all);
    size_t following = 0;
    for (; following < calls[0].peer_count; following++) {
        for (size_t i = 0; i < count; i++)
            all[i] = calls[i].peers[following];
        size_t fitting;
        const struct peer_rule rule = peer_rule_find(all, count, &fitting);
        if (fitting < count || (rule.kind != PEER_SAME && count < LEAST_IN_PATTERN))
            break;
        peers[following] = describe_peer_rule(&rule);
    }
    const char *text =
        following == calls[0].peer_count ? fill_open_text(calls[0].text, peers, calls[0].peer_count) : NULL;
    free(all);
    return text;
}

const char *describe_common_call(const struct job *job, const struct picture_node *node,
                                 const struct communicator_labels *labels)
{
    struct open_call *calls = allocate(node->ranks.count * sizeof *calls);
    size_t count = 0;
    bool are_alike = true;
    while (are_alike && count < node->ranks.count) {
        calls[count] = first_call(job, node->ranks.items[count], labels);
        are_alike = calls[count].text != NULL && strcmp(calls[count].text, calls[0].text) == 0;
        count++;
    }
    const char *text = are_alike ? fill_common_call(calls, count) : NULL;
    free(calls);
    return text;
}

static const char *describe_message(const struct operation *operation, const struct communicator *communicator,
                                    const struct communicator_labels *labels)
{
    const char *tag = describe_tag(operation->tag_wild, operation->tag);
    return arena_text("%s %s on %s",
                      (operation->flags & MPILENS_OPERATION_SEND) != 0 ? "a receive of" : "a message with", tag,
                      find_label(labels, communicator->id));
}

static const char *describe_awaited_message(const struct process *process, const struct thread *thread, int rank,
                                            const struct communicator_labels *labels)
{
    const struct operation *best = NULL;
    const struct communicator *best_communicator = NULL;
    for (size_t i = 0; i < thread->waiting_known && i < MOST_LOOKED_AT; i++) {
        const struct communicator *communicator = NULL;
        const struct operation *operation = find_operation(process, thread->waiting[i], &communicator);
        if (operation == NULL || operation->status == mqs_st_complete)
            continue;
        if (operation->peer_world == rank)
            return describe_message(operation, communicator, labels);
        if (operation->peer_local < 0 && best == NULL) {
            best = operation;
            best_communicator = communicator;
        }
    }
    return best != NULL ? describe_message(best, best_communicator, labels) : NULL;
}

static bool has_finding(const struct findings *findings, enum finding_kind kind, int rank)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->items[i].kind == kind &&
            (ranks_has(&findings->items[i].ranks, rank) || ranks_has(&findings->items[i].culprits, rank)))
            return true;
    return false;
}

static const char *describe_near_miss(const struct near_miss *miss, const struct communicator_labels *labels)
{
    if (miss->kind == FINDING_TAG_MISMATCH)
        return arena_text(", but %s was sent", describe_tag(false, miss->message->tag));
    if (miss->kind == FINDING_COMMUNICATOR_MISMATCH)
        return arena_text(", but it was sent on %s", find_label(labels, miss->communicator->id));
    return "";
}

const char *describe_misfit(const struct findings *findings, const struct process *process, const struct thread *thread,
                            int rank, const struct communicator_labels *labels)
{
    for (size_t i = 0; i < thread->waiting_known && i < MOST_LOOKED_AT; i++) {
        const struct communicator *communicator = NULL;
        const struct operation *operation = find_operation(process, thread->waiting[i], &communicator);
        if (operation == NULL || operation->peer_world != rank || operation->status == mqs_st_complete ||
            (operation->flags & MPILENS_OPERATION_RECEIVE) == 0)
            continue;
        const struct wanted_message wanted = wanted_message_of(process, communicator, operation);
        struct near_miss miss;
        if (near_miss_find_any(&wanted, &miss) && has_finding(findings, miss.kind, process->rank))
            return describe_near_miss(&miss, labels);
    }
    return "";
}

const char *describe_wanted(const struct process *process, const struct thread *thread, int rank,
                            const struct communicator_labels *labels)
{
    const char *message = describe_awaited_message(process, thread, rank, labels);
    if (message != NULL)
        return message;
    for (size_t i = 0; i < thread->waiting_known && i < MOST_LOOKED_AT; i++) {
        const struct operation *request = find_request(process, thread->waiting[i]);
        if (request != NULL && !request->complete)
            return describe_request(process, request, labels);
    }
    if (is_probe(thread)) {
        const char *tag = describe_tag(thread->tag_wild, thread->tag);
        message = arena_text("a message with %s on %s", tag, find_label(labels, thread->communicator_id));
        return message;
    }
    if (thread->object_kind != MPILENS_OBJECT_NONE) {
        message = arena_text("%s on %s", thread->function,
                             describe_object(process, thread->object_kind, thread->object_serial, labels));
        return message;
    }
    if (thread->communicator_id != 0)
        return arena_text("%s on %s", thread->function, find_label(labels, thread->communicator_id));
    return arena_copy(thread->function[0] != '\0' ? thread->function : "another thread");
}

const char *describe_picture_role(enum picture_role role)
{
    static const char *const names[] = {
        [PICTURE_CAUSE] = "CAUSE",
        [PICTURE_INVOLVED] = "stuck with the cause",
        [PICTURE_CONSEQUENCE] = "stuck because of it",
        [PICTURE_WAITS] = "waits, may go on",
        [PICTURE_ENDED] = "ended",
        [PICTURE_UNREAD] = "not read, nothing is known",
        [PICTURE_SEEN] = "only its call stack is known",
        [PICTURE_LIVE] = "goes on",
    };
    return names[role];
}

const char *describe_picture_ranks(const struct picture_node *node)
{
    const char *numbers = ranks_text(&node->ranks);
    if (strlen(numbers) > MOST_RANK_TEXT) {
        int end = MOST_RANK_TEXT;
        while (end > 0 && numbers[end] != ',')
            end--;
        return arena_text("%zu ranks %.*s,...]", node->ranks.count, end, numbers);
    }
    return ranks_name(&node->ranks);
}

const char *describe_picture_mode(const struct picture_node *node)
{
    if (node->target_count < 2 || (node->mode != WAITS_FOR_ALL && node->mode != WAITS_FOR_ANY))
        return "";
    return node->mode == WAITS_FOR_ANY ? arena_text("waits for any of %zu ranks", node->target_count)
                                       : arena_text("waits for %zu ranks", node->target_count);
}

const char *describe_ring(const struct picture_node *node)
{
    return arena_text("each waits for the next: %s", node->wanted != NULL ? node->wanted : "");
}
