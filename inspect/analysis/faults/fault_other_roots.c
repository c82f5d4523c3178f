/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A member that gave another root than all others: the others may have got wrong data then, and the member is to blame
 * for any hang that follows.
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "base/base.h"

#include <inttypes.h>

/* That are looked at. */
enum { MOST_COMMUNICATORS = 256, MOST_OWNERS = 64 };

static struct ranks list_owners(const struct waits *waits, const struct cause *cause)
{
    struct ranks owners = {0};
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct process *owner = cause_node_owner(waits, cause->nodes[i]);
        if (owner != NULL)
            ranks_add(&owners, owner->rank);
    }
    ranks_finish(&owners);
    return owners;
}

/* Communicators that were looked at: ranks share many of them. */
struct looked_at {
    uint64_t ids[MOST_COMMUNICATORS];
    size_t count;
};

static bool is_new(struct looked_at *looked, uint64_t id)
{
    for (size_t i = 0; i < looked->count; i++)
        if (looked->ids[i] == id)
            return false;
    if (looked->count == MOST_COMMUNICATORS)
        return false;
    looked->ids[looked->count++] = id;
    return true;
}

static bool look_at(const struct waits *waits, const struct communicator *communicator, const struct ranks *owners,
                    struct cause *cause)
{
    const struct odd_root odd = root_sums_find(&waits->index, communicator, owners);
    if (odd.member == NULL)
        return false;
    cause->odd_root = odd;
    cause->kind = FINDING_COLLECTIVE_MISMATCH;
    cause->communicator = communicator;
    ranks_add_all(&cause->ranks, owners);
    cause_add_culprit(cause, odd.member->process->rank);
    return true;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    struct ranks owners = list_owners(waits, cause);
    struct looked_at looked = {.count = 0};
    bool is_found = false;
    for (size_t i = 0; i < owners.count && i < MOST_OWNERS && !is_found; i++) {
        const struct process *process = job_index_process(&waits->index, owners.items[i]);
        for (size_t j = 0; process != NULL && j < process->communicator_count && !is_found; j++)
            is_found = is_new(&looked, process->communicators[j].id) &&
                       look_at(waits, &process->communicators[j], &owners, cause);
    }
    return is_found;
}

/* "collective call 8", "one of the collective calls 257 to 512". */
static void write_calls(FILE *stream, const struct odd_root *odd)
{
    if (odd->since == odd->last_alike + 1)
        fprintf(stream, "collective call %" PRIu64, odd->since);
    else
        fprintf(stream, "one of the collective calls %" PRIu64 " to %" PRIu64, odd->last_alike + 1, odd->since);
}

static void write_odd(FILE *stream, const struct cause_text *text, const struct odd_root *odd)
{
    const struct process *process = odd->member->process;
    const char *place = describe_order(text, odd->member);
    fprintf(stream, "rank %d has given another root than the %zu others to ", process->rank, odd->others);
    write_calls(stream, odd);
    fprintf(stream, " on %s", place);
    if (odd->usual != NULL && odd->own->root != odd->usual->root) {
        const char *own_at = describe_at(odd->own->site), *usual_at = describe_at(odd->usual->site);
        fprintf(stream, ": %s with root %d%s, theirs with root %d%s", odd->own->function, odd->own->root, own_at,
                odd->usual->root, usual_at);
    }
    const struct thread *thread = find_first_blocked(process);
    if (thread != NULL) {
        const char *call = describe_call_and_place(text, process, thread);
        fprintf(stream, "; now it is in %s", call);
    }
}

static const char *advise_on(const struct cause_text *text, const struct odd_root *odd)
{
    if (odd->usual != NULL)
        return "name the same root on all ranks";
    const char *place = describe_order(text, odd->member);
    const char *remedy =
        arena_text("name the same root on all ranks; or, if rank %d does, look for a collective call on %s "
                   "that it has left out, or made once more",
                   odd->member->process->rank, place);
    return remedy;
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    write_odd(stream, text, &cause->odd_root);
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    return advise_on(text, &cause->odd_root);
}

void other_roots_add(const struct cause_text *text, struct findings *findings)
{
    const struct job_index *index = &text->waits->index;
    struct job_members members;
    size_t looked = 0;
    for (size_t i = 0; i < index->member_count && looked < MOST_COMMUNICATORS; i += members.count, looked++) {
        const struct communicator *communicator = index->members[i].communicator;
        members = job_index_members(index, communicator->id);
        const struct odd_root odd = root_sums_find(index, communicator, &(struct ranks){0});
        if (odd.member == NULL)
            continue;
        struct finding *finding = findings_add(findings, FINDING_COLLECTIVE_MISMATCH);
        FILE *stream = arena_open();
        write_odd(stream, text, &odd);
        finding->message = arena_close(stream);
        finding->remedy = advise_on(text, &odd);
        for (size_t j = 0; j < members.count; j++)
            ranks_add(&finding->ranks, members.items[j].process->rank);
        ranks_add(&finding->culprits, odd.member->process->rank);
        finding_finish(finding);
        add_process_evidence(text, odd.member->process, finding);
        finding->confirmed = job_was_watched(text->waits->job);
        return;
    }
}

const struct fault fault_other_roots = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = cause_add_idle,
};
