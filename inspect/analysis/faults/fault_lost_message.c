/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message that was too long for an earlier receive: it is lost, and another one waits for it.
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "base/base.h"

static bool try_lost(const struct waits *waits, struct cause *cause)
{
    cause->lost = lost_message_find(&waits->index, &cause->wanted);
    if (cause->lost.receive == NULL)
        return false;
    cause->kind = FINDING_SIZE_MISMATCH;
    cause_add_culprit(cause, cause->wanted.receiver->rank);
    cause_add_culprit(cause, cause->lost.receive->actual_world);
    return true;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    return cause_look_at_wanted(waits, cause, try_lost);
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct lost_message *lost = &cause->lost;
    const char *wanting = cause_describe_wanting(text, cause);
    const char *received_at = describe_at(lost->receive->details->site);
    fprintf(stream, "rank %d is stuck in %s; ", cause->wanted.receiver->rank, wanting);
    if (lost->send != NULL) {
        fprintf(stream, "the message that rank %d sent it with %s%s", lost->receive->actual_world,
                lost->send->details->function, describe_at(lost->send->details->site));
    } else {
        fprintf(stream, "a message from rank %d", lost->receive->actual_world);
    }
    fputs(" is lost: it ", stream);
    if (lost->bytes >= 0)
        fprintf(stream, "has %lld bytes and ", (long long)lost->bytes);
    fprintf(stream, "was too long for an earlier %s%s", lost->receive->details->function, received_at);
    if (lost->receive->details->bytes >= 0)
        fprintf(stream, " with room for %lld", (long long)lost->receive->details->bytes);
    if (lost->receive->details->bytes >= 0 && lost->bytes < 0)
        fputs(" bytes", stream);
}

const char *advise_on_size(void)
{
    return "make the receive as large as the message, or find out its size with MPI_Probe and MPI_Get_count";
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    (void)text;
    (void)cause;
    return advise_on_size();
}

static void add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    cause_add_idle(text, cause, finding);
    if (cause->lost.send != NULL)
        cause_add_sent(text, cause->lost.receive->actual_world, cause->lost.send, cause->wanted.communicator,
                       ": it is lost", finding);
}

const struct fault fault_lost_message = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = add_evidence,
};
