/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One sentence about a request or a status.
 */
#include "replies/replies.h"

#include "facts/facts.h"

#include "mpilens/words.h"

#include <string.h>

const char *request_class_phrase(uint32_t operation_class)
{
    const char *phrase = mpilens_operation_class_phrase(operation_class);
    return phrase != NULL ? phrase : "operation";
}

const char *request_state_phrase(const struct mpilens_operation_information *request)
{
    if (!request->active)
        return "inactive";
    if (request->state == MPILENS_OPERATION_RELEASED)
        return mpilens_operation_state_phrase(MPILENS_OPERATION_RELEASED);
    if (request->complete)
        return mpilens_operation_state_phrase(MPILENS_OPERATION_COMPLETE);
    return mpilens_operation_state_phrase(request->state == MPILENS_OPERATION_MATCHED ? MPILENS_OPERATION_MATCHED
                                                                                      : MPILENS_OPERATION_PENDING);
}

static void say_amount(struct sentence *sentence, const struct mpilens_operation_information *request)
{
    if (request->count >= 0 && request->datatype[0] != '\0') {
        sentence_add_number(sentence, "", (uint64_t)request->count, " x ");
        text_add(&sentence->text, request->datatype);
    } else if (request->bytes >= 0) {
        sentence_add_number(sentence, "", (uint64_t)request->bytes, request->bytes == 1 ? " byte" : " bytes");
    }
    if (request->partition_count >= 0)
        sentence_add_number(sentence, "in ", (uint64_t)request->partition_count, " partitions");
}

/* Says the other side and the tag of a send or receive. */
static void say_message(struct sentence *sentence, const struct mpilens_operation_information *request)
{
    const bool is_send = request->operation_class == MPILENS_OPERATION_SEND;
    if (request->to_nobody)
        sentence_add(sentence, is_send ? "to MPI_PROC_NULL" : "from MPI_PROC_NULL");
    else if (request->peer_local >= 0)
        sentence_add_number(sentence, is_send ? "to rank " : "from rank ", (uint32_t)request->peer_local, "");
    else
        sentence_add(sentence, is_send ? "to nobody" : "from any rank");
    if (request->tag_wild)
        sentence_add(sentence, "any tag");
    else
        sentence_add_number(sentence, "tag ", (uint64_t)(request->tag >= 0 ? request->tag : 0), "");
}

static void say_target(struct sentence *sentence, const struct mpilens_operation_information *request)
{
    if (request->operation_class & MPILENS_OPERATION_MESSAGE_CLASSES)
        say_message(sentence, request);
    else if (request->peer_local >= 0)
        sentence_add_number(sentence, request->has_root ? "root " : "target ", (uint32_t)request->peer_local, "");
    if (request->offset >= 0)
        sentence_add_number(sentence, "at offset ", (uint64_t)request->offset, "");
}

static void say_place(struct sentence *sentence, const struct reading *reading,
                      const struct mpilens_operation_information *request)
{
    const struct mpilens_communicator *communicator =
        request->communicator_id != 0 ? snapshot_communicator_by_id(&reading->snapshot, request->communicator_id)
                                      : NULL;
    if (communicator == NULL)
        return;
    if (request->collective != 0)
        sentence_add_number(sentence, "call ", request->collective, " on ");
    else
        sentence_add(sentence, "on ");
    text_add_communicator(&sentence->text, reading, communicator);
}

int mpilens_summarize_request(mqs_process *process, const struct mpilens_operation_information *request, char *ret_text,
                              size_t bytes)
{
    mqs_process_info *info = process_info(process);
    if (ret_text == NULL || bytes == 0 || request == NULL || request->struct_size < sizeof *request)
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_need_copy(info);
    if (code != mqs_ok)
        return code;
    if (request->serial == 0 && request->flags == 0) {
        struct sentence null = sentence_begin(ret_text, bytes, "request", request->function, request->request);
        sentence_add(&null, "the null handle");
        return mqs_ok;
    }
    struct sentence sentence = sentence_begin(ret_text, bytes, "request", "", request->request);
    if (request->sharers > 1) {
        sentence_add_number(&sentence, "one of ", request->sharers,
                            " operations with this handle, the oldest of them a ");
        text_add(&sentence.text, request_state_phrase(request));
    } else {
        sentence_add(&sentence, request_state_phrase(request));
    }
    text_add(&sentence.text, request->persistent ? " persistent " : " ");
    text_add(&sentence.text, request_class_phrase(request->operation_class));
    say_amount(&sentence, request);
    say_target(&sentence, request);
    say_place(&sentence, &info->reading, request);
    if (request->function[0] != '\0') {
        sentence_add(&sentence, "made by ");
        text_add(&sentence.text, request->function);
    }
    return mqs_ok;
}

static void add_signed(struct sentence *sentence, const char *before, int32_t value)
{
    sentence_add(sentence, before);
    text_add_signed(&sentence->text, value);
}

/* MPI_ERROR is not said: most calls do not set it (MPI 4.1, section 3.2.5). */
int mpilens_summarize_status(const struct mpilens_status_information *status, char *ret_text, size_t bytes)
{
    if (ret_text == NULL || bytes == 0 || status == NULL || status->struct_size < sizeof *status)
        return MPILENS_ERROR_BAD_ARGUMENT;
    struct sentence sentence = {.text = text_begin(ret_text, bytes)};
    text_add(&sentence.text, "status");
    if (status->ignored) {
        sentence_add(&sentence, "ignored");
        return mqs_ok;
    }
    add_signed(&sentence, "source ", status->source);
    add_signed(&sentence, "tag ", status->tag);
    if (status->bytes >= 0)
        sentence_add_number(&sentence, "", (uint64_t)status->bytes, status->bytes == 1 ? " byte" : " bytes");
    if (status->cancelled == 1)
        sentence_add(&sentence, "cancelled");
    return mqs_ok;
}
