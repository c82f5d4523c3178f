/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds messages that a waiting receive nearly accepts.
 */
#include "analysis/messages/messages.h"

#include "model/model.h"

static bool is_from(const struct wanted_message *wanted, const struct operation *message, bool same_communicator)
{
    if (wanted->peer_local < 0)
        return true;
    if (same_communicator && wanted->peer_world < 0)
        return wanted->peer_local == message->peer_local;
    return wanted->peer_world == message->peer_world;
}

/* As given in the call: the number in a communicator. */
static bool has_number(const struct wanted_message *wanted, const struct operation *message)
{
    return wanted->peer_local >= 0 && wanted->peer_local == message->peer_local;
}

static bool has_tag(const struct wanted_message *wanted, const struct operation *message)
{
    return wanted->tag_wild || wanted->tag == message->tag;
}

/* The kind of the one thing in which the message differs; FINDING_DEADLOCK: in none or in several. */
static enum finding_kind compare(const struct wanted_message *wanted, const struct communicator *communicator,
                                 const struct operation *message)
{
    const bool same_communicator = communicator == wanted->communicator;
    const bool source = is_from(wanted, message, same_communicator);
    const bool tag = has_tag(wanted, message);
    if (same_communicator && source && !tag)
        return FINDING_TAG_MISMATCH;
    if (!same_communicator && (source || has_number(wanted, message)) && tag)
        return FINDING_COMMUNICATOR_MISMATCH;
    if (same_communicator && !source && tag)
        return FINDING_SOURCE_MISMATCH;
    return FINDING_DEADLOCK;
}

static bool is_of_other_source(const struct wanted_message *wanted, const struct near_miss *miss)
{
    return !is_from(wanted, miss->message, miss->communicator == wanted->communicator);
}

/* A message of another type or size is further away than any that differs in one thing only. */
static int distance(const struct wanted_message *wanted, const struct near_miss *miss)
{
    enum { FURTHER = 4 };
    const int fit = message_fit(wanted, miss->message) == FITS_WELL ? 0 : FURTHER;
    if (miss->kind == FINDING_TAG_MISMATCH)
        return fit;
    if (miss->kind == FINDING_COMMUNICATOR_MISMATCH)
        return fit + (is_of_other_source(wanted, miss) ? 2 : 1);
    return fit + 3;
}

static bool is_nearer(const struct wanted_message *wanted, const struct near_miss *left, const struct near_miss *right)
{
    if (right->message == NULL)
        return true;
    const int left_distance = distance(wanted, left), right_distance = distance(wanted, right);
    return left_distance != right_distance ? left_distance < right_distance
                                           : left->message->age_s > right->message->age_s;
}

enum { MOST_ROUTINE = 8 };

/* Messages that were looked at and belong where they lie, with all of their kind. */
struct routine {
    struct near_miss kinds[MOST_ROUTINE];
    size_t count;
};

static bool is_known_routine(const struct routine *routine, const struct near_miss *miss)
{
    for (size_t i = 0; i < routine->count; i++)
        if (routine->kinds[i].communicator == miss->communicator && routine->kinds[i].kind == miss->kind &&
            routine->kinds[i].message->tag == miss->message->tag &&
            routine->kinds[i].message->peer_local == miss->message->peer_local)
            return true;
    return false;
}

static struct near_miss find_nearest(const struct wanted_message *wanted, bool other_sources,
                                     const struct routine *routine)
{
    struct near_miss best = {.message = NULL};
    for (size_t i = 0; i < wanted->receiver->communicator_count; i++) {
        const struct communicator *communicator = &wanted->receiver->communicators[i];
        for (size_t j = 0; j < communicator->unexpected.count; j++) {
            const struct near_miss candidate = {
                .kind = compare(wanted, communicator, &communicator->unexpected.items[j]),
                .message = &communicator->unexpected.items[j],
                .communicator = communicator,
            };
            if (candidate.kind == FINDING_DEADLOCK || (!other_sources && is_of_other_source(wanted, &candidate)) ||
                message_fit(wanted, candidate.message) == FITS_NOT || is_known_routine(routine, &candidate))
                continue;
            if (is_nearer(wanted, &candidate, &best))
                best = candidate;
        }
    }
    return best;
}

/* Whether the receive was called where the wanted one is, in the program or in a library. */
static bool is_here(const struct wanted_message *wanted, const struct operation *receive)
{
    return (wanted->site_address != 0 && receive->details->site_address == wanted->site_address) ||
           site_is_same(receive->details->site, wanted->site);
}

/* Whether the message waits for its turn: the receiver has so far received, by naming the source, such messages as the
 * wanted one at this place, or messages such as the other source's at another place. */
static bool waits_for_its_turn(const struct wanted_message *wanted, const struct near_miss *miss)
{
    const struct operations *completed = &wanted->communicator->completed;
    for (size_t i = 0; miss->kind == FINDING_SOURCE_MISMATCH && wanted->site != NULL && i < completed->count; i++) {
        const struct operation *receive = &completed->items[i];
        const bool here = is_here(wanted, receive);
        if ((receive->flags & MPILENS_OPERATION_RECEIVE) != 0 && receive->peer_local >= 0 &&
            receive->peer_local == (here ? wanted->peer_local : miss->message->peer_local) &&
            (here || receive->actual_tag == miss->message->tag))
            return true;
    }
    return false;
}

bool near_miss_may_be_early(const struct wanted_message *wanted, const struct near_miss *miss)
{
    const struct operations *completed = &wanted->communicator->completed;
    const struct operation *last = NULL;
    size_t steps = 0;
    if (miss->kind != FINDING_TAG_MISMATCH || wanted->site == NULL || miss->message->tag <= wanted->tag)
        return false;
    for (size_t i = 0; i < completed->count; i++) {
        const struct operation *receive = &completed->items[i];
        if ((receive->flags & MPILENS_OPERATION_RECEIVE) == 0 || !is_here(wanted, receive))
            continue;
        if (last != NULL && receive->actual_tag < last->actual_tag)
            return false;
        steps += last != NULL && receive->actual_tag > last->actual_tag;
        last = receive;
    }
    return steps > 0;
}

bool near_miss_find(const struct job_index *index, const struct wanted_message *wanted, bool other_sources,
                    struct near_miss *ret_near_miss)
{
    struct routine routine = {.count = 0};
    while (routine.count < MOST_ROUTINE) {
        const struct near_miss best = find_nearest(wanted, other_sources, &routine);
        if (best.message == NULL)
            return false;
        if (!waits_for_its_turn(wanted, &best) && !sent_before_is_routine(index, wanted, &best)) {
            *ret_near_miss = best;
            return true;
        }
        routine.kinds[routine.count++] = best;
    }
    return false;
}

bool near_miss_find_any(const struct wanted_message *wanted, struct near_miss *ret_near_miss)
{
    const struct routine none = {.count = 0};
    const struct near_miss best = find_nearest(wanted, false, &none);
    if (best.message == NULL)
        return false;
    *ret_near_miss = best;
    return true;
}

static bool may_have_received(const struct job_index *index, int32_t rank)
{
    const struct process *process = job_index_process(index, rank);
    return process != NULL && process_has_lost_records(process);
}

static const struct operation *find_stray_in(const struct job_index *index, const struct operations *operations,
                                             const struct wanted_message *wanted)
{
    for (size_t i = operations->count; i > 0; i--) {
        const struct operation *send = &operations->items[i - 1];
        if ((send->flags & MPILENS_OPERATION_SEND) != 0 && (send->flags & MPILENS_OPERATION_CANCELLED) == 0 &&
            !send->received && send->match_rank < 0 && !send->match_is_possible && send->peer_world >= 0 &&
            send->peer_world != wanted->receiver->rank && has_tag(wanted, send) &&
            !may_have_received(index, send->peer_world))
            return send;
    }
    return NULL;
}

const struct operation *find_stray_message(const struct job_index *index, const struct wanted_message *wanted)
{
    const struct process *source = job_index_process(index, wanted->peer_world);
    const struct communicator *theirs =
        source != NULL && source != wanted->receiver && !process_has_lost_records(source)
            ? find_communicator(source, wanted->communicator->id)
            : NULL;
    if (theirs == NULL)
        return NULL;
    const struct operation *pending = find_stray_in(index, &theirs->sends, wanted);
    return pending != NULL ? pending : find_stray_in(index, &theirs->completed, wanted);
}

static bool is_wanted(const struct wanted_message *wanted, const struct operation *receive)
{
    return (receive->flags & MPILENS_OPERATION_RECEIVE) != 0 && receive->actual_local == wanted->peer_local &&
           (wanted->tag_wild || receive->actual_tag == wanted->tag);
}

/* A message of another source that the receive would also have taken. */
static const struct operation *find_left(const struct wanted_message *wanted, const struct operation *taken)
{
    const struct communicator *communicator = wanted->communicator;
    for (size_t i = 0; i < communicator->unexpected.count; i++) {
        const struct operation *left = &communicator->unexpected.items[i];
        if (left->peer_local != taken->actual_local && left->peer_local != wanted->peer_local &&
            (taken->tag_wild || taken->tag == left->tag))
            return left;
    }
    return NULL;
}

/* Whether receives at the place of `taken` also get messages such as the one that was left, beside other tags. */
static bool is_usual_at_place(const struct communicator *communicator, const struct operation *taken,
                              const struct operation *left)
{
    for (size_t i = 0; left->tag != taken->actual_tag && i < communicator->completed.count; i++) {
        const struct operation *receive = &communicator->completed.items[i];
        if ((receive->flags & MPILENS_OPERATION_RECEIVE) != 0 && receive->actual_tag == left->tag &&
            site_is_same(receive->details->site, taken->details->site))
            return true;
    }
    return false;
}

/* The message left by a receive at another place, which took one of another tag instead. */
static const struct operation *find_left_at_place(const struct wanted_message *wanted, const struct operation *taken)
{
    const struct operations *unexpected = &wanted->communicator->unexpected;
    if (wanted->site == NULL || taken->details->site == NULL || is_here(wanted, taken))
        return NULL;
    for (size_t i = 0; i < unexpected->count; i++)
        if (is_usual_at_place(wanted->communicator, taken, &unexpected->items[i]))
            return &unexpected->items[i];
    return NULL;
}

bool is_of_other_thread(const struct wanted_message *wanted, const struct operation *taken)
{
    enum { THREAD_SHIFT = 40 }; /* of serials: layout.def, operation.posted */
    return wanted->serial != 0 && taken->serial >> THREAD_SHIFT != wanted->serial >> THREAD_SHIFT;
}

/* A receive from any source that was started before the wanted one by the same thread, and is not known to be complete.
 */
static const struct operation *find_pending_thief(const struct wanted_message *wanted,
                                                  const struct operation **ret_left)
{
    const struct operations *receives = &wanted->communicator->receives;
    for (size_t i = 0; i < receives->count; i++) {
        const struct operation *pending = &receives->items[i];
        const bool has_tag = pending->tag_wild || (!wanted->tag_wild && pending->tag == wanted->tag);
        const bool may_take = has_tag && pending->peer_local < 0 && pending->status == mqs_st_pending &&
                              pending->serial < wanted->serial && !is_of_other_thread(wanted, pending);
        const struct operation *left = may_take ? find_left(wanted, pending) : NULL;
        if (left == NULL)
            continue;
        *ret_left = left;
        return pending;
    }
    return NULL;
}

const struct operation *find_stealing_receive(const struct wanted_message *wanted, const struct operation **ret_left)
{
    const struct communicator *communicator = wanted->communicator;
    const struct operation *only = NULL;
    size_t like_it = 0;
    if (wanted->peer_local < 0 || process_has_lost_records(wanted->receiver))
        return NULL;
    for (size_t i = communicator->completed.count; i > 0; i--) {
        const struct operation *taken = &communicator->completed.items[i - 1];
        if (!is_wanted(wanted, taken))
            continue;
        like_it++;
        only = taken;
        const struct operation *left =
            taken->peer_local < 0 ? find_left(wanted, taken) : find_left_at_place(wanted, taken);
        if (left == NULL)
            continue;
        *ret_left = left;
        return taken;
    }
    if (like_it == 0)
        return find_pending_thief(wanted, ret_left);
    const bool takes_any = only->peer_local < 0 && only->tag_wild && !wanted->tag_wild;
    if (like_it > 1 || !(takes_any || is_of_other_thread(wanted, only)))
        return NULL;
    *ret_left = NULL;
    return only;
}

struct wanted_message wanted_message_of(const struct process *receiver, const struct communicator *communicator,
                                        const struct operation *receive)
{
    return (struct wanted_message){.receiver = receiver,
                                   .communicator = communicator,
                                   .peer_local = receive->peer_local,
                                   .peer_world = receive->peer_world,
                                   .tag = receive->tag,
                                   .tag_wild = receive->tag_wild,
                                   .bytes = receive->details->bytes,
                                   .count = receive->details->count,
                                   .datatype = receive->details->datatype,
                                   .site = receive->details->site,
                                   .site_address = receive->details->site_address,
                                   .serial = receive->serial};
}

bool wanted_source_has_left(const struct job_index *index, const struct wanted_message *wanted)
{
    const struct process *source = job_index_process(index, wanted->peer_world);
    return source != NULL && source->reason == NULL && find_communicator(source, wanted->communicator->id) == NULL;
}
