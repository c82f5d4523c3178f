/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compares when messages were sent with when their receiver's MPI was asked.
 */
#include "analysis/analysis_internal.h"

#include "base/base.h"
#include "mpilens/layout.h"

/* Later messages may still be on their way, and the clocks of two hosts may differ. */
static const double least_delay_s = 1;
/* The delay if the times at which two parts of a job were read are not known. */
static const double least_delay_of_parts_s = 30;

/* Messages of one rank that are named. */
enum { MOST_NAMED = 4 };

/* How long before its receiver's MPI was asked a message was sent. */
static double delay_of(const struct job *job, const struct process *receiver, const struct operation *message)
{
    const struct process *sender = find_process(job, message->actual_world);
    const double age_s = message->age_s + (sender != NULL ? process_ages_delay_s(sender, receiver) : 0);
    return age_s - receiver->unexpected_as_of_s;
}

static bool is_withheld(const struct job *job, const struct process *receiver, const struct operation *message)
{
    const bool is_part = receiver->part > 0 && receiver->ages_end_s <= 0;
    return message->inferred && delay_of(job, receiver, message) >= (is_part ? least_delay_of_parts_s : least_delay_s);
}

static void add_message(const struct job *job, const struct process *receiver, const struct communicator *communicator,
                        const struct operation *message, const struct communicator_labels *labels,
                        struct finding *finding)
{
    const char *tag = describe_tag(message->tag_wild, message->tag);
    evidence_add(
        &finding->evidence, receiver->rank, 0,
        arena_text("its MPI did not have, %s ago, what rank %d had sent with %s %s earlier: %s, %s, on %s",
                   describe_age(receiver->unexpected_as_of_s), message->actual_world, message->details->function,
                   describe_age(delay_of(job, receiver, message)),
                   describe_amount(message->details->count, message->details->bytes, message->details->datatype), tag,
                   find_label(labels, communicator->id)),
        evidence_place(message->details->site, message->details->function), -1);
}

static void add_messages(const struct job *job, const struct process *receiver,
                         const struct communicator_labels *labels, struct finding *finding)
{
    size_t named = 0;
    for (size_t i = 0; i < receiver->communicator_count; i++) {
        const struct communicator *communicator = &receiver->communicators[i];
        for (size_t j = 0; j < communicator->unexpected.count && named < MOST_NAMED; j++)
            if (is_withheld(job, receiver, &communicator->unexpected.items[j])) {
                add_message(job, receiver, communicator, &communicator->unexpected.items[j], labels, finding);
                named++;
            }
    }
}

void withheld_messages_add(const struct job *job, const struct communicator_labels *labels, struct finding *finding)
{
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *receiver = &job->processes[i];
        if (receiver->unexpected_mode == MPILENS_UNEXPECTED_EXACT && receiver->unexpected_as_of_s >= 0 &&
            ranks_has(&finding->ranks, receiver->rank))
            add_messages(job, receiver, labels, finding);
    }
}
