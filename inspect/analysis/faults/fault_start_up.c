/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that have exited before MPI_Init, in which others wait for them: they will never come.
 */
#include "analysis/faults/faults.h"

#include "analysis/stalls/stalls.h"
#include "base/base.h"

static bool recognize(const struct waits *waits, struct cause *cause)
{
    size_t inside = 0;
    for (size_t i = 0; i < cause->waiter_count; i++) {
        const struct thread *thread = wait_subject_thread(&waits->subjects[cause->waiters[i]]);
        if (thread != NULL && thread->purpose != MPILENS_PURPOSE_INITIALIZE)
            return false;
        inside += thread != NULL;
    }
    if (inside == 0)
        return false;
    fault_gone_rank.recognize(waits, cause);
    cause->kind = FINDING_START_UP;
    return true;
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    struct ranks inside = {0};
    for (size_t i = 0; i < cause->ranks.count; i++)
        if (!ranks_has(&cause->culprits, cause->ranks.items[i]))
            ranks_add(&inside, cause->ranks.items[i]);
    ranks_finish(&inside);
    start_up_write(stream, text, &inside, &cause->culprits);
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    (void)text;
    (void)cause;
    return "let every rank that the launcher starts call MPI_Init, or end the job with an exit status other "
           "than 0 where one cannot";
}

/* The doings of all are added anyway. */
static void add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    (void)text;
    (void)cause;
    (void)finding;
}

const struct fault fault_start_up = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = add_evidence,
};
