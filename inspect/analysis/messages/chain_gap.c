/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the rank that has not passed a message on, where each goes from rank to rank under a tag of its own.
 */
#include "analysis/messages/messages.h"

#include "model/model.h"

enum { LEAST_CHAINS = 4, LEAST_MEMBERS = 3, MOST_MEMBERS = 64 };

/* How the messages with a tag have gone between the members of a communicator. */
struct chain {
    size_t origins, passed, ends; /* members that have sent, received and sent, received one message */
    size_t others;                /* that have had several */
    const struct job_member *end; /* the last of those */
};

static size_t count(const struct operations *operations, uint32_t class, int32_t tag)
{
    size_t found = 0;
    for (size_t i = 0; i < operations->count; i++) {
        const struct operation *operation = &operations->items[i];
        const bool is_receive = class == MPILENS_OPERATION_RECEIVE;
        found += (operation->flags & class) != 0 && (is_receive ? operation->actual_tag : operation->tag) == tag &&
                 (!is_receive || operation->status == mqs_st_complete);
    }
    return found;
}

static void add_member(const struct job_member *member, int32_t tag, struct chain *chain)
{
    const struct communicator *communicator = member->communicator;
    const size_t sent = count(&communicator->completed, MPILENS_OPERATION_SEND, tag) +
                        count(&communicator->sends, MPILENS_OPERATION_SEND, tag);
    const size_t received = count(&communicator->completed, MPILENS_OPERATION_RECEIVE, tag);
    chain->others += sent > 1 || received > 1;
    chain->origins += sent == 1 && received == 0;
    chain->passed += sent == 1 && received == 1;
    if (sent == 0 && received == 1) {
        chain->ends++;
        chain->end = member;
    }
}

static struct chain find_chain(const struct job_members *members, int32_t tag)
{
    struct chain chain = {.others = 0};
    for (size_t i = 0; i < members->count; i++)
        add_member(&members->items[i], tag, &chain);
    return chain;
}

static bool is_chain_of(const struct chain *chain, size_t members)
{
    return chain->others == 0 && chain->origins == 1 && chain->ends == 1 && chain->passed + 2 == members;
}

/* Whether the last messages that the receiver has got there, each with another tag, have gone along all members. */
static bool have_chains(const struct wanted_message *wanted, const struct job_members *members)
{
    const struct operations *completed = &wanted->communicator->completed;
    size_t chains = 0;
    int32_t last = wanted->tag;
    for (size_t i = completed->count; i > 0 && chains < LEAST_CHAINS; i--) {
        const struct operation *receive = &completed->items[i - 1];
        if ((receive->flags & MPILENS_OPERATION_RECEIVE) == 0)
            continue;
        const struct chain chain = find_chain(members, receive->actual_tag);
        if (receive->actual_tag == last || !is_chain_of(&chain, members->count))
            return false;
        last = receive->actual_tag;
        chains++;
    }
    return chains >= LEAST_CHAINS;
}

const struct process *chain_gap_find(const struct job_index *index, const struct wanted_message *wanted)
{
    const struct job_members members = job_index_members(index, wanted->communicator->id);
    if (wanted->tag_wild || members.count < LEAST_MEMBERS || members.count > MOST_MEMBERS ||
        members.count != (size_t)wanted->communicator->size)
        return NULL;
    for (size_t i = 0; i < members.count; i++)
        if (process_has_lost_records(members.items[i].process))
            return NULL;
    const struct chain chain = find_chain(&members, wanted->tag);
    const bool lacks_one = is_chain_of(&chain, members.count - 1);
    if (!lacks_one || chain.end->process == wanted->receiver ||
        (wanted->peer_world >= 0 && wanted->peer_world != chain.end->process->rank) ||
        !tag_gap_has_gone_on(chain.end->communicator, wanted->tag) || !have_chains(wanted, &members))
        return NULL;
    return chain.end->process;
}
