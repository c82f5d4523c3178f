/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sentences about messages: the receive that is stuck, and what was sent or received instead.
 */
#include "analysis/cause_text.h"
#include "base/allocation.h"

#include <stdlib.h>

/* "MPI_Recv(... <- 0, tag 8, ...) at a.c:3", of what waits for a message that does not come. */
static char *describe_wanting(const struct cause_text *text, const struct cause *cause)
{
    const struct wait_subject *subject = &text->waits->subjects[cause->wanting];
    if (subject->kind != SUBJECT_OPERATION)
        return describe_call_and_place(text, cause->wanted.receiver, subject->thread);
    char *operation = describe_operation(subject->operation, subject->communicator, text->labels);
    char *at = describe_at(subject->operation->site);
    char *both = format_text("%s%s", operation, at);
    free(operation);
    free(at);
    return both;
}

void cause_write_stuck(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct wait_subject *subject = &text->waits->subjects[cause->wanting];
    const struct thread *thread = find_first_blocked(cause->wanted.receiver);
    char *wanting = describe_wanting(text, cause);
    if (subject->kind == SUBJECT_OPERATION && thread != NULL && thread->call_class == MPILENS_CALL_WAIT) {
        char *at = describe_at(thread->site);
        fprintf(stream, "rank %d is stuck in %s%s: nothing matches its %s", cause->wanted.receiver->rank,
                thread->function, at, wanting);
        free(at);
    } else {
        fprintf(stream, "rank %d is stuck in %s", cause->wanted.receiver->rank, wanting);
    }
    free(wanting);
}

/* "is from rank 3, not 1"; where the communicator numbers its ranks anew: "is from rank 3 (world 0) of row, not rank 0
 * (world 3)". */
static void write_source(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct operation *message = cause->near_miss.message;
    const struct wanted_message *wanted = &cause->wanted;
    if (message->peer_local == message->peer_world && wanted->peer_local == wanted->peer_world) {
        fprintf(stream, "is from rank %d, not %d", message->peer_local, wanted->peer_local);
        return;
    }
    char *actual = describe_rank(message->peer_local, message->peer_world);
    char *meant = describe_rank(wanted->peer_local, wanted->peer_world);
    fprintf(stream, "is from rank %s of %s, not rank %s", actual,
            find_label(text->labels, cause->near_miss.communicator->id), meant);
    free(actual);
    free(meant);
}

static void write_difference(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    switch (cause->kind) {
    case FINDING_TAG_MISMATCH:
        fprintf(stream, "has tag %d, not %d", cause->near_miss.message->tag, cause->wanted.tag);
        break;
    case FINDING_COMMUNICATOR_MISMATCH:
        fprintf(stream, "was sent on %s, not %s", find_label(text->labels, cause->near_miss.communicator->id),
                find_label(text->labels, cause->wanted.communicator->id));
        break;
    default:
        write_source(stream, text, cause);
    }
}

void cause_write_near_miss(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct operation *message = cause->near_miss.message;
    char *at = describe_at(message->site);
    cause_write_stuck(stream, text, cause);
    if (cause->kind == FINDING_SOURCE_MISMATCH)
        fprintf(stream, "; the message sent with %s%s would fit, but ", message->function, at);
    else
        fprintf(stream, "; the message that rank %d sent it with %s%s ", message->peer_world, message->function, at);
    write_difference(stream, text, cause);
    free(at);
}

void cause_write_lost(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct lost_message *lost = &cause->lost;
    char *wanting = describe_wanting(text, cause);
    char *received_at = describe_at(lost->receive->site);
    fprintf(stream, "rank %d is stuck in %s; ", cause->wanted.receiver->rank, wanting);
    if (lost->send != NULL) {
        char *sent_at = describe_at(lost->send->site);
        fprintf(stream, "the message that rank %d sent it with %s%s", lost->receive->actual_world, lost->send->function,
                sent_at);
        free(sent_at);
    } else {
        fprintf(stream, "a message from rank %d", lost->receive->actual_world);
    }
    fputs(" is lost: it ", stream);
    if (lost->bytes >= 0)
        fprintf(stream, "has %lld bytes and ", (long long)lost->bytes);
    fprintf(stream, "was too long for an earlier %s%s", lost->receive->function, received_at);
    if (lost->receive->bytes >= 0)
        fprintf(stream, " with room for %lld", (long long)lost->receive->bytes);
    if (lost->receive->bytes >= 0 && lost->bytes < 0)
        fputs(" bytes", stream);
    free(wanting);
    free(received_at);
}

void cause_write_stolen(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    char *wanting = describe_wanting(text, cause);
    char *at = describe_at(cause->taken->site);
    fprintf(stream, "rank %d is stuck in %s: its %s%s from any source has taken the message from rank %d",
            cause->wanted.receiver->rank, wanting, cause->taken->function, at, cause->taken->actual_world);
    free(wanting);
    free(at);
    if (cause->left == NULL)
        return;
    char *left_at = describe_at(cause->left->site);
    fprintf(stream, ", and left the one from rank %d (%s%s), which nobody receives", cause->left->peer_world,
            cause->left->function, left_at);
    free(left_at);
}

void cause_write_left_over(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct wait_subject *subject = &text->waits->subjects[cause->left_over];
    const struct process *sender = &text->waits->job->processes[subject->process];
    const struct process *receiver = job_index_process(&text->waits->index, subject->operation->peer_world);
    char *send = describe_operation(subject->operation, subject->communicator, text->labels);
    char *at = describe_at(subject->operation->site);
    char *doing = describe_doing(text, sender);
    char *end =
        receiver != NULL && receiver != sender ? describe_doing(text, receiver) : copy_text("has sent it to itself");
    fprintf(stream, "rank %d %s with a send that is neither complete nor received: %s%s; rank %d %s", sender->rank,
            doing, send, at, subject->operation->peer_world, end);
    free(send);
    free(at);
    free(doing);
    free(end);
}
