/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sentences about operations that only the process that waits for them could complete.
 */
#include "analysis/cause_text.h"
#include "base/allocation.h"

#include <stdlib.h>

/* A message to or from the process itself. */
static void write_to_itself(FILE *stream, const struct cause_text *text, const struct process *process,
                            const struct thread *thread, const struct wait_subject *subject)
{
    const struct operation *operation = subject->operation;
    const struct communicator *communicator = subject->communicator;
    const bool sends = (operation->flags & MPILENS_OPERATION_SEND) != 0;
    const bool blocking = (operation->flags & MPILENS_OPERATION_BLOCKING) != 0;
    char *described = describe_operation(operation, communicator, text->labels);
    char *at = describe_at(operation->site);
    fprintf(stream, "rank %d %s itself with %s%s%s", process->rank, sends ? "sends to" : "receives from",
            blocking ? "a blocking " : "", described, at);
    if (!blocking) {
        char *waiting_at = describe_at(thread->site);
        fprintf(stream, ", and waits for it in %s%s", thread->function, waiting_at);
        free(waiting_at);
    }
    free(described);
    free(at);
    if (communicator->size != 1 || communicator->intercommunicator)
        return;
    char *made_at = describe_at(communicator->site);
    fprintf(stream, ": %s", find_label(text->labels, communicator->id));
    if (made_at[0] != '\0')
        fprintf(stream, " (made%s)", made_at);
    fputs(" has only 1 member", stream);
    free(made_at);
}

void cause_write_own(FILE *stream, const struct cause_text *text, const struct process *process,
                     const struct thread *thread, const struct wait_subject *subject)
{
    const struct operation *operation = subject->operation;
    if (operation != NULL && (operation->flags & MPILENS_OPERATION_PARTITIONED) == 0) {
        write_to_itself(stream, text, process, thread, subject);
        return;
    }
    char *call = describe_call_and_place(text, process, thread);
    fprintf(stream, "rank %d is waiting for itself in %s: ", process->rank, call);
    free(call);
    if (operation == NULL) {
        char *at = describe_at(subject->request->site);
        fprintf(stream, "it has to complete its request from %s%s", subject->request->function, at);
        free(at);
        return;
    }
    char *described = describe_operation(operation, subject->communicator, text->labels);
    char *at = describe_at(operation->site);
    fprintf(stream, "it has marked only %lld of %lld partitions of %s%s ready", (long long)operation->partitions_marked,
            (long long)operation->partition_count, described, at);
    free(described);
    free(at);
}
