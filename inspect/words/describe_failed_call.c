/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes failed calls from what was noted of them: operations and requests may be gone.
 */
#include "words/words.h"

#include "base/base.h"

#include <ctype.h>
#include <string.h>

static bool is_message(const struct failed_call *call)
{
    return (call->operation & MPILENS_OPERATION_MESSAGE_CLASSES) != 0;
}

static void separate(FILE *stream, bool *is_first)
{
    if (!*is_first)
        fputs(", ", stream);
    *is_first = false;
}

static void write_message(FILE *stream, const struct failed_call *call, bool *is_first)
{
    const char *amount = describe_amount(call->elements, call->bytes, call->datatype);
    const char *peer = call->peer_local < -1 ? arena_text("%d", (int)call->peer_local)
                                             : describe_rank(call->peer_local, call->peer_world);
    const char *tag = describe_tag(call->tag_wild, call->tag);
    separate(stream, is_first);
    if (is_message(call))
        fprintf(stream, "%s%s%s ", amount, amount[0] != '\0' ? " " : "",
                call->operation & MPILENS_OPERATION_SEND ? "->" : "<-");
    else
        fputs(call->has_tag ? "source " : "target ", stream);
    fputs(peer, stream);
    if (call->has_tag)
        fprintf(stream, ", %s", tag);
}

static void write_collective(FILE *stream, const struct failed_call *call, bool *is_first)
{
    const char *amount = describe_amount(call->elements, call->bytes, call->datatype);
    if (amount[0] != '\0') {
        separate(stream, is_first);
        fputs(amount, stream);
    }
    if (call->has_root) {
        separate(stream, is_first);
        fprintf(stream, "root %d", (int)call->root);
    }
    if (call->collective > 0) {
        separate(stream, is_first);
        fprintf(stream, "call %llu", (unsigned long long)call->collective);
    }
}

const char *describe_failed_call(const struct failed_call *call, const struct communicator_labels *labels)
{
    bool is_first = true;
    FILE *stream = arena_open();
    fprintf(stream, "%s(", call->function);
    if (call->started_by[0] != '\0')
        fprintf(stream, "%s(", call->started_by);
    if (call->has_peer)
        write_message(stream, call, &is_first);
    else
        write_collective(stream, call, &is_first);
    if (call->communicator_id != 0)
        fprintf(stream, "%s%s",
                is_first               ? ""
                : call->collective > 0 ? " on "
                                       : ", ",
                find_label(labels, call->communicator_id));
    if (call->started_by[0] != '\0')
        fputs(")", stream);
    fputs(")", stream);
    const char *text = arena_close(stream);
    const bool has_arguments = !is_first || call->communicator_id != 0 || call->started_by[0] != '\0';
    return has_arguments ? text : arena_copy(call->function);
}

/* The last line that says something: MPICH puts the functions that it went through before what went wrong. */
const char *describe_failure(const struct failed_call *call)
{
    const char *line = call->text;
    if (line == NULL)
        return "";
    for (const char *next = line; next != NULL && *next != '\0';) {
        const char *end = strchr(next, '\n');
        if (next[0] != '\n')
            line = next;
        next = end != NULL ? end + 1 : NULL;
    }
    size_t length = strcspn(line, "\n");
    /* "internal_Send(80).: Invalid tag", "MPI_ERR_TAG: invalid tag". */
    const char *colon = memchr(line, ':', length);
    const size_t head = colon != NULL ? (size_t)(colon - line) : 0;
    if (colon != NULL && memchr(line, ' ', head) == NULL && colon[1] == ' ') {
        length -= head + 2;
        line = colon + 2;
    }
    while (length > 0 && (isspace((unsigned char)line[length - 1]) || line[length - 1] == '.'))
        length--;
    return arena_text("%.*s", (int)length, line);
}

const char *describe_returned_failure(const struct failed_call *call, const struct communicator_labels *labels)
{
    const char *described = describe_failed_call(call, labels), *failure = describe_failure(call);
    const char *times = call->times > 1 ? arena_text(", %llu times", (unsigned long long)call->times) : "";
    return arena_text("has got %s from %s%s%s%s", call->error_class[0] != '\0' ? call->error_class : "an error",
                      described, times, failure[0] != '\0' ? ": " : "", failure);
}
