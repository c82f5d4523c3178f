/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that wait for each other: the last resort, after all more specific faults. The advice depends on the kinds of
 * waits.
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "analysis/graph/graph.h"
#include "analysis/messages/messages.h"
#include "base/base.h"

#include <string.h>

/* So many with the same tag make another one odd. */
enum { LEAST_ALIKE = 3 };

/* Each of them waits for one message, at the same place on the same communicator, with the same tag but for one of
 * them: that one is a step ahead. One that is a step behind waits for what another one has left out. */
struct odd_tag {
    struct wanted_message odd, usual;
};

static bool are_alike(const struct wanted_message *one, const struct wanted_message *other)
{
    return !one->tag_wild && !other->tag_wild && one->communicator->id == other->communicator->id &&
           one->site != NULL && site_is_same(one->site, other->site);
}

static bool waits_for_one(const struct wanted_message *wanted)
{
    const struct thread *thread = find_first_blocked(wanted->receiver);
    return thread != NULL && thread->waiting_count <= 1 && !thread->polling;
}

static bool is_step(const struct wanted_message *wanted)
{
    return tag_gap_is_next(wanted->communicator, wanted->tag);
}

/* Whether it begins steps of the row itself, and has not begun that one: it has sent the tags of some that it did not
 * receive. */
static bool leaves_step_out(const struct communicator *communicator, int32_t tag)
{
    const struct message_tally tally = message_tally_of(communicator, tag);
    for (size_t i = 0; i < communicator->completed.count && tally.sent + tally.received == 0; i++) {
        const struct operation *send = &communicator->completed.items[i];
        if ((send->flags & MPILENS_OPERATION_SEND) != 0 && send->tag < tag &&
            message_tally_of(communicator, send->tag).received == 0)
            return true;
    }
    return false;
}

static bool find_odd_tag(const struct waits *waits, const struct cause *cause, struct odd_tag *ret_tag)
{
    struct wanted_message first, second = {.receiver = NULL};
    size_t of_first = 0, of_second = 0;
    for (size_t i = 0; i < cause->node_count; i++) {
        struct wanted_message wanted;
        if (!cause_find_wanted(waits, cause->nodes[i], &wanted))
            continue;
        if (of_first == 0)
            first = wanted;
        if (!are_alike(&first, &wanted) || !waits_for_one(&wanted) || !is_step(&wanted))
            return false;
        if (wanted.tag == first.tag) {
            of_first++;
        } else if (of_second == 0 || wanted.tag == second.tag) {
            second = wanted;
            of_second++;
        } else {
            return false;
        }
    }
    if ((of_first != 1 || of_second < LEAST_ALIKE) && (of_second != 1 || of_first < LEAST_ALIKE))
        return false;
    *ret_tag = of_first == 1 ? (struct odd_tag){first, second} : (struct odd_tag){second, first};
    return ret_tag->odd.tag > ret_tag->usual.tag && leaves_step_out(ret_tag->odd.communicator, ret_tag->usual.tag);
}

/* Whether a rank of the cause waits for a message like the one that was sent after the message before. */
static bool is_missed(const struct waits *waits, const struct cause *cause, const struct kept_message *kept)
{
    const struct operation *send = kept->sent.operation;
    for (size_t i = 0; i < cause->node_count; i++) {
        struct wanted_message wanted;
        if (cause_find_wanted(waits, cause->nodes[i], &wanted) && wanted.receiver->rank == send->peer_world &&
            wanted.communicator->id == kept->sent.communicator->id &&
            (wanted.peer_world < 0 || wanted.peer_world == kept->sent.process->rank) &&
            (wanted.tag_wild || wanted.tag == send->tag || kept->rise))
            return true;
    }
    return false;
}

/* The only message that a rank of the cause has kept. */
static struct kept_message find_kept(const struct waits *waits, const struct cause *cause)
{
    const struct kept_message none = {.receive = NULL};
    struct kept_message found = none;
    for (size_t i = 0; i < cause->node_count; i++) {
        struct wanted_message wanted;
        const bool waits_so = cause_find_wanted(waits, cause->nodes[i], &wanted) && waits_for_one(&wanted);
        const struct kept_message kept = waits_so ? kept_message_find(&waits->index, &wanted) : none;
        if (kept.receive == NULL)
            continue;
        if (found.receive != NULL || !is_missed(waits, cause, &kept))
            return none;
        found = kept;
    }
    return found;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    struct odd_tag tag;
    const bool has_odd_tag = find_odd_tag(waits, cause, &tag);
    const struct kept_message none = {.receive = NULL};
    cause->kept = has_odd_tag ? none : find_kept(waits, cause);
    cause->kind = FINDING_DEADLOCK;
    cause_note_message(waits, cause);
    const bool has_kept = cause->kept.receive != NULL;
    for (size_t i = 0; i < cause->node_count; i++)
        cause_add_owner(waits, cause->nodes[i], cause, !has_odd_tag && !has_kept);
    if (has_odd_tag)
        cause_add_culprit(cause, tag.odd.receiver->rank);
    if (has_kept)
        cause_add_culprit(cause, cause->kept.sent.process->rank);
    return true;
}

/* Whether each waits for the next one: nobody has a choice. */
static bool is_cycle(const struct cause_text *text, const struct cause *cause)
{
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_node *node = &text->waits->graph.nodes[cause->nodes[i]];
        if (node->mode == WAITS_FOR_ANY && node->edge_count > 1)
            return false;
    }
    return true;
}

static void write_cycle(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const char *ranks = ranks_name(&cause->ranks);
    fprintf(stream, "%s wait for each other%s", ranks,
            cause->ranks.count > 2 && is_cycle(text, cause) ? " in a cycle" : "");
    struct evidence_list groups = rank_groups_find(text, &cause->ranks);
    rank_groups_write(stream, &groups);
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    struct odd_tag tag;
    if (find_odd_tag(text->waits, cause, &tag))
        fprintf(stream, "rank %d waits with tag %d, the others at that place with tag %d: ", tag.odd.receiver->rank,
                tag.odd.tag, tag.usual.tag);
    if (cause->kept.receive != NULL)
        fprintf(stream,
                "rank %d has sent nothing after the last message that it received%s, unlike after each of the %zu "
                "before: ",
                cause->kept.sent.process->rank, describe_at(cause->kept.receive->details->site), cause->kept.answered);
    write_cycle(stream, text, cause);
    cause_write_odd(stream, text, cause);
}

/* The kinds of waits in a cycle. */
struct ingredients {
    size_t sends, receives, partitions, locks, epochs, others;
    size_t synchronous;                      /* of the sends */
    bool exchange;                           /* a call that sends and receives at once */
    const char *meeting;                     /* a call that not all members have come to; NULL: none */
    uint64_t communicator_id;                /* of that call, 0: not known */
    bool other_function, other_communicator; /* several such calls differ */
};

static void add_meeting(const char *function, uint64_t communicator_id, struct ingredients *ingredients)
{
    if (ingredients->meeting != NULL) {
        ingredients->other_function |= strcmp(ingredients->meeting, function) != 0;
        ingredients->other_communicator |= ingredients->communicator_id != communicator_id;
    }
    ingredients->meeting = function;
    ingredients->communicator_id = communicator_id;
}

static void add_thread(const struct thread *thread, struct ingredients *ingredients)
{
    if (thread->purpose == MPILENS_PURPOSE_EXCHANGE)
        ingredients->exchange = true;
    switch (thread->call_class) {
    case MPILENS_CALL_PROBE:
    case MPILENS_CALL_IPROBE:
        ingredients->receives++;
        break;
    case MPILENS_CALL_COLLECTIVE:
    case MPILENS_CALL_COMMUNICATOR:
    case MPILENS_CALL_WINDOW:
    case MPILENS_CALL_FILE:
        add_meeting(thread->function, thread->communicator_id, ingredients);
        break;
    case MPILENS_CALL_BUFFER:
        ingredients->others++;
        break;
    case MPILENS_CALL_SYNCHRONIZATION:
        if (is_lock_call(thread))
            ingredients->locks++;
        else if (thread->purpose == MPILENS_PURPOSE_WINDOW_FENCE)
            add_meeting(thread->function, thread->communicator_id, ingredients);
        else
            ingredients->epochs++;
        break;
    default:
        break;
    }
}

static struct ingredients find_ingredients(const struct waits *waits, const struct cause *cause)
{
    struct ingredients ingredients = {.sends = 0};
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->nodes[i]];
        const struct thread *call = wait_subject_call(subject);
        if (call != NULL) {
            add_thread(call, &ingredients);
        } else if (subject->kind == SUBJECT_OPERATION && subject->operation != NULL) {
            const bool sends = (subject->operation->flags & MPILENS_OPERATION_SEND) != 0;
            ingredients.sends += sends;
            ingredients.synchronous += (subject->operation->flags & MPILENS_OPERATION_SYNCHRONOUS) != 0;
            ingredients.receives += !sends;
            ingredients.partitions += (subject->operation->flags & MPILENS_OPERATION_PARTITIONED) != 0;
        } else if (subject->kind == SUBJECT_OPERATION && subject->request != NULL) {
            add_meeting(subject->request->details->function, subject->request->details->communicator_id, &ingredients);
        }
    }
    return ingredients;
}

/* Where a thread of the process waits for a lock, while another one is in MPI; NULL: none does. */
static const char *find_locked_out(const struct process *process)
{
    static const char *const names[] = {"pthread_mutex_lock", "pthread_rwlock_", "pthread_spin_lock", "mtx_lock", NULL};
    for (size_t i = 0; i <= process->thread_place_count; i++) {
        const struct thread_place *place = i > 0 ? &process->thread_places[i - 1] : NULL;
        const char *called = place != NULL ? place->called : process->called;
        for (size_t j = 0; names[j] != NULL; j++)
            if (strncmp(called, names[j], strlen(names[j])) == 0)
                return place != NULL ? place->stack : process->stack;
    }
    return NULL;
}

/* A thread that waits for a lock may be the one that would end the wait of another rank. */
static const char *advise_on_lock(const struct waits *waits, const struct cause *cause)
{
    for (size_t i = 0; i < cause->culprits.count; i++) {
        const struct process *process = job_index_process(&waits->index, cause->culprits.items[i]);
        const char *stack = process != NULL && find_first_blocked(process) != NULL ? find_locked_out(process) : NULL;
        if (stack != NULL)
            return arena_text(
                "do not hold a lock during a call that waits for another rank: a thread of rank %d waits for "
                "one in %s",
                process->rank, stack);
    }
    return NULL;
}

static const char *describe_blocking(const struct ingredients *found)
{
    return found->synchronous == found->sends ? "a synchronous send blocks" : "a standard send may block";
}

/* Ranks that exchange a message on different sides of a collective call; NULL: they do not. */
static const char *advise_on_order(const struct ingredients *found)
{
    if (found->sends == 0)
        return arena_text("send the message before %s, or receive it after that call, in the same order on all ranks "
                          "involved",
                          found->meeting);
    if (found->receives == 0)
        return arena_text("receive the message before %s, or send it after that call, in the same order on all ranks "
                          "involved: %s until then",
                          found->meeting, describe_blocking(found));
    return NULL;
}

/* A message against a collective call: either stands in the wrong place, or the call was left out. */
static const char *advise_on_meeting(const struct cause_text *text, const struct cause *cause,
                                     const struct ingredients *found)
{
    bool is_likely = false;
    const char *order = advise_on_order(found);
    const char *left_out = advise_on_left_out_call(text, cause, &is_likely);
    if (order == NULL || left_out == NULL)
        return order != NULL ? order : left_out;
    return is_likely ? arena_text("%s; or %s", left_out, order) : arena_text("%s; or %s", order, left_out);
}

static bool has_all_partitions(const struct operation *operation)
{
    const struct operation_details *details = operation->details;
    return (operation->flags & MPILENS_OPERATION_SEND) != 0 && details->partition_count > 0 &&
           details->partitions_marked == details->partition_count;
}

static const char *advise_on_partitions(const struct waits *waits, const struct cause *cause)
{
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->nodes[i]];
        const struct operation *operation = subject->kind == SUBJECT_OPERATION ? subject->operation : NULL;
        if (operation == NULL || (operation->flags & MPILENS_OPERATION_PARTITIONED) == 0 ||
            !has_all_partitions(operation))
            continue;
        const int sender = waits->job->processes[subject->process].rank;
        return arena_text("have rank %d start its receive from rank %d with tag %d once more, or rank %d its send once "
                          "less: all partitions of the send are ready, and no receive is started",
                          operation->peer_world, sender, operation->tag, sender);
    }
    return "start the send and the receive, and mark every partition with MPI_Pready, before waiting for anything that "
           "the other side does after that";
}

static const char *advise_on_cycle(const struct cause_text *text, const struct cause *cause)
{
    const struct waits *waits = text->waits;
    const char *lock = advise_on_lock(waits, cause);
    if (lock != NULL)
        return lock;
    const struct ingredients found = find_ingredients(waits, cause);
    const bool only_sends = found.sends > 0 && found.receives == 0;
    const bool only_receives = found.receives > 0 && found.sends == 0;
    if (found.epochs > 0)
        return "make the groups of MPI_Win_post and MPI_Win_start agree, and call MPI_Win_complete before "
               "waiting for anything that others do after their epoch";
    if (found.others > 0 || (found.locks > 0 && found.sends + found.receives > 0))
        return NULL;
    if (found.partitions > 0)
        return advise_on_partitions(waits, cause);
    if (found.locks > 0)
        return "take the locks in the same order on all ranks, or release one before taking the next";
    const char *meeting =
        found.meeting != NULL && found.sends + found.receives > 0 ? advise_on_meeting(text, cause, &found) : NULL;
    if (meeting != NULL)
        return meeting;
    if (found.meeting != NULL && found.sends == 0 && found.other_communicator && !found.other_function)
        return arena_text("call %s on the same communicator on all ranks, or on all communicators in the same order",
                          found.meeting);
    if (found.meeting != NULL && found.sends == 0)
        return "make the collective calls in the same order on all ranks";
    if (found.exchange)
        return "make send and receive partners match";
    if (only_sends)
        return arena_text("have one of the ranks receive before it sends, or use MPI_Sendrecv, or MPI_Isend with the "
                          "wait after the receive: %s until the receive is posted",
                          describe_blocking(&found));
    const char *unsent = only_receives ? advise_on_unsent_message(waits, cause) : NULL;
    if (unsent != NULL)
        return unsent;
    if (only_receives)
        return "have one of the ranks send before it waits for a message, or use MPI_Sendrecv, or MPI_Irecv "
               "with the wait after the send";
    return NULL;
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    struct odd_tag tag;
    const char *remedy = advise_on_noted(text->waits, cause);
    if (remedy == NULL && find_odd_tag(text->waits, cause, &tag))
        return arena_text("find out why rank %d is at tag %d: has it left out a message with tag %d that others wait "
                          "for, or received one too many?",
                          tag.odd.receiver->rank, tag.odd.tag, tag.usual.tag);
    if (remedy == NULL && cause->kept.receive != NULL)
        return advise_on_left_out_message(&cause->kept.sent);
    return remedy != NULL ? remedy : advise_on_cycle(text, cause);
}

static void add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    const struct operation *kept = cause->kept.receive;
    if (kept != NULL)
        evidence_add(&finding->evidence, cause->kept.sent.process->rank, kept->serial,
                     arena_text("received %lld bytes from rank %d with tag %d, and sent nothing after that",
                                (long long)kept->details->actual_bytes, (int)kept->actual_world, (int)kept->actual_tag),
                     evidence_place(kept->details->site, kept->details->function), kept->age_s);
    cause_add_all(text, cause, finding);
}

const struct fault fault_deadlock = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = add_evidence,
};
