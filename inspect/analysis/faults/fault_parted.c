/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Recognises ranks that parted: a few wait in a collective call, and the others have not come to it, as they wait for
 * messages that those few sent regularly until then.
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "analysis/messages/messages.h"
#include "base/base.h"
#include "model/model.h"

/* Ranks that are compared with one. */
enum { MOST_EQUALS = 256 };

/* How often a rank has sent at one place, as far as that is remembered. */
struct sender {
    const struct process *process; /* NULL: none */
    const struct site *site;
    size_t count;
};

/* Messages from that source that were received at that place (NULL: at any), as far as they are remembered. */
static size_t count_received_at(const struct wanted_message *wanted, const struct site *site)
{
    const struct operations *completed = &wanted->communicator->completed;
    size_t count = 0;
    for (size_t i = 0; i < completed->count; i++)
        count += (completed->items[i].flags & MPILENS_OPERATION_RECEIVE) != 0 &&
                 completed->items[i].actual_local == wanted->peer_local &&
                 (site == NULL || site_is_same(completed->items[i].details->site, site));
    return count;
}

static size_t count_earlier(const struct wanted_message *wanted)
{
    return count_received_at(wanted, wanted->site);
}

static bool is_like(const struct wanted_message *wanted, const struct operation *send)
{
    return (send->flags & MPILENS_OPERATION_SEND) != 0 && (wanted->tag_wild || send->tag == wanted->tag);
}

static const struct operation *find_like(const struct operations *operations, const struct wanted_message *wanted)
{
    for (size_t i = operations->count; i > 0; i--)
        if (is_like(wanted, &operations->items[i - 1]))
            return &operations->items[i - 1];
    return NULL;
}

/* Where the rank has sent messages like the wanted one; NULL: nowhere. */
static const struct site *find_place(const struct wanted_message *wanted, const struct process *process)
{
    const struct communicator *communicator = find_communicator(process, wanted->communicator->id);
    const struct operation *send = communicator != NULL ? find_like(&communicator->completed, wanted) : NULL;
    if (send == NULL && communicator != NULL)
        send = find_like(&communicator->sends, wanted);
    return send != NULL ? send->details->site : NULL;
}

static size_t count_in(const struct operations *operations, const struct site *site)
{
    size_t count = 0;
    for (size_t i = 0; i < operations->count; i++)
        count += (operations->items[i].flags & MPILENS_OPERATION_SEND) != 0 &&
                 (site == NULL || site_is_same(operations->items[i].details->site, site));
    return count;
}

/* Sends of the communicator at that place, NULL: at any. */
static size_t count_sent(const struct communicator *communicator, const struct site *site)
{
    return communicator != NULL ? count_in(&communicator->completed, site) + count_in(&communicator->sends, site) : 0;
}

static bool remembers_all(const struct process *process, const struct communicator *communicator)
{
    uint64_t sent = 0;
    for (size_t i = 0; communicator != NULL && i < communicator->channel_count; i++)
        sent += communicator->channels[i].sent;
    return !process_has_lost_records(process) && count_sent(communicator, NULL) >= sent;
}

static bool is_in(const struct known_round *known, const struct process *process)
{
    for (size_t i = 0; i < known->round.members.count; i++)
        if (known->round.members.items[i].process == process)
            return collective_round_has_begun(&known->round.members.items[i], known->round.serial);
    return false;
}

/* Where the source has sent their last messages to ranks that have received them where the wanted one is awaited, and
 * gone on to the call: it has sent the receiver none from there. */
struct farewell {
    const struct site *site; /* NULL: there is no such place */
    struct ranks ranks;      /* that got one */
};

static const struct operation *find_last_received(const struct communicator *communicator,
                                                  const struct wanted_message *wanted)
{
    const struct operation *last = NULL;
    for (size_t i = communicator->completed.count; i > 0 && last == NULL; i--) {
        const struct operation *receive = &communicator->completed.items[i - 1];
        if ((receive->flags & MPILENS_OPERATION_RECEIVE) != 0 && receive->actual_world == wanted->peer_world)
            last = receive;
    }
    return last != NULL && site_is_same(last->details->site, wanted->site) ? last : NULL;
}

static const struct operation *find_last_sent(const struct communicator *communicator, int rank)
{
    for (size_t i = communicator->completed.count; i > 0; i--) {
        const struct operation *send = &communicator->completed.items[i - 1];
        if ((send->flags & MPILENS_OPERATION_SEND) != 0 && send->peer_world == rank)
            return send;
    }
    return NULL;
}

static bool has_sent_from(const struct communicator *communicator, int rank, const struct site *site)
{
    for (size_t i = 0; i < communicator->completed.count; i++) {
        const struct operation *send = &communicator->completed.items[i];
        if ((send->flags & MPILENS_OPERATION_SEND) != 0 && send->peer_world == rank &&
            site_is_same(send->details->site, site))
            return true;
    }
    return false;
}

static struct farewell find_farewell(const struct waits *waits, const struct wanted_message *wanted,
                                     const struct known_round *known)
{
    enum { LEAST_RANKS = 2 };
    struct farewell farewell = {.site = NULL};
    const struct process *source = job_index_process(&waits->index, wanted->peer_world);
    const struct communicator *theirs = find_communicator(source, wanted->communicator->id);
    const struct job_members members = job_index_members(&waits->index, wanted->communicator->id);
    bool is_one_place = theirs != NULL && wanted->site != NULL && remembers_all(source, theirs);
    for (size_t i = 0; i < members.count && i < MOST_EQUALS && is_one_place; i++) {
        const struct process *process = members.items[i].process;
        if (process == source || process == wanted->receiver || !is_in(known, process) ||
            find_last_received(members.items[i].communicator, wanted) == NULL)
            continue;
        const struct operation *last = find_last_sent(theirs, process->rank);
        const struct site *site = last != NULL ? last->details->site : NULL;
        is_one_place = site != NULL && (farewell.site == NULL || site_is_same(farewell.site, site));
        farewell.site = site;
        ranks_add(&farewell.ranks, process->rank);
    }
    ranks_finish(&farewell.ranks);
    if (is_one_place && farewell.ranks.count >= LEAST_RANKS &&
        !has_sent_from(theirs, wanted->receiver->rank, farewell.site))
        return farewell;
    return (struct farewell){.site = NULL};
}

static bool has_farewell(const struct waits *waits, const struct wanted_message *wanted,
                         const struct known_round *known)
{
    struct farewell farewell = find_farewell(waits, wanted, known);
    return farewell.site != NULL;
}

/* Members in the call that ranks of the cause wait for. */
static struct ranks find_awaited(const struct waits *waits, const struct cause *cause, const struct known_round *known)
{
    struct ranks awaited = {0};
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct process *owner = cause_node_owner(waits, cause->nodes[i]);
        if (owner != NULL && is_in(known, owner))
            ranks_add(&awaited, owner->rank);
    }
    ranks_finish(&awaited);
    return awaited;
}

/* Ranks whose counts of messages are known, as the source of the wanted message is. */
struct counted {
    size_t ranks;
    bool differ; /* how often a rank sends there depends on more than the step that it is in */
    size_t last;
};

static void count_rank(struct counted *counted, size_t count)
{
    counted->differ = counted->differ || (counted->ranks > 0 && count != counted->last);
    counted->last = count;
    counted->ranks++;
}

/* How the source of the wanted message compares with other ranks than the one that waits for it, as far as all that was
 * sent is remembered of both. */
struct comparison {
    struct counted others;   /* that have sent there */
    struct counted finished; /* those that are also in the collective call, and for which no rank waits */
    size_t own;
    struct sender ahead; /* has sent more than the source at the place of the wanted message; process NULL: none */
};

/* Whether the rank has sent about that many messages to each rank to which it has sent any. */
static bool sends_alike(const struct communicator *communicator, uint64_t usual)
{
    enum { MOST_STEPS_APART = 2 };
    for (size_t i = 0; communicator != NULL && i < communicator->channel_count; i++) {
        const uint64_t sent = communicator->channels[i].sent;
        if (sent > 0 && (sent + MOST_STEPS_APART < usual || sent > usual + MOST_STEPS_APART))
            return false;
    }
    return true;
}

/* In an exchange of all with their neighbours, a member that is through with it has sent as many messages to one as to
 * any other, and a member that is not has sent about as many. Channels forget nothing. */
static struct comparison compare_channels(const struct waits *waits, const struct cause *cause,
                                          const struct known_round *known)
{
    enum { LEAST_FINISHED = 2 };
    const struct wanted_message *wanted = &cause->wanted;
    const struct process *source = job_index_process(&waits->index, wanted->peer_world);
    const struct communicator *theirs = find_communicator(source, wanted->communicator->id);
    const struct channel *channel = message_channel_find(theirs, wanted->receiver->rank);
    size_t finished = 0;
    struct comparison comparison = {.own = channel != NULL ? channel->sent : 0};
    if (comparison.own == 0 || process_has_lost_records(source))
        return comparison;
    struct ranks awaited = find_awaited(waits, cause, known);
    for (size_t i = 0; i < known->round.members.count && i < MOST_EQUALS && !comparison.finished.differ; i++) {
        const struct job_member *member = &known->round.members.items[i];
        if (member->process == source || !collective_round_has_begun(member, known->round.serial) ||
            ranks_has(&awaited, member->process->rank) || process_has_lost_records(member->process))
            continue;
        const struct communicator *communicator = find_communicator(member->process, wanted->communicator->id);
        finished++;
        for (size_t j = 0; communicator != NULL && j < communicator->channel_count; j++)
            if (communicator->channels[j].sent > 0)
                count_rank(&comparison.finished, communicator->channels[j].sent);
    }
    const size_t last = comparison.finished.last;
    if (finished < LEAST_FINISHED || comparison.own > last || !sends_alike(theirs, last) ||
        !sends_alike(wanted->communicator, last))
        comparison.finished = (struct counted){.ranks = 0};
    return comparison;
}

static struct comparison compare_source(const struct waits *waits, const struct cause *cause,
                                        const struct known_round *known)
{
    const struct wanted_message *wanted = &cause->wanted;
    const struct process *source = job_index_process(&waits->index, wanted->peer_world);
    const struct communicator *theirs = find_communicator(source, wanted->communicator->id);
    const struct job_members members = job_index_members(&waits->index, wanted->communicator->id);
    const struct site *place = find_place(wanted, source);
    struct comparison comparison = {.own = 0};
    if (!remembers_all(source, theirs))
        return compare_channels(waits, cause, known);
    struct ranks awaited = find_awaited(waits, cause, known);
    for (size_t i = 0; i < members.count && i < MOST_EQUALS && place == NULL; i++)
        place = find_place(wanted, members.items[i].process);
    comparison.own = place != NULL ? count_sent(theirs, place) : 0;
    for (size_t i = 0; i < members.count && i < MOST_EQUALS; i++) {
        const struct process *process = members.items[i].process;
        const struct communicator *communicator = members.items[i].communicator;
        const size_t count = place != NULL ? count_sent(communicator, place) : 0;
        if (process == source || process == wanted->receiver || count == 0 || !remembers_all(process, communicator))
            continue;
        count_rank(&comparison.others, count);
        if (is_in(known, process) && !ranks_has(&awaited, process->rank))
            count_rank(&comparison.finished, count);
        if (count > comparison.own && count > comparison.ahead.count)
            comparison.ahead = (struct sender){process, place, count};
    }
    return comparison;
}

static const char *name_of_call(const struct known_round *known)
{
    const struct collective_call *call = NULL;
    for (size_t i = 0; i < known->round.members.count && call == NULL; i++)
        call = collective_round_call(&known->round.members.items[i], known->round.serial);
    return call != NULL ? call->function : "the collective call";
}

/* Once for all messages that are wanted: a knot may have a million nodes. */
static void list_meetings(const struct waits *waits, struct cause *cause)
{
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->nodes[i]];
        if (subject->kind != SUBJECT_COLLECTIVE || subject->communicator == NULL || meeting_is_fence(waits, subject))
            continue;
        cause->meetings = arena_append(cause->meetings, &cause->meeting_count, sizeof *cause->meetings);
        cause->meetings[cause->meeting_count - 1] = cause->nodes[i];
    }
}

/* The call of the cause that the source of the wanted message waits in; NULL: none. */
static const struct wait_subject *find_meeting(const struct waits *waits, const struct cause *cause,
                                               const struct process *source)
{
    for (size_t i = 0; i < cause->meeting_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->meetings[i]];
        if (is_in(meeting_find_round(waits, subject, subject->serial), source))
            return subject;
    }
    return NULL;
}

static void take_others(const struct known_round *known, struct cause *cause)
{
    for (size_t i = 0; i < known->round.members.count; i++) {
        const struct job_member *member = &known->round.members.items[i];
        if (!collective_round_has_begun(member, known->round.serial))
            cause_add_culprit(cause, member->process->rank);
    }
}

enum blamed { NOBODY, SOURCE, AWAITED, OTHERS };

/* The source, if it has sent less than all that are through with the exchange; else the few: those in the call that are
 * waited for, or the others. */
static enum blamed find_blamed(const struct comparison *comparison, const struct known_round *known,
                               const struct ranks *awaited, bool is_regular)
{
    const size_t others = known->round.members.count - known->begun_count;
    const bool is_behind = comparison->ahead.process != NULL;
    const struct counted *finished = &comparison->finished;
    const bool finished_tell = finished->ranks > 0 && !finished->differ;
    if (finished_tell && finished->last > comparison->own)
        return SOURCE;
    if (finished_tell && is_regular)
        return OTHERS;
    if (awaited->count < others && (is_regular || is_behind) && (known->begun_count < others || awaited->count == 1))
        return AWAITED;
    if (is_behind)
        return comparison->others.differ ? NOBODY : SOURCE;
    return known->begun_count > others && is_regular && comparison->others.ranks > 0 ? OTHERS : NOBODY;
}

/* False: nothing tells who they are. */
static bool find_culprits(const struct waits *waits, const struct wait_subject *meeting, struct cause *cause)
{
    const struct known_round *known = meeting_find_round(waits, meeting, meeting->serial);
    const struct process *source = job_index_process(&waits->index, cause->wanted.peer_world);
    const struct comparison comparison = compare_source(waits, cause, known);
    struct ranks awaited = find_awaited(waits, cause, known);
    const enum blamed blamed =
        meeting_is_repeated_by(waits, meeting, source) || has_farewell(waits, &cause->wanted, known)
            ? SOURCE
            : find_blamed(&comparison, known, &awaited, count_earlier(&cause->wanted) > 0);
    if (blamed == SOURCE)
        cause_add_culprit(cause, cause->wanted.peer_world);
    for (size_t i = 0; blamed == AWAITED && i < awaited.count; i++)
        cause_add_culprit(cause, awaited.items[i]);
    if (blamed == OTHERS)
        take_others(known, cause);
    return blamed != NOBODY;
}

/* Whether one that has not come to the call may come yet. */
static bool may_come(const struct waits *waits, const struct known_round *known)
{
    for (size_t i = 0; i < known->round.members.count; i++) {
        const struct job_member *member = &known->round.members.items[i];
        const uint32_t number = (uint32_t)(member->process - waits->job->processes);
        if (!collective_round_has_begun(member, known->round.serial) &&
            !waits->graph.nodes[waits->process_nodes[number]].dead)
            return true;
    }
    return false;
}

static void take_parted(const struct wait_subject *meeting, const struct known_round *known, struct cause *cause)
{
    for (size_t i = 0; i < known->round.members.count; i++)
        ranks_add(&cause->ranks, known->round.members.items[i].process->rank);
    cause->kind = FINDING_DEADLOCK;
    cause->communicator = meeting->communicator;
    cause->parted = known;
}

static bool try_parted(const struct waits *waits, struct cause *cause)
{
    const struct operation *usual = cause->wanted.peer_local < 0 ? usual_source_find(&cause->wanted) : NULL;
    if (usual != NULL) {
        cause->wanted.peer_local = usual->actual_local;
        cause->wanted.peer_world = usual->actual_world;
    }
    const struct process *source = job_index_process(&waits->index, cause->wanted.peer_world);
    const struct wait_subject *meeting = source != NULL ? find_meeting(waits, cause, source) : NULL;
    const struct known_round *known = meeting != NULL ? meeting_find_round(waits, meeting, meeting->serial) : NULL;
    if (known == NULL || may_come(waits, known) || !find_culprits(waits, meeting, cause))
        return false;
    take_parted(meeting, known, cause);
    return true;
}

/* The only rank that is in the call. */
static const struct process *find_only(const struct known_round *known)
{
    for (size_t i = 0; i < known->round.members.count; i++)
        if (is_in(known, known->round.members.items[i].process))
            return known->round.members.items[i].process;
    return NULL;
}

/* Whatever the others wait for: one rank repeats the call that all have made. */
static bool try_repeated(const struct waits *waits, const struct wait_subject *meeting, struct cause *cause)
{
    if (meeting->communicator == NULL || meeting_is_fence(waits, meeting))
        return false;
    const struct known_round *known = meeting_find_round(waits, meeting, meeting->serial);
    const struct process *only = known->begun_count == 1 ? find_only(known) : NULL;
    if (only == NULL || may_come(waits, known) || !meeting_is_repeated_by(waits, meeting, only))
        return false;
    cause_add_culprit(cause, only->rank);
    take_parted(meeting, known, cause);
    return true;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    list_meetings(waits, cause);
    const bool is_parted = cause->meeting_count > 0 && cause_look_at_wanted(waits, cause, try_parted);
    if (is_parted || cause_look_at_meetings(waits, cause, try_repeated))
        return true;
    cause->meetings = NULL;
    cause->meeting_count = 0;
    return false;
}

/* Members that have begun the call, or have not. */
static struct ranks find_side(const struct cause *cause, bool is_in_call)
{
    struct ranks side = {0};
    for (size_t i = 0; i < cause->parted->round.members.count; i++) {
        const struct job_member *member = &cause->parted->round.members.items[i];
        if (collective_round_has_begun(member, cause->parted->round.serial) == is_in_call)
            ranks_add(&side, member->process->rank);
    }
    return side;
}

/* "; rank 0 has received 3 messages from rank 2 there and waits for one more". */
static void write_earlier(FILE *stream, const struct wanted_message *wanted)
{
    const size_t earlier = count_earlier(wanted);
    const struct channel *channel = message_channel_find(wanted->communicator, wanted->peer_world);
    const bool are_all = channel != NULL && channel->received <= count_received_at(wanted, NULL);
    if (earlier > 0)
        fprintf(stream, "; rank %d has received %s%zu message%s from rank %d there and waits for one more",
                wanted->receiver->rank, are_all ? "" : "at least ", earlier, earlier == 1 ? "" : "s",
                wanted->peer_world);
}

/* "; the last messages from rank 0 to ranks [1,2] were sent at a.c:14, and none to rank 3". */
static bool write_farewell(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    struct farewell farewell = find_farewell(text->waits, &cause->wanted, cause->parted);
    if (farewell.site == NULL)
        return false;
    fprintf(stream, "; rank %d has sent its last messages to %s%s, and none from there to rank %d",
            cause->wanted.peer_world, ranks_name(&farewell.ranks), describe_at(farewell.site),
            cause->wanted.receiver->rank);
    return true;
}

/* "; rank 1 has sent 4 messages at a.c:14, rank 2 only 3". */
static void write_comparison(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    if (wanted_source_has_left(&text->waits->index, &cause->wanted)) {
        fprintf(stream, "; rank %d has freed %s", cause->wanted.peer_world,
                find_label(text->labels, cause->wanted.communicator->id));
        return;
    }
    if (write_farewell(stream, text, cause))
        return;
    const struct comparison comparison = compare_source(text->waits, cause, cause->parted);
    if (comparison.ahead.process == NULL || !ranks_has(&cause->culprits, cause->wanted.peer_world))
        return;
    const char *at = describe_at(comparison.ahead.site);
    fprintf(stream, "; rank %d has sent %zu message%s%s, rank %d ", comparison.ahead.process->rank,
            comparison.ahead.count, comparison.ahead.count == 1 ? "" : "s", at, cause->wanted.peer_world);
    if (comparison.own > 0)
        fprintf(stream, "only %zu", comparison.own);
    else
        fputs("none", stream);
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    struct ranks in_call = find_side(cause, true), others = find_side(cause, false);
    struct evidence_list waiting = rank_groups_find(text, &in_call);
    struct evidence_list exchanging = rank_groups_find(text, &others);
    const char *names = ranks_name(&others);
    rank_groups_write_waiting(stream, &waiting);
    fprintf(stream, " but %s %s still in an exchange of messages", names, others.count > 1 ? "are" : "is");
    rank_groups_write(stream, &exchanging);
    if (cause->has_wanted) {
        write_earlier(stream, &cause->wanted);
        write_comparison(stream, text, cause);
    }
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    const struct process *source =
        cause->has_wanted ? job_index_process(&text->waits->index, cause->wanted.peer_world) : find_only(cause->parted);
    const struct wait_subject *meeting = find_meeting(text->waits, cause, source);
    if (meeting != NULL && meeting_is_repeated_by(text->waits, meeting, source))
        return arena_text("have rank %d call %s once, as the others do: it calls it again where they went on, and has "
                          "neither sent nor received anything in between",
                          source->rank, name_of_call(cause->parted));
    struct farewell farewell = find_farewell(text->waits, &cause->wanted, cause->parted);
    if (farewell.site != NULL)
        return arena_text("have rank %d send to rank %d%s as well before it calls %s", source->rank,
                          cause->wanted.receiver->rank, describe_at(farewell.site), name_of_call(cause->parted));
    const struct site *site = find_place(&cause->wanted, source);
    const struct comparison comparison = compare_source(text->waits, cause, cause->parted);
    const char *at = describe_at(site != NULL ? site : comparison.ahead.site);
    const char *call = name_of_call(cause->parted);
    if (cause->has_wanted && wanted_source_has_left(&text->waits->index, &cause->wanted))
        return arena_text("compare what rank %d sends with what rank %d receives, their tags too, before rank %d frees "
                          "%s and calls %s",
                          source->rank, cause->wanted.receiver->rank, source->rank,
                          find_label(text->labels, cause->wanted.communicator->id), call);
    return ranks_has(&cause->culprits, source->rank)
               ? arena_text("have rank %d send as often as the others%s before it calls %s", source->rank, at, call)
               : arena_text("have all ranks leave the exchange at the same step, before they call %s", call);
}

const struct fault fault_parted = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = cause_add_all,
    .names_message = true,
};
