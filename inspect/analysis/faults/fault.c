/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the sentence, remedy and evidence of a cause, by its fault. The advice follows the rules of MPI 4.0: order and
 * progress of messages (3.5), collective calls (6.14), epochs and locks (12.5).
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "base/base.h"

#include <stdio.h>

const char *cause_describe(const struct cause_text *text, const struct cause *cause)
{
    FILE *stream = arena_open();
    cause->fault->describe(stream, text, cause);
    cause_write_buffering(stream, text, cause);
    cause_write_openings(stream, text, cause);
    return arena_close(stream);
}

/* Among those to blame, a process whose program an exception has ended; NULL: none. */
static const struct process *find_failed(const struct waits *waits, const struct cause *cause)
{
    for (size_t i = 0; i < cause->culprits.count; i++) {
        const struct process *process = job_index_process(&waits->index, cause->culprits.items[i]);
        if (process != NULL && process->ends == PROGRAM_FAILED)
            return process;
    }
    return NULL;
}

const char *cause_advise(const struct cause_text *text, const struct cause *cause)
{
    if (cause->noted.stray != NULL || cause->fault->names_message)
        return cause->fault->advise(text, cause);
    const struct process *failed = find_failed(text->waits, cause);
    const char *remedy = failed != NULL ? advise_on_exception(failed) : advise_on_held(text->waits, cause);
    return remedy != NULL ? remedy : cause->fault->advise(text, cause);
}

void cause_add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    cause->fault->add_evidence(text, cause, finding);
    cause_add_doings(text, finding);
}
