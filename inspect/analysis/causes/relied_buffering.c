/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Remarks that MPI might have buffered the message of a standard send that waits for its receive: runtimes make such
 * sends synchronous on demand.
 */
#include "analysis/causes/causes.h"

#define OTHER_MODES                                                                                                    \
    (MPILENS_OPERATION_SYNCHRONOUS | MPILENS_OPERATION_BUFFERED | MPILENS_OPERATION_READY |                            \
     MPILENS_OPERATION_PARTITIONED)

/* The process whose send that is; NULL: another node, or it would wait anyway. */
static const struct process *find_sender(const struct waits *waits, uint32_t node)
{
    const struct wait_subject *subject = &waits->subjects[node];
    if (subject->kind != SUBJECT_OPERATION || subject->operation == NULL)
        return NULL;
    const struct process *process = &waits->job->processes[subject->process];
    const uint32_t flags = subject->operation->flags;
    return process->synchronous_sends && (flags & MPILENS_OPERATION_SEND) != 0 && (flags & OTHER_MODES) == 0 ? process
                                                                                                             : NULL;
}

/* Whether the message fits no receive that waits: then buffering alone would not help the program. */
static bool is_of_message(enum finding_kind kind)
{
    return kind == FINDING_TAG_MISMATCH || kind == FINDING_COMMUNICATOR_MISMATCH || kind == FINDING_SIZE_MISMATCH ||
           kind == FINDING_SOURCE_MISMATCH;
}

void cause_write_buffering(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    const struct process *sender = NULL;
    for (size_t i = 0; i < count && sender == NULL; i++)
        sender = find_sender(text->waits, nodes[i]);
    if (sender == NULL)
        return;
    if (is_of_message(cause->kind))
        fprintf(stream, "; without --synchronous, MPI may buffer the message, and rank %d goes on", sender->rank);
    else
        fputs("; the program relies on MPI buffering the message: --synchronous has made that visible", stream);
}
