/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks at the queues of ranks that are in MPI_Finalize or beyond.
 */
#include "analysis/analysis_internal.h"

#include "analysis/causes/causes.h"
#include "base/base.h"

/* Messages of one rank that are named. */
enum { MOST_NAMED = 4 };

static bool has_finalized(const struct process *process)
{
    return process->state == PROCESS_FINALIZING || process->state == PROCESS_FINALIZED;
}

/* "from rank 1, 3 x MPI_INT (12 bytes), tag 7, on MPI_COMM_WORLD, sent with MPI_Send" */
static const char *describe_message(const struct communicator *communicator, const struct operation *message,
                                    const struct communicator_labels *labels)
{
    const char *source = describe_rank(message->actual_world >= 0 ? message->actual_world : message->actual_local, -1);
    const char *amount = describe_amount(message->details->count, message->details->bytes, message->details->datatype);
    const char *tag = describe_tag(message->tag_wild, message->tag);
    const bool is_known = message->details->function[0] != '\0';
    return arena_text("from rank %s, %s, %s, on %s%s%s", source, amount, tag, find_label(labels, communicator->id),
                      is_known ? ", sent with " : "", message->details->function);
}

static void add_message(const struct process *process, const struct communicator *communicator,
                        const struct operation *message, const struct communicator_labels *labels,
                        struct finding *finding)
{
    evidence_add(&finding->evidence, process->rank, 0,
                 arena_text("came to MPI_Finalize without having received a message %s",
                            describe_message(communicator, message, labels)),
                 evidence_place(message->details->site, message->details->function), -1);
}

void left_messages_add(const struct job *job, const struct communicator_labels *labels, struct finding *finding)
{
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        size_t named = 0;
        if (!has_finalized(process) || !ranks_has(&finding->ranks, process->rank))
            continue;
        for (size_t j = 0; j < process->communicator_count; j++) {
            const struct communicator *communicator = &process->communicators[j];
            for (size_t k = 0; k < communicator->unexpected.count && named < MOST_NAMED; k++)
                if (communicator->unexpected.items[k].exact) {
                    add_message(process, communicator, &communicator->unexpected.items[k], labels, finding);
                    named++;
                }
        }
    }
}

/* Messages left by all ranks, and the first of them. */
struct left {
    struct ranks ranks;
    size_t count;
    const struct communicator *communicator;
    const struct operation *message;
};

static struct left find_left(const struct job *job)
{
    struct left left = {.count = 0};
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        for (size_t j = 0; has_finalized(process) && j < process->communicator_count; j++) {
            const struct communicator *communicator = &process->communicators[j];
            for (size_t k = 0; k < communicator->unexpected.count; k++) {
                if (!communicator->unexpected.items[k].exact)
                    continue;
                ranks_add(&left.ranks, process->rank);
                if (left.count++ == 0) {
                    left.communicator = communicator;
                    left.message = &communicator->unexpected.items[k];
                }
            }
        }
    }
    ranks_finish(&left.ranks);
    return left;
}

static const char *describe_left(const struct left *left, const struct communicator_labels *labels)
{
    const char *names = ranks_name(&left->ranks);
    const char *message = describe_message(left->communicator, left->message, labels);
    return arena_text("%s came to MPI_Finalize without having received %zu message%s%s%s", names, left->count,
                      left->count == 1 ? " " : "s, the first one ", message, describe_at(left->message->details->site));
}

const char *left_messages_remark(const struct job *job, const struct communicator_labels *labels, const char *remark)
{
    struct left left = find_left(job);
    if (left.count > 0) {
        const char *described = describe_left(&left, labels);
        const char *both = remark != NULL ? arena_text("%s; %s", remark, described) : arena_copy(described);
        remark = both;
    }
    return remark;
}
