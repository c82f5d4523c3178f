/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the sends of messages that the receiver's runtime has taken out of MPI.
 */
#include "matching/matching_internal.h"

#include "target/target.h"

/* How far the clocks of two processes may be apart. */
static const double clock_doubt_s = 1;

/* Entries by sender and tag. */
static bool is_before(const struct sort_entry *one, const struct sort_entry *other)
{
    return one->major != other->major ? one->major < other->major : one->middle < other->middle;
}

static bool is_alike(const struct sort_entry *one, const struct sort_entry *other)
{
    return one->major == other->major && one->middle == other->middle;
}

/* Without those that the sender had not sent when it was read. */
static int sort_taken(const struct members *members, size_t receiver, const struct flows *flows,
                      struct sort_entry *entries, size_t *ret_count)
{
    const struct mpilens_matching_member *member = members->items[receiver];
    size_t count = 0;
    for (size_t i = 0; i < member->taken_count; i++) {
        const struct mpilens_taken_message *taken = &member->taken[i];
        const size_t sender = find_peer_member(members, receiver, taken->peer_local, taken->peer_world);
        struct flow *flow = find_flow(flows, receiver, sender);
        if (flow != NULL && flow->taken++ < flow_under_way(flow))
            entries[count++] =
                (struct sort_entry){.major = sender, .middle = signed_key(taken->tag), .minor = i, .item = taken};
    }
    *ret_count = count;
    return sort_entries(entries, count);
}

static int sort_sends(const struct flows *flows, size_t receiver, struct sort_entry *entries)
{
    size_t count = 0;
    for (size_t i = flows->first_flow[receiver]; i < flows->first_flow[receiver + 1]; i++)
        for (size_t j = 0; j < flows->items[i].send_count; j++) {
            const struct mpilens_matched_operation *send = flows->items[i].sends[j];
            entries[count] = (struct sort_entry){
                .major = flows->items[i].sender, .middle = signed_key(send->tag), .minor = count, .item = send};
            count++;
        }
    return sort_entries(entries, count);
}

static bool is_too_young(const struct members *members, const struct sort_entry *sent,
                         const struct mpilens_matching_member *receiver, const struct mpilens_taken_message *taken)
{
    const struct mpilens_matched_operation *send = sent->item;
    return send->age_s + members->items[sent->major]->ages_delay_s + clock_doubt_s <
           taken->age_s + receiver->ages_delay_s;
}

int match_taken(const struct members *members, size_t receiver, const struct flows *flows,
                const struct mpilens_matching_member *all)
{
    const struct mpilens_matching_member *member = members->items[receiver];
    if (member->taken_count == 0)
        return mqs_ok;
    size_t count = 0, next = 0;
    for (size_t i = flows->first_flow[receiver]; i < flows->first_flow[receiver + 1]; i++)
        next += flows->items[i].send_count;
    struct sort_entry *taken = allocate_array(member->taken_count, sizeof *taken);
    struct sort_entry *sent = allocate_array(next, sizeof *sent);
    int code =
        taken != NULL && sent != NULL ? sort_taken(members, receiver, flows, taken, &count) : MPILENS_ERROR_NO_MEMORY;
    if (code == mqs_ok)
        code = sort_sends(flows, receiver, sent);
    for (size_t i = count; code == mqs_ok && i-- > 0;) {
        while (next > 0 && (is_before(&taken[i], &sent[next - 1]) ||
                            (is_alike(&taken[i], &sent[next - 1]) &&
                             is_too_young(members, &sent[next - 1], member, taken[i].item))))
            next--;
        if (next == 0 || !is_alike(&taken[i], &sent[next - 1]))
            continue;
        struct mpilens_matched_operation *send = (struct mpilens_matched_operation *)sent[--next].item;
        send->unexpected_at = (uint32_t)(member - all);
        send->unexpected_place = (uint32_t)taken[i].minor;
    }
    release(taken);
    release(sent);
    return code;
}
